// SPDX-License-Identifier: Apache-2.0

package tui

import (
	"math"

	"nervlinux.org/axon/fleet"
)

// sums are what a machine's GPUs do together.
type sums struct {
	busy        *float64  // the mean of those that tell
	graph       []float64 // the same over time, NaN where none told
	used, total *uint64
}

func sum(machine *fleet.Machine) sums {
	var s sums
	s.used, s.total = fleet.GPUMemory(machine.Last)
	var now, told []float64
	length := 0
	for i := range machine.Last.GPUs {
		g := &machine.Last.GPUs[i]
		if g.Busy != nil {
			now = append(now, *g.Busy)
		}
		length = max(length, len(machine.GPUs[g.UUID].Busy))
	}
	if len(now) > 0 {
		busy := mean(now)
		s.busy = &busy
	}
	for ago := length; ago > 0; ago-- {
		told = told[:0]
		for i := range machine.Last.GPUs {
			// One that came later has a shorter graph.
			if busy := machine.GPUs[machine.Last.GPUs[i].UUID].Busy; len(busy) >= ago && !math.IsNaN(busy[len(busy)-ago]) {
				told = append(told, busy[len(busy)-ago])
			}
		}
		s.graph = append(s.graph, mean(told))
	}
	return s
}

// mean is NaN of nothing.
func mean(all []float64) float64 {
	total := 0.0
	for _, v := range all {
		total += v
	}
	return total / float64(len(all))
}
