// SPDX-License-Identifier: Apache-2.0

package bus

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"slices"
	"time"
)

// guard stands between the bus and godbus. Anybody may call axond with any
// arguments, and what godbus does with them before a method is looked for has
// been wrong in several ways: some types end the process (v5.2.3), others the
// connection, an array of small structs takes a hundred times its size in
// memory, and descriptors that no method takes stay open. So of a call only the
// header is believed. Arguments of types that no method takes, or of too many
// bytes, are replaced by one byte, which no method takes either: the caller is
// told that its arguments are wrong. What is handed on are whole messages: the
// end of a connection in the middle of one ends the process as well. A guard is also no Unix socket to godbus,
// so it does not negotiate descriptors, and the bus hands over none.
type guard struct {
	conn  net.Conn
	in    *bufio.Reader
	begun bool   // messages, and no longer lines
	next  []byte // of the message that is being handed on
}

const (
	headerMost = 16 << 10 // bytes of a message's header; D-Bus has 64 MiB
	callMost   = 16 << 10 // of a call's arguments; the longest that makes sense is two names
	replyMost  = 1 << 20  // of what the bus and polkit answer
	writeTime  = 30 * time.Second
)

// taken are the signatures that a method of ours or of D-Bus's own takes.
var taken = []string{"", "s", "u", "t", "ss", "ssv"}

// stand-in for arguments: a byte. No method takes one.
const refusedSignature = "y"

var errBus = errors.New("the bus sent something that is no message")

func newGuard(c net.Conn) *guard { return &guard{conn: c, in: bufio.NewReaderSize(c, 16<<10)} }

// Read reads the next bytes of messages that passed.
func (g *guard) Read(p []byte) (int, error) {
	if !g.begun { // the bus answers line by line, so whoever reads reads no message yet
		return g.conn.Read(p)
	}
	for len(g.next) == 0 {
		var err error
		if g.next, err = g.message(); err != nil {
			return 0, err
		}
	}
	n := copy(p, g.next)
	g.next = g.next[n:]
	return n, nil
}

// Write writes to the bus. One that takes nothing for a long time is given up.
func (g *guard) Write(p []byte) (int, error) {
	if g.begun {
		g.conn.SetWriteDeadline(time.Now().Add(writeTime))
	} else if string(p) == "BEGIN\r\n" {
		g.begun = true
	}
	n, err := g.conn.Write(p)
	if err != nil {
		g.conn.Close()
	}
	return n, err
}

// Close closes the connection.
func (g *guard) Close() error { return g.conn.Close() }

// Types of messages, and the header's fields that are looked at.
const (
	typeCall, typeReply, typeError, typeSignal = 1, 2, 3, 4

	fieldSignature = 8
)

const fixedBytes = 16 // of a header, before its fields

// message reads one message. It is nil if nobody shall see it.
func (g *guard) message() ([]byte, error) {
	fixed := make([]byte, fixedBytes, 512)
	if _, err := io.ReadFull(g.in, fixed); err != nil {
		return nil, err
	}
	var order binary.ByteOrder = binary.LittleEndian
	if fixed[0] == 'B' {
		order = binary.BigEndian
	} else if fixed[0] != 'l' {
		return nil, errBus
	}
	body, fields := int64(order.Uint32(fixed[4:])), int64(order.Uint32(fixed[12:]))
	padded := (fields + 7) &^ 7
	if padded > headerMost {
		return nil, g.skip(padded + body)
	}
	header := slices.Grow(fixed, int(padded))[:fixedBytes+padded]
	if _, err := io.ReadFull(g.in, header[fixedBytes:]); err != nil {
		return nil, err
	}
	others, signature, ok := splitFields(header[fixedBytes:fixedBytes+fields], order)
	pass := false
	switch fixed[1] {
	case typeCall:
		pass = body <= callMost && slices.Contains(taken, signature)
	case typeReply, typeError: // only to what axond has asked, and only from whom
		pass = body <= replyMost
		ok = ok && pass
	case typeSignal: // NameAcquired and NameLost; axond listens to no others
		pass = body <= callMost && signature == "s"
		ok = ok && pass
	default:
		ok = false
	}
	switch {
	case !ok:
		return nil, g.skip(body)
	case pass:
		whole := slices.Grow(header, int(body))[:int64(len(header))+body]
		_, err := io.ReadFull(g.in, whole[len(header):])
		return whole, err
	}
	if err := g.skip(body); err != nil {
		return nil, err
	}
	return refused(header[:fixedBytes], others, order), nil
}

func (g *guard) skip(bytes int64) error {
	_, err := io.CopyN(io.Discard, g.in, bytes)
	return err
}

// refused is a call with one byte for its arguments.
func refused(fixed, others []byte, order binary.ByteOrder) []byte {
	m := append(slices.Clone(fixed), others...)
	m = append(m, fieldSignature, 1, 'g', 0, 1, refusedSignature[0], 0)
	order.PutUint32(m[4:], 1)
	order.PutUint32(m[12:], uint32(len(m)-fixedBytes))
	for len(m)%8 != 0 {
		m = append(m, 0)
	}
	return append(m, 0)
}

// splitFields takes the signature out of a header's fields, an a(yv) whose
// values are of the types o, s, u and g. The others end at a multiple of 8
// bytes. It is false if there is anything else.
func splitFields(b []byte, order binary.ByteOrder) (others []byte, signature string, ok bool) {
	align := func(at, to int) int { return (at + to - 1) &^ (to - 1) }
	for at := 0; at < len(b); {
		start := at
		if len(b)-at < 5 || b[at+1] != 1 || b[at+3] != 0 {
			return nil, "", false
		}
		field, kind := b[at], b[at+2]
		at += 4
		length := 0
		switch kind {
		case 'g':
			length = 1 + int(b[at]) + 1
		case 'o', 's', 'u':
			at = align(at, 4)
			if len(b)-at < 4 {
				return nil, "", false
			}
			length = 4
			if kind != 'u' {
				n := order.Uint32(b[at:])
				if n > headerMost {
					return nil, "", false
				}
				length += int(n) + 1
			}
		default:
			return nil, "", false
		}
		if len(b)-at < length {
			return nil, "", false
		}
		end := at + length
		if field == fieldSignature {
			if kind != 'g' || signature != "" {
				return nil, "", false
			}
			signature = string(b[at+1 : end-1])
		} else {
			others = append(others, b[start:end]...)
			for len(others)%8 != 0 {
				others = append(others, 0)
			}
		}
		at = align(end, 8)
	}
	return others, signature, true
}
