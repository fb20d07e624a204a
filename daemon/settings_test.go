// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"strings"
	"testing"
)

func TestSettingsAreRead(t *testing.T) {
	s, err := ParseSettings(`
group = "gpu"
max-sessions = 9
warm = 0
memory-floor = "512M"
[limits]
gpu-memory = "16G"
tasks-max = 100
[user.1000]
gpu-memory = "infinity"
[members.0]
gpu-memory = 4096
memory-max = "1.5G"
[members.7]
gpu-memory = "4K"
memory-max = "1G"
`)
	must(t, err)
	if s.Group != "gpu" || s.MaxSessions != 9 || s.Warm == nil || *s.Warm != 0 || s.MemoryFloor != 512<<20 {
		t.Errorf("read: %+v", s)
	}
	for _, x := range []struct {
		who  Identity
		want Limits
	}{
		{Identity{UID: 4000001, GID: 4000001}, Limits{GPUMemory: 16 << 30, TasksMax: 100}},
		{Identity{UID: 1000, GID: 7}, Limits{GPUMemory: Infinity, MemoryMax: 1 << 30, TasksMax: 100}},
		{Identity{UID: 4000001, GID: 7, Groups: []uint32{0}}, Limits{GPUMemory: 4096, MemoryMax: 3 << 29, TasksMax: 100}},
	} {
		if got := s.For(&x.who); got != x.want {
			t.Errorf("%+v has %+v, not %+v", x.who, got, x.want)
		}
	}
}

func TestBadSettingsNameTheLineAndTheKey(t *testing.T) {
	for text, want := range map[string]string{
		"warm = 1\nwram = 1":                           "line 2: wram: there is no such key",
		"[limits]\n\ngpu-memroy = \"1G\"":              "line 3: limits.gpu-memroy: there is no such key",
		"[user.\"al ice\"]\n gpu = 1":                  "line 2: user.\"al ice\".gpu: there is no such key",
		"[limits]\ngpu-memory = \"1X\"":                "line 2: limits.gpu-memory: \"1X\" is no size",
		"warm = \"many\"":                              "line 1: warm: ",
		"\nwarm = 17":                                  "line 2: warm: 17 is out of range",
		"max-sessions = 0":                             "line 1: max-sessions: 0 admits nobody",
		"confine = \"no\"":                             "line 1: confine: \"no\" is unknown",
		"warm = ":                                      "line 1: ",
		"warm = 1\nwarm = 1":                           "line 2: ",
		"[limits]\ngpu-memory = \"9999999999999999T\"": "is no size",
	} {
		_, err := ParseSettings(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v, not %q", text, err, want)
		}
	}
}

func TestSizesAreReadAndWritten(t *testing.T) {
	for text, want := range map[string]Size{"1": 1, "2K": 2048, "0.5K": 512, "8G": 8 << 30, "1T": 1 << 40, "infinity": Infinity, "1.5M": 3 << 19} {
		if got, err := ParseSize(text); err != nil || got != want {
			t.Errorf("%q is %d, %v", text, got, err)
		}
		if back, err := ParseSize(want.String()); err != nil || back != want {
			t.Errorf("%d is written %q", want, want)
		}
	}
	for _, text := range []string{"", "0", "-1", "K", "1KB", "1 G", "nan", "inf", "0x10", "1e3", "0.0001", "9223372036854775808", "8388608T", "99999999999999999999999.5G"} {
		if got, err := ParseSize(text); err == nil {
			t.Errorf("%q is taken for %d", text, got)
		}
	}
}

func FuzzParseSettings(f *testing.F) {
	f.Add("warm = 1\n[limits]\ngpu-memory = \"1G\"")
	f.Add("[user.x]\ntasks-max = 3\n[[members]]")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSettings(text)
		if (s == nil) == (err == nil) {
			t.Errorf("%v and %v", s, err)
		}
	})
}
