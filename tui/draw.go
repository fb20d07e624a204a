// SPDX-License-Identifier: Apache-2.0

package tui

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"nervlinux.org/axon/fleet"
	"nervlinux.org/axon/fleet/show"
)

// View is tea.Model's: a title, the body, and a last line.
func (m *model) View() tea.View {
	lines := make([]string, 0, m.height)
	lines = append(lines, m.title())
	if m.mode == reading {
		lines = append(lines, m.pageLines()...)
	} else {
		lines = append(lines, m.bodyLines()...)
	}
	for len(lines) < m.height {
		lines = append(lines, "")
	}
	// What is to be read whole lies over the body, until the next key.
	last := m.lastLines()
	last = last[:min(len(last), max(1, m.height-1))]
	lines = append(lines[:m.height-len(last)], last...)
	v := tea.NewView(strings.Join(lines, "\n"))
	v.AltScreen = true
	return v
}

func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + one + "s"
}

func (m *model) title() string {
	gpus, sessions, silent := 0, 0, 0
	for _, machine := range m.machines {
		if machine.Last != nil {
			gpus += len(machine.Last.GPUs)
			sessions += len(machine.Last.Sessions)
		}
		if m.silent(machine) {
			silent++
		}
	}
	parts := []part{{m.pens.bold.Styled("axon"), 9}}
	if len(m.machines) > 1 {
		parts = append(parts, part{plural(len(m.machines), "machine"), 8})
	}
	if silent > 0 {
		parts = append(parts, part{m.pens.bad.Styled(fmt.Sprintf("%d silent", silent)), 7})
	}
	parts = append(parts, part{plural(gpus, "GPU"), 2}, part{plural(sessions, "session"), 4}, part{"sorted by " + m.sortName(), 3})
	if m.filter != "" && m.mode != filtering {
		parts = append(parts, part{"filter: " + cut(show.Text(m.filter), 30) + " (Esc drops it)", 6})
	}
	return line(m.width, parts...)
}

func (m *model) sortName() string {
	if m.reverse {
		return sorts[m.sort].name + ", reversed"
	}
	return sorts[m.sort].name
}

// silent says whether a machine's figures are not what they are now.
func (m *model) silent(machine *fleet.Machine) bool {
	return machine.Err != nil || machine.Last != nil && machine.Age(m.now) > max(3*m.fleet.Interval(), 3*time.Second)
}

// lastLines say what the keys would do, or ask, or tell.
func (m *model) lastLines() []string {
	switch {
	case m.mode == filtering:
		return []string{cut("/"+tail(show.Text(m.filter), m.width-2)+"_", m.width)}
	case m.mode == asking:
		q := m.question()
		if q == "" {
			q = m.ends.who + " has ended by itself; any key goes on."
		}
		return m.told(q)
	case m.mode == reading:
		return []string{m.pens.faint.Styled(cut("Esc or q back  arrows scroll", m.width))}
	case m.said != "":
		return m.told(m.said)
	}
	enter := "details"
	if r := m.selected(); r != nil && r.kind == gpuRow {
		enter = "shell"
	} else if r != nil && r.kind == machineRow {
		enter = "fold"
	}
	return []string{m.pens.faint.Styled(line(m.width, part{"? help", 9}, part{"/ filter", 5}, part{"s sort", 4}, part{"i details", 3}, part{"Enter " + enter, 7}, part{"k end", 6}, part{"q quit", 8}))}
}

// told is a text on as many lines as it needs.
func (m *model) told(text string) []string {
	lines := strings.Split(ansi.Wrap(text, m.width, " "), "\n")
	for i := range lines {
		lines[i] = m.pens.bold.Styled(left(lines[i], m.width))
	}
	return lines
}

// tail is the end of a text that is too wide.
func tail(s string, width int) string {
	for show.Width(s) > width && s != "" {
		s = withoutFirst(s)
	}
	return s
}

// bodyLines are the rows that are seen.
func (m *model) bodyLines() []string {
	if len(m.rows) == 0 {
		what := "There are no machines."
		if m.filter != "" {
			what = "Nothing matches the filter; Esc drops it."
		}
		return []string{"", cut("  "+what, m.width)}
	}
	var lines []string
	above := 0
	for i := range m.rows {
		r := &m.rows[i]
		if above+r.lines > m.top && above < m.top+m.body() {
			for j, text := range m.rowLines(r, i == m.at) {
				if at := above + j; at >= m.top && at < m.top+m.body() {
					lines = append(lines, text)
				}
			}
		}
		above += r.lines
	}
	return lines
}

// rowLines are a row's lines, of the screen's width at most.
func (m *model) rowLines(r *row, selected bool) []string {
	var lines []string
	inner := max(1, m.width-2)
	switch r.kind {
	case gapRow:
		return []string{""}
	case headRow:
		return []string{m.pens.faint.Styled(cut("  "+m.sessionLine(r, nil), m.width))}
	case machineRow:
		lines = append([]string{m.machineLine(r, inner)}, m.errorLines(r.machine, inner)...)
	case gpuRow:
		lines = m.gpuText(r, inner)
	case sessionRow:
		lines = []string{cut(m.sessionLine(r, r.session(m)), inner)}
	}
	for i := range lines {
		mark := "  "
		if selected && i == 0 {
			// Without colour there are still the mark and the reversed line.
			mark = "> "
			lines[i] = m.pens.selected.Styled(left(mark+plain(lines[i]), m.width))
			continue
		}
		lines[i] = cut(mark+lines[i], m.width)
	}
	return lines
}
