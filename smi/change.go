// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"fmt"
	"strings"

	"nervlinux.org/axon/nvml"
)

// change does what a command line asks to change, on every GPU it names. axond
// lets root only; what NVML answers to others is said in the vendor's words.
func (s *source) change(c *command, env Environment) int {
	ch := c.changes[0]
	set, ok := setters[ch.long]
	if ch.long == "--gpu-reset" {
		fmt.Fprintf(env.Out, "--gpu-reset %s\n%s\n", notAxons, howToReset)
		return int(NotSupported)
	}
	if !ok {
		fmt.Fprintf(env.Out, "%s %s\n", ch.long, notAxons)
		return int(NotSupported)
	}
	plan, ok := set(ch.value, c)
	if name := invalid[ch.long]; !ok && name != "" {
		fmt.Fprintf(env.Out, "Invalid %s: %s\nTerminating early due to previous errors.\n", name, ch.value)
		return exitInvalid
	}
	if !ok {
		fmt.Fprintf(env.Out, "%s\n", combination)
		return exitInvalid
	}
	m, err := s.read(c.ids, &wants{rPCI: true, rPersistence: true}, env.Now)
	if err != nil {
		return sayFailed(env.Out, err)
	}
	if !s.allThere(m.GPUs, c.ids) {
		return sayFailed(env.Out, errNoDevices)
	}
	var b bytes.Buffer
	status := Success
	last := ""
	for _, g := range m.GPUs {
		r := plan(&b, s, g)
		switch {
		case r == notSupportedHere:
			b.WriteString("Treating as warning and moving on.\n")
			if c.strict {
				status = NotSupported
			}
		case r == rebootNeeded:
			last = "Reboot required.\n"
		case r != Success:
			b.WriteString("Terminating early due to previous errors.\n")
			env.Out.Write(b.Bytes())
			return int(min(r, ExitOther))
		}
	}
	fmt.Fprintf(&b, "All done.\n%s", last)
	env.Out.Write(b.Bytes())
	return int(status)
}

// invalid is what a value is called that is none, where the vendor's words were seen.
var invalid = map[string]string{"--persistence-mode": "persistence mode", "--compute-mode": "compute mode"}

// howToReset is said because NVML, which axond asks, cannot reset a GPU.
const howToReset = "To reset a GPU, end the programs that use it, stop axond, and give --gpu-reset to NVIDIA's own program (see axon-smi(1)); or reboot."

// What a plan tells besides NVML's results.
const (
	notSupportedHere Return = 1<<31 + iota // said, and no error
	rebootNeeded
)

// plan changes one GPU and says what it did.
type plan func(b *bytes.Buffer, s *source, g *GPU) Return

func (g *GPU) bus() string { return text(g.PCI, func(p PCI) string { return p.BusID }) }

// warned adds what is said where the driver may forget the change.
func warned(b *bytes.Buffer, g *GPU) Return {
	if g.Persistence.OK() && !g.Persistence.V {
		fmt.Fprintf(b, "\nWarning: persistence mode is disabled on device %s. See the Known Issues section of the nvidia-smi(1) man page for more information. Run with [--help | -h] switch to get more information on how to enable persistence mode.\n", g.bus())
	}
	return Success
}

// choice reads one of some names or its number.
func choice(value string, names ...string) (int, bool) {
	for i, n := range names {
		if value == fmt.Sprint(i) || strings.EqualFold(value, n) {
			return i, true
		}
	}
	return 0, false
}

// setters read an option's value; false is that it is none.
var setters = map[string]func(value string, c *command) (plan, bool){
	"--persistence-mode":          setPersistence,
	"--ecc-config":                setECC,
	"--reset-ecc-errors":          resetECC,
	"--compute-mode":              setComputeMode,
	"--accounting-mode":           setAccounting,
	"--clear-accounted-apps":      clearAccounted,
	"--multi-instance-gpu":        setMIG,
	"--power-limit":               setPower,
	"--lock-gpu-clocks":           lockGPUClocks,
	"--reset-gpu-clocks":          resets((*nvml.Client).DeviceResetGpuLockedClocks),
	"--lock-memory-clocks":        lockMemoryClocks,
	"--reset-memory-clocks":       resets((*nvml.Client).DeviceResetMemoryLockedClocks),
	"--applications-clocks":       setApplicationClocks,
	"--reset-applications-clocks": resets((*nvml.Client).DeviceResetApplicationsClocks),
}

// stateName is what a mode's two states are called.
func stateName(on bool) string {
	if on {
		return "Enabled"
	}
	return "Disabled"
}

func setPersistence(value string, _ *command) (plan, bool) {
	n, ok := choice(value, "DISABLED", "ENABLED")
	return func(b *bytes.Buffer, s *source, g *GPU) Return {
		if g.Persistence.OK() && g.Persistence.V == (n == 1) {
			fmt.Fprintf(b, "Persistence mode is already %s for GPU %s.\n", stateName(n == 1), g.bus())
			return Success
		}
		if r := s.DeviceSetPersistenceMode(g.handle, nvml.EnableState(n)); r != Success {
			fmt.Fprintf(b, "Unable to set persistence mode for GPU %s: %s\n", g.bus(), words(r))
			return r
		}
		legacy := ""
		if v, _ := s.SystemGetDriverVersion(); driverMajor(v) >= 570 {
			legacy = "Legacy "
		}
		fmt.Fprintf(b, "%s %spersistence mode for GPU %s.\n", stateName(n == 1), legacy, g.bus())
		return Success
	}, ok
}

func setECC(value string, _ *command) (plan, bool) {
	n, ok := choice(value, "DISABLED", "ENABLED")
	return func(b *bytes.Buffer, s *source, g *GPU) Return {
		if _, next, r := s.DeviceGetEccMode(g.handle); r == Success && (next != 0) == (n == 1) {
			fmt.Fprintf(b, "ECC support is already %s for GPU %s.\n", stateName(n == 1), g.bus())
			return Success
		}
		if r := s.DeviceSetEccMode(g.handle, nvml.EnableState(n)); r != Success {
			return failed(b, g, r, "ECC configuration")
		}
		fmt.Fprintf(b, "%s ECC support for GPU %s.\n", stateName(n == 1), g.bus())
		return rebootNeeded
	}, ok
}

// failed says that something could not be set; where it is not supported that is no error.
func failed(b *bytes.Buffer, g *GPU, r Return, what string) Return {
	if r == NotSupported {
		fmt.Fprintf(b, "Setting %s is not supported for GPU %s.\n", what, g.bus())
		return notSupportedHere
	}
	fmt.Fprintf(b, "Unable to set %s for GPU %s: %s\n", what, g.bus(), words(r))
	return r
}

func resetECC(value string, _ *command) (plan, bool) {
	n, ok := choice(value, "VOLATILE", "AGGREGATE")
	return func(b *bytes.Buffer, s *source, g *GPU) Return {
		if r := s.DeviceClearEccErrorCounts(g.handle, nvml.EccCounterType(n)); r != Success {
			fmt.Fprintf(b, "Unable to reset ECC errors for GPU %s: %s\n", g.bus(), words(r))
			return r
		}
		fmt.Fprintf(b, "Reset %s ECC errors to zero for GPU %s.\n", [...]string{"volatile", "aggregate"}[n], g.bus())
		return Success
	}, ok
}

func setComputeMode(value string, _ *command) (plan, bool) {
	names := []string{"DEFAULT", "EXCLUSIVE_THREAD", "PROHIBITED", "EXCLUSIVE_PROCESS"}
	n, ok := choice(value, names...)
	return func(b *bytes.Buffer, s *source, g *GPU) Return {
		if mode, r := s.DeviceGetComputeMode(g.handle); r == Success && int(mode) == n {
			fmt.Fprintf(b, "Compute mode is already set to %s for GPU %s.\n", names[n], g.bus())
			return Success
		}
		if r := s.DeviceSetComputeMode(g.handle, nvml.ComputeMode(n)); r != Success {
			fmt.Fprintf(b, "Unable to set the compute mode for GPU %s: %s\n", g.bus(), words(r))
			return r
		}
		fmt.Fprintf(b, "Set compute mode to %s for GPU %s.\n", names[n], g.bus())
		return warned(b, g)
	}, ok
}

func setAccounting(value string, _ *command) (plan, bool) {
	n, ok := choice(value, "DISABLED", "ENABLED")
	return func(b *bytes.Buffer, s *source, g *GPU) Return {
		if now, r := s.DeviceGetAccountingMode(g.handle); r == Success && (now != 0) == (n == 1) {
			fmt.Fprintf(b, "Accounting mode is already %s for GPU %s.\n", stateName(n == 1), g.bus())
			return Success
		}
		if r := s.DeviceSetAccountingMode(g.handle, nvml.EnableState(n)); r != Success {
			return failed(b, g, r, "accounting mode")
		}
		fmt.Fprintf(b, "%s Accounting Mode for GPU %s.\n", stateName(n == 1), g.bus())
		return warned(b, g)
	}, ok
}

func clearAccounted(string, *command) (plan, bool) {
	return func(b *bytes.Buffer, s *source, g *GPU) Return {
		if r := s.DeviceClearAccountingPids(g.handle); r != Success {
			fmt.Fprintf(b, "Unable to clear accounted PIDs for GPU %s: %s\n", g.bus(), words(r))
			return r
		}
		fmt.Fprintf(b, "Cleared Accounted PIDs for GPU %s.\n", g.bus())
		return Success
	}, true
}

func setMIG(value string, _ *command) (plan, bool) {
	n, ok := choice(value, "DISABLED", "ENABLED")
	verb := [...]string{"disable", "enable"}[n]
	return func(b *bytes.Buffer, s *source, g *GPU) Return {
		active, r := s.DeviceSetMigMode(g.handle, uint32(n))
		if r == NotSupported {
			fmt.Fprintf(b, "Unable to %s MIG Mode for GPU %s: %s\n", verb, g.bus(), words(r))
			return notSupportedHere
		}
		if r != Success {
			fmt.Fprintf(b, "Unable to %s MIG Mode for GPU %s: %s\n", verb, g.bus(), words(r))
			return r
		}
		if active != Success {
			fmt.Fprintf(b, "Warning: MIG mode is in pending %s state for GPU %s:%s\n", verb, g.bus(), words(active))
			if active == nvml.ERROR_IN_USE {
				fmt.Fprintf(b, "%s is currently being used by one or more other processes (e.g. CUDA application or a monitoring application such as another instance of nvidia-smi). Please first kill all processes using the device and retry the command or reboot the system to make MIG mode effective.\n", g.bus())
			} else {
				fmt.Fprintf(b, "Reboot the system or try nvidia-smi --gpu-reset to make MIG mode effective on GPU %s\n", g.bus())
			}
			return Success
		}
		fmt.Fprintf(b, "%s MIG Mode for GPU %s\n", stateName(n == 1), g.bus())
		return warned(b, g)
	}, ok
}
