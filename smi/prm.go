// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"context"
	"io"
)

func init() {
	subcommand{name: "prm", run: prm, options: []option{
		{"-i", "--index", required, asks},
		{"-l", "--list", flag, asks},
		{"-n", "--name", required, changes},
		{"-f", "--info", flag, changes},
		{"-p", "--params", required, changes},
		{"-c", "--counters", optional, changes},
	}}.register()
}

// prm lists the registers of links that the driver's library knows; to read one is for root, and what is printed of it was not seen.
func prm(_ context.Context, said *subWords, env Environment) int {
	if !said.has("--list") {
		io.WriteString(env.Out, combination.Error()+"\n")
		return exitInvalid
	}
	io.WriteString(env.Out, help("prm-list.txt", env))
	return 0
}
