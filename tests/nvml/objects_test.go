// SPDX-License-Identifier: Apache-2.0

package nvml

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func text(s string, room int) string { return s + strings.Repeat("\x00", room-len(s)) }

// What lies in a GPU that is divided, lists behind pointers, figures between two samples: a recording has them, and they
// come through both halves of the shim and the worker's tables as they were.
func TestWhatLiesInAGPU(t *testing.T) {
	const (
		gpu, mig      = uint64(1), uint64(0x1001)
		first, second = uint64(0x10001), uint64(0x10003) // GPU instances 0 and 2
		compute       = uint64(0x100010001)              // compute instance 0 of the first
		pad           = uint32(0)
		version       = uint32(24 | 1<<24)
	)
	gone := numbers(uint64(0))
	list := func(handles ...uint64) []byte {
		b := numbers(uint32(len(handles)), pad)
		for i := range 32 {
			if i < len(handles) {
				b = append(b, numbers(handles[i])...)
			} else {
				b = append(b, gone...)
			}
		}
		return b
	}
	figure := func(id uint32, result uint32, value uint64, texts ...string) []byte {
		b := numbers(id, result, value)
		for i, room := range []int{40, 128, 24} {
			s := ""
			if len(texts) > 0 {
				s = texts[i]
			}
			b = append(b, text(s, room)...)
		}
		return b
	}
	instance := func(id, start uint32) []byte { return numbers(gpu, id, uint32(9), start, uint32(4)) }
	lines := []string{
		recorded("nvmlDeviceGetCount_v2", nil, 0, numbers(uint32(1), pad)),
		recorded("nvmlDeviceGetMaxMigDeviceCount", numbers(gpu), 0, numbers(uint32(7), pad)),
		recorded("nvmlDeviceGetMigDeviceHandleByIndex", numbers(gpu, uint32(0), pad), 0, numbers(mig)),
		recorded("nvmlDeviceGetMigDeviceHandleByIndex", numbers(gpu, uint32(1), pad), 6, nil),
		recorded("nvmlDeviceGetDeviceHandleFromMigDeviceHandle", numbers(mig), 0, numbers(gpu)),
		recorded("nvmlDeviceGetName", numbers(mig, uint32(96), pad), 0, []byte(text("NVIDIA H200 MIG 1g.18gb", 96))),
		recorded("nvmlDeviceGetGpuInstances", numbers(gpu, uint32(9), pad), 0, list(first, second)),
		recorded("nvmlDeviceGetGpuInstanceById", numbers(gpu, uint32(0), pad), 0, numbers(first)),
		recorded("nvmlDeviceGetGpuInstanceById", numbers(gpu, uint32(2), pad), 0, numbers(second)),
		recorded("nvmlGpuInstanceGetInfo", numbers(first), 0, instance(0, 0)),
		recorded("nvmlGpuInstanceGetInfo", numbers(second), 0, instance(2, 4)),
		recorded("nvmlGpuInstanceGetComputeInstances", numbers(first, uint32(0), pad), 0, list(compute)),
		recorded("nvmlGpuInstanceGetComputeInstanceById", numbers(first, uint32(0), pad), 0, numbers(compute)),
		recorded("nvmlComputeInstanceGetInfo_v2", numbers(compute), 0, numbers(gpu, first, uint32(0), uint32(3), uint32(0), uint32(1))),
		recorded("nvmlDeviceGetGpuInstancePossiblePlacements_v2", numbers(gpu, uint32(9), uint32(1)), 0,
			append(numbers(uint32(2), pad, uint32(0), uint32(4), uint32(4), uint32(4)), make([]byte, 30*8)...)),
		recorded("axDeviceGetRunningProcessDetailList", numbers(gpu, version, uint32(0), uint32(2), uint32(1)), 0,
			numbers(uint32(2), pad, uint32(11), pad, uint64(1000), uint32(1), uint32(2), uint64(0), uint32(12), pad, uint64(2000), uint32(3), uint32(4), uint64(0))),
		recorded("axDeviceGetRunningProcessDetailList", numbers(gpu, version, uint32(0), uint32(0), uint32(0)), 7, numbers(uint32(2), pad)),
		recorded("axDeviceGetProcessesUtilizationInfo", numbers(gpu, version, pad, uint64(5), uint32(1), uint32(1)), 0,
			numbers(uint32(1), pad, uint64(77), uint32(11), uint32(50), uint32(20), pad, pad, pad, pad, pad)),
		recorded("nvmlGpmSampleAlloc", nil, 0, numbers(uint64(0x77))),
		recorded("nvmlGpmSampleAlloc", nil, 0, numbers(uint64(0x78))),
		recorded("nvmlGpmSampleGet", numbers(gpu, uint64(0x77)), 0, nil),
		recorded("nvmlGpmSampleGet", numbers(gpu, uint64(0x78)), 0, nil),
		recorded("axGpmMetricsGet", append(append(numbers(uint32(1), pad, uint64(0x77), uint64(0x78), uint32(2), pad), figure(1, 0, 0)...), figure(9, 0, 0)...), 0,
			append(figure(1, 0, 0x4048800000000000, "Graphics Util", "Graphics engine utilization", "%"), figure(9, 3, 0, "x", "y", "z")...)),
		recorded("nvmlGpmSampleFree", numbers(uint64(0x77)), 0, nil),
		recorded("nvmlGpmSampleFree", numbers(uint64(0x78)), 0, nil),
		recorded("nvmlDeviceGetRemappedRows_v2", numbers(gpu), 0, numbers(uint32(1), uint32(2), uint32(3), uint32(4), uint32(1), uint32(0))),
		recorded("nvmlDeviceGetUnrepairableMemoryFlag_v1", numbers(gpu), 0, numbers(uint32(1), pad)),
		recorded("nvmlDeviceGetHostname_v1", numbers(gpu), 0, []byte(text("node-7", 64))),
		recorded("nvmlGetBlacklistDeviceCount", nil, 0, numbers(uint32(0), pad)),
		recorded("axDeviceReadPRMCounters_v1", numbers(gpu, uint32(2), pad, uint32(1), uint32(3), uint64(0), uint64(0), uint32(201), uint32(0), uint64(0), uint64(0)), 0,
			numbers(uint32(1), uint32(3), uint64(0), uint64(12), uint32(201), uint32(0), uint32(3), uint32(0), uint64(0))),
	}
	file := filepath.Join(t.TempDir(), "recording")
	if err := os.WriteFile(file, []byte(strings.Join(lines, "")), 0o644); err != nil {
		t.Fatal(err)
	}
	r := startRelay(t, startWorker(t, "SOFTGPU_NVML="+file))
	mustRun(t, r.path, "objects")
}
