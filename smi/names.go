// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"fmt"
	"strings"
)

// Words that the vendor's program has for NVML's numbers.

func brandName(n uint32) string {
	return name4(n, "Unknown", "Quadro", "Tesla", "NVS", "Grid", "GeForce", "Titan", "NVIDIA Virtual Applications", "NVIDIA Virtual PC",
		"NVIDIA Virtual Compute Server", "NVIDIA RTX Virtual Workstation", "NVIDIA Cloud Gaming", "Quadro RTX", "NVIDIA RTX", "NVIDIA", "GeForce RTX", "Titan RTX")
}

func architectureName(n uint32) string {
	return name4(n, "", "", "Kepler", "Maxwell", "Pascal", "Volta", "Turing", "Ampere", "Ada Lovelace", "Hopper", "Blackwell")
}

const blackwell = 10
const hopper = 9
const ampere = 7

const turing = 6

func addressingName(n uint32) string { return name4(n, "None", "HMM", "ATS") }

func recoveryName(n uint32) string {
	return name4(n, "None", "Reset", "Reboot", "Drain P2P", "Drain and Reset")
}

func gomName(n uint32) string { return name4(n, "All On", "Compute", "Low Double Precision") }

func virtualizationName(n uint32) string {
	return name4(n, "None", "Pass-Through", "VGPU", "Host VGPU", "Host VSGA")
}

func hostVGPUName(n uint32) string { return name4(n, "Non SR-IOV", "SR-IOV") }

func computeModeName(n uint32) string {
	return name4(n, "Default", "Exclusive_Thread", "Prohibited", "Exclusive_Process")
}

func pstateName(n uint32) string {
	if n > 15 {
		return "Unknown"
	}
	return fmt.Sprintf("P%d", n)
}

func peerName(n uint32) string { return name4(n, "Direct Connected", "Switch Connected") }

func fabricStateName(n uint32) string {
	return name4(n, "N/A", "Not Started", "In Progress", "Completed")
}

// atomicsNames are the names of the bits; each is followed by a space. Of none there is N/A.
func atomicsNames(mask uint64) string {
	if mask == 0 {
		return na(NotSupported)
	}
	var b strings.Builder
	for i, n := range []string{"FETCHADD_32", "FETCHADD_64", "SWAP_32", "SWAP_64", "CAS_32", "CAS_64", "CAS_128"} {
		if mask>>i&1 != 0 {
			b.WriteString(n + " ")
		}
	}
	return b.String()
}

// Why clocks are what they are: nvmlClocksEventReason's bits.
const (
	reasonIdle uint64 = 1 << iota
	reasonSetClocks
	reasonPowerCap
	reasonSlowdown // the hardware's
	reasonSyncBoost
	reasonThermal // the driver's
	reasonHWThermal
	reasonPowerBrake
	reasonDisplay
)

// reasons are in the order of -q: the bit, its name there, the end of its element's and its property's.
var reasons = []struct {
	bit                 uint64
	label, tag, counter string
}{
	{reasonIdle, "Idle", "gpu_idle", ""},
	{reasonSetClocks, "Applications Clocks Setting", "applications_clocks_setting", ""},
	{reasonPowerCap, "SW Power Cap", "sw_power_cap", ""},
	{reasonSlowdown, "HW Slowdown", "hw_slowdown", ""},
	{reasonHWThermal, "    HW Thermal Slowdown", "hw_thermal_slowdown", ""},
	{reasonPowerBrake, "    HW Power Brake Slowdown", "hw_power_brake_slowdown", ""},
	{reasonSyncBoost, "Sync Boost", "sync_boost", ""},
	{reasonThermal, "SW Thermal Slowdown", "sw_thermal_slowdown", ""},
	{reasonDisplay, "Display Clock Setting", "display_clocks_setting", ""},
}

func active(v Val[uint64], bit uint64) Val[bool] {
	return pick(v, func(m uint64) bool { return m&bit != 0 })
}
