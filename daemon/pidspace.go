// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"bytes"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// pidSpace is a pid namespace, as far as numbers of processes are told to
// somebody in it. It is comparable.
type pidSpace struct {
	known    bool // else nothing can be told
	own      bool // it is axond's
	dev, ino uint64
}

// readerSpace is the space of a client's process. To look into another than
// axond's own takes CAP_SYS_PTRACE, or a client of axond's user.
func readerSpace(id *Identity) pidSpace {
	if id.pidfd == nil {
		return pidSpace{}
	}
	s := pidSpaceOf(id.PID)
	if !alive(id.pidfd) { // its number may have been another's
		return pidSpace{}
	}
	return s
}

func pidSpaceOf(pid int) pidSpace {
	switch numbers, err := pidNumbers(pid); {
	case err != nil:
		return pidSpace{}
	case len(numbers) == 1:
		return pidSpace{known: true, own: true}
	}
	f, err := os.Open(fmt.Sprintf("/proc/%d/ns/pid", pid))
	if err != nil {
		return pidSpace{}
	}
	defer f.Close()
	s, err := spaceIn(int(f.Fd()))
	if err != nil {
		return pidSpace{}
	}
	return s
}

// spaceIn is the namespace of an open file.
func spaceIn(fd int) (pidSpace, error) {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return pidSpace{}, err
	}
	return pidSpace{known: true, dev: uint64(st.Dev), ino: st.Ino}, nil
}

// seesProcess is a process's number in the space; false if it is not to be seen
// there, or is no more.
func (s pidSpace) seesProcess(p process) (int, bool) {
	n, ok := s.sees(p.PID)
	return n, ok && p.is() // as it is after the look
}

// sees is likewise of whatever process has a number.
func (s pidSpace) sees(pid int) (int, bool) {
	if !s.known || s.own || pid <= 0 {
		return pid, s.known && pid > 0
	}
	numbers, err := pidNumbers(pid)
	if err != nil || len(numbers) < 2 {
		return 0, false
	}
	fd, err := unix.Open(fmt.Sprintf("/proc/%d/ns/pid", pid), unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0, false
	}
	defer func() { unix.Close(fd) }()
	for n := len(numbers) - 1; n > 0; n-- {
		if at, err := spaceIn(fd); err == nil && at == s {
			return numbers[n], true
		}
		parent, err := unix.IoctlRetInt(fd, unix.NS_GET_PARENT)
		if err != nil {
			break
		}
		unix.CloseOnExec(parent)
		unix.Close(fd)
		fd = parent
	}
	return 0, false
}

// pidNumbers are a process's numbers, from axond's namespace down to its own
// (NSpid in proc_pid_status(5)).
func pidNumbers(pid int) ([]int, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(b) {
		rest, ok := bytes.CutPrefix(line, []byte("NSpid:"))
		if !ok {
			continue
		}
		var all []int
		for _, w := range bytes.Fields(rest) {
			n, err := strconv.Atoi(string(w))
			if err != nil {
				return nil, err
			}
			all = append(all, n)
		}
		if len(all) > 0 {
			return all, nil
		}
	}
	return []int{pid}, nil // a kernel without these namespaces
}
