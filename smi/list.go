// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"fmt"
	"strings"
)

// writeList is what -L prints.
func writeList(w *bytes.Buffer, m *Machine) {
	for _, g := range m.GPUs {
		fmt.Fprintf(w, "GPU %d: %s (UUID: %s)\n", g.Index, str(g.Name), str(g.UUID))
		for _, d := range g.MIGDevices {
			fmt.Fprintf(w, "  MIG %-11s Device %2d: (UUID: %s)\n", migName(d), d.Index, str(d.UUID))
		}
	}
}

// migName is the profile that the name ends with: "NVIDIA H200 MIG 3g.71gb".
func migName(d MIGDevice) string {
	name := str(d.Name)
	if _, profile, ok := strings.Cut(name, "MIG "); ok {
		return profile
	}
	return name
}

// writeExcluded is what -B prints.
func writeExcluded(w *bytes.Buffer, m *Machine) {
	if len(m.Excluded) == 0 {
		w.WriteString("No excluded devices found.\n")
	}
	for i, e := range m.Excluded {
		fmt.Fprintf(w, "Excluded GPU %d: %s (UUID: %s)\n", i, e.Bus, e.UUID)
	}
}

// writeVersion is what --version prints. The library's version is without the
// CUDA version that it begins with, and without the last number.
func writeVersion(w *bytes.Buffer, m *Machine) {
	lib := text(m.NVML, func(v string) string {
		parts := strings.Split(v, ".")
		if len(parts) > 3 {
			parts = parts[1:]
		}
		return strings.Join(parts[:min(2, len(parts))], ".")
	})
	fmt.Fprintf(w, "NVIDIA-SMI version  : %s\nNVML version        : %s\nDRIVER version      : %s\nCUDA Version        : %s\n",
		str(m.Driver), lib, str(m.Driver), cudaVersion(m.CUDA))
}
