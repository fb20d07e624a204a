// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"nervlinux.org/axon/nvml"
)

// read asks for what is wanted of the GPUs that ids names (all if empty). Every
// call that does not need another's answer is sent before any answer is waited
// for: a reading costs two or three round trips, however many calls it is.
func (s *source) read(ids string, w *wants, now func() time.Time) (*Machine, error) {
	if err := s.open(); err != nil {
		return nil, err
	}
	all, err := s.handles()
	if err != nil {
		return nil, err
	}
	m := &Machine{Time: now(), Count: len(all)}
	if m.GPUs, err = s.choose(all, ids); err != nil {
		return nil, err
	}
	// Which calls are made can depend on these, so they are asked first.
	if w[rMIG] || w[rMIGDevices] {
		w.add(rMIG)
		s.both(m, &wants{rMIG: true})
	}
	rest := *w
	rest[rMIG] = false
	s.both(m, &rest)
	return m, nil
}

// both sends the calls ahead, then makes them.
func (s *source) both(m *Machine, w *wants) {
	s.Ahead(func(c *nvml.Client) {
		copied := *m
		copied.GPUs = make([]*GPU, len(m.GPUs))
		for i, g := range m.GPUs {
			one := *g
			copied.GPUs[i] = &one
		}
		(&source{c, func(uint32) Val[string] { return none[string](NotSupported) }}).fill(&copied, w)
	})
	s.fill(m, w)
	s.Forget()
}

func (s *source) fill(m *Machine, w *wants) {
	m.Driver = val(s.SystemGetDriverVersion())
	m.CUDA = val(s.SystemGetCudaDriverVersion_v2())
	m.NVML = val(s.SystemGetNVMLVersion())
	if w[rVGPUDriver] {
		m.HeterogeneousMultiVGPU = flagVal(s.GetVgpuDriverCapabilities(nvml.VGPU_DRIVER_CAP_HETEROGENEOUS_MULTI_VGPU))
	}
	if w[rUnits] {
		m.Units = val(s.UnitGetCount())
		m.HICs = val(s.SystemGetHicVersion())
	}
	if w[rExcluded] {
		m.Excluded = s.excluded()
	}
	for _, g := range m.GPUs {
		for r, do := range readers {
			if do != nil && w[r] {
				do(s, g)
			}
		}
	}
}

func (s *source) excluded() (all []Excluded) {
	n, _ := s.GetExcludedDeviceCount()
	for i := range n {
		e, r := s.GetExcludedDeviceInfoByIndex(i)
		if r == Success {
			all = append(all, Excluded{e.PciInfo.BusId, e.Uuid})
		}
	}
	return all
}

// open is what nvmlInit does: it says whether there is a driver at all.
func (s *source) open() error {
	_, r := s.SystemGetDriverVersion()
	if r != Success {
		return r
	}
	return nil
}

func (s *source) handles() ([]*GPU, error) {
	n, r := s.DeviceGetCount_v2()
	if r != Success {
		return nil, r
	}
	ask := func(c *nvml.Client) (gpus []*GPU) {
		for i := range n {
			h, r := c.DeviceGetHandleByIndex_v2(i)
			if r == Success {
				gpus = append(gpus, &GPU{Index: i, handle: h})
			}
		}
		return gpus
	}
	s.Ahead(func(c *nvml.Client) { ask(c) })
	return ask(s.Client), nil
}

// errNoDevices is that what -i names is not there, or that there is no GPU.
var errNoDevices = errors.New("No devices were found")

// choose finds what -i names: indexes, UUIDs, bus ids or serial numbers, with commas between. What is not there is left out.
func (s *source) choose(all []*GPU, ids string) ([]*GPU, error) {
	if ids == "" {
		if len(all) == 0 {
			return nil, errNoDevices
		}
		return all, nil
	}
	var chosen []*GPU
	for _, id := range strings.Split(ids, ",") {
		if g := s.find(all, strings.TrimSpace(id)); g != nil && !slices.Contains(chosen, g) {
			chosen = append(chosen, g)
		}
	}
	if len(chosen) == 0 {
		return nil, errNoDevices
	}
	slices.SortFunc(chosen, func(a, b *GPU) int { return int(a.Index) - int(b.Index) })
	return chosen, nil
}

// allThere says whether every GPU that ids names is one of the chosen. What is shown does without one that is not there.
// Of changes that was not seen, and a list with a mistake in it is no leave to change the rest of it.
func (s *source) allThere(chosen []*GPU, ids string) bool {
	return !slices.ContainsFunc(names(ids), func(id string) bool { return s.find(chosen, id) == nil })
}

func (s *source) find(all []*GPU, id string) *GPU {
	if n, err := strconv.ParseUint(id, 10, 32); err == nil {
		for _, g := range all {
			if uint64(g.Index) == n {
				return g
			}
		}
	}
	var h nvml.Device
	r := NotSupported
	switch {
	case strings.HasPrefix(id, "GPU-"):
		h, r = s.DeviceGetHandleByUUID(id)
	case strings.Contains(id, ":"):
		h, r = s.DeviceGetHandleByPciBusId_v2(id)
	case id != "":
		h, r = s.DeviceGetHandleBySerial(id)
	}
	if r != Success {
		return nil
	}
	for _, g := range all {
		if g.handle == h {
			return g
		}
	}
	return nil
}

// readers make the calls of a reading for a GPU.
var readers = [readings]func(*source, *GPU){
	rName:        func(s *source, g *GPU) { g.Name = val(s.DeviceGetName(g.handle)) },
	rUUID:        func(s *source, g *GPU) { g.UUID = val(s.DeviceGetUUID(g.handle)) },
	rFan:         func(s *source, g *GPU) { g.Fan = val(s.DeviceGetFanSpeed(g.handle)) },
	rTemperature: readTemperature,
	rMemory:      readMemory,
	rUtilization: func(s *source, g *GPU) {
		u := val(s.DeviceGetUtilizationRates(g.handle))
		g.UtilGPU = pick(u, func(u nvml.Utilization) uint32 { return u.Gpu })
		g.UtilMemory = pick(u, func(u nvml.Utilization) uint32 { return u.Memory })
	},
	rPower:         func(s *source, g *GPU) { g.Power = val(s.DeviceGetPowerUsage(g.handle)) },
	rPowerEnforced: func(s *source, g *GPU) { g.PowerEnforced = val(s.DeviceGetEnforcedPowerLimit(g.handle)) },
	rPowerLimit:    func(s *source, g *GPU) { g.PowerLimit = val(s.DeviceGetPowerManagementLimit(g.handle)) },
	rClocks: func(s *source, g *GPU) {
		for i := range g.Clocks {
			g.Clocks[i] = val(s.DeviceGetClockInfo(g.handle, nvml.ClockType(i)))
		}
	},
	rMaxClocks: func(s *source, g *GPU) {
		for i := range g.MaxClocks {
			g.MaxClocks[i] = val(s.DeviceGetMaxClockInfo(g.handle, nvml.ClockType(i)))
		}
	},
	rProcesses:   func(s *source, g *GPU) { readProcesses(s, g, true) },
	rComputeApps: func(s *source, g *GPU) { readProcesses(s, g, false) },
}

func readTemperature(s *source, g *GPU) {
	g.Temperature = pick(val(s.DeviceGetTemperature(g.handle, nvml.TEMPERATURE_GPU)), func(n uint32) int32 { return int32(n) })
}

func readMemory(s *source, g *GPU) {
	var v nvml.Memory_v2
	r := s.DeviceGetMemoryInfo_v2(g.handle, &v)
	g.Memory = Val[Mem]{Mem{v.Total, v.Reserved, v.Used, v.Free}, r}
}

// instance is a GPU or compute instance's number; all ones is none.
func instance(n uint32) Val[uint32] {
	if n == 1<<32-1 {
		return none[uint32](NotSupported)
	}
	return of(n)
}

func readProcesses(s *source, g *GPU, graphics bool) {
	lists := []struct {
		kind string
		get  func(nvml.Device) ([]nvml.ProcessInfo, Return)
	}{{Compute, s.DeviceGetComputeRunningProcesses_v3}, {MPS, s.DeviceGetMPSComputeRunningProcesses_v3}, {Graphics, s.DeviceGetGraphicsRunningProcesses_v3}}
	if !graphics {
		lists = lists[:2]
	}
	var all []Process
	r := NotSupported
	for i, l := range lists {
		infos, ret := l.get(g.handle)
		if i == 0 || ret == Success {
			r = ret
		}
		for _, p := range infos {
			add(&all, Process{PID: p.Pid, Type: l.kind, Memory: used(p.UsedGpuMemory), GI: instance(p.GpuInstanceId), CI: instance(p.ComputeInstanceId)})
		}
	}
	for i := range all {
		name := s.names(all[i].PID)
		all[i].Name = str(name)
	}
	slices.SortStableFunc(all, func(a, b Process) int { return int(int64(a.PID) - int64(b.PID)) })
	g.Processes = Val[[]Process]{all, r}
}

// add puts a process in the list; one that is there already does both.
func add(all *[]Process, p Process) {
	for i := range *all {
		if q := &(*all)[i]; q.PID == p.PID && q.GI == p.GI && q.CI == p.CI {
			if q.Type == Compute && p.Type == Graphics {
				q.Type = Both
			}
			return
		}
	}
	*all = append(*all, p)
}

// used is a process's memory; all ones is that it is not known.
func used(n uint64) Val[uint64] {
	if n == 1<<64-1 {
		return none[uint64](NotSupported)
	}
	return of(n)
}
