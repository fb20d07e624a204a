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
	"testing"
)

const (
	interpreter = "../../ptx"
	programs    = "programs"
)

func sources(t *testing.T) []string {
	t.Helper()
	s, err := filepath.Glob(filepath.Join(interpreter, "*.c"))
	if err != nil || len(s) == 0 {
		t.Fatalf("no sources in %s: %v", interpreter, err)
	}
	return s
}

// build compiles the interpreter with one program and returns the path of the executable.
func build(t *testing.T, cc, program string, flags ...string) string {
	t.Helper()
	path, err := exec.LookPath(cc)
	if err != nil {
		t.Skipf("%s is not installed", cc)
	}
	out := filepath.Join(t.TempDir(), strings.TrimSuffix(program, ".c"))
	args := append([]string{"-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-g", "-I" + interpreter, "-I" + programs}, flags...)
	args = append(args, sources(t)...)
	if program != "fuzz.c" {
		args = append(args, filepath.Join(programs, "bench.c"), filepath.Join(programs, "evaluate.c"))
	}
	args = append(args, filepath.Join(programs, program), "-lm", "-lpthread", "-o", out)
	if b, err := exec.Command(path, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", program, err, b)
	}
	return out
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
func TestInstructionsGiveTheHardwareSResults(t *testing.T) { each(t, "instructions.c") }
func TestRoundingIsExact(t *testing.T)                     { each(t, "rounding.c") }
func TestThreadsMeetAndFaultsAreReported(t *testing.T)     { each(t, "threads.c", "threads.ptx") }
func TestLoadingRefusesWhatCannotRun(t *testing.T)         { each(t, "loading.c") }

// Launches on several OS threads share global memory.
func TestLaunchesSideBySide(t *testing.T) {
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("no thread sanitizer here")
	}
	cases(t, build(t, "cc", "parallel.c", "-O1", "-fsanitize=thread"))
}

// TestHostileTextDoesNoHarm runs the fuzz target over its seeds and a few thousand mutations of them.
func TestHostileTextDoesNoHarm(t *testing.T) {
	path := build(t, "clang", "fuzz.c", "-O1", "-fsanitize=fuzzer,address,undefined", "-fno-sanitize-recover=undefined")
	corpus := t.TempDir()
	runs := "3000"
	if r := os.Getenv("AXON_FUZZ_RUNS"); r != "" {
		runs = r
	}
	cmd := exec.Command(path, "-runs="+runs, "-timeout=20", "-rss_limit_mb=2048", "-close_fd_mask=1",
		"-artifact_prefix="+corpus+"/", "-dict=ptx.dict", corpus, "seeds")
	if out, err := cmd.CombinedOutput(); err != nil {
		if len(out) > 6000 {
			out = out[len(out)-6000:]
		}
		t.Errorf("%v\n%s", err, out)
	}
}
