// SPDX-License-Identifier: Apache-2.0

package installed

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// put makes a file below a folder.
func put(t *testing.T, dir, name, text string, mode os.FileMode) {
	t.Helper()
	p := filepath.Join(dir, name)
	must(t, os.MkdirAll(filepath.Dir(p), 0o755))
	must(t, os.WriteFile(p, []byte(text), mode))
}

const shimText = "\x7fELF\x00AXON_SESSION\x00"

func TestFilesAreFoundInBothLayouts(t *testing.T) {
	prefix := t.TempDir()
	for _, f := range []string{"bin/axon", "libexec/axon/axond", "libexec/axon/axon-worker", "lib/axon/softgpu/libcuda.so.1"} {
		put(t, prefix, f, "x", 0o755)
	}
	put(t, prefix, "lib/axon/shim/libcuda.so.1", shimText, 0o644)
	put(t, prefix, "lib/libcuda.so.1", "the vendor's", 0o644)

	build := t.TempDir()
	for _, f := range []string{"bin/axon", "bin/axond", "libexec/axon-worker", "softgpu/libcuda.so.1"} {
		put(t, build, f, "x", 0o755)
	}
	put(t, build, "lib/libcuda.so.1", shimText, 0o644)

	for _, c := range []struct{ self, worker, shim, softgpu string }{
		{prefix + "/bin", prefix + "/libexec/axon/axon-worker", prefix + "/lib/axon/shim", prefix + "/lib/axon/softgpu"},
		{prefix + "/libexec/axon", prefix + "/libexec/axon/axon-worker", prefix + "/lib/axon/shim", prefix + "/lib/axon/softgpu"},
		{build + "/bin", build + "/libexec/axon-worker", build + "/lib", build + "/softgpu"},
	} {
		worker, err := Worker(c.self)
		must(t, err)
		shim, err := Shim(c.self)
		must(t, err)
		softgpu, err := Softgpu(c.self)
		must(t, err)
		if worker != c.worker || shim != c.shim || softgpu != c.softgpu {
			t.Errorf("in %s: %s, %s, %s", c.self, worker, shim, softgpu)
		}
	}
}

func TestWhatIsMissingSaysWhereItWasLookedFor(t *testing.T) {
	_, err := Shim("/nonexistent/bin")
	if err == nil {
		t.Skip("axon is installed here")
	}
	for _, want := range []string{"/nonexistent/lib/axon/shim", "/usr/lib/axon/shim", "--shim DIR"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %s", err, want)
		}
	}
}

func TestTheVendorsLibraryIsNeverAxonsOwn(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "shim/libcuda.so.1", shimText, 0o644)
	put(t, dir, "broken/libcuda.so.1/file", "", 0o644)
	put(t, dir, "vendor/libcuda.so.1", "the vendor's", 0o644)
	must(t, os.Symlink("../shim/libcuda.so.1", filepath.Join(dir, "link")))
	put(t, dir, "build/bin/axond", "x", 0o755)
	put(t, dir, "build/softgpu/libcuda.so.1", "soft", 0o644)
	var dirs []string
	for _, d := range []string{"missing", "broken", "shim", "vendor"} {
		dirs = append(dirs, filepath.Join(dir, d))
	}
	v, err := FindVendor(filepath.Join(dir, "build/bin"), dirs)
	if err != nil || v != (Vendor{Dir: dirs[3]}) {
		t.Errorf("found %+v, %v", v, err)
	}
	v, err = FindVendor(filepath.Join(dir, "build/bin"), dirs[:3])
	if err != nil || v != (Vendor{Dir: filepath.Join(dir, "build/softgpu"), Software: true}) {
		t.Errorf("without a vendor: %+v, %v", v, err)
	}
}

func TestAnUpgradedWorkerIsAskedAgain(t *testing.T) {
	dir := t.TempDir()
	write := func(version string) {
		put(t, dir, "worker", "#!/bin/sh\necho "+version+" 000102030405060708090a0b0c0d0e0f\necho >> "+dir+"/asked\n", 0o755)
	}
	write("1")
	w := &WorkerProtocol{Path: filepath.Join(dir, "worker")}
	for range 3 {
		if p, err := w.Get(); err != nil || p.Version != 1 || p.Fingerprint[15] != 15 {
			t.Fatalf("%+v, %v", p, err)
		}
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "asked")); len(b) != 1 {
		t.Errorf("it was asked %d times", len(b))
	}
	write("2")
	later := time.Now().Add(time.Hour)
	must(t, os.Chtimes(w.Path, later, later))
	if p, err := w.Get(); err != nil || p.Version != 2 {
		t.Errorf("after the upgrade: %+v, %v", p, err)
	}
	must(t, os.Remove(w.Path))
	if _, err := w.Get(); err == nil || !strings.Contains(err.Error(), "--worker PATH") {
		t.Errorf("a worker that was removed: %v", err)
	}
}

func FuzzParseProtocol(f *testing.F) {
	f.Add("1 000102030405060708090a0b0c0d0e0f\n")
	f.Add("4294967296 000102030405060708090a0b0c0d0e0f")
	f.Add("1 0001")
	f.Add("")
	f.Add("1 000102030405060708090a0b0c0d0e0fff extra")
	f.Fuzz(func(t *testing.T, s string) {
		p, err := ParseProtocol(s)
		if err != nil && p != (Protocol{}) {
			t.Fatalf("%q gave %+v and %v", s, p, err)
		}
		if err == nil && len(strings.Fields(s)[1]) != 32 {
			t.Fatalf("%q was taken", s)
		}
	})
}

// TestSMIIsAxonsOwn: NVIDIA's in bin is not taken for it.
func TestSMIIsAxonsOwn(t *testing.T) {
	dir := t.TempDir()
	none := SMI(filepath.Join(dir, "nothing")) // the machine's, where axon-smi is installed
	if none != "" && none != "/usr/libexec/axon/nvidia-smi" {
		t.Errorf("without a folder of its own it is %s", none)
	}
	bin, own := filepath.Join(dir, "bin"), filepath.Join(dir, "libexec/axon/nvidia-smi")
	for _, d := range []string{bin, filepath.Dir(own)} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	put := func(file string, mode os.FileMode) {
		t.Helper()
		if err := os.WriteFile(file, nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	put(filepath.Join(bin, "nvidia-smi"), 0o755)
	if got := SMI(bin); got != none {
		t.Errorf("without axon's it is %s", got)
	}
	put(own, 0o644)
	if got := SMI(bin); got != none {
		t.Errorf("a file that is no program is %s", got)
	}
	if err := os.Chmod(own, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := SMI(bin); got != own {
		t.Errorf("it is %q", got)
	}
}

func TestTheSoftwareGPUIsKnownWhereverItIs(t *testing.T) {
	for text, soft := range map[string]bool{"\x00SOFTGPU_MEMORY\x00": true, "\x00AXON_SESSION\x00": false, "the vendor's": false} {
		dir := t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, Library), []byte(text), 0o644))
		if IsSoftgpu(dir) != soft {
			t.Errorf("%q is the software GPU: %v", text, !soft)
		}
	}
	if IsSoftgpu(t.TempDir()) {
		t.Error("an empty folder is the software GPU")
	}
}
