// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func f(x float64) *float64 { return &x }

func TestAGoalIsMetOrMissedByTheNumbersThatItIsAbout(t *testing.T) {
	for _, c := range []struct {
		row      row
		met, has bool
	}{
		{row{Native: f(100), Axon: f(50), Ratio: f(0.5), Goal: "<=0.5"}, true, true},
		{row{Native: f(100), Axon: f(51), Ratio: f(0.51), Goal: "<=0.5"}, false, true},
		{row{Native: f(100), Axon: f(98), Ratio: f(0.98), Goal: ">=0.98"}, true, true},
		{row{Native: f(100), Axon: f(97), Ratio: f(0.97), Goal: ">=0.98"}, false, true},
		{row{Native: f(100), Axon: f(107), Goal: "<=8 MiB"}, true, true},
		{row{Native: f(100), Axon: f(109), Goal: "<=8 MiB"}, false, true},
		{row{Native: f(100), Axon: f(109), Ratio: f(1.09)}, false, false},
		{row{Result: "left out", Goal: "<=0.5"}, false, false},
	} {
		if met, has := c.row.met(); met != c.met || has != c.has {
			t.Errorf("%+v: met %v, has a goal %v", c.row, met, has)
		}
	}
}

func TestANewResultReplacesTheOldOneOfTheSameCaseAndGPUOnly(t *testing.T) {
	old := []row{{Case: "a", GPU: "X", Result: "same"}, {Case: "a", GPU: "Y", Result: "same"}, {Case: "b", GPU: "X", Result: "same"}}
	got := merge(old, []row{{Case: "a", GPU: "X", Result: "differs"}, {Case: "b", GPU: "X", Result: "left out"}, {Case: "c", GPU: "X", Result: "left out"}})
	want := "a X differs, a Y same, b X same, c X left out"
	var all []string
	for _, r := range got {
		all = append(all, r.Case+" "+r.GPU+" "+r.Result)
	}
	if strings.Join(all, ", ") != want {
		t.Errorf("got %s, want %s", strings.Join(all, ", "), want)
	}
	if old[0].Result != "same" {
		t.Error("merging changed what it was given")
	}
}

func TestThePageKeepsWhatPeopleWroteAroundTheResults(t *testing.T) {
	first, err := replace("# Title\n\nText.\n", "one\n")
	if err != nil {
		t.Fatal(err)
	}
	second, err := replace(first+"\nMore text.\n", "two\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"# Title\n", "Text.\n", "two\n", "\nMore text.\n"} {
		if !strings.Contains(second, s) {
			t.Errorf("%q is gone from %q", s, second)
		}
	}
	if strings.Contains(second, "one\n") {
		t.Errorf("the old results are still in %q", second)
	}
	if _, err := replace("# Title\n"+end+"\n", "one\n"); err == nil {
		t.Error("a page with half of the marks was written")
	}
}

func TestTheTableSaysWhichGoalsWereMissedAndWhichCallsAreNotThere(t *testing.T) {
	text := render([]row{
		{Case: "fast", What: "a | b", Unit: "us", Native: f(2), Axon: f(1), Ratio: f(0.5), RatioLow: f(0.4), RatioHigh: f(0.6), Goal: "<=0.5", Runs: 5, Date: "2026-01-02", GPU: "G", Driver: "1.2"},
		{Case: "slow", What: "c", Unit: "us", Native: f(1), Axon: f(2), Ratio: f(2), Goal: "<=1.05", Runs: 5, Date: "2026-01-02", GPU: "G"},
		{Case: "ok", What: "d", Result: "same", Date: "2026-01-02", GPU: "G"},
		{Case: "tests", What: "e", Result: "differs", Detail: "1 of 2", Tests: []string{"t::x"}, Unsupported: []string{"cuFoo"}, Date: "2026-01-02", GPU: "G"},
	})
	for _, s := range []string{
		`| a \| b | 2 us | 1 us | 0.5 (0.4 to 0.6) | ≤ 0.5 | met | 5, 2026-01-02, 1.2 |`,
		`| c | 1 us | 2 us | 2 | ≤ 1.05 | **missed** | 5, 2026-01-02 |`,
		`| tests | e | differs | 1 of 2; not supported: cuFoo | 2026-01-02 |`,
		"- t::x\n",
	} {
		if !strings.Contains(text, s) {
			t.Errorf("no %q in\n%s", s, text)
		}
	}
	if strings.Index(text, "| tests |") > strings.Index(text, "| ok |") {
		t.Error("what differs does not stand above what is the same")
	}
}

func TestResultsThatMakeNoSenseAreRefusedByName(t *testing.T) {
	for text, want := range map[string]string{
		`[{"case": "a", "gpu": "G", "date": "d"}]`:                                 "neither",
		`[{"case": "a", "gpu": "G", "date": "d", "result": "same", "goal": "<2"}]`: "goal",
		`[{"case": "a", "result": "same"}]`:                                        "without",
		`{}`:                                                                       "cannot unmarshal",
	} {
		file := filepath.Join(t.TempDir(), "x.json")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := read(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, which does not say %q", text, err, want)
		}
	}
}

func TestThePageIsWhatTheListOfResultsSays(t *testing.T) {
	rows, err := read("../../../docs/measurements.json")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../../docs/measurements.md")
	if err != nil {
		t.Fatal(err)
	}
	if out, err := replace(string(page), render(rows)); err != nil || out != string(page) {
		t.Errorf("docs/measurements.md is out of date (%v): go run ./tests/gpu/render", err)
	}
}

func TestTheHarnessIsRightAboutProgramsThatHangOrDiffer(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3 here, which tests/gpu/measure is written in")
	}
	if out, err := exec.Command("python3", "../measure_test.py").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// The harness itself, on the software GPU as the vendor: what it writes must be
// what this program takes.
func TestTheHarnessRunsOnTheSoftwareGPU(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3 here, which tests/gpu/measure is written in")
	}
	build := os.Getenv("AXON_BUILD")
	if build == "" {
		build = "../../../build"
	}
	build, err := filepath.Abs(build)
	if err != nil {
		t.Fatal(err)
	}
	for _, need := range []string{"bin/axond", "bin/driver_axpy", "tests/start", "softgpu/libcuda.so.1", "lib/libcuda.so.1", "libexec/axon-worker"} {
		if _, err := os.Stat(filepath.Join(build, need)); err != nil {
			t.Skipf("%v: run make first", err)
		}
	}
	out := t.TempDir()
	cmd := exec.Command("python3", "../measure", "--build", build, "--vendor", filepath.Join(build, "softgpu"), "--out", out,
		"--only", "^start/|^memory$|^driver_axpy$", "--rounds", "2", "--budget", "100")
	said, err := cmd.CombinedOutput()
	// Missed goals say nothing on this device: exit status 1 is as good as 0.
	if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() != 1) {
		t.Fatalf("%v\n%s", err, said)
	}
	rows, err := read(filepath.Join(out, "measurements.json"))
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	got := map[string]row{}
	for _, r := range rows {
		got[r.Case] = r
	}
	if got["driver_axpy"].Result != "same" {
		t.Errorf("driver_axpy: %+v\n%s", got["driver_axpy"], said)
	}
	for _, name := range []string{"start_to_first_kernel", "memory_client", "memory_worker"} {
		if r := got[name]; !r.isFigure() || *r.Axon <= 0 || *r.Native <= 0 || r.Runs != 2 {
			t.Errorf("%s: %+v\n%s", name, r, said)
		}
	}
}
