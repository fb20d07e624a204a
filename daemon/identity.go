// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/user"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Policy is who may have sessions: root, the user that axond runs as, and the
// members of one group.
type Policy struct {
	Group     string // its name, for people
	GID       uint32 // of the group
	HasGroup  bool   // the group exists
	AxondUID  uint32
	AxondRoot bool // then AxondUID adds nobody
}

// NewPolicy makes the policy for a group, by name or number. A group that does
// not exist is an error only if required; otherwise nobody is a member of it.
// Names are looked up in /etc/group alone: a static program has no NSS, so a
// group from a directory service has to be given by its number.
func NewPolicy(group string, required bool) (Policy, error) {
	p := Policy{Group: group, AxondUID: uint32(os.Geteuid()), AxondRoot: os.Geteuid() == 0}
	p.GID, p.HasGroup = groupNumber(group)
	if !p.HasGroup && required {
		return p, fmt.Errorf("the group %q is not in /etc/group; make it (groupadd -r %s) or give a number with --group", group, group)
	}
	return p, nil
}

// groupNumber is the number of a group that is given by name or number; false
// if there is none.
func groupNumber(group string) (uint32, bool) {
	if n, err := strconv.ParseUint(group, 10, 32); err == nil {
		return uint32(n), true
	}
	g, err := user.LookupGroup(group)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseUint(g.Gid, 10, 32)
	return uint32(n), err == nil
}

// Identity is who is at the other end of a connection, from the kernel alone.
// Nothing else in axond looks at credentials.
type Identity struct {
	PID     int
	Born    uint64 // when the process began, see process; 0 if it is gone
	UID     uint32
	Charged uint32 // the user of whose share its connection is, see chargedFor
	GID     uint32
	Groups  []uint32 // supplementary
	Comm    string   // the program's name, for people: a program may call itself anything

	pidfd *os.File // readable when the process has exited
}

// errGone is a client that had exited before it could be identified.
var errGone = errors.New("the program has exited already")

// Identify asks the kernel about a connection's peer: who it was when it
// connected. The Identity must be closed. errGone if the process is no more.
func Identify(conn *net.UnixConn) (*Identity, error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return nil, err
	}
	id := &Identity{}
	var inner error
	err = raw.Control(func(fd uintptr) { inner = id.ask(int(fd)) })
	if err = errors.Join(err, inner); err != nil {
		return nil, err
	}
	id.Comm = comm(id.PID)
	id.Charged = id.UID
	if b, u := born(id.PID), chargedFor(id.PID, id.UID); alive(id.pidfd) { // else its number may be another's
		id.Born, id.Charged = b, u
	}
	return id, nil
}

func (id *Identity) ask(fd int) error {
	cred, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return fmt.Errorf("SO_PEERCRED: %w", err)
	}
	id.PID, id.UID, id.GID = int(cred.Pid), cred.Uid, cred.Gid
	if id.PID <= 0 {
		return errors.New("the program is in a pid namespace that axond cannot see into; run axond in an outer one")
	}
	if id.Groups, err = peerGroups(fd); err != nil {
		return fmt.Errorf("SO_PEERGROUPS: %w", err)
	}
	pidfd, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_PEERPIDFD)
	switch {
	case err == nil:
	case errors.Is(err, unix.ENOPROTOOPT):
		// Before Linux 6.5. The number may have been given to another process
		// since, whose exit would then end this session too early; it decides
		// nothing about who is admitted.
		if pidfd, err = unix.PidfdOpen(id.PID, 0); err != nil {
			if errors.Is(err, unix.ESRCH) {
				return errGone
			}
			return fmt.Errorf("pidfd_open: %w", err)
		}
	case errors.Is(err, unix.ESRCH), errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENODATA):
		return errGone
	default:
		return fmt.Errorf("SO_PEERPIDFD: %w", err)
	}
	id.pidfd, err = pollable(pidfd, "pidfd of the client")
	return err
}

// peerUID is the user who has made a connection, the one that nobody is if it is
// gone.
func peerUID(conn *net.UnixConn) uint32 {
	uid := uint32(ownShare)
	withFD(conn, func(fd int) error {
		cred, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
		if err == nil {
			uid = cred.Uid
		}
		return err
	})
	return uid
}

// peerGroups is SO_PEERGROUPS (Linux 4.13): SO_PEERCRED shows the primary group
// only, and the group that opens GPUs is nearly always a supplementary one.
func peerGroups(fd int) ([]uint32, error) {
	n := uint32(64)
	for range 8 {
		groups := make([]uint32, n)
		size := n * 4
		_, _, errno := unix.Syscall6(unix.SYS_GETSOCKOPT, uintptr(fd), unix.SOL_SOCKET, unix.SO_PEERGROUPS,
			uintptr(unsafe.Pointer(&groups[0])), uintptr(unsafe.Pointer(&size)), 0)
		switch {
		case errno == 0:
			return groups[:min(size/4, n)], nil
		case errno == unix.ERANGE && size/4 > n && size/4 <= 65536: // NGROUPS_MAX
			n = size / 4
		default:
			return nil, errno
		}
	}
	return nil, unix.ERANGE
}

// comm is a process's name, fit for a log line.
func comm(pid int) string {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/comm")
	if err != nil {
		return "?"
	}
	return printable(strings.TrimSuffix(string(b), "\n"), 16)
}

// Close lets go of the process.
func (id *Identity) Close() {
	if id.pidfd != nil {
		id.pidfd.Close()
	}
}

// Admitted is nil if the policy lets the client have a session, else an error
// that says why not and what to do.
func (id *Identity) Admitted(p Policy) error {
	switch {
	case id.UID == 0:
		return nil
	case !p.AxondRoot && id.UID == p.AxondUID:
		return nil
	case p.HasGroup && id.inGroup(p.GID):
		return nil
	case !p.HasGroup:
		return fmt.Errorf("user %s may not use the GPU: there is no group %q on this machine; as root: groupadd -r %s && usermod -aG %s %s, restart axond, log in again",
			id.user(), p.Group, p.Group, p.Group, id.user())
	}
	u, err := user.LookupId(strconv.FormatUint(uint64(id.UID), 10))
	if err != nil { // of a container, most likely
		return fmt.Errorf("user %s is not in the group %q; as root: usermod -aG %s %s, then log in again; in a container: --group-add %d",
			id.user(), p.Group, p.Group, id.user(), p.GID)
	}
	if groups, err := u.GroupIds(); err == nil && slices.Contains(groups, strconv.FormatUint(uint64(p.GID), 10)) {
		return fmt.Errorf("user %s is in the group %q, but this program runs without it; log in again; in a container: --group-add %d, in a rootless one: --group-add keep-groups",
			u.Username, p.Group, p.GID)
	}
	return fmt.Errorf("user %s is not in the group %q; as root: usermod -aG %s %s, then log in again",
		u.Username, p.Group, p.Group, u.Username)
}

func (id *Identity) inGroup(gid uint32) bool {
	return id.GID == gid || slices.Contains(id.Groups, gid)
}

// user is the client's name if /etc/passwd has one, else its number.
func (id *Identity) user() string {
	if u, err := user.LookupId(strconv.FormatUint(uint64(id.UID), 10)); err == nil {
		return u.Username
	}
	return strconv.FormatUint(uint64(id.UID), 10)
}

// Credential is what a worker for this client runs as: the client itself if
// axond may change users, else axond (nil).
func (id *Identity) Credential(p Policy) *syscall.Credential {
	if !p.AxondRoot {
		return nil
	}
	return &syscall.Credential{Uid: id.UID, Gid: id.GID, Groups: id.Groups}
}

// ownsHome says whether a worker for this client runs as the client, so that
// the client's HOME is the worker's as well.
func (id *Identity) ownsHome(p Policy) bool {
	return p.AxondRoot || id.UID == p.AxondUID
}

// printable is s without anything that could draw outside its place in a log
// or a terminal, and at most max bytes.
func printable(s string, max int) string {
	if len(s) > max {
		s = s[:max]
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || (r >= 0x80 && !strconv.IsPrint(r)) {
			return '?'
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
}
