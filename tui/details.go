// SPDX-License-Identifier: Apache-2.0

package tui

import (
	"fmt"
	"strconv"

	"nervlinux.org/axon/fleet"
	"nervlinux.org/axon/fleet/show"
	"nervlinux.org/axon/view"
)

// details shows all that is known of the row under the cursor.
func (m *model) details() {
	if r := m.selected(); r != nil {
		m.turnTo(page{row: r.key(m)})
	}
}

// detailColumn is how wide the names of details are.
const detailColumn = 18

// detailLines are a row's details as they are now.
func (m *model) detailLines(k rowKey) []string {
	lines := []string{""}
	add := func(name, text string) { lines = append(lines, m.entry(name, text, detailColumn)...) }
	if k.machine >= len(m.machines) {
		return lines
	}
	machine := m.machines[k.machine]
	switch k.kind {
	case machineRow:
		m.machineDetails(machine, add)
		return lines
	case gpuRow:
		if g := gpuOf(machine, k.gpu); g != nil {
			gpuDetails(g, add)
			return lines
		}
	case sessionRow:
		if s := m.find(ending{machine: k.machine, key: k.session}); s != nil {
			m.sessionDetails(machine, s, add)
			return lines
		}
	}
	return append(lines, cut(" It is not there any more.", m.width))
}

func (m *model) machineDetails(machine *fleet.Machine, add func(name, text string)) {
	add("machine", show.Text(machine.Name))
	if machine.Err != nil {
		add("no answer", show.Text(machine.Err.Error()))
	}
	if l := machine.Last; l != nil {
		add("seen", show.Age(machine.Age(m.now))+" ago")
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

func gpuDetails(g *view.GPU, add func(name, text string)) {
	add("GPU", strconv.FormatUint(uint64(g.Index), 10)+"  "+show.Text(g.Name))
	add("UUID", show.Text(g.UUID))
	if g.BusID != nil {
		add("bus", show.Text(*g.BusID))
	}
	add("busy", show.Percent(g.Busy))
	add("memory busy", show.Percent(g.MemoryBusy))
	add("memory", show.BytesOf(g.MemoryUsed)+" of "+show.BytesOf(g.MemoryTotal)+", "+whose(g))
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
}

func (m *model) sessionDetails(machine *fleet.Machine, s *view.Session, add func(name, text string)) {
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
}
