// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/cmd/printed"
	"nervlinux.org/axon/fleet"
	"nervlinux.org/axon/fleet/show"
)

// topCommand is axon top, and axon without a command.
type topCommand struct {
	Format   viewFormat `long:"format" choice:"table" choice:"csv" choice:"json" choice:"tmux" description:"Print it like that, also on a terminal"`
	JSON     bool       `long:"json" description:"The same as --format=json"`
	Once     bool       `long:"once" description:"Print it once, also on a terminal"`
	NoHeader bool       `long:"no-header" description:"Leave out the line of names above the table or CSV, also on a terminal"`
	Watch    seconds    `long:"watch" value-name:"SECONDS" description:"A sample every so many seconds, 0.1 to 86400; what is printed is printed again each time"`
	Socket   string     `long:"socket" value-name:"PATH" description:"Where axond is (default: AXON_SESSION, else /run/axon/sock)"`

	out io.Writer
}

func topDescription(out io.Writer) command {
	return command{
		name:  "top",
		short: "show what the GPUs do, and for whom",
		long: "Shows the machine, its GPUs and the sessions on them, live; the key ? explains the keys. axon without a command does the same. " +
			"What does not go to a terminal is one plain table.\n\n" +
			"Examples:\n" +
			"$ axon\n" +
			"$ axon | awk '$3 == \"session\" && $13 == \"alice\"'\n" +
			"$ axon --format=json | jq '.machines[].figures.gpus[].temperature_celsius'\n" +
			"$ axon --format=csv --watch 60 > gpus.csv\n" +
			"$ axon --format=csv --no-header >> gpus.csv\n" +
			"$ axon --format=tmux",
		data: &topCommand{out: out},
	}
}

// seconds are a time on the command line.
type seconds time.Duration

// UnmarshalFlag is flags.Unmarshaler's: a number.
func (s *seconds) UnmarshalFlag(value string) error {
	var n float64
	var rest string
	if got, _ := fmt.Sscanf(value+" ", "%f%s", &n, &rest); got != 1 || !(n >= 0.1 && n <= 86400) {
		return fmt.Errorf("%q is not a number of seconds from 0.1 to 86400", value)
	}
	*s = seconds(n * float64(time.Second))
	return nil
}

// isTop says whether a command line without a command is axon top's. A shell
// that completes asks with what is there of its options so far.
func isTop(args []string) bool {
	if len(args) == 0 {
		return true
	}
	if len(args) == 1 && os.Getenv("GO_FLAGS_COMPLETION") != "" {
		return strings.HasPrefix(args[0], "-")
	}
	switch args[0] {
	case "-h", "--help", "--version", "--", "-":
		return false
	}
	return strings.HasPrefix(args[0], "-")
}

// interactive says whether a person sits at both ends.
func interactive(out io.Writer) bool {
	if o, ok := out.(*printed.Output); ok {
		out = o.Writer
	}
	f, ok := out.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" || os.Getenv("TERM") == "" {
		return false
	}
	for _, fd := range []uintptr{f.Fd(), os.Stdin.Fd()} {
		if _, err := unix.IoctlGetTermios(int(fd), unix.TCGETS); err != nil {
			return false
		}
	}
	return true
}

// firstPause is between the two samples that rates are made of where only one
// output is asked for.
const firstPause = 300 * time.Millisecond

// Execute shows or prints.
func (c *topCommand) Execute(args []string) error {
	if len(args) > 0 {
		return fail(usageStatus, "top has no arguments, but %q was given; axon --help lists the commands", args[0])
	}
	if c.JSON && c.Format != "" && c.Format != "json" {
		return fail(usageStatus, "--json and --format=%s are two formats; leave one out", c.Format)
	}
	if c.Once && c.Watch != 0 {
		return fail(usageStatus, "--once and --watch exclude each other; leave one out")
	}
	if c.JSON {
		c.Format = "json"
	}
	if c.NoHeader && (c.Format == "json" || c.Format == "tmux") {
		return fail(usageStatus, "--no-header: %s has none; leave it out", c.Format)
	}
	every := time.Duration(c.Watch)
	if every == 0 {
		every = time.Second
	}
	f := fleet.New([]fleet.Member{thisMachine(c.Socket)}, every)
	if c.Format == "" && !c.Once && !c.NoHeader && interactive(c.out) {
		return c.live(f)
	}
	defer f.Close()
	// A signal ends it between two outputs, so that nobody reads half of one.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, unix.SIGTERM)
	defer stop()
	f.Ask(ctx)
	if c.Format != "tmux" && f.Machines()[0].Err == nil {
		pause(ctx, min(firstPause, every))
		f.Ask(ctx)
	}
	if c.Watch == 0 {
		if err := interrupted(ctx); err != nil {
			return err
		}
		if err := c.print(f.Machines(), 0); err != nil {
			return err
		}
		if err := f.Machines()[0].Err; err != nil {
			return fail(1, "%s", show.Text(err.Error()))
		}
		return nil
	}
	// A machine that does not answer is worth watching, too.
	tick := time.NewTicker(every)
	defer tick.Stop()
	for n := 0; ctx.Err() == nil; n++ {
		if err := c.print(f.Machines(), n); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
		f.Ask(ctx)
	}
	return nil
}

// interrupted is that a signal came before there was an answer.
func interrupted(ctx context.Context) error {
	if ctx.Err() != nil {
		return fail(1, "interrupted before axond had answered")
	}
	return nil
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// print prints the n-th output.
func (c *topCommand) print(machines []*fleet.Machine, n int) (err error) {
	now := time.Now()
	switch c.Format {
	case "json":
		// A document a line, if there are many.
		err = show.JSON(c.out, machines, now, c.Watch == 0)
	case "csv":
		err = show.CSV(c.out, machines, now, n == 0 && !c.NoHeader)
	case "tmux":
		err = show.Tmux(c.out, machines)
	default:
		if c.Watch == 0 && machines[0].Last == nil {
			return nil // the error says it
		}
		if n > 0 {
			fmt.Fprintln(c.out)
		}
		err = show.Table(c.out, machines, now, !c.NoHeader)
	}
	return err
}
