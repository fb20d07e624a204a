// SPDX-License-Identifier: Apache-2.0

package show

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"nervlinux.org/axon/fleet"
)

// The columns of the table. Each but the last is one word, so that awk finds
// them; "-" is unknown or does not apply.
var columns = []struct {
	name   string
	number bool
}{
	{"MACHINE", false}, {"AGE", true}, {"WHAT", false}, {"ID", true}, {"BUSY", true}, {"MEMORY", true}, {"OF", true}, {"KIND", false},
	{"TEMP", true}, {"POWER", true}, {"CLOCK", true}, {"LINKS", false}, {"USER", false}, {"PID", true}, {"CALLS/S", true}, {"SINCE", false}, {"NAME", false},
}

// Table writes one table: for each machine a row, then its GPUs', then its
// sessions'. MEMORY is what is used OF what there is; of a session, OF is its
// limit. ID is a GPU's index or a session's number. Without header it begins with
// the first machine.
func Table(w io.Writer, machines []*fleet.Machine, now time.Time, header bool) error {
	rows := [][]string{nil}
	for _, c := range columns {
		rows[0] = append(rows[0], c.name)
	}
	row := func(m *fleet.Machine, cells map[string]string) {
		r := make([]string, len(columns))
		for i, c := range columns {
			if r[i] = cells[c.name]; r[i] == "" {
				r[i] = Unknown
			}
		}
		r[0], r[1] = Word(m.Name), Age(m.Age(now))
		rows = append(rows, r)
	}
	for _, m := range machines {
		cells := map[string]string{"WHAT": "machine"}
		var said []string
		if l := m.Last; l != nil {
			cells["BUSY"], cells["MEMORY"], cells["OF"] = Percent(l.CPUBusy), BytesOf(l.MemoryUsed), BytesOf(l.MemoryTotal)
			said = append(said, fmt.Sprintf("%d CPUs", l.CPUs))
			if l.Driver != nil {
				said = append(said, "driver "+Text(*l.Driver))
			}
			if l.CUDA != nil {
				said = append(said, "CUDA "+Text(*l.CUDA))
			}
			if l.GPUsError != nil {
				said = append(said, Text(*l.GPUsError))
			}
		}
		if m.Err != nil {
			said = append(said, Text(m.Err.Error()))
		}
		cells["NAME"] = strings.Join(said, ", ")
		row(m, cells)
		if m.Last == nil {
			continue
		}
		for i := range m.Last.GPUs {
			g := &m.Last.GPUs[i]
			row(m, map[string]string{"WHAT": "gpu", "ID": strconv.FormatUint(uint64(g.Index), 10), "BUSY": Percent(g.Busy), "MEMORY": BytesOf(g.MemoryUsed),
				"OF": BytesOf(g.MemoryTotal), "KIND": Word(g.MemoryKind), "TEMP": Whole(g.Temperature, "C"), "POWER": Whole(g.Power, "W"),
				"CLOCK": MHz(g.ClockSM, "MHz"), "LINKS": Links(g.Links), "NAME": Text(g.Name)})
		}
		for i := range m.Last.Sessions {
			s := &m.Last.Sessions[i]
			cells := map[string]string{"WHAT": "session", "ID": strconv.FormatUint(uint64(s.Session), 10), "BUSY": Percent(s.Busy), "MEMORY": Bytes(s.GPUMemory),
				"OF": BytesOf(s.GPUMemoryLimit), "USER": User(s), "CALLS/S": Count(m.CallsPerSecond(s)), "SINCE": s.Since.Format(time.RFC3339), "NAME": Command(s)}
			if s.PID != nil {
				cells["PID"] = strconv.Itoa(*s.PID)
			}
			row(m, cells)
		}
	}
	widths := make([]int, len(columns)-1)
	for _, r := range rows {
		for i := range widths {
			widths[i] = max(widths[i], Width(r[i]))
		}
	}
	if !header {
		rows = rows[1:] // the columns are as wide as with it
	}
	var b strings.Builder
	for _, r := range rows {
		for i, cell := range r[:len(widths)] {
			b.WriteString(pad(cell, widths[i], columns[i].number))
			b.WriteString("  ")
		}
		b.WriteString(r[len(widths)])
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}
