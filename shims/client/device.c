// SPDX-License-Identifier: Apache-2.0
//
// What a program asks about devices, answered from the snapshot. Argument and
// error rules: CUDA driver API reference, "Device Management".
#include <stdio.h>
#include <string.h>

#include "call.h"
#include "device.h"
#include "session.h"
#include "stats.h"

// The surface that this library implements, whatever newer driver is behind
// it: libraries negotiate by this number for what they then call.
#define SURFACE 13000

AX_EXPORT CUresult cuInit(unsigned int Flags)
{
	AXC_HERE();
	if (Flags)
		return CUDA_ERROR_INVALID_VALUE;
	return axc_open();
}

int axc_driver_version(void)
{
	int version = axc_ready() ? SURFACE : axc.snapshot->driver_version;
	return version < SURFACE ? version : SURFACE;
}

AX_EXPORT CUresult cuDriverGetVersion(int *driverVersion)
{
	AXC_HERE();
	if (!driverVersion)
		return CUDA_ERROR_INVALID_VALUE;
	*driverVersion = axc_driver_version();
	return CUDA_SUCCESS;
}

const struct axon_device *axc_device(CUdevice dev)
{
	int n = axc.snapshot->device_count;
	return dev >= 0 && dev < n && dev < AXON_DEVICES ? &axc.snapshot->device[dev] : NULL;
}

// Not initialised, a null pointer, an unknown device: in the vendor's order.
static CUresult ask(const void *out, CUdevice dev, const struct axon_device **d)
{
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	*d = axc_device(dev);
	return *d ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

AX_EXPORT CUresult cuDeviceGetCount(int *count)
{
	AXC_HERE();
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!count)
		return CUDA_ERROR_INVALID_VALUE;
	*count = axc.snapshot->device_count;
	return CUDA_SUCCESS;
}

AX_EXPORT CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
	AXC_HERE();
	const struct axon_device *d;
	CUresult r = ask(device, ordinal, &d);
	if (!r)
		*device = ordinal;
	return r;
}

AX_EXPORT CUresult cuDeviceGetName(char *name, int len, CUdevice dev)
{
	AXC_HERE();
	const struct axon_device *d;
	CUresult r = ask(name, dev, &d);
	if (r)
		return r;
	if (len <= 0)
		return CUDA_ERROR_INVALID_VALUE;
	snprintf(name, (size_t)len, "%s", d->name);
	return CUDA_SUCCESS;
}

AX_EXPORT CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice dev)
{
	AXC_HERE();
	const struct axon_device *d;
	CUresult r = ask(uuid, dev, &d);
	if (!r)
		memcpy(uuid, d->uuid, sizeof d->uuid);
	return r;
}

AX_EXPORT CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice dev)
{
	AXC_HERE();
	const struct axon_device *d;
	CUresult r = ask(uuid, dev, &d);
	if (!r)
		memcpy(uuid, d->uuid_v2, sizeof d->uuid_v2);
	return r;
}

AX_EXPORT CUresult cuDeviceGetLuid(char *luid, unsigned int *deviceNodeMask, CUdevice dev)
{
	AXC_HERE();
	const struct axon_device *d;
	CUresult r = ask(luid, dev, &d);
	if (r)
		return r;
	if (!deviceNodeMask)
		return CUDA_ERROR_INVALID_VALUE;
	if (!d->luid_result) {
		memcpy(luid, d->luid, sizeof d->luid);
		*deviceNodeMask = d->luid_mask;
	}
	return (CUresult)d->luid_result;
}

AX_EXPORT CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice dev)
{
	AXC_HERE();
	const struct axon_device *d;
	CUresult r = ask(bytes, dev, &d);
	if (!r)
		*bytes = d->total_memory;
	return r;
}

// The first version, of 32-bit sizes.
AX_EXPORT CUresult cuDeviceTotalMem(unsigned int *bytes, CUdevice dev)
{
	AXC_HERE();
	const struct axon_device *d;
	CUresult r = ask(bytes, dev, &d);
	if (!r)
		*bytes = d->total_memory < UINT32_MAX ? (unsigned)d->total_memory : UINT32_MAX;
	return r;
}

AX_EXPORT CUresult cuDeviceGetAttribute(int *pi, CUdevice_attribute attrib, CUdevice dev)
{
	AXC_HERE();
	const struct axon_device *d;
	CUresult r = ask(pi, dev, &d);
	if (r)
		return r;
	if (attrib < 1 || (int)attrib >= AXON_ATTRIBUTES)
		return CUDA_ERROR_INVALID_VALUE;
	if (!d->attribute_result[attrib])
		*pi = d->attribute[attrib];
	return (CUresult)d->attribute_result[attrib];
}

AX_EXPORT CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice dev)
{
	AXC_HERE();
	const struct axon_device *d;
	CUresult r = ask(major, dev, &d);
	if (r)
		return r;
	if (!minor)
		return CUDA_ERROR_INVALID_VALUE;
	*major = d->attribute[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR];
	*minor = d->attribute[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR];
	return CUDA_SUCCESS;
}

AX_EXPORT CUresult cuDeviceGetProperties(CUdevprop *prop, CUdevice dev)
{
	AXC_HERE();
	const struct axon_device *d;
	CUresult r = ask(prop, dev, &d);
	if (r)
		return r;
	const int32_t *a = d->attribute;
	*prop = (CUdevprop){
		.maxThreadsPerBlock = a[CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK],
		.maxThreadsDim = {a[CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X], a[CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y],
				  a[CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z]},
		.maxGridSize = {a[CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X], a[CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y],
				a[CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z]},
		.sharedMemPerBlock = a[CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK],
		.totalConstantMemory = a[CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY],
		.SIMDWidth = a[CU_DEVICE_ATTRIBUTE_WARP_SIZE],
		.memPitch = a[CU_DEVICE_ATTRIBUTE_MAX_PITCH],
		.regsPerBlock = a[CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK],
		.clockRate = a[CU_DEVICE_ATTRIBUTE_CLOCK_RATE],
		.textureAlign = a[CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT],
	};
	return CUDA_SUCCESS;
}

AX_EXPORT CUresult cuDeviceGetPCIBusId(char *pciBusId, int len, CUdevice dev)
{
	AXC_HERE();
	const struct axon_device *d;
	CUresult r = ask(pciBusId, dev, &d);
	if (r)
		return r;
	if (len <= 0)
		return CUDA_ERROR_INVALID_VALUE;
	snprintf(pciBusId, (size_t)len, "%s", d->pci_bus_id);
	return CUDA_SUCCESS;
}

// [domain:]bus:device[.function], all hexadecimal.
static int parse_bus_id(const char *s, unsigned id[3])
{
	int end = 0;
	id[0] = 0;
	if (sscanf(s, "%x:%x:%x%n", &id[0], &id[1], &id[2], &end) == 3)
		return s[end] == 0 || s[end] == '.';
	id[0] = 0;
	return sscanf(s, "%x:%x%n", &id[1], &id[2], &end) == 2 && (s[end] == 0 || s[end] == '.');
}

AX_EXPORT CUresult cuDeviceGetByPCIBusId(CUdevice *dev, const char *pciBusId)
{
	AXC_HERE();
	CUresult r = axc_ready();
	unsigned want[3], have[3];
	if (r)
		return r;
	if (!dev || !pciBusId || !parse_bus_id(pciBusId, want))
		return CUDA_ERROR_INVALID_VALUE;
	for (int i = 0; axc_device(i); i++)
		if (parse_bus_id(axc_device(i)->pci_bus_id, have) && !memcmp(want, have, sizeof want)) {
			*dev = i;
			return CUDA_SUCCESS;
		}
	return CUDA_ERROR_INVALID_DEVICE;
}

AX_EXPORT CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode)
{
	AXC_HERE();
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!mode)
		return CUDA_ERROR_INVALID_VALUE;
	*mode = (CUmoduleLoadingMode)axc.snapshot->module_loading_mode;
	return CUDA_SUCCESS;
}
