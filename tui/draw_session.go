// SPDX-License-Identifier: Apache-2.0

package tui

import (
	"strconv"
	"strings"
	"time"

	"nervlinux.org/axon/fleet"
	"nervlinux.org/axon/fleet/show"
	"nervlinux.org/axon/view"
)

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
		if g := gpuOf(machine, uuid); g != nil {
			name = strconv.FormatUint(uint64(g.Index), 10)
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
