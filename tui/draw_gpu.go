// SPDX-License-Identifier: Apache-2.0

package tui

import (
	"strconv"
	"time"

	"nervlinux.org/axon/fleet"
	"nervlinux.org/axon/fleet/show"
	"nervlinux.org/axon/view"
)

// gpuLines is how many lines a GPU has without its graphs.
func (m *model) gpuLines() int {
	if m.width >= 150 {
		return 1
	}
	return 2
}

// graphHeight is how many lines a GPU's graphs have; 0 is a short one in its
// line. It depends on what does not change from second to second.
func (m *model) graphHeight() int {
	gpus := 0
	for i, machine := range m.machines {
		if machine.Last != nil && m.open(i) {
			gpus += len(machine.Last.GPUs)
		}
	}
	return min((m.height-8)/(4*max(1, gpus)), 6)
}

// gpuText is a GPU's lines.
func (m *model) gpuText(r *row, width int) []string {
	g := r.gpu(m)
	graphs := m.machines[r.machine].GPUs[g.UUID]
	height := m.graphHeight()
	spark := func(values []float64, pen func(string) string) string {
		if height > 0 {
			return ""
		}
		return pen(graph(values, m.sparkWidth(), 1, m.o.ASCII)[0])
	}
	part1 := fleet.Part(g.MemoryUsed, g.MemoryTotal)
	first := []part{
		{"GPU " + left(strconv.FormatUint(uint64(g.Index), 10), 2) + " " + left(show.Text(g.Name), min(max(11, show.Width(show.Text(g.Name))), max(12, m.width/4))), 99},
		{"busy " + right(show.Percent(g.Busy), 4), 90},
		{spark(graphs.Busy, m.pens.busy.Styled), 50},
		{"memory " + right(show.BytesOf(g.MemoryUsed)+" / "+show.BytesOf(g.MemoryTotal), 13) + " " + right(show.Percent(&part1), 4), 85},
		{spark(graphs.Memory, m.pens.memory.Styled), 45},
		{whose(g), 80},
	}
	power := show.Whole(g.Power, "")
	if g.PowerLimit != nil {
		power += " / " + show.Whole(g.PowerLimit, "")
	}
	if power != show.Unknown {
		power += " W"
	}
	second := []part{{right(show.Whole(g.Temperature, " C"), 5), 70}, {right(power, 11), 65}, {right(show.MHz(g.ClockSM, " MHz"), 8), 60}}
	if g.ClockMemory != nil {
		second = append(second, part{"memory " + show.MHz(g.ClockMemory, " MHz"), 30})
	}
	for _, l := range g.Links {
		second = append(second, part{linkText(l), 35})
	}
	var lines []string
	if m.gpuLines() == 1 {
		lines = []string{line(width, append(first, second...)...)}
	} else {
		lines = []string{line(width, first...), "       " + line(max(1, width-7), second...)}
	}
	if height > 0 {
		lines = append(lines, m.graphLines(graphs, width, height)...)
	}
	return lines
}

// whose says whose a GPU's memory is.
func whose(g *view.GPU) string {
	if g.MemoryKind == view.MemoryMachine {
		return "the machine's"
	}
	return "its own"
}

// graphLines are a GPU's two graphs, side by side.
func (m *model) graphLines(graphs fleet.Graphs, width, height int) []string {
	const label = 7
	each := max(1, (width-2*label-1)/2)
	busy, memory := graph(graphs.Busy, each, height, m.o.ASCII), graph(graphs.Memory, each, height, m.o.ASCII)
	lines := make([]string, height)
	for i := range lines {
		a, b := "", ""
		if i == 0 {
			a, b = "busy", "memory"
		} else if i == height-1 {
			a = show.Age(time.Duration(min(each, len(graphs.Busy))) * m.fleet.Interval())
		}
		lines[i] = cut(m.pens.faint.Styled(left(a, label))+m.pens.busy.Styled(busy[i])+" "+m.pens.faint.Styled(left(b, label))+m.pens.memory.Styled(memory[i]), width)
	}
	return lines
}

// linkText is a link for people.
func linkText(l view.Link) string {
	name := map[string]string{"pcie": "PCIe", "nvlink": "NVLink", "c2c": "C2C"}[l.Kind]
	if name == "" {
		name = show.Text(l.Kind)
	}
	if l.Generation != nil {
		name += " " + strconv.FormatUint(uint64(*l.Generation), 10)
	}
	if l.Width != nil {
		name += " x" + strconv.FormatUint(uint64(*l.Width), 10)
	}
	if l.Count != 1 {
		name = strconv.FormatUint(uint64(l.Count), 10) + "x " + name
	}
	return name
}

// gpuOf is a GPU of a machine by its UUID; nil if it is not there any more.
func gpuOf(machine *fleet.Machine, uuid string) *view.GPU {
	if machine.Last == nil {
		return nil
	}
	for i := range machine.Last.GPUs {
		if g := &machine.Last.GPUs[i]; g.UUID == uuid {
			return g
		}
	}
	return nil
}
