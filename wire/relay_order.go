// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"fmt"
	"sync"
)

// order is what keeps the far region's posts in the order of the client's
// tickets. Lanes are carried side by side, so a post can arrive before one
// that was made earlier in another lane, and the worker's rule only knows of
// what was published. So a post is published after every earlier one, and a
// wait after the posts that it says had been made.
//
// It cannot deadlock: whoever waits here waits for lower tickets only, and a
// lane's window and its ring are its own.
type order struct {
	mu        sync.Mutex
	turn      *sync.Cond
	published uint64
	waiting   int
	ended     bool

	without bool // for the test that shows what this is for
}

func newOrder() *order {
	o := &order{}
	o.turn = sync.NewCond(&o.mu)
	return o
}

// await waits, under the lock, until ticket was published; false: the session has ended.
func (o *order) await(ticket uint64) bool {
	for o.published < ticket && !o.ended && !o.without {
		o.waiting++
		o.turn.Wait()
		o.waiting--
	}
	return !o.ended
}

// post calls publish when every post before ticket was published. Ended: false, nil.
func (o *order) post(ticket uint64, publish func()) (bool, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.await(ticket - 1) {
		return false, nil
	}
	if ticket <= o.published && !o.without {
		return false, fmt.Errorf("wire: a post with ticket %d came after %d was published", ticket, o.published)
	}
	publish()
	o.published = max(o.published, ticket)
	if o.waiting > 0 {
		o.turn.Broadcast()
	}
	return true, nil
}

// reached waits until every post up to ticket was published. Ended: false.
func (o *order) reached(ticket uint64) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.await(ticket)
}

func (o *order) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ended = true
	o.turn.Broadcast()
}
