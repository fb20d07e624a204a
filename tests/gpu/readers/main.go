// SPDX-License-Identifier: Apache-2.0

// Readers measures whether many who read NVML slow a session's calls:
//
//	readers [--socket PATH] [--readers N] [--rounds N] MICRO
//
// MICRO is tests/gpu/micro on axon's shim. Its rounds are run in turn while
// nobody reads and while N programs read, once a second each, what nvidia-smi's
// table shows. Each figure's medians are printed, and how long the reads took.
// Exit status 1: a call took more than a tenth longer while they read, and longer
// than three quarters of those when nobody did. tests/gpu/readers.sh runs it.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"nervlinux.org/axon/nvml"
)

func main() {
	socket := flag.String("socket", "", "axond's; default AXON_SESSION, else /run/axon/sock")
	readers := flag.Int("readers", 100, "how many read")
	rounds := flag.Int("rounds", 15, "rounds with them, and as many without")
	flag.Parse()
	if flag.NArg() != 1 || *readers < 1 || *rounds < 1 {
		fmt.Fprintln(os.Stderr, "readers: one argument, the program micro, and numbers from 1 up")
		os.Exit(2)
	}
	slower, err := measure(*socket, *readers, *rounds, flag.Arg(0))
	if err != nil {
		fmt.Fprintln(os.Stderr, "readers:", err)
		os.Exit(2)
	}
	if slower {
		os.Exit(1)
	}
}

func measure(socket string, n, rounds int, program string) (slower bool, err error) {
	c, err := startCrowd(socket, n)
	if err != nil {
		return false, err
	}
	defer c.end()
	m, err := startMicro(program)
	if err != nil {
		return false, err
	}
	defer m.end()
	if _, err := m.round(); err != nil { // the first has what only happens once
		return false, err
	}
	var sides [2]map[string][]float64
	for side := range sides {
		sides[side] = map[string][]float64{}
	}
	var order []figure
	for range rounds {
		for side := range sides {
			c.read(side == 1)
			all, err := m.round()
			if err != nil {
				return false, err
			}
			order = all
			for _, f := range all {
				sides[side][f.name] = append(sides[side][f.name], f.value)
			}
		}
	}
	c.read(false)
	fmt.Printf("%-28s %12s %12s %7s\n", "", "nobody reads", fmt.Sprint(n, " read"), "ratio")
	for _, f := range order {
		quiet, busy := sides[0][f.name], sides[1][f.name]
		q, b := quantile(quiet, 0.5), quantile(busy, 0.5)
		mark := ""
		if f.unit == "us" && b > 1.1*q && b > quantile(quiet, 0.75) {
			mark, slower = "  slower", true
		}
		fmt.Printf("%-28s %12.2f %12.2f %7.3f %s%s\n", f.name, q, b, b/q, f.unit, mark)
	}
	times := c.times()
	if len(times) == 0 {
		return false, errors.New("nobody has read anything: a round is too short, or NVML does not answer")
	}
	fmt.Printf("%d reads of the table, %d calls that were not answered; a read took %.2f ms (median), %.2f ms (of a hundred the slowest but one)\n",
		len(times), c.failed.Load(), quantile(times, 0.5), quantile(times, 0.99))
	return slower, nil
}

func quantile(v []float64, q float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return v[min(int(q*float64(len(v))), len(v)-1)]
}

// figure is a line of micro's.
type figure struct {
	name  string
	value float64
	unit  string
}

type micro struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
}

func startMicro(program string) (*micro, error) {
	m := &micro{cmd: exec.Command(program)}
	m.cmd.Stderr = os.Stderr
	var err error
	if m.in, err = m.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := m.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	m.lines = bufio.NewScanner(out)
	return m, m.cmd.Start()
}

// round has everything measured once.
func (m *micro) round() ([]figure, error) {
	if _, err := m.in.Write([]byte("\n")); err != nil {
		return nil, fmt.Errorf("micro has ended: %w", err)
	}
	var all []figure
	for m.lines.Scan() {
		if m.lines.Text() == "done" {
			return all, nil
		}
		w := strings.Split(m.lines.Text(), "\t")
		if len(w) != 3 {
			return nil, fmt.Errorf("micro says %q", m.lines.Text())
		}
		v, err := strconv.ParseFloat(w[1], 64)
		if err != nil {
			return nil, fmt.Errorf("micro says %q", m.lines.Text())
		}
		all = append(all, figure{w[0], v, w[2]})
	}
	return nil, errors.New("micro has ended")
}

func (m *micro) end() {
	m.in.Close()
	m.cmd.Wait()
}

// crowd are those who read.
type crowd struct {
	clients []*nvml.Client
	gpus    uint32
	reading atomic.Bool
	failed  atomic.Int64
	done    chan struct{}
	wg      sync.WaitGroup

	mu   sync.Mutex
	took []float64 // ms
}

func startCrowd(socket string, n int) (*crowd, error) {
	c := &crowd{done: make(chan struct{})}
	for i := range n {
		client, err := nvml.Dial(socket)
		if err != nil {
			c.end()
			return nil, err
		}
		c.clients = append(c.clients, client)
		if i == 0 {
			gpus, ret := client.DeviceGetCount_v2()
			if ret != nvml.SUCCESS {
				c.end()
				return nil, ret
			}
			c.gpus = gpus
		}
		c.wg.Go(func() { c.one(client, time.Duration(i)*time.Second/time.Duration(n)) })
	}
	return c, nil
}

func (c *crowd) read(yes bool) { c.reading.Store(yes) }

func (c *crowd) end() {
	close(c.done)
	c.wg.Wait()
	for _, client := range c.clients {
		client.Close()
	}
}

func (c *crowd) times() []float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.took)
}

// one reads once a second, while it is to.
func (c *crowd) one(client *nvml.Client, phase time.Duration) {
	t := time.NewTimer(phase)
	for {
		select {
		case <-c.done:
			return
		case <-t.C:
		}
		t.Reset(time.Second)
		if !c.reading.Load() {
			continue
		}
		began := time.Now()
		for gpu := range c.gpus {
			c.table(client, nvml.Device(1+gpu))
		}
		took := float64(time.Since(began).Microseconds()) / 1000
		c.mu.Lock()
		c.took = append(c.took, took)
		c.mu.Unlock()
	}
}

// table reads what nvidia-smi's table shows of a GPU.
func (c *crowd) table(client *nvml.Client, d nvml.Device) {
	note := func(_ any, ret nvml.Return) {
		if ret != nvml.SUCCESS && ret != nvml.ERROR_NOT_SUPPORTED {
			c.failed.Add(1)
		}
	}
	note(client.DeviceGetName(d))
	note(client.DeviceGetPciInfo_v3(d))
	note(client.DeviceGetPersistenceMode(d))
	note(client.DeviceGetFanSpeed(d))
	note(client.DeviceGetTemperature(d, nvml.TEMPERATURE_GPU))
	note(client.DeviceGetPerformanceState(d))
	note(client.DeviceGetPowerUsage(d))
	note(client.DeviceGetEnforcedPowerLimit(d))
	note(client.DeviceGetMemoryInfo(d))
	note(client.DeviceGetUtilizationRates(d))
	note(client.DeviceGetComputeMode(d))
	note(client.DeviceGetComputeRunningProcesses_v3(d))
	note(client.DeviceGetGraphicsRunningProcesses_v3(d))
}
