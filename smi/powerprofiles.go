// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"context"
	"fmt"

	"nervlinux.org/axon/nvml"
)

func init() {
	subcommand{name: "power-profiles", run: powerProfiles, options: []option{
		{"-l", "--list", flag, asks},
		{"-ld", "--list-detailed", flag, asks},
		{"-gr", "--get-requested", flag, asks},
		{"-sr", "--set-requested", required, changes},
		{"-cr", "--clear-requested", required, changes},
		{"-ge", "--get-enforced", flag, asks},
	}}.register()
}

// powerProfiles says of which GPUs there are none; how they are printed of those that have some was not seen.
func powerProfiles(_ context.Context, said *subWords, env Environment) int {
	if !said.has("--list") && !said.has("--list-detailed") {
		if said.has("--get-requested") || said.has("--get-enforced") {
			return unseen(env.Out, "power-profiles -gr or -ge", NotSupported)
		}
		fmt.Fprintf(env.Out, "%s\n", combination)
		return exitInvalid
	}
	return withMachine(env, said.ids, &wants{}, func(s *source, m *Machine) int {
		for _, g := range m.GPUs {
			r := s.DeviceWorkloadPowerProfileGetProfilesInfo(g.handle, &nvml.WorkloadPowerProfileProfilesInfo_v1{})
			switch r {
			case NotSupported:
				fmt.Fprintf(env.Out, "Workload Power Profiles feature is not supported on this device.\n")
				return int(NotSupported)
			case Success:
				return unseen(env.Out, fmt.Sprintf("power-profiles -l of GPU %d, which has them,", g.Index), NotSupported)
			}
			return unseen(env.Out, fmt.Sprintf("power-profiles -l of GPU %d, which answers %s,", g.Index, words(r)), r)
		}
		return 0
	})
}
