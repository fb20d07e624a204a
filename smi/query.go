// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"fmt"
)

// section is a part of -q that -d asks for by name.
type section int

const (
	secIdentity section = iota // no name: only in the whole
	secMIG
	secAccounting
	secGSP
	secPerformance
	secMemory
	secCompute
	secUtilization
	secEncoder
	secFBC
	secECC
	secRetired
	secRows
	secTemperature
	secTarget
	secPower
	secSmoothing
	secProfiles
	secClock
	secVoltage
	secSupportedClocks
	secPIDs
	secRest
	sections
)

var sectionNames = map[string]section{
	"MEMORY": secMemory, "UTILIZATION": secUtilization, "ECC": secECC, "TEMPERATURE": secTemperature, "POWER": secPower, "CLOCK": secClock,
	"COMPUTE": secCompute, "PIDS": secPIDs, "PERFORMANCE": secPerformance, "SUPPORTED_CLOCKS": secSupportedClocks,
	"PAGE_RETIREMENT": secRetired, "ACCOUNTING": secAccounting, "ENCODER_STATS": secEncoder, "SUPPORTED_GPU_TARGET_TEMP": secTarget,
	"VOLTAGE": secVoltage, "FBC_STATS": secFBC, "ROW_REMAPPER": secRows, "GSP_FIRMWARE_VERSION": secGSP,
	"POWER_SMOOTHING": secSmoothing, "POWER_PROFILES": secProfiles,
}

// display is what -d says; all of it shows what -q shows without.
type display struct {
	all  bool
	some [sections]bool
}

func (d display) has(s section) bool {
	return d.all && s != secTarget && s != secSupportedClocks || d.some[s]
}

// sampled is whether samples are shown: only where the section was asked for by name.
func (d display) sampled(s section) bool { return d.some[s] }

// writeQuery is what -q prints.
func writeQuery(w *bytes.Buffer, m *Machine, d display) {
	t := &tree{w: w, depth: 1, r: releaseOf(str(m.Driver))}
	t.width = t.r.width()
	w.WriteString("\n==============NVSMI LOG==============\n\n")
	t.leaf("Timestamp", "", m.Time.Format(ctime))
	t.leaf("Driver Version", "", str(m.Driver))
	t.leaf("CUDA Version", "", cudaVersion(m.CUDA))
	w.WriteByte('\n')
	t.leaf("Attached GPUs", "", fmt.Sprint(m.Count))
	for _, g := range m.GPUs {
		fmt.Fprintf(w, "GPU %s\n", text(g.PCI, func(p PCI) string { return p.BusID }))
		t.depth = 2
		t.gpu(g, d)
		w.WriteByte('\n')
	}
}

// writeXML is what -q -x prints.
func writeXML(w *bytes.Buffer, m *Machine, dtd bool) {
	startXML(w, m, "device", dtd)
	t := &tree{w: w, xml: true, r: releaseOf(str(m.Driver))}
	t.group("", "nvidia_smi_log", func() {
		t.leaf("", "timestamp", m.Time.Format(ctime))
		t.leaf("", "driver_version", str(m.Driver))
		t.leaf("", "cuda_version", cudaVersion(m.CUDA))
		t.leaf("", "attached_gpus", fmt.Sprint(m.Count))
		d := display{all: true}
		d.some[secTarget], d.some[secSupportedClocks] = true, true
		for _, g := range m.GPUs {
			fmt.Fprintf(w, "\t<gpu id=\"%s\">\n", text(g.PCI, func(p PCI) string { return p.BusID }))
			t.depth++
			t.gpu(g, d)
			t.depth--
			w.WriteString("\t</gpu>\n\n")
		}
	})
}

func (t *tree) gpu(g *GPU, d display) {
	if d.has(secIdentity) {
		t.product(g)
	}
	if d.has(secMIG) {
		t.mig(g)
	}
	if d.has(secAccounting) {
		t.leaf("Accounting Mode", "accounting_mode", enabled(g.Accounting))
		t.leaf("Accounting Mode Buffer Size", "accounting_mode_buffer_size", number(g.AccountingBuffer, ""))
		if d.some[secAccounting] {
			t.accounted(g)
		}
	}
	if d.has(secIdentity) {
		t.identity(g)
	}
	if d.has(secGSP) && (t.r.since(550, 0) || !d.has(secIdentity)) {
		t.gsp(g)
	}
	if d.has(secIdentity) {
		t.group("IBMNPU", "ibmnpu", func() { t.leaf("Relaxed Ordering Mode", "relaxed_ordering_mode", "N/A") })
		t.pci(g)
		t.leaf("Fan Speed", "fan_speed", number(g.Fan, " %"))
	}
	if d.has(secPerformance) {
		t.performance(g)
	}
	if d.has(secMemory) {
		t.memory("FB Memory Usage", "fb_memory_usage", g.Memory, true)
		t.memory("BAR1 Memory Usage", "bar1_memory_usage", g.BAR1, false)
		t.memory("Conf Compute Protected Memory Usage", "cc_protected_memory_usage", g.Protected, false)
	}
	if d.has(secCompute) {
		t.leaf("Compute Mode", "compute_mode", text(g.ComputeMode, computeModeName))
	}
	if d.has(secUtilization) {
		t.utilization(g, d)
	}
	if d.has(secEncoder) {
		t.stats("Encoder Stats", "encoder_stats", g.Encoder)
	}
	if d.has(secFBC) {
		t.stats("FBC Stats", "fbc_stats", g.FBC)
	}
	if d.has(secRest) && t.r.since(570, 0) {
		t.modes("DRAM Encryption Mode", "dram_encryption_mode", "dram_encryption", g.DRAMEncryption)
	}
	if d.has(secECC) {
		t.ecc(g)
	}
	if d.has(secRetired) {
		t.retired(g)
	}
	if d.has(secRows) {
		t.rows(g)
	}
	if d.has(secTemperature) {
		t.temperature(g)
	}
	if d.has(secTarget) {
		t.target(g)
	}
	if d.has(secPower) {
		t.power(g, d)
	}
	if d.has(secSmoothing) && t.r.since(570, 0) {
		// How it is printed where it can be read was seen nowhere.
		t.leaf("Power Smoothing", "power_smoothing", text(g.Smoothing, func(bool) string { return "N/A" }))
	}
	if d.has(secProfiles) && t.r.since(570, 0) {
		t.group("Workload Power Profiles", "power_profiles", func() {
			t.leaf("Requested Profiles", "power_profile_requested_profiles", "N/A")
			t.leaf("Enforced Profiles", "power_profile_enforced_profiles", "N/A")
		})
	}
	if d.has(secPower) && t.r.since(590, 0) {
		// NVML's description of 580 has no name for it.
		t.leaf("EDPp Multiplier", "edpp_multiplier", "N/A")
	}
	if d.has(secClock) {
		t.clocks(g, d)
	}
	if d.has(secVoltage) && !t.r.since(580, 0) {
		t.voltage()
	}
	if d.has(secRest) {
		t.fabric(g)
	}
	if d.has(secSupportedClocks) {
		t.supported(g)
	}
	if d.has(secPIDs) {
		t.processes(g)
	}
	if d.has(secRest) {
		t.onlyXML(func() { t.accounted(g) })
		t.capabilities(g)
	}
}
