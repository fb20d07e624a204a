// SPDX-License-Identifier: Apache-2.0

// Package describe reads API descriptions: the text files under shims/api that say, for each library axon stands in
// for, which types it has, which functions it exports, and how a call of each crosses to the worker.
//
// The steps are: source.go cuts files into statements, parse.go turns statements into declarations, check.go resolves
// names and refuses what cannot be carried. Nothing here knows CUDA: the library's own names (its result type, its
// error values, its prefix) come from the head of the description.
package describe

import (
	"fmt"
	"strings"
)

// A Statement is one declaration of a description: a line that starts in the first column, the indented lines under
// it, and, for a block, the closing brace.
type Statement struct {
	File  string
	Line  int      // of the first line, counted from 1
	Lines []string // without comments, trailing space and empty lines; the indentation is kept
}

// An Error is a fault in a description, with the place to look at.
type Error struct {
	File string
	Line int
	Msg  string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg) }

// Errorf is an error at the statement's first line.
func (s *Statement) Errorf(format string, args ...any) error {
	return &Error{s.File, s.Line, fmt.Sprintf(format, args...)}
}

// Statements cuts a file's text into statements. A comment runs from '#' to the end of the line, but not inside a
// quoted reason.
func Statements(file, text string) ([]*Statement, error) {
	var out []*Statement
	var cur *Statement
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(cutComment(line), " \t\r")
		if line == "" {
			continue
		}
		if strings.ContainsRune(line, 0) {
			return nil, &Error{file, i + 1, "a NUL byte: descriptions are plain text"}
		}
		indented := line[0] == ' ' || line[0] == '\t'
		closing := line[0] == '}'
		if !indented && !closing {
			cur = &Statement{File: file, Line: i + 1}
			out = append(out, cur)
		}
		if cur == nil {
			return nil, &Error{file, i + 1, "an indented line with no declaration above it"}
		}
		cur.Lines = append(cur.Lines, line)
	}
	return out, nil
}

func cutComment(line string) string {
	quoted := false
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '"':
			quoted = !quoted
		case '#':
			if !quoted {
				return line[:i]
			}
		}
	}
	return line
}
