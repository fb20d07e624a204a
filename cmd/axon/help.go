// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"

	"github.com/jessevdk/go-flags"

	"nervlinux.org/axon/docs/man"
)

// helpCommand is axon help.
type helpCommand struct {
	Manual bool `long:"manual" description:"Print the manual, axon(1), for man -l -"`
	Args   struct {
		Command []commandName `positional-arg-name:"COMMAND" description:"Explain this command, which may have two words"`
	} `positional-args:"yes"`

	out    io.Writer
	parser func() *flags.Parser
}

func helpDescription(out io.Writer, parser func() *flags.Parser) command {
	return command{
		name:  "help",
		short: "explain axon or one of its commands",
		long:  "Explains axon, or the command that is named. The manual has more: man axon, or where it is not installed: axon help --manual | man -l -",
		data:  &helpCommand{out: out, parser: parser},
	}
}

// Execute prints the help of the command that was asked for.
func (h *helpCommand) Execute([]string) error {
	p := h.parser()
	if h.Manual {
		return manual(h.out, p)
	}
	p.Active = nil
	for at, i := p.Command, 0; i < len(h.Args.Command); i++ {
		next := at.Find(string(h.Args.Command[i]))
		if next == nil {
			return fail(usageStatus, "there is no command %q; see axon help", h.Args.Command[i])
		}
		at.Active, at = next, next
	}
	p.WriteHelp(h.out)
	return nil
}

// manual writes axon(1).
func manual(out io.Writer, p *flags.Parser) error {
	page := man.Page{Name: "axon", Section: 1, Kind: "User Commands", Short: p.ShortDescription, Parser: p, Default: "top", Usage: map[string]string{}}
	for _, c := range commands(io.Discard, nil) {
		if u, ok := c.data.(flags.Usage); ok {
			page.Usage["axon "+c.name] = u.Usage()
		}
	}
	return page.Write(out)
}
