// SPDX-License-Identifier: Apache-2.0

package transient

import (
	"fmt"
	"math"
	"os"
	"path"
	"strconv"
	"strings"
)

// GroupOf is a process's control group, from the hierarchy's root.
func GroupOf(pid int) (string, error) {
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
