// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"fmt"
	"strings"
)

// A command line is read in one of three ways, which differ in the options they
// know and in what is said of others: some options are a command by themselves,
// those that query properties go with few others, and for all else every option is known.

// alone are the options that are a command by themselves. Where there are several, the others are those that are wrong.
var alone = []string{
	"--help", "--help-query-gpu", "--help-query-supported-clocks", "--help-query-compute-apps", "--help-query-accounted-apps",
	"--help-query-retired-pages", "--help-query-remapped-rows", "--version", "--list-gpus", "--list-excluded-gpus", "--list-blacklist-gpus",
}

// parse reads the command line.
func parse(args []string) ([]given, error) {
	here := map[string]bool{}
	properties := false
	for _, arg := range args {
		name, _, _ := strings.Cut(arg, "=")
		if o := lookup(name); o != nil {
			here[o.long] = true
			properties = properties || queriesProperties(o)
		}
	}
	for _, long := range alone {
		if here[long] {
			return parseAlone(args, long)
		}
	}
	return parseAll(args, properties)
}

func queriesProperties(o *option) bool { return strings.HasPrefix(o.long, "--query-") }

// parseAlone finds the first word that is not the option's.
func parseAlone(args []string, long string) ([]given, error) {
	o := lookup(long)
	for _, arg := range args {
		name, value, has := strings.Cut(arg, "=")
		switch {
		case lookup(name) != o:
			return nil, notValid(arg)
		case has:
			return nil, notValid(value)
		}
	}
	return []given{{option: o, word: args[0]}}, nil
}

func parseAll(args []string, properties bool) ([]given, error) {
	var all []given
	for i := 0; i < len(args); i++ {
		word := args[i]
		name, value, has := strings.Cut(word, "=")
		o := lookup(name)
		switch {
		case properties && (o == nil || o.kind != common && !queriesProperties(o)):
			return nil, notRecognized(word, atLength)
		case o == nil, o.long == "--format" && !properties:
			return nil, unread{notRecognized(word, briefly)}
		case has && o.arg == flag:
			return nil, unread{notRecognized(value, briefly)}
		}
		next := i+1 < len(args) && (!strings.HasPrefix(args[i+1], "-") || negative(args[i+1]))
		switch {
		case has || o.arg == flag:
		case o.arg == required && next, o.arg == optional && next && fits(o, args[i+1]):
			i++
			value, has = args[i], true
		case o.arg == required:
			return nil, unread{usage(fmt.Sprintf("ERROR: Option %s is missing its value. Please run 'nvidia-smi -h' for help.\n", name))}
		}
		all = append(all, given{o, value, has, word})
	}
	return all, nil
}

// The two ways in which the vendor's program says where there is help.
const (
	briefly  = "."
	atLength = " for help."
)

func notRecognized(word, help string) usage {
	return usage(fmt.Sprintf("ERROR: Option %s is not recognized. Please run 'nvidia-smi -h'%s\n", word, help))
}

func notValid(word string) usage {
	return usage(fmt.Sprintf("ERROR: Option %s is not valid for this command. Please run 'nvidia-smi -h' for help.\n", word))
}
