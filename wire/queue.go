// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"context"
	"net"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// queueTime is how long a thread waits in a socket's queue at a time.
const queueTime = 5 * time.Second

// queue connects to a socket whose queue is full. The kernel lets in those whose
// connect(2) waits in the order in which they came; whoever only looks again
// from time to time finds the queue full for as long as others come. The error
// is connect's, EAGAIN if it took too long, or the context's.
func queue(ctx context.Context, socket string) (*net.UnixConn, error) {
	type connected struct {
		conn *net.UnixConn
		err  error
	}
	done := make(chan connected, 1)
	go func() {
		conn, err := connectWaiting(socket)
		done <- connected{conn, err}
	}()
	select {
	case c := <-done:
		return c.conn, c.err
	case <-ctx.Done():
		go func() {
			if c := <-done; c.err == nil {
				c.conn.Close()
			}
		}()
		return nil, ctx.Err()
	}
}

// connectWaiting holds a thread for up to queueTime.
func connectWaiting(socket string) (*net.UnixConn, error) {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, os.NewSyscallError("socket", err)
	}
	f := os.NewFile(uintptr(fd), "socket")
	defer f.Close()
	limit := unix.NsecToTimeval(int64(queueTime)) // of connect's, too: unix(7) does not say so
	err = unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_SNDTIMEO, &limit)
	for again := true; again && err == nil; {
		err = unix.Connect(fd, &unix.SockaddrUnix{Name: socket})
		if again = err == unix.EINTR; again { // Go's own signals come often
			err = nil
		}
	}
	if err == nil {
		err = unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_SNDTIMEO, &unix.Timeval{})
	}
	if err != nil {
		return nil, os.NewSyscallError("connect", err)
	}
	conn, err := net.FileConn(f)
	if err != nil {
		return nil, err
	}
	return conn.(*net.UnixConn), nil
}
