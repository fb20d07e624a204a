// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// buildDir is where make put things.
func buildDir(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("AXON_BUILD")
	if dir == "" {
		_, file, _, _ := runtime.Caller(0)
		dir = filepath.Join(filepath.Dir(file), "..", "..", "build")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "bin", "axond")); err != nil {
		t.Fatalf("%v: run make first, or name the build folder in AXON_BUILD", err)
	}
	return dir
}

// waitFor polls until the condition holds; the deadline is for machines that
// are slow, not a figure.
func waitFor(t testing.TB, what string, limit time.Duration, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(limit); !condition(); {
		if time.Now().After(deadline) {
			t.Fatalf("after %v still not: %s", limit, what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// installation is one set of shim, worker and vendor to run programs on.
type installation struct {
	build    string   // the folder with lib/, libexec/, softgpu/ and tests/; axond is the usual one
	worker   string   // another worker, or ""
	env      []string // for axond and clients alike
	args     []string // more arguments for axond
	emulator []string // what client programs are started with, or nil
	log      *os.File // where axond writes its log instead of to axond.Log, or nil
	user     uint32   // whom axond runs as if the tests run as root; 0 for root
}

// axond is one that runs.
type axond struct {
	t      testing.TB
	cmd    *exec.Cmd
	socket string
	in     installation
	mu     sync.Mutex
	log    bytes.Buffer
}

func (a *axond) Write(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.log.Write(p)
}

// Log is what axond has printed.
func (a *axond) Log() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.log.String()
}

func startAxond(t testing.TB, in installation) *axond {
	t.Helper()
	dir, err := os.MkdirTemp("", "axon-") // t.TempDir is named after the test: too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	a := &axond{t: t, in: in, socket: filepath.Join(dir, "sock")}
	// Tests count workers: warm ones are for those that ask for them.
	args := append([]string{"--socket", a.socket, "--vendor", filepath.Join(in.build, "softgpu"), "--warm", "0"}, in.args...)
	if in.worker != "" {
		args = append(args, "--worker", in.worker)
	} else {
		args = append(args, "--worker", filepath.Join(in.build, "libexec", "axon-worker"))
	}
	a.cmd = exec.Command(filepath.Join(buildDir(t), "bin", "axond"), args...)
	// Workers that are users of their own keep compiled kernels in there.
	os.Chmod(dir, 0o711)
	a.cmd.Env = append(append(os.Environ(), "AXON_CACHE_DIR="+filepath.Join(dir, "cache")), in.env...)
	if in.user != 0 {
		os.Chown(dir, int(in.user), int(in.user))
		a.cmd.Dir, a.cmd.SysProcAttr = "/", &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: in.user, Gid: in.user}}
	}
	a.cmd.Stderr = a
	if in.log != nil {
		a.cmd.Stderr = in.log
	}
	if err := a.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { a.cmd.Wait(); close(ended) }()
	t.Cleanup(func() {
		a.cmd.Process.Signal(os.Interrupt)
		select {
		case <-ended:
		case <-time.After(20 * time.Second):
			t.Errorf("axond did not end when asked to")
			a.cmd.Process.Kill()
			<-ended
		}
		if t.Failed() {
			t.Logf("axond said:\n%s", a.Log())
		}
	})
	waitFor(t, "axond listens", 60*time.Second, func() bool {
		select {
		case <-ended:
			t.Fatalf("axond ended at once:\n%s", a.Log())
		default:
		}
		_, err := os.Stat(a.socket)
		return err == nil
	})
	return a
}

// workers are the process numbers of axond's workers that have not ended.
func (a *axond) workers() []int {
	var pids []int
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue
		}
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if len(fields) > 1 && fields[1] == strconv.Itoa(a.cmd.Process.Pid) && fields[0] != "Z" {
			pids = append(pids, pid)
		}
	}
	return pids
}

// clientEnv is the environment of a program that uses the shim of that
// installation and the axond or relay at the socket.
func (in installation) clientEnv(socket string) []string {
	env := append(os.Environ(), in.env...)
	return append(env, "LD_LIBRARY_PATH="+filepath.Join(in.build, "lib"), "AXON_SESSION="+socket)
}

// ways are the environments in which a program reaches the software GPU: its
// libcuda directly, and through axon, where calls are posted and where each is
// waited for.
func (in installation) ways(a *axond) map[string][]string {
	return map[string][]string{
		"direct":  append(os.Environ(), "LD_LIBRARY_PATH="+filepath.Join(in.build, "softgpu")),
		"posted":  in.clientEnv(a.socket),
		"waiting": append(in.clientEnv(a.socket), "AXON_SYNC=1"),
	}
}

// command is a program of the installation's, on whatever env makes it find.
// When ctx is done it is killed with the children it forked, and whoever has
// left the group and holds its output is not waited for.
func (in installation) command(ctx context.Context, env []string, program string, args ...string) *exec.Cmd {
	words := append(append(slices.Clone(in.emulator), filepath.Join(in.build, "tests", program)), args...)
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Env = env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 10 * time.Second
	return cmd
}

// cases asks a test program for the names of its cases.
func (in installation) cases(t testing.TB, env []string, program string) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, err := in.command(ctx, env, program, "--list").Output()
	if err != nil {
		t.Fatalf("%s --list: %v", program, err)
	}
	return strings.Fields(string(out))
}

// runCases runs every case of a test program as a test of its own.
func (in installation) runCases(t *testing.T, env []string, program string, leaveOut map[string]string) {
	for _, name := range in.cases(t, env, program) {
		t.Run(name, func(t *testing.T) {
			if why := leaveOut[name]; why != "" {
				t.Skip(why)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			out, err := in.command(ctx, env, program, name).CombinedOutput()
			if err != nil || !bytes.Contains(out, []byte("ok "+name)) {
				t.Errorf("%v\n%s", err, out)
			}
			if said := sanitizerReport.Find(out); said != nil {
				t.Errorf("%s:\n%s", said, out)
			}
		})
	}
}

// sanitizerReport is the line that a sanitizer's report starts with.
var sanitizerReport = regexp.MustCompile(`(WARNING|ERROR|FATAL): (Address|Thread|Leak|UndefinedBehavior)Sanitizer.*|.*: runtime error: .*`)

// client is tests/programs/linger.c, which does what it is told.
type client struct {
	t     testing.TB
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string
}

func startClient(t testing.TB, in installation, env []string) *client {
	t.Helper()
	c := &client{t: t, cmd: in.command(context.Background(), env, "linger"), lines: make(chan string, 16)}
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.cmd.Stderr = os.Stderr
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(c.lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			c.lines <- s.Text()
		}
	}()
	t.Cleanup(func() {
		c.cmd.Process.Kill()
		c.cmd.Wait()
	})
	return c
}

// tell sends a command and returns the answer's last word.
func (c *client) tell(command string) string {
	c.t.Helper()
	fmt.Fprintln(c.in, command)
	select {
	case line, ok := <-c.lines:
		if !ok {
			c.t.Fatalf("the client ended instead of answering %q", command)
		}
		words := strings.Fields(line)
		return words[len(words)-1]
	case <-time.After(60 * time.Second):
		c.t.Fatalf("no answer to %q", command)
	}
	return ""
}

func (c *client) expect(command, answer string) {
	c.t.Helper()
	if got := c.tell(command); got != answer {
		c.t.Fatalf("%s: %s, not %s", command, got, answer)
	}
}
