// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheSpecificationIsWritten(t *testing.T) {
	m := newMachine(t)
	file := filepath.Join(m.dir, "etc", "cdi", "x.json")
	out, errOut, code := result(t, prepare(nil, "cdi", "--shim", m.shim, "--output", file))
	if out+errOut != "" || code != 0 {
		t.Fatalf("axon cdi --output: status %d, %q, %q", code, out, errOut)
	}
	b, err := os.ReadFile(file)
	must(t, err)
	var s struct {
		Kind    string
		Devices []struct{ Name string }
	}
	must(t, json.Unmarshal(b, &s))
	if s.Kind != "nervlinux.org/gpu" || len(s.Devices) == 0 || s.Devices[0].Name != "all" {
		t.Errorf("it is %s", b)
	}
	out, _, code = result(t, prepare(nil, "cdi", "--shim", m.shim))
	if out != string(b) || code != 0 {
		t.Errorf("on the standard output it is another one: status %d, %s", code, out)
	}
	out, _, code = result(t, prepare(nil, "cdi", "--shim", m.shim, "--format", "yaml"))
	if !strings.Contains(out, "\nkind: nervlinux.org/gpu\n") || code != 0 {
		t.Errorf("as YAML: status %d, %s", code, out)
	}
	// The program's own socket, as axon run takes it.
	out, _, _ = result(t, prepare([]string{"AXON_SESSION=/nowhere/x"}, "cdi", "--shim", m.shim))
	if !strings.Contains(out, "AXON_SESSION=/run/axon/x") || !strings.Contains(out, `"/nowhere"`) {
		t.Errorf("with AXON_SESSION: %s", out)
	}
}

func TestASpecificationThatCannotBeIsExplained(t *testing.T) {
	m := newMachine(t)
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--shim", m.dir}, cdiFailed, "libcuda.so.1"},
		{[]string{"--shim", m.shim, "--socket", m.socket}, cdiFailed, "folder of its own"}, // shim is beside it
		{[]string{"--shim", m.shim, "--output", "/dev/null/x.json"}, cdiFailed, "/dev/null"},
		{[]string{"--shim", m.shim, "--output", "x.txt"}, usageStatus, ".json or .yaml"},
		{[]string{"--shim", m.shim, "--output", "x.json", "--format", "yaml"}, usageStatus, "leave --format out"},
		{[]string{"--format", "xml"}, usageStatus, "json"},
		{[]string{"x.json"}, usageStatus, "--output"},
	} {
		out, errOut, code := result(t, prepare(nil, append([]string{"cdi"}, c.args...)...))
		if code != c.code || out != "" || !strings.Contains(errOut, c.says) {
			t.Errorf("axon cdi %v: status %d, %q, %q", c.args, code, out, errOut)
		}
	}
}
