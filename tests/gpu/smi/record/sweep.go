// SPDX-License-Identifier: Apache-2.0

package main

import (
	"reflect"
	"strings"
	"time"

	"nervlinux.org/axon/nvml"
)

// things are the handles that calls are made with.
type things struct {
	devices          []nvml.Device
	units            []nvml.Unit
	gpuInstances     []nvml.GpuInstance
	computeInstances []nvml.ComputeInstance
}

const (
	links    = 18  // NVML_NVLINK_MAX_LINKS
	fieldMax = 300 // a few more than there are
	fans     = 2
)

// sweep makes every call that changes nothing.
func sweep(c *nvml.Client) {
	t := find(c)
	v := reflect.ValueOf(c)
	for i := range v.NumMethod() {
		name := v.Type().Method(i).Name
		call := nvml.Find("nvml" + name)
		if call == 0 {
			call = nvml.Find("ax" + name)
		}
		info, ok := nvml.Call(call)
		if !ok || info.Root || byItself[name] {
			continue
		}
		m := v.Method(i)
		var domains [][]reflect.Value
		for j := range m.Type().NumIn() {
			domains = append(domains, t.domain(name, j, m.Type().In(j)))
		}
		each(domains, nil, func(args []reflect.Value) { m.Call(args) })
	}
	fields(c, t)
	clocks(c, t)
	structs(c, t)
	gpm(c, t)
}

// byItself are calls that a function below makes, with arguments that hang
// together, and those that wait.
var byItself = map[string]bool{
	"DeviceGetFieldValues": true, "DeviceGetSupportedGraphicsClocks": true, "DeviceGetHandleByUUIDV": true,
	"EventSetCreate": true, "EventSetFree": true, "EventSetWait": true, "EventSetWait_v2": true, "DeviceRegisterEvents": true,
	"GpmMetricsGet": true, "GpmSampleAlloc": true, "GpmSampleFree": true, "GpmSampleGet": true, "GpmMigSampleGet": true,
	"DeviceGetTemperatureV": true, "DeviceGetClockOffsets": true, "DeviceGetFanSpeedRPM": true, "DeviceGetCoolerInfo": true,
	"DeviceGetHandleByUUID": true, "DeviceGetHandleBySerial": true, "DeviceGetHandleByPciBusId": true, "DeviceGetHandleByPciBusId_v2": true,
	"DeviceGetAccountingStats": true, "DeviceGetMinMaxClockOfPState": true,
	"DeviceGetRunningProcessDetailList": true, "DeviceGetProcessesUtilizationInfo": true, "DeviceGetSramUniqueUncorrectedEccErrorCounts": true,
	"DeviceReadPRMCounters_v1": true,
}

// find finds every handle there is, by every name.
func find(c *nvml.Client) (t things) {
	n, _ := c.DeviceGetCount_v2()
	c.DeviceGetHandleByIndex_v2(n) // what an index too many gets
	for i := range n {
		d, ret := c.DeviceGetHandleByIndex_v2(i)
		if ret != nvml.SUCCESS {
			continue
		}
		t.devices = append(t.devices, d)
		uuid, _ := c.DeviceGetUUID(d)
		serial, _ := c.DeviceGetSerial(d)
		pci, _ := c.DeviceGetPciInfo_v3(d)
		for _, u := range []string{uuid, strings.TrimPrefix(uuid, "GPU-")} {
			c.DeviceGetHandleByUUID(u)
		}
		c.DeviceGetHandleBySerial(serial)
		for _, bus := range []string{pci.BusId, pci.BusIdLegacy, strings.ToLower(pci.BusId), strings.TrimPrefix(pci.BusId, "00000000:")} {
			c.DeviceGetHandleByPciBusId_v2(bus)
			c.DeviceGetHandleByPciBusId(bus)
		}
		most, _ := c.DeviceGetMaxMigDeviceCount(d)
		for j := range min(most, 64) {
			if m, ret := c.DeviceGetMigDeviceHandleByIndex(d, j); ret == nvml.SUCCESS {
				t.devices = append(t.devices, m)
			}
		}
		for profile := range uint32(nvml.GPU_INSTANCE_PROFILE_COUNT) {
			info, ret := c.DeviceGetGpuInstanceProfileInfo(d, profile)
			if ret != nvml.SUCCESS {
				continue
			}
			list, count, _ := c.DeviceGetGpuInstances(d, info.Id)
			for _, gi := range list[:min(int(count), len(list))] {
				t.gpuInstances = append(t.gpuInstances, gi)
				for p := range uint32(nvml.COMPUTE_INSTANCE_PROFILE_COUNT) {
					info, ret := c.GpuInstanceGetComputeInstanceProfileInfo(gi, p, 0)
					if ret != nvml.SUCCESS {
						continue
					}
					list, count, _ := c.GpuInstanceGetComputeInstances(gi, info.Id)
					t.computeInstances = append(t.computeInstances, list[:min(int(count), len(list))]...)
				}
			}
			c.DeviceGetGpuInstancePossiblePlacements_v2(d, info.Id)
			c.DeviceGetGpuInstanceRemainingCapacity(d, info.Id)
		}
	}
	units, _ := c.UnitGetCount()
	for i := range units {
		if u, ret := c.UnitGetHandleByIndex(i); ret == nvml.SUCCESS {
			t.units = append(t.units, u)
		}
	}
	return t
}

// each makes a call for every combination of arguments.
func each(domains [][]reflect.Value, args []reflect.Value, call func([]reflect.Value)) {
	if len(domains) == 0 {
		// What is written into is another each time.
		fresh := make([]reflect.Value, len(args))
		for i, a := range args {
			fresh[i] = a
			if a.Kind() == reflect.Pointer {
				fresh[i] = reflect.New(a.Type().Elem())
			}
		}
		call(fresh)
		return
	}
	for _, v := range domains[0] {
		each(domains[1:], append(args[:len(args):len(args)], v), call)
	}
}

// enums are the values that are asked with, where they are not 0 up to a number.
var enums = map[reflect.Type][]uint32{
	reflect.TypeFor[nvml.GpuTopologyLevel](): {0, 10, 20, 30, 40, 50},
	reflect.TypeFor[nvml.PerfPolicyType]():   {0, 1, 2, 3, 4, 5, 10, 11},
}

// upTo says for the others how many values there are.
var upTo = map[reflect.Type]uint32{
	reflect.TypeFor[nvml.ClockType](): 4, reflect.TypeFor[nvml.ClockId](): 4, reflect.TypeFor[nvml.TemperatureSensors](): 2,
	reflect.TypeFor[nvml.TemperatureThresholds](): 9, reflect.TypeFor[nvml.MemoryErrorType](): 2, reflect.TypeFor[nvml.EccCounterType](): 2,
	reflect.TypeFor[nvml.MemoryLocation](): 8, reflect.TypeFor[nvml.InforomObject](): 4, reflect.TypeFor[nvml.PageRetirementCause](): 2,
	reflect.TypeFor[nvml.RestrictedAPI](): 2, reflect.TypeFor[nvml.SamplingType](): 10, reflect.TypeFor[nvml.PcieUtilCounter](): 2,
	reflect.TypeFor[nvml.GpuP2PCapsIndex](): 6, reflect.TypeFor[nvml.EncoderType](): 3, reflect.TypeFor[nvml.NvLinkCapability](): 6,
	reflect.TypeFor[nvml.NvLinkErrorCounter](): 5, reflect.TypeFor[nvml.DeviceVgpuCapability](): 12, reflect.TypeFor[nvml.VgpuDriverCapability](): 2,
	reflect.TypeFor[nvml.VgpuCapability](): 5,
}

// versions are the structs that a Versioned argument may be.
var versions = map[string][]nvml.Versioned{
	"DeviceGetGpuFabricInfoV":                   {new(nvml.GpuFabricInfo_v3), new(nvml.GpuFabricInfo_v2)},
	"DeviceGetNvLinkInfo":                       {new(nvml.NvLinkInfo_v2), new(nvml.NvLinkInfo_v1)},
	"DeviceGetPlatformInfo":                     {new(nvml.PlatformInfo_v2), new(nvml.PlatformInfo_v1)},
	"DeviceGetGpuInstanceProfileInfoV":          {new(nvml.GpuInstanceProfileInfo_v3), new(nvml.GpuInstanceProfileInfo_v2)},
	"DeviceGetGpuInstanceProfileInfoByIdV":      {new(nvml.GpuInstanceProfileInfo_v3), new(nvml.GpuInstanceProfileInfo_v2)},
	"GpuInstanceGetComputeInstanceProfileInfoV": {new(nvml.ComputeInstanceProfileInfo_v3), new(nvml.ComputeInstanceProfileInfo_v2)},
}

// domain is what an argument is tried with.
func (t *things) domain(name string, arg int, of reflect.Type) (out []reflect.Value) {
	add := func(v any) { out = append(out, reflect.ValueOf(v).Convert(of)) }
	span := func(n uint32) {
		for i := range n {
			add(i)
		}
	}
	switch of {
	case reflect.TypeFor[nvml.Device]():
		for _, d := range t.devices {
			add(d)
		}
		return out
	case reflect.TypeFor[nvml.Unit]():
		for _, u := range t.units {
			add(u)
		}
		return out
	case reflect.TypeFor[nvml.GpuInstance]():
		for _, g := range t.gpuInstances {
			add(g)
		}
		return out
	case reflect.TypeFor[nvml.ComputeInstance]():
		for _, g := range t.computeInstances {
			add(g)
		}
		return out
	case reflect.TypeFor[nvml.EventSet](), reflect.TypeFor[nvml.GpmSample]():
		return nil
	case reflect.TypeFor[nvml.Pstates]():
		span(16)
		return out
	}
	if list, ok := enums[of]; ok {
		for _, v := range list {
			add(v)
		}
		return out
	}
	if n, ok := upTo[of]; ok {
		span(n)
		return out
	}
	switch of.Kind() {
	case reflect.Pointer:
		return []reflect.Value{reflect.New(of.Elem())}
	case reflect.Interface:
		list, ok := versions[name]
		if !ok {
			panic("record: say in versions which structs " + name + " takes")
		}
		for _, v := range list {
			out = append(out, reflect.ValueOf(v))
		}
		return out
	case reflect.Slice:
		return []reflect.Value{reflect.MakeSlice(of, 0, 0)}
	case reflect.String:
		add("")
		return out
	case reflect.Uint32:
		switch {
		case strings.Contains(name, "NvLink") && arg == 1:
			span(links)
		case strings.Contains(name, "Fan"):
			span(fans)
		case strings.Contains(name, "ThermalSettings"):
			add(uint32(15)) // all
			span(3)
		case strings.Contains(name, "ProfileInfo") && arg == 1:
			span(nvml.GPU_INSTANCE_PROFILE_COUNT)
		case strings.Contains(name, "TopologyGpuSet"):
			span(64)
		default:
			span(2)
		}
		return out
	}
	return []reflect.Value{reflect.Zero(of)}
}

// fields asks for every field by itself, those of links for every link.
func fields(c *nvml.Client, t things) {
	for _, d := range t.devices {
		for id := range uint32(fieldMax) {
			f := []nvml.FieldValue{{FieldId: id}}
			c.DeviceGetFieldValues(d, f)
			for scope := uint32(1); scope < links && ofLinks(id); scope++ {
				c.DeviceGetFieldValues(d, []nvml.FieldValue{{FieldId: id, ScopeId: scope}})
			}
			for scope := uint32(1); scope < 3 && id >= nvml.FI_DEV_POWER_AVERAGE && id <= nvml.FI_DEV_POWER_REQUESTED_LIMIT; scope++ {
				c.DeviceGetFieldValues(d, []nvml.FieldValue{{FieldId: id, ScopeId: scope}})
			}
		}
		for scope := range uint32(links) {
			c.DeviceGetFieldValues(d, []nvml.FieldValue{{FieldId: nvml.FI_DEV_NVLINK_THROUGHPUT_DATA_TX, ScopeId: scope}, {FieldId: nvml.FI_DEV_NVLINK_THROUGHPUT_DATA_RX, ScopeId: scope}})
		}
	}
}

// ofLinks says whether a field is one of each link.
func ofLinks(id uint32) bool {
	switch {
	case id >= nvml.FI_DEV_NVLINK_THROUGHPUT_DATA_TX && id <= nvml.FI_DEV_NVLINK_THROUGHPUT_RAW_RX,
		id == nvml.FI_DEV_NVLINK_REMOTE_NVLINK_ID,
		id >= nvml.FI_DEV_NVLINK_ERROR_DL_REPLAY && id <= nvml.FI_DEV_NVLINK_GET_POWER_THRESHOLD,
		id >= nvml.FI_DEV_C2C_LINK_COUNT && id <= nvml.FI_DEV_C2C_LINK_GET_MAX_BW,
		id >= nvml.FI_DEV_NVLINK_COUNT_XMIT_PACKETS && id <= nvml.FI_DEV_NVLINK_COUNT_SYMBOL_BER,
		id >= nvml.FI_DEV_C2C_LINK_ERROR_INTR && id <= nvml.FI_DEV_NVLINK_COUNT_FEC_HISTORY_15:
		return true
	}
	return false
}

// clocks asks which clocks go together.
func clocks(c *nvml.Client, t things) {
	for _, d := range t.devices {
		memory, _ := c.DeviceGetSupportedMemoryClocks(d)
		for _, mhz := range append(memory, 0) {
			c.DeviceGetSupportedGraphicsClocks(d, mhz)
		}
		states, _ := c.DeviceGetSupportedPerformanceStates(d)
		for i := 0; i+4 <= len(states); i += 4 {
			if p := nvml.Pstates(states[i]); states[i+1] == 0 && p < nvml.PSTATE_UNKNOWN {
				for clock := range nvml.CLOCK_COUNT {
					c.DeviceGetMinMaxClockOfPState(d, clock, p)
				}
			}
		}
	}
}

// structs asks with structs that say what is asked for.
func structs(c *nvml.Client, t things) {
	for _, d := range t.devices {
		for sensor := range nvml.TemperatureSensors(2) {
			c.DeviceGetTemperatureV(d, &nvml.Temperature_v1{SensorType: sensor})
		}
		for fan := range uint32(fans) {
			c.DeviceGetFanSpeedRPM(d, &nvml.FanSpeedInfo_v1{Fan: fan})
			c.DeviceGetCoolerInfo(d, &nvml.CoolerInfo_v1{Index: fan})
		}
		for _, clock := range []nvml.ClockType{nvml.CLOCK_GRAPHICS, nvml.CLOCK_MEM} {
			for p := range nvml.Pstates(16) {
				c.DeviceGetClockOffsets(d, &nvml.ClockOffset_v1{Type: clock, Pstate: p})
			}
		}
		pids, _ := c.DeviceGetAccountingPids(d)
		for _, pid := range pids {
			c.DeviceGetAccountingStats(d, pid)
		}
		for _, mode := range []uint32{nvml.PROCESS_MODE_COMPUTE, nvml.PROCESS_MODE_GRAPHICS, nvml.PROCESS_MODE_MPS} {
			c.DeviceGetRunningProcessDetailList(d, 24|1<<24, mode)
		}
		c.DeviceGetProcessesUtilizationInfo(d, 24|1<<24, 0)
		c.DeviceGetSramUniqueUncorrectedEccErrorCounts(d, 16|1<<24)
		c.DeviceReadPRMCounters_v1(d, []nvml.PRMCounter_v1{{CounterId: 1}}) // how often the first link went down
	}
}

// gpm takes two samples of each GPU and asks for every metric of them.
func gpm(c *nvml.Client, t things) {
	const apart = 200 * time.Millisecond // the vendor wants at least 100
	for _, d := range t.devices {
		var samples []nvml.GpmSample
		for range 2 {
			s, ret := c.GpmSampleAlloc()
			if ret != nvml.SUCCESS {
				return
			}
			samples = append(samples, s)
			if ret := c.GpmSampleGet(d, s); ret != nvml.SUCCESS {
				break
			}
			time.Sleep(apart) // there is nothing to wait for but time itself
		}
		if len(samples) == 2 {
			for first := uint32(1); first < uint32(nvml.GPM_METRIC_MAX); first += 32 {
				var list []nvml.GpmFigure
				for id := first; id < min(first+32, uint32(nvml.GPM_METRIC_MAX)); id++ {
					list = append(list, nvml.GpmFigure{MetricId: id})
				}
				c.GpmMetricsGet(nvml.GPM_METRICS_GET_VERSION, samples[0], samples[1], list)
			}
		}
		for _, s := range samples {
			c.GpmSampleFree(s)
		}
	}
}
