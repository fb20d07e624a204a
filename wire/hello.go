// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// What is said over axond's socket; see shims/region/hello.h.
const (
	// HelloMax is the most bytes of a hello or an answer.
	HelloMax = 65536
	// HelloSize is sizeof(struct axon_hello).
	HelloSize = 32
	// AnswerSize is sizeof(struct axon_answer).
	AnswerSize = 20
	// DescriptorSize is sizeof(struct axon_descriptor).
	DescriptorSize = 16
	// EnvMax is the most bytes of environment that a hello carries.
	EnvMax = HelloMax - HelloSize
)

// Libraries (axon_library).
const (
	LibraryCUDA = 1
	LibraryNVML = 2
	LibraryNCCL = 3
	LibraryView = 4 // none of the vendor's: what axond knows of the machine, see package view

	LibraryCheckpoint = 5 // neither: cuCheckpointProcess*, which may be of another session's process
)

// Statuses of an answer (axon_status).
const (
	StatusOK          = 0
	StatusNotAdmitted = 1
	StatusMismatch    = 2
	StatusBadRegion   = 3
	StatusNoWorker    = 4
	StatusBusy        = 5
)

// Hello is a client's first word to axond. The region's memfd goes with it, but
// for NVML, the view and checkpoints, which have none.
type Hello struct {
	Version     uint32
	Fingerprint [16]byte
	Library     uint32
	Env         []byte // NAME=value strings, each ended by NUL
}

// ParseHello takes a hello apart. Env is a part of b.
func ParseHello(b []byte) (Hello, error) {
	le := binary.LittleEndian
	switch {
	case len(b) < HelloSize:
		return Hello{}, fmt.Errorf("wire: a hello of %d bytes, it has at least %d", len(b), HelloSize)
	case le.Uint32(b) != Magic:
		return Hello{}, fmt.Errorf("wire: a hello with magic %#x", le.Uint32(b))
	case uint64(le.Uint32(b[28:])) != uint64(len(b)-HelloSize):
		return Hello{}, fmt.Errorf("wire: a hello that announces %d bytes of environment and has %d", le.Uint32(b[28:]), len(b)-HelloSize)
	case len(b) > HelloSize && b[len(b)-1] != 0:
		return Hello{}, errors.New("wire: a hello whose environment does not end with NUL")
	}
	h := Hello{Version: le.Uint32(b[4:]), Library: le.Uint32(b[24:]), Env: b[HelloSize:]}
	copy(h.Fingerprint[:], b[8:])
	return h, nil
}

// Append appends the hello's bytes to b.
func (h *Hello) Append(b []byte) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(b, Magic)
	b = le.AppendUint32(b, h.Version)
	b = append(b, h.Fingerprint[:]...)
	b = le.AppendUint32(b, h.Library)
	b = le.AppendUint32(b, uint32(len(h.Env)))
	return append(b, h.Env...)
}

// Answer is axond's answer to a hello.
type Answer struct {
	Version uint32
	Status  uint32 // one of the Status constants
	Session uint32 // number, for people
	Text    string // a sentence for people
}

// ParseAnswer takes an answer apart.
func ParseAnswer(b []byte) (Answer, error) {
	le := binary.LittleEndian
	switch {
	case len(b) < AnswerSize:
		return Answer{}, fmt.Errorf("wire: an answer of %d bytes, it has at least %d", len(b), AnswerSize)
	case le.Uint32(b) != Magic:
		return Answer{}, fmt.Errorf("wire: an answer with magic %#x", le.Uint32(b))
	case uint64(le.Uint32(b[16:])) != uint64(len(b)-AnswerSize):
		return Answer{}, fmt.Errorf("wire: an answer that announces %d bytes of text and has %d", le.Uint32(b[16:]), len(b)-AnswerSize)
	}
	return Answer{le.Uint32(b[4:]), le.Uint32(b[8:]), le.Uint32(b[12:]), string(b[AnswerSize:])}, nil
}

// Append appends the answer's bytes to b.
func (a *Answer) Append(b []byte) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(b, Magic)
	b = le.AppendUint32(b, a.Version)
	b = le.AppendUint32(b, a.Status)
	b = le.AppendUint32(b, a.Session)
	b = le.AppendUint32(b, uint32(len(a.Text)))
	return append(b, a.Text...)
}

// SendHello says hello on a SOCK_SEQPACKET connection and hands over the
// region's memfd; -1 if there is none.
func SendHello(conn *net.UnixConn, h *Hello, memfd int) error {
	if len(h.Env) > EnvMax {
		return fmt.Errorf("wire: %d bytes of environment are more than the %d that a hello carries", len(h.Env), EnvMax)
	}
	var rights []byte
	if memfd >= 0 {
		rights = unix.UnixRights(memfd)
	}
	if _, _, err := conn.WriteMsgUnix(h.Append(nil), rights, nil); err != nil {
		return fmt.Errorf("wire: saying hello: %w", err)
	}
	return nil
}

// ReceiveHello reads a client's hello and takes its memfd, which the caller
// closes. Whatever else the client sent along is closed.
func ReceiveHello(conn *net.UnixConn) (Hello, *os.File, error) {
	buf := make([]byte, HelloMax)
	oob := make([]byte, unix.CmsgSpace(4*16))
	n, oobn, flags, _, err := conn.ReadMsgUnix(buf, oob)
	var files []*os.File
	if control, perr := unix.ParseSocketControlMessage(oob[:oobn]); perr == nil {
		for _, c := range control {
			fds, ferr := unix.ParseUnixRights(&c)
			if ferr != nil {
				continue
			}
			for _, fd := range fds {
				unix.CloseOnExec(fd)
				files = append(files, os.NewFile(uintptr(fd), "region"))
			}
		}
	}
	fail := func(err error) (Hello, *os.File, error) {
		for _, f := range files {
			f.Close()
		}
		return Hello{}, nil, err
	}
	switch {
	case err != nil:
		return fail(fmt.Errorf("wire: reading a hello: %w", err))
	case flags&(unix.MSG_TRUNC|unix.MSG_CTRUNC) != 0:
		return fail(fmt.Errorf("wire: a hello of more than %d bytes or with more than one file", HelloMax))
	case len(files) != 1:
		return fail(fmt.Errorf("wire: a hello with %d files, it has the region's memfd and nothing else", len(files)))
	}
	h, err := ParseHello(buf[:n])
	if err != nil {
		return fail(err)
	}
	return h, files[0], nil
}

// SendAnswer answers a hello.
func SendAnswer(conn *net.UnixConn, a *Answer) error {
	if _, err := conn.Write(a.Append(nil)); err != nil {
		return fmt.Errorf("wire: answering a hello: %w", err)
	}
	return nil
}

// ReceiveAnswer reads axond's answer.
func ReceiveAnswer(conn *net.UnixConn) (Answer, error) {
	buf := make([]byte, HelloMax)
	n, err := conn.Read(buf)
	if err != nil {
		return Answer{}, fmt.Errorf("wire: reading axond's answer: %w", err)
	}
	return ParseAnswer(buf[:n])
}
