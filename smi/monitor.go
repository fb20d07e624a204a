// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// What dmon and pmon, which print a line for each GPU or process every so often,
// have in common.

// column is the head of a figure's column: its name and unit, and how wide it is.
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
