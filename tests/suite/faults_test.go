// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"
)

// deviceUnavailable is CUDA_ERROR_DEVICE_UNAVAILABLE.
const deviceUnavailable = "46"

func TestAWorkersDeathIsItsOwnClientsErrorAndNobodyElses(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	env := in.clientEnv(a.socket)
	victim := startClient(t, in, env)
	victim.expect("open", "0")
	doomed := a.workers()
	if len(doomed) != 1 {
		t.Fatalf("one session has %d workers", len(doomed))
	}
	other := startClient(t, in, env)
	other.expect("open", "0")
	victim.expect("call", "0")
	other.expect("call", "0")

	if err := syscall.Kill(doomed[0], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	victim.expect("call", deviceUnavailable)
	victim.expect("call", deviceUnavailable)
	victim.expect("wait", deviceUnavailable)
	for range 100 {
		other.expect("call", "0")
	}
	fmt.Fprintln(victim.in, "leave")
	if err := victim.cmd.Wait(); err != nil {
		t.Errorf("a client whose worker died cannot leave in peace: %v", err)
	}
}

// Memory that a graph copies to is shared with the worker. It stays the program's.
func TestMemoryOfAGraphOutlivesTheWorker(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	c := startClient(t, in, in.clientEnv(a.socket))
	c.expect("open", "0")
	c.expect("graph", "0")
	c.expect("look", "0")
	c.expect("busy", "0")
	c.expect("queue", "0")
	if err := syscall.Kill(a.workers()[0], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	c.expect("wait", deviceUnavailable)
	c.expect("look", "0")
	c.expect("graph", deviceUnavailable)
	fmt.Fprintln(c.in, "leave")
	if err := c.cmd.Wait(); err != nil {
		t.Errorf("a client whose worker died cannot leave in peace: %v", err)
	}
}

func TestAClientThatWaitsHearsOfItsWorkersDeath(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	c := startClient(t, in, in.clientEnv(a.socket))
	c.expect("open", "0")
	c.expect("busy", "0")
	workers := a.workers()
	answer := make(chan string, 1)
	go func() { answer <- c.tell("wait") }()
	// The client sleeps in the kernel once its spin is over.
	waitFor(t, "the client waits", 30*time.Second, func() bool {
		state, _ := os.ReadFile(fmt.Sprintf("/proc/%d/wchan", c.cmd.Process.Pid))
		return string(state) != "" && string(state) != "0" && string(state) != "pipe_read" && string(state) != "anon_pipe_read"
	})
	syscall.Kill(workers[0], syscall.SIGKILL)
	select {
	case got := <-answer:
		if got != deviceUnavailable {
			t.Errorf("wait: %s, not %s", got, deviceUnavailable)
		}
	case <-time.After(30 * time.Second):
		t.Error("the client waits for ever for a worker that is gone")
	}
}

func TestAClientsDeathEndsItsWorkerAndFreesWhatItHeld(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	env := in.clientEnv(a.socket)
	for _, doing := range []string{"idle", "busy", "graph"} {
		c := startClient(t, in, env)
		c.expect("open", "0")
		c.expect("hold", "0")
		if doing == "graph" {
			c.expect("graph", "0")
		}
		if doing != "idle" {
			c.expect("busy", "0")
		}
		if doing == "graph" {
			c.expect("queue", "0") // a copy into the client's own memory that will never be made
		}
		workers := a.workers()
		if len(workers) != 1 {
			t.Fatalf("%d workers", len(workers))
		}
		c.cmd.Process.Signal(syscall.SIGKILL)
		killed := time.Now()
		waitFor(t, "the worker ended with its client", 20*time.Second, func() bool { return len(a.workers()) == 0 })
		t.Logf("%s: the worker was gone %v after the client", doing, time.Since(killed).Round(time.Millisecond))
	}
	// A machine that is busy may take longer than a second; an axond that only
	// looks now and then would take that long every time.
	best := time.Hour
	for range 5 {
		c := startClient(t, in, env)
		c.expect("open", "0")
		c.cmd.Process.Signal(syscall.SIGKILL)
		killed := time.Now()
		waitFor(t, "the worker ended with its client", 20*time.Second, func() bool { return len(a.workers()) == 0 })
		best = min(best, time.Since(killed))
	}
	if best > time.Second {
		t.Errorf("at best %v from a client's death to its worker's", best)
	}
}

// An image is on its way at any moment: as a file that is being written, as a descriptor in axond, as a call.
func TestAClientKilledWhileItLoadsAnImageLeavesNothing(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	env := in.clientEnv(a.socket)
	other := startClient(t, in, env)
	other.expect("open", "0")
	axond := fmt.Sprintf("/proc/%d/fd", a.cmd.Process.Pid)
	var before int
	for i := range 12 {
		c := startClient(t, in, env)
		c.expect("open", "0")
		c.expect("load", "0")
		time.Sleep(time.Duration(i*7) * time.Millisecond) // another moment each time; nothing is waited for
		c.cmd.Process.Signal(syscall.SIGKILL)
		waitFor(t, "the worker ended with its client", 20*time.Second, func() bool { return len(a.workers()) == 1 })
		other.expect("call", "0")
		open, err := os.ReadDir(axond)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			before = len(open)
		}
		waitFor(t, "axond has as few descriptors as before", 10*time.Second, func() bool {
			open, err := os.ReadDir(axond)
			return err == nil && len(open) <= before
		})
	}
}

// A forked child holds a copy of the socket: the session must not live on it.
func TestASessionEndsWithItsProcessThoughAChildLivesOn(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := in.command(ctx, in.clientEnv(a.socket), "forker")
	cmd.Stderr = os.Stderr // not a pipe, which would end with the child only
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var child int
	if _, err := fmt.Sscanf(string(out), "child %d", &child); err != nil {
		t.Fatalf("%q: %v", out, err)
	}
	defer syscall.Kill(child, syscall.SIGKILL)
	waitFor(t, "the session ended", 20*time.Second, func() bool { return len(a.workers()) == 0 })
	if err := syscall.Kill(child, 0); err != nil {
		t.Errorf("the child was to live on: %v", err)
	}
}

func TestAScribbledRegionHurtsItsOwnSessionAlone(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	env := in.clientEnv(a.socket)
	other := startClient(t, in, env)
	other.expect("open", "0")
	before := a.workers()
	for seed := range 12 {
		c := startClient(t, in, env)
		c.expect("open", "0")
		c.expect("call", "0")
		c.expect(fmt.Sprintf("scribble %d", seed), "done")
		other.expect("call", "0")
		// What this client gets from now on is its own affair, but for hanging
		// up: axond must still see it go.
		c.cmd.Process.Signal(syscall.SIGKILL)
		c.cmd.Wait()
		waitFor(t, "the scribbler's worker ended", 20*time.Second, func() bool {
			return slices.Equal(a.workers(), before)
		})
		other.expect("call", "0")
	}
}

func TestAnUnreachableAxondIsNoDevice(t *testing.T) {
	in := installation{build: buildDir(t)}
	c := startClient(t, in, in.clientEnv(filepath.Join(t.TempDir(), "nobody")))
	c.expect("open", "100") // CUDA_ERROR_NO_DEVICE
}

// Nothing happens when the library is loaded: no socket, no thread, no memory file.
func TestLoadingTheShimDoesNothing(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	c := startClient(t, in, in.clientEnv(a.socket))
	c.expect("nothing", "what") // it runs, with the library loaded
	fds, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", c.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, fd := range fds {
		name, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/%s", c.cmd.Process.Pid, fd.Name()))
		if name == "/memfd:axon-region (deleted)" {
			t.Errorf("a region exists before the first call")
		}
	}
	if n := len(a.workers()); n != 0 {
		t.Errorf("%d workers before the first call", n)
	}
	tasks, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", c.cmd.Process.Pid))
	if len(tasks) != 1 {
		t.Errorf("%d threads before the first call", len(tasks))
	}
}

// A hundred programs that come and go leave nothing behind in axond.
func TestSessionsLeaveNothingBehind(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	open := func() int {
		fds, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", a.cmd.Process.Pid))
		return len(fds)
	}
	run := func() {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, filepath.Join(in.build, "bin", "driver_axpy"))
		cmd.Env = in.clientEnv(a.socket)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	run()
	waitFor(t, "the first session ended", 20*time.Second, func() bool { return len(a.workers()) == 0 })
	before := open()
	for range 30 {
		run()
	}
	waitFor(t, "axond holds no more than before", 20*time.Second, func() bool {
		return len(a.workers()) == 0 && open() <= before
	})
}
