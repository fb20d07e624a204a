// SPDX-License-Identifier: Apache-2.0

package daemon

import "time"

// SessionInfo is what is said about a session outside axond.
type SessionInfo struct {
	Session    uint32
	Library    Library
	PID        int    // of the client, when it connected
	Born       uint64 // when that process began, see process; 0 if it is not known
	UID        uint32
	Comm       string
	WorkerPID  int
	WorkerBorn uint64 // likewise
	Scope      string // systemd unit of its worker, "" without
	Started    time.Time
	Limit      SessionLimit // when it started
	GPUs       []string     // UUIDs, by its library's numbers for them
}

// Counts are axond's totals.
type Counts struct {
	Sessions int    // now
	Started  uint64 // since axond started
	Refused  uint64
}

// Bus is told what happens to sessions. Calls come from the sessions' own
// goroutines, several at once, and hold the session up: they must not block.
type Bus interface {
	// Open is called once, when the sessions of the axond before this one are
	// known and no other has begun. Those are not told of by SessionStarted.
	Open(*Server)
	SessionStarted(SessionInfo, Counts)
	SessionEnded(info SessionInfo, why string, c Counts)
}

// NoBus tells nobody.
type NoBus struct{}

// Open does nothing.
func (NoBus) Open(*Server) {}

// SessionStarted does nothing.
func (NoBus) SessionStarted(SessionInfo, Counts) {}

// SessionEnded does nothing.
func (NoBus) SessionEnded(SessionInfo, string, Counts) {}
