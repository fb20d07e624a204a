// SPDX-License-Identifier: Apache-2.0

package scope

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"nervlinux.org/axon/daemon"
)

// groupOf is a process's control group, from the hierarchy's root.
func groupOf(pid int) (string, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", pid))
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(b)) {
		if group, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "0::"); ok {
			return path.Clean("/" + group), nil
		}
	}
	return "", fmt.Errorf("process %d is in no control group of version 2", pid)
}

// Room is what the control groups of a process leave it.
func (s *Systemd) Room(pid int) (daemon.Room, error) {
	group, err := s.group(pid)
	if err != nil {
		return daemon.Room{}, err
	}
	var r daemon.Room
	for ; group != "/"; group = path.Dir(group) {
		limit, err := readSize(filepath.Join(s.groups, group, "memory.max"))
		if errors.Is(err, fs.ErrNotExist) {
			continue // the controller is off here, so no group below has a limit either
		}
		if err != nil {
			return daemon.Room{}, err
		}
		if limit == math.MaxUint64 {
			continue
		}
		used, err := readSize(filepath.Join(s.groups, group, "memory.current"))
		if err != nil {
			return daemon.Room{}, err
		}
		r.Groups = append(r.Groups, daemon.Group{Path: group, Max: limit, Used: used})
	}
	return r, nil
}

// readSize reads a file of a control group that has a number in it, or "max".
func readSize(file string) (uint64, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	text := strings.TrimSpace(string(b))
	if text == "max" {
		return math.MaxUint64, nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", file, err)
	}
	return n, nil
}
