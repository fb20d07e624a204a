// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/user"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// DefaultSocket is where programs look for axond (AXON_SOCKET in C).
const DefaultSocket = "/run/axon/sock"

// SocketPathMax is the most bytes of a socket's path (sockaddr_un).
const SocketPathMax = 107

// Refused is axond's answer to a hello that gets nothing. Its text, for people,
// says why and what to do.
type Refused struct {
	Status uint32 // one of the Status constants
	Text   string
}

func (r *Refused) Error() string { return r.Text }

// ErrNoAxond is that no axond is at the socket.
var ErrNoAxond = errors.New("axond is not running")

// Dial says a hello without a region and takes axond's answer; the library is
// NVML or the view. socket is "" for what AXON_SESSION names, else
// DefaultSocket. Errors name the remedy. They are ErrNoAxond, fs.ErrPermission,
// a *Refused, the context's, or something rarer.
func Dial(ctx context.Context, socket string, h *Hello) (*net.UnixConn, error) {
	if socket == "" {
		socket = os.Getenv("AXON_SESSION")
	}
	if socket == "" {
		socket = DefaultSocket
	}
	conn, err := connect(ctx, socket)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })
	a, err := greet(conn, h)
	if !stop() && err == nil {
		err = ctx.Err()
	}
	switch {
	case err == nil && a.Status == StatusOK:
		return conn, nil
	case err == nil:
		err = refused(a)
	case ctx.Err() != nil:
		err = fmt.Errorf("axond at %s does not answer (systemctl status axond says more): %w", socket, ctx.Err())
	default:
		err = fmt.Errorf("axond at %s has hung up (journalctl -u axond says more): %w", socket, err)
	}
	conn.Close()
	return nil, err
}

func connect(ctx context.Context, socket string) (*net.UnixConn, error) {
	conn, err := net.DialUnix("unixpacket", nil, &net.UnixAddr{Name: socket, Net: "unixpacket"})
	for errors.Is(err, unix.EAGAIN) && ctx.Err() == nil { // its queue is full
		conn, err = queue(ctx, socket)
	}
	switch {
	case err == nil:
		return conn, nil
	case ctx.Err() != nil:
		return nil, fmt.Errorf("axond at %s accepts nobody (systemctl status axond says more): %w", socket, ctx.Err())
	}
	return nil, Unreachable(err, socket, "in AXON_SESSION")
}

// Unreachable is connect(2)'s error at axond's socket for a person: what is
// wrong and what to do. named says where another socket can be named. It is
// ErrNoAxond if no axond is there, or fs.ErrPermission.
func Unreachable(err error, socket, named string) error {
	start := "; start it (as root: systemctl start axond.socket, or just axond), or name its socket " + named
	switch st, serr := os.Stat(socket); {
	case len(socket) > SocketPathMax:
		return fmt.Errorf("the socket's path %s is longer than the %d bytes that a socket's can be", socket, SocketPathMax)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, unix.ENOTDIR):
		return fmt.Errorf("%w: there is no socket %s"+start, ErrNoAxond, socket)
	case errors.Is(err, unix.ECONNREFUSED) && serr == nil && st.Mode().Type() != fs.ModeSocket: // unix(7): also a file of another kind
		return fmt.Errorf("%s is no socket; name axond's %s", socket, named)
	case errors.Is(err, unix.ECONNREFUSED):
		return fmt.Errorf("%w: nobody answers at %s"+start, ErrNoAxond, socket)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("you may not use axond at %s; %s: %w", socket, joining(st), fs.ErrPermission)
	case errors.Is(err, unix.EPROTOTYPE):
		return fmt.Errorf("%s is not axond's socket but another program's; name axond's %s", socket, named)
	}
	return fmt.Errorf("axond cannot be reached at %s: %w", socket, err)
}

// joining says how to get at a socket whose file (nil: it cannot be seen) does
// not let this user write.
func joining(file fs.FileInfo) string {
	group, me := "video", "USER"
	if u, err := user.Current(); err == nil {
		me = u.Username
	}
	if file != nil {
		st, ok := file.Sys().(*syscall.Stat_t)
		switch {
		case ok && (file.Mode()&0o020 == 0 || st.Gid == 0): // nobody is made a member of root's group
			owner := strconv.FormatUint(uint64(st.Uid), 10)
			if u, err := user.LookupId(owner); err == nil {
				owner = u.Username
			}
			return "it is " + owner + "'s own"
		case ok:
			group = strconv.FormatUint(uint64(st.Gid), 10)
			if g, err := user.LookupGroupId(group); err == nil {
				group = g.Name
			}
		}
	}
	return fmt.Sprintf("join its group (as root: usermod -aG %s %s) and log in again", group, me)
}

func greet(conn *net.UnixConn, h *Hello) (Answer, error) {
	if err := SendHello(conn, h, -1); err != nil {
		return Answer{}, err
	}
	return ReceiveAnswer(conn)
}

func refused(a Answer) *Refused {
	r := &Refused{a.Status, a.Text}
	switch {
	case a.Status == StatusBadRegion:
		// Those of before there were hellos without a region.
		r.Text = "axond is older than this program; restart it (as root: systemctl restart axond)"
	case a.Text == "":
		r.Text = fmt.Sprintf("axond refuses, with status %d and without a reason (journalctl -u axond says more)", a.Status)
	}
	return r
}
