// SPDX-License-Identifier: Apache-2.0
//
// A cooperative launch on several devices at once: one call for all, because
// their kernels wait for each other.
#include <string.h>

#include "call.h"
#include "function.h"
#include "name.h"

#define DEVICES_MAX 64u
#define PARAM_BYTES_MAX 32768u // of one kernel

static size_t padded(size_t n) { return (n + 7) & ~(size_t)7; }

static CUresult function_of(const CUDA_LAUNCH_PARAMS *l, struct axc_function **f)
{
	uint64_t name = (uint64_t)(uintptr_t)l->function;
	if (!axr_name_is(name, AXH_CUfunction) && !axr_name_is(name, AXH_CUkernel))
		return CUDA_ERROR_INVALID_HANDLE;
	CUresult r = axc_function(name, f);
	if (r)
		return r;
	if ((*f)->bytes > PARAM_BYTES_MAX || ((*f)->params && !l->kernelParams))
		return CUDA_ERROR_INVALID_VALUE;
	for (uint32_t i = 0; i < (*f)->params; i++)
		if (!l->kernelParams[i])
			return CUDA_ERROR_INVALID_VALUE;
	return CUDA_SUCCESS;
}

AX_EXPORT CUresult cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS *launchParamsList, unsigned int numDevices, unsigned int flags)
{
	struct axc_call call;
	struct axc_function *f[DEVICES_MAX];
	size_t bytes = 0, launches = numDevices * sizeof(struct axDeviceLaunch);
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!launchParamsList || !numDevices || numDevices > DEVICES_MAX)
		return CUDA_ERROR_INVALID_VALUE;
	// All functions first: to know one is a call of its own.
	for (unsigned i = 0; i < numDevices; i++) {
		if ((r = function_of(&launchParamsList[i], &f[i])))
			return r;
		bytes += padded(f[i]->bytes);
	}
	if ((r = axc_begin(&call, AX_axLaunchDevices, sizeof(struct ax_in_axLaunchDevices), launches + bytes)))
		return r;
	*(struct ax_in_axLaunchDevices *)call.in =
		(struct ax_in_axLaunchDevices){.flags = flags, .count = numDevices, .paramBytes = (uint32_t)bytes};
	uint8_t *params = (uint8_t *)call.data + launches;
	memset(params, 0, bytes);
	for (unsigned i = 0, at = 0; i < numDevices; i++) {
		const CUDA_LAUNCH_PARAMS *l = &launchParamsList[i];
		const struct axDeviceLaunch one = {.function = (uint64_t)(uintptr_t)l->function, .stream = (uint64_t)(uintptr_t)l->hStream,
						   .gridX = l->gridDimX, .gridY = l->gridDimY, .gridZ = l->gridDimZ,
						   .blockX = l->blockDimX, .blockY = l->blockDimY, .blockZ = l->blockDimZ,
						   .sharedBytes = l->sharedMemBytes, .params = at};
		memcpy((uint8_t *)call.data + i * sizeof one, &one, sizeof one);
		for (uint32_t k = 0; k < f[i]->params; k++)
			memcpy(params + at + f[i]->param[k].offset, l->kernelParams[k], f[i]->param[k].size);
		at += (unsigned)padded(f[i]->bytes);
	}
	r = axc_wait(&call);
	axc_end(&call);
	return r;
}
