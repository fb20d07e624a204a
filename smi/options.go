// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// What an option takes.
type argument int

const (
	flag     argument = iota
	required          // -i 0, -i=0, --id=0 or --id 0
	optional          // -l, or -l 5
)

// option is one of those that the help lists.
type option struct {
	short, long string
	arg         argument
	kind        kind
}

type kind int

const (
	common   kind = iota // -i, -f, -l: goes with what asks for something
	asks                 // asks for something by itself
	query                // goes with -q
	changes              // changes a device
	changing             // goes with one that does
)

// known is what the vendor's help lists, in its order.
var known = []option{
	{"-h", "--help", flag, asks},
	{"", "--version", flag, asks},
	{"-L", "--list-gpus", flag, asks},
	{"-B", "--list-excluded-gpus", flag, asks},
	{"", "--list-blacklist-gpus", flag, asks}, // its old name
	{"-col", "--columns", required, asks},
	{"-i", "--id", required, common},
	{"-f", "--filename", required, common},
	{"-l", "--loop", optional, common},
	{"-lms", "--loop-ms", required, common},
	{"-q", "--query", flag, asks},
	{"-u", "--unit", flag, query},
	{"-x", "--xml-format", flag, query},
	{"", "--dtd", flag, asks},
	{"-d", "--display", required, query},
	{"-a", "", flag, query}, // everything: what -q shows is all by now
	{"", "--query-gpu", required, asks},
	{"", "--query-supported-clocks", required, asks},
	{"", "--query-compute-apps", required, asks},
	{"", "--query-accounted-apps", required, asks},
	{"", "--query-retired-pages", required, asks},
	{"", "--query-remapped-rows", required, asks},
	{"", "--help-query-gpu", flag, asks},
	{"", "--help-query-supported-clocks", flag, asks},
	{"", "--help-query-compute-apps", flag, asks},
	{"", "--help-query-accounted-apps", flag, asks},
	{"", "--help-query-retired-pages", flag, asks},
	{"", "--help-query-remapped-rows", flag, asks},
	{"", "--format", required, common},
	{"-pm", "--persistence-mode", required, changes},
	{"-e", "--ecc-config", required, changes},
	{"-p", "--reset-ecc-errors", required, changes},
	{"-c", "--compute-mode", required, changes},
	{"", "--gom", required, changes},
	{"-r", "--gpu-reset", optional, changes},
	{"-vm", "--virt-mode", required, changes},
	{"-lgc", "--lock-gpu-clocks", required, changes},
	{"-m", "--mode", required, changing},
	{"-rgc", "--reset-gpu-clocks", flag, changes},
	{"-lmc", "--lock-memory-clocks", required, changes},
	{"-rmc", "--reset-memory-clocks", flag, changes},
	{"-lmcd", "--lock-memory-clocks-deferred", required, changes},
	{"-rmcd", "--reset-memory-clocks-deferred", flag, changes},
	{"-ac", "--applications-clocks", required, changes},
	{"-rac", "--reset-applications-clocks", flag, changes},
	{"-pl", "--power-limit", required, changes},
	{"-sc", "--scope", required, changing},
	{"-cc", "--cuda-clocks", required, changes},
	{"-am", "--accounting-mode", required, changes},
	{"-caa", "--clear-accounted-apps", flag, changes},
	{"", "--auto-boost-default", required, changes},
	{"", "--auto-boost-permission", required, changes},
	{"-mig", "--multi-instance-gpu", required, changes},
	{"-gtt", "--gpu-target-temp", required, changes},
	{"-den", "--dram-encryption", required, changes},
	{"", "--set-hostname", required, changes},
	{"", "--get-hostname", flag, changes},
	{"-eow", "--error-on-warning", flag, changing},
	{"-t", "--toggle-led", required, changes},
	{"", "--debug", required, common},
}

// given is an option on the command line.
type given struct {
	*option
	value string
	has   bool // it was given a value
}

// usage is a mistake on the command line, in the vendor's words.
type usage string

func (u usage) Error() string { return string(u) }

// unread is one that keeps an option from being read at all.
type unread struct{ usage }

// status is what the vendor's program exits with of a mistake.
func status(err error) int {
	if errors.As(err, new(unread)) {
		return ExitOther
	}
	return exitInvalid
}

const combination = usage("Invalid combination of input arguments. Please run 'nvidia-smi -h' for help.\n")

// parse reads the command line.
func parse(args []string) ([]given, error) {
	var all []given
	for i := 0; i < len(args); i++ {
		name, value, has := strings.Cut(args[i], "=")
		o := lookup(name)
		switch {
		case !strings.HasPrefix(name, "-"):
			return nil, usage(fmt.Sprintf("ERROR: Option %s is not valid for this command. Please run 'nvidia-smi -h' for help.\n", args[i]))
		case o == nil, has && o.arg == flag:
			return nil, unread{usage(fmt.Sprintf("ERROR: Option %s is not recognized. Please run 'nvidia-smi -h'.\n", args[i]))}
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
		all = append(all, given{o, value, has})
	}
	return all, nil
}

func negative(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

// fits says whether a word can be an option's optional value.
func fits(o *option, word string) bool {
	if o.short == "-r" {
		return word == "bus"
	}
	_, err := strconv.ParseFloat(word, 64)
	return err == nil
}

func lookup(name string) *option { return lookupIn(known, name) }

func lookupIn(options []option, name string) *option {
	for i := range options {
		if o := &options[i]; name != "" && (o.short == name || o.long == name) {
			return o
		}
	}
	return nil
}

// command is what a command line asks for.
type command struct {
	ask     *given // nil: the default table
	ids     string
	file    string
	every   time.Duration // 0: once
	format  *string
	unit    bool
	xml     bool
	dtd     bool
	display display
	changes []given
	with    map[string]string // options that go with a change, by long name
	strict  bool              // --error-on-warning
}

const loopDefault = 5 * time.Second

func understand(all []given) (*command, error) {
	c := &command{display: display{all: true}, with: map[string]string{}}
	for i := range all {
		g := &all[i]
		switch g.long {
		case "--id":
			c.ids = g.value
		case "--filename":
			c.file = g.value
		case "--debug":
		case "--loop", "--loop-ms":
			d, err := interval(g)
			if err != nil {
				return nil, err
			}
			c.every = d
		case "--format":
			c.format = &g.value
		case "--unit":
			c.unit = true
		case "--xml-format":
			c.xml = true
		case "--dtd":
			c.dtd = true
		case "--display":
			d, err := parseDisplay(g.value)
			if err != nil {
				return nil, err
			}
			c.display = d
		case "--error-on-warning":
			c.strict = true
		case "":
		default:
			switch g.kind {
			case asks:
				if c.ask != nil && c.ask.long != g.long {
					return nil, combination
				}
				c.ask = g
			case changes:
				c.changes = append(c.changes, *g)
			case changing:
				c.with[g.long] = g.value
			}
		}
	}
	return c, c.fits()
}

// fits says whether the options go with each other.
func (c *command) fits() error {
	queries := c.ask != nil && strings.HasPrefix(c.ask.long, "--query-")
	plain := c.ask != nil && c.ask.long == "--query"
	switch {
	case c.xml && !c.display.all:
		return usage("Invalid combination of input arguments: --display/-d flags can not be combined with -x/--xml-format flags.")
	case len(c.changes) > 0 && (c.ask != nil || c.format != nil || c.xml || c.every != 0),
		len(c.changes) == 0 && (len(c.with) > 0 || c.strict),
		len(c.changes) > 1,
		c.format != nil && !queries,
		queries && (c.xml || !c.display.all || c.dtd || c.unit),
		!c.display.all && !plain:
		return combination
	case c.unit && !c.display.all:
		return combination
	case c.ask != nil && !queries && !plain && (c.xml || c.unit || c.every != 0):
		return combination
	case c.xml && !plain && !c.dtd:
		return combination
	}
	return nil
}

func interval(g *given) (time.Duration, error) {
	if !g.has {
		return loopDefault, nil
	}
	n, err := strconv.ParseFloat(g.value, 64)
	if err != nil || n <= 0 || n > 1e6 {
		return 0, combination
	}
	if g.long == "--loop-ms" {
		return time.Duration(n * float64(time.Millisecond)), nil
	}
	return time.Duration(int64(n)) * time.Second, nil
}

func parseDisplay(list string) (display, error) {
	var d display
	for _, name := range strings.Split(list, ",") {
		s, ok := sectionNames[strings.ToUpper(strings.TrimSpace(name))]
		if !ok {
			return d, usage("Failed to parse --display/-d flags")
		}
		d.some[s] = true
	}
	return d, nil
}

// parseFormat reads --format=, which is csv where it is not given.
func parseFormat(list *string) (format, error) {
	var f format
	if list == nil {
		return f, nil
	}
	csv := false
	for _, word := range strings.Split(*list, ",") {
		switch strings.TrimSpace(word) {
		case "csv":
			csv = true
		case "noheader":
			f.noHeader = true
		case "nounits":
			f.noUnits = true
		default:
			return f, usage("Format modifier is not recognized.")
		}
	}
	if !csv {
		return f, combination
	}
	return f, nil
}
