// SPDX-License-Identifier: Apache-2.0
// Code generated from shims/api/nvml by shims/gen; DO NOT EDIT.

package nvml

import (
	"encoding/binary"
	"math"
)

var _ = math.Pi

// Fingerprint is of the description: both sides of a connection have the same one, or can't talk.
var Fingerprint = [16]byte{0x99, 0xf6, 0x4d, 0x4b, 0xbd, 0x88, 0xc3, 0xcd, 0x2e, 0x1f, 0x37, 0xec, 0xfa, 0xa9, 0xa2, 0x98}

var le = binary.LittleEndian

// Names of the library's constants.
const ()

// Device is a nvmlDevice_t: a number, 0 for none.
type Device uint64

// Unit is a nvmlUnit_t: a number, 0 for none.
type Unit uint64

// GpuInstance is a nvmlGpuInstance_t: a number, 0 for none.
type GpuInstance uint64

// ComputeInstance is a nvmlComputeInstance_t: a number, 0 for none.
type ComputeInstance uint64

// EventSet is a nvmlEventSet_t: a number, 0 for none.
type EventSet uint64

// GpmSample is a nvmlGpmSample_t: a number, 0 for none.
type GpmSample uint64

// Return is nvmlReturn_t.
type Return uint32

// Values of a Return.
const (
	SUCCESS                         Return = 0
	ERROR_UNINITIALIZED             Return = 1
	ERROR_INVALID_ARGUMENT          Return = 2
	ERROR_NOT_SUPPORTED             Return = 3
	ERROR_NO_PERMISSION             Return = 4
	ERROR_ALREADY_INITIALIZED       Return = 5
	ERROR_NOT_FOUND                 Return = 6
	ERROR_INSUFFICIENT_SIZE         Return = 7
	ERROR_INSUFFICIENT_POWER        Return = 8
	ERROR_DRIVER_NOT_LOADED         Return = 9
	ERROR_TIMEOUT                   Return = 10
	ERROR_IRQ_ISSUE                 Return = 11
	ERROR_LIBRARY_NOT_FOUND         Return = 12
	ERROR_FUNCTION_NOT_FOUND        Return = 13
	ERROR_CORRUPTED_INFOROM         Return = 14
	ERROR_GPU_IS_LOST               Return = 15
	ERROR_RESET_REQUIRED            Return = 16
	ERROR_OPERATING_SYSTEM          Return = 17
	ERROR_LIB_RM_VERSION_MISMATCH   Return = 18
	ERROR_IN_USE                    Return = 19
	ERROR_MEMORY                    Return = 20
	ERROR_NO_DATA                   Return = 21
	ERROR_VGPU_ECC_NOT_SUPPORTED    Return = 22
	ERROR_INSUFFICIENT_RESOURCES    Return = 23
	ERROR_FREQ_NOT_SUPPORTED        Return = 24
	ERROR_ARGUMENT_VERSION_MISMATCH Return = 25
	ERROR_DEPRECATED                Return = 26
	ERROR_NOT_READY                 Return = 27
	ERROR_GPU_NOT_FOUND             Return = 28
	ERROR_INVALID_STATE             Return = 29
	ERROR_RESET_TYPE_NOT_SUPPORTED  Return = 30
	ERROR_UNKNOWN                   Return = 999
)

// TemperatureSensors is nvmlTemperatureSensors_t.
type TemperatureSensors uint32

// Values of a TemperatureSensors.
const (
	TEMPERATURE_GPU   TemperatureSensors = 0
	TEMPERATURE_COUNT TemperatureSensors = TEMPERATURE_GPU + 1
)

// ClockType is nvmlClockType_t.
type ClockType uint32

// Values of a ClockType.
const (
	CLOCK_GRAPHICS ClockType = 0
	CLOCK_SM       ClockType = 1
	CLOCK_MEM      ClockType = 2
	CLOCK_VIDEO    ClockType = 3
	CLOCK_COUNT    ClockType = CLOCK_VIDEO + 1
)

// ValueType is nvmlValueType_t.
type ValueType uint32

// Values of a ValueType.
const (
	VALUE_TYPE_DOUBLE             ValueType = 0
	VALUE_TYPE_UNSIGNED_INT       ValueType = 1
	VALUE_TYPE_UNSIGNED_LONG      ValueType = 2
	VALUE_TYPE_UNSIGNED_LONG_LONG ValueType = 3
	VALUE_TYPE_SIGNED_LONG_LONG   ValueType = 4
	VALUE_TYPE_SIGNED_INT         ValueType = 5
	VALUE_TYPE_UNSIGNED_SHORT     ValueType = 6
	VALUE_TYPE_COUNT              ValueType = VALUE_TYPE_UNSIGNED_SHORT + 1
)

// Value is nvmlValue_t, a union of 8 bytes.
type Value [8]byte

// Size is the union's size in bytes.
func (Value) Size() int { return 8 }

// Put writes the union's bytes to b.
func (s *Value) Put(b []byte) { copy(b[:8], s[:]) }

// Get reads them from b.
func (s *Value) Get(b []byte) { copy(s[:], b[:8]) }

// PciInfo is nvmlPciInfo_t, 68 bytes.
type PciInfo struct {
	BusIdLegacy    string // at most 15 bytes
	Domain         uint32
	Bus            uint32
	Device         uint32
	PciDeviceId    uint32
	PciSubSystemId uint32
	BusId          string // at most 31 bytes
}

// Size is the struct's size in bytes.
func (PciInfo) Size() int { return 68 }

// Put writes the struct's bytes to b.
func (s *PciInfo) Put(b []byte) {
	clear(b[:68])
	putText(b[0:16], s.BusIdLegacy)
	le.PutUint32(b[16:], uint32(s.Domain))
	le.PutUint32(b[20:], uint32(s.Bus))
	le.PutUint32(b[24:], uint32(s.Device))
	le.PutUint32(b[28:], uint32(s.PciDeviceId))
	le.PutUint32(b[32:], uint32(s.PciSubSystemId))
	putText(b[36:68], s.BusId)
}

// Get reads them from b.
func (s *PciInfo) Get(b []byte) {
	_ = b[67]
	s.BusIdLegacy = text(b[0:16])
	s.Domain = uint32(le.Uint32(b[16:]))
	s.Bus = uint32(le.Uint32(b[20:]))
	s.Device = uint32(le.Uint32(b[24:]))
	s.PciDeviceId = uint32(le.Uint32(b[28:]))
	s.PciSubSystemId = uint32(le.Uint32(b[32:]))
	s.BusId = text(b[36:68])
}

// PciInfo_v2 is nvmlPciInfo_v2_t, 52 bytes.
type PciInfo_v2 struct {
	BusId          string // at most 15 bytes
	Domain         uint32
	Bus            uint32
	Device         uint32
	PciDeviceId    uint32
	PciSubSystemId uint32
	Reserved0      uint32
	Reserved1      uint32
	Reserved2      uint32
	Reserved3      uint32
}

// Size is the struct's size in bytes.
func (PciInfo_v2) Size() int { return 52 }

// Put writes the struct's bytes to b.
func (s *PciInfo_v2) Put(b []byte) {
	clear(b[:52])
	putText(b[0:16], s.BusId)
	le.PutUint32(b[16:], uint32(s.Domain))
	le.PutUint32(b[20:], uint32(s.Bus))
	le.PutUint32(b[24:], uint32(s.Device))
	le.PutUint32(b[28:], uint32(s.PciDeviceId))
	le.PutUint32(b[32:], uint32(s.PciSubSystemId))
	le.PutUint32(b[36:], uint32(s.Reserved0))
	le.PutUint32(b[40:], uint32(s.Reserved1))
	le.PutUint32(b[44:], uint32(s.Reserved2))
	le.PutUint32(b[48:], uint32(s.Reserved3))
}

// Get reads them from b.
func (s *PciInfo_v2) Get(b []byte) {
	_ = b[51]
	s.BusId = text(b[0:16])
	s.Domain = uint32(le.Uint32(b[16:]))
	s.Bus = uint32(le.Uint32(b[20:]))
	s.Device = uint32(le.Uint32(b[24:]))
	s.PciDeviceId = uint32(le.Uint32(b[28:]))
	s.PciSubSystemId = uint32(le.Uint32(b[32:]))
	s.Reserved0 = uint32(le.Uint32(b[36:]))
	s.Reserved1 = uint32(le.Uint32(b[40:]))
	s.Reserved2 = uint32(le.Uint32(b[44:]))
	s.Reserved3 = uint32(le.Uint32(b[48:]))
}

// Memory is nvmlMemory_t, 24 bytes.
type Memory struct {
	Total uint64
	Free  uint64
	Used  uint64
}

// Size is the struct's size in bytes.
func (Memory) Size() int { return 24 }

// Put writes the struct's bytes to b.
func (s *Memory) Put(b []byte) {
	clear(b[:24])
	le.PutUint64(b[0:], uint64(s.Total))
	le.PutUint64(b[8:], uint64(s.Free))
	le.PutUint64(b[16:], uint64(s.Used))
}

// Get reads them from b.
func (s *Memory) Get(b []byte) {
	_ = b[23]
	s.Total = uint64(le.Uint64(b[0:]))
	s.Free = uint64(le.Uint64(b[8:]))
	s.Used = uint64(le.Uint64(b[16:]))
}

// Memory_v2 is nvmlMemory_v2_t, 40 bytes.
type Memory_v2 struct {
	Version  uint32
	Total    uint64
	Reserved uint64
	Free     uint64
	Used     uint64
}

// Size is the struct's size in bytes.
func (Memory_v2) Size() int { return 40 }

// Put writes the struct's bytes to b.
func (s *Memory_v2) Put(b []byte) {
	clear(b[:40])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint64(b[8:], uint64(s.Total))
	le.PutUint64(b[16:], uint64(s.Reserved))
	le.PutUint64(b[24:], uint64(s.Free))
	le.PutUint64(b[32:], uint64(s.Used))
}

// Get reads them from b.
func (s *Memory_v2) Get(b []byte) {
	_ = b[39]
	s.Version = uint32(le.Uint32(b[0:]))
	s.Total = uint64(le.Uint64(b[8:]))
	s.Reserved = uint64(le.Uint64(b[16:]))
	s.Free = uint64(le.Uint64(b[24:]))
	s.Used = uint64(le.Uint64(b[32:]))
}

func (s *Memory_v2) version() *uint32 { return &s.Version }

func (Memory_v2) versionWord() uint32 { return 40 | 2<<24 }

// Utilization is nvmlUtilization_t, 8 bytes.
type Utilization struct {
	Gpu    uint32
	Memory uint32
}

// Size is the struct's size in bytes.
func (Utilization) Size() int { return 8 }

// Put writes the struct's bytes to b.
func (s *Utilization) Put(b []byte) {
	clear(b[:8])
	le.PutUint32(b[0:], uint32(s.Gpu))
	le.PutUint32(b[4:], uint32(s.Memory))
}

// Get reads them from b.
func (s *Utilization) Get(b []byte) {
	_ = b[7]
	s.Gpu = uint32(le.Uint32(b[0:]))
	s.Memory = uint32(le.Uint32(b[4:]))
}

// ProcessInfo_v1 is nvmlProcessInfo_v1_t, 16 bytes.
type ProcessInfo_v1 struct {
	Pid           uint32
	UsedGpuMemory uint64
}

// Size is the struct's size in bytes.
func (ProcessInfo_v1) Size() int { return 16 }

// Put writes the struct's bytes to b.
func (s *ProcessInfo_v1) Put(b []byte) {
	clear(b[:16])
	le.PutUint32(b[0:], uint32(s.Pid))
	le.PutUint64(b[8:], uint64(s.UsedGpuMemory))
}

// Get reads them from b.
func (s *ProcessInfo_v1) Get(b []byte) {
	_ = b[15]
	s.Pid = uint32(le.Uint32(b[0:]))
	s.UsedGpuMemory = uint64(le.Uint64(b[8:]))
}

// ProcessInfo_v2 is nvmlProcessInfo_v2_t, 24 bytes.
type ProcessInfo_v2 struct {
	Pid               uint32
	UsedGpuMemory     uint64
	GpuInstanceId     uint32
	ComputeInstanceId uint32
}

// Size is the struct's size in bytes.
func (ProcessInfo_v2) Size() int { return 24 }

// Put writes the struct's bytes to b.
func (s *ProcessInfo_v2) Put(b []byte) {
	clear(b[:24])
	le.PutUint32(b[0:], uint32(s.Pid))
	le.PutUint64(b[8:], uint64(s.UsedGpuMemory))
	le.PutUint32(b[16:], uint32(s.GpuInstanceId))
	le.PutUint32(b[20:], uint32(s.ComputeInstanceId))
}

// Get reads them from b.
func (s *ProcessInfo_v2) Get(b []byte) {
	_ = b[23]
	s.Pid = uint32(le.Uint32(b[0:]))
	s.UsedGpuMemory = uint64(le.Uint64(b[8:]))
	s.GpuInstanceId = uint32(le.Uint32(b[16:]))
	s.ComputeInstanceId = uint32(le.Uint32(b[20:]))
}

// ProcessInfo is nvmlProcessInfo_t, 24 bytes.
type ProcessInfo struct {
	Pid               uint32
	UsedGpuMemory     uint64
	GpuInstanceId     uint32
	ComputeInstanceId uint32
}

// Size is the struct's size in bytes.
func (ProcessInfo) Size() int { return 24 }

// Put writes the struct's bytes to b.
func (s *ProcessInfo) Put(b []byte) {
	clear(b[:24])
	le.PutUint32(b[0:], uint32(s.Pid))
	le.PutUint64(b[8:], uint64(s.UsedGpuMemory))
	le.PutUint32(b[16:], uint32(s.GpuInstanceId))
	le.PutUint32(b[20:], uint32(s.ComputeInstanceId))
}

// Get reads them from b.
func (s *ProcessInfo) Get(b []byte) {
	_ = b[23]
	s.Pid = uint32(le.Uint32(b[0:]))
	s.UsedGpuMemory = uint64(le.Uint64(b[8:]))
	s.GpuInstanceId = uint32(le.Uint32(b[16:]))
	s.ComputeInstanceId = uint32(le.Uint32(b[20:]))
}

// FieldValue is nvmlFieldValue_t, 40 bytes.
type FieldValue struct {
	FieldId     uint32
	ScopeId     uint32
	Timestamp   int64
	LatencyUsec int64
	ValueType   ValueType
	NvmlReturn  Return
	Value       Value
}

// Size is the struct's size in bytes.
func (FieldValue) Size() int { return 40 }

// Put writes the struct's bytes to b.
func (s *FieldValue) Put(b []byte) {
	clear(b[:40])
	le.PutUint32(b[0:], uint32(s.FieldId))
	le.PutUint32(b[4:], uint32(s.ScopeId))
	le.PutUint64(b[8:], uint64(s.Timestamp))
	le.PutUint64(b[16:], uint64(s.LatencyUsec))
	le.PutUint32(b[24:], uint32(s.ValueType))
	le.PutUint32(b[28:], uint32(s.NvmlReturn))
	s.Value.Put(b[32:])
}

// Get reads them from b.
func (s *FieldValue) Get(b []byte) {
	_ = b[39]
	s.FieldId = uint32(le.Uint32(b[0:]))
	s.ScopeId = uint32(le.Uint32(b[4:]))
	s.Timestamp = int64(le.Uint64(b[8:]))
	s.LatencyUsec = int64(le.Uint64(b[16:]))
	s.ValueType = ValueType(le.Uint32(b[24:]))
	s.NvmlReturn = Return(le.Uint32(b[28:]))
	s.Value.Get(b[32:])
}

// textsReturn are the library's own words for a nvmlReturn_t.
var textsReturn = map[Return]string{
	SUCCESS:                         "Success",
	ERROR_UNINITIALIZED:             "Uninitialized",
	ERROR_INVALID_ARGUMENT:          "Invalid Argument",
	ERROR_NOT_SUPPORTED:             "Not Supported",
	ERROR_NO_PERMISSION:             "Insufficient Permissions",
	ERROR_ALREADY_INITIALIZED:       "Already Initialized",
	ERROR_NOT_FOUND:                 "Not Found",
	ERROR_INSUFFICIENT_SIZE:         "Insufficient Size",
	ERROR_INSUFFICIENT_POWER:        "Insufficient External Power",
	ERROR_DRIVER_NOT_LOADED:         "Driver Not Loaded",
	ERROR_TIMEOUT:                   "Timeout",
	ERROR_IRQ_ISSUE:                 "Interrupt Request Issue",
	ERROR_LIBRARY_NOT_FOUND:         "NVML Shared Library Not Found",
	ERROR_FUNCTION_NOT_FOUND:        "Function Not Found",
	ERROR_CORRUPTED_INFOROM:         "Corrupted infoROM",
	ERROR_GPU_IS_LOST:               "GPU is lost",
	ERROR_RESET_REQUIRED:            "GPU requires reset",
	ERROR_OPERATING_SYSTEM:          "GPU access blocked by the operating system",
	ERROR_LIB_RM_VERSION_MISMATCH:   "Driver/library version mismatch",
	ERROR_IN_USE:                    "In use by another client",
	ERROR_MEMORY:                    "Insufficient Memory",
	ERROR_NO_DATA:                   "No data",
	ERROR_VGPU_ECC_NOT_SUPPORTED:    "VGPU ECC not supported",
	ERROR_INSUFFICIENT_RESOURCES:    "Insufficient resources",
	ERROR_FREQ_NOT_SUPPORTED:        "Frequency not supported",
	ERROR_ARGUMENT_VERSION_MISMATCH: "Argument version mismatch",
	ERROR_DEPRECATED:                "Deprecated",
	ERROR_NOT_READY:                 "Not ready",
	ERROR_GPU_NOT_FOUND:             "GPU not found",
	ERROR_INVALID_STATE:             "Invalid state",
	ERROR_RESET_TYPE_NOT_SUPPORTED:  "Reset type not supported",
	ERROR_UNKNOWN:                   "Unknown Error",
}
