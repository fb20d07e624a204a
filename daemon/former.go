// SPDX-License-Identifier: Apache-2.0

package daemon

import "sync"

// formerMax is how many ended sessions are remembered: the driver keeps accounts
// of about as many processes that have ended.
const formerMax = 4000

// former are ended sessions' processes.
type former struct {
	mu   sync.Mutex
	ring []formerSession
	next int
}

type formerSession struct {
	worker int
	client process
}

func (f *former) add(worker int, client process) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.ring) < formerMax {
		f.ring = append(f.ring, formerSession{worker, client})
		return
	}
	f.ring[f.next] = formerSession{worker, client}
	f.next = (f.next + 1) % formerMax
}

// clientOf is the client of the last worker with a number; its PID is 0 if there
// was none.
func (f *former) clientOf(worker int) process {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range f.ring { // the newest is before next
		if e := f.ring[(f.next+len(f.ring)-1-i)%len(f.ring)]; e.worker == worker {
			return e.client
		}
	}
	return process{}
}

// workersOf are the workers of clients with a number, the last one first; not of
// a client whose number is another's by now.
func (f *former) workersOf(client int) (all []int) {
	now := born(client)
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range f.ring {
		if e := f.ring[(f.next+len(f.ring)-1-i)%len(f.ring)]; e.client.PID == client && (now == 0 || e.client.Born == now) {
			all = append(all, e.worker)
		}
	}
	return all
}
