// SPDX-License-Identifier: Apache-2.0

package vm

import (
	"fmt"
	"os"
	"testing"
)

// scratch is a folder of this process's.
var scratch string

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "axon-vm"); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	status := m.Run()
	os.RemoveAll(scratch)
	os.Exit(status)
}

func TestTheGuestIsWhole(t *testing.T) {
	g := newGuest(t)
	if out := g.try("systemctl is-system-running --wait; systemctl --failed --no-legend").out; out != "running" {
		t.Errorf("systemd says %q", out)
	}
	t.Log(g.run("uname -r; systemctl --version | head -n 1; id alice; date"))
	if r := g.try("echo out; echo err >&2; exit 3"); r.status != 3 || r.out != "out\nerr" {
		t.Errorf("a script's result came back as %+v", r)
	}
}

// TestOneScript is for people: it runs the file AXON_VM_SCRIPT in a guest with
// axon installed, and shows what it prints.
func TestOneScript(t *testing.T) {
	file := os.Getenv("AXON_VM_SCRIPT")
	if file == "" {
		t.Skip("AXON_VM_SCRIPT names no file to run in a guest")
	}
	script, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r := installed(t, "linger", "load").try(string(script))
	fmt.Println(r.out)
	if r.status != 0 {
		t.Errorf("its exit status is %d", r.status)
	}
}
