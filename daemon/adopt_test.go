// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"bytes"
	"encoding/json"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/daemon/installed"
	"nervlinux.org/axon/wire"
)

// memoryStore is a store that hands everything to the next axond of the test.
type memoryStore struct {
	mu   sync.Mutex
	kept map[string]*os.File
}

func newMemoryStore(t *testing.T) *memoryStore {
	m := &memoryStore{kept: map[string]*os.File{}}
	t.Cleanup(func() {
		for _, f := range m.kept {
			f.Close()
		}
	})
	return m
}

func (m *memoryStore) Put(name string, f syscall.Conn) error {
	return withFD(f, func(fd int) error {
		again, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 3)
		if err != nil {
			return err
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		m.kept[name] = os.NewFile(uintptr(again), name)
		return nil
	})
}

func (m *memoryStore) Remove(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if f := m.kept[name]; f != nil {
		f.Close()
		delete(m.kept, name)
	}
	return nil
}

func (m *memoryStore) names() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Sorted(maps.Keys(m.kept))
}

// copies are what systemd hands over: the store keeps its own.
func (m *memoryStore) copies(t *testing.T) map[string]*os.File {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	all := map[string]*os.File{}
	for name, f := range m.kept {
		fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 3)
		must(t, err)
		all[name] = os.NewFile(uintptr(fd), name)
	}
	return all
}

// next has an axond with a store leave, and starts the one after it on the same
// socket's path.
func (a *axond) next(t *testing.T, store *memoryStore, meanwhile func()) *axond {
	t.Helper()
	a.Leave()
	must(t, a.stop())
	if meanwhile != nil {
		meanwhile()
	}
	b := &axond{socket: a.socket, log: a.log}
	b.Server = New(Config{Policy: a.Policy, Worker: &installed.WorkerProtocol{Path: self}, Vendor: installed.Vendor{Dir: "/vendor"},
		Log: newTestLog(a.log), Store: store, Kept: store.copies(t)})
	l, err := Listen(b.socket, b.Policy)
	must(t, err)
	b.stop = serveUntilStopped(t, b.Server, l)
	return b
}

func endsIn(t *testing.T, a *axond, why string) {
	t.Helper()
	eventually(t, "a session ends: "+why, func() bool {
		return strings.Count(a.log.String(), `msg="session ended"`) == 1 && strings.Contains(a.log.String(), why)
	})
}

func TestASessionIsTakenBack(t *testing.T) {
	store := newMemoryStore(t)
	a := startAxond(t, func(c *Config) { c.Store = store })
	o := a.mustOpen(t)
	must(t, a.SetLimit(1, 12345))
	eventually(t, "the state says so", func() bool {
		store.mu.Lock()
		defer store.mu.Unlock()
		b := make([]byte, stateBytes)
		store.kept["session-1-state"].ReadAt(b, 0)
		return strings.Contains(string(b), `"Limit":12345`) && json.Valid(b)
	})
	b := a.next(t, store, nil)
	eventually(t, "it is taken back", func() bool { return len(b.Sessions()) == 1 })
	got := b.Sessions()[0]
	if got.WorkerPID != o.worker.PID || got.PID != os.Getpid() || got.Figures.Limit != 12345 || got.SessionInfo.Limit.GPUMemory == 12345 {
		t.Errorf("it is now %+v", got)
	}
	if atomic.LoadUint32(o.region.State()) != wire.StateReady || !running(o.worker.PID) {
		t.Error("its worker has not outlived axond")
	}
	if two := b.mustOpen(t); two.answer.Session != 2 {
		t.Errorf("the next has the number %d", two.answer.Session)
	}
	must(t, b.Terminate(1, "somebody said so"))
	endsIn(t, b, "somebody said so")
	eventually(t, "its worker is gone", func() bool { return !running(o.worker.PID) })
	if err := b.Terminate(1, ""); err != ErrNoSession {
		t.Errorf("ended again it says %v", err)
	}
	eventually(t, "it is counted out", func() bool { return b.Counts().Sessions == 1 })
	if n := b.Counts(); n.Started != 2 {
		t.Errorf("the counts are %+v", n)
	}
}

func TestWhatEndedWhileAxondWasAwayIsEnded(t *testing.T) {
	for what, end := range map[string]func(o *opened){
		"the client hung up": func(o *opened) { o.conn.Close() },
		"the worker died": func(o *opened) {
			unix.Kill(o.worker.PID, unix.SIGKILL)
			for running(o.worker.PID) {
				time.Sleep(time.Millisecond)
			}
		},
	} {
		t.Run(what, func(t *testing.T) {
			store := newMemoryStore(t)
			a := startAxond(t, func(c *Config) { c.Store = store })
			o := a.mustOpen(t)
			b := a.next(t, store, func() { end(o) })
			endsIn(t, b, what)
			eventually(t, "nothing is kept of it", func() bool { return slices.Equal(store.names(), []string{totalsName}) })
			if s := atomic.LoadUint32(o.region.State()); s != wire.StateEnded {
				t.Errorf("the region's state is %d", s)
			}
		})
	}
}

// An axond that is killed between a line and the note of it leaves the next one
// not knowing: that says the line, and that it may be the second.
func TestALineThatMayComeAgainSaysSo(t *testing.T) {
	for line, note := range map[string]func(st *sessionState){
		"session started": func(st *sessionState) { st.Answered = false },
		"session ended":   func(st *sessionState) { st.Ending = true },
	} {
		t.Run(line, func(t *testing.T) {
			store := newMemoryStore(t)
			a := startAxond(t, func(c *Config) { c.Store = store })
			o := a.mustOpen(t)
			b := a.next(t, store, func() {
				b := make([]byte, stateBytes)
				f := store.kept["session-1-state"]
				f.ReadAt(b, 0)
				var st sessionState
				must(t, json.Unmarshal(b, &st))
				if !st.Answering || !st.Answered || st.Ending {
					t.Errorf("a session that runs is noted as %+v", st)
				}
				note(&st)
				changed, err := json.Marshal(st)
				must(t, err)
				_, err = f.WriteAt(append(changed, bytes.Repeat([]byte{' '}, stateBytes-len(changed))...), 0)
				must(t, err)
				o.conn.Close()
			})
			endsIn(t, b, "the client hung up")
			for _, l := range strings.Split(a.log.String(), "\n") {
				if again := strings.Contains(l, "again=true"); again && !strings.Contains(l, line) {
					t.Errorf("a line says that it may have come before: %s", l)
				}
			}
			if n := strings.Count(a.log.String(), "again=true"); n != 1 {
				t.Errorf("%d lines say so:\n%s", n, a.log)
			}
		})
	}
}

// What is left of a session that cannot be taken back is ended, whatever it is.
func TestWhatIsNotASessionIsDropped(t *testing.T) {
	for what, spoil := range map[string]func(t *testing.T, m *memoryStore){
		"no state":  func(t *testing.T, m *memoryStore) { m.Remove("session-1-state") },
		"no worker": func(t *testing.T, m *memoryStore) { m.Remove("session-1-worker") },
		"garbage": func(t *testing.T, m *memoryStore) {
			m.kept["session-1-state"].WriteAt([]byte("garbage"), 0)
		},
		"a short state": func(t *testing.T, m *memoryStore) { must(t, unix.Ftruncate(int(m.kept["session-1-state"].Fd()), 9)) },
		"another's state": func(t *testing.T, m *memoryStore) {
			m.kept["session-1-state"].WriteAt([]byte(`{"Info":{"Session":9}}`+strings.Repeat(" ", stateBytes-22)), 0)
		},
		"no account": func(t *testing.T, m *memoryStore) {
			f, err := memoryFile("x", []byte("x"))
			must(t, err)
			m.Remove("session-1-account")
			m.Put("session-1-account", f)
			f.Close()
		},
		"no socket": func(t *testing.T, m *memoryStore) {
			f, err := os.Open("/dev/null")
			must(t, err)
			m.Remove("session-1-client")
			m.Put("session-1-client", f)
			f.Close()
		},
		"strange names": func(t *testing.T, m *memoryStore) {
			f, err := os.Open("/dev/null")
			must(t, err)
			m.Remove("session-1-state")
			for _, name := range []string{"session-", "session-x-client", "session-0-client", "session-1", "stored", "session-99999999999-client"} {
				m.Put(name, f)
			}
			f.Close()
		},
	} {
		t.Run(what, func(t *testing.T) {
			store := newMemoryStore(t)
			a := startAxond(t, func(c *Config) { c.Store = store })
			o := a.mustOpen(t)
			b := a.next(t, store, func() { spoil(t, store) })
			if two := b.mustOpen(t); two.answer.Session != 2 { // axond is well
				t.Errorf("the next has the number %d", two.answer.Session)
			}
			if n := len(b.Sessions()); n != 1 {
				t.Errorf("there are %d sessions", n)
			}
			if what != "no socket" {
				o.conn.SetReadDeadline(time.Now().Add(20 * time.Second))
				if n, err := o.conn.Read(make([]byte, 1)); n != 0 && err == nil {
					t.Error("the client is not hung up on")
				}
			}
			if what != "no worker" {
				eventually(t, "its worker ends", func() bool { return !running(o.worker.PID) })
			}
			for _, name := range store.names() {
				if name != totalsName && !strings.HasPrefix(name, "session-2-") {
					t.Errorf("%s is still kept", name)
				}
			}
		})
	}
}

// A hello that axond has not answered when it leaves gets no answer: the shim
// says it again to the next.
func TestAHelloInTheMiddleIsHungUpOn(t *testing.T) {
	store := newMemoryStore(t)
	a := startAxond(t, func(c *Config) { c.Store = store })
	fd, _, err := makeRegion(nil)
	must(t, err)
	defer unix.Close(fd)
	conn := a.dial(t)
	h := wire.Hello{Version: wire.Version, Fingerprint: testFingerprint, Library: wire.LibraryCUDA, Env: []byte("SOFTGPU_FAKE=hang\x00")}
	must(t, wire.SendHello(conn, &h, fd))
	eventually(t, "its session is on its way", func() bool { return a.Counts().Sessions == 1 })
	a.next(t, store, nil)
	if n, err := conn.Read(make([]byte, 100)); n != 0 && err == nil {
		t.Errorf("it got an answer of %d bytes", n)
	}
}

func TestTheStoreIsToldAsSystemdUnderstands(t *testing.T) {
	dir, err := os.MkdirTemp("", "axond")
	must(t, err)
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	must(t, err)
	defer conn.Close()
	t.Setenv("NOTIFY_SOCKET", path)
	s := SystemdStore()
	f, err := memoryFile("x", []byte("kept"))
	must(t, err)
	defer f.Close()
	must(t, s.Put("session-1-state", f))
	must(t, s.Remove("session-1-state"))
	b, oob := make([]byte, 200), make([]byte, 200)
	n, oobn, _, _, err := conn.ReadMsgUnix(b, oob)
	must(t, err)
	fds := received(oob[:oobn])
	if string(b[:n]) != "FDSTORE=1\nFDPOLL=0\nFDNAME=session-1-state" || len(fds) != 1 {
		t.Fatalf("systemd hears %q with %d descriptors", b[:n], len(fds))
	}
	kept := os.NewFile(uintptr(fds[0]), "kept")
	defer kept.Close()
	if n, err := kept.ReadAt(b[:4], 0); err != nil || string(b[:n]) != "kept" {
		t.Errorf("what is kept says %q, %v", b[:n], err)
	}
	n, err = conn.Read(b)
	if err != nil || string(b[:n]) != "FDSTOREREMOVE=1\nFDNAME=session-1-state" {
		t.Errorf("systemd hears %q, %v", b[:n], err)
	}
	t.Setenv("NOTIFY_SOCKET", "")
	if SystemdStore() != nil {
		t.Error("there is a store without systemd")
	}
}
