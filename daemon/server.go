// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/daemon/installed"
	"nervlinux.org/axon/wire"
)

// Config is what a Server is made of. Zero numbers mean the defaults.
type Config struct {
	Policy Policy
	Worker *installed.WorkerProtocol
	Vendor installed.Vendor

	Confine *Confinement // what workers are kept in; default nothing

	MaxSessions int           // at once; default 256
	MaxWaiting  int           // connections at once that have said nothing yet; default 64
	HelloTime   time.Duration // for a connection's hello; default 5 s
	ReadyTime   time.Duration // for a worker to become ready; default 60 s

	Warm          int           // workers to keep warm for each kind of session seen lately; default none
	WarmContext   bool          // with a context made in each
	WarmOwn       bool          // from the start on, also for axond's own user and environment
	WarmFor       time.Duration // after the last session of its kind; default 30 min
	TelemetryIdle time.Duration // without a call of NVML's until its worker ends; default 30 s

	WarmPause time.Duration // between a session's start and that of the next one's worker; default 200 ms

	Settings *Settings // of axond.toml; those of the fields above are not looked at

	Log    *slog.Logger
	Scopes Scopes // default NoScopes
	Bus    Bus    // default NoBus

	Store Store               // for the sessions, in case axond is restarted; default none
	Kept  map[string]*os.File // what the axond before this one has left there, by name
}

// Server admits clients and runs their sessions.
type Server struct {
	Config

	wg   sync.WaitGroup // one for each connection, and for each warm worker
	pool pool

	inForce atomic.Pointer[Settings] // those in force
	leaving atomic.Bool              // sessions stay when Serve ends
	store   Store
	totals  *totals // nil if they cannot be kept
	machine machine
	sums    sync.Mutex // held while a limit is computed that others' figures go into; before mu
	devices devices
	viewer  viewer

	telemetry      *telemetry // reads NVML
	telemetryAdmin *telemetry // changes things by it
	nvmlCache      nvmlCache
	former         former
	rarely         rarely
	closings       closings

	mu      sync.Mutex
	number  uint32 // of the last session
	counts  Counts
	waiting []*waiting // oldest first
	lives   map[uint32]*live
	of      map[uint32]int // sessions, by whom they are charged to
	readers readers
	stopped bool // nobody may wait any more
}

// waiting is a connection that has said nothing yet.
type waiting struct {
	conn    *net.UnixConn
	uid     uint32
	refused bool // it will get no session, whatever it says
	evicted bool // it was dropped
}

// Leave has Serve leave the sessions as they are when it ends, for the axond
// that comes next. Only with a Store.
func (s *Server) Leave() { s.leaving.Store(s.Store != nil) }

// New makes a Server.
func New(c Config) *Server {
	if c.MaxSessions == 0 {
		c.MaxSessions = 256
	}
	if c.MaxWaiting == 0 {
		c.MaxWaiting = 64
	}
	if c.HelloTime == 0 {
		c.HelloTime = 5 * time.Second
	}
	if c.ReadyTime == 0 {
		c.ReadyTime = time.Minute
	}
	if c.WarmFor == 0 {
		c.WarmFor = 30 * time.Minute
	}
	if c.WarmPause == 0 {
		c.WarmPause = 200 * time.Millisecond
	}
	if c.TelemetryIdle == 0 {
		c.TelemetryIdle = telemetryIdle
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Scopes == nil {
		c.Scopes = NoScopes{}
	}
	if c.Bus == nil {
		c.Bus = NoBus{}
	}
	if c.Settings == nil {
		c.Settings = &Settings{}
	}
	s := &Server{Config: c, lives: map[uint32]*live{}, of: map[uint32]int{}, readers: newReaders(), closings: closings{shares: shares{max: closingsMax, root: closingsRoot}}, store: c.Store, machine: machine{"/proc", "/sys/fs/cgroup"}}
	if s.store == nil {
		s.store = noStore{}
	}
	s.inForce.Store(c.Settings)
	placeholder() // while there are descriptors
	s.pool = pool{s: s, kinds: map[string]*kind{}}
	s.devices.asking = make(chan struct{}, 1)
	s.telemetry, s.telemetryAdmin = newTelemetry(s, false), newTelemetry(s, true)
	s.viewer = viewer{s: s, turn: make(chan struct{}, 1)}
	return s
}

// Serve takes back the sessions that an axond before it has left, accepts
// clients from l until ctx is done, then ends every session and returns when
// the last worker was reaped. It closes l. An error means that the listener
// failed; the sessions are ended then too.
func (s *Server) Serve(ctx context.Context, l *Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	s.takeBack(ctx)
	s.pool.start(ctx)
	s.Bus.Open(s)
	if err := withFD(l, func(fd int) error { return unix.Listen(fd, socketQueue) }); err != nil {
		s.Log.Warn("the socket's queue stays as long as it is", "err", err)
	}
	stop := context.AfterFunc(ctx, func() { l.Close() })
	err := s.accept(ctx, l)
	if ctx.Err() != nil {
		err = nil
	}
	cancel()
	stop()
	l.Close()
	s.dropWaiting()
	s.wg.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.totals != nil {
		s.totals.file.Close()
		s.totals = nil
	}
	return err
}

func (s *Server) accept(ctx context.Context, l *Listener) error {
	for {
		conn, err := l.AcceptUnix()
		switch {
		case err == nil:
			w := s.wait(conn)
			s.wg.Go(func() { s.serve(ctx, w) })
		case errors.Is(err, unix.EMFILE), errors.Is(err, unix.ENFILE), errors.Is(err, unix.ENOBUFS), errors.Is(err, unix.ENOMEM):
			// The connection stays in the queue: come back for it when
			// sessions have ended.
			s.Log.Error("cannot accept a connection now; raise LimitNOFILE if this comes often", "err", err)
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(100 * time.Millisecond):
			}
		case errors.Is(err, unix.ECONNABORTED):
		default:
			return err
		}
	}
}

// wait counts a connection among those that have said nothing. If they are too
// many one goes: a program that is well says its hello at once.
func (s *Server) wait(conn *net.UnixConn) *waiting {
	w := &waiting{conn: conn, uid: peerUID(conn)}
	var victim *waiting
	s.mu.Lock()
	switch {
	case s.stopped:
		victim = w
	case len(s.waiting) >= s.MaxWaiting:
		victim = s.mostWaiting()
		s.forget(victim)
	}
	if victim != w {
		s.waiting = append(s.waiting, w)
	}
	if victim != nil {
		victim.evicted = true
	}
	s.mu.Unlock()
	if victim != nil {
		victim.conn.Close() // its own goroutine sees that and ends
	}
	return w
}

// mostWaiting is who goes: the oldest of those that would be refused anyway, else
// the oldest of the user who has most, so that nobody displaces others by coming
// often. s.mu is held, and somebody waits.
func (s *Server) mostWaiting() *waiting {
	of := map[uint32]int{}
	for _, w := range s.waiting {
		of[w.uid]++
	}
	victim := s.waiting[0]
	for _, w := range s.waiting {
		if w.refused {
			return w
		}
		if of[w.uid] > of[victim.uid] {
			victim = w
		}
	}
	return victim
}

// willRefuse says that a waiting connection gets no session.
func (s *Server) willRefuse(w *waiting) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w.refused = true
}

// waited ends that. It is false if the connection was dropped meanwhile.
func (s *Server) waited(w *waiting) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forget(w)
	return !w.evicted
}

// forget takes w off the list; s.mu is held.
func (s *Server) forget(w *waiting) {
	for i, x := range s.waiting {
		if x == w {
			s.waiting = append(s.waiting[:i], s.waiting[i+1:]...)
			return
		}
	}
}

// dropWaiting drops everybody who has said nothing, when axond stops.
func (s *Server) dropWaiting() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = true
	for _, w := range s.waiting {
		w.evicted = true
		w.conn.Close()
	}
	s.waiting = nil
}

// usersMost is how many times as many sessions a user may have as are left: of
// 256 one user has 224 at most, so that the next finds some, and the one after that.
// Root, and the user whose axond it is, may have all.
const usersMost = 7

// claim takes a session's number for a user, or a Refusal when there are too many.
func (s *Server) claim(uid uint32) (uint32, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	most, of := s.maxSessions(), s.of[uid]
	left := most - s.counts.Sessions
	switch {
	case left <= 0:
		return 0, refuse(wire.StatusBusy, "axond has %d sessions, which is its limit; end a program that uses the GPU, or raise max-sessions in axond.toml (or --max-sessions)", s.counts.Sessions)
	case of >= usersMost*left && uid != 0 && uid != uint32(os.Geteuid()):
		return 0, refuse(wire.StatusBusy, "user %d has %d of the %d sessions that axond allows, and the last %d are for other users; end a program that uses the GPU, or have max-sessions raised in axond.toml (or --max-sessions)", uid, of, most, left)
	}
	s.began(uid)
	s.counts.Started++
	s.number++
	if s.number == 0 { // 0 is no session
		s.number++
	}
	s.keepTotals()
	return s.number, nil
}

// began counts a session of a user's; under s.mu.
func (s *Server) began(uid uint32) {
	s.counts.Sessions++
	s.of[uid]++
}

func (s *Server) unclaim(uid uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts.Sessions--
	if s.of[uid]--; s.of[uid] == 0 {
		delete(s.of, uid)
	}
}

func (s *Server) refused() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts.Refused++
	s.keepTotals()
}

// keepTotals is under s.mu.
func (s *Server) keepTotals() {
	if s.totals != nil {
		s.totals.write(s.number, s.counts.Started, s.counts.Refused)
	}
}

// Counts are the totals now.
func (s *Server) Counts() Counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts
}

// Reload puts other settings in force, for the sessions that start from now on.
// Group, Vendor, Warm and WarmContext stay as they are.
func (s *Server) Reload(settings *Settings) { s.inForce.Store(settings) }

func (s *Server) maxSessions() int {
	if n := s.inForce.Load().MaxSessions; n > 0 {
		return n
	}
	return s.MaxSessions
}
