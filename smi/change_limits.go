// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"nervlinux.org/axon/nvml"
)

func setPower(value string, c *command) (plan, bool) {
	limit, err := strconv.ParseFloat(value, 64)
	scope, scoped := c.with["--scope"]
	if err != nil || math.IsNaN(limit) || limit <= 0 || limit > 1e6 || scoped && scope != "0" && !strings.EqualFold(scope, "GPU") {
		return nil, false
	}
	mw := uint32(math.Round(limit * 1000))
	return func(b *bytes.Buffer, s *source, g *GPU) Return {
		lo, hi, r := s.DeviceGetPowerManagementLimitConstraints(g.handle)
		before, r2 := s.DeviceGetPowerManagementLimit(g.handle)
		if r == NotSupported || r2 == NotSupported {
			fmt.Fprintf(b, "Changing power management limit is not supported for GPU: %s.\n", g.bus())
			return notSupportedHere
		}
		if r == Success && (mw < lo || mw > hi) {
			fmt.Fprintf(b, "Provided power limit %s W is not a valid power limit which should be between %s W and %s W for GPU %s\n",
				watts(mw), watts(lo), watts(hi), g.bus())
			return nvml.ERROR_INVALID_ARGUMENT
		}
		if r := s.DeviceSetPowerManagementLimit(g.handle, mw); r != Success {
			if r == NotSupported {
				fmt.Fprintf(b, "Changing power management limit is not supported for GPU: %s.\n", g.bus())
				return notSupportedHere
			}
			fmt.Fprintf(b, "Failed to set power management limit for GPU %s: %s\n", g.bus(), words(r))
			return r
		}
		fmt.Fprintf(b, "Power limit for GPU %s was set to %s W from %s W.\n", g.bus(), watts(mw), watts(before))
		return warned(b, g)
	}, true
}

// clockPair reads "1500,1500" or one number for both.
func clockPair(value string) (a, b uint32, ok bool) {
	first, second, two := strings.Cut(value, ",")
	n, err := strconv.ParseUint(strings.TrimSpace(first), 10, 32)
	if err != nil {
		return 0, 0, false
	}
	if !two {
		return uint32(n), uint32(n), true
	}
	m, err := strconv.ParseUint(strings.TrimSpace(second), 10, 32)
	return uint32(n), uint32(m), err == nil
}

// clocksRefused says why clocks could not be changed.
func clocksRefused(b *bytes.Buffer, g *GPU, r Return, what string) Return {
	switch r {
	case NoPermission:
		fmt.Fprintf(b, "The current user does not have permission to change clocks for GPU %s.\n", g.bus())
		return r
	case NotSupported:
		fmt.Fprintf(b, "Setting %s is not supported for GPU %s.\n", what, g.bus())
		return notSupportedHere
	}
	fmt.Fprintf(b, "Unable to set %s for GPU %s: %s\n", what, g.bus(), words(r))
	return r
}

// setClocks is a plan to set a pair of clocks; done says so, of the two.
func setClocks(set func(*nvml.Client, nvml.Device, uint32, uint32) Return, a, b uint32, what, done string) plan {
	return func(out *bytes.Buffer, s *source, g *GPU) Return {
		if r := set(s.Client, g.handle, a, b); r != Success {
			return clocksRefused(out, g, r, what)
		}
		fmt.Fprintf(out, done+" for GPU %s\n", a, b, g.bus())
		return warned(out, g)
	}
}

func lockGPUClocks(value string, c *command) (plan, bool) {
	lo, hi, ok := clockPair(value)
	if mode, given := c.with["--mode"]; given && mode != "0" {
		return nil, false // NVML's description has no call for the other mode
	}
	return setClocks((*nvml.Client).DeviceSetGpuLockedClocks, lo, hi, "locked GPU clocks", `GPU clocks set to "(gpuClkMin %d, gpuClkMax %d)"`), ok
}

func lockMemoryClocks(value string, _ *command) (plan, bool) {
	lo, hi, ok := clockPair(value)
	return setClocks((*nvml.Client).DeviceSetMemoryLockedClocks, lo, hi, "locked Memory clocks", `Memory clocks set to "(memClkMin %d, memClkMax %d)"`), ok
}

func setApplicationClocks(value string, _ *command) (plan, bool) {
	memory, graphics, ok := clockPair(value)
	return setClocks((*nvml.Client).DeviceSetApplicationsClocks, memory, graphics, "applications clocks", `Applications clocks set to "(MEM %d, SM %d)"`),
		ok && strings.Contains(value, ",")
}

// resets are options that undo a setting; they say nothing of a GPU.
func resets(reset func(*nvml.Client, nvml.Device) Return) func(string, *command) (plan, bool) {
	return func(string, *command) (plan, bool) {
		return func(b *bytes.Buffer, s *source, g *GPU) Return {
			if r := reset(s.Client, g.handle); r != Success {
				return clocksRefused(b, g, r, "clocks")
			}
			return Success
		}, true
	}
}
