// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"context"
	"errors"
	"fmt"
	"time"

	"nervlinux.org/axon/nvml"
	"nervlinux.org/axon/view"
)

// What the view says of GPUs is NVML's, asked as readers of NVML ask: so it
// takes part in what they share. Where there is no NVML it is what axond knows
// from CUDA, without figures.

const (
	// gpuTime is how long a sample waits for NVML, which may take seconds to start.
	gpuTime = 2 * time.Second
	// gpuConstantTime is how long what hardly changes is believed: names, limits, links.
	gpuConstantTime = 30 * time.Second
	// processTime is how far back the first look at who keeps a GPU busy goes.
	processTime = 2 * time.Second
)

// ownNVML makes axond's own calls. It is a nvml.Transport.
type ownNVML struct {
	s   *Server
	ctx context.Context
}

// Send makes a call.
func (o ownNVML) Send(number uint32, in []byte, done func(nvml.Return, []byte)) {
	if call := nvmlCalls.of(number); call != nil && call.shared {
		o.s.readNVML(o.ctx, ownShare, call, in, done)
		return
	}
	done(nvml.ERROR_NOT_SUPPORTED, nil)
}

// Close does nothing.
func (ownNVML) Close() error { return nil }

// gpuReport is what NVML has said.
type gpuReport struct {
	at           time.Time
	err          error // there is nothing else then
	driver, cuda *string
	gpus         []view.GPU
	busy         map[string]map[int]float64 // by a GPU's UUID, by process; no map if the GPU does not say
}

// gpuWatch asks NVML. Its fields belong to whoever asks, one at a time.
type gpuWatch struct {
	constants []gpuConstants
	driver    *string
	cuda      *string
	at        time.Time
}

// gpuConstants are of a GPU what hardly changes.
type gpuConstants struct {
	device nvml.Device
	view.GPU
	seen uint64 // up to when processes' use is known; microseconds since 1970
}

// look asks for everything.
func (w *gpuWatch) look(c *nvml.Client) gpuReport {
	if w.at.IsZero() || time.Since(w.at) > gpuConstantTime {
		if err := w.lookAtConstants(c); err != nil {
			w.at = time.Time{}
			return gpuReport{at: time.Now(), err: err}
		}
		w.at = time.Now()
	}
	r := gpuReport{driver: w.driver, cuda: w.cuda, busy: map[string]map[int]float64{}}
	ask := func(c *nvml.Client) {
		r.gpus = nil
		for i := range w.constants {
			r.gpus = append(r.gpus, w.constants[i].figures(c, r.busy))
		}
	}
	c.Ahead(ask)
	defer c.Forget()
	ask(c)
	r.at = time.Now()
	// A library that is gone says so to every call.
	if _, ret := c.DeviceGetCount_v2(); ret != nvml.SUCCESS {
		w.at = time.Time{}
		return gpuReport{at: r.at, err: ret}
	}
	return r
}

func (w *gpuWatch) lookAtConstants(c *nvml.Client) error {
	n, ret := c.DeviceGetCount_v2()
	if ret != nvml.SUCCESS {
		return ret
	}
	w.driver, w.cuda = nil, nil
	if text, ret := c.SystemGetDriverVersion(); ret == nvml.SUCCESS {
		text = printable(text, 80)
		w.driver = &text
	}
	if v, ret := c.SystemGetCudaDriverVersion_v2(); ret == nvml.SUCCESS {
		text := fmt.Sprintf("%d.%d", v/1000, v%1000/10)
		w.cuda = &text
	}
	before := w.constants
	w.constants = nil
	for i := range n {
		d, ret := c.DeviceGetHandleByIndex_v2(i)
		if ret != nvml.SUCCESS {
			continue // lost, or not to be touched
		}
		g := gpuConstants{device: d}
		g.Index, g.MemoryKind, g.Links = i, view.MemoryOwn, []view.Link{}
		if g.UUID, ret = c.DeviceGetUUID(d); ret != nvml.SUCCESS {
			continue
		}
		g.UUID = printable(g.UUID, 96)
		if name, ret := c.DeviceGetName(d); ret == nvml.SUCCESS {
			g.Name = printable(name, 96)
		}
		if pci, ret := c.DeviceGetPciInfo_v3(d); ret == nvml.SUCCESS {
			id := printable(pci.BusId, 32)
			g.BusID = &id
		}
		if mw, ret := c.DeviceGetEnforcedPowerLimit(d); ret == nvml.SUCCESS {
			g.PowerLimit = scaled(mw, 1e-3)
		}
		g.Links = append(append(g.Links, nvLinks(c, d)...), chipLinks(c, d)...)
		for _, b := range before {
			if b.UUID == g.UUID {
				g.seen = b.seen
			}
		}
		w.constants = append(w.constants, g)
	}
	return nil
}

func scaled(v uint32, by float64) *float64 {
	f := float64(v) * by
	return &f
}

// nvLinks are the links that are up.
func nvLinks(c *nvml.Client, d nvml.Device) []view.Link {
	l := view.Link{Kind: "nvlink"}
	for i := range uint32(nvml.NVLINK_MAX_LINKS) {
		state, ret := c.DeviceGetNvLinkState(d, i)
		if ret != nvml.SUCCESS {
			break
		}
		if state != nvml.FEATURE_ENABLED {
			continue
		}
		if l.Count++; l.Generation == nil {
			if v, ret := c.DeviceGetNvLinkVersion(d, i); ret == nvml.SUCCESS {
				l.Generation = &v
			}
		}
	}
	if l.Count == 0 {
		return nil
	}
	return []view.Link{l}
}

// chipLinks are those to a processor on the same board.
func chipLinks(c *nvml.Client, d nvml.Device) []view.Link {
	v := []nvml.FieldValue{{FieldId: nvml.FI_DEV_C2C_LINK_COUNT}}
	if c.DeviceGetFieldValues(d, v) != nvml.SUCCESS || v[0].NvmlReturn != nvml.SUCCESS {
		return nil
	}
	n, ok := v[0].Value.Of(v[0].ValueType)
	if !ok || n < 1 || n > 1024 {
		return nil
	}
	return []view.Link{{Kind: "c2c", Count: uint32(n)}}
}

// figures are a GPU's now, and into busy what its processes did since the last
// look. It asks the same whatever is answered, for calls made ahead.
func (k *gpuConstants) figures(c *nvml.Client, busy map[string]map[int]float64) view.GPU {
	g, d := k.GPU, k.device
	if u, ret := c.DeviceGetUtilizationRates(d); ret == nvml.SUCCESS {
		g.Busy, g.MemoryBusy = scaled(u.Gpu, 0.01), scaled(u.Memory, 0.01)
	}
	var m2 nvml.Memory_v2
	ret2 := c.DeviceGetMemoryInfo_v2(d, &m2)
	m1, ret1 := c.DeviceGetMemoryInfo(d)
	switch {
	case ret2 == nvml.SUCCESS: // without what the driver keeps for itself, as nvidia-smi has it
		g.MemoryTotal, g.MemoryUsed = &m2.Total, &m2.Used
	case ret1 == nvml.SUCCESS:
		g.MemoryTotal, g.MemoryUsed = &m1.Total, &m1.Used
	case ret1 == nvml.ERROR_NOT_SUPPORTED:
		g.MemoryKind = view.MemoryMachine
	}
	if t, ret := c.DeviceGetTemperature(d, nvml.TEMPERATURE_GPU); ret == nvml.SUCCESS {
		g.Temperature = scaled(t, 1)
	}
	if mw, ret := c.DeviceGetPowerUsage(d); ret == nvml.SUCCESS {
		g.Power = scaled(mw, 1e-3)
	}
	if mj, ret := c.DeviceGetTotalEnergyConsumption(d); ret == nvml.SUCCESS {
		j := float64(mj) / 1000
		g.Energy = &j
	}
	if f, ret := c.DeviceGetFanSpeed(d); ret == nvml.SUCCESS {
		g.Fan = scaled(f, 0.01)
	}
	if mhz, ret := c.DeviceGetClockInfo(d, nvml.CLOCK_SM); ret == nvml.SUCCESS {
		hz := uint64(mhz) * 1e6
		g.ClockSM = &hz
	}
	if mhz, ret := c.DeviceGetClockInfo(d, nvml.CLOCK_MEM); ret == nvml.SUCCESS {
		hz := uint64(mhz) * 1e6
		g.ClockMemory = &hz
	}
	generation, retG := c.DeviceGetCurrPcieLinkGeneration(d)
	width, retW := c.DeviceGetCurrPcieLinkWidth(d)
	if retG == nvml.SUCCESS && retW == nvml.SUCCESS && width > 0 {
		g.Links = append([]view.Link{{Kind: "pcie", Count: 1, Generation: &generation, Width: &width}}, g.Links...)
	}
	k.processes(c, busy)
	return g
}

// processes adds who kept the GPU busy since the last look, by worker.
func (k *gpuConstants) processes(c *nvml.Client, busy map[string]map[int]float64) {
	if k.seen == 0 {
		k.seen = uint64(time.Now().Add(-processTime).UnixMicro())
	}
	list, ret := c.DeviceGetProcessUtilization(k.device, k.seen)
	if ret != nvml.SUCCESS && ret != nvml.ERROR_NOT_FOUND { // that is nobody
		return
	}
	sum, n := map[int]float64{}, map[int]float64{}
	for _, p := range list {
		if p.TimeStamp <= k.seen {
			continue
		}
		sum[int(p.Pid)] += min(float64(p.SmUtil)/100, 1)
		n[int(p.Pid)]++
	}
	for _, p := range list {
		k.seen = max(k.seen, p.TimeStamp)
	}
	for pid := range sum {
		sum[pid] /= n[pid]
	}
	busy[k.UUID] = sum
}

var errNVMLSlow = errors.New("NVML takes long to answer; its figures are missing")

// report is what NVML says now; who asks does not wait for long.
func (v *viewer) report(ctx context.Context) gpuReport {
	v.nvml.mu.Lock()
	done := v.nvml.asked
	if done == nil {
		done = make(chan struct{})
		v.nvml.asked = done
		v.s.wg.Go(func() {
			r := v.nvml.watch.look(nvml.New(ownNVML{v.s, ctx}))
			v.nvml.mu.Lock()
			v.nvml.last, v.nvml.asked = r, nil
			v.nvml.mu.Unlock()
			close(done)
		})
	}
	v.nvml.mu.Unlock()
	late := time.NewTimer(gpuTime)
	defer late.Stop()
	select {
	case <-done:
		v.nvml.mu.Lock()
		defer v.nvml.mu.Unlock()
		return v.nvml.last
	case <-late.C:
		return gpuReport{err: errNVMLSlow}
	case <-ctx.Done():
		return gpuReport{err: ctx.Err()}
	}
}
