// SPDX-License-Identifier: Apache-2.0

// Package mistake says what is wrong with a command line in the words of who
// typed it: go-flags and strconv name types and functions of Go's.
package mistake

import "regexp"

var (
	// go-flags 1.6, Parser.marshalError.
	argument = regexp.MustCompile("^invalid argument for flag `([^']*)'(?: \\(expected [^)]*\\))?: ")
	number   = regexp.MustCompile(`strconv\.Parse(?:Int|Uint): parsing ("(?:[^"\\]|\\.)*"): (invalid syntax|value out of range)`)
)

// Text is an error of go-flags' parser for a person, on one line.
func Text(err error) string {
	text := argument.ReplaceAllString(err.Error(), "$1: ")
	return number.ReplaceAllStringFunc(text, func(found string) string {
		m := number.FindStringSubmatch(found)
		if m[2] == "invalid syntax" {
			return m[1] + " is no whole number"
		}
		return m[1] + " is out of its range"
	})
}
