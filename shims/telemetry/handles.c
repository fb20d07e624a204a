// SPDX-License-Identifier: Apache-2.0
//
// What a client's handles stand for. A GPU's is 1 + its index, so that it means
// the same to the next worker; what lies in a GPU has the GPU's number in its
// own. Objects of an owner's are looked up among its own (owner.c). Nothing that
// a client sends is followed.
#include <pthread.h>

#include "handles.h"

// A MIG device's: MIG_STEP * (1 + the GPU's index) + 1 + its own.
#define MIG_STEP 0x1000u

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static nvmlDevice_t gpu[AXT_GPUS]; // NULL: not asked for yet, or lost

nvmlDevice_t axt_gpu(uint64_t index)
{
	if (index >= AXT_GPUS)
		return NULL;
	pthread_mutex_lock(&lock);
	if (!gpu[index] && axg_vendor.nvmlDeviceGetHandleByIndex_v2((unsigned)index, &gpu[index]))
		gpu[index] = NULL;
	nvmlDevice_t d = gpu[index];
	pthread_mutex_unlock(&lock);
	return d;
}

int axt_gpu_index(nvmlDevice_t d)
{
	unsigned count = 0;

	if (!d || axg_vendor.nvmlDeviceGetCount_v2(&count))
		return -1;
	for (unsigned i = 0; i < count && i < AXT_GPUS; i++)
		if (axt_gpu(i) == d)
			return (int)i;
	return -1;
}

static nvmlDevice_t device(uint64_t name)
{
	if (name < MIG_STEP)
		return name ? axt_gpu(name - 1) : NULL;
	nvmlDevice_t parent = axt_gpu(name / MIG_STEP - 1), mig = NULL;
	if (!parent || name % MIG_STEP == 0 || !axg_vendor.nvmlDeviceGetMigDeviceHandleByIndex ||
	    axg_vendor.nvmlDeviceGetMigDeviceHandleByIndex(parent, (unsigned)(name % MIG_STEP - 1), &mig))
		return NULL;
	return mig;
}

static uint64_t device_name(nvmlDevice_t d)
{
	nvmlDevice_t parent = NULL, other;
	unsigned count = 0;
	int i = axt_gpu_index(d);

	if (i >= 0)
		return 1 + (uint64_t)i;
	if (!axg_vendor.nvmlDeviceGetDeviceHandleFromMigDeviceHandle || !axg_vendor.nvmlDeviceGetMigDeviceHandleByIndex ||
	    !axg_vendor.nvmlDeviceGetMaxMigDeviceCount || axg_vendor.nvmlDeviceGetDeviceHandleFromMigDeviceHandle(d, &parent) ||
	    (i = axt_gpu_index(parent)) < 0 || axg_vendor.nvmlDeviceGetMaxMigDeviceCount(parent, &count))
		return 0;
	for (unsigned m = 0; m < count && m < MIG_STEP - 1; m++)
		if (!axg_vendor.nvmlDeviceGetMigDeviceHandleByIndex(parent, m, &other) && other == d)
			return (uint64_t)MIG_STEP * (1 + (unsigned)i) + 1 + m;
	return 0;
}

bool axt_owned(unsigned kind) { return kind == AXH_nvmlEventSet_t || kind == AXH_nvmlGpmSample_t; }

void axt_free_object(unsigned kind, void *handle)
{
	if (kind == AXH_nvmlEventSet_t && axg_vendor.nvmlEventSetFree)
		axg_vendor.nvmlEventSetFree(handle);
	if (kind == AXH_nvmlGpmSample_t && axg_vendor.nvmlGpmSampleFree)
		axg_vendor.nvmlGpmSampleFree(handle);
}

int axw_get(struct axw_session *s, unsigned kind, uint64_t name, void **handle)
{
	*handle = NULL;
	switch (kind) {
	case AXH_nvmlDevice_t: *handle = device(name); break;
	case AXH_nvmlUnit_t: *handle = axt_unit(name); break;
	case AXH_nvmlGpuInstance_t: *handle = axt_gpu_instance(name); break;
	case AXH_nvmlComputeInstance_t: *handle = axt_compute_instance(name); break;
	default:
		if (!axt_owned(kind) || s->held_count == sizeof s->held / sizeof *s->held)
			break;
		struct axt_object *o = axt_object_hold(s->owner, kind, name, handle);
		if (o)
			s->held[s->held_count++] = o;
	}
	return *handle ? 0 : -1;
}

uint64_t axw_name(struct axw_session *s, unsigned kind, void *handle)
{
	switch (kind) {
	case AXH_nvmlDevice_t: return device_name(handle);
	case AXH_nvmlUnit_t: return axt_unit_name(handle);
	case AXH_nvmlGpuInstance_t: return axt_gpu_instance_name(handle);
	case AXH_nvmlComputeInstance_t: return axt_compute_instance_name(handle);
	}
	if (!axt_owned(kind))
		return 0;
	uint64_t name = axt_object_known(s->owner, kind, handle);
	if (!name && !(name = axt_object_add(s->owner, kind, handle)))
		s->full = true;
	return name;
}

void axw_del(struct axw_session *s, unsigned kind, uint64_t name)
{
	(void)name;
	if (axt_owned(kind) && s->held_count) // it is what the call was for
		axt_object_end(s->owner, s->held[0]);
}

void axt_release(struct axw_session *s)
{
	while (s->held_count)
		axt_object_release(s->held[--s->held_count]);
}
