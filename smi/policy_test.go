// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"testing"

	"nervlinux.org/axon/nvml"
)

// hopper200 is the machine that 580.159.04's answers below are of: a Hopper that has no links.
func hopper200(t *testing.T) *recorder {
	r := oneGPU(t, "580.159.04")
	r.call("nvmlDeviceGetArchitecture", args{"device": 1}, nil, args{"arch": nvml.DEVICE_ARCH_HOPPER})
	for l := range uint64(linksMax) {
		r.fails("nvmlDeviceGetNvLinkState", args{"device": 1, "link": l}, nvml.ERROR_NOT_SUPPORTED)
	}
	r.call("nvmlSystemGetNvlinkBwMode", nil, nil, args{"nvlinkBwMode": 0})
	return r
}

func TestPoliciesAndSlidersAreTheVendors(t *testing.T) {
	none := func(*recorder) {}
	policies := `+-------------------------------------+
| GPU compute policies:               |
| GPU     Name           Value        |
|=====================================|
|   0   Timeslice       Default       |
+-------------------------------------+
`
	says(t, hopper200, []lineCase{
		{"compute-policy -l", none, policies, 0},
		{"compute-policy --list -i 0", none, policies, 0},
		{"boost-slider -l", none, `+-------------------------------------------------+
| GPU Boost Slider                                |
| GPU     Slider       Max Value    Current Value |
|=================================================|
|   0     vboost           4              0       |
+-------------------------------------------------+
`, 0},
		{"power-smoothing -ppd", none, "Power Smoothing is not supported on this device.\n", 0},
		{"power-smoothing -l", none, "Option \"-l\" is not recognized.\n", 2},
		{"boost-slider --vboost=1", none, "nvidia-smi boost-slider --vboost=1 " + notAxons + "\n", 2},
	})
	for _, name := range []string{"compute-policy", "boost-slider", "power-smoothing", "conf-compute", "drain", "nvlink", "mig"} {
		text := help(name+".txt", Environment{})
		says(t, hopper200, []lineCase{{name, none, text, 0}, {name + " -h", none, text, 0}, {name + " --help", none, text, 0}})
		if len(text) < 300 {
			t.Errorf("%s: %q", name, text)
		}
	}
}

// What another generation has was not seen: nothing is made up of it.
func TestWhatIsOnlyOfAHopperIsNotSaidOfOthers(t *testing.T) {
	blackwell := func(t *testing.T) *recorder {
		r := oneGPU(t, "580.159.04")
		r.call("nvmlDeviceGetArchitecture", args{"device": 1}, nil, args{"arch": nvml.DEVICE_ARCH_BLACKWELL})
		r.call("nvmlDeviceGetNvLinkState", args{"device": 1, "link": 0}, nil, args{"isActive": 1})
		return r
	}
	none := func(*recorder) {}
	says(t, blackwell, []lineCase{
		{"boost-slider -l", none, "nvidia-smi boost-slider -l " + notAxons + "\n", 3},
		{"power-smoothing -ppd", none, "nvidia-smi power-smoothing -ppd " + notAxons + "\n", 3},
		{"nvlink -e", none, "nvidia-smi nvlink -e " + notAxons + "\n", 2},
	})
}

func TestAGPUWithoutLinksIsAsTheVendors(t *testing.T) {
	none := func(*recorder) {}
	var cases []lineCase
	for _, words := range []string{"-s", "-c", "-e", "-p", "-R", "-gt d", "-gt r", "-gLowPwrInfo", "-cBridge", "--info", "-info"} {
		cases = append(cases, lineCase{"nvlink " + words, none, "", 0})
	}
	says(t, hopper200, append(cases,
		lineCase{"nvlink -gBwMode", none, "GPU NVLINK bandwidth mode: FULL\n", 0},
		lineCase{"nvlink -g 0", none, "Option \"0\" is not recognized.\n", 2}))
}

func TestDrainStatesAreTheVendors(t *testing.T) {
	at := &nvml.PciInfo{Device: 6}
	says(t, hopper200, []lineCase{
		{"drain -q", func(*recorder) {}, "Must specify -p with this option.\n", 2},
		{"drain -q -p 0000:00:00.0", func(r *recorder) {
			r.fails("nvmlDeviceQueryDrainState", nil, nvml.ERROR_NOT_FOUND)
		}, "Failed to query the GPU drain state.\n", 255},
		{"drain -q -p what", func(*recorder) {}, "Failed to parse device specified at the command-line\n", 2},
		{"drain -p 0000:00:06.0", func(*recorder) {}, "", 0},
		{"drain -q -p", func(*recorder) {}, "Option \"-p\" is missing its value.\n", 2},
		{"drain -p 0000:00:06.0 -q", func(r *recorder) {
			r.call("nvmlDeviceQueryDrainState", nil, []any{at}, args{"currentState": 0})
		}, "The current drain state of GPU 00000000:00:06.0 is: not draining.\n", 0},
		{"drain -p 0000:00:06.0 -q", func(r *recorder) {
			r.call("nvmlDeviceQueryDrainState", nil, []any{at}, args{"currentState": 1})
		}, "The current drain state of GPU 00000000:00:06.0 is: draining.\n", 0},
	})
}
