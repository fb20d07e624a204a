// SPDX-License-Identifier: Apache-2.0

package view

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"nervlinux.org/axon/wire"
)

// The packets that follow the hello, docs/protocol.md. All numbers are
// little-endian.
const (
	// RequestBytes is a request: its id and what it is for.
	RequestBytes = 8
	// WhatMachine asks for a Machine.
	WhatMachine = 1
	// AnswerHead is an answer packet's: the request's id and how many bytes of
	// JSON are still to come behind this packet.
	AnswerHead = 8
	// PacketMax is the most bytes of an answer packet.
	PacketMax = 64 << 10
)

// machineMax is the most bytes of JSON that are taken for a Machine.
const machineMax = 64 << 20

// askTime is how long axond may take, its start included, where the context
// says nothing.
const askTime = 30 * time.Second

// Client asks an axond for what it knows. Its methods may be called from several
// goroutines; one asks at a time.
type Client struct {
	socket string
	turn   chan struct{} // holds one: whoever asks

	mu     sync.Mutex
	conn   *net.UnixConn // nil: none, or it broke
	closed bool

	id  uint32
	buf []byte
}

// New is a client that connects when it is first asked; socket is "" for what
// AXON_SESSION names, else /run/axon/sock.
func New(socket string) *Client {
	return &Client{socket: socket, turn: make(chan struct{}, 1), buf: make([]byte, PacketMax+1)}
}

// Dial is New, and connects at once. Errors are wire.Dial's and name the remedy.
func Dial(socket string) (*Client, error) {
	ctx, cancel := context.WithTimeout(context.Background(), askTime)
	defer cancel()
	c := New(socket)
	if _, err := c.connected(ctx); err != nil {
		return nil, err
	}
	return c, nil
}

// Close hangs up. A Machine that is being waited for fails with os.ErrClosed.
func (c *Client) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	if c.conn == nil {
		return nil
	}
	err := c.conn.Close()
	c.conn = nil
	return err
}

// connected is the connection, made anew if there is none.
func (c *Client) connected(ctx context.Context) (*net.UnixConn, error) {
	c.mu.Lock()
	conn, closed := c.conn, c.closed
	c.mu.Unlock()
	switch {
	case closed:
		return nil, os.ErrClosed
	case conn != nil:
		return conn, nil
	}
	conn, err := wire.Dial(ctx, c.socket, &wire.Hello{Version: wire.Version, Library: wire.LibraryView})
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		conn.Close()
		return nil, os.ErrClosed
	}
	c.conn = conn
	return conn, nil
}

// broken drops a connection, so that the next Machine makes another.
func (c *Client) broken(conn *net.UnixConn) {
	conn.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn == conn {
		c.conn = nil
	}
}

// Machine is the machine now, or up to a quarter of a second ago. Where axond
// was restarted since, it connects anew. A context without a deadline has one
// of 30 seconds. Errors are wire.Dial's, os.ErrClosed after Close, wrap the
// context's, or say what is wrong with axond's answer; they are one line for a
// person.
func (c *Client) Machine(ctx context.Context) (*Machine, error) {
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, askTime)
		defer cancel()
	}
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	for again := true; ; again = false {
		c.mu.Lock()
		fresh := c.conn == nil
		c.mu.Unlock()
		conn, err := c.connected(ctx)
		if err != nil {
			return nil, err
		}
		b, err := c.ask(ctx, conn)
		if err == nil {
			return parse(b)
		}
		c.broken(conn)
		c.mu.Lock()
		closed := c.closed
		c.mu.Unlock()
		switch {
		case closed:
			return nil, os.ErrClosed
		case ctx.Err() != nil:
			return nil, fmt.Errorf("axond does not answer (systemctl status axond says more): %w", ctx.Err())
		case fresh || !again || errors.As(err, new(badAnswer)):
			return nil, err
		}
	}
}

// badAnswer is an answer that no axond gives.
type badAnswer string

func (b badAnswer) Error() string { return "axond's answer " + string(b) + "; restart axond" }

// ask sends a request and collects the answer's packets.
func (c *Client) ask(ctx context.Context, conn *net.UnixConn) ([]byte, error) {
	conn.SetDeadline(time.Time{})
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })
	defer func() {
		if !stop() { // its deadline may come at any time, also when the next asks
			c.broken(conn)
		}
	}()
	c.id++
	le := binary.LittleEndian
	if _, err := conn.Write(le.AppendUint32(le.AppendUint32(nil, c.id), WhatMachine)); err != nil {
		return nil, fmt.Errorf("axond has hung up: %w", err)
	}
	var all []byte
	left := -1
	for left != 0 {
		n, err := conn.Read(c.buf)
		if err != nil {
			return nil, fmt.Errorf("axond has hung up (journalctl -u axond says more): %w", err)
		}
		if n < AnswerHead || n > PacketMax {
			return nil, badAnswer(fmt.Sprintf("has a packet of %d bytes", n))
		}
		id, behind, part := le.Uint32(c.buf), int64(le.Uint32(c.buf[4:])), c.buf[AnswerHead:n]
		total := int64(len(all)+len(part)) + behind
		switch {
		case id != c.id:
			return nil, badAnswer("is for another request")
		case total > machineMax:
			return nil, badAnswer(fmt.Sprintf("has %d bytes, more than %d", total, machineMax))
		case left >= 0 && int64(left) != int64(len(part))+behind, behind > 0 && len(part) == 0:
			return nil, badAnswer("does not add up")
		}
		all = append(all, part...)
		left = int(behind)
	}
	return all, nil
}

// parse reads an answer.
func parse(b []byte) (*Machine, error) {
	var m Machine
	if err := json.Unmarshal(b, &m); err != nil {
		return nil, badAnswer(fmt.Sprintf("is no machine (%v)", err))
	}
	if m.Schema != Schema {
		return nil, fmt.Errorf("axond describes its machine in version %d, this program knows version %d; update the older of the two", m.Schema, Schema)
	}
	return &m, nil
}
