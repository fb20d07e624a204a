// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"nervlinux.org/axon/wire"
)

// live is a session that has a worker. Its fields are its goroutine's, but for
// what is said to be constant once it is among Server.live.
type live struct {
	info        SessionInfo // constant
	log         *slog.Logger
	conn        *net.UnixConn
	client      *clientWatch
	worker      *worker
	region      *os.File
	account     *wire.Account
	accountFile *os.File
	result      uint32 // of the library's initialisation
	warm        bool   // its worker was started before it
	checkpoints bool   // constant: its worker knows of them

	asked chan string // to end, and by whom

	changed chan struct{} // something of its state has
	allowed atomic.Uint64 // see SessionFigures.MemoryAllowed
	limit   atomic.Uint64 // of GPU memory, bytes; on a GPU that shares the machine's there may be less

	answering, answered, ending, ended bool     // what has been said of it so far, see sessionState
	startAgain, endAgain               bool     // an axond that was killed may have logged its start or its end already
	stateFile                          *os.File // nil if it is not kept
}

// sessionState is what the axond that comes after this one needs to know of a
// session besides its descriptors.
type sessionState struct {
	Info    SessionInfo
	Result  uint32
	Warm    bool
	Limit   uint64 // of GPU memory, bytes
	Allowed uint64 // see SessionFigures.MemoryAllowed
	// Checkpoints is whether its worker knows of them: one of an older axond's may not.
	Checkpoints bool
	// Each before what it is about is said, and after: an axond that was killed
	// between the two may have said it or not.
	Answering, Answered bool // the client has its answer, and the log the line of its start
	Ending, Ended       bool // the log has the line of its end
}

// stateBytes is the state's size: written in one piece, it is old or new.
const stateBytes = 4096

// A session's descriptors in the store are session-N- and one of these. The
// state comes last: a session without it has not begun.
const (
	storedClient  = "client"
	storedWorker  = "worker" // pidfd
	storedRegion  = "region"
	storedControl = "control"
	storedOutput  = "output"
	storedAccount = "account"
	storedState   = "state"
)

func storedName(session uint32, what string) string {
	return fmt.Sprintf("session-%d-%s", session, what)
}

func (l *live) stored() map[string]syscall.Conn {
	return map[string]syscall.Conn{
		storedClient:  l.conn,
		storedWorker:  l.worker.pidfd,
		storedRegion:  l.region,
		storedControl: l.worker.control,
		storedOutput:  l.worker.output,
		storedAccount: l.accountFile,
	}
}

// stateWriter brings the state up to what the session is now, when it is called:
// then there is nothing left to do but to write.
func (l *live) stateWriter() func() {
	b, err := json.Marshal(sessionState{
		Info: l.info, Result: l.result, Warm: l.warm, Limit: l.limit.Load(), Allowed: l.allowed.Load(), Checkpoints: l.checkpoints,
		Answering: l.answering, Answered: l.answered, Ending: l.ending, Ended: l.ended,
	})
	if err != nil || len(b) > stateBytes {
		return func() { l.log.Error("a session's state cannot be kept", "err", err, "bytes", len(b)) }
	}
	b = append(b, bytes.Repeat([]byte{' '}, stateBytes-len(b))...)
	file := l.stateFile
	return func() {
		if file != nil {
			file.WriteAt(b, 0)
		}
	}
}

// keep puts a session into the store, before its client can know that it has one.
func (s *Server) keep(l *live) error {
	var err error
	if l.stateFile, err = memoryFile("axon-state", nil); err != nil {
		return err
	}
	l.stateWriter()()
	for what, f := range l.stored() {
		if err := s.store.Put(storedName(l.info.Session, what), f); err != nil {
			return fmt.Errorf("systemd's store: %w", err)
		}
	}
	return s.store.Put(storedName(l.info.Session, storedState), l.stateFile)
}

// unkeep takes it out again: what is in the store never hangs up.
func (s *Server) unkeep(session uint32) {
	for _, what := range []string{storedState, storedClient, storedWorker, storedRegion, storedControl, storedOutput, storedAccount} {
		s.store.Remove(storedName(session, what))
	}
}

// enlist makes a session known to others.
func (s *Server) enlist(l *live) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lives[l.info.Session] = l
}

// delist is the opposite. Nobody reads the session's account afterwards.
func (s *Server) delist(l *live) {
	s.mu.Lock()
	delete(s.lives, l.info.Session)
	s.mu.Unlock()
	l.account.Unmap()
	l.accountFile.Close()
	if l.stateFile != nil {
		l.stateFile.Close()
	}
}

// SessionFigures are a session and what it has now.
type SessionFigures struct {
	SessionInfo
	wire.Figures

	Calls         uint64 // that its worker has made
	MemoryMax     uint64 // the limit of GPU memory that it was given; on a GPU that shares the machine's there may be less; bytes
	MemoryAllowed uint64 // what that may be at most without the administrator, bytes
}

// figures are under Server.mu.
func (l *live) figures() SessionFigures {
	return SessionFigures{l.info, l.account.Figures(), l.account.Calls(), l.limit.Load(), l.allowed.Load()}
}

// Sessions are the sessions there are, by number.
func (s *Server) Sessions() []SessionFigures {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]SessionFigures, 0, len(s.lives))
	for _, l := range s.lives {
		all = append(all, l.figures())
	}
	slices.SortFunc(all, func(a, b SessionFigures) int { return cmp.Compare(a.Session, b.Session) })
	return all
}

// ErrNoSession is a number that no session has, or no longer.
var ErrNoSession = errors.New("there is no such session")

// Session is one session.
func (s *Server) Session(number uint32) (SessionFigures, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.lives[number]
	if l == nil {
		return SessionFigures{}, ErrNoSession
	}
	return l.figures(), nil
}

// Terminate ends a session; the client's calls fail from then on. It does not
// wait for that.
func (s *Server) Terminate(number uint32, why string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.lives[number]
	if l == nil {
		return ErrNoSession
	}
	select {
	case l.asked <- why:
	default: // somebody else has asked
	}
	return nil
}

// accounting is what a session's end says that it had.
func (s *Server) accounting(l *live) func() []any {
	// While the worker lives: its scope may be gone with it.
	usage, known := s.Scopes.Usage(l.info.Session)
	return func() []any {
		f := l.account.Figures()
		if ps := l.worker.processState(); !known && ps != nil {
			usage.CPU = ps.UserTime() + ps.SystemTime()
			if r, ok := ps.SysUsage().(*syscall.Rusage); ok {
				usage.MemoryPeak = uint64(r.Maxrss) * 1024
			}
		}
		return []any{
			"wall", time.Since(l.info.Started).Round(time.Millisecond),
			"cpu", usage.CPU.Round(time.Millisecond),
			"memory_peak", usage.MemoryPeak,
			"gpu_memory_peak", f.DevicePeak,
			"pinned_peak", f.PinnedPeak,
			"allocations_refused", f.Refused,
			"calls", l.account.Calls(),
		}
	}
}
