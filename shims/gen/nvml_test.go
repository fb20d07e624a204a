// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"nervlinux.org/axon/shims/gen/describe"
	"nervlinux.org/axon/shims/gen/emit"
	"nervlinux.org/axon/shims/gen/layout"
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

func TestEveryFunctionOfNVMLIsDescribedOnce(t *testing.T) {
	describedOnce(t, nvml(t), facts(t, nvmlDir, "exports.txt"), 404)
}

func TestStructsOfNVMLAreAsLongAsTheirVersionsSay(t *testing.T) {
	api := nvml(t)
	for _, l := range facts(t, nvmlDir, "sizes.txt") {
		want, err := strconv.ParseInt(l[1], 0, 32)
		if err != nil {
			t.Fatalf("line %q: %v", l, err)
		}
		s := structOf(t, api, l[0])
		if s != nil && s.Size != int(want) {
			t.Errorf("%s has %d bytes, the vendor's %d", l[0], s.Size, want)
		}
		if !strings.HasSuffix(l[0], "_v"+l[2]+"_t") {
			t.Errorf("%s is version %s", l[0], l[2])
		}
	}
}

func structOf(t *testing.T, api *describe.API, name string) *layout.Struct {
	t.Helper()
	typ := api.Type(name)
	if typ == nil {
		t.Errorf("%s is not described", name)
		return nil
	}
	s, err := layout.StructOf(api, typ)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestMembersOfNVMLsStructsStandWhereTheVendorsDo(t *testing.T) {
	api := nvml(t)
	for _, l := range facts(t, nvmlDir, "layouts.txt") {
		s := structOf(t, api, l[0])
		if s == nil {
			continue
		}
		var got []string
		for _, m := range s.Members {
			got = append(got, strconv.Itoa(m.Offset))
		}
		if strconv.Itoa(s.Size) != l[1] || strings.Join(got, " ") != strings.Join(l[2:], " ") {
			t.Errorf("%s: %d bytes, members at %v; the vendor's: %s, %v", l[0], s.Size, got, l[1], l[2:])
		}
	}
}

// C's own word on what this generator computes for Go.
func TestStructsAreInCAsInGo(t *testing.T) {
	api := nvml(t)
	dir := generated(t)
	var b strings.Builder
	b.WriteString("#include <stddef.h>\n#include \"nvml_calls.h\"\n")
	n := 0
	for _, typ := range api.Types {
		if typ.Kind != describe.Struct && typ.Kind != describe.Union {
			continue
		}
		s := structOf(t, api, typ.Name)
		n++
		fmt.Fprintf(&b, "_Static_assert(sizeof(%s) == %d, \"%s\");\n", typ.Name, s.Size, typ.Name)
		for _, m := range s.Members {
			fmt.Fprintf(&b, "_Static_assert(offsetof(%s, %s) == %d, \"%s.%s\");\n", typ.Name, m.Name, m.Offset, typ.Name, m.Name)
		}
	}
	if n < 100 {
		t.Errorf("only %d structs were compared", n)
	}
	use := filepath.Join(dir, "structs.c")
	if err := os.WriteFile(use, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, cc := range compilers(t) {
		compile(t, cc, append(strict, "-I", dir, use)...)
	}
}

// A setter that anybody could call would be a way to change the machine.
func TestWhatChangesTheMachineIsForRoot(t *testing.T) {
	changes := regexp.MustCompile(`Set[A-Z]|Reset|Clear|Create|Destroy|Modify|Remove|Discover|Freeze|Activate|Update|ReadWrite`)
	harmless := map[string]bool{ // they make or end what is the caller's own, or only tell
		"nvmlEventSetCreate": true, "nvmlEventSetFree": true, "nvmlDeviceGetSramEccErrorStatus": true,
		"nvmlDeviceGetTopologyNearestGpus": true, "nvmlSystemGetTopologyGpuSet": true, "nvmlEventSetWait_v2": true, "nvmlEventSetWait": true,
		"nvmlDeviceGetCreatableVgpus": true,
	}
	n := 0
	for _, c := range nvml(t).Calls() {
		if changes.MatchString(c.Name) && !harmless[c.Name] && !c.Func.Root {
			t.Errorf("%s looks as if it changed the machine, and is not 'root only'", c.Name)
		}
		if c.Func.Root {
			n++
		}
	}
	if n < 50 {
		t.Errorf("only %d calls are for root", n)
	}
}
