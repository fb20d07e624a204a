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

// SystemGetDriverBranch is nvmlSystemGetDriverBranch.
func (c *Client) SystemGetDriverBranch(branchInfo *SystemDriverBranchInfo_v1) (ret Return) {
	var out []byte
	const length = 80
	in := make([]byte, 8, 40)
	le.PutUint32(in[0:], uint32(branchInfo.Sizeof()))
	le.PutUint32(in[4:], uint32(length))
	in = appendVersioned(in, branchInfo)
	out, ret = c.call(CallSystemGetDriverBranch, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < branchInfo.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	branchInfo.Get(out)
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

// DeviceGetAttributes_v2 is nvmlDeviceGetAttributes_v2.
func (c *Client) DeviceGetAttributes_v2(device Device) (attributes DeviceAttributes, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetAttributes_v2, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 40 {
		ret = ERROR_UNKNOWN
		return
	}
	attributes.Get(out)
	return
}

// DeviceGetAttributes is nvmlDeviceGetAttributes.
func (c *Client) DeviceGetAttributes(device Device) (attributes DeviceAttributes, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetAttributes, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 40 {
		ret = ERROR_UNKNOWN
		return
	}
	attributes.Get(out)
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

// DeviceGetBrand is nvmlDeviceGetBrand.
func (c *Client) DeviceGetBrand(device Device) (type_ BrandType, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetBrand, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	type_ = BrandType(le.Uint32(out[0:]))
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

// DeviceGetSerial is nvmlDeviceGetSerial.
func (c *Client) DeviceGetSerial(device Device) (serial string, ret Return) {
	var out []byte
	const length = 30
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(length))
	out, ret = c.call(CallDeviceGetSerial, in)
	if ret != SUCCESS {
		return
	}
	if uint64(len(out)) < uint64(length)*1 {
		ret = ERROR_UNKNOWN
		return
	}
	serial = text(out[:length])
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

// DeviceGetMinorNumber is nvmlDeviceGetMinorNumber.
func (c *Client) DeviceGetMinorNumber(device Device) (minorNumber uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetMinorNumber, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	minorNumber = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetBoardPartNumber is nvmlDeviceGetBoardPartNumber.
func (c *Client) DeviceGetBoardPartNumber(device Device) (partNumber string, ret Return) {
	var out []byte
	const length = 80
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(length))
	out, ret = c.call(CallDeviceGetBoardPartNumber, in)
	if ret != SUCCESS {
		return
	}
	if uint64(len(out)) < uint64(length)*1 {
		ret = ERROR_UNKNOWN
		return
	}
	partNumber = text(out[:length])
	return
}

// DeviceGetDisplayMode is nvmlDeviceGetDisplayMode.
func (c *Client) DeviceGetDisplayMode(device Device) (display EnableState, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetDisplayMode, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	display = EnableState(le.Uint32(out[0:]))
	return
}

// DeviceGetDisplayActive is nvmlDeviceGetDisplayActive.
func (c *Client) DeviceGetDisplayActive(device Device) (isActive EnableState, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetDisplayActive, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	isActive = EnableState(le.Uint32(out[0:]))
	return
}

// DeviceGetPersistenceMode is nvmlDeviceGetPersistenceMode.
func (c *Client) DeviceGetPersistenceMode(device Device) (mode EnableState, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetPersistenceMode, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	mode = EnableState(le.Uint32(out[0:]))
	return
}

// DeviceGetComputeMode is nvmlDeviceGetComputeMode.
func (c *Client) DeviceGetComputeMode(device Device) (mode ComputeMode, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetComputeMode, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	mode = ComputeMode(le.Uint32(out[0:]))
	return
}

// DeviceGetCudaComputeCapability is nvmlDeviceGetCudaComputeCapability.
func (c *Client) DeviceGetCudaComputeCapability(device Device) (major int32, minor int32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetCudaComputeCapability, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	major = int32(le.Uint32(out[0:]))
	minor = int32(le.Uint32(out[4:]))
	return
}

// DeviceGetBoardId is nvmlDeviceGetBoardId.
func (c *Client) DeviceGetBoardId(device Device) (boardId uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetBoardId, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	boardId = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetMultiGpuBoard is nvmlDeviceGetMultiGpuBoard.
func (c *Client) DeviceGetMultiGpuBoard(device Device) (multiGpuBool uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetMultiGpuBoard, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	multiGpuBool = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetVbiosVersion is nvmlDeviceGetVbiosVersion.
func (c *Client) DeviceGetVbiosVersion(device Device) (version string, ret Return) {
	var out []byte
	const length = 32
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(length))
	out, ret = c.call(CallDeviceGetVbiosVersion, in)
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

// DeviceGetAPIRestriction is nvmlDeviceGetAPIRestriction.
func (c *Client) DeviceGetAPIRestriction(device Device, apiType RestrictedAPI) (isRestricted EnableState, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(apiType))
	out, ret = c.call(CallDeviceGetAPIRestriction, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	isRestricted = EnableState(le.Uint32(out[0:]))
	return
}

// DeviceGetNumGpuCores is nvmlDeviceGetNumGpuCores.
func (c *Client) DeviceGetNumGpuCores(device Device) (numCores uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetNumGpuCores, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	numCores = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetMemoryBusWidth is nvmlDeviceGetMemoryBusWidth.
func (c *Client) DeviceGetMemoryBusWidth(device Device) (busWidth uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetMemoryBusWidth, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	busWidth = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetArchitecture is nvmlDeviceGetArchitecture.
func (c *Client) DeviceGetArchitecture(device Device) (arch uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetArchitecture, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	arch = uint32(le.Uint32(out[0:]))
	return
}

// DeviceSetPersistenceMode is nvmlDeviceSetPersistenceMode. It changes the machine, for root only.
func (c *Client) DeviceSetPersistenceMode(device Device, mode EnableState) (ret Return) {
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(mode))
	_, ret = c.call(CallDeviceSetPersistenceMode, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceSetComputeMode is nvmlDeviceSetComputeMode. It changes the machine, for root only.
func (c *Client) DeviceSetComputeMode(device Device, mode ComputeMode) (ret Return) {
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(mode))
	_, ret = c.call(CallDeviceSetComputeMode, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceSetDriverModel is nvmlDeviceSetDriverModel. It changes the machine, for root only.
func (c *Client) DeviceSetDriverModel(device Device, driverModel DriverModel, flags uint32) (ret Return) {
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(driverModel))
	le.PutUint32(in[12:], uint32(flags))
	_, ret = c.call(CallDeviceSetDriverModel, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceSetAPIRestriction is nvmlDeviceSetAPIRestriction. It changes the machine, for root only.
func (c *Client) DeviceSetAPIRestriction(device Device, apiType RestrictedAPI, isRestricted EnableState) (ret Return) {
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(apiType))
	le.PutUint32(in[12:], uint32(isRestricted))
	_, ret = c.call(CallDeviceSetAPIRestriction, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceGetGspFirmwareVersion is nvmlDeviceGetGspFirmwareVersion.
func (c *Client) DeviceGetGspFirmwareVersion(device Device) (version string, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetGspFirmwareVersion, in)
	if ret != SUCCESS {
		return
	}
	if uint64(len(out)) < uint64(64)*1 {
		ret = ERROR_UNKNOWN
		return
	}
	version = text(out[:64])
	return
}

// DeviceGetGspFirmwareMode is nvmlDeviceGetGspFirmwareMode.
func (c *Client) DeviceGetGspFirmwareMode(device Device) (isEnabled uint32, defaultMode uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetGspFirmwareMode, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	isEnabled = uint32(le.Uint32(out[0:]))
	defaultMode = uint32(le.Uint32(out[4:]))
	return
}

// DeviceGetPgpuMetadataString is nvmlDeviceGetPgpuMetadataString.
func (c *Client) DeviceGetPgpuMetadataString(device Device) (pgpuMetadata string, ret Return) {
	var out []byte
	bufferSize := uint32(256)
	for try := 0; ; try++ {
		in := make([]byte, 16, 16)
		le.PutUint64(in[0:], uint64(device))
		le.PutUint32(in[8:], uint32(1))
		le.PutUint32(in[12:], uint32(bufferSize))
		out, ret = c.call(CallDeviceGetPgpuMetadataString, in)
		room := bufferSize
		if len(out) >= 8 {
			bufferSize = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && bufferSize > room && try < retries {
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
		if uint64(len(out)) < uint64(room)*1 {
			ret = ERROR_UNKNOWN
			return
		}
		pgpuMetadata = text(out[:min(bufferSize, room)])
		return
	}
}

// DeviceGetHandleByUUIDV is nvmlDeviceGetHandleByUUIDV.
func (c *Client) DeviceGetHandleByUUIDV(uuid *UUID_v1) (device Device, ret Return) {
	var out []byte
	in := make([]byte, 8, 40)
	le.PutUint32(in[0:], uint32(uuid.Sizeof()))
	in = appendVersioned(in, uuid)
	out, ret = c.call(CallDeviceGetHandleByUUIDV, in)
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

// DeviceGetModuleId is nvmlDeviceGetModuleId.
func (c *Client) DeviceGetModuleId(device Device) (moduleId uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetModuleId, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	moduleId = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetAddressingMode is nvmlDeviceGetAddressingMode.
func (c *Client) DeviceGetAddressingMode(device Device, mode *DeviceAddressingMode_v1) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(mode.Sizeof()))
	in = appendVersioned(in, mode)
	out, ret = c.call(CallDeviceGetAddressingMode, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < mode.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	mode.Get(out)
	return
}

// DeviceGetDriverModel_v2 is nvmlDeviceGetDriverModel_v2.
func (c *Client) DeviceGetDriverModel_v2(device Device) (current DriverModel, pending DriverModel, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetDriverModel_v2, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	current = DriverModel(le.Uint32(out[0:]))
	pending = DriverModel(le.Uint32(out[4:]))
	return
}

// DeviceGetDriverModel is nvmlDeviceGetDriverModel.
func (c *Client) DeviceGetDriverModel(device Device) (current DriverModel, pending DriverModel, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetDriverModel, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	current = DriverModel(le.Uint32(out[0:]))
	pending = DriverModel(le.Uint32(out[4:]))
	return
}

// DeviceGetPlatformInfo is nvmlDeviceGetPlatformInfo.
func (c *Client) DeviceGetPlatformInfo(device Device, platformInfo Versioned) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(platformInfo.Sizeof()))
	in = appendVersioned(in, platformInfo)
	out, ret = c.call(CallDeviceGetPlatformInfo, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < platformInfo.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	platformInfo.Get(out)
	return
}

// DeviceGetPdi is nvmlDeviceGetPdi.
func (c *Client) DeviceGetPdi(device Device, pdi *Pdi_v1) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(pdi.Sizeof()))
	in = appendVersioned(in, pdi)
	out, ret = c.call(CallDeviceGetPdi, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < pdi.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	pdi.Get(out)
	return
}

// DeviceGetHostname_v1 is nvmlDeviceGetHostname_v1.
func (c *Client) DeviceGetHostname_v1(device Device) (hostname Hostname_v1, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetHostname_v1, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 64 {
		ret = ERROR_UNKNOWN
		return
	}
	hostname.Get(out)
	return
}

// DeviceSetHostname_v1 is nvmlDeviceSetHostname_v1. It changes the machine, for root only.
func (c *Client) DeviceSetHostname_v1(device Device, hostname Hostname_v1) (ret Return) {
	in := make([]byte, 8, 40)
	le.PutUint64(in[0:], uint64(device))
	in = appendStruct(in, &hostname)
	_, ret = c.call(CallDeviceSetHostname_v1, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceGetCapabilities is nvmlDeviceGetCapabilities.
func (c *Client) DeviceGetCapabilities(device Device, caps *DeviceCapabilities_v1) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(caps.Sizeof()))
	in = appendVersioned(in, caps)
	out, ret = c.call(CallDeviceGetCapabilities, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < caps.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	caps.Get(out)
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
	le.PutUint32(in[8:], uint32(memory.Sizeof()))
	in = appendVersioned(in, memory)
	out, ret = c.call(CallDeviceGetMemoryInfo_v2, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < memory.Sizeof() {
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

// DeviceGetEncoderUtilization is nvmlDeviceGetEncoderUtilization.
func (c *Client) DeviceGetEncoderUtilization(device Device) (utilization uint32, samplingPeriodUs uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetEncoderUtilization, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	utilization = uint32(le.Uint32(out[0:]))
	samplingPeriodUs = uint32(le.Uint32(out[4:]))
	return
}

// DeviceGetEncoderCapacity is nvmlDeviceGetEncoderCapacity.
func (c *Client) DeviceGetEncoderCapacity(device Device, encoderQueryType EncoderType) (encoderCapacity uint32, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(encoderQueryType))
	out, ret = c.call(CallDeviceGetEncoderCapacity, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	encoderCapacity = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetDecoderUtilization is nvmlDeviceGetDecoderUtilization.
func (c *Client) DeviceGetDecoderUtilization(device Device) (utilization uint32, samplingPeriodUs uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetDecoderUtilization, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	utilization = uint32(le.Uint32(out[0:]))
	samplingPeriodUs = uint32(le.Uint32(out[4:]))
	return
}

// DeviceGetSamples is nvmlDeviceGetSamples.
func (c *Client) DeviceGetSamples(device Device, type_ SamplingType, lastSeenTimeStamp uint64) (sampleValType ValueType, samples []Sample, ret Return) {
	var out []byte
	sampleCount := uint32(256)
	for try := 0; ; try++ {
		in := make([]byte, 32, 32)
		le.PutUint64(in[0:], uint64(device))
		le.PutUint32(in[8:], uint32(type_))
		le.PutUint64(in[16:], uint64(lastSeenTimeStamp))
		le.PutUint32(in[24:], uint32(sampleCount))
		le.PutUint32(in[28:], uint32(1))
		out, ret = c.call(CallDeviceGetSamples, in)
		room := sampleCount
		if len(out) >= 8 {
			sampleCount = uint32(le.Uint32(out[4:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && sampleCount > room && try < retries {
			continue
		}
		if ret != SUCCESS {
			return
		}
		if len(out) < 8 {
			ret = ERROR_UNKNOWN
			return
		}
		sampleValType = ValueType(le.Uint32(out[0:]))
		out = out[8:]
		if uint64(len(out)) < uint64(room)*16 {
			ret = ERROR_UNKNOWN
			return
		}
		samples = make([]Sample, min(sampleCount, room))
		for i := range samples {
			samples[i].Get(out[i*16:])
		}
		return
	}
}

// DeviceGetBAR1MemoryInfo is nvmlDeviceGetBAR1MemoryInfo.
func (c *Client) DeviceGetBAR1MemoryInfo(device Device) (bar1Memory BAR1Memory, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetBAR1MemoryInfo, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 24 {
		ret = ERROR_UNKNOWN
		return
	}
	bar1Memory.Get(out)
	return
}

// DeviceGetViolationStatus is nvmlDeviceGetViolationStatus.
func (c *Client) DeviceGetViolationStatus(device Device, perfPolicyType PerfPolicyType) (violTime ViolationTime, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(perfPolicyType))
	out, ret = c.call(CallDeviceGetViolationStatus, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 16 {
		ret = ERROR_UNKNOWN
		return
	}
	violTime.Get(out)
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

// DeviceGetDramEncryptionMode is nvmlDeviceGetDramEncryptionMode.
func (c *Client) DeviceGetDramEncryptionMode(device Device, current *DramEncryptionInfo_v1, pending *DramEncryptionInfo_v1) (ret Return) {
	var out []byte
	in := make([]byte, 16, 80)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(current.Sizeof()))
	le.PutUint32(in[12:], uint32(pending.Sizeof()))
	in = appendVersioned(in, current)
	in = appendVersioned(in, pending)
	out, ret = c.call(CallDeviceGetDramEncryptionMode, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < current.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	current.Get(out)
	out = out[min(len(out), int(uint64(current.Sizeof())*1+7)&^7):]
	if len(out) < pending.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	pending.Get(out)
	return
}

// DeviceSetDramEncryptionMode is nvmlDeviceSetDramEncryptionMode. It changes the machine, for root only.
func (c *Client) DeviceSetDramEncryptionMode(device Device, dramEncryption *DramEncryptionInfo_v1) (ret Return) {
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(dramEncryption.Sizeof()))
	in = appendVersioned(in, dramEncryption)
	_, ret = c.call(CallDeviceSetDramEncryptionMode, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceGetJpgUtilization is nvmlDeviceGetJpgUtilization.
func (c *Client) DeviceGetJpgUtilization(device Device) (utilization uint32, samplingPeriodUs uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetJpgUtilization, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	utilization = uint32(le.Uint32(out[0:]))
	samplingPeriodUs = uint32(le.Uint32(out[4:]))
	return
}

// DeviceGetOfaUtilization is nvmlDeviceGetOfaUtilization.
func (c *Client) DeviceGetOfaUtilization(device Device) (utilization uint32, samplingPeriodUs uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetOfaUtilization, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	utilization = uint32(le.Uint32(out[0:]))
	samplingPeriodUs = uint32(le.Uint32(out[4:]))
	return
}

// DeviceClearFieldValues is nvmlDeviceClearFieldValues. It changes the machine, for root only.
func (c *Client) DeviceClearFieldValues(device Device, values []FieldValue) (ret Return) {
	var out []byte
	valuesCount := int32(len(values))
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(valuesCount))
	for i := range values {
		in = appendRaw(in, &values[i])
	}
	in = pad(in)
	out, ret = c.call(CallDeviceClearFieldValues, in)
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

// DeviceGetEncoderStats is nvmlDeviceGetEncoderStats.
func (c *Client) DeviceGetEncoderStats(device Device) (sessionCount uint32, averageFps uint32, averageLatency uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetEncoderStats, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 16 {
		ret = ERROR_UNKNOWN
		return
	}
	sessionCount = uint32(le.Uint32(out[0:]))
	averageFps = uint32(le.Uint32(out[4:]))
	averageLatency = uint32(le.Uint32(out[8:]))
	return
}

// DeviceGetEncoderSessions is nvmlDeviceGetEncoderSessions.
func (c *Client) DeviceGetEncoderSessions(device Device) (sessionInfos []EncoderSessionInfo, ret Return) {
	var out []byte
	sessionCount := uint32(64)
	for try := 0; ; try++ {
		in := make([]byte, 16, 16)
		le.PutUint64(in[0:], uint64(device))
		le.PutUint32(in[8:], uint32(sessionCount))
		le.PutUint32(in[12:], uint32(1))
		out, ret = c.call(CallDeviceGetEncoderSessions, in)
		room := sessionCount
		if len(out) >= 8 {
			sessionCount = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && sessionCount > room && try < retries {
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
		if uint64(len(out)) < uint64(room)*32 {
			ret = ERROR_UNKNOWN
			return
		}
		sessionInfos = make([]EncoderSessionInfo, min(sessionCount, room))
		for i := range sessionInfos {
			sessionInfos[i].Get(out[i*32:])
		}
		return
	}
}

// DeviceGetFBCStats is nvmlDeviceGetFBCStats.
func (c *Client) DeviceGetFBCStats(device Device) (fbcStats FBCStats, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetFBCStats, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 12 {
		ret = ERROR_UNKNOWN
		return
	}
	fbcStats.Get(out)
	return
}

// DeviceGetFBCSessions is nvmlDeviceGetFBCSessions.
func (c *Client) DeviceGetFBCSessions(device Device) (sessionInfo []FBCSessionInfo, ret Return) {
	var out []byte
	sessionCount := uint32(64)
	for try := 0; ; try++ {
		in := make([]byte, 16, 16)
		le.PutUint64(in[0:], uint64(device))
		le.PutUint32(in[8:], uint32(sessionCount))
		le.PutUint32(in[12:], uint32(1))
		out, ret = c.call(CallDeviceGetFBCSessions, in)
		room := sessionCount
		if len(out) >= 8 {
			sessionCount = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && sessionCount > room && try < retries {
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
		if uint64(len(out)) < uint64(room)*48 {
			ret = ERROR_UNKNOWN
			return
		}
		sessionInfo = make([]FBCSessionInfo, min(sessionCount, room))
		for i := range sessionInfo {
			sessionInfo[i].Get(out[i*48:])
		}
		return
	}
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

// DeviceGetAccountingMode is nvmlDeviceGetAccountingMode.
func (c *Client) DeviceGetAccountingMode(device Device) (mode EnableState, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetAccountingMode, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	mode = EnableState(le.Uint32(out[0:]))
	return
}

// DeviceGetAccountingStats is nvmlDeviceGetAccountingStats.
func (c *Client) DeviceGetAccountingStats(device Device, pid uint32) (stats AccountingStats, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(pid))
	out, ret = c.call(CallDeviceGetAccountingStats, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 56 {
		ret = ERROR_UNKNOWN
		return
	}
	stats.Get(out)
	return
}

// DeviceGetAccountingPids is nvmlDeviceGetAccountingPids.
func (c *Client) DeviceGetAccountingPids(device Device) (pids []uint32, ret Return) {
	var out []byte
	count := uint32(4096)
	for try := 0; ; try++ {
		in := make([]byte, 16, 16)
		le.PutUint64(in[0:], uint64(device))
		le.PutUint32(in[8:], uint32(count))
		le.PutUint32(in[12:], uint32(1))
		out, ret = c.call(CallDeviceGetAccountingPids, in)
		room := count
		if len(out) >= 8 {
			count = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && count > room && try < retries {
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
		if uint64(len(out)) < uint64(room)*4 {
			ret = ERROR_UNKNOWN
			return
		}
		pids = make([]uint32, min(count, room))
		for i := range pids {
			pids[i] = uint32(le.Uint32(out[i*4:]))
		}
		return
	}
}

// DeviceGetAccountingBufferSize is nvmlDeviceGetAccountingBufferSize.
func (c *Client) DeviceGetAccountingBufferSize(device Device) (bufferSize uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetAccountingBufferSize, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	bufferSize = uint32(le.Uint32(out[0:]))
	return
}

// DeviceSetAccountingMode is nvmlDeviceSetAccountingMode. It changes the machine, for root only.
func (c *Client) DeviceSetAccountingMode(device Device, mode EnableState) (ret Return) {
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(mode))
	_, ret = c.call(CallDeviceSetAccountingMode, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceClearAccountingPids is nvmlDeviceClearAccountingPids. It changes the machine, for root only.
func (c *Client) DeviceClearAccountingPids(device Device) (ret Return) {
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	_, ret = c.call(CallDeviceClearAccountingPids, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceGetProcessUtilization is nvmlDeviceGetProcessUtilization.
func (c *Client) DeviceGetProcessUtilization(device Device, lastSeenTimeStamp uint64) (utilization []ProcessUtilizationSample, ret Return) {
	var out []byte
	processSamplesCount := uint32(128)
	for try := 0; ; try++ {
		in := make([]byte, 24, 24)
		le.PutUint64(in[0:], uint64(device))
		le.PutUint32(in[8:], uint32(1))
		le.PutUint32(in[12:], uint32(processSamplesCount))
		le.PutUint64(in[16:], uint64(lastSeenTimeStamp))
		out, ret = c.call(CallDeviceGetProcessUtilization, in)
		room := processSamplesCount
		if len(out) >= 8 {
			processSamplesCount = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && processSamplesCount > room && try < retries {
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
		if uint64(len(out)) < uint64(room)*32 {
			ret = ERROR_UNKNOWN
			return
		}
		utilization = make([]ProcessUtilizationSample, min(processSamplesCount, room))
		for i := range utilization {
			utilization[i].Get(out[i*32:])
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

// DeviceGetMPSComputeRunningProcesses is nvmlDeviceGetMPSComputeRunningProcesses.
func (c *Client) DeviceGetMPSComputeRunningProcesses(device Device) (infos []ProcessInfo_v1, ret Return) {
	var out []byte
	infoCount := uint32(64)
	for try := 0; ; try++ {
		in := make([]byte, 16, 16)
		le.PutUint64(in[0:], uint64(device))
		le.PutUint32(in[8:], uint32(infoCount))
		le.PutUint32(in[12:], uint32(1))
		out, ret = c.call(CallDeviceGetMPSComputeRunningProcesses, in)
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

// DeviceGetMPSComputeRunningProcesses_v2 is nvmlDeviceGetMPSComputeRunningProcesses_v2.
func (c *Client) DeviceGetMPSComputeRunningProcesses_v2(device Device) (infos []ProcessInfo_v2, ret Return) {
	var out []byte
	infoCount := uint32(64)
	for try := 0; ; try++ {
		in := make([]byte, 16, 16)
		le.PutUint64(in[0:], uint64(device))
		le.PutUint32(in[8:], uint32(infoCount))
		le.PutUint32(in[12:], uint32(1))
		out, ret = c.call(CallDeviceGetMPSComputeRunningProcesses_v2, in)
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

// DeviceGetApplicationsClock is nvmlDeviceGetApplicationsClock.
func (c *Client) DeviceGetApplicationsClock(device Device, clockType ClockType) (clockMHz uint32, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(clockType))
	out, ret = c.call(CallDeviceGetApplicationsClock, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	clockMHz = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetDefaultApplicationsClock is nvmlDeviceGetDefaultApplicationsClock.
func (c *Client) DeviceGetDefaultApplicationsClock(device Device, clockType ClockType) (clockMHz uint32, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(clockType))
	out, ret = c.call(CallDeviceGetDefaultApplicationsClock, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	clockMHz = uint32(le.Uint32(out[0:]))
	return
}

// DeviceResetApplicationsClocks is nvmlDeviceResetApplicationsClocks. It changes the machine, for root only.
func (c *Client) DeviceResetApplicationsClocks(device Device) (ret Return) {
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	_, ret = c.call(CallDeviceResetApplicationsClocks, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceGetClock is nvmlDeviceGetClock.
func (c *Client) DeviceGetClock(device Device, clockType ClockType, clockId ClockId) (clockMHz uint32, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(clockType))
	le.PutUint32(in[12:], uint32(clockId))
	out, ret = c.call(CallDeviceGetClock, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	clockMHz = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetMaxCustomerBoostClock is nvmlDeviceGetMaxCustomerBoostClock.
func (c *Client) DeviceGetMaxCustomerBoostClock(device Device, clockType ClockType) (clockMHz uint32, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(clockType))
	out, ret = c.call(CallDeviceGetMaxCustomerBoostClock, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	clockMHz = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetSupportedMemoryClocks is nvmlDeviceGetSupportedMemoryClocks.
func (c *Client) DeviceGetSupportedMemoryClocks(device Device) (clocksMHz []uint32, ret Return) {
	var out []byte
	count := uint32(64)
	for try := 0; ; try++ {
		in := make([]byte, 16, 16)
		le.PutUint64(in[0:], uint64(device))
		le.PutUint32(in[8:], uint32(count))
		le.PutUint32(in[12:], uint32(1))
		out, ret = c.call(CallDeviceGetSupportedMemoryClocks, in)
		room := count
		if len(out) >= 8 {
			count = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && count > room && try < retries {
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
		if uint64(len(out)) < uint64(room)*4 {
			ret = ERROR_UNKNOWN
			return
		}
		clocksMHz = make([]uint32, min(count, room))
		for i := range clocksMHz {
			clocksMHz[i] = uint32(le.Uint32(out[i*4:]))
		}
		return
	}
}

// DeviceGetSupportedGraphicsClocks is nvmlDeviceGetSupportedGraphicsClocks.
func (c *Client) DeviceGetSupportedGraphicsClocks(device Device, memoryClockMHz uint32) (clocksMHz []uint32, ret Return) {
	var out []byte
	count := uint32(512)
	for try := 0; ; try++ {
		in := make([]byte, 24, 24)
		le.PutUint64(in[0:], uint64(device))
		le.PutUint32(in[8:], uint32(memoryClockMHz))
		le.PutUint32(in[12:], uint32(count))
		le.PutUint32(in[16:], uint32(1))
		out, ret = c.call(CallDeviceGetSupportedGraphicsClocks, in)
		room := count
		if len(out) >= 8 {
			count = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && count > room && try < retries {
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
		if uint64(len(out)) < uint64(room)*4 {
			ret = ERROR_UNKNOWN
			return
		}
		clocksMHz = make([]uint32, min(count, room))
		for i := range clocksMHz {
			clocksMHz[i] = uint32(le.Uint32(out[i*4:]))
		}
		return
	}
}

// DeviceGetAutoBoostedClocksEnabled is nvmlDeviceGetAutoBoostedClocksEnabled.
func (c *Client) DeviceGetAutoBoostedClocksEnabled(device Device) (isEnabled EnableState, defaultIsEnabled EnableState, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetAutoBoostedClocksEnabled, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	isEnabled = EnableState(le.Uint32(out[0:]))
	defaultIsEnabled = EnableState(le.Uint32(out[4:]))
	return
}

// DeviceSetAutoBoostedClocksEnabled is nvmlDeviceSetAutoBoostedClocksEnabled. It changes the machine, for root only.
func (c *Client) DeviceSetAutoBoostedClocksEnabled(device Device, enabled EnableState) (ret Return) {
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(enabled))
	_, ret = c.call(CallDeviceSetAutoBoostedClocksEnabled, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceSetDefaultAutoBoostedClocksEnabled is nvmlDeviceSetDefaultAutoBoostedClocksEnabled. It changes the machine, for root only.
func (c *Client) DeviceSetDefaultAutoBoostedClocksEnabled(device Device, enabled EnableState, flags uint32) (ret Return) {
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(enabled))
	le.PutUint32(in[12:], uint32(flags))
	_, ret = c.call(CallDeviceSetDefaultAutoBoostedClocksEnabled, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceGetPerformanceState is nvmlDeviceGetPerformanceState.
func (c *Client) DeviceGetPerformanceState(device Device) (pState Pstates, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetPerformanceState, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	pState = Pstates(le.Uint32(out[0:]))
	return
}

// DeviceGetCurrentClocksThrottleReasons is nvmlDeviceGetCurrentClocksThrottleReasons.
func (c *Client) DeviceGetCurrentClocksThrottleReasons(device Device) (clocksThrottleReasons uint64, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetCurrentClocksThrottleReasons, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	clocksThrottleReasons = uint64(le.Uint64(out[0:]))
	return
}

// DeviceGetSupportedClocksThrottleReasons is nvmlDeviceGetSupportedClocksThrottleReasons.
func (c *Client) DeviceGetSupportedClocksThrottleReasons(device Device) (supportedClocksThrottleReasons uint64, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetSupportedClocksThrottleReasons, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	supportedClocksThrottleReasons = uint64(le.Uint64(out[0:]))
	return
}

// DeviceGetAdaptiveClockInfoStatus is nvmlDeviceGetAdaptiveClockInfoStatus.
func (c *Client) DeviceGetAdaptiveClockInfoStatus(device Device) (adaptiveClockStatus uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetAdaptiveClockInfoStatus, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	adaptiveClockStatus = uint32(le.Uint32(out[0:]))
	return
}

// DeviceSetGpuLockedClocks is nvmlDeviceSetGpuLockedClocks. It changes the machine, for root only.
func (c *Client) DeviceSetGpuLockedClocks(device Device, minGpuClockMHz uint32, maxGpuClockMHz uint32) (ret Return) {
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(minGpuClockMHz))
	le.PutUint32(in[12:], uint32(maxGpuClockMHz))
	_, ret = c.call(CallDeviceSetGpuLockedClocks, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceResetGpuLockedClocks is nvmlDeviceResetGpuLockedClocks. It changes the machine, for root only.
func (c *Client) DeviceResetGpuLockedClocks(device Device) (ret Return) {
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	_, ret = c.call(CallDeviceResetGpuLockedClocks, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceSetMemoryLockedClocks is nvmlDeviceSetMemoryLockedClocks. It changes the machine, for root only.
func (c *Client) DeviceSetMemoryLockedClocks(device Device, minMemClockMHz uint32, maxMemClockMHz uint32) (ret Return) {
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(minMemClockMHz))
	le.PutUint32(in[12:], uint32(maxMemClockMHz))
	_, ret = c.call(CallDeviceSetMemoryLockedClocks, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceResetMemoryLockedClocks is nvmlDeviceResetMemoryLockedClocks. It changes the machine, for root only.
func (c *Client) DeviceResetMemoryLockedClocks(device Device) (ret Return) {
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	_, ret = c.call(CallDeviceResetMemoryLockedClocks, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceSetApplicationsClocks is nvmlDeviceSetApplicationsClocks. It changes the machine, for root only.
func (c *Client) DeviceSetApplicationsClocks(device Device, memClockMHz uint32, graphicsClockMHz uint32) (ret Return) {
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(memClockMHz))
	le.PutUint32(in[12:], uint32(graphicsClockMHz))
	_, ret = c.call(CallDeviceSetApplicationsClocks, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceGetClkMonStatus is nvmlDeviceGetClkMonStatus.
func (c *Client) DeviceGetClkMonStatus(device Device) (status ClkMonStatus, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetClkMonStatus, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 264 {
		ret = ERROR_UNKNOWN
		return
	}
	status.Get(out)
	return
}

// DeviceGetDynamicPstatesInfo is nvmlDeviceGetDynamicPstatesInfo.
func (c *Client) DeviceGetDynamicPstatesInfo(device Device) (pDynamicPstatesInfo GpuDynamicPstatesInfo, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetDynamicPstatesInfo, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 132 {
		ret = ERROR_UNKNOWN
		return
	}
	pDynamicPstatesInfo.Get(out)
	return
}

// DeviceGetGpcClkVfOffset is nvmlDeviceGetGpcClkVfOffset.
func (c *Client) DeviceGetGpcClkVfOffset(device Device) (offset int32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetGpcClkVfOffset, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	offset = int32(le.Uint32(out[0:]))
	return
}

// DeviceSetGpcClkVfOffset is nvmlDeviceSetGpcClkVfOffset. It changes the machine, for root only.
func (c *Client) DeviceSetGpcClkVfOffset(device Device, offset int32) (ret Return) {
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(offset))
	_, ret = c.call(CallDeviceSetGpcClkVfOffset, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceGetMemClkVfOffset is nvmlDeviceGetMemClkVfOffset.
func (c *Client) DeviceGetMemClkVfOffset(device Device) (offset int32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetMemClkVfOffset, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	offset = int32(le.Uint32(out[0:]))
	return
}

// DeviceSetMemClkVfOffset is nvmlDeviceSetMemClkVfOffset. It changes the machine, for root only.
func (c *Client) DeviceSetMemClkVfOffset(device Device, offset int32) (ret Return) {
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(offset))
	_, ret = c.call(CallDeviceSetMemClkVfOffset, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceGetMinMaxClockOfPState is nvmlDeviceGetMinMaxClockOfPState.
func (c *Client) DeviceGetMinMaxClockOfPState(device Device, type_ ClockType, pstate Pstates) (minClockMHz uint32, maxClockMHz uint32, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(type_))
	le.PutUint32(in[12:], uint32(pstate))
	out, ret = c.call(CallDeviceGetMinMaxClockOfPState, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	minClockMHz = uint32(le.Uint32(out[0:]))
	maxClockMHz = uint32(le.Uint32(out[4:]))
	return
}

// DeviceGetSupportedPerformanceStates is nvmlDeviceGetSupportedPerformanceStates.
func (c *Client) DeviceGetSupportedPerformanceStates(device Device) (pstates []byte, ret Return) {
	var out []byte
	const size = 64
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(size))
	out, ret = c.call(CallDeviceGetSupportedPerformanceStates, in)
	if ret != SUCCESS {
		return
	}
	if uint64(len(out)) < uint64(size)*1 {
		ret = ERROR_UNKNOWN
		return
	}
	pstates = append([]byte(nil), out[:size]...)
	return
}

// DeviceGetGpcClkMinMaxVfOffset is nvmlDeviceGetGpcClkMinMaxVfOffset.
func (c *Client) DeviceGetGpcClkMinMaxVfOffset(device Device) (minOffset int32, maxOffset int32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetGpcClkMinMaxVfOffset, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	minOffset = int32(le.Uint32(out[0:]))
	maxOffset = int32(le.Uint32(out[4:]))
	return
}

// DeviceGetMemClkMinMaxVfOffset is nvmlDeviceGetMemClkMinMaxVfOffset.
func (c *Client) DeviceGetMemClkMinMaxVfOffset(device Device) (minOffset int32, maxOffset int32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetMemClkMinMaxVfOffset, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	minOffset = int32(le.Uint32(out[0:]))
	maxOffset = int32(le.Uint32(out[4:]))
	return
}

// DeviceGetCurrentClocksEventReasons is nvmlDeviceGetCurrentClocksEventReasons.
func (c *Client) DeviceGetCurrentClocksEventReasons(device Device) (clocksEventReasons uint64, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetCurrentClocksEventReasons, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	clocksEventReasons = uint64(le.Uint64(out[0:]))
	return
}

// DeviceGetSupportedClocksEventReasons is nvmlDeviceGetSupportedClocksEventReasons.
func (c *Client) DeviceGetSupportedClocksEventReasons(device Device) (supportedClocksEventReasons uint64, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetSupportedClocksEventReasons, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	supportedClocksEventReasons = uint64(le.Uint64(out[0:]))
	return
}

// DeviceGetClockOffsets is nvmlDeviceGetClockOffsets.
func (c *Client) DeviceGetClockOffsets(device Device, info *ClockOffset_v1) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(info.Sizeof()))
	in = appendVersioned(in, info)
	out, ret = c.call(CallDeviceGetClockOffsets, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < info.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	info.Get(out)
	return
}

// DeviceSetClockOffsets is nvmlDeviceSetClockOffsets. It changes the machine, for root only.
func (c *Client) DeviceSetClockOffsets(device Device, info *ClockOffset_v1) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(info.Sizeof()))
	in = appendVersioned(in, info)
	out, ret = c.call(CallDeviceSetClockOffsets, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < info.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	info.Get(out)
	return
}

// DeviceGetPerformanceModes is nvmlDeviceGetPerformanceModes.
func (c *Client) DeviceGetPerformanceModes(device Device, perfModes *DevicePerfModes_v1) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(perfModes.Sizeof()))
	in = appendVersioned(in, perfModes)
	out, ret = c.call(CallDeviceGetPerformanceModes, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < perfModes.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	perfModes.Get(out)
	return
}

// DeviceGetCurrentClockFreqs is nvmlDeviceGetCurrentClockFreqs.
func (c *Client) DeviceGetCurrentClockFreqs(device Device, currentClockFreqs *DeviceCurrentClockFreqs_v1) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(currentClockFreqs.Sizeof()))
	in = appendVersioned(in, currentClockFreqs)
	out, ret = c.call(CallDeviceGetCurrentClockFreqs, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < currentClockFreqs.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	currentClockFreqs.Get(out)
	return
}

// DeviceGetPowerState is nvmlDeviceGetPowerState.
func (c *Client) DeviceGetPowerState(device Device) (pState Pstates, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetPowerState, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	pState = Pstates(le.Uint32(out[0:]))
	return
}

// DeviceGetPowerManagementMode is nvmlDeviceGetPowerManagementMode.
func (c *Client) DeviceGetPowerManagementMode(device Device) (mode EnableState, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetPowerManagementMode, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	mode = EnableState(le.Uint32(out[0:]))
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

// DeviceGetPowerManagementLimitConstraints is nvmlDeviceGetPowerManagementLimitConstraints.
func (c *Client) DeviceGetPowerManagementLimitConstraints(device Device) (minLimit uint32, maxLimit uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetPowerManagementLimitConstraints, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	minLimit = uint32(le.Uint32(out[0:]))
	maxLimit = uint32(le.Uint32(out[4:]))
	return
}

// DeviceGetPowerManagementDefaultLimit is nvmlDeviceGetPowerManagementDefaultLimit.
func (c *Client) DeviceGetPowerManagementDefaultLimit(device Device) (defaultLimit uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetPowerManagementDefaultLimit, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	defaultLimit = uint32(le.Uint32(out[0:]))
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

// DeviceGetTotalEnergyConsumption is nvmlDeviceGetTotalEnergyConsumption.
func (c *Client) DeviceGetTotalEnergyConsumption(device Device) (energy uint64, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetTotalEnergyConsumption, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	energy = uint64(le.Uint64(out[0:]))
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

// DeviceGetGpuOperationMode is nvmlDeviceGetGpuOperationMode.
func (c *Client) DeviceGetGpuOperationMode(device Device) (current GpuOperationMode, pending GpuOperationMode, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetGpuOperationMode, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	current = GpuOperationMode(le.Uint32(out[0:]))
	pending = GpuOperationMode(le.Uint32(out[4:]))
	return
}

// DeviceGetPowerSource is nvmlDeviceGetPowerSource.
func (c *Client) DeviceGetPowerSource(device Device) (powerSource uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetPowerSource, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	powerSource = uint32(le.Uint32(out[0:]))
	return
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

// DeviceSetGpuOperationMode is nvmlDeviceSetGpuOperationMode. It changes the machine, for root only.
func (c *Client) DeviceSetGpuOperationMode(device Device, mode GpuOperationMode) (ret Return) {
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(mode))
	_, ret = c.call(CallDeviceSetGpuOperationMode, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceGetPowerMizerMode_v1 is nvmlDeviceGetPowerMizerMode_v1.
func (c *Client) DeviceGetPowerMizerMode_v1(device Device) (powerMizerMode DevicePowerMizerModes_v1, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetPowerMizerMode_v1, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 12 {
		ret = ERROR_UNKNOWN
		return
	}
	powerMizerMode.Get(out)
	return
}

// DeviceSetPowerMizerMode_v1 is nvmlDeviceSetPowerMizerMode_v1. It changes the machine, for root only.
func (c *Client) DeviceSetPowerMizerMode_v1(device Device, powerMizerMode DevicePowerMizerModes_v1) (ret Return) {
	in := make([]byte, 8, 40)
	le.PutUint64(in[0:], uint64(device))
	in = appendStruct(in, &powerMizerMode)
	_, ret = c.call(CallDeviceSetPowerMizerMode_v1, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceSetPowerManagementLimit_v2 is nvmlDeviceSetPowerManagementLimit_v2. It changes the machine, for root only.
func (c *Client) DeviceSetPowerManagementLimit_v2(device Device, powerValue *PowerValue_v2) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(powerValue.Sizeof()))
	in = appendVersioned(in, powerValue)
	out, ret = c.call(CallDeviceSetPowerManagementLimit_v2, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < powerValue.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	powerValue.Get(out)
	return
}

// DeviceWorkloadPowerProfileGetProfilesInfo is nvmlDeviceWorkloadPowerProfileGetProfilesInfo.
func (c *Client) DeviceWorkloadPowerProfileGetProfilesInfo(device Device, profilesInfo *WorkloadPowerProfileProfilesInfo_v1) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(profilesInfo.Sizeof()))
	in = appendVersioned(in, profilesInfo)
	out, ret = c.call(CallDeviceWorkloadPowerProfileGetProfilesInfo, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < profilesInfo.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	profilesInfo.Get(out)
	return
}

// DeviceWorkloadPowerProfileGetCurrentProfiles is nvmlDeviceWorkloadPowerProfileGetCurrentProfiles.
func (c *Client) DeviceWorkloadPowerProfileGetCurrentProfiles(device Device, currentProfiles *WorkloadPowerProfileCurrentProfiles_v1) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(currentProfiles.Sizeof()))
	in = appendVersioned(in, currentProfiles)
	out, ret = c.call(CallDeviceWorkloadPowerProfileGetCurrentProfiles, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < currentProfiles.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	currentProfiles.Get(out)
	return
}

// DeviceWorkloadPowerProfileSetRequestedProfiles is nvmlDeviceWorkloadPowerProfileSetRequestedProfiles. It changes the machine, for root only.
func (c *Client) DeviceWorkloadPowerProfileSetRequestedProfiles(device Device, requestedProfiles *WorkloadPowerProfileRequestedProfiles_v1) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(requestedProfiles.Sizeof()))
	in = appendVersioned(in, requestedProfiles)
	out, ret = c.call(CallDeviceWorkloadPowerProfileSetRequestedProfiles, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < requestedProfiles.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	requestedProfiles.Get(out)
	return
}

// DeviceWorkloadPowerProfileClearRequestedProfiles is nvmlDeviceWorkloadPowerProfileClearRequestedProfiles. It changes the machine, for root only.
func (c *Client) DeviceWorkloadPowerProfileClearRequestedProfiles(device Device, requestedProfiles *WorkloadPowerProfileRequestedProfiles_v1) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(requestedProfiles.Sizeof()))
	in = appendVersioned(in, requestedProfiles)
	out, ret = c.call(CallDeviceWorkloadPowerProfileClearRequestedProfiles, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < requestedProfiles.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	requestedProfiles.Get(out)
	return
}

// DevicePowerSmoothingActivatePresetProfile is nvmlDevicePowerSmoothingActivatePresetProfile. It changes the machine, for root only.
func (c *Client) DevicePowerSmoothingActivatePresetProfile(device Device, profile *PowerSmoothingProfile_v1) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(profile.Sizeof()))
	in = appendVersioned(in, profile)
	out, ret = c.call(CallDevicePowerSmoothingActivatePresetProfile, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < profile.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	profile.Get(out)
	return
}

// DevicePowerSmoothingUpdatePresetProfileParam is nvmlDevicePowerSmoothingUpdatePresetProfileParam. It changes the machine, for root only.
func (c *Client) DevicePowerSmoothingUpdatePresetProfileParam(device Device, profile *PowerSmoothingProfile_v1) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(profile.Sizeof()))
	in = appendVersioned(in, profile)
	out, ret = c.call(CallDevicePowerSmoothingUpdatePresetProfileParam, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < profile.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	profile.Get(out)
	return
}

// DevicePowerSmoothingSetState is nvmlDevicePowerSmoothingSetState. It changes the machine, for root only.
func (c *Client) DevicePowerSmoothingSetState(device Device, state *PowerSmoothingState_v1) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(state.Sizeof()))
	in = appendVersioned(in, state)
	out, ret = c.call(CallDevicePowerSmoothingSetState, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < state.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	state.Get(out)
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

// DeviceGetFanSpeed_v2 is nvmlDeviceGetFanSpeed_v2.
func (c *Client) DeviceGetFanSpeed_v2(device Device, fan uint32) (speed uint32, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(fan))
	out, ret = c.call(CallDeviceGetFanSpeed_v2, in)
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

// DeviceGetTargetFanSpeed is nvmlDeviceGetTargetFanSpeed.
func (c *Client) DeviceGetTargetFanSpeed(device Device, fan uint32) (targetSpeed uint32, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(fan))
	out, ret = c.call(CallDeviceGetTargetFanSpeed, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	targetSpeed = uint32(le.Uint32(out[0:]))
	return
}

// DeviceSetDefaultFanSpeed_v2 is nvmlDeviceSetDefaultFanSpeed_v2. It changes the machine, for root only.
func (c *Client) DeviceSetDefaultFanSpeed_v2(device Device, fan uint32) (ret Return) {
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(fan))
	_, ret = c.call(CallDeviceSetDefaultFanSpeed_v2, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceGetMinMaxFanSpeed is nvmlDeviceGetMinMaxFanSpeed.
func (c *Client) DeviceGetMinMaxFanSpeed(device Device) (minSpeed uint32, maxSpeed uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetMinMaxFanSpeed, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	minSpeed = uint32(le.Uint32(out[0:]))
	maxSpeed = uint32(le.Uint32(out[4:]))
	return
}

// DeviceGetNumFans is nvmlDeviceGetNumFans.
func (c *Client) DeviceGetNumFans(device Device) (numFans uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetNumFans, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	numFans = uint32(le.Uint32(out[0:]))
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

// DeviceGetTemperatureThreshold is nvmlDeviceGetTemperatureThreshold.
func (c *Client) DeviceGetTemperatureThreshold(device Device, thresholdType TemperatureThresholds) (temp uint32, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(thresholdType))
	out, ret = c.call(CallDeviceGetTemperatureThreshold, in)
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

// DeviceSetTemperatureThreshold is nvmlDeviceSetTemperatureThreshold. It changes the machine, for root only.
func (c *Client) DeviceSetTemperatureThreshold(device Device, thresholdType TemperatureThresholds, temp *int32) (ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(thresholdType))
	le.PutUint32(in[12:], uint32(*temp))
	out, ret = c.call(CallDeviceSetTemperatureThreshold, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	*temp = int32(le.Uint32(out[0:]))
	return
}

// DeviceGetThermalSettings is nvmlDeviceGetThermalSettings.
func (c *Client) DeviceGetThermalSettings(device Device, sensorIndex uint32) (pThermalSettings GpuThermalSettings, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(sensorIndex))
	out, ret = c.call(CallDeviceGetThermalSettings, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 64 {
		ret = ERROR_UNKNOWN
		return
	}
	pThermalSettings.Get(out)
	return
}

// DeviceSetFanSpeed_v2 is nvmlDeviceSetFanSpeed_v2. It changes the machine, for root only.
func (c *Client) DeviceSetFanSpeed_v2(device Device, fan uint32, speed uint32) (ret Return) {
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(fan))
	le.PutUint32(in[12:], uint32(speed))
	_, ret = c.call(CallDeviceSetFanSpeed_v2, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceGetFanSpeedRPM is nvmlDeviceGetFanSpeedRPM.
func (c *Client) DeviceGetFanSpeedRPM(device Device, fanSpeed *FanSpeedInfo_v1) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(fanSpeed.Sizeof()))
	in = appendVersioned(in, fanSpeed)
	out, ret = c.call(CallDeviceGetFanSpeedRPM, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < fanSpeed.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	fanSpeed.Get(out)
	return
}

// DeviceGetFanControlPolicy_v2 is nvmlDeviceGetFanControlPolicy_v2.
func (c *Client) DeviceGetFanControlPolicy_v2(device Device, fan uint32) (policy uint32, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(fan))
	out, ret = c.call(CallDeviceGetFanControlPolicy_v2, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	policy = uint32(le.Uint32(out[0:]))
	return
}

// DeviceSetFanControlPolicy is nvmlDeviceSetFanControlPolicy. It changes the machine, for root only.
func (c *Client) DeviceSetFanControlPolicy(device Device, fan uint32, policy uint32) (ret Return) {
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(fan))
	le.PutUint32(in[12:], uint32(policy))
	_, ret = c.call(CallDeviceSetFanControlPolicy, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceGetCoolerInfo is nvmlDeviceGetCoolerInfo.
func (c *Client) DeviceGetCoolerInfo(device Device, coolerInfo *CoolerInfo_v1) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(coolerInfo.Sizeof()))
	in = appendVersioned(in, coolerInfo)
	out, ret = c.call(CallDeviceGetCoolerInfo, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < coolerInfo.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	coolerInfo.Get(out)
	return
}

// DeviceGetTemperatureV is nvmlDeviceGetTemperatureV.
func (c *Client) DeviceGetTemperatureV(device Device, temperature *Temperature_v1) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(temperature.Sizeof()))
	in = appendVersioned(in, temperature)
	out, ret = c.call(CallDeviceGetTemperatureV, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < temperature.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	temperature.Get(out)
	return
}

// DeviceGetMarginTemperature is nvmlDeviceGetMarginTemperature.
func (c *Client) DeviceGetMarginTemperature(device Device, marginTempInfo *MarginTemperature_v1) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(marginTempInfo.Sizeof()))
	in = appendVersioned(in, marginTempInfo)
	out, ret = c.call(CallDeviceGetMarginTemperature, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < marginTempInfo.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	marginTempInfo.Get(out)
	return
}

// DeviceGetInforomVersion is nvmlDeviceGetInforomVersion.
func (c *Client) DeviceGetInforomVersion(device Device, object InforomObject) (version string, ret Return) {
	var out []byte
	const length = 16
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(object))
	le.PutUint32(in[12:], uint32(length))
	out, ret = c.call(CallDeviceGetInforomVersion, in)
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

// DeviceGetInforomImageVersion is nvmlDeviceGetInforomImageVersion.
func (c *Client) DeviceGetInforomImageVersion(device Device) (version string, ret Return) {
	var out []byte
	const length = 16
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(length))
	out, ret = c.call(CallDeviceGetInforomImageVersion, in)
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

// DeviceGetInforomConfigurationChecksum is nvmlDeviceGetInforomConfigurationChecksum.
func (c *Client) DeviceGetInforomConfigurationChecksum(device Device) (checksum uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetInforomConfigurationChecksum, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	checksum = uint32(le.Uint32(out[0:]))
	return
}

// DeviceValidateInforom is nvmlDeviceValidateInforom.
func (c *Client) DeviceValidateInforom(device Device) (ret Return) {
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	_, ret = c.call(CallDeviceValidateInforom, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceGetEccMode is nvmlDeviceGetEccMode.
func (c *Client) DeviceGetEccMode(device Device) (current EnableState, pending EnableState, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetEccMode, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	current = EnableState(le.Uint32(out[0:]))
	pending = EnableState(le.Uint32(out[4:]))
	return
}

// DeviceGetDefaultEccMode is nvmlDeviceGetDefaultEccMode.
func (c *Client) DeviceGetDefaultEccMode(device Device) (defaultMode EnableState, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetDefaultEccMode, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	defaultMode = EnableState(le.Uint32(out[0:]))
	return
}

// DeviceGetTotalEccErrors is nvmlDeviceGetTotalEccErrors.
func (c *Client) DeviceGetTotalEccErrors(device Device, errorType MemoryErrorType, counterType EccCounterType) (eccCounts uint64, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(errorType))
	le.PutUint32(in[12:], uint32(counterType))
	out, ret = c.call(CallDeviceGetTotalEccErrors, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	eccCounts = uint64(le.Uint64(out[0:]))
	return
}

// DeviceGetDetailedEccErrors is nvmlDeviceGetDetailedEccErrors.
func (c *Client) DeviceGetDetailedEccErrors(device Device, errorType MemoryErrorType, counterType EccCounterType) (eccCounts EccErrorCounts, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(errorType))
	le.PutUint32(in[12:], uint32(counterType))
	out, ret = c.call(CallDeviceGetDetailedEccErrors, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 32 {
		ret = ERROR_UNKNOWN
		return
	}
	eccCounts.Get(out)
	return
}

// DeviceGetMemoryErrorCounter is nvmlDeviceGetMemoryErrorCounter.
func (c *Client) DeviceGetMemoryErrorCounter(device Device, errorType MemoryErrorType, counterType EccCounterType, locationType MemoryLocation) (count uint64, ret Return) {
	var out []byte
	in := make([]byte, 24, 24)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(errorType))
	le.PutUint32(in[12:], uint32(counterType))
	le.PutUint32(in[16:], uint32(locationType))
	out, ret = c.call(CallDeviceGetMemoryErrorCounter, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	count = uint64(le.Uint64(out[0:]))
	return
}

// DeviceGetRetiredPages is nvmlDeviceGetRetiredPages.
func (c *Client) DeviceGetRetiredPages(device Device, cause PageRetirementCause) (addresses []uint64, ret Return) {
	var out []byte
	pageCount := uint32(128)
	for try := 0; ; try++ {
		in := make([]byte, 24, 24)
		le.PutUint64(in[0:], uint64(device))
		le.PutUint32(in[8:], uint32(cause))
		le.PutUint32(in[12:], uint32(pageCount))
		le.PutUint32(in[16:], uint32(1))
		out, ret = c.call(CallDeviceGetRetiredPages, in)
		room := pageCount
		if len(out) >= 8 {
			pageCount = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && pageCount > room && try < retries {
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
		if uint64(len(out)) < uint64(room)*8 {
			ret = ERROR_UNKNOWN
			return
		}
		addresses = make([]uint64, min(pageCount, room))
		for i := range addresses {
			addresses[i] = uint64(le.Uint64(out[i*8:]))
		}
		return
	}
}

// DeviceGetRetiredPages_v2 is nvmlDeviceGetRetiredPages_v2.
func (c *Client) DeviceGetRetiredPages_v2(device Device, cause PageRetirementCause) (addresses []uint64, timestamps []uint64, ret Return) {
	var out []byte
	pageCount := uint32(128)
	for try := 0; ; try++ {
		in := make([]byte, 24, 24)
		le.PutUint64(in[0:], uint64(device))
		le.PutUint32(in[8:], uint32(cause))
		le.PutUint32(in[12:], uint32(pageCount))
		le.PutUint32(in[16:], uint32(1))
		le.PutUint32(in[20:], uint32(1))
		out, ret = c.call(CallDeviceGetRetiredPages_v2, in)
		room := pageCount
		if len(out) >= 8 {
			pageCount = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && pageCount > room && try < retries {
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
		if uint64(len(out)) < uint64(room)*8 {
			ret = ERROR_UNKNOWN
			return
		}
		addresses = make([]uint64, min(pageCount, room))
		for i := range addresses {
			addresses[i] = uint64(le.Uint64(out[i*8:]))
		}
		out = out[min(len(out), int(uint64(room)*8+7)&^7):]
		if uint64(len(out)) < uint64(room)*8 {
			ret = ERROR_UNKNOWN
			return
		}
		timestamps = make([]uint64, min(pageCount, room))
		for i := range timestamps {
			timestamps[i] = uint64(le.Uint64(out[i*8:]))
		}
		return
	}
}

// DeviceGetRetiredPagesPendingStatus is nvmlDeviceGetRetiredPagesPendingStatus.
func (c *Client) DeviceGetRetiredPagesPendingStatus(device Device) (isPending EnableState, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetRetiredPagesPendingStatus, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	isPending = EnableState(le.Uint32(out[0:]))
	return
}

// DeviceGetRemappedRows is nvmlDeviceGetRemappedRows.
func (c *Client) DeviceGetRemappedRows(device Device) (corrRows uint32, uncRows uint32, isPending uint32, failureOccurred uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetRemappedRows, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 16 {
		ret = ERROR_UNKNOWN
		return
	}
	corrRows = uint32(le.Uint32(out[0:]))
	uncRows = uint32(le.Uint32(out[4:]))
	isPending = uint32(le.Uint32(out[8:]))
	failureOccurred = uint32(le.Uint32(out[12:]))
	return
}

// DeviceGetRemappedRows_v2 is nvmlDeviceGetRemappedRows_v2.
func (c *Client) DeviceGetRemappedRows_v2(device Device) (info RemappedRowsInfo_v2, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetRemappedRows_v2, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 24 {
		ret = ERROR_UNKNOWN
		return
	}
	info.Get(out)
	return
}

// DeviceGetRowRemapperHistogram is nvmlDeviceGetRowRemapperHistogram.
func (c *Client) DeviceGetRowRemapperHistogram(device Device) (values RowRemapperHistogramValues, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetRowRemapperHistogram, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 20 {
		ret = ERROR_UNKNOWN
		return
	}
	values.Get(out)
	return
}

// DeviceGetUnrepairableMemoryFlag_v1 is nvmlDeviceGetUnrepairableMemoryFlag_v1.
func (c *Client) DeviceGetUnrepairableMemoryFlag_v1(device Device) (unrepairableMemoryStatus UnrepairableMemoryStatus_v1, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetUnrepairableMemoryFlag_v1, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 4 {
		ret = ERROR_UNKNOWN
		return
	}
	unrepairableMemoryStatus.Get(out)
	return
}

// DeviceSetEccMode is nvmlDeviceSetEccMode. It changes the machine, for root only.
func (c *Client) DeviceSetEccMode(device Device, ecc EnableState) (ret Return) {
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(ecc))
	_, ret = c.call(CallDeviceSetEccMode, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceClearEccErrorCounts is nvmlDeviceClearEccErrorCounts. It changes the machine, for root only.
func (c *Client) DeviceClearEccErrorCounts(device Device, counterType EccCounterType) (ret Return) {
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(counterType))
	_, ret = c.call(CallDeviceClearEccErrorCounts, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceGetRepairStatus is nvmlDeviceGetRepairStatus.
func (c *Client) DeviceGetRepairStatus(device Device, repairStatus *RepairStatus_v1) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(repairStatus.Sizeof()))
	in = appendVersioned(in, repairStatus)
	out, ret = c.call(CallDeviceGetRepairStatus, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < repairStatus.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	repairStatus.Get(out)
	return
}

// DeviceGetLastBBXFlushTime is nvmlDeviceGetLastBBXFlushTime.
func (c *Client) DeviceGetLastBBXFlushTime(device Device) (timestamp uint64, durationUs uint64, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetLastBBXFlushTime, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 16 {
		ret = ERROR_UNKNOWN
		return
	}
	timestamp = uint64(le.Uint64(out[0:]))
	durationUs = uint64(le.Uint64(out[8:]))
	return
}

// DeviceGetSramEccErrorStatus is nvmlDeviceGetSramEccErrorStatus.
func (c *Client) DeviceGetSramEccErrorStatus(device Device, status *EccSramErrorStatus_v1) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(status.Sizeof()))
	in = appendVersioned(in, status)
	out, ret = c.call(CallDeviceGetSramEccErrorStatus, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < status.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	status.Get(out)
	return
}

// DeviceReadWritePRM_v1 is nvmlDeviceReadWritePRM_v1. It changes the machine, for root only.
func (c *Client) DeviceReadWritePRM_v1(device Device, buffer *PRMTLV_v1) (ret Return) {
	var out []byte
	in := make([]byte, 8, 40)
	le.PutUint64(in[0:], uint64(device))
	in = appendStruct(in, buffer)
	out, ret = c.call(CallDeviceReadWritePRM_v1, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 504 {
		ret = ERROR_UNKNOWN
		return
	}
	buffer.Get(out)
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

// DeviceGetMaxPcieLinkGeneration is nvmlDeviceGetMaxPcieLinkGeneration.
func (c *Client) DeviceGetMaxPcieLinkGeneration(device Device) (maxLinkGen uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetMaxPcieLinkGeneration, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	maxLinkGen = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetMaxPcieLinkWidth is nvmlDeviceGetMaxPcieLinkWidth.
func (c *Client) DeviceGetMaxPcieLinkWidth(device Device) (maxLinkWidth uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetMaxPcieLinkWidth, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	maxLinkWidth = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetCurrPcieLinkGeneration is nvmlDeviceGetCurrPcieLinkGeneration.
func (c *Client) DeviceGetCurrPcieLinkGeneration(device Device) (currLinkGen uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetCurrPcieLinkGeneration, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	currLinkGen = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetCurrPcieLinkWidth is nvmlDeviceGetCurrPcieLinkWidth.
func (c *Client) DeviceGetCurrPcieLinkWidth(device Device) (currLinkWidth uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetCurrPcieLinkWidth, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	currLinkWidth = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetPcieThroughput is nvmlDeviceGetPcieThroughput.
func (c *Client) DeviceGetPcieThroughput(device Device, counter PcieUtilCounter) (value uint32, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(counter))
	out, ret = c.call(CallDeviceGetPcieThroughput, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	value = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetPcieReplayCounter is nvmlDeviceGetPcieReplayCounter.
func (c *Client) DeviceGetPcieReplayCounter(device Device) (value uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetPcieReplayCounter, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	value = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetBridgeChipInfo is nvmlDeviceGetBridgeChipInfo.
func (c *Client) DeviceGetBridgeChipInfo(device Device) (bridgeHierarchy BridgeChipHierarchy, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetBridgeChipInfo, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 1028 {
		ret = ERROR_UNKNOWN
		return
	}
	bridgeHierarchy.Get(out)
	return
}

// DeviceGetIrqNum is nvmlDeviceGetIrqNum.
func (c *Client) DeviceGetIrqNum(device Device) (irqNum uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetIrqNum, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	irqNum = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetPcieLinkMaxSpeed is nvmlDeviceGetPcieLinkMaxSpeed.
func (c *Client) DeviceGetPcieLinkMaxSpeed(device Device) (maxSpeed uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetPcieLinkMaxSpeed, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	maxSpeed = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetPcieSpeed is nvmlDeviceGetPcieSpeed.
func (c *Client) DeviceGetPcieSpeed(device Device) (pcieSpeed uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetPcieSpeed, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	pcieSpeed = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetBusType is nvmlDeviceGetBusType.
func (c *Client) DeviceGetBusType(device Device) (type_ uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetBusType, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	type_ = uint32(le.Uint32(out[0:]))
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

// DeviceGetPciInfoExt is nvmlDeviceGetPciInfoExt.
func (c *Client) DeviceGetPciInfoExt(device Device, pci *PciInfoExt_v1) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(pci.Sizeof()))
	in = appendVersioned(in, pci)
	out, ret = c.call(CallDeviceGetPciInfoExt, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < pci.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	pci.Get(out)
	return
}

// DeviceGetGpuMaxPcieLinkGeneration is nvmlDeviceGetGpuMaxPcieLinkGeneration.
func (c *Client) DeviceGetGpuMaxPcieLinkGeneration(device Device) (maxLinkGenDevice uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetGpuMaxPcieLinkGeneration, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	maxLinkGenDevice = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetNvLinkState is nvmlDeviceGetNvLinkState.
func (c *Client) DeviceGetNvLinkState(device Device, link uint32) (isActive EnableState, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(link))
	out, ret = c.call(CallDeviceGetNvLinkState, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	isActive = EnableState(le.Uint32(out[0:]))
	return
}

// DeviceGetNvLinkVersion is nvmlDeviceGetNvLinkVersion.
func (c *Client) DeviceGetNvLinkVersion(device Device, link uint32) (version uint32, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(link))
	out, ret = c.call(CallDeviceGetNvLinkVersion, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	version = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetNvLinkCapability is nvmlDeviceGetNvLinkCapability.
func (c *Client) DeviceGetNvLinkCapability(device Device, link uint32, capability NvLinkCapability) (capResult uint32, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(link))
	le.PutUint32(in[12:], uint32(capability))
	out, ret = c.call(CallDeviceGetNvLinkCapability, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	capResult = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetNvLinkRemotePciInfo_v2 is nvmlDeviceGetNvLinkRemotePciInfo_v2.
func (c *Client) DeviceGetNvLinkRemotePciInfo_v2(device Device, link uint32) (pci PciInfo, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(link))
	out, ret = c.call(CallDeviceGetNvLinkRemotePciInfo_v2, in)
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

// DeviceGetNvLinkErrorCounter is nvmlDeviceGetNvLinkErrorCounter.
func (c *Client) DeviceGetNvLinkErrorCounter(device Device, link uint32, counter NvLinkErrorCounter) (counterValue uint64, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(link))
	le.PutUint32(in[12:], uint32(counter))
	out, ret = c.call(CallDeviceGetNvLinkErrorCounter, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	counterValue = uint64(le.Uint64(out[0:]))
	return
}

// DeviceResetNvLinkErrorCounters is nvmlDeviceResetNvLinkErrorCounters. It changes the machine, for root only.
func (c *Client) DeviceResetNvLinkErrorCounters(device Device, link uint32) (ret Return) {
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(link))
	_, ret = c.call(CallDeviceResetNvLinkErrorCounters, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceSetNvLinkUtilizationControl is nvmlDeviceSetNvLinkUtilizationControl. It changes the machine, for root only.
func (c *Client) DeviceSetNvLinkUtilizationControl(device Device, link uint32, counter uint32, control NvLinkUtilizationControl, reset uint32) (ret Return) {
	in := make([]byte, 24, 56)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(link))
	le.PutUint32(in[12:], uint32(counter))
	le.PutUint32(in[16:], uint32(reset))
	in = appendStruct(in, &control)
	_, ret = c.call(CallDeviceSetNvLinkUtilizationControl, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceGetNvLinkUtilizationControl is nvmlDeviceGetNvLinkUtilizationControl.
func (c *Client) DeviceGetNvLinkUtilizationControl(device Device, link uint32, counter uint32) (control NvLinkUtilizationControl, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(link))
	le.PutUint32(in[12:], uint32(counter))
	out, ret = c.call(CallDeviceGetNvLinkUtilizationControl, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	control.Get(out)
	return
}

// DeviceGetNvLinkUtilizationCounter is nvmlDeviceGetNvLinkUtilizationCounter.
func (c *Client) DeviceGetNvLinkUtilizationCounter(device Device, link uint32, counter uint32) (rxcounter uint64, txcounter uint64, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(link))
	le.PutUint32(in[12:], uint32(counter))
	out, ret = c.call(CallDeviceGetNvLinkUtilizationCounter, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 16 {
		ret = ERROR_UNKNOWN
		return
	}
	rxcounter = uint64(le.Uint64(out[0:]))
	txcounter = uint64(le.Uint64(out[8:]))
	return
}

// DeviceFreezeNvLinkUtilizationCounter is nvmlDeviceFreezeNvLinkUtilizationCounter. It changes the machine, for root only.
func (c *Client) DeviceFreezeNvLinkUtilizationCounter(device Device, link uint32, counter uint32, freeze EnableState) (ret Return) {
	in := make([]byte, 24, 24)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(link))
	le.PutUint32(in[12:], uint32(counter))
	le.PutUint32(in[16:], uint32(freeze))
	_, ret = c.call(CallDeviceFreezeNvLinkUtilizationCounter, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceResetNvLinkUtilizationCounter is nvmlDeviceResetNvLinkUtilizationCounter. It changes the machine, for root only.
func (c *Client) DeviceResetNvLinkUtilizationCounter(device Device, link uint32, counter uint32) (ret Return) {
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(link))
	le.PutUint32(in[12:], uint32(counter))
	_, ret = c.call(CallDeviceResetNvLinkUtilizationCounter, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceGetNvLinkRemoteDeviceType is nvmlDeviceGetNvLinkRemoteDeviceType.
func (c *Client) DeviceGetNvLinkRemoteDeviceType(device Device, link uint32) (pNvLinkDeviceType IntNvLinkDeviceType, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(link))
	out, ret = c.call(CallDeviceGetNvLinkRemoteDeviceType, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	pNvLinkDeviceType = IntNvLinkDeviceType(le.Uint32(out[0:]))
	return
}

// DeviceGetC2cModeInfoV is nvmlDeviceGetC2cModeInfoV.
func (c *Client) DeviceGetC2cModeInfoV(device Device) (c2cModeInfo C2cModeInfo_v1, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetC2cModeInfoV, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 4 {
		ret = ERROR_UNKNOWN
		return
	}
	c2cModeInfo.Get(out)
	return
}

// DeviceGetGpuFabricInfo is nvmlDeviceGetGpuFabricInfo.
func (c *Client) DeviceGetGpuFabricInfo(device Device) (gpuFabricInfo GpuFabricInfo, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetGpuFabricInfo, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 28 {
		ret = ERROR_UNKNOWN
		return
	}
	gpuFabricInfo.Get(out)
	return
}

// DeviceGetGpuFabricInfoV is nvmlDeviceGetGpuFabricInfoV.
func (c *Client) DeviceGetGpuFabricInfoV(device Device, gpuFabricInfo Versioned) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(gpuFabricInfo.Sizeof()))
	in = appendVersioned(in, gpuFabricInfo)
	out, ret = c.call(CallDeviceGetGpuFabricInfoV, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < gpuFabricInfo.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	gpuFabricInfo.Get(out)
	return
}

// DeviceSetNvLinkDeviceLowPowerThreshold is nvmlDeviceSetNvLinkDeviceLowPowerThreshold. It changes the machine, for root only.
func (c *Client) DeviceSetNvLinkDeviceLowPowerThreshold(device Device, info NvLinkPowerThres) (ret Return) {
	in := make([]byte, 8, 40)
	le.PutUint64(in[0:], uint64(device))
	in = appendStruct(in, &info)
	_, ret = c.call(CallDeviceSetNvLinkDeviceLowPowerThreshold, in)
	if ret != SUCCESS {
		return
	}
	return
}

// SystemSetNvlinkBwMode is nvmlSystemSetNvlinkBwMode. It changes the machine, for root only.
func (c *Client) SystemSetNvlinkBwMode(nvlinkBwMode uint32) (ret Return) {
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(nvlinkBwMode))
	_, ret = c.call(CallSystemSetNvlinkBwMode, in)
	if ret != SUCCESS {
		return
	}
	return
}

// SystemGetNvlinkBwMode is nvmlSystemGetNvlinkBwMode.
func (c *Client) SystemGetNvlinkBwMode() (nvlinkBwMode uint32, ret Return) {
	var out []byte
	out, ret = c.call(CallSystemGetNvlinkBwMode, nil)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	nvlinkBwMode = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetNvlinkSupportedBwModes is nvmlDeviceGetNvlinkSupportedBwModes.
func (c *Client) DeviceGetNvlinkSupportedBwModes(device Device, supportedBwMode *NvlinkSupportedBwModes_v1) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(supportedBwMode.Sizeof()))
	in = appendVersioned(in, supportedBwMode)
	out, ret = c.call(CallDeviceGetNvlinkSupportedBwModes, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < supportedBwMode.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	supportedBwMode.Get(out)
	return
}

// DeviceGetNvlinkBwMode is nvmlDeviceGetNvlinkBwMode.
func (c *Client) DeviceGetNvlinkBwMode(device Device, getBwMode *NvlinkGetBwMode_v1) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(getBwMode.Sizeof()))
	in = appendVersioned(in, getBwMode)
	out, ret = c.call(CallDeviceGetNvlinkBwMode, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < getBwMode.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	getBwMode.Get(out)
	return
}

// DeviceSetNvlinkBwMode is nvmlDeviceSetNvlinkBwMode. It changes the machine, for root only.
func (c *Client) DeviceSetNvlinkBwMode(device Device, setBwMode *NvlinkSetBwMode_v1) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(setBwMode.Sizeof()))
	in = appendVersioned(in, setBwMode)
	out, ret = c.call(CallDeviceSetNvlinkBwMode, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < setBwMode.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	setBwMode.Get(out)
	return
}

// DeviceGetNvLinkInfo is nvmlDeviceGetNvLinkInfo.
func (c *Client) DeviceGetNvLinkInfo(device Device, info Versioned) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(info.Sizeof()))
	in = appendVersioned(in, info)
	out, ret = c.call(CallDeviceGetNvLinkInfo, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < info.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	info.Get(out)
	return
}

// DeviceGetNvLinkRemotePciInfo is nvmlDeviceGetNvLinkRemotePciInfo.
func (c *Client) DeviceGetNvLinkRemotePciInfo(device Device, link uint32) (pci PciInfo_v2, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(link))
	out, ret = c.call(CallDeviceGetNvLinkRemotePciInfo, in)
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

// DeviceGetMemoryAffinity is nvmlDeviceGetMemoryAffinity.
func (c *Client) DeviceGetMemoryAffinity(device Device, scope uint32) (nodeSet []uint64, ret Return) {
	var out []byte
	const nodeSetSize = 16
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(nodeSetSize))
	le.PutUint32(in[12:], uint32(scope))
	out, ret = c.call(CallDeviceGetMemoryAffinity, in)
	if ret != SUCCESS {
		return
	}
	if uint64(len(out)) < uint64(nodeSetSize)*8 {
		ret = ERROR_UNKNOWN
		return
	}
	nodeSet = make([]uint64, nodeSetSize)
	for i := range nodeSet {
		nodeSet[i] = uint64(le.Uint64(out[i*8:]))
	}
	return
}

// DeviceGetCpuAffinityWithinScope is nvmlDeviceGetCpuAffinityWithinScope.
func (c *Client) DeviceGetCpuAffinityWithinScope(device Device, scope uint32) (cpuSet []uint64, ret Return) {
	var out []byte
	const cpuSetSize = 16
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(cpuSetSize))
	le.PutUint32(in[12:], uint32(scope))
	out, ret = c.call(CallDeviceGetCpuAffinityWithinScope, in)
	if ret != SUCCESS {
		return
	}
	if uint64(len(out)) < uint64(cpuSetSize)*8 {
		ret = ERROR_UNKNOWN
		return
	}
	cpuSet = make([]uint64, cpuSetSize)
	for i := range cpuSet {
		cpuSet[i] = uint64(le.Uint64(out[i*8:]))
	}
	return
}

// DeviceGetCpuAffinity is nvmlDeviceGetCpuAffinity.
func (c *Client) DeviceGetCpuAffinity(device Device) (cpuSet []uint64, ret Return) {
	var out []byte
	const cpuSetSize = 16
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(cpuSetSize))
	out, ret = c.call(CallDeviceGetCpuAffinity, in)
	if ret != SUCCESS {
		return
	}
	if uint64(len(out)) < uint64(cpuSetSize)*8 {
		ret = ERROR_UNKNOWN
		return
	}
	cpuSet = make([]uint64, cpuSetSize)
	for i := range cpuSet {
		cpuSet[i] = uint64(le.Uint64(out[i*8:]))
	}
	return
}

// DeviceGetTopologyCommonAncestor is nvmlDeviceGetTopologyCommonAncestor.
func (c *Client) DeviceGetTopologyCommonAncestor(device1 Device, device2 Device) (pathInfo GpuTopologyLevel, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device1))
	le.PutUint64(in[8:], uint64(device2))
	out, ret = c.call(CallDeviceGetTopologyCommonAncestor, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	pathInfo = GpuTopologyLevel(le.Uint32(out[0:]))
	return
}

// DeviceGetTopologyNearestGpus is nvmlDeviceGetTopologyNearestGpus.
func (c *Client) DeviceGetTopologyNearestGpus(device Device, level GpuTopologyLevel) (deviceArray []Device, ret Return) {
	var out []byte
	count := uint32(64)
	for try := 0; ; try++ {
		in := make([]byte, 24, 24)
		le.PutUint64(in[0:], uint64(device))
		le.PutUint32(in[8:], uint32(level))
		le.PutUint32(in[12:], uint32(count))
		le.PutUint32(in[16:], uint32(1))
		out, ret = c.call(CallDeviceGetTopologyNearestGpus, in)
		room := count
		if len(out) >= 8 {
			count = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && count > room && try < retries {
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
		if uint64(len(out)) < uint64(room)*8 {
			ret = ERROR_UNKNOWN
			return
		}
		deviceArray = make([]Device, min(count, room))
		for i := range deviceArray {
			deviceArray[i] = Device(le.Uint64(out[i*8:]))
		}
		return
	}
}

// SystemGetTopologyGpuSet is nvmlSystemGetTopologyGpuSet.
func (c *Client) SystemGetTopologyGpuSet(cpuNumber uint32) (deviceArray []Device, ret Return) {
	var out []byte
	count := uint32(64)
	for try := 0; ; try++ {
		in := make([]byte, 16, 16)
		le.PutUint32(in[0:], uint32(cpuNumber))
		le.PutUint32(in[4:], uint32(count))
		le.PutUint32(in[8:], uint32(1))
		out, ret = c.call(CallSystemGetTopologyGpuSet, in)
		room := count
		if len(out) >= 8 {
			count = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && count > room && try < retries {
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
		if uint64(len(out)) < uint64(room)*8 {
			ret = ERROR_UNKNOWN
			return
		}
		deviceArray = make([]Device, min(count, room))
		for i := range deviceArray {
			deviceArray[i] = Device(le.Uint64(out[i*8:]))
		}
		return
	}
}

// DeviceGetP2PStatus is nvmlDeviceGetP2PStatus.
func (c *Client) DeviceGetP2PStatus(device1 Device, device2 Device, p2pIndex GpuP2PCapsIndex) (p2pStatus GpuP2PStatus, ret Return) {
	var out []byte
	in := make([]byte, 24, 24)
	le.PutUint64(in[0:], uint64(device1))
	le.PutUint64(in[8:], uint64(device2))
	le.PutUint32(in[16:], uint32(p2pIndex))
	out, ret = c.call(CallDeviceGetP2PStatus, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	p2pStatus = GpuP2PStatus(le.Uint32(out[0:]))
	return
}

// DeviceOnSameBoard is nvmlDeviceOnSameBoard.
func (c *Client) DeviceOnSameBoard(device1 Device, device2 Device) (onSameBoard int32, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device1))
	le.PutUint64(in[8:], uint64(device2))
	out, ret = c.call(CallDeviceOnSameBoard, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	onSameBoard = int32(le.Uint32(out[0:]))
	return
}

// DeviceGetNumaNodeId is nvmlDeviceGetNumaNodeId.
func (c *Client) DeviceGetNumaNodeId(device Device) (node uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetNumaNodeId, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	node = uint32(le.Uint32(out[0:]))
	return
}

// DeviceSetMigMode is nvmlDeviceSetMigMode. It changes the machine, for root only.
func (c *Client) DeviceSetMigMode(device Device, mode uint32) (activationStatus Return, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(mode))
	out, ret = c.call(CallDeviceSetMigMode, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	activationStatus = Return(le.Uint32(out[0:]))
	return
}

// DeviceGetMigMode is nvmlDeviceGetMigMode.
func (c *Client) DeviceGetMigMode(device Device) (currentMode uint32, pendingMode uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetMigMode, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	currentMode = uint32(le.Uint32(out[0:]))
	pendingMode = uint32(le.Uint32(out[4:]))
	return
}

// DeviceGetGpuInstanceProfileInfo is nvmlDeviceGetGpuInstanceProfileInfo.
func (c *Client) DeviceGetGpuInstanceProfileInfo(device Device, profile uint32) (info GpuInstanceProfileInfo, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(profile))
	out, ret = c.call(CallDeviceGetGpuInstanceProfileInfo, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 48 {
		ret = ERROR_UNKNOWN
		return
	}
	info.Get(out)
	return
}

// DeviceGetGpuInstanceProfileInfoV is nvmlDeviceGetGpuInstanceProfileInfoV.
func (c *Client) DeviceGetGpuInstanceProfileInfoV(device Device, profile uint32, info Versioned) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(profile))
	le.PutUint32(in[12:], uint32(info.Sizeof()))
	in = appendVersioned(in, info)
	out, ret = c.call(CallDeviceGetGpuInstanceProfileInfoV, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < info.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	info.Get(out)
	return
}

// DeviceGetGpuInstancePossiblePlacements_v2 is nvmlDeviceGetGpuInstancePossiblePlacements_v2.
func (c *Client) DeviceGetGpuInstancePossiblePlacements_v2(device Device, profileId uint32) (placements []GpuInstancePlacement, count uint32, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(profileId))
	le.PutUint32(in[12:], uint32(1))
	out, ret = c.call(CallDeviceGetGpuInstancePossiblePlacements_v2, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	count = uint32(le.Uint32(out[0:]))
	out = out[8:]
	if uint64(len(out)) < uint64(32)*8 {
		ret = ERROR_UNKNOWN
		return
	}
	placements = make([]GpuInstancePlacement, 32)
	for i := range placements {
		placements[i].Get(out[i*8:])
	}
	return
}

// DeviceGetGpuInstanceRemainingCapacity is nvmlDeviceGetGpuInstanceRemainingCapacity.
func (c *Client) DeviceGetGpuInstanceRemainingCapacity(device Device, profileId uint32) (count uint32, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(profileId))
	out, ret = c.call(CallDeviceGetGpuInstanceRemainingCapacity, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	count = uint32(le.Uint32(out[0:]))
	return
}

// DeviceCreateGpuInstance is nvmlDeviceCreateGpuInstance. It changes the machine, for root only.
func (c *Client) DeviceCreateGpuInstance(device Device, profileId uint32) (gpuInstance GpuInstance, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(profileId))
	out, ret = c.call(CallDeviceCreateGpuInstance, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	gpuInstance = GpuInstance(le.Uint64(out[0:]))
	return
}

// DeviceCreateGpuInstanceWithPlacement is nvmlDeviceCreateGpuInstanceWithPlacement. It changes the machine, for root only.
func (c *Client) DeviceCreateGpuInstanceWithPlacement(device Device, profileId uint32, placement GpuInstancePlacement) (gpuInstance GpuInstance, ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(profileId))
	in = appendStruct(in, &placement)
	out, ret = c.call(CallDeviceCreateGpuInstanceWithPlacement, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	gpuInstance = GpuInstance(le.Uint64(out[0:]))
	return
}

// GpuInstanceDestroy is nvmlGpuInstanceDestroy. It changes the machine, for root only.
func (c *Client) GpuInstanceDestroy(gpuInstance GpuInstance) (ret Return) {
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(gpuInstance))
	_, ret = c.call(CallGpuInstanceDestroy, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceGetGpuInstances is nvmlDeviceGetGpuInstances.
func (c *Client) DeviceGetGpuInstances(device Device, profileId uint32) (gpuInstances []GpuInstance, count uint32, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(profileId))
	out, ret = c.call(CallDeviceGetGpuInstances, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	count = uint32(le.Uint32(out[0:]))
	out = out[8:]
	if uint64(len(out)) < uint64(32)*8 {
		ret = ERROR_UNKNOWN
		return
	}
	gpuInstances = make([]GpuInstance, 32)
	for i := range gpuInstances {
		gpuInstances[i] = GpuInstance(le.Uint64(out[i*8:]))
	}
	return
}

// DeviceGetGpuInstanceById is nvmlDeviceGetGpuInstanceById.
func (c *Client) DeviceGetGpuInstanceById(device Device, id uint32) (gpuInstance GpuInstance, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(id))
	out, ret = c.call(CallDeviceGetGpuInstanceById, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	gpuInstance = GpuInstance(le.Uint64(out[0:]))
	return
}

// GpuInstanceGetInfo is nvmlGpuInstanceGetInfo.
func (c *Client) GpuInstanceGetInfo(gpuInstance GpuInstance) (info GpuInstanceInfo, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(gpuInstance))
	out, ret = c.call(CallGpuInstanceGetInfo, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 24 {
		ret = ERROR_UNKNOWN
		return
	}
	info.Get(out)
	return
}

// GpuInstanceGetComputeInstanceProfileInfo is nvmlGpuInstanceGetComputeInstanceProfileInfo.
func (c *Client) GpuInstanceGetComputeInstanceProfileInfo(gpuInstance GpuInstance, profile uint32, engProfile uint32) (info ComputeInstanceProfileInfo, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(gpuInstance))
	le.PutUint32(in[8:], uint32(profile))
	le.PutUint32(in[12:], uint32(engProfile))
	out, ret = c.call(CallGpuInstanceGetComputeInstanceProfileInfo, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 36 {
		ret = ERROR_UNKNOWN
		return
	}
	info.Get(out)
	return
}

// GpuInstanceGetComputeInstanceProfileInfoV is nvmlGpuInstanceGetComputeInstanceProfileInfoV.
func (c *Client) GpuInstanceGetComputeInstanceProfileInfoV(gpuInstance GpuInstance, profile uint32, engProfile uint32, info Versioned) (ret Return) {
	var out []byte
	in := make([]byte, 24, 56)
	le.PutUint64(in[0:], uint64(gpuInstance))
	le.PutUint32(in[8:], uint32(profile))
	le.PutUint32(in[12:], uint32(engProfile))
	le.PutUint32(in[16:], uint32(info.Sizeof()))
	in = appendVersioned(in, info)
	out, ret = c.call(CallGpuInstanceGetComputeInstanceProfileInfoV, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < info.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	info.Get(out)
	return
}

// GpuInstanceGetComputeInstanceRemainingCapacity is nvmlGpuInstanceGetComputeInstanceRemainingCapacity.
func (c *Client) GpuInstanceGetComputeInstanceRemainingCapacity(gpuInstance GpuInstance, profileId uint32) (count uint32, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(gpuInstance))
	le.PutUint32(in[8:], uint32(profileId))
	out, ret = c.call(CallGpuInstanceGetComputeInstanceRemainingCapacity, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	count = uint32(le.Uint32(out[0:]))
	return
}

// GpuInstanceCreateComputeInstance is nvmlGpuInstanceCreateComputeInstance. It changes the machine, for root only.
func (c *Client) GpuInstanceCreateComputeInstance(gpuInstance GpuInstance, profileId uint32) (computeInstance ComputeInstance, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(gpuInstance))
	le.PutUint32(in[8:], uint32(profileId))
	out, ret = c.call(CallGpuInstanceCreateComputeInstance, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	computeInstance = ComputeInstance(le.Uint64(out[0:]))
	return
}

// ComputeInstanceDestroy is nvmlComputeInstanceDestroy. It changes the machine, for root only.
func (c *Client) ComputeInstanceDestroy(computeInstance ComputeInstance) (ret Return) {
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(computeInstance))
	_, ret = c.call(CallComputeInstanceDestroy, in)
	if ret != SUCCESS {
		return
	}
	return
}

// GpuInstanceGetComputeInstances is nvmlGpuInstanceGetComputeInstances.
func (c *Client) GpuInstanceGetComputeInstances(gpuInstance GpuInstance, profileId uint32) (computeInstances []ComputeInstance, count uint32, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(gpuInstance))
	le.PutUint32(in[8:], uint32(profileId))
	out, ret = c.call(CallGpuInstanceGetComputeInstances, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	count = uint32(le.Uint32(out[0:]))
	out = out[8:]
	if uint64(len(out)) < uint64(32)*8 {
		ret = ERROR_UNKNOWN
		return
	}
	computeInstances = make([]ComputeInstance, 32)
	for i := range computeInstances {
		computeInstances[i] = ComputeInstance(le.Uint64(out[i*8:]))
	}
	return
}

// GpuInstanceGetComputeInstanceById is nvmlGpuInstanceGetComputeInstanceById.
func (c *Client) GpuInstanceGetComputeInstanceById(gpuInstance GpuInstance, id uint32) (computeInstance ComputeInstance, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(gpuInstance))
	le.PutUint32(in[8:], uint32(id))
	out, ret = c.call(CallGpuInstanceGetComputeInstanceById, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	computeInstance = ComputeInstance(le.Uint64(out[0:]))
	return
}

// ComputeInstanceGetInfo_v2 is nvmlComputeInstanceGetInfo_v2.
func (c *Client) ComputeInstanceGetInfo_v2(computeInstance ComputeInstance) (info ComputeInstanceInfo, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(computeInstance))
	out, ret = c.call(CallComputeInstanceGetInfo_v2, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 32 {
		ret = ERROR_UNKNOWN
		return
	}
	info.Get(out)
	return
}

// ComputeInstanceGetInfo is nvmlComputeInstanceGetInfo.
func (c *Client) ComputeInstanceGetInfo(computeInstance ComputeInstance) (info ComputeInstanceInfo, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(computeInstance))
	out, ret = c.call(CallComputeInstanceGetInfo, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 32 {
		ret = ERROR_UNKNOWN
		return
	}
	info.Get(out)
	return
}

// DeviceIsMigDeviceHandle is nvmlDeviceIsMigDeviceHandle.
func (c *Client) DeviceIsMigDeviceHandle(device Device) (isMigDevice uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceIsMigDeviceHandle, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	isMigDevice = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetGpuInstanceId is nvmlDeviceGetGpuInstanceId.
func (c *Client) DeviceGetGpuInstanceId(device Device) (id uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetGpuInstanceId, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	id = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetComputeInstanceId is nvmlDeviceGetComputeInstanceId.
func (c *Client) DeviceGetComputeInstanceId(device Device) (id uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetComputeInstanceId, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	id = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetMaxMigDeviceCount is nvmlDeviceGetMaxMigDeviceCount.
func (c *Client) DeviceGetMaxMigDeviceCount(device Device) (count uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetMaxMigDeviceCount, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	count = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetMigDeviceHandleByIndex is nvmlDeviceGetMigDeviceHandleByIndex.
func (c *Client) DeviceGetMigDeviceHandleByIndex(device Device, index uint32) (migDevice Device, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(index))
	out, ret = c.call(CallDeviceGetMigDeviceHandleByIndex, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	migDevice = Device(le.Uint64(out[0:]))
	return
}

// DeviceGetDeviceHandleFromMigDeviceHandle is nvmlDeviceGetDeviceHandleFromMigDeviceHandle.
func (c *Client) DeviceGetDeviceHandleFromMigDeviceHandle(migDevice Device) (device Device, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(migDevice))
	out, ret = c.call(CallDeviceGetDeviceHandleFromMigDeviceHandle, in)
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

// DeviceGetGpuInstancePossiblePlacements is nvmlDeviceGetGpuInstancePossiblePlacements.
func (c *Client) DeviceGetGpuInstancePossiblePlacements(device Device, profileId uint32) (placements []GpuInstancePlacement, count uint32, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(profileId))
	le.PutUint32(in[12:], uint32(1))
	out, ret = c.call(CallDeviceGetGpuInstancePossiblePlacements, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	count = uint32(le.Uint32(out[0:]))
	out = out[8:]
	if uint64(len(out)) < uint64(32)*8 {
		ret = ERROR_UNKNOWN
		return
	}
	placements = make([]GpuInstancePlacement, 32)
	for i := range placements {
		placements[i].Get(out[i*8:])
	}
	return
}

// DeviceGetGpuInstanceProfileInfoByIdV is nvmlDeviceGetGpuInstanceProfileInfoByIdV.
func (c *Client) DeviceGetGpuInstanceProfileInfoByIdV(device Device, profileId uint32, info Versioned) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(profileId))
	le.PutUint32(in[12:], uint32(info.Sizeof()))
	in = appendVersioned(in, info)
	out, ret = c.call(CallDeviceGetGpuInstanceProfileInfoByIdV, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < info.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	info.Get(out)
	return
}

// GpuInstanceCreateComputeInstanceWithPlacement is nvmlGpuInstanceCreateComputeInstanceWithPlacement. It changes the machine, for root only.
func (c *Client) GpuInstanceCreateComputeInstanceWithPlacement(gpuInstance GpuInstance, profileId uint32, placement ComputeInstancePlacement) (computeInstance ComputeInstance, ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(gpuInstance))
	le.PutUint32(in[8:], uint32(profileId))
	in = appendStruct(in, &placement)
	out, ret = c.call(CallGpuInstanceCreateComputeInstanceWithPlacement, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	computeInstance = ComputeInstance(le.Uint64(out[0:]))
	return
}

// GpmMigSampleGet is nvmlGpmMigSampleGet.
func (c *Client) GpmMigSampleGet(device Device, gpuInstanceId uint32, gpmSample GpmSample) (ret Return) {
	in := make([]byte, 24, 24)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(gpuInstanceId))
	le.PutUint64(in[16:], uint64(gpmSample))
	_, ret = c.call(CallGpmMigSampleGet, in)
	if ret != SUCCESS {
		return
	}
	return
}

// GpuInstanceGetComputeInstancePossiblePlacements is nvmlGpuInstanceGetComputeInstancePossiblePlacements.
func (c *Client) GpuInstanceGetComputeInstancePossiblePlacements(gpuInstance GpuInstance, profileId uint32) (placements []ComputeInstancePlacement, count uint32, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(gpuInstance))
	le.PutUint32(in[8:], uint32(profileId))
	le.PutUint32(in[12:], uint32(1))
	out, ret = c.call(CallGpuInstanceGetComputeInstancePossiblePlacements, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	count = uint32(le.Uint32(out[0:]))
	out = out[8:]
	if uint64(len(out)) < uint64(32)*8 {
		ret = ERROR_UNKNOWN
		return
	}
	placements = make([]ComputeInstancePlacement, 32)
	for i := range placements {
		placements[i].Get(out[i*8:])
	}
	return
}

// UnitGetCount is nvmlUnitGetCount.
func (c *Client) UnitGetCount() (unitCount uint32, ret Return) {
	var out []byte
	out, ret = c.call(CallUnitGetCount, nil)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	unitCount = uint32(le.Uint32(out[0:]))
	return
}

// UnitGetHandleByIndex is nvmlUnitGetHandleByIndex.
func (c *Client) UnitGetHandleByIndex(index uint32) (unit Unit, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(index))
	out, ret = c.call(CallUnitGetHandleByIndex, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	unit = Unit(le.Uint64(out[0:]))
	return
}

// UnitGetUnitInfo is nvmlUnitGetUnitInfo.
func (c *Client) UnitGetUnitInfo(unit Unit) (info UnitInfo, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(unit))
	out, ret = c.call(CallUnitGetUnitInfo, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 384 {
		ret = ERROR_UNKNOWN
		return
	}
	info.Get(out)
	return
}

// UnitGetLedState is nvmlUnitGetLedState.
func (c *Client) UnitGetLedState(unit Unit) (state LedState, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(unit))
	out, ret = c.call(CallUnitGetLedState, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 260 {
		ret = ERROR_UNKNOWN
		return
	}
	state.Get(out)
	return
}

// UnitGetPsuInfo is nvmlUnitGetPsuInfo.
func (c *Client) UnitGetPsuInfo(unit Unit) (psu PSUInfo, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(unit))
	out, ret = c.call(CallUnitGetPsuInfo, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 268 {
		ret = ERROR_UNKNOWN
		return
	}
	psu.Get(out)
	return
}

// UnitGetTemperature is nvmlUnitGetTemperature.
func (c *Client) UnitGetTemperature(unit Unit, type_ uint32) (temp uint32, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(unit))
	le.PutUint32(in[8:], uint32(type_))
	out, ret = c.call(CallUnitGetTemperature, in)
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

// UnitGetFanSpeedInfo is nvmlUnitGetFanSpeedInfo.
func (c *Client) UnitGetFanSpeedInfo(unit Unit) (fanSpeeds UnitFanSpeeds, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(unit))
	out, ret = c.call(CallUnitGetFanSpeedInfo, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 196 {
		ret = ERROR_UNKNOWN
		return
	}
	fanSpeeds.Get(out)
	return
}

// UnitGetDevices is nvmlUnitGetDevices.
func (c *Client) UnitGetDevices(unit Unit) (devices []Device, ret Return) {
	var out []byte
	deviceCount := uint32(16)
	for try := 0; ; try++ {
		in := make([]byte, 16, 16)
		le.PutUint64(in[0:], uint64(unit))
		le.PutUint32(in[8:], uint32(deviceCount))
		le.PutUint32(in[12:], uint32(1))
		out, ret = c.call(CallUnitGetDevices, in)
		room := deviceCount
		if len(out) >= 8 {
			deviceCount = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && deviceCount > room && try < retries {
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
		if uint64(len(out)) < uint64(room)*8 {
			ret = ERROR_UNKNOWN
			return
		}
		devices = make([]Device, min(deviceCount, room))
		for i := range devices {
			devices[i] = Device(le.Uint64(out[i*8:]))
		}
		return
	}
}

// SystemGetHicVersion is nvmlSystemGetHicVersion.
func (c *Client) SystemGetHicVersion() (hwbcEntries []HwbcEntry, ret Return) {
	var out []byte
	hwbcCount := uint32(16)
	for try := 0; ; try++ {
		in := make([]byte, 8, 8)
		le.PutUint32(in[0:], uint32(hwbcCount))
		le.PutUint32(in[4:], uint32(1))
		out, ret = c.call(CallSystemGetHicVersion, in)
		room := hwbcCount
		if len(out) >= 8 {
			hwbcCount = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && hwbcCount > room && try < retries {
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
		if uint64(len(out)) < uint64(room)*36 {
			ret = ERROR_UNKNOWN
			return
		}
		hwbcEntries = make([]HwbcEntry, min(hwbcCount, room))
		for i := range hwbcEntries {
			hwbcEntries[i].Get(out[i*36:])
		}
		return
	}
}

// UnitSetLedState is nvmlUnitSetLedState. It changes the machine, for root only.
func (c *Client) UnitSetLedState(unit Unit, color LedColor) (ret Return) {
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(unit))
	le.PutUint32(in[8:], uint32(color))
	_, ret = c.call(CallUnitSetLedState, in)
	if ret != SUCCESS {
		return
	}
	return
}

// EventSetCreate is nvmlEventSetCreate.
func (c *Client) EventSetCreate() (set EventSet, ret Return) {
	var out []byte
	out, ret = c.call(CallEventSetCreate, nil)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	set = EventSet(le.Uint64(out[0:]))
	return
}

// DeviceRegisterEvents is nvmlDeviceRegisterEvents.
func (c *Client) DeviceRegisterEvents(device Device, eventTypes uint64, set EventSet) (ret Return) {
	in := make([]byte, 24, 24)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint64(in[8:], uint64(eventTypes))
	le.PutUint64(in[16:], uint64(set))
	_, ret = c.call(CallDeviceRegisterEvents, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceGetSupportedEventTypes is nvmlDeviceGetSupportedEventTypes.
func (c *Client) DeviceGetSupportedEventTypes(device Device) (eventTypes uint64, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetSupportedEventTypes, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	eventTypes = uint64(le.Uint64(out[0:]))
	return
}

// EventSetWait_v2 is nvmlEventSetWait_v2.
func (c *Client) EventSetWait_v2(set EventSet, timeoutms uint32) (data EventData, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(set))
	le.PutUint32(in[8:], uint32(timeoutms))
	out, ret = c.call(CallEventSetWait_v2, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 32 {
		ret = ERROR_UNKNOWN
		return
	}
	data.Get(out)
	return
}

// EventSetFree is nvmlEventSetFree.
func (c *Client) EventSetFree(set EventSet) (ret Return) {
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(set))
	_, ret = c.call(CallEventSetFree, in)
	if ret != SUCCESS {
		return
	}
	return
}

// EventSetWait is nvmlEventSetWait.
func (c *Client) EventSetWait(set EventSet, timeoutms uint32) (data EventData_v1, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(set))
	le.PutUint32(in[8:], uint32(timeoutms))
	out, ret = c.call(CallEventSetWait, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 24 {
		ret = ERROR_UNKNOWN
		return
	}
	data.Get(out)
	return
}

// GpmSampleFree is nvmlGpmSampleFree.
func (c *Client) GpmSampleFree(gpmSample GpmSample) (ret Return) {
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(gpmSample))
	_, ret = c.call(CallGpmSampleFree, in)
	if ret != SUCCESS {
		return
	}
	return
}

// GpmSampleAlloc is nvmlGpmSampleAlloc.
func (c *Client) GpmSampleAlloc() (gpmSample GpmSample, ret Return) {
	var out []byte
	out, ret = c.call(CallGpmSampleAlloc, nil)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	gpmSample = GpmSample(le.Uint64(out[0:]))
	return
}

// GpmSampleGet is nvmlGpmSampleGet.
func (c *Client) GpmSampleGet(device Device, gpmSample GpmSample) (ret Return) {
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint64(in[8:], uint64(gpmSample))
	_, ret = c.call(CallGpmSampleGet, in)
	if ret != SUCCESS {
		return
	}
	return
}

// GpmQueryDeviceSupport is nvmlGpmQueryDeviceSupport.
func (c *Client) GpmQueryDeviceSupport(device Device, gpmSupport *GpmSupport) (ret Return) {
	var out []byte
	in := make([]byte, 8, 40)
	le.PutUint64(in[0:], uint64(device))
	in = appendStruct(in, gpmSupport)
	out, ret = c.call(CallGpmQueryDeviceSupport, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	gpmSupport.Get(out)
	return
}

// GpmQueryIfStreamingEnabled is nvmlGpmQueryIfStreamingEnabled.
func (c *Client) GpmQueryIfStreamingEnabled(device Device) (state uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallGpmQueryIfStreamingEnabled, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	state = uint32(le.Uint32(out[0:]))
	return
}

// GpmSetStreamingEnabled is nvmlGpmSetStreamingEnabled. It changes the machine, for root only.
func (c *Client) GpmSetStreamingEnabled(device Device, state uint32) (ret Return) {
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(state))
	_, ret = c.call(CallGpmSetStreamingEnabled, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceModifyDrainState is nvmlDeviceModifyDrainState. It changes the machine, for root only.
func (c *Client) DeviceModifyDrainState(pciInfo PciInfo, newState EnableState) (ret Return) {
	in := make([]byte, 8, 40)
	le.PutUint32(in[0:], uint32(newState))
	in = appendStruct(in, &pciInfo)
	_, ret = c.call(CallDeviceModifyDrainState, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceQueryDrainState is nvmlDeviceQueryDrainState.
func (c *Client) DeviceQueryDrainState(pciInfo PciInfo) (currentState EnableState, ret Return) {
	var out []byte
	in := make([]byte, 0, 32)
	in = appendStruct(in, &pciInfo)
	out, ret = c.call(CallDeviceQueryDrainState, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	currentState = EnableState(le.Uint32(out[0:]))
	return
}

// DeviceRemoveGpu_v2 is nvmlDeviceRemoveGpu_v2. It changes the machine, for root only.
func (c *Client) DeviceRemoveGpu_v2(pciInfo PciInfo, gpuState DetachGpuState, linkState PcieLinkState) (ret Return) {
	in := make([]byte, 8, 40)
	le.PutUint32(in[0:], uint32(gpuState))
	le.PutUint32(in[4:], uint32(linkState))
	in = appendStruct(in, &pciInfo)
	_, ret = c.call(CallDeviceRemoveGpu_v2, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceDiscoverGpus is nvmlDeviceDiscoverGpus. It changes the machine, for root only.
func (c *Client) DeviceDiscoverGpus(pciInfo PciInfo) (ret Return) {
	in := make([]byte, 0, 32)
	in = appendStruct(in, &pciInfo)
	_, ret = c.call(CallDeviceDiscoverGpus, in)
	if ret != SUCCESS {
		return
	}
	return
}

// GetExcludedDeviceCount is nvmlGetExcludedDeviceCount.
func (c *Client) GetExcludedDeviceCount() (deviceCount uint32, ret Return) {
	var out []byte
	out, ret = c.call(CallGetExcludedDeviceCount, nil)
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

// GetBlacklistDeviceCount is nvmlGetBlacklistDeviceCount.
func (c *Client) GetBlacklistDeviceCount() (deviceCount uint32, ret Return) {
	var out []byte
	out, ret = c.call(CallGetBlacklistDeviceCount, nil)
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

// GetExcludedDeviceInfoByIndex is nvmlGetExcludedDeviceInfoByIndex.
func (c *Client) GetExcludedDeviceInfoByIndex(index uint32) (info ExcludedDeviceInfo, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(index))
	out, ret = c.call(CallGetExcludedDeviceInfoByIndex, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 148 {
		ret = ERROR_UNKNOWN
		return
	}
	info.Get(out)
	return
}

// GetBlacklistDeviceInfoByIndex is nvmlGetBlacklistDeviceInfoByIndex.
func (c *Client) GetBlacklistDeviceInfoByIndex(index uint32) (info ExcludedDeviceInfo, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(index))
	out, ret = c.call(CallGetBlacklistDeviceInfoByIndex, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 148 {
		ret = ERROR_UNKNOWN
		return
	}
	info.Get(out)
	return
}

// DeviceRemoveGpu is nvmlDeviceRemoveGpu. It changes the machine, for root only.
func (c *Client) DeviceRemoveGpu(pciInfo PciInfo) (ret Return) {
	in := make([]byte, 0, 32)
	in = appendStruct(in, &pciInfo)
	_, ret = c.call(CallDeviceRemoveGpu, in)
	if ret != SUCCESS {
		return
	}
	return
}

// SystemGetConfComputeCapabilities is nvmlSystemGetConfComputeCapabilities.
func (c *Client) SystemGetConfComputeCapabilities() (capabilities ConfComputeSystemCaps, ret Return) {
	var out []byte
	out, ret = c.call(CallSystemGetConfComputeCapabilities, nil)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	capabilities.Get(out)
	return
}

// SystemGetConfComputeState is nvmlSystemGetConfComputeState.
func (c *Client) SystemGetConfComputeState() (state ConfComputeSystemState, ret Return) {
	var out []byte
	out, ret = c.call(CallSystemGetConfComputeState, nil)
	if ret != SUCCESS {
		return
	}
	if len(out) < 12 {
		ret = ERROR_UNKNOWN
		return
	}
	state.Get(out)
	return
}

// DeviceGetConfComputeMemSizeInfo is nvmlDeviceGetConfComputeMemSizeInfo.
func (c *Client) DeviceGetConfComputeMemSizeInfo(device Device) (memInfo ConfComputeMemSizeInfo, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetConfComputeMemSizeInfo, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 16 {
		ret = ERROR_UNKNOWN
		return
	}
	memInfo.Get(out)
	return
}

// SystemGetConfComputeGpusReadyState is nvmlSystemGetConfComputeGpusReadyState.
func (c *Client) SystemGetConfComputeGpusReadyState() (isAcceptingWork uint32, ret Return) {
	var out []byte
	out, ret = c.call(CallSystemGetConfComputeGpusReadyState, nil)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	isAcceptingWork = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetConfComputeProtectedMemoryUsage is nvmlDeviceGetConfComputeProtectedMemoryUsage.
func (c *Client) DeviceGetConfComputeProtectedMemoryUsage(device Device) (memory Memory, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetConfComputeProtectedMemoryUsage, in)
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

// DeviceGetConfComputeGpuCertificate is nvmlDeviceGetConfComputeGpuCertificate.
func (c *Client) DeviceGetConfComputeGpuCertificate(device Device) (gpuCert ConfComputeGpuCertificate, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetConfComputeGpuCertificate, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 9224 {
		ret = ERROR_UNKNOWN
		return
	}
	gpuCert.Get(out)
	return
}

// DeviceGetConfComputeGpuAttestationReport is nvmlDeviceGetConfComputeGpuAttestationReport.
func (c *Client) DeviceGetConfComputeGpuAttestationReport(device Device, gpuAtstReport *ConfComputeGpuAttestationReport) (ret Return) {
	var out []byte
	in := make([]byte, 8, 40)
	le.PutUint64(in[0:], uint64(device))
	in = appendStruct(in, gpuAtstReport)
	out, ret = c.call(CallDeviceGetConfComputeGpuAttestationReport, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 12332 {
		ret = ERROR_UNKNOWN
		return
	}
	gpuAtstReport.Get(out)
	return
}

// SystemGetConfComputeKeyRotationThresholdInfo is nvmlSystemGetConfComputeKeyRotationThresholdInfo.
func (c *Client) SystemGetConfComputeKeyRotationThresholdInfo(pKeyRotationThrInfo *ConfComputeGetKeyRotationThresholdInfo_v1) (ret Return) {
	var out []byte
	in := make([]byte, 8, 40)
	le.PutUint32(in[0:], uint32(pKeyRotationThrInfo.Sizeof()))
	in = appendVersioned(in, pKeyRotationThrInfo)
	out, ret = c.call(CallSystemGetConfComputeKeyRotationThresholdInfo, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < pKeyRotationThrInfo.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	pKeyRotationThrInfo.Get(out)
	return
}

// DeviceSetConfComputeUnprotectedMemSize is nvmlDeviceSetConfComputeUnprotectedMemSize. It changes the machine, for root only.
func (c *Client) DeviceSetConfComputeUnprotectedMemSize(device Device, sizeKiB uint64) (ret Return) {
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint64(in[8:], uint64(sizeKiB))
	_, ret = c.call(CallDeviceSetConfComputeUnprotectedMemSize, in)
	if ret != SUCCESS {
		return
	}
	return
}

// SystemSetConfComputeGpusReadyState is nvmlSystemSetConfComputeGpusReadyState. It changes the machine, for root only.
func (c *Client) SystemSetConfComputeGpusReadyState(isAcceptingWork uint32) (ret Return) {
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(isAcceptingWork))
	_, ret = c.call(CallSystemSetConfComputeGpusReadyState, in)
	if ret != SUCCESS {
		return
	}
	return
}

// SystemSetConfComputeKeyRotationThresholdInfo is nvmlSystemSetConfComputeKeyRotationThresholdInfo. It changes the machine, for root only.
func (c *Client) SystemSetConfComputeKeyRotationThresholdInfo(pKeyRotationThrInfo *ConfComputeSetKeyRotationThresholdInfo_v1) (ret Return) {
	var out []byte
	in := make([]byte, 8, 40)
	le.PutUint32(in[0:], uint32(pKeyRotationThrInfo.Sizeof()))
	in = appendVersioned(in, pKeyRotationThrInfo)
	out, ret = c.call(CallSystemSetConfComputeKeyRotationThresholdInfo, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < pKeyRotationThrInfo.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	pKeyRotationThrInfo.Get(out)
	return
}

// SystemGetConfComputeSettings is nvmlSystemGetConfComputeSettings.
func (c *Client) SystemGetConfComputeSettings(settings *SystemConfComputeSettings_v1) (ret Return) {
	var out []byte
	in := make([]byte, 8, 40)
	le.PutUint32(in[0:], uint32(settings.Sizeof()))
	in = appendVersioned(in, settings)
	out, ret = c.call(CallSystemGetConfComputeSettings, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < settings.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	settings.Get(out)
	return
}

// VgpuInstanceGetMdevUUID is nvmlVgpuInstanceGetMdevUUID.
func (c *Client) VgpuInstanceGetMdevUUID(vgpuInstance uint32) (mdevUuid string, ret Return) {
	var out []byte
	const size = 80
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(vgpuInstance))
	le.PutUint32(in[4:], uint32(size))
	out, ret = c.call(CallVgpuInstanceGetMdevUUID, in)
	if ret != SUCCESS {
		return
	}
	if uint64(len(out)) < uint64(size)*1 {
		ret = ERROR_UNKNOWN
		return
	}
	mdevUuid = text(out[:size])
	return
}

// DeviceGetVirtualizationMode is nvmlDeviceGetVirtualizationMode.
func (c *Client) DeviceGetVirtualizationMode(device Device) (pVirtualMode GpuVirtualizationMode, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetVirtualizationMode, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	pVirtualMode = GpuVirtualizationMode(le.Uint32(out[0:]))
	return
}

// DeviceGetHostVgpuMode is nvmlDeviceGetHostVgpuMode.
func (c *Client) DeviceGetHostVgpuMode(device Device) (pHostVgpuMode HostVgpuMode, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetHostVgpuMode, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	pHostVgpuMode = HostVgpuMode(le.Uint32(out[0:]))
	return
}

// DeviceSetVirtualizationMode is nvmlDeviceSetVirtualizationMode. It changes the machine, for root only.
func (c *Client) DeviceSetVirtualizationMode(device Device, virtualMode GpuVirtualizationMode) (ret Return) {
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(virtualMode))
	_, ret = c.call(CallDeviceSetVirtualizationMode, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceGetGridLicensableFeatures_v4 is nvmlDeviceGetGridLicensableFeatures_v4.
func (c *Client) DeviceGetGridLicensableFeatures_v4(device Device) (pGridLicensableFeatures GridLicensableFeatures, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetGridLicensableFeatures_v4, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 860 {
		ret = ERROR_UNKNOWN
		return
	}
	pGridLicensableFeatures.Get(out)
	return
}

// DeviceGetSupportedVgpus is nvmlDeviceGetSupportedVgpus.
func (c *Client) DeviceGetSupportedVgpus(device Device) (vgpuTypeIds []uint32, ret Return) {
	var out []byte
	vgpuCount := uint32(128)
	for try := 0; ; try++ {
		in := make([]byte, 16, 16)
		le.PutUint64(in[0:], uint64(device))
		le.PutUint32(in[8:], uint32(vgpuCount))
		le.PutUint32(in[12:], uint32(1))
		out, ret = c.call(CallDeviceGetSupportedVgpus, in)
		room := vgpuCount
		if len(out) >= 8 {
			vgpuCount = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && vgpuCount > room && try < retries {
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
		if uint64(len(out)) < uint64(room)*4 {
			ret = ERROR_UNKNOWN
			return
		}
		vgpuTypeIds = make([]uint32, min(vgpuCount, room))
		for i := range vgpuTypeIds {
			vgpuTypeIds[i] = uint32(le.Uint32(out[i*4:]))
		}
		return
	}
}

// DeviceGetCreatableVgpus is nvmlDeviceGetCreatableVgpus.
func (c *Client) DeviceGetCreatableVgpus(device Device) (vgpuTypeIds []uint32, ret Return) {
	var out []byte
	vgpuCount := uint32(128)
	for try := 0; ; try++ {
		in := make([]byte, 16, 16)
		le.PutUint64(in[0:], uint64(device))
		le.PutUint32(in[8:], uint32(vgpuCount))
		le.PutUint32(in[12:], uint32(1))
		out, ret = c.call(CallDeviceGetCreatableVgpus, in)
		room := vgpuCount
		if len(out) >= 8 {
			vgpuCount = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && vgpuCount > room && try < retries {
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
		if uint64(len(out)) < uint64(room)*4 {
			ret = ERROR_UNKNOWN
			return
		}
		vgpuTypeIds = make([]uint32, min(vgpuCount, room))
		for i := range vgpuTypeIds {
			vgpuTypeIds[i] = uint32(le.Uint32(out[i*4:]))
		}
		return
	}
}

// VgpuTypeGetClass is nvmlVgpuTypeGetClass.
func (c *Client) VgpuTypeGetClass(vgpuTypeId uint32) (vgpuTypeClass string, ret Return) {
	var out []byte
	size := uint32(64)
	for try := 0; ; try++ {
		in := make([]byte, 16, 16)
		le.PutUint32(in[0:], uint32(vgpuTypeId))
		le.PutUint32(in[4:], uint32(1))
		le.PutUint32(in[8:], uint32(size))
		out, ret = c.call(CallVgpuTypeGetClass, in)
		room := size
		if len(out) >= 8 {
			size = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && size > room && try < retries {
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
		if uint64(len(out)) < uint64(room)*1 {
			ret = ERROR_UNKNOWN
			return
		}
		vgpuTypeClass = text(out[:min(size, room)])
		return
	}
}

// VgpuTypeGetName is nvmlVgpuTypeGetName.
func (c *Client) VgpuTypeGetName(vgpuTypeId uint32) (vgpuTypeName string, ret Return) {
	var out []byte
	size := uint32(64)
	for try := 0; ; try++ {
		in := make([]byte, 16, 16)
		le.PutUint32(in[0:], uint32(vgpuTypeId))
		le.PutUint32(in[4:], uint32(1))
		le.PutUint32(in[8:], uint32(size))
		out, ret = c.call(CallVgpuTypeGetName, in)
		room := size
		if len(out) >= 8 {
			size = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && size > room && try < retries {
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
		if uint64(len(out)) < uint64(room)*1 {
			ret = ERROR_UNKNOWN
			return
		}
		vgpuTypeName = text(out[:min(size, room)])
		return
	}
}

// VgpuTypeGetGpuInstanceProfileId is nvmlVgpuTypeGetGpuInstanceProfileId.
func (c *Client) VgpuTypeGetGpuInstanceProfileId(vgpuTypeId uint32) (gpuInstanceProfileId uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(vgpuTypeId))
	out, ret = c.call(CallVgpuTypeGetGpuInstanceProfileId, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	gpuInstanceProfileId = uint32(le.Uint32(out[0:]))
	return
}

// VgpuTypeGetDeviceID is nvmlVgpuTypeGetDeviceID.
func (c *Client) VgpuTypeGetDeviceID(vgpuTypeId uint32) (deviceID uint64, subsystemID uint64, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(vgpuTypeId))
	out, ret = c.call(CallVgpuTypeGetDeviceID, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 16 {
		ret = ERROR_UNKNOWN
		return
	}
	deviceID = uint64(le.Uint64(out[0:]))
	subsystemID = uint64(le.Uint64(out[8:]))
	return
}

// VgpuTypeGetFramebufferSize is nvmlVgpuTypeGetFramebufferSize.
func (c *Client) VgpuTypeGetFramebufferSize(vgpuTypeId uint32) (fbSize uint64, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(vgpuTypeId))
	out, ret = c.call(CallVgpuTypeGetFramebufferSize, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	fbSize = uint64(le.Uint64(out[0:]))
	return
}

// VgpuTypeGetNumDisplayHeads is nvmlVgpuTypeGetNumDisplayHeads.
func (c *Client) VgpuTypeGetNumDisplayHeads(vgpuTypeId uint32) (numDisplayHeads uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(vgpuTypeId))
	out, ret = c.call(CallVgpuTypeGetNumDisplayHeads, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	numDisplayHeads = uint32(le.Uint32(out[0:]))
	return
}

// VgpuTypeGetResolution is nvmlVgpuTypeGetResolution.
func (c *Client) VgpuTypeGetResolution(vgpuTypeId uint32, displayIndex uint32) (xdim uint32, ydim uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(vgpuTypeId))
	le.PutUint32(in[4:], uint32(displayIndex))
	out, ret = c.call(CallVgpuTypeGetResolution, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	xdim = uint32(le.Uint32(out[0:]))
	ydim = uint32(le.Uint32(out[4:]))
	return
}

// VgpuTypeGetLicense is nvmlVgpuTypeGetLicense.
func (c *Client) VgpuTypeGetLicense(vgpuTypeId uint32) (vgpuTypeLicenseString string, ret Return) {
	var out []byte
	const size = 128
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(vgpuTypeId))
	le.PutUint32(in[4:], uint32(size))
	out, ret = c.call(CallVgpuTypeGetLicense, in)
	if ret != SUCCESS {
		return
	}
	if uint64(len(out)) < uint64(size)*1 {
		ret = ERROR_UNKNOWN
		return
	}
	vgpuTypeLicenseString = text(out[:size])
	return
}

// VgpuTypeGetFrameRateLimit is nvmlVgpuTypeGetFrameRateLimit.
func (c *Client) VgpuTypeGetFrameRateLimit(vgpuTypeId uint32) (frameRateLimit uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(vgpuTypeId))
	out, ret = c.call(CallVgpuTypeGetFrameRateLimit, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	frameRateLimit = uint32(le.Uint32(out[0:]))
	return
}

// VgpuTypeGetMaxInstances is nvmlVgpuTypeGetMaxInstances.
func (c *Client) VgpuTypeGetMaxInstances(device Device, vgpuTypeId uint32) (vgpuInstanceCount uint32, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(vgpuTypeId))
	out, ret = c.call(CallVgpuTypeGetMaxInstances, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	vgpuInstanceCount = uint32(le.Uint32(out[0:]))
	return
}

// VgpuTypeGetMaxInstancesPerVm is nvmlVgpuTypeGetMaxInstancesPerVm.
func (c *Client) VgpuTypeGetMaxInstancesPerVm(vgpuTypeId uint32) (vgpuInstanceCountPerVm uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(vgpuTypeId))
	out, ret = c.call(CallVgpuTypeGetMaxInstancesPerVm, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	vgpuInstanceCountPerVm = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetActiveVgpus is nvmlDeviceGetActiveVgpus.
func (c *Client) DeviceGetActiveVgpus(device Device) (vgpuInstances []uint32, ret Return) {
	var out []byte
	vgpuCount := uint32(64)
	for try := 0; ; try++ {
		in := make([]byte, 16, 16)
		le.PutUint64(in[0:], uint64(device))
		le.PutUint32(in[8:], uint32(vgpuCount))
		le.PutUint32(in[12:], uint32(1))
		out, ret = c.call(CallDeviceGetActiveVgpus, in)
		room := vgpuCount
		if len(out) >= 8 {
			vgpuCount = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && vgpuCount > room && try < retries {
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
		if uint64(len(out)) < uint64(room)*4 {
			ret = ERROR_UNKNOWN
			return
		}
		vgpuInstances = make([]uint32, min(vgpuCount, room))
		for i := range vgpuInstances {
			vgpuInstances[i] = uint32(le.Uint32(out[i*4:]))
		}
		return
	}
}

// VgpuInstanceGetVmID is nvmlVgpuInstanceGetVmID.
func (c *Client) VgpuInstanceGetVmID(vgpuInstance uint32) (vmId string, vmIdType VgpuVmIdType, ret Return) {
	var out []byte
	const size = 80
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(vgpuInstance))
	le.PutUint32(in[4:], uint32(size))
	out, ret = c.call(CallVgpuInstanceGetVmID, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	vmIdType = VgpuVmIdType(le.Uint32(out[0:]))
	out = out[8:]
	if uint64(len(out)) < uint64(size)*1 {
		ret = ERROR_UNKNOWN
		return
	}
	vmId = text(out[:size])
	return
}

// VgpuInstanceGetUUID is nvmlVgpuInstanceGetUUID.
func (c *Client) VgpuInstanceGetUUID(vgpuInstance uint32) (uuid string, ret Return) {
	var out []byte
	const size = 80
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(vgpuInstance))
	le.PutUint32(in[4:], uint32(size))
	out, ret = c.call(CallVgpuInstanceGetUUID, in)
	if ret != SUCCESS {
		return
	}
	if uint64(len(out)) < uint64(size)*1 {
		ret = ERROR_UNKNOWN
		return
	}
	uuid = text(out[:size])
	return
}

// VgpuInstanceGetVmDriverVersion is nvmlVgpuInstanceGetVmDriverVersion.
func (c *Client) VgpuInstanceGetVmDriverVersion(vgpuInstance uint32) (version string, ret Return) {
	var out []byte
	const length = 80
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(vgpuInstance))
	le.PutUint32(in[4:], uint32(length))
	out, ret = c.call(CallVgpuInstanceGetVmDriverVersion, in)
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

// VgpuInstanceGetFbUsage is nvmlVgpuInstanceGetFbUsage.
func (c *Client) VgpuInstanceGetFbUsage(vgpuInstance uint32) (fbUsage uint64, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(vgpuInstance))
	out, ret = c.call(CallVgpuInstanceGetFbUsage, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	fbUsage = uint64(le.Uint64(out[0:]))
	return
}

// VgpuInstanceGetLicenseStatus is nvmlVgpuInstanceGetLicenseStatus.
func (c *Client) VgpuInstanceGetLicenseStatus(vgpuInstance uint32) (licensed uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(vgpuInstance))
	out, ret = c.call(CallVgpuInstanceGetLicenseStatus, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	licensed = uint32(le.Uint32(out[0:]))
	return
}

// VgpuInstanceGetType is nvmlVgpuInstanceGetType.
func (c *Client) VgpuInstanceGetType(vgpuInstance uint32) (vgpuTypeId uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(vgpuInstance))
	out, ret = c.call(CallVgpuInstanceGetType, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	vgpuTypeId = uint32(le.Uint32(out[0:]))
	return
}

// VgpuInstanceGetFrameRateLimit is nvmlVgpuInstanceGetFrameRateLimit.
func (c *Client) VgpuInstanceGetFrameRateLimit(vgpuInstance uint32) (frameRateLimit uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(vgpuInstance))
	out, ret = c.call(CallVgpuInstanceGetFrameRateLimit, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	frameRateLimit = uint32(le.Uint32(out[0:]))
	return
}

// VgpuInstanceGetEccMode is nvmlVgpuInstanceGetEccMode.
func (c *Client) VgpuInstanceGetEccMode(vgpuInstance uint32) (eccMode EnableState, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(vgpuInstance))
	out, ret = c.call(CallVgpuInstanceGetEccMode, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	eccMode = EnableState(le.Uint32(out[0:]))
	return
}

// VgpuInstanceGetEncoderCapacity is nvmlVgpuInstanceGetEncoderCapacity.
func (c *Client) VgpuInstanceGetEncoderCapacity(vgpuInstance uint32) (encoderCapacity uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(vgpuInstance))
	out, ret = c.call(CallVgpuInstanceGetEncoderCapacity, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	encoderCapacity = uint32(le.Uint32(out[0:]))
	return
}

// VgpuInstanceSetEncoderCapacity is nvmlVgpuInstanceSetEncoderCapacity. It changes the machine, for root only.
func (c *Client) VgpuInstanceSetEncoderCapacity(vgpuInstance uint32, encoderCapacity uint32) (ret Return) {
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(vgpuInstance))
	le.PutUint32(in[4:], uint32(encoderCapacity))
	_, ret = c.call(CallVgpuInstanceSetEncoderCapacity, in)
	if ret != SUCCESS {
		return
	}
	return
}

// VgpuInstanceGetEncoderStats is nvmlVgpuInstanceGetEncoderStats.
func (c *Client) VgpuInstanceGetEncoderStats(vgpuInstance uint32) (sessionCount uint32, averageFps uint32, averageLatency uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(vgpuInstance))
	out, ret = c.call(CallVgpuInstanceGetEncoderStats, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 16 {
		ret = ERROR_UNKNOWN
		return
	}
	sessionCount = uint32(le.Uint32(out[0:]))
	averageFps = uint32(le.Uint32(out[4:]))
	averageLatency = uint32(le.Uint32(out[8:]))
	return
}

// VgpuInstanceGetEncoderSessions is nvmlVgpuInstanceGetEncoderSessions.
func (c *Client) VgpuInstanceGetEncoderSessions(vgpuInstance uint32) (sessionInfo []EncoderSessionInfo, ret Return) {
	var out []byte
	sessionCount := uint32(64)
	for try := 0; ; try++ {
		in := make([]byte, 16, 16)
		le.PutUint32(in[0:], uint32(vgpuInstance))
		le.PutUint32(in[4:], uint32(sessionCount))
		le.PutUint32(in[8:], uint32(1))
		out, ret = c.call(CallVgpuInstanceGetEncoderSessions, in)
		room := sessionCount
		if len(out) >= 8 {
			sessionCount = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && sessionCount > room && try < retries {
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
		if uint64(len(out)) < uint64(room)*32 {
			ret = ERROR_UNKNOWN
			return
		}
		sessionInfo = make([]EncoderSessionInfo, min(sessionCount, room))
		for i := range sessionInfo {
			sessionInfo[i].Get(out[i*32:])
		}
		return
	}
}

// VgpuInstanceGetFBCStats is nvmlVgpuInstanceGetFBCStats.
func (c *Client) VgpuInstanceGetFBCStats(vgpuInstance uint32) (fbcStats FBCStats, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(vgpuInstance))
	out, ret = c.call(CallVgpuInstanceGetFBCStats, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 12 {
		ret = ERROR_UNKNOWN
		return
	}
	fbcStats.Get(out)
	return
}

// VgpuInstanceGetFBCSessions is nvmlVgpuInstanceGetFBCSessions.
func (c *Client) VgpuInstanceGetFBCSessions(vgpuInstance uint32) (sessionInfo []FBCSessionInfo, ret Return) {
	var out []byte
	sessionCount := uint32(64)
	for try := 0; ; try++ {
		in := make([]byte, 16, 16)
		le.PutUint32(in[0:], uint32(vgpuInstance))
		le.PutUint32(in[4:], uint32(sessionCount))
		le.PutUint32(in[8:], uint32(1))
		out, ret = c.call(CallVgpuInstanceGetFBCSessions, in)
		room := sessionCount
		if len(out) >= 8 {
			sessionCount = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && sessionCount > room && try < retries {
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
		if uint64(len(out)) < uint64(room)*48 {
			ret = ERROR_UNKNOWN
			return
		}
		sessionInfo = make([]FBCSessionInfo, min(sessionCount, room))
		for i := range sessionInfo {
			sessionInfo[i].Get(out[i*48:])
		}
		return
	}
}

// VgpuInstanceGetGpuInstanceId is nvmlVgpuInstanceGetGpuInstanceId.
func (c *Client) VgpuInstanceGetGpuInstanceId(vgpuInstance uint32) (gpuInstanceId uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(vgpuInstance))
	out, ret = c.call(CallVgpuInstanceGetGpuInstanceId, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	gpuInstanceId = uint32(le.Uint32(out[0:]))
	return
}

// VgpuInstanceGetGpuPciId is nvmlVgpuInstanceGetGpuPciId.
func (c *Client) VgpuInstanceGetGpuPciId(vgpuInstance uint32) (vgpuPciId string, ret Return) {
	var out []byte
	length := uint32(32)
	for try := 0; ; try++ {
		in := make([]byte, 16, 16)
		le.PutUint32(in[0:], uint32(vgpuInstance))
		le.PutUint32(in[4:], uint32(1))
		le.PutUint32(in[8:], uint32(length))
		out, ret = c.call(CallVgpuInstanceGetGpuPciId, in)
		room := length
		if len(out) >= 8 {
			length = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && length > room && try < retries {
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
		if uint64(len(out)) < uint64(room)*1 {
			ret = ERROR_UNKNOWN
			return
		}
		vgpuPciId = text(out[:min(length, room)])
		return
	}
}

// VgpuTypeGetCapabilities is nvmlVgpuTypeGetCapabilities.
func (c *Client) VgpuTypeGetCapabilities(vgpuTypeId uint32, capability VgpuCapability) (capResult uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(vgpuTypeId))
	le.PutUint32(in[4:], uint32(capability))
	out, ret = c.call(CallVgpuTypeGetCapabilities, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	capResult = uint32(le.Uint32(out[0:]))
	return
}

// VgpuInstanceGetMetadata is nvmlVgpuInstanceGetMetadata.
func (c *Client) VgpuInstanceGetMetadata(vgpuInstance uint32) (vgpuMetadata []byte, ret Return) {
	var out []byte
	bufferSize := uint32(1024)
	for try := 0; ; try++ {
		in := make([]byte, 16, 16)
		le.PutUint32(in[0:], uint32(vgpuInstance))
		le.PutUint32(in[4:], uint32(1))
		le.PutUint32(in[8:], uint32(bufferSize))
		out, ret = c.call(CallVgpuInstanceGetMetadata, in)
		room := bufferSize
		if len(out) >= 8 {
			bufferSize = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && bufferSize > room && try < retries {
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
		if uint64(len(out)) < uint64(room)*1 {
			ret = ERROR_UNKNOWN
			return
		}
		vgpuMetadata = append([]byte(nil), out[:min(bufferSize, room)]...)
		return
	}
}

// DeviceGetVgpuMetadata is nvmlDeviceGetVgpuMetadata.
func (c *Client) DeviceGetVgpuMetadata(device Device) (pgpuMetadata []byte, ret Return) {
	var out []byte
	bufferSize := uint32(1024)
	for try := 0; ; try++ {
		in := make([]byte, 16, 16)
		le.PutUint64(in[0:], uint64(device))
		le.PutUint32(in[8:], uint32(1))
		le.PutUint32(in[12:], uint32(bufferSize))
		out, ret = c.call(CallDeviceGetVgpuMetadata, in)
		room := bufferSize
		if len(out) >= 8 {
			bufferSize = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && bufferSize > room && try < retries {
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
		if uint64(len(out)) < uint64(room)*1 {
			ret = ERROR_UNKNOWN
			return
		}
		pgpuMetadata = append([]byte(nil), out[:min(bufferSize, room)]...)
		return
	}
}

// GetVgpuVersion is nvmlGetVgpuVersion.
func (c *Client) GetVgpuVersion() (supported VgpuVersion, current VgpuVersion, ret Return) {
	var out []byte
	out, ret = c.call(CallGetVgpuVersion, nil)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	supported.Get(out)
	out = out[min(len(out), int(uint64(1)*8+7)&^7):]
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	current.Get(out)
	return
}

// SetVgpuVersion is nvmlSetVgpuVersion. It changes the machine, for root only.
func (c *Client) SetVgpuVersion(vgpuVersion VgpuVersion) (ret Return) {
	in := make([]byte, 0, 32)
	in = appendStruct(in, &vgpuVersion)
	_, ret = c.call(CallSetVgpuVersion, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceGetVgpuUtilization is nvmlDeviceGetVgpuUtilization.
func (c *Client) DeviceGetVgpuUtilization(device Device, lastSeenTimeStamp uint64) (sampleValType ValueType, utilizationSamples []VgpuInstanceUtilizationSample, ret Return) {
	var out []byte
	vgpuInstanceSamplesCount := uint32(64)
	for try := 0; ; try++ {
		in := make([]byte, 24, 24)
		le.PutUint64(in[0:], uint64(device))
		le.PutUint64(in[8:], uint64(lastSeenTimeStamp))
		le.PutUint32(in[16:], uint32(vgpuInstanceSamplesCount))
		le.PutUint32(in[20:], uint32(1))
		out, ret = c.call(CallDeviceGetVgpuUtilization, in)
		room := vgpuInstanceSamplesCount
		if len(out) >= 8 {
			vgpuInstanceSamplesCount = uint32(le.Uint32(out[4:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && vgpuInstanceSamplesCount > room && try < retries {
			continue
		}
		if ret != SUCCESS {
			return
		}
		if len(out) < 8 {
			ret = ERROR_UNKNOWN
			return
		}
		sampleValType = ValueType(le.Uint32(out[0:]))
		out = out[8:]
		if uint64(len(out)) < uint64(room)*48 {
			ret = ERROR_UNKNOWN
			return
		}
		utilizationSamples = make([]VgpuInstanceUtilizationSample, min(vgpuInstanceSamplesCount, room))
		for i := range utilizationSamples {
			utilizationSamples[i].Get(out[i*48:])
		}
		return
	}
}

// DeviceGetVgpuProcessUtilization is nvmlDeviceGetVgpuProcessUtilization.
func (c *Client) DeviceGetVgpuProcessUtilization(device Device, lastSeenTimeStamp uint64) (utilizationSamples []VgpuProcessUtilizationSample, ret Return) {
	var out []byte
	vgpuProcessSamplesCount := uint32(64)
	for try := 0; ; try++ {
		in := make([]byte, 24, 24)
		le.PutUint64(in[0:], uint64(device))
		le.PutUint64(in[8:], uint64(lastSeenTimeStamp))
		le.PutUint32(in[16:], uint32(vgpuProcessSamplesCount))
		le.PutUint32(in[20:], uint32(1))
		out, ret = c.call(CallDeviceGetVgpuProcessUtilization, in)
		room := vgpuProcessSamplesCount
		if len(out) >= 8 {
			vgpuProcessSamplesCount = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && vgpuProcessSamplesCount > room && try < retries {
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
		if uint64(len(out)) < uint64(room)*96 {
			ret = ERROR_UNKNOWN
			return
		}
		utilizationSamples = make([]VgpuProcessUtilizationSample, min(vgpuProcessSamplesCount, room))
		for i := range utilizationSamples {
			utilizationSamples[i].Get(out[i*96:])
		}
		return
	}
}

// VgpuInstanceGetAccountingMode is nvmlVgpuInstanceGetAccountingMode.
func (c *Client) VgpuInstanceGetAccountingMode(vgpuInstance uint32) (mode EnableState, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(vgpuInstance))
	out, ret = c.call(CallVgpuInstanceGetAccountingMode, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	mode = EnableState(le.Uint32(out[0:]))
	return
}

// VgpuInstanceGetAccountingPids is nvmlVgpuInstanceGetAccountingPids.
func (c *Client) VgpuInstanceGetAccountingPids(vgpuInstance uint32) (pids []uint32, ret Return) {
	var out []byte
	count := uint32(4096)
	for try := 0; ; try++ {
		in := make([]byte, 16, 16)
		le.PutUint32(in[0:], uint32(vgpuInstance))
		le.PutUint32(in[4:], uint32(count))
		le.PutUint32(in[8:], uint32(1))
		out, ret = c.call(CallVgpuInstanceGetAccountingPids, in)
		room := count
		if len(out) >= 8 {
			count = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && count > room && try < retries {
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
		if uint64(len(out)) < uint64(room)*4 {
			ret = ERROR_UNKNOWN
			return
		}
		pids = make([]uint32, min(count, room))
		for i := range pids {
			pids[i] = uint32(le.Uint32(out[i*4:]))
		}
		return
	}
}

// VgpuInstanceGetAccountingStats is nvmlVgpuInstanceGetAccountingStats.
func (c *Client) VgpuInstanceGetAccountingStats(vgpuInstance uint32, pid uint32) (stats AccountingStats, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(vgpuInstance))
	le.PutUint32(in[4:], uint32(pid))
	out, ret = c.call(CallVgpuInstanceGetAccountingStats, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 56 {
		ret = ERROR_UNKNOWN
		return
	}
	stats.Get(out)
	return
}

// VgpuInstanceClearAccountingPids is nvmlVgpuInstanceClearAccountingPids. It changes the machine, for root only.
func (c *Client) VgpuInstanceClearAccountingPids(vgpuInstance uint32) (ret Return) {
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(vgpuInstance))
	_, ret = c.call(CallVgpuInstanceClearAccountingPids, in)
	if ret != SUCCESS {
		return
	}
	return
}

// VgpuInstanceGetLicenseInfo_v2 is nvmlVgpuInstanceGetLicenseInfo_v2.
func (c *Client) VgpuInstanceGetLicenseInfo_v2(vgpuInstance uint32) (licenseInfo VgpuLicenseInfo, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(vgpuInstance))
	out, ret = c.call(CallVgpuInstanceGetLicenseInfo_v2, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 24 {
		ret = ERROR_UNKNOWN
		return
	}
	licenseInfo.Get(out)
	return
}

// VgpuInstanceGetLicenseInfo is nvmlVgpuInstanceGetLicenseInfo.
func (c *Client) VgpuInstanceGetLicenseInfo(vgpuInstance uint32) (licenseInfo VgpuLicenseInfo, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(vgpuInstance))
	out, ret = c.call(CallVgpuInstanceGetLicenseInfo, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 24 {
		ret = ERROR_UNKNOWN
		return
	}
	licenseInfo.Get(out)
	return
}

// DeviceGetGridLicensableFeatures is nvmlDeviceGetGridLicensableFeatures.
func (c *Client) DeviceGetGridLicensableFeatures(device Device) (pGridLicensableFeatures GridLicensableFeatures_v1, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetGridLicensableFeatures, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 416 {
		ret = ERROR_UNKNOWN
		return
	}
	pGridLicensableFeatures.Get(out)
	return
}

// DeviceGetGridLicensableFeatures_v2 is nvmlDeviceGetGridLicensableFeatures_v2.
func (c *Client) DeviceGetGridLicensableFeatures_v2(device Device) (pGridLicensableFeatures GridLicensableFeatures_v2, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetGridLicensableFeatures_v2, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 800 {
		ret = ERROR_UNKNOWN
		return
	}
	pGridLicensableFeatures.Get(out)
	return
}

// DeviceGetGridLicensableFeatures_v3 is nvmlDeviceGetGridLicensableFeatures_v3.
func (c *Client) DeviceGetGridLicensableFeatures_v3(device Device) (pGridLicensableFeatures GridLicensableFeatures_v3, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetGridLicensableFeatures_v3, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 812 {
		ret = ERROR_UNKNOWN
		return
	}
	pGridLicensableFeatures.Get(out)
	return
}

// DeviceGetVgpuHeterogeneousMode is nvmlDeviceGetVgpuHeterogeneousMode.
func (c *Client) DeviceGetVgpuHeterogeneousMode(device Device, pHeterogeneousMode *VgpuHeterogeneousMode_v1) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(pHeterogeneousMode.Sizeof()))
	in = appendVersioned(in, pHeterogeneousMode)
	out, ret = c.call(CallDeviceGetVgpuHeterogeneousMode, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < pHeterogeneousMode.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	pHeterogeneousMode.Get(out)
	return
}

// DeviceSetVgpuHeterogeneousMode is nvmlDeviceSetVgpuHeterogeneousMode. It changes the machine, for root only.
func (c *Client) DeviceSetVgpuHeterogeneousMode(device Device, pHeterogeneousMode *VgpuHeterogeneousMode_v1) (ret Return) {
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(pHeterogeneousMode.Sizeof()))
	in = appendVersioned(in, pHeterogeneousMode)
	_, ret = c.call(CallDeviceSetVgpuHeterogeneousMode, in)
	if ret != SUCCESS {
		return
	}
	return
}

// VgpuInstanceGetPlacementId is nvmlVgpuInstanceGetPlacementId.
func (c *Client) VgpuInstanceGetPlacementId(vgpuInstance uint32, pPlacement *VgpuPlacementId_v1) (ret Return) {
	var out []byte
	in := make([]byte, 8, 40)
	le.PutUint32(in[0:], uint32(vgpuInstance))
	le.PutUint32(in[4:], uint32(pPlacement.Sizeof()))
	in = appendVersioned(in, pPlacement)
	out, ret = c.call(CallVgpuInstanceGetPlacementId, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < pPlacement.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	pPlacement.Get(out)
	return
}

// VgpuTypeGetGspHeapSize is nvmlVgpuTypeGetGspHeapSize.
func (c *Client) VgpuTypeGetGspHeapSize(vgpuTypeId uint32) (gspHeapSize uint64, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(vgpuTypeId))
	out, ret = c.call(CallVgpuTypeGetGspHeapSize, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	gspHeapSize = uint64(le.Uint64(out[0:]))
	return
}

// VgpuTypeGetFbReservation is nvmlVgpuTypeGetFbReservation.
func (c *Client) VgpuTypeGetFbReservation(vgpuTypeId uint32) (fbReservation uint64, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(vgpuTypeId))
	out, ret = c.call(CallVgpuTypeGetFbReservation, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	fbReservation = uint64(le.Uint64(out[0:]))
	return
}

// VgpuInstanceGetRuntimeStateSize is nvmlVgpuInstanceGetRuntimeStateSize.
func (c *Client) VgpuInstanceGetRuntimeStateSize(vgpuInstance uint32, pState *VgpuRuntimeState_v1) (ret Return) {
	var out []byte
	in := make([]byte, 8, 40)
	le.PutUint32(in[0:], uint32(vgpuInstance))
	le.PutUint32(in[4:], uint32(pState.Sizeof()))
	in = appendVersioned(in, pState)
	out, ret = c.call(CallVgpuInstanceGetRuntimeStateSize, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < pState.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	pState.Get(out)
	return
}

// DeviceSetVgpuCapabilities is nvmlDeviceSetVgpuCapabilities. It changes the machine, for root only.
func (c *Client) DeviceSetVgpuCapabilities(device Device, capability DeviceVgpuCapability, state EnableState) (ret Return) {
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(capability))
	le.PutUint32(in[12:], uint32(state))
	_, ret = c.call(CallDeviceSetVgpuCapabilities, in)
	if ret != SUCCESS {
		return
	}
	return
}

// GetVgpuDriverCapabilities is nvmlGetVgpuDriverCapabilities.
func (c *Client) GetVgpuDriverCapabilities(capability VgpuDriverCapability) (capResult uint32, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint32(in[0:], uint32(capability))
	out, ret = c.call(CallGetVgpuDriverCapabilities, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	capResult = uint32(le.Uint32(out[0:]))
	return
}

// DeviceGetVgpuCapabilities is nvmlDeviceGetVgpuCapabilities.
func (c *Client) DeviceGetVgpuCapabilities(device Device, capability DeviceVgpuCapability) (capResult uint32, ret Return) {
	var out []byte
	in := make([]byte, 16, 16)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(capability))
	out, ret = c.call(CallDeviceGetVgpuCapabilities, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 8 {
		ret = ERROR_UNKNOWN
		return
	}
	capResult = uint32(le.Uint32(out[0:]))
	return
}

// VgpuTypeGetBAR1Info is nvmlVgpuTypeGetBAR1Info.
func (c *Client) VgpuTypeGetBAR1Info(vgpuTypeId uint32, bar1Info *VgpuTypeBar1Info_v1) (ret Return) {
	var out []byte
	in := make([]byte, 8, 40)
	le.PutUint32(in[0:], uint32(vgpuTypeId))
	le.PutUint32(in[4:], uint32(bar1Info.Sizeof()))
	in = appendVersioned(in, bar1Info)
	out, ret = c.call(CallVgpuTypeGetBAR1Info, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < bar1Info.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	bar1Info.Get(out)
	return
}

// VgpuTypeGetMaxInstancesPerGpuInstance is nvmlVgpuTypeGetMaxInstancesPerGpuInstance.
func (c *Client) VgpuTypeGetMaxInstancesPerGpuInstance(pMaxInstance *VgpuTypeMaxInstance_v1) (ret Return) {
	var out []byte
	in := make([]byte, 8, 40)
	le.PutUint32(in[0:], uint32(pMaxInstance.Sizeof()))
	in = appendVersioned(in, pMaxInstance)
	out, ret = c.call(CallVgpuTypeGetMaxInstancesPerGpuInstance, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < pMaxInstance.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	pMaxInstance.Get(out)
	return
}

// GpuInstanceSetVgpuSchedulerState is nvmlGpuInstanceSetVgpuSchedulerState. It changes the machine, for root only.
func (c *Client) GpuInstanceSetVgpuSchedulerState(gpuInstance GpuInstance, pScheduler *VgpuSchedulerState_v1) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(gpuInstance))
	le.PutUint32(in[8:], uint32(pScheduler.Sizeof()))
	in = appendVersioned(in, pScheduler)
	out, ret = c.call(CallGpuInstanceSetVgpuSchedulerState, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < pScheduler.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	pScheduler.Get(out)
	return
}

// GpuInstanceGetVgpuSchedulerState is nvmlGpuInstanceGetVgpuSchedulerState.
func (c *Client) GpuInstanceGetVgpuSchedulerState(gpuInstance GpuInstance, pSchedulerStateInfo *VgpuSchedulerStateInfo_v1) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(gpuInstance))
	le.PutUint32(in[8:], uint32(pSchedulerStateInfo.Sizeof()))
	in = appendVersioned(in, pSchedulerStateInfo)
	out, ret = c.call(CallGpuInstanceGetVgpuSchedulerState, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < pSchedulerStateInfo.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	pSchedulerStateInfo.Get(out)
	return
}

// GpuInstanceGetVgpuSchedulerLog is nvmlGpuInstanceGetVgpuSchedulerLog.
func (c *Client) GpuInstanceGetVgpuSchedulerLog(gpuInstance GpuInstance, pSchedulerLogInfo *VgpuSchedulerLogInfo_v1) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(gpuInstance))
	le.PutUint32(in[8:], uint32(pSchedulerLogInfo.Sizeof()))
	in = appendVersioned(in, pSchedulerLogInfo)
	out, ret = c.call(CallGpuInstanceGetVgpuSchedulerLog, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < pSchedulerLogInfo.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	pSchedulerLogInfo.Get(out)
	return
}

// GpuInstanceGetVgpuHeterogeneousMode is nvmlGpuInstanceGetVgpuHeterogeneousMode.
func (c *Client) GpuInstanceGetVgpuHeterogeneousMode(gpuInstance GpuInstance, pHeterogeneousMode *VgpuHeterogeneousMode_v1) (ret Return) {
	var out []byte
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(gpuInstance))
	le.PutUint32(in[8:], uint32(pHeterogeneousMode.Sizeof()))
	in = appendVersioned(in, pHeterogeneousMode)
	out, ret = c.call(CallGpuInstanceGetVgpuHeterogeneousMode, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < pHeterogeneousMode.Sizeof() {
		ret = ERROR_UNKNOWN
		return
	}
	pHeterogeneousMode.Get(out)
	return
}

// GpuInstanceSetVgpuHeterogeneousMode is nvmlGpuInstanceSetVgpuHeterogeneousMode. It changes the machine, for root only.
func (c *Client) GpuInstanceSetVgpuHeterogeneousMode(gpuInstance GpuInstance, pHeterogeneousMode *VgpuHeterogeneousMode_v1) (ret Return) {
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(gpuInstance))
	le.PutUint32(in[8:], uint32(pHeterogeneousMode.Sizeof()))
	in = appendVersioned(in, pHeterogeneousMode)
	_, ret = c.call(CallGpuInstanceSetVgpuHeterogeneousMode, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceGetVgpuSchedulerLog is nvmlDeviceGetVgpuSchedulerLog.
func (c *Client) DeviceGetVgpuSchedulerLog(device Device) (pSchedulerLog VgpuSchedulerLog, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetVgpuSchedulerLog, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 9624 {
		ret = ERROR_UNKNOWN
		return
	}
	pSchedulerLog.Get(out)
	return
}

// DeviceGetVgpuSchedulerState is nvmlDeviceGetVgpuSchedulerState.
func (c *Client) DeviceGetVgpuSchedulerState(device Device) (pSchedulerState VgpuSchedulerGetState, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetVgpuSchedulerState, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 16 {
		ret = ERROR_UNKNOWN
		return
	}
	pSchedulerState.Get(out)
	return
}

// DeviceGetVgpuSchedulerCapabilities is nvmlDeviceGetVgpuSchedulerCapabilities.
func (c *Client) DeviceGetVgpuSchedulerCapabilities(device Device) (pCapabilities VgpuSchedulerCapabilities, ret Return) {
	var out []byte
	in := make([]byte, 8, 8)
	le.PutUint64(in[0:], uint64(device))
	out, ret = c.call(CallDeviceGetVgpuSchedulerCapabilities, in)
	if ret != SUCCESS {
		return
	}
	if len(out) < 40 {
		ret = ERROR_UNKNOWN
		return
	}
	pCapabilities.Get(out)
	return
}

// DeviceSetVgpuSchedulerState is nvmlDeviceSetVgpuSchedulerState. It changes the machine, for root only.
func (c *Client) DeviceSetVgpuSchedulerState(device Device, pSchedulerState VgpuSchedulerSetState) (ret Return) {
	in := make([]byte, 8, 40)
	le.PutUint64(in[0:], uint64(device))
	in = appendStruct(in, &pSchedulerState)
	_, ret = c.call(CallDeviceSetVgpuSchedulerState, in)
	if ret != SUCCESS {
		return
	}
	return
}

// DeviceGetRunningProcessDetailList is axDeviceGetRunningProcessDetailList.
func (c *Client) DeviceGetRunningProcessDetailList(device Device, version uint32, mode uint32) (list []ProcessDetail_v1, ret Return) {
	var out []byte
	count := uint32(64)
	for try := 0; ; try++ {
		in := make([]byte, 24, 24)
		le.PutUint64(in[0:], uint64(device))
		le.PutUint32(in[8:], uint32(version))
		le.PutUint32(in[12:], uint32(mode))
		le.PutUint32(in[16:], uint32(count))
		le.PutUint32(in[20:], uint32(1))
		out, ret = c.call(CallDeviceGetRunningProcessDetailList, in)
		room := count
		if len(out) >= 8 {
			count = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && count > room && try < retries {
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
		if uint64(len(out)) < uint64(room)*32 {
			ret = ERROR_UNKNOWN
			return
		}
		list = make([]ProcessDetail_v1, min(count, room))
		for i := range list {
			list[i].Get(out[i*32:])
		}
		return
	}
}

// DeviceGetProcessesUtilizationInfo is axDeviceGetProcessesUtilizationInfo.
func (c *Client) DeviceGetProcessesUtilizationInfo(device Device, version uint32, lastSeenTimeStamp uint64) (list []ProcessUtilizationInfo_v1, ret Return) {
	var out []byte
	count := uint32(128)
	for try := 0; ; try++ {
		in := make([]byte, 32, 32)
		le.PutUint64(in[0:], uint64(device))
		le.PutUint32(in[8:], uint32(version))
		le.PutUint64(in[16:], uint64(lastSeenTimeStamp))
		le.PutUint32(in[24:], uint32(count))
		le.PutUint32(in[28:], uint32(1))
		out, ret = c.call(CallDeviceGetProcessesUtilizationInfo, in)
		room := count
		if len(out) >= 8 {
			count = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && count > room && try < retries {
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
		if uint64(len(out)) < uint64(room)*40 {
			ret = ERROR_UNKNOWN
			return
		}
		list = make([]ProcessUtilizationInfo_v1, min(count, room))
		for i := range list {
			list[i].Get(out[i*40:])
		}
		return
	}
}

// DeviceGetSramUniqueUncorrectedEccErrorCounts is axDeviceGetSramUniqueUncorrectedEccErrorCounts.
func (c *Client) DeviceGetSramUniqueUncorrectedEccErrorCounts(device Device, version uint32) (list []EccSramUniqueUncorrectedErrorEntry_v1, ret Return) {
	var out []byte
	count := uint32(128)
	for try := 0; ; try++ {
		in := make([]byte, 24, 24)
		le.PutUint64(in[0:], uint64(device))
		le.PutUint32(in[8:], uint32(version))
		le.PutUint32(in[12:], uint32(count))
		le.PutUint32(in[16:], uint32(1))
		out, ret = c.call(CallDeviceGetSramUniqueUncorrectedEccErrorCounts, in)
		room := count
		if len(out) >= 8 {
			count = uint32(le.Uint32(out[0:]))
		}
		if ret == ERROR_INSUFFICIENT_SIZE && count > room && try < retries {
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
		if uint64(len(out)) < uint64(room)*28 {
			ret = ERROR_UNKNOWN
			return
		}
		list = make([]EccSramUniqueUncorrectedErrorEntry_v1, min(count, room))
		for i := range list {
			list[i].Get(out[i*28:])
		}
		return
	}
}

// DeviceReadPRMCounters_v1 is axDeviceReadPRMCounters_v1.
func (c *Client) DeviceReadPRMCounters_v1(device Device, counters []PRMCounter_v1) (ret Return) {
	var out []byte
	count := uint32(len(counters))
	in := make([]byte, 16, 48)
	le.PutUint64(in[0:], uint64(device))
	le.PutUint32(in[8:], uint32(count))
	for i := range counters {
		in = appendRaw(in, &counters[i])
	}
	in = pad(in)
	out, ret = c.call(CallDeviceReadPRMCounters_v1, in)
	if ret != SUCCESS {
		return
	}
	if uint64(len(out)) < uint64(count)*24 {
		ret = ERROR_UNKNOWN
		return
	}
	for i := range counters {
		counters[i].Get(out[i*24:])
	}
	return
}

// GpmMetricsGet is axGpmMetricsGet.
func (c *Client) GpmMetricsGet(version uint32, sample1 GpmSample, sample2 GpmSample, metrics []GpmFigure) (ret Return) {
	var out []byte
	count := uint32(len(metrics))
	in := make([]byte, 32, 64)
	le.PutUint32(in[0:], uint32(version))
	le.PutUint64(in[8:], uint64(sample1))
	le.PutUint64(in[16:], uint64(sample2))
	le.PutUint32(in[24:], uint32(count))
	for i := range metrics {
		in = appendRaw(in, &metrics[i])
	}
	in = pad(in)
	out, ret = c.call(CallGpmMetricsGet, in)
	if ret != SUCCESS {
		return
	}
	if uint64(len(out)) < uint64(count)*208 {
		ret = ERROR_UNKNOWN
		return
	}
	for i := range metrics {
		metrics[i].Get(out[i*208:])
	}
	return
}
