// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/daemon/installed"
	"nervlinux.org/axon/wire"
)

// Library is which of the vendor's libraries a session is for (axon_library).
type Library uint32

// The libraries.
const (
	CUDA Library = wire.LibraryCUDA
	NVML Library = wire.LibraryNVML
	NCCL Library = wire.LibraryNCCL
	View Library = wire.LibraryView

	Checkpoint Library = wire.LibraryCheckpoint
)

func (l Library) String() string {
	switch l {
	case CUDA:
		return "cuda"
	case NVML:
		return "nvml"
	case NCCL:
		return "nccl"
	case View:
		return "view"
	case Checkpoint:
		return "checkpoint"
	}
	return fmt.Sprintf("library %d", uint32(l))
}

// Refusal is why a client gets no session: a status for its program and a
// sentence for its user. Code anywhere wraps one; it becomes an answer only at
// the edge, in session.go.
type Refusal struct {
	Status uint32 // one of wire's Status constants
	Text   string
}

func (r *Refusal) Error() string { return r.Text }

func refuse(s uint32, format string, args ...any) *Refusal {
	return &Refusal{s, fmt.Sprintf(format, args...)}
}

// errSilent is a connection that was closed or dropped before it said anything.
var errSilent = errors.New("the connection said nothing")

// Hello is what a client says first.
type Hello struct {
	Library Library
	Env     []string // NAME=value
}

// ParseHello reads a hello for an axond whose worker speaks ours. Errors are
// Refusals. What decides whether both sides fit is looked at before the rest,
// which another version may lay out otherwise.
func ParseHello(b []byte, ours installed.Protocol) (Hello, error) {
	le := binary.LittleEndian
	if len(b) < wire.HelloSize || le.Uint32(b) != wire.Magic {
		return Hello{}, refuse(wire.StatusMismatch, "the program's first message (%d bytes) is not axon's", len(b))
	}
	theirs := installed.Protocol{Version: le.Uint32(b[4:])}
	copy(theirs.Fingerprint[:], b[8:])
	if theirs != ours {
		return Hello{}, refuse(wire.StatusMismatch, "the program's shim (%v) and axond's worker (%v) do not fit together; restart the program, or update axon on both sides", theirs, ours)
	}
	h, err := wire.ParseHello(b)
	if err != nil {
		return Hello{}, refuse(wire.StatusMismatch, "%v", err)
	}
	env, err := parseEnv(h.Env)
	return Hello{Library(h.Library), env}, err
}

// libraryOf is the library that a hello is for, 0 if it is none. All versions
// have it in the same place.
func libraryOf(b []byte) Library {
	le := binary.LittleEndian
	if len(b) < wire.HelloSize || le.Uint32(b) != wire.Magic {
		return 0
	}
	return Library(le.Uint32(b[24:]))
}

// parseEnv splits NUL-terminated NAME=value strings.
func parseEnv(b []byte) ([]string, error) {
	var env []string
	for len(b) > 0 {
		i := bytes.IndexByte(b, 0)
		if i < 0 {
			return nil, refuse(wire.StatusMismatch, "the environment in the hello does not end with a NUL")
		}
		entry := string(b[:i])
		b = b[i+1:]
		if strings.IndexByte(entry, '=') <= 0 {
			return nil, refuse(wire.StatusMismatch, "the environment in the hello has an entry without a name")
		}
		env = append(env, entry)
	}
	return env, nil
}

// receiveHello reads one message of a user's and the memory that came with it,
// nil if none did. errSilent if there was no message.
func (s *Server) receiveHello(conn *net.UnixConn, uid uint32) ([]byte, *os.File, error) {
	b := make([]byte, wire.HelloMax+1)
	var m message
	var memory *os.File
	raw, err := conn.SyscallConn()
	if err == nil {
		var inner error
		err = raw.Read(func(fd uintptr) bool {
			withoutForks(func() {
				if m, inner = receive(int(fd), b); len(m.fds) == 1 && isMemory(m.fds[0]) {
					memory = os.NewFile(uintptr(m.fds[0]), "region")
				} else {
					s.closings.close(uid, m.fds)
				}
			})
			return !errors.Is(inner, unix.EAGAIN)
		})
		err = errors.Join(err, inner)
	}
	switch {
	case err != nil:
		err = errors.Join(errSilent, err)
	case m.n == 0 && len(m.fds) == 0:
		err = errSilent
	case m.n > wire.HelloMax || m.flags&unix.MSG_TRUNC != 0:
		err = refuse(wire.StatusMismatch, "the hello is longer than %d bytes; unset what is large among CUDA_* and NVIDIA_* variables", wire.HelloMax)
	case len(m.fds) == 0 && m.flags&unix.MSG_CTRUNC != 0:
		err = refuse(wire.StatusNoWorker, "axond has no descriptor left for the region; end a program that uses the GPU, or raise axond's LimitNOFILE")
	case m.flags&unix.MSG_CTRUNC != 0:
		err = refuse(wire.StatusBadRegion, "the hello came with several descriptors, one was expected: the region")
	case len(m.fds) == 1 && memory == nil:
		err = refuse(wire.StatusBadRegion, "the hello came with a descriptor that is not a memfd")
	default:
		return b[:m.n], memory, nil
	}
	if memory != nil {
		memory.Close()
	}
	if errors.As(err, new(*Refusal)) {
		return b[:m.n], nil, err
	}
	return nil, nil, err
}

// received is every descriptor in a control message, however odd the rest is.
func received(oob []byte) []int {
	var fds []int
	for len(oob) >= unix.SizeofCmsghdr {
		hdr, data, rest, err := unix.ParseOneSocketControlMessage(oob)
		if err != nil {
			break
		}
		m := unix.SocketControlMessage{Header: hdr, Data: data}
		if hdr.Level == unix.SOL_SOCKET && hdr.Type == unix.SCM_RIGHTS {
			// ParseUnixRights of x/sys 0.50 panics on a last descriptor that is cut short.
			m.Data = m.Data[:len(m.Data)&^3]
			if got, err := unix.ParseUnixRights(&m); err == nil {
				fds = append(fds, got...)
			}
		}
		oob = rest
	}
	return fds
}
