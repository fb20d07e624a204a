// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"context"
	"fmt"

	"nervlinux.org/axon/nvml"
)

func init() { subcommands["c2c"] = c2c }

func c2c(_ context.Context, args []string, env Environment) int {
	known := []subFlag{{"-s", "--status"}, {"-e", "--errorCounters"}, {"-gLowPwrInfo", "-getLowPowerInfo"}}
	asked, ids, status, done := subOptions("c2c", args, env, known...)
	if done {
		return status
	}
	if failed := withGPUs(env, ids, &wants{rName: true, rUUID: true}, func(s *source, b *bytes.Buffer, gpus []*GPU) {
		status = chipLinks(s, b, gpus)
		if status != 0 {
			return
		}
		for _, f := range known[1:] { // of links there are, what these print was not seen
			if asked[f.short] {
				b.Reset()
				status = unseen(b, "c2c "+f.short, nvml.ERROR_INVALID_ARGUMENT)
				return
			}
		}
	}); failed != 0 {
		return failed
	}
	return status
}

// chipLinks is what c2c -s prints, of the GPUs that have links to a CPU.
func chipLinks(s *source, b *bytes.Buffer, gpus []*GPU) int {
	for _, g := range gpus {
		links := s.unsigned(g, nvml.FI_DEV_C2C_LINK_COUNT, 0)
		if !links.OK() || links.V == 0 {
			continue
		}
		fmt.Fprintf(b, "GPU %d: %s (UUID: %s)\n", g.Index, str(g.Name), str(g.UUID))
		for l := range links.V {
			up := s.unsigned(g, nvml.FI_DEV_C2C_LINK_GET_STATUS, l)
			speed := s.field(g, nvml.FI_DEV_C2C_LINK_GET_MAX_BW, l)
			fmt.Fprintf(b, "\t C2C Link %d: %s\n", l, linkSpeed(up.V != 0, speed))
		}
	}
	if b.Len() == 0 {
		b.WriteString("No Devices support C2C.\n")
		return int(NotSupported)
	}
	return 0
}
