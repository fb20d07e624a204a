// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"fmt"
	"strconv"

	"nervlinux.org/axon/nvml"
)

// topoOfDevices are what topo is asked of a GPU or a pair, what it says where -i does not name as many, and how it
// answers, by the option's value: not at all, where nothing but the vendor's program has it.
var topoOfDevices = []struct {
	subFlag
	devices int
	without string
	answer  func(value string) func(*source, *bytes.Buffer, []*GPU) int
}{
	{subFlag{"-n", "--nearest_gpus"}, 1, "Nearest GPUs argument must be used in conjunction with the -i argument which must be a single identifier.", nearest},
	{subFlag{"-p", "--gpu_path"}, 2, "Path command line flag must be used in conjection with the -i argument which must be two GPU identifiers.",
		func(string) func(*source, *bytes.Buffer, []*GPU) int { return nil }},
	{subFlag{"-C", "--get-numa-id-of-nearby-cpu"}, 1, "NUMA ID of nearest CPU must be used in conjunction with the -i argument which must be a single identifier.",
		closest("-C", "CPU")},
	{subFlag{"-M", "--get-numa-id-of-nearby-mem"}, 1, "NUMA ID of nearest memory must be used in conjunction with the -i argument which must be a single identifier.",
		closest("-M", "memory")},
	{subFlag{"-gnid", "--gpu-numa-id"}, 1, "GPU NUMA ID command must be used in conjunction with the -i argument which must be a single identifier.", ownNode},
}

// ways are the levels of -n, in the words of its help.
var ways = []struct {
	level nvml.GpuTopologyLevel
	words string
}{
	{nvml.TOPOLOGY_INTERNAL, "a single PCIe switch on a dual GPU board"},
	{nvml.TOPOLOGY_SINGLE, "a single PCIe switch"},
	{nvml.TOPOLOGY_MULTIPLE, "multiple PCIe switches"},
	{nvml.TOPOLOGY_HOSTBRIDGE, "a PCIe host bridge"},
	{nvml.TOPOLOGY_NODE, "an on-CPU interconnect link between PCIe host bridges"},
	{nvml.TOPOLOGY_SYSTEM, "an SMP interconnect link between NUMA nodes"},
}

// nearest is -n. What is said of a GPU that has others near was not seen.
func nearest(value string) func(*source, *bytes.Buffer, []*GPU) int {
	way, err := strconv.ParseUint(value, 10, 32)
	if err != nil {
		return nil
	}
	return func(s *source, b *bytes.Buffer, gpus []*GPU) int {
		g := gpus[0]
		if way >= uint64(len(ways)) {
			return nearestFailed(b)
		}
		others, r := s.DeviceGetTopologyNearestGpus(g.handle, ways[way].level)
		switch {
		case r != Success:
			return nearestFailed(b)
		case len(others) > 0:
			return unseen(b, fmt.Sprintf("topo -n %d of GPU %d, which has %d so near,", way, g.Index, len(others)), NotSupported)
		}
		fmt.Fprintf(b, "Device %d is not connected to other devices by way of %s.\n\n", g.Index, ways[way].words)
		return 0
	}
}

func nearestFailed(b *bytes.Buffer) int {
	b.WriteString("Failed to display the nearest GPUs\n\n")
	return ExitOther
}

// closest is -C and -M: the nodes of the matrix's column "NUMA Affinity".
func closest(option, what string) func(string) func(*source, *bytes.Buffer, []*GPU) int {
	return func(string) func(*source, *bytes.Buffer, []*GPU) int {
		return func(s *source, b *bytes.Buffer, gpus []*GPU) int {
			nodes, r := s.DeviceGetMemoryAffinity(gpus[0].handle, nvml.AFFINITY_SCOPE_NODE)
			if r != Success {
				return unseen(b, fmt.Sprintf("topo %s of GPU %d, which answers %s,", option, gpus[0].Index, words(r)), r)
			}
			fmt.Fprintf(b, "NUMA IDs of closest %s: %s\n", what, bits(nodes))
			return 0
		}
	}
}

// ownNode is -gnid: the node that a GPU's own memory is.
func ownNode(string) func(*source, *bytes.Buffer, []*GPU) int {
	return func(s *source, b *bytes.Buffer, gpus []*GPU) int {
		fmt.Fprintf(b, "%s\n", number(val(s.DeviceGetNumaNodeId(gpus[0].handle)), ""))
		return 0
	}
}
