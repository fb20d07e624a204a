// SPDX-License-Identifier: Apache-2.0

package smi

import "time"

// aH200 is the idle H200 of the captures of 580.173.02, as NVML told it.
func aH200() *Machine {
	na32, na64, nastr := none[uint32](NotSupported), none[uint64](NotSupported), none[string](NotSupported)
	counts := Counts{of[uint64](0), of[uint64](0), na64, na64, na64, na64, na64, na64, of[uint64](0)}
	off := of(Modes[bool]{})
	g := &GPU{
		Name: of("NVIDIA H200"), Serial: of("0000000000000"), UUID: of("GPU-00000000-0000-0000-0000-000000000000"), VBIOS: of("96.00.A5.00.03"),
		BoardPart: of("695-2G520-0280-001"), Brand: of[uint32](14), Architecture: of[uint32](hopper),
		DisplayAttached: of(true), DisplayActive: of(false), Persistence: of(true), Addressing: of[uint32](0), MIG: off,
		Accounting: of(false), AccountingBuffer: of[uint32](4000), PDI: of[uint64](0xdcf1ff36c40bd6cb), Minor: of[uint32](0),
		MultiGPUBoard: of(false), BoardID: of[uint32](0x8300), ModuleID: of[uint32](5),
		Platform:     of(Platform{Host: 1, Module: 5, FabricGUID: "0x0000000000000000"}),
		InforomImage: of("G520.0280.02.02"), InforomOEM: of("2.1"), InforomECC: of("7.16"), InforomPower: nastr, InforomValid: of(true),
		BBXTime: na64, BBXDuration: na64, GOM: none[Modes[uint32]](NotSupported), C2C: of(false),
		Virtualization: of[uint32](1), HostVGPU: na32, Heterogeneous: none[bool](NotSupported), Recovery: of[uint32](0),
		GSPVersion: of("580.173.02"), GSP: of(Modes[bool]{true, true}),
		PCI:        of(PCI{Bus: 0x83, DeviceID: 0x233510DE, SubSystem: 0x18BE10DE, BusID: "00000000:83:00.0", BaseClass: 3, SubClass: 2}),
		LinkGenMax: of[uint32](5), LinkGen: of[uint32](5), LinkGenGPUMax: of[uint32](5), LinkWidthMax: of[uint32](16), LinkWidth: of[uint32](16),
		BridgeType: na32, BridgeFirmware: nastr, Replays: of[uint64](4), Rollovers: of[uint64](0), Tx: of[uint32](726), Rx: of[uint32](358),
		AtomicsOut: na64, AtomicsIn: na64, Fan: na32, PState: of[uint32](0), Reasons: of[uint64](1), ReasonsSupported: of[uint64](0x1ff),
		Memory:    of(Mem{143771 * mebi, 616*mebi - 1, 0, 143155*mebi + 1}),
		BAR1:      of(Mem{Total: 262144 * mebi, Used: mebi, Free: 262143 * mebi}),
		Protected: of(Mem{}), ComputeMode: of[uint32](0), Capability: of([2]int32{9, 0}),
		UtilGPU: of[uint32](0), UtilMemory: of[uint32](0), UtilEncoder: of[uint32](0), UtilDecoder: of[uint32](0), UtilJPEG: of[uint32](0), UtilOFA: of[uint32](0),
		Encoder: of(Stats{}), FBC: of(Stats{}), DRAMEncryption: none[Modes[bool]](NotSupported),
		ECC: of(Modes[bool]{true, true}), Corrected: [2]Counts{counts, counts}, Uncorrected: [2]Counts{counts, counts},
		SRAM: of(SRAM{}), ChannelRepair: of(false), TPCRepair: of(false), Unrepairable: of(false),
		RetiredSBE: none[[]Retired](NotSupported), RetiredDBE: none[[]Retired](NotSupported), RetiredPending: none[bool](NotSupported),
		Remapped:    of(Rows{InactiveCorrectable: of[uint32](0), InactiveUncorrectable: of[uint32](0)}),
		Histogram:   of(Histogram{Max: 3072}),
		Temperature: of[int32](37), Margin: of[int32](50), MemoryTemperature: of[uint32](38),
		ShutdownT: of[int32](-8), SlowdownT: of[int32](-2), GPUMaxT: of[int32](0), MemMaxT: of[int32](0), Target: na32, TargetMin: na32, TargetMax: na32,
		PowerManagement: of(true), Power: of[uint32](85120), PowerAverage: of[uint32](85120), PowerInstant: of[uint32](85080),
		PowerEnforced: of[uint32](700000), PowerLimit: of[uint32](700000), PowerDefault: of[uint32](700000),
		PowerMin: of[uint32](200000), PowerMax: of[uint32](700000), MemoryPowerAverage: of[uint32](42160), MemoryPowerInstant: na32,
		ModulePowerAverage: na32, ModulePowerInstant: na32, ModulePowerEnforced: na32, ModulePowerLimit: na32, ModulePowerDefault: na32,
		ModulePowerMin: na32, ModulePowerMax: na32,
		Clocks: mhz(345, 345, 3201, 765), AppClocks: mhz(1980, 0, 3201, 0), DefaultClocks: mhz(1980, 0, 3201, 0), MaxClocks: mhz(1980, 1980, 3201, 1545),
		BoostClock: of[uint32](1980), AutoBoost: none[Modes[bool]](NotSupported),
		Fabric:       of(Fabric{State: 3, Cluster: "00000000-0000-0000-0000-000000000000", Summary: na32}),
		Capabilities: of[uint32](0), Smoothing: none[bool](NotSupported), Hostname: nastr, Processes: of([]Process(nil)), Accounted: of([]Accounted(nil)),
		SupportedClocks: of([]Supported{{3201, []uint32{1980, 1965}}}),
	}
	for i := range g.ReasonTimes {
		g.ReasonTimes[i] = of[uint64](0)
	}
	for i := range g.VGPUCapabilities {
		g.VGPUCapabilities[i] = none[bool](NotSupported)
	}
	return &Machine{
		Time: time.Date(2026, 9, 1, 20, 41, 56, 941e6, time.Local), Driver: of("580.173.02"), NVML: of("580.173.02"), CUDA: of[int32](13000),
		GPUs: []*GPU{g}, Count: 1, HeterogeneousMultiVGPU: none[bool](NotSupported),
	}
}

func mhz(g, sm, mem, video uint32) [4]Val[uint32] {
	return [4]Val[uint32]{of(g), of(sm), of(mem), of(video)}
}
