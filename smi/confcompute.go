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
		{"-gc", "--get-cpu-caps"}, {"-grs", "--get-gpus-ready-state"}}
	asked, ids, status, done := subOptions("conf-compute", args, env, known...)
	if done {
		return status
	}
	if len(asked) == 0 {
		fmt.Fprintf(env.Out, "%s\n", combination)
		return exitInvalid
	}
	return withMachine(env, ids, &wants{}, func(s *source, _ *Machine) int {
		c := s.confidential()
		if !c.state.OK() {
			fmt.Fprintf(env.Out, "No CC capable devices found\n")
			return exitNotFound
		}
		var b bytes.Buffer
		for _, f := range known {
			if asked[f.short] {
				c.write(&b, f.short)
			}
		}
		env.Out.Write(b.Bytes())
		return 0
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

func (c *confidential) write(b *bytes.Buffer, what string) {
	feature := name4(c.state.V.CcFeature, "OFF", "ON")
	cpu := text(c.caps, func(v nvml.ConfComputeSystemCaps) string {
		return name4(v.CpuCaps, "None", "AMD SEV", "INTEL TDX", "AMD SEV-SNP", "AMD SEV-SNP(vTOM Mode)")
	})
	switch what {
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
			row("Multi-GPU Mode", text(c.multiGPU, func(n uint32) string { return name4(n, "None", "Protected PCIe", "NVLE") }))
		}
		row("CPU CC Capabilities", cpu)
		row("GPU CC Capabilities", text(c.caps, func(v nvml.ConfComputeSystemCaps) string { return name4(v.GpusCaps, "Not CC Capable", "CC Capable") }))
		row("CC GPUs Ready State", onOff(c.ready, "Ready", "Not Ready"))
	}
	if what == "-q" || what == "-grs" {
		b.WriteString("\n")
	}
}
