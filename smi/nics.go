// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The matrix of topo has network cards beside GPUs: those of Mellanox that can
// RDMA, which are the ones that NVIDIA's program is seen to list. Nothing of
// NVML's tells of them, so where they are is read from the kernel.

// card is a network card.
type card struct {
	name  string // mlx5_0
	place place
}

// place is where on the buses a device is.
type place struct {
	root    string   // the host bridge: pci0000:a6
	bridges []string // from there down
	numa    int      // its node; negative where the kernel does not say
}

const mellanox = "0x15b3"

// cards are in the order that the kernel has numbered them in; by name where that is not to be had.
func cards(sysfs string, numbers map[string]uint32) (all []card) {
	entries, err := os.ReadDir(filepath.Join(sysfs, "class/infiniband"))
	if err != nil {
		return nil
	}
	for _, e := range entries {
		device := filepath.Join(sysfs, "class/infiniband", e.Name(), "device")
		if vendor, _ := os.ReadFile(filepath.Join(device, "vendor")); strings.TrimSpace(string(vendor)) != mellanox {
			continue
		}
		if p, ok := placeOf(device); ok {
			all = append(all, card{e.Name(), p})
		}
	}
	slices.SortFunc(all, func(a, b card) int {
		x, knownA := numbers[a.name]
		y, knownB := numbers[b.name]
		if knownA && knownB && x != y {
			return cmp.Compare(x, y)
		}
		return byNumbers(a.name, b.name)
	})
	return all
}

// byNumbers compares names whose numbers count as numbers: mlx5_9 is before mlx5_10.
func byNumbers(a, b string) int {
	for a != "" && b != "" {
		x, y := digits(a), digits(b)
		if x > 0 && y > 0 {
			m, _ := strconv.ParseUint(a[:x], 10, 64)
			n, _ := strconv.ParseUint(b[:y], 10, 64)
			if m != n {
				return cmp.Compare(m, n)
			}
			a, b = a[x:], b[y:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

func digits(s string) int {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return i
		}
	}
	return len(s)
}

// placeOf reads a PCI device's place from its name in sysfs:
// .../devices/pci0000:a6/0000:a6:01.0/0000:a7:00.0, with what is above pci... of no interest.
func placeOf(device string) (place, bool) {
	path, err := filepath.EvalSymlinks(device)
	if err != nil {
		return place{}, false
	}
	parts := strings.Split(path, "/")
	i := slices.IndexFunc(parts, func(s string) bool { return strings.HasPrefix(s, "pci") && strings.Count(s, ":") == 1 })
	if i < 0 || i == len(parts)-1 {
		return place{}, false
	}
	p := place{root: parts[i], bridges: parts[i+1 : len(parts)-1], numa: -1}
	if b, err := os.ReadFile(filepath.Join(device, "numa_node")); err == nil {
		if n, err := strconv.Atoi(strings.TrimSpace(string(b))); err == nil {
			p.numa = n
		}
	}
	return p, true
}

// placeOfGPU is a GPU's; its bus id has eight digits of domain where sysfs has four, or more if they are needed.
func placeOfGPU(sysfs string, g *GPU) (place, bool) {
	if !g.PCI.OK() {
		return place{}, false
	}
	domain, rest, _ := strings.Cut(strings.ToLower(g.PCI.V.BusID), ":")
	n, err := strconv.ParseUint(domain, 16, 32)
	if err != nil {
		return place{}, false
	}
	name := strconv.FormatUint(n, 16)
	for len(name) < 4 {
		name = "0" + name
	}
	return placeOf(filepath.Join(sysfs, "bus/pci/devices", name+":"+rest))
}

// level is how two devices are connected, in the words of the matrix.
func level(a, b place, oneNode bool) string {
	if a.root != b.root {
		if a.numa == b.numa || oneNode {
			return "NODE"
		}
		return "SYS"
	}
	common := 0
	for common < len(a.bridges) && common < len(b.bridges) && a.bridges[common] == b.bridges[common] {
		common++
	}
	switch {
	case common == 0:
		return "PHB"
	case len(a.bridges)-common <= 1 && len(b.bridges)-common <= 1: // functions of a device, or two ports of one switch
		return "PIX"
	}
	return "PXB"
}
