// SPDX-License-Identifier: Apache-2.0

package bus

import (
	"github.com/godbus/dbus/v5"

	"nervlinux.org/axon/daemon"
)

// manager is the interface of axond itself.
var manager = &iface{
	name: managerInterface,
	methods: []method{
		{name: "ListSessions", out: []arg{{"sessions", "a(uuuso)"}}, do: func(c *call, _ *object) ([]any, error) {
			defer c.reading()()
			all := []listed{}
			for _, s := range c.server.Sessions() {
				all = append(all, listed{s.Session, s.UID, uint32(s.PID), text(s.Comm), sessionPath(s.Session)})
			}
			return []any{all}, nil
		}},
		{name: "GetSession", in: []arg{{"id", "u"}}, out: []arg{{"path", "o"}}, do: func(c *call, _ *object) ([]any, error) {
			n := c.args[0].(uint32)
			defer c.reading()()
			if _, err := c.server.Session(n); err != nil {
				return nil, noSession(n)
			}
			return []any{sessionPath(n)}, nil
		}},
		{name: "GetSessionByPID", in: []arg{{"pid", "u"}}, out: []arg{{"path", "o"}}, do: func(c *call, _ *object) ([]any, error) {
			pid := c.args[0].(uint32)
			if pid == 0 { // the caller
				if err := c.ask("GetConnectionUnixProcessID", &pid); err != nil {
					return nil, err
				}
			}
			defer c.reading()()
			for _, s := range c.server.Sessions() {
				if uint32(s.PID) == pid || uint32(s.WorkerPID) == pid {
					return []any{sessionPath(s.Session)}, nil
				}
			}
			return nil, failure(Name+".Error.NoSuchSession", "process %d has no session; axon sessions shows those that there are", pid)
		}},
		{name: "ListGPUs", out: []arg{{"gpus", "a(usso)"}}, do: func(c *call, _ *object) ([]any, error) {
			devices, err := c.gpus.ask(c.Bus, listTime)
			if err != nil {
				return nil, failure(Name+".Error.GPUsUnknown", "%v", err)
			}
			all := []listedGPU{}
			for i, d := range devices {
				all = append(all, listedGPU{uint32(i), d.Name, d.UUID, gpuPath(i)})
			}
			return []any{all}, nil
		}},
	},
	properties: []property{
		{"Version", "s", fixed, func(o *object) any { return o.b.about.Version }},
		{"Vendor", "s", fixed, func(o *object) any { return text(o.b.about.Vendor) }},
		{"Sessions", "u", silent, func(o *object) any { return uint32(o.b.server.Counts().Sessions) }},
		{"SessionsStarted", "t", silent, func(o *object) any { return o.b.server.Counts().Started }},
		{"SessionsRefused", "t", silent, func(o *object) any { return o.b.server.Counts().Refused }},
	},
	signals: []signal{
		{"SessionNew", []arg{{"id", "u"}, {"path", "o"}}},
		{"SessionRemoved", []arg{{"id", "u"}, {"path", "o"}}},
	},
}

const managerInterface = Name + ".Manager"

// listed is one of ListSessions'.
type listed struct {
	ID, User, PID uint32
	Program       string
	Path          dbus.ObjectPath
}

// listedGPU is one of ListGPUs'.
type listedGPU struct {
	Index      uint32
	Name, UUID string
	Path       dbus.ObjectPath
}

func noSession(number uint32) error {
	return failure(Name+".Error.NoSuchSession", "there is no session %d; axon sessions shows those that there are", number)
}

// objectManager is D-Bus's own interface, of the root.
var objectManager = &iface{
	name: "org.freedesktop.DBus.ObjectManager",
	methods: []method{{name: "GetManagedObjects", out: []arg{{"objects", "a{oa{sa{sv}}}"}}, do: func(c *call, _ *object) ([]any, error) {
		devices, _ := c.gpus.ask(c.Bus, gpuTime)
		known := c.look()
		all := map[dbus.ObjectPath]map[string]map[string]dbus.Variant{}
		add := func(i *iface, path dbus.ObjectPath, n uint32, v view) {
			o := &object{b: c.Bus, path: path, known: v, number: n}
			all[path] = map[string]map[string]dbus.Variant{i.name: o.values(i)}
		}
		for _, s := range known.sessions {
			add(session, sessionPath(s.Session), s.Session, view{sessions: []daemon.SessionFigures{s}})
		}
		for i := range devices {
			add(gpu, gpuPath(i), uint32(i), view{known.sessions, devices})
		}
		return []any{all}, nil
	}}},
	signals: []signal{
		{"InterfacesAdded", []arg{{"object_path", "o"}, {"interfaces_and_properties", "a{sa{sv}}"}}},
		{"InterfacesRemoved", []arg{{"object_path", "o"}, {"interfaces", "as"}}},
	},
}
