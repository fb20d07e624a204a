// SPDX-License-Identifier: Apache-2.0

// Package ptx builds the interpreter's test programs (C, in programs/) and runs them: each of their cases is a subtest.
package ptx

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

const (
	interpreter = "../../ptx"
	programs    = "programs"
)

// objects compiles the interpreter once for each compiler and set of flags.
var objects = struct {
	sync.Mutex
	dir  string
	made map[string][]string
}{made: map[string][]string{}}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "axon-ptx-")
	if err != nil {
		panic(err)
	}
	objects.dir = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

func compile(t *testing.T, cc string, flags []string, out, source string) {
	t.Helper()
	args := []string{"-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-g", "-ffp-contract=off", "-I" + interpreter, "-I" + programs}
	args = append(append(args, flags...), "-c", "-o", out, source)
	if b, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", source, err, b)
	}
}

func interpreterObjects(t *testing.T, cc string, flags []string) []string {
	t.Helper()
	objects.Lock()
	defer objects.Unlock()
	key := cc + " " + strings.Join(flags, " ")
	if made, ok := objects.made[key]; ok {
		return made
	}
	sources, err := filepath.Glob(filepath.Join(interpreter, "*.c"))
	if err != nil || len(sources) == 0 {
		t.Fatalf("no sources in %s: %v", interpreter, err)
	}
	dir, err := os.MkdirTemp(objects.dir, "")
	if err != nil {
		t.Fatal(err)
	}
	var made []string
	for _, s := range sources {
		o := filepath.Join(dir, filepath.Base(s)+".o")
		compile(t, cc, flags, o, s)
		made = append(made, o)
	}
	objects.made[key] = made
	return made
}

// build links the interpreter with one program and returns the path of the executable.
func build(t *testing.T, cc, program string, flags ...string) string {
	t.Helper()
	if _, err := exec.LookPath(cc); err != nil {
		t.Skipf("%s is not installed", cc)
	}
	dir := t.TempDir()
	args := append([]string{"-o", filepath.Join(dir, "program")}, flags...)
	args = append(args, interpreterObjects(t, cc, flags)...)
	parts := []string{program}
	if program != "fuzz.c" {
		parts = append(parts, "bench.c", "evaluate.c")
	}
	for _, p := range parts {
		o := filepath.Join(dir, p+".o")
		compile(t, cc, flags, o, filepath.Join(programs, p))
		args = append(args, o)
	}
	args = append(args, "-lm", "-lpthread")
	if b, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", program, err, b)
	}
	return filepath.Join(dir, "program")
}

// cases runs a program and reports each line that it prints: "ok NAME", or "FAIL NAME: why".
func cases(t *testing.T, path string, args ...string) {
	t.Helper()
	cmd := exec.Command(path, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	lines := bufio.NewScanner(bytes.NewReader(out))
	n := 0
	for lines.Scan() {
		if name, ok := strings.CutPrefix(lines.Text(), "ok "); ok {
			n++
			t.Run(name, func(*testing.T) {})
		} else if rest, ok := strings.CutPrefix(lines.Text(), "FAIL "); ok {
			name, why, _ := strings.Cut(rest, ": ")
			t.Run(name, func(t *testing.T) { t.Error(why) })
		}
	}
	if err != nil {
		t.Errorf("%s: %v\n%s", filepath.Base(path), err, stderr.Bytes())
	}
	if n == 0 {
		t.Errorf("%s reported no case", filepath.Base(path))
	}
}

var variants = []struct {
	name  string
	flags []string
}{
	{"optimised", []string{"-O2"}},
	{"sanitized", []string{"-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"}},
}

func each(t *testing.T, program string, args ...string) {
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			cases(t, build(t, "cc", program, v.flags...), args...)
		})
	}
}

func TestKernelsOfACompiler(t *testing.T)                  { each(t, "compiled.c", "kernels.ptx") }
func TestInstructionsGiveTheirDefinedResults(t *testing.T) { each(t, "instructions.c") }
func TestRoundingIsExact(t *testing.T)                     { each(t, "rounding.c") }
func TestThreadsMeetAndFaultsAreReported(t *testing.T)     { each(t, "threads.c", "threads.ptx") }
func TestLoadingRefusesWhatCannotRun(t *testing.T)         { each(t, "loading.c") }

// TestCompiledCodeComputesAsTheHostDoes lets clang translate the same functions for both; without a clang that knows PTX
// there is nothing to compare.
func TestCompiledCodeComputesAsTheHostDoes(t *testing.T) {
	if _, err := exec.LookPath("clang"); err != nil {
		t.Skip("clang is not installed")
	}
	path := build(t, "cc", "differential.c", "-O1", "-fsanitize=address")
	for _, level := range []string{"-O0", "-O2"} {
		t.Run(level, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "differential.ptx")
			clang := exec.Command("clang", "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_70", "-nocudainc", "-nocudalib",
				"-Xclang", "-target-feature", "-Xclang", "+ptx72", "-ffp-contract=off", level, "-S", "-o", out,
				filepath.Join(programs, "differential.cu"))
			if b, err := clang.CombinedOutput(); err != nil {
				if bytes.Contains(b, []byte("target")) {
					t.Skipf("this clang makes no PTX: %s", b)
				}
				t.Fatalf("%v\n%s", err, b)
			}
			cases(t, path, out)
		})
	}
}

// Launches on several OS threads share global memory.
func TestLaunchesSideBySide(t *testing.T) {
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("no thread sanitizer here")
	}
	cases(t, build(t, "cc", "parallel.c", "-O1", "-fsanitize=thread"))
}

// TestHostileTextDoesNoHarm runs the fuzz target over its seeds and a few thousand mutations of them, or for as
// long as AXON_FUZZ_SECONDS says.
func TestHostileTextDoesNoHarm(t *testing.T) {
	path := build(t, "clang", "fuzz.c", "-O1", "-fsanitize=fuzzer,address,undefined", "-fno-sanitize-recover=undefined")
	corpus := t.TempDir()
	limit := "-runs=3000"
	if seconds := os.Getenv("AXON_FUZZ_SECONDS"); seconds != "" {
		limit = "-max_total_time=" + seconds
	}
	cmd := exec.Command(path, limit, "-timeout=20", "-rss_limit_mb=2048", "-close_fd_mask=1",
		"-artifact_prefix="+corpus+"/", "-dict=ptx.dict", corpus, "seeds")
	if out, err := cmd.CombinedOutput(); err != nil {
		if len(out) > 6000 {
			out = out[len(out)-6000:]
		}
		t.Errorf("%v\n%s", err, out)
	}
}
