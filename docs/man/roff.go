// SPDX-License-Identifier: Apache-2.0

package man

import (
	"regexp"
	"strings"
)

// writer makes roff of plain text.
//
// A paragraph ends at an empty line. A line that begins with "$ " or "# ", or
// with a tab, is an example, set as it is. "term:: text" is an entry of a list, up to
// the paragraph's end.
// What is typed is set in bold: what stands between backquotes, options, names
// of pages of the manual, variables and other names of capitals; and what stands for
// something else, or is a file, in italics.
type writer struct {
	strings.Builder
	values map[string]bool // words that stand for values
}

func (w *writer) raw(line string) {
	w.WriteString(line)
	w.WriteByte('\n')
}

// knowWords notes the words of capitals in a command's usage as values.
func (w *writer) knowWords(usage string) {
	for _, word := range strings.FieldsFunc(usage, func(r rune) bool { return r < 'A' || r > 'Z' }) {
		w.values[word] = true
	}
}

// between finds the empty lines within an example.
var between = regexp.MustCompile(`\n\n\t`)

var entry = regexp.MustCompile(`^(\S.*?):: `)

// prose writes paragraphs. They begin where the page stands, and what comes after
// them says itself how it begins.
func (w *writer) prose(text string) {
	text = between.ReplaceAllString(text, "\n\t\n\t")
	for i, paragraph := range strings.Split(strings.Trim(text, "\n"), "\n\n") {
		lines := strings.Split(paragraph, "\n")
		term := entry.FindStringSubmatch(lines[0])
		switch {
		case paragraph == "":
			continue
		case term != nil:
			w.raw(".TP")
			w.raw(w.marked(term[1], true))
			lines[0] = strings.TrimPrefix(lines[0], term[0])
		case i > 0:
			w.raw(".PP")
		}
		w.paragraph(lines)
	}
}

func (w *writer) paragraph(lines []string) {
	in := false // an example
	var running []string
	flush := func() {
		if len(running) > 0 {
			w.running(w.marked(strings.Join(running, " "), false))
			running = nil
		}
	}
	for _, l := range lines {
		example := strings.HasPrefix(l, "$ ") || strings.HasPrefix(l, "# ") || strings.HasPrefix(l, "\t")
		if example != in {
			flush()
			if example {
				w.raw(".RS 4\n.nf")
			} else {
				w.raw(".fi\n.RE")
			}
			in = example
		}
		if example {
			w.raw(guarded(escape(strings.TrimPrefix(l, "\t"))))
		} else if l != "" {
			running = append(running, l)
		}
	}
	flush()
	if in {
		w.raw(".fi\n.RE")
	}
}

var sentence = regexp.MustCompile(`([^.][.;])((?:\\f.)*) ([A-Z\\])`)

// running writes a paragraph's text in lines of a good length, and begins one
// with each sentence: that is how roff tells where one ends.
func (w *writer) running(text string) {
	const most = 79
	text = sentence.ReplaceAllString(text, "$1$2\n$3")
	for line := range strings.SplitSeq(text, "\n") {
		at := 0
		for i, word := range strings.Split(line, " ") {
			switch {
			case i == 0:
				word = guarded(word)
			case at+1+len(word) > most:
				w.WriteByte('\n')
				word, at = guarded(word), 0
			default:
				w.WriteByte(' ')
				at++
			}
			w.WriteString(word)
			at += len(word)
		}
		w.WriteByte('\n')
	}
}

// guarded is a line that cannot be taken for a request.
func guarded(line string) string {
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		return `\&` + line
	}
	return line
}

// escape is text as roff has it.
func escape(s string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "^", `\(ha`, "~", `\(ti`).Replace(s)
}

func bold(s string) string   { return `\fB` + escape(s) + `\fR` }
func italic(s string) string { return `\fI` + escape(s) + `\fR` }

// word finds what is set in another type, the longest first.
var word = regexp.MustCompile("`[^`]+`" + // typed
	`|"[^" ]*"` + // a value's text
	`|[a-z][a-z0-9_.+-]*\([1-8]\)` + // a page of the manual
	`|\B--[a-z][a-z-]*` + // an option
	`|\B~?/[A-Za-z0-9_.~/-]*[A-Za-z0-9_/-]` + // a file
	`|[a-z]+\.so\.[0-9]+` + // a library
	`|\bax(?:ond\.toml|ond|on-worker|on run)\b` +
	`|\b[a-z]+(?:[-.@][a-zA-Z0-9]+)*\.(?:scope|slice|socket|service)\b` +
	`|\b[A-Z][A-Z0-9]*_[A-Z0-9_]*=?` + // a variable, an error
	`|\b(?:Memory|Tasks)(?:Max|High)\b` + // a unit's setting
	`|\b(?:cu|nv)[A-Z][A-Za-z0-9]+` + // a call
	`|\b[A-Z][A-Z]+[0-9]*\b`) // a value, or an abbreviation

// marked is running text.
func (w *writer) marked(s string, term bool) string {
	var b strings.Builder
	at := 0
	for _, m := range word.FindAllStringIndex(s, -1) {
		b.WriteString(plain(s[at:m[0]]))
		is := s[m[0]:m[1]]
		at = m[1]
		switch {
		case is[0] == '`':
			b.WriteString(bold(strings.Trim(is, "`")))
		case is[0] == '"':
			b.WriteString(plain(is))
		case strings.HasSuffix(is, ")"):
			name, section, _ := strings.Cut(is, "(")
			b.WriteString(bold(name) + "(" + section)
		case is[0] == '/', is[0] == '~', strings.Contains(is, ".so."):
			b.WriteString(italic(is))
		case w.values[is] && !strings.HasSuffix(s[:m[0]], "-"):
			b.WriteString(italic(is))
		case strings.Trim(is, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == "" && !term:
			b.WriteString(plain(is)) // GPU, JSON
		default:
			b.WriteString(bold(is))
		}
	}
	b.WriteString(plain(s[at:]))
	return b.String()
}

// plain is running text with nothing marked: a hyphen stays one.
func plain(s string) string {
	return strings.NewReplacer(`\`, `\e`, "'", `\(aq`, `"`, `\(dq`).Replace(s)
}
