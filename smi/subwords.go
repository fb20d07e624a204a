// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"context"
	"fmt"
	"io"
	"strings"
)

// subcommand is one whose options all look alike: what it is called, what they are, and what it does with them.
type subcommand struct {
	name    string
	options []option
	// bare is that it does something without an option; the others print their help.
	bare bool
	// teaches is that it answers a mistake with how it is used, too, as it answers -h.
	teaches bool
	run     func(context.Context, *subWords, Environment) int
}

// subWords are the options that were given to a subcommand, by their long names.
type subWords struct {
	given map[string]given
	ids   string
}

func (w *subWords) has(long string) bool { _, ok := w.given[long]; return ok }

// refused gives the status of an option that the vendor's program has and this one has not, and says so.
func (c *subcommand) refused(env Environment, o *option) int {
	fmt.Fprintf(env.Out, "nvidia-smi %s %s %s\n", c.name, o.name(), notAxons)
	return exitInvalid
}

// unseen gives the status of an answer that the vendor's program has words for that are not known, and says so.
func unseen(out io.Writer, what string, r Return) int {
	fmt.Fprintf(out, "nvidia-smi %s %s\n", what, notAxons)
	return int(min(r, ExitOther))
}

// mistaken says what is wrong with a command line, and gives the status.
func (c *subcommand) mistaken(env Environment, err error) int {
	fmt.Fprintf(env.Out, "%s\n", err)
	if !c.teaches {
		return exitInvalid
	}
	const start = "\n    Usage: "
	_, options, _ := strings.Cut(help(c.name+".txt", env), start)
	io.WriteString(env.Out, start+options)
	return 0
}

// name is the shorter of an option's two.
func (o *option) name() string {
	if o.short != "" {
		return o.short
	}
	return o.long
}

var (
	subHelp = option{"-h", "--help", flag, common}
	subID   = option{"-i", "--id", required, common}
)

// register makes a subcommand one that can be called.
func (c subcommand) register() {
	c.options = append(c.options, subHelp)
	if lookupIn(c.options, subID.short) == nil {
		c.options = append(c.options, subID)
	}
	subcommands[c.name] = func(ctx context.Context, args []string, env Environment) int {
		said, err := c.parse(args)
		switch {
		case err != nil:
			return c.mistaken(env, err)
		case said.has("--help"), len(args) == 0 && !c.bare:
			io.WriteString(env.Out, help(c.name+".txt", env))
			return 0
		}
		for i := range c.options {
			if o := &c.options[i]; o.kind == changes && said.has(o.long) {
				return c.refused(env, o)
			}
		}
		return c.run(ctx, said, env)
	}
}

// parse reads a subcommand's words.
func (c *subcommand) parse(args []string) (*subWords, error) {
	w := &subWords{given: map[string]given{}}
	for i := 0; i < len(args); i++ {
		name, value, has := strings.Cut(args[i], "=")
		o := lookupIn(c.options, name)
		switch {
		case o == nil:
			return nil, unrecognized(args[i])
		case has && o.arg == flag:
			return nil, unrecognized(value)
		}
		if !has && o.arg != flag && i+1 < len(args) && (o.arg == required || !strings.HasPrefix(args[i+1], "-")) {
			i++
			value, has = args[i], true
		}
		if !has && o.arg == required {
			return nil, withoutValue(name)
		}
		w.given[o.long] = given{option: o, value: value, has: has}
		if o.long == subID.long {
			w.ids = value
		}
	}
	return w, nil
}
