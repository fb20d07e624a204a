// SPDX-License-Identifier: Apache-2.0

package tui

import (
	"math"
	"strings"
)

// Steps of a column, from nothing to full.
var (
	blocks      = []string{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}
	asciiBlocks = []string{" ", ".", ":", "-", "=", "+", "*", "#", "@"}
)

// graph draws ratios as columns, the newest at the right, as lines from the top
// down. What is known is never nothing: 0 has the lowest step, and what is
// unknown is blank.
func graph(values []float64, width, height int, ascii bool) []string {
	steps := blocks
	if ascii {
		steps = asciiBlocks
	}
	lines := make([]strings.Builder, height)
	values = values[max(0, len(values)-width):]
	for i := range lines {
		lines[i].WriteString(strings.Repeat(" ", width-len(values)))
	}
	most := height * (len(steps) - 1)
	for _, v := range values {
		level := 0
		if !math.IsNaN(v) {
			level = max(int(math.Round(min(max(v, 0), 1)*float64(most))), 1)
		}
		for i := range lines {
			under := (height - 1 - i) * (len(steps) - 1) // what the lines below hold
			lines[i].WriteString(steps[min(max(level-under, 0), len(steps)-1)])
		}
	}
	all := make([]string, height)
	for i := range lines {
		all[i] = lines[i].String()
	}
	return all
}
