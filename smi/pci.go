// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"context"
	"fmt"

	"nervlinux.org/axon/nvml"
)

func init() {
	subcommand{name: "pci", run: pci, options: []option{
		{"-gErrCnt", "--getErrorCounters", flag, asks},
		{"-cErrCnt", "--clearErrorCounters", flag, changes},
		{"-gCnt", "--getCounters", flag, asks},
	}}.register()
}

// pciCount is a counter of the link to the machine.
type pciCount struct {
	name  string
	field uint32
}

var (
	pciErrors = []pciCount{
		{"REPLAY_COUNTER", nvml.FI_DEV_PCIE_REPLAY_COUNTER},
		{"REPLAY_ROLLOVER_COUNTER", nvml.FI_DEV_PCIE_REPLAY_ROLLOVER_COUNTER},
		{"L0_TO_RECOVERY_COUNTER", nvml.FI_DEV_PCIE_L0_TO_RECOVERY_COUNTER},
		{"CORRECTABLE_ERRORS", nvml.FI_DEV_PCIE_COUNT_CORRECTABLE_ERRORS},
		{"NAKS_RECEIVED", nvml.FI_DEV_PCIE_COUNT_NAKS_RECEIVED},
		{"RECEIVER_ERROR", nvml.FI_DEV_PCIE_COUNT_RECEIVER_ERROR},
		{"BAD_TLP", nvml.FI_DEV_PCIE_COUNT_BAD_TLP},
		{"NAKS_SENT", nvml.FI_DEV_PCIE_COUNT_NAKS_SENT},
		{"BAD_DLLP", nvml.FI_DEV_PCIE_COUNT_BAD_DLLP},
		{"NON_FATAL_ERROR", nvml.FI_DEV_PCIE_COUNT_NON_FATAL_ERROR},
		{"FATAL_ERROR", nvml.FI_DEV_PCIE_COUNT_FATAL_ERROR},
		{"UNSUPPORTED_REQ", nvml.FI_DEV_PCIE_COUNT_UNSUPPORTED_REQ},
		{"LCRC_ERROR", nvml.FI_DEV_PCIE_COUNT_LCRC_ERROR},
	}
	pciBytes = []pciCount{
		{"TX_BYTES", nvml.FI_DEV_PCIE_COUNT_TX_BYTES},
		{"RX_BYTES", nvml.FI_DEV_PCIE_COUNT_RX_BYTES},
	}
)

// pciLanes are those whose errors are shown: of an H200's 16 the first 13.
const pciLanes = 13

func pci(_ context.Context, said *subWords, env Environment) int {
	if !said.has("--getErrorCounters") && !said.has("--getCounters") {
		fmt.Fprintf(env.Out, "%s\n", combination)
		return exitInvalid
	}
	return withGPUs(env, said.ids, &wants{rName: true, rUUID: true}, func(s *source, b *bytes.Buffer, gpus []*GPU) {
		for _, g := range gpus {
			fmt.Fprintf(b, "GPU %d: %s (UUID: %s)\n", g.Index, str(g.Name), str(g.UUID))
			if said.has("--getErrorCounters") {
				s.pciCounts(b, g, pciErrors)
				fmt.Fprintf(b, "    %-25s\n", "LANE_ERROR:")
				for l := range uint32(pciLanes) {
					fmt.Fprintf(b, "\t lane %2d: %s\n", l, number(s.unsigned(g, nvml.FI_DEV_PCIE_COUNT_LANE_ERROR, l), ""))
				}
			}
			if said.has("--getCounters") {
				s.pciCounts(b, g, pciBytes)
			}
		}
	})
}

func (s *source) pciCounts(b *bytes.Buffer, g *GPU, counts []pciCount) {
	for _, c := range counts {
		fmt.Fprintf(b, "    %-25s%s\n", c.name+":", number(s.long(g, c.field), ""))
	}
}
