// SPDX-License-Identifier: Apache-2.0
//
// What a pointer is: answered from what the client knows, else asked of the
// worker, which never follows it.
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "context.h"
#include "memory.h"
#include "ranges.h"
#include "session.h"

// What is asked all the time (PyTorch: for each copy that may be asynchronous)
// is answered from the ranges that the client knows. Values: driver 580.159.04.
enum answer {
	ASK,     // the worker
	HAVE,    // *value is it
	NOTHING, // there is no such memory: an error alone, zero among several
	LEAVE,   // the same, but among several the program's value is left as it is
};

static enum answer answer(CUpointer_attribute attribute, CUdeviceptr ptr, uint64_t *value)
{
	struct axc_range range;

	*value = 0;
	if (!axc_range_find(&axc_allocations, ptr, &range)) {
		if (axc_is_device(ptr) || axc_in_heap((const void *)(uintptr_t)ptr, 1))
			return ASK; // from a pool, mapped, another process's, a module's
		if (attribute == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
			*value = (uint32_t)CU_DEVICE_INVALID;
		return attribute == CU_POINTER_ATTRIBUTE_RANGE_START_ADDR || attribute == CU_POINTER_ATTRIBUTE_RANGE_SIZE ? LEAVE
															  : NOTHING;
	}
	bool host = range.kind == AXC_RANGE_PINNED;
	struct axc_context *c = axc_context_of((CUcontext)(uintptr_t)range.context);
	// Managed memory is pinned memory to the worker: the program hears what it asked for.
	if (range.kind == AXC_RANGE_MANAGED) {
		*value = attribute == CU_POINTER_ATTRIBUTE_IS_MANAGED ? 1 : CU_MEMORYTYPE_DEVICE;
		return attribute == CU_POINTER_ATTRIBUTE_IS_MANAGED || attribute == CU_POINTER_ATTRIBUTE_MEMORY_TYPE ? HAVE : ASK;
	}
	if (!c || (range.kind != AXC_RANGE_DEVICE && !host))
		return ASK;
	switch (attribute) {
	case CU_POINTER_ATTRIBUTE_CONTEXT:
		*value = range.context;
		return HAVE;
	case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
		*value = host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
		return HAVE;
	case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
		*value = ptr;
		return axc.mirrored && host ? ASK : HAVE;
	case CU_POINTER_ATTRIBUTE_HOST_POINTER:
		*value = host ? ptr : 0;
		return host ? HAVE : NOTHING;
	case CU_POINTER_ATTRIBUTE_IS_MANAGED:
		return HAVE;
	case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
		*value = (uint32_t)c->device;
		return HAVE;
	default:
		return ASK;
	}
}

AX_EXPORT CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr ptr)
{
	struct axc_call call;
	uint64_t value;
	CUresult r = axc_ready();
	if (r)
		return r;
	uint64_t size = axg_sizeof_CUpointer_attribute((uint64_t)attribute);
	if (!data || size > 16)
		return CUDA_ERROR_INVALID_VALUE;
	switch (answer(attribute, ptr, &value)) {
	case ASK:
		break;
	case HAVE:
		memcpy(data, &value, size); // little-endian: its low bytes
		return CUDA_SUCCESS;
	case NOTHING:
		if (attribute == CU_POINTER_ATTRIBUTE_HOST_POINTER && axc_is_device(ptr))
			memset(data, 0, size);
		return CUDA_ERROR_INVALID_VALUE;
	case LEAVE:
		return CUDA_ERROR_INVALID_VALUE;
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
	uint64_t value;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!attributes || !data || numAttributes > 1024)
		return CUDA_ERROR_INVALID_VALUE;
	for (unsigned i = 0; i < numAttributes; i++)
		if (!data[i] || axg_sizeof_CUpointer_attribute((uint64_t)attributes[i]) > 16)
			return CUDA_ERROR_INVALID_VALUE;
	bool ask = false;
	for (unsigned i = 0; i < numAttributes && !ask; i++)
		ask = answer(attributes[i], ptr, &value) == ASK;
	for (unsigned i = 0; i < numAttributes && !ask; i++)
		if (answer(attributes[i], ptr, &value) != LEAVE)
			memcpy(data[i], &value, axg_sizeof_CUpointer_attribute((uint64_t)attributes[i]));
	if (!ask)
		return CUDA_SUCCESS;
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
		size_t size = axg_sizeof_CUpointer_attribute((uint64_t)attributes[i]);
		if (answer(attributes[i], ptr, &value) == HAVE)
			memcpy(data[i], &value, size);
		else
			memcpy(data[i], (const uint8_t *)call.out + (size_t)i * 16, size);
	}
	axc_end(&call);
	return r;
}

// Each by the call for one: the answers are of several lengths.
AX_EXPORT CUresult cuMemRangeGetAttributes(void **data, size_t *dataSizes, CUmem_range_attribute *attributes, size_t numAttributes,
					   CUdeviceptr devPtr, size_t count)
{
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!data || !dataSizes || !attributes || !numAttributes)
		return CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; !r && i < numAttributes; i++)
		r = data[i] ? cuMemRangeGetAttribute(data[i], dataSizes[i], attributes[i], devPtr, count) : CUDA_ERROR_INVALID_VALUE;
	return r;
}
