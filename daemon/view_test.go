// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/view"
	"nervlinux.org/axon/wire"
)

// fakeReader says what it sees of a machine.
func fakeReader(socket string) { json.NewEncoder(os.Stdout).Encode(lookAround(socket)) }

func lookAround(socket string) readerReport {
	out := readerReport{PID: os.Getpid()}
	began := time.Now()
	c, err := view.Dial(socket)
	if err == nil {
		defer c.Close()
	}
	for err == nil && (out.Machine == nil || out.Machine.Time.Before(began)) { // not one that another reader had taken
		out.Machine, err = c.Machine(context.Background())
	}
	if err != nil {
		out.Err = err.Error()
	}
	return out
}

type readerReport struct {
	PID     int
	Err     string
	Machine *view.Machine
}

// readAs runs fakeReader as somebody, somewhere.
func readAs(t *testing.T, socket string, attr *syscall.SysProcAttr) readerReport {
	t.Helper()
	cmd := exec.Command(self, "reader", socket)
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = attr
	b, err := cmd.Output()
	must(t, err)
	var r readerReport
	must(t, json.Unmarshal(b, &r))
	return r
}

func (a *axond) view(t *testing.T) *view.Client {
	t.Helper()
	c, err := view.Dial(a.socket)
	must(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

// see is the machine as of now.
func (a *axond) see(t *testing.T) *view.Machine {
	t.Helper()
	r := lookAround(a.socket)
	if r.Err != "" {
		t.Fatal(r.Err)
	}
	return r.Machine
}

func sessionOf(t *testing.T, m *view.Machine, number uint32) view.Session {
	t.Helper()
	i := slices.IndexFunc(m.Sessions, func(s view.Session) bool { return s.Session == number })
	if i < 0 {
		t.Fatalf("session %d is not among %+v", number, m.Sessions)
	}
	return m.Sessions[i]
}

func TestAReaderSeesTheMachineAndItsSessions(t *testing.T) {
	a := startAxond(t, nil)
	before := time.Now()
	cmd, r := startClient(t, a.socket, "", nil)
	m := a.see(t)
	if m.Schema != view.Schema || m.CPUs < 1 || m.MemoryTotal == nil || *m.MemoryTotal < 1<<20 || m.MemoryUsed == nil || *m.MemoryUsed > *m.MemoryTotal {
		t.Errorf("the machine is %+v", m)
	}
	if host, _ := os.Hostname(); m.Host != host {
		t.Errorf("the host is %q", m.Host)
	}
	if m.CPUBusy == nil || *m.CPUBusy < 0 || *m.CPUBusy > 1 {
		t.Errorf("the processors are busy %v", m.CPUBusy)
	}
	if m.Time.Before(before) || m.Time.After(time.Now()) {
		t.Errorf("it was seen at %v, between %v and now", m.Time, before)
	}
	s := sessionOf(t, m, r.Answer.Session)
	if s.PID == nil || *s.PID != cmd.Process.Pid || s.UID != uint32(os.Getuid()) || s.Program != "axon-worker" || s.Scope != nil || s.Busy != nil {
		t.Errorf("the session is %+v", s)
	}
	if !slices.Equal(s.Args, []string{self, "client", a.socket, ""}) {
		t.Errorf("its arguments are %q", s.Args)
	}
	if s.User == nil && os.Getuid() == 0 || s.GPUMemoryLimit != nil || s.HostMemory != nil || s.Since.Before(before) {
		t.Errorf("the session is %+v", s)
	}
	for _, want := range []string{`"busy_ratio":null`, `"gpu_memory_limit_bytes":null`, `"gpus":[`} {
		b, err := json.Marshal(m)
		must(t, err)
		if !bytes.Contains(b, []byte(want)) {
			t.Errorf("%s is not in %s", want, b)
		}
	}
}

func TestReadersShareASample(t *testing.T) {
	a := startAxond(t, nil)
	var wg sync.WaitGroup
	times := make([]time.Time, 50)
	clients := make([]*view.Client, len(times))
	for i := range clients {
		clients[i] = a.view(t)
	}
	began := time.Now()
	for i := range times {
		wg.Go(func() {
			if m, err := clients[i].Machine(t.Context()); err == nil {
				times[i] = m.Time
			}
		})
	}
	wg.Wait()
	distinct := map[time.Time]bool{}
	for _, at := range times {
		distinct[at] = true
	}
	if most := 1 + int(time.Since(began)/sampleTime); len(distinct) > most || distinct[time.Time{}] {
		t.Errorf("%d readers saw %d samples, at most %d were to be taken", len(times), len(distinct), most)
	}
	// And a later reader sees a later one.
	eventually(t, "a later sample", func() bool { return !distinct[a.see(t).Time] })
}

func TestAReaderInAnotherPIDNamespaceSeesItsOwnNumbers(t *testing.T) {
	rootOnly(t)
	a := startAxond(t, nil)
	_, outside := startClient(t, a.socket, "", nil)
	inside := &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWPID}
	r := readAs(t, a.socket, inside)
	if r.Err != "" || r.PID != 1 {
		t.Fatalf("the reader, process %d of its namespace: %s", r.PID, r.Err)
	}
	if s := sessionOf(t, r.Machine, outside.Answer.Session); s.PID != nil || s.Args != nil {
		t.Errorf("a process that is not in its namespace is known there: %+v", s)
	}
	// A program in a namespace, seen from that and from outside.
	cmd := exec.Command(self, "client", a.socket, "see")
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = inside
	stdin, err := cmd.StdinPipe()
	must(t, err)
	stdout, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	defer cmd.Wait()
	defer stdin.Close()
	d := json.NewDecoder(stdout)
	var c clientReport
	must(t, d.Decode(&c))
	must(t, d.Decode(&r))
	if c.Err != "" || c.Answer.Status != wire.StatusOK || r.Err != "" {
		t.Fatalf("no session in a namespace: %+v, %+v", c, r)
	}
	if s := sessionOf(t, r.Machine, c.Answer.Session); s.PID == nil || *s.PID != 1 {
		t.Errorf("a program that is process 1 of its namespace is process %v there", s.PID)
	}
	if s := sessionOf(t, r.Machine, outside.Answer.Session); s.PID != nil || s.Args != nil {
		t.Errorf("a process that is not in the namespace is known there: %+v", s)
	}
	if s := sessionOf(t, a.see(t), c.Answer.Session); s.PID == nil || *s.PID != cmd.Process.Pid || len(s.Args) == 0 {
		t.Errorf("process %d is %v, seen from outside its namespace", cmd.Process.Pid, s.PID)
	}
}

func TestAReaderWhoIsNotAdmittedIsToldTheRemedy(t *testing.T) {
	rootOnly(t)
	a := startAxond(t, nil)
	must(t, os.Chmod(a.socket, 0o666))
	r := readAs(t, a.socket, &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 12345, Gid: 12346}})
	if !strings.Contains(r.Err, "usermod -aG") {
		t.Errorf("an outsider is told %q", r.Err)
	}
	if c := a.Counts(); c.Refused != 0 || a.logged("reader refused") != 1 || a.logged("level=WARN") != 0 {
		t.Errorf("a reader counts as a session that was refused: %+v", c)
	}
	if a.Policy.HasGroup {
		r := readAs(t, a.socket, &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 12345, Gid: 12346, Groups: []uint32{a.Policy.GID}}})
		if r.Err != "" || r.Machine.CPUs < 1 {
			t.Errorf("a member of the group sees %+v", r)
		}
	}
	must(t, os.Chown(a.socket, 0, 12347))
	for mode, says := range map[os.FileMode]string{0o660: "usermod -aG 12347 ", 0o600: "it is root's own"} {
		must(t, os.Chmod(a.socket, mode))
		r = readAs(t, a.socket, &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 12345, Gid: 12346}})
		if !strings.Contains(r.Err, says) {
			t.Errorf("who may not connect is told %q, not %q", r.Err, says)
		}
	}
}

func TestWithoutAxondAReaderIsToldHowToStartIt(t *testing.T) {
	dir := t.TempDir()
	for name, path := range map[string]string{"no socket": dir + "/sock", "no folder": dir + "/no/sock", "a stale socket": dir + "/stale"} {
		if name == "a stale socket" {
			fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_SEQPACKET, 0)
			must(t, err)
			must(t, unix.Bind(fd, &unix.SockaddrUnix{Name: path}))
			unix.Close(fd)
		}
		_, err := view.Dial(path)
		if !errors.Is(err, wire.ErrNoAxond) || !strings.Contains(err.Error(), "systemctl start axond.socket") || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := view.Dial(strings.Repeat("x", 200)); err == nil || !strings.Contains(err.Error(), "107 bytes") {
		t.Errorf("a path that is too long: %v", err)
	}
}

func TestAReaderSurvivesAxondsRestart(t *testing.T) {
	a := startAxond(t, nil)
	c := a.view(t)
	first, err := c.Machine(t.Context())
	must(t, err)
	must(t, a.stop())
	if _, err := c.Machine(t.Context()); !errors.Is(err, wire.ErrNoAxond) {
		t.Errorf("without an axond: %v", err)
	}
	l, err := Listen(a.socket, a.Policy)
	must(t, err)
	s := New(a.Config)
	defer serveUntilStopped(t, s, l)()
	second, err := c.Machine(t.Context())
	must(t, err)
	if !second.Time.After(first.Time) {
		t.Errorf("the next axond saw the machine at %v, the one before at %v", second.Time, first.Time)
	}
	must(t, c.Close())
	if _, err := c.Machine(t.Context()); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

// reader says a hello for the view and gives the connection.
func readerHello(library uint32) []byte {
	h := wire.Hello{Version: wire.Version, Library: library}
	return h.Append(nil)
}

func TestHostileReadersEndAlone(t *testing.T) {
	a := startAxond(t, nil)
	le := binary.LittleEndian
	other := a.view(t)
	_, err := other.Machine(t.Context())
	must(t, err)
	fds, goroutines := counts()
	for name, say := range map[string][]byte{
		"nothing known":    le.AppendUint32(le.AppendUint32(nil, 1), 2),
		"half a request":   {1, 0, 0, 0},
		"too much":         make([]byte, 9),
		"a lot":            make([]byte, 100000),
		"an empty message": {},
	} {
		c := a.dial(t)
		_, err := c.Write(readerHello(wire.LibraryView))
		must(t, err)
		if answer, err := wire.ReceiveAnswer(c); err != nil || answer.Status != wire.StatusOK {
			t.Fatalf("%s: %+v, %v", name, answer, err)
		}
		_, err = c.Write(say)
		must(t, err)
		if n, err := c.Read(make([]byte, 100)); n != 0 || err == nil {
			t.Errorf("%s: it was answered with %d bytes, %v", name, n, err)
		}
	}
	for name, hello := range map[string][]byte{
		"another version": changed(readerHello(wire.LibraryView), 4, 77),
		"half a hello":    readerHello(wire.LibraryView)[:31],
		"no environment":  changed(readerHello(wire.LibraryView), 28, 1),
	} {
		c := a.dial(t)
		_, err := c.Write(hello)
		must(t, err)
		if answer, err := wire.ReceiveAnswer(c); err != nil || answer.Status != wire.StatusMismatch {
			t.Errorf("%s: %+v, %v", name, answer, err)
		}
	}
	c := a.dial(t)
	_, _, err = c.WriteMsgUnix(readerHello(wire.LibraryView), unix.UnixRights(0), nil)
	must(t, err)
	if answer, err := wire.ReceiveAnswer(c); err != nil || answer.Status != wire.StatusBadRegion {
		t.Errorf("with a descriptor: %+v, %v", answer, err)
	}
	_, err = other.Machine(t.Context())
	must(t, err)
	eventually(t, "nothing is left of them", func() bool {
		nowFDs, nowGoroutines := counts()
		return nowFDs <= fds+9 && nowGoroutines <= goroutines // the test's own ends are open
	})
}

func TestAReaderThatDoesNotReadIsHungUpOnAndNobodyWaits(t *testing.T) {
	a := startAxond(t, nil)
	c := a.dial(t)
	must2(c.Write(readerHello(wire.LibraryView)))
	must2(wire.ReceiveAnswer(c))
	request := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, 1), view.WhatMachine)
	c.SetWriteDeadline(time.Now().Add(4 * readerTime))
	for n := 0; ; n++ {
		if _, err := c.Write(request); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatal("it could ask and not read for ever")
		} else if err != nil {
			break
		}
		// Others are answered meanwhile.
		if n%100 != 0 {
			continue
		}
		if time.Since(a.see(t).Time) > 2*readerTime {
			t.Error("another reader waited")
		}
	}
	if log := a.log.String(); !strings.Contains(log, "a reader did not take its answer") {
		t.Errorf("the log does not say so: %s", log)
	}
}

func TestTooManyReadersOfAUserAreRefused(t *testing.T) {
	s := New(Config{})
	share := shareOf(shares{max: readersMax, root: readersRoot}, 1000)
	for range share {
		must2(s.claimReader(1000))
	}
	_, err := s.claimReader(1000)
	if r, ok := err.(*Refusal); !ok || r.Status != wire.StatusBusy || !strings.Contains(r.Text, "user 1000") {
		t.Errorf("one more reader of a user: %v", err)
	}
	must2(s.claimReader(1001))
	must2(s.claimReader(0))
	for range share {
		s.unclaimReader(1000)
	}
	must2(s.claimReader(1000))
}

func TestArgumentsOfOthersAreNotToldWhereProcHidesThem(t *testing.T) {
	mounts := filepath.Join(t.TempDir(), "mounts")
	for text, hides := range map[string]bool{
		"proc /proc proc rw,nosuid 0 0\n":                                                    false,
		"proc /proc proc rw,hidepid=2 0 0\n":                                                 true,
		"proc /proc proc rw,hidepid=invisible,gid=10 0 0\n":                                  true,
		"proc /proc proc rw,hidepid=0 0 0\nx /other proc rw,hidepid=2 0 0\n":                 false,
		"proc /proc proc rw,hidepid=2 0 0\nproc /proc proc rw 0 0\n":                         false,
		"proc /elsewhere proc rw 0 0\n":                                                      true,
		"proc /proc proc rw 0 0\nproc /proc proc rw,hidepid=ptraceable 0 0\nz /sys s rw 0 0": true,
	} {
		must(t, os.WriteFile(mounts, []byte(text), 0o600))
		if got := mountHides(mounts, "/proc"); got != hides {
			t.Errorf("%q hides processes: %v", text, got)
		}
	}
	p := &sample{encoded: map[eyes][]byte{}, sessions: []sampledSession{{processNow(1), []string{"secret"}}, {processNow(1), []string{"own"}}}}
	p.machine.Sessions = []view.Session{{UID: 1}, {UID: 2}}
	here := pidSpace{known: true, own: true}
	for e, want := range map[eyes]string{
		{space: here}:                           `"secret" "own"`,
		{space: here, hidden: true, asOwner: 2}: `null "own"`,
		{space: here, hidden: true, asOwner: 3}: `null null`,
		{}:                                      `null null`, // whose /proc may not have them
	} {
		b, err := p.seenBy(e, &readerUser{})
		must(t, err)
		var m view.Machine
		must(t, json.Unmarshal(b, &m))
		got := ""
		for _, s := range m.Sessions {
			if s.Args == nil {
				got += " null"
			} else {
				got += fmt.Sprintf(" %q", s.Args[0])
			}
		}
		if got[1:] != want {
			t.Errorf("%+v sees %s, not %s", e, got[1:], want)
		}
	}
}

func TestProcessorsAreCounted(t *testing.T) {
	m := machine{proc: t.TempDir()}
	stat := func(text string) (cpuTimes, error) {
		must(t, os.WriteFile(m.proc+"/stat", []byte(text), 0o600))
		return m.cpuTimes()
	}
	one := must2(stat("cpu  10 1 4 100 5 1 1 2 3 3\ncpu0 5 0 0 0 0 0 0 0 0 0\ncpu1 5 0 0 0 0 0 0 0 0 0\nintr 1 2\n"))
	if one != (cpuTimes{2, 19, 124}) {
		t.Errorf("the times are %+v", one)
	}
	two := must2(stat("cpu 25 1 4 110 10 1 1 2 0 0\ncpu0 0\nintr 1\n"))
	if r := two.busySince(one); r == nil || *r != 0.5 {
		t.Errorf("the processors were busy %v", r)
	}
	if r := one.busySince(two); r != nil {
		t.Errorf("in no time they were busy %v", *r)
	}
	for _, text := range []string{"", "cpu 1 2\n", "intr 1\n", "cpu x 2 3 4\ncpu0 1\nintr 1\n"} {
		if got, err := stat(text); err == nil {
			t.Errorf("%q was read as %+v", text, got)
		}
	}
}
