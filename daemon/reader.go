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

	"nervlinux.org/axon/nvml"
	"nervlinux.org/axon/wire"
)

// A reader is a connection that asks and has no session: no worker of its own,
// no scope, no number, nothing in the store. When axond is restarted it is hung
// up on, and connects again.

const (
	readersMax  = 1024            // at once
	readersRoot = 16              // of them root's alone
	readerTime  = 5 * time.Second // to take an answer; who takes longer is hung up on
)

// readers are those there are, and their calls of NVML that wait for an event;
// under Server.mu.
type readers struct {
	there shares
	waits shares
	users map[uint32]*readerUser

	owner  uint32          // the last that a connection was given
	owners map[uint32]bool // those that connections have
}

// readerUser is what one user's connections share.
type readerUser struct {
	calls   chan struct{} // one for each call of NVML on its way
	unread  atomic.Int64  // bytes of answers to be written
	looking sync.Mutex    // held by who looks at processes, which takes a while: one at a time
}

func newReaders() readers {
	return readers{there: shares{max: readersMax, root: readersRoot}, waits: shares{max: nvmlWaits, root: nvmlWaitsRoot}}
}

// claimReader counts a reader, or gives a Refusal when there are too many.
func (s *Server) claimReader(uid uint32) (*readerUser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &s.readers.there
	if r.take(uid) {
		return s.readers.user(uid), nil
	}
	return nil, refuse(wire.StatusBusy, "user %d has %d of %d connections that read what axond knows, and a user may have as many as are left for others; end some of them (nvidia-smi -l, nvtop, axon and the like)", uid, r.of[uid], r.all)
}

func (s *Server) unclaimReader(uid uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readers.there.give(uid, 1)
	s.readers.forgetUsers()
}

// user is what a user's connections share. Server.mu is held.
func (r *readers) user(uid uint32) *readerUser {
	r.forgetUsers()
	if r.users == nil {
		r.users = map[uint32]*readerUser{}
	}
	u := r.users[uid]
	if u == nil {
		u = &readerUser{calls: make(chan struct{}, nvmlCallsOf)}
		r.users[uid] = u
	}
	return u
}

// forgetUsers forgets users who have no connection and no call on its way, as
// calls outlive their connection. Server.mu is held.
func (r *readers) forgetUsers() {
	for uid, u := range r.users {
		if r.there.of[uid] == 0 && len(u.calls) == 0 {
			delete(r.users, uid)
		}
	}
}

// tidyReaders forgets what nobody needs any more.
func (s *Server) tidyReaders() {
	s.nvmlCache.clear()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readers.forgetUsers()
}

// claimOwner gives a connection a number, which no other has: 0 is nobody's.
func (s *Server) claimOwner() uint32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &s.readers
	if r.owners == nil {
		r.owners = map[uint32]bool{}
	}
	for r.owner++; r.owner == 0 || r.owners[r.owner]; r.owner++ {
	}
	r.owners[r.owner] = true
	return r.owner
}

func (s *Server) unclaimOwner(owner uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.readers.owners, owner)
}

// reads says whether a connection for a library is a reader.
func (l Library) reads() bool { return l == NVML || l == View || l == Checkpoint }

// refuseReader answers a reader that is refused. It is no session that was
// refused, and a tool that looks once a second would fill the log.
func (s *Server) refuseReader(log *slog.Logger, id *Identity, conn *net.UnixConn, err error) {
	var r *Refusal
	if !errors.As(err, &r) {
		r = refuse(wire.StatusNoWorker, "%v", err)
	}
	s.rarely.say(log, slog.LevelInfo, id.Charged, "reader refused", "status", r.Status, "why", r.Text)
	s.answer(conn, wire.Answer{Status: r.Status, Text: r.Text})
}

// read is an admitted reader's connection. An error is why it is refused; it
// has not been answered yet.
func (s *Server) read(ctx context.Context, log *slog.Logger, conn *net.UnixConn, id *Identity, msg []byte, region *os.File) error {
	user, err := s.claimReader(id.Charged)
	if err != nil {
		return err
	}
	defer s.unclaimReader(id.Charged)
	library := libraryOf(msg)
	return s.serveReader(ctx, log.With("library", library), conn, id, user, library, msg, region)
}

// serveReader serves a reader until one of both sides hangs up.
func (s *Server) serveReader(ctx context.Context, log *slog.Logger, conn *net.UnixConn, id *Identity, user *readerUser, library Library, msg []byte, region *os.File) error {
	h, err := wire.ParseHello(msg)
	switch {
	case err != nil:
		return refuse(wire.StatusMismatch, "%v", err)
	case h.Version != wire.Version:
		return refuse(wire.StatusMismatch, "the program speaks protocol %d and axond protocol %d; restart the program, or update axon on both sides", h.Version, wire.Version)
	case library == NVML && h.Fingerprint != nvml.Fingerprint:
		return refuse(wire.StatusMismatch, "the program's NVML (API %x) and axond's (API %x) do not fit together; restart the program, or update axon on both sides", h.Fingerprint[:6], nvml.Fingerprint[:6])
	case region != nil:
		return refuse(wire.StatusBadRegion, "the hello came with a descriptor, none was expected for %v", library)
	}
	if err := s.answer(conn, wire.Answer{Status: wire.StatusOK}); err != nil {
		log.Debug("a reader did not take its answer", "err", err)
		return nil
	}
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	switch library {
	case NVML:
		s.serveNVML(ctx, log, conn, id, user)
	case Checkpoint:
		s.serveCheckpoint(log, conn, id, user)
	default:
		s.viewer.serve(ctx, log, conn, id, user)
	}
	return nil
}
