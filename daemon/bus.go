// SPDX-License-Identifier: Apache-2.0

package daemon

import "time"

// SessionInfo is what is said about a session outside axond.
type SessionInfo struct {
	Session   uint32
	Library   Library
	PID       int // of the client, when it connected
	UID       uint32
	Comm      string
	WorkerPID int
	Scope     string // systemd unit of its worker, "" without
	Started   time.Time
	Limit     SessionLimit // when it started
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
	SessionStarted(SessionInfo, Counts)
	SessionEnded(info SessionInfo, why string, c Counts)
}

// NoBus tells nobody.
type NoBus struct{}

// SessionStarted does nothing.
func (NoBus) SessionStarted(SessionInfo, Counts) {}

// SessionEnded does nothing.
func (NoBus) SessionEnded(SessionInfo, string, Counts) {}
