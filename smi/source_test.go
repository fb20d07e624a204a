// SPDX-License-Identifier: Apache-2.0

package smi

import (
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
		cmd := exec.Command("sleep", "60")
		cmd.Args[0] = name
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		got := processName(uint32(cmd.Process.Pid))
		cmd.Process.Kill()
		cmd.Wait()
		if got.V != want {
			t.Errorf("a program that calls itself %q is %q", name, got.V)
		}
	}
}
