// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestCheckpointsOnTheSoftwareGPUItself(t *testing.T) {
	const alone = "the software GPU reaches its own process only"
	in := installation{build: buildDir(t)}
	in.runCases(t, append(os.Environ(), "LD_LIBRARY_PATH="+filepath.Join(in.build, "softgpu")), "checkpoint", map[string]string{
		"another_process":               alone,
		"two_with_sessions":             alone,
		"calls_wait_for_the_unlock":     alone,
		"a_locked_process_can_be_ended": alone,
	})
}

func TestCheckpointsThroughAxon(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	in.runCases(t, in.clientEnv(a.socket), "checkpoint", nil)
	waitFor(t, "every worker ended with its client", 10*time.Second, func() bool { return len(a.workers()) == 0 })
}

// checkpointDo has another process do something to one, and returns what came of it.
func checkpointDo(t testing.TB, in installation, socket, action string, pid int) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, err := in.command(ctx, in.clientEnv(socket), "checkpoint", "do", action, strconv.Itoa(pid)).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", action, err, out)
	}
	return strings.TrimSpace(string(out))
}

// Who locks a process need not live on, nor axond, and the process goes on where it was.
func TestALockedSessionOutlivesWhoLockedItAndAxond(t *testing.T) {
	in := installation{build: buildDir(t)}
	s := startService(t, in)
	c := startClient(t, in, in.clientEnv(s.socket))
	c.expect("open", "0")
	pid := c.cmd.Process.Pid
	expect := func(action, want string) {
		t.Helper()
		if got := checkpointDo(t, in, s.socket, action, pid); got != want {
			t.Fatalf("%q, not %q", got, want)
		}
	}
	expect("state", "state 0 state 0 thread none")
	expect("thread", "thread 0 state -1 thread first")
	expect("lock", "lock 0 state -1 thread none")
	expect("checkpoint", "checkpoint 0 state -1 thread none")
	s.end(syscall.SIGKILL)
	s.start()
	expect("state", "state 0 state 2 thread none")
	expect("move", "move 801 state -1 thread none") // to another GPU
	expect("unlock", "unlock 401 state -1 thread none")
	fmt.Fprintln(c.in, "call")
	select {
	case line := <-c.lines:
		t.Fatalf("a checkpointed session makes a call: %q", line)
	case <-time.After(200 * time.Millisecond):
	}
	expect("restore", "restore 0 state -1 thread none")
	expect("unlock", "unlock 0 state -1 thread none")
	select {
	case line := <-c.lines:
		if line != "call 0" {
			t.Errorf("after the unlock: %q", line)
		}
	case <-time.After(60 * time.Second):
		t.Fatal("the call does not go on after the unlock")
	}
	c.expect("call", "0")
}

// A lock without a timeout waits for the device. Others can ask for the state
// meanwhile, who locks can be ended, and so can the process.
func TestALockThatWaitsHoldsUpNobodyElse(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	c, other := startClient(t, in, in.clientEnv(a.socket)), startClient(t, in, in.clientEnv(a.socket))
	c.expect("open", "0")
	c.expect("busy", "0")
	other.expect("open", "0")
	pid := c.cmd.Process.Pid
	locker := in.command(t.Context(), in.clientEnv(a.socket), "checkpoint", "do", "forever", strconv.Itoa(pid))
	if err := locker.Start(); err != nil {
		t.Fatal(err)
	}
	if got := checkpointDo(t, in, a.socket, "state", pid); got != "state 0 state 0 thread none" {
		t.Errorf("while somebody waits for the lock: %q", got)
	}
	if got := checkpointDo(t, in, a.socket, "briefly", pid); got != "briefly 600 state -1 thread none" {
		t.Errorf("another lock, which has a time: %q", got)
	}
	if got := checkpointDo(t, in, a.socket, "lock", other.cmd.Process.Pid); got != "lock 0 state -1 thread none" {
		t.Errorf("another process meanwhile: %q", got)
	}
	if got := checkpointDo(t, in, a.socket, "unlock", other.cmd.Process.Pid); got != "unlock 0 state -1 thread none" {
		t.Errorf("another process meanwhile: %q", got)
	}
	other.expect("call", "0")
	locker.Process.Kill()
	locker.Wait()
	c.cmd.Process.Kill()
	c.cmd.Wait()
	waitFor(t, "the worker ended with its client", 20*time.Second, func() bool { return len(a.workers()) == 1 })
	other.expect("call", "0")
}

// A user has the own processes checkpointed, root any, and nobody else's.
func TestWhoMayCheckpointWhom(t *testing.T) {
	video := otherUsers(t)
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	os.Chmod(filepath.Dir(a.socket), 0o755)
	env := append(in.clientEnv(a.socket), "HOME=/nonexistent")
	as := func(cmd *exec.Cmd, uid uint32) *exec.Cmd {
		cmd.Dir = "/"
		if uid != 0 {
			cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uid, Gid: uid, Groups: []uint32{video}}
		}
		return cmd
	}
	begin := func(uid uint32) int {
		cmd := as(in.command(t.Context(), env, "linger"), uid)
		stdin, _ := cmd.StdinPipe()
		stdout, _ := cmd.StdoutPipe()
		if err := cmd.Start(); err != nil {
			if os.IsPermission(err) {
				t.Skipf("other users cannot read the build folder: %v", err)
			}
			t.Fatal(err)
		}
		t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
		fmt.Fprintln(stdin, "open")
		b := make([]byte, 64)
		if n, err := stdout.Read(b); err != nil || string(b[:n]) != "open 0\n" {
			t.Fatalf("user %d has no session: %q %v", uid, b[:n], err)
		}
		return cmd.Process.Pid
	}
	theirs, roots := begin(12345), begin(0)
	for _, c := range []struct {
		uid    uint32
		pid    int
		action string
		want   string
	}{
		{12345, theirs, "lock", "lock 0"},
		{12347, theirs, "state", "state 800"},
		{12347, theirs, "thread", "thread 800"},
		{12347, theirs, "unlock", "unlock 800"},
		{12345, theirs, "unlock", "unlock 0"},
		{12345, roots, "lock", "lock 800"},
		{12345, roots, "state", "state 800"},
		{0, theirs, "lock", "lock 0"},
		{0, theirs, "unlock", "unlock 0"},
		{12345, os.Getpid(), "state", "state 1"},
		{12345, 1, "state", "state 1"},
	} {
		out, err := as(in.command(t.Context(), env, "checkpoint", "do", c.action, strconv.Itoa(c.pid)), c.uid).CombinedOutput()
		if err != nil || !strings.HasPrefix(string(out), c.want+" ") {
			t.Errorf("user %d, %s of %d: %q (%v), not %q", c.uid, c.action, c.pid, out, err, c.want)
		}
	}
}

// A relay's axond is on another machine, where this one's pids are others' or nobody's.
func TestCheckpointsBehindARelayAreRefused(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	socket := startRelay(t, a)
	c := startClient(t, in, in.clientEnv(socket))
	c.expect("open", "0")
	for _, action := range []string{"state", "lock", "thread"} {
		if got, want := checkpointDo(t, in, socket, action, c.cmd.Process.Pid), action+" 801 state -1 thread none"; got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
	c.expect("call", "0")
}
