// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
)

// shareOf takes all that a user gets.
func shareOf(s shares, uid uint32) int {
	n := 0
	for s.take(uid) {
		n++
	}
	return n
}

func TestUsersWhoTakeAllTheyGetLeaveSomeForTheNext(t *testing.T) {
	for _, s := range []shares{
		{max: nvmlWaits, root: nvmlWaitsRoot},
		{max: telemetryCalls, root: telemetryCallsRoot},
		{max: telemetryObjects, root: telemetryObjectsRoot},
		{max: readersMax, root: readersRoot},
	} {
		var got []int
		for uid := range uint32(4) {
			n := 0
			for s.take(1000 + uid) {
				n++
			}
			got = append(got, n)
		}
		for i, n := range got {
			if n == 0 || n > (s.max-s.root+1)/2 {
				t.Errorf("of %d places one user after the other gets %d: number %d has none, or one more than half", s.max, got, i)
			}
		}
		for uid := range uint32(100) { // all that are left
			for s.take(2000 + uid) {
			}
		}
		if !s.take(0) {
			t.Errorf("of %d places root finds none", s.max)
		}
		for uid, n := range s.of {
			s.give(uid, n)
		}
		if s.all != 0 || len(s.of) != 0 {
			t.Errorf("%d places are still taken", s.all)
		}
	}
}

func TestATurnComesToWhoHasLeast(t *testing.T) {
	turns := newTurns(4, 0)
	ctx := t.Context()
	for range 2 {
		turns.enter(ctx, 1)
	}
	waits := func(uid uint32) int {
		turns.mu.Lock()
		defer turns.mu.Unlock()
		for _, q := range turns.queues {
			if q.uid == uid {
				return len(q.waiting)
			}
		}
		return 0
	}
	var all sync.WaitGroup
	entered := make(chan uint32, 100)
	enter := func(uid uint32) {
		before := waits(uid)
		all.Go(func() {
			if turns.enter(ctx, uid) {
				entered <- uid
			}
		})
		eventually(t, "it waits", func() bool { return waits(uid) == before+1 })
	}
	for range 10 {
		enter(1) // it has as many as are left
	}
	turns.enter(ctx, 2) // it finds one all the same
	enter(2)            // 1 is left, and it has 1
	turns.leave(1)
	next := <-entered
	// Both have at most as many as are left, and no place is empty while somebody may take it.
	turns.mu.Lock()
	for _, q := range turns.queues {
		if turns.shares.free(q.uid) {
			t.Errorf("user %d waits for a place that it may take: %+v", q.uid, turns.shares)
		}
	}
	turns.mu.Unlock()
	go func() {
		for uid := range entered {
			turns.leave(uid)
		}
	}()
	for _, uid := range []uint32{1, 2, next} {
		turns.leave(uid)
	}
	all.Wait()
	close(entered)
	eventually(t, "all places to be free", func() bool {
		turns.mu.Lock()
		defer turns.mu.Unlock()
		return turns.shares.all == 0 && len(turns.queues) == 0 && len(turns.shares.of) == 0
	})
}

func TestWhoGivesUpLosesNoTurn(t *testing.T) {
	turns := newTurns(2, 0)
	if !turns.enter(t.Context(), 1) {
		t.Fatal("the first does not get in")
	}
	ctx, cancel := context.WithCancel(t.Context())
	gaveUp := make(chan bool)
	go func() { gaveUp <- turns.enter(ctx, 1) }()
	eventually(t, "it waits", func() bool {
		turns.mu.Lock()
		defer turns.mu.Unlock()
		return len(turns.queues) == 1
	})
	cancel()
	if <-gaveUp || len(turns.queues) != 0 || turns.shares.all != 1 {
		t.Errorf("who gave up is still there: %+v", turns)
	}
}

func TestOneUserLeavesSessionsToOthers(t *testing.T) {
	s := New(Config{MaxSessions: 16})
	one := uint32(os.Geteuid()) + 1000 // neither root nor whose axond it is
	two := one + 1
	until := func(uid uint32) (n int, why string) {
		for {
			if _, err := s.claim(uid); err != nil {
				return n, err.Error()
			}
			n++
		}
	}
	if n, why := until(one); n != 14 || !strings.Contains(why, fmt.Sprintf("user %d has 14 of the 16 sessions", one)) || !strings.Contains(why, "max-sessions") {
		t.Errorf("one user has %d sessions and then is told %q", n, why)
	}
	if _, err := s.claim(two); err != nil {
		t.Errorf("the next finds none: %v", err)
	}
	if _, err := s.claim(one); err == nil {
		t.Error("the first takes the last one")
	}
	if n, why := until(0); n != 1 || !strings.Contains(why, "axond has 16 sessions") {
		t.Errorf("root has the last %d and then is told %q", n, why)
	}
	for uid, n := range map[uint32]int{one: 14, two: 1, 0: 1} {
		for range n {
			s.unclaim(uid)
		}
	}
	if len(s.of) != 0 || s.counts.Sessions != 0 {
		t.Errorf("after them there are %d, %v", s.counts.Sessions, s.of)
	}
	// Where only one may be, it is anybody's.
	single := New(Config{MaxSessions: 1})
	if _, err := single.claim(one); err != nil {
		t.Error(err)
	}
}
