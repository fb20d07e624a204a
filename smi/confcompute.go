// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"context"
	"fmt"

	"nervlinux.org/axon/nvml"
)

func init() { subcommands["conf-compute"] = confCompute }

// confidential is what conf-compute tells of the machine.
type confidential struct {
	state    Val[nvml.ConfComputeSystemState]
	caps     Val[nvml.ConfComputeSystemCaps]
	multiGPU Val[uint32]
	ready    Val[bool]
}

func confCompute(_ context.Context, args []string, env Environment) int {
	known := []subFlag{{"-q", "--query-conf-compute"}, {"-f", "--get-cc-feature"}, {"-e", "--get-environment"}, {"-d", "--get-devtools-mode"},
		{"-gc", "--get-cpu-caps"}, {"-grs", "--get-gpus-ready-state"},
		{"-gg", "--get-gpus-caps"}, {"-mgm", "--get-multigpu-mode"}, {"-gm", "--get-mem-size-info"}, {"-gkr", "--get-key-rotation-threshold-info"}}
	asked, ids, status, done := subOptions("conf-compute", args, env, known...)
	if done {
		return status
	}
	if len(asked) > 1 {
		fmt.Fprintf(env.Out, "One, and only one, conf-compute command allowed at a time\n")
		return exitInvalid
	}
	return withMachine(env, ids, &wants{rName: true, rUUID: true}, func(s *source, m *Machine) int {
		c := s.confidential()
		if !c.state.OK() {
			fmt.Fprintf(env.Out, "No CC capable devices found\n")
			return exitNotFound
		}
		var b bytes.Buffer
		for what := range asked {
			switch what {
			case "-gm":
				status = s.protectedSizes(&b, m.GPUs)
			case "-gkr":
				status = s.keyRotation(&b)
			default:
				status = c.write(&b, what)
			}
		}
		env.Out.Write(b.Bytes())
		return status
	})
}

func (s *source) confidential() *confidential {
	c := &confidential{}
	c.state = val(s.SystemGetConfComputeState())
	c.caps = val(s.SystemGetConfComputeCapabilities())
	c.ready = pick(val(s.SystemGetConfComputeGpusReadyState()), func(n uint32) bool { return n == nvml.CC_ACCEPTING_CLIENT_REQUESTS_TRUE })
	var settings nvml.SystemConfComputeSettings_v1
	r := s.SystemGetConfComputeSettings(&settings)
	c.multiGPU = Val[uint32]{settings.MultiGpuMode, r}
	return c
}

// confidentialUnseen is a question whose answer NVML would not give.
func confidentialUnseen(b *bytes.Buffer, what string, r Return) int {
	return unseen(b, fmt.Sprintf("conf-compute %s, to which NVML answers %s,", what, words(r)), r)
}

// protectedSizes is how much of each GPU's memory is protected.
func (s *source) protectedSizes(b *bytes.Buffer, gpus []*GPU) int {
	for _, g := range gpus {
		sizes, r := s.DeviceGetConfComputeMemSizeInfo(g.handle)
		if r != Success {
			return confidentialUnseen(b, "-gm", r)
		}
		fmt.Fprintf(b, "GPU %d: %s (UUID: %s)\nProtected memory size:   %d KiB\nUnprotected memory size: %d KiB\n",
			g.Index, str(g.Name), str(g.UUID), sizes.ProtectedMemSizeKib, sizes.UnprotectedMemSizeKib)
	}
	return 0
}

// keyRotation is how sure an attacker may become before the keys are made anew.
func (s *source) keyRotation(b *bytes.Buffer) int {
	var threshold nvml.ConfComputeGetKeyRotationThresholdInfo_v1
	if r := s.SystemGetConfComputeKeyRotationThresholdInfo(&threshold); r != Success {
		return confidentialUnseen(b, "-gkr", r)
	}
	fmt.Fprintf(b, "\nConfidential Compute Key Rotation Threshold Attacker Advantage: %d\n\n", threshold.AttackerAdvantage)
	return 0
}

func (c *confidential) write(b *bytes.Buffer, what string) int {
	feature := name4(c.state.V.CcFeature, "OFF", "ON")
	cpu := text(c.caps, func(v nvml.ConfComputeSystemCaps) string {
		return name4(v.CpuCaps, "None", "AMD SEV", "INTEL TDX", "AMD SEV-SNP", "AMD SEV-SNP(vTOM Mode)")
	})
	gpus := text(c.caps, func(v nvml.ConfComputeSystemCaps) string { return name4(v.GpusCaps, "Not CC Capable", "CC Capable") })
	multiGPU := text(c.multiGPU, func(n uint32) string { return name4(n, "None", "Protected PCIe", "NVLE") })
	switch what {
	case "-gg":
		if !c.caps.OK() {
			return confidentialUnseen(b, what, c.caps.R)
		}
		fmt.Fprintf(b, "GPU CC capabilities: %s\n", gpus)
	case "-mgm":
		if !c.multiGPU.OK() {
			return confidentialUnseen(b, what, c.multiGPU.R)
		}
		fmt.Fprintf(b, "Multi-GPU Mode: %s\n", multiGPU)
	case "-f":
		fmt.Fprintf(b, "CC status: %s\n", feature)
	case "-e":
		fmt.Fprintf(b, "CC Environment: %s\n", name4(c.state.V.Environment, "UNAVAILABLE", "SIMULATION", "PRODUCTION"))
	case "-d":
		fmt.Fprintf(b, "DevTools Mode: %s\n", name4(c.state.V.DevToolsMode, "OFF", "ON"))
	case "-gc":
		fmt.Fprintf(b, "CPU CC capabilities: %s\n", cpu)
	case "-grs":
		fmt.Fprintf(b, "\nConfidential Compute GPUs Ready state: %s\n", onOff(c.ready, "ready", "not-ready"))
	case "-q":
		b.WriteString("\n==============NVSMI CONF-COMPUTE LOG==============\n\n")
		row := func(name, value string) { fmt.Fprintf(b, "    %-27s: %s\n", name, value) }
		row("CC State", feature)
		if c.multiGPU.R != nvml.ERROR_FUNCTION_NOT_FOUND {
			row("Multi-GPU Mode", multiGPU)
		}
		row("CPU CC Capabilities", cpu)
		row("GPU CC Capabilities", gpus)
		row("CC GPUs Ready State", onOff(c.ready, "Ready", "Not Ready"))
	}
	if what == "-q" || what == "-grs" {
		b.WriteString("\n")
	}
	return 0
}
