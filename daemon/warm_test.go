// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/daemon/installed"
	"nervlinux.org/axon/wire"
)

// warm is axond with one warm worker a kind.
func warm(t *testing.T, change func(*Config)) *axond {
	t.Helper()
	return startAxond(t, func(c *Config) {
		c.Warm, c.WarmPause = 1, time.Millisecond
		if change != nil {
			change(c)
		}
	})
}

// idle is the process numbers of warm workers that are up, oldest first.
func (a *axond) idle() []int {
	a.pool.mu.Lock()
	defer a.pool.mu.Unlock()
	var pids []int
	for _, k := range a.pool.kinds {
		for _, w := range k.idle {
			if w.up {
				pids = append(pids, w.pid)
			}
		}
	}
	slices.Sort(pids)
	return pids
}

func (a *axond) untilIdle(t *testing.T, n int) []int {
	t.Helper()
	eventually(t, fmt.Sprintf("%d warm workers", n), func() bool { return len(a.idle()) == n })
	return a.idle()
}

func (o *opened) isWarm() bool { return slices.Contains(o.worker.Args, "--warm") }

func TestASecondSessionFindsAWarmWorker(t *testing.T) {
	a := warm(t, nil)
	env := []string{"CUDA_VISIBLE_DEVICES=0", "HOME=/home/of/client"}
	first := a.mustOpen(t, env...)
	if first.isWarm() {
		t.Error("the first session of its kind had a warm worker")
	}
	waiting := a.untilIdle(t, 1)
	second := a.mustOpen(t, env[1], env[0]) // in whatever order
	if !second.isWarm() || second.worker.PID != waiting[0] {
		t.Errorf("the second has worker %d, started as %q; %v was warm", second.worker.PID, second.worker.Args, waiting)
	}
	for _, o := range []*opened{first, second} {
		slices.Sort(o.worker.Env)
	}
	if !slices.Equal(first.worker.Env, second.worker.Env) {
		t.Errorf("the warm worker has the environment %q, not %q", second.worker.Env, first.worker.Env)
	}
	if !slices.Equal(second.worker.FDs, []string{"0", "1", "2", "4"}) {
		t.Errorf("a warm worker was started with the descriptors %v", second.worker.FDs)
	}
	eventually(t, "the log says which", func() bool {
		return strings.Contains(a.log.String(), "warm=false") && strings.Contains(a.log.String(), "warm=true")
	})
	second.conn.Close()
	eventually(t, "the warm worker ends with its session", func() bool { return !exists(second.worker.PID) })
}

func TestAnotherEnvironmentGetsAWorkerOfItsOwn(t *testing.T) {
	a := warm(t, nil)
	a.mustOpen(t, "HOME=/a")
	a.untilIdle(t, 1)
	for _, env := range [][]string{{"HOME=/b"}, {}, {"HOME=/a", "CUDA_CACHE_PATH=/c"}, {"HOME=/a", "CUDA_VISIBLE_DEVICES="}} {
		o := a.mustOpen(t, env...)
		if o.isWarm() {
			t.Errorf("%q was given a worker that had been started with %q", env, o.worker.Env)
		}
	}
	a.untilIdle(t, 5)
	if o := a.mustOpen(t, "HOME=/a"); !o.isWarm() {
		t.Error("the warm worker was lost to other environments")
	}
}

func TestNobodyGetsAWarmWorkerOfAnotherUser(t *testing.T) {
	rootOnly(t)
	a := warm(t, nil)
	if !a.Policy.HasGroup {
		t.Skip("there is no group video on this machine")
	}
	open := func(uid uint32, groups ...uint32) workerReport {
		t.Helper()
		_, r := startClient(t, a.socket, "", &syscall.Credential{Uid: uid, Gid: 12346, Groups: append(groups, a.Policy.GID)})
		if r.Err != "" || r.Answer.Status != wire.StatusOK {
			t.Fatalf("no session: %+v", r)
		}
		return r.Worker
	}
	open(12345, 12347)
	waiting := a.untilIdle(t, 1)
	for _, w := range []workerReport{open(12399, 12347), open(12345)} {
		if slices.Contains(waiting, w.PID) {
			t.Errorf("user %d with %v got the warm worker of user 12345", w.UID, w.Groups)
		}
	}
	w := open(12345, 12347)
	slices.Sort(w.Groups)
	want := []int{int(a.Policy.GID), 12347}
	slices.Sort(want)
	if w.PID != waiting[0] || w.UID != 12345 || w.GID != 12346 || !slices.Equal(w.Groups, want) {
		t.Errorf("the worker %d runs as %d:%d with %v; %v was warm", w.PID, w.UID, w.GID, w.Groups, waiting)
	}
}

func TestAWarmWorkersDeathHurtsNobody(t *testing.T) {
	a := warm(t, nil)
	a.mustOpen(t)
	victim := a.untilIdle(t, 1)[0]
	must(t, unix.Kill(victim, unix.SIGKILL))
	eventually(t, "it is reaped", func() bool { return !exists(victim) })
	if o := a.mustOpen(t); o.worker.PID == victim {
		t.Error("the session was given a dead worker")
	}
	eventually(t, "there is another", func() bool { return len(a.idle()) == 1 })
	if n := strings.Count(a.log.String(), "a warm worker was lost"); n != 1 {
		t.Errorf("the log says %d times that it was lost", n)
	}
}

func TestAWarmWorkerThatCannotServeCostsNobodyASession(t *testing.T) {
	a := warm(t, nil)
	for i, mode := range []string{"dies at hand-over", "refuses at hand-over"} {
		a.mustOpen(t, "SOFTGPU_FAKE="+mode)
		a.untilIdle(t, i+1)
		if o := a.mustOpen(t, "SOFTGPU_FAKE="+mode); o.isWarm() {
			t.Errorf("%s: the session was given it all the same", mode)
		}
		if n := strings.Count(a.log.String(), "cannot serve this session, another is started"); n != i+1 {
			t.Errorf("%s: the log says %d times that a warm worker could not serve", mode, n)
		}
	}
}

// A start that fails is not tried again at once, and not told again and again.
func TestAWarmWorkerThatCannotStartIsNotTriedInALoop(t *testing.T) {
	a := warm(t, nil)
	nothing := a.open(t, "SOFTGPU_FAKE=crash")
	if nothing.answer.Status != wire.StatusNoWorker {
		t.Fatalf("the session: %+v", nothing.answer)
	}
	eventually(t, "it was tried", func() bool { return strings.Contains(a.log.String(), "a warm worker was lost") })
	a.mustOpen(t)
	a.untilIdle(t, 1)
	if n := strings.Count(a.log.String(), "about to crash"); n > 5 {
		t.Errorf("it was started %d times meanwhile", n)
	}
}

func TestKindsAreBoundedAndNobodyTakesAll(t *testing.T) {
	a := warm(t, nil)
	other := workerSpec{path: self, vendor: "/vendor", client: 12345, cred: &syscall.Credential{Uid: 12345, Gid: 12345}, env: []string{"HOME=/other"}}
	a.mustOpen(t, "CUDA_VISIBLE_DEVICES=0").conn.Close()
	if os.Geteuid() == 0 {
		a.pool.mu.Lock()
		a.pool.see(other)
		a.pool.mu.Unlock()
	}
	for i := range 3 * warmKinds {
		a.mustOpen(t, fmt.Sprintf("CUDA_VISIBLE_DEVICES=%d", i)).conn.Close()
	}
	a.untilIdle(t, warmKinds)
	a.pool.mu.Lock()
	defer a.pool.mu.Unlock()
	if n := len(a.pool.kinds); n != warmKinds {
		t.Errorf("%d kinds are kept warm", n)
	}
	if os.Geteuid() == 0 && a.pool.kinds[other.key()] == nil {
		t.Error("one user's many environments displaced another user's only one")
	}
}

func TestAnUpgradeReplacesWarmWorkers(t *testing.T) {
	dir := t.TempDir()
	library := filepath.Join(dir, installed.Library)
	must(t, os.WriteFile(library, []byte("old"), 0o644))
	a := warm(t, func(c *Config) { c.Vendor.Dir = dir })
	a.mustOpen(t)
	old := a.untilIdle(t, 1)[0]
	must(t, os.Rename(library, library+".old"))
	must(t, os.WriteFile(library, []byte("new"), 0o644))
	if o := a.mustOpen(t); o.worker.PID == old {
		t.Error("a session was given a worker with the library from before the upgrade")
	}
}

func TestAnUnusedKindIsForgotten(t *testing.T) {
	a := warm(t, func(c *Config) { c.WarmFor = time.Nanosecond })
	a.mustOpen(t)
	pid := a.untilIdle(t, 1)[0]
	a.pool.mu.Lock()
	var key string
	var k *kind
	for key, k = range a.pool.kinds {
	}
	a.pool.mu.Unlock()
	if !a.pool.unseen(key, k) {
		t.Fatal("it is still remembered")
	}
	eventually(t, "its worker is gone", func() bool { return !exists(pid) })
}

func TestMoreSessionsAtOnceThanWarmWorkersAllStart(t *testing.T) {
	a := warm(t, nil)
	nothingLeaks(t, func() {
		a.mustOpen(t).conn.Close()
		a.untilIdle(t, 1)
		seen := map[int]bool{}
		var all []*opened
		for range 10 {
			o := a.mustOpen(t)
			seen[o.worker.PID] = true
			all = append(all, o)
		}
		if len(seen) != 10 {
			t.Errorf("10 sessions have %d workers", len(seen))
		}
		for _, o := range all {
			o.conn.Close()
		}
		must(t, a.stop())
	})
}

func TestStoppingEndsWarmWorkers(t *testing.T) {
	nothingLeaks(t, func() {
		a := warm(t, func(c *Config) { c.WarmOwn = true })
		pids := a.untilIdle(t, 1)
		must(t, a.stop())
		if exists(pids[0]) {
			t.Errorf("warm worker %d is still there", pids[0])
		}
	})
}

// waitingScopes note who waits, and find no place for those who do.
type waitingScopes struct {
	NoScopes
	mu   sync.Mutex
	pids []int
}

func (*waitingScopes) Holds() bool { return true }
func (s *waitingScopes) Wait(_ context.Context, pid int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pids = append(s.pids, pid)
	return errors.New("no room in the slice")
}

func TestAWarmWorkerIsPlacedBeforeItBegins(t *testing.T) {
	scopes := &waitingScopes{}
	a := warm(t, func(c *Config) { c.Scopes = scopes })
	a.mustOpen(t)
	a.untilIdle(t, 1)
	scopes.mu.Lock()
	defer scopes.mu.Unlock()
	if !slices.Equal(scopes.pids, a.idle()) {
		t.Errorf("%v wait, %v were placed", a.idle(), scopes.pids)
	}
	second := a.mustOpen(t)
	if !second.isWarm() {
		t.Error("a worker that waits where it began served nobody")
	}
}
