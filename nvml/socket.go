// SPDX-License-Identifier: Apache-2.0

package nvml

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/wire"
)

// A packet is a header of 16 bytes and a frame; see docs/protocol.md.
const (
	// HeaderSize is what stands before a frame: the caller's number for the call,
	// the call or the result, flags (0), and the frame's bytes, each 32 bits.
	HeaderSize = 16
	// PacketMax is the most bytes of a packet.
	PacketMax = 128 << 10
)

// A Refusal is why there is no connection. Unwrap gives the Return that NVML's
// initialization would answer.
type Refusal struct {
	Return Return
	Text   string // for people: what is the matter and what to do
}

func (r *Refusal) Error() string { return r.Text }

// Unwrap gives the Return.
func (r *Refusal) Unwrap() error { return r.Return }

// dialFor is how long axond may take to answer: it may have to start the vendor's library first.
const dialFor = time.Minute

// Dial connects to axond. socket is its path; empty for what AXON_SESSION
// names, else /run/axon/sock. The error is a *Refusal: ERROR_DRIVER_NOT_LOADED
// without axond, ERROR_NO_PERMISSION for who is not admitted,
// ERROR_LIB_RM_VERSION_MISMATCH for one of another version.
func Dial(socket string) (*Client, error) {
	ctx, cancel := context.WithTimeout(context.Background(), dialFor)
	defer cancel()
	conn, err := wire.Dial(ctx, socket, &wire.Hello{Version: wire.Version, Fingerprint: Fingerprint, Library: wire.LibraryNVML})
	if err == nil {
		return New(Over(conn)), nil
	}
	var no *wire.Refused
	ret := ERROR_UNKNOWN
	switch {
	case errors.Is(err, wire.ErrNoAxond):
		ret = ERROR_DRIVER_NOT_LOADED
	case errors.Is(err, fs.ErrPermission):
		ret = ERROR_NO_PERMISSION
	case errors.As(err, &no):
		switch no.Status {
		case wire.StatusNotAdmitted:
			ret = ERROR_NO_PERMISSION
		case wire.StatusMismatch, wire.StatusBadRegion:
			ret = ERROR_LIB_RM_VERSION_MISMATCH
		case wire.StatusNoWorker:
			ret = ERROR_DRIVER_NOT_LOADED
		}
	}
	return nil, &Refusal{ret, err.Error()}
}

// Over speaks over a connection that is past its hello, and closes it with itself.
func Over(conn *net.UnixConn) Transport {
	t := &socketTransport{conn: conn, wait: map[uint32]func(Return, []byte){}}
	go t.read()
	return t
}

// socketTransport speaks to axond. One goroutine reads; whoever calls writes.
type socketTransport struct {
	conn *net.UnixConn

	mu   sync.Mutex
	next uint32
	wait map[uint32]func(Return, []byte)
	gone bool
}

// Send makes a call.
func (t *socketTransport) Send(call uint32, in []byte, done func(Return, []byte)) {
	if len(in) > PacketMax-HeaderSize {
		done(ERROR_INVALID_ARGUMENT, nil)
		return
	}
	t.mu.Lock()
	if t.gone {
		t.mu.Unlock()
		done(ERROR_UNINITIALIZED, nil)
		return
	}
	for t.next++; t.wait[t.next] != nil; t.next++ {
	}
	id := t.next
	t.wait[id] = done
	t.mu.Unlock()

	b := make([]byte, HeaderSize, HeaderSize+len(in))
	le.PutUint32(b, id)
	le.PutUint32(b[4:], call)
	le.PutUint32(b[12:], uint32(len(in)))
	if _, err := t.conn.Write(append(b, in...)); err != nil {
		t.hangUp()
	}
}

// read hands answers to those who wait for them, until the connection ends.
func (t *socketTransport) read() {
	defer t.hangUp()
	buf := make([]byte, PacketMax+1)
	for {
		n, err := t.conn.Read(buf)
		if err != nil || n < HeaderSize || n > PacketMax || uint64(le.Uint32(buf[12:])) != uint64(n-HeaderSize) {
			return
		}
		id := le.Uint32(buf)
		t.mu.Lock()
		done := t.wait[id]
		delete(t.wait, id)
		t.mu.Unlock()
		if done == nil {
			return // an answer to nothing that was asked
		}
		done(Return(le.Uint32(buf[4:])), append([]byte(nil), buf[HeaderSize:n]...))
	}
}

// hangUp ends the connection; who still waits is told.
func (t *socketTransport) hangUp() {
	t.conn.Close()
	t.mu.Lock()
	t.gone = true
	wait := t.wait
	t.wait = map[uint32]func(Return, []byte){}
	t.mu.Unlock()
	for _, done := range wait {
		done(ERROR_UNKNOWN, nil)
	}
}

// Close ends the connection.
func (t *socketTransport) Close() error {
	// Not hangUp: the reader sees it, and tells who waits.
	if raw, err := t.conn.SyscallConn(); err == nil {
		raw.Control(func(fd uintptr) { unix.Shutdown(int(fd), unix.SHUT_RDWR) })
	}
	return nil
}
