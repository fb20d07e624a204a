// SPDX-License-Identifier: Apache-2.0

package bus

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"testing"

	"github.com/godbus/dbus/v5"
)

var update = flag.Bool("update", false, "write what objects say of themselves into testdata")

func TestAnybodyMayRead(t *testing.T) {
	m := newMachine(t)
	m.server.begin(7, owner)
	c := m.connect(65534)

	var sessions []listed
	must(t, call1(c, Root, Name+".Manager.ListSessions").Store(&sessions))
	if want := []listed{{7, owner, 1007, "train?", "/org/nervlinux/Axon1/session/_7"}}; !reflect.DeepEqual(sessions, want) {
		t.Errorf("ListSessions: %+v", sessions)
	}
	var path dbus.ObjectPath
	must(t, call1(c, Root, Name+".Manager.GetSession", uint32(7)).Store(&path))
	if path != sessionPath(7) {
		t.Errorf("GetSession: %s", path)
	}
	for _, pid := range []uint32{1007, 2007} {
		must(t, call1(c, Root, Name+".Manager.GetSessionByPID", pid).Store(&path))
		if path != sessionPath(7) {
			t.Errorf("GetSessionByPID of %d: %s", pid, path)
		}
	}
	for _, err := range []error{
		call1(c, Root, Name+".Manager.GetSession", uint32(8)).Err,
		call1(c, Root, Name+".Manager.GetSessionByPID", uint32(1)).Err,
		call1(c, Root, Name+".Manager.GetSessionByPID", uint32(0)).Err, // the test itself has none
	} {
		if got := errorName(err); got != Name+".Error.NoSuchSession" {
			t.Errorf("a session that is not there: %v", err)
		}
	}
	var gpus []listedGPU
	must(t, call1(c, Root, Name+".Manager.ListGPUs").Store(&gpus))
	if want := []listedGPU{{0, "first", "GPU-a", gpuPath(0)}, {1, "second", "GPU-b", gpuPath(1)}}; !reflect.DeepEqual(gpus, want) {
		t.Errorf("ListGPUs: %+v", gpus)
	}

	want := map[string]map[string]any{
		string(sessionPath(7)): {
			"Id": uint32(7), "User": uint32(owner), "PID": uint32(1007), "Program": "train?", "Scope": "axon-session-7.scope",
			"Since": uint64(1700000000000000), "Remote": false, "State": "running", "GPU": []dbus.ObjectPath{gpuPath(1)},
			"MemoryUsed": uint64(100), "MemoryMax": uint64(8192), "EffectiveMemoryMax": uint64(4096), "AllocationsRefused": uint64(3), "Calls": uint64(99),
		},
		string(gpuPath(0)): {"Index": uint32(0), "Name": "first", "UUID": "GPU-a", "MemoryTotal": uint64(1 << 30), "SharesMemory": false, "Sessions": []dbus.ObjectPath{}},
		string(gpuPath(1)): {"Index": uint32(1), "Name": "second", "UUID": "GPU-b", "MemoryTotal": uint64(2 << 30), "SharesMemory": true, "Sessions": []dbus.ObjectPath{sessionPath(7)}},
		string(Root):       {"Version": "1.2.3", "Vendor": "/vendor", "Sessions": uint32(1), "SessionsStarted": uint64(7), "SessionsRefused": uint64(2)},
	}
	plain := func(in map[string]dbus.Variant) map[string]any {
		out := map[string]any{}
		for k, v := range in {
			out[k] = v.Value()
		}
		return out
	}
	interfaces := map[string]string{string(sessionPath(7)): ".Session", string(gpuPath(0)): ".GPU", string(gpuPath(1)): ".GPU", string(Root): ".Manager"}
	for path, expected := range want {
		var all map[string]dbus.Variant
		must(t, call1(c, dbus.ObjectPath(path), "org.freedesktop.DBus.Properties.GetAll", Name+interfaces[path]).Store(&all))
		if got := plain(all); !reflect.DeepEqual(got, expected) {
			t.Errorf("%s has %+v", path, got)
		}
		for name, value := range expected {
			var v dbus.Variant
			must(t, call1(c, dbus.ObjectPath(path), "org.freedesktop.DBus.Properties.Get", Name+interfaces[path], name).Store(&v))
			if !reflect.DeepEqual(v.Value(), value) {
				t.Errorf("%s: %s is %v", path, name, v)
			}
		}
	}
	var objects map[dbus.ObjectPath]map[string]map[string]dbus.Variant
	must(t, call1(c, Root, "org.freedesktop.DBus.ObjectManager.GetManagedObjects").Store(&objects))
	if len(objects) != 3 {
		t.Errorf("%d objects are managed", len(objects))
	}
	for path, ifaces := range objects {
		for in, all := range ifaces {
			if in != Name+interfaces[string(path)] || !reflect.DeepEqual(plain(all), want[string(path)]) {
				t.Errorf("GetManagedObjects: %s %s %+v", path, in, all)
			}
		}
	}
	for _, x := range []struct{ in, name, want string }{
		{Name + ".Session", "Nothing", "org.freedesktop.DBus.Error.UnknownProperty"},
		{Name + ".Nothing", "Id", "org.freedesktop.DBus.Error.UnknownInterface"},
	} {
		if got := errorName(call1(c, sessionPath(7), "org.freedesktop.DBus.Properties.Get", x.in, x.name).Err); got != x.want {
			t.Errorf("%s.%s: %s", x.in, x.name, got)
		}
	}
	root := m.connect(0) // the policy keeps others from Set at all
	if got := errorName(call1(root, sessionPath(7), "org.freedesktop.DBus.Properties.Set", Name+".Session", "MemoryMax", dbus.MakeVariant(uint64(1))).Err); got != "org.freedesktop.DBus.Error.PropertyReadOnly" {
		t.Errorf("Set: %s", got)
	}
	if got := errorName(call1(c, sessionPath(7), "org.freedesktop.DBus.Properties.Set", Name+".Session", "MemoryMax", dbus.MakeVariant(uint64(1))).Err); got != "org.freedesktop.DBus.Error.AccessDenied" {
		t.Errorf("Set by another user: %s", got)
	}
	// Whoever asks again gets what is known.
	if _, asked := m.server.figures(7); asked > 3 {
		t.Errorf("the GPUs were asked for %d times", asked)
	}
}

// TestObjectsDescribeThemselves compares with testdata; -update writes it.
func TestObjectsDescribeThemselves(t *testing.T) {
	m := newMachine(t)
	m.server.begin(7, owner)
	m.server.begin(12, owner)
	c := m.connect(65534)
	all := ""
	for _, path := range []dbus.ObjectPath{"/", "/org", "/org/nervlinux", Root, Root + "/session", sessionPath(7), Root + "/gpu", gpuPath(0)} {
		var text string
		must(t, call1(c, path, "org.freedesktop.DBus.Introspectable.Introspect").Store(&text))
		all += fmt.Sprintf("%s\n%s\n", path, text)
	}
	const golden = "testdata/introspection"
	if *update {
		must(t, os.MkdirAll("testdata", 0o755))
		must(t, os.WriteFile(golden, []byte(all), 0o644))
	}
	want, err := os.ReadFile(golden)
	must(t, err)
	if all != string(want) {
		t.Errorf("it is not as %s has it (go test -update writes it anew):\n%s", golden, all)
	}
	for _, path := range []dbus.ObjectPath{"/o", "/org/nervlinu", "/org/nervlinux/Axon", "/org/nervlinux/Axon1/session/7", "/org/nervlinux/Axon1/session/_07",
		"/org/nervlinux/Axon1/session/_8", "/org/nervlinux/Axon1/session/_", "/org/nervlinux/Axon1/session/_99999999999", "/org/nervlinux/Axon1/session/_7/x",
		"/org/nervlinux/Axon1/gpu/2", "/org/nervlinux/Axon1/gpu/_0", "/org/nervlinux/Axon1/gpu/4294967295", "/org/nervlinux/Axon1/x"} {
		if got := errorName(call1(c, path, "org.freedesktop.DBus.Introspectable.Introspect").Err); got != "org.freedesktop.DBus.Error.UnknownObject" {
			t.Errorf("%s: %s", path, got)
		}
	}
}
