// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"fmt"
	"strings"
)

// migTable lists the MIG devices under the GPUs.
func migTable(w *bytes.Buffer, l *layout, m *Machine) {
	inner := l.width - 2
	rule := fmt.Sprintf("%s+%s+%s+%s", dashes(18), dashes(l.migColumn), dashes(11), dashes(23))
	fmt.Fprintf(w, "\n+%s+\n|%-*s|\n+%s+\n", dashes(inner), inner, " MIG devices:", rule)
	fmt.Fprintf(w, "| GPU  GI  CI  MIG |%*s |        Vol|%s|\n", l.migColumn-1, l.migMemory, l.migShared)
	fmt.Fprintf(w, "|      ID  ID  Dev |%*s | SM     Unc|%s|\n", l.migColumn-1, l.migBAR1, l.migEngines)
	fmt.Fprintf(w, "|%18s|%*s|        ECC|%23s|\n", "", l.migColumn, "", "")
	fmt.Fprintf(w, "|%s|\n", strings.ReplaceAll(rule, "-", "="))
	any := false
	for _, g := range m.GPUs {
		for _, d := range g.MIGDevices {
			any = true
			fmt.Fprintf(w, "|%3d%5d%4d%4d  |%s|%3s %6s |%3s %3s %4s %4s %4s |\n", g.Index, d.GI, d.CI, d.Index,
				migCell(d.Memory, 19, l.memoryRight), number(d.SMs, ""), number(d.SRAMUncorrected, ""),
				number(d.Copy, ""), number(d.Encoders, ""), number(d.Decoders, ""), number(d.OFA, ""), number(d.JPEG, ""))
			fmt.Fprintf(w, "|%18s|%s|%11s|%23s|\n", "", migCell(d.BAR1, l.bar1Left, l.bar1Right), "", "")
			fmt.Fprintf(w, "+%s+\n", rule)
		}
	}
	if !any {
		fmt.Fprintf(w, "|%-*s|\n+%s+\n", inner, "  No MIG devices found", dashes(inner))
	}
}

func migCell(v Val[Mem], left, right int) string {
	if !v.OK() {
		return fmt.Sprintf("%*s%*s", left, cell(v.R), 11+right, "")
	}
	return fmt.Sprintf("%*s / %8s%*s", left, fmt.Sprintf("%dMiB", mib(v.V.Used)), fmt.Sprintf("%dMiB", mib(v.V.Total)), right, "")
}
