// SPDX-License-Identifier: Apache-2.0

package daemon

// Scopes puts workers where the machine accounts for and limits them.
// Implementations may be called from several goroutines.
type Scopes interface {
	// Place moves a session's worker, which has just started and has served
	// nothing yet, to its place. An error means that the worker is not there;
	// the session is then refused with it, for a limit that does not hold is
	// worse than none.
	Place(session uint32, pid int) error

	// Remove gives a session's place back after its worker was reaped. It has
	// no error: there is nobody left whom one could help.
	Remove(session uint32)
}

// NoScopes does nothing: workers stay in axond's own cgroup, without limits of
// their own, and end with axond's unit.
type NoScopes struct{}

// Place does nothing.
func (NoScopes) Place(uint32, int) error { return nil }

// Remove does nothing.
func (NoScopes) Remove(uint32) {}
