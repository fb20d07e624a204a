// SPDX-License-Identifier: Apache-2.0
//
// What a pointer is: asked of the worker, which never follows it.
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "ranges.h"

// Managed memory is pinned memory to the worker: here the program hears what
// it asked for.
static bool managed(CUpointer_attribute attribute, CUdeviceptr ptr, unsigned *value)
{
	struct axc_range range;
	if ((attribute != CU_POINTER_ATTRIBUTE_IS_MANAGED && attribute != CU_POINTER_ATTRIBUTE_MEMORY_TYPE) ||
	    !axc_range_find(&axc_allocations, ptr, &range) || range.kind != AXC_RANGE_MANAGED)
		return false;
	*value = attribute == CU_POINTER_ATTRIBUTE_IS_MANAGED ? 1 : CU_MEMORYTYPE_DEVICE;
	return true;
}

AX_EXPORT CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr ptr)
{
	struct axc_call call;
	unsigned value;
	CUresult r = axc_ready();
	if (r)
		return r;
	uint64_t size = axg_sizeof_CUpointer_attribute((uint64_t)attribute);
	if (!data || size > 16)
		return CUDA_ERROR_INVALID_VALUE;
	if (managed(attribute, ptr, &value)) {
		memcpy(data, &value, sizeof value);
		return CUDA_SUCCESS;
	}
	if ((r = axc_begin(&call, AX_cuPointerGetAttribute, sizeof(struct ax_in_cuPointerGetAttribute), 0)))
		return r;
	*(struct ax_in_cuPointerGetAttribute *)call.in =
		(struct ax_in_cuPointerGetAttribute){.attribute = (uint32_t)attribute, .ptr = ptr};
	r = axc_wait(&call);
	if (!r && call.out_size >= size)
		memcpy(data, call.out, size);
	axc_end(&call);
	return r;
}

AX_EXPORT CUresult cuPointerGetAttributes(unsigned int numAttributes, CUpointer_attribute *attributes, void **data, CUdeviceptr ptr)
{
	struct axc_call call;
	unsigned value;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!attributes || !data || numAttributes > 1024)
		return CUDA_ERROR_INVALID_VALUE;
	for (unsigned i = 0; i < numAttributes; i++)
		if (!data[i] || axg_sizeof_CUpointer_attribute((uint64_t)attributes[i]) > 16)
			return CUDA_ERROR_INVALID_VALUE;
	size_t n = numAttributes * sizeof *attributes;
	if ((r = axc_begin(&call, AX_cuPointerGetAttributes, sizeof(struct ax_in_cuPointerGetAttributes), n)))
		return r;
	*(struct ax_in_cuPointerGetAttributes *)call.in =
		(struct ax_in_cuPointerGetAttributes){.numAttributes = numAttributes, .ptr = ptr};
	if (n)
		memcpy(call.data, attributes, n);
	r = axc_wait(&call);
	bool whole = call.out_size >= (size_t)numAttributes * 16;
	for (unsigned i = 0; !r && whole && i < numAttributes; i++) {
		if (managed(attributes[i], ptr, &value))
			memcpy(data[i], &value, sizeof value);
		else
			memcpy(data[i], (const uint8_t *)call.out + (size_t)i * 16,
			       axg_sizeof_CUpointer_attribute((uint64_t)attributes[i]));
	}
	axc_end(&call);
	return r;
}
