// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"

	"nervlinux.org/axon/nvml"
)

func init() { subcommands["topo"] = topo }

var peerKinds = map[string]nvml.GpuP2PCapsIndex{"r": 0, "w": 1, "n": 2, "a": 3, "p": 4}

// Those that ask of a device or a pair, and what is said where -i does not name as many.
var topoOfDevices = []struct {
	subFlag
	devices int
	without string
}{
	{subFlag{"-n", "--nearest_gpus"}, 1, "Nearest GPUs argument must be used in conjunction with the -i argument which must be a single identifier."},
	{subFlag{"-p", "--gpu_path"}, 2, "Path command line flag must be used in conjection with the -i argument which must be two GPU identifiers."},
	{subFlag{"-C", "--get-numa-id-of-nearby-cpu"}, 1, "NUMA ID of nearest CPU must be used in conjunction with the -i argument which must be a single identifier."},
	{subFlag{"-M", "--get-numa-id-of-nearby-mem"}, 1, "NUMA ID of nearest memory must be used in conjunction with the -i argument which must be a single identifier."},
	{subFlag{"-gnid", "--gpu-numa-id"}, 1, "GPU NUMA ID command must be used in conjunction with the -i argument which must be a single identifier."},
}

func topo(_ context.Context, args []string, env Environment) int {
	rest, values, err := pull(args, subFlag{"-p2p", "--p2pstatus"}, subFlag{"-c", "--cpu"}, subFlag{"-n", "--nearest_gpus"})
	if err != nil {
		fmt.Fprintf(env.Out, "%s\n", err)
		return exitInvalid
	}
	for short := range values {
		rest = append(rest, short)
	}
	known := []subFlag{{"-m", "--matrix"}, {"-mp", "--matrix_pci"}, {"-p2p", "--p2pstatus"}, {"-c", "--cpu"}}
	for _, q := range topoOfDevices {
		known = append(known, q.subFlag)
	}
	asked, ids, status, done := subOptions("topo", rest, env, known...)
	switch {
	case done:
		return status
	case len(asked) != 1:
		fmt.Fprintf(env.Out, "%s\n", combination)
		return exitInvalid
	}
	for _, q := range topoOfDevices {
		if !asked[q.short] {
			continue
		}
		if list := strings.Split(ids, ","); ids == "" || len(list) != q.devices || len(list) == 2 && list[0] == list[1] {
			fmt.Fprintf(env.Out, "%s\n\n", q.without)
		} else {
			fmt.Fprintf(env.Out, "nvidia-smi topo %s %s\n", strings.Join(args, " "), notAxons)
		}
		return exitInvalid
	}
	var show func(*source, *bytes.Buffer, []*GPU)
	switch {
	case asked["-m"], asked["-mp"]:
		show = func(s *source, b *bytes.Buffer, gpus []*GPU) { s.matrix(b, gpus, env, asked["-m"]) }
	case asked["-p2p"]:
		kind, ok := peerKinds[values["-p2p"]]
		if !ok {
			fmt.Fprintf(env.Out, "Invalid p2p capability index specified at the command-line\n")
			return exitInvalid
		}
		show = func(s *source, b *bytes.Buffer, gpus []*GPU) { s.peers(b, gpus, kind) }
	default:
		cpu, err := strconv.ParseUint(values["-c"], 10, 32)
		if err != nil {
			fmt.Fprintf(env.Out, "%s\n", combination)
			return exitInvalid
		}
		show = func(s *source, b *bytes.Buffer, gpus []*GPU) { s.near(b, gpus, uint32(cpu)) }
	}
	return withGPUs(env, ids, &wants{rPCI: true}, show)
}

// near is what topo -c prints.
func (s *source) near(b *bytes.Buffer, gpus []*GPU, cpu uint32) {
	devices, _ := s.SystemGetTopologyGpuSet(cpu)
	var indices []string
	for _, g := range gpus {
		for _, d := range devices {
			if d == g.handle {
				indices = append(indices, strconv.Itoa(int(g.Index)))
			}
		}
	}
	fmt.Fprintf(b, "The GPUs that have an affinity with CPU %d are:\n%s\n\n", cpu, strings.Join(indices, ", "))
}
