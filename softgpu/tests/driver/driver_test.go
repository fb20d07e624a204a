// SPDX-License-Identifier: Apache-2.0

// Package driver tests softgpu's libcuda.so.1 from the outside: it builds the library and the C programs below this folder
// with the machine's compiler and runs them, plainly and under the sanitizers. Each case of a program is a subtest.
package driver

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const root = "../../.."

var programs = []string{"memory", "streams", "contexts", "modules"}

// variants are the ways everything is built. Two devices are there in all, for the cases about peers.
var variants = []struct {
	name  string
	flags []string
	env   []string
}{
	{"plain", []string{"-O2", "-g"}, nil},
	{"address", []string{"-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"}, nil},
	{"thread", []string{"-O1", "-g", "-fsanitize=thread", "-Wno-error=tsan", "-Wno-unknown-warning-option"}, []string{"TSAN_OPTIONS=halt_on_error=1"}},
}

func compiler(t *testing.T) string {
	t.Helper()
	cc := os.Getenv("CC")
	if cc == "" {
		cc = "cc"
	}
	if _, err := exec.LookPath(cc); err != nil {
		t.Skipf("no C compiler (%v): install one or set CC", err)
	}
	return cc
}

func command(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

func sources(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, dir := range []string{"driver", "ptx"} {
		found, err := filepath.Glob(filepath.Join(root, "softgpu", dir, "*.c"))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, found...)
	}
	if len(all) == 0 {
		t.Fatal("no sources: is this test run in its own folder?")
	}
	return all
}

// header writes cuda_api.h into a folder of the test's own.
func header(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command("go", "run", "./shims/gen", "-o", dir)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go run ./shims/gen: %v\n%s", err, out)
	}
	return dir
}

// links reports whether a program built with these flags can be linked and run here: sanitizers are not in every compiler.
func links(t *testing.T, cc string, flags []string) bool {
	t.Helper()
	dir := t.TempDir()
	src, exe := filepath.Join(dir, "empty.c"), filepath.Join(dir, "empty")
	if err := os.WriteFile(src, []byte("int main(void) { return 0; }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	args := append(append([]string{}, flags...), src, "-o", exe)
	return exec.Command(cc, args...).Run() == nil && exec.Command(exe).Run() == nil
}

func TestThatTheDriverKeepsItsPromises(t *testing.T) {
	cc, include := compiler(t), header(t)
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			if !links(t, cc, v.flags) {
				t.Skipf("%s cannot build or run programs with %s", cc, strings.Join(v.flags, " "))
			}
			dir := t.TempDir()
			base := append([]string{"-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-pthread", "-I" + include}, v.flags...)
			library := append(append([]string{}, base...), "-fPIC", "-shared", "-fvisibility=hidden", "-ffp-contract=off",
				"-Wl,-soname,libcuda.so.1", "-Wl,-z,nodelete", "-o", filepath.Join(dir, "libcuda.so.1"))
			command(t, cc, append(append(library, sources(t)...), "-lm")...)
			for _, program := range programs {
				exe := filepath.Join(dir, program)
				args := append(append([]string{}, base...), filepath.Join("programs", program+".c"), "-o", exe, "-L"+dir, "-Wl,-rpath,"+dir,
					"-l:libcuda.so.1")
				command(t, cc, args...)
				t.Run(program, func(t *testing.T) { run(t, exe, append(v.env, "SOFTGPU_DEVICES=2")) })
			}
		})
	}
}

// run turns each "ok NAME" and "FAIL NAME" line of a program into a subtest, and its end into the test's own.
func run(t *testing.T, exe string, env []string) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	var said bytes.Buffer
	cases := 0
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		state, name, found := strings.Cut(lines.Text(), " ")
		if !found || (state != "ok" && state != "FAIL") {
			said.WriteString(lines.Text() + "\n")
			continue
		}
		cases++
		text := said.String()
		said.Reset()
		t.Run(strings.TrimSpace(name), func(t *testing.T) {
			if state == "FAIL" {
				t.Error(text)
			}
		})
	}
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		t.Errorf("hung after %d cases\n%s", cases, said.String())
	case err != nil:
		t.Errorf("%v after %d cases\n%s", err, cases, said.String())
	case cases == 0:
		t.Error("the program ran no case")
	}
}
