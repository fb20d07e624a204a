// SPDX-License-Identifier: Apache-2.0
//
// A cooperative launch on several devices. The vendor takes a pointer for each
// parameter here, and reads as many bytes behind it as it knows the parameter to
// have: its own word decides whether they are there.
#include <stdlib.h>
#include <string.h>

#include "cuda_worker.h"
#include "name.h"
#include "session.h"

#define DEVICES_MAX 64u
#define PARAMETERS_MAX 4096u
#define BYTES_MAX (DEVICES_MAX * 32768u)

// The places of a function's parameters among `bytes` at base; *places is the caller's to free.
static CUresult places_of(unsigned kind, void *handle, uint8_t *base, size_t bytes, void ***places)
{
	CUresult r;
	size_t count = 0;

	if (kind == AXH_CUkernel ? !axg_vendor.cuKernelGetParamInfo : !axg_vendor.cuFuncGetParamInfo)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED); // a driver before CUDA 12.4
	if (!(*places = calloc(PARAMETERS_MAX + 1, sizeof **places)))
		return axw_own(CUDA_ERROR_OUT_OF_MEMORY);
	for (;; count++) {
		size_t offset = 0, size = 0;
		r = kind == AXH_CUkernel ? axg_vendor.cuKernelGetParamInfo(handle, count, &offset, &size)
					 : axg_vendor.cuFuncGetParamInfo(handle, count, &offset, &size);
		if (r != CUDA_SUCCESS)
			break;
		if (count == PARAMETERS_MAX || offset > bytes || size > bytes - offset)
			return axw_own(CUDA_ERROR_INVALID_VALUE);
		(*places)[count] = base + offset;
	}
	return r == CUDA_ERROR_INVALID_VALUE ? CUDA_SUCCESS : r; // the first index past the last parameter
}

// One launch, as the vendor takes it.
static CUresult ready(struct axw_session *s, const struct axDeviceLaunch *one, uint8_t *params, size_t end, CUDA_LAUNCH_PARAMS *l)
{
	unsigned kind = axr_name_is(one->function, AXH_CUkernel) ? AXH_CUkernel : AXH_CUfunction;
	void *handle;
	CUstream stream;

	if (one->params > end)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	if (!one->function || axw_get(s, kind, one->function, &handle) < 0 || axg_get_CUstream(s, one->stream, &stream) != CUDA_SUCCESS)
		return axw_own(CUDA_ERROR_INVALID_HANDLE);
	*l = (CUDA_LAUNCH_PARAMS){
		.function = handle, .gridDimX = one->gridX, .gridDimY = one->gridY, .gridDimZ = one->gridZ,
		.blockDimX = one->blockX, .blockDimY = one->blockY, .blockDimZ = one->blockZ,
		.sharedMemBytes = one->sharedBytes, .hStream = stream,
	};
	return places_of(kind, handle, params + one->params, end - one->params, &l->kernelParams);
}

CUresult axw_axLaunchDevices(struct axw_call *w)
{
	struct ax_in_axLaunchDevices in;
	struct axDeviceLaunch launches[DEVICES_MAX];
	CUDA_LAUNCH_PARAMS list[DEVICES_MAX];
	CUresult r = CUDA_SUCCESS;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	if (!axg_vendor.cuLaunchCooperativeKernelMultiDevice)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	if (!in.count || in.count > DEVICES_MAX || in.paramBytes > BYTES_MAX ||
	    in.count * sizeof *launches + in.paramBytes > w->data_size)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	// A copy that the client cannot reach: what was checked is what is used.
	uint8_t *params = malloc((size_t)in.paramBytes + 1);
	if (!params)
		return axw_own(CUDA_ERROR_OUT_OF_MEMORY);
	memcpy(launches, w->data, in.count * sizeof *launches);
	memcpy(params, w->data + in.count * sizeof *launches, in.paramBytes);
	memset(list, 0, sizeof list);
	for (uint32_t i = 0; r == CUDA_SUCCESS && i < in.count; i++)
		if (launches[i].params > in.paramBytes)
			r = axw_own(CUDA_ERROR_INVALID_VALUE);
	for (uint32_t i = 0; r == CUDA_SUCCESS && i < in.count; i++)
		r = ready(w->s, &launches[i], params, i + 1 < in.count ? launches[i + 1].params : in.paramBytes, &list[i]);
	if (r == CUDA_SUCCESS)
		r = axg_vendor.cuLaunchCooperativeKernelMultiDevice(list, in.count, in.flags);
	for (uint32_t i = 0; i < in.count; i++)
		free(list[i].kernelParams);
	free(params);
	return r;
}
