// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"encoding/binary"
	"os"
	"testing"
	"time"

	"nervlinux.org/axon/nvml"
)

// one is a call with a device and at most one answer, by NVML's names.
func (r *recorder) one(name string, in args, out args) {
	if in == nil {
		in = args{}
	}
	in["device"] = 1
	r.call(name, in, nil, out)
}

func (r *recorder) field(id, scope uint32, kind nvml.ValueType, v uint64) {
	ask := &nvml.FieldValue{FieldId: id, ScopeId: scope}
	answer := &nvml.FieldValue{FieldId: id, ScopeId: scope, ValueType: kind}
	binary.LittleEndian.PutUint64(answer.Value[:], v)
	r.call("nvmlDeviceGetFieldValues", args{"device": 1, "valuesCount": 1}, []any{ask}, nil, answer)
}

func (r *recorder) text(name, value string, length uint64) {
	r.call(name, args{"device": 1, "length": length}, nil, nil, cString(value, int(length)))
}

// quietH200 records everything that -q takes of the idle H200. What is not
// recorded is not supported there.
func quietH200(t *testing.T) *recorder {
	r := &recorder{t: t}
	r.b.WriteString("# driver 580.159.04\n# gpu NVIDIA H200\n# date 2026-11-30, from what was printed then\n")
	d := args{"device": 1}
	r.call("nvmlSystemGetDriverVersion", args{"length": 80}, nil, nil, cString("580.159.04", 80))
	r.call("nvmlSystemGetNVMLVersion", args{"length": 80}, nil, nil, cString("13.580.159.04", 80))
	r.call("nvmlSystemGetCudaDriverVersion_v2", nil, nil, args{"cudaDriverVersion": 13000})
	r.call("nvmlDeviceGetCount_v2", nil, nil, args{"deviceCount": 1})
	r.call("nvmlDeviceGetHandleByIndex_v2", args{"index": 0}, nil, args{"device": 1})
	r.text("nvmlDeviceGetName", "NVIDIA H200", 96)
	r.text("nvmlDeviceGetUUID", "GPU-00000000-1111-2222-3333-444444444444", 96)
	r.one("nvmlDeviceGetBrand", nil, args{"type": 14})
	r.one("nvmlDeviceGetArchitecture", nil, args{"arch": 9})
	r.one("nvmlDeviceGetDisplayMode", nil, args{"display": 1})
	r.one("nvmlDeviceGetDisplayActive", nil, args{"isActive": 0})
	r.one("nvmlDeviceGetPersistenceMode", nil, args{"mode": 1})
	r.sized("nvmlDeviceGetAddressingMode", "mode", &nvml.DeviceAddressingMode_v1{Version: 8 | 1<<24}, &nvml.DeviceAddressingMode_v1{Version: 8 | 1<<24})
	r.one("nvmlDeviceGetMigMode", nil, args{"currentMode": 0, "pendingMode": 0})
	r.one("nvmlDeviceGetAccountingMode", nil, args{"mode": 0})
	r.one("nvmlDeviceGetAccountingBufferSize", nil, args{"bufferSize": 4000})
	r.text("nvmlDeviceGetSerial", "1650000000000", 30)
	r.sized("nvmlDeviceGetPdi", "pdi", &nvml.Pdi_v1{Version: 16 | 1<<24}, &nvml.Pdi_v1{Version: 16 | 1<<24, Value: 0x0123456789abcdef})
	r.one("nvmlDeviceGetMinorNumber", nil, args{"minorNumber": 0})
	r.text("nvmlDeviceGetVbiosVersion", "96.00.A5.00.1A", 32)
	r.one("nvmlDeviceGetMultiGpuBoard", nil, args{"multiGpuBool": 0})
	r.one("nvmlDeviceGetBoardId", nil, args{"boardId": 6})
	r.text("nvmlDeviceGetBoardPartNumber", "692-2G520-0282-000", 80)
	r.one("nvmlDeviceGetModuleId", nil, args{"moduleId": 1})
	r.text("nvmlDeviceGetInforomImageVersion", "G520.0282.02.02", 16)
	r.call("nvmlDeviceGetInforomVersion", args{"device": 1, "object": 0, "length": 16}, nil, nil, cString("2.1", 16))
	r.call("nvmlDeviceGetInforomVersion", args{"device": 1, "object": 1, "length": 16}, nil, nil, cString("7.16", 16))
	r.call("nvmlDeviceGetC2cModeInfoV", d, nil, nil, &nvml.C2cModeInfo_v1{})
	r.one("nvmlDeviceGetVirtualizationMode", nil, args{"pVirtualMode": 1})
	r.field(fieldRecovery, 0, nvml.VALUE_TYPE_UNSIGNED_INT, 0)
	r.call("nvmlDeviceGetGspFirmwareVersion", d, nil, nil, cString("580.159.04", 64))
	r.call("nvmlDeviceGetPciInfo_v3", d, nil, nil, &nvml.PciInfo{BusIdLegacy: "0000:00:06.0", Device: 6, PciDeviceId: 0x233510DE, PciSubSystemId: 0x18BF10DE, BusId: "00000000:00:06.0"})
	ext := &nvml.PciInfoExt_v1{}
	ext.Version = uint32(ext.Sizeof()) | 1<<24
	r.sized("nvmlDeviceGetPciInfoExt", "pci", ext, &nvml.PciInfoExt_v1{Version: ext.Version, Device: 6, BaseClass: 3, SubClass: 2, BusId: "00000000:00:06.0"})
	r.one("nvmlDeviceGetMaxPcieLinkGeneration", nil, args{"maxLinkGen": 5})
	r.one("nvmlDeviceGetCurrPcieLinkGeneration", nil, args{"currLinkGen": 5})
	r.one("nvmlDeviceGetGpuMaxPcieLinkGeneration", nil, args{"maxLinkGenDevice": 5})
	r.one("nvmlDeviceGetMaxPcieLinkWidth", nil, args{"maxLinkWidth": 16})
	r.one("nvmlDeviceGetCurrPcieLinkWidth", nil, args{"currLinkWidth": 16})
	r.one("nvmlDeviceGetPcieReplayCounter", nil, args{"value": 0})
	r.field(fieldReplayRollovers, 0, nvml.VALUE_TYPE_UNSIGNED_LONG_LONG, 0)
	r.one("nvmlDeviceGetPcieThroughput", args{"counter": 0}, args{"value": 959})
	r.one("nvmlDeviceGetPcieThroughput", args{"counter": 1}, args{"value": 569})
	r.one("nvmlDeviceGetPerformanceState", nil, args{"pState": 0})
	r.one("nvmlDeviceGetCurrentClocksEventReasons", nil, args{"clocksEventReasons": 1})
	for _, id := range []uint32{fieldPowerCapTime, fieldSyncBoostTime, fieldSWThermalTime, fieldHWThermalTime, fieldPowerBrakeTime} {
		r.field(id, 0, nvml.VALUE_TYPE_UNSIGNED_LONG_LONG, 0)
	}
	v2 := uint32(40 | 2<<24)
	r.sized("nvmlDeviceGetMemoryInfo_v2", "memory", &nvml.Memory_v2{Version: v2}, &nvml.Memory_v2{Version: v2, Total: 143771 * mebi, Reserved: 616*mebi - 1, Free: 143155*mebi + 1})
	r.call("nvmlDeviceGetBAR1MemoryInfo", d, nil, nil, &nvml.BAR1Memory{Bar1Total: 262144 * mebi, Bar1Free: 262143 * mebi, Bar1Used: mebi})
	r.call("nvmlDeviceGetConfComputeProtectedMemoryUsage", d, nil, nil, &nvml.Memory{})
	r.one("nvmlDeviceGetComputeMode", nil, args{"mode": 0})
	r.call("nvmlDeviceGetUtilizationRates", d, nil, nil, &nvml.Utilization{})
	for _, engine := range []string{"Encoder", "Decoder", "Jpg", "Ofa"} {
		r.one("nvmlDeviceGet"+engine+"Utilization", nil, args{"utilization": 0, "samplingPeriodUs": 167000})
	}
	r.one("nvmlDeviceGetEncoderStats", nil, args{"sessionCount": 0})
	r.call("nvmlDeviceGetFBCStats", d, nil, nil, &nvml.FBCStats{})
	r.one("nvmlDeviceGetEccMode", nil, args{"current": 1, "pending": 1})
	for kind := range uint64(2) {
		for when := range uint64(2) {
			r.one("nvmlDeviceGetTotalEccErrors", args{"errorType": kind, "counterType": when}, args{"eccCounts": 0})
			for _, at := range []uint64{uint64(nvml.MEMORY_LOCATION_DRAM), uint64(nvml.MEMORY_LOCATION_SRAM)} {
				r.one("nvmlDeviceGetMemoryErrorCounter", args{"errorType": kind, "counterType": when, "locationType": at}, args{"count": 0})
			}
		}
	}
	sram := &nvml.EccSramErrorStatus_v1{}
	sram.Version = uint32(sram.Sizeof()) | 1<<24
	r.sized("nvmlDeviceGetSramEccErrorStatus", "status", sram, sram)
	repair := &nvml.RepairStatus_v1{Version: 12 | 1<<24}
	r.sized("nvmlDeviceGetRepairStatus", "repairStatus", repair, repair)
	r.one("nvmlDeviceGetRemappedRows", nil, args{"corrRows": 0, "uncRows": 0})
	r.call("nvmlDeviceGetRemappedRows_v2", d, nil, nil, &nvml.RemappedRowsInfo_v2{})
	r.call("nvmlDeviceGetUnrepairableMemoryFlag_v1", d, nil, nil, &nvml.UnrepairableMemoryStatus_v1{})
	r.call("nvmlDeviceGetRowRemapperHistogram", d, nil, nil, &nvml.RowRemapperHistogramValues{Max: 3072})
	r.one("nvmlDeviceGetTemperature", args{"sensorType": 0}, args{"temp": 37})
	r.sized("nvmlDeviceGetMarginTemperature", "marginTempInfo", &nvml.MarginTemperature_v1{Version: 8 | 1<<24}, &nvml.MarginTemperature_v1{Version: 8 | 1<<24, MarginTemperature: 50})
	r.field(fieldMemoryTemperature, 0, nvml.VALUE_TYPE_UNSIGNED_INT, 37)
	minus := func(n int32) uint64 { return uint64(uint32(-n)) }
	r.field(fieldShutdownLimit, 0, nvml.VALUE_TYPE_SIGNED_INT, minus(8))
	r.field(fieldSlowdownLimit, 0, nvml.VALUE_TYPE_SIGNED_INT, minus(2))
	r.field(fieldGPUMaxLimit, 0, nvml.VALUE_TYPE_SIGNED_INT, 0)
	r.field(fieldMemMaxLimit, 0, nvml.VALUE_TYPE_SIGNED_INT, 0)
	r.field(fieldPowerAverage, scopeGPU, nvml.VALUE_TYPE_UNSIGNED_INT, 81840)
	r.field(fieldPowerInstant, scopeGPU, nvml.VALUE_TYPE_UNSIGNED_INT, 81320)
	r.field(fieldPowerAverage, scopeMemory, nvml.VALUE_TYPE_UNSIGNED_INT, 45680)
	r.one("nvmlDeviceGetPowerUsage", nil, args{"power": 81840})
	r.one("nvmlDeviceGetEnforcedPowerLimit", nil, args{"limit": 700000})
	r.one("nvmlDeviceGetPowerManagementLimit", nil, args{"limit": 700000})
	r.one("nvmlDeviceGetPowerManagementDefaultLimit", nil, args{"defaultLimit": 700000})
	r.one("nvmlDeviceGetPowerManagementLimitConstraints", nil, args{"minLimit": 200000, "maxLimit": 700000})
	for i, clock := range []uint64{345, 345, 3201, 765} {
		r.one("nvmlDeviceGetClockInfo", args{"type": uint64(i)}, args{"clock": clock})
	}
	for i, clock := range []uint64{1980, 1980, 3201, 1545} {
		r.one("nvmlDeviceGetMaxClockInfo", args{"type": uint64(i)}, args{"clock": clock})
	}
	for _, c := range [][2]uint64{{graphicsClock, 1980}, {memoryClock, 3201}} {
		r.one("nvmlDeviceGetApplicationsClock", args{"clockType": c[0]}, args{"clockMHz": c[1]})
		r.one("nvmlDeviceGetDefaultApplicationsClock", args{"clockType": c[0]}, args{"clockMHz": c[1]})
	}
	r.one("nvmlDeviceGetMaxCustomerBoostClock", args{"clockType": 0}, args{"clockMHz": 1980})
	list := args{"device": 1, "infoCount": 64, "has_infos": 1}
	for _, kind := range []string{"Compute", "Graphics", "MPSCompute"} {
		r.call("nvmlDeviceGet"+kind+"RunningProcesses_v3", list, nil, args{"infoCount": 0}, make([]byte, 64*24))
	}
	caps := &nvml.DeviceCapabilities_v1{Version: 8 | 1<<24}
	r.sized("nvmlDeviceGetCapabilities", "caps", caps, caps)
	return r
}

// sized is a call with a struct whose version the caller gives.
func (r *recorder) sized(name, arg string, in, out raw) {
	r.t.Helper()
	r.call(name, args{"device": 1, "len_" + arg: uint64(in.Sizeof())}, []any{in}, nil, out)
}

func TestQueryOfARecordingIsTheVendors(t *testing.T) {
	got, status := quietH200(t).run(time.Date(2026, 11, 30, 8, 12, 27, 0, time.Local), "-q")
	if status != 0 {
		t.Errorf("status %d", status)
	}
	same(t, got, golden(t, "h200-580.q.txt"))
}

// The file is for who has only a file: tests/suite. AXON_UPDATE=1 writes it.
func TestTheRecordingsFileIsCurrent(t *testing.T) {
	const file = "testdata/h200-580.nvml"
	text := quietH200(t).b.Bytes()
	if os.Getenv("AXON_UPDATE") == "1" {
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if b, err := os.ReadFile(file); err != nil || !bytes.Equal(b, text) {
		t.Errorf("%s is another recording than the one here (%v); AXON_UPDATE=1 go test ./smi writes it", file, err)
	}
}

func TestBothNumberingsOfTheReasonsTimesAreRead(t *testing.T) {
	for _, first := range []uint32{251, 269} {
		r := theH200(t)
		for i := range uint32(3) {
			r.field(first+i, 0, nvml.VALUE_TYPE_UNSIGNED_LONG_LONG, uint64(i+1)*1000)
			r.field(520-first+i, 0, nvml.VALUE_TYPE_UNSIGNED_INT, 7) // the other's numbers: power smoothing
		}
		got, status := r.run(time.Time{}, "--query-gpu=clocks_event_reasons_counters.sw_thermal_slowdown,clocks_event_reasons_counters.hw_power_brake_slowdown", "--format=csv,noheader")
		if want := "1 us, 3 us\n"; got != want || status != 0 {
			t.Errorf("times at %d: %q and %d, not %q", first, got, status, want)
		}
	}
}
