// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"context"
	"strings"
	"testing"
	"time"
)

// usageOf is a subcommand's help without what is above its usage.
func usageOf(name string) string {
	text := help(name+".txt", Environment{})
	return text[strings.Index(text, "\n    Usage: "):]
}

// TestSubcommandsRefuseWhatWasNotSeen plays the recorded H200; what is the same there is in EveryMode's.
func TestSubcommandsRefuseWhatWasNotSeen(t *testing.T) {
	k := readKept(t, "testdata/h200-580-idle.modes.gz")
	const samples = "Invalid value for number of samples to be displayed\n"
	for _, c := range []struct {
		words, want string
		status      string
	}{
		{"dmon -c 0", samples + usageOf("dmon"), "0"},
		{"dmon -c abc", samples + usageOf("dmon"), "0"},
		{"pmon -c 0", samples + usageOf("pmon"), "0"},
		{"pmon -c abc", samples + usageOf("pmon"), "0"},
		// The vendor's words for these were not seen.
		{"topo -m -c 0", "nvidia-smi topo -m -c 0 " + notAxons + "\n", "2"},
		{"topo -n x -i 0", "nvidia-smi topo -n x " + notAxons + "\n", "2"},
		{"dmon -c 1 --format json", "nvidia-smi dmon --format json " + notAxons + "\n", "2"},
		{"dmon -c 1 --gpm-metrics 8,2", "nvidia-smi dmon --gpm-metrics 8,2 " + notAxons + "\n", "2"},
		{"dmon -c 1 --gpm-options d", "nvidia-smi dmon --gpm-options " + notAxons + "\n", "2"},
		{"dmon -c 1 -s pz", "nvidia-smi dmon -s pz " + notAxons + "\n", "2"},
		{"dmon -c 1 -d 0", "nvidia-smi dmon -d 0 " + notAxons + "\n", "2"},
	} {
		if got, want := strings.Join(k.printed(t, c.words), "\n"), c.want+"status "+c.status+"\n"; got != want {
			t.Errorf("nvidia-smi %s:\n got %q\nwant %q", c.words, got, want)
		}
	}
}

func TestVirtualMachinesAreLookedForUntilItIsStopped(t *testing.T) {
	for _, words := range []string{"-p -l 1", "-l 1", "-q --loop=1"} {
		ctx, stop := context.WithCancel(context.Background())
		out := &linesThen{left: 2, stop: stop}
		env := oneGPU(t, "580.159.04").environment(nil, time.Now())
		env.Out, env.Now = out, time.Now
		status := Run(ctx, append([]string{"vgpu"}, strings.Fields(words)...), env)
		same(t, out.String(), strings.Repeat("No supported devices in vGPU mode\n", 2))
		if status != 0 {
			t.Errorf("vgpu %s: status %d", words, status)
		}
	}
}
