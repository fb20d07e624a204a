// SPDX-License-Identifier: Apache-2.0

package bus

import (
	"encoding/xml"
	"strconv"
	"strings"

	"github.com/godbus/dbus/v5"
	"github.com/godbus/dbus/v5/introspect"

	"nervlinux.org/axon/daemon"
)

// arg is a method's or a signal's argument.
type arg struct{ name, kind string }

// method is one of an interface's. do gets arguments of the types of in.
type method struct {
	name    string
	in, out []arg
	do      func(*call, *object) ([]any, error)
}

func (m *method) signature() string {
	s := ""
	for _, a := range m.in {
		s += a.kind
	}
	return s
}

// Whether PropertiesChanged tells of a property, in the words of the D-Bus specification.
const (
	emits  = "true"
	silent = "false" // it changes all the time
	fixed  = "const"
)

// property is one of an interface's. get gives a value of the type kind.
type property struct {
	name, kind, changes string
	get                 func(*object) any
}

// iface is an interface that objects have.
type iface struct {
	name       string
	methods    []method
	properties []property
	signals    []signal
}

type signal struct {
	name string
	args []arg
}

// object is what is at a path, at the moment when it was looked up.
type object struct {
	b      *Bus
	path   dbus.ObjectPath
	ifaces []*iface // Peer is godbus's
	known  view     // for what the properties say
	number uint32   // of the session or the GPU
}

var introspectable = &iface{
	name: "org.freedesktop.DBus.Introspectable",
	methods: []method{{name: "Introspect", out: []arg{{"xml_data", "s"}}, do: func(c *call, o *object) ([]any, error) {
		return []any{o.introspect(c.children(o.path))}, nil
	}}},
}

// object finds what is at a path.
func (b *Bus) object(path dbus.ObjectPath) (*object, error) {
	o := &object{b: b, path: path, ifaces: []*iface{introspectable}}
	is := func(own ...*iface) (*object, error) {
		o.ifaces = append([]*iface{introspectable, properties}, own...)
		return o, nil
	}
	none := failure("org.freedesktop.DBus.Error.UnknownObject", "there is no object %s; busctl tree %s shows those that there are", path, Name)
	if path == Root {
		return is(manager, objectManager)
	}
	if path == "/" || strings.HasPrefix(string(Root), string(path)+"/") {
		return o, nil
	}
	below, ok := strings.CutPrefix(string(path), string(Root)+"/")
	if !ok {
		return nil, none
	}
	switch kind, name, deeper := strings.Cut(below, "/"); {
	case !deeper && (kind == "session" || kind == "gpu"):
		return o, nil
	case kind == "session":
		n, ok := number(strings.TrimPrefix(name, "_"))
		if !ok || name[0] != '_' {
			return nil, none
		}
		defer b.reading()()
		s, err := b.server.Session(n)
		if err != nil {
			return nil, none
		}
		o.number, o.known.sessions = n, []daemon.SessionFigures{s}
		return is(session)
	case kind == "gpu":
		n, ok := number(name)
		if !ok {
			return nil, none
		}
		devices, _ := b.gpus.ask(b, gpuTime)
		if int64(n) >= int64(len(devices)) {
			return nil, none
		}
		o.number, o.known = n, view{b.look().sessions, devices}
		return is(gpu)
	}
	return nil, none
}

// number reads what strconv.Itoa wrote, and nothing else.
func number(s string) (uint32, bool) {
	n, err := strconv.ParseUint(s, 10, 32)
	return uint32(n), err == nil && strconv.FormatUint(n, 10) == s
}

// children are the names below a path.
func (b *Bus) children(path dbus.ObjectPath) []string {
	at := string(path)
	if at == "/" {
		at = ""
	}
	if rest, ok := strings.CutPrefix(string(Root), at+"/"); ok {
		name, _, _ := strings.Cut(rest, "/")
		return []string{name}
	}
	var all []string
	switch path {
	case Root:
		all = []string{"gpu", "session"}
	case Root + "/session":
		defer b.reading()()
		for _, s := range b.server.Sessions() {
			all = append(all, "_"+strconv.FormatUint(uint64(s.Session), 10))
		}
	case Root + "/gpu":
		devices, _ := b.gpus.ask(b, gpuTime)
		for i := range devices {
			all = append(all, strconv.Itoa(i))
		}
	}
	return all
}

// introspect is the object's description, as org.freedesktop.DBus.Introspectable has it.
func (o *object) introspect(children []string) string {
	node := introspect.Node{Interfaces: []introspect.Interface{introspect.PeerData}}
	args := func(all []arg, direction string) []introspect.Arg {
		var out []introspect.Arg
		for _, a := range all {
			out = append(out, introspect.Arg{Name: a.name, Type: a.kind, Direction: direction})
		}
		return out
	}
	for _, i := range o.ifaces {
		d := introspect.Interface{Name: i.name}
		for _, m := range i.methods {
			d.Methods = append(d.Methods, introspect.Method{Name: m.name, Args: append(args(m.in, "in"), args(m.out, "out")...)})
		}
		for _, p := range i.properties {
			d.Properties = append(d.Properties, introspect.Property{Name: p.name, Type: p.kind, Access: "read",
				Annotations: []introspect.Annotation{{Name: "org.freedesktop.DBus.Property.EmitsChangedSignal", Value: p.changes}}})
		}
		for _, s := range i.signals {
			d.Signals = append(d.Signals, introspect.Signal{Name: s.name, Args: args(s.args, "")})
		}
		node.Interfaces = append(node.Interfaces, d)
	}
	for _, c := range children {
		node.Children = append(node.Children, introspect.Node{Name: c})
	}
	text, err := xml.MarshalIndent(node, "", " ")
	if err != nil {
		panic(err) // the tables above are wrong
	}
	return strings.TrimSpace(introspect.IntrospectDeclarationString) + "\n" + string(text) + "\n"
}
