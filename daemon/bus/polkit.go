// SPDX-License-Identifier: Apache-2.0

package bus

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"

	"nervlinux.org/axon/daemon"
)

// The actions that polkit is asked about (org.nervlinux.axon1.policy).
const (
	terminateAction = "org.nervlinux.axon1.terminate-session"
	limitAction     = "org.nervlinux.axon1.limit-session"
)

const (
	askTime      = 10 * time.Second // for the bus to say who a caller is
	decideTime   = 25 * time.Second // for polkit
	passwordTime = 2 * time.Minute  // for a person to type one
	decideAll    = 64               // callers at once that polkit decides about
	decideUser   = 8                // of one user
)

// asking counts the callers that polkit decides about.
type asking struct {
	mu     sync.Mutex
	all    int
	number uint64 // of the last question
	of     map[uint32]int
}

// ask asks the bus about the caller.
func (c *call) ask(method string, answer any) error {
	ctx, cancel := context.WithTimeout(c.ctx, askTime)
	defer cancel()
	if err := c.conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus."+method, 0, c.sender).Store(answer); err != nil {
		return failure("org.freedesktop.DBus.Error.Failed", "the bus does not say who %s is: %v", c.sender, err)
	}
	return nil
}

// may says who the caller is, or why it may not do something with a session:
// root may, its own user if owners may, and whom polkit says so of. polkit is told the caller's
// name on the bus, which is nobody else's ever; a process number could be by now.
func (c *call) may(action string, s *daemon.SessionFigures, owners bool) (uid uint32, err error) {
	if err := c.ask("GetConnectionUnixUser", &uid); err != nil {
		return 0, err
	}
	if uid == 0 || owners && uid == s.UID {
		return uid, nil
	}
	id, leave, err := c.asking.enter(uid)
	if err != nil {
		return 0, err
	}
	defer leave()

	flags, patience := uint32(0), decideTime
	if c.flags&dbus.FlagAllowInteractiveAuthorization != 0 {
		flags, patience = 1, passwordTime
	}
	type subject struct {
		Kind    string
		Details map[string]dbus.Variant
	}
	var result struct {
		Authorized, Challenge bool
		Details               map[string]string
	}
	ctx, cancel := context.WithTimeout(c.ctx, patience)
	defer cancel()
	authority := c.conn.Object("org.freedesktop.PolicyKit1", "/org/freedesktop/PolicyKit1/Authority")
	const authorityInterface = "org.freedesktop.PolicyKit1.Authority."
	err = authority.CallWithContext(ctx, authorityInterface+"CheckAuthorization", 0,
		subject{"system-bus-name", map[string]dbus.Variant{"name": dbus.MakeVariant(c.sender)}}, action,
		map[string]string{"session": fmt.Sprint(s.Session), "program": text(s.Comm), "pid": fmt.Sprint(s.PID)}, flags, id).Store(&result)
	const denied = "org.freedesktop.DBus.Error.AccessDenied"
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		authority.Call(authorityInterface+"CancelCheckAuthorization", dbus.FlagNoReplyExpected, id)
		return 0, failure(denied, "nobody has authorized %s in time", action)
	case err != nil:
		return 0, failure(denied, "session %d belongs to another user, or the limit is more than the administrator allows, and polkit cannot be asked (%v); do it as root", s.Session, err)
	case result.Authorized:
		return uid, nil
	case result.Challenge:
		return 0, failure("org.freedesktop.DBus.Error.InteractiveAuthorizationRequired", "%s needs a password; allow the call to ask for it, or do it as root", action)
	}
	return 0, failure(denied, "polkit does not allow %s; do it as root", action)
}

// enter has a user's caller decided about, under a name. leave must follow.
func (a *asking) enter(uid uint32) (id string, leave func(), err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.all >= decideAll || a.of[uid] >= decideUser {
		return "", nil, failure("org.freedesktop.DBus.Error.LimitsExceeded", "%d calls of yours wait for an authorization already; try again later", a.of[uid])
	}
	a.all++
	a.of[uid]++
	a.number++
	return fmt.Sprint("axond-", a.number), func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.all--
		if a.of[uid]--; a.of[uid] == 0 {
			delete(a.of, uid)
		}
	}, nil
}
