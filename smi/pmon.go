// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

func init() {
	pmon.run = runPmon
	pmon.register()
}

var pmon = monitorKind{subcommand: subcommand{name: "pmon", bare: true, teaches: true, options: slices.Clone(monitorOptions)},
	columns: pmonColumns, usual: "u", longest: 10}

// use is what a process did in the last seconds.
type use struct{ sm, memory, encoder, decoder, jpeg, ofa uint32 }

// uses are by pid; the newest of each counts.
func (s *source) uses(g *GPU) map[uint32]use {
	all := map[uint32]use{}
	newest := map[uint32]uint64{}
	list, r := s.DeviceGetProcessUtilization(g.handle, 0)
	if r != Success {
		return all
	}
	for _, p := range list {
		if p.TimeStamp >= newest[p.Pid] {
			newest[p.Pid] = p.TimeStamp
			all[p.Pid] = use{sm: p.SmUtil, memory: p.MemUtil, encoder: p.EncUtil, decoder: p.DecUtil}
		}
	}
	return all
}

func runPmon(ctx context.Context, said *subWords, env Environment) int {
	o, status := pmon.understand(said, env)
	if o == nil {
		return status
	}
	w := &wants{rProcesses: true}
	head := func(b *bytes.Buffer) {
		names, units := o.heads()
		names, units = names+"         pid   type", units+"           #    C/G"
		n, u := padded(o.chosen(pmonColumns))
		names, units = names+n, units+u
		fmt.Fprintf(b, "%s    command \n%s    name \n", names, units)
	}
	return o.run(ctx, env, head, func(b *bytes.Buffer, s *source, now time.Time) error {
		m, err := s.read(o.ids, w, env.Now)
		if err != nil {
			return err
		}
		for _, g := range m.GPUs {
			start := o.lineStart(now, g.Index)
			if len(g.Processes.V) == 0 {
				pmonLine(b, o, start, nil, nil)
				continue
			}
			uses := s.uses(g)
			for i := range g.Processes.V {
				p := &g.Processes.V[i]
				var u *use
				if one, ok := uses[p.PID]; ok {
					u = &one
				}
				pmonLine(b, o, start, p, u)
			}
		}
		return nil
	})
}

var pmonColumns = map[byte][]column{'u': dmonColumns['u'], 'm': {{"fb", "MB", 7}, {"ccpm", "MB", 7}}}

func pmonLine(b *bytes.Buffer, o *monitor, start string, p *Process, u *use) {
	pid, kind, name := "-", "-", "-"
	if p != nil {
		pid, kind = fmt.Sprint(p.PID), p.Type
		name = p.Name[strings.LastIndexByte(p.Name, '/')+1:]
		if len(name) > 15 {
			name = name[:15]
		}
	}
	fmt.Fprintf(b, "%s %10s %5s", start, pid, kind)
	for i := range o.selected {
		var values []string
		switch o.selected[i] {
		case 'u':
			values = []string{"-", "-", "-", "-", "-", "-"}
			if u != nil {
				engine := func(n uint32) string { // an engine that did nothing is not shown as 0
					if n == 0 {
						return "-"
					}
					return fmt.Sprint(n)
				}
				values = []string{fmt.Sprint(u.sm), fmt.Sprint(u.memory), engine(u.encoder), engine(u.decoder), engine(u.jpeg), engine(u.ofa)}
			}
		case 'm':
			values = []string{"-", "-"}
			if p != nil {
				values = []string{dash(pick(p.Memory, mib)), "0"}
			}
		}
		for _, v := range values {
			fmt.Fprintf(b, "%7s", v)
		}
	}
	fmt.Fprintf(b, "    %-15s\n", name)
}
