// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A limit holds every way to have memory, on a GPU of either kind.
func TestALimitHoldsEveryKindOfMemory(t *testing.T) {
	for name, env := range map[string][]string{
		"its own memory":           {"SOFTGPU_UNIFIED=0"},
		"the machine's memory":     {"SOFTGPU_UNIFIED=1"},
		"pools that reserve ahead": {"SOFTGPU_UNIFIED=0", "SOFTGPU_POOL_MIB=32"},
	} {
		t.Run(name, func(t *testing.T) {
			in := installation{build: buildDir(t), env: env}
			a := startAxond(t, in)
			for _, limit := range []string{"67108864", "83886080"} {
				in.runCases(t, append(in.clientEnv(a.socket), "AXON_GPU_MEMORY="+limit), "limits", nil)
			}
		})
	}
}

// What axond.toml says holds without a word of the program's, and a program that
// is refused is no trouble to another.
func TestASettingLimitsEverySession(t *testing.T) {
	settings := filepath.Join(t.TempDir(), "axond.toml")
	if err := os.WriteFile(settings, []byte("[limits]\ngpu-memory = \"48M\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	in := installation{build: buildDir(t), args: []string{"--settings", settings}}
	a := startAxond(t, in)
	one, two := startClient(t, in, in.clientEnv(a.socket)), startClient(t, in, in.clientEnv(a.socket))
	for _, c := range []*client{one, two} {
		c.expect("open", "0")
		c.expect("hold", "2") // 64 MiB
		c.expect("call", "0")
	}
	one.cmd.Process.Kill()
	two.expect("call", "0")
	waitFor(t, "the log says so", 20*time.Second, func() bool {
		return strings.Contains(a.Log(), "allocations_refused=1")
	})
}

// A limit that is no size is a refusal that says so.
func TestALimitThatIsNoSizeIsRefused(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	c := startClient(t, in, append(in.clientEnv(a.socket), "AXON_GPU_MEMORY=lots"))
	c.expect("open", "100")
	waitFor(t, "the log says why", 20*time.Second, func() bool {
		return strings.Contains(a.Log(), `AXON_GPU_MEMORY: \"lots\" is no size`)
	})
}
