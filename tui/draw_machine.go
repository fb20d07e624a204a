// SPDX-License-Identifier: Apache-2.0

package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"nervlinux.org/axon/fleet/show"
)

// machineLine is a machine on one line; with what its GPUs do, if they are not shown.
func (m *model) machineLine(r *row, width int) string {
	machine := m.machines[r.machine]
	open := m.open(r.machine)
	mark := "▸ "
	if open {
		mark = "▾ "
	}
	if m.o.ASCII {
		mark = "+ "
		if open {
			mark = "- "
		}
	}
	name := show.Text(machine.Name)
	if name == "" {
		name = "this machine"
	}
	parts := []part{{mark + m.pens.bold.Styled(left(name, m.nameWidth())), 99}}
	l := machine.Last
	age := show.Age(machine.Age(m.now))
	why := ""
	if machine.Err != nil && !m.explains() {
		why = ": " + cut(show.Text(machine.Err.Error()), max(20, width/3))
	}
	switch {
	case l == nil && machine.Err != nil:
		return line(width, append(parts, part{m.pens.bad.Styled("no answer" + why), 98})...)
	case l == nil:
		return line(width, append(parts, part{"has not answered yet", 98})...)
	case machine.Err != nil:
		parts = append(parts, part{m.pens.bad.Styled("silent for " + age + why), 98})
	case m.silent(machine):
		parts = append(parts, part{m.pens.bad.Styled("silent for " + age), 98})
	default:
		parts = append(parts, part{right(age, 3) + " ago", 82})
	}
	if !open && len(l.GPUs) > 0 {
		s := sum(machine)
		parts = append(parts,
			part{left(plural(len(l.GPUs), "GPU"), 6) + " " + right(show.Percent(s.busy), 4), 90},
			part{m.pens.busy.Styled(graph(s.graph, 12, 1, m.o.ASCII)[0]), 60},
			part{right(show.BytesOf(s.used)+"/"+show.BytesOf(s.total), 11), 85})
	}
	parts = append(parts,
		part{"CPU " + right(show.Percent(l.CPUBusy), 4), 80},
		part{m.pens.busy.Styled(graph(machine.CPU, m.sparkWidth(), 1, m.o.ASCII)[0]), 50},
		part{"memory " + left(show.BytesOf(l.MemoryUsed)+"/"+show.BytesOf(l.MemoryTotal), 11), 75},
		part{m.pens.memory.Styled(graph(machine.Memory, m.sparkWidth(), 1, m.o.ASCII)[0]), 45},
		part{right(plural(len(l.Sessions), "session"), 11), 70})
	if l.GPUsError != nil {
		parts = append(parts, part{m.pens.bad.Styled(show.Text(*l.GPUsError)), 65})
	}
	if open {
		parts = append(parts, part{plural(l.CPUs, "CPU"), 30})
		if l.Driver != nil {
			parts = append(parts, part{"driver " + show.Text(*l.Driver), 20})
		}
		if l.CUDA != nil {
			parts = append(parts, part{"CUDA " + show.Text(*l.CUDA), 10})
		}
	}
	return line(width, parts...)
}

// explains says whether there is room to say at length why a machine is silent.
func (m *model) explains() bool { return len(m.machines) <= openUpTo }

// errorLines say why a machine is silent, and what to do.
func (m *model) errorLines(machine, width int) []string {
	err := m.machines[machine].Err
	if err == nil || !m.explains() {
		return nil
	}
	var lines []string
	for _, l := range strings.Split(ansi.Wrap(show.Text(err.Error()), max(1, width-4), " "), "\n") {
		lines = append(lines, cut("    "+l, width))
	}
	return lines
}

// nameWidth is one for all machines, so that their figures stand in columns.
func (m *model) nameWidth() int {
	w := 6
	for _, machine := range m.machines {
		w = max(w, show.Width(show.Text(machine.Name)))
	}
	return min(w, max(8, m.width/6))
}

func (m *model) sparkWidth() int { return min(max(6, m.width/12), 24) }
