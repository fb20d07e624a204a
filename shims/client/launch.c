// SPDX-License-Identifier: Apache-2.0
//
// Launches: checked here against what the vendor reports at once, packed, and
// posted. Nothing on this way waits or allocates.
#include <stdbool.h>
#include <string.h>

#include "call.h"
#include "context.h"
#include "device.h"
#include "function.h"
#include "name.h"
#include "session.h"

#define PARAM_BYTES_MAX 32768u // CUDA 12.1 and newer take 32,764

// The function that a launch names: the handle of a CUfunction or a CUkernel.
static CUresult find(CUfunction f, struct axc_function **out)
{
	uint64_t name = (uint64_t)(uintptr_t)f;
	if (!axr_name_is(name, AXH_CUfunction) && !axr_name_is(name, AXH_CUkernel))
		return axc_ready() ? axc_ready() : CUDA_ERROR_INVALID_HANDLE;
	return axc_function(name, out);
}

// What the vendor refuses in the launch itself. CUDA driver API reference,
// cuLaunchKernel; values measured on driver 580.159.04.
static CUresult check(struct axc_function *f, const unsigned grid[3], const unsigned block[3], unsigned shared)
{
	struct axc_context *c = axc_context_current();
	if (!c)
		return CUDA_ERROR_INVALID_CONTEXT;
	const int32_t *a = axc_device(c->device)->attribute;
	uint64_t threads = 1;
	for (int i = 0; i < 3; i++) {
		if (!grid[i] || grid[i] > (unsigned)a[CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X + i] || !block[i] ||
		    block[i] > (unsigned)a[CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X + i])
			return CUDA_ERROR_INVALID_VALUE;
		threads *= block[i];
	}
	if (threads > (unsigned)a[CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK])
		return CUDA_ERROR_INVALID_VALUE;
	int most;
	CUresult r = axc_function_attribute(f, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &most);
	if (r)
		return r;
	if (threads > (unsigned)most)
		return CUDA_ERROR_INVALID_VALUE;
	if (shared) {
		r = axc_function_attribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, &most);
		if (r)
			return r;
		if (shared > (unsigned)most)
			return CUDA_ERROR_INVALID_VALUE;
	}
	return CUDA_SUCCESS;
}

// The caller's packed buffer, if there is one in extra.
static CUresult packed(void **extra, const void **buffer, size_t *bytes)
{
	*buffer = NULL;
	*bytes = 0;
	for (void **e = extra; e && e[0] != CU_LAUNCH_PARAM_END; e += 2) {
		if (e[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
			*buffer = e[1];
		else if (e[0] == CU_LAUNCH_PARAM_BUFFER_SIZE)
			*bytes = *(const size_t *)e[1];
		else
			return CUDA_ERROR_INVALID_VALUE;
	}
	return CUDA_SUCCESS;
}

// Where the parameters come from, and how many bytes cross.
static CUresult parameters(const struct axc_function *f, void **kernelParams, void **extra, const void **buffer, size_t *bytes)
{
	*buffer = NULL;
	*bytes = f->bytes;
	if (kernelParams && extra)
		return CUDA_ERROR_INVALID_VALUE;
	if (extra) {
		CUresult r = packed(extra, buffer, bytes);
		if (r)
			return r;
		if ((!*bytes && f->params) || *bytes > PARAM_BYTES_MAX || (*bytes && !*buffer))
			return CUDA_ERROR_INVALID_VALUE;
		if (*bytes > f->bytes)
			return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
	} else if (!kernelParams && f->params) {
		return CUDA_ERROR_INVALID_VALUE;
	}
	return *bytes > PARAM_BYTES_MAX ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

static void pack(uint8_t *to, const struct axc_function *f, void **kernelParams, const void *buffer, size_t bytes)
{
	if (buffer) {
		memcpy(to, buffer, bytes);
		return;
	}
	for (uint32_t i = 0; i < f->params; i++)
		memcpy(to + f->param[i].offset, kernelParams[i], f->param[i].size);
}

struct launch {
	CUfunction f;
	uint32_t mode; // of axLaunch: 0 cuLaunchKernel, 1 cuLaunchKernelEx, 2 cuLaunchCooperativeKernel
	unsigned grid[3], block[3], shared;
	CUstream stream;
	const CUlaunchAttribute *attributes;
	unsigned attribute_count;
};

// Whether a launch with attributes fits (a cluster, a cooperative grid) only
// the vendor knows, and it says so in the launch. So the first such launch is
// waited for, and one like it is posted from then on. Like it: what the answer
// depends on makes a key; 0 is a launch that always has to be asked about.
static uint64_t mix(uint64_t key, uint64_t value)
{
	key = (key ^ value) * 0x9e3779b97f4a7c15ull;
	return key ^ key >> 29;
}

static uint64_t key_of(const struct launch *l)
{
	uint64_t key = mix(mix(mix(mix(l->mode + 1, l->block[0]), l->block[1]), l->block[2]), l->shared);
	bool grid_matters = l->mode == 2;

	for (unsigned i = 0; i < l->attribute_count; i++) {
		const CUlaunchAttribute *a = &l->attributes[i];
		const CUlaunchAttributeValue *v = &a->value;
		const unsigned *cluster = &v->clusterDim.x;
		key = mix(key, (uint64_t)a->id << 32);
		switch (a->id) {
		case CU_LAUNCH_ATTRIBUTE_IGNORE:
			break;
		case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
			grid_matters |= v->cooperative != 0;
			key = mix(key, (uint64_t)v->cooperative);
			break;
		case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
		case CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION:
			for (int d = 0; d < 3; d++) {
				if (!cluster[d] || l->grid[d] % cluster[d])
					return 0;
				key = mix(key, cluster[d]);
			}
			break;
		case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
		case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
		case CU_LAUNCH_ATTRIBUTE_PRIORITY:
		case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
		case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
			key = mix(key, (uint32_t)v->priority); // an int at the union's start, all of them
			break;
		default:
			return 0;
		}
	}
	if (grid_matters)
		key = mix(mix(mix(key, l->grid[0]), l->grid[1]), l->grid[2]);
	return key ? key : 1;
}

static bool accepted_before(struct axc_function *f, uint64_t key)
{
	for (size_t i = 0; key && i < sizeof f->accepted / sizeof *f->accepted; i++)
		if (atomic_load_explicit(&f->accepted[i], memory_order_relaxed) == key)
			return true;
	return false;
}

static void accept(struct axc_function *f, uint64_t key)
{
	unsigned i = atomic_fetch_add_explicit(&f->accepted_next, 1, memory_order_relaxed);
	if (key)
		atomic_store_explicit(&f->accepted[i % (sizeof f->accepted / sizeof *f->accepted)], key, memory_order_relaxed);
}

static CUresult launch(const struct launch *l, void **kernelParams, void **extra)
{
	struct axc_function *f;
	struct axc_call call;
	const void *buffer;
	size_t bytes, attributes = l->attribute_count * sizeof(CUlaunchAttribute);

	CUresult r = find(l->f, &f);
	if (r || (r = check(f, l->grid, l->block, l->shared)) ||
	    (r = parameters(f, kernelParams, extra, &buffer, &bytes)) ||
	    (r = axc_begin(&call, AX_axLaunch, sizeof(struct ax_in_axLaunch), attributes + ((bytes + 7) & ~(size_t)7))))
		return r;
	*(struct ax_in_axLaunch *)call.in = (struct ax_in_axLaunch){
		.function = f->name,
		.stream = (uint64_t)(uintptr_t)l->stream,
		.mode = l->mode,
		.gridX = l->grid[0],
		.gridY = l->grid[1],
		.gridZ = l->grid[2],
		.blockX = l->block[0],
		.blockY = l->block[1],
		.blockZ = l->block[2],
		.sharedBytes = l->shared,
		.numAttributes = l->attribute_count,
		.paramBytes = (uint32_t)bytes,
	};
	if (attributes)
		memcpy(call.data, l->attributes, attributes);
	pack((uint8_t *)call.data + attributes, f, kernelParams, buffer, bytes);
	if (l->mode == 0 || (l->mode == 1 && !l->attribute_count))
		return axc_post(&call);
	uint64_t key = key_of(l);
	if (accepted_before(f, key))
		return axc_post(&call);
	r = axc_wait(&call);
	axc_end(&call);
	if (!r)
		accept(f, key);
	return r;
}

AX_EXPORT CUresult cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
				  unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
				  unsigned int sharedMemBytes, CUstream hStream, void **kernelParams, void **extra)
{
	const struct launch l = {
		.f = f,
		.grid = {gridDimX, gridDimY, gridDimZ},
		.block = {blockDimX, blockDimY, blockDimZ},
		.shared = sharedMemBytes,
		.stream = hStream,
	};
	return launch(&l, kernelParams, extra);
}

AX_EXPORT CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
					     unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
					     unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream hStream,
					     void **kernelParams)
{
	const struct launch l = {
		.f = f,
		.mode = 2,
		.grid = {gridDimX, gridDimY, gridDimZ},
		.block = {blockDimX, blockDimY, blockDimZ},
		.shared = sharedMemBytes,
		.stream = hStream,
	};
	return launch(&l, kernelParams, NULL);
}

static CUresult launch_ex(const CUlaunchConfig *config, CUfunction f, void **kernelParams, void **extra, CUstream stream)
{
	if (!config || (config->numAttrs && !config->attrs) || config->numAttrs > 64)
		return axc_ready() ? axc_ready() : CUDA_ERROR_INVALID_VALUE;
	const struct launch l = {
		.f = f,
		.mode = 1,
		.grid = {config->gridDimX, config->gridDimY, config->gridDimZ},
		.block = {config->blockDimX, config->blockDimY, config->blockDimZ},
		.shared = config->sharedMemBytes,
		.stream = stream,
		.attributes = config->attrs,
		.attribute_count = config->numAttrs,
	};
	return launch(&l, kernelParams, extra);
}

AX_EXPORT CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f, void **kernelParams, void **extra)
{
	return launch_ex(config, f, kernelParams, extra, config ? config->hStream : NULL);
}

// Built for the per-thread default stream: its stream 0 is the thread's own.
AX_EXPORT CUresult cuLaunchKernelEx_ptsz(const CUlaunchConfig *config, CUfunction f, void **kernelParams, void **extra)
{
	return launch_ex(config, f, kernelParams, extra,
			 config && config->hStream ? config->hStream : CU_STREAM_PER_THREAD);
}
