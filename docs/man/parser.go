// SPDX-License-Identifier: Apache-2.0

package man

import (
	"fmt"
	"strings"

	"github.com/jessevdk/go-flags"
)

// know notes what stands for values in help texts: PROGRAM, SIZE.
func (w *writer) know(c *flags.Command) {
	for _, g := range c.Groups() {
		for _, o := range g.Options() {
			w.values[o.ValueName] = true
		}
	}
	for _, a := range c.Args() {
		w.values[a.Name] = true
	}
	for _, below := range c.Commands() {
		w.know(below)
	}
}

// synopsis is a line for each command, or for the program if it has none.
func (p Page) synopsis() []string {
	program := p.Parser
	if len(program.Commands()) == 0 {
		return []string{bold(p.Name) + " [" + italic("OPTIONS") + "]"}
	}
	var lines []string
	if program.SubcommandsOptional {
		lines = append(lines, p.line(p.Name, program.Command))
	}
	for _, c := range program.Commands() {
		lines = append(lines, p.below(p.Name, c)...)
	}
	return lines
}

func (p Page) below(prefix string, c *flags.Command) []string {
	if c.Hidden {
		return nil
	}
	name := prefix + " " + c.Name
	if len(c.Commands()) == 0 {
		return []string{p.line(name, c)}
	}
	var lines []string
	for _, b := range c.Commands() {
		lines = append(lines, p.below(name, b)...)
	}
	return lines
}

func (p Page) line(name string, c *flags.Command) string {
	words := []string{bold(name)}
	if p.Default != "" && name == p.Name+" "+p.Default {
		words[0] = bold(p.Name) + " [" + bold(p.Default) + "]"
	}
	options(c.Group, func(o *flags.Option) {
		w := bold("--" + o.LongName)
		if v := value(o); v != "" {
			w += " " + v
		}
		words = append(words, "["+w+"]")
	})
	if u := strings.TrimSpace(strings.TrimPrefix(p.Usage[name], "[OPTIONS]")); u != "" {
		words = append(words, values(u))
	}
	for _, a := range c.Args() {
		n := italic(a.Name)
		if a.Required < 1 && !c.ArgsRequired {
			n = "[" + n + "]"
		}
		words = append(words, n)
	}
	return strings.Join(words, " ")
}

// values sets a usage's words for values in italics, and the rest in bold.
func values(usage string) string {
	var words []string
	for _, word := range strings.Fields(usage) {
		left := word[:len(word)-len(strings.TrimLeft(word, "["))]
		rest := strings.TrimLeft(word, "[")
		name := strings.TrimRight(rest, "].")
		right := rest[len(name):]
		if name == strings.ToUpper(name) && strings.Trim(name, "-") != "" {
			name = italic(name)
		} else {
			name = bold(name)
		}
		words = append(words, left+name+right)
	}
	return strings.Join(words, " ")
}

// options calls f for those that people are told of.
func options(g *flags.Group, f func(*flags.Option)) {
	for _, o := range g.Options() {
		if !o.Hidden && o.LongName != "" {
			f(o)
		}
	}
	for _, b := range g.Groups() {
		if !b.Hidden && b.ShortDescription != "Help Options" {
			options(b, f)
		}
	}
}

// value is what an option's value looks like; "" is an option that has none.
func value(o *flags.Option) string {
	switch {
	case len(o.Choices) > 0:
		return bold(strings.Join(o.Choices, "|"))
	case o.ValueName == strings.ToUpper(o.ValueName):
		if o.ValueName == "" {
			return ""
		}
		return italic(o.ValueName)
	}
	return bold(o.ValueName)
}

// command writes a command's subsection, and those of the commands below it.
func (w *writer) command(prefix string, c *flags.Command, more map[string]string) {
	if c.Hidden {
		return
	}
	name := prefix + " " + c.Name
	w.raw(".SS " + escape(name))
	about := c.LongDescription
	if about == "" {
		about = strings.ToUpper(c.ShortDescription[:1]) + c.ShortDescription[1:] + "."
	}
	w.prose(about)
	w.options(name, c.Group, more)
	var said bool
	for _, a := range c.Args() {
		if a.Description != "" {
			w.raw(".TP")
			w.raw(italic(a.Name))
			w.prose(a.Description + ".")
			said = true
		}
	}
	if text, ok := more[name]; ok {
		delete(more, name)
		if said || len(c.Group.Options()) > 0 {
			w.raw(".PP")
		}
		w.prose(text)
	}
	for _, b := range c.Commands() {
		w.command(name, b, more)
	}
}

// options writes a list of options.
func (w *writer) options(name string, g *flags.Group, more map[string]string) {
	options(g, func(o *flags.Option) {
		w.raw(".TP")
		tag := bold("--" + o.LongName)
		if o.ShortName != 0 {
			tag = bold("-"+string(o.ShortName)) + ", " + tag
		}
		if v := value(o); v != "" {
			tag += " " + v
		}
		w.raw(tag)
		w.prose(described(o))
		about := name + " --" + o.LongName
		if text, ok := more[about]; ok {
			delete(more, about)
			w.prose(text)
		}
	})
}

func described(o *flags.Option) string {
	d := o.Description
	if len(o.Default) > 0 {
		d += fmt.Sprintf(" (default: %s)", strings.Join(o.Default, ", "))
	}
	return strings.TrimSuffix(d, ".") + "."
}

// variables lists what stands for options.
func (w *writer) variables(p *flags.Parser) {
	w.raw(".SH ENVIRONMENT")
	options(p.Group, func(o *flags.Option) {
		if o.EnvDefaultKey != "" {
			w.raw(".TP")
			w.raw(bold(o.EnvDefaultKey))
			w.prose("The same as --" + o.LongName + ".")
		}
	})
	w.raw(".PP")
}

// keys lists the keys of a file of settings.
func (w *writer) keys(all []Key) {
	for _, k := range all {
		w.raw(".TP")
		w.raw(bold(k.Name+" =") + " " + italic(k.Example))
		w.prose(strings.TrimSuffix(k.Doc, ".") + ".")
	}
}
