// SPDX-License-Identifier: Apache-2.0

package show

import (
	"encoding/csv"
	"io"
	"strconv"
	"time"

	"nervlinux.org/axon/fleet"
)

// csvColumns are what CSV has in each row; a cell is empty if its figure is
// unknown or does not apply to the row's kind. axon(1) promises that new ones
// come at the end.
var csvColumns = []string{
	"time", "machine", "age_seconds", "error", "record", "gpu", "session", "name", "uuid", "busy_ratio", "memory_busy_ratio", "memory_kind", "memory_used_bytes",
	"memory_total_bytes", "memory_limit_bytes", "memory_peak_bytes", "pinned_memory_bytes", "host_memory_bytes", "temperature_celsius", "power_watts",
	"power_limit_watts", "energy_joules", "fan_ratio", "clock_sm_hertz", "clock_memory_hertz", "links", "cpus", "uid", "user", "pid", "since", "calls_total", "calls_per_second",
}

// CSV writes RFC 4180's rows: in the column record machine, gpu or session. A
// session's gpu is the index of its first, and its memory the GPU's that it has.
// Control characters in names are escaped as a shell has them.
func CSV(w io.Writer, machines []*fleet.Machine, now time.Time, header bool) error {
	c := csv.NewWriter(w)
	if header {
		if err := c.Write(csvColumns); err != nil {
			return err
		}
	}
	row := func(m *fleet.Machine, cells map[string]string) {
		cells["time"], cells["machine"] = now.UTC().Format(time.RFC3339Nano), Text(m.Name)
		if age := m.Age(now); age >= 0 {
			cells["age_seconds"] = strconv.FormatFloat(age.Seconds(), 'f', 3, 64)
		}
		if m.Err != nil {
			cells["error"] = Text(m.Err.Error())
		}
		r := make([]string, len(csvColumns))
		for i, name := range csvColumns {
			r[i] = cells[name]
		}
		c.Write(r)
	}
	for _, m := range machines {
		cells := map[string]string{"record": "machine"}
		l := m.Last
		if l == nil {
			row(m, cells)
			continue
		}
		cells["name"], cells["cpus"], cells["busy_ratio"] = Text(l.Host), strconv.Itoa(l.CPUs), real(l.CPUBusy)
		cells["memory_used_bytes"], cells["memory_total_bytes"] = whole(l.MemoryUsed), whole(l.MemoryTotal)
		row(m, cells)
		index := map[string]string{}
		for i := range l.GPUs {
			g := &l.GPUs[i]
			index[g.UUID] = strconv.FormatUint(uint64(g.Index), 10)
			links := ""
			if len(g.Links) > 0 {
				links = Links(g.Links)
			}
			row(m, map[string]string{"record": "gpu", "gpu": index[g.UUID], "name": Text(g.Name), "uuid": Text(g.UUID), "busy_ratio": real(g.Busy),
				"memory_busy_ratio": real(g.MemoryBusy), "memory_kind": Text(g.MemoryKind), "memory_used_bytes": whole(g.MemoryUsed), "memory_total_bytes": whole(g.MemoryTotal),
				"temperature_celsius": real(g.Temperature), "power_watts": real(g.Power), "power_limit_watts": real(g.PowerLimit), "energy_joules": real(g.Energy),
				"fan_ratio": real(g.Fan), "clock_sm_hertz": whole(g.ClockSM), "clock_memory_hertz": whole(g.ClockMemory), "links": links})
		}
		for i := range l.Sessions {
			s := &l.Sessions[i]
			cells := map[string]string{"record": "session", "session": strconv.FormatUint(uint64(s.Session), 10), "name": Command(s), "busy_ratio": real(s.Busy),
				"memory_used_bytes": whole(&s.GPUMemory), "memory_limit_bytes": whole(s.GPUMemoryLimit), "memory_peak_bytes": whole(&s.GPUMemoryPeak),
				"pinned_memory_bytes": whole(&s.PinnedMemory), "host_memory_bytes": whole(s.HostMemory), "uid": strconv.FormatUint(uint64(s.UID), 10),
				"since": s.Since.UTC().Format(time.RFC3339Nano), "calls_total": whole(&s.Calls), "calls_per_second": real(m.CallsPerSecond(s))}
			if len(s.GPUs) > 0 {
				cells["uuid"], cells["gpu"] = Text(s.GPUs[0]), index[s.GPUs[0]]
			}
			if s.User != nil {
				cells["user"] = Text(*s.User)
			}
			if s.PID != nil {
				cells["pid"] = strconv.Itoa(*s.PID)
			}
			row(m, cells)
		}
	}
	c.Flush()
	return c.Error()
}

func real(f *float64) string {
	if f == nil {
		return ""
	}
	return strconv.FormatFloat(*f, 'f', -1, 64)
}

func whole(n *uint64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatUint(*n, 10)
}
