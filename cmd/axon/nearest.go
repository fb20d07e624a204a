// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
)

// unknown is the error for a command that does not exist, with the one that was
// probably meant.
func unknown(args []string, all []command) error {
	name := ""
	for _, a := range args {
		if !strings.HasPrefix(a, "-") {
			name = a
			break
		}
	}
	best, distance := "", 3 // three wrong letters are another word
	for _, c := range all {
		if d := editDistance(name, c.name); d < distance && d < len(c.name)-1 {
			best, distance = c.name, d
		}
	}
	if best == "" {
		return fmt.Errorf("there is no command %q", name)
	}
	return fmt.Errorf("there is no command %q (did you mean axon %s?)", name, best)
}

// editDistance counts the letters to insert, delete, change or swap with their
// neighbour to make b of a.
func editDistance(a, b string) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}
