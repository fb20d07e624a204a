// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"context"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// needVariant skips what `make variants` has not built, unless scripts/test
// says that it has.
func needVariant(t *testing.T, file string) {
	t.Helper()
	if _, err := os.Stat(file); err == nil {
		return
	} else if os.Getenv("AXON_VARIANTS") != "" {
		t.Fatal(err)
	}
	t.Skip(file + " is not there: `make variants` builds it")
}

// variant is an installation in a folder of its own below the build folder,
// with the usual axond.
func variant(t *testing.T, name string) installation {
	t.Helper()
	in := installation{build: filepath.Join(buildDir(t), name)}
	needVariant(t, filepath.Join(in.build, "tests", "semantics"))
	return in
}

// startWorkersBy makes axond start workers through a script: of the
// environment that a test has, axond passes on to a worker what the vendor's
// library reads.
func (in *installation) startWorkersBy(t *testing.T, env []string, words ...string) {
	t.Helper()
	var script strings.Builder
	script.WriteString("#!/bin/sh\n")
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		fmt.Fprintf(&script, "%s='%s'\nexport %s\n", name, value, name)
	}
	script.WriteString("exec")
	for _, w := range append(words, filepath.Join(in.build, "libexec", "axon-worker")) {
		fmt.Fprintf(&script, " '%s'", w)
	}
	script.WriteString(" \"$@\"\n")
	in.worker = filepath.Join(t.TempDir(), "axon-worker")
	if err := os.WriteFile(in.worker, []byte(script.String()), 0o755); err != nil {
		t.Fatal(err)
	}
}

// runs says whether a program of a few lines works when it is built with that
// and started so, and if not, what was said.
func runs(t *testing.T, compile []string, start []string) (bool, string) {
	t.Helper()
	dir := t.TempDir()
	source, program := filepath.Join(dir, "probe.c"), filepath.Join(dir, "probe")
	if err := os.WriteFile(source, []byte("int main(void) { return 0; }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	args := append(slices.Clone(compile), "-o", program, source)
	if out, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	// A place that is random is not always a bad one.
	for range 20 {
		args = append(slices.Clone(start), program)
		if out, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput(); err != nil {
			return false, fmt.Sprintf("%v\n%s", err, out)
		}
	}
	return true, ""
}

func underSanitizer(t *testing.T, in installation, options string, start []string, programs ...string) {
	t.Helper()
	// Sessions live as long as their processes, and what they hold does too.
	env := append(in.env, options, "UBSAN_OPTIONS=print_stacktrace=1")
	in.env = env
	in.emulator = start
	in.startWorkersBy(t, env, start...)
	a := startAxond(t, in)
	leaveOut := sharedFilesNotThroughAxon()
	// TestGraphs runs it. A sanitizer puts the program's memory where it puts the worker's own.
	leaveOut["a_node_copies_rows_of_registered_memory"] = "the worker has no room at the address of a program's memory under a sanitizer"
	for _, program := range programs {
		in.runCases(t, in.clientEnv(a.socket), program, leaveOut)
	}
	waitFor(t, "every worker ended with its client", 30*time.Second, func() bool { return len(a.workers()) == 0 })
	if strings.Count(a.Log(), "session started") < 15 {
		t.Errorf("axond saw few sessions:\n%s", a.Log())
	}
	if said := sanitizerReport.FindString(a.Log()); said != "" {
		t.Errorf("in a worker: %s\n%s", said, workerLines(a.Log()))
	}
}

// workerLines is what workers printed into axond's log.
func workerLines(log string) string {
	line := regexp.MustCompile(`msg="worker: (.*?)" pid`)
	var all []string
	for _, m := range line.FindAllStringSubmatch(log, -1) {
		all = append(all, m[1])
	}
	return strings.Join(all, "\n")
}

func TestBothHalvesUnderAddressAndUndefinedBehaviourSanitizer(t *testing.T) {
	in := variant(t, "asan")
	underSanitizer(t, in, "ASAN_OPTIONS=detect_leaks=0", nil, "semantics", "graphs", "callbacks", "captures", "external", "memory", "shared_files")
}

func TestBothHalvesUnderThreadSanitizer(t *testing.T) {
	in := variant(t, "tsan")
	// A report gets its functions' names, which suppressions are by, from a program that the worker would have to run.
	in.env = append(in.env, "AXON_CONFINE_WITHOUT=seccomp,landlock")
	suppressions, err := filepath.Abs("tsan-suppressions.txt")
	if err != nil {
		t.Fatal(err)
	}
	// Kernels that place programs more randomly (vm.mmap_rnd_bits of 32) put
	// them where an older ThreadSanitizer cannot have them.
	var start []string
	if ok, said := runs(t, []string{"gcc", "-fsanitize=thread"}, nil); !ok {
		start = []string{"setarch", "-R"}
		if ok, saidThen := runs(t, []string{"gcc", "-fsanitize=thread"}, start); !ok {
			bits, _ := os.ReadFile("/proc/sys/vm/mmap_rnd_bits")
			why := fmt.Sprintf("nothing runs under ThreadSanitizer here (vm.mmap_rnd_bits is %s): %s; with setarch -R: %s",
				strings.TrimSpace(string(bits)), said, saidThen)
			if strings.Contains(said, "unexpected memory mapping") || strings.Contains(said, "ASLR") {
				t.Skip(why) // this kernel's setting
			}
			t.Fatal(why)
		}
		t.Logf("started with setarch -R: %s", said)
	}
	underSanitizer(t, in, "TSAN_OPTIONS=suppressions="+suppressions, start, "semantics", "graphs", "callbacks", "captures", "external")
}

// A shim is loaded into programs that nobody here has seen: it must bring
// nothing along but the C library that they have, and show nothing but the
// vendor's names.
func TestTheShimNeedsTheCLibraryAlone(t *testing.T) {
	for _, v := range []struct {
		name    string
		machine elf.Machine
		needs   []string
	}{
		{".", elf.EM_X86_64, []string{"libc.so.6", "libpthread.so.0", "ld-linux-x86-64.so.2"}},
		{"clang", elf.EM_X86_64, []string{"libc.so.6", "libpthread.so.0", "ld-linux-x86-64.so.2"}},
		{"musl", elf.EM_X86_64, []string{"libc.so", "libc.musl-x86_64.so.1"}},
		{"arm64", elf.EM_AARCH64, []string{"libc.so.6", "libpthread.so.0", "ld-linux-aarch64.so.1"}},
		{"arm64-clang", elf.EM_AARCH64, []string{"libc.so.6", "libpthread.so.0", "ld-linux-aarch64.so.1"}},
	} {
		for _, library := range []struct {
			name, prefix string
			functions    int // at least
		}{{"libcuda.so.1", "cu", 600}, {"libnvidia-ml.so.1", "nvml", 390}} {
			t.Run(filepath.Join("build", v.name, library.name), func(t *testing.T) {
				file := filepath.Join(buildDir(t), v.name, "lib", library.name)
				needVariant(t, file)
				f, err := elf.Open(file)
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				if v.name != "." && f.Machine != v.machine {
					t.Errorf("%s is for %v", file, f.Machine)
				}
				needed, err := f.ImportedLibraries()
				if err != nil || len(needed) == 0 {
					t.Fatalf("%v needed, %v", needed, err)
				}
				for _, n := range needed {
					// The usual one is for whatever machine this is.
					if !slices.Contains(v.needs, n) && !(v.name == "." && strings.HasPrefix(n, "ld-linux-")) {
						t.Errorf("%s needs %s", file, n)
					}
				}
				// Python opens it late, and then its thread-local storage has to fit
				// into what the C library keeps for that.
				for _, p := range f.Progs {
					if p.Type == elf.PT_TLS && p.Memsz > 256 {
						t.Errorf("%s has %d bytes of thread-local storage: it cannot be opened late", file, p.Memsz)
					}
				}
				symbols, err := f.DynamicSymbols()
				if err != nil {
					t.Fatal(err)
				}
				exported := 0
				for _, s := range symbols {
					if s.Section == elf.SHN_UNDEF || elf.ST_TYPE(s.Info) != elf.STT_FUNC {
						continue
					}
					exported++
					if !strings.HasPrefix(s.Name, library.prefix) && s.Name != "_init" && s.Name != "_fini" {
						t.Errorf("%s exports %s", file, s.Name)
					}
				}
				if exported < library.functions {
					t.Errorf("%s exports %d functions", file, exported)
				}
			})
		}
	}
}

func TestProgramsThroughWhatOtherCompilersMade(t *testing.T) {
	for _, name := range []string{"clang", "musl"} {
		t.Run(name, func(t *testing.T) {
			in := variant(t, name)
			a := startAxond(t, in)
			in.runCases(t, in.clientEnv(a.socket), "semantics", nil)
		})
	}
	// On a system of musl's the vendor's library is glibc's, and so is the worker.
	t.Run("musl with a worker of glibc", func(t *testing.T) {
		in := variant(t, "musl")
		usual := installation{build: buildDir(t)}
		a := startAxond(t, usual)
		in.runCases(t, in.clientEnv(a.socket), "semantics", nil)
	})
}

// Both halves for arm64, in an emulator, with an axond of this machine's. Its
// addresses end below axon's windows: an emulator keeps a record of each page
// that a program reserves, and 16 TiB of them are more than there is room for.
func TestProgramsOnAnotherProcessor(t *testing.T) {
	emulator := []string{"qemu-aarch64", "-R", "0x1000000000", "-L", "/usr/aarch64-linux-gnu"}
	for _, name := range []string{"arm64", "arm64-clang"} {
		t.Run(name, func(t *testing.T) {
			in := variant(t, name)
			if _, err := exec.LookPath(emulator[0]); err != nil {
				t.Fatalf("%v: scripts/deps installs it", err)
			}
			in.emulator = emulator
			// An emulator's /proc/self/exe may be the emulator: the worker starts as
			// if it had been started again through it.
			in.startWorkersBy(t, []string{"AXON_WORKER_AGAIN=1"}, emulator...)
			a := startAxond(t, in)
			in.runCases(t, in.clientEnv(a.socket), "semantics", nil)
		})
	}
}
