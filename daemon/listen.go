// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"

	"github.com/coreos/go-systemd/v22/activation"
	"golang.org/x/sys/unix"

	"nervlinux.org/axon/wire"
)

// DefaultSocket is where programs look for axond.
const DefaultSocket = wire.DefaultSocket

// socketQueue is how many connections wait to be accepted. What is in the queue
// has no owner's share: whoever connects and hangs up all the time could fill a
// long one, and be in it thousands of times. Beyond it the kernel has each
// thread that connects wait for its turn, once.
const socketQueue = 128

// Listener is axond's socket.
type Listener struct {
	*net.UnixListener

	lock *os.File // nil with systemd's
}

// Close closes the socket and, if it was made here, removes it.
func (l *Listener) Close() error {
	err := l.UnixListener.Close()
	if l.lock != nil {
		l.lock.Close()
	}
	return err
}

// Activated is the socket that systemd hands over (sd_listen_fds(3)), nil if
// there is none, and what it has kept for axond (Store), by name.
func Activated() (*Listener, map[string]*os.File, error) {
	kept := map[string]*os.File{}
	var sockets []*os.File
	for _, f := range activation.Files(true) {
		if _, _, ok := parseStoredName(f.Name()); ok || f.Name() == totalsName {
			kept[f.Name()] = f
		} else {
			sockets = append(sockets, f)
		}
	}
	defer func() {
		for _, f := range sockets {
			f.Close()
		}
	}()
	switch len(sockets) {
	case 0:
		return nil, kept, nil
	case 1:
	default:
		return nil, kept, fmt.Errorf("systemd handed over %d sockets, axond has use for one; leave one ListenSequentialPacket= in axond.socket", len(sockets))
	}
	l, err := net.FileListener(sockets[0])
	if err != nil {
		return nil, kept, fmt.Errorf("the socket from systemd: %w", err)
	}
	ul, ok := l.(*net.UnixListener)
	if !ok || ul.Addr().Network() != "unixpacket" {
		l.Close()
		return nil, kept, fmt.Errorf("the socket from systemd is of the kind %s; axond needs ListenSequentialPacket= with a path", l.Addr().Network())
	}
	return &Listener{UnixListener: ul}, kept, nil
}

// Listen makes the socket at path. One that a dead axond left is replaced; one
// that is served is an error. As root with a group, members of the group can
// connect (0660); otherwise only axond's own user can (0600).
//
// The lock beside the socket, held until the listener is closed, keeps two axonds
// that start at once from each removing the other's socket.
func Listen(path string, p Policy) (*Listener, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("the socket's folder: %w", err)
	}
	lock, err := os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the socket's lock: %w", err)
	}
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		lock.Close()
		return nil, fmt.Errorf("another axond serves %s; stop it first, or choose another path with --socket", path)
	}
	l, err := bind(path, p)
	if err != nil {
		lock.Close()
		return nil, err
	}
	return &Listener{l, lock}, nil
}

func bind(path string, p Policy) (*net.UnixListener, error) {
	if err := removeStale(path); err != nil {
		return nil, err
	}
	addr := &net.UnixAddr{Name: path, Net: "unixpacket"}
	shared := p.AxondRoot && p.HasGroup
	mask := 0o177
	if shared {
		// A program may connect as soon as the file is there, so it is made as it
		// stays: with the group as this thread's for files, and its mode by the mask.
		mask = 0o117
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		was, err := unix.SetfsgidRetGid(int(p.GID))
		if err != nil {
			return nil, fmt.Errorf("the socket %s: %w", path, err)
		}
		defer unix.SetfsgidRetGid(was)
	}
	// The mask is the process's, so this belongs to the start, before anything
	// else makes files.
	old := unix.Umask(mask)
	l, err := net.ListenUnix("unixpacket", addr)
	unix.Umask(old)
	if err != nil {
		return nil, fmt.Errorf("the socket %s: %w", path, err)
	}
	// A folder may give its files a group of its own (setgid, ACLs).
	if shared {
		err = os.Chown(path, 0, int(p.GID))
		if err == nil {
			err = os.Chmod(path, 0o660)
		}
		if err != nil {
			l.Close()
			return nil, fmt.Errorf("the socket %s: %w", path, err)
		}
	}
	return l, nil
}

// removeStale removes a socket that nobody serves.
func removeStale(path string) error {
	st, err := os.Lstat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("the socket %s: %w", path, err)
	}
	if st.Mode().Type() != os.ModeSocket {
		return fmt.Errorf("%s is there and is no socket; remove it, or choose another path with --socket", path)
	}
	c, err := net.DialUnix("unixpacket", nil, &net.UnixAddr{Name: path, Net: "unixpacket"})
	switch {
	case errors.Is(err, unix.EAGAIN): // its queue is full
		return fmt.Errorf("%s is served by another program; stop it first, or choose another path with --socket", path)
	case err == nil:
		defer c.Close()
		who := "another program"
		if id, err := Identify(c); err == nil {
			defer id.Close()
			who = fmt.Sprintf("%s (pid %d)", id.Comm, id.PID)
		}
		return fmt.Errorf("%s is served by %s; stop it first, or choose another path with --socket", path, who)
	case errors.Is(err, unix.ECONNREFUSED):
		if err := os.Remove(path); err != nil {
			return fmt.Errorf("a stale socket: %w", err)
		}
		return nil
	case errors.Is(err, os.ErrNotExist):
		return nil
	case errors.Is(err, unix.EPROTOTYPE):
		return fmt.Errorf("%s is another program's socket (not of the kind SOCK_SEQPACKET); choose another path with --socket", path)
	}
	return fmt.Errorf("the socket %s: %w", path, err)
}
