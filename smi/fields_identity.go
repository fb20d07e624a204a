// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"fmt"

	"nervlinux.org/axon/nvml"
)

var identityFields = []field{
	timestampField,
	prop("driver_version", "", rNothing, func(m *Machine, _ *GPU) out { return outStr(m.Driver) }),
	prop("vgpu_driver_capability.heterogenous_multivGPU", "", rVGPUDriver, func(m *Machine, _ *GPU) out { return outYes(m.HeterogeneousMultiVGPU) }),
	prop("count", "", rNothing, func(m *Machine, _ *GPU) out { return out{s: fmt.Sprint(m.Count)} }),
	prop("name|gpu_name", "", rName, func(_ *Machine, g *GPU) out { return outStr(g.Name) }),
	prop("serial|gpu_serial", "", rSerial, func(_ *Machine, g *GPU) out { return outStr(g.Serial) }),
	prop("uuid|gpu_uuid", "", rUUID, func(_ *Machine, g *GPU) out { return outStr(g.UUID) }),
	prop("pci.bus_id|gpu_bus_id", "", rPCI, func(_ *Machine, g *GPU) out { return outOf(g.PCI, func(p PCI) string { return p.BusID }) }),
	prop("pci.domain", "", rPCI, pciHex("0x%04X", func(p PCI) uint32 { return p.Domain })),
	prop("pci.bus", "", rPCI, pciHex("0x%02X", func(p PCI) uint32 { return p.Bus })),
	prop("pci.device", "", rPCI, pciHex("0x%02X", func(p PCI) uint32 { return p.Device })),
	prop("pci.baseClass", "", rPCI, pciHex("0x%X", func(p PCI) uint32 { return p.BaseClass })),
	prop("pci.subClass", "", rPCI, pciHex("0x%X", func(p PCI) uint32 { return p.SubClass })),
	prop("pci.device_id", "", rPCI, pciHex("0x%08X", func(p PCI) uint32 { return p.DeviceID })),
	prop("pci.sub_device_id", "", rPCI, pciHex("0x%08X", func(p PCI) uint32 { return p.SubSystem })),
	prop("vgpu_device_capability.fractional_multiVgpu", "", rVGPU, vgpuCapability(0)),
	prop("vgpu_device_capability.heterogeneous_timeSlice_profile", "", rVGPU, vgpuCapability(1)),
	prop("vgpu_device_capability.heterogeneous_timeSlice_sizes", "", rVGPU, vgpuCapability(2)),
	prop("vgpu_device_capability.homogeneous_placements", "", rVGPU, vgpuCapability(3)),
	prop("vgpu_device_capability.mig_timeSlicing", "", rVGPU, vgpuCapability(4)),
	prop("vgpu_device_capability.mig_timeSlicing_mode", "", rVGPU, vgpuCapability(5)),
}

func pciHex(format string, f func(PCI) uint32) func(*Machine, *GPU) out {
	return func(_ *Machine, g *GPU) out {
		return outOf(g.PCI, func(p PCI) string { return fmt.Sprintf(format, f(p)) })
	}
}

// vgpuCapabilities are the GPU's VGPUCapabilities.
var vgpuCapabilities = [...]nvml.DeviceVgpuCapability{
	nvml.DEVICE_VGPU_CAP_FRACTIONAL_MULTI_VGPU, nvml.DEVICE_VGPU_CAP_HETEROGENEOUS_TIMESLICE_PROFILES, nvml.DEVICE_VGPU_CAP_HETEROGENEOUS_TIMESLICE_SIZES,
	nvml.DEVICE_VGPU_CAP_HOMOGENEOUS_PLACEMENTS, nvml.DEVICE_VGPU_CAP_MIG_TIMESLICING_SUPPORTED, nvml.DEVICE_VGPU_CAP_MIG_TIMESLICING_ENABLED,
}

func vgpuCapability(n int) func(*Machine, *GPU) out {
	return func(_ *Machine, g *GPU) out { return outYes(g.VGPUCapabilities[n]) }
}

var linkFields = []field{
	prop("pcie.link.gen.current", "", rLinkGen, func(_ *Machine, g *GPU) out { return outNum(g.LinkGen) }),
	prop("pcie.link.gen.gpucurrent", "", rLinkGen, func(_ *Machine, g *GPU) out { return outNum(g.LinkGen) }),
	prop("pcie.link.gen.max", "", rLinkGenMax, func(_ *Machine, g *GPU) out { return outNum(g.LinkGenMax) }),
	prop("pcie.link.gen.gpumax", "", rLinkGenGPUMax, func(_ *Machine, g *GPU) out { return outNum(g.LinkGenGPUMax) }),
	prop("pcie.link.gen.hostmax", "", rNothing, missing),
	prop("pcie.link.width.current", "", rLinkWidth, func(_ *Machine, g *GPU) out { return outNum(g.LinkWidth) }),
	prop("pcie.link.width.max", "", rLinkWidthMax, func(_ *Machine, g *GPU) out { return outNum(g.LinkWidthMax) }),
	prop("index", "", rNothing, func(_ *Machine, g *GPU) out { return out{s: fmt.Sprint(g.Index)} }),
	prop("display_mode", "", rNothing, func(_ *Machine, g *GPU) out { return out{r: Deprecated} }),
	prop("display_attached", "", rDisplayAttached, func(_ *Machine, g *GPU) out { return outYes(g.DisplayAttached) }),
	prop("display_active", "", rDisplayActive, func(_ *Machine, g *GPU) out { return outEnabled(g.DisplayActive) }),
	prop("persistence_mode", "", rPersistence, func(_ *Machine, g *GPU) out { return outEnabled(g.Persistence) }),
	prop("addressing_mode", "", rAddressing, func(_ *Machine, g *GPU) out { return outOf(g.Addressing, addressingName) }),
	prop("accounting.mode", "", rAccounting, func(_ *Machine, g *GPU) out { return outEnabled(g.Accounting) }),
	prop("accounting.buffer_size", "", rAccountingBuffer, func(_ *Machine, g *GPU) out { return outNum(g.AccountingBuffer) }),
	// Linux has no driver models.
	prop("driver_model.current", "", rNothing, missing),
	prop("driver_model.pending", "", rNothing, missing),
	prop("vbios_version", "", rVBIOS, func(_ *Machine, g *GPU) out { return outStr(g.VBIOS) }),
	prop("inforom.img|inforom.image", "", rInforomImage, func(_ *Machine, g *GPU) out { return outStr(g.InforomImage) }),
	prop("inforom.oem", "", rInforom, func(_ *Machine, g *GPU) out { return outStr(g.InforomOEM) }),
	prop("inforom.ecc", "", rInforom, func(_ *Machine, g *GPU) out { return outStr(g.InforomECC) }),
	prop("inforom.pwr|inforom.power", "", rInforom, func(_ *Machine, g *GPU) out { return outStr(g.InforomPower) }),
	prop("inforom.checksum_validation", "", rInforomValid, func(_ *Machine, g *GPU) out {
		return out{s: onOff(g.InforomValid, "valid", "invalid"), r: g.InforomValid.R}
	}),
	prop("gpu_recovery_action", "", rRecovery, func(_ *Machine, g *GPU) out { return outOf(g.Recovery, recoveryName) }),
	prop("gom.current|gpu_operation_mode.current", "", rGOM, func(_ *Machine, g *GPU) out {
		return outOf(g.GOM, func(m Modes[uint32]) string { return gomName(m.Current) })
	}),
	prop("gom.pending|gpu_operation_mode.pending", "", rGOM, func(_ *Machine, g *GPU) out {
		return outOf(g.GOM, func(m Modes[uint32]) string { return gomName(m.Pending) })
	}),
	prop("fan.speed", "%", rFan, func(_ *Machine, g *GPU) out { return outNum(g.Fan) }),
	prop("pstate", "", rPState, func(_ *Machine, g *GPU) out { return outOf(g.PState, pstateName) }),
}
