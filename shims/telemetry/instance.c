// SPDX-License-Identifier: Apache-2.0
//
// GPU instances and compute instances of MIG. A GPU instance's handle is the GPU's number, then 1 + its id, 16 bits each;
// a compute instance's has 16 bits more, likewise.
#include "handles.h"

nvmlGpuInstance_t axt_gpu_instance(uint64_t name)
{
	nvmlDevice_t d = name >> 16 <= AXT_GPUS && name >> 16 ? axt_gpu((name >> 16) - 1) : NULL;
	nvmlGpuInstance_t g = NULL;

	if (!d || !(name & 0xffff) || !axg_vendor.nvmlDeviceGetGpuInstanceById ||
	    axg_vendor.nvmlDeviceGetGpuInstanceById(d, (unsigned)(name & 0xffff) - 1, &g))
		return NULL;
	return g;
}

uint64_t axt_gpu_instance_name(nvmlGpuInstance_t g)
{
	nvmlGpuInstanceInfo_t info;

	if (!axg_vendor.nvmlGpuInstanceGetInfo || axg_vendor.nvmlGpuInstanceGetInfo(g, &info))
		return 0;
	int i = axt_gpu_index(info.device);
	return i < 0 || info.id >= 0xffff ? 0 : (uint64_t)(1 + i) << 16 | (1 + info.id);
}

nvmlComputeInstance_t axt_compute_instance(uint64_t name)
{
	nvmlGpuInstance_t g = axt_gpu_instance(name >> 16);
	nvmlComputeInstance_t c = NULL;

	if (!g || !(name & 0xffff) || !axg_vendor.nvmlGpuInstanceGetComputeInstanceById ||
	    axg_vendor.nvmlGpuInstanceGetComputeInstanceById(g, (unsigned)(name & 0xffff) - 1, &c))
		return NULL;
	return c;
}

uint64_t axt_compute_instance_name(nvmlComputeInstance_t c)
{
	nvmlComputeInstanceInfo_t info;

	if (!axg_vendor.nvmlComputeInstanceGetInfo_v2 || axg_vendor.nvmlComputeInstanceGetInfo_v2(c, &info))
		return 0;
	uint64_t g = axt_gpu_instance_name(info.gpuInstance);
	return !g || info.id >= 0xffff ? 0 : g << 16 | (1 + info.id);
}
