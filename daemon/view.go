// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"nervlinux.org/axon/daemon/installed"
	"nervlinux.org/axon/view"
	"nervlinux.org/axon/wire"
)

// The view: what package view asks for. The machine is looked at when somebody
// asks, at most every sampleTime, and all readers share what was seen: a
// hundred of them cost as much as one, but for writing it out. What differs
// between readers is which processes they can see.

const (
	sampleTime = 250 * time.Millisecond
	// deviceTime is how long a sample waits for the GPUs, whose library may take long to start.
	deviceTime = 2 * time.Second
	// cpuShort is how long the processors are watched if nobody has looked within cpuLong.
	cpuShort = 100 * time.Millisecond
	cpuLong  = time.Minute
	// eyesMax is how many ways of seeing a sample are kept.
	eyesMax = 32
)

// viewer takes samples of the machine.
type viewer struct {
	s    *Server
	turn chan struct{} // holds one: whoever looks at the machine; what follows is the holder's

	cpu   cpuTimes
	cpuAt time.Time
	users userNames
	args  map[uint32]*programArgs // by session

	mu   sync.Mutex
	last *sample

	hiding hiding

	nvml struct {
		mu    sync.Mutex
		asked chan struct{} // closed when what is asked for now is there; nil if nobody asks
		watch gpuWatch      // of whoever asks
		last  gpuReport
	}

	asking sync.Mutex
	asked  chan struct{} // closed when the GPUs that were asked for are there; nil if nobody asks
}

// sample is the machine at a moment.
type sample struct {
	at       time.Time
	machine  view.Machine // Sessions without what depends on the reader
	sessions []sampledSession

	mu      sync.Mutex
	encoded map[eyes][]byte
}

// sampledSession is what sample.machine.Sessions leaves out.
type sampledSession struct {
	process
	args []string
}

// eyes are what readers that see the same have in common.
type eyes struct {
	space   pidSpace
	hidden  bool   // others' arguments are
	asOwner uint32 // then: not that user's
}

// serve answers a reader's requests.
func (v *viewer) serve(ctx context.Context, log *slog.Logger, conn *net.UnixConn, id *Identity, user *readerUser) {
	le := binary.LittleEndian
	space := readerSpace(id)
	b := make([]byte, view.RequestBytes+1)
	for {
		n, err := conn.Read(b)
		if err != nil {
			return
		}
		if n != view.RequestBytes || le.Uint32(b[4:]) != view.WhatMachine {
			v.s.rarely.say(log, slog.LevelInfo, id.Charged, "a reader asked what axond does not know; it was hung up on", "bytes", n)
			return
		}
		now, err := v.sample(ctx)
		if err != nil {
			return // axond stops
		}
		seen, err := now.seenBy(v.eyes(id, space), user)
		if err != nil {
			log.Error("the view cannot be written", "err", err)
			return
		}
		if err := sendParts(conn, le.Uint32(b), seen); err != nil {
			if errors.Is(err, os.ErrDeadlineExceeded) {
				v.s.rarely.say(log, slog.LevelInfo, id.Charged, "a reader did not take its answer; it was hung up on", "after", readerTime)
			}
			return
		}
	}
}

// sendParts sends an answer in packets.
func sendParts(conn *net.UnixConn, id uint32, b []byte) error {
	le := binary.LittleEndian
	conn.SetWriteDeadline(time.Now().Add(readerTime))
	packet := make([]byte, 0, min(view.PacketMax, view.AnswerHead+len(b)))
	for {
		n := min(len(b), view.PacketMax-view.AnswerHead)
		packet = le.AppendUint32(packet[:0], id)
		packet = le.AppendUint32(packet, uint32(len(b)-n))
		if _, err := conn.Write(append(packet, b[:n]...)); err != nil {
			return err
		}
		if b = b[n:]; len(b) == 0 {
			return nil
		}
	}
}

func (v *viewer) eyes(id *Identity, space pidSpace) eyes {
	e := eyes{space: space}
	if id.UID != 0 && v.hiding.now(v.s.machine) {
		e.hidden, e.asOwner = true, id.UID
	}
	return e
}

// seenBy is the sample as JSON, as a reader sees it. What has to be looked at for
// that, a user's readers look at one after the other: in a thousand pid
// namespaces they would keep others from it.
func (p *sample) seenBy(e eyes, user *readerUser) ([]byte, error) {
	if b := p.known(e); b != nil {
		return b, nil
	}
	user.looking.Lock()
	defer user.looking.Unlock()
	if b := p.known(e); b != nil {
		return b, nil
	}
	m := p.machine
	m.Sessions = slices.Clone(m.Sessions)
	for i, of := range p.sessions {
		s := &m.Sessions[i]
		pid, ok := e.space.seesProcess(of.process)
		if !ok {
			continue // its /proc has neither the process nor what it was called with
		}
		s.PID = &pid
		if !e.hidden || s.UID == e.asOwner {
			s.Args = of.args
		}
	}
	b, err := json.Marshal(m)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil && len(p.encoded) < eyesMax {
		p.encoded[e] = b
	}
	return b, err
}

func (p *sample) known(e eyes) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.encoded[e]
}

// sample looks at the machine, or gives what was seen a moment ago. The only
// error is the context's.
func (v *viewer) sample(ctx context.Context) (*sample, error) {
	if p := v.fresh(); p != nil {
		return p, nil
	}
	select {
	case v.turn <- struct{}{}:
		defer func() { <-v.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if p := v.fresh(); p != nil { // somebody else has looked meanwhile
		return p, nil
	}
	p := v.look(ctx)
	v.mu.Lock()
	v.last = p
	v.mu.Unlock()
	return p, ctx.Err()
}

func (v *viewer) fresh() *sample {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.last == nil || time.Since(v.last.at) >= sampleTime {
		return nil
	}
	return v.last
}

// look looks at the machine.
func (v *viewer) look(ctx context.Context) *sample {
	m := view.Machine{Schema: view.Schema, Axon: installed.Version, GPUs: []view.GPU{}, Sessions: []view.Session{}}
	m.Host, _ = os.Hostname()
	m.CPUs, m.CPUBusy = v.processors(ctx)
	if total, err := v.s.machine.meminfo("MemTotal"); err == nil {
		m.MemoryTotal = &total
		if left, err := v.s.machine.available(); err == nil {
			used := atLeast0(total, left)
			m.MemoryUsed = &used
		}
	}
	r := v.gpus(ctx, &m)
	p := &sample{encoded: map[eyes][]byte{}}
	p.sessions = v.sessions(&m, r)
	p.at = time.Now()
	m.Time = p.at
	p.machine = m
	return p
}

// processors are how many there are and how busy they were since the last look.
func (v *viewer) processors(ctx context.Context) (int, *float64) {
	before, at := v.cpu, v.cpuAt
	if at.IsZero() || time.Since(at) > cpuLong {
		var err error
		if before, err = v.s.machine.cpuTimes(); err != nil {
			return 0, nil
		}
		select {
		case <-time.After(cpuShort):
		case <-ctx.Done():
		}
	}
	now, err := v.s.machine.cpuTimes()
	if err != nil {
		return 0, nil
	}
	v.cpu, v.cpuAt = now, time.Now()
	return now.processors, now.busySince(before)
}

// gpus are the GPUs by NVML, or without it by what axond knows of them.
func (v *viewer) gpus(ctx context.Context, m *view.Machine) gpuReport {
	r := v.report(ctx)
	if r.err == nil {
		m.Driver, m.CUDA, m.GPUs = r.driver, r.cuda, append(m.GPUs, r.gpus...)
		for i := range m.GPUs {
			if g := &m.GPUs[i]; g.MemoryKind == view.MemoryMachine {
				g.MemoryTotal, g.MemoryUsed = m.MemoryTotal, m.MemoryUsed
			}
		}
		return r
	}
	text := "NVML: " + r.err.Error()
	if r.err == errNVMLSlow {
		text = r.err.Error()
	}
	known, err := v.devices(ctx)
	if err != nil {
		text += "; " + err.Error()
	}
	m.GPUsError = &text
	for i, d := range known {
		g := view.GPU{Index: uint32(i), Name: d.Name, UUID: d.UUID, MemoryKind: view.MemoryOwn, Links: []view.Link{}}
		if d.Memory > 0 {
			g.MemoryTotal = &d.Memory
		}
		if d.Shares {
			g.MemoryKind, g.MemoryTotal, g.MemoryUsed = view.MemoryMachine, m.MemoryTotal, m.MemoryUsed
		}
		m.GPUs = append(m.GPUs, g)
	}
	return r
}

var errDevicesSlow = errors.New("the GPU's library takes long to start; its GPUs are not known yet")

// devices is Server.Devices for who does not wait for long. The asking goes on.
func (v *viewer) devices(ctx context.Context) ([]wire.Device, error) {
	if known, err, ok := v.s.knownDevices(); ok {
		return known, err
	}
	v.asking.Lock()
	done := v.asked
	if done == nil {
		done = make(chan struct{})
		v.asked = done
		v.s.wg.Go(func() {
			v.s.Devices(ctx)
			v.asking.Lock()
			v.asked = nil
			v.asking.Unlock()
			close(done)
		})
	}
	v.asking.Unlock()
	late := time.NewTimer(deviceTime)
	defer late.Stop()
	select {
	case <-done:
	case <-late.C:
		return nil, errDevicesSlow
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	known, err, ok := v.s.knownDevices()
	if !ok {
		err = errDevicesSlow
	}
	return known, err
}

// sessions adds the sessions that have begun, by number.
func (v *viewer) sessions(m *view.Machine, r gpuReport) []sampledSession {
	all := v.s.Sessions()
	slices.SortFunc(all, func(a, b SessionFigures) int { return cmp.Compare(a.Session, b.Session) })
	rest := make([]sampledSession, 0, len(all))
	v.lookAtArgs(all)
	for _, f := range all {
		s := view.Session{
			Session: f.Session, UID: f.UID, User: v.users.name(f.UID), Program: f.Comm, Since: f.Started,
			GPUs:      usedGPUs(&f),
			GPUMemory: f.Device, GPUMemoryPeak: f.DevicePeak, PinnedMemory: f.Pinned, Calls: f.Calls,
		}
		if f.Scope != "" {
			s.Scope = &f.Scope
			if bytes, ok := v.s.Scopes.Memory(f.Session); ok {
				s.HostMemory = &bytes
			}
		}
		if f.MemoryMax != math.MaxUint64 {
			s.GPUMemoryLimit = &f.MemoryMax
		}
		s.Busy = busyOn(&r, s.GPUs, f.WorkerPID)
		m.Sessions = append(m.Sessions, s)
		rest = append(rest, sampledSession{f.client(), v.args[f.Session].known()})
	}
	return rest
}

// busyOn is the part of the time in which a worker kept its GPUs busy, their
// mean if there are several; nil if one does not say.
func busyOn(r *gpuReport, gpus []string, worker int) *float64 {
	sum := 0.0
	for _, uuid := range gpus {
		of := r.busy[uuid]
		if of == nil {
			return nil
		}
		sum += of[worker]
	}
	if len(gpus) == 0 {
		return nil
	}
	sum /= float64(len(gpus))
	return &sum
}

// usedGPUs are the UUIDs of the GPUs that a session has had a context on.
func usedGPUs(f *SessionFigures) []string {
	all := []string{}
	for n, uuid := range f.GPUs {
		if n < 64 && f.Devices>>n&1 != 0 {
			all = append(all, uuid)
		}
	}
	return all
}
