// SPDX-License-Identifier: Apache-2.0

package smi

import "nervlinux.org/axon/nvml"

func init() {
	add := func(r reading, f func(*source, *GPU)) { readers[r] = f }
	add(rECC, func(s *source, g *GPU) {
		now, next, r := s.DeviceGetEccMode(g.handle)
		g.ECC = Val[Modes[bool]]{Modes[bool]{now != 0, next != 0}, r}
	})
	add(rECCTotal, func(s *source, g *GPU) {
		g.Uncorrected[0].Total = val(s.DeviceGetTotalEccErrors(g.handle, nvml.MEMORY_ERROR_TYPE_UNCORRECTED, nvml.VOLATILE_ECC))
	})
	add(rECCCounts, func(s *source, g *GPU) {
		for when := range g.Corrected {
			s.counts(g, nvml.MEMORY_ERROR_TYPE_CORRECTED, nvml.EccCounterType(when), &g.Corrected[when])
			s.counts(g, nvml.MEMORY_ERROR_TYPE_UNCORRECTED, nvml.EccCounterType(when), &g.Uncorrected[when])
		}
	})
	add(rSRAM, func(s *source, g *GPU) {
		var e nvml.EccSramErrorStatus_v1
		r := s.DeviceGetSramEccErrorStatus(g.handle, &e)
		g.SRAM = Val[SRAM]{SRAM{
			VolatileParity: e.VolatileUncParity, VolatileSECDED: e.VolatileUncSecDed,
			AggregateParity: e.AggregateUncParity, AggregateSECDED: e.AggregateUncSecDed,
			L2: e.AggregateUncBucketL2, SM: e.AggregateUncBucketSm, MCU: e.AggregateUncBucketMcu,
			PCIe: e.AggregateUncBucketPcie, Other: e.AggregateUncBucketOther, ThresholdExceeded: e.BThresholdExceeded != 0,
		}, r}
	})
	add(rRepair, func(s *source, g *GPU) {
		var p nvml.RepairStatus_v1
		r := s.DeviceGetRepairStatus(g.handle, &p)
		g.ChannelRepair, g.TPCRepair = Val[bool]{p.BChannelRepairPending != 0, r}, Val[bool]{p.BTpcRepairPending != 0, r}
	})
	add(rRetiredSBE, func(s *source, g *GPU) {
		g.RetiredSBE = s.retired(g, nvml.PAGE_RETIREMENT_CAUSE_MULTIPLE_SINGLE_BIT_ECC_ERRORS)
	})
	add(rRetiredDBE, func(s *source, g *GPU) {
		g.RetiredDBE = s.retired(g, nvml.PAGE_RETIREMENT_CAUSE_DOUBLE_BIT_ECC_ERROR)
	})
	add(rRetiredPending, func(s *source, g *GPU) { g.RetiredPending = flagVal(s.DeviceGetRetiredPagesPendingStatus(g.handle)) })
	add(rRemapped, func(s *source, g *GPU) {
		c, u, pending, failed, r := s.DeviceGetRemappedRows(g.handle)
		g.Remapped = Val[Rows]{Rows{c, u, none[uint32](NotSupported), none[uint32](NotSupported), pending != 0, failed != 0}, r}
		// Drivers before 580.159 know only those that are in use.
		if v, r := s.DeviceGetRemappedRows_v2(g.handle); r == Success {
			g.Remapped = of(Rows{v.CorrActiveRemaps, v.UncActiveRemaps, of(v.CorrInactiveRemaps), of(v.UncInactiveRemaps), v.BPending != 0, v.BFailureOccurred != 0})
		}
	})
	add(rHistogram, func(s *source, g *GPU) {
		g.Histogram = pick(val(s.DeviceGetRowRemapperHistogram(g.handle)), func(h nvml.RowRemapperHistogramValues) Histogram { return Histogram(h) })
	})
	add(rUnrepairable, func(s *source, g *GPU) {
		u, r := s.DeviceGetUnrepairableMemoryFlag_v1(g.handle)
		g.Unrepairable = Val[bool]{u.BUnrepairableMemory != 0, r}
	})
}

func (s *source) counts(g *GPU, kind nvml.MemoryErrorType, when nvml.EccCounterType, c *Counts) {
	at := func(l nvml.MemoryLocation) Val[uint64] {
		return val(s.DeviceGetMemoryErrorCounter(g.handle, kind, when, l))
	}
	c.Total = val(s.DeviceGetTotalEccErrors(g.handle, kind, when))
	c.L1, c.L2, c.Device = at(nvml.MEMORY_LOCATION_L1_CACHE), at(nvml.MEMORY_LOCATION_L2_CACHE), at(nvml.MEMORY_LOCATION_DEVICE_MEMORY)
	c.Registers, c.Texture = at(nvml.MEMORY_LOCATION_REGISTER_FILE), at(nvml.MEMORY_LOCATION_TEXTURE_MEMORY)
	c.TextureShared = at(nvml.MEMORY_LOCATION_TEXTURE_SHM)
	c.CBU, c.SRAM = at(nvml.MEMORY_LOCATION_CBU), at(nvml.MEMORY_LOCATION_SRAM)
}

func (s *source) retired(g *GPU, cause nvml.PageRetirementCause) Val[[]Retired] {
	addresses, times, r := s.DeviceGetRetiredPages_v2(g.handle, cause)
	if r != Success {
		return none[[]Retired](r)
	}
	pages := make([]Retired, len(addresses))
	for i := range pages {
		pages[i].Address = addresses[i]
		if i < len(times) {
			pages[i].Time = times[i] / 1e6
		}
	}
	return of(pages)
}
