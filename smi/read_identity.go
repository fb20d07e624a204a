// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"fmt"
	"strings"

	"nervlinux.org/axon/nvml"
)

func init() {
	add := func(r reading, f func(*source, *GPU)) { readers[r] = f }
	add(rBrand, func(s *source, g *GPU) {
		g.Brand = pick(val(s.DeviceGetBrand(g.handle)), func(b nvml.BrandType) uint32 { return uint32(b) })
	})
	add(rArchitecture, func(s *source, g *GPU) { g.Architecture = val(s.DeviceGetArchitecture(g.handle)) })
	add(rDisplayAttached, func(s *source, g *GPU) { g.DisplayAttached = flagVal(s.DeviceGetDisplayMode(g.handle)) })
	add(rDisplayActive, func(s *source, g *GPU) { g.DisplayActive = flagVal(s.DeviceGetDisplayActive(g.handle)) })
	add(rPersistence, func(s *source, g *GPU) { g.Persistence = flagVal(s.DeviceGetPersistenceMode(g.handle)) })
	add(rAddressing, func(s *source, g *GPU) {
		var m nvml.DeviceAddressingMode_v1
		r := s.DeviceGetAddressingMode(g.handle, &m)
		g.Addressing = Val[uint32]{m.Value, r}
	})
	add(rMIG, func(s *source, g *GPU) {
		now, next, r := s.DeviceGetMigMode(g.handle)
		g.MIG = Val[Modes[bool]]{Modes[bool]{now != 0, next != 0}, r}
	})
	add(rAccounting, func(s *source, g *GPU) { g.Accounting = flagVal(s.DeviceGetAccountingMode(g.handle)) })
	add(rAccountingBuffer, func(s *source, g *GPU) { g.AccountingBuffer = val(s.DeviceGetAccountingBufferSize(g.handle)) })
	add(rSerial, func(s *source, g *GPU) { g.Serial = val(s.DeviceGetSerial(g.handle)) })
	add(rPDI, func(s *source, g *GPU) {
		var p nvml.Pdi_v1
		r := s.DeviceGetPdi(g.handle, &p)
		g.PDI = Val[uint64]{p.Value, r}
	})
	add(rMinor, func(s *source, g *GPU) { g.Minor = val(s.DeviceGetMinorNumber(g.handle)) })
	add(rVBIOS, func(s *source, g *GPU) { g.VBIOS = val(s.DeviceGetVbiosVersion(g.handle)) })
	add(rMultiGPUBoard, func(s *source, g *GPU) { g.MultiGPUBoard = flagVal(s.DeviceGetMultiGpuBoard(g.handle)) })
	add(rBoardID, func(s *source, g *GPU) { g.BoardID = val(s.DeviceGetBoardId(g.handle)) })
	add(rBoardPart, func(s *source, g *GPU) { g.BoardPart = val(s.DeviceGetBoardPartNumber(g.handle)) })
	add(rPlatform, readPlatform)
	add(rModuleID, func(s *source, g *GPU) { g.ModuleID = val(s.DeviceGetModuleId(g.handle)) })
	add(rInforomImage, func(s *source, g *GPU) { g.InforomImage = val(s.DeviceGetInforomImageVersion(g.handle)) })
	add(rInforom, func(s *source, g *GPU) {
		g.InforomOEM = val(s.DeviceGetInforomVersion(g.handle, nvml.INFOROM_OEM))
		g.InforomECC = val(s.DeviceGetInforomVersion(g.handle, nvml.INFOROM_ECC))
		g.InforomPower = val(s.DeviceGetInforomVersion(g.handle, nvml.INFOROM_POWER))
	})
	add(rInforomValid, func(s *source, g *GPU) {
		r := s.DeviceValidateInforom(g.handle)
		g.InforomValid = Val[bool]{r == Success, r}
		if r == nvml.ERROR_CORRUPTED_INFOROM {
			g.InforomValid = of(false)
		}
	})
	add(rBBX, func(s *source, g *GPU) {
		at, took, r := s.DeviceGetLastBBXFlushTime(g.handle)
		g.BBXTime, g.BBXDuration = Val[uint64]{at, r}, Val[uint64]{took, r}
	})
	add(rGOM, func(s *source, g *GPU) {
		now, next, r := s.DeviceGetGpuOperationMode(g.handle)
		g.GOM = Val[Modes[uint32]]{Modes[uint32]{uint32(now), uint32(next)}, r}
	})
	add(rC2C, func(s *source, g *GPU) {
		g.C2C = pick(val(s.DeviceGetC2cModeInfoV(g.handle)), func(i nvml.C2cModeInfo_v1) bool { return i.IsC2cEnabled != 0 })
	})
	add(rVirtualization, func(s *source, g *GPU) {
		g.Virtualization = pick(val(s.DeviceGetVirtualizationMode(g.handle)), func(m nvml.GpuVirtualizationMode) uint32 { return uint32(m) })
	})
	add(rHostVGPU, func(s *source, g *GPU) {
		g.HostVGPU = pick(val(s.DeviceGetHostVgpuMode(g.handle)), func(m nvml.HostVgpuMode) uint32 { return uint32(m) })
	})
	add(rHeterogeneous, func(s *source, g *GPU) {
		var m nvml.VgpuHeterogeneousMode_v1
		r := s.DeviceGetVgpuHeterogeneousMode(g.handle, &m)
		g.Heterogeneous = Val[bool]{m.Mode != 0, r}
	})
	add(rRecovery, func(s *source, g *GPU) { g.Recovery = s.unsigned(g, fieldRecovery, 0) })
	add(rReset, func(s *source, g *GPU) {
		g.ResetRequired = pick(s.field(g, fieldReset, 0), func(n float64) bool { return n != 0 })
		g.DrainRecommended = pick(s.field(g, fieldDrain, 0), func(n float64) bool { return n != 0 })
	})
	add(rGSPVersion, func(s *source, g *GPU) { g.GSPVersion = val(s.DeviceGetGspFirmwareVersion(g.handle)) })
	add(rGSP, func(s *source, g *GPU) {
		now, usual, r := s.DeviceGetGspFirmwareMode(g.handle)
		g.GSP = Val[Modes[bool]]{Modes[bool]{now != 0, usual != 0}, r}
	})
	add(rPCI, readPCI)
	add(rLinkGenMax, func(s *source, g *GPU) { g.LinkGenMax = val(s.DeviceGetMaxPcieLinkGeneration(g.handle)) })
	add(rLinkGen, func(s *source, g *GPU) { g.LinkGen = val(s.DeviceGetCurrPcieLinkGeneration(g.handle)) })
	add(rLinkGenGPUMax, func(s *source, g *GPU) { g.LinkGenGPUMax = val(s.DeviceGetGpuMaxPcieLinkGeneration(g.handle)) })
	add(rLinkWidthMax, func(s *source, g *GPU) { g.LinkWidthMax = val(s.DeviceGetMaxPcieLinkWidth(g.handle)) })
	add(rLinkWidth, func(s *source, g *GPU) { g.LinkWidth = val(s.DeviceGetCurrPcieLinkWidth(g.handle)) })
	add(rBridge, readBridge)
	add(rReplays, func(s *source, g *GPU) {
		g.Replays = pick(val(s.DeviceGetPcieReplayCounter(g.handle)), func(n uint32) uint64 { return uint64(n) })
	})
	add(rRollovers, func(s *source, g *GPU) { g.Rollovers = s.long(g, fieldReplayRollovers) })
	add(rTx, func(s *source, g *GPU) { g.Tx = val(s.DeviceGetPcieThroughput(g.handle, nvml.PCIE_UTIL_TX_BYTES)) })
	add(rRx, func(s *source, g *GPU) { g.Rx = val(s.DeviceGetPcieThroughput(g.handle, nvml.PCIE_UTIL_RX_BYTES)) })
	add(rAtomics, func(s *source, g *GPU) {
		g.AtomicsOut, g.AtomicsIn = s.long(g, fieldAtomicsOut), s.long(g, fieldAtomicsIn)
	})
	add(rCapability, func(s *source, g *GPU) {
		major, minor, r := s.DeviceGetCudaComputeCapability(g.handle)
		g.Capability = Val[[2]int32]{[2]int32{major, minor}, r}
	})
	add(rCapabilities, func(s *source, g *GPU) {
		var c nvml.DeviceCapabilities_v1
		r := s.DeviceGetCapabilities(g.handle, &c)
		g.Capabilities = Val[uint32]{c.CapMask, r}
	})
	add(rHostname, func(s *source, g *GPU) { g.Hostname = none[string](NotSupported) })
	add(rVGPU, func(s *source, g *GPU) {
		for i, c := range vgpuCapabilities {
			g.VGPUCapabilities[i] = flagVal(s.DeviceGetVgpuCapabilities(g.handle, c))
		}
	})
	add(rFabric, readFabric)
}

// readPCI asks for the classes too; an older driver does not know that call.
func readPCI(s *source, g *GPU) {
	short := val(s.DeviceGetPciInfo_v3(g.handle))
	var long nvml.PciInfoExt_v1
	r := s.DeviceGetPciInfoExt(g.handle, &long)
	g.PCI = pick(short, func(p nvml.PciInfo) PCI {
		pci := PCI{Domain: p.Domain, Bus: p.Bus, Device: p.Device, DeviceID: p.PciDeviceId, SubSystem: p.PciSubSystemId, BusID: p.BusId}
		if r == Success {
			pci.BaseClass, pci.SubClass = long.BaseClass, long.SubClass
		}
		return pci
	})
}

func readPlatform(s *source, g *GPU) {
	var p nvml.PlatformInfo_v2
	r := s.DeviceGetPlatformInfo(g.handle, &p)
	guid := "0x"
	for i := 7; i >= 0; i-- {
		guid += fmt.Sprintf("%02x", p.IbGuid[i])
	}
	g.Platform = Val[Platform]{Platform{
		Chassis: strings.TrimRight(string(p.ChassisSerialNumber[:]), "\x00"),
		Slot:    uint32(p.SlotNumber), Tray: uint32(p.TrayIndex), Host: uint32(p.HostId), Peer: uint32(p.PeerType), Module: uint32(p.ModuleId),
		FabricGUID: guid,
	}, r}
}

func readBridge(s *source, g *GPU) {
	b := val(s.DeviceGetBridgeChipInfo(g.handle))
	if b.OK() && b.V.BridgeCount == 0 {
		b.R = NotSupported
	}
	g.BridgeType = pick(b, func(h nvml.BridgeChipHierarchy) uint32 { return uint32(h.BridgeChipInfo[0].Type) })
	g.BridgeFirmware = pick(b, func(h nvml.BridgeChipHierarchy) string {
		v := h.BridgeChipInfo[0].FwVersion
		return fmt.Sprintf("%02X.%02X.%02X.%02X.%02X", v>>24, v>>16&255, v>>8&255, v&255, 0)
	})
}

func readFabric(s *source, g *GPU) {
	var f nvml.GpuFabricInfo_v3
	r := s.DeviceGetGpuFabricInfoV(g.handle, &f)
	u := f.ClusterUuid
	g.Fabric = Val[Fabric]{Fabric{
		State: uint32(f.State), Status: f.Status, Clique: f.CliqueId,
		Cluster:   fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:]),
		HasHealth: f.HealthMask != 0, Health: f.HealthMask,
		Summary: of(uint32(f.HealthSummary)),
	}, r}
}
