// SPDX-License-Identifier: Apache-2.0
// Code generated from shims/api/nvml by shims/gen; DO NOT EDIT.

package nvml

// SystemGetDriverVersion is nvmlSystemGetDriverVersion.
func (c *Client) SystemGetDriverVersion() (version string, ret Return) {
	var out []byte
	const length = 80
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(length))
	out, ret = c.call(CallSystemGetDriverVersion, in)
	if ret != SUCCESS {
		return
	}
	if uint64(len(out)) < uint64(length)*1 {
		ret = ERROR_UNKNOWN
		return
	}
	version = text(out[:length])
	return
}

// SystemGetNVMLVersion is nvmlSystemGetNVMLVersion.
func (c *Client) SystemGetNVMLVersion() (version string, ret Return) {
	var out []byte
	const length = 80
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(length))
	out, ret = c.call(CallSystemGetNVMLVersion, in)
	if ret != SUCCESS {
		return
	}
	if uint64(len(out)) < uint64(length)*1 {
		ret = ERROR_UNKNOWN
		return
	}
	version = text(out[:length])
	return
}

// SystemGetCudaDriverVersion is nvmlSystemGetCudaDriverVersion.
func (c *Client) SystemGetCudaDriverVersion() (cudaDriverVersion int32, ret Return) {
	var out []byte
	out, ret = c.call(CallSystemGetCudaDriverVersion, nil)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	cudaDriverVersion = int32(le.Uint32(out[0:]))
	return
}

// SystemGetCudaDriverVersion_v2 is nvmlSystemGetCudaDriverVersion_v2.
func (c *Client) SystemGetCudaDriverVersion_v2() (cudaDriverVersion int32, ret Return) {
	var out []byte
	out, ret = c.call(CallSystemGetCudaDriverVersion_v2, nil)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	cudaDriverVersion = int32(le.Uint32(out[0:]))
	return
}

// DeviceGetCount_v2 is nvmlDeviceGetCount_v2.
func (c *Client) DeviceGetCount_v2() (deviceCount uint32, ret Return) {
	var out []byte
	out, ret = c.call(CallDeviceGetCount_v2, nil)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	deviceCount = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetCount is nvmlDeviceGetCount.
func (c *Client) DeviceGetCount() (deviceCount uint32, ret Return) {
	var out []byte
	out, ret = c.call(CallDeviceGetCount, nil)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	deviceCount = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetHandleByIndex_v2 is nvmlDeviceGetHandleByIndex_v2.
func (c *Client) DeviceGetHandleByIndex_v2(index uint32) (device Device, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(index))
	out, ret = c.call(CallDeviceGetHandleByIndex_v2, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	device = Device(le.Uint64(out[0:]))
	return
}

// DeviceGetHandleByIndex is nvmlDeviceGetHandleByIndex.
func (c *Client) DeviceGetHandleByIndex(index uint32) (device Device, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(index))
	out, ret = c.call(CallDeviceGetHandleByIndex, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	device = Device(le.Uint64(out[0:]))
	return
}

// DeviceGetHandleBySerial is nvmlDeviceGetHandleBySerial.
func (c *Client) DeviceGetHandleBySerial(serial string) (device Device, ret Return) {
	var out []byte
	in := make([]byte, 8, 40)
	le.PutUint32(in[0:], uint32(len(serial)))
	in = appendBytes(in, []byte(serial))
	out, ret = c.call(CallDeviceGetHandleBySerial, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	device = Device(le.Uint64(out[0:]))
	return
}

// DeviceGetHandleByUUID is nvmlDeviceGetHandleByUUID.
func (c *Client) DeviceGetHandleByUUID(uuid string) (device Device, ret Return) {
	var out []byte
	in := make([]byte, 8, 40)
	le.PutUint32(in[0:], uint32(len(uuid)))
	in = appendBytes(in, []byte(uuid))
	out, ret = c.call(CallDeviceGetHandleByUUID, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	device = Device(le.Uint64(out[0:]))
	return
}

// DeviceGetHandleByPciBusId_v2 is nvmlDeviceGetHandleByPciBusId_v2.
func (c *Client) DeviceGetHandleByPciBusId_v2(pciBusId string) (device Device, ret Return) {
	var out []byte
	in := make([]byte, 8, 40)
	le.PutUint32(in[0:], uint32(len(pciBusId)))
	in = appendBytes(in, []byte(pciBusId))
	out, ret = c.call(CallDeviceGetHandleByPciBusId_v2, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	device = Device(le.Uint64(out[0:]))
	return
}

// DeviceGetHandleByPciBusId is nvmlDeviceGetHandleByPciBusId.
func (c *Client) DeviceGetHandleByPciBusId(pciBusId string) (device Device, ret Return) {
	var out []byte
	in := make([]byte, 8, 40)
	le.PutUint32(in[0:], uint32(len(pciBusId)))
	in = appendBytes(in, []byte(pciBusId))
	out, ret = c.call(CallDeviceGetHandleByPciBusId, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	device = Device(le.Uint64(out[0:]))
	return
}

// DeviceGetName is nvmlDeviceGetName.
func (c *Client) DeviceGetName(device Device) (name string, ret Return) {
	var out []byte
	const length = 96
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(length))
	out, ret = c.call(CallDeviceGetName, in)
	if ret != SUCCESS {
		return
	}
	if uint64(len(out)) < uint64(length)*1 {
		ret = ERROR_UNKNOWN
		return
	}
	name = text(out[:length])
	return
}

// DeviceGetUUID is nvmlDeviceGetUUID.
func (c *Client) DeviceGetUUID(device Device) (uuid string, ret Return) {
	var out []byte
	const length = 96
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(length))
	out, ret = c.call(CallDeviceGetUUID, in)
	if ret != SUCCESS {
		return
	}
	if uint64(len(out)) < uint64(length)*1 {
		ret = ERROR_UNKNOWN
		return
	}
	uuid = text(out[:length])
	return
}

// DeviceGetIndex is nvmlDeviceGetIndex.
func (c *Client) DeviceGetIndex(device Device) (index uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetIndex, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	index = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetPciInfo_v3 is nvmlDeviceGetPciInfo_v3.
func (c *Client) DeviceGetPciInfo_v3(device Device) (pci PciInfo, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetPciInfo_v3, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 68 {
		ret = ERROR_UNKNOWN
		return
	}
	pci.Get(out)
	return
}

// DeviceGetPciInfo_v2 is nvmlDeviceGetPciInfo_v2.
func (c *Client) DeviceGetPciInfo_v2(device Device) (pci PciInfo_v2, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetPciInfo_v2, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 52 {
		ret = ERROR_UNKNOWN
		return
	}
	pci.Get(out)
	return
}

// DeviceGetPciInfo is nvmlDeviceGetPciInfo.
func (c *Client) DeviceGetPciInfo(device Device) (pci PciInfo_v2, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetPciInfo, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 52 {
		ret = ERROR_UNKNOWN
		return
	}
	pci.Get(out)
	return
}

// DeviceGetMemoryInfo is nvmlDeviceGetMemoryInfo.
func (c *Client) DeviceGetMemoryInfo(device Device) (memory Memory, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetMemoryInfo, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 24 {
		ret = ERROR_UNKNOWN
		return
	}
	memory.Get(out)
	return
}

// DeviceGetMemoryInfo_v2 is nvmlDeviceGetMemoryInfo_v2.
func (c *Client) DeviceGetMemoryInfo_v2(device Device, memory *Memory_v2) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(memory.Size()))
	in = appendVersioned(in, memory)
	out, ret = c.call(CallDeviceGetMemoryInfo_v2, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < memory.Size() {
		ret = ERROR_UNKNOWN
		return
	}
	memory.Get(out)
	return
}

// DeviceGetUtilizationRates is nvmlDeviceGetUtilizationRates.
func (c *Client) DeviceGetUtilizationRates(device Device) (utilization Utilization, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetUtilizationRates, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	utilization.Get(out)
	return
}

// DeviceGetTemperature is nvmlDeviceGetTemperature.
func (c *Client) DeviceGetTemperature(device Device, sensorType TemperatureSensors) (temp uint32, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(sensorType))
	out, ret = c.call(CallDeviceGetTemperature, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	temp = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetPowerUsage is nvmlDeviceGetPowerUsage.
func (c *Client) DeviceGetPowerUsage(device Device) (power uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetPowerUsage, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	power = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetPowerManagementLimit is nvmlDeviceGetPowerManagementLimit.
func (c *Client) DeviceGetPowerManagementLimit(device Device) (limit uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetPowerManagementLimit, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	limit = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetEnforcedPowerLimit is nvmlDeviceGetEnforcedPowerLimit.
func (c *Client) DeviceGetEnforcedPowerLimit(device Device) (limit uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetEnforcedPowerLimit, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	limit = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetClockInfo is nvmlDeviceGetClockInfo.
func (c *Client) DeviceGetClockInfo(device Device, type_ ClockType) (clock uint32, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(type_))
	out, ret = c.call(CallDeviceGetClockInfo, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	clock = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetMaxClockInfo is nvmlDeviceGetMaxClockInfo.
func (c *Client) DeviceGetMaxClockInfo(device Device, type_ ClockType) (clock uint32, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(type_))
	out, ret = c.call(CallDeviceGetMaxClockInfo, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	clock = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetFanSpeed is nvmlDeviceGetFanSpeed.
func (c *Client) DeviceGetFanSpeed(device Device) (speed uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetFanSpeed, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	speed = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetFieldValues is nvmlDeviceGetFieldValues.
func (c *Client) DeviceGetFieldValues(device Device, values []FieldValue) (ret Return) {
	var out []byte
	valuesCount := int32(len(values))
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(valuesCount))
	for i := range values {
		in = appendRaw(in, &values[i])
	}
	in = pad(in)
	out, ret = c.call(CallDeviceGetFieldValues, in)
	if ret != SUCCESS {
		return
	}
	if uint64(len(out)) < uint64(valuesCount)*40 {
		ret = ERROR_UNKNOWN
		return
	}
	for i := range values {
		values[i].Get(out[i*40:])
	}
	return
}

// DeviceGetComputeRunningProcesses_v3 is nvmlDeviceGetComputeRunningProcesses_v3.
func (c *Client) DeviceGetComputeRunningProcesses_v3(device Device) (infos []ProcessInfo, ret Return) {
	var out []byte
	infoCount := uint32(64)
	for try := 0; ; try++ {
		in := make([]byte, 16, 16)
		le.PutUint64(in[0:], uint64(device))
		le.PutUint32(in[8:], uint32(infoCount))
		le.PutUint32(in[12:], uint32(1))
		out, ret = c.call(CallDeviceGetComputeRunningProcesses_v3, in)
		room := infoCount
		if len(out) >= 8 {
			infoCount = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && infoCount > room && try < retries {
			continue
		}
		if ret != SUCCESS {
			return
		}
		if len(out) < 8 {
			ret = ERROR_UNKNOWN
			return
		}
		out = out[8:]
		if uint64(len(out)) < uint64(room)*24 {
			ret = ERROR_UNKNOWN
			return
		}
		infos = make([]ProcessInfo, min(infoCount, room))
		for i := range infos {
			infos[i].Get(out[i*24:])
		}
		return
	}
}

// DeviceGetComputeRunningProcesses_v2 is nvmlDeviceGetComputeRunningProcesses_v2.
func (c *Client) DeviceGetComputeRunningProcesses_v2(device Device) (infos []ProcessInfo_v2, ret Return) {
	var out []byte
	infoCount := uint32(64)
	for try := 0; ; try++ {
		in := make([]byte, 16, 16)
		le.PutUint64(in[0:], uint64(device))
		le.PutUint32(in[8:], uint32(infoCount))
		le.PutUint32(in[12:], uint32(1))
		out, ret = c.call(CallDeviceGetComputeRunningProcesses_v2, in)
		room := infoCount
		if len(out) >= 8 {
			infoCount = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && infoCount > room && try < retries {
			continue
		}
		if ret != SUCCESS {
			return
		}
		if len(out) < 8 {
			ret = ERROR_UNKNOWN
			return
		}
		out = out[8:]
		if uint64(len(out)) < uint64(room)*24 {
			ret = ERROR_UNKNOWN
			return
		}
		infos = make([]ProcessInfo_v2, min(infoCount, room))
		for i := range infos {
			infos[i].Get(out[i*24:])
		}
		return
	}
}

// DeviceGetComputeRunningProcesses is nvmlDeviceGetComputeRunningProcesses.
func (c *Client) DeviceGetComputeRunningProcesses(device Device) (infos []ProcessInfo_v1, ret Return) {
	var out []byte
	infoCount := uint32(64)
	for try := 0; ; try++ {
		in := make([]byte, 16, 16)
		le.PutUint64(in[0:], uint64(device))
		le.PutUint32(in[8:], uint32(infoCount))
		le.PutUint32(in[12:], uint32(1))
		out, ret = c.call(CallDeviceGetComputeRunningProcesses, in)
		room := infoCount
		if len(out) >= 8 {
			infoCount = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && infoCount > room && try < retries {
			continue
		}
		if ret != SUCCESS {
			return
		}
		if len(out) < 8 {
			ret = ERROR_UNKNOWN
			return
		}
		out = out[8:]
		if uint64(len(out)) < uint64(room)*16 {
			ret = ERROR_UNKNOWN
			return
		}
		infos = make([]ProcessInfo_v1, min(infoCount, room))
		for i := range infos {
			infos[i].Get(out[i*16:])
		}
		return
	}
}

// DeviceGetGraphicsRunningProcesses_v3 is nvmlDeviceGetGraphicsRunningProcesses_v3.
func (c *Client) DeviceGetGraphicsRunningProcesses_v3(device Device) (infos []ProcessInfo, ret Return) {
	var out []byte
	infoCount := uint32(64)
	for try := 0; ; try++ {
		in := make([]byte, 16, 16)
		le.PutUint64(in[0:], uint64(device))
		le.PutUint32(in[8:], uint32(infoCount))
		le.PutUint32(in[12:], uint32(1))
		out, ret = c.call(CallDeviceGetGraphicsRunningProcesses_v3, in)
		room := infoCount
		if len(out) >= 8 {
			infoCount = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && infoCount > room && try < retries {
			continue
		}
		if ret != SUCCESS {
			return
		}
		if len(out) < 8 {
			ret = ERROR_UNKNOWN
			return
		}
		out = out[8:]
		if uint64(len(out)) < uint64(room)*24 {
			ret = ERROR_UNKNOWN
			return
		}
		infos = make([]ProcessInfo, min(infoCount, room))
		for i := range infos {
			infos[i].Get(out[i*24:])
		}
		return
	}
}

// DeviceGetGraphicsRunningProcesses_v2 is nvmlDeviceGetGraphicsRunningProcesses_v2.
func (c *Client) DeviceGetGraphicsRunningProcesses_v2(device Device) (infos []ProcessInfo_v2, ret Return) {
	var out []byte
	infoCount := uint32(64)
	for try := 0; ; try++ {
		in := make([]byte, 16, 16)
		le.PutUint64(in[0:], uint64(device))
		le.PutUint32(in[8:], uint32(infoCount))
		le.PutUint32(in[12:], uint32(1))
		out, ret = c.call(CallDeviceGetGraphicsRunningProcesses_v2, in)
		room := infoCount
		if len(out) >= 8 {
			infoCount = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && infoCount > room && try < retries {
			continue
		}
		if ret != SUCCESS {
			return
		}
		if len(out) < 8 {
			ret = ERROR_UNKNOWN
			return
		}
		out = out[8:]
		if uint64(len(out)) < uint64(room)*24 {
			ret = ERROR_UNKNOWN
			return
		}
		infos = make([]ProcessInfo_v2, min(infoCount, room))
		for i := range infos {
			infos[i].Get(out[i*24:])
		}
		return
	}
}

// DeviceGetGraphicsRunningProcesses is nvmlDeviceGetGraphicsRunningProcesses.
func (c *Client) DeviceGetGraphicsRunningProcesses(device Device) (infos []ProcessInfo_v1, ret Return) {
	var out []byte
	infoCount := uint32(64)
	for try := 0; ; try++ {
		in := make([]byte, 16, 16)
		le.PutUint64(in[0:], uint64(device))
		le.PutUint32(in[8:], uint32(infoCount))
		le.PutUint32(in[12:], uint32(1))
		out, ret = c.call(CallDeviceGetGraphicsRunningProcesses, in)
		room := infoCount
		if len(out) >= 8 {
			infoCount = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && infoCount > room && try < retries {
			continue
		}
		if ret != SUCCESS {
			return
		}
		if len(out) < 8 {
			ret = ERROR_UNKNOWN
			return
		}
		out = out[8:]
		if uint64(len(out)) < uint64(room)*16 {
			ret = ERROR_UNKNOWN
			return
		}
		infos = make([]ProcessInfo_v1, min(infoCount, room))
		for i := range infos {
			infos[i].Get(out[i*16:])
		}
		return
	}
}

// DeviceGetMPSComputeRunningProcesses_v3 is nvmlDeviceGetMPSComputeRunningProcesses_v3.
func (c *Client) DeviceGetMPSComputeRunningProcesses_v3(device Device) (infos []ProcessInfo, ret Return) {
	var out []byte
	infoCount := uint32(64)
	for try := 0; ; try++ {
		in := make([]byte, 16, 16)
		le.PutUint64(in[0:], uint64(device))
		le.PutUint32(in[8:], uint32(infoCount))
		le.PutUint32(in[12:], uint32(1))
		out, ret = c.call(CallDeviceGetMPSComputeRunningProcesses_v3, in)
		room := infoCount
		if len(out) >= 8 {
			infoCount = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && infoCount > room && try < retries {
			continue
		}
		if ret != SUCCESS {
			return
		}
		if len(out) < 8 {
			ret = ERROR_UNKNOWN
			return
		}
		out = out[8:]
		if uint64(len(out)) < uint64(room)*24 {
			ret = ERROR_UNKNOWN
			return
		}
		infos = make([]ProcessInfo, min(infoCount, room))
		for i := range infos {
			infos[i].Get(out[i*24:])
		}
		return
	}
}

// DeviceSetPowerManagementLimit is nvmlDeviceSetPowerManagementLimit. It changes the machine, for root only.
func (c *Client) DeviceSetPowerManagementLimit(device Device, limit uint32) (ret Return) {
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(limit))
	_, ret = c.call(CallDeviceSetPowerManagementLimit, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceSetPersistenceMode is nvmlDeviceSetPersistenceMode. It changes the machine, for root only.
func (c *Client) DeviceSetPersistenceMode(device Device, mode uint32) (ret Return) {
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(mode))
	_, ret = c.call(CallDeviceSetPersistenceMode, in)
	if ret != SUCCESS {
		return
	}
	return
}
