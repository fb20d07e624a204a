// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// crowded listens with a queue that is full.
func crowded(t *testing.T) (l *net.UnixListener, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "sock")
	l, err := net.ListenUnix("unixpacket", &net.UnixAddr{Name: path, Net: "unixpacket"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	raw, err := l.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	raw.Control(func(fd uintptr) { err = unix.Listen(int(fd), 2) })
	for n := 0; err == nil; n++ {
		var c *net.UnixConn
		if c, err = net.DialUnix("unixpacket", nil, &net.UnixAddr{Name: path, Net: "unixpacket"}); err == nil {
			t.Cleanup(func() { c.Close() })
		}
		if n > 10 {
			t.Fatal("the queue is never full")
		}
	}
	if !errors.Is(err, unix.EAGAIN) {
		t.Fatalf("a full queue says %v", err)
	}
	return l, path
}

// With a queue that others refill at once, whoever looks from time to time comes late or never.
func TestWhoWaitsInAFullQueueGetsInInTurn(t *testing.T) {
	l, path := crowded(t)
	for range 10 { // they come again as soon as they are in
		go func() {
			for {
				c, err := connectWaiting(path)
				if err != nil {
					return // the listener is closed, or the time is over
				}
				c.Close()
			}
		}()
	}
	type dialed struct {
		conn *net.UnixConn
		err  error
	}
	got := make(chan dialed, 1)
	go func() {
		c, err := connect(t.Context(), path)
		got <- dialed{c, err}
	}()
	accepted := 0
	for {
		select {
		case d := <-got:
			if d.err != nil {
				t.Fatal(d.err)
			}
			d.conn.Close()
			if accepted > 200 {
				t.Errorf("%d others were let in before", accepted)
			}
			return
		case <-time.After(5 * time.Millisecond):
		}
		c, err := l.AcceptUnix()
		if err != nil {
			t.Fatal(err)
		}
		c.Close()
		accepted++
	}
}

func TestWhoWaitsInAQueueCanGiveUp(t *testing.T) {
	_, path := crowded(t)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel) // whenever it comes, it is right
	began := time.Now()
	if _, err := connect(ctx, path); !errors.Is(err, context.Canceled) {
		t.Errorf("it was told %v", err)
	}
	if took := time.Since(began); took >= queueTime {
		t.Errorf("it took %v to give up", took)
	}
}
