// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"nervlinux.org/axon/nvml"
)

// What dmon and pmon, which print a line for each GPU or process every so often,
// have in common.

const dateDigits = "20060102"

// column is the head of a figure's column: its name and unit, and how wide it is.
type column struct {
	name, unit string
	width      int
}

// monitorKind is dmon or pmon.
type monitorKind struct {
	subcommand
	columns map[byte][]column // by the letters of -s
	usual   string            // what -s selects where it is not given
	longest int               // the most seconds between two samples; 0: any number
}

// monitorOptions are those of both.
var monitorOptions = []option{
	{"-d", "--delay", required, common}, {"-c", "--count", required, common}, {"-s", "--select", required, common},
	{"-o", "--options", required, common}, {"-f", "--filename", required, common},
}

// monitor is what one of them was told.
type monitor struct {
	ids      string
	delay    time.Duration
	count    int // 0: until it is told to stop
	selected string
	date     bool
	clock    bool
	file     string
}

// A mistake in what selects the columns ends with its second line; one in how often there are lines, with how it is used.
const notProcessed = "\nFailed to process command line \n\n"

// understand gives nil and the exit status where the options make no sense, and says why.
func (k *monitorKind) understand(said *subWords, env Environment) (*monitor, int) {
	m := &monitor{ids: said.ids, delay: time.Second, selected: k.usual, file: said.given["--filename"].value}
	if d, ok := said.given["--delay"]; ok {
		n, err := strconv.Atoi(d.value)
		switch {
		case k.longest != 0 && (err != nil || n < 1 || n > k.longest):
			return nil, k.mistaken(env, usage(fmt.Sprintf("Collection delay/interval should be between 1 second and %d seconds", k.longest)))
		case err != nil || n < 1 || n > 1e6:
			return nil, unseen(env.Out, k.name+" -d "+d.value, nvml.ERROR_INVALID_ARGUMENT)
		}
		m.delay = time.Duration(n) * time.Second
	}
	if c, ok := said.given["--count"]; ok {
		n, err := strconv.Atoi(c.value)
		if err != nil || n < 1 {
			return nil, k.mistaken(env, usage("Invalid value for number of samples to be displayed"))
		}
		m.count = n
	}
	if s, ok := said.given["--select"]; ok {
		m.selected = strings.Map(func(letter rune) rune {
			if letter > unicode.MaxASCII || k.columns[byte(letter)] == nil {
				return -1
			}
			return letter
		}, s.value)
		switch {
		case m.selected == "":
			fmt.Fprintf(env.Out, "Failed to find any metric to display%s", notProcessed)
			return nil, ExitOther
		case m.selected != s.value:
			return nil, unseen(env.Out, k.name+" -s "+s.value, nvml.ERROR_INVALID_ARGUMENT)
		}
	}
	if o, ok := said.given["--options"]; ok {
		if o.value == "" || strings.Trim(o.value, "DT") != "" {
			fmt.Fprintf(env.Out, "Error in parsing options%s", notProcessed)
			return nil, ExitOther
		}
		m.date, m.clock = strings.Contains(o.value, "D"), strings.Contains(o.value, "T")
	}
	return m, 0
}

// run prints until count is reached or it is told to stop; show prints the lines of one moment.
func (o *monitor) run(ctx context.Context, env Environment, head func(*bytes.Buffer), show func(*bytes.Buffer, *source, time.Time) error) int {
	s, status := connect(env)
	if s == nil {
		return status
	}
	defer s.Close()
	return env.into(o.file, "Failed to create log file", func(env Environment) int { return o.loop(ctx, env, s, head, show) })
}

func (o *monitor) loop(ctx context.Context, env Environment, s *source, head func(*bytes.Buffer), show func(*bytes.Buffer, *source, time.Time) error) int {
	for n := 0; ; {
		var b bytes.Buffer
		if n == 0 {
			head(&b)
		}
		if err := show(&b, s, env.Now()); err != nil {
			return sayFailed(env.Out, err)
		}
		if _, err := env.Out.Write(b.Bytes()); err != nil {
			return ExitOther
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
			b.WriteString("    ")
		}
		b.WriteString(clock)
	}
	if o.date || o.clock {
		return b.String() + fmt.Sprintf("%8s", index)
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

// chosen are the selected columns.
func (o *monitor) chosen(of map[byte][]column) (all []column) {
	for i := range o.selected {
		all = append(all, of[o.selected[i]]...)
	}
	return all
}

// padded are the columns' two lines of heading.
func padded(columns []column) (names, units string) {
	for _, c := range columns {
		names += fmt.Sprintf("%*s", c.width, c.name)
		units += fmt.Sprintf("%*s", c.width, c.unit)
	}
	return names, units
}

func (o *monitor) lineStart(now time.Time, index uint32) string {
	if o.date || o.clock {
		return " " + o.stamp(now.Format(dateDigits), now.Format(time.TimeOnly), fmt.Sprint(index))
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
