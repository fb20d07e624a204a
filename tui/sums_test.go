// SPDX-License-Identifier: Apache-2.0

package tui

import (
	"fmt"
	"math"
	"testing"

	"nervlinux.org/axon/fleet"
	"nervlinux.org/axon/view"
)

func TestAFoldedMachinesGraphIsBlankWhereNoGPUTells(t *testing.T) {
	nan, half := math.NaN(), 0.5
	machine := &fleet.Machine{
		Last: &view.Machine{GPUs: []view.GPU{{UUID: "a", Busy: &half}, {UUID: "b"}, {UUID: "c"}}},
		GPUs: map[string]fleet.Graphs{"a": {Busy: []float64{nan, 1, nan, 0.5}}, "b": {Busy: []float64{nan, nan, nan, nan}}, "c": {Busy: []float64{0, nan}}},
	}
	s := sum(machine)
	if got := fmt.Sprint(s.graph); got != "[NaN 1 0 0.5]" {
		t.Errorf("%s", got)
	}
	if s.busy == nil || *s.busy != 0.5 || s.used != nil || s.total != nil {
		t.Errorf("%+v", s)
	}
	machine.Last.GPUs[0].Busy = nil
	if s := sum(machine); s.busy != nil {
		t.Errorf("busy is %v where none tells", *s.busy)
	}
}
