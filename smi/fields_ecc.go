// SPDX-License-Identifier: Apache-2.0

package smi

var eccFields = append(append(modeFields("ecc.mode", rECC, func(g *GPU) Val[Modes[bool]] { return g.ECC }),
	append(append(countFields("corrected.volatile", func(g *GPU) *Counts { return &g.Corrected[0] }),
		countFields("corrected.aggregate", func(g *GPU) *Counts { return &g.Corrected[1] })...),
		append(countFields("uncorrected.volatile", func(g *GPU) *Counts { return &g.Uncorrected[0] }),
			countFields("uncorrected.aggregate", func(g *GPU) *Counts { return &g.Uncorrected[1] })...)...)...),
	sramField("volatile.sram.parity", func(s SRAM) uint64 { return s.VolatileParity }),
	sramField("volatile.sram.secded", func(s SRAM) uint64 { return s.VolatileSECDED }),
	sramField("aggregate.sram.parity", func(s SRAM) uint64 { return s.AggregateParity }),
	sramField("aggregate.sram.secded", func(s SRAM) uint64 { return s.AggregateSECDED }),
	prop("ecc.errors.uncorrected.aggregate.sram.thresholdExceeded", "", rSRAM, func(_ *Machine, g *GPU) out {
		return outYes(pick(g.SRAM, func(s SRAM) bool { return s.ThresholdExceeded }))
	}),
	sramField("aggregate.sram.l2", func(s SRAM) uint64 { return s.L2 }),
	sramField("aggregate.sram.sm", func(s SRAM) uint64 { return s.SM }),
	sramField("aggregate.sram.mcu", func(s SRAM) uint64 { return s.MCU }),
	sramField("aggregate.sram.pcie", func(s SRAM) uint64 { return s.PCIe }),
	sramField("aggregate.sram.other", func(s SRAM) uint64 { return s.Other }),
)

func countFields(name string, get func(*GPU) *Counts) []field {
	one := func(end string, f func(*Counts) Val[uint64]) field {
		return prop("ecc.errors."+name+"."+end, "", rECCCounts, func(_ *Machine, g *GPU) out { return outNum(f(get(g))) })
	}
	return []field{
		one("device_memory", func(c *Counts) Val[uint64] { return c.Device }),
		one("dram", func(c *Counts) Val[uint64] { return c.Device }),
		one("register_file", func(c *Counts) Val[uint64] { return c.Registers }),
		one("l1_cache", func(c *Counts) Val[uint64] { return c.L1 }),
		one("l2_cache", func(c *Counts) Val[uint64] { return c.L2 }),
		one("texture_memory", func(c *Counts) Val[uint64] { return c.Texture }),
		one("cbu", func(c *Counts) Val[uint64] { return c.CBU }),
		one("sram", func(c *Counts) Val[uint64] { return c.SRAM }),
		one("total", func(c *Counts) Val[uint64] { return c.Total }),
	}
}

func sramField(name string, f func(SRAM) uint64) field {
	return prop("ecc.errors.uncorrected."+name, "", rSRAM, func(_ *Machine, g *GPU) out { return outNum(pick(g.SRAM, f)) })
}

var memoryFaultFields = []field{
	prop("retired_pages.single_bit_ecc.count|retired_pages.sbe", "", rRetiredSBE, func(_ *Machine, g *GPU) out { return outNum(countOf(g.RetiredSBE)) }),
	prop("retired_pages.double_bit.count|retired_pages.dbe", "", rRetiredDBE, func(_ *Machine, g *GPU) out { return outNum(countOf(g.RetiredDBE)) }),
	prop("retired_pages.pending", "", rRetiredPending, func(_ *Machine, g *GPU) out { return outYes(g.RetiredPending) }),
	prop("remapped_rows.correctable|remapped_rows.sbe", "", rRemapped, rowsOut(func(r Rows) uint32 { return r.Correctable })),
	prop("remapped_rows.correctable_inactive", "", rRemapped, func(_ *Machine, g *GPU) out {
		return outNum(inactive(g, func(r Rows) Val[uint32] { return r.InactiveCorrectable }))
	}),
	prop("remapped_rows.uncorrectable|remapped_rows.dbe", "", rRemapped, rowsOut(func(r Rows) uint32 { return r.Uncorrectable })),
	prop("remapped_rows.uncorrectable_inactive", "", rRemapped, func(_ *Machine, g *GPU) out {
		return outNum(inactive(g, func(r Rows) Val[uint32] { return r.InactiveUncorrectable }))
	}),
	prop("remapped_rows.pending", "", rRemapped, func(_ *Machine, g *GPU) out { return outYes(pick(g.Remapped, func(r Rows) bool { return r.Pending })) }),
	prop("remapped_rows.failure", "", rRemapped, func(_ *Machine, g *GPU) out { return outYes(pick(g.Remapped, func(r Rows) bool { return r.Failure })) }),
	histogramField("max", func(h Histogram) uint32 { return h.Max }),
	histogramField("high", func(h Histogram) uint32 { return h.High }),
	histogramField("partial", func(h Histogram) uint32 { return h.Partial }),
	histogramField("low", func(h Histogram) uint32 { return h.Low }),
	histogramField("none", func(h Histogram) uint32 { return h.None }),
}

func countOf(v Val[[]Retired]) Val[uint32] {
	return pick(v, func(r []Retired) uint32 { return uint32(len(r)) })
}

func rowsOut(f func(Rows) uint32) func(*Machine, *GPU) out {
	return func(_ *Machine, g *GPU) out { return outNum(pick(g.Remapped, f)) }
}

func inactive(g *GPU, f func(Rows) Val[uint32]) Val[uint32] {
	if !g.Remapped.OK() {
		return none[uint32](g.Remapped.R)
	}
	return f(g.Remapped.V)
}

func histogramField(name string, f func(Histogram) uint32) field {
	return prop("remapped_rows.histogram."+name, "", rHistogram, func(_ *Machine, g *GPU) out { return outNum(pick(g.Histogram, f)) })
}
