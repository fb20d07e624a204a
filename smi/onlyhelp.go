// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"context"
	"fmt"
)

// Subcommands of which there is no more than the help: what they do changes the
// machine (clocks), or reads and writes the vendor's own format of log files.

func init() {
	for name, options := range map[string][]option{
		"clocks": {{"", "--sync-boost-list", flag, changes}, {"", "--sync-boost-add", optional, changes},
			{"", "--sync-boost-remove", optional, changes}, {"-som", "--sparse-operation-mode", optional, changes}},
		"daemon": {{"-d", "--delay", optional, changes}, {"-s", "--select", optional, changes}, {"-p", "--path", optional, changes},
			{"-j", "--join", optional, changes}, {"-t", "--term", optional, changes}},
		"replay": {{"-s", "--select", optional, changes}, {"-f", "--filename", optional, changes}, {"-b", "--begin", optional, changes},
			{"-e", "--end", optional, changes}, {"-r", "--redirect", optional, changes}},
	} {
		subcommand{name: name, options: options, bare: name != "clocks", teaches: name != "clocks", run: func(_ context.Context, said *subWords, env Environment) int {
			if name == "clocks" {
				fmt.Fprintf(env.Out, "%s\n", combination)
				return exitInvalid
			}
			return unseen(env.Out, name, NotSupported)
		}}.register()
	}
}
