// SPDX-License-Identifier: Apache-2.0

package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// binding is keys with what they do. The page of help is made of these.
//
// k ends a session, as in top, htop and nvtop, though vi goes up with it: who
// presses it to go up is asked, and any key but y says no. vi's other keys for
// a line up, - and Ctrl-P, do that here, and K.
type binding struct {
	keys []string // as tea names them
	name string   // for people
	does string
	do   func(*model) tea.Cmd
}

func just(f func(*model)) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd { f(m); return nil }
}

var bindings []binding

func init() { // not a literal: the page of help is made of it
	bindings = []binding{
		{[]string{"down", "j", "+", "ctrl+n", "ctrl+j"}, "↓  j  +  Ctrl-N", "a row down", just(func(m *model) { m.move(1) })},
		{[]string{"up", "K", "-", "ctrl+p"}, "↑  K  -  Ctrl-P", "a row up (not k, see below)", just(func(m *model) { m.move(-1) })},
		{[]string{"pgdown", "ctrl+f"}, "PgDn  Ctrl-F", "a screen down", just(func(m *model) { m.moveLines(m.body()) })},
		{[]string{"pgup", "ctrl+b"}, "PgUp  Ctrl-B", "a screen up", just(func(m *model) { m.moveLines(-m.body()) })},
		{[]string{"ctrl+d"}, "Ctrl-D", "half a screen down", just(func(m *model) { m.moveLines(m.body() / 2) })},
		{[]string{"ctrl+u"}, "Ctrl-U", "half a screen up", just(func(m *model) { m.moveLines(-m.body() / 2) })},
		{[]string{"home", "g"}, "Home  g", "to the first row", just(func(m *model) { m.put(m.nearest(0)) })},
		{[]string{"end", "G"}, "End  G", "to the last row", just(func(m *model) { m.put(m.nearest(len(m.rows) - 1)) })},
		{[]string{"H"}, "H  M  L", "to the top, middle, bottom of the screen", just(func(m *model) { m.moveTo(0) })},
		{[]string{"M"}, "", "", just(func(m *model) { m.moveTo(m.body() / 2) })},
		{[]string{"L"}, "", "", just(func(m *model) { m.moveTo(m.body() - 1) })},
		{[]string{"tab", "}"}, "Tab  }", "to the next machine", just(func(m *model) { m.moveMachine(1) })},
		{[]string{"shift+tab", "{"}, "Shift-Tab  {", "to the machine before", just(func(m *model) { m.moveMachine(-1) })},
		{[]string{"right", "l"}, "→  l", "unfold a machine", just(func(m *model) { m.fold(false) })},
		{[]string{"left", "h"}, "←  h", "fold it", just(func(m *model) { m.fold(true) })},
		{[]string{"enter"}, "Enter", "on a session: its details; on a GPU: a shell whose programs use it; on a machine: fold or unfold", (*model).enter},
		{[]string{"i", "space"}, "i  Space", "details of a session, a GPU or a machine", just((*model).details)},
		{[]string{"k"}, "k", "end a session, after asking", just((*model).ask)},
		{[]string{"/"}, "/", "filter: words that a machine, GPU, user, program, argument or number has; Enter keeps it, Esc drops it", just(func(m *model) { m.mode = filtering })},
		{[]string{"s"}, "s  S", "sort sessions by the next figure; the other way round", just(func(m *model) { m.sort, m.reverse = (m.sort+1)%len(sorts), false })},
		{[]string{"S"}, "", "", just(func(m *model) { m.reverse = !m.reverse })},
		{[]string{"esc"}, "Esc", "drop the filter", just(func(m *model) { m.filter = "" })},
		{[]string{"ctrl+l"}, "Ctrl-L", "draw the screen anew", func(*model) tea.Cmd { return tea.ClearScreen }},
		{[]string{"ctrl+z"}, "Ctrl-Z", "stop, until fg", func(*model) tea.Cmd { return tea.Suspend }},
		{[]string{"?", "f1"}, "?", "this page", just(func(m *model) { m.turnTo(helpPage) })},
		{[]string{"q", "ctrl+c"}, "q", "quit", func(*model) tea.Cmd { return tea.Quit }},
	}
}

// key does what a key means.
func (m *model) key(k tea.KeyPressMsg) tea.Cmd {
	name := k.String()
	if name == "ctrl+c" {
		return tea.Quit
	}
	switch m.mode {
	case asking:
		m.mode = moving
		if name == "y" || name == "Y" {
			return m.end()
		}
		m.said = m.ends.who + " goes on."
		return nil
	case filtering:
		m.filterKey(name, k.Text)
		return nil
	}
	m.said = ""
	if m.mode == reading {
		return m.pageKey(name)
	}
	for i := range bindings {
		for _, b := range bindings[i].keys {
			if b == name {
				return bindings[i].do(m)
			}
		}
	}
	if k.Text != "" {
		m.said = "There is no key " + cut(printed(k.Text), 8) + "; ? lists those that there are."
	}
	return nil
}

// filterKey edits the filter.
func (m *model) filterKey(name, text string) {
	switch name {
	case "enter":
		m.mode = moving
	case "esc":
		m.mode, m.filter = moving, ""
	case "backspace", "ctrl+h":
		if m.filter == "" {
			m.mode = moving
			return
		}
		m.filter = withoutLast(m.filter)
	case "ctrl+u":
		m.filter = ""
	case "ctrl+w":
		kept := strings.TrimRight(m.filter, " ")
		m.filter = kept[:strings.LastIndex(kept, " ")+1]
	case "up", "down", "pgup", "pgdown":
		m.mode = moving
	default:
		m.filter += printed(text)
	}
}

// enter does what a row is for.
func (m *model) enter() tea.Cmd {
	r := m.selected()
	switch {
	case r == nil:
	case r.kind == machineRow:
		m.folded[r.machine] = m.open(r.machine)
	case r.kind == gpuRow:
		return m.shell(r)
	default:
		m.details()
	}
	return nil
}

// fold folds or unfolds the machine that the cursor is in.
func (m *model) fold(folded bool) {
	if r := m.selected(); r != nil {
		m.folded[r.machine] = folded
		m.cursor = rowKey{kind: machineRow, machine: r.machine}
		if !folded {
			m.cursor = r.key(m)
		}
	}
}

// moveMachine goes to the n-th machine from here.
func (m *model) moveMachine(n int) {
	for i := m.at + n; i >= 0 && i < len(m.rows); i += n {
		if m.rows[i].kind == machineRow {
			m.put(i)
			return
		}
	}
}
