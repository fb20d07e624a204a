// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"nervlinux.org/axon/fleet/madeup"
	"nervlinux.org/axon/tests/terminal"
)

// terminalEnv makes the test binary axon, with a shell that says when it is there.
var terminalEnv = []string{"AXON_TEST_AS_AXON=1", "SHELL=/bin/sh", "PS1=shell> ", "LD_LIBRARY_PATH=", "AXON_SESSION="}

// onTerminal starts axon on a terminal.
func onTerminal(t *testing.T, args ...string) *terminal.Terminal {
	t.Helper()
	return terminal.Start(t, 80, 24, terminalEnv, os.Args[0], args...)
}

func TestOnATerminalItIsLiveAndEndsWithQ(t *testing.T) {
	socket := axondThatSays(t, &madeup.Machine{GPUs: 2, Sessions: 6}, nil)
	x := onTerminal(t, "--socket", socket)
	x.Has("2 GPUs", "NVIDIA H200", "python3 train.", "? help")
	x.Has("15.0k") // calls a second: there was a second sample
	x.Type("q")
	if code := x.Ended(); code != 0 {
		t.Errorf("status %d", code)
	}
	if s := x.Screen(); strings.Contains(s, "NVIDIA") {
		t.Errorf("it left something on the screen:\n%s", s)
	}
}

func TestTheShellOfAGPUFindsAxonAndTheGPU(t *testing.T) {
	socket := axondThatSays(t, &madeup.Machine{GPUs: 2}, nil)
	x := onTerminal(t, "top", "--socket", socket)
	x.Has("GPU 1")
	x.Type("j", "j", "Enter")
	x.Has("Programs in this shell use GPU 1")
	x.Write("echo $CUDA_VISIBLE_DEVICES; echo $AXON_SESSION")
	x.Type("Enter")
	x.Has("\nGPU-00000001-0000-4000-8000-000000000001\n" + socket + "\n")
	x.Write("exit")
	x.Type("Enter")
	x.Has("q quit")
}

func TestALiveViewWithoutAxondSaysWhatToDoAndFindsItLater(t *testing.T) {
	dir, err := os.MkdirTemp("", "axon")
	must(t, err)
	defer os.RemoveAll(dir)
	x := onTerminal(t, "--watch", "0.2", "--socket", filepath.Join(dir, "sock"))
	x.Has("no answer", "systemctl start axond")
	must(t, os.Symlink(axondThatSays(t, &madeup.Machine{GPUs: 1}, nil), filepath.Join(dir, "sock")))
	x.Has("NVIDIA H200")
	x.Lacks("systemctl")
}

func TestOnceAndFormatsPrintOnATerminalToo(t *testing.T) {
	socket := axondThatSays(t, &madeup.Machine{GPUs: 1}, nil)
	for _, args := range [][]string{{"--once"}, {"--format=table"}} {
		x := onTerminal(t, append(args, "--socket", socket)...)
		if code := x.Ended(); code != 0 || !strings.Contains(x.Screen(), "NVIDIA H200") {
			t.Errorf("%q: status %d:\n%s", args, code, x.Screen())
		}
	}
}

// TestSignalsEndTheLiveViewInPeace is kill and timeout(1), which are no fault of
// the terminal's.
func TestSignalsEndTheLiveViewInPeace(t *testing.T) {
	socket := axondThatSays(t, &madeup.Machine{GPUs: 1}, nil)
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		pid := filepath.Join(t.TempDir(), "pid")
		x := terminal.Start(t, 80, 24, terminalEnv, "sh", "-c", `echo $$ >"$0"; exec "$@"`, pid, os.Args[0], "--socket", socket)
		x.Has("NVIDIA H200")
		b, err := os.ReadFile(pid)
		must(t, err)
		n, err := strconv.Atoi(strings.TrimSpace(string(b)))
		must(t, err)
		must(t, syscall.Kill(n, sig))
		if code, s := x.Ended(), x.Screen(); code != 0 || strings.Contains(s, "terminal") || strings.Contains(s, "NVIDIA") {
			t.Errorf("%v: status %d:\n%s", sig, code, s)
		}
	}
}
