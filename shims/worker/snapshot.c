// SPDX-License-Identifier: Apache-2.0
//
// Fills the snapshot: everything about the devices that a client may ask, so
// that asking costs it no round trip.
#include <string.h>

#include "snapshot.h"
#include "start.h"
#include "vendor.h"

static void device(struct axon_device *d, CUdevice dev)
{
	size_t total = 0;
	unsigned int mask = 0;

	if (axv.cuDeviceGetName)
		axv.cuDeviceGetName(d->name, sizeof d->name, dev);
	if (axv.cuDeviceGetUuid)
		axv.cuDeviceGetUuid((CUuuid *)d->uuid, dev);
	if (!axv.cuDeviceGetUuid_v2 || axv.cuDeviceGetUuid_v2((CUuuid *)d->uuid_v2, dev) != CUDA_SUCCESS)
		memcpy(d->uuid_v2, d->uuid, sizeof d->uuid_v2);
	if (axv.cuDeviceGetPCIBusId)
		axv.cuDeviceGetPCIBusId(d->pci_bus_id, sizeof d->pci_bus_id, dev);
	if (axv.cuDeviceTotalMem_v2)
		axv.cuDeviceTotalMem_v2(&total, dev);
	d->total_memory = total;
	d->luid_result = axv.cuDeviceGetLuid ? (int32_t)axv.cuDeviceGetLuid((char *)d->luid, &mask, dev)
					     : CUDA_ERROR_NOT_SUPPORTED;
	d->luid_mask = mask;
	// Asking needs a context, which takes 130 ms to make: these are what every device so far has.
	d->priority_least = 0;
	d->priority_greatest = -5;
	for (int i = 0; i < AXON_ATTRIBUTES; i++)
		d->attribute_result[i] = axv.cuDeviceGetAttribute
			? (int32_t)axv.cuDeviceGetAttribute(&d->attribute[i], (CUdevice_attribute)i, dev)
			: CUDA_ERROR_NOT_SUPPORTED;
}

void axw_snapshot_fill(struct axon_snapshot *snap, CUresult init)
{
	int version = 0, count = 0;
	CUmoduleLoadingMode mode = CU_MODULE_LAZY_LOADING;

	memset(snap, 0, sizeof *snap);
	snap->init_result = (int32_t)init;
	axv.cuDriverGetVersion(&version); // answers without cuInit too
	snap->driver_version = version;
	if (init != CUDA_SUCCESS)
		return;
	if (axv.cuDeviceGetCount(&count) != CUDA_SUCCESS || count < 0)
		count = 0;
	if (count > AXON_DEVICES)
		count = AXON_DEVICES;
	if (axv.cuModuleGetLoadingMode)
		axv.cuModuleGetLoadingMode(&mode);
	snap->module_loading_mode = (int32_t)mode;
	for (int i = 0; i < count; i++) {
		CUdevice dev = i;
		if (axv.cuDeviceGet)
			axv.cuDeviceGet(&dev, i);
		device(&snap->device[i], dev);
	}
	snap->device_count = count;
}
