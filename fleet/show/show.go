// SPDX-License-Identifier: Apache-2.0

// Package show writes what machines say: a table for people, and CSV, JSON, a
// status line and Prometheus' text for programs. Nothing depends on a terminal.
// Errors are those of what is written to.
package show

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"nervlinux.org/axon/view"
)

// Unknown is what people read where a figure is not known.
const Unknown = "-"

// Text is a text that somebody else chose, for a terminal: what does not print,
// or turns the direction of writing, becomes a question mark. Empty is "".
func Text(s string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' {
			return r
		}
		// U+FFFD is what bytes that are no UTF-8 become.
		if !strconv.IsPrint(r) || r == '\uFFFD' {
			return '?'
		}
		return r
	}, s)
}

// Word is a text as one column of a table.
func Word(s string) string {
	if s == "" {
		return Unknown
	}
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '\u00a0' || r == '\u3000' {
			return '_'
		}
		return r
	}, Text(s))
}

// Command is a session's program with its arguments as a shell would take them,
// on one line and printable.
func Command(s *view.Session) string {
	if len(s.Args) == 0 {
		if s.Program == "" {
			return Unknown
		}
		return Text(s.Program)
	}
	words := make([]string, len(s.Args))
	for i, a := range s.Args {
		words[i] = quoted(a)
	}
	return strings.Join(words, " ")
}

// quoted is an argument for a shell.
func quoted(a string) string {
	plain := a != ""
	for _, r := range a {
		switch {
		case !strconv.IsPrint(r) && r != ' ', r == '\uFFFD':
			// strconv's escapes are bash's: $'\x1b', but for runes above 0xffff, which \U has as well.
			escaped := strconv.Quote(a)
			return "$'" + strings.ReplaceAll(escaped[1:len(escaped)-1], "'", `\'`) + "'"
		case strings.ContainsRune(" \"'`$\\!*?[](){}<>|&;~#\u00a0\u3000", r):
			plain = false
		}
	}
	if plain {
		return a
	}
	return "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
}

// User is a session's user for people: a name, or a number.
func User(s *view.Session) string {
	if s.User != nil && *s.User != "" {
		return Word(*s.User)
	}
	return strconv.FormatUint(uint64(s.UID), 10)
}

// Bytes is a number of bytes: 512, 1.5K, 120G. A K is 1024.
func Bytes(n uint64) string {
	f, unit := float64(n), ""
	for _, u := range "KMGTPE" {
		if f < 1000 {
			break
		}
		f, unit = f/1024, string(u)
	}
	if unit == "" || f >= 99.95 {
		return fmt.Sprintf("%.0f%s", f, unit)
	}
	return fmt.Sprintf("%.1f%s", f, unit)
}

// BytesOf is Bytes of what may be unknown.
func BytesOf(n *uint64) string {
	if n == nil {
		return Unknown
	}
	return Bytes(*n)
}

// Percent is a ratio as a whole percentage.
func Percent(r *float64) string {
	if r == nil || math.IsNaN(*r) || math.IsInf(*r, 0) {
		return Unknown
	}
	return number(100**r) + "%"
}

// Count is a number with at most four digits: 981, 12.3k, 4.1M.
func Count(f *float64) string {
	if f == nil || math.IsNaN(*f) || math.IsInf(*f, 0) {
		return Unknown
	}
	n, unit := *f, ""
	for _, u := range "kMGT" {
		if math.Abs(n) < 999.5 {
			break
		}
		n, unit = n/1000, string(u)
	}
	if unit == "" || math.Abs(n) >= 99.95 {
		return fmt.Sprintf("%.0f%s", n, unit)
	}
	return fmt.Sprintf("%.1f%s", n, unit)
}

// Whole is a number without its fraction and with a unit.
func Whole(f *float64, unit string) string {
	if f == nil || math.IsNaN(*f) || math.IsInf(*f, 0) {
		return Unknown
	}
	return number(*f) + unit
}

// number is a number without its fraction; what no GPU can mean is not written out.
func number(f float64) string {
	if math.Abs(f) >= 1e7 {
		return "?"
	}
	return fmt.Sprintf("%.0f", f)
}

// MHz is a clock.
func MHz(hertz *uint64, unit string) string {
	if hertz == nil {
		return Unknown
	}
	return strconv.FormatUint((*hertz+500000)/1000000, 10) + unit
}

// Links are a GPU's links in one word: pcie5x16,nvlink4*18.
func Links(all []view.Link) string {
	var words []string
	for _, l := range all {
		w := Word(l.Kind)
		if l.Generation != nil {
			w += strconv.FormatUint(uint64(*l.Generation), 10)
		}
		if l.Width != nil {
			w += "x" + strconv.FormatUint(uint64(*l.Width), 10)
		}
		if l.Count != 1 {
			w += "*" + strconv.FormatUint(uint64(l.Count), 10)
		}
		words = append(words, w)
	}
	if words == nil {
		return Unknown
	}
	return strings.Join(words, ",")
}

// Age is a time that has passed, in one unit: 3s, 5m, 2h, 4d; negative is unknown.
func Age(d time.Duration) string {
	switch {
	case d < 0:
		return Unknown
	case d < 100*time.Second:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < 100*time.Minute:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	}
	return fmt.Sprintf("%dd", int(d.Hours()/24))
}

// Width is the columns that a printable text takes.
func Width(s string) int { return ansi.StringWidth(s) }

// pad fills a text up with spaces, in front for numbers.
func pad(s string, width int, front bool) string {
	fill := strings.Repeat(" ", max(0, width-Width(s)))
	if front {
		return fill + s
	}
	return s + fill
}
