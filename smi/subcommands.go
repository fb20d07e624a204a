// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"context"
	"fmt"
	"io"
	"strings"
)

// subcommands are words that begin a command line of their own.
var subcommands = map[string]func(context.Context, []string, Environment) int{}

const notAxons = "is not supported by axon's nvidia-smi; the one that comes with NVIDIA's driver has it."

// subFlag is one that a subcommand has, and its long name.
type subFlag struct{ short, long string }

// subFlags takes the words after a subcommand: which of its flags are there, by their short names, and the GPUs of -i.
func subFlags(subcommand string, args []string, known ...subFlag) (asked map[string]bool, ids string, err error) {
	asked = map[string]bool{}
next:
	for i := 0; i < len(args); i++ {
		name, value, has := strings.Cut(args[i], "=")
		if name == "-i" || name == "--id" {
			if !has && i+1 < len(args) {
				i++
				value, has = args[i], true
			}
			if !has {
				return nil, "", withoutValue(name)
			}
			ids = value
			continue
		}
		for _, f := range known {
			switch {
			case name != f.short && name != f.long:
			case has:
				return nil, "", unrecognized(value)
			default:
				asked[f.short] = true
				continue next
			}
		}
		return nil, "", unknown(subcommand, args[i])
	}
	return asked, ids, nil
}

// unknown is an option that a subcommand has not: the vendor's words, or that only the vendor's program has it, where its help names it.
func unknown(subcommand, option string) error {
	text, err := helpFiles.ReadFile("help/" + subcommand + ".txt")
	name, _, _ := strings.Cut(option, "=")
	if err != nil || strings.Contains(string(text), "["+name+" |") || strings.Contains(string(text), " | "+name+"]") {
		return fmt.Errorf("nvidia-smi %s %s %s", subcommand, option, notAxons)
	}
	return unrecognized(option)
}

// unrecognized is a word that a subcommand has no use for. What is behind the = of an option without a value is one, too.
func unrecognized(word string) error {
	return usage(fmt.Sprintf("Option \"%s\" is not recognized.", word))
}

// withoutValue is an option of a subcommand that lacks its value.
func withoutValue(option string) error {
	return usage(fmt.Sprintf("Option \"%s\" is missing its value.", option))
}

// subOptions is subFlags for one that prints its help when nothing is asked, of whatever GPUs, or -h is; done says that nothing is left but to exit with status.
func subOptions(subcommand string, args []string, env Environment, known ...subFlag) (asked map[string]bool, ids string, status int, done bool) {
	asked, ids, err := subFlags(subcommand, args, append(known, subFlag{"-h", "--help"})...)
	switch {
	case err != nil:
		fmt.Fprintf(env.Out, "%s\n", err)
		return nil, "", exitInvalid, true
	case len(asked) == 0 || asked["-h"]:
		io.WriteString(env.Out, help(subcommand+".txt", env))
		return nil, "", 0, true
	}
	return asked, ids, 0, false
}

// pull takes the options that have a value out of the words after a subcommand.
func pull(args []string, valued ...subFlag) (rest []string, values map[string]string, err error) {
	values = map[string]string{}
next:
	for i := 0; i < len(args); i++ {
		name, value, has := strings.Cut(args[i], "=")
		for _, f := range valued {
			if name != f.short && name != f.long {
				continue
			}
			if !has {
				if i+1 >= len(args) {
					return nil, nil, withoutValue(name)
				}
				i++
				value = args[i]
			}
			values[f.short] = value
			continue next
		}
		rest = append(rest, args[i])
	}
	return rest, values, nil
}
