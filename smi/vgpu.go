// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"nervlinux.org/axon/nvml"
)

func init() { subcommands["vgpu"] = vgpu }

// vgpu has nothing to list but where a GPU is divided among virtual machines, which axon does not serve.
func vgpu(ctx context.Context, args []string, env Environment) int {
	every, args, err := vgpuLoop(args)
	if err != nil {
		fmt.Fprintf(env.Out, "%s\n", err)
		return exitInvalid
	}
	asked, ids, err := subFlags("vgpu", args, subFlag{"-h", "--help"}, subFlag{"-q", "--query"}, subFlag{"-s", "--supported"},
		subFlag{"-c", "--creatable"}, subFlag{"-v", "--verbose"}, subFlag{"-p", "--pmon"})
	if err != nil {
		fmt.Fprintf(env.Out, "%s\n", err)
		return exitInvalid
	}
	if asked["-h"] {
		io.WriteString(env.Out, help("vgpu.txt", env))
		return 0
	}
	if asked["-p"] && every == 0 {
		every = loopDefault
	}
	s, status := connect(env)
	if s == nil {
		return status
	}
	defer s.Close()
	for {
		m, err := s.read(ids, &wants{rVirtualization: true}, env.Now)
		if err != nil {
			return sayFailed(env.Out, err)
		}
		for _, g := range m.GPUs {
			if v := g.Virtualization; v.OK() && nvml.GpuVirtualizationMode(v.V) >= nvml.GPU_VIRTUALIZATION_MODE_HOST_VGPU {
				fmt.Fprintf(env.Out, "nvidia-smi vgpu %s\n", notAxons)
				return exitInvalid
			}
		}
		if _, err := fmt.Fprintf(env.Out, "No supported devices in vGPU mode\n"); err != nil {
			return ExitOther
		}
		if every == 0 {
			return 0
		}
		select {
		case <-ctx.Done():
			return 0
		case <-time.After(every):
		}
	}
}

// vgpuLoop takes -l, whose value may be left out, out of the words: how often it is said, 0 for once.
func vgpuLoop(args []string) (every time.Duration, rest []string, err error) {
	for i := 0; i < len(args); i++ {
		name, value, has := strings.Cut(args[i], "=")
		if name != "-l" && name != "--loop" {
			rest = append(rest, args[i])
			continue
		}
		if !has && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
			i++
			value, has = args[i], true
		}
		every = loopDefault
		if has {
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 || n > 1e6 {
				return 0, nil, fmt.Errorf("nvidia-smi vgpu -l %s %s", value, notAxons)
			}
			every = time.Duration(n) * time.Second
		}
	}
	return every, rest, nil
}
