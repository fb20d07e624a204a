// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The same script as on a real GPU (tests/gpu/many), here on the software one:
// programs at once, a thousand sessions, faults beside others, a soak of
// SOAK_SECONDS (here 15).
func TestManyProgramsOnOneGPU(t *testing.T) {
	soak := os.Getenv("SOAK_SECONDS")
	if soak == "" {
		soak = "15"
	}
	seconds, err := time.ParseDuration(soak + "s")
	if err != nil {
		t.Fatalf("SOAK_SECONDS is %q: %v", soak, err)
	}
	line := regexp.MustCompile(`^ *[\d.]+ s +(\w+) +(well|fails) +(.*)$`)
	for _, part := range []string{"together", "sessions", "faults", "soak"} {
		t.Run(part, func(t *testing.T) {
			build := buildDir(t)
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute+seconds)
			defer cancel()
			cmd := exec.CommandContext(ctx, filepath.Join("..", "gpu", "many"), "--build", build,
				"--vendor", filepath.Join(build, "softgpu"), "--out", t.TempDir(), "--only", part, "--soak-seconds", soak)
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
			cmd.WaitDelay = 20 * time.Second
			out, err := cmd.CombinedOutput()
			found := 0
			for _, l := range strings.Split(string(out), "\n") {
				if m := line.FindStringSubmatch(l); m != nil {
					found++
					if m[2] == "well" {
						t.Log(m[3])
					} else {
						t.Error(m[3])
					}
				}
			}
			if err != nil || found == 0 {
				t.Errorf("%v, %d findings\n%s", err, found, out)
			}
		})
	}
}
