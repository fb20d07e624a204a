// SPDX-License-Identifier: Apache-2.0
//
// Fills the snapshot: everything about the devices that a client may ask, so
// that asking costs it no round trip.
#include <string.h>

#include "snapshot.h"
#include "start.h"
#include "cuda_worker.h"

static void device(struct axon_device *d, CUdevice dev)
{
	size_t total = 0;
	unsigned int mask = 0;

	if (axg_vendor.cuDeviceGetName)
		axg_vendor.cuDeviceGetName(d->name, sizeof d->name, dev);
	if (axg_vendor.cuDeviceGetUuid)
		axg_vendor.cuDeviceGetUuid((CUuuid *)d->uuid, dev);
	if (!axg_vendor.cuDeviceGetUuid_v2 || axg_vendor.cuDeviceGetUuid_v2((CUuuid *)d->uuid_v2, dev) != CUDA_SUCCESS)
		memcpy(d->uuid_v2, d->uuid, sizeof d->uuid_v2);
	if (axg_vendor.cuDeviceGetPCIBusId)
		axg_vendor.cuDeviceGetPCIBusId(d->pci_bus_id, sizeof d->pci_bus_id, dev);
	if (axg_vendor.cuDeviceTotalMem_v2)
		axg_vendor.cuDeviceTotalMem_v2(&total, dev);
	d->total_memory = total;
	d->luid_result = axg_vendor.cuDeviceGetLuid ? (int32_t)axg_vendor.cuDeviceGetLuid((char *)d->luid, &mask, dev)
					     : CUDA_ERROR_NOT_SUPPORTED;
	d->luid_mask = mask;
	// Asking needs a context, which takes 130 ms to make: these are what every device so far has.
	d->priority_least = 0;
	d->priority_greatest = -5;
	for (int i = 0; i < AXON_ATTRIBUTES; i++)
		d->attribute_result[i] = axg_vendor.cuDeviceGetAttribute
			? (int32_t)axg_vendor.cuDeviceGetAttribute(&d->attribute[i], (CUdevice_attribute)i, dev)
			: CUDA_ERROR_NOT_SUPPORTED;
}

void axw_snapshot_fill(struct axon_snapshot *snap, CUresult init)
{
	int version = 0, count = 0;
	CUmoduleLoadingMode mode = CU_MODULE_LAZY_LOADING;

	memset(snap, 0, sizeof *snap);
	snap->init_result = (int32_t)init;
	axg_vendor.cuDriverGetVersion(&version); // answers without cuInit too
	snap->driver_version = version;
	if (init != CUDA_SUCCESS)
		return;
	if (axg_vendor.cuDeviceGetCount(&count) != CUDA_SUCCESS || count < 0)
		count = 0;
	if (count > AXON_DEVICES)
		count = AXON_DEVICES;
	if (axg_vendor.cuModuleGetLoadingMode)
		axg_vendor.cuModuleGetLoadingMode(&mode);
	snap->module_loading_mode = (int32_t)mode;
	for (int i = 0; i < count; i++) {
		CUdevice dev = i;
		if (axg_vendor.cuDeviceGet)
			axg_vendor.cuDeviceGet(&dev, i);
		device(&snap->device[i], dev);
	}
	snap->device_count = count;
}
