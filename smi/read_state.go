// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"math"
	"time"

	"nervlinux.org/axon/nvml"
)

func init() {
	add := func(r reading, f func(*source, *GPU)) { readers[r] = f }
	add(rPState, func(s *source, g *GPU) {
		g.PState = pick(val(s.DeviceGetPerformanceState(g.handle)), func(p nvml.Pstates) uint32 { return uint32(p) })
	})
	add(rReasons, func(s *source, g *GPU) {
		g.Reasons = val(s.DeviceGetCurrentClocksEventReasons(g.handle))
		if g.Reasons.R == nvml.ERROR_FUNCTION_NOT_FOUND { // before 535
			g.Reasons = val(s.DeviceGetCurrentClocksThrottleReasons(g.handle))
		}
	})
	add(rReasonsSupported, func(s *source, g *GPU) {
		g.ReasonsSupported = val(s.DeviceGetSupportedClocksEventReasons(g.handle))
		if g.ReasonsSupported.R == nvml.ERROR_FUNCTION_NOT_FOUND {
			g.ReasonsSupported = val(s.DeviceGetSupportedClocksThrottleReasons(g.handle))
		}
	})
	add(rReasonTimes, readReasonTimes)
	add(rBAR1, func(s *source, g *GPU) {
		g.BAR1 = pick(val(s.DeviceGetBAR1MemoryInfo(g.handle)), func(b nvml.BAR1Memory) Mem {
			// The vendor's has used and free add up to the total: of the two, used is rounded down.
			return Mem{Total: b.Bar1Total, Used: b.Bar1Used >> 20 << 20, Free: b.Bar1Free}
		})
	})
	add(rProtected, func(s *source, g *GPU) {
		g.Protected = pick(val(s.DeviceGetConfComputeProtectedMemoryUsage(g.handle)), func(m nvml.Memory) Mem {
			return Mem{Total: m.Total, Used: m.Used, Free: m.Free}
		})
	})
	add(rComputeMode, func(s *source, g *GPU) {
		g.ComputeMode = pick(val(s.DeviceGetComputeMode(g.handle)), func(m nvml.ComputeMode) uint32 { return uint32(m) })
	})
	add(rUtilEncoder, func(s *source, g *GPU) { g.UtilEncoder = first(s.DeviceGetEncoderUtilization(g.handle)) })
	add(rUtilDecoder, func(s *source, g *GPU) { g.UtilDecoder = first(s.DeviceGetDecoderUtilization(g.handle)) })
	add(rUtilJPEG, func(s *source, g *GPU) { g.UtilJPEG = first(s.DeviceGetJpgUtilization(g.handle)) })
	add(rUtilOFA, func(s *source, g *GPU) { g.UtilOFA = first(s.DeviceGetOfaUtilization(g.handle)) })
	add(rEncoder, func(s *source, g *GPU) {
		n, fps, latency, r := s.DeviceGetEncoderStats(g.handle)
		g.Encoder = Val[Stats]{Stats{n, fps, latency}, r}
	})
	add(rFBC, func(s *source, g *GPU) {
		g.FBC = pick(val(s.DeviceGetFBCStats(g.handle)), func(f nvml.FBCStats) Stats { return Stats{f.SessionsCount, f.AverageFPS, f.AverageLatency} })
	})
	add(rDRAMEncryption, func(s *source, g *GPU) {
		var now, next nvml.DramEncryptionInfo_v1
		r := s.DeviceGetDramEncryptionMode(g.handle, &now, &next)
		g.DRAMEncryption = Val[Modes[bool]]{Modes[bool]{now.EncryptionState != 0, next.EncryptionState != 0}, r}
	})
	add(rMargin, func(s *source, g *GPU) {
		var m nvml.MarginTemperature_v1
		r := s.DeviceGetMarginTemperature(g.handle, &m)
		g.Margin = Val[int32]{m.MarginTemperature, r}
	})
	add(rMemoryTemperature, func(s *source, g *GPU) { g.MemoryTemperature = s.unsigned(g, fieldMemoryTemperature, 0) })
	threshold := func(s *source, g *GPU, t nvml.TemperatureThresholds) Val[uint32] {
		return val(s.DeviceGetTemperatureThreshold(g.handle, t))
	}
	add(rThresholds, func(s *source, g *GPU) {
		g.Shutdown, g.Slowdown = threshold(s, g, nvml.TEMPERATURE_THRESHOLD_SHUTDOWN), threshold(s, g, nvml.TEMPERATURE_THRESHOLD_SLOWDOWN)
		g.GPUMax, g.MemMax = threshold(s, g, nvml.TEMPERATURE_THRESHOLD_GPU_MAX), threshold(s, g, nvml.TEMPERATURE_THRESHOLD_MEM_MAX)
	})
	add(rLimits, readLimits)
	add(rTarget, func(s *source, g *GPU) { g.Target = threshold(s, g, nvml.TEMPERATURE_THRESHOLD_ACOUSTIC_CURR) })
	add(rTargetRange, func(s *source, g *GPU) {
		g.TargetMin, g.TargetMax = threshold(s, g, nvml.TEMPERATURE_THRESHOLD_ACOUSTIC_MIN), threshold(s, g, nvml.TEMPERATURE_THRESHOLD_ACOUSTIC_MAX)
	})
	add(rPowerManagement, func(s *source, g *GPU) { g.PowerManagement = flagVal(s.DeviceGetPowerManagementMode(g.handle)) })
	add(rPowerFields, readPowerFields)
	add(rPowerDefault, func(s *source, g *GPU) { g.PowerDefault = val(s.DeviceGetPowerManagementDefaultLimit(g.handle)) })
	add(rPowerRange, func(s *source, g *GPU) {
		lo, hi, r := s.DeviceGetPowerManagementLimitConstraints(g.handle)
		g.PowerMin, g.PowerMax = Val[uint32]{lo, r}, Val[uint32]{hi, r}
	})
	add(rModulePower, readModulePower)
	add(rSmoothing, func(s *source, g *GPU) {
		g.Smoothing = pick(s.numbered(g, fieldSmoothings, false), func(n float64) bool { return n != 0 })
	})
	add(rAppClocks, func(s *source, g *GPU) {
		for _, i := range []nvml.ClockType{nvml.CLOCK_GRAPHICS, nvml.CLOCK_MEM} {
			g.AppClocks[i] = val(s.DeviceGetApplicationsClock(g.handle, i))
		}
	})
	add(rDefaultClocks, func(s *source, g *GPU) {
		for _, i := range []nvml.ClockType{nvml.CLOCK_GRAPHICS, nvml.CLOCK_MEM} {
			g.DefaultClocks[i] = val(s.DeviceGetDefaultApplicationsClock(g.handle, i))
		}
	})
	add(rBoostClock, func(s *source, g *GPU) {
		g.BoostClock = val(s.DeviceGetMaxCustomerBoostClock(g.handle, nvml.CLOCK_GRAPHICS))
	})
	add(rAutoBoost, func(s *source, g *GPU) {
		now, usual, r := s.DeviceGetAutoBoostedClocksEnabled(g.handle)
		g.AutoBoost = Val[Modes[bool]]{Modes[bool]{now != 0, usual != 0}, r}
	})
	add(rSupportedClocks, readSupportedClocks)
	add(rPowerSamples, func(s *source, g *GPU) {
		g.PowerSamples = s.samples(g, nvml.TOTAL_POWER_SAMPLES, 1000)
	})
	add(rUtilizationSamples, func(s *source, g *GPU) {
		g.GPUSamples, g.MemorySamples = s.samples(g, nvml.GPU_UTILIZATION_SAMPLES, 1), s.samples(g, nvml.MEMORY_UTILIZATION_SAMPLES, 1)
		g.EncoderSamples, g.DecoderSamples = s.samples(g, nvml.ENC_UTILIZATION_SAMPLES, 1), s.samples(g, nvml.DEC_UTILIZATION_SAMPLES, 1)
		g.JPEGSamples, g.OFASamples = s.samples(g, nvml.JPG_UTILIZATION_SAMPLES, 1), s.samples(g, nvml.OFA_UTILIZATION_SAMPLES, 1)
	})
	add(rClockSamples, func(s *source, g *GPU) {
		g.SMClockSamples, g.MemoryClockSamples = s.samples(g, nvml.PROCESSOR_CLK_SAMPLES, 1), s.samples(g, nvml.MEMORY_CLK_SAMPLES, 1)
	})
}

// first is the first of a utilization and its sampling period.
func first(n, _ uint32, r Return) Val[uint32] { return Val[uint32]{n, r} }

// samples sums up what the driver noted, in units of unit. The average is a whole number of what the driver counts in.
func (s *source) samples(g *GPU, kind nvml.SamplingType, unit float64) Val[Samples] {
	t, list, r := s.DeviceGetSamples(g.handle, kind, 0)
	if r != Success {
		return none[Samples](r)
	}
	if len(list) == 0 {
		return none[Samples](nvml.ERROR_NOT_FOUND)
	}
	sum := Samples{Count: len(list)}
	from, to, total := list[0].TimeStamp, list[0].TimeStamp, 0.0
	for i, one := range list {
		v, _ := one.SampleValue.Of(t)
		total += v
		v /= unit
		from, to = min(from, one.TimeStamp), max(to, one.TimeStamp)
		if i == 0 || v > sum.Max {
			sum.Max = v
		}
		if i == 0 || v < sum.Min {
			sum.Min = v
		}
	}
	sum.Avg = math.Floor(total/float64(len(list))) / unit
	sum.Duration = time.Duration(to-from) * time.Microsecond
	return of(sum)
}

func readSupportedClocks(s *source, g *GPU) {
	memory, r := s.DeviceGetSupportedMemoryClocks(g.handle)
	if r != Success {
		g.SupportedClocks = none[[]Supported](r)
		return
	}
	all := make([]Supported, 0, len(memory))
	for _, m := range memory {
		clocks, _ := s.DeviceGetSupportedGraphicsClocks(g.handle, m)
		all = append(all, Supported{m, clocks})
	}
	g.SupportedClocks = of(all)
}
