// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"context"
	"fmt"
	"io"

	"nervlinux.org/axon/nvml"
)

func init() { subcommands["vgpu"] = vgpu }

// vgpu has nothing to list but where a GPU is divided among virtual machines, which axon does not serve.
func vgpu(_ context.Context, args []string, env Environment) int {
	asked, ids, err := subFlags("vgpu", args, subFlag{"-h", "--help"}, subFlag{"-q", "--query"}, subFlag{"-s", "--supported"},
		subFlag{"-c", "--creatable"}, subFlag{"-v", "--verbose"})
	if err != nil {
		fmt.Fprintf(env.Out, "%s\n", err)
		return exitInvalid
	}
	if asked["-h"] {
		io.WriteString(env.Out, help("vgpu.txt", env))
		return 0
	}
	return withMachine(env, ids, &wants{rVirtualization: true}, func(_ *source, m *Machine) int {
		for _, g := range m.GPUs {
			if v := g.Virtualization; v.OK() && nvml.GpuVirtualizationMode(v.V) >= nvml.GPU_VIRTUALIZATION_MODE_HOST_VGPU {
				fmt.Fprintf(env.Out, "nvidia-smi vgpu %s\n", notAxons)
				return exitInvalid
			}
		}
		fmt.Fprintf(env.Out, "No supported devices in vGPU mode\n")
		return 0
	})
}
