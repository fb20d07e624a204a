// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

// dmon and pmon print a line for each GPU or process, every so often.

func init() {
	subcommands["dmon"] = dmon
	subcommands["pmon"] = pmon
}

// column is a figure in a line: its name, its unit and how it is found.
type column struct {
	name, unit string
	width      int
}

// monitor is what both have in common.
type monitor struct {
	ids      string
	delay    time.Duration
	count    int // 0: until it is told to stop
	selected string
	date     bool
	clock    bool
	file     string
	help     bool
}

// parseMonitor reads the options of dmon or pmon; letters are what -s can select.
func parseMonitor(name, letters, usual string, args []string) (*monitor, error) {
	m := &monitor{delay: time.Second, selected: usual}
	bad := usage(fmt.Sprintf("Invalid combination of input arguments. Please run 'nvidia-smi %s -h' for help.\n", name))
	for i := 0; i < len(args); i++ {
		option, value, has := strings.Cut(args[i], "=")
		if option == "-h" || option == "--help" {
			m.help = true
			return m, nil
		}
		if !has {
			if i+1 >= len(args) {
				return nil, bad
			}
			i++
			value = args[i]
		}
		switch option {
		case "-i", "--id":
			m.ids = value
		case "-d", "--delay":
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 || n > 10 {
				return nil, bad
			}
			m.delay = time.Duration(n) * time.Second
		case "-c", "--count":
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 {
				return nil, bad
			}
			m.count = n
		case "-s", "--select":
			if value == "" || strings.Trim(value, letters) != "" {
				return nil, bad
			}
			m.selected = value
		case "-o", "--options":
			if value == "" || strings.Trim(value, "DT") != "" {
				return nil, bad
			}
			m.date, m.clock = strings.Contains(value, "D"), strings.Contains(value, "T")
		case "-f", "--filename":
			m.file = value
		default:
			return nil, usage(fmt.Sprintf("ERROR: Option %s is not recognized. Please run 'nvidia-smi %s -h' for help.\n", args[i], name))
		}
	}
	return m, nil
}

// run prints until count is reached or it is told to stop; show prints the lines of one moment.
func (o *monitor) run(ctx context.Context, env Environment, head func(*bytes.Buffer), show func(*bytes.Buffer, *source, time.Time) error) int {
	s, status := connect(env)
	if s == nil {
		return status
	}
	defer s.Close()
	if o.file != "" {
		f, err := os.Create(o.file)
		if err != nil {
			fmt.Fprintf(env.Out, "Unable to open file %s for writing\n", o.file)
			return exitInvalid
		}
		defer f.Close()
		env.Out = io.Writer(f)
	}
	for n := 0; ; {
		var b bytes.Buffer
		if n == 0 {
			head(&b)
		}
		if err := show(&b, s, env.Now()); err != nil {
			return sayFailed(env.Out, err)
		}
		if _, err := env.Out.Write(b.Bytes()); err != nil {
			return exitOther
		}
		if n++; n == o.count {
			return 0
		}
		select {
		case <-ctx.Done():
			return 0
		case <-time.After(o.delay):
		}
	}
}

// stamp is what -o puts before the GPU's number.
func (o *monitor) stamp(date, clock, index string) string {
	var b strings.Builder
	if o.date {
		b.WriteString(date)
	}
	if o.clock {
		if o.date {
			b.WriteString("   ")
		}
		b.WriteString(clock)
	}
	if o.date || o.clock {
		return b.String() + fmt.Sprintf("%7s", index)
	}
	return fmt.Sprintf("%3s", index)
}

func (o *monitor) heads() (string, string) {
	if o.date || o.clock {
		clock, unit := "Time    ", "HH:MM:SS"
		return "#" + o.stamp("Date    ", clock, "gpu"), "#" + o.stamp("YYYYMMDD", unit, "Idx")
	}
	return "# gpu", "# Idx"
}

// columns are the selected columns' two lines of heading.
func (o *monitor) columns(of map[byte][]column) (names, units string) {
	for i := range o.selected {
		for _, c := range of[o.selected[i]] {
			names += fmt.Sprintf("%*s", c.width, c.name)
			units += fmt.Sprintf("%*s", c.width, c.unit)
		}
	}
	return names, units
}

func (o *monitor) lineStart(now time.Time, index uint32) string {
	if o.date || o.clock {
		return " " + o.stamp(now.Format("20060102"), now.Format("15:04:05"), fmt.Sprint(index))
	}
	return fmt.Sprintf("%5d", index)
}

// dash is the number or -.
func dash[T ~uint32 | ~uint64 | ~int32](v Val[T]) string {
	if !v.OK() {
		return "-"
	}
	return number(v, "")
}

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
		return []string{dash(pick(bit(4), func(n uint32) uint32 { return 100 * n })), dash(bit(0x60))}
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

func pmon(ctx context.Context, args []string, env Environment) int {
	o, err := parseMonitor("pmon", "um", "u", args)
	if err != nil {
		fmt.Fprintf(env.Out, "%s\n", err)
		return exitInvalid
	}
	if o.help {
		io.WriteString(env.Out, help("pmon.txt", env))
		return 0
	}
	w := &wants{rProcesses: true}
	head := func(b *bytes.Buffer) {
		names, units := o.heads()
		names, units = names+"         pid   type", units+"           #    C/G"
		n, u := o.columns(pmonColumns)
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
