// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"nervlinux.org/axon/nvml"
)

// oneGPU records a machine with a GPU, and nothing else of it.
func oneGPU(t *testing.T, driver string) *recorder {
	r := &recorder{t: t}
	r.call("nvmlSystemGetDriverVersion", args{"length": 80}, nil, nil, cString(driver, 80))
	r.call("nvmlDeviceGetCount_v2", nil, nil, args{"deviceCount": 1})
	r.call("nvmlDeviceGetHandleByIndex_v2", args{"index": 0}, nil, args{"device": 1})
	return r
}

func (r *recorder) confidential(state nvml.ConfComputeSystemState, caps nvml.ConfComputeSystemCaps, multiGPU uint32, ready uint64) {
	r.call("nvmlSystemGetConfComputeState", nil, nil, nil, &state)
	r.call("nvmlSystemGetConfComputeCapabilities", nil, nil, nil, &caps)
	r.call("nvmlSystemGetConfComputeGpusReadyState", nil, nil, args{"isAcceptingWork": ready})
	const version = 20 | 1<<24
	r.call("nvmlSystemGetConfComputeSettings", args{"len_settings": 20}, []any{&nvml.SystemConfComputeSettings_v1{Version: version}}, nil,
		&nvml.SystemConfComputeSettings_v1{Version: version, MultiGpuMode: multiGPU})
}

func TestConfidentialComputingIsTheVendors(t *testing.T) {
	r := oneGPU(t, "595.71.05")
	r.confidential(nvml.ConfComputeSystemState{Environment: nvml.CC_SYSTEM_ENVIRONMENT_PROD, CcFeature: nvml.CC_SYSTEM_FEATURE_ENABLED},
		nvml.ConfComputeSystemCaps{CpuCaps: nvml.CC_SYSTEM_CPU_CAPS_AMD_SNP_VTOM, GpusCaps: nvml.CC_SYSTEM_GPUS_CC_CAPABLE}, nvml.CC_SYSTEM_MULTIGPU_NONE, 1)
	var all strings.Builder
	for _, word := range []string{"-q", "-gc", "-grs", "--query-conf-compute"} {
		got, status := r.run(time.Now(), "conf-compute", word)
		if status != 0 {
			t.Errorf("%s: status %d", word, status)
		}
		all.WriteString(got)
	}
	same(t, all.String(), golden(t, "h100-595-conf-compute.txt"))
}

func TestConfidentialComputingThatIsOff(t *testing.T) {
	r := oneGPU(t, "580.95.05")
	r.confidential(nvml.ConfComputeSystemState{}, nvml.ConfComputeSystemCaps{CpuCaps: nvml.CC_SYSTEM_CPU_CAPS_INTEL_TDX, GpusCaps: nvml.CC_SYSTEM_GPUS_CC_CAPABLE},
		nvml.CC_SYSTEM_MULTIGPU_PROTECTED_PCIE, 0)
	for _, c := range []struct{ words, want string }{
		{"-f", "CC status: OFF\n"},
		{"-e", "CC Environment: UNAVAILABLE\n"},
		{"-d -i 0", "DevTools Mode: OFF\n"},
		{"-grs", "\nConfidential Compute GPUs Ready state: not-ready\n\n"},
		{"-q", `
==============NVSMI CONF-COMPUTE LOG==============

    CC State                   : OFF
    Multi-GPU Mode             : Protected PCIe
    CPU CC Capabilities        : INTEL TDX
    GPU CC Capabilities        : CC Capable
    CC GPUs Ready State        : Not Ready

`},
	} {
		got, status := r.run(time.Now(), append([]string{"conf-compute"}, strings.Fields(c.words)...)...)
		if got != c.want || status != 0 {
			t.Errorf("%s: status %d, %q", c.words, status, got)
		}
	}
}

func TestNoGPUIsCapableOfConfidentialComputing(t *testing.T) {
	r := oneGPU(t, "550.90.07")
	if got, status := r.run(time.Now(), "conf-compute", "-f"); got != "No CC capable devices found\n" || status != exitNotFound {
		t.Errorf("status %d, %q", status, got)
	}
}

func TestLinksToTheCPUAreTheVendors(t *testing.T) {
	r := oneGPU(t, "560.35.03")
	if got, status := r.run(time.Now(), "c2c", "-i", "0", "-s"); got != "No Devices support C2C.\n" || status != 3 {
		t.Errorf("without links: status %d, %q", status, got)
	}
	r.text("nvmlDeviceGetName", "NVIDIA GH200 480GB", 96)
	r.text("nvmlDeviceGetUUID", "GPU-8d852f73-f973-0769-9c78-5e52c7b36f16", 96)
	r.field(nvml.FI_DEV_C2C_LINK_COUNT, 0, nvml.VALUE_TYPE_UNSIGNED_INT, 10)
	want := "GPU 0: NVIDIA GH200 480GB (UUID: GPU-8d852f73-f973-0769-9c78-5e52c7b36f16)\n"
	for l := range 10 {
		r.field(nvml.FI_DEV_C2C_LINK_GET_STATUS, uint32(l), nvml.VALUE_TYPE_UNSIGNED_INT, 1)
		r.field(nvml.FI_DEV_C2C_LINK_GET_MAX_BW, uint32(l), nvml.VALUE_TYPE_UNSIGNED_INT, 44712)
		want += fmt.Sprintf("\t C2C Link %d: 44.712 GB/s\n", l)
	}
	for _, words := range []string{"-s", "--id=0 --status"} {
		got, status := r.run(time.Now(), append([]string{"c2c"}, strings.Fields(words)...)...)
		same(t, got, want)
		if status != 0 {
			t.Errorf("status %d", status)
		}
	}
}

func TestNoGPUIsDividedAmongMachines(t *testing.T) {
	r := oneGPU(t, "580.95.05")
	for _, words := range []string{"", "-q"} {
		if got, status := r.run(time.Now(), append([]string{"vgpu"}, strings.Fields(words)...)...); got != "No supported devices in vGPU mode\n" || status != 0 {
			t.Errorf("%q: status %d, %q", words, status, got)
		}
	}
	r.one("nvmlDeviceGetVirtualizationMode", nil, args{"pVirtualMode": uint64(nvml.GPU_VIRTUALIZATION_MODE_HOST_VGPU)})
	if got, status := r.run(time.Now(), "vgpu"); got != "nvidia-smi vgpu "+notAxons+"\n" || status != exitInvalid {
		t.Errorf("status %d, %q", status, got)
	}
}

func TestUnseenOptionsAreRefusedByName(t *testing.T) {
	r := oneGPU(t, "580.95.05")
	for _, words := range []string{"conf-compute -srs", "c2c -l", "vgpu -u", "drain -r"} {
		if got, status := r.run(time.Now(), strings.Fields(words)...); got != "nvidia-smi "+words+" "+notAxons+"\n" || status != exitInvalid {
			t.Errorf("%s: status %d, %q", words, status, got)
		}
	}
}

func TestUnitsAreTheVendors(t *testing.T) {
	r := oneGPU(t, "530.30.02")
	r.call("nvmlSystemGetCudaDriverVersion_v2", nil, nil, args{"cudaDriverVersion": 12010})
	r.call("nvmlUnitGetCount", nil, nil, args{"unitCount": 0})
	got, status := r.run(time.Date(2023, 7, 5, 20, 15, 20, 0, time.UTC), "-q", "-u")
	same(t, got, `
==============NVSMI LOG==============

Timestamp                                 : Wed Jul  5 20:15:20 2023
Driver Version                            : 530.30.02
CUDA Version                              : 12.1

HIC Info                                  : N/A
Attached Units                            : 0

`)
	if status != 0 {
		t.Errorf("status %d", status)
	}
}

func TestUnitsXMLIsTheVendors(t *testing.T) {
	m := &Machine{Time: time.Date(2026, 9, 15, 19, 34, 33, 0, time.UTC), Driver: of("580.65.06"), CUDA: of[int32](12040), Units: of[uint32](0)}
	for hics, entries := range map[string][]nvml.HwbcEntry{
		"\t<hic_info>\n\t</hic_info>\n": {},
		"\t<hic_info>\n\t\t<hic id=\"0\">\n\t\t\t<firmware>1.2.3.4</firmware>\n\t\t</hic>\n\t\t<hic id=\"1\">\n\t\t\t<firmware>5.6.7.8</firmware>\n\t\t</hic>\n\t</hic_info>\n": {
			{HwbcId: 0, FirmwareVersion: "1.2.3.4"}, {HwbcId: 1, FirmwareVersion: "5.6.7.8"}},
	} {
		m.HICs = of(entries)
		var b bytes.Buffer
		writeUnits(&b, m, true, false)
		same(t, b.String(), `<?xml version="1.0" ?>
<!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_unit_v13.dtd">
<nvidia_smi_log>
	<timestamp>Tue Sep 15 19:34:33 2026</timestamp>
	<driver_version>580.65.06</driver_version>
	<cuda_version>12.4</cuda_version>
`+hics+`	<attached_units>0</attached_units>
</nvidia_smi_log>
`)
	}
}

func TestColumnsOfOneGPUAreTheTable(t *testing.T) {
	now := time.Now()
	table, _ := quietH200(t).run(now)
	for _, words := range []string{"--columns=2", "--columns 1"} {
		if got, status := quietH200(t).run(now, strings.Fields(words)...); got != table || status != 0 {
			t.Errorf("nvidia-smi %s: %d %q", words, status, got)
		}
	}
	two := &Machine{GPUs: []*GPU{{}, {}}}
	if err := (&command{ask: &given{option: lookup("--columns")}}).unseen(two); err == nil || !strings.Contains(err.Error(), "--columns") {
		t.Errorf("--columns of two GPUs: %v", err)
	}
}
