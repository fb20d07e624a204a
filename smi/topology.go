// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"nervlinux.org/axon/nvml"
)

const linksMax = 18 // of a GPU, as NVML counts them

// A matrix has its heading between these, whatever it is printed on.
const underlined, plain = "\x1b[4m", "\x1b[0m"

// relation is how two GPUs are connected, in the words of the matrix.
func (s *source) relation(a, b *GPU, links bool, around *surroundings) string {
	if a == b {
		return " X "
	}
	if links {
		if n := s.linksBetween(a, b); n > 0 {
			return fmt.Sprintf("NV%d", n)
		}
	}
	level, r := s.DeviceGetTopologyCommonAncestor(a.handle, b.handle)
	if r != Success {
		return "N/A"
	}
	switch level {
	case nvml.TOPOLOGY_INTERNAL, nvml.TOPOLOGY_SINGLE:
		return "PIX"
	case nvml.TOPOLOGY_MULTIPLE:
		return "PXB"
	case nvml.TOPOLOGY_HOSTBRIDGE:
		return "PHB"
	case nvml.TOPOLOGY_NODE:
		return "NODE"
	}
	if around.confined() {
		return "NODE"
	}
	return "SYS"
}

// linksBetween counts the NVLinks from a to b, directly or through switches.
func (s *source) linksBetween(a, b *GPU) (n int) {
	for l := range uint32(linksMax) {
		if up, r := s.DeviceGetNvLinkState(a.handle, l); r != Success || up == 0 {
			continue
		}
		kind, r := s.DeviceGetNvLinkRemoteDeviceType(a.handle, l)
		if r == Success && kind == nvml.NVLINK_DEVICE_TYPE_SWITCH {
			n++
			continue
		}
		remote, r := s.DeviceGetNvLinkRemotePciInfo_v2(a.handle, l)
		if r == Success && b.PCI.OK() && strings.EqualFold(remote.BusId, b.PCI.V.BusID) {
			n++
		}
	}
	return n
}

// partsMax is how much of a long list of CPUs or nodes there is.
const partsMax = 6

// bits are the numbers of the bits that are set, as ranges: "0-23,48".
func bits(words []uint64) string {
	var parts []string
	start := -1
	for i := 0; i <= 64*len(words); i++ {
		set := i < 64*len(words) && words[i/64]>>(i%64)&1 != 0
		switch {
		case set && start < 0:
			start = i
		case !set && start >= 0:
			part := strconv.Itoa(start)
			if i-1 > start {
				part += "-" + strconv.Itoa(i-1)
			}
			parts, start = append(parts, part), -1
		}
	}
	return strings.Join(parts[:min(len(parts), partsMax)], ",")
}

const (
	legendStart = "\nLegend:\n\n" +
		"  X    = Self\n"
	legendPCI = "  SYS  = Connection traversing PCIe as well as the SMP interconnect between NUMA nodes (e.g., QPI/UPI)\n" +
		"  NODE = Connection traversing PCIe as well as the interconnect between PCIe Host Bridges within a NUMA node\n" +
		"  PHB  = Connection traversing PCIe as well as a PCIe Host Bridge (typically the CPU)\n" +
		"  PXB  = Connection traversing multiple PCIe bridges (without traversing the PCIe Host Bridge)\n" +
		"  PIX  = Connection traversing at most a single PCIe bridge\n"
	legendLinks = "  NV#  = Connection traversing a bonded set of # NVLinks\n"
	legendP2P   = "  OK   = Status Ok\n" +
		"  CNS  = Chipset not supported\n" +
		"  GNS  = GPU not supported\n" +
		"  TNS  = Topology not supported\n" +
		"  NS   = Not supported\n" +
		"  U    = Unknown\n"
)

// matrix is what topo -m (links) and -mp (without) print.
func (s *source) matrix(b *bytes.Buffer, gpus []*GPU, env Environment, links bool) {
	sysfs := env.sysfs()
	nics := cards(sysfs, env.rdmaNumbers())
	around := surroundingsOf(sysfs, env.usableCPUs())
	oneNode := around.usable <= 1
	var head strings.Builder
	for _, g := range gpus {
		fmt.Fprintf(&head, "\tGPU%d", g.Index)
	}
	for i := range nics {
		fmt.Fprintf(&head, "\tNIC%d", i)
	}
	line := head.String()[1:] + "\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID"
	fmt.Fprintf(b, "\t%s%s%s\n", underlined, line, plain)
	of := make([]string, len(nics)*len(gpus)) // a card's rows have the same as the GPUs'
	for i, g := range gpus {
		fmt.Fprintf(b, "GPU%d", g.Index)
		for _, other := range gpus {
			fmt.Fprintf(b, "\t%s", s.relation(g, other, links, around))
		}
		here, known := placeOfGPU(sysfs, g)
		for j, n := range nics {
			word := "N/A"
			if known {
				word = level(here, n.place, oneNode)
			}
			of[j*len(gpus)+i] = word
			fmt.Fprintf(b, "\t%s", word)
		}
		fmt.Fprintf(b, "\t%s\t%s\t\t%s\n", around.cpus(val(s.DeviceGetCpuAffinityWithinScope(g.handle, 0))),
			affinity(val(s.DeviceGetMemoryAffinity(g.handle, 0))), number(val(s.DeviceGetNumaNodeId(g.handle)), ""))
	}
	for j, n := range nics {
		fmt.Fprintf(b, "NIC%d", j)
		for _, word := range of[j*len(gpus) : (j+1)*len(gpus)] {
			fmt.Fprintf(b, "\t%s", word)
		}
		for k, other := range nics {
			word := " X "
			if k != j {
				word = level(n.place, other.place, oneNode)
			}
			fmt.Fprintf(b, "\t%s", word)
		}
		b.WriteString("\t\t\t\t\n")
	}
	b.WriteString(legendStart + legendPCI)
	if links {
		b.WriteString(legendLinks)
	}
	if len(nics) > 0 {
		b.WriteString("\nNIC Legend:\n\n")
		for i, n := range nics {
			fmt.Fprintf(b, "  NIC%d: %s\n", i, n.name)
		}
		b.WriteByte('\n')
	}
}

// affinity is a mask's CPUs or nodes: nothing, where there are none or none are told.
func affinity(v Val[[]uint64]) string {
	if !v.OK() {
		return ""
	}
	return bits(v.V)
}

// peers is what topo -p2p prints.
func (s *source) peers(b *bytes.Buffer, gpus []*GPU, what nvml.GpuP2PCapsIndex) {
	b.WriteString(" \t" + underlined)
	for _, g := range gpus {
		fmt.Fprintf(b, "GPU%d\t", g.Index)
	}
	b.WriteString(plain + "\n")
	for _, g := range gpus {
		fmt.Fprintf(b, " GPU%d", g.Index)
		for _, other := range gpus {
			fmt.Fprintf(b, "\t%s", s.peer(g, other, what))
		}
		b.WriteString("\t\n")
	}
	b.WriteString(legendStart + legendP2P)
}

func (s *source) peer(a, b *GPU, what nvml.GpuP2PCapsIndex) string {
	if a == b {
		return "X"
	}
	status, r := s.DeviceGetP2PStatus(a.handle, b.handle, what)
	if r != Success {
		return "U"
	}
	return name4(uint32(status), "OK", "CNS", "GNS", "TNS", "DR", "NS", "U")
}

// withGPUs prints what show writes of the GPUs that ids names; its calls go ahead of their answers.
func withGPUs(env Environment, ids string, w *wants, show func(*source, *bytes.Buffer, []*GPU)) int {
	return withMachine(env, ids, w, func(s *source, m *Machine) int {
		s.Ahead(func(c *nvml.Client) { show(&source{c, s.names}, &bytes.Buffer{}, m.GPUs) })
		var b bytes.Buffer
		show(s, &b, m.GPUs)
		env.Out.Write(b.Bytes())
		return 0
	})
}
