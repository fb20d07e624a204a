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
	has   bool   // it was given a value
	word  string // as it stands on the command line
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

func negative(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

// fits says whether a word can be an option's optional value.
func fits(o *option, word string) bool { return o.short != "-r" || word == "bus" }

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
	xml     *given
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
			c.xml = g
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
				switch {
				case c.ask != nil && queriesProperties(c.ask.option) && queriesProperties(g.option):
					return nil, usage("Only one --query-* switch can be used at a time.")
				case c.ask != nil && c.ask.long != g.long:
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
	plain := c.ask != nil && c.ask.long == "--query"
	bare := c.ask == nil && len(c.changes) == 0
	switch {
	case c.xml != nil && !c.display.all:
		return usage("Invalid combination of input arguments: --display/-d flags can not be combined with -x/--xml-format flags.")
	case c.dtd && !plain && c.xml != nil:
		return unread{notRecognized(c.xml.word, atLength)}
	case bare && !c.dtd && c.xml != nil:
		return needsQuery("-x/--xml-format", "an XML")
	case bare && !c.dtd && c.unit:
		return needsQuery("-u/--unit", "a unit")
	case bare && !c.dtd && !c.display.all:
		return needsQuery("-d/--display", "a filtered")
	case len(c.changes) > 0 && (c.ask != nil || c.xml != nil || c.dtd || c.every != 0),
		len(c.changes) == 0 && (len(c.with) > 0 || c.strict),
		len(c.changes) > 1,
		!c.display.all && (!plain || c.unit),
		c.ask != nil && !plain && c.ask.long != "--columns" && c.unit:
		return combination
	}
	return nil
}

// needsQuery is said of an option of a query's where there is no query.
func needsQuery(option, query string) usage {
	return usage(fmt.Sprintf("Invalid combination of input arguments. Specify -q/--query and %s to run %s query.  Please run 'nvidia-smi -h' for help.\n", option, query))
}

// interval is the time between two reports; a word that is no number is as none.
func interval(g *given) (time.Duration, error) {
	n, err := strconv.ParseFloat(g.value, 64)
	switch {
	case err != nil, !(n >= 0): // which a NaN is not either
		return loopDefault, nil
	case n < 1: // whole numbers count
		return 0, usage("Provided [-l(ms) | --loop(-ms)=] value is incorrect. Loop frequency must be greater than 0.\n")
	case n > 1e6:
		return 0, combination
	case g.long == "--loop-ms":
		return time.Duration(n * float64(time.Millisecond)), nil
	}
	return time.Duration(int64(n)) * time.Second, nil
}

func parseDisplay(list string) (display, error) {
	var d display
	for _, name := range names(list) {
		s, ok := sectionNames[strings.ToUpper(name)]
		if !ok {
			return d, usage("Failed to parse --display/-d flags")
		}
		d.some[s] = true
	}
	return d, nil
}

// parseFormat reads --format=. That it is csv need not be said.
func parseFormat(list *string) (format, error) {
	var f format
	if list == nil {
		return f, nil
	}
	for _, word := range names(*list) {
		switch strings.ToLower(word) {
		case "csv":
		case "noheader":
			f.noHeader = true
		case "nounits":
			f.noUnits = true
		default:
			return f, usage("Format modifier is not recognized.")
		}
	}
	return f, nil
}

// names are those of a list with commas; where there is nothing between two, there is none.
func names(list string) (all []string) {
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); name != "" {
			all = append(all, name)
		}
	}
	return all
}
