// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/wire"
)

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func newTestLog(w *lockedBuffer) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

func serveUntilStopped(t *testing.T, s *Server, l *Listener) func() error {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	var once sync.Once
	var err error
	stop := func() error {
		once.Do(func() {
			cancel()
			err = <-done
		})
		return err
	}
	t.Cleanup(func() { stop() })
	return stop
}

func TestAProgramGetsAWorkerOfItsOwn(t *testing.T) {
	a := startAxond(t, nil)
	one := a.mustOpen(t, "CUDA_VISIBLE_DEVICES=1", "CUDA_INJECTION64_PATH=/evil.so", "LD_PRELOAD=/evil.so",
		"NVIDIA_TF32_OVERRIDE=0", "HOME=/home/of/client", "EDITOR=vi", "CUDA_VISIBLE_DEVICES=2")
	two := a.mustOpen(t)
	if one.worker.PID == two.worker.PID || one.worker.PID == os.Getpid() {
		t.Errorf("workers %d and %d in axond %d share a process", one.worker.PID, two.worker.PID, os.Getpid())
	}
	if one.answer.Session == two.answer.Session || one.answer.Session == 0 {
		t.Errorf("sessions are numbered %d and %d", one.answer.Session, two.answer.Session)
	}
	want := []string{self, "--library", "cuda", "--vendor", "/vendor", "--session", fmt.Sprint(one.answer.Session), "--account"}
	if !slices.Equal(one.worker.Args, want) {
		t.Errorf("the worker was started as %q, not %q", one.worker.Args, want)
	}
	slices.Sort(one.worker.Env)
	// The test's axond is verbose.
	env := []string{"AXON_DEBUG=1", "CUDA_VISIBLE_DEVICES=1", "HOME=/home/of/client", "LD_LIBRARY_PATH=/vendor", "NVIDIA_TF32_OVERRIDE=0", "PATH=/usr/local/bin:/usr/bin:/bin"}
	if !slices.Equal(one.worker.Env, env) {
		t.Errorf("the worker's environment is %q, not %q", one.worker.Env, env)
	}
	if !slices.Equal(one.worker.FDs, []string{"0", "1", "2", "3", "4", "5"}) {
		t.Errorf("the worker has the descriptors %v", one.worker.FDs)
	}
	if one.worker.PGID != one.worker.PID || one.worker.Dir != "/" {
		t.Errorf("the worker is in process group %d and folder %s", one.worker.PGID, one.worker.Dir)
	}
	if s := atomic.LoadUint32(one.region.State()); s != wire.StateReady {
		t.Errorf("the region's state is %d", s)
	}
}

func TestAMemberOfTheGroupGetsAWorkerThatRunsAsThem(t *testing.T) {
	rootOnly(t)
	a := startAxond(t, nil)
	if !a.Policy.HasGroup {
		t.Skip("there is no group video on this machine")
	}
	// video is a supplementary group, as it nearly always is.
	_, r := startClient(t, a.socket, "", &syscall.Credential{Uid: 12345, Gid: 12346, Groups: []uint32{12347, a.Policy.GID}})
	if r.Err != "" || r.Answer.Status != wire.StatusOK {
		t.Fatalf("no session: %+v", r)
	}
	slices.Sort(r.Worker.Groups)
	if r.Worker.UID != 12345 || r.Worker.GID != 12346 || !slices.Equal(r.Worker.Groups, []int{int(a.Policy.GID), 12347}) {
		t.Errorf("the worker runs as %d:%d with %v", r.Worker.UID, r.Worker.GID, r.Worker.Groups)
	}
}

func TestAnOutsiderIsRefusedByNameAndNoWorkerStarts(t *testing.T) {
	rootOnly(t)
	a := startAxond(t, nil)
	must(t, os.Chmod(a.socket, 0o666)) // the socket's mode is only the first gate
	_, r := startClient(t, a.socket, "", &syscall.Credential{Uid: 12345, Gid: 12346})
	if r.Answer.Status != wire.StatusNotAdmitted || !strings.Contains(r.Answer.Text, "usermod -aG video 12345") && a.Policy.HasGroup {
		t.Errorf("the outsider was told %+v", r)
	}
	if n := a.Counts().Started; n != 0 {
		t.Errorf("%d sessions were started", n)
	}
	for _, want := range []string{"uid=12345", "comm=axon-worker", "not in the group"} {
		if a.Policy.HasGroup && !strings.Contains(a.log.String(), want) {
			t.Errorf("the log does not say %q", want)
		}
	}
}

func TestAWorkersDeathReachesItsOwnClientAndNoOther(t *testing.T) {
	a := startAxond(t, nil)
	one, two := a.mustOpen(t), a.mustOpen(t)
	atomic.StoreUint32(one.region.LanesUsed(), 0xffffffff) // a client may write what it likes
	lane, err := one.region.Lane(1)
	must(t, err)
	asleep := make(chan error, 3)
	for _, word := range []*uint32{lane.Replied(), lane.Head(), one.region.UpcallTail()} {
		go func() {
			var err error
			for atomic.LoadUint32(one.region.State()) != wire.StateEnded && err == nil {
				err = wire.FutexWait(word, 0, 30*time.Second)
			}
			asleep <- err
		}()
	}
	must(t, unix.Kill(one.worker.PID, unix.SIGKILL))
	for range 3 {
		if err := <-asleep; err != nil {
			t.Fatalf("a sleeper was not woken: %v", err)
		}
	}
	if r := atomic.LoadUint32(one.region.EndReason()); r != 46 {
		t.Errorf("the reason is %d and not CUDA_ERROR_DEVICE_UNAVAILABLE", r)
	}
	eventually(t, "the dead worker is reaped", func() bool { return !exists(one.worker.PID) })
	eventually(t, "the log names the signal", func() bool { return strings.Contains(a.log.String(), "SIGKILL") })
	if s := atomic.LoadUint32(two.region.State()); s != wire.StateReady || !running(two.worker.PID) {
		t.Errorf("the other session noticed: state %d", s)
	}
	a.mustOpen(t)
}

func TestAClientsDeathEndsItsWorker(t *testing.T) {
	a := startAxond(t, nil)
	for _, mode := range []string{"plain", "fork"} {
		t.Run(mode, func(t *testing.T) {
			cmd, r := startClient(t, a.socket, mode, nil)
			if r.Err != "" || r.Answer.Status != wire.StatusOK {
				t.Fatalf("no session: %+v", r)
			}
			if r.Child != 0 {
				defer unix.Kill(r.Child, unix.SIGKILL)
			}
			if !running(r.Worker.PID) {
				t.Fatal("there is no worker")
			}
			must(t, cmd.Process.Kill())
			eventually(t, "the worker is gone", func() bool { return !exists(r.Worker.PID) })
			if r.Child != 0 && !running(r.Child) {
				t.Error("the child that kept the socket was hurt")
			}
		})
	}
}

func TestAHangUpEndsTheWorker(t *testing.T) {
	a := startAxond(t, nil)
	o := a.mustOpen(t)
	o.conn.Close()
	eventually(t, "the worker is gone", func() bool { return !exists(o.worker.PID) })
	eventually(t, "the session is counted out", func() bool { return a.Counts().Sessions == 0 })
}

func TestAClientThatSpeaksAfterItsHelloLosesItsSession(t *testing.T) {
	a := startAxond(t, nil)
	o := a.mustOpen(t)
	_, err := o.conn.Write([]byte("more"))
	must(t, err)
	eventually(t, "the worker is gone", func() bool { return !exists(o.worker.PID) })
}

func TestAWorkerThatCannotServeIsExplained(t *testing.T) {
	a := startAxond(t, func(c *Config) { c.ReadyTime = 2 * time.Second })
	for mode, want := range map[string]string{
		"crash":   "before it was ready (killed by SIGKILL): about to crash",
		"refuse":  "no GPU today?[2J",
		"garbage": "first message announces",
		"hang":    "was not ready after",
	} {
		nothingLeaks(t, func() {
			o := a.open(t, "SOFTGPU_FAKE="+mode)
			o.conn.Close()
			if o.answer.Status != wire.StatusNoWorker || !strings.Contains(o.answer.Text, want) {
				t.Errorf("%s: the client was told %d, %q", mode, o.answer.Status, o.answer.Text)
			}
			if s := atomic.LoadUint32(o.region.State()); s != wire.StateEnded {
				eventually(t, "the region is ended", func() bool { return atomic.LoadUint32(o.region.State()) == wire.StateEnded })
			}
		})
	}
	if n := a.Counts(); n.Sessions != 0 || n.Refused != 4 {
		t.Errorf("the counts are %+v", n)
	}
}

func TestAClientThatLeavesEarlyTakesItsWorkerAlong(t *testing.T) {
	a := startAxond(t, nil)
	nothingLeaks(t, func() {
		fd, _, err := makeRegion(nil)
		must(t, err)
		c := a.dial(t)
		must(t, wire.SendHello(c, &wire.Hello{Version: wire.Version, Fingerprint: testFingerprint, Library: wire.LibraryCUDA, Env: []byte("SOFTGPU_FAKE=hang\x00")}, fd))
		unix.Close(fd)
		eventually(t, "a session starts", func() bool { return a.Counts().Sessions == 1 })
		c.Close()
		eventually(t, "the session ends", func() bool { return a.Counts().Sessions == 0 })
	})
}

func TestAWorkerThatPrintsWithoutEndFillsNoLog(t *testing.T) {
	a := startAxond(t, nil)
	o := a.mustOpen(t, "SOFTGPU_FAKE=loud")
	o.conn.Close()
	eventually(t, "the session ends", func() bool { return a.Counts().Sessions == 0 })
	log := a.log.String()
	if n := strings.Count(log, "worker: noise"); n == 0 || n > workerLines+1 {
		t.Errorf("%d lines of it are in the log", n)
	}
	if strings.Contains(log, "\x1b") {
		t.Error("an escape sequence reached the log")
	}
}

func TestTooManySessionsAreRefusedAndThenAdmittedAgain(t *testing.T) {
	a := startAxond(t, func(c *Config) { c.MaxSessions = 1 })
	one := a.mustOpen(t)
	if two := a.open(t); two.answer.Status != wire.StatusBusy || !strings.Contains(two.answer.Text, "--max-sessions") {
		t.Errorf("the second was told %+v", two.answer)
	}
	one.conn.Close()
	eventually(t, "the first is counted out", func() bool { return a.Counts().Sessions == 0 })
	a.mustOpen(t)
}

func TestStoppingEndsWorkersAndTellsTheirClients(t *testing.T) {
	nothingLeaks(t, func() {
		a := startAxond(t, nil)
		one, two := a.mustOpen(t), a.mustOpen(t)
		silent := a.dial(t)
		must(t, a.stop())
		for _, o := range []*opened{one, two} {
			if exists(o.worker.PID) {
				t.Errorf("worker %d is still there", o.worker.PID)
			}
			if s := atomic.LoadUint32(o.region.State()); s != wire.StateEnded {
				t.Errorf("a region's state is %d", s)
			}
			o.conn.Close()
		}
		silent.Close()
		if _, err := os.Lstat(a.socket); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the socket is still there: %v", err)
		}
	})
}

// fullScopes has no room.
type fullScopes struct {
	NoScopes
	removed atomic.Int32
}

func (*fullScopes) Place(context.Context, Placement) (string, error) {
	return "", errors.New("no room in the slice")
}
func (f *fullScopes) Remove(session uint32) { f.removed.Add(1) }

func TestAWorkerThatCannotBeLimitedServesNobody(t *testing.T) {
	scopes := &fullScopes{}
	a := startAxond(t, func(c *Config) { c.Scopes = scopes })
	o := a.open(t)
	if o.answer.Status != wire.StatusNoWorker || !strings.Contains(o.answer.Text, "no room in the slice") {
		t.Errorf("the client was told %+v", o.answer)
	}
	eventually(t, "the session is counted out", func() bool { return a.Counts().Sessions == 0 })
	if scopes.removed.Load() != 1 {
		t.Errorf("the place was given back %d times", scopes.removed.Load())
	}
}

// recordingBus keeps what it was told.
type recordingBus struct {
	NoBus
	mu  sync.Mutex
	all []string
}

func (b *recordingBus) SessionStarted(i SessionInfo, c Counts) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.all = append(b.all, fmt.Sprintf("started %d of %d, %d now", i.Session, i.PID, c.Sessions))
}

func (b *recordingBus) SessionEnded(i SessionInfo, why string, c Counts) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.all = append(b.all, fmt.Sprintf("ended %d: %s", i.Session, why))
}

func (b *recordingBus) heard() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.all)
}

func TestTheBusHearsOfEverySessionOnce(t *testing.T) {
	bus := &recordingBus{}
	a := startAxond(t, func(c *Config) { c.Bus = bus })
	a.mustOpen(t).conn.Close()
	want := []string{fmt.Sprintf("started 1 of %d, 1 now", os.Getpid()), "ended 1: the client hung up"}
	eventually(t, "the bus heard it", func() bool { return slices.Equal(bus.heard(), want) })
}

func TestSilentConnectionsBlockNobodyAndLeaveNothing(t *testing.T) {
	a := startAxond(t, func(c *Config) { c.HelloTime = time.Hour })
	nothingLeaks(t, func() {
		var silent []*net.UnixConn
		for range 200 {
			silent = append(silent, a.dial(t))
		}
		o := a.mustOpen(t)
		// The oldest are dropped, without an answer; those that came last may wait.
		for i, c := range silent[:200-a.MaxWaiting] {
			if n, err := c.Read(make([]byte, 1)); n != 0 || errors.Is(err, os.ErrDeadlineExceeded) {
				t.Fatalf("silent connection %d was kept: %d bytes, %v", i, n, err)
			}
		}
		late := silent[199]
		late.SetReadDeadline(time.Now())
		if _, err := late.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("the newest silent connection was dropped: %v", err)
		}
		for _, c := range silent {
			c.Close()
		}
		o.conn.Close()
	})
}

func TestAConnectionThatSaysNothingIsDroppedInTime(t *testing.T) {
	a := startAxond(t, func(c *Config) { c.HelloTime = 50 * time.Millisecond })
	nothingLeaks(t, func() {
		c := a.dial(t)
		if n, err := c.Read(make([]byte, 1)); n != 0 || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("the silent connection was kept: %d, %v", n, err)
		}
		c.Close()
	})
	if !strings.Contains(a.log.String(), "said nothing and was dropped") {
		t.Error("the log does not say that")
	}
}

// dialAs connects as another user. The thread that does it ends with it.
func dialAs(t *testing.T, a *axond, uid int) *net.UnixConn {
	t.Helper()
	var conn *net.UnixConn
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // never unlocked, so that the thread goes with its user
		if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, uintptr(uid), uintptr(uid), uintptr(uid)); errno != 0 {
			err = errno
			return
		}
		conn, err = dialPatiently(a.socket)
	}()
	<-done
	must(t, err)
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(20 * time.Second))
	return conn
}

func TestSilentOutsidersDoNotDisplaceMembers(t *testing.T) {
	rootOnly(t)
	a := startAxond(t, func(c *Config) { c.HelloTime, c.MaxWaiting = time.Hour, 3 })
	must(t, os.Chmod(a.socket, 0o666))
	waiters := func(refused int) func() bool {
		return func() bool {
			a.mu.Lock()
			defer a.mu.Unlock()
			n := 0
			for _, w := range a.waiting {
				if w.refused {
					n++
				}
			}
			return n == refused && len(a.waiting) == 3
		}
	}
	member := a.dial(t)
	first := dialAs(t, a, 12345)
	dialAs(t, a, 12345)
	eventually(t, "one member and two outsiders wait", waiters(2))
	a.dial(t)
	eventually(t, "two members and one outsider wait", waiters(1))
	if n, err := first.Read(make([]byte, 1)); n != 0 || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the outsider who came first was kept: %d, %v", n, err)
	}
	// The member is older than every outsider and still may speak.
	fd, _, err := makeRegion(nil)
	must(t, err)
	defer unix.Close(fd)
	must(t, wire.SendHello(member, &wire.Hello{Version: wire.Version, Fingerprint: testFingerprint, Library: wire.LibraryCUDA}, fd))
	if r, err := wire.ReceiveAnswer(member); err != nil || r.Status != wire.StatusOK {
		t.Errorf("the member was told %+v, %v", r, err)
	}
}
