// SPDX-License-Identifier: Apache-2.0

// Package smi is nvidia-smi: it prints what the vendor's program of the same
// driver prints, byte for byte, from what axond's telemetry worker reads. What
// it reads it reads over axond's socket; it loads no library.
//
// The way of a command line: commandline.go reads its words and options.go what they mean together (a command's:
// subwords.go and subcommands.go), needs.go says which readings
// (readings.go) it takes, read*.go makes the calls for them and fills in a
// Machine (model.go), and one of table.go, query.go, csv.go and the rest prints
// that. Facts about what is printed are from captures and published output, see
// testdata/README.md.
package smi

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"nervlinux.org/axon/nvml"
)

// Environment is where a command runs.
type Environment struct {
	Out io.Writer
	// Dial connects to where the figures come from; its error may wrap a nvml.Return.
	Dial func() (*nvml.Client, error)
	// Names gives a process's name; nil for what /proc says.
	Names func(pid uint32) (string, bool)
	Now   func() time.Time // nil for the clock
	// Sysfs is the kernel's description of devices; empty for /sys.
	Sysfs string
	// CPUs are a mask of those that the caller's cgroup has; nil to ask the kernel.
	CPUs []uint64
}

// The exit status is the vendor's: a nvmlReturn_t where one is why.
const (
	exitInvalid  = 2
	exitNotFound = 6
	exitNoDriver = 9
	// ExitOther is the status where no nvmlReturn_t says why, or one above it.
	ExitOther     = 255
	noDriverWords = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.\n\n"
)

func (e *Environment) now() func() time.Time {
	if e.Now == nil {
		return time.Now
	}
	return e.Now
}

func (e *Environment) sysfs() string { return cmp.Or(e.Sysfs, "/sys") }

// rdmaNumbers are the running kernel's; of another's devices there are none.
func (e *Environment) rdmaNumbers() map[string]uint32 {
	if e.Sysfs != "" {
		return nil
	}
	return rdmaNumbers()
}

// Run does what the arguments (without the program's name) say and returns the exit status.
func Run(ctx context.Context, args []string, env Environment) int {
	env.Now = env.now()
	if len(args) > 0 {
		if sub, ok := subcommands[args[0]]; ok {
			return sub(ctx, args[1:], env)
		}
	}
	given, err := parse(args)
	var c *command
	if err == nil {
		c, err = understand(given)
	}
	if err != nil {
		fmt.Fprintf(env.Out, "%s\n", err)
		return status(err)
	}
	cannot := "Failed to create the log file"
	if c.ask != nil && queriesProperties(c.ask.option) {
		cannot = "Failed to create log file"
	}
	return env.into(c.file, cannot, func(env Environment) int { return c.run(ctx, env) })
}

// run does what a command line means.
func (c *command) run(ctx context.Context, env Environment) int {
	if status, done := c.withoutDriver(env); done {
		return status
	}
	s, status := connect(env)
	if s == nil {
		return status
	}
	defer s.Close()
	if len(c.changes) > 0 {
		return s.change(c, env)
	}
	return c.loop(ctx, s, env)
}

// unseen is why what is asked for cannot be printed of a machine, where the vendor's program has something that was not seen.
func (c *command) unseen(m *Machine) error {
	if c.ask != nil && c.ask.long == "--columns" && len(m.GPUs) > 1 {
		return usage("The summary of several GPUs in columns (--columns) " + notAxons)
	}
	return c.undefined(str(m.Driver))
}

// connect opens the way to the figures; without one it says why as the vendor's does.
func connect(env Environment) (*source, int) {
	client, err := env.Dial()
	if err != nil {
		return nil, sayFailed(env.Out, err)
	}
	names := processName
	if env.Names != nil {
		names = func(pid uint32) Val[string] {
			if name, ok := env.Names(pid); ok {
				return of(name)
			}
			return none[string](nvml.ERROR_NOT_FOUND)
		}
	}
	return &source{client, names}, 0
}

// withMachine has f print what is wanted of the GPUs that ids names (all if empty) and gives its exit status, or says why there are no figures.
func withMachine(env Environment, ids string, w *wants, f func(*source, *Machine) int) int {
	s, status := connect(env)
	if s == nil {
		return status
	}
	defer s.Close()
	m, err := s.read(ids, w, env.now())
	if err != nil {
		return sayFailed(env.Out, err)
	}
	return f(s, m)
}

// sayFailed prints why there are no figures and gives the exit status.
func sayFailed(w io.Writer, err error) int {
	r := UnknownError
	switch {
	case errors.Is(err, errNoDevices):
		fmt.Fprintf(w, "No devices were found\n")
		return exitNotFound
	case !errors.As(err, &r):
	case r == nvml.ERROR_DRIVER_NOT_LOADED, r == nvml.ERROR_LIBRARY_NOT_FOUND:
		io.WriteString(w, noDriverWords)
		return exitNoDriver
	}
	fmt.Fprintf(w, "Failed to initialize NVML: %s\n", words(r))
	if r == nvml.ERROR_LIB_RM_VERSION_MISMATCH {
		fmt.Fprintf(w, "NVML library version: 580.159\n")
	}
	return int(min(r, ExitOther))
}

// withoutDriver does what takes no driver; done is false for all else.
func (c *command) withoutDriver(env Environment) (status int, done bool) {
	if c.ask != nil {
		if text, ok := helps[c.ask.long]; ok {
			io.WriteString(env.Out, help(text, env))
			return 0, true
		}
	}
	if c.dtd && c.ask == nil {
		return c.define(env), true
	}
	return 0, false
}

// loop prints once, or until it is told to stop.
func (c *command) loop(ctx context.Context, s *source, env Environment) int {
	show, w, err := c.shows()
	if err != nil {
		fmt.Fprintf(env.Out, "%s\n", err)
		return exitInvalid
	}
	for first := true; ; first = false {
		m, err := s.read(c.ids, w, env.Now)
		if err != nil {
			return sayFailed(env.Out, err)
		}
		if err := c.unseen(m); err != nil {
			fmt.Fprintf(env.Out, "%s\n", err)
			return int(NotSupported)
		}
		var b bytes.Buffer
		show(&b, m, first)
		if _, err := env.Out.Write(b.Bytes()); err != nil {
			return ExitOther
		}
		if c.every == 0 {
			return 0
		}
		select {
		case <-ctx.Done():
			return 0
		case <-time.After(c.every):
		}
	}
}

// shows is how the answer is printed and what it takes.
func (c *command) shows() (func(*bytes.Buffer, *Machine, bool), *wants, error) {
	w := &wants{}
	table := func(b *bytes.Buffer, m *Machine, _ bool) { writeTable(b, m) }
	if c.ask == nil {
		w.add(tableReadings...)
		return table, w, nil
	}
	switch c.ask.long {
	case "--list-gpus":
		w.add(rName, rUUID, rMIGDevices, rMIGNames)
		return func(b *bytes.Buffer, m *Machine, _ bool) { writeList(b, m) }, w, nil
	case "--version":
		return func(b *bytes.Buffer, m *Machine, _ bool) { writeVersion(b, m) }, w, nil
	case "--list-excluded-gpus", "--list-blacklist-gpus":
		w.add(rExcluded)
		return func(b *bytes.Buffer, m *Machine, _ bool) { writeExcluded(b, m) }, w, nil
	case "--query":
		return c.showsQuery(w)
	case "--query-gpu":
		return c.showsGPUs(w)
	case "--columns":
		if n, err := strconv.Atoi(c.ask.value); err != nil || n < 1 {
			return nil, nil, usage(fmt.Sprintf("ERROR: Option %s is invalid for --columns=%[1]s. Please run 'nvidia-smi -h' for help.\n", c.ask.value))
		}
		w.add(tableReadings...)
		return table, w, nil
	}
	return c.showsRows(w)
}

func (c *command) showsQuery(w *wants) (func(*bytes.Buffer, *Machine, bool), *wants, error) {
	d := c.display
	if c.unit {
		w.add(rUnits)
		return func(b *bytes.Buffer, m *Machine, _ bool) { writeUnits(b, m, c.xml != nil, c.dtd) }, w, nil
	}
	if c.xml != nil {
		d.some[secTarget], d.some[secSupportedClocks], d.some[secAccounting] = true, true, true
	}
	w.add(rPCI)
	for s := range sections {
		if d.has(s) {
			w.add(sectionReadings[s]...)
		}
		if d.sampled(s) {
			w.add(sampleReadings[s]...)
		}
	}
	if c.xml != nil {
		return func(b *bytes.Buffer, m *Machine, _ bool) { writeXML(b, m, c.dtd) }, w, nil
	}
	return func(b *bytes.Buffer, m *Machine, _ bool) { writeQuery(b, m, c.display) }, w, nil
}

// noField is the vendor's words for a property that there is none of.
func noField(name string) usage {
	return usage(fmt.Sprintf("Field \"%s\" is not a valid field to query.\n", name))
}

func (c *command) showsGPUs(w *wants) (func(*bytes.Buffer, *Machine, bool), *wants, error) {
	fields, bad := parseFields(gpuFields, c.ask.value)
	if fields == nil {
		return nil, nil, noField(bad)
	}
	f, err := parseFormat(c.format)
	if err != nil {
		return nil, nil, err
	}
	for _, x := range fields {
		w.add(x.needs...)
	}
	return func(b *bytes.Buffer, m *Machine, first bool) {
		if first && !f.noHeader {
			csvHeader(b, fields)
		}
		for _, g := range m.GPUs {
			csvRow(b, m, g, fields, f)
		}
	}, w, nil
}

func (c *command) showsRows(w *wants) (func(*bytes.Buffer, *Machine, bool), *wants, error) {
	q := selectives[c.ask.long]
	fields, bad := q.choose(c.ask.value)
	if fields == nil {
		return nil, nil, noField(bad)
	}
	f, err := parseFormat(c.format)
	if err != nil {
		return nil, nil, err
	}
	w.add(q.needs...)
	for _, x := range fields {
		w.add(x.needs...)
	}
	return func(b *bytes.Buffer, m *Machine, first bool) {
		if first && !f.noHeader {
			q.header(b, fields)
		}
		q.write(b, m, fields, f)
	}, w, nil
}
