// SPDX-License-Identifier: Apache-2.0

package nvml

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"nervlinux.org/axon/wire"
)

// run runs a program of programs/ on the shim, and gives what it printed.
func run(t *testing.T, socket string, argv ...string) (string, error) {
	t.Helper()
	b := build(t)
	cmd := exec.Command(filepath.Join(b, "tests/nvml", argv[0]), argv[1:]...)
	cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+filepath.Join(b, "lib"), "AXON_SESSION="+socket)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

func mustRun(t *testing.T, socket string, argv ...string) string {
	t.Helper()
	out, err := run(t, socket, argv...)
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(argv, " "), err, out)
	}
	return out
}

func TestProgramsReadTheGPU(t *testing.T) {
	r := startRelay(t, startWorker(t, "SOFTGPU_DEVICES=3", "SOFTGPU_MEMORY=0x80000000"))
	mustRun(t, r.path, "getters", "3", "2147483648")
}

func TestUnifiedMemoryIsNotSupportedAndNotZero(t *testing.T) {
	r := startRelay(t, startWorker(t, "SOFTGPU_UNIFIED=1"))
	mustRun(t, r.path, "getters", "1", "unified")
}

func TestThreadsCallAtOnce(t *testing.T) {
	r := startRelay(t, startWorker(t))
	mustRun(t, r.path, "threads")
}

func TestAChildGoesOnByItself(t *testing.T) {
	r := startRelay(t, startWorker(t))
	mustRun(t, r.path, "forks")
}

func TestWhatInitSaysOfAxond(t *testing.T) {
	w := startWorker(t)
	for _, c := range []struct {
		status uint32
		want   string
	}{
		{wire.StatusNotAdmitted, "Insufficient Permissions"},
		{wire.StatusMismatch, "Driver/library version mismatch"},
		{wire.StatusNoWorker, "Driver Not Loaded"},
	} {
		r := startRelay(t, w)
		r.answer = func(wire.Hello) wire.Answer { return wire.Answer{Version: wire.Version, Status: c.status, Text: "why"} }
		if out, err := run(t, r.path, "getters", "1", "0"); err == nil || !strings.Contains(out, "nvmlInit_v2: "+c.want+"\n") {
			t.Errorf("status %d: %v\n%s", c.status, err, out)
		}
	}
	if out, err := run(t, "/nonexistent/sock", "getters", "1", "0"); err == nil || !strings.Contains(out, "nvmlInit_v2: Driver Not Loaded\n") {
		t.Errorf("without axond: %v\n%s", err, out)
	}
}

func TestTheShimSendsItsFingerprint(t *testing.T) {
	b := build(t)
	said, err := exec.Command(filepath.Join(b, "libexec/axon-worker"), "--library", "nvml", "--fingerprint").Output()
	if err != nil {
		t.Fatal(err)
	}
	r := startRelay(t, startWorker(t))
	heard := make(chan wire.Hello, 8)
	r.answer = func(h wire.Hello) wire.Answer {
		heard <- h
		return wire.Answer{Version: wire.Version}
	}
	mustRun(t, r.path, "getters", "1", "1073741824")
	h := <-heard
	if got := fmt.Sprintf("%d %x", h.Version, h.Fingerprint); strings.TrimSpace(string(said)) != got {
		t.Errorf("the shim says %s, the worker %s", got, said)
	}
}

// A program that looks for what it finds in the vendor's library finds it, and nothing else takes the vendor's names.
func TestTheShimExportsWhatTheVendorsDoes(t *testing.T) {
	want := map[string]bool{"axon_shim": true}
	text, err := os.ReadFile("../../shims/api/nvml/testdata/exports.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(text), "\n") {
		if line != "" && line[0] != '#' {
			want[strings.Fields(line)[0]] = true
		}
	}
	f, err := elf.Open(filepath.Join(build(t), "lib/libnvidia-ml.so.1"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if names, err := f.DynString(elf.DT_SONAME); err != nil || len(names) != 1 || names[0] != "libnvidia-ml.so.1" {
		t.Errorf("its name is %v, %v", names, err)
	}
	symbols, err := f.DynamicSymbols()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range symbols {
		if s.Section == elf.SHN_UNDEF {
			continue
		}
		if !want[s.Name] {
			t.Errorf("it exports %s", s.Name)
		}
		delete(want, s.Name)
	}
	for name := range want {
		t.Errorf("it lacks %s", name)
	}
}
