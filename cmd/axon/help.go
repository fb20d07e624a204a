// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"

	"github.com/jessevdk/go-flags"
)

// helpCommand is axon help.
type helpCommand struct {
	Args struct {
		Command string `positional-arg-name:"COMMAND" description:"Explain this command"`
	} `positional-args:"yes"`

	out    io.Writer
	parser func() *flags.Parser
}

func helpDescription(out io.Writer, parser func() *flags.Parser) command {
	return command{
		name:  "help",
		short: "explain axon or one of its commands",
		long:  "Explains axon, or the command that is named. The manual has more: man axon.",
		data:  &helpCommand{out: out, parser: parser},
	}
}

// Execute prints the help of the command that was asked for.
func (h *helpCommand) Execute([]string) error {
	p := h.parser()
	p.Active = nil
	if h.Args.Command != "" {
		if p.Active = p.Find(h.Args.Command); p.Active == nil {
			return fail(usageStatus, "there is no command %q; see axon help", h.Args.Command)
		}
	}
	p.WriteHelp(h.out)
	return nil
}
