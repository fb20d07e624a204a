// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"fmt"
	"time"

	"nervlinux.org/axon/nvml"
)

func (t *tree) product(g *GPU) {
	t.leaf("Product Name", "product_name", str(g.Name))
	t.leaf("Product Brand", "product_brand", text(g.Brand, brandName))
	t.leaf("Product Architecture", "product_architecture", text(g.Architecture, architectureName))
	t.display(g)
	t.leaf("Display Active", "display_active", enabled(g.DisplayActive))
	t.leaf("Persistence Mode", "persistence_mode", enabled(g.Persistence))
	t.leaf("Addressing Mode", "addressing_mode", text(g.Addressing, addressingName))
}

func (t *tree) mig(g *GPU) {
	t.modes("MIG Mode", "mig_mode", "mig", g.MIG)
	t.onlyXML(func() {
		fmt.Fprintf(t.w, "\t\t<mig_devices>\n")
		if len(g.MIGDevices) == 0 {
			fmt.Fprintf(t.w, "\t\t\tNone\n")
		}
	})
	for _, d := range g.MIGDevices {
		// Its elements are not indented under mig_devices.
		t.group("MIG Device", "mig_device", func() { t.migDevice(d) })
	}
	t.onlyXML(func() { fmt.Fprintf(t.w, "\t\t</mig_devices>\n") })
}

func (t *tree) migDevice(d MIGDevice) {
	t.leaf("Index", "index", fmt.Sprint(d.Index))
	t.leaf("GPU Instance ID", "gpu_instance_id", fmt.Sprint(d.GI))
	t.leaf("Compute Instance ID", "compute_instance_id", fmt.Sprint(d.CI))
	t.group("Device Attributes", "device_attributes", func() {
		t.group("Shared", "shared", func() {
			t.leaf("Multiprocessor count", "multiprocessor_count", number(d.SMs, ""))
			t.leaf("Copy Engine count", "copy_engine_count", number(d.Copy, ""))
			t.leaf("Encoder count", "encoder_count", number(d.Encoders, ""))
			t.leaf("Decoder count", "decoder_count", number(d.Decoders, ""))
			t.leaf("OFA count", "ofa_count", number(d.OFA, ""))
			t.leaf("JPG count", "jpg_count", number(d.JPEG, ""))
		})
	})
	t.group("ECC Errors", "ecc_error_count", func() {
		t.group("Volatile", "volatile_count", func() {
			t.leaf("SRAM Uncorrectable", "sram_uncorrectable", number(d.SRAMUncorrected, ""))
		})
	})
	t.memory("FB Memory Usage", "fb_memory_usage", d.Memory, true)
	t.memory("BAR1 Memory", "bar1_memory_usage", d.BAR1, false)
}

func (t *tree) identity(g *GPU) {
	t.group("Driver Model", "driver_model", func() {
		t.leaf("Current", "current_dm", "N/A")
		t.leaf("Pending", "pending_dm", "N/A")
	})
	t.leaf("Serial Number", "serial", str(g.Serial))
	t.leaf("GPU UUID", "uuid", str(g.UUID))
	if t.r.since(580, 0) {
		t.leaf("GPU PDI", "pdi", text(g.PDI, func(n uint64) string { return fmt.Sprintf("0x%016x", n) }))
	}
	t.leaf("Minor Number", "minor_number", number(g.Minor, ""))
	t.leaf("VBIOS Version", "vbios_version", str(g.VBIOS))
	t.leaf("MultiGPU Board", "multigpu_board", yes(g.MultiGPUBoard))
	t.leaf("Board ID", "board_id", text(g.BoardID, func(n uint32) string { return fmt.Sprintf("0x%x", n) }))
	t.leaf("Board Part Number", "board_part_number", str(g.BoardPart))
	// No function of NVML's tells these two; the vendor's program asks the library by a table of its own.
	t.leaf("GPU Part Number", "gpu_part_number", partNumber(g.PCI))
	t.leaf("FRU Part Number", "gpu_fru_part_number", "N/A")
	t.platform(g)
	t.group("Inforom Version", "inforom_version", func() {
		t.leaf("Image Version", "img_version", str(g.InforomImage))
		t.leaf("OEM Object", "oem_object", str(g.InforomOEM))
		t.leaf("ECC Object", "ecc_object", str(g.InforomECC))
		t.leaf("Power Management Object", "pwr_object", str(g.InforomPower))
	})
	t.group("Inforom BBX Object Flush", "inforom_bbx_flush", func() {
		t.leaf("Latest Timestamp", "latest_timestamp", text(flushed(g.BBXTime), func(us uint64) string {
			return time.UnixMicro(int64(us)).Format("2006/01/02 15:04:05.000")
		}))
		t.leaf("Latest Duration", "latest_duration", number(flushed(g.BBXDuration), " us"))
	})
	t.group("GPU Operation Mode", "gpu_operation_mode", func() {
		t.leaf("Current", "current_gom", text(g.GOM, func(m Modes[uint32]) string { return gomName(m.Current) }))
		t.leaf("Pending", "pending_gom", text(g.GOM, func(m Modes[uint32]) string { return gomName(m.Pending) }))
	})
	if !t.r.since(550, 0) {
		t.gsp(g)
	}
	if t.r.since(545, 0) {
		t.leaf("GPU C2C Mode", "c2c_mode", enabled(g.C2C))
	}
	t.group("GPU Virtualization Mode", "gpu_virtualization_mode", func() {
		t.leaf("Virtualization Mode", "virtualization_mode", text(g.Virtualization, virtualizationName))
		t.leaf("Host VGPU Mode", "host_vgpu_mode", text(g.HostVGPU, hostVGPUName))
		if t.r.since(550, 0) {
			t.leaf("vGPU Heterogeneous Mode", "vgpu_heterogeneous_mode", enabled(g.Heterogeneous))
		}
	})
	if !t.r.since(580, 0) {
		t.resetStatus(g)
	}
	if t.r.since(565, 0) {
		t.leaf("GPU Recovery Action", "gpu_recovery_action", text(g.Recovery, recoveryName))
	}
}

// platform is told by NVML of older GPUs too, but -q shows it from Blackwell on
// (--query-gpu shows what NVML tells).
func (t *tree) platform(g *GPU) {
	if !t.r.since(570, 0) {
		t.olderPlatform(g)
		return
	}
	v := g.Platform
	if !g.Architecture.OK() || g.Architecture.V < blackwell {
		v = none[Platform](NotSupported)
	}
	t.group("Platform Info", "platformInfo", func() {
		t.leaf("Chassis Serial Number", "chassis_serial_number", text(v, func(p Platform) string { return p.Chassis }))
		t.leaf("Slot Number", "slot_number", text(v, func(p Platform) string { return fmt.Sprint(p.Slot) }))
		t.leaf("Tray Index", "tray_index", text(v, func(p Platform) string { return fmt.Sprint(p.Tray) }))
		t.leaf("Host ID", "host_id", text(v, func(p Platform) string { return fmt.Sprint(p.Host) }))
		t.leaf("Peer Type", "peer_type", text(v, func(p Platform) string { return peerName(p.Peer) }))
		t.leaf("Module Id", "module_id", number(g.ModuleID, ""))
		t.leaf("GPU Fabric GUID", "gpu_fabric_guid", text(v, func(p Platform) string { return t.guid(p.FabricGUID) }))
	})
}

func (t *tree) pci(g *GPU) {
	hex := func(format string, f func(PCI) uint32) string {
		if !t.xml {
			format = "0x" + format
		}
		return text(g.PCI, func(p PCI) string { return fmt.Sprintf(format, f(p)) })
	}
	t.group("PCI", "pci", func() {
		t.leaf("Bus", "pci_bus", hex("%02X", func(p PCI) uint32 { return p.Bus }))
		t.leaf("Device", "pci_device", hex("%02X", func(p PCI) uint32 { return p.Device }))
		t.leaf("Domain", "pci_domain", hex("%04X", func(p PCI) uint32 { return p.Domain }))
		if t.r.since(550, 0) {
			t.leaf("Base Classcode", "pci_base_class", hex("%X", func(p PCI) uint32 { return p.BaseClass }))
			t.leaf("Sub Classcode", "pci_sub_class", hex("%X", func(p PCI) uint32 { return p.SubClass }))
		}
		t.leaf("Device Id", "pci_device_id", hex("%08X", func(p PCI) uint32 { return p.DeviceID }))
		t.leaf("Bus Id", "pci_bus_id", text(g.PCI, func(p PCI) string { return p.BusID }))
		t.leaf("Sub System Id", "pci_sub_system_id", hex("%08X", func(p PCI) uint32 { return p.SubSystem }))
		t.group("GPU Link Info", "pci_gpu_link_info", func() {
			t.group("PCIe Generation", "pcie_gen", func() {
				t.leaf("Max", "max_link_gen", number(g.LinkGenMax, ""))
				t.leaf("Current", "current_link_gen", number(g.LinkGen, ""))
				t.leaf("Device Current", "device_current_link_gen", number(g.LinkGen, ""))
				t.leaf("Device Max", "max_device_link_gen", number(g.LinkGenGPUMax, ""))
				t.leaf("Host Max", "max_host_link_gen", "N/A") // as the part numbers
			})
			t.group("Link Width", "link_widths", func() {
				t.leaf("Max", "max_link_width", number(g.LinkWidthMax, "x"))
				t.leaf("Current", "current_link_width", number(g.LinkWidth, "x"))
			})
		})
		t.group("Bridge Chip", "pci_bridge_chip", func() {
			t.leaf("Type", "bridge_chip_type", text(g.BridgeType, func(n uint32) string { return name4(n, "PLX", "BRO4") }))
			t.leaf("Firmware", "bridge_chip_fw", str(g.BridgeFirmware))
		})
		t.leaf("Replays Since Reset", "replay_counter", number(g.Replays, ""))
		t.leaf("Replay Number Rollovers", "replay_rollover_counter", number(g.Rollovers, ""))
		t.leaf("Tx Throughput", "tx_util", number(g.Tx, " KB/s"))
		t.leaf("Rx Throughput", "rx_util", number(g.Rx, " KB/s"))
		t.atomics(g)
	})
}

// flushed is of an object that may not have been written yet, which is no error.
func flushed(v Val[uint64]) Val[uint64] {
	if v.R == nvml.ERROR_NOT_READY {
		return none[uint64](NotSupported)
	}
	return v
}

// partNumbers are by PCI device what the vendor's program printed of such GPUs
// (testdata/README.md): the device, the board's kind and the chip's revision.
var partNumbers = map[uint32]string{
	0x1B81: "1B81-200-A1", 0x1DB1: "1DB1-895-A1", 0x1F91: "1F91-750-A1", 0x20B0: "20B0-884-A1", 0x2236: "2236-890-A1", 0x2330: "2330-885-A1",
	0x2335: "2335-895-A1", 0x26B9: "26B9-896-A1", 0x2860: "2860-775-A1", 0x2941: "2941-892-A1", 0x2B85: "2B85-300-A1",
}

// partNumber is N/A of a GPU whose was not seen.
func partNumber(v Val[PCI]) string {
	return text(v, func(p PCI) string {
		if s, ok := partNumbers[p.DeviceID>>16]; ok {
			return s
		}
		return na(NotSupported)
	})
}
