// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"io"
	"os/exec"
	"testing"
)

// A program of somebody else's does not write to the terminal of who looks, nor
// lines into a list.
func TestAProcessNameIsOneLineOfText(t *testing.T) {
	for name, want := range map[string]string{
		"/usr/bin/träner":           "/usr/bin/träner",
		"a b,c":                     "a b,c",
		"\x1b]0;owned\a":            "?]0;owned?",
		"one\nGPU 7, 1 MiB\r":       "one?GPU 7, 1 MiB?",
		"\u009b2J\u202egnp.exe\x7f": "?2J?gnp.exe?",
	} {
		cmd := exec.Command("cat")
		cmd.Args[0] = name
		in, err1 := cmd.StdinPipe()
		out, err2 := cmd.StdoutPipe()
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// Only when it runs has the kernel written down what it calls itself.
		io.WriteString(in, "x")
		if _, err := io.ReadFull(out, make([]byte, 1)); err != nil {
			t.Error(err)
		}
		got := processName(uint32(cmd.Process.Pid))
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
		if got.V != want {
			t.Errorf("a program that calls itself %q is %q", name, got.V)
		}
	}
}
