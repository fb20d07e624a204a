// SPDX-License-Identifier: Apache-2.0

package smi

import "context"

// subcommands are words that begin a command line of their own.
var subcommands = map[string]func(context.Context, []string, Environment) int{}

const notAxons = "is not supported by axon's nvidia-smi; the one that comes with NVIDIA's driver has it."

// refusal is for those that the vendor's program has and this one has not.
func refusal(name string) (string, bool) {
	for _, other := range []string{
		"daemon", "replay", "drain", "c2c", "clocks", "encodersessions", "fbcsessions", "vgpu", "compute-policy", "boost-slider",
		"power-hint", "base-clocks", "conf-compute", "gpm", "pci", "power-smoothing", "power-profiles", "prm",
	} {
		if name == other {
			return "nvidia-smi " + name + " " + notAxons, true
		}
	}
	return "", false
}
