// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"nervlinux.org/axon/nvml"
)

func init() {
	dmon.run = runDmon
	dmon.register()
}

var dmon = monitorKind{subcommand: subcommand{name: "dmon", bare: true, teaches: true, options: slices.Concat(monitorOptions, []option{
	{"", "--format", required, common}, {"", "--gpm-metrics", required, common}, {"", "--gpm-options", required, changes}})},
	columns: dmonColumns, usual: "puc"}

// dmonColumns are what each letter of -s selects.
var dmonColumns = map[byte][]column{
	'p': {{"pwr", "W", 7}, {"gtemp", "C", 7}, {"mtemp", "C", 7}},
	'u': {{"sm", "%", 7}, {"mem", "%", 7}, {"enc", "%", 7}, {"dec", "%", 7}, {"jpg", "%", 7}, {"ofa", "%", 7}},
	'c': {{"mclk", "MHz", 7}, {"pclk", "MHz", 7}},
	'v': {{"pviol", "%", 7}, {"tviol", "bool", 7}},
	'm': {{"fb", "MB", 7}, {"bar1", "MB", 7}, {"ccpm", "MB", 7}},
	'e': {{"sbecc", "errs", 7}, {"dbecc", "errs", 7}, {"pci", "errs", 7}},
	't': {{"rxpci", "MB/s", 7}, {"txpci", "MB/s", 7}},
}

var dmonReadings = map[byte][]reading{
	'p': {rPower, rTemperature, rMemoryTemperature},
	'u': {rUtilization, rUtilEncoder, rUtilDecoder, rUtilJPEG, rUtilOFA},
	'c': {rClocks},
	'v': {rReasons},
	'm': {rMemory, rBAR1, rProtected},
	'e': {rECCCounts, rReplays},
	't': {rTx, rRx},
}

func dmonValues(g *GPU, letter byte) []string {
	size := func(v Val[Mem]) string { return dash(pick(v, func(m Mem) uint64 { return mib(m.Used) })) }
	switch letter {
	case 'p':
		return []string{dash(pick(g.Power, func(n uint32) uint32 { return n / 1000 })), dash(g.Temperature), dash(g.MemoryTemperature)}
	case 'u':
		return []string{dash(g.UtilGPU), dash(g.UtilMemory), dash(g.UtilEncoder), dash(g.UtilDecoder), dash(g.UtilJPEG), dash(g.UtilOFA)}
	case 'c':
		return []string{dash(g.Clocks[memoryClock]), dash(g.Clocks[graphicsClock])}
	case 'v':
		bit := func(mask uint64) Val[uint32] {
			return pick(g.Reasons, func(m uint64) uint32 {
				if m&mask != 0 {
					return 1
				}
				return 0
			})
		}
		// The share of time under the power limit is the difference of two readings; a single one says whether it is now.
		return []string{dash(pick(bit(reasonPowerCap), func(n uint32) uint32 { return 100 * n })), dash(bit(reasonThermal | reasonHWThermal))}
	case 'm':
		return []string{size(g.Memory), size(g.BAR1), size(g.Protected)}
	case 'e':
		return []string{dash(g.Corrected[1].Total), dash(g.Uncorrected[1].Total), dash(g.Replays)}
	case 't':
		mb := func(v Val[uint32]) string { return dash(pick(v, func(n uint32) uint32 { return n / 1000 })) }
		return []string{mb(g.Rx), mb(g.Tx)}
	}
	return nil
}

// dmonFormat is --format: how a line is written, and which lines of the heading are left out.
type dmonFormat struct{ csv, noNames, noUnits bool }

func parseDmonFormat(list string) (f dmonFormat, ok bool) {
	for word := range strings.SplitSeq(list, ",") {
		switch word {
		case "csv":
			f.csv = true
		case "noheader":
			f.noNames = true
		case "nounit":
			f.noUnits = true
		default:
			return f, false
		}
	}
	return f, true
}

func runDmon(ctx context.Context, said *subWords, env Environment) int {
	o, status := dmon.understand(said, env)
	if o == nil {
		return status
	}
	var format dmonFormat
	if given, ok := said.given["--format"]; ok {
		if format, ok = parseDmonFormat(given.value); !ok {
			return unseen(env.Out, "dmon --format "+given.value, nvml.ERROR_INVALID_ARGUMENT)
		}
	}
	columns := o.chosen(dmonColumns)
	own := len(columns) // the rest are GPM's
	if given, ok := said.given["--gpm-metrics"]; ok {
		metrics, ok := unassignedMetrics(given.value)
		if !ok {
			return unseen(env.Out, "dmon --gpm-metrics "+given.value, nvml.ERROR_INVALID_ARGUMENT)
		}
		columns = append(columns, metrics...)
	}
	w := &wants{}
	for i := range o.selected {
		w.add(dmonReadings[o.selected[i]]...)
	}
	head := func(b *bytes.Buffer) {
		names, units := o.heads()
		n, u := padded(columns)
		names, units = names+n+" \n", units+u+" \n"
		if format.csv {
			names, units = o.separated(columns)
		}
		if !format.noNames {
			b.WriteString(names)
		}
		if !format.noUnits {
			b.WriteString(units)
		}
	}
	return o.run(ctx, env, head, func(b *bytes.Buffer, s *source, now time.Time) error {
		m, err := s.read(o.ids, w, env.Now)
		if err != nil {
			return err
		}
		for _, g := range m.GPUs {
			var values []string
			for i := range o.selected {
				values = append(values, dmonValues(g, o.selected[i])...)
			}
			for range columns[own:] {
				values = append(values, "-")
			}
			if format.csv {
				start := o.cells(now.Format(dateDigits), now.Format(time.TimeOnly), fmt.Sprint(g.Index))
				fmt.Fprintf(b, " %s\n", strings.Join(append(start, values...), ", "))
				continue
			}
			b.WriteString(o.lineStart(now, g.Index))
			for i, v := range values {
				fmt.Fprintf(b, "%*s", columns[i].width, v)
			}
			b.WriteString(" \n")
		}
		return nil
	})
}

// cells are what begins a line whose values are separated by commas.
func (o *monitor) cells(date, clock, index string) (all []string) {
	if o.date {
		all = append(all, date)
	}
	if o.clock {
		all = append(all, clock)
	}
	return append(all, index)
}

// separated are the columns' two lines of heading, with commas.
func (o *monitor) separated(columns []column) (names, units string) {
	n, u := o.cells("Date", "Time", "gpu"), o.cells("YYYYMMDD", "HH:MM:SS", "Idx")
	for _, c := range columns {
		n, u = append(n, c.name), append(u, c.unit)
	}
	return "#" + strings.Join(n, ", ") + "\n", "#" + strings.Join(u, ", ") + "\n"
}
