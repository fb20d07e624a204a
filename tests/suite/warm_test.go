// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func startWarmAxond(t *testing.T, args ...string) (installation, *axond) {
	t.Helper()
	in := installation{build: buildDir(t), args: append([]string{"--verbose", "--warm", "1"}, args...)}
	return in, startAxond(t, in)
}

// untilWarm waits until n workers have become warm since axond's start.
func (a *axond) untilWarm(n int) {
	a.t.Helper()
	waitFor(a.t, fmt.Sprintf("%d workers were warm", n), 60*time.Second, func() bool {
		return strings.Count(a.Log(), "a worker is warm") >= n
	})
}

var startedLine = regexp.MustCompile(`"session started".* session=(\d+) worker=(\d+) .*warm=(\w+)`)

// started is the worker of the nth session, from 1, and whether it was a warm one.
func (a *axond) started(n int) (pid int, warm bool) {
	a.t.Helper()
	var m []string
	waitFor(a.t, fmt.Sprintf("session %d is in the log", n), 30*time.Second, func() bool {
		for _, x := range startedLine.FindAllStringSubmatch(a.Log(), -1) {
			if x[1] == strconv.Itoa(n) {
				m = x
			}
		}
		return m != nil
	})
	pid, _ = strconv.Atoi(m[2])
	return pid, m[3] == "true"
}

func TestASessionUsesAWarmWorker(t *testing.T) {
	for _, how := range []string{"--warm=1", "--warm-context"} {
		t.Run(how, func(t *testing.T) {
			in, a := startWarmAxond(t, how)
			a.untilWarm(1) // for axond's own user, who is the client's
			waiting := a.workers()
			c := startClient(t, in, in.clientEnv(a.socket))
			c.expect("open", "0")
			c.expect("call", "0")
			pid, warm := a.started(1)
			if !warm || len(waiting) != 1 || pid != waiting[0] {
				t.Errorf("the session has worker %d (warm: %v), and %v was warm", pid, warm, waiting)
			}
			other := startClient(t, in, append(in.clientEnv(a.socket), "CUDA_VISIBLE_DEVICES=0"))
			other.expect("open", "0")
			other.expect("call", "0")
			if _, warm := a.started(2); warm {
				t.Error("a session with another environment has a warm worker")
			}
			c.expect("call", "0")
		})
	}
}

func TestAWarmWorkerThatIsKilledHurtsNobody(t *testing.T) {
	in, a := startWarmAxond(t)
	a.untilWarm(1)
	waiting := a.workers()
	for _, pid := range waiting {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	c := startClient(t, in, in.clientEnv(a.socket))
	c.expect("open", "0")
	c.expect("call", "0")
	a.untilWarm(2)
	c.expect("call", "0")
}

// A warm worker is its user's from its first moment, and has no way to be anybody else's.
func TestAWarmWorkerRunsAsItsUser(t *testing.T) {
	video := otherUsers(t)
	in, a := startWarmAxond(t)
	for dir := filepath.Dir(a.socket); dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		os.Chmod(dir, 0o755) // a test's folders are its own user's only
	}
	run := func() {
		cmd := exec.Command(filepath.Join(in.build, "bin", "driver_axpy"))
		cmd.Dir = "/"
		cmd.Env = append(in.clientEnv(a.socket), "HOME=/nonexistent")
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 12345, Gid: 12346, Groups: []uint32{video}}}
		if out, err := cmd.CombinedOutput(); err != nil {
			if os.IsPermission(err) {
				t.Skipf("other users cannot read the build folder: %v", err)
			}
			t.Fatalf("%v\n%s", err, out)
		}
	}
	run()
	warmOf := regexp.MustCompile(`"a worker is warm" uid=12345 worker=(\d+)`)
	waitFor(t, "a worker is warm for the user", 60*time.Second, func() bool { return warmOf.MatchString(a.Log()) })
	waiting := warmOf.FindStringSubmatch(a.Log())[1]
	status, err := os.ReadFile("/proc/" + waiting + "/status")
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]string{}
	for _, line := range strings.Split(string(status), "\n") {
		name, value, _ := strings.Cut(line, ":")
		fields[name] = strings.Join(strings.Fields(value), " ")
	}
	const own = "1879060537" // 0x70000000 more than its user's
	apart := strings.Join([]string{own, own, own, own}, " ")
	groups := fmt.Sprint(video)
	if render, err := user.LookupGroup("render"); err == nil {
		groups += " " + render.Gid
	}
	for name, want := range map[string]string{
		"Uid": apart, "Gid": apart, "Groups": groups,
		"CapBnd": "0000000000000000", "NoNewPrivs": "1", "Seccomp": "2", "CapPrm": "0000000000000000", "CapEff": "0000000000000000", "CapInh": "0000000000000000", "CapAmb": "0000000000000000",
	} {
		if fields[name] != want {
			t.Errorf("the warm worker has %s %s, not %s", name, fields[name], want)
		}
	}
	run()
	if pid, warm := a.started(2); !warm || strconv.Itoa(pid) != waiting {
		t.Errorf("the user's second session has worker %d (warm: %v), and %s was warm", pid, warm, waiting)
	}
}

func TestAHundredSessionsInSequenceWithWarmWorkers(t *testing.T) {
	in, a := startWarmAxond(t)
	a.untilWarm(1)
	open := func() int {
		fds, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", a.cmd.Process.Pid))
		return len(fds)
	}
	run := func() {
		cmd := exec.Command(filepath.Join(in.build, "bin", "driver_axpy"))
		cmd.Env = in.clientEnv(a.socket)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	run()
	a.untilWarm(2)
	waitFor(t, "the first session ended", 20*time.Second, func() bool { return len(a.workers()) == 1 })
	before := open()
	for range 100 {
		run()
	}
	waitFor(t, "only a warm worker is left, and axond holds no more than before", 20*time.Second, func() bool {
		return len(a.workers()) == 1 && open() <= before
	})
	if n := strings.Count(a.Log(), "warm=true"); n < 2 {
		t.Errorf("%d of all those sessions had a warm worker", n)
	}
}

func TestMoreProgramsAtOnceThanWarmWorkers(t *testing.T) {
	in, a := startWarmAxond(t, "--warm=2")
	a.untilWarm(2)
	var all []*client
	for range 6 {
		all = append(all, startClient(t, in, in.clientEnv(a.socket)))
	}
	for _, c := range all {
		c.expect("open", "0")
	}
	for _, c := range all {
		c.expect("call", "0")
	}
	if n := strings.Count(a.Log(), "warm=true"); n < 2 {
		t.Errorf("%d sessions had a warm worker", n)
	}
}

// With a context that was there before the program, all is as without.
func TestProgramsThroughWarmWorkersWithContexts(t *testing.T) {
	in, a := startWarmAxond(t, "--warm=4", "--warm-context")
	a.untilWarm(4)
	for _, program := range []string{"semantics", "primary"} {
		t.Run(program, func(t *testing.T) { in.runCases(t, in.clientEnv(a.socket), program, nil) })
	}
	if !strings.Contains(a.Log(), "warm=true") {
		t.Error("no session had a warm worker")
	}
}

func TestPrimaryContextsEndWithWhatTheyHave(t *testing.T) {
	in := installation{build: buildDir(t)}
	t.Run("direct", func(t *testing.T) {
		in.runCases(t, append(os.Environ(), "LD_LIBRARY_PATH="+filepath.Join(in.build, "softgpu")), "primary", nil)
	})
	t.Run("axon", func(t *testing.T) { in.runCases(t, in.clientEnv(startAxond(t, in).socket), "primary", nil) })
}
