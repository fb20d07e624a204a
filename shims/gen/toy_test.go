// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"nervlinux.org/axon/shims/gen/describe"
)

// The toy library is also what keeps the generator from knowing CUDA.
func TestBothHalvesAgree(t *testing.T) {
	api, err := describe.Load(os.DirFS("testdata/toy"), "toy")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, file := range outputs["cuda"] {
		text, err := file.emit(api)
		if err != nil {
			t.Fatal(err)
		}
		if err := write(filepath.Join(dir, "toy"+file.name), text); err != nil {
			t.Fatal(err)
		}
	}
	for _, cc := range []string{"gcc", "clang"} {
		if _, err := exec.LookPath(cc); err != nil {
			t.Logf("%s is not here", cc)
			continue
		}
		t.Run(cc, func(t *testing.T) {
			flags := []string{"-std=c11", "-g", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-I", dir, "-c"}
			// Both halves bring the tables: two programs have them, this one needs another name for the worker's.
			var other []string
			for _, table := range []string{"axg_fingerprint", "axg_call_name", "axg_call_posted", "axg_call_answers", "axg_call_fixed"} {
				other = append(other, "-D"+table+"=worker_"+table)
			}
			var objects []string
			for _, c := range []struct{ side, file string }{
				{"client", "testdata/toy/client/main.c"}, {"client", dir + "/toy_client.c"},
				{"worker", "testdata/toy/worker/worker.c"}, {"worker", dir + "/toy_worker.c"},
			} {
				object := filepath.Join(dir, cc+"_"+filepath.Base(c.file)+".o")
				args := append(append([]string{}, flags...), "-I", "testdata/toy/"+c.side, "-o", object, c.file)
				if c.side == "worker" {
					args = append(args, other...)
				}
				compile(t, cc, args...)
				objects = append(objects, object)
			}
			program := filepath.Join(dir, cc+"_toy")
			compile(t, cc, append(objects, "-fsanitize=address,undefined", "-o", program)...)
			cmd := exec.Command(program)
			cmd.Env = append(os.Environ(), "ASAN_OPTIONS=detect_leaks=0") // forged frames make things that nobody ends
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, strings.TrimSpace(string(out)))
			}
		})
	}
}
