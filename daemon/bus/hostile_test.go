// SPDX-License-Identifier: Apache-2.0

package bus

import (
	"context"
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// awkward are arguments of every type of D-Bus's, and combinations that have
// hurt somebody.
func awkward(fd dbus.UnixFD) map[string][]any {
	deep := dbus.MakeVariant("bottom")
	for range 30 {
		deep = dbus.MakeVariant([]dbus.Variant{deep})
	}
	chain := dbus.MakeVariant(uint32(1))
	for range 60 {
		chain = dbus.MakeVariant(chain)
	}
	type small struct{ A byte }
	structs := make([]small, 1<<12)
	variants := make([]dbus.Variant, 1<<12)
	for i := range variants {
		variants[i] = dbus.MakeVariant(byte(i))
	}
	return map[string][]any{
		"y": {byte(1)}, "b": {true}, "n": {int16(-1)}, "q": {uint16(1)}, "i": {int32(-1)}, "u": {uint32(math.MaxUint32)}, "x": {int64(-1)}, "t": {uint64(math.MaxUint64)},
		"d": {math.NaN()}, "s": {"text"}, "o": {dbus.ObjectPath("/a")}, "g": {dbus.SignatureOf("a{sv}")}, "v": {dbus.MakeVariant(1)}, "h": {fd},
		"ah": {[]dbus.UnixFD{fd, fd}}, "a{sh}": {map[string]dbus.UnixFD{"a": fd}}, "vh": {dbus.MakeVariant(fd)}, "vah": {dbus.MakeVariant([]dbus.UnixFD{fd})},
		"aah": {[][]dbus.UnixFD{{fd}, {}}}, "16h": {fd, fd, fd, fd, fd, fd, fd, fd, fd, fd, fd, fd, fd, fd, fd, fd},
		"ai": {[]int32{}}, "as": {[]string{"", "a"}}, "a{sv}": {map[string]dbus.Variant{"a": dbus.MakeVariant(map[string]dbus.Variant{})}},
		"(ss)": {struct{ A, B string }{"a", "b"}}, "deep": {deep}, "chain": {chain}, "a(y)": {structs}, "av": {variants},
		"long": {strings.Repeat("x", 1<<16)}, "longish": {strings.Repeat("x", callMost)}, "ay": {make([]byte, 1<<15)},
		"many": {uint32(1), uint32(2), "three", dbus.MakeVariant(4), []byte{5}}, "ss": {Name + ".Session", strings.Repeat("x", callMost/2)},
		"ssv": {"a", "b", chain}, "none": {}, "empty": {""},
	}
}

// everything are all objects' methods, and some that they do not have.
func everything() map[dbus.ObjectPath][]string {
	peer := []string{"org.freedesktop.DBus.Peer.Ping", "org.freedesktop.DBus.Peer.GetMachineId", "org.freedesktop.DBus.Peer.Nothing"}
	all := map[dbus.ObjectPath][]string{}
	for path, own := range map[dbus.ObjectPath][]*iface{
		"/": {}, "/nothing": {properties}, Root: {manager, objectManager, properties}, Root + "/session": {properties}, sessionPath(1): {session, properties},
		sessionPath(99): {session}, gpuPath(0): {gpu, properties}, gpuPath(99): {gpu},
	} {
		methods := append([]string{}, peer...)
		for _, i := range append(own, introspectable) {
			for _, m := range i.methods {
				methods = append(methods, i.name+"."+m.name)
			}
			methods = append(methods, i.name+".Nothing")
		}
		all[path] = methods
	}
	return all
}

// TestNoCallerCanHurtAxond sends everything to everything.
func TestNoCallerCanHurtAxond(t *testing.T) {
	m := newMachine(t)
	m.server.begin(1, owner)
	root := m.connect(0) // the policy lets root send more than others
	nobody := m.connect(65534)
	var before string
	must(t, root.BusObject().Call("org.freedesktop.DBus.GetNameOwner", 0, Name).Store(&before))
	f, err := os.Open("/dev/null")
	must(t, err)
	defer f.Close()
	fds := openFiles(t)
	calls := 0
	for path, methods := range everything() {
		for _, method := range methods {
			for name, args := range awkward(dbus.UnixFD(f.Fd())) {
				if strings.HasSuffix(method, ".Terminate") && name == "none" {
					continue // it is what it takes
				}
				ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
				err := root.Object(Name, path).CallWithContext(ctx, method, 0, args...).Err
				cancel()
				if ctx.Err() == context.DeadlineExceeded {
					t.Fatalf("%s %s with %s is not answered", path, method, name)
				}
				// What methods take is all that may go well.
				if err == nil && name != "none" && !strings.HasPrefix(method, "org.freedesktop.DBus.Peer.") &&
					!(name == "t" && method == setMax) && !(name == "empty" && strings.HasSuffix(method, "GetAll")) {
					t.Errorf("%s %s with %s goes well", path, method, name)
				}
				calls++
			}
		}
	}
	t.Logf("%d calls", calls)
	// It is the same axond, which still serves, and nothing stays behind.
	var after string
	must(t, root.BusObject().Call("org.freedesktop.DBus.GetNameOwner", 0, Name).Store(&after))
	if before != after {
		t.Errorf("axond was %s and is %s", before, after)
	}
	must(t, call1(nobody, sessionPath(1), "org.freedesktop.DBus.Properties.GetAll", Name+".Session").Err)
	m.eventually("calls are over", func() bool { return m.bus.inside.Load() == 0 })
	if now := openFiles(t); now > fds {
		t.Errorf("%d descriptors more are open", now-fds)
	}
	if ended, _ := m.server.figures(1); ended > 0 {
		t.Error("a call of the wrong arguments has ended a session")
	}
	if strings.Contains(m.log.String(), "went wrong") {
		t.Error("a call went wrong in axond")
	}
}

func openFiles(t *testing.T) int {
	t.Helper()
	all, err := os.ReadDir("/proc/self/fd")
	must(t, err)
	return len(all)
}

// TestAHugeMessageTakesNoMemory: an array of small structs takes much more
// memory once it is decoded.
func TestAHugeMessageTakesNoMemory(t *testing.T) {
	m := newMachine(t)
	c := m.connect(65534)
	type small struct{ A byte }
	msg := make([]small, 1<<20) // 8 MiB on the bus
	var stop, done = make(chan struct{}), make(chan uint64)
	go func() {
		most := uint64(0)
		for {
			var s runtime.MemStats
			runtime.ReadMemStats(&s)
			most = max(most, s.HeapInuse)
			select {
			case <-stop:
				done <- most
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	// The client's own part of it, which is this process too.
	encoded := func() {
		(&dbus.Message{Type: dbus.TypeSignal, Body: []any{msg}, Headers: map[dbus.HeaderField]dbus.Variant{
			dbus.FieldPath: dbus.MakeVariant(Root), dbus.FieldInterface: dbus.MakeVariant("a.b"), dbus.FieldMember: dbus.MakeVariant("c"),
			dbus.FieldSignature: dbus.MakeVariant(dbus.SignatureOf(msg))}}).IsValid()
	}
	encoded()
	if got := errorName(call1(c, Root, Name+".Manager.GetSession", msg).Err); got != invalidArgs {
		t.Errorf("the answer is %q", got)
	}
	close(stop)
	most := <-done
	t.Logf("at most %d MiB were in use", most>>20)
	if most > 150<<20 { // decoded it takes more than 300 MiB
		t.Errorf("%d MiB were in use", most>>20)
	}
}

// TestIntrospectionWhileSessionsComeAndGo: by godbus's own table of objects
// this ends the process.
func TestIntrospectionWhileSessionsComeAndGo(t *testing.T) {
	m := newMachine(t)
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 4 {
		c := m.connect(65534)
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				for _, path := range []dbus.ObjectPath{"/", Root, Root + "/session", sessionPath(50)} {
					err := call1(c, path, "org.freedesktop.DBus.Introspectable.Introspect").Err
					if name := errorName(err); name != "" && name != "org.freedesktop.DBus.Error.UnknownObject" {
						t.Errorf("%s: %v", path, err)
						return
					}
				}
			}
		})
	}
	for n := uint32(1); n <= 300; n++ {
		m.server.begin(n, owner)
		if n > 20 {
			m.server.finish(n - 20)
		}
	}
	close(stop)
	readers.Wait()
}

// TestTooManyCallsAreRefusedAndOthersAnswered: a caller that does not wait for
// its answers.
func TestTooManyCallsAreRefusedAndOthersAnswered(t *testing.T) {
	m := newMachine(t)
	m.server.mu.Lock()
	m.server.slow = make(chan struct{})
	m.server.mu.Unlock()
	// Of one connection's the bus itself lets no more than 128 wait.
	results := make(chan *dbus.Call, callsMax+200)
	for range (callsMax + 200) / 89 {
		flood := m.connect(another)
		for range 89 {
			flood.Object(Name, Root).Go(Name+".Manager.ListGPUs", 0, results)
		}
	}
	for range 200 {
		call := <-results
		if got := errorName(call.Err); got != tooMany {
			t.Fatalf("a call too many: %v", call.Err)
		}
	}
	close(m.server.slow)
	for range callsMax {
		if call := <-results; call.Err != nil {
			t.Fatal(call.Err)
		}
	}
	must(t, call1(m.connect(owner), Root, Name+".Manager.ListSessions").Err)
}

func TestAxondIsBackWhenTheBusIs(t *testing.T) {
	m := newMachine(t)
	m.server.begin(1, owner)
	m.daemon.Process.Kill()
	m.daemon.Wait()
	m.server.begin(2, owner) // nobody to tell
	m.daemon = startBus(t, m.dir)
	c := m.connect(owner)
	m.eventually("axond is on the new bus", func() bool {
		var has bool
		must(t, c.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, Name).Store(&has))
		return has
	})
	var sessions []listed
	must(t, call1(c, Root, Name+".Manager.ListSessions").Store(&sessions))
	if len(sessions) != 2 {
		t.Errorf("%v", sessions)
	}
	heard := m.listen()
	m.server.begin(3, owner)
	if got := m.next(heard); !strings.Contains(got, fmt.Sprint(sessionPath(3))) {
		t.Errorf("the signal is %s", got)
	}
}

// TestASecondAxondIsNotInTheWay: the name is the first one's.
func TestASecondAxondIsNotInTheWay(t *testing.T) {
	m := newMachine(t)
	log := &lockedBuffer{}
	second := New(m.address, About{}, newLog(log))
	second.open(m.server)
	defer second.Close()
	m.eventually("the second says so", func() bool { return strings.Contains(log.String(), "another axond is there") })
	var v dbus.Variant
	must(t, call1(m.connect(owner), Root, "org.freedesktop.DBus.Properties.Get", Name+".Manager", "Version").Store(&v))
	if v.Value() != "1.2.3" {
		t.Errorf("who answers is %v", v)
	}
}
