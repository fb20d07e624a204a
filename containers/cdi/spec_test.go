// SPDX-License-Identifier: Apache-2.0

package cdi

import (
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	oci "github.com/opencontainers/runtime-spec/specs-go"
	"tags.cncf.io/container-device-interface/pkg/cdi"
	specs "tags.cncf.io/container-device-interface/specs-go"
)

var update = flag.Bool("update", false, "write testdata anew")

// shims makes a folder of shims.
func shims(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, n := range names {
		must(t, os.WriteFile(filepath.Join(dir, n), nil, 0o644))
	}
	must(t, os.Symlink("libcuda.so.1", filepath.Join(dir, "libcuda.so")))
	return dir
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func made(t *testing.T, o Options) *specs.Spec {
	t.Helper()
	s, err := Make(o)
	must(t, err)
	return s
}

func TestTheSpecificationIsWhatItWas(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skipf("the files in testdata are for amd64, this is %s", runtime.GOARCH)
	}
	dir := shims(t, "libcuda.so.1", "README")
	for name, o := range map[string]Options{
		"all.json": {},
		"all.yaml": {},
		"smi.json": {SMI: "/usr/libexec/axon/nvidia-smi"},
		"two.json": {GPUs: []GPU{{"GPU-00000000-1111-2222-3333-444444444444"}, {"GPU-55555555-6666-7777-8888-999999999999"}}},
	} {
		o.Socket, o.Shim = "/run/axon/sock", dir
		format, err := FormatOf(name)
		must(t, err)
		b, err := Encode(made(t, o), format)
		must(t, err)
		got, golden := strings.ReplaceAll(string(b), dir, "/usr/lib/axon/shim"), filepath.Join("testdata", name)
		if *update {
			must(t, os.WriteFile(golden, []byte(got), 0o644))
		}
		want, err := os.ReadFile(golden)
		must(t, err)
		if got != string(want) {
			t.Errorf("%s: go test -update writes it anew; it would be\n%s", golden, got)
		}
	}
}

// TestAnEngineTakesIt: the library that engines have reads what was written and
// edits a container by it.
func TestAnEngineTakesIt(t *testing.T) {
	g0, g1 := "GPU-00000000-1111-2222-3333-444444444444", "GPU-55555555-6666-7777-8888-999999999999"
	dir := shims(t, "libcuda.so.1", "libnvidia-ml.so.1")
	for _, name := range []string{"nervlinux.org-gpu.json", "nervlinux.org-gpu.yaml"} {
		format, err := FormatOf(name)
		must(t, err)
		b, err := Encode(made(t, Options{Socket: "/run/axon/sock", Shim: dir, SMI: "/usr/libexec/axon/nvidia-smi", GPUs: []GPU{{g0}, {g1}}}), format)
		must(t, err)
		file := filepath.Join(t.TempDir(), "new", name)
		must(t, Write(file, b))
		st, err := os.Stat(file)
		must(t, err)
		if st.Mode() != 0o644 {
			t.Errorf("%s has the mode %v", name, st.Mode())
		}
		cache, err := cdi.NewCache(cdi.WithSpecDirs(filepath.Dir(file)), cdi.WithAutoRefresh(false))
		must(t, err)
		if errs := cache.GetErrors(); len(errs) > 0 {
			t.Fatalf("%s: %v", name, errs)
		}
		var all []string
		for device, visible := range map[string]string{"all": "", "0": g0, "1": g1, g0: g0, g1: g1} {
			all = append(all, Kind+"="+device)
			c := &oci.Spec{Version: "1.0.2", Process: &oci.Process{Env: []string{"AXON_SESSION=/elsewhere", "LD_LIBRARY_PATH=/own"}}}
			if _, err := cache.InjectDevices(c, Kind+"="+device); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			want := []string{"AXON_SESSION=/run/axon/sock", "LD_LIBRARY_PATH=/own"}
			if visible != "" {
				want = append(want, "CUDA_VISIBLE_DEVICES="+visible)
			}
			if !slices.Equal(c.Process.Env, want) {
				t.Errorf("%s=%s: the environment is %q", Kind, device, c.Process.Env)
			}
			if c.Hooks != nil || c.Linux != nil && (len(c.Linux.Devices) > 0 || c.Linux.Resources != nil) {
				t.Errorf("%s=%s: there are hooks or devices: %+v %+v", Kind, device, c.Hooks, c.Linux)
			}
			if len(c.Mounts) != 2+2*3+1 {
				t.Errorf("%s=%s: %d mounts: %v", Kind, device, len(c.Mounts), c.Mounts)
			}
			for _, m := range c.Mounts {
				if !slices.Contains(m.Options, "ro") || !slices.Contains(m.Options, "bind") || slices.Contains(m.Options, "rw") {
					t.Errorf("%s: %q", m.Destination, m.Options)
				}
			}
		}
		slices.Sort(all)
		if got := cache.ListDevices(); !slices.Equal(got, all) {
			t.Errorf("%s: the engine knows %q", name, got)
		}
	}
}

func TestWhatNoContainerCanHaveIsRefused(t *testing.T) {
	shim := shims(t, "libcuda.so.1")
	mixed := t.TempDir()
	must(t, os.WriteFile(filepath.Join(mixed, "letters"), nil, 0o600))
	must(t, os.WriteFile(filepath.Join(mixed, "sock"), nil, 0o600))
	for _, c := range []struct {
		what string
		o    Options
		says []string
	}{
		{"a socket among other things", Options{Socket: filepath.Join(mixed, "sock"), Shim: shim}, []string{mixed, "letters", "folder of its own"}},
		{"a socket with a relative path", Options{Socket: "sock", Shim: shim}, []string{"absolute"}},
		{"a folder without a library", Options{Socket: "/run/axon/sock", Shim: mixed}, []string{mixed, "axon-libs"}},
		{"no folder", Options{Socket: "/run/axon/sock", Shim: mixed + "/no"}, []string{mixed + "/no"}},
	} {
		_, err := Make(c.o)
		if err == nil {
			t.Errorf("%s was taken", c.what)
			continue
		}
		for _, s := range c.says {
			if !strings.Contains(err.Error(), s) {
				t.Errorf("%s: the error does not say %q: %v", c.what, s, err)
			}
		}
	}
	// A folder that has the socket and its lock is the socket's own, and so is one that is not there yet.
	alone := t.TempDir()
	for _, n := range []string{"mine", "mine.lock"} {
		must(t, os.WriteFile(filepath.Join(alone, n), nil, 0o600))
	}
	s := made(t, Options{Socket: filepath.Join(alone, "mine"), Shim: shim})
	if got := s.Devices[0].ContainerEdits.Env[0]; got != "AXON_SESSION=/run/axon/mine" {
		t.Errorf("a socket elsewhere: %s", got)
	}
	made(t, Options{Socket: filepath.Join(alone, "not/yet"), Shim: shim})
}

func TestAFileIsWrittenWholeOrNot(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.json")
	must(t, Write(file, []byte("old")))
	before, err := os.Open(file)
	must(t, err)
	defer before.Close()
	must(t, Write(file, []byte("new")))
	a, err := before.Stat()
	must(t, err)
	b, err := os.Stat(file)
	must(t, err)
	if os.SameFile(a, b) {
		t.Error("the file that an engine may be reading was written to")
	}
	entries, err := os.ReadDir(filepath.Dir(file))
	must(t, err)
	if len(entries) != 1 {
		t.Errorf("there is more than the file: %v", entries)
	}
	for _, bad := range []string{"x", "x.txt", "json"} {
		if f, err := FormatOf(bad); err == nil {
			t.Errorf("%s is taken for %s, and no engine reads it", bad, f)
		}
	}
}
