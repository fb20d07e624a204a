// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"context"
	"fmt"
)

func init() {
	subcommand{name: "gpm", run: gpm, options: []option{
		{"-s", "--set-stream-state", required, changes},
		{"-g", "--get-stream-state", flag, asks},
	}}.register()
}

// gpm prints whether performance is being monitored, of the GPUs that can (Hopper and later).
func gpm(_ context.Context, said *subWords, env Environment) int {
	if !said.has("--get-stream-state") {
		fmt.Fprintf(env.Out, "%s\n", combination)
		return exitInvalid
	}
	return withMachine(env, said.ids, &wants{}, func(s *source, m *Machine) int {
		for _, g := range m.GPUs {
			on, r := s.GpmQueryIfStreamingEnabled(g.handle)
			if r != Success {
				return unseen(env.Out, fmt.Sprintf("gpm -g of GPU %d, which answers %s,", g.Index, words(r)), r)
			}
			state := "DISABLED"
			if on != 0 {
				state = "ENABLED"
			}
			fmt.Fprintf(env.Out, "GPM stream state: %s\n", state)
		}
		return 0
	})
}
