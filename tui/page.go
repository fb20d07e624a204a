// SPDX-License-Identifier: Apache-2.0

package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// page is what covers the body: help, or the details of a row.
type page struct {
	help bool
	row  rowKey
}

var helpPage = page{help: true}

func (m *model) turnTo(p page) { m.mode, m.page, m.pageTop = reading, p, 0 }

// pageKey scrolls or leaves.
func (m *model) pageKey(name string) tea.Cmd {
	switch name {
	case "esc", "q", "enter", "?", "i", "space", "f1", "h", "left":
		m.mode = moving
	case "down", "j", "+", "ctrl+n", "ctrl+j", "ctrl+e":
		m.pageTop++
	case "up", "k", "K", "-", "ctrl+p", "ctrl+y":
		m.pageTop--
	case "pgdown", "ctrl+f":
		m.pageTop += m.body()
	case "pgup", "ctrl+b":
		m.pageTop -= m.body()
	case "ctrl+d":
		m.pageTop += m.body() / 2
	case "ctrl+u":
		m.pageTop -= m.body() / 2
	case "home", "g":
		m.pageTop = 0
	case "end", "G":
		m.pageTop = 1 << 30
	case "ctrl+l":
		return tea.ClearScreen
	case "ctrl+z":
		return tea.Suspend
	}
	return nil
}

// pageLines are the lines of the page that are seen.
func (m *model) pageLines() []string {
	var all []string
	if m.page.help {
		all = m.helpLines()
	} else {
		all = m.detailLines(m.page.row)
	}
	m.pageTop = max(0, min(m.pageTop, len(all)-m.body()))
	return all[m.pageTop:min(len(all), m.pageTop+m.body())]
}

// entry is a name with a text, which goes on below itself where it is long.
func (m *model) entry(name, text string, column int) []string {
	var all []string
	for i, l := range strings.Split(ansi.Wrap(text, max(10, m.width-column-3), " "), "\n") {
		if i > 0 {
			name = ""
		}
		all = append(all, cut(" "+m.pens.bold.Styled(left(name, column))+" "+l, m.width))
	}
	return all
}

func (m *model) helpLines() []string {
	all := []string{""}
	for _, b := range bindings {
		if b.name != "" {
			name := b.name
			if m.o.ASCII {
				name = strings.NewReplacer("↓", "Down", "↑", "Up", "→", "Right", "←", "Left").Replace(name)
			}
			all = append(all, m.entry(name, b.does, 18)...)
		}
	}
	all = append(all, "")
	for _, e := range [][2]string{
		{"BUSY", "of a GPU: the part of the time in which a program ran on it; of a session: in which it was this one's"},
		{"MEMORY", "the GPU's memory that a session has, and LIMIT what it may have; K, M and G are of 1024. \"its own\" is memory that only the GPU has, \"the machine's\" what it shares with the processors"},
		{"CALLS/S", "the session's calls of the driver a second"},
		{"graphs", "one column a sample, the newest at the right; blank is unknown, full is all of it"},
		{"-", "is unknown: the GPU does not tell, or you may not know"},
	} {
		all = append(all, m.entry(e[0], e[1], 18)...)
	}
	return all
}
