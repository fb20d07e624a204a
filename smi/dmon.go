// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"
)

func init() { subcommands["dmon"] = dmon }

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

func dmon(ctx context.Context, args []string, env Environment) int {
	o, err := parseMonitor("dmon", "pucvmet", "puc", args)
	if err != nil {
		fmt.Fprintf(env.Out, "%s\n", err)
		return exitInvalid
	}
	if o.help {
		io.WriteString(env.Out, help("dmon.txt", env))
		return 0
	}
	w := &wants{}
	for i := range o.selected {
		w.add(dmonReadings[o.selected[i]]...)
	}
	head := func(b *bytes.Buffer) {
		names, units := o.heads()
		n, u := o.columns(dmonColumns)
		names, units = names+n, units+u
		fmt.Fprintf(b, "%s \n%s \n", names, units)
	}
	return o.run(ctx, env, head, func(b *bytes.Buffer, s *source, now time.Time) error {
		m, err := s.read(o.ids, w, env.Now)
		if err != nil {
			return err
		}
		for _, g := range m.GPUs {
			b.WriteString(o.lineStart(now, g.Index))
			for i := range o.selected {
				for _, v := range dmonValues(g, o.selected[i]) {
					fmt.Fprintf(b, "%7s", v)
				}
			}
			b.WriteString(" \n")
		}
		return nil
	})
}
