// SPDX-License-Identifier: Apache-2.0
//
// Lists of what a divided GPU has. A caller gives no number of elements that it
// has room for, only as many as there can be: no more is written than there is.
#include <string.h>

#include "call.h"

// A list's answer: how many, and an array of as many as there can be. The array is left alone where it is NULL.
static nvmlReturn_t take(struct axc_call *c, unsigned *count, void *array, size_t size)
{
	nvmlReturn_t r = axc_wait(c);
	const size_t most = 32;

	if (r == NVML_SUCCESS) {
		const struct ax_out_nvmlDeviceGetGpuInstances *out = c->out;
		if (c->out_size != sizeof *out + (array ? most * size : 0) || out->count > most) {
			r = NVML_ERROR_UNKNOWN;
		} else {
			*count = out->count;
			if (array)
				memcpy(array, out + 1, out->count * size);
		}
	}
	axc_end(c);
	return r;
}

// NAME(TYPE of, unsigned profileId, ELEMENT *list, unsigned *count), where the list must be there or may be NULL.
#define LIST(name, type, of, element, list, needs_list, has) \
	AX_EXPORT nvmlReturn_t name(type of, unsigned int profileId, element *list, unsigned int *count) \
	{ \
		struct axc_call c; \
		struct ax_in_##name *in; \
		nvmlReturn_t r = axc_ready(); \
\
		if (r) \
			return r; \
		if (!count || ((needs_list) && !list)) \
			return NVML_ERROR_INVALID_ARGUMENT; \
		if ((r = axc_begin(&c, AX_##name, sizeof *in, 0))) \
			return r; \
		in = c.in; \
		memset(in, 0, sizeof *in); \
		in->of = (uint64_t)(uintptr_t)of; \
		in->profileId = profileId; \
		has; \
		return take(&c, count, list, sizeof *list); \
	}

LIST(nvmlDeviceGetGpuInstances, nvmlDevice_t, device, nvmlGpuInstance_t, gpuInstances, 1, (void)0)
LIST(nvmlGpuInstanceGetComputeInstances, nvmlGpuInstance_t, gpuInstance, nvmlComputeInstance_t, computeInstances, 1, (void)0)
LIST(nvmlDeviceGetGpuInstancePossiblePlacements, nvmlDevice_t, device, nvmlGpuInstancePlacement_t, placements, 0,
     in->has_placements = placements != NULL)
LIST(nvmlDeviceGetGpuInstancePossiblePlacements_v2, nvmlDevice_t, device, nvmlGpuInstancePlacement_t, placements, 0,
     in->has_placements = placements != NULL)
LIST(nvmlGpuInstanceGetComputeInstancePossiblePlacements, nvmlGpuInstance_t, gpuInstance, nvmlComputeInstancePlacement_t, placements,
     0, in->has_placements = placements != NULL)
