// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// nvidiaSMI runs the one that was built and gives what it prints and its exit status.
func nvidiaSMI(t *testing.T, in installation, socket string, args ...string) (string, int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(in.build, "smi", "nvidia-smi"), args...)
	cmd.Env = in.clientEnv(socket)
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// What NVML answered on an H200 goes the whole way: the software GPU's NVML plays
// it, the telemetry worker calls that, axond hands it on, and nvidia-smi prints it.
func TestNvidiaSMIPrintsTheVendorsBytes(t *testing.T) {
	recording, err := filepath.Abs("../../smi/testdata/h200-580.nvml")
	if err != nil {
		t.Fatal(err)
	}
	in := installation{build: buildDir(t), env: []string{"SOFTGPU_NVML=" + recording}}
	a := startAxond(t, in)
	got, status := nvidiaSMI(t, in, a.socket, "-q")
	want, err := os.ReadFile("../../smi/testdata/h200-580.q.txt")
	if err != nil {
		t.Fatal(err)
	}
	theirs, ours := strings.Split(string(want), "\n"), strings.Split(got, "\n")
	if status != 0 || len(theirs) != len(ours) {
		t.Fatalf("status %d, %d lines instead of %d:\n%s", status, len(ours), len(theirs), got)
	}
	const now = "Timestamp  "
	for i := range theirs {
		if ours[i] != theirs[i] && !(strings.HasPrefix(ours[i], now) && strings.HasPrefix(theirs[i], now)) {
			t.Errorf("line %d is %q, the vendor's %q", i+1, ours[i], theirs[i])
		}
	}
	csv, _ := nvidiaSMI(t, in, a.socket, "--query-gpu=name,memory.total,temperature.gpu,power.draw,clocks.sm", "--format=csv,noheader")
	if want := "NVIDIA H200, 143771 MiB, 37, 81.84 W, 345 MHz\n"; csv != want {
		t.Errorf("the query prints %q, not %q", csv, want)
	}
}

func TestNvidiaSMINamesTheProgramAndNotItsWorker(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	c := startClient(t, in, in.clientEnv(a.socket))
	c.expect("open", "0")
	c.expect("hold", "0")
	row := regexp.MustCompile(fmt.Sprintf(`\|    0   N/A  N/A%16d      C   \S*linger +\d+MiB \|`, c.cmd.Process.Pid))
	var table string
	waitFor(t, "the table has the program", 20*time.Second, func() bool {
		table, _ = nvidiaSMI(t, in, a.socket)
		return row.MatchString(table)
	})
	if strings.Contains(table, "axon-worker") {
		t.Errorf("the worker is in the table:\n%s", table)
	}
	apps, _ := nvidiaSMI(t, in, a.socket, "--query-compute-apps=pid,used_memory", "--format=csv,noheader")
	if !regexp.MustCompile(fmt.Sprintf(`^%d, \d+ MiB\n$`, c.cmd.Process.Pid)).MatchString(apps) {
		t.Errorf("the applications are %q", apps)
	}
}

func TestNvidiaSMIWithoutAxondFailsAsWithoutADriver(t *testing.T) {
	in := installation{build: buildDir(t)}
	const want = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.\n\n"
	for _, line := range []string{"", "-L", "-q -x", "--query-gpu=name --format=csv,noheader", "dmon -c 1", "pmon -c 1", "topo -m", "nvlink -s", "mig -lgip", "conf-compute -f", "-pm 1"} {
		if got, status := nvidiaSMI(t, in, filepath.Join(t.TempDir(), "none"), strings.Fields(line)...); status != 9 || got != want {
			t.Errorf("%s: %d %q", line, status, got)
		}
	}
}
