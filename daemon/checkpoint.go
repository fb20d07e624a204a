// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"errors"
	"log/slog"
	"math/rand/v2"
	"net"
	"sync"
	"time"

	"nervlinux.org/axon/wire"
)

// Checkpoints of processes: a reader names a process, and the worker of its
// session locks, checkpoints and restores itself. One such act at a time is on
// its way to a worker, and one question for its state: who comes meanwhile
// waits. An act takes what it takes (a lock without a timeout waits for the
// device); who asked may leave, the place is taken until the worker has answered.

// The results of cuCheckpointProcess* that are axond's own (CUresult).
const (
	checkpointDone         = 0
	checkpointNoSuch       = 1   // CUDA_ERROR_INVALID_VALUE: the process has no session
	checkpointFailed       = 304 // CUDA_ERROR_OPERATING_SYSTEM: its session ended meanwhile
	checkpointNotReady     = 600 // CUDA_ERROR_NOT_READY: a lock's time was over while somebody else's act was on its way
	checkpointNotPermitted = 800 // CUDA_ERROR_NOT_PERMITTED: it is another user's
	checkpointNotSupported = 801 // CUDA_ERROR_NOT_SUPPORTED: its worker is one of before there were checkpoints
)

var errCheckpointLeft = errors.New("who asked has left")

// checkpoints are a worker's orders that are not answered.
type checkpoints struct {
	acts, states chan struct{} // a place each

	mu      sync.Mutex
	number  uint32
	pending map[uint32]chan wire.CheckpointOrder
}

func newCheckpoints() *checkpoints {
	// An axond before this one may have left orders; their answers are nobody's.
	return &checkpoints{acts: make(chan struct{}, 1), states: make(chan struct{}, 1), number: rand.Uint32(), pending: map[uint32]chan wire.CheckpointOrder{}}
}

// answered takes a worker's answer to who waits for it.
func (c *checkpoints) answered(o wire.CheckpointOrder) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if to := c.pending[o.Number]; to != nil {
		delete(c.pending, o.Number)
		to <- o // there is room for the one
	}
}

// checkpoint has the worker do something, unless left is closed before its turn
// comes. The results are the worker's, or axond's own.
func (w *worker) checkpoint(left <-chan struct{}, what, value uint32) (result, answer uint32, err error) {
	c := w.checkpoints
	place := c.acts
	if what == wire.CheckpointState {
		place = c.states
	}
	var late <-chan time.Time // of a lock: what others take is its time as well
	began := time.Now()
	if what == wire.CheckpointLock && value > 0 {
		t := time.NewTimer(time.Duration(value) * time.Millisecond)
		defer t.Stop()
		late = t.C
	}
	select {
	case place <- struct{}{}:
	case <-late:
		return checkpointNotReady, 0, nil
	case <-left:
		return 0, 0, errCheckpointLeft
	case <-w.dead:
		return checkpointFailed, 0, nil
	}
	if late != nil { // 0 would be for ever
		value = uint32(max(1, int64(value)-time.Since(began).Milliseconds()))
	}
	got := make(chan wire.CheckpointOrder, 1)
	c.mu.Lock()
	c.number++
	order := wire.CheckpointOrder{Number: c.number, What: what, Value: value}
	c.pending[order.Number] = got
	c.mu.Unlock()
	done := func() {
		c.mu.Lock()
		delete(c.pending, order.Number)
		c.mu.Unlock()
		<-place
	}
	w.control.SetWriteDeadline(time.Now().Add(passTime))
	if _, err := w.control.Write(order.Append(nil)); err != nil {
		done()
		return checkpointFailed, 0, nil
	}
	select {
	case o := <-got:
		done()
		return o.What, o.Value, nil
	case <-w.dead:
		done()
		return checkpointFailed, 0, nil
	case <-left:
		go func() {
			select {
			case <-got:
			case <-w.dead:
			}
			done()
		}()
		return 0, 0, errCheckpointLeft
	}
}

// serveCheckpoint answers a reader's one question.
func (s *Server) serveCheckpoint(log *slog.Logger, conn *net.UnixConn, id *Identity, user *readerUser) {
	conn.SetReadDeadline(time.Now().Add(s.HelloTime))
	b := make([]byte, wire.CheckpointAskSize+1)
	n, err := conn.Read(b)
	if err != nil {
		return
	}
	ask, ok := wire.ParseCheckpointAsk(b[:n])
	if !ok {
		s.rarely.say(log, slog.LevelInfo, id.Charged, "a reader asked for a checkpoint in a way that axond does not know; it was hung up on", "bytes", n)
		return
	}
	conn.SetReadDeadline(time.Time{})
	left := make(chan struct{})
	go func() { // ends with the connection
		conn.Read(make([]byte, 1))
		close(left)
	}()

	user.looking.Lock()
	target, result := s.checkpointTarget(id, ask.PID)
	user.looking.Unlock()
	value := uint32(0)
	switch {
	case target == nil:
	case ask.What == wire.CheckpointThread:
		// The program's own: its worker's threads are in nobody's /proc. Whoever asks
		// freezes the others meanwhile, and the worker's go on.
		value = uint32(ask.PID)
	default:
		result, value, err = target.worker.checkpoint(left, ask.What, ask.Value)
		if err != nil {
			s.rarely.say(log, slog.LevelInfo, id.Charged, "who asked for a checkpoint left before it was done", "of", target.info.Session, "what", ask.What)
			return
		}
		if ask.What != wire.CheckpointState {
			s.rarely.say(log, slog.LevelInfo, id.Charged, "a session's checkpoint", "of", target.info.Session, "what", checkpointNames[ask.What], "result", result)
		}
	}
	conn.SetWriteDeadline(time.Now().Add(readerTime))
	conn.Write(wire.AppendCheckpointAnswer(nil, result, value))
}

var checkpointNames = map[uint32]string{
	wire.CheckpointLock: "lock", wire.CheckpointCheckpoint: "checkpoint", wire.CheckpointRestore: "restore", wire.CheckpointUnlock: "unlock",
}

// checkpointTarget is the session of the process with a number in a client's pid
// namespace, if the client may have it checkpointed: its user, and root with the
// capability that the machine's changes take; else nil and why.
func (s *Server) checkpointTarget(id *Identity, pid int) (*live, uint32) {
	space := readerSpace(id)
	s.mu.Lock()
	all := make([]*live, 0, len(s.lives))
	for _, l := range s.lives {
		all = append(all, l)
	}
	s.mu.Unlock()
	var target *live
	for _, l := range all {
		if n, ok := space.seesProcess(l.info.client()); ok && n == pid && (target == nil || l.info.Session > target.info.Session) {
			target = l
		}
	}
	switch {
	case target == nil:
		return nil, checkpointNoSuch
	case id.UID != target.info.UID && !id.mayChange():
		return nil, checkpointNotPermitted
	case !target.checkpoints:
		return nil, checkpointNotSupported
	}
	return target, checkpointDone
}
