// SPDX-License-Identifier: Apache-2.0

package bus

import (
	"fmt"
	"runtime/debug"

	"github.com/godbus/dbus/v5"
)

// Calls at once. Each is a goroutine of godbus's; most last microseconds, but
// one may wait for a person's password.
const (
	callsMax   = 512
	readersMax = 4 // that look at sessions' figures, under the lock by which sessions come and go
)

// call is a method call that is being answered.
type call struct {
	*Bus
	conn   *dbus.Conn
	sender string // unique name
	flags  dbus.Flags
	path   dbus.ObjectPath
	args   []any // of the types that the method's signature says
}

// door is every object to godbus, with every interface and every method: which
// ones there are is found out in answer.
type door struct{ b *Bus }

// LookupObject is dbus.Handler's.
func (d door) LookupObject(dbus.ObjectPath) (dbus.ServerObject, bool) { return d, true }

// LookupInterface is dbus.ServerObject's.
func (d door) LookupInterface(string) (dbus.Interface, bool) { return d, true }

// LookupMethod is dbus.Interface's.
func (d door) LookupMethod(string) (dbus.Method, bool) { return d, true }

// NumArguments is dbus.Method's.
func (door) NumArguments() int { return 0 }

// NumReturns is dbus.Method's.
func (door) NumReturns() int { return 0 }

// ArgumentValue is dbus.Method's.
func (door) ArgumentValue(int) any { return nil }

// ReturnValue is dbus.Method's.
func (door) ReturnValue(int) any { return nil }

// DecodeArguments is dbus.ArgumentDecoder's: nothing is decoded.
func (door) DecodeArguments(conn *dbus.Conn, _ string, msg *dbus.Message, _ []any) ([]any, error) {
	return []any{conn, msg}, nil
}

// Call is dbus.Method's.
func (d door) Call(args ...any) (out []any, err error) {
	msg := args[1].(*dbus.Message)
	defer func() {
		if r := recover(); r != nil {
			d.b.log.Error("a call over the bus went wrong in axond; please report this", "what", r, "where", string(debug.Stack()))
			out, err = nil, failure("org.freedesktop.DBus.Error.Failed", "axond made a mistake; its log has more (journalctl -u axond)")
		}
		if err != nil && msg.Flags&dbus.FlagNoReplyExpected != 0 {
			out, err = nil, nil // nobody wants to hear it
		}
	}()
	defer d.b.inside.Add(-1)
	if d.b.inside.Add(1) > callsMax {
		return nil, failure("org.freedesktop.DBus.Error.LimitsExceeded", "axond answers %d calls already; try again later", callsMax)
	}
	return d.b.answer(args[0].(*dbus.Conn), msg)
}

// failure is an error for the caller.
func failure(name, format string, args ...any) error {
	return dbus.NewError(name, []any{fmt.Sprintf(format, args...)})
}

func (b *Bus) answer(conn *dbus.Conn, msg *dbus.Message) ([]any, error) {
	c := &call{Bus: b, conn: conn, flags: msg.Flags, args: msg.Body}
	c.path, _ = msg.Headers[dbus.FieldPath].Value().(dbus.ObjectPath)
	c.sender, _ = msg.Headers[dbus.FieldSender].Value().(string)
	in, _ := msg.Headers[dbus.FieldInterface].Value().(string)
	name, _ := msg.Headers[dbus.FieldMember].Value().(string)
	sig, _ := msg.Headers[dbus.FieldSignature].Value().(dbus.Signature)

	o, err := b.object(c.path)
	if err != nil {
		return nil, err
	}
	known := in == ""
	for _, i := range o.ifaces {
		if in != "" && in != i.name {
			continue
		}
		known = true
		for _, m := range i.methods {
			if m.name != name {
				continue
			}
			if sig.String() != m.signature() || len(c.args) != len(m.in) {
				return nil, failure("org.freedesktop.DBus.Error.InvalidArgs", "%s.%s takes arguments of the types %q", i.name, m.name, m.signature())
			}
			return m.do(c, o)
		}
	}
	if !known {
		return nil, failure("org.freedesktop.DBus.Error.UnknownInterface", "%s has no interface %s; busctl introspect %s %s shows those that it has", c.path, in, Name, c.path)
	}
	return nil, failure("org.freedesktop.DBus.Error.UnknownMethod", "%s has no method %s; busctl introspect %s %s shows those that it has", c.path, name, Name, c.path)
}

// reading has few calls read figures at once. The result ends it.
func (b *Bus) reading() func() {
	b.slots <- struct{}{}
	return func() { <-b.slots }
}
