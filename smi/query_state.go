// SPDX-License-Identifier: Apache-2.0

package smi

import "fmt"

func (t *tree) performance(g *GPU) {
	t.leaf("Performance State", "performance_state", text(g.PState, pstateName))
	t.group("Clocks Event Reasons", "clocks_event_reasons", func() {
		for _, r := range reasons {
			t.leaf(r.label, "clocks_event_reason_"+r.tag, onOff(active(g.Reasons, r.bit), "Active", "Not Active"))
		}
	})
	if t.r.since(575, 0) {
		t.group("Clocks Event Reasons Counters", "clocks_event_reasons_counters", func() {
			for i, r := range [5][2]string{{"SW Power Capping", "sw_power_cap"}, {"Sync Boost", "sync_boost"}, {"SW Thermal Slowdown", "sw_therm_slowdown"},
				{"HW Thermal Slowdown", "hw_therm_slowdown"}, {"HW Power Braking", "hw_power_brake"}} {
				t.leaf(r[0], "clocks_event_reasons_counters_"+r[1], number(g.ReasonTimes[i], " us"))
			}
		})
	}
	// Told by no function of NVML's; seen as Disabled on H100 and H200 and as N/A on Turing, Ampere, Ada and Blackwell.
	sparse := "N/A"
	if g.Architecture.OK() && g.Architecture.V == hopper {
		sparse = "Disabled"
	}
	if t.r.since(550, 0) {
		t.leaf("Sparse Operation Mode", "sparse_operation_mode", sparse)
	}
}

func (t *tree) utilization(g *GPU, d display) {
	t.group("Utilization", "utilization", func() {
		label := "GPU"
		if !t.r.since(570, 0) {
			label = "Gpu"
		}
		t.leaf(label, "gpu_util", number(g.UtilGPU, " %"))
		t.leaf("Memory", "memory_util", number(g.UtilMemory, " %"))
		t.leaf("Encoder", "encoder_util", number(g.UtilEncoder, " %"))
		t.leaf("Decoder", "decoder_util", number(g.UtilDecoder, " %"))
		t.leaf("JPEG", "jpeg_util", number(g.UtilJPEG, " %"))
		t.leaf("OFA", "ofa_util", number(g.UtilOFA, " %"))
	})
	if d.sampled(secUtilization) {
		t.samples("GPU Utilization Samples", g.GPUSamples, "%.0f %%")
		t.samples("Memory Utilization Samples", g.MemorySamples, "%.0f %%")
		t.samples("ENC Utilization Samples", g.EncoderSamples, "%.0f %%")
		t.samples("DEC Utilization Samples", g.DecoderSamples, "%.0f %%")
		if t.r.since(580, 159) {
			t.samples("JPG Utilization Samples", g.JPEGSamples, "%.0f %%")
			t.samples("OFA Utilization Samples", g.OFASamples, "%.0f %%")
		}
	}
}

func (t *tree) samples(label string, v Val[Samples], format string) {
	t.group(label, "", func() {
		one := func(f func(Samples) float64) string {
			return text(v, func(s Samples) string { return fmt.Sprintf(format, f(s)) })
		}
		t.leaf("Duration", "", text(v, func(s Samples) string { return fmt.Sprintf("%.2f sec", s.Duration.Seconds()) }))
		t.leaf("Number of Samples", "", text(v, func(s Samples) string { return fmt.Sprint(s.Count) }))
		t.leaf("Max", "", one(func(s Samples) float64 { return s.Max }))
		t.leaf("Min", "", one(func(s Samples) float64 { return s.Min }))
		t.leaf("Avg", "", one(func(s Samples) float64 { return s.Avg }))
	})
}

func (t *tree) temperature(g *GPU) {
	degrees := func(v Val[uint32]) string { return number(v, " C") }
	t.group("Temperature", "temperature", func() {
		t.leaf("GPU Current Temp", "gpu_temp", number(g.Temperature, " C"))
		t.leaf("GPU T.Limit Temp", "gpu_temp_tlimit", number(g.Margin, " C"))
		if g.Margin.OK() {
			t.leaf("GPU Shutdown T.Limit Temp", "gpu_temp_max_tlimit_threshold", number(g.ShutdownT, " C"))
			t.leaf("GPU Slowdown T.Limit Temp", "gpu_temp_slow_tlimit_threshold", number(g.SlowdownT, " C"))
			t.leaf("GPU Max Operating T.Limit Temp", "gpu_temp_max_gpu_tlimit_threshold", number(g.GPUMaxT, " C"))
		} else {
			t.leaf("GPU Shutdown Temp", "gpu_temp_max_threshold", degrees(g.Shutdown))
			t.leaf("GPU Slowdown Temp", "gpu_temp_slow_threshold", degrees(g.Slowdown))
			t.leaf("GPU Max Operating Temp", "gpu_temp_max_gpu_threshold", degrees(g.GPUMax))
		}
		t.leaf("GPU Target Temperature", "gpu_target_temperature", degrees(g.Target))
		t.leaf("Memory Current Temp", "memory_temp", degrees(g.MemoryTemperature))
		if g.Margin.OK() {
			t.leaf("Memory Max Operating T.Limit Temp", "gpu_temp_max_mem_tlimit_threshold", number(g.MemMaxT, " C"))
		} else {
			t.leaf("Memory Max Operating Temp", "gpu_temp_max_mem_threshold", degrees(g.MemMax))
		}
	})
}

func (t *tree) target(g *GPU) {
	t.group("Supported GPU_TARGET_TEMP", "supported_gpu_target_temp", func() {
		t.leaf("Min", "gpu_target_temp_min", number(g.TargetMin, " C"))
		t.leaf("Max", "gpu_target_temp_max", number(g.TargetMax, " C"))
	})
}

func (t *tree) power(g *GPU, d display) {
	t.group("GPU Power Readings", "gpu_power_readings", func() {
		t.powerState(g)
		t.draw(g.PowerAverage, g.PowerInstant, g.Power)
		t.watts("Current Power Limit", "current_power_limit", g.PowerEnforced)
		t.watts("Requested Power Limit", "requested_power_limit", g.PowerLimit)
		t.watts("Default Power Limit", "default_power_limit", g.PowerDefault)
		t.watts("Min Power Limit", "min_power_limit", g.PowerMin)
		t.watts("Max Power Limit", "max_power_limit", g.PowerMax)
	})
	if d.sampled(secPower) {
		t.samples("Power Samples", g.PowerSamples, "%.2f W")
	}
	if t.r.since(545, 0) {
		t.group("GPU Memory Power Readings ", "gpu_memory_power_readings", func() {
			t.draw(g.MemoryPowerAverage, g.MemoryPowerInstant, g.MemoryPowerAverage)
		})
	}
	t.group("Module Power Readings", "module_power_readings", func() {
		t.powerState(g)
		t.draw(g.ModulePowerAverage, g.ModulePowerInstant, g.ModulePowerAverage)
		t.watts("Current Power Limit", "current_power_limit", g.ModulePowerEnforced)
		t.watts("Requested Power Limit", "requested_power_limit", g.ModulePowerLimit)
		t.watts("Default Power Limit", "default_power_limit", g.ModulePowerDefault)
		t.watts("Min Power Limit", "min_power_limit", g.ModulePowerMin)
		t.watts("Max Power Limit", "max_power_limit", g.ModulePowerMax)
	})
}

func (t *tree) clocks(g *GPU, d display) {
	clock := func(label, tag string, v Val[uint32]) { t.leaf(label, tag, number(v, " MHz")) }
	t.group("Clocks", "clocks", func() {
		clock("Graphics", "graphics_clock", g.Clocks[graphicsClock])
		clock("SM", "sm_clock", g.Clocks[smClock])
		clock("Memory", "mem_clock", g.Clocks[memoryClock])
		clock("Video", "video_clock", g.Clocks[videoClock])
	})
	t.group("Applications Clocks", "applications_clocks", func() {
		clock("Graphics", "graphics_clock", g.AppClocks[graphicsClock])
		clock("Memory", "mem_clock", g.AppClocks[memoryClock])
	})
	t.group("Default Applications Clocks", "default_applications_clocks", func() {
		clock("Graphics", "graphics_clock", g.DefaultClocks[graphicsClock])
		clock("Memory", "mem_clock", g.DefaultClocks[memoryClock])
	})
	t.group("Deferred Clocks", "deferred_clocks", func() { t.leaf("Memory", "mem_clock", "N/A") })
	t.group("Max Clocks", "max_clocks", func() {
		clock("Graphics", "graphics_clock", g.MaxClocks[graphicsClock])
		clock("SM", "sm_clock", g.MaxClocks[smClock])
		clock("Memory", "mem_clock", g.MaxClocks[memoryClock])
		clock("Video", "video_clock", g.MaxClocks[videoClock])
	})
	t.group("Max Customer Boost Clocks", "max_customer_boost_clocks", func() { clock("Graphics", "graphics_clock", g.BoostClock) })
	if d.sampled(secClock) {
		t.samples("SM Clock Samples", g.SMClockSamples, "%.0f MHz")
		t.samples("Memory Clock Samples", g.MemoryClockSamples, "%.0f MHz")
	}
	t.group("Clock Policy", "clock_policy", func() {
		policy := func(f func(Modes[bool]) bool) string { return onOff(pick(g.AutoBoost, f), "On", "Off") }
		t.leaf("Auto Boost", "auto_boost", policy(func(m Modes[bool]) bool { return m.Current }))
		t.leaf("Auto Boost Default", "auto_boost_default", policy(func(m Modes[bool]) bool { return m.Pending }))
	})
}

func (t *tree) fabric(g *GPU) {
	f := wordsOf(g.Fabric)
	t.group("Fabric", "fabric", func() {
		t.leaf("State", "state", f.state)
		t.leaf("Status", "status", f.status)
		if !t.r.since(550, 0) {
			return
		}
		t.leaf("CliqueId", "cliqueId", f.clique)
		t.leaf("ClusterUUID", "clusterUuid", f.cluster)
		t.group("Health", "health", func() { t.fabricHealth(f) })
	})
}
