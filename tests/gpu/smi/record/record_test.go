// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"nervlinux.org/axon/nvml"
)

// What is recorded of the software GPU answers, replayed, as the software GPU does.
func TestARecordingReplaysTheMachineThatWasRecorded(t *testing.T) {
	b := os.Getenv("AXON_BUILD")
	if b == "" {
		b = "../../../../build"
	}
	b, err := filepath.Abs(b)
	if err != nil {
		t.Fatal(err)
	}
	worker, vendor := filepath.Join(b, "libexec/axon-worker"), filepath.Join(b, "softgpu")
	for _, f := range []string{worker, filepath.Join(vendor, "libnvidia-ml.so.1")} {
		if _, err := os.Stat(f); err != nil {
			t.Skipf("%v; make builds it", err)
		}
	}
	var text bytes.Buffer
	if err := record(&text, worker, vendor, "", "../modes"); err != nil {
		t.Fatal(err)
	}
	calls := strings.Count(text.String(), " -> ")
	if calls < 1000 {
		t.Errorf("only %d calls were recorded", calls)
	}
	for _, line := range strings.Split(text.String(), "\n") {
		name, _, _ := strings.Cut(line, " ")
		if info, ok := nvml.Call(nvml.Find(name)); ok && info.Root {
			t.Errorf("%s was called, and changes the machine", name)
		}
	}
	rec, err := nvml.ReadRecording(&text)
	if err != nil {
		t.Fatal(err)
	}
	conn, end, err := start(worker, vendor)
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	old, now := nvml.New(rec), nvml.New(nvml.Over(conn))
	d, ret := now.DeviceGetHandleByIndex_v2(0)
	if ret != nvml.SUCCESS {
		t.Fatalf("the first GPU: %v", ret)
	}
	same := func(what string, a, b any, aret, bret nvml.Return) {
		if a != b || aret != bret {
			t.Errorf("%s: recorded %v (%v), now %v (%v)", what, a, aret, b, bret)
		}
	}
	a, aret := old.DeviceGetName(d)
	n, nret := now.DeviceGetName(d)
	same("the name", a, n, aret, nret)
	a, aret = old.DeviceGetUUID(d)
	n, nret = now.DeviceGetUUID(d)
	same("the UUID", a, n, aret, nret)
	pa, aret := old.DeviceGetPciInfo_v3(d)
	pn, nret := now.DeviceGetPciInfo_v3(d)
	same("the bus", pa, pn, aret, nret)
	if rec.Head["driver"] == "" || rec.Head["gpu"] != n && n != a {
		t.Errorf("the head: %v", rec.Head)
	}
}

// compare runs compare.py over what two programs printed, and what was replayed of a recording if anything was.
func compare(t *testing.T, vendor, axon [3]string, replayed ...string) string {
	t.Helper()
	dir := t.TempDir()
	state := filepath.Join(dir, "idle")
	if err := os.Mkdir(state, 0o755); err != nil {
		t.Fatal(err)
	}
	put := func(name, text string) {
		if err := os.WriteFile(filepath.Join(state, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("1.mode", "-q\n")
	for i := range 3 {
		put("1.vendor"+string(rune('1'+i)), vendor[i])
		put("1.axon"+string(rune('1'+i)), axon[i])
	}
	for _, text := range replayed {
		put("1.replay", text)
	}
	cmd := exec.Command("python3", "../compare.py", dir)
	out, err := cmd.CombinedOutput()
	if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() != 1) {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

func TestWhatDiffersIsFoundAndWhatChangesIsNot(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not here")
	}
	const a, b, c = "Power : 71.10 W\nName : H200\nstatus 0\n", "Power : 71.30 W\nName : H200\nstatus 0\n", "Power : 70.90 W\nName : H200\nstatus 0\n"
	for what, x := range map[string]struct {
		vendor, axon [3]string
		want         string
	}{
		"the same":           {[3]string{a, b, c}, [3]string{b, b, b}, "1 modes the same, none differ"},
		"what changes":       {[3]string{a, b, c}, [3]string{"Power : 72.55 W\nName : H200\nstatus 0\n", b, c}, "1 modes the same, none differ"},
		"a unit":             {[3]string{a, b, c}, [3]string{"Power : 71.10 w\nName : H200\nstatus 0\n", "Power : 71.10 w\nName : H200\nstatus 0\n", "Power : 71.10 w\nName : H200\nstatus 0\n"}, "   1 vendor 'Power : 71.10 W'"},
		"a name":             {[3]string{a, a, a}, [3]string{"Power : 71.10 W\nName : H100\nstatus 0\n", "Power : 71.10 W\nName : H100\nstatus 0\n", "Power : 71.10 W\nName : H100\nstatus 0\n"}, "   2 vendor 'Name : H200'"},
		"a longer line":      {[3]string{a, a, a}, [3]string{a[:7] + " " + a[7:], a[:7] + " " + a[7:], a[:7] + " " + a[7:]}, "1 lines differ"},
		"a line more":        {[3]string{a, a, a}, [3]string{a + "x\n", a + "x\n", a + "x\n"}, "0 modes the same, 1 differ"},
		"the exit status":    {[3]string{a, a, a}, [3]string{a[:len(a)-2] + "9\n", a[:len(a)-2] + "9\n", a[:len(a)-2] + "9\n"}, "vendor 'status 0'"},
		"bytes, not letters": {[3]string{"\xff\n", "\xff\n", "\xff\n"}, [3]string{"\xfe\n", "\xfe\n", "\xfe\n"}, "1 lines differ"},
	} {
		if got := compare(t, x.vendor, x.axon); !strings.Contains(got, x.want) {
			t.Errorf("%s: %s\nwant %q", what, got, x.want)
		}
	}
}

func TestFiguresThatAReadingChangesMayDifferAndNothingElse(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not here")
	}
	const same, differ = "1 modes the same, none differ", "0 modes the same, 1 differ"
	for _, x := range []struct{ vendor, axon, want string }{
		{"    Used      : 4 MiB\nstatus 0\n", "    Used      : 5 MiB\nstatus 0\n", differ},
		{"    Used      : 4 MiB\nstatus 0\n", "    Used      : 40 MiB\nstatus 0\n", differ},
		{"    Used      : 4 MiB\nstatus 0\n", "    Used      : N/A\nstatus 0\n", differ},
		{"    Power Draw: 76.29 W\nstatus 0\n", "    Power Draw: 75.30 W\nstatus 0\n", same},
		{"    Power Draw: 76.29 W\nstatus 0\n", "    Power Draw : 75.30 W\nstatus 0\n", differ},
		{"\t<rx_util>667 KB/s</rx_util>\nstatus 0\n", "\t<rx_util>2363 KB/s</rx_util>\nstatus 0\n", same},
		{"\t<rx_util>667 KB/s</rx_util>\nstatus 0\n", "\t<rx_util>62507 KB/s</rx_util>\nstatus 0\n", differ},
		{"\t<rx_util>667 KB/s</rx_util>\nstatus 0\n", "\t<rx_util>N/A</rx_util>\nstatus 0\n", differ},
		{"\t<gpu_temp>35 C</gpu_temp>\nstatus 0\n", "\t<gpu_temp>36 C</gpu_temp>\nstatus 0\n", same},
		{"\t<gpu_temp>35 C</gpu_temp>\nstatus 0\n", "\t<gpu_temp>39 C</gpu_temp>\nstatus 0\n", differ},
		{"    Max       : 5\nstatus 0\n", "    Max       : 4\nstatus 0\n", differ},
		{"    Power Draw: 76.29 W\nstatus 0\n", "    Power Draw: 76.3 W\nstatus 0\n", differ},
		{"# gpu    fb  bar1\n# Idx    MB    MB\n    0     4     4\nstatus 0\n", "# gpu    fb  bar1\n# Idx    MB    MB\n    0     4     5\nstatus 0\n", differ},
		{"# gpu    fb  mclk\n# Idx    MB   MHz\n    0     4     4\nstatus 0\n", "# gpu    fb  mclk\n# Idx    MB   MHz\n    0     4     5\nstatus 0\n", differ},
		{"status 0\n", "status 2\n", differ},
	} {
		v, a := [3]string{x.vendor, x.vendor, x.vendor}, [3]string{x.axon, x.axon, x.axon}
		if got := compare(t, v, a); !strings.Contains(got, x.want) {
			t.Errorf("%q and %q: %s\nwant %q", x.vendor, x.axon, got, x.want)
		}
	}
	const live = "| 35C    P0             81W /  700W |\n  Idle : Active\n  Used : 4 MiB\nstatus 0\n"
	for _, x := range []struct{ replayed, want string }{
		{"| 36C    P2            120W /  700W |\n  Idle : Not Active\n  Used : 1552 MiB\nstatus 0\n", same},
		{"| 36C    P2           120W /  700W |\n  Idle : Not Active\n  Used : 1552 MiB\nstatus 0\n", differ},
		{"| 36C    P2            120W /  700W |\n  Idle : N/A\n  Used : 1552 MiB\nstatus 0\n", differ},
		{"| 36C    P2            120W /  700W |\n  Idle : Active\n  Used : 1552 MiB\nstatus 9\n", differ},
		{"| 36C    P2            120W /  700W |\n  Idle : Active\nstatus 0\n", differ},
	} {
		v := [3]string{live, live, live}
		if got := compare(t, v, v, x.replayed); !strings.Contains(got, x.want) {
			t.Errorf("replayed %q: %s\nwant %q", x.replayed, got, x.want)
		}
	}
}

// The shim exports what the description says, and words errors as it does; facts.py finds what does not.
func TestTheShimIsAsItsFactsSay(t *testing.T) {
	b := os.Getenv("AXON_BUILD")
	if b == "" {
		b = "../../../../build"
	}
	library := filepath.Join(b, "lib/libnvidia-ml.so.1")
	if _, err := os.Stat(library); err != nil {
		t.Skipf("%v; make builds it", err)
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not here")
	}
	library, err := filepath.Abs(library)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("python3", "../facts.py", library, t.TempDir(), "../../../../shims/api/nvml").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	// Another description finds another library's faults.
	other := t.TempDir()
	if err := os.Mkdir(filepath.Join(other, "testdata"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"testdata/exports.txt": "# none\nnvmlNoSuchThing\n",
		"results.api":          "enum nvmlReturn_t {\n    NVML_ERROR_TIMEOUT = 10\n}\ntexts nvmlReturn_t\n    NVML_ERROR_TIMEOUT \"Tea time\"\n",
	} {
		if err := os.WriteFile(filepath.Join(other, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command("python3", "../facts.py", library, t.TempDir(), other).CombinedOutput()
	if err == nil {
		t.Error("a library that is not as described passes")
	}
	for _, want := range []string{"described, and not exported: nvmlNoSuchThing", "exported, and not described: nvmlInit_v2", "'Timeout', axon 'Tea time'"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("facts.py does not say %q:\n%s", want, out)
		}
	}
}
