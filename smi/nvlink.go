// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"context"
	"fmt"
	"io"
)

func init() { subcommands["nvlink"] = nvlink }

func nvlink(_ context.Context, args []string, env Environment) int {
	asked, ids, err := subFlags("nvlink", args, subFlag{"-h", "--help"}, subFlag{"-s", "--status"})
	if err != nil {
		fmt.Fprintf(env.Out, "%s\n", err)
		return exitInvalid
	}
	if asked["-h"] {
		io.WriteString(env.Out, help("nvlink.txt", env))
		return 0
	}
	if !asked["-s"] {
		fmt.Fprintf(env.Out, "%s\n", combination)
		return exitInvalid
	}
	return withGPUs(env, ids, &wants{rName: true, rUUID: true, rMIG: true}, linkStatus)
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
