// SPDX-License-Identifier: Apache-2.0
//
// Kernels: what a client must know of one, and its launch. A client launches
// by the name of a CUfunction or of a CUkernel, and the vendor takes either.
#include <string.h>

#include "name.h"
#include "session.h"
#include "cuda_worker.h"

#define ATTRIBUTES 16
#define PARAMETERS_MAX 65536u
#define LAUNCH_ATTRIBUTES_MAX 64u

// 0 and the handle, or -1.
static int function(struct axw_session *s, uint64_t name, unsigned *kind, void **handle)
{
	*kind = axr_name_is(name, AXH_CUkernel) ? AXH_CUkernel : AXH_CUfunction;
	return name ? axw_get(s, *kind, name, handle) : -1;
}

CUresult axw_axFunctionInfo(struct axw_call *w)
{
	struct ax_in_axFunctionInfo in;
	struct ax_out_axFunctionInfo out = { 0, 0 };
	int32_t attributes[ATTRIBUTES] = { 0 };
	unsigned kind;
	void *handle;
	CUdevice dev = 0;
	CUresult r;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	size_t fixed = sizeof out + sizeof attributes;
	if (in.room > (w->out_max - fixed) / sizeof(struct axParameter))
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	if (function(w->s, in.function, &kind, &handle) < 0)
		return axw_own(CUDA_ERROR_INVALID_HANDLE);
	if (kind == AXH_CUkernel ? !axg_vendor.cuKernelGetParamInfo || !axg_vendor.cuKernelGetAttribute
				 : !axg_vendor.cuFuncGetParamInfo || !axg_vendor.cuFuncGetAttribute)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED); // a driver before CUDA 12.4

	uint8_t *parameters = (uint8_t *)w->out + fixed;
	memset(parameters, 0, in.room * sizeof(struct axParameter));
	// The first index past the last parameter is an invalid value: that is how the count is told.
	for (;; out.count++) {
		size_t offset = 0, size = 0;
		r = kind == AXH_CUkernel ? axg_vendor.cuKernelGetParamInfo(handle, out.count, &offset, &size)
					 : axg_vendor.cuFuncGetParamInfo(handle, out.count, &offset, &size);
		if (r != CUDA_SUCCESS)
			break;
		if (out.count == PARAMETERS_MAX)
			return axw_own(CUDA_ERROR_UNKNOWN);
		struct axParameter p = { (uint32_t)offset, (uint32_t)size };
		if (out.count < in.room)
			memcpy(parameters + out.count * sizeof p, &p, sizeof p);
	}
	if (r != CUDA_ERROR_INVALID_VALUE)
		return r;
	if (kind == AXH_CUkernel && axg_vendor.cuCtxGetDevice && axg_vendor.cuCtxGetDevice(&dev) != CUDA_SUCCESS)
		dev = 0;
	for (int i = 0; i < ATTRIBUTES; i++) {
		int value = 0;
		r = kind == AXH_CUkernel ? axg_vendor.cuKernelGetAttribute(&value, (CUfunction_attribute)i, handle, dev)
					 : axg_vendor.cuFuncGetAttribute(&value, (CUfunction_attribute)i, handle);
		if (r != CUDA_SUCCESS)
			continue; // one that this driver does not have
		out.known |= 1u << i;
		attributes[i] = value;
	}
	memcpy(w->out, &out, sizeof out);
	memcpy((uint8_t *)w->out + sizeof out, attributes, sizeof attributes);
	w->out_size = fixed + in.room * sizeof(struct axParameter);
	return CUDA_SUCCESS;
}

// Handles in launch attributes are names. What holds a pointer, or may, is refused.
static CUresult attribute_translate(struct axw_session *s, CUlaunchAttribute *a)
{
	void *handle;

	switch (a->id) {
	case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT:
		if (axw_get(s, AXH_CUevent, (uint64_t)(uintptr_t)a->value.programmaticEvent.event, &handle) < 0)
			return axw_own(CUDA_ERROR_INVALID_HANDLE);
		a->value.programmaticEvent.event = handle;
		return CUDA_SUCCESS;
	case CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT:
		if (axw_get(s, AXH_CUevent, (uint64_t)(uintptr_t)a->value.launchCompletionEvent.event, &handle) < 0)
			return axw_own(CUDA_ERROR_INVALID_HANDLE);
		a->value.launchCompletionEvent.event = handle;
		return CUDA_SUCCESS;
	case CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE:
		if (a->value.deviceUpdatableKernelNode.deviceUpdatable)
			return axw_own(CUDA_ERROR_NOT_SUPPORTED); // answers with a handle, and a launch has no answer
		a->value.deviceUpdatableKernelNode.devNode = NULL;
		return CUDA_SUCCESS;
	default:
		return (unsigned)a->id <= CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING ? CUDA_SUCCESS
											  : axw_own(CUDA_ERROR_NOT_SUPPORTED);
	}
}

CUresult axw_axLaunch(struct axw_call *w)
{
	struct ax_in_axLaunch in;
	CUlaunchAttribute attributes[LAUNCH_ATTRIBUTES_MAX];
	unsigned kind;
	void *handle;
	CUstream stream;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	_Static_assert(sizeof(CUlaunchAttribute) % 8 == 0, "arrays in a frame are padded to 8 bytes");
	size_t before = in.numAttributes * sizeof(CUlaunchAttribute);
	if (in.mode > 2 || in.numAttributes > LAUNCH_ATTRIBUTES_MAX - 1 || before > w->data_size ||
	    in.paramBytes > w->data_size - before)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	if (function(w->s, in.function, &kind, &handle) < 0 || axg_get_CUstream(w->s, in.stream, &stream) != CUDA_SUCCESS)
		return axw_own(CUDA_ERROR_INVALID_HANDLE);

	// The parameters are one packed buffer: no pointers to follow, and the vendor checks its size.
	size_t bytes = in.paramBytes;
	void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, (void *)(w->data + before), CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
			  CU_LAUNCH_PARAM_END };
	void **packed = bytes ? extra : NULL;

	if (in.mode == 0 && !in.numAttributes) {
		if (!axg_vendor.cuLaunchKernel)
			return axw_own(CUDA_ERROR_NOT_SUPPORTED);
		return axg_vendor.cuLaunchKernel(handle, in.gridX, in.gridY, in.gridZ, in.blockX, in.blockY, in.blockZ,
					  in.sharedBytes, stream, NULL, packed);
	}
	if (!axg_vendor.cuLaunchKernelEx)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED); // a driver before CUDA 11.8
	memcpy(attributes, w->data, before);
	for (uint32_t i = 0; i < in.numAttributes; i++) {
		CUresult r = attribute_translate(w->s, &attributes[i]);
		if (r != CUDA_SUCCESS)
			return r;
	}
	// cuLaunchCooperativeKernel takes no packed parameters; this is the same launch.
	if (in.mode == 2) {
		CUlaunchAttribute *a = &attributes[in.numAttributes++];
		memset(a, 0, sizeof *a);
		a->id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
		a->value.cooperative = 1;
	}
	CUlaunchConfig config = {
		.gridDimX = in.gridX, .gridDimY = in.gridY, .gridDimZ = in.gridZ,
		.blockDimX = in.blockX, .blockDimY = in.blockY, .blockDimZ = in.blockZ,
		.sharedMemBytes = in.sharedBytes, .hStream = stream,
		.attrs = in.numAttributes ? attributes : NULL, .numAttrs = in.numAttributes,
	};
	return axg_vendor.cuLaunchKernelEx(&config, handle, NULL, packed);
}
