// SPDX-License-Identifier: Apache-2.0
//
// The launch by parts, as CUDA had it before version 4: the block's shape, the
// shared memory and the parameters are set one by one and stay with the
// function; a launch takes them as they are.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "function.h"
#include "stats.h"

#define PARAMS_MAX 4096 // bytes: what kernels took at the time

struct axc_parts {
	int block[3];
	unsigned shared, size;
	uint8_t params[PARAMS_MAX];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// The function's parts, under the lock if it is CUDA_SUCCESS.
static CUresult parts(CUfunction hfunc, struct axc_parts **out)
{
	struct axc_function *f;
	CUresult r = axc_ready();
	if (r || (r = axc_function((uint64_t)(uintptr_t)hfunc, &f)))
		return r;
	pthread_mutex_lock(&lock);
	struct axc_parts *p = atomic_load(&f->parts);
	if (!p && (p = calloc(1, sizeof *p))) {
		p->block[0] = p->block[1] = p->block[2] = 1;
		atomic_store(&f->parts, p);
	}
	*out = p;
	if (!p)
		pthread_mutex_unlock(&lock);
	return p ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult put(CUfunction hfunc, int offset, const void *bytes, unsigned n)
{
	struct axc_parts *p;
	if (offset < 0 || n > PARAMS_MAX || (unsigned)offset > PARAMS_MAX - n || (n && !bytes))
		return axc_ready() ? axc_ready() : CUDA_ERROR_INVALID_VALUE;
	CUresult r = parts(hfunc, &p);
	if (r)
		return r;
	if (n)
		memcpy(p->params + offset, bytes, n);
	pthread_mutex_unlock(&lock);
	return CUDA_SUCCESS;
}

AX_EXPORT CUresult cuFuncSetBlockShape(CUfunction hfunc, int x, int y, int z)
{
	AXC_HERE();
	struct axc_parts *p;
	if (x <= 0 || y <= 0 || z <= 0)
		return axc_ready() ? axc_ready() : CUDA_ERROR_INVALID_VALUE;
	CUresult r = parts(hfunc, &p);
	if (r)
		return r;
	p->block[0] = x;
	p->block[1] = y;
	p->block[2] = z;
	pthread_mutex_unlock(&lock);
	return CUDA_SUCCESS;
}

AX_EXPORT CUresult cuFuncSetSharedSize(CUfunction hfunc, unsigned int bytes)
{
	AXC_HERE();
	struct axc_parts *p;
	CUresult r = parts(hfunc, &p);
	if (r)
		return r;
	p->shared = bytes;
	pthread_mutex_unlock(&lock);
	return CUDA_SUCCESS;
}

AX_EXPORT CUresult cuParamSetSize(CUfunction hfunc, unsigned int numbytes)
{
	AXC_HERE();
	struct axc_parts *p;
	if (numbytes > PARAMS_MAX)
		return axc_ready() ? axc_ready() : CUDA_ERROR_INVALID_VALUE;
	CUresult r = parts(hfunc, &p);
	if (r)
		return r;
	p->size = numbytes;
	pthread_mutex_unlock(&lock);
	return CUDA_SUCCESS;
}

AX_EXPORT CUresult cuParamSeti(CUfunction hfunc, int offset, unsigned int value)
{
	AXC_HERE();
	return put(hfunc, offset, &value, sizeof value);
}

AX_EXPORT CUresult cuParamSetf(CUfunction hfunc, int offset, float value)
{
	AXC_HERE();
	return put(hfunc, offset, &value, sizeof value);
}

AX_EXPORT CUresult cuParamSetv(CUfunction hfunc, int offset, void *ptr, unsigned int numbytes)
{
	AXC_HERE();
	return put(hfunc, offset, ptr, numbytes);
}

AX_EXPORT CUresult cuLaunchGridAsync(CUfunction f, int grid_width, int grid_height, CUstream hStream)
{
	struct axc_parts *shared, p;
	if (grid_width <= 0 || grid_height <= 0)
		return axc_ready() ? axc_ready() : CUDA_ERROR_INVALID_VALUE;
	CUresult r = parts(f, &shared);
	if (r)
		return r;
	memcpy(&p, shared, sizeof p);
	pthread_mutex_unlock(&lock);
	size_t size = p.size;
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, p.params, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
	return cuLaunchKernel(f, (unsigned)grid_width, (unsigned)grid_height, 1, (unsigned)p.block[0], (unsigned)p.block[1],
			      (unsigned)p.block[2], p.shared, hStream, NULL, size ? extra : NULL);
}

AX_EXPORT CUresult cuLaunchGrid(CUfunction f, int grid_width, int grid_height)
{
	return cuLaunchGridAsync(f, grid_width, grid_height, NULL);
}

AX_EXPORT CUresult cuLaunch(CUfunction f)
{
	return cuLaunchGridAsync(f, 1, 1, NULL);
}
