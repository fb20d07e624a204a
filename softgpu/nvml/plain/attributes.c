/* SPDX-License-Identifier: Apache-2.0
 *
 * What of a GPU's state a software GPU has an answer to.
 */
#include <stdio.h>
#include <string.h>

#include "plain.h"

#define BUS 0xf0

#define SAYS(name, type, value) \
	static nvmlReturn_t plain_##name(nvmlDevice_t device, type *out) \
	{ \
		(void)device; \
		*out = value; \
		return NVML_SUCCESS; \
	}

SAYS(nvmlDeviceGetBrand, nvmlBrandType_t, NVML_BRAND_UNKNOWN)
SAYS(nvmlDeviceGetMinorNumber, unsigned, (unsigned)plain_index(device))
SAYS(nvmlDeviceGetDisplayMode, nvmlEnableState_t, NVML_FEATURE_DISABLED)
SAYS(nvmlDeviceGetDisplayActive, nvmlEnableState_t, NVML_FEATURE_DISABLED)
SAYS(nvmlDeviceGetPersistenceMode, nvmlEnableState_t, NVML_FEATURE_DISABLED)
SAYS(nvmlDeviceGetComputeMode, nvmlComputeMode_t, NVML_COMPUTEMODE_DEFAULT)
SAYS(nvmlDeviceGetAccountingMode, nvmlEnableState_t, NVML_FEATURE_DISABLED)
SAYS(nvmlDeviceGetVirtualizationMode, nvmlGpuVirtualizationMode_t, NVML_GPU_VIRTUALIZATION_MODE_NONE)
SAYS(nvmlDeviceGetMultiGpuBoard, unsigned, 0)
SAYS(nvmlDeviceGetMemoryBusWidth, unsigned, 64)
SAYS(nvmlDeviceGetArchitecture, nvmlDeviceArchitecture_t, NVML_DEVICE_ARCH_UNKNOWN)
SAYS(nvmlDeviceIsMigDeviceHandle, unsigned, 0)
SAYS(nvmlDeviceGetMaxMigDeviceCount, unsigned, 0)
SAYS(nvmlDeviceGetSupportedEventTypes, unsigned long long, 0)

static nvmlReturn_t plain_nvmlUnitGetCount(unsigned *count)
{
	*count = 0;
	return NVML_SUCCESS;
}

static nvmlReturn_t plain_nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int *major, int *minor)
{
	(void)device;
	*major = 7;
	*minor = 5;
	return NVML_SUCCESS;
}

static nvmlReturn_t plain_nvmlDeviceOnSameBoard(nvmlDevice_t a, nvmlDevice_t b, int *same)
{
	*same = a == b;
	return NVML_SUCCESS;
}

static nvmlReturn_t plain_nvmlDeviceGetTopologyCommonAncestor(nvmlDevice_t a, nvmlDevice_t b, nvmlGpuTopologyLevel_t *path)
{
	*path = a == b ? NVML_TOPOLOGY_INTERNAL : NVML_TOPOLOGY_SYSTEM;
	return NVML_SUCCESS;
}

static nvmlReturn_t plain_nvmlDeviceGetPciInfo_v2(nvmlDevice_t device, nvmlPciInfo_v2_t *pci)
{
	memset(pci, 0, sizeof *pci);
	pci->bus = BUS;
	pci->device = (unsigned)plain_index(device);
	snprintf(pci->busId, sizeof pci->busId, "0000:%02X:%02X.0", BUS, pci->device & 0xff);
	return NVML_SUCCESS;
}
#define plain_nvmlDeviceGetPciInfo plain_nvmlDeviceGetPciInfo_v2

static nvmlReturn_t plain_nvmlDeviceGetPciInfoExt(nvmlDevice_t device, nvmlPciInfoExt_v1_t *pci)
{
	unsigned unit = (unsigned)plain_index(device) & 0xff;

	if (pci->version != (sizeof *pci | 1u << 24))
		return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
	*pci = (nvmlPciInfoExt_v1_t){ .version = pci->version, .bus = BUS, .device = unit, .baseClass = 3, .subClass = 2 };
	snprintf(pci->busId, sizeof pci->busId, "00000000:%02X:%02X.0", BUS, unit);
	return NVML_SUCCESS;
}

const struct plain_function plain_attributes[] = {
	PLAIN(nvmlDeviceGetBrand), PLAIN(nvmlDeviceGetMinorNumber), PLAIN(nvmlDeviceGetDisplayMode), PLAIN(nvmlDeviceGetDisplayActive),
	PLAIN(nvmlDeviceGetPersistenceMode), PLAIN(nvmlDeviceGetComputeMode), PLAIN(nvmlDeviceGetAccountingMode),
	PLAIN(nvmlDeviceGetVirtualizationMode), PLAIN(nvmlDeviceGetMultiGpuBoard), PLAIN(nvmlDeviceGetMemoryBusWidth),
	PLAIN(nvmlDeviceGetArchitecture), PLAIN(nvmlDeviceIsMigDeviceHandle), PLAIN(nvmlDeviceGetMaxMigDeviceCount),
	PLAIN(nvmlDeviceGetSupportedEventTypes), PLAIN(nvmlUnitGetCount), PLAIN(nvmlDeviceGetCudaComputeCapability),
	PLAIN(nvmlDeviceOnSameBoard), PLAIN(nvmlDeviceGetTopologyCommonAncestor), PLAIN(nvmlDeviceGetPciInfo_v2),
	PLAIN(nvmlDeviceGetPciInfo), PLAIN(nvmlDeviceGetPciInfoExt), { NULL, NULL },
};
