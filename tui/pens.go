// SPDX-License-Identifier: Apache-2.0

package tui

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"nervlinux.org/axon/fleet/show"
)

// pens are how text looks. Nothing is said by colour alone, and tea leaves
// colours out where NO_COLOR or the terminal wants none. The colours are the
// terminal's own sixteen, which go with its background.
type pens struct {
	bold, faint, busy, memory, bad, selected ansi.Style
}

func newPens() pens {
	return pens{
		bold:     ansi.NewStyle().Bold(),
		faint:    ansi.NewStyle().Faint(),
		busy:     ansi.NewStyle().ForegroundColor(ansi.Green),
		memory:   ansi.NewStyle().ForegroundColor(ansi.Cyan),
		bad:      ansi.NewStyle().Bold().ForegroundColor(ansi.Red),
		selected: ansi.NewStyle().Reverse(true),
	}
}

// cut makes a text at most so many columns wide.
func cut(s string, width int) string {
	if show.Width(s) <= width {
		return s
	}
	return ansi.Truncate(s, width, "~")
}

// left and right make a text exactly so many columns wide.
func left(s string, width int) string {
	s = cut(s, width)
	return s + strings.Repeat(" ", max(0, width-show.Width(s)))
}

func right(s string, width int) string {
	s = cut(s, width)
	return strings.Repeat(" ", max(0, width-show.Width(s))) + s
}

// plain is a styled text without its styles.
func plain(s string) string { return ansi.Strip(s) }

// printed is what somebody typed or pasted, as it may be shown.
func printed(s string) string { return show.Text(s) }

// withoutLast is a text without its last letter.
func withoutLast(s string) string {
	_, n := utf8.DecodeLastRuneInString(s)
	return s[:len(s)-n]
}

// withoutFirst is a text without its first letter.
func withoutFirst(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return s[n:]
}

// part is a part of a line. Those with the lowest rank are left out where the
// line is too long.
type part struct {
	text string
	rank int
}

// line is as many parts as fit, with two spaces between them.
func line(width int, parts ...part) string {
	for {
		total, lowest := -2, -1
		for i, p := range parts {
			if p.text == "" {
				continue
			}
			total += 2 + show.Width(p.text)
			if lowest < 0 || p.rank < parts[lowest].rank {
				lowest = i
			}
		}
		words := make([]string, 0, len(parts))
		for _, p := range parts {
			if p.text != "" {
				words = append(words, p.text)
			}
		}
		if total <= width || len(words) <= 1 {
			return cut(strings.Join(words, "  "), width)
		}
		parts[lowest].text = ""
	}
}
