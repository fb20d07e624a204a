// SPDX-License-Identifier: Apache-2.0

package bus

import (
	"sync"

	"github.com/godbus/dbus/v5"

	"nervlinux.org/axon/daemon"
)

// voiceMost is how many signals may wait. A bus that takes none of so many is
// left: whoever listens then sees axond's name go, and asks anew when it is back.
const voiceMost = 10000

// voice says signals in the order in which they came about, without holding up
// whom they come from.
type voice struct {
	mu     sync.Mutex
	spoken chan struct{} // there is something to say; nil while axond is not on the bus
	queue  []func(*speech)
}

// speech is what a signal is said with.
type speech struct{ conn *dbus.Conn }

// say has something said, if axond is on the bus.
func (v *voice) say(f func(*speech)) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.spoken == nil {
		return
	}
	v.queue = append(v.queue, f)
	select {
	case v.spoken <- struct{}{}:
	default:
	}
}

// serve speaks on a connection until that is lost or axond leaves the bus.
func (b *Bus) serve(conn *dbus.Conn) {
	v := &b.said
	spoken := make(chan struct{}, 1)
	v.mu.Lock()
	v.spoken, v.queue = spoken, nil
	v.mu.Unlock()
	defer func() {
		v.mu.Lock()
		v.spoken, v.queue = nil, nil
		v.mu.Unlock()
		conn.Close()
	}()
	for {
		select {
		case <-b.ctx.Done():
			return
		case <-conn.Context().Done():
			return
		case <-spoken:
		}
		v.mu.Lock()
		queue := v.queue
		v.queue = nil
		v.mu.Unlock()
		if len(queue) > voiceMost {
			b.log.Warn("the bus is too slow for axond's signals; axond connects again", "waiting", len(queue))
			return
		}
		for _, f := range queue {
			f(&speech{conn})
		}
	}
}

func (s *speech) signal(path dbus.ObjectPath, name string, args ...any) {
	s.conn.Emit(path, name, args...) // an error is the connection's end, which is seen
}

// changed says that properties are other ones.
func (s *speech) changed(path dbus.ObjectPath, in string, now map[string]any) {
	values := map[string]dbus.Variant{}
	for name, v := range now {
		values[name] = dbus.MakeVariant(v)
	}
	s.signal(path, "org.freedesktop.DBus.Properties.PropertiesChanged", in, values, []string{})
}

// SessionStarted is daemon.Bus's.
func (b *Bus) SessionStarted(info daemon.SessionInfo, _ daemon.Counts) {
	b.said.say(func(v *speech) {
		figures, err := b.server.Session(info.Session)
		if err != nil {
			figures = daemon.SessionFigures{SessionInfo: info} // it has ended already
		}
		path := sessionPath(info.Session)
		o := &object{b: b, path: path, number: info.Session, known: view{sessions: []daemon.SessionFigures{figures}}}
		v.signal(Root, "org.freedesktop.DBus.ObjectManager.InterfacesAdded", path, map[string]map[string]dbus.Variant{sessionInterface: o.values(session)})
		v.signal(Root, managerInterface+".SessionNew", info.Session, path)
	})
}

// SessionEnded is daemon.Bus's.
func (b *Bus) SessionEnded(info daemon.SessionInfo, _ string, _ daemon.Counts) {
	b.forget(info.Session)
	b.said.say(func(v *speech) {
		path := sessionPath(info.Session)
		v.signal(Root, managerInterface+".SessionRemoved", info.Session, path)
		v.signal(Root, "org.freedesktop.DBus.ObjectManager.InterfacesRemoved", path, []string{sessionInterface})
	})
}
