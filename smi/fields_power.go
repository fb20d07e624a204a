// SPDX-License-Identifier: Apache-2.0

package smi

import "fmt"

var powerFields = append([]field{
	prop("temperature.gpu", "", rTemperature, func(_ *Machine, g *GPU) out { return outNum(g.Temperature) }),
	prop("temperature.gpu.tlimit", "", rMargin, func(_ *Machine, g *GPU) out { return outNum(g.Margin) }),
	prop("temperature.memory", "", rMemoryTemperature, func(_ *Machine, g *GPU) out { return outNum(g.MemoryTemperature).plain() }),
	prop("power.management", "", rPowerManagement, func(_ *Machine, g *GPU) out { return outEnabled(g.PowerManagement) }),
	prop("power.draw", "W", rPower, func(_ *Machine, g *GPU) out { return outWatts(g.Power) }),
	prop("power.draw.average|gpu.power.draw.average", "W", rPowerFields, func(_ *Machine, g *GPU) out { return outWatts(g.PowerAverage) }),
	prop("power.draw.instant|gpu.power.draw.instant", "W", rPowerFields, func(_ *Machine, g *GPU) out { return outWatts(g.PowerInstant) }),
	prop("power.limit|gpu.power.requested_limit", "W", rPowerLimit, func(_ *Machine, g *GPU) out { return outWatts(g.PowerLimit) }),
	prop("enforced.power.limit|gpu.power.current_limit", "W", rPowerEnforced, func(_ *Machine, g *GPU) out { return outWatts(g.PowerEnforced) }),
	prop("power.default_limit|gpu.power.default_limit", "W", rPowerDefault, func(_ *Machine, g *GPU) out { return outWatts(g.PowerDefault) }),
	prop("power.min_limit|gpu.power.min_limit", "W", rPowerRange, func(_ *Machine, g *GPU) out { return outWatts(g.PowerMin) }),
	prop("power.max_limit|gpu.power.max_limit", "W", rPowerRange, func(_ *Machine, g *GPU) out { return outWatts(g.PowerMax) }),
	prop("module.power.draw.average", "W", rModulePower, func(_ *Machine, g *GPU) out { return outWatts(g.ModulePowerAverage) }),
	prop("module.power.draw.instant", "W", rModulePower, func(_ *Machine, g *GPU) out { return outWatts(g.ModulePowerInstant) }),
	prop("module.power.limit|module.power.requested_limit", "W", rModulePower, func(_ *Machine, g *GPU) out { return outWatts(g.ModulePowerLimit) }),
	prop("module.enforced.power.limit|module.power.current_limit", "W", rModulePower, func(_ *Machine, g *GPU) out { return outWatts(g.ModulePowerEnforced) }),
	prop("module.power.default_limit", "W", rModulePower, func(_ *Machine, g *GPU) out { return outWatts(g.ModulePowerDefault) }),
	prop("module.power.min_limit", "W", rModulePower, func(_ *Machine, g *GPU) out { return outWatts(g.ModulePowerMin) }),
	prop("module.power.max_limit", "W", rModulePower, func(_ *Machine, g *GPU) out { return outWatts(g.ModulePowerMax) }),
}, smoothingFields...)

// Power smoothing is read by no call of a GPU that has none; how its values are
// printed was seen nowhere, so they are not read.
var smoothingFields = []field{
	prop("power_smoothing.delayed_power_smoothing_supported", "", rNothing, missing),
	prop("power_smoothing.primary_power_floor", "W", rNothing, missing),
	prop("power_smoothing.secondary_power_floor", "W", rNothing, missing),
	prop("power_smoothing.min_primary_floor_activation_offset", "W", rNothing, missing),
	prop("power_smoothing.min_primary_floor_activation_point", "W", rNothing, missing),
	prop("power_smoothing.window_multiplier", "ms", rNothing, missing),
	prop("power_smoothing.curr_profile.secondary_power_floor", "W", rNothing, missing),
	prop("power_smoothing.curr_profile.primary_floor_act_window_multiplier", "", rNothing, missing),
	prop("power_smoothing.curr_profile.primary_floor_tar_window_multiplier", "", rNothing, missing),
	prop("power_smoothing.curr_profile.primary_floor_act_offset", "W", rNothing, missing),
	prop("power_smoothing.admin_override.secondary_power_floor", "W", rNothing, missing),
	prop("power_smoothing.admin_override.primary_floor_act_window_multiplier", "", rNothing, missing),
	prop("power_smoothing.admin_override.primary_floor_tar_window_multiplier", "", rNothing, missing),
	prop("power_smoothing.admin_override.primary_floor_act_offset", "W", rNothing, missing),
}

var clockFields = append(append([]field{
	clockField("clocks.current.graphics|clocks.gr", rClocks, graphicsClock, func(g *GPU) *[4]Val[uint32] { return &g.Clocks }),
	clockField("clocks.current.sm|clocks.sm", rClocks, smClock, func(g *GPU) *[4]Val[uint32] { return &g.Clocks }),
	clockField("clocks.current.memory|clocks.mem", rClocks, memoryClock, func(g *GPU) *[4]Val[uint32] { return &g.Clocks }),
	clockField("clocks.current.video|clocks.video", rClocks, videoClock, func(g *GPU) *[4]Val[uint32] { return &g.Clocks }),
	clockField("clocks.applications.graphics|clocks.applications.gr", rAppClocks, graphicsClock, func(g *GPU) *[4]Val[uint32] { return &g.AppClocks }),
	clockField("clocks.applications.memory|clocks.applications.mem", rAppClocks, memoryClock, func(g *GPU) *[4]Val[uint32] { return &g.AppClocks }),
	clockField("clocks.default_applications.graphics|clocks.default_applications.gr", rDefaultClocks, graphicsClock, func(g *GPU) *[4]Val[uint32] { return &g.DefaultClocks }),
	clockField("clocks.default_applications.memory|clocks.default_applications.mem", rDefaultClocks, memoryClock, func(g *GPU) *[4]Val[uint32] { return &g.DefaultClocks }),
	clockField("clocks.max.graphics|clocks.max.gr", rMaxClocks, graphicsClock, func(g *GPU) *[4]Val[uint32] { return &g.MaxClocks }),
	clockField("clocks.max.sm", rMaxClocks, smClock, func(g *GPU) *[4]Val[uint32] { return &g.MaxClocks }),
	clockField("clocks.max.memory|clocks.max.mem", rMaxClocks, memoryClock, func(g *GPU) *[4]Val[uint32] { return &g.MaxClocks }),
}, modeFields("mig.mode", rMIG, func(g *GPU) Val[Modes[bool]] { return g.MIG })...),
	prop("gsp.mode.current", "", rGSP, func(_ *Machine, g *GPU) out {
		return outEnabled(pick(g.GSP, func(m Modes[bool]) bool { return m.Current }))
	}),
	prop("gsp.mode.default", "", rGSP, func(_ *Machine, g *GPU) out {
		return outEnabled(pick(g.GSP, func(m Modes[bool]) bool { return m.Pending }))
	}),
	prop("c2c.mode", "", rC2C, func(_ *Machine, g *GPU) out { return outEnabled(g.C2C) }),
	prop("protected_memory.total", "MiB", rProtected, func(_ *Machine, g *GPU) out { return outMiB(g.Protected, func(m Mem) uint64 { return m.Total }) }),
	prop("protected_memory.used", "MiB", rProtected, func(_ *Machine, g *GPU) out { return outMiB(g.Protected, func(m Mem) uint64 { return m.Used }) }),
	prop("protected_memory.free", "MiB", rProtected, func(_ *Machine, g *GPU) out { return outMiB(g.Protected, func(m Mem) uint64 { return m.Free }) }),
)

func clockField(names string, r reading, domain int, get func(*GPU) *[4]Val[uint32]) field {
	return prop(names, "MHz", r, func(_ *Machine, g *GPU) out { return outNum(get(g)[domain]) })
}

var fabricFields = []field{
	prop("fabric.state", "", rFabric, fabricOut(func(f fabricWords) string { return f.state })),
	prop("fabric.status", "", rFabric, fabricOut(func(f fabricWords) string { return f.status })),
	prop("fabric.cliqueId", "", rFabric, fabricOut(func(f fabricWords) string { return f.clique })),
	prop("fabric.clusterUuid", "", rFabric, fabricOut(func(f fabricWords) string { return f.cluster })),
	prop("fabric.health.summary", "", rFabric, fabricOut(func(f fabricWords) string { return f.summary })),
	prop("fabric.health.bandwidth", "", rFabric, fabricOut(func(f fabricWords) string { return f.bandwidth })),
	prop("fabric.health.route_recovery_in_progress", "", rFabric, fabricOut(func(f fabricWords) string { return f.recovery })),
	prop("fabric.health.route_unhealthy", "", rFabric, fabricOut(func(f fabricWords) string { return f.unhealthy })),
	prop("fabric.health.access_timeout_recovery", "", rFabric, fabricOut(func(f fabricWords) string { return f.timeout })),
	prop("fabric.health.incorrect_configuration", "", rFabric, fabricOut(func(f fabricWords) string { return f.configuration })),
	prop("fabric.health.partition_assigned", "", rFabric, fabricOut(func(f fabricWords) string { return f.partition })),
	prop("platform.chassis_serial_number", "", rPlatform, platformOut(func(p Platform) string { return p.Chassis })),
	prop("platform.slot_number", "", rPlatform, platformOut(func(p Platform) string { return fmt.Sprint(p.Slot) })),
	prop("platform.tray_index", "", rPlatform, platformOut(func(p Platform) string { return fmt.Sprint(p.Tray) })),
	prop("platform.host_id", "", rPlatform, platformOut(func(p Platform) string { return fmt.Sprint(p.Host) })),
	prop("platform.peer_type", "", rPlatform, platformOut(func(p Platform) string { return peerName(p.Peer) })),
	prop("platform.module_id", "", rPlatform, platformOut(func(p Platform) string { return fmt.Sprint(p.Module) })),
	prop("platform.gpu_fabric_guid", "", rPlatform, platformOut(func(p Platform) string { return p.FabricGUID })),
	prop("hostname", "", rHostname, func(_ *Machine, g *GPU) out { return outStr(g.Hostname) }),
}

func fabricOut(f func(fabricWords) string) func(*Machine, *GPU) out {
	return func(_ *Machine, g *GPU) out { return out{s: f(wordsOf(g.Fabric))} }
}

func platformOut(f func(Platform) string) func(*Machine, *GPU) out {
	return func(_ *Machine, g *GPU) out { return outOf(g.Platform, f) }
}
