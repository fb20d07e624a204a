// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"time"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/wire"
)

// passTime is how long a worker may take to make room for a descriptor. Its
// main thread does nothing else than take them.
const passTime = 10 * time.Second

var (
	errHungUp  = errors.New("the client hung up")
	errSpoke   = errors.New("the client said something after its hello, which the protocol has no room for")
	errClosing = errors.New("files that the client's user has sent cannot be closed: a file system (FUSE, a network's) does not answer; end what serves it")
)

// nextMessage waits until a client has said something after its hello. The error
// is why the session ends.
func nextMessage(conn *net.UnixConn) error {
	raw, err := conn.SyscallConn()
	if err != nil {
		return errHungUp
	}
	n := 0
	var inner error
	err = raw.Read(func(fd uintptr) bool {
		for inner = unix.EINTR; inner == unix.EINTR; { // a look: what came along stays with the message
			n, _, _, _, inner = unix.Recvmsg(int(fd), make([]byte, 1), nil, unix.MSG_PEEK|unix.MSG_DONTWAIT)
		}
		return inner != unix.EAGAIN
	})
	if err != nil || inner != nil || n == 0 {
		return errHungUp
	}
	return nil
}

// passOn hands a client's next message on to its worker as it came: a descriptor
// and nothing else, at whose number and file axond does not look. It waits until
// the worker has room, and then has the file for no longer than it takes. The
// error is why the session ends.
func (s *Server) passOn(conn *net.UnixConn, uid uint32, w *worker) error {
	if s.closings.full(uid) {
		return errClosing
	}
	control, err := w.control.SyscallConn()
	if err != nil {
		return err
	}
	w.control.SetWriteDeadline(time.Now().Add(passTime))
	var inner error
	err = control.Write(func(to uintptr) bool {
		room := []unix.PollFd{{Fd: int32(to), Events: unix.POLLOUT}}
		if n, err := unix.Poll(room, 0); err != nil || n == 0 {
			return false
		}
		inner = withFD(conn, func(from int) (err error) {
			withoutForks(func() { err = s.passMessage(from, int(to), uid) })
			return err
		})
		return true
	})
	if err != nil {
		return fmt.Errorf("a descriptor of the client's does not reach the worker: %w", err)
	}
	return inner
}

// passMessage is done while no process is started.
func (s *Server) passMessage(from, to int, uid uint32) error {
	b := make([]byte, wire.DescriptorSize+1)
	m, err := receive(from, b)
	defer func() { s.closings.close(uid, m.fds) }()
	le := binary.LittleEndian
	switch {
	case err != nil || m.n == 0 && len(m.fds) == 0:
		return errHungUp
	case m.n != wire.DescriptorSize || len(m.fds) != 1 || m.flags&(unix.MSG_TRUNC|unix.MSG_CTRUNC) != 0 ||
		le.Uint32(b) != wire.Magic || le.Uint32(b[4:]) != 0:
		return errSpoke
	}
	if err := unix.Sendmsg(to, b[:m.n], unix.UnixRights(m.fds[0]), nil, unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL); err != nil {
		return fmt.Errorf("a descriptor of the client's does not reach the worker: %w", err)
	}
	return nil
}
