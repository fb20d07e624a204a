// SPDX-License-Identifier: Apache-2.0

package smi

import "fmt"

var stateFields = append([]field{
	prop("clocks_event_reasons.supported|clocks_throttle_reasons.supported", "", rReasonsSupported, func(_ *Machine, g *GPU) out {
		return outOf(g.ReasonsSupported, mask16)
	}),
	prop("clocks_event_reasons.active|clocks_throttle_reasons.active", "", rReasons, func(_ *Machine, g *GPU) out { return outOf(g.Reasons, mask16) }),
	reasonField("gpu_idle", reasonIdle),
	reasonField("applications_clocks_setting", reasonSetClocks),
	reasonField("sw_power_cap", reasonPowerCap),
	reasonField("hw_slowdown", reasonSlowdown),
	reasonField("hw_thermal_slowdown", reasonHWThermal),
	reasonField("hw_power_brake_slowdown", reasonPowerBrake),
	reasonField("sw_thermal_slowdown", reasonThermal),
	reasonField("sync_boost", reasonSyncBoost),
	reasonTimeField("sw_power_cap", 0),
	reasonTimeField("sync_boost", 1),
	reasonTimeField("sw_thermal_slowdown", 2),
	reasonTimeField("hw_thermal_slowdown", 3),
	reasonTimeField("hw_power_brake_slowdown", 4),
	prop("memory.total", "MiB", rMemory, func(_ *Machine, g *GPU) out { return outMiB(g.Memory, func(m Mem) uint64 { return m.Total }) }),
	prop("memory.reserved", "MiB", rMemory, func(_ *Machine, g *GPU) out { return outMiB(g.Memory, func(m Mem) uint64 { return m.Reserved }) }),
	prop("memory.used", "MiB", rMemory, func(_ *Machine, g *GPU) out { return outMiB(g.Memory, func(m Mem) uint64 { return m.Used }) }),
	prop("memory.free", "MiB", rMemory, func(_ *Machine, g *GPU) out { return outMiB(g.Memory, func(m Mem) uint64 { return m.Free }) }),
	prop("compute_mode", "", rComputeMode, func(_ *Machine, g *GPU) out { return outOf(g.ComputeMode, computeModeName) }),
	prop("compute_cap", "", rCapability, func(_ *Machine, g *GPU) out {
		return outOf(g.Capability, func(c [2]int32) string { return fmt.Sprintf("%d.%d", c[0], c[1]) })
	}),
	prop("utilization.gpu", "%", rUtilization, func(_ *Machine, g *GPU) out { return outNum(g.UtilGPU) }),
	prop("utilization.memory", "%", rUtilization, func(_ *Machine, g *GPU) out { return outNum(g.UtilMemory) }),
	prop("utilization.encoder", "%", rUtilEncoder, func(_ *Machine, g *GPU) out { return outNum(g.UtilEncoder) }),
	prop("utilization.decoder", "%", rUtilDecoder, func(_ *Machine, g *GPU) out { return outNum(g.UtilDecoder) }),
	prop("utilization.jpeg", "%", rUtilJPEG, func(_ *Machine, g *GPU) out { return outNum(g.UtilJPEG) }),
	prop("utilization.ofa", "%", rUtilOFA, func(_ *Machine, g *GPU) out { return outNum(g.UtilOFA) }),
	prop("encoder.stats.sessionCount", "", rEncoder, statsOut(func(s Stats) uint32 { return s.Sessions })),
	prop("encoder.stats.averageFps", "", rEncoder, statsOut(func(s Stats) uint32 { return s.FPS })),
	prop("encoder.stats.averageLatency", "", rEncoder, statsOut(func(s Stats) uint32 { return s.Latency })),
}, modeFields("dramEncryption.mode", rDRAMEncryption, func(g *GPU) Val[Modes[bool]] { return g.DRAMEncryption })...)

func mask16(m uint64) string { return fmt.Sprintf("0x%016X", m) }

func statsOut(f func(Stats) uint32) func(*Machine, *GPU) out {
	return func(_ *Machine, g *GPU) out { return outNum(pick(g.Encoder, f)) }
}

func reasonField(name string, bit uint64) field {
	return prop("clocks_event_reasons."+name+"|clocks_throttle_reasons."+name, "", rReasons, func(_ *Machine, g *GPU) out {
		v := active(g.Reasons, bit)
		return out{s: onOff(v, "Active", "Not Active"), r: v.R}
	})
}

func reasonTimeField(name string, n int) field {
	return prop("clocks_event_reasons_counters."+name, "us", rReasonTimes, func(_ *Machine, g *GPU) out { return outNum(g.ReasonTimes[n]) })
}

// modeFields are NAME.current and NAME.pending.
func modeFields(name string, r reading, get func(*GPU) Val[Modes[bool]]) []field {
	return []field{
		prop(name+".current", "", r, func(_ *Machine, g *GPU) out {
			return outEnabled(pick(get(g), func(m Modes[bool]) bool { return m.Current }))
		}),
		prop(name+".pending", "", r, func(_ *Machine, g *GPU) out {
			return outEnabled(pick(get(g), func(m Modes[bool]) bool { return m.Pending }))
		}),
	}
}
