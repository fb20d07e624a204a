// SPDX-License-Identifier: Apache-2.0

package view

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"nervlinux.org/axon/wire"
)

// packet is one of an answer.
func packet(id, behind uint32, part []byte) []byte {
	le := binary.LittleEndian
	return append(le.AppendUint32(le.AppendUint32(nil, id), behind), part...)
}

// small is a machine, as JSON.
func small(t *testing.T, schema int) []byte {
	t.Helper()
	b, err := json.Marshal(Machine{Schema: schema, Host: "a machine"})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// answering is an axond that answers every request of the n-th connection as it
// is told; a nil answer is none at all, and a nil packet hangs up.
func answering(t *testing.T, answer func(connection int, id uint32) [][]byte) (socket string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "view") // t.TempDir is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	socket = filepath.Join(dir, "sock")
	l, err := net.ListenUnix("unixpacket", &net.UnixAddr{Name: socket, Net: "unixpacket"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close(); os.RemoveAll(dir) })
	serve := func(conn *net.UnixConn, n int) {
		defer conn.Close()
		b := make([]byte, PacketMax)
		if _, err := conn.Read(b); err != nil {
			return
		}
		conn.Write((&wire.Answer{Version: wire.Version}).Append(nil))
		for {
			if got, err := conn.Read(b); err != nil || got != RequestBytes || binary.LittleEndian.Uint32(b[4:]) != WhatMachine {
				return
			}
			for _, p := range answer(n, binary.LittleEndian.Uint32(b)) {
				if p == nil {
					return
				}
				conn.Write(p)
			}
		}
	}
	go func() {
		for n := 0; ; n++ {
			conn, err := l.AcceptUnix()
			if err != nil {
				return
			}
			go serve(conn, n)
		}
	}()
	return socket
}

func TestAnAnswerInManyPacketsIsOne(t *testing.T) {
	whole := small(t, Schema)
	c := New(answering(t, func(_ int, id uint32) (all [][]byte) {
		for i := range whole {
			all = append(all, packet(id, uint32(len(whole)-i-1), whole[i:i+1]))
		}
		return all
	}))
	defer c.Close()
	for range 3 {
		if m, err := c.Machine(t.Context()); err != nil || m.Host != "a machine" {
			t.Errorf("%+v, %v", m, err)
		}
	}
}

// TestWhatNoAxondAnswersIsRefused: whoever has the socket is not believed.
func TestWhatNoAxondAnswersIsRefused(t *testing.T) {
	whole := small(t, Schema)
	half := len(whole) / 2
	for name, c := range map[string]struct {
		answer func(id uint32) [][]byte
		says   string
	}{
		"a packet without a head":    {func(uint32) [][]byte { return [][]byte{{1, 2, 3}} }, "a packet of 3 bytes"},
		"a packet that is too long":  {func(id uint32) [][]byte { return [][]byte{packet(id, 0, make([]byte, PacketMax))} }, "restart axond"},
		"another's answer":           {func(id uint32) [][]byte { return [][]byte{packet(id+1, 0, whole)} }, "is for another request"},
		"a machine of 4 GiB":         {func(id uint32) [][]byte { return [][]byte{packet(id, 1<<32-1, whole)} }, "more than"},
		"no end":                     {func(id uint32) [][]byte { return [][]byte{packet(id, 1, nil)} }, "does not add up"},
		"less than was announced":    {func(id uint32) [][]byte { return [][]byte{packet(id, 9, whole[:half]), packet(id, 0, whole[half:])} }, "does not add up"},
		"more than was announced":    {func(id uint32) [][]byte { return [][]byte{packet(id, 1, whole[:half]), packet(id, 1, whole[half:])} }, "does not add up"},
		"no JSON":                    {func(id uint32) [][]byte { return [][]byte{packet(id, 0, []byte("{"))} }, "is no machine"},
		"nothing":                    {func(id uint32) [][]byte { return [][]byte{packet(id, 0, nil)} }, "is no machine"},
		"a machine of another axond": {func(id uint32) [][]byte { return [][]byte{packet(id, 0, small(t, Schema+1))} }, "update the older of the two"},
	} {
		var asked atomic.Int32
		c1 := New(answering(t, func(_ int, id uint32) [][]byte { asked.Add(1); return c.answer(id) }))
		m, err := c1.Machine(t.Context())
		if m != nil || err == nil || !strings.Contains(err.Error(), c.says) || strings.ContainsAny(err.Error(), "\n") {
			t.Errorf("%s: %+v, %v", name, m, err)
		}
		c1.Close()
		if n := asked.Load(); n != 1 {
			t.Errorf("%s: it was asked %d times", name, n)
		}
	}
}

func TestAnAxondThatHangsIsLeftAndAskedAnew(t *testing.T) {
	c := New(answering(t, func(connection int, id uint32) [][]byte {
		if connection == 0 {
			return nil
		}
		return [][]byte{packet(id, 0, small(t, Schema))}
	}))
	defer c.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := c.Machine(ctx); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "systemctl status axond") {
		t.Errorf("%v", err)
	}
	if m, err := c.Machine(t.Context()); err != nil || m.Host != "a machine" {
		t.Errorf("the next time: %+v, %v", m, err)
	}
}

// TestAnAxondThatHangsUpIsAskedOnceMore and no more: one that was restarted
// answers then, one that hangs up on everybody is not asked for ever.
func TestAnAxondThatHangsUpIsAskedOnceMore(t *testing.T) {
	asked := make(chan int, 10) // connections
	hangUp := [][]byte{nil}
	c := New(answering(t, func(connection int, id uint32) [][]byte {
		asked <- connection
		if connection == 0 && len(asked) == 1 {
			return [][]byte{packet(id, 0, small(t, Schema))}
		}
		return hangUp
	}))
	defer c.Close()
	if _, err := c.Machine(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := c.Machine(t.Context()); err == nil || !strings.Contains(err.Error(), "journalctl -u axond") {
			t.Errorf("%v", err)
		}
	}
	var got []int
	for range len(asked) {
		got = append(got, <-asked)
	}
	if !slices.Equal(got, []int{0, 0, 1, 2}) {
		t.Errorf("the connections on which it was asked are %v", got)
	}
}

func TestManyAskAtOnce(t *testing.T) {
	c := New(answering(t, func(_ int, id uint32) [][]byte {
		whole := small(t, Schema)
		return [][]byte{packet(id, uint32(len(whole)-1), whole[:1]), packet(id, 0, whole[1:])}
	}))
	defer c.Close()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				if m, err := c.Machine(t.Context()); err != nil || m.Host != "a machine" {
					t.Errorf("%+v, %v", m, err)
				}
			}
		})
	}
	all.Wait()
}

func TestClosingEndsAQuestion(t *testing.T) {
	var c *Client
	c = New(answering(t, func(int, uint32) [][]byte { go c.Close(); return nil }))
	if _, err := c.Machine(t.Context()); !errors.Is(err, os.ErrClosed) {
		t.Errorf("%v", err)
	}
	if _, err := c.Machine(t.Context()); !errors.Is(err, os.ErrClosed) {
		t.Errorf("after it: %v", err)
	}
}

func TestUnknownFiguresAreNull(t *testing.T) {
	b, err := json.Marshal(Machine{GPUs: []GPU{{}}, Sessions: []Session{{}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"cpu_busy_ratio", "memory_used_bytes", "temperature_celsius", "power_watts", "pid", "gpu_memory_limit_bytes", "user"} {
		if !bytes.Contains(b, []byte(`"`+key+`":null`)) {
			t.Errorf("%s is not null in %s", key, b)
		}
	}
}
