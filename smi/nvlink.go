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
	ids, status := "", false
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "-h" || args[i] == "--help":
			io.WriteString(env.Out, help("nvlink.txt", env))
			return 0
		case args[i] == "-s" || args[i] == "--status":
			status = true
		case (args[i] == "-i" || args[i] == "--id") && i+1 < len(args):
			i++
			ids = args[i]
		default:
			fmt.Fprintf(env.Out, "nvidia-smi nvlink %s %s\n", args[i], notAxons)
			return exitInvalid
		}
	}
	if !status {
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
			if up == 0 {
				fmt.Fprintf(b, "\t Link %d: <inactive>\n", l)
			} else {
				fmt.Fprintf(b, "\t Link %d: %s\n", l, text(speed, func(mb float64) string { return fmt.Sprintf("%.3f GB/s", mb/1000) }))
			}
		}
	}
}
