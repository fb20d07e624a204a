// SPDX-License-Identifier: Apache-2.0

package tui

import (
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"nervlinux.org/axon/fleet/show"
	"nervlinux.org/axon/view"
)

// page is what covers the body: help, or the details of a row.
type page struct {
	help bool
	row  rowKey
}

var helpPage = page{help: true}

func (m *model) turnTo(p page) { m.mode, m.page, m.pageTop = reading, p, 0 }

// details shows all that is known of the row under the cursor.
func (m *model) details() {
	if r := m.selected(); r != nil {
		m.turnTo(page{row: r.key(m)})
	}
}

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
		all = m.detailLines()
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

// detailLines are a row's details as they are now.
func (m *model) detailLines() []string {
	all := []string{""}
	add := func(name, text string) { all = append(all, m.entry(name, text, 18)...) }
	k := m.page.row
	if k.machine >= len(m.machines) {
		return all
	}
	machine := m.machines[k.machine]
	gone := append(all, cut(" It is not there any more.", m.width))
	switch k.kind {
	case sessionRow:
		s := m.find(ending{machine: k.machine, key: k.session})
		if s == nil {
			return gone
		}
		add("session", strconv.FormatUint(uint64(s.Session), 10))
		add("machine", show.Text(machine.Name))
		add("user", show.User(s)+", uid "+strconv.FormatUint(uint64(s.UID), 10))
		pid := "unknown here: it is in a container, or another user's that is hidden"
		if s.PID != nil {
			pid = strconv.Itoa(*s.PID)
		}
		add("pid", pid)
		add("program", show.Text(s.Program))
		add("command", show.Command(s))
		add("since", s.Since.Local().Format("2006-01-02 15:04:05")+", "+show.Age(max(0, m.now.Sub(s.Since))))
		for _, uuid := range s.GPUs {
			add("GPU", m.gpusOf(machine, &view.Session{GPUs: []string{uuid}})+"  "+show.Text(uuid))
		}
		add("busy", show.Percent(s.Busy))
		add("GPU memory", show.Bytes(s.GPUMemory)+", at most it was "+show.Bytes(s.GPUMemoryPeak))
		limit := "none"
		if s.GPUMemoryLimit != nil {
			limit = show.Bytes(*s.GPUMemoryLimit)
		}
		add("limit", limit)
		add("pinned memory", show.Bytes(s.PinnedMemory))
		add("worker's memory", show.BytesOf(s.HostMemory))
		add("calls", strconv.FormatUint(s.Calls, 10)+", "+show.Count(machine.CallsPerSecond(s))+" a second")
		scope, remote := show.Unknown, "this one"
		if s.Scope != nil {
			scope = show.Text(*s.Scope)
		}
		if s.Remote != nil {
			remote = show.Text(*s.Remote)
		}
		add("scope", scope)
		add("runs on", remote)
		if s.Scope != nil {
			add("its log", "journalctl -u axond AXON_SESSION="+strconv.FormatUint(uint64(s.Session), 10))
		}
	case gpuRow:
		if machine.Last == nil {
			return gone
		}
		for i := range machine.Last.GPUs {
			if g := &machine.Last.GPUs[i]; g.UUID == k.gpu {
				return append(all, m.gpuDetails(g)...)
			}
		}
		return gone
	default:
		add("machine", show.Text(machine.Name))
		if machine.Err != nil {
			add("no answer", show.Text(machine.Err.Error()))
		}
		add("seen", show.Age(machine.Age(m.now))+" ago")
		if l := machine.Last; l != nil {
			add("calls itself", show.Text(l.Host))
			add("its clock", l.Time.Local().Format("2006-01-02 15:04:05"))
			add("axon", show.Text(l.Axon))
			for _, v := range []struct {
				name string
				is   *string
			}{{"driver", l.Driver}, {"CUDA", l.CUDA}, {"GPUs", l.GPUsError}} {
				if v.is != nil {
					add(v.name, show.Text(*v.is))
				}
			}
			add("processors", fmt.Sprintf("%d, %s busy", l.CPUs, show.Percent(l.CPUBusy)))
			add("memory", show.BytesOf(l.MemoryUsed)+" of "+show.BytesOf(l.MemoryTotal))
		}
	}
	return all
}

func (m *model) gpuDetails(g *view.GPU) (all []string) {
	add := func(name, text string) { all = append(all, m.entry(name, text, 18)...) }
	add("GPU", strconv.FormatUint(uint64(g.Index), 10)+"  "+show.Text(g.Name))
	add("UUID", show.Text(g.UUID))
	if g.BusID != nil {
		add("bus", show.Text(*g.BusID))
	}
	add("busy", show.Percent(g.Busy))
	add("memory busy", show.Percent(g.MemoryBusy))
	kind := "its own"
	if g.MemoryKind == view.MemoryMachine {
		kind = "the machine's"
	}
	add("memory", show.BytesOf(g.MemoryUsed)+" of "+show.BytesOf(g.MemoryTotal)+", "+kind)
	add("temperature", show.Whole(g.Temperature, " C"))
	add("power", show.Whole(g.Power, " W")+" of "+show.Whole(g.PowerLimit, " W"))
	if g.Energy != nil {
		kWh := *g.Energy / 3.6e6
		add("energy", fmt.Sprintf("%.2f kWh since the driver was loaded", kWh))
	}
	add("fan", show.Percent(g.Fan))
	add("clock", show.MHz(g.ClockSM, " MHz"))
	add("memory's clock", show.MHz(g.ClockMemory, " MHz"))
	for _, l := range g.Links {
		add("link", linkText(l))
	}
	return all
}
