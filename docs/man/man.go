// SPDX-License-Identifier: Apache-2.0

// Package man writes the manuals. A page is made of what the help texts say,
// which is described once, beside the code, and of a text here (page.txt) that
// says what no option or command can: how things belong together, files,
// examples. That text has parts, each with a heading:
//
//	= DESCRIPTION       a section
//	= {commands}        here come the commands, from their descriptions
//	= {options}         here come the options
//	= {keys}            here come some keys of a file of settings
//	= {variables}       here come the variables of the options, as a section ENVIRONMENT that goes on
//	= + axon run        more about a command, after its options
//	= + axon run --on   more about an option, after its description
//	== Warm workers     a subsection
//
// Prose needs no marks: see roff.go for what is set in bold and italics.
package man

import (
	"embed"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/jessevdk/go-flags"
)

//go:embed *.txt
var texts embed.FS

// Page is a manual page.
type Page struct {
	Name    string // as in axond.toml(5)
	Section int
	Kind    string // of things described here, for the page's head: "User Commands"
	Short   string // what it is, for whatis(1)

	Parser  *flags.Parser     // of a program, or nil
	Default string            // the command that may be left out, or ""
	Usage   map[string]string // what commands say themselves about their arguments (flags.Usage), by name: "axon run"
	Keys    map[string][]Key  // of a file of settings, by the part of the text where they come
}

// Key is one of a file of settings.
type Key struct {
	Name    string
	Example string // in the file's syntax
	Doc     string
}

// Write writes the page for man(1). Errors are those of out, and those of
// the page's text: a part about a command or an option that is not there.
func (p Page) Write(out io.Writer) error {
	text, err := texts.ReadFile(p.Name + ".txt")
	if err != nil {
		return err
	}
	w := &writer{values: map[string]bool{}}
	parts, err := split(string(text))
	if err != nil {
		return err
	}
	more := map[string]string{}
	for _, part := range parts {
		if about, ok := strings.CutPrefix(part.heading, "+ "); ok {
			more[about] = part.text
		}
	}
	w.raw(`.\" SPDX-License-Identifier: Apache-2.0`)
	w.raw(fmt.Sprintf(`.TH %s %d "%s" "axon" "%s"`, strings.ToUpper(p.Name), p.Section, date(), p.Kind))
	w.raw(".SH NAME")
	w.raw(escape(p.Name) + ` \- ` + escape(p.Short))
	if p.Parser != nil {
		w.know(p.Parser.Command)
		for _, u := range p.Usage {
			w.knowWords(u)
		}
		w.raw(".SH SYNOPSIS")
		w.raw(strings.Join(p.synopsis(), "\n.br\n"))
	}
	for _, part := range parts {
		switch {
		case strings.HasPrefix(part.heading, "+ "):
			continue
		case part.heading == "{commands}":
			for _, c := range p.Parser.Commands() {
				w.command("axon", c, more)
			}
		case part.heading == "{options}":
			w.options(p.Name, p.Parser.Group, more)
		case part.heading == "{variables}":
			w.variables(p.Parser)
		case p.Keys[part.heading] != nil:
			w.keys(p.Keys[part.heading])
		case part.below:
			w.raw(".SS " + escape(part.heading))
		default:
			w.raw(".SH " + escape(part.heading))
		}
		w.prose(part.text)
	}
	for about := range more {
		return fmt.Errorf("docs/man/%s.txt is about %q, which is not there", p.Name, about)
	}
	_, err = io.WriteString(out, w.String())
	return err
}

// date is the packages' (SOURCE_DATE_EPOCH, see reproducible-builds.org), or "".
func date() string {
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return ""
	}
	return time.Unix(seconds, 0).UTC().Format(time.DateOnly)
}

// part is what is below one heading of a page's text.
type part struct {
	heading string
	below   bool // a subsection's
	text    string
}

func split(text string) ([]part, error) {
	var parts []part
	for i, line := range strings.Split(text, "\n") {
		heading, below := strings.CutPrefix(line, "== ")
		if !below {
			heading, _ = strings.CutPrefix(line, "= ")
		}
		switch {
		case heading != line:
			parts = append(parts, part{heading: heading, below: below})
		case len(parts) > 0:
			parts[len(parts)-1].text += line + "\n"
		case line != "" && i > 0: // the first line has the licence
			return nil, fmt.Errorf("line %d is below no heading: %q", i+1, line)
		}
	}
	return parts, nil
}
