// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"nervlinux.org/axon/shims/gen/describe"
	"nervlinux.org/axon/shims/gen/emit"
)

const cudaDir = "../api/cuda"

func cuda(t *testing.T) *describe.API {
	t.Helper()
	api, err := describe.Load(os.DirFS(cudaDir), "cuda")
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// facts reads a file of facts about a library: the fields of each line that is no comment.
func facts(t *testing.T, dir, name string) [][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var out [][]string
	for _, line := range strings.Split(string(text), "\n") {
		if line != "" && line[0] != '#' {
			out = append(out, strings.Fields(line))
		}
	}
	return out
}

func TestEveryExportedFunctionIsDescribedOnce(t *testing.T) {
	describedOnce(t, cuda(t), facts(t, cudaDir, "exports.txt"), 682)
}

// describedOnce holds a description against the list of what the library exports, so many functions.
func describedOnce(t *testing.T, api *describe.API, exports [][]string, want int) {
	t.Helper()
	described := map[string]int{}
	for _, f := range api.Funcs {
		for _, s := range f.Symbols() {
			if !f.Internal {
				described[s.Name]++
			}
		}
	}
	if len(exports) != want || len(described) != want {
		t.Errorf("%d exports, %d described, want %d of each", len(exports), len(described), want)
	}
	for _, e := range exports {
		if described[e[0]] != 1 {
			t.Errorf("%s is described %d times", e[0], described[e[0]])
		}
	}
}

// ask answers as cuGetProcAddress does, from the description's lookup table. For a caller that wants the per-thread
// default stream, a name that has entries for it has no others.
func ask(entries []describe.Entry, name string, version int, perThread bool) string {
	var of []describe.Entry
	split := false
	for _, e := range entries {
		if e.Name == name {
			of = append(of, e)
			split = split || e.PerThread
		}
	}
	best := "-"
	for _, e := range of { // sorted by version
		if e.Since <= version && e.PerThread == (perThread && split) {
			best = e.Symbol
		}
	}
	if of == nil {
		return "?"
	}
	return best
}

func TestSymbolLookupAnswersAsTheVendorDid(t *testing.T) {
	entries := cuda(t).Entries()
	type key struct{ name, flag string }
	next := map[key]int{} // the version of the line after, for the same name and flag
	lines := facts(t, cudaDir, "getprocaddress.txt")
	checked := 0
	for i := len(lines) - 1; i >= 0; i-- {
		l := lines[i]
		version, err := strconv.Atoi(l[1])
		if err != nil {
			t.Fatalf("line %q: %v", l, err)
		}
		for _, flag := range l[2] {
			k := key{l[0], string(flag)}
			last := 13000
			if next[k] != 0 {
				last = next[k] - 1
			}
			next[k] = version
			for _, v := range []int{version, last} {
				if got := ask(entries, l[0], v, flag == '2'); got != l[3] {
					t.Errorf("%s, version %d, flag %c: %q, the vendor answered %q", l[0], v, flag, got, l[3])
				}
				checked++
			}
		}
	}
	if checked < 6000 {
		t.Errorf("only %d answers were checked", checked)
	}
}

func TestWhatProgramsAskForIsFound(t *testing.T) {
	entries := cuda(t).Entries()
	for _, l := range facts(t, cudaDir, "asked.txt") {
		version, err := strconv.Atoi(l[1])
		if err != nil {
			t.Fatalf("line %q: %v", l, err)
		}
		if got := ask(entries, l[0], version, l[2] == "2"); got != l[3] {
			t.Errorf("%s, version %d, flag %s: %q, the vendor answered %q", l[0], version, l[2], got, l[3])
		}
	}
}

func TestWhatProgramsCallWorks(t *testing.T) {
	api := cuda(t)
	ways := map[string][]describe.Way{}
	for _, f := range api.Funcs {
		for _, s := range f.Symbols() {
			ways[s.Name] = append(ways[s.Name], f.Way)
			if s.Lookup != nil && s.Lookup.Name != s.Name {
				ways[s.Lookup.Name] = append(ways[s.Lookup.Name], f.Way)
			}
		}
	}
	for _, l := range facts(t, cudaDir, "called.txt") {
		works := false
		for _, w := range ways[l[0]] {
			works = works || w == describe.Wait || w == describe.Post || w == describe.Here
		}
		if !works {
			t.Errorf("%s is called by real programs and does not work", l[0])
		}
	}
}

func TestCoveragePageIsCurrent(t *testing.T) {
	want, err := emit.Coverage(cuda(t))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../docs/coverage.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/coverage.md is out of date: run go run ./shims/gen -coverage docs/coverage.md")
	}
}

// compilers gives the C compilers that are there, or skips.
func compilers(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, cc := range []string{"gcc", "clang", "musl-gcc", "aarch64-linux-gnu-gcc"} {
		if _, err := exec.LookPath(cc); err == nil {
			out = append(out, cc)
		}
	}
	if out == nil {
		t.Skip("no C compiler in PATH")
	}
	return out
}

func generated(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := run("../api", dir, "", ""); err != nil {
		t.Fatal(err)
	}
	return dir
}

func compile(t *testing.T, cc string, args ...string) {
	t.Helper()
	if out, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", cc, strings.Join(args, " "), err, out)
	}
}

var strict = []string{"-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"}

func TestGeneratedCodeCompilesWithoutAWarning(t *testing.T) {
	dir := generated(t)
	for _, cc := range compilers(t) {
		t.Run(cc, func(t *testing.T) {
			compile(t, cc, append(strict, "-I", dir, "-I", "../client", dir+"/cuda_client.c")...)
			compile(t, cc, append(strict, "-I", dir, "-I", "../worker", dir+"/cuda_worker.c")...)
		})
	}
}

func TestStructuresHaveTheVendorsSizes(t *testing.T) {
	dir := generated(t)
	var b strings.Builder
	b.WriteString("#include \"cuda_api.h\"\n")
	for _, l := range facts(t, cudaDir, "sizes.txt") {
		b.WriteString("_Static_assert(sizeof(" + l[0] + ") == " + l[1] + ", \"" + l[0] + "\");\n")
	}
	file := filepath.Join(dir, "sizes.c")
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, cc := range compilers(t) {
		t.Run(cc, func(t *testing.T) { compile(t, cc, append(strict, "-I", dir, file)...) })
	}
}

func TestHeaderIsForCPlusPlusToo(t *testing.T) {
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip("no g++ in PATH")
	}
	dir := generated(t)
	compile(t, "g++", "-x", "c++", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-include", dir+"/cuda_api.h", "/dev/null")
}
