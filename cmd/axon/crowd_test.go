// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"io"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"nervlinux.org/axon/fleet"
	"nervlinux.org/axon/fleet/madeup"
	"nervlinux.org/axon/view"
)

// serving answers scrapes on a socket in this process.
func serving(t *testing.T) (s *scrapes, socket string) {
	t.Helper()
	socket = filepath.Join(t.TempDir(), "metrics")
	l, err := net.Listen("unix", socket)
	must(t, err)
	f := fleet.New([]fleet.Member{{Source: &madeup.Machine{GPUs: 2, Sessions: 20}}}, time.Second)
	s = &scrapes{fleet: f, crowd: crowd{max: atOnce}}
	ended := make(chan error, 1)
	go func() { ended <- s.serve(t.Context(), l) }()
	t.Cleanup(func() {
		l.Close()
		<-ended
		f.Close()
	})
	return s, socket
}

func (c *crowd) size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.all)
}

func TestSilentConnectionsHoldUpNoScrape(t *testing.T) {
	s, socket := serving(t)
	began := time.Now()
	for _, says := range []string{"", "GET /metr", "GET / HTTP/1.1\r\na: b\r\n"} {
		for range atOnce {
			conn, err := net.Dial("unix", socket)
			must(t, err)
			defer conn.Close()
			io.WriteString(conn, says)
		}
		if code, body, _ := scrape(t, "unix", socket, "GET", "/metrics"); code != 200 || !strings.Contains(body, "\naxon_up 1\n") {
			t.Errorf("status %d, %s", code, body)
		}
	}
	if took := time.Since(began); took > headTime {
		t.Errorf("three scrapes took %v among connections that say nothing", took)
	}
	if n := s.crowd.size(); n > atOnce {
		t.Errorf("there are %d connections", n)
	}
}

func TestWhoHasMostConnectionsLosesOne(t *testing.T) {
	c := crowd{max: 4}
	enter := func(from string) *visitor {
		t.Helper()
		ours, theirs := net.Pipe()
		t.Cleanup(func() { ours.Close(); theirs.Close() })
		return c.enter(ours, from)
	}
	is := func(want ...*visitor) {
		t.Helper()
		if !slices.Equal(c.all, want) {
			t.Errorf("there are %v, not %v", c.all, want)
		}
	}
	quiet := enter("one")
	b1, b2, b3 := enter("two"), enter("two"), enter("two")
	b4 := enter("two")
	is(quiet, b2, b3, b4)
	if _, err := b1.conn.Read(make([]byte, 1)); err != io.ErrClosedPipe {
		t.Errorf("who went is not hung up on: %v", err)
	}
	c.busy(b2, true)
	b5 := enter("two")
	is(quiet, b2, b4, b5)
	for _, v := range []*visitor{quiet, b4, b5} {
		c.busy(v, true)
	}
	if enter("three") != nil {
		t.Error("somebody who waits for figures was hung up on")
	}
	c.busy(quiet, false) // it does not take them, and is the only one that can go
	three := enter("three")
	is(b2, b4, b5, three)
	c.leave(b4)
	is(b2, b5, three)
}

// countingSource counts how often it is asked.
type countingSource struct {
	fleet.Source
	asked atomic.Int32
}

func (s *countingSource) Machine(ctx context.Context) (*view.Machine, error) {
	s.asked.Add(1)
	return s.Source.Machine(ctx)
}

func TestScrapesThatWaitTogetherShareTheirFigures(t *testing.T) {
	source := &countingSource{Source: &madeup.Machine{GPUs: 1}}
	f := fleet.New([]fleet.Member{{Source: source}}, time.Second)
	defer f.Close()
	s := &scrapes{fleet: f}
	s.one.Lock() // somebody asks, for long
	var all sync.WaitGroup
	var called atomic.Int32
	for range 200 {
		all.Go(func() {
			called.Add(1)
			if text, err := s.figures(t.Context()); err != nil || !strings.Contains(text, "\naxon_up 1\n") {
				t.Errorf("%q, %v", text, err)
			}
		})
	}
	for called.Load() < 200 {
		time.Sleep(time.Millisecond)
	}
	s.one.Unlock()
	all.Wait()
	if n := source.asked.Load(); n < 1 || n > 100 {
		t.Errorf("axond was asked %d times for 200 scrapes at once", n)
	}
}
