// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"nervlinux.org/axon/fleet"
	"nervlinux.org/axon/fleet/madeup"
	"nervlinux.org/axon/view"
)

// run runs a fleet until the test ends.
func run(t *testing.T, f *fleet.Fleet) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { f.Run(ctx); close(done) }()
	t.Cleanup(func() { cancel(); <-done })
}

// until waits for something to come true of the machines.
func until(t *testing.T, f *fleet.Fleet, what string, is func([]*fleet.Machine) bool) {
	t.Helper()
	end := time.After(20 * time.Second)
	for !is(f.Machines()) {
		select {
		case <-f.Changed():
		case <-end:
			t.Fatalf("after 20 s: %s", what)
		}
	}
}

func TestAMachineThatHangsOrIsDeadHoldsUpNobody(t *testing.T) {
	f := fleet.New([]fleet.Member{
		{Name: "hangs", Source: &madeup.Machine{Hangs: true}},
		{Name: "dead", Source: &madeup.Machine{Dead: errors.New("connection refused")}},
		{Name: "well", Source: &madeup.Machine{GPUs: 1, Sessions: 3}},
	}, 5*time.Millisecond)
	run(t, f)
	until(t, f, "the one that is well was not asked 50 times", func(m []*fleet.Machine) bool { return len(m[2].CPU) >= 50 })
	m := f.Machines()
	if m[0].Last != nil || m[0].Err != nil || m[0].Age(time.Now()) >= 0 {
		t.Errorf("of the one that hangs is known: %+v", m[0])
	}
	if m[1].Last != nil || m[1].Err == nil || m[1].Err.Error() != "connection refused" {
		t.Errorf("of the dead one is known: %+v", m[1])
	}
	if age := m[2].Age(time.Now()); age < 0 || age > 10*time.Second || m[2].Err != nil {
		t.Errorf("the age is %v, the error %v", age, m[2].Err)
	}
}

// switched is a machine that can be pulled out of the wall.
type switched struct {
	fleet.Source
	off atomic.Bool
}

func (s *switched) Machine(ctx context.Context) (*view.Machine, error) {
	if s.off.Load() {
		return nil, errors.New("pulled out")
	}
	return s.Source.Machine(ctx)
}

func TestTheLastFiguresStayWithTheirAge(t *testing.T) {
	s := &switched{Source: &madeup.Machine{}}
	f := fleet.New([]fleet.Member{{Source: s}}, time.Millisecond)
	run(t, f)
	until(t, f, "no sample came", func(m []*fleet.Machine) bool { return m[0].Last != nil })
	s.off.Store(true)
	until(t, f, "the error was not noted", func(m []*fleet.Machine) bool { return m[0].Err != nil })
	m := f.Machines()[0]
	if m.Last == nil || m.Name != "node01" || m.Age(m.Seen.Add(time.Minute)) != time.Minute {
		t.Errorf("%+v", m)
	}
	s.off.Store(false)
	until(t, f, "it was not asked again", func(m []*fleet.Machine) bool { return m[0].Err == nil })
}

func TestCallsASecondNeedTwoSamplesOfTheSameSession(t *testing.T) {
	at := func(seconds int, sessions ...view.Session) *view.Machine {
		return &view.Machine{Time: madeup.Start.Add(time.Duration(seconds) * time.Second), Sessions: sessions}
	}
	session := func(number uint32, since int, calls uint64) view.Session {
		return view.Session{Session: number, Since: madeup.Start.Add(time.Duration(since) * time.Second), Calls: calls}
	}
	for _, c := range []struct {
		name          string
		before, after *view.Machine
		want          float64 // negative: unknown
	}{
		{"a rate", at(0, session(1, 0, 100)), at(4, session(1, 0, 500)), 100},
		{"no calls", at(0, session(1, 0, 100)), at(4, session(1, 0, 100)), 0},
		{"a new session", at(0), at(4, session(1, 2, 500)), -1},
		{"a number that is used again", at(0, session(1, 0, 100)), at(4, session(1, 3, 500)), -1},
		{"a count that went back", at(0, session(1, 0, 100)), at(4, session(1, 0, 50)), -1},
		{"a clock that stands", at(4, session(1, 0, 100)), at(4, session(1, 0, 500)), -1},
		{"a clock that went back", at(9, session(1, 0, 100)), at(4, session(1, 0, 500)), -1},
	} {
		f := fleet.New([]fleet.Member{{Name: "x", Source: &said{c.before, c.after}}}, time.Second)
		f.Ask(context.Background())
		f.Ask(context.Background())
		m := f.Machines()[0]
		got := m.CallsPerSecond(&m.Last.Sessions[0])
		if (got == nil) != (c.want < 0) || got != nil && *got != c.want {
			t.Errorf("%s: %v, not %v", c.name, got, c.want)
		}
	}
}

// said is a source that says one thing after the other.
type said []*view.Machine

func (s *said) Machine(context.Context) (*view.Machine, error) {
	m := (*s)[0]
	*s = (*s)[1:]
	return m, nil
}
func (*said) End(context.Context, uint32) error { return nil }
func (*said) Close() error                      { return nil }

func TestGraphsKeepTheNewestAndDoNotChangeUnderAReader(t *testing.T) {
	f := fleet.New([]fleet.Member{{Source: &madeup.Machine{GPUs: 1}}}, time.Second)
	f.Ask(context.Background())
	first := f.Machines()[0]
	uuid := first.Last.GPUs[0].UUID
	was := first.GPUs[uuid].Busy[0]
	for range fleet.Kept + 10 {
		f.Ask(context.Background())
	}
	m := f.Machines()[0]
	busy := m.GPUs[uuid].Busy
	if len(busy) != fleet.Kept || len(m.CPU) != fleet.Kept || busy[fleet.Kept-1] != *m.Last.GPUs[0].Busy {
		t.Errorf("%d and %d samples, the last %v", len(busy), len(m.CPU), busy[len(busy)-1])
	}
	if len(first.CPU) != 1 || first.GPUs[uuid].Busy[0] != was {
		t.Error("an older snapshot has changed")
	}
}

func TestUnknownPartsAreNoNumbers(t *testing.T) {
	n, zero := uint64(5), uint64(0)
	for _, c := range [][2]*uint64{{nil, &n}, {&n, nil}, {&n, &zero}, {nil, nil}} {
		if got := fleet.Part(c[0], c[1]); !math.IsNaN(got) {
			t.Errorf("%v", got)
		}
	}
	if got := fleet.Part(&zero, &n); got != 0 {
		t.Errorf("%v", got)
	}
}

func TestEndingASessionSaysWhy(t *testing.T) {
	f := fleet.New([]fleet.Member{{Source: &madeup.Machine{Sessions: 3}}}, time.Second)
	if err := f.End(context.Background(), 0, 1); err != nil {
		t.Error(err)
	}
	if err := f.End(context.Background(), 0, 1); err == nil || !strings.Contains(err.Error(), "no session 1") {
		t.Error(err)
	}
}

// failing is a source that has an error to tell.
type failing struct{ error }

func (f failing) Machine(context.Context) (*view.Machine, error) { return nil, f.error }
func (failing) End(context.Context, uint32) error                { return nil }
func (failing) Close() error                                     { return nil }

func TestWhoDoesNotAnswerInTimeSaysWhatToDo(t *testing.T) {
	for want, err := range map[string]error{
		"axond does not answer (systemctl status axond says more)": fmt.Errorf("axond does not answer (systemctl status axond says more): %w", context.DeadlineExceeded),
		"no answer": context.DeadlineExceeded,
	} {
		f := fleet.New([]fleet.Member{{Source: failing{err}}}, time.Second)
		f.Ask(context.Background())
		if got := f.Machines()[0].Err; got == nil || got.Error() != want {
			t.Errorf("%v, not %s", got, want)
		}
	}
}
