// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"context"
	"strings"
	"testing"
	"time"
)

// usageOf is a subcommand's help without what is above its usage.
func usageOf(name string) string {
	text := help(name+".txt", Environment{})
	return text[strings.Index(text, "\n    Usage: "):]
}

// TestSubcommandsOfAnH200AreTheVendors plays the recorded H200, of which the vendor's program was measured. The figures
// of dmon are the recording's.
func TestSubcommandsOfAnH200AreTheVendors(t *testing.T) {
	k := readKept(t, "testdata/h200-580-idle.modes.gz")
	const (
		unread     = "Option \"--no-such\" is not recognized.\n"
		samples    = "Invalid value for number of samples to be displayed\n"
		noMetric   = "Failed to find any metric to display\nFailed to process command line \n\n"
		badOptions = "Error in parsing options\nFailed to process command line \n\n"
		withoutI   = "The -i command line argument must be used in conjunction with -n or -p.\n\n"
		noMIG      = "No MIG-enabled devices found.\n"
		figures    = "    0    120     36     38      2      0      0      0      0      0   3201   1980"
		names      = "# gpu    pwr  gtemp  mtemp     sm    mem    enc    dec    jpg    ofa   mclk   pclk"
		units      = "# Idx      W      C      C      %      %      %      %      %      %    MHz    MHz"
	)
	matrix := func(option string) string {
		lines := k.printed(t, "topo "+option)
		return strings.Join(lines[:len(lines)-2], "\n") + "\n"
	}
	for _, c := range []struct {
		words, want string
		status      string
	}{
		{"topo -c 16", "No GPUs were found to have an affinity with CPU 16.\n\n", "0"},
		{"topo -c 999", "No GPUs were found to have an affinity with CPU 999.\n\n", "0"},
		{"topo -n 1 -i 0", "Device 0 is not connected to other devices by way of a single PCIe switch.\n\n", "0"},
		{"topo -n 9 -i 0", "Failed to display the nearest GPUs\n\n", "255"},
		{"topo -C -i 0", "NUMA IDs of closest CPU: 0\n", "0"},
		{"topo -M -i 0", "NUMA IDs of closest memory: 0\n", "0"},
		{"topo -gnid -i 0", "N/A\n", "0"},
		{"topo -m -i 0", withoutI, "255"},
		{"topo -m -i 99", "No devices were found\n", "6"},
		{"topo -m -mp", matrix("-m") + matrix("-mp"), "0"},
		{"nvlink -gt", "Option \"-gt\" is missing its value.\n", "2"},
		{"nvlink -gBwMode", "GPU NVLINK bandwidth mode: FULL\n", "0"},
		{"dmon -c 1 -s m --format csv", "#gpu, fb, bar1, ccpm\n#Idx, MB, MB, MB\n 0, 1, 1, 0\n", "0"},
		{"dmon -c 1 -s m --format csv,nounit,noheader", " 0, 1, 1, 0\n", "0"},
		{"dmon -c 1 -s z", noMetric, "255"},
		{"dmon -c 1 -o X", badOptions, "255"},
		{"dmon -c 1 -d 11", names + " \n" + units + " \n" + figures + " \n", "0"},
		{"dmon -c 1 --gpm-metrics 8", names + "       id=8 \n" + units + "      GPM:% \n" + figures + "          - \n", "0"},
		{"dmon --no-such", unread + usageOf("dmon"), "0"},
		{"dmon -s", "Option \"-s\" is missing its value.\n" + usageOf("dmon"), "0"},
		{"dmon -c 0", samples + usageOf("dmon"), "0"},
		{"dmon -c abc", samples + usageOf("dmon"), "0"},
		{"pmon -c 1 -s z", noMetric, "255"},
		{"pmon --no-such", unread + usageOf("pmon"), "0"},
		{"pmon -c 1 -d 11", "Collection delay/interval should be between 1 second and 10 seconds\n" + usageOf("pmon"), "0"},
		{"pmon -c 0", samples + usageOf("pmon"), "0"},
		{"pmon -c abc", samples + usageOf("pmon"), "0"},
		{"mig -lgi -lci", noMIG, "0"},
		{"mig -gi 0", noMIG, "0"},
		{"mig -lgip=1", "Option \"1\" is not recognized.\n", "2"},
		{"conf-compute -gg", "GPU CC capabilities: CC Capable\n", "0"},
		{"conf-compute -gm", "GPU 0: NVIDIA H200 (UUID: GPU-00000000-1111-2222-3333-444444444444)\n" +
			"Protected memory size:   0 KiB\nUnprotected memory size: 146591680 KiB\n", "0"},
		{"conf-compute -mgm", "Multi-GPU Mode: None\n", "0"},
		{"conf-compute -gkr", "\nConfidential Compute Key Rotation Threshold Attacker Advantage: 60\n\n", "0"},
		{"conf-compute -f -e", "One, and only one, conf-compute command allowed at a time\n", "2"},
		{"conf-compute -i 0", help("conf-compute.txt", Environment{}), "0"},
		{"compute-policy -i 0", help("compute-policy.txt", Environment{}), "0"},
		{"drain -q -p nosuch", "Failed to parse device specified at the command-line\n", "2"},
		{"drain -p 0000:00:06.0", "", "0"},
		{"c2c -e", "No Devices support C2C.\n", "3"},
		{"c2c -gLowPwrInfo", "No Devices support C2C.\n", "3"},
		{"daemon --no-such", unread + usageOf("daemon"), "0"},
		{"replay --no-such", unread + usageOf("replay"), "0"},
		// The vendor's words for these were not seen.
		{"topo -m -c 0", "nvidia-smi topo -m -c 0 " + notAxons + "\n", "2"},
		{"topo -n x -i 0", "nvidia-smi topo -n x " + notAxons + "\n", "2"},
		{"dmon -c 1 --format json", "nvidia-smi dmon --format json " + notAxons + "\n", "2"},
		{"dmon -c 1 --gpm-metrics 8,2", "nvidia-smi dmon --gpm-metrics 8,2 " + notAxons + "\n", "2"},
		{"dmon -c 1 --gpm-options d", "nvidia-smi dmon --gpm-options " + notAxons + "\n", "2"},
		{"dmon -c 1 -s pz", "nvidia-smi dmon -s pz " + notAxons + "\n", "2"},
		{"dmon -c 1 -d 0", "nvidia-smi dmon -d 0 " + notAxons + "\n", "2"},
	} {
		if got, want := strings.Join(k.printed(t, c.words), "\n"), c.want+"status "+c.status+"\n"; got != want {
			t.Errorf("nvidia-smi %s:\n got %q\nwant %q", c.words, got, want)
		}
	}
	const dated = "#Date, Time, gpu, pwr, gtemp, mtemp, mclk, pclk\n#YYYYMMDD, HH:MM:SS, Idx, W, C, C, MHz, MHz\n 20261201, 01:31:19, 0, 120, 36, 38, 3201, 1980\nstatus 0\n"
	same(t, strings.Join(k.printed(t, "dmon -c 1 -s pc -o DT --format csv"), "\n"), dated)
}

func TestVirtualMachinesAreLookedForUntilItIsStopped(t *testing.T) {
	for _, words := range []string{"-p", "-l 1", "-q --loop=1"} {
		ctx, stop := context.WithCancel(context.Background())
		out := &linesThen{left: 2, stop: stop}
		env := oneGPU(t, "580.159.04").environment(nil, time.Now())
		env.Out, env.Now = out, time.Now
		status := Run(ctx, append([]string{"vgpu"}, strings.Fields(words)...), env)
		same(t, out.String(), strings.Repeat("No supported devices in vGPU mode\n", 2))
		if status != 0 {
			t.Errorf("vgpu %s: status %d", words, status)
		}
	}
}
