// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"context"
	"slices"
	"sync"
)

// What all readers have in common is shared out by user: one may have as many
// places as it leaves, so that whoever comes next finds some. The first to want
// all gets half of them, the second a quarter, and each place that one gives
// back is another's to take. A few are root's alone.

// ownShare is a user that no client is: axond's own questions.
const ownShare = 1<<32 - 1

// shares are places; whoever has them looks after locking.
type shares struct {
	max  int
	root int // of them that only root takes, or axond

	all int // taken
	of  map[uint32]int
}

// free says whether a user may take a place.
func (s *shares) free(uid uint32) bool {
	left := s.max - s.all
	if uid != 0 && uid != ownShare {
		left -= s.root
	}
	return s.of[uid] < left
}

// take takes a place; false if the user may not.
func (s *shares) take(uid uint32) bool {
	if !s.free(uid) {
		return false
	}
	s.add(uid)
	return true
}

// add takes one whether the user may or not.
func (s *shares) add(uid uint32) {
	if s.of == nil {
		s.of = map[uint32]int{}
	}
	s.all++
	s.of[uid]++
}

// give gives places back.
func (s *shares) give(uid uint32, n int) {
	if n == 0 {
		return
	}
	s.all -= n
	if s.of[uid] -= n; s.of[uid] == 0 {
		delete(s.of, uid)
	}
}

// turns are shares that users wait for.
type turns struct {
	mu     sync.Mutex
	shares shares
	queues []*turnQueue // of those who wait
}

// turnQueue is a user's who waits, first come first.
type turnQueue struct {
	uid     uint32
	waiting []chan struct{} // each closed when its turn has come
}

func newTurns(max, root int) *turns { return &turns{shares: shares{max: max, root: root}} }

// enter waits for a place. It is false if the context ends before that.
func (t *turns) enter(ctx context.Context, uid uint32) bool {
	t.mu.Lock()
	at := slices.IndexFunc(t.queues, func(q *turnQueue) bool { return q.uid == uid })
	if at < 0 && t.shares.take(uid) {
		t.mu.Unlock()
		return true
	}
	if at < 0 {
		at = len(t.queues)
		t.queues = append(t.queues, &turnQueue{uid: uid})
	}
	q := t.queues[at]
	turn := make(chan struct{})
	q.waiting = append(q.waiting, turn)
	t.mu.Unlock()
	select {
	case <-turn:
		return true
	case <-ctx.Done():
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := slices.Index(q.waiting, turn); i >= 0 {
		q.waiting = slices.Delete(q.waiting, i, i+1)
		t.settle()
	} else { // it came at the same moment
		t.shares.give(uid, 1)
		t.next()
	}
	return false
}

// leave gives a place back.
func (t *turns) leave(uid uint32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.shares.give(uid, 1)
	t.next()
}

// next lets in who may come in, first those who have least; under t.mu.
func (t *turns) next() {
	for {
		var first *turnQueue
		for _, q := range t.queues {
			if t.shares.free(q.uid) && (first == nil || t.shares.of[q.uid] < t.shares.of[first.uid]) {
				first = q
			}
		}
		if first == nil {
			return
		}
		t.shares.take(first.uid)
		close(first.waiting[0])
		first.waiting = first.waiting[1:]
		t.settle()
	}
}

// settle forgets queues in which nobody waits; under t.mu.
func (t *turns) settle() {
	t.queues = slices.DeleteFunc(t.queues, func(q *turnQueue) bool { return len(q.waiting) == 0 })
}
