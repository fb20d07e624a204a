// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// The programs' expectations must hold on a libcuda that is reached directly,
// or they test nothing of CUDA.
func TestProgramsOnTheSoftwareGPUItself(t *testing.T) {
	in := installation{build: buildDir(t)}
	env := append(os.Environ(), "LD_LIBRARY_PATH="+filepath.Join(in.build, "softgpu"))
	in.runCases(t, env, "semantics", map[string]string{
		"symbols_are_found_by_version": "the software GPU has each function's newest version only; the shim has all",
	})
	in.runCases(t, env, "memory", map[string]string{
		"batches_copy_each_of_theirs": "the software GPU has no batches; the shim makes single copies of them",
	})
	in.runCases(t, env, "variables", nil)
	in.runCases(t, append(env, "SOFTGPU_DEVICES=2"), "visible", nil)
}

func TestProgramsThroughAxon(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	in.runCases(t, in.clientEnv(a.socket), "semantics", nil)
	in.runCases(t, in.clientEnv(a.socket), "memory", memoryLeavesOut(nil))
	in.runCases(t, in.clientEnv(a.socket), "variables", nil)
	in.runCases(t, append(in.clientEnv(a.socket), "SOFTGPU_DEVICES=2"), "visible", nil)
	waitFor(t, "every worker ended with its client", 10*time.Second, func() bool { return len(a.workers()) == 0 })
}

func TestProgramsWaitingForEveryCall(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	in.runCases(t, append(in.clientEnv(a.socket), "AXON_SYNC=1"), "semantics", nil)
	in.runCases(t, append(in.clientEnv(a.socket), "AXON_SYNC=1"), "memory", memoryLeavesOut(nil))
}

// relay starts tests/relay between clients and axond, and returns its socket.
func startRelay(t *testing.T, a *axond, args ...string) string {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "relay")
	program := filepath.Join(t.TempDir(), "relay-program")
	build := exec.Command("go", "build", "-o", program, "nervlinux.org/axon/tests/relay")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the relay: %v\n%s", err, out)
	}
	cmd := exec.Command(program, append([]string{"--listen", socket, "--to", a.socket}, args...)...)
	var log bytes.Buffer
	cmd.Stderr = &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		if t.Failed() {
			t.Logf("the relay said:\n%s", log.String())
		}
	})
	waitFor(t, "the relay listens", 30*time.Second, func() bool { _, err := os.Stat(socket); return err == nil })
	return socket
}

// memoryLeavesOut is what of tests/programs/memory.c cannot be had through axon
// here, and more.
func memoryLeavesOut(more map[string]string) map[string]string {
	out := map[string]string{}
	for name, why := range more {
		out[name] = why
	}
	fd, _, errno := unix.Syscall(unix.SYS_USERFAULTFD, unix.O_CLOEXEC|1, 0, 0) // 1: UFFD_USER_MODE_ONLY
	if errno != 0 {
		out["nothing_is_lost_that_another_thread_writes_meanwhile"] = "no userfaultfd here: " + errno.Error()
	} else {
		unix.Close(int(fd))
	}
	return out
}

const unreachable = "a device behind a relay cannot reach the program's memory"

// The same protocol over a byte stream: a network is no different.
func TestProgramsThroughARelay(t *testing.T) {
	for _, way := range []struct {
		name string
		args []string
	}{{"pipe", nil}, {"tcp", []string{"--tcp"}}} {
		t.Run(way.name, func(t *testing.T) {
			in := installation{build: buildDir(t)}
			a := startAxond(t, in)
			socket := startRelay(t, a, way.args...)
			in.runCases(t, in.clientEnv(socket), "semantics", nil)
			in.runCases(t, in.clientEnv(socket), "variables", nil)
			in.runCases(t, in.clientEnv(socket), "memory", memoryLeavesOut(map[string]string{
				"kernels_write_registered_memory":           unreachable,
				"a_variable_on_the_stack_can_be_registered": unreachable,
				"registered_memory_says_what_it_is":         unreachable,
			}))
		})
	}
}

// The sample, as the README has it.
func TestTheSampleComputesTheRightNumbers(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	for _, how := range [][]string{
		{filepath.Join(in.build, "bin", "axon"), "run", "--socket", a.socket, filepath.Join(in.build, "bin", "driver_axpy")},
		{filepath.Join(in.build, "bin", "driver_axpy")},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, how[0], how[1:]...)
		if len(how) == 1 {
			cmd.Env = in.clientEnv(a.socket)
		}
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.HasPrefix(string(out), "device: ") || !strings.HasSuffix(string(out), "65536 elements correct\n") {
			t.Errorf("%v: %v\n%s", how, err, out)
		}
	}
}

// A test of order that cannot fail tests nothing: without the rule it must.
func TestTheOrderTestFailsWithoutTheOrderRule(t *testing.T) {
	const name = "what_one_thread_posted_is_seen_by_anothers_later_call"
	in := installation{build: buildDir(t)}
	in.worker = filepath.Join(in.build, "without-order", "libexec", "axon-worker")
	needVariant(t, in.worker)
	a := startAxond(t, in)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	for range 40 { // two of three times it is; on a busy machine the other thread can be late several times in a row
		out, err := in.command(ctx, in.clientEnv(a.socket), "semantics", name).CombinedOutput()
		if err != nil && bytes.Contains(out, []byte("overtaken")) {
			return
		}
	}
	t.Errorf("%s passes on a worker without the order rule: it does not test it", name)
}
