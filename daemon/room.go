// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"
)

// A room is the namespaces that one user's workers have together: a network
// with nothing in it, System V and POSIX message queues, and mounts in which
// /dev/shm is theirs alone. They have them together because the vendor's IPC
// between two programs of one user goes through files in /dev/shm. A room ends
// with the last worker in it, and what they left in its /dev/shm with it.
type room struct {
	spaces []namespace
	users  int // workers; under rooms.mu
}

type namespace struct {
	file *os.File
	kind int // its CLONE_NEW flag
}

// rooms are those that there are, by client.
type rooms struct {
	mu  sync.Mutex
	all map[uint32]*room
}

// try says whether rooms can be had.
func (rs *rooms) try() error {
	r, err := newRoom()
	if err == nil {
		r.close()
	}
	return err
}

// enter gives a client's worker its room. leave must follow.
func (rs *rooms) enter(client uint32) (*room, error) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	r := rs.all[client]
	if r == nil {
		var err error
		if r, err = newRoom(); err != nil {
			return nil, err
		}
		if rs.all == nil {
			rs.all = map[uint32]*room{}
		}
		rs.all[client] = r
	}
	r.users++
	return r, nil
}

func (rs *rooms) leave(client uint32) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	r := rs.all[client]
	if r.users--; r.users == 0 {
		delete(rs.all, client)
		r.close()
	}
}

// adopt enters the room that a living process is in. It is false if it is in
// none: its network is axond's own, or it is dead.
func (rs *rooms) adopt(client uint32, pid int, pidfd *os.File) bool {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	r := rs.all[client]
	if r == nil {
		r = &room{}
		dir := "/proc/" + strconv.Itoa(pid) + "/ns/"
		own, err := os.Stat("/proc/self/ns/net")
		if err == nil {
			err = r.open(dir)
		}
		if err == nil {
			var its os.FileInfo
			if its, err = r.spaces[0].file.Stat(); err == nil && os.SameFile(own, its) {
				err = errors.New("not in a room")
			}
		}
		// Another process may have the number, but not while the worker lives.
		if err != nil || !alive(pidfd) {
			r.close()
			return false
		}
		if rs.all == nil {
			rs.all = map[uint32]*room{}
		}
		rs.all[client] = r
	}
	r.users++
	return true
}

// alive says whether the process of a pidfd has not exited.
func alive(pidfd *os.File) bool {
	raw, err := pidfd.SyscallConn()
	if err != nil {
		return false
	}
	var inner error
	err = raw.Control(func(fd uintptr) { inner = unix.PidfdSendSignal(int(fd), 0, nil, 0) })
	return err == nil && inner == nil
}

// open finds the room's namespaces in a process's folder of them.
func (r *room) open(dir string) error {
	for _, s := range []struct {
		name string
		kind int
	}{{"net", unix.CLONE_NEWNET}, {"ipc", unix.CLONE_NEWIPC}, {"mnt", unix.CLONE_NEWNS}} {
		f, err := os.Open(dir + s.name)
		if err != nil {
			return err
		}
		r.spaces = append(r.spaces, namespace{f, s.kind})
	}
	return nil
}

func newRoom() (*room, error) {
	r := &room{}
	err := onThreadOfItsOwn(func() error {
		if err := unix.Unshare(unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWNS); err != nil {
			return fmt.Errorf("unshare: %w", err)
		}
		// What is mounted and unmounted outside still is so in here, and nothing the other way.
		if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_SLAVE, ""); err != nil {
			return fmt.Errorf("making the mounts a slave: %w", err)
		}
		err := unix.Mount("axon", "/dev/shm", "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "mode=1777")
		if err != nil && !errors.Is(err, unix.ENOENT) {
			return fmt.Errorf("mounting a /dev/shm: %w", err)
		}
		return r.open("/proc/thread-self/ns/")
	})
	if err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

// join puts the calling thread into the room.
func (r *room) join() error {
	// The threads of a process have one root and working folder, which keeps each of them in its mounts.
	if err := unix.Unshare(unix.CLONE_FS); err != nil {
		return fmt.Errorf("unshare: %w", err)
	}
	for _, s := range r.spaces {
		if err := unix.Setns(int(s.file.Fd()), s.kind); err != nil {
			return fmt.Errorf("setns: %w", err)
		}
	}
	return nil
}

func (r *room) close() {
	for _, s := range r.spaces {
		s.file.Close()
	}
}

// onThreadOfItsOwn runs f on a thread that ends with it, as what f does to the
// thread cannot be undone. A process that f starts has the thread's namespaces
// and capabilities.
func onThreadOfItsOwn(f func() error) error {
	done := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		if unix.Gettid() == unix.Getpid() {
			// What is asked about the process is asked about this one. While it is held here, f runs on another.
			done <- onThreadOfItsOwn(f)
			runtime.UnlockOSThread()
			return
		}
		done <- f() // Go ends a thread whose goroutine ends locked to it
	}()
	return <-done
}
