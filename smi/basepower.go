// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"context"
	"fmt"
)

func init() {
	subcommand{name: "base-clocks", bare: true, run: baseClocks}.register()
	subcommand{name: "power-hint", run: powerHint, options: []option{
		{"-l", "--list-info", flag, asks},
		{"-gc", "--graphics-clock", required, asks},
		{"-mc", "--memory-clock", required, asks},
		{"-t", "--temperature", required, asks},
		{"-p", "--profile", required, asks},
	}}.register()
}

// measured is what no function of NVML's tells and the vendor's program printed of a GPU.
type measured struct {
	base uint32 // MHz of the graphics clock without boost
}

// measuredGPUs are by product name. Of none of them power hints are supported.
var measuredGPUs = map[string]measured{"NVIDIA H200": {base: 1500}}

// withMeasured has show print of the GPUs, or refuses if one was not measured.
func withMeasured(env Environment, what, ids string, show func(*bytes.Buffer, *GPU, measured)) int {
	return withMachine(env, ids, &wants{rName: true}, func(_ *source, m *Machine) int {
		var b bytes.Buffer
		for _, g := range m.GPUs {
			known, ok := measuredGPUs[str(g.Name)]
			if !ok {
				return unseen(env.Out, fmt.Sprintf("%s of GPU %d, a %s, which NVML does not tell,", what, g.Index, str(g.Name)), NotSupported)
			}
			show(&b, g, known)
		}
		env.Out.Write(b.Bytes())
		return 0
	})
}

func baseClocks(_ context.Context, said *subWords, env Environment) int {
	return withMeasured(env, "base-clocks", said.ids, func(b *bytes.Buffer, g *GPU, m measured) {
		fmt.Fprintf(b, "GPU %d:\n\tGraphics: \t%dMHz\n", g.Index, m.base)
	})
}

func powerHint(_ context.Context, said *subWords, env Environment) int {
	if said.has("--list-info") {
		status := withMeasured(env, "power-hint -l", said.ids, func(*bytes.Buffer, *GPU, measured) {})
		if status == 0 {
			fmt.Fprintf(env.Out, "No supported devices found\n")
		}
		return status
	}
	if !said.has("--graphics-clock") || !said.has("--temperature") || !said.has("--profile") {
		fmt.Fprintf(env.Out, "%s\n", combination)
		return exitInvalid
	}
	status := withMeasured(env, "power-hint", said.ids, func(b *bytes.Buffer, g *GPU, _ measured) {
		fmt.Fprintf(b, "Failed to get power hint for GPU %d : %s\n", g.Index, NotSupported.Error())
	})
	if status == 0 {
		fmt.Fprintf(env.Out, "Failed to get power hint for requested devices : %s\n", NotSupported.Error())
		return int(NotSupported)
	}
	return status
}
