// SPDX-License-Identifier: Apache-2.0

package scope

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	sd "github.com/coreos/go-systemd/v22/dbus"
	"github.com/godbus/dbus/v5"

	"nervlinux.org/axon/daemon"
	"nervlinux.org/axon/daemon/transient"
)

// fake is a systemd on a bus of its own, whose control groups are folders and
// whose processes are in the group that a map says.
type fake struct {
	t      *testing.T
	groups string
	conn   *dbus.Conn

	mu       sync.Mutex
	units    map[string]string // ActiveState by name
	of       map[int]string    // group by process
	asked    []map[string]any  // properties of each StartTransientUnit
	jobs     int
	misdeeds []string // what it does wrong next
}

const managerInterface = "org.freedesktop.systemd1.Manager"

func newFake(t *testing.T, misdeeds ...string) (*Systemd, *fake) {
	t.Helper()
	daemonPath, err := exec.LookPath("dbus-daemon")
	if err != nil {
		t.Skip("skipped: there is no dbus-daemon for a bus of the test's own")
	}
	dir := t.TempDir()
	config := filepath.Join(dir, "bus.conf")
	must(t, os.WriteFile(config, []byte(`<busconfig><listen>unix:path=`+dir+`/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`), 0o644))
	cmd := exec.Command(daemonPath, "--config-file="+config, "--nofork", "--print-address")
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	address, err := bufio.NewReader(out).ReadString('\n')
	must(t, err)
	dial := func() (*dbus.Conn, error) { return dbus.Connect(strings.TrimSpace(address)) }

	f := &fake{t: t, groups: filepath.Join(dir, "groups"), units: map[string]string{}, of: map[int]string{}, misdeeds: misdeeds}
	f.conn, err = dial()
	must(t, err)
	t.Cleanup(func() { f.conn.Close() })
	must(t, f.conn.ExportMethodTable(map[string]any{
		"StartTransientUnit": f.startTransientUnit, "StopUnit": f.stopUnit, "ResetFailedUnit": func(string) *dbus.Error { return nil },
		"ListUnitsByPatterns": f.listUnits, "GetUnitByPID": f.unitByPID, "ListJobs": f.listJobs,
	}, "/org/freedesktop/systemd1", managerInterface))
	must(t, f.conn.ExportSubtreeMethodTable(map[string]any{"Get": f.get}, "/org/freedesktop/systemd1/unit", "org.freedesktop.DBus.Properties"))
	_, err = f.conn.RequestName("org.freedesktop.systemd1", dbus.NameFlagDoNotQueue)
	must(t, err)

	log := slog.New(slog.DiscardHandler)
	s := &Systemd{log: log, manager: &transient.Manager{Log: log, Groups: f.groups, Group: f.groupOf,
		Dial: func() (*sd.Conn, error) { return sd.NewConnection(dial) }}}
	t.Cleanup(s.Close)
	return s, f
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// scope is how a scope is, and how often one was asked for.
func (f *fake) scope(name string) (state string, asked int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.units[name], len(f.asked)
}

func (f *fake) groupOf(pid int) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if g, ok := f.of[pid]; ok {
		return g, nil
	}
	return "/system.slice/axond.service", nil
}

type property struct {
	Name  string
	Value dbus.Variant
}

type aux struct {
	Name       string
	Properties []property
}

func (f *fake) startTransientUnit(name, mode string, properties []property, _ []aux) (dbus.ObjectPath, *dbus.Error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	misdeed := ""
	if len(f.misdeeds) > 0 {
		misdeed, f.misdeeds = f.misdeeds[0], f.misdeeds[1:]
	}
	if _, ok := f.units[name]; ok {
		return "", dbus.NewError("org.freedesktop.systemd1.UnitExists", []any{"Unit " + name + " was already loaded."})
	}
	got := map[string]any{"mode": mode}
	for _, p := range properties {
		got[p.Name] = p.Value.Value()
	}
	f.asked = append(f.asked, got)
	group := "/axon.slice/" + name
	must(f.t, os.MkdirAll(f.groups+group, 0o755))
	for file, value := range map[string]any{"memory.max": got["MemoryMax"], "memory.high": got["MemoryHigh"]} {
		text := fmt.Sprint(value)
		if value == uint64(math.MaxUint64) || misdeed == "no limits" {
			text = "max"
		}
		must(f.t, os.WriteFile(filepath.Join(f.groups, group, file), []byte(text+"\n"), 0o644))
	}
	result := "done"
	switch misdeed {
	case "dead at birth":
		f.of[int(got["PIDs"].([]uint32)[0])] = group
	case "not moved":
		f.units[name] = "active"
	case "job fails":
		result = "failed"
	case "refuses":
		return "", dbus.NewError("org.freedesktop.DBus.Error.AccessDenied", []any{"no"})
	default:
		f.units[name] = "active"
		f.of[int(got["PIDs"].([]uint32)[0])] = group
	}
	return f.job(name, result), nil
}

// job ends soon.
func (f *fake) job(name, result string) dbus.ObjectPath {
	f.jobs++
	id, path := uint32(f.jobs), dbus.ObjectPath(fmt.Sprintf("/org/freedesktop/systemd1/job/%d", f.jobs))
	time.AfterFunc(5*time.Millisecond, func() {
		f.conn.Emit("/org/freedesktop/systemd1", managerInterface+".JobRemoved", id, path, name, result)
	})
	return path
}

func (f *fake) stopUnit(name, _ string) (dbus.ObjectPath, *dbus.Error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, ok := f.units[name]; !ok {
		return "", dbus.NewError("org.freedesktop.systemd1.NoSuchUnit", []any{"Unit " + name + " not loaded."})
	}
	delete(f.units, name)
	return f.job(name, "done"), nil
}

func (f *fake) get(m dbus.Message, iface, name string) (dbus.Variant, *dbus.Error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	path, _ := m.Headers[dbus.FieldPath].Value().(dbus.ObjectPath)
	for unit, state := range f.units {
		if string(path) == "/org/freedesktop/systemd1/unit/"+sd.PathBusEscape(unit) {
			return dbus.MakeVariant(state), nil
		}
	}
	return dbus.MakeVariant("inactive"), nil
}

func (f *fake) listUnits(_, _ []string) ([]sd.UnitStatus, *dbus.Error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []sd.UnitStatus
	for unit, state := range f.units {
		all = append(all, sd.UnitStatus{Name: unit, ActiveState: state, Path: "/x", JobPath: "/"})
	}
	return all, nil
}

func (f *fake) unitByPID(uint32) (dbus.ObjectPath, *dbus.Error) {
	return "/org/freedesktop/systemd1/unit/axond_2eservice", nil
}

func (f *fake) listJobs() ([]sd.JobStatus, *dbus.Error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.misdeeds) == 0 {
		return nil, nil
	}
	return []sd.JobStatus{{Id: 3, Unit: "axond.service", JobType: f.misdeeds[0], Status: "running", JobPath: "/x", UnitPath: "/x"}}, nil
}

func TestAWorkerGetsItsScopeWithItsLimits(t *testing.T) {
	s, f := newFake(t)
	name, err := s.Place(context.Background(), daemon.Placement{Session: 7, PID: os.Getpid(), Description: "a session", Limits: daemon.Limits{MemoryMax: 1 << 30, TasksMax: 9}})
	must(t, err)
	if name != "axon-session-7.scope" {
		t.Errorf("it is called %s", name)
	}
	f.mu.Lock()
	got := f.asked[0]
	f.mu.Unlock()
	for property, want := range map[string]any{
		"mode": "fail", "Slice": "axon.slice", "Description": "a session", "CollectMode": "inactive-or-failed",
		"MemoryMax": uint64(1 << 30), "MemoryHigh": uint64(math.MaxUint64), "MemorySwapMax": uint64(0), "TasksMax": uint64(9),
	} {
		if got[property] != want {
			t.Errorf("%s is %v, not %v", property, got[property], want)
		}
	}
	if pids, _ := got["PIDs"].([]uint32); len(pids) != 1 || pids[0] != uint32(os.Getpid()) {
		t.Errorf("PIDs is %v", got["PIDs"])
	}
}

// A worker that waits has a scope, and leaves it for its session's.
func TestAWorkerThatWaitsIsNotAxonds(t *testing.T) {
	s, f := newFake(t)
	must(t, s.Wait(context.Background(), os.Getpid()))
	name := fmt.Sprintf("axon-warm-%d.scope", os.Getpid())
	if state, _ := f.scope(name); state != "active" {
		t.Errorf("%s is %q", name, state)
	}
	if group, _ := f.groupOf(os.Getpid()); group != "/axon.slice/"+name {
		t.Errorf("the worker is in %s", group)
	}
	_, err := s.Place(context.Background(), daemon.Placement{Session: 3, PID: os.Getpid()})
	must(t, err)
	if group, _ := f.groupOf(os.Getpid()); group != "/axon.slice/axon-session-3.scope" {
		t.Errorf("with a session the worker is in %s", group)
	}
}

func TestAScopeThatIsNotAsItShouldBeIsMadeAgain(t *testing.T) {
	for _, misdeed := range []string{"dead at birth", "not moved", "job fails", "no limits"} {
		t.Run(misdeed, func(t *testing.T) {
			s, f := newFake(t, misdeed, "", misdeed)
			p := daemon.Placement{Session: 1, PID: os.Getpid(), Limits: daemon.Limits{MemoryMax: 1 << 20}}
			_, err := s.Place(context.Background(), p)
			must(t, err)
			state, _ := f.scope("axon-session-1.scope")
			if g, _ := f.groupOf(os.Getpid()); g != "/axon.slice/axon-session-1.scope" || state != "active" {
				t.Errorf("in the end the worker is in %s, and the scope %q", g, state)
			}
		})
	}
}

func TestAWorkerThatCannotBePlacedIsAnError(t *testing.T) {
	s, _ := newFake(t, "refuses", "refuses", "refuses", "refuses", "refuses", "refuses")
	if _, err := s.Place(context.Background(), daemon.Placement{Session: 1, PID: os.Getpid()}); err == nil || !strings.Contains(err.Error(), "axon-session-1.scope: no") {
		t.Errorf("it says %v", err)
	}
	gone := exec.Command("true")
	must(t, gone.Run())
	s, f := newFake(t, "job fails", "job fails")
	_, err := s.Place(context.Background(), daemon.Placement{Session: 1, PID: gone.Process.Pid})
	if _, asked := f.scope(""); err == nil || asked != 1 {
		t.Errorf("for a process that is gone it asked %d times and says %v", asked, err)
	}
}

func TestALostConnectionIsMadeAnew(t *testing.T) {
	s, _ := newFake(t)
	p := daemon.Placement{Session: 1, PID: os.Getpid()}
	_, err := s.Place(context.Background(), p)
	must(t, err)
	conn, err := s.manager.Conn()
	must(t, err)
	conn.Close()
	p.Session = 2
	_, err = s.Place(context.Background(), p)
	must(t, err)
}

func TestScopesOfNoSessionAreStopped(t *testing.T) {
	s, f := newFake(t)
	for i := range uint32(3) {
		_, err := s.Place(context.Background(), daemon.Placement{Session: i + 1, PID: os.Getpid()})
		must(t, err)
	}
	f.mu.Lock()
	f.units["axon-session-x.scope"] = "active"
	f.units["axon-warm-77.scope"] = "active"
	f.mu.Unlock()
	s.Strays(context.Background(), func(session uint32) bool { return session == 2 })
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.units) != 2 || f.units["axon-session-2.scope"] == "" || f.units["axon-session-x.scope"] == "" {
		t.Errorf("left are %v", f.units)
	}
}

func TestARestartIsToldFromAStop(t *testing.T) {
	for job, want := range map[string]bool{"": false, "restart": true, "try-restart": true, "stop": false} {
		s, f := newFake(t)
		f.conn.ExportMethodTable(map[string]any{"Get": func(string, string) (dbus.Variant, *dbus.Error) {
			return dbus.MakeVariant("axond.service"), nil
		}}, "/org/freedesktop/systemd1/unit/axond_2eservice", "org.freedesktop.DBus.Properties")
		if job != "" {
			f.mu.Lock()
			f.misdeeds = []string{job}
			f.mu.Unlock()
		}
		if got, err := s.Restarting(context.Background()); err != nil || got != want {
			t.Errorf("during a job %q it says %v, %v", job, got, err)
		}
	}
}
