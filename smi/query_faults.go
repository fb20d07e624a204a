// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"fmt"
	"time"
)

func (t *tree) ecc(g *GPU) {
	t.modes("ECC Mode", "ecc_mode", "ecc", g.ECC)
	t.group("ECC Errors", "ecc_errors", func() {
		switch {
		case !g.Architecture.OK() || g.Architecture.V < turing:
			t.eccVolta("Volatile", "volatile", g, 0)
			t.eccVolta("Aggregate", "aggregate", g, 1)
		case g.Architecture.V >= ampere && t.r.since(550, 0):
			t.eccAmpere(g)
		default:
			t.eccTuring("Volatile", "volatile", g, 0)
			t.eccTuring("Aggregate", "aggregate", g, 1)
		}
	})
}

// counted is not there while ECC is off.
func counted[T any](g *GPU, v Val[T]) Val[T] {
	if !g.ECC.OK() || !g.ECC.V.Current {
		return none[T](NotSupported)
	}
	return v
}

func (t *tree) eccTuring(label, tag string, g *GPU, n int) {
	t.group(label, tag, func() {
		t.leaf("SRAM Correctable", "sram_correctable", number(counted(g, g.Corrected[n].SRAM), ""))
		t.leaf("SRAM Uncorrectable", "sram_uncorrectable", number(counted(g, g.Uncorrected[n].SRAM), ""))
		t.leaf("DRAM Correctable", "dram_correctable", number(counted(g, g.Corrected[n].Device), ""))
		t.leaf("DRAM Uncorrectable", "dram_uncorrectable", number(counted(g, g.Uncorrected[n].Device), ""))
	})
}

func (t *tree) eccAmpere(g *GPU) {
	sram := counted(g, g.SRAM)
	count := func(f func(SRAM) uint64) string { return number(pick(sram, f), "") }
	t.group("Volatile", "volatile", func() {
		t.leaf("SRAM Correctable", "sram_correctable", number(counted(g, g.Corrected[0].SRAM), ""))
		t.leaf("SRAM Uncorrectable Parity", "sram_uncorrectable_parity", count(func(s SRAM) uint64 { return s.VolatileParity }))
		t.leaf("SRAM Uncorrectable SEC-DED", "sram_uncorrectable_secded", count(func(s SRAM) uint64 { return s.VolatileSECDED }))
		t.leaf("DRAM Correctable", "dram_correctable", number(counted(g, g.Corrected[0].Device), ""))
		t.leaf("DRAM Uncorrectable", "dram_uncorrectable", number(counted(g, g.Uncorrected[0].Device), ""))
	})
	t.group("Aggregate", "aggregate", func() {
		t.leaf("SRAM Correctable", "sram_correctable", number(counted(g, g.Corrected[1].SRAM), ""))
		t.leaf("SRAM Uncorrectable Parity", "sram_uncorrectable_parity", count(func(s SRAM) uint64 { return s.AggregateParity }))
		t.leaf("SRAM Uncorrectable SEC-DED", "sram_uncorrectable_secded", count(func(s SRAM) uint64 { return s.AggregateSECDED }))
		t.leaf("DRAM Correctable", "dram_correctable", number(counted(g, g.Corrected[1].Device), ""))
		t.leaf("DRAM Uncorrectable", "dram_uncorrectable", number(counted(g, g.Uncorrected[1].Device), ""))
		t.leaf("SRAM Threshold Exceeded", "sram_threshold_exceeded", yes(pick(sram, func(s SRAM) bool { return s.ThresholdExceeded })))
	})
	t.group("Aggregate Uncorrectable SRAM Sources", "aggregate_uncorrectable_sram_sources", func() {
		t.leaf("SRAM L2", "sram_l2", count(func(s SRAM) uint64 { return s.L2 }))
		t.leaf("SRAM SM", "sram_sm", count(func(s SRAM) uint64 { return s.SM }))
		t.leaf("SRAM Microcontroller", "sram_microcontroller", count(func(s SRAM) uint64 { return s.MCU }))
		t.leaf("SRAM PCIE", "sram_pcie", count(func(s SRAM) uint64 { return s.PCIe }))
		t.leaf("SRAM Other", "sram_other", count(func(s SRAM) uint64 { return s.Other }))
	})
	if t.r.since(580, 0) {
		t.leaf("Channel Repair Pending", "channel_repair_pending", yes(g.ChannelRepair))
		t.leaf("TPC Repair Pending", "tpc_repair_pending", yes(g.TPCRepair))
	}
	if t.r.since(580, 159) {
		t.leaf("Unrepairable Memory", "unrepairable_memory", yes(g.Unrepairable))
	}
}

// eccVolta is of what has caches and no word for SRAM as a whole.
func (t *tree) eccVolta(label, tag string, g *GPU, n int) {
	t.group(label, tag, func() {
		t.bits("Single Bit            ", "single_bit", g, &g.Corrected[n])
		t.bits("Double Bit            ", "double_bit", g, &g.Uncorrected[n])
	})
}

func (t *tree) bits(label, tag string, g *GPU, c *Counts) {
	count := func(v Val[uint64]) string { return number(counted(g, v), "") }
	t.group(label, tag, func() {
		t.leaf("Device Memory", "device_memory", count(c.Device))
		t.leaf("Register File", "register_file", count(c.Registers))
		t.leaf("L1 Cache", "l1_cache", count(c.L1))
		t.leaf("L2 Cache", "l2_cache", count(c.L2))
		t.leaf("Texture Memory", "texture_memory", count(c.Texture))
		t.leaf("Texture Shared", "texture_shm", count(c.TextureShared))
		t.leaf("CBU", "cbu", count(c.CBU))
		t.leaf("Total", "total", count(c.Total))
	})
}

func (t *tree) retired(g *GPU) {
	t.group("Retired Pages", "retired_pages", func() {
		t.onlyText(func() {
			t.leaf("Single Bit ECC", "", number(countOf(g.RetiredSBE), ""))
			t.leaf("Double Bit ECC", "", number(countOf(g.RetiredDBE), ""))
			t.leaf("Pending Page Blacklist", "", yes(g.RetiredPending))
		})
		t.onlyXML(func() {
			t.retiredList("multiple_single_bit_retirement", g.RetiredSBE)
			t.retiredList("double_bit_retirement", g.RetiredDBE)
			t.leaf("", "pending_blacklist", yes(g.RetiredPending))
			t.leaf("", "pending_retirement", yes(g.RetiredPending))
		})
	})
}

func (t *tree) retiredList(tag string, v Val[[]Retired]) {
	t.group("", tag, func() {
		t.leaf("", "retired_count", number(countOf(v), ""))
		if !v.OK() {
			t.leaf("", "retired_pagelist", na(v.R))
			return
		}
		t.group("", "retired_pagelist", func() {
			for _, p := range v.V {
				t.group("", "retired_page", func() {
					t.leaf("", "retired_page_address", fmt.Sprintf("0x%016x", p.Address))
					t.leaf("", "retired_page_timestamp", time.Unix(int64(p.Time), 0).Format(ctime))
				})
			}
		})
	})
}

func (t *tree) rows(g *GPU) {
	if !g.Remapped.OK() {
		t.leaf("Remapped Rows", "remapped_rows", na(g.Remapped.R))
		return
	}
	r := g.Remapped.V
	t.group("Remapped Rows", "remapped_rows", func() {
		t.leaf("Correctable Error", "remapped_row_corr", fmt.Sprint(r.Correctable))
		if t.r.since(580, 159) {
			t.leaf("Inactive Correctable Error", "remapped_row_corr_inactive", number(r.InactiveCorrectable, ""))
		}
		t.leaf("Uncorrectable Error", "remapped_row_unc", fmt.Sprint(r.Uncorrectable))
		if t.r.since(580, 159) {
			t.leaf("Inactive Uncorrectable Error", "remapped_row_unc_inactive", number(r.InactiveUncorrectable, ""))
		}
		t.leaf("Pending", "remapped_row_pending", yes(of(r.Pending)))
		t.leaf("Remapping Failure Occurred", "remapped_row_failure", yes(of(r.Failure)))
		bank := func(f func(Histogram) uint32) string { return number(pick(g.Histogram, f), " bank(s)") }
		t.group("Bank Remap Availability Histogram", "row_remapper_histogram", func() {
			t.leaf("Max", "row_remapper_histogram_max", bank(func(h Histogram) uint32 { return h.Max }))
			t.leaf("High", "row_remapper_histogram_high", bank(func(h Histogram) uint32 { return h.High }))
			t.leaf("Partial", "row_remapper_histogram_partial", bank(func(h Histogram) uint32 { return h.Partial }))
			t.leaf("Low", "row_remapper_histogram_low", bank(func(h Histogram) uint32 { return h.Low }))
			t.leaf("None", "row_remapper_histogram_none", bank(func(h Histogram) uint32 { return h.None }))
		})
	})
}
