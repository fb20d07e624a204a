// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"context"
	"fmt"
	"strings"
)

// subcommands are words that begin a command line of their own.
var subcommands = map[string]func(context.Context, []string, Environment) int{}

const notAxons = "is not supported by axon's nvidia-smi; the one that comes with NVIDIA's driver has it."

// refusal is for those that the vendor's program has and this one has not.
func refusal(name string) (string, bool) {
	for _, other := range []string{
		"daemon", "replay", "drain", "clocks", "encodersessions", "fbcsessions", "compute-policy", "boost-slider",
		"power-hint", "base-clocks", "gpm", "pci", "power-smoothing", "power-profiles", "prm",
	} {
		if name == other {
			return "nvidia-smi " + name + " " + notAxons, true
		}
	}
	return "", false
}

// subFlag is one that a subcommand has, and its long name.
type subFlag struct{ short, long string }

// subFlags takes the words after a subcommand: which of its flags are there, by their short names, and the GPUs of -i.
func subFlags(subcommand string, args []string, known ...subFlag) (asked map[string]bool, ids string, err error) {
	asked = map[string]bool{}
next:
	for i := 0; i < len(args); i++ {
		name, value, has := strings.Cut(args[i], "=")
		if name == "-i" || name == "--id" {
			if !has && i+1 < len(args) {
				i++
				value, has = args[i], true
			}
			if !has {
				return nil, "", fmt.Errorf("%s", combination)
			}
			ids = value
			continue
		}
		for _, f := range known {
			if args[i] == f.short || args[i] == f.long {
				asked[f.short] = true
				continue next
			}
		}
		return nil, "", fmt.Errorf("nvidia-smi %s %s %s", subcommand, args[i], notAxons)
	}
	return asked, ids, nil
}
