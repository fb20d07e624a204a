// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"fmt"
	"strconv"
	"time"
)

// The other selective queries have several rows for a GPU, so what they print
// is found for a GPU and the number of a row.

// app is a GPU and one row of it.
type app struct {
	process   *Process
	accounted *Accounted
	clocks    [2]uint32 // memory, graphics
	retired   *Retired
	cause     string
	why       Return // there is no page
}

type rowField struct {
	field
	row func(a *app) out // instead of field.get
}

func ofGPU(names string, f *field) rowField {
	g := prop(names, f.unit, f.needs[0], f.get)
	return rowField{field: g}
}

func ofRow(names, unit string, get func(*app) out) rowField {
	return rowField{field: prop(names, unit, rNothing, nil), row: get}
}

var common5 = []rowField{
	{field: timestampField},
	ofGPU("gpu_name", find(identityFields, "name")),
	ofGPU("gpu_bus_id", find(identityFields, "pci.bus_id")),
	ofGPU("gpu_serial", find(identityFields, "serial")),
	ofGPU("gpu_uuid", find(identityFields, "uuid")),
}

func with5(more ...rowField) []rowField { return append(append([]rowField(nil), common5...), more...) }

// selective is one of the --query- options that are not --query-gpu.
type selective struct {
	fields []rowField
	needs  []reading
	rows   func(g *GPU) []app
}

var selectives = map[string]*selective{
	"--query-compute-apps": {
		fields: with5(
			ofRow("pid", "", func(a *app) out { return out{s: fmt.Sprint(a.process.PID)} }),
			ofRow("process_name|name", "", func(a *app) out { return out{s: a.process.Name} }),
			ofRow("used_gpu_memory|used_memory", "MiB", func(a *app) out {
				return outOf(a.process.Memory, func(n uint64) string { return strconv.FormatUint(mib(n), 10) })
			}),
		),
		needs: []reading{rComputeApps},
		rows: func(g *GPU) (rows []app) {
			for i := range g.Processes.V {
				rows = append(rows, app{process: &g.Processes.V[i]})
			}
			return rows
		},
	},
	"--query-accounted-apps": {
		fields: with5(
			ofRow("vgpu_instance", "", func(*app) out { return out{r: NotSupported} }),
			ofRow("pid", "", func(a *app) out { return out{s: fmt.Sprint(a.accounted.PID)} }),
			ofRow("gpu_utilization|gpu_util", "%", func(a *app) out { return outNum(a.accounted.GPU) }),
			ofRow("mem_utilization|mem_util", "%", func(a *app) out { return outNum(a.accounted.Memory) }),
			ofRow("max_memory_usage", "MiB", func(a *app) out {
				return outOf(a.accounted.MaxMemory, func(n uint64) string { return strconv.FormatUint(mib(n), 10) })
			}),
			ofRow("time", "ms", func(a *app) out { return out{s: fmt.Sprint(a.accounted.Time)} }),
		),
		needs: []reading{rAccounted},
		rows: func(g *GPU) (rows []app) {
			for i := range g.Accounted.V {
				rows = append(rows, app{accounted: &g.Accounted.V[i]})
			}
			return rows
		},
	},
	"--query-supported-clocks": {
		fields: with5(
			ofRow("memory|mem", "MHz", func(a *app) out { return out{s: fmt.Sprint(a.clocks[0])} }),
			ofRow("graphics|gr", "MHz", func(a *app) out { return out{s: fmt.Sprint(a.clocks[1])} }),
		),
		needs: []reading{rSupportedClocks},
		rows: func(g *GPU) (rows []app) {
			for _, s := range g.SupportedClocks.V {
				for _, c := range s.Graphics {
					rows = append(rows, app{clocks: [2]uint32{s.Memory, c}})
				}
			}
			return rows
		},
	},
	"--query-retired-pages": {
		fields: with5(
			ofRow("retired_pages.address", "", func(a *app) out {
				if a.retired == nil {
					return out{r: a.why}
				}
				return out{s: fmt.Sprintf("0x%016x", a.retired.Address)}
			}),
			ofRow("retired_pages.timestamp", "", func(a *app) out {
				if a.retired == nil {
					return out{r: a.why}
				}
				return out{s: time.Unix(int64(a.retired.Time), 0).Format(ctime)}
			}),
			ofRow("retired_pages.cause", "", func(a *app) out { return out{s: a.cause} }),
		),
		needs: []reading{rRetiredSBE, rRetiredDBE},
		rows: func(g *GPU) []app {
			return append(retiredRows(g.RetiredSBE, "Single Bit ECC"), retiredRows(g.RetiredDBE, "Double Bit ECC")...)
		},
	},
	"--query-remapped-rows": {
		fields: with5(
			ofGPU("remapped_rows.correctable|remapped_rows.sbe", find(memoryFaultFields, "remapped_rows.correctable")),
			ofGPU("remapped_rows.correctable_inactive", find(memoryFaultFields, "remapped_rows.correctable_inactive")),
			ofGPU("remapped_rows.uncorrectable|remapped_rows.dbe", find(memoryFaultFields, "remapped_rows.uncorrectable")),
			ofGPU("remapped_rows.uncorrectable_inactive", find(memoryFaultFields, "remapped_rows.uncorrectable_inactive")),
			ofGPU("remapped_rows.pending", find(memoryFaultFields, "remapped_rows.pending")),
			ofGPU("remapped_rows.failure", find(memoryFaultFields, "remapped_rows.failure")),
			ofGPU("remapped_rows.histogram.max", find(memoryFaultFields, "remapped_rows.histogram.max")),
			ofGPU("remapped_rows.histogram.high", find(memoryFaultFields, "remapped_rows.histogram.high")),
			ofGPU("remapped_rows.histogram.partial", find(memoryFaultFields, "remapped_rows.histogram.partial")),
			ofGPU("remapped_rows.histogram.low", find(memoryFaultFields, "remapped_rows.histogram.low")),
			ofGPU("remapped_rows.histogram.none", find(memoryFaultFields, "remapped_rows.histogram.none")),
		),
		needs: []reading{rRemapped},
		rows:  func(*GPU) []app { return []app{{}} },
	},
}

// retiredRows is a row for each page, or one that says why there are none.
func retiredRows(v Val[[]Retired], cause string) (rows []app) {
	if !v.OK() {
		return []app{{cause: cause, why: v.R}}
	}
	for i := range v.V {
		rows = append(rows, app{retired: &v.V[i], cause: cause})
	}
	return rows
}

// choose finds the properties; bad is the first that is none.
func (s *selective) choose(list string) (chosen []*rowField, bad string) {
	plain := make([]field, len(s.fields))
	for i := range s.fields {
		plain[i] = s.fields[i].field
	}
	fields, bad := parseFields(plain, list)
	if bad != "" {
		return nil, bad
	}
	chosen = []*rowField{}
	for _, f := range fields {
		for i := range s.fields {
			if s.fields[i].names[0] == f.names[0] {
				chosen = append(chosen, &s.fields[i])
			}
		}
	}
	return chosen, ""
}

func (s *selective) header(w *bytes.Buffer, chosen []*rowField) {
	fields := make([]*field, len(chosen))
	for i, c := range chosen {
		fields[i] = &c.field
	}
	csvHeader(w, fields)
}

func (s *selective) write(w *bytes.Buffer, m *Machine, chosen []*rowField, f format) {
	for _, g := range m.GPUs {
		rows := s.rows(g)
		for i := range rows {
			fields := make([]*field, len(chosen))
			for j, c := range chosen {
				bound := c.field
				if c.row != nil {
					bound.get = func(*Machine, *GPU) out { return c.row(&rows[i]) }
				}
				fields[j] = &bound
			}
			csvRow(w, m, g, fields, f)
		}
	}
}
