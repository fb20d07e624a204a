// SPDX-License-Identifier: Apache-2.0
//
// Pinned memory: pieces of the region's heap, made known to the device.
#include <string.h>

#include "session.h"
#include "cuda_worker.h"

CUresult axw_axHostRegister(struct axw_call *w)
{
	struct ax_in_axHostRegister in;
	CUdeviceptr device = 0;

	if (w->in_size < sizeof in)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(&in, w->in, sizeof in);
	void *p = (void *)(uintptr_t)in.address;
	// Read-only is the only wish that changes anything: these pages are ordinary memory, and every piece is
	// portable and mapped.
	if (!in.size || !axw_in_heap(w->s, in.address, in.size))
		return CUDA_ERROR_INVALID_VALUE;
	unsigned flags = CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP | (in.flags & CU_MEMHOSTREGISTER_READ_ONLY);
	if (!axg_vendor.cuMemHostRegister_v2 || !axg_vendor.cuMemHostUnregister || !axg_vendor.cuMemHostGetDevicePointer_v2)
		return CUDA_ERROR_NOT_SUPPORTED;
	CUresult r = axg_vendor.cuMemHostRegister_v2(p, in.size, flags);
	if (r != CUDA_SUCCESS)
		return r;
	// A program uses one address on both sides; a device that knows the memory by another one cannot serve it.
	r = axg_vendor.cuMemHostGetDevicePointer_v2(&device, p, 0);
	if (r == CUDA_SUCCESS && device == in.address)
		return CUDA_SUCCESS;
	if (r == CUDA_SUCCESS)
		axw_log(w->s, "this device maps pinned memory elsewhere: none can be had");
	axg_vendor.cuMemHostUnregister(p);
	return r == CUDA_SUCCESS ? CUDA_ERROR_NOT_SUPPORTED : r;
}

CUresult axw_axHostUnregister(struct axw_call *w)
{
	struct ax_in_axHostUnregister in;

	if (w->in_size < sizeof in)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(&in, w->in, sizeof in);
	if (!axw_in_heap(w->s, in.address, 1))
		return CUDA_ERROR_INVALID_VALUE;
	return axg_vendor.cuMemHostUnregister ? axg_vendor.cuMemHostUnregister((void *)(uintptr_t)in.address) : CUDA_ERROR_NOT_SUPPORTED;
}
