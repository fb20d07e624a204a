// SPDX-License-Identifier: Apache-2.0

package bus

import (
	"errors"
	"fmt"
	"strings"

	"github.com/godbus/dbus/v5"

	"nervlinux.org/axon/daemon"
)

// States of a session.
const (
	running = "running"
	ending  = "ending" // it was told to
)

// session is the interface of a session. Times are microseconds since 1970,
// sizes bytes; 18446744073709551615 is no limit.
var session = &iface{
	name: sessionInterface,
	methods: []method{
		{name: "Terminate", do: func(c *call, o *object) ([]any, error) {
			s := o.session()
			uid, err := c.may(terminateAction, s, true)
			if err != nil {
				return nil, err
			}
			if err := c.server.Terminate(s.Session, fmt.Sprintf("user %d asked for it over the bus", uid)); err != nil {
				return nil, gone(s.Session, err)
			}
			c.terminating(s.Session)
			return nil, nil
		}},
		{name: "SetMemoryMax", in: []arg{{"bytes", "t"}}, do: func(c *call, o *object) ([]any, error) {
			s, bytes := o.session(), c.args[0].(uint64)
			if bytes == 0 {
				return nil, failure("org.freedesktop.DBus.Error.InvalidArgs", "a limit of 0 bytes is none; give at least one byte, or 18446744073709551615 for no limit")
			}
			// A session's user may make the limit anything that the administrator's leaves.
			uid, err := c.may(limitAction, s, bytes <= s.MemoryAllowed)
			if err != nil {
				return nil, err
			}
			if uid != s.UID || bytes > s.MemoryAllowed { // an administrator, then
				if err := c.server.Allow(s.Session, bytes); err != nil {
					return nil, gone(s.Session, err)
				}
			}
			if err := c.server.SetLimit(s.Session, bytes); err != nil {
				return nil, gone(s.Session, err)
			}
			c.said.say(func(v *speech) {
				v.changed(sessionPath(s.Session), sessionInterface, map[string]any{"MemoryMax": bytes})
			})
			return nil, nil
		}},
	},
	properties: []property{
		{"Id", "u", fixed, func(o *object) any { return o.number }},
		{"User", "u", fixed, func(o *object) any { return o.session().UID }},
		{"PID", "u", fixed, func(o *object) any { return uint32(o.session().PID) }},
		{"Program", "s", fixed, func(o *object) any { return text(o.session().Comm) }},
		{"Scope", "s", fixed, func(o *object) any { return text(o.session().Scope) }},
		{"Since", "t", fixed, func(o *object) any { return uint64(o.session().Started.UnixMicro()) }},
		{"Remote", "b", fixed, func(*object) any { return false }},
		{"State", "s", emits, func(o *object) any { return o.b.state(o.number) }},
		{"GPU", "ao", silent, func(o *object) any { return o.b.gpusOf(o.session()) }},
		{"MemoryUsed", "t", silent, func(o *object) any { return used(o.session()) }},
		{"MemoryMax", "t", emits, func(o *object) any { return o.session().MemoryMax }},
		{"EffectiveMemoryMax", "t", silent, func(o *object) any { return o.session().Figures.Limit }},
		{"AllocationsRefused", "t", silent, func(o *object) any { return o.session().Refused }},
		{"Calls", "t", silent, func(o *object) any { return o.session().Calls }},
	},
}

const sessionInterface = Name + ".Session"

func sessionPath(number uint32) dbus.ObjectPath {
	return dbus.ObjectPath(fmt.Sprintf("%s/session/_%d", Root, number))
}

// session is the session that the object is.
func (o *object) session() *daemon.SessionFigures { return &o.known.sessions[0] }

// used is what counts towards the session's limit, bytes.
func used(s *daemon.SessionFigures) uint64 {
	if s.Shares {
		return s.Device + s.Pinned
	}
	return s.Device
}

func (b *Bus) state(number uint32) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ending[number] {
		return ending
	}
	return running
}

// terminating notes that a session was told to end, and tells of it once.
func (b *Bus) terminating(number uint32) {
	b.mu.Lock()
	again := b.ending[number]
	b.ending[number] = true
	b.mu.Unlock()
	if again {
		return
	}
	b.said.say(func(v *speech) {
		if _, err := b.server.Session(number); err != nil {
			b.forget(number) // it had ended before it was noted
			return
		}
		v.changed(sessionPath(number), sessionInterface, map[string]any{"State": ending})
	})
}

func (b *Bus) forget(number uint32) {
	b.mu.Lock()
	delete(b.ending, number)
	b.mu.Unlock()
}

// gone is an error of the server's, for the caller.
func gone(number uint32, err error) error {
	if errors.Is(err, daemon.ErrNoSession) {
		return noSession(number)
	}
	return failure("org.freedesktop.DBus.Error.Failed", "%v", err)
}

// text is s as a string of D-Bus's: UTF-8 without a NUL.
func text(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "?"), "\x00", "?")
}
