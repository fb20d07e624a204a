// SPDX-License-Identifier: Apache-2.0

// Package complete is what a shell is told that completes a value of an option
// or an argument; see go-flags' Completer.
package complete

import (
	"strings"

	"github.com/jessevdk/go-flags"
)

// Among are those of some words that begin with what was typed.
func Among(typed string, words ...string) []flags.Completion {
	var all []flags.Completion
	for _, w := range words {
		if strings.HasPrefix(w, typed) {
			all = append(all, flags.Completion{Item: w})
		}
	}
	return all
}
