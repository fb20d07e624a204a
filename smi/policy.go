// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"context"
	"fmt"
	"strings"

	"nervlinux.org/axon/nvml"
)

// What the vendor's program asks the driver by ways that NVML has not: it is
// printed as the driver has it unless someone changed it with that program.

func init() {
	subcommands["compute-policy"] = computePolicy
	subcommands["boost-slider"] = boostSlider
	subcommands["power-smoothing"] = powerSmoothing
}

// box is a table of one line a GPU under a title and the names of its columns.
func box(title, columns string, rows []string) string {
	width := len(columns)
	var b strings.Builder
	line := "+" + dashes(width) + "+\n"
	fmt.Fprintf(&b, "%s|%-*s|\n|%s|\n|%s|\n", line, width, title, columns, strings.Repeat("=", width))
	for _, r := range rows {
		fmt.Fprintf(&b, "|%-*s|\n", width, r)
	}
	return b.String() + line
}

func computePolicy(_ context.Context, args []string, env Environment) int {
	_, ids, status, done := subOptions("compute-policy", args, env, subFlag{"-l", "--list"})
	if done {
		return status
	}
	return withMachine(env, ids, &wants{}, func(_ *source, m *Machine) int {
		var rows []string
		for _, g := range m.GPUs {
			rows = append(rows, fmt.Sprintf("%4d   Timeslice       Default", g.Index))
		}
		fmt.Fprint(env.Out, box(" GPU compute policies:", " GPU     Name           Value        ", rows))
		return 0
	})
}

// vboostMax is how far the slider of a Hopper goes; that of others was not seen.
const vboostMax = 4

func boostSlider(_ context.Context, args []string, env Environment) int {
	_, ids, status, done := subOptions("boost-slider", args, env, subFlag{"-l", "--list"})
	if done {
		return status
	}
	return withMachine(env, ids, &wants{rArchitecture: true}, func(_ *source, m *Machine) int {
		var rows []string
		for _, g := range m.GPUs {
			if !g.Architecture.OK() || g.Architecture.V != nvml.DEVICE_ARCH_HOPPER {
				fmt.Fprintf(env.Out, "nvidia-smi boost-slider -l %s\n", notAxons)
				return int(NotSupported)
			}
			rows = append(rows, fmt.Sprintf("%4d     vboost%12d%15d", g.Index, vboostMax, 0))
		}
		fmt.Fprint(env.Out, box(" GPU Boost Slider", " GPU     Slider       Max Value    Current Value ", rows))
		return 0
	})
}

func powerSmoothing(_ context.Context, args []string, env Environment) int {
	_, ids, status, done := subOptions("power-smoothing", args, env, subFlag{"-ppd", "--print-profile-definitions"})
	if done {
		return status
	}
	return withMachine(env, ids, &wants{rArchitecture: true}, func(_ *source, m *Machine) int {
		for _, g := range m.GPUs {
			if !g.Architecture.OK() || g.Architecture.V >= nvml.DEVICE_ARCH_BLACKWELL {
				fmt.Fprintf(env.Out, "%s\n", unknown("power-smoothing", "-ppd"))
				return int(NotSupported)
			}
		}
		fmt.Fprintf(env.Out, "Power Smoothing is not supported on this device.\n")
		return 0
	})
}
