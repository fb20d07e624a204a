// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"strings"
	"testing"
	"time"

	"nervlinux.org/axon/nvml"
)

// What is said is from published output of drivers 535 to 580; the exit status is the man page's.
func TestChangesSayWhatTheVendorsSays(t *testing.T) {
	const bus = "00000000:00:06.0"
	says(t, quietH200, []lineCase{
		{"-pm 1", func(*recorder) {}, "Persistence mode is already Enabled for GPU " + bus + ".\nAll done.\n", 0},
		{"-pm 0", func(r *recorder) {
			r.fails("nvmlDeviceSetPersistenceMode", args{"device": 1, "mode": 0}, nvml.ERROR_NO_PERMISSION)
		}, "Unable to set persistence mode for GPU " + bus + ": Insufficient Permissions\nTerminating early due to previous errors.\n", 4},
		{"-pm DISABLED", func(r *recorder) { r.one("nvmlDeviceSetPersistenceMode", args{"mode": 0}, nil) },
			"Disabled Legacy persistence mode for GPU " + bus + ".\nAll done.\n", 0},
		{"-pl 10", func(*recorder) {}, "Provided power limit 10.00 W is not a valid power limit which should be between 200.00 W and 700.00 W for GPU " +
			bus + "\nTerminating early due to previous errors.\n", 2},
		{"--power-limit=300", func(r *recorder) { r.one("nvmlDeviceSetPowerManagementLimit", args{"limit": 300000}, nil) },
			"Power limit for GPU " + bus + " was set to 300.00 W from 700.00 W.\nAll done.\n", 0},
		{"-lgc 210,2520", func(r *recorder) {
			r.fails("nvmlDeviceSetGpuLockedClocks", args{"device": 1, "minGpuClockMHz": 210, "maxGpuClockMHz": 2520}, nvml.ERROR_NO_PERMISSION)
		}, "The current user does not have permission to change clocks for GPU " + bus + ".\nTerminating early due to previous errors.\n", 4},
		{"-lgc 1740", func(r *recorder) {
			r.one("nvmlDeviceSetGpuLockedClocks", args{"minGpuClockMHz": 1740, "maxGpuClockMHz": 1740}, nil)
		}, "GPU clocks set to \"(gpuClkMin 1740, gpuClkMax 1740)\" for GPU " + bus + "\nAll done.\n", 0},
		{"-rgc", func(r *recorder) { r.one("nvmlDeviceResetGpuLockedClocks", nil, nil) }, "All done.\n", 0},
		{"-ac 2505,875", func(r *recorder) {
			r.one("nvmlDeviceSetApplicationsClocks", args{"memClockMHz": 2505, "graphicsClockMHz": 875}, nil)
		}, "Applications clocks set to \"(MEM 2505, SM 875)\" for GPU " + bus + "\nAll done.\n", 0},
		{"-c 3", func(r *recorder) { r.one("nvmlDeviceSetComputeMode", args{"mode": 3}, nil) },
			"Set compute mode to EXCLUSIVE_PROCESS for GPU " + bus + ".\nAll done.\n", 0},
		{"-c DEFAULT", func(*recorder) {}, "Compute mode is already set to DEFAULT for GPU " + bus + ".\nAll done.\n", 0},
		{"-e 0", func(r *recorder) { r.one("nvmlDeviceSetEccMode", args{"ecc": 0}, nil) },
			"Disabled ECC support for GPU " + bus + ".\nAll done.\nReboot required.\n", 0},
		{"-mig 1", func(r *recorder) { r.one("nvmlDeviceSetMigMode", args{"mode": 1}, args{"activationStatus": 0}) },
			"Enabled MIG Mode for GPU " + bus + "\nAll done.\n", 0},
		{"-mig 0", func(r *recorder) { r.fails("nvmlDeviceSetMigMode", args{"device": 1, "mode": 0}, nvml.ERROR_IN_USE) },
			"Unable to disable MIG Mode for GPU " + bus + ": In use by another client\nTerminating early due to previous errors.\n", 19},
		{"-am 1", func(r *recorder) { r.one("nvmlDeviceSetAccountingMode", args{"mode": 1}, nil) },
			"Enabled Accounting Mode for GPU " + bus + ".\nAll done.\n", 0},
		{"-pm 2", func(*recorder) {}, "Invalid persistence mode: 2\nTerminating early due to previous errors.\n", 2},
		{"-c 7", func(*recorder) {}, "Invalid compute mode: 7\nTerminating early due to previous errors.\n", 2},
		{"-ac 2505", func(*recorder) {}, "Invalid combination of input arguments. Please run 'nvidia-smi -h' for help.\n\n", 2},
		{"-mig 1", func(r *recorder) {
			r.one("nvmlDeviceSetMigMode", args{"mode": 1}, args{"activationStatus": uint64(nvml.ERROR_NOT_SUPPORTED)})
		}, "Warning: MIG mode is in pending enable state for GPU " + bus + ":Not Supported\n" +
			"Reboot the system or try nvidia-smi --gpu-reset to make MIG mode effective on GPU " + bus + "\nAll done.\n", 0},
		{"-r", func(*recorder) {}, "--gpu-reset is not supported by axon's nvidia-smi; the one that comes with NVIDIA's driver has it.\n" +
			"To reset a GPU, end the programs that use it, stop axond, and give --gpu-reset to NVIDIA's own program (see axon-smi(1)); or reboot.\n", 3},
		{"--gom=0", func(*recorder) {}, "--gom is not supported by axon's nvidia-smi; the one that comes with NVIDIA's driver has it.\n", 3},
	})
}

func TestBadCommandLinesAreTheVendorsErrors(t *testing.T) {
	r := quietH200(t)
	const combination = "Invalid combination of input arguments. Please run 'nvidia-smi -h' for help.\n\n"
	for _, c := range []struct {
		line, want string
		status     int
	}{
		{"--foo", "ERROR: Option --foo is not recognized. Please run 'nvidia-smi -h'.\n\n", 255},
		{"-format=csv", "ERROR: Option -format=csv is not recognized. Please run 'nvidia-smi -h'.\n\n", 255},
		{"-lms100", "ERROR: Option -lms100 is not recognized. Please run 'nvidia-smi -h'.\n\n", 255},
		{"-gom", "ERROR: Option -gom is not recognized. Please run 'nvidia-smi -h'.\n\n", 255},
		{"-lgc", "ERROR: Option -lgc is missing its value. Please run 'nvidia-smi -h' for help.\n\n", 255},
		{"--columns", "ERROR: Option --columns is missing its value. Please run 'nvidia-smi -h' for help.\n\n", 255},
		{"--columns=a", "ERROR: Option a is invalid for --columns=a. Please run 'nvidia-smi -h' for help.\n\n", 2},
		{"nosuch -h", "ERROR: Option nosuch is not valid for this command. Please run 'nvidia-smi -h' for help.\n\n", 2},
		{"-B 0", "ERROR: Option 0 is not valid for this command. Please run 'nvidia-smi -h' for help.\n\n", 2},
		{"-B -i 0", "ERROR: Option -i is not valid for this command. Please run 'nvidia-smi -h' for help.\n\n", 2},
		{"-h -q", "ERROR: Option -q is not valid for this command. Please run 'nvidia-smi -h' for help.\n\n", 2},
		{"-q -h", "ERROR: Option -q is not valid for this command. Please run 'nvidia-smi -h' for help.\n\n", 2},
		{"-L --version", "ERROR: Option -L is not valid for this command. Please run 'nvidia-smi -h' for help.\n\n", 2},
		{"-lms 100 -L -h", "ERROR: Option -lms is not valid for this command. Please run 'nvidia-smi -h' for help.\n\n", 2},
		{"--version=1", "ERROR: Option 1 is not valid for this command. Please run 'nvidia-smi -h' for help.\n\n", 2},
		{"-L --query-gpu=name --format=csv", "ERROR: Option --query-gpu=name is not valid for this command. Please run 'nvidia-smi -h' for help.\n\n", 2},
		{"stats", "ERROR: Option stats is not recognized. Please run 'nvidia-smi -h'.\n\n", 255},
		{"-q nosuch", "ERROR: Option nosuch is not recognized. Please run 'nvidia-smi -h'.\n\n", 255},
		{"-q=1", "ERROR: Option 1 is not recognized. Please run 'nvidia-smi -h'.\n\n", 255},
		{"--format=csv", "ERROR: Option --format=csv is not recognized. Please run 'nvidia-smi -h'.\n\n", 255},
		{"--query-gpu=name --format=csv -x", "ERROR: Option -x is not recognized. Please run 'nvidia-smi -h' for help.\n\n", 2},
		{"--query-gpu=name --query-compute-apps=pid", "Only one --query-* switch can be used at a time.\n", 2},
		{"-x --dtd", "ERROR: Option -x is not recognized. Please run 'nvidia-smi -h' for help.\n\n", 255},
		{"-x", "Invalid combination of input arguments. Specify -q/--query and -x/--xml-format to run an XML query.  Please run 'nvidia-smi -h' for help.\n\n", 2},
		{"-u", "Invalid combination of input arguments. Specify -q/--query and -u/--unit to run a unit query.  Please run 'nvidia-smi -h' for help.\n\n", 2},
		{"-d MEMORY", "Invalid combination of input arguments. Specify -q/--query and -d/--display to run a filtered query.  Please run 'nvidia-smi -h' for help.\n\n", 2},
		{"-q -pm 1", combination, 2},
		{"-l 0", "Provided [-l(ms) | --loop(-ms)=] value is incorrect. Loop frequency must be greater than 0.\n\n", 2},
		{"-lms 0", "Provided [-l(ms) | --loop(-ms)=] value is incorrect. Loop frequency must be greater than 0.\n\n", 2},
		{"-l 1 -q -d nope", "Failed to parse --display/-d flags\n", 2},
		{"-q -f /nonexistent/file", "Failed to create the log file /nonexistent/file\n\n", 255},
		{"--query-gpu=name -f /nonexistent/file", "Failed to create log file /nonexistent/file\n\n", 255},
		{"--query-gpu=NAME --format=CSV", "Field \"NAME\" is not a valid field to query.\n\n", 2},
		{"--query-gpu=name --format=xml", "Format modifier is not recognized.\n", 2},
		{"--query-gpu=clocks.applications.sm --format=csv", "Field \"clocks.applications.sm\" is not a valid field to query.\n\n", 2},
		{"-q -d UTILIZATION,PCI", "Failed to parse --display/-d flags\n", 2},
		{"-q -x -d MEMORY --dtd", "Invalid combination of input arguments: --display/-d flags can not be combined with -x/--xml-format flags.\n", 2},
	} {
		got, status := r.run(time.Now(), strings.Fields(c.line)...)
		if got != c.want || status != c.status {
			t.Errorf("nvidia-smi %s:\n got %d %q\nwant %d %q", c.line, status, got, c.status, c.want)
		}
	}
}
