// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"testing"

	"nervlinux.org/axon/shims/gen/describe"
	"nervlinux.org/axon/shims/gen/emit"
)

const nvmlDir = "../api/nvml"

func nvml(t *testing.T) *describe.API {
	t.Helper()
	api, err := describe.Load(os.DirFS(nvmlDir), "nvml")
	if err != nil {
		t.Fatal(err)
	}
	return api
}

func TestWhatIsCheckedInOfNVMLIsCurrent(t *testing.T) {
	api := nvml(t)
	current := func(file string, emit func(*describe.API) (string, error)) {
		want, err := emit(api)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s is out of date: make coverage writes it", file)
		}
	}
	current("../../docs/coverage-nvml.md", emit.Coverage)
	for _, file := range goOutputs["nvml"] {
		current(filepath.Join("../../nvml", file.name), file.emit)
	}
}

func TestTheHeaderOfNVMLIsC(t *testing.T) {
	dir := generated(t)
	use := filepath.Join(dir, "use.c")
	if err := os.WriteFile(use, []byte("#include \"nvml_calls.h\"\nint unused;\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, cc := range compilers(t) {
		compile(t, cc, append(strict, "-I", dir, use)...)
	}
}
