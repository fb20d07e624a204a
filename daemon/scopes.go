// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"context"
	"time"
)

// Scopes puts workers where the machine accounts for and limits them.
// Implementations may be called from several goroutines. They are in
// daemon/scope.
type Scopes interface {
	// Holds says whether Place does anything: then a worker that starts for a
	// session waits until it was placed.
	Holds() bool

	// Place moves a session's worker, which has served nothing yet, to its
	// place, and returns the place's name. An error means that the worker is not
	// there; the session is then refused with it, for a limit that does not hold
	// is worse than none.
	Place(ctx context.Context, p Placement) (string, error)

	// Wait moves a worker that is kept for a session to come, and has done nothing
	// yet, to where its memory is not counted as axond's. Place takes it from there.
	Wait(ctx context.Context, pid int) error

	// Usage is what a session has used so far; false if that is not known.
	Usage(session uint32) (Usage, bool)

	// Memory is how much memory a session's place has now, bytes; false if that
	// is not known. It costs less than Usage.
	Memory(session uint32) (uint64, bool)

	// Remove gives a session's place back after its worker has ended, with
	// whatever the worker has left there. It has no error: there is nobody left
	// whom one could help.
	Remove(session uint32)

	// Strays removes the places of sessions that keep does not know, and of workers
	// that wait, left by an axond that is gone.
	Strays(ctx context.Context, keep func(session uint32) bool)
}

// Placement is a worker and where it shall be.
type Placement struct {
	Session     uint32
	PID         int
	Description string // for people
	Limits      Limits
}

// Usage is what the kernel has counted.
type Usage struct {
	CPU        time.Duration
	Memory     uint64 // bytes now
	MemoryPeak uint64 // bytes, 0 if the kernel does not say
}

// NoScopes does nothing: workers stay in axond's own cgroup, without limits of
// their own, and end with axond's unit.
type NoScopes struct{}

// Holds is false.
func (NoScopes) Holds() bool { return false }

// Place does nothing.
func (NoScopes) Place(context.Context, Placement) (string, error) { return "", nil }

// Wait does nothing.
func (NoScopes) Wait(context.Context, int) error { return nil }

// Usage knows nothing.
func (NoScopes) Usage(uint32) (Usage, bool) { return Usage{}, false }

// Memory knows nothing.
func (NoScopes) Memory(uint32) (uint64, bool) { return 0, false }

// Remove does nothing.
func (NoScopes) Remove(uint32) {}

// Strays does nothing.
func (NoScopes) Strays(context.Context, func(uint32) bool) {}
