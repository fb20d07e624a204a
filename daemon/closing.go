// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"crypto/rand"
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A descriptor that a client sends may be a file of a file system that the
// client itself serves (FUSE), which need not answer. Its closing waits for an
// answer (flush), and two things follow.
//
// A process that is started while axond has such a file never gets to its exec,
// which closes it: so nothing is started between receiving one and being rid of
// it (syscall.ForkLock). Files that are memory are not such, and are all that
// axond keeps.
//
// A thread of axond's waits for each that is closed, and there are so many of
// these. So while a user has as many on their way out as are left for others,
// nothing more is taken from it.

const (
	closingsMax  = 512 // at once
	closingsRoot = 16  // of them root's alone
)

type closings struct {
	mu     sync.Mutex
	shares shares
}

// full says whether a user may send no more.
func (c *closings) full(uid uint32) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.shares.free(uid)
}

// close closes descriptors that a user has sent. Whoever calls it holds
// syscall.ForkLock; they are gone when it returns, although their closing may
// go on.
func (c *closings) close(uid uint32, fds []int) {
	for _, fd := range fds {
		c.closeOne(uid, fd)
	}
}

func (c *closings) closeOne(uid uint32, fd int) {
	if isMemory(fd) {
		unix.Close(fd)
		return
	}
	place, err := placeholder()
	if err != nil { // there is no memory for as little as that
		unix.Close(fd)
		return
	}
	c.mu.Lock()
	c.shares.add(uid)
	c.mu.Unlock()
	closed := make(chan struct{})
	go func() {
		unix.Dup3(place.fd, fd, unix.O_CLOEXEC) // its number is the placeholder's at once, and then the file is closed
		close(closed)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.shares.give(uid, 1)
	}()
	for pause := 10 * time.Microsecond; ; pause = min(2*pause, time.Millisecond) {
		select {
		case <-closed:
		case <-time.After(pause):
			if linkOf(fd) != place.link {
				continue
			}
		}
		unix.Close(fd)
		return
	}
}

// placeholder is a file that no client has, and that none can make look like its own.
var placeholder = sync.OnceValues(func() (p struct {
	fd   int
	link string
}, err error) {
	p.fd, err = unix.MemfdCreate("axon-"+rand.Text(), unix.MFD_CLOEXEC)
	if err == nil {
		p.link = linkOf(p.fd)
	}
	return p, err
})

// linkOf is what a descriptor is open on, for comparison; no file system is asked.
func linkOf(fd int) string {
	link, _ := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", fd))
	return link
}

// isMemory says whether a file is memory, for which nobody is asked.
func isMemory(fd int) bool {
	_, err := unix.FcntlInt(uintptr(fd), unix.F_GET_SEALS, 0)
	return err == nil
}

// message is one with what came along.
type message struct {
	n     int
	fds   []int // at most one
	flags int
}

// receive reads a message if there is one; EAGAIN if there is none. Whoever
// calls it holds syscall.ForkLock, and gets rid of the descriptors. What there is
// no room for the kernel lets go, and says MSG_CTRUNC; unlike closing that never
// waits.
func receive(fd int, b []byte) (message, error) {
	oob := make([]byte, unix.CmsgLen(4)) // not CmsgSpace: its padding would take a second
	for {
		n, oobn, flags, _, err := unix.Recvmsg(fd, b, oob, unix.MSG_DONTWAIT|unix.MSG_CMSG_CLOEXEC)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return message{}, err
		}
		return message{n, received(oob[:oobn]), flags}, nil
	}
}

// withoutForks calls f while no process is started.
func withoutForks(f func()) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	f()
}
