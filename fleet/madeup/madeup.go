// SPDX-License-Identifier: Apache-2.0

// Package madeup is machines that do not exist, for tests and pictures of what
// shows machines. The same moment of the same machine is always the same.
package madeup

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"nervlinux.org/axon/fleet"
	"nervlinux.org/axon/view"
)

// Start is the moment at which every machine begins.
var Start = time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)

// Machine is a machine that is made up. A sample is one second after the one
// before.
type Machine struct {
	Number   int           // which one
	Host     string        // its name, if not one by its number
	GPUs     int           // how many it has
	Sessions int           // how many it has
	Still    bool          // every sample is the first one
	Dead     error         // it answers with that
	Hangs    bool          // it never answers
	Strange  bool          // its names are what an enemy would choose
	Delay    time.Duration // before each answer

	mu    sync.Mutex
	tick  int
	ended []uint32
}

var _ fleet.Source = (*Machine)(nil)

// Fleet is machines with GPUs each, on which sessions are spread. From the
// ninth on, every ninth does not answer.
func Fleet(machines, gpus, sessions int, still bool) []fleet.Member {
	var all []fleet.Member
	alive := machines - machines/9
	for i := range machines {
		m := &Machine{Number: i, GPUs: gpus, Still: still}
		if i%9 == 8 {
			m.Dead = errors.New("connection refused")
		} else {
			m.Sessions = sessions / alive
			if i-i/9 < sessions%alive {
				m.Sessions++
			}
		}
		all = append(all, fleet.Member{Name: m.name(), Local: i == 0, Source: m})
	}
	return all
}

func (m *Machine) name() string {
	if m.Host != "" {
		return m.Host
	}
	return fmt.Sprintf("node%02d", m.Number+1)
}

var programs = [][]string{
	{"python3", "train.py", "--model", "llama-8b", "--batch", "64", "--data", "/srv/data/corpus tokens"},
	{"ollama", "serve"},
	{"blender", "-b", "city.blend", "-a"},
	{"vllm", "serve", "--gpu-memory-utilization", "0.4"},
	{"julia", "--project", "climate.jl"},
	{"./nbody", "-n", "1048576"},
}

var users = []string{"alice", "bob", "chidi", "dana"}

// strange are what a program may call itself: escapes, wide letters, directions
// and much of it.
var strange = [][]string{
	{"\x1b]0;owned\x07\x1b[2J\x1b[31mroot"},
	{"a\nb\tc\rd", "\x00", "\u202egnp.exe", "\u200b"},
	{"日本語の名前がとても長いプログラム", "한국어", "👩‍👩‍👧‍👦", "é́́́́"},
	{"", ""},
	{"=cmd|' /C calc'!A0", "\"quoted\"", "it's", "a,b;c"},
	{string(slices.Repeat([]byte("long-"), 4000))},
	{"\x9b31m\xff\xfe"},
}

func p[T any](v T) *T { return &v }

// Machine is the next sample.
func (m *Machine) Machine(ctx context.Context) (*view.Machine, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.Hangs {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if m.Delay > 0 {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(m.Delay):
		}
	}
	if m.Dead != nil {
		return nil, m.Dead
	}
	t := m.tick
	if !m.Still {
		m.tick++
	}
	const gib = 1 << 30
	// Rounded, as processors differ in the last digits.
	round := func(f, to float64) float64 { return math.Round(f*to) / to }
	wave := func(i int, period float64) float64 {
		return round(0.5+0.45*math.Sin(float64(t)*2*math.Pi/period+float64(i)*1.7+float64(m.Number)*0.9), 1000)
	}
	all := &view.Machine{
		Schema: view.Schema, Host: m.name(), Time: Start.Add(time.Duration(t) * time.Second),
		Axon: "0.1.0", Driver: p("580.159.04"), CUDA: p("13.0"),
		CPUs: 64, CPUBusy: p(round(0.1+0.5*wave(3, 41), 10000)), MemoryTotal: p(uint64(512 * gib)), MemoryUsed: p(uint64(round(90+60*wave(5, 97), 64) * gib)),
		GPUs: []view.GPU{}, Sessions: []view.Session{},
	}
	for i := range m.GPUs {
		g := view.GPU{
			Index: uint32(i), Name: "NVIDIA H200", UUID: fmt.Sprintf("GPU-%08x-0000-4000-8000-%012x", m.Number+1, i), BusID: p(fmt.Sprintf("00000000:%02X:00.0", 0x18+i)),
			Busy: p(wave(i, 37)), MemoryBusy: p(round(wave(i, 53)*0.6, 10000)), MemoryKind: view.MemoryOwn,
			MemoryTotal: p(uint64(143771 << 20)), MemoryUsed: p(uint64(round(40+90*wave(i, 83), 64) * gib)),
			Temperature: p(math.Round(38 + 30*wave(i, 37))), Power: p(round(75+600*wave(i, 37), 10)), PowerLimit: p(700.0), Energy: p(123456 + float64(t)*400),
			ClockSM: p(uint64(345e6 + math.Round(109*wave(i, 37))*15e6)), ClockMemory: p(uint64(3201e6)),
			Links: []view.Link{{Kind: "pcie", Count: 1, Generation: p(uint32(5)), Width: p(uint32(16))}, {Kind: "nvlink", Count: 18, Generation: p(uint32(4))}},
		}
		if m.Number%4 == 3 { // one that shares the machine's memory, and tells less
			g.Name, g.MemoryKind = "NVIDIA GB10", view.MemoryMachine
			g.MemoryTotal, g.MemoryUsed, g.PowerLimit, g.MemoryBusy, g.ClockMemory = all.MemoryTotal, all.MemoryUsed, nil, nil, nil
			g.Links = []view.Link{{Kind: "c2c", Count: 1}}
		}
		all.GPUs = append(all.GPUs, g)
	}
	if m.GPUs == 0 {
		all.GPUsError = p("there is no GPU in this machine")
	}
	for i := range m.Sessions {
		number := uint32(i + 1)
		if slices.Contains(m.ended, number) {
			continue
		}
		args := programs[(i+m.Number)%len(programs)]
		if m.Strange {
			args = strange[i%len(strange)]
		}
		user := users[(i+i/3+m.Number)%len(users)]
		s := view.Session{
			Session: number, UID: uint32(1000 + i%len(users)), User: &user, PID: p(4000 + 37*i + m.Number), Args: args,
			Program: string([]byte(args[0])[:min(15, len(args[0]))]), Since: Start.Add(-time.Duration(i*i*97+60) * time.Second),
			Scope: p(fmt.Sprintf("axon-session-%d.scope", number)), Busy: p(round(wave(i, 37)*0.6, 10000)), GPUMemory: uint64(round(1+float64(i%7)*2.3, 64) * gib),
			HostMemory: p(uint64(400+i*13) << 20), PinnedMemory: uint64(i%3) * 256 << 20, Calls: uint64(1000000*i + t*(2500*(i+1))),
		}
		s.GPUMemoryPeak = s.GPUMemory + gib
		if m.Strange && i%2 == 1 {
			s.User, s.PID, s.Busy, s.HostMemory, s.Scope = nil, nil, nil, nil, nil
		}
		if m.Strange && i%7 == 3 {
			s.Args = nil
		}
		if i%3 == 0 {
			s.GPUMemoryLimit = p(uint64(24 * gib))
		}
		if m.GPUs > 0 {
			s.GPUs = []string{all.GPUs[i%m.GPUs].UUID}
		}
		all.Sessions = append(all.Sessions, s)
	}
	return all, nil
}

// End ends a session; but the last one's user is not who asks.
func (m *Machine) End(ctx context.Context, session uint32) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if session == 0 || int(session) > m.Sessions || slices.Contains(m.ended, session) {
		return fmt.Errorf("there is no session %d any more", session)
	}
	if int(session) == m.Sessions {
		return fmt.Errorf("you may not end session %d; try: sudo axon session terminate %d", session, session)
	}
	m.ended = append(m.ended, session)
	return nil
}

// Close does nothing.
func (m *Machine) Close() error { return nil }
