// SPDX-License-Identifier: Apache-2.0
//
// The end of a green context is that of the context which stands for it: its
// name must not find the vendor's handle any more.
#include <string.h>

#include "cuda_worker.h"

CUresult axw_cuGreenCtxDestroy(struct axw_call *w)
{
	struct ax_in_cuGreenCtxDestroy in;
	void *green = NULL;
	CUcontext context = NULL;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	if (!axg_vendor.cuGreenCtxDestroy)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	if (!in.hCtx || axw_get(w->s, AXH_CUgreenCtx, in.hCtx, &green) < 0)
		return axw_own(CUDA_ERROR_INVALID_HANDLE);
	// The vendor gives the same context each time it is asked.
	if (axg_vendor.cuCtxFromGreenCtx && axg_vendor.cuCtxFromGreenCtx(&context, green) == CUDA_SUCCESS && context)
		axw_del(w->s, AXH_CUcontext, axw_name(w->s, AXH_CUcontext, context));
	axw_del(w->s, AXH_CUgreenCtx, in.hCtx);
	return axg_vendor.cuGreenCtxDestroy(green);
}
