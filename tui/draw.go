// SPDX-License-Identifier: Apache-2.0

package tui

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"nervlinux.org/axon/fleet"
	"nervlinux.org/axon/fleet/show"
	"nervlinux.org/axon/view"
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

// sums are what a machine's GPUs do together.
type sums struct {
	busy        *float64 // the mean
	graph       []float64
	used, total *uint64
}

func sum(machine *fleet.Machine) sums {
	var s sums
	var busy float64
	n := 0
	shared := false
	for i := range machine.Last.GPUs {
		g := &machine.Last.GPUs[i]
		if g.Busy != nil {
			busy += *g.Busy
			n++
		}
		if shared && g.MemoryKind == view.MemoryMachine {
			continue // it is there once
		}
		shared = shared || g.MemoryKind == view.MemoryMachine
		s.used, s.total = added(s.used, g.MemoryUsed), added(s.total, g.MemoryTotal)
	}
	if n > 0 {
		busy /= float64(n)
		s.busy = &busy
	}
	for i := range machine.Last.GPUs {
		add := machine.GPUs[machine.Last.GPUs[i].UUID].Busy
		for len(s.graph) < len(add) {
			s.graph = append([]float64{0}, s.graph...)
		}
		for j, v := range add {
			if !math.IsNaN(v) {
				s.graph[len(s.graph)-len(add)+j] += v / float64(len(machine.Last.GPUs))
			}
		}
	}
	return s
}

// added is a sum of what is known.
func added(a, b *uint64) *uint64 {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	n := *a + *b
	return &n
}

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
	kind := "its own"
	if g.MemoryKind == view.MemoryMachine {
		kind = "the machine's"
	}
	part1 := fleet.Part(g.MemoryUsed, g.MemoryTotal)
	first := []part{
		{"GPU " + left(strconv.FormatUint(uint64(g.Index), 10), 2) + " " + left(show.Text(g.Name), min(max(11, show.Width(show.Text(g.Name))), max(12, m.width/4))), 99},
		{"busy " + right(show.Percent(g.Busy), 4), 90},
		{spark(graphs.Busy, m.pens.busy.Styled), 50},
		{"memory " + right(show.BytesOf(g.MemoryUsed)+" / "+show.BytesOf(g.MemoryTotal), 13) + " " + right(show.Percent(&part1), 4), 85},
		{spark(graphs.Memory, m.pens.memory.Styled), 45},
		{kind, 80},
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

// sessionLine is a session on one line; nil is the line above them.
func (m *model) sessionLine(r *row, s *view.Session) string {
	machine := m.machines[r.machine]
	user, gpu := 8, 3
	if m.width >= 120 {
		user, gpu = 16, 8
	}
	if len(machine.Last.GPUs) < 2 {
		gpu = 0
	}
	cells := []string{"SESSION", "USER", "PID", "GPU", "MEMORY", "LIMIT", "BUSY", "CALLS/S", "SINCE", "PROGRAM"}
	if s != nil {
		pid := show.Unknown
		if s.PID != nil {
			pid = strconv.Itoa(*s.PID)
		}
		cells = []string{strconv.FormatUint(uint64(s.Session), 10), show.User(s), pid, m.gpusOf(machine, s), show.Bytes(s.GPUMemory), show.BytesOf(s.GPUMemoryLimit),
			show.Percent(s.Busy), show.Count(machine.CallsPerSecond(s)), m.clock(s.Since), ""}
		if s.GPUMemoryLimit == nil {
			cells[5] = "none"
		}
		// What is not seen need not be written: arguments may be very long.
		cells[9] = show.Command(shortened(s, m.width))
	}
	out := right(cells[0], 7) + " " + left(cells[1], user) + " " + right(cells[2], 7) + " "
	if gpu > 0 {
		out += left(cells[3], gpu) + " "
	}
	return out + right(cells[4], 6) + " " + right(cells[5], 6) + " " + right(cells[6], 4) + " " + right(cells[7], 7) + " " + left(cells[8], 6) + " " + cells[9]
}

// shortened is a session with no more of its arguments than fit.
func shortened(s *view.Session, width int) *view.Session {
	n := *s
	n.Args = nil
	for left := width; left > 0 && len(n.Args) < len(s.Args); {
		a := s.Args[len(n.Args)]
		if len(a) > 4*width { // a letter has four bytes at most
			a = strings.ToValidUTF8(a[:4*width], "") + "~"
		}
		n.Args = append(n.Args, a)
		left -= len(a)/4 + 1
	}
	return &n
}

// gpusOf are the indices of a session's GPUs.
func (m *model) gpusOf(machine *fleet.Machine, s *view.Session) string {
	var all []string
	for _, uuid := range s.GPUs {
		name := "?"
		for i := range machine.Last.GPUs {
			if machine.Last.GPUs[i].UUID == uuid {
				name = strconv.FormatUint(uint64(machine.Last.GPUs[i].Index), 10)
			}
		}
		all = append(all, name)
	}
	if all == nil {
		return show.Unknown
	}
	return strings.Join(all, ",")
}

// clock is a moment for people: the time if it is less than 20 hours ago, else the day.
func (m *model) clock(t time.Time) string {
	if d := m.now.Sub(t); d < 20*time.Hour && d > -20*time.Hour {
		return t.Local().Format("15:04")
	}
	return t.Local().Format("Jan 02")
}
