// SPDX-License-Identifier: Apache-2.0

package describe

import (
	"fmt"
	"strconv"
	"strings"
)

// Count says how many elements an array argument has: a product of terms, less a number. The language is this small
// so that both halves can compute it with every overflow seen.
//
//	n    n * 4    Height * Pitch    *numNodes    sizeof attribute    tensorRank - 1
type Count struct {
	Terms []Term
	Less  uint64
}

// A Term is a factor: a number, an argument's value, what an inout argument points to, or the size in bytes that a
// 'sizes' table gives for an argument's value.
type Term struct {
	Number uint64
	Name   string
	Deref  bool
	Sizeof bool
}

// ParseCount reads a count.
func ParseCount(text string) (*Count, error) {
	c := &Count{}
	product, less, ok := strings.Cut(text, " - ")
	if ok {
		n, err := strconv.ParseUint(strings.TrimSpace(less), 10, 32)
		if err != nil {
			return nil, fmt.Errorf("count %q: only a number can be taken off", text)
		}
		c.Less = n
	}
	for _, word := range strings.Split(strings.TrimSpace(product), " * ") {
		word = strings.TrimSpace(word)
		t := Term{}
		if n, err := strconv.ParseUint(word, 10, 32); err == nil {
			t.Number = n
			c.Terms = append(c.Terms, t)
			continue
		}
		if rest, is := strings.CutPrefix(word, "sizeof "); is {
			t.Sizeof, word = true, strings.TrimSpace(rest)
		} else if rest, is := strings.CutPrefix(word, "*"); is {
			t.Deref, word = true, rest
		}
		if !isName(word) {
			return nil, fmt.Errorf("count %q: %q is neither a number nor an argument (write products as a * b)", text, word)
		}
		t.Name = word
		c.Terms = append(c.Terms, t)
	}
	return c, nil
}
