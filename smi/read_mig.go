// SPDX-License-Identifier: Apache-2.0

package smi

import "nervlinux.org/axon/nvml"

func init() {
	readers[rMIGDevices] = readMIG
	readers[rAccounted] = readAccounted
}

// readMIG finds a GPU's MIG devices; there are none where MIG is off.
func readMIG(s *source, g *GPU) {
	if !g.MIG.OK() || !g.MIG.V.Current {
		return
	}
	n, r := s.DeviceGetMaxMigDeviceCount(g.handle)
	if r != Success {
		return
	}
	for i := range n {
		h, r := s.DeviceGetMigDeviceHandleByIndex(g.handle, i)
		if r == Success {
			g.MIGDevices = append(g.MIGDevices, s.migDevice(i, h))
		}
	}
}

func (s *source) migDevice(index uint32, h nvml.Device) MIGDevice {
	part := &GPU{handle: h}
	d := MIGDevice{Index: index, Name: val(s.DeviceGetName(h)), UUID: val(s.DeviceGetUUID(h))}
	d.GI, _ = s.DeviceGetGpuInstanceId(h)
	d.CI, _ = s.DeviceGetComputeInstanceId(h)
	a := val(s.DeviceGetAttributes_v2(h))
	d.SMs = pick(a, func(a nvml.DeviceAttributes) uint32 { return a.MultiprocessorCount })
	d.Copy = pick(a, func(a nvml.DeviceAttributes) uint32 { return a.SharedCopyEngineCount })
	d.Encoders = pick(a, func(a nvml.DeviceAttributes) uint32 { return a.SharedEncoderCount })
	d.Decoders = pick(a, func(a nvml.DeviceAttributes) uint32 { return a.SharedDecoderCount })
	d.OFA = pick(a, func(a nvml.DeviceAttributes) uint32 { return a.SharedOfaCount })
	d.JPEG = pick(a, func(a nvml.DeviceAttributes) uint32 { return a.SharedJpegCount })
	d.SRAMUncorrected = val(s.DeviceGetMemoryErrorCounter(h, nvml.MEMORY_ERROR_TYPE_UNCORRECTED, nvml.VOLATILE_ECC, nvml.MEMORY_LOCATION_SRAM))
	readMemory(s, part)
	readers[rBAR1](s, part)
	d.Memory, d.BAR1 = part.Memory, part.BAR1
	return d
}

func readAccounted(s *source, g *GPU) {
	pids, r := s.DeviceGetAccountingPids(g.handle)
	if r != Success {
		g.Accounted = none[[]Accounted](r)
		return
	}
	all := make([]Accounted, 0, len(pids))
	for _, pid := range pids {
		a, r := s.DeviceGetAccountingStats(g.handle, pid)
		if r != Success {
			continue
		}
		all = append(all, Accounted{PID: pid, GPU: percent(a.GpuUtilization), Memory: percent(a.MemoryUtilization),
			MaxMemory: used(a.MaxMemoryUsage), Time: a.Time, Running: a.IsRunning != 0})
	}
	g.Accounted = of(all)
}

// percent is a part; all ones is that it is not known.
func percent(n uint32) Val[uint32] {
	if n == 1<<32-1 {
		return none[uint32](NotSupported)
	}
	return of(n)
}
