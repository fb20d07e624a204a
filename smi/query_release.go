// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"cmp"
	"strings"
)

// What -q and -x have differs from release to release: 535, 545, 550, 560, 565,
// 570, 575, several of 580, and 595 were seen (testdata/README.md); one between two of
// these is as the older.

// width is that of the names: 580 had it as the older ones first.
func (r release) width() int {
	if r.since(580, 119) {
		return 55
	}
	return 42
}

func (t *tree) gsp(g *GPU) { t.leaf("GSP Firmware Version", "gsp_firmware_version", str(g.GSPVersion)) }

// display is a mode that became whether a display is attached.
func (t *tree) display(g *GPU) {
	if !t.r.since(575, 0) {
		t.leaf("Display Mode", "display_mode", enabled(g.DisplayAttached))
		return
	}
	t.leaf("Display Mode", "display_mode", words(Deprecated))
	t.leaf("Display Attached", "display_attached", yes(g.DisplayAttached))
}

// olderPlatform is what was told before 570: the module, and once a place in a rack
// for which NVML's description has no function.
func (t *tree) olderPlatform(g *GPU) {
	if !t.r.since(565, 0) {
		t.leaf("Module ID", "gpu_module_id", number(g.ModuleID, ""))
		return
	}
	t.group("Platform Info", "platformInfo", func() {
		t.leaf("RACK Serial Number", "rack_serial_number", "N/A")
		t.leaf("Chassis Physical Slot Number", "chassis_physical_slot_number", "N/A")
		t.leaf("Compute Slot Index", "compute_slot_index", "N/A")
		t.leaf("Node Index", "node_index", "N/A")
		t.leaf("Peer Type", "peer_type", "N/A")
		t.leaf("Module Id", "module_id", number(g.ModuleID, ""))
	})
}

// guid is without zeros in front before 580.
func (t *tree) guid(s string) string {
	if t.r.since(580, 0) {
		return s
	}
	return "0x" + cmp.Or(strings.TrimLeft(strings.TrimPrefix(s, "0x"), "0"), "0")
}

func (t *tree) resetStatus(g *GPU) {
	t.group("GPU Reset Status", "gpu_reset_status", func() {
		t.leaf("Reset Required", "reset_required", yes(g.ResetRequired))
		t.leaf("Drain and Reset Recommended", "drain_and_reset_recommended", yes(g.DrainRecommended))
	})
}

func (t *tree) atomics(g *GPU) {
	out := func() { t.leaf("Atomic Caps Outbound", "atomic_caps_outbound", text(g.AtomicsOut, atomicsNames)) }
	if t.r.since(560, 0) {
		out()
	}
	t.leaf("Atomic Caps Inbound", "atomic_caps_inbound", text(g.AtomicsIn, atomicsNames))
	if !t.r.since(560, 0) {
		out()
	}
}

// powerState is not told since 595.
func (t *tree) powerState(g *GPU) {
	if t.r.since(595, 0) {
		t.leaf("", "power_state", words(Deprecated))
		return
	}
	t.leaf("", "power_state", text(g.PState, pstateName))
}

// draw is the power that is drawn, which was one value before 570.
func (t *tree) draw(average, instant, one Val[uint32]) {
	if !t.r.since(570, 0) {
		t.watts("Power Draw", "power_draw", one)
		return
	}
	t.watts("Average Power Draw", "average_power_draw", average)
	t.watts("Instantaneous Power Draw", "instant_power_draw", instant)
}

// voltage is told by no function of NVML's.
func (t *tree) voltage() {
	value := "N/A"
	if t.r.since(575, 0) && !t.r.since(580, 0) {
		value = words(Deprecated)
	}
	t.group("Voltage", "voltage", func() { t.leaf("Graphics", "graphics_volt", value) })
}

func (t *tree) fabricHealth(f fabricWords) {
	if t.r.since(580, 0) {
		t.leaf("Summary", "summary", f.summary)
	}
	t.leaf("Bandwidth", "bandwidth", f.bandwidth)
	if t.r.since(570, 0) {
		t.leaf("Route Recovery in progress", "route_recovery_in_progress", f.recovery)
		t.leaf("Route Unhealthy", "route_unhealthy", f.unhealthy)
		t.leaf("Access Timeout Recovery", "access_timeout_recovery", f.timeout)
	}
	if t.r.since(580, 0) {
		t.leaf("Incorrect Configuration", "incorrect_configuration", f.configuration)
	}
	if t.r.since(580, 142) {
		t.leaf("Partition Assigned", "partition_assigned", f.partition)
	}
}

func (t *tree) capabilities(g *GPU) {
	if !t.r.since(560, 0) {
		return
	}
	t.group("Capabilities", "capabilities", func() {
		t.leaf("EGM", "egm", text(g.Capabilities, func(m uint32) string {
			if m&1 != 0 {
				return "enabled"
			}
			return "disabled"
		}))
	})
}
