// SPDX-License-Identifier: Apache-2.0
//
// What a device address is: attributes, with handles among them as names.
#include <string.h>

#include "session.h"
#include "cuda_worker.h"

#define SLOT 16u // bytes of the largest attribute
#define ATTRIBUTES_MAX 256u

// Puts the name where the vendor's handle is.
static void handle_to_name(struct axw_session *s, uint32_t attribute, uint8_t *value)
{
	void *handle;
	unsigned kind = attribute == CU_POINTER_ATTRIBUTE_CONTEXT ? AXH_CUcontext
			: attribute == CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE ? AXH_CUmemoryPool : 0;

	if (!kind)
		return;
	memcpy(&handle, value, sizeof handle);
	uint64_t name = axw_name(s, kind, handle);
	memcpy(value, &name, sizeof name);
}

CUresult axw_cuPointerGetAttribute(struct axw_call *w)
{
	struct ax_in_cuPointerGetAttribute in;
	uint8_t value[SLOT] = { 0 };

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	uint64_t size = axg_sizeof_CUpointer_attribute(in.attribute);
	if (size > sizeof value)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	if (in.attribute == CU_POINTER_ATTRIBUTE_P2P_TOKENS || !axg_vendor.cuPointerGetAttribute)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED); // tokens are for a kernel driver that asks the process which has the memory
	CUresult r = axg_vendor.cuPointerGetAttribute(value, (CUpointer_attribute)in.attribute, in.ptr);
	if (r != CUDA_SUCCESS)
		return r;
	handle_to_name(w->s, in.attribute, value);
	w->out_size = (size + 7) & ~(size_t)7;
	memcpy(w->out, value, w->out_size);
	return CUDA_SUCCESS;
}

CUresult axw_cuPointerGetAttributes(struct axw_call *w)
{
	struct ax_in_cuPointerGetAttributes in;
	CUpointer_attribute attributes[ATTRIBUTES_MAX];
	void *data[ATTRIBUTES_MAX];

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	if (in.numAttributes == 0 || in.numAttributes > ATTRIBUTES_MAX ||
	    in.numAttributes * sizeof(uint32_t) > w->data_size || in.numAttributes * SLOT > w->out_max)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	if (!axg_vendor.cuPointerGetAttributes)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	memset(w->out, 0, in.numAttributes * SLOT);
	for (uint32_t i = 0; i < in.numAttributes; i++) {
		uint32_t attribute;
		memcpy(&attribute, w->data + i * sizeof attribute, sizeof attribute);
		if (axg_sizeof_CUpointer_attribute(attribute) > SLOT)
			return axw_own(CUDA_ERROR_INVALID_VALUE);
		if (attribute == CU_POINTER_ATTRIBUTE_P2P_TOKENS)
			return axw_own(CUDA_ERROR_NOT_SUPPORTED);
		attributes[i] = (CUpointer_attribute)attribute;
		data[i] = (uint8_t *)w->out + i * SLOT;
	}
	CUresult r = axg_vendor.cuPointerGetAttributes(in.numAttributes, attributes, data, in.ptr);
	if (r != CUDA_SUCCESS)
		return r;
	for (uint32_t i = 0; i < in.numAttributes; i++)
		handle_to_name(w->s, (uint32_t)attributes[i], data[i]);
	w->out_size = in.numAttributes * SLOT;
	return CUDA_SUCCESS;
}
