// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"context"
	"fmt"
)

func init() { subcommands["nvlink"] = nvlink }

// Of a GPU without links each of these prints nothing; what they print of one that has some was not seen of 580.
var linkQuestions = []subFlag{
	{"-c", "--capabilities"}, {"-p", "--pcibusid"}, {"-R", "--remotelinkinfo"}, {"-e", "--errorcounters"},
	{"-g", "--getcounters"}, {"-r", "--resetcounters"},
	{"-gLowPwrInfo", "--getLowPowerInfo"}, {"-cBridge", "--checkBridge"}, {"-info", "--info"}, {"-gt", "--getthroughput"},
}

func nvlink(_ context.Context, args []string, env Environment) int {
	args, values, err := pull(args, subFlag{"-gt", "--getthroughput"})
	if err != nil {
		fmt.Fprintf(env.Out, "%s\n", err)
		return exitInvalid
	}
	for short := range values {
		args = append(args, short)
	}
	asked, ids, status, done := subOptions("nvlink", args, env, append(linkQuestions, subFlag{"-s", "--status"}, subFlag{"-gBwMode", "--getBandwidthMode"})...)
	switch {
	case done:
		return status
	case asked["-s"]:
		return withGPUs(env, ids, &wants{rName: true, rUUID: true, rMIG: true}, linkStatus)
	case asked["-gBwMode"]:
		return withMachine(env, ids, &wants{}, bandwidthMode(env))
	}
	return withMachine(env, ids, &wants{rMIG: true}, func(s *source, m *Machine) int {
		there, r := s.anyLinks(m.GPUs)
		if r != Success {
			return unseen(env.Out, fmt.Sprintf("nvlink of links of which NVML says %q", words(r)), r)
		}
		for _, f := range linkQuestions {
			if asked[f.short] && there {
				fmt.Fprintf(env.Out, "%s\n", unknown("nvlink", f.short))
				return exitInvalid
			}
		}
		return 0
	})
}

// anyLinks says whether a GPU has a link, or why that is not known.
func (s *source) anyLinks(gpus []*GPU) (bool, Return) {
	for _, g := range gpus {
		for l := range uint32(linksMax) {
			if _, r := s.DeviceGetNvLinkState(g.handle, l); r == Success || !absent(r) {
				return r == Success, r
			}
		}
	}
	return false, Success
}

// bandwidthMode is what nvlink -gBwMode prints, of the machine.
func bandwidthMode(env Environment) func(*source, *Machine) int {
	return func(s *source, _ *Machine) int {
		mode, r := s.SystemGetNvlinkBwMode()
		if r != Success {
			fmt.Fprintf(env.Out, "%s\n", unknown("nvlink", "-gBwMode"))
			return exitOf(r)
		}
		fmt.Fprintf(env.Out, "GPU NVLINK bandwidth mode: %s\n", name4(mode, "FULL", "OFF", "MIN", "HALF", "3QUARTER"))
		return 0
	}
}

// linkStatus is what nvlink -s prints: nothing of a GPU that has no links or is in MIG mode.
func linkStatus(s *source, b *bytes.Buffer, gpus []*GPU) {
	for _, g := range gpus {
		if g.MIG.OK() && g.MIG.V.Current {
			continue
		}
		first := true
		for l := range uint32(linksMax) {
			up, r := s.DeviceGetNvLinkState(g.handle, l)
			speed := s.field(g, fieldLinkSpeed, l)
			if r != Success {
				continue
			}
			if first {
				fmt.Fprintf(b, "GPU %d: %s (UUID: %s)\n", g.Index, str(g.Name), str(g.UUID))
				first = false
			}
			fmt.Fprintf(b, "\t Link %d: %s\n", l, linkSpeed(up != 0, speed))
		}
	}
}

func linkSpeed(up bool, speed Val[float64]) string {
	if !up {
		return "<inactive>"
	}
	return text(speed, func(mb float64) string { return fmt.Sprintf("%.3f GB/s", mb/1000) })
}
