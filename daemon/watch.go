// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// pollable takes over a descriptor and makes it a file that Go's poller
// watches, so that waiting for it costs a goroutine and no thread.
func pollable(fd int, name string) (*os.File, error) {
	unix.CloseOnExec(fd)
	if err := unix.SetNonblock(fd, true); err != nil {
		unix.Close(fd)
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return os.NewFile(uintptr(fd), name), nil
}

// exited returns when the process of a pidfd has exited (nil), or when the file
// was closed (an error). pidfds poll since Linux 5.3.
func exited(pidfd *os.File) error {
	raw, err := pidfd.SyscallConn()
	if err != nil {
		return err
	}
	var inner error
	err = raw.Read(func(fd uintptr) bool {
		p := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		n, err := unix.Poll(p, 0)
		if err != nil && err != unix.EINTR {
			inner = err
			return true
		}
		return n > 0 && p[0].Revents != 0
	})
	if err != nil {
		return err
	}
	return inner
}

// withFD calls f with the descriptor of a file that Go's poller watches: its Fd
// would make it block, here and wherever else it is open.
func withFD(c syscall.Conn, f func(fd int) error) error {
	raw, err := c.SyscallConn()
	if err != nil {
		return err
	}
	inner := raw.Control(func(fd uintptr) { err = f(int(fd)) })
	return errors.Join(err, inner)
}
