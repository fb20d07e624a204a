// SPDX-License-Identifier: Apache-2.0

// Axon is what people type: it runs programs on axon's GPU and says what is
// installed. See axon(1). One file a subcommand.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/jessevdk/go-flags"

	"nervlinux.org/axon/cmd/mistake"
	"nervlinux.org/axon/cmd/printed"
)

// usageStatus is the exit status of a command line that makes no sense.
const usageStatus = 2

// status is an exit status with what to print on stderr before it.
type status struct {
	code int
	text string
}

func (s *status) Error() string { return s.text }

func fail(code int, format string, args ...any) error {
	return &status{code, fmt.Sprintf(format, args...)}
}

// command is a subcommand.
type command struct {
	name, short, long string
	aliases           []string
	data              flags.Commander
	passAfter         bool // what follows the first argument is not axon's
	errorStatus       int  // for a wrong command line, 0 is usageStatus
}

func commands(out io.Writer, parser func() *flags.Parser) []command {
	return []command{
		topDescription(out),
		metricsDescription(out),
		runDescription(),
		sessionsDescription(out),
		sessionDescription(out),
		gpusDescription(out),
		cdiDescription(out),
		versionDescription(out),
		completionDescription(out),
		helpDescription(out, parser),
	}
}

func main() { os.Exit(axon(os.Args[1:], os.Stdout, os.Stderr)) }

// axon runs a command line and returns its exit status.
func axon(args []string, stdout, errOut io.Writer) int {
	out := &printed.Output{Writer: stdout}
	code, text := obey(args, out, errOut)
	if why, lost := out.Lost(); lost {
		code, text = 1, why
	}
	if text != "" {
		fmt.Fprintln(errOut, "axon: "+text)
	}
	return code
}

// obey does what a command line says. It returns the exit status with what is
// to be said about it.
func obey(args []string, out, errOut io.Writer) (int, string) {
	var p *flags.Parser
	all := commands(out, func() *flags.Parser { return p })
	p = flags.NewNamedParser("axon", flags.HelpFlag|flags.PassDoubleDash)
	p.ShortDescription = "run programs on axon's GPU, and see what runs there"
	p.LongDescription = "axon runs programs on a GPU that axond shares out: axon run PROGRAM. Without a command it shows what runs there, as axon top does, with that command's options."
	for _, c := range all {
		cmd, err := p.AddCommand(c.name, c.short, c.long, c.data)
		if err != nil {
			return usageStatus, err.Error()
		}
		cmd.PassAfterNonOption = c.passAfter
		cmd.Aliases = c.aliases
	}
	switch {
	case len(args) == 1 && args[0] == "--version": // what people try first
		args = []string{"version"}
	case isTop(args):
		args = append([]string{"top"}, args...)
	}
	_, err := p.ParseArgs(args)
	var fe *flags.Error
	var st *status
	switch {
	case err == nil:
		return 0, ""
	case errors.As(err, &st):
		return st.code, st.text
	case errors.As(err, &fe) && fe.Type == flags.ErrHelp:
		fmt.Fprint(out, fe.Message)
		return 0, ""
	case errors.As(err, &fe) && fe.Type == flags.ErrCommandRequired:
		p.WriteHelp(errOut)
		return usageStatus, ""
	}
	if fe != nil && fe.Type == flags.ErrUnknownCommand && p.Active == nil {
		err = unknown(args, all)
	}
	code, help := usageStatus, "axon"
	for c := p.Active; c != nil; c = c.Active {
		help += " " + c.Name
	}
	for _, c := range all {
		if p.Active != nil && p.Active.Name == c.name && c.errorStatus != 0 {
			code = c.errorStatus
		}
	}
	return code, fmt.Sprintf("%s; see %s --help", mistake.Text(err), help)
}
