// SPDX-License-Identifier: Apache-2.0

package tui

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"nervlinux.org/axon/fleet"
	"nervlinux.org/axon/fleet/show"
	"nervlinux.org/axon/view"
)

// rowKind is what a row shows.
type rowKind int

const (
	machineRow rowKind = iota
	gpuRow
	headRow // above sessions
	sessionRow
	gapRow
)

// row is something on the screen, of one or more lines. The cursor is on
// machines, GPUs and sessions.
type row struct {
	kind    rowKind
	machine int // index
	index   int // of the GPU or session in the sample
	lines   int
}

// rowKey finds a row again after rows came and went.
type rowKey struct {
	kind    rowKind
	machine int
	gpu     string
	session fleet.SessionKey
}

func (r *row) gpu(m *model) *view.GPU         { return &m.machines[r.machine].Last.GPUs[r.index] }
func (r *row) session(m *model) *view.Session { return &m.machines[r.machine].Last.Sessions[r.index] }
func (r *row) stops() bool                    { return r.kind != headRow && r.kind != gapRow }

func (r *row) key(m *model) rowKey {
	k := rowKey{kind: r.kind, machine: r.machine}
	switch r.kind {
	case gpuRow:
		k.gpu = r.gpu(m).UUID
	case sessionRow:
		k.session = fleet.KeyOf(r.session(m))
	}
	return k
}

// sorts are the orders of a machine's sessions: the largest first where it is a
// number.
var sorts = []struct {
	name string
	less func(m *fleet.Machine, a, b *view.Session) int
}{
	{"memory", func(_ *fleet.Machine, a, b *view.Session) int { return cmp.Compare(b.GPUMemory, a.GPUMemory) }},
	{"busy", func(_ *fleet.Machine, a, b *view.Session) int { return unknownLast(a.Busy, b.Busy) }},
	{"calls", func(m *fleet.Machine, a, b *view.Session) int {
		return unknownLast(m.CallsPerSecond(a), m.CallsPerSecond(b))
	}},
	{"newest", func(_ *fleet.Machine, a, b *view.Session) int { return b.Since.Compare(a.Since) }},
	{"user", func(_ *fleet.Machine, a, b *view.Session) int { return cmp.Compare(show.User(a), show.User(b)) }},
	{"program", func(_ *fleet.Machine, a, b *view.Session) int { return cmp.Compare(show.Command(a), show.Command(b)) }},
	{"session", func(_ *fleet.Machine, a, b *view.Session) int { return cmp.Compare(a.Session, b.Session) }},
}

func unknownLast(a, b *float64) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	return cmp.Compare(*b, *a)
}

// openUpTo is how many machines are shown with what is on them at first.
const openUpTo = 4

// open says whether a machine's GPUs and sessions are shown.
func (m *model) open(machine int) bool {
	if folded, ok := m.folded[machine]; ok {
		return !folded
	}
	return len(m.machines) <= openUpTo || m.filter != ""
}

// build makes the rows of what passes the filter.
func (m *model) build() []row {
	var rows []row
	words := strings.Fields(strings.ToLower(m.filter))
	height := m.graphHeight()
	for i, machine := range m.machines {
		all := matches(words, machine.Name)
		var inside []row
		if machine.Last != nil {
			for g := range machine.Last.GPUs {
				gpu := &machine.Last.GPUs[g]
				if all || matches(words, machine.Name, gpu.Name, gpu.UUID, "gpu"+strconv.Itoa(int(gpu.Index))) {
					inside = append(inside, row{gpuRow, i, g, m.gpuLines() + height})
				}
			}
			var sessions []row
			for s := range machine.Last.Sessions {
				session := &machine.Last.Sessions[s]
				if all || matches(words, machine.Name, sessionText(session)) {
					sessions = append(sessions, row{sessionRow, i, s, 1})
				}
			}
			if len(sessions) > 0 {
				m.order(machine, sessions)
				inside = append(append(inside, row{headRow, i, 0, 1}), sessions...)
			}
		}
		if !all && len(inside) == 0 {
			continue
		}
		if len(rows) > 0 && rows[len(rows)-1].kind != machineRow {
			rows = append(rows, row{gapRow, i, 0, 1})
		}
		rows = append(rows, row{machineRow, i, 0, 1 + len(m.errorLines(i, max(1, m.width-2)))})
		if m.open(i) {
			rows = append(rows, inside...)
		}
	}
	return rows
}

func (m *model) order(machine *fleet.Machine, sessions []row) {
	all := machine.Last.Sessions
	slices.SortStableFunc(sessions, func(x, y row) int {
		c := cmp.Or(sorts[m.sort].less(machine, &all[x.index], &all[y.index]), cmp.Compare(all[x.index].Session, all[y.index].Session))
		if m.reverse {
			return -c
		}
		return c
	})
}

// sessionText is what the filter looks at.
func sessionText(s *view.Session) string {
	text := []string{show.User(s), s.Program, strconv.FormatUint(uint64(s.Session), 10)}
	if s.PID != nil {
		text = append(text, strconv.Itoa(*s.PID))
	}
	return strings.Join(append(text, s.Args...), " ")
}

// matches says whether every word is somewhere.
func matches(words []string, texts ...string) bool {
	if len(words) == 0 {
		return true
	}
	in := strings.ToLower(strings.Join(texts, " "))
	for _, w := range words {
		if !strings.Contains(in, w) {
			return false
		}
	}
	return true
}

// follow puts the cursor onto the row that it was on, or one near it, and
// scrolls so that it is seen.
func (m *model) follow() {
	found := -1
	for i := range m.rows {
		if m.rows[i].stops() && m.rows[i].key(m) == m.cursor {
			found = i
			break
		}
	}
	if found < 0 {
		found = m.nearest(m.at)
	}
	m.put(found)
}

// nearest is the row nearest to i on which the cursor can be; -1 if there is none.
func (m *model) nearest(i int) int {
	i = min(max(i, 0), len(m.rows)-1)
	for d := 0; d <= len(m.rows); d++ {
		for _, j := range []int{i - d, i + d} {
			if j >= 0 && j < len(m.rows) && m.rows[j].stops() {
				return j
			}
		}
	}
	return -1
}

// put puts the cursor onto row i, -1 for none.
func (m *model) put(i int) {
	m.at = i
	lines, above, height := 0, 0, 0
	for j := range m.rows {
		if j == i {
			above, height = lines, m.rows[j].lines
		}
		lines += m.rows[j].lines
	}
	if i >= 0 {
		m.cursor = m.rows[i].key(m)
		// The line above a first session or GPU explains it.
		before := 0
		if i > 0 && m.rows[i].kind != machineRow && (m.rows[i-1].kind == headRow || m.rows[i-1].kind == machineRow) {
			before = 1
		}
		m.top = min(m.top, above-before)
		m.top = max(m.top, above+min(height, m.body())-m.body())
	}
	m.top = max(0, min(m.top, lines-m.body()))
}

// move moves the cursor by n rows on which it can be.
func (m *model) move(n int) {
	step, i := 1, m.at
	if n < 0 {
		step, n = -1, -n
	}
	for j := i + step; n > 0 && j >= 0 && j < len(m.rows); j += step {
		if m.rows[j].stops() {
			i = j
			n--
		}
	}
	m.put(i)
}

// moveLines moves the cursor by about n lines.
func (m *model) moveLines(n int) {
	step, left, i := 1, n, m.at
	if n < 0 {
		step, left = -1, -n
	}
	for left > 0 && i+step >= 0 && i+step < len(m.rows) {
		i += step
		left -= m.rows[i].lines
	}
	m.put(m.nearest(i))
}

// moveTo moves the cursor to a line of the screen: 0 is the first that is shown.
func (m *model) moveTo(line int) {
	line += m.top
	for i := range m.rows {
		if line -= m.rows[i].lines; line < 0 {
			m.put(m.nearest(i))
			return
		}
	}
	m.put(m.nearest(len(m.rows) - 1))
}

// body is how many lines there are between the title and the last line.
func (m *model) body() int { return max(1, m.height-2) }
