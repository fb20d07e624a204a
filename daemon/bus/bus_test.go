// SPDX-License-Identifier: Apache-2.0

package bus

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"golang.org/x/sys/unix"

	"nervlinux.org/axon/daemon"
	"nervlinux.org/axon/wire"
)

// Users that every machine has: dbus-daemon lets in no others.
const (
	owner   = 1
	another = 2
	third   = 3
)

// fakeServer has the sessions that a test gives it.
type fakeServer struct {
	bus *Bus

	mu       sync.Mutex
	sessions map[uint32]daemon.SessionFigures
	ended    map[uint32]int // how often
	devices  []wire.Device
	asked    int           // for devices
	slow     chan struct{} // not nil: Devices waits for it
	lingers  bool          // a session that is told to end takes its time
}

func (s *fakeServer) Sessions() []daemon.SessionFigures {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []daemon.SessionFigures
	for _, x := range s.sessions {
		all = append(all, x)
	}
	slices.SortFunc(all, func(a, b daemon.SessionFigures) int { return cmp.Compare(a.Session, b.Session) })
	return all
}

func (s *fakeServer) Session(n uint32) (daemon.SessionFigures, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x, ok := s.sessions[n]
	if !ok {
		return x, daemon.ErrNoSession
	}
	return x, nil
}

func (s *fakeServer) Terminate(n uint32, why string) error {
	s.mu.Lock()
	x, ok := s.sessions[n]
	lingers := s.lingers
	if ok {
		s.ended[n]++
	}
	if !lingers {
		delete(s.sessions, n)
	}
	s.mu.Unlock()
	if !ok {
		return daemon.ErrNoSession
	}
	if !lingers {
		s.bus.SessionEnded(x.SessionInfo, why, s.Counts())
	}
	return nil
}

// finish has a lingering session end.
func (s *fakeServer) finish(n uint32) {
	s.mu.Lock()
	x := s.sessions[n]
	delete(s.sessions, n)
	s.mu.Unlock()
	s.bus.SessionEnded(x.SessionInfo, "", s.Counts())
}

func (s *fakeServer) SetLimit(n uint32, bytes uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	x, ok := s.sessions[n]
	if !ok {
		return daemon.ErrNoSession
	}
	x.MemoryMax = bytes
	s.sessions[n] = x
	return nil
}

func (s *fakeServer) Allow(n uint32, bytes uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	x, ok := s.sessions[n]
	if !ok {
		return daemon.ErrNoSession
	}
	x.MemoryAllowed = bytes
	s.sessions[n] = x
	return nil
}

func (s *fakeServer) Devices(ctx context.Context) ([]wire.Device, error) {
	s.mu.Lock()
	s.asked++
	slow, devices := s.slow, s.devices
	s.mu.Unlock()
	if slow != nil {
		select {
		case <-slow:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return devices, nil
}

// figures are how often a session was ended, and how often the GPUs were asked for.
func (s *fakeServer) figures(n uint32) (ended, asked int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended[n], s.asked
}

func (s *fakeServer) Counts() daemon.Counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	return daemon.Counts{Sessions: len(s.sessions), Started: 7, Refused: 2}
}

// begin adds a session of a user's.
func (s *fakeServer) begin(n, uid uint32) {
	x := daemon.SessionFigures{
		SessionInfo: daemon.SessionInfo{Session: n, PID: 1000 + int(n), UID: uid, Comm: "train\xff", WorkerPID: 2000 + int(n),
			Scope: fmt.Sprintf("axon-session-%d.scope", n), Started: time.UnixMicro(1700000000000000), GPUs: []string{"GPU-b"}},
		Figures:   wire.Figures{Device: 100, Pinned: 11, Limit: 4096, Refused: 3, Devices: 1},
		Calls:     99,
		MemoryMax: 8192, MemoryAllowed: 8192,
	}
	s.mu.Lock()
	s.sessions[n] = x
	s.mu.Unlock()
	s.bus.SessionStarted(x.SessionInfo, s.Counts())
}

// fakePolkit answers CheckAuthorization.
type fakePolkit struct {
	mu      sync.Mutex
	asked   []string
	answers func(action string, flags uint32) (authorized, challenge bool)
}

func (p *fakePolkit) CheckAuthorization(subject struct {
	Kind    string
	Details map[string]dbus.Variant
}, action string, details map[string]string, flags uint32, id string) (struct {
	Authorized, Challenge bool
	Details               map[string]string
}, *dbus.Error) {
	p.mu.Lock()
	p.asked = append(p.asked, fmt.Sprint(subject.Kind, " ", subject.Details["name"].Value(), " ", action, " ", flags, " session ", details["session"]))
	answers := p.answers
	p.mu.Unlock()
	var r struct {
		Authorized, Challenge bool
		Details               map[string]string
	}
	r.Authorized, r.Challenge = answers(action, flags)
	return r, nil
}

func (p *fakePolkit) CancelCheckAuthorization(string) *dbus.Error { return nil }

func (p *fakePolkit) set(answers func(action string, flags uint32) (bool, bool)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answers = answers
}

func (p *fakePolkit) last() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.asked) == 0 {
		return ""
	}
	return p.asked[len(p.asked)-1]
}

// machine is a bus of the test's own with axond and polkit on it.
type machine struct {
	t       *testing.T
	address string
	server  *fakeServer
	bus     *Bus
	polkit  *fakePolkit
	log     *lockedBuffer

	dir        string
	daemon     *exec.Cmd
	polkitConn *dbus.Conn
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func newLog(to *lockedBuffer) *slog.Logger { return slog.New(slog.NewTextHandler(to, nil)) }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// startBus starts a dbus-daemon with the policy that is installed.
func startBus(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath("dbus-daemon")
	if err != nil {
		t.Skip("skipped: there is no dbus-daemon for a bus of the test's own")
	}
	if os.Geteuid() != 0 {
		t.Skip("skipped: this needs root, whose the name is, and who can be other users")
	}
	policy, err := filepath.Abs("../../units/org.nervlinux.Axon1.conf")
	must(t, err)
	config := filepath.Join(dir, "bus.conf")
	must(t, os.Chmod(dir, 0o755))
	// The default policy is that of Debian's system bus.
	must(t, os.WriteFile(config, []byte(`<busconfig><type>system</type><listen>unix:path=`+dir+`/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow user="*"/><deny own="*"/><deny send_type="method_call"/><allow send_type="signal"/>
<allow send_requested_reply="true" send_type="method_return"/><allow send_requested_reply="true" send_type="error"/>
<allow receive_type="method_call"/><allow receive_type="method_return"/><allow receive_type="error"/><allow receive_type="signal"/>
<allow send_destination="org.freedesktop.DBus"/></policy>
<policy user="root"><allow own="org.freedesktop.PolicyKit1"/><allow send_destination="org.freedesktop.PolicyKit1"/></policy>
<include>`+policy+`</include></busconfig>`), 0o644))
	cmd := exec.Command(path, "--config-file="+config, "--nofork", "--nopidfile", "--print-address")
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	_, err = bufio.NewReader(out).ReadString('\n')
	must(t, err)
	return cmd
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	dir, err := os.MkdirTemp("", "axon-bus") // t.TempDir is too long for a socket
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	m := &machine{t: t, dir: dir, daemon: startBus(t, dir), address: "unix:path=" + dir + "/bus", log: &lockedBuffer{}}
	m.polkit = &fakePolkit{answers: func(string, uint32) (bool, bool) { return false, false }}
	conn := m.connect(0)
	m.polkitConn = conn
	must(t, conn.Export(m.polkit, "/org/freedesktop/PolicyKit1/Authority", "org.freedesktop.PolicyKit1.Authority"))
	_, err = conn.RequestName("org.freedesktop.PolicyKit1", dbus.NameFlagDoNotQueue)
	must(t, err)

	m.bus = New(m.address, About{"1.2.3", "/vendor"}, newLog(m.log))
	m.server = &fakeServer{bus: m.bus, sessions: map[uint32]daemon.SessionFigures{}, ended: map[uint32]int{},
		devices: []wire.Device{{Name: "first", UUID: "GPU-a", Memory: 1 << 30}, {Name: "second", UUID: "GPU-b", Memory: 2 << 30, Shares: true}}}
	m.bus.open(m.server)
	t.Cleanup(m.bus.Close)
	m.eventually("axond is on the bus", func() bool {
		var has bool
		must(t, conn.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, Name).Store(&has))
		return has
	})
	t.Cleanup(func() {
		if t.Failed() {
			t.Log("axond's log:\n" + m.log.String())
		}
	})
	return m
}

// eventually waits until a condition holds. The limit is only for a test that fails.
func (m *machine) eventually(what string, holds func() bool) {
	m.t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if holds() {
			return
		}
	}
	m.t.Fatalf("it never came: %s", what)
}

// connect connects to the bus as a user: the kernel says who a socket's thread
// is when it connects.
func (m *machine) connect(uid int) *dbus.Conn {
	m.t.Helper()
	type result struct {
		conn *dbus.Conn
		err  error
	}
	done := make(chan result)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, uintptr(uid), uintptr(uid), uintptr(uid)); errno != 0 {
			done <- result{nil, errno}
			return
		}
		conn, err := dbus.Dial(m.address)
		done <- result{conn, err}
	}()
	r := <-done
	must(m.t, r.err)
	conn := r.conn
	must(m.t, conn.Auth([]dbus.Auth{dbus.AuthExternal(fmt.Sprint(uid))}))
	must(m.t, conn.Hello())
	m.t.Cleanup(func() { conn.Close() })
	return conn
}

// listen gives every signal that axond sends from now on.
func (m *machine) listen() <-chan *dbus.Signal {
	c := m.connect(0)
	must(m.t, c.AddMatchSignal(dbus.WithMatchSender(Name)))
	heard := make(chan *dbus.Signal, 1000)
	c.Signal(heard)
	return heard
}

// next is the next signal but for the bus's own, as text.
func (m *machine) next(heard <-chan *dbus.Signal) string {
	m.t.Helper()
	late := time.After(10 * time.Second)
	for {
		select {
		case s := <-heard:
			if !strings.HasPrefix(s.Name, "org.freedesktop.DBus.Name") {
				return fmt.Sprint(s.Path, " ", s.Name, " ", s.Body)
			}
		case <-late:
			m.t.Fatal("no signal comes")
		}
	}
}

// call1 calls a method of axond's.
func call1(conn *dbus.Conn, path dbus.ObjectPath, method string, args ...any) *dbus.Call {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	return conn.Object(Name, path).CallWithContext(ctx, method, 0, args...)
}

// errorName is the name of a D-Bus error, "" for none.
func errorName(err error) string {
	var e dbus.Error
	if errors.As(err, &e) {
		return e.Name
	}
	if err != nil {
		return err.Error()
	}
	return ""
}
