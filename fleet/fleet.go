// SPDX-License-Identifier: Apache-2.0

// Package fleet watches many machines at once. Each is asked in a goroutine of
// its own, so that one that does not answer holds up nobody; what it said last
// is kept, with its age and why there is nothing newer.
package fleet

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync"
	"time"

	"nervlinux.org/axon/view"
)

// Source is where a machine's figures come from.
type Source interface {
	// Machine takes a sample. Its error is one line for a person. It returns
	// when ctx ends.
	Machine(ctx context.Context) (*view.Machine, error)
	// End ends a session there, and returns when it has ended. Its error is
	// one line for a person.
	End(ctx context.Context, session uint32) error
	// Close lets go of what the source holds. No call is made after it, but one
	// may be on its way.
	Close() error
}

// Member is a machine to watch.
type Member struct {
	Name   string // what the user calls it; "" is what it calls itself
	Local  bool   // it is this one
	Source Source
}

// Machine is what is known of one machine. It is not changed once it was given out.
type Machine struct {
	Name  string // printable only after show.Text
	Local bool
	Last  *view.Machine // nil before the first sample
	Seen  time.Time     // when Last came, by this machine's clock
	Err   error         // of the newest question; nil if that gave Last

	// Newest last, one a look at the machine, NaN where a figure was unknown and at most
	// Kept of them.
	CPU, Memory []float64
	GPUs        map[string]Graphs // by UUID
	// Calls are the sessions' calls a second between the last two samples.
	Calls map[SessionKey]float64
}

// Graphs are a GPU's figures over time, ratios as in Machine.
type Graphs struct{ Busy, Memory []float64 }

// SessionKey tells sessions of a machine apart, also when a number is used again.
type SessionKey struct {
	Session uint32
	Since   int64 // nanoseconds of Unix time
}

// KeyOf is a session's key.
func KeyOf(s *view.Session) SessionKey { return SessionKey{s.Session, s.Since.UnixNano()} }

// Kept is how many samples a graph has: as many columns as the widest terminal.
const Kept = 512

// Age is how old the figures are; negative if there are none.
func (m *Machine) Age(now time.Time) time.Duration {
	if m.Last == nil {
		return -1
	}
	return max(0, now.Sub(m.Seen))
}

// CallsPerSecond is a session's rate; nil if there are not two samples with it.
func (m *Machine) CallsPerSecond(s *view.Session) *float64 {
	if r, ok := m.Calls[KeyOf(s)]; ok {
		return &r
	}
	return nil
}

// longest is the longest a question may take: a source that ignores its context
// cannot hold more than its own goroutine.
const longest = 10 * time.Second

// slowest is how often a machine that does not answer is asked at least.
const slowest = 15 * time.Second

// Fleet is machines that are being watched.
type Fleet struct {
	members  []Member
	interval time.Duration
	now      func() time.Time

	mu       sync.Mutex
	machines []*Machine
	changed  chan struct{} // one that is waiting is enough
}

// New makes a fleet that is asked every interval once it runs.
func New(members []Member, interval time.Duration) *Fleet {
	f := &Fleet{members: members, interval: interval, now: time.Now, changed: make(chan struct{}, 1)}
	for _, m := range members {
		f.machines = append(f.machines, &Machine{Name: m.Name, Local: m.Local})
	}
	return f
}

// Run asks until ctx ends, and then closes the sources.
func (f *Fleet) Run(ctx context.Context) {
	var all sync.WaitGroup
	for i := range f.members {
		all.Go(func() { f.watch(ctx, i) })
	}
	<-ctx.Done()
	for _, m := range f.members {
		m.Source.Close()
	}
	all.Wait()
}

func (f *Fleet) watch(ctx context.Context, i int) {
	failures := 0
	for ctx.Err() == nil {
		if f.ask(ctx, i) {
			failures = 0
		} else {
			failures++
		}
		// All are asked at the same moments: the screen changes once for all.
		wait := f.interval
		for range min(failures-1, 10) {
			wait = min(2*wait, max(slowest, f.interval))
		}
		now := time.Now()
		next := now.Truncate(f.interval).Add(wait)
		if next.Sub(now) < f.interval/4 {
			next = next.Add(f.interval)
		}
		select {
		case <-ctx.Done():
		case <-time.After(next.Sub(now)):
		}
	}
}

// Ask asks each machine once, all at the same time, and returns when all have
// answered or failed.
func (f *Fleet) Ask(ctx context.Context) {
	var all sync.WaitGroup
	for i := range f.members {
		all.Go(func() { f.ask(ctx, i) })
	}
	all.Wait()
}

// ask asks one machine and notes what it says.
func (f *Fleet) ask(ctx context.Context, i int) bool {
	limited, cancel := context.WithTimeout(ctx, longest)
	sample, err := f.members[i].Source.Machine(limited)
	cancel()
	if ctx.Err() != nil {
		return false
	}
	if err == nil && sample == nil {
		err = errors.New("it said nothing")
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = unanswered(err)
	}
	f.mu.Lock()
	f.machines[i] = f.machines[i].with(sample, err, f.now())
	f.mu.Unlock()
	select {
	case f.changed <- struct{}{}:
	default:
	}
	return err == nil
}

// unanswered is a deadline's error for a person: what the source said of it, and
// nothing of contexts.
func unanswered(err error) error {
	if said, ok := strings.CutSuffix(err.Error(), ": "+context.DeadlineExceeded.Error()); ok {
		return errors.New(said)
	}
	return errors.New("no answer")
}

// Changed has something to receive after there was something new.
func (f *Fleet) Changed() <-chan struct{} { return f.changed }

// Interval is the time between two questions.
func (f *Fleet) Interval() time.Duration { return f.interval }

// Machines are the machines, in the order of the members.
func (f *Fleet) Machines() []*Machine {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]*Machine(nil), f.machines...)
}

// End ends a session of the i-th machine, in the order of the members; see Source.
func (f *Fleet) End(ctx context.Context, i int, session uint32) error {
	return f.members[i].Source.End(ctx, session)
}

// Close closes the sources of a fleet that does not run.
func (f *Fleet) Close() {
	for _, m := range f.members {
		m.Source.Close()
	}
}

// with is the machine after an answer.
func (m *Machine) with(sample *view.Machine, err error, now time.Time) *Machine {
	n := *m
	n.Err = err
	if err != nil {
		return &n
	}
	if n.Name == "" {
		n.Name = sample.Host
	}
	n.Seen = now
	if m.Last != nil && sample.Time.Equal(m.Last.Time) {
		return &n // the same look at the machine: axond keeps one for a moment
	}
	n.Calls = rates(m.Last, sample)
	n.Last = sample
	n.CPU = grown(m.CPU, ratio(sample.CPUBusy))
	n.Memory = grown(m.Memory, Part(sample.MemoryUsed, sample.MemoryTotal))
	n.GPUs = make(map[string]Graphs, len(sample.GPUs))
	for i := range sample.GPUs {
		g := &sample.GPUs[i]
		old := m.GPUs[g.UUID]
		n.GPUs[g.UUID] = Graphs{grown(old.Busy, ratio(g.Busy)), grown(old.Memory, Part(g.MemoryUsed, g.MemoryTotal))}
	}
	return &n
}

// grown is a graph with one more figure. Older graphs share its memory, but end
// before what is written.
func grown(g []float64, v float64) []float64 {
	g = append(g, v)
	return g[max(0, len(g)-Kept):]
}

func ratio(r *float64) float64 {
	if r == nil {
		return math.NaN()
	}
	return *r
}

// Part is a part of a whole, NaN if one of them is unknown or the whole is nothing.
func Part(part, whole *uint64) float64 {
	if part == nil || whole == nil || *whole == 0 {
		return math.NaN()
	}
	return float64(*part) / float64(*whole)
}

// rates are the calls a second between two samples.
func rates(before, after *view.Machine) map[SessionKey]float64 {
	if before == nil {
		return nil
	}
	seconds := after.Time.Sub(before.Time).Seconds()
	if seconds <= 0 {
		return nil
	}
	old := make(map[SessionKey]uint64, len(before.Sessions))
	for i := range before.Sessions {
		old[KeyOf(&before.Sessions[i])] = before.Sessions[i].Calls
	}
	all := make(map[SessionKey]float64, len(old))
	for i := range after.Sessions {
		s := &after.Sessions[i]
		if calls, ok := old[KeyOf(s)]; ok && s.Calls >= calls {
			all[KeyOf(s)] = float64(s.Calls-calls) / seconds
		}
	}
	return all
}
