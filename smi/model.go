// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"time"

	"nervlinux.org/axon/nvml"
)

// Machine is what one reading told.
type Machine struct {
	Time     time.Time
	Driver   Val[string]
	NVML     Val[string] // the library's own version
	CUDA     Val[int32]  // 1000 * major + 10 * minor
	Excluded []Excluded
	GPUs     []*GPU // those that were asked for
	Count    int    // of GPUs that there are

	HeterogeneousMultiVGPU Val[bool]

	Units Val[uint32] // of S-class systems
	HICs  Val[[]nvml.HwbcEntry]
}

// Excluded is a GPU that the driver leaves alone.
type Excluded struct {
	Bus, UUID string
}

// Mem is memory in bytes.
type Mem struct{ Total, Reserved, Used, Free uint64 }

// Modes are a mode now and the one after the next reset or reboot.
type Modes[T any] struct{ Current, Pending T }

// PCI says where a GPU is.
type PCI struct {
	Domain, Bus, Device uint32
	DeviceID, SubSystem uint32
	BusID               string // 00000000:01:00.0
	BaseClass, SubClass uint32
}

// Stats are of encoder or frame buffer capture sessions; the latency is in microseconds.
type Stats struct{ Sessions, FPS, Latency uint32 }

// SRAM are the counts that nvmlDeviceGetSramEccErrorStatus tells.
type SRAM struct {
	VolatileParity, VolatileSECDED   uint64
	AggregateParity, AggregateSECDED uint64
	L2, SM, MCU, PCIe, Other         uint64
	ThresholdExceeded                bool
}

// Rows are remapped rows of memory.
type Rows struct {
	Correctable, Uncorrectable                 uint32
	InactiveCorrectable, InactiveUncorrectable Val[uint32]
	Pending, Failure                           bool
}

// Histogram is of banks by how many rows are left to remap.
type Histogram struct{ Max, High, Partial, Low, None uint32 }

// Platform says where in a rack a GPU is.
type Platform struct {
	Chassis                        string
	Slot, Tray, Host, Peer, Module uint32
	FabricGUID                     string
}

// Fabric is the registration with an NVLink fabric.
type Fabric struct {
	State     uint32
	Status    Return
	Clique    uint32
	Cluster   string
	Health    uint32
	HasHealth bool
	Summary   Val[uint32]
}

// Samples are what the driver noted in its last seconds.
type Samples struct {
	Duration      time.Duration
	Count         int
	Max, Min, Avg float64
}

// Type of a process.
const (
	Compute  = "C"
	Graphics = "G"
	Both     = "C+G"
	MPS      = "M+C"
)

// Process uses a GPU. Memory is in bytes.
type Process struct {
	PID    uint32
	Type   string
	Name   string
	Memory Val[uint64]
	GI, CI Val[uint32] // not OK: the whole GPU
}

// Accounted is a process whose use was counted; Time in milliseconds.
type Accounted struct {
	PID         uint32
	GPU, Memory Val[uint32] // percent
	MaxMemory   Val[uint64] // bytes
	Time        uint64
	Running     bool
}

// Retired is a page that is not used any more.
type Retired struct {
	Address, Time uint64 // seconds since 1970
}

// MIGDevice is a part of a GPU.
type MIGDevice struct {
	Index, GI, CI                            uint32
	Name, UUID                               Val[string]
	SMs, Copy, Encoders, Decoders, OFA, JPEG Val[uint32]
	SRAMUncorrected                          Val[uint64]
	Memory                                   Val[Mem]
	BAR1                                     Val[Mem]
}

// Counts are ECC errors by where they were.
type Counts struct {
	Total, Device, Registers, L1, L2, Texture, TextureShared, CBU, SRAM Val[uint64]
}

// GPU is one GPU at one moment. A field that no output asked for is not read.
type GPU struct {
	Index  uint32
	handle nvml.Device

	Name, Serial, UUID, VBIOS, BoardPart Val[string]
	Brand, Architecture                  Val[uint32]
	DisplayAttached, DisplayActive       Val[bool]
	Persistence                          Val[bool]
	Addressing                           Val[uint32]
	MIG                                  Val[Modes[bool]]
	MIGDevices                           []MIGDevice
	Accounting                           Val[bool]
	AccountingBuffer                     Val[uint32]
	PDI                                  Val[uint64]
	Minor                                Val[uint32]
	MultiGPUBoard                        Val[bool]
	BoardID                              Val[uint32]
	Platform                             Val[Platform]
	ModuleID                             Val[uint32]
	InforomImage                         Val[string]
	InforomOEM, InforomECC, InforomPower Val[string]
	InforomValid                         Val[bool]
	BBXTime, BBXDuration                 Val[uint64] // microseconds
	GOM                                  Val[Modes[uint32]]
	C2C                                  Val[bool]
	Virtualization, HostVGPU             Val[uint32]
	Heterogeneous                        Val[bool]
	Recovery                             Val[uint32]
	ResetRequired, DrainRecommended      Val[bool] // of drivers before 580
	GSPVersion                           Val[string]
	GSP                                  Val[Modes[bool]] // now, and by default

	PCI                                Val[PCI]
	LinkGenMax, LinkGen, LinkGenGPUMax Val[uint32]
	LinkWidthMax, LinkWidth            Val[uint32]
	BridgeType                         Val[uint32]
	BridgeFirmware                     Val[string]
	Replays, Rollovers                 Val[uint64]
	Tx, Rx                             Val[uint32] // KB/s
	AtomicsOut, AtomicsIn              Val[uint64]

	Fan                       Val[uint32] // percent
	PState                    Val[uint32]
	Reasons, ReasonsSupported Val[uint64]
	ReasonTimes               [5]Val[uint64] // microseconds, in the order of -q
	Memory, BAR1, Protected   Val[Mem]
	ComputeMode               Val[uint32]
	Capability                Val[[2]int32]
	UtilGPU, UtilMemory       Val[uint32] // percent
	UtilEncoder, UtilDecoder  Val[uint32]
	UtilJPEG, UtilOFA         Val[uint32]
	Encoder, FBC              Val[Stats]
	DRAMEncryption            Val[Modes[bool]]

	ECC            Val[Modes[bool]]
	Corrected      [2]Counts // volatile, aggregate
	Uncorrected    [2]Counts
	SRAM           Val[SRAM]
	ChannelRepair  Val[bool]
	TPCRepair      Val[bool]
	Unrepairable   Val[bool]
	RetiredSBE     Val[[]Retired]
	RetiredDBE     Val[[]Retired]
	RetiredPending Val[bool]
	Remapped       Val[Rows]
	Histogram      Val[Histogram]

	Temperature, Margin                    Val[int32] // degrees
	MemoryTemperature                      Val[uint32]
	Shutdown, Slowdown, GPUMax, MemMax     Val[uint32]
	ShutdownT, SlowdownT, GPUMaxT, MemMaxT Val[int32] // below the limit
	Target, TargetMin, TargetMax           Val[uint32]

	PowerManagement                         Val[bool]
	Power                                   Val[uint32] // milliwatts, as all of these
	PowerAverage, PowerInstant              Val[uint32]
	PowerEnforced, PowerLimit, PowerDefault Val[uint32]
	PowerMin, PowerMax                      Val[uint32]
	MemoryPowerAverage, MemoryPowerInstant  Val[uint32]
	ModulePowerAverage, ModulePowerInstant  Val[uint32]
	ModulePowerEnforced, ModulePowerLimit   Val[uint32]
	ModulePowerDefault                      Val[uint32]
	ModulePowerMin, ModulePowerMax          Val[uint32]

	Clocks, AppClocks, DefaultClocks, MaxClocks [4]Val[uint32] // MHz: graphics, SM, memory, video
	BoostClock                                  Val[uint32]
	AutoBoost                                   Val[Modes[bool]] // now, and by default
	Fabric                                      Val[Fabric]
	Smoothing                                   Val[bool]
	Capabilities                                Val[uint32]
	Hostname                                    Val[string]
	VGPUCapabilities                            [len(vgpuCapabilities)]Val[bool]

	Processes       Val[[]Process]
	Accounted       Val[[]Accounted]
	SupportedClocks Val[[]Supported]

	PowerSamples, GPUSamples, MemorySamples Val[Samples]
	EncoderSamples, DecoderSamples          Val[Samples]
	JPEGSamples, OFASamples                 Val[Samples]
	SMClockSamples, MemoryClockSamples      Val[Samples]
}

// Supported are the graphics clocks that go with a memory clock, in MHz.
type Supported struct {
	Memory   uint32
	Graphics []uint32
}

// Clock domains, as nvmlClockType_t.
const (
	graphicsClock = iota
	smClock
	memoryClock
	videoClock
)
