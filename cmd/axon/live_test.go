// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nervlinux.org/axon/fleet/madeup"
	"nervlinux.org/axon/tests/terminal"
)

// onTerminal starts axon on a terminal.
func onTerminal(t *testing.T, args ...string) *terminal.Terminal {
	t.Helper()
	return terminal.Start(t, 80, 24, []string{"AXON_TEST_AS_AXON=1", "SHELL=/bin/sh", "PS1=shell> ", "LD_LIBRARY_PATH=", "AXON_SESSION="}, os.Args[0], args...)
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
