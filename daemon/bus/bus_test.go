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
	"net"
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

// fakeServer has the sessions that a test gives it.
type fakeServer struct {
	bus *Bus

	mu       sync.Mutex
	sessions map[uint32]daemon.SessionFigures
	ended    map[uint32]int // how often
	devices  []wire.Device
	asked    int           // for devices
	slow     chan struct{} // not nil: Devices waits for it
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
	if ok {
		s.ended[n]++
	}
	delete(s.sessions, n)
	s.mu.Unlock()
	if !ok {
		return daemon.ErrNoSession
	}
	s.bus.SessionEnded(x.SessionInfo, why, s.Counts())
	return nil
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
	cmd.Stderr = os.Stderr
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
	startBus(t, dir)
	m := &machine{t: t, address: "unix:path=" + dir + "/bus", log: &lockedBuffer{}}
	m.polkit = &fakePolkit{answers: func(string, uint32) (bool, bool) { return false, false }}
	conn := m.connect(0)
	must(t, conn.Export(m.polkit, "/org/freedesktop/PolicyKit1/Authority", "org.freedesktop.PolicyKit1.Authority"))
	_, err = conn.RequestName("org.freedesktop.PolicyKit1", dbus.NameFlagDoNotQueue)
	must(t, err)

	m.bus = New(m.address, About{"1.2.3", "/vendor"}, slog.New(slog.NewTextHandler(m.log, nil)))
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
	path := strings.TrimPrefix(m.address, "unix:path=")
	type result struct {
		c   net.Conn
		err error
	}
	done := make(chan result)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		_, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, uintptr(uid), uintptr(uid), uintptr(uid))
		if errno != 0 {
			done <- result{nil, errno}
			return
		}
		fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		if err == nil {
			err = unix.Connect(fd, &unix.SockaddrUnix{Name: path})
		}
		if err != nil {
			done <- result{nil, err}
			return
		}
		f := os.NewFile(uintptr(fd), "bus")
		defer f.Close()
		c, err := net.FileConn(f)
		done <- result{c, err}
	}()
	r := <-done
	must(m.t, r.err)
	conn, err := dbus.NewConn(r.c)
	must(m.t, err)
	must(m.t, conn.Auth([]dbus.Auth{dbus.AuthExternal(fmt.Sprint(uid))}))
	must(m.t, conn.Hello())
	m.t.Cleanup(func() { conn.Close() })
	return conn
}

// call calls a method of axond's.
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
