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

// The hello and its answer; see shims/region/hello.h.
const (
	helloMax    = 65536
	helloBytes  = 32 // struct axon_hello
	answerBytes = 20 // struct axon_answer
)

// Library is which of the vendor's libraries a session is for (axon_library).
type Library uint32

// The libraries.
const (
	CUDA Library = 1
	NVML Library = 2
	NCCL Library = 3
)

func (l Library) String() string {
	switch l {
	case CUDA:
		return "cuda"
	case NVML:
		return "nvml"
	case NCCL:
		return "nccl"
	}
	return fmt.Sprintf("library %d", uint32(l))
}

// Status is the outcome of a hello (axon_status).
type Status uint32

// The outcomes.
const (
	StatusOK          Status = 0
	StatusNotAdmitted Status = 1
	StatusMismatch    Status = 2
	StatusBadRegion   Status = 3
	StatusNoWorker    Status = 4
	StatusBusy        Status = 5
)

// Refusal is why a client gets no session: a status for its program and a
// sentence for its user. Code anywhere wraps one; it becomes an answer only at
// the edge, in session.go.
type Refusal struct {
	Status Status
	Text   string
}

func (r *Refusal) Error() string { return r.Text }

func refuse(s Status, format string, args ...any) *Refusal {
	return &Refusal{s, fmt.Sprintf(format, args...)}
}

// errSilent is a connection that was closed or dropped before it said anything.
var errSilent = errors.New("the connection said nothing")

// Hello is what a client says first.
type Hello struct {
	Protocol installed.Protocol
	Library  Library
	Env      []string // NAME=value
}

// ParseHello reads a hello. When the client's layout has another version, only
// Protocol of the result is meaningful, and the error is a Refusal as well.
func ParseHello(b []byte, ours installed.Protocol) (Hello, error) {
	var h Hello
	le := binary.LittleEndian
	if len(b) < helloBytes {
		return h, refuse(StatusMismatch, "the hello has %d bytes, at least %d were expected", len(b), helloBytes)
	}
	if m := le.Uint32(b); m != wire.Magic {
		return h, refuse(StatusMismatch, "the hello starts with %#x, so the program does not speak axon's protocol", m)
	}
	h.Protocol.Version = le.Uint32(b[4:])
	copy(h.Protocol.Fingerprint[:], b[8:])
	if h.Protocol != ours {
		return h, refuse(StatusMismatch, "the program's shim (%v) and axond's worker (%v) do not fit together; restart the program, or update axon on both sides", h.Protocol, ours)
	}
	h.Library = Library(le.Uint32(b[24:]))
	n := le.Uint32(b[28:])
	env := b[helloBytes:]
	if uint64(n) != uint64(len(env)) {
		return h, refuse(StatusMismatch, "the hello announces %d bytes of environment and carries %d", n, len(env))
	}
	var err error
	h.Env, err = parseEnv(env)
	return h, err
}

// parseEnv splits NUL-terminated NAME=value strings.
func parseEnv(b []byte) ([]string, error) {
	var env []string
	for len(b) > 0 {
		i := bytes.IndexByte(b, 0)
		if i < 0 {
			return nil, refuse(StatusMismatch, "the environment in the hello does not end with a NUL")
		}
		entry := string(b[:i])
		b = b[i+1:]
		if strings.IndexByte(entry, '=') <= 0 {
			return nil, refuse(StatusMismatch, "the environment in the hello has an entry without a name")
		}
		env = append(env, entry)
	}
	return env, nil
}

// Answer is the daemon's reply to a hello.
type Answer struct {
	Status  Status
	Session uint32
	Text    string
}

// Bytes is the answer as it goes over the socket.
func (a Answer) Bytes() []byte {
	text := a.Text
	if len(text) > 4096 {
		text = text[:4096]
	}
	le := binary.LittleEndian
	b := make([]byte, answerBytes, answerBytes+len(text))
	le.PutUint32(b[0:], wire.Magic)
	le.PutUint32(b[4:], wire.Version)
	le.PutUint32(b[8:], uint32(a.Status))
	le.PutUint32(b[12:], a.Session)
	le.PutUint32(b[16:], uint32(len(text)))
	return append(b, text...)
}

// receiveHello reads one message and exactly one descriptor. The descriptors
// that it does not return are closed, whatever the error: a client can send
// hundreds. errSilent if there was no message.
func receiveHello(conn *net.UnixConn) ([]byte, *os.File, error) {
	b := make([]byte, helloMax+1)
	// Room for two: the second shows that there are too many. What the kernel
	// has no room for it closes itself, and says MSG_CTRUNC.
	oob := make([]byte, unix.CmsgSpace(2*4))
	n, oobn, flags, _, err := conn.ReadMsgUnix(b, oob)
	fds := received(oob[:oobn])
	closeAll := func() {
		for _, fd := range fds {
			unix.Close(fd)
		}
	}
	switch {
	case err != nil:
		closeAll()
		return nil, nil, errors.Join(errSilent, err)
	case n == 0 && len(fds) == 0:
		return nil, nil, errSilent
	case n > helloMax || flags&unix.MSG_TRUNC != 0:
		closeAll()
		return nil, nil, refuse(StatusMismatch, "the hello is longer than %d bytes; unset what is large among CUDA_* and NVIDIA_* variables", helloMax)
	case len(fds) != 1 || flags&unix.MSG_CTRUNC != 0:
		closeAll()
		return nil, nil, refuse(StatusBadRegion, "the hello came with %d descriptors (or more), one was expected: the region", len(fds))
	}
	return b[:n], os.NewFile(uintptr(fds[0]), "region"), nil
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
			if got, err := unix.ParseUnixRights(&m); err == nil {
				fds = append(fds, got...)
			}
		}
		oob = rest
	}
	return fds
}
