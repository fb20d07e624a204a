// SPDX-License-Identifier: Apache-2.0

package bus

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

const (
	noSuchSession = Name + ".Error.NoSuchSession"
	accessDenied  = "org.freedesktop.DBus.Error.AccessDenied"
	needsPassword = "org.freedesktop.DBus.Error.InteractiveAuthorizationRequired"
	tooMany       = "org.freedesktop.DBus.Error.LimitsExceeded"
	invalidArgs   = "org.freedesktop.DBus.Error.InvalidArgs"

	terminate = Name + ".Session.Terminate"
	setMax    = Name + ".Session.SetMemoryMax"
)

func TestWhoMayEndASession(t *testing.T) {
	m := newMachine(t)
	own, other, root := m.connect(owner), m.connect(another), m.connect(0)
	expect := func(what string, err error, want string) {
		t.Helper()
		if got := errorName(err); got != want {
			t.Errorf("%s: %q (%v), not %q", what, got, err, want)
		}
	}
	for n := uint32(1); n <= 5; n++ {
		m.server.begin(n, owner)
	}
	expect("its own user", call1(own, sessionPath(1), terminate).Err, "")
	expect("root", call1(root, sessionPath(2), terminate).Err, "")
	if got := m.polkit.last(); got != "" {
		t.Errorf("polkit was asked about them: %s", got)
	}
	expect("whom polkit does not let", call1(other, sessionPath(3), terminate).Err, accessDenied)
	if got, want := m.polkit.last(), "system-bus-name "+other.Names()[0]+" org.nervlinux.axon1.terminate-session 0 session 3"; got != want {
		t.Errorf("polkit was asked %q, not %q", got, want)
	}
	m.polkit.set(func(_ string, flags uint32) (bool, bool) { return flags == 1, flags == 0 })
	expect("who needs a password", call1(other, sessionPath(3), terminate).Err, needsPassword)
	if ended, _ := m.server.figures(3); ended != 0 {
		t.Error("it was ended all the same")
	}
	expect("who gave it", (&Client{other}).Terminate(context.Background(), 3), "")
	expect("a session that has ended", call1(own, sessionPath(3), terminate).Err, "org.freedesktop.DBus.Error.UnknownObject")
	m.polkit.set(func(action string, _ uint32) (bool, bool) {
		return action == "org.nervlinux.axon1.terminate-session", false
	})
	expect("whom polkit lets", call1(other, sessionPath(4), terminate).Err, "")
	for n := uint32(1); n <= 4; n++ {
		if ended, _ := m.server.figures(n); ended != 1 {
			t.Errorf("session %d was ended %d times", n, ended)
		}
	}
	expect("who wants no answer", other.Object(Name, sessionPath(5)).Call(terminate, dbus.FlagNoReplyExpected).Err, "")
	m.eventually("the session ends", func() bool { _, err := m.server.Session(5); return err != nil })
}

func TestWhoMayChangeALimit(t *testing.T) {
	m := newMachine(t)
	own, other, root := m.connect(owner), m.connect(another), m.connect(0)
	heard := m.listen()
	m.server.begin(1, owner) // 8192 are allowed
	for _, word := range []string{"InterfacesAdded", "SessionNew"} {
		if got := m.next(heard); !strings.Contains(got, word) {
			t.Fatalf("the signal is %q, not %s", got, word)
		}
	}
	max := func(c *dbus.Conn, bytes uint64, want string) {
		t.Helper()
		err := call1(c, sessionPath(1), setMax, bytes).Err
		if got := errorName(err); got != want {
			t.Errorf("%d: %q (%v), not %q", bytes, got, err, want)
		}
		if want != "" {
			return
		}
		if f, _ := m.server.Session(1); f.MemoryMax != bytes {
			t.Errorf("the limit is %d, not %d", f.MemoryMax, bytes)
		}
		said := fmt.Sprintf("%s org.freedesktop.DBus.Properties.PropertiesChanged [org.nervlinux.Axon1.Session map[MemoryMax:@t %d] []]", sessionPath(1), bytes)
		if got := m.next(heard); got != said {
			t.Errorf("the signal is %q, not %q", got, said)
		}
	}
	max(own, 100, "")
	max(own, 8192, "")
	max(own, 8193, accessDenied)
	max(own, 0, invalidArgs)
	max(root, 0, invalidArgs)
	max(other, 100, accessDenied)
	if got, want := m.polkit.last(), "system-bus-name "+other.Names()[0]+" org.nervlinux.axon1.limit-session 0 session 1"; got != want {
		t.Errorf("polkit was asked %q, not %q", got, want)
	}
	// What the administrator says the user cannot undo.
	max(root, 50, "")
	max(own, 60, accessDenied)
	max(own, 40, "")
	max(root, math.MaxUint64, "")
	max(own, 1<<40, "")
	m.polkit.set(func(action string, _ uint32) (bool, bool) {
		return action == "org.nervlinux.axon1.limit-session", false
	})
	max(other, 30, "")
	max(own, 31, "") // polkit says that everybody may
}

func TestWithoutPolkitRootMay(t *testing.T) {
	m := newMachine(t)
	m.server.begin(1, owner)
	m.server.begin(2, owner)
	m.polkitConn.Close()
	root := m.connect(0)
	m.eventually("polkit is gone", func() bool {
		var has bool
		must(t, root.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, "org.freedesktop.PolicyKit1").Store(&has))
		return !has
	})
	err := call1(m.connect(another), sessionPath(1), terminate).Err
	if errorName(err) != accessDenied || !strings.Contains(err.Error(), "as root") {
		t.Errorf("another user: %v", err)
	}
	for n, c := range []*dbus.Conn{root, m.connect(owner)} {
		if err := call1(c, sessionPath(uint32(n+1)), terminate).Err; err != nil {
			t.Error(err)
		}
	}
}

func TestOneUserDoesNotKeepPolkitFromOthers(t *testing.T) {
	m := newMachine(t)
	m.server.begin(1, owner)
	hold := make(chan struct{})
	m.polkit.set(func(string, uint32) (bool, bool) { <-hold; return false, false })
	greedy := m.connect(another)
	var waiting sync.WaitGroup
	refused := make(chan string, 100)
	for range 20 {
		waiting.Go(func() { refused <- errorName(call1(greedy, sessionPath(1), terminate).Err) })
	}
	for range 20 - decideUser {
		if got := <-refused; got != tooMany {
			t.Errorf("one call too many: %s", got)
		}
	}
	// Others are served meanwhile, and decided about.
	if err := call1(m.connect(65534), Root, Name+".Manager.ListSessions").Err; err != nil {
		t.Error(err)
	}
	last := make(chan string, 1)
	other := m.connect(third)
	go func() { last <- errorName(call1(other, sessionPath(1), terminate).Err) }()
	m.eventually("polkit decides about another user", func() bool { return strings.Contains(m.polkit.last(), other.Names()[0]) })
	close(hold)
	waiting.Wait()
	for range decideUser {
		if got := <-refused; got != accessDenied {
			t.Errorf("a call that waited: %s", got)
		}
	}
	if got := <-last; got != accessDenied {
		t.Errorf("the other user: %s", got)
	}
}

func TestTwoWhoEndTheSameSession(t *testing.T) {
	m := newMachine(t)
	heard := m.listen()
	a, b := m.connect(owner), m.connect(0)
	for n := uint32(1); n <= 50; n++ {
		m.server.begin(n, owner)
		m.next(heard) // InterfacesAdded
		m.next(heard) // SessionNew
		results := make(chan string, 2)
		for _, c := range []*dbus.Conn{a, b} {
			go func() { results <- errorName(call1(c, sessionPath(n), terminate).Err) }()
		}
		well := 0
		for range 2 {
			switch got := <-results; got {
			case "":
				well++
			case noSuchSession, "org.freedesktop.DBus.Error.UnknownObject":
			default:
				t.Errorf("session %d: %s", n, got)
			}
		}
		if ended, _ := m.server.figures(n); well == 0 || ended != 1 {
			t.Errorf("session %d: %d were told that it ends, it ended %d times", n, well, ended)
		}
		for _, want := range []string{
			fmt.Sprintf("%s %s.Manager.SessionRemoved [%d %s]", Root, Name, n, sessionPath(n)),
			fmt.Sprintf("%s org.freedesktop.DBus.ObjectManager.InterfacesRemoved [%s [%s.Session]]", Root, sessionPath(n), Name),
		} {
			if got := m.next(heard); got != want {
				t.Fatalf("the signal is %q, not %q", got, want)
			}
		}
	}
	m.bus.mu.Lock()
	defer m.bus.mu.Unlock()
	if len(m.bus.ending) > 0 {
		t.Errorf("of sessions that have ended it is still known that they were to: %v", m.bus.ending)
	}
}

func TestASessionsLifeIsToldOf(t *testing.T) {
	m := newMachine(t)
	heard := m.listen()
	m.server.mu.Lock()
	m.server.lingers = true
	m.server.mu.Unlock()
	m.server.begin(3, owner)
	if got := m.next(heard); !strings.HasPrefix(got, "/org/nervlinux/Axon1 org.freedesktop.DBus.ObjectManager.InterfacesAdded [/org/nervlinux/Axon1/session/_3 map[org.nervlinux.Axon1.Session:map[") ||
		!strings.Contains(got, "MemoryMax:@t 8192") || !strings.Contains(got, `State:"running"`) {
		t.Errorf("first: %s", got)
	}
	if got := m.next(heard); got != "/org/nervlinux/Axon1 org.nervlinux.Axon1.Manager.SessionNew [3 /org/nervlinux/Axon1/session/_3]" {
		t.Errorf("second: %s", got)
	}
	root := m.connect(0)
	for range 2 { // told of once
		must(t, call1(root, sessionPath(3), terminate).Err)
	}
	if got := m.next(heard); got != `/org/nervlinux/Axon1/session/_3 org.freedesktop.DBus.Properties.PropertiesChanged [org.nervlinux.Axon1.Session map[State:"ending"] []]` {
		t.Errorf("third: %s", got)
	}
	var state dbus.Variant
	must(t, call1(root, sessionPath(3), "org.freedesktop.DBus.Properties.Get", Name+".Session", "State").Store(&state))
	if state.Value() != "ending" {
		t.Errorf("the state is %v", state)
	}
	m.server.finish(3)
	if got := m.next(heard); got != "/org/nervlinux/Axon1 org.nervlinux.Axon1.Manager.SessionRemoved [3 /org/nervlinux/Axon1/session/_3]" {
		t.Errorf("fourth: %s", got)
	}
}

func TestSlowGPUsHoldUpNobodyForLong(t *testing.T) {
	m := newMachine(t)
	m.server.mu.Lock()
	m.server.slow = make(chan struct{})
	m.server.mu.Unlock()
	m.server.begin(1, owner)
	c := m.connect(owner)
	began := time.Now()
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			var objects map[dbus.ObjectPath]map[string]map[string]dbus.Variant
			if err := call1(c, Root, "org.freedesktop.DBus.ObjectManager.GetManagedObjects").Store(&objects); err != nil || len(objects) != 1 {
				t.Errorf("%v, %v", objects, err)
			}
		})
	}
	all.Wait()
	if took := time.Since(began); took > 3*gpuTime {
		t.Errorf("it took %v", took)
	}
	if _, asked := m.server.figures(1); asked != 1 {
		t.Errorf("the GPUs were asked for %d times at once", asked)
	}
	close(m.server.slow)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	var gpus []listedGPU
	must(t, c.Object(Name, Root).CallWithContext(ctx, Name+".Manager.ListGPUs", 0).Store(&gpus))
	if len(gpus) != 2 {
		t.Errorf("%v", gpus)
	}
}
