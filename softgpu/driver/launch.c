/* SPDX-License-Identifier: Apache-2.0
 *
 * Launching kernels, and the occupancy questions that go before. What the vendor's driver reports at once is checked at
 * once; a fault while the kernel runs breaks its context.
 */
#include "graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct launch_item {
	struct item item;
	struct module *module;
	struct ptx_launch launch;
	struct memory *workspace;              /* of a cooperative launch: see below */
	uint32_t envreg[32];
	unsigned char params[];
};

static void print(void *ctx, const char *bytes, size_t n)
{
	(void)ctx;
	fwrite(bytes, 1, n, stdout);
}

static CUresult run_launch(struct item *i)
{
	struct launch_item *l = (struct launch_item *)i;
	struct ptx_fault fault = { 0 };
	if (!ptx_run(&l->launch, &fault))
		return CUDA_SUCCESS;
	if (fault.kind != PTX_FAULT_STOPPED)
		note("%s", fault.message);
	if (fault.kind == PTX_FAULT_ASSERT)
		fprintf(stderr, "%s\n", fault.message);
	switch (fault.kind) {
	case PTX_FAULT_NONE:
	case PTX_FAULT_STOPPED: return CUDA_SUCCESS;   /* stopped because its context is torn down */
	case PTX_FAULT_ILLEGAL_ADDRESS: return CUDA_ERROR_ILLEGAL_ADDRESS;
	case PTX_FAULT_MISALIGNED: return CUDA_ERROR_MISALIGNED_ADDRESS;
	case PTX_FAULT_ASSERT: return CUDA_ERROR_ASSERT;
	case PTX_FAULT_STACK_OVERFLOW: return CUDA_ERROR_HARDWARE_STACK_ERROR;
	case PTX_FAULT_ILLEGAL_INSTRUCTION: return CUDA_ERROR_ILLEGAL_INSTRUCTION;
	case PTX_FAULT_DEADLOCK: return CUDA_ERROR_LAUNCH_TIMEOUT;
	case PTX_FAULT_TRAP:
	case PTX_FAULT_BAD_LAUNCH:
	case PTX_FAULT_NO_MEMORY: break;
	}
	return CUDA_ERROR_LAUNCH_FAILED;
}

static void end_launch(struct item *i)
{
	struct launch_item *l = (struct launch_item *)i;
	object_unref(&l->module->object);
	if (l->workspace)
		memory_free(l->workspace);
}

/* What cooperative groups expect of a driver: 8 bytes, their size and the word that the grid's blocks meet at. The address
 * is in %envreg1 (its upper half) and %envreg2. */
static CUresult add_workspace(struct context *c, struct launch_item *l)
{
	CUresult r = memory_new(c->device, c, MEM_MODULE, 8, &l->workspace);
	if (r)
		return r;
	*(uint32_t *)(uintptr_t)l->workspace->start = 8;
	l->envreg[1] = (uint32_t)(l->workspace->start >> 32);
	l->envreg[2] = (uint32_t)l->workspace->start;
	l->launch.envreg = l->envreg;
	return CUDA_SUCCESS;
}

static int blocks_per_sm(const struct ptx_needs *needs, unsigned threads, size_t dynamic)
{
	unsigned warps = (threads + WARP - 1) / WARP, registers = needs->registers < 64 ? needs->registers : 64;
	size_t shared = needs->static_shared + dynamic, blocks = BLOCKS_PER_SM;
	if (!threads || threads > THREADS_PER_BLOCK || (needs->max_threads && threads > needs->max_threads) || shared > SHARED_PER_SM)
		return 0;
	if (THREADS_PER_SM / WARP / warps < blocks)
		blocks = THREADS_PER_SM / WARP / warps;
	shared = (shared + 255) & ~(size_t)255;
	if (shared && SHARED_PER_SM / shared < blocks)
		blocks = SHARED_PER_SM / shared;
	if (registers && REGISTERS_PER_SM / (registers * warps * WARP) < blocks)
		blocks = REGISTERS_PER_SM / (registers * warps * WARP);
	return (int)blocks;
}

/* The parameters, from an array of pointers or from a packed buffer, to their places. */
static CUresult gather(const struct ptx_function *code, void **params, void **extra, unsigned char *out)
{
	size_t count = ptx_param_count(code), offset, size;
	if (params && extra)
		return CUDA_ERROR_INVALID_VALUE;
	if (params || !extra) {
		if (count && !params)
			return CUDA_ERROR_INVALID_VALUE;
		for (size_t i = 0; i < count; i++) {
			if (!params[i])
				return CUDA_ERROR_INVALID_VALUE;
			if (!ptx_param(code, i, &offset, &size))
				memcpy(out + offset, params[i], size);
		}
		return CUDA_SUCCESS;
	}
	const void *buffer = NULL;
	const size_t *length = NULL;
	for (int i = 0; extra[i] != CU_LAUNCH_PARAM_END; i += 2) {
		if (i > 8)
			return CUDA_ERROR_INVALID_VALUE;
		if (extra[i] == CU_LAUNCH_PARAM_BUFFER_POINTER)
			buffer = extra[i + 1];
		else if (extra[i] == CU_LAUNCH_PARAM_BUFFER_SIZE)
			length = extra[i + 1];
		else
			return CUDA_ERROR_INVALID_VALUE;
	}
	if (!buffer || !length || !*length)
		return CUDA_ERROR_INVALID_VALUE;
	/* As the vendor's driver has it (measured on 580): a buffer may be short, but not one byte too long. */
	size_t whole = 0;
	if (count && !ptx_param(code, count - 1, &offset, &size))
		whole = offset + size;
	if (*length > whole)
		return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
	memcpy(out, buffer, *length);
	return CUDA_SUCCESS;
}

static CUresult check(struct function *f, const uint32_t grid[3], const uint32_t block[3], size_t dynamic, int cooperative,
		      uint32_t *resident)
{
	const struct ptx_needs *n = &f->needs;
	if (!grid[0] || !grid[1] || !grid[2] || !block[0] || !block[1] || !block[2] || grid[0] > 0x7fffffff || grid[1] > 65535 ||
	    grid[2] > 65535 || block[0] > 1024 || block[1] > 1024 || block[2] > 64)
		return CUDA_ERROR_INVALID_VALUE;
	uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
	if (threads > THREADS_PER_BLOCK || (n->max_threads && threads > n->max_threads))
		return CUDA_ERROR_INVALID_VALUE;
	if (n->required[0] && (block[0] != n->required[0] || block[1] != n->required[1] || block[2] != n->required[2]))
		return CUDA_ERROR_INVALID_VALUE;
	if (dynamic > (size_t)function_max_dynamic(f))
		return CUDA_ERROR_INVALID_VALUE;
	*resident = 0;
	if (cooperative) {
		unsigned most = (unsigned)blocks_per_sm(n, (unsigned)threads, dynamic) * SM_COUNT;
		uint64_t blocks;
		if (__builtin_mul_overflow((uint64_t)grid[0] * grid[1], grid[2], &blocks) || blocks > most)
			return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
		*resident = (uint32_t)blocks;
	}
	return CUDA_SUCCESS;
}

CUresult launch_check(struct function *f, const CUDA_KERNEL_NODE_PARAMS *p, int cooperative)
{
	uint32_t resident;
	return check(f, (uint32_t[]){ p->gridDimX, p->gridDimY, p->gridDimZ }, (uint32_t[]){ p->blockDimX, p->blockDimY, p->blockDimZ },
		     p->sharedMemBytes, cooperative, &resident);
}

CUresult launch_gather(const struct ptx_function *code, void **params, void **extra, unsigned char *out)
{
	return gather(code, params, extra, out);
}

/* The work, with its parameters still to be filled in. */
static CUresult prepare(struct stream *s, CUfunction handle, const uint32_t grid[3], const uint32_t block[3], unsigned dynamic,
			int cooperative, struct launch_item **out)
{
	struct function *f;
	uint32_t resident;
	CUresult r = function_find(s->ctx, handle, &f);
	if (!r && (f->module->ctx != s->ctx || !s->ctx->alive))
		r = CUDA_ERROR_INVALID_HANDLE;
	if (!r)
		r = check(f, grid, block, dynamic, cooperative, &resident);
	if (r)
		return r;
	struct launch_item *l = item_new(sizeof *l + ptx_param_bytes(f->code), run_launch, end_launch);
	if (!l)
		return CUDA_ERROR_OUT_OF_MEMORY;
	l->module = f->module;
	l->launch = (struct ptx_launch){
		.entry = f->code,
		.params = l->params,
		.grid = { grid[0], grid[1], grid[2] },
		.block = { block[0], block[1], block[2] },
		.dynamic_shared = dynamic,
		.stack = (uint32_t)s->ctx->limits.stack,
		.resident = resident,
		.sm_count = SM_COUNT,
		.grid_id = gpu.next_id++,
		.stop = &s->ctx->stop,
		.find = memory_lookup,
		.texture = texture_lookup,
		.set_conditional = condition_set,
		.print = print,
		.ctx = s->ctx,
	};
	if (cooperative && (r = add_workspace(s->ctx, l))) {
		free(l);
		return r;
	}
	*out = l;
	return CUDA_SUCCESS;
}

/* Work that will not be done after all. */
static void discard(struct launch_item *l)
{
	if (l->workspace)
		memory_free(l->workspace);
	free(l);
}

CUresult launch_op(struct stream *s, const struct op *op)
{
	const CUDA_KERNEL_NODE_PARAMS *p = &op->kernel.params;
	struct launch_item *l;
	CUresult r = prepare(s, p->func ? p->func : (CUfunction)p->kern, (uint32_t[]){ p->gridDimX, p->gridDimY, p->gridDimZ },
			     (uint32_t[]){ p->blockDimX, p->blockDimY, p->blockDimZ }, p->sharedMemBytes, op->kernel.cooperative, &l);
	if (r)
		return r;
	if (ptx_param_bytes(l->launch.entry) != op->kernel.count) {  /* another function has that handle by now */
		discard(l);
		return CUDA_ERROR_INVALID_HANDLE;
	}
	memcpy(l->params, op->kernel.bytes, op->kernel.count);
	object_ref(&l->module->object);
	item_submit(s, &l->item);
	return CUDA_SUCCESS;
}

/* A launch on a stream that records. */
static CUresult record(struct stream *s, const CUDA_KERNEL_NODE_PARAMS *p, int cooperative)
{
	struct function *f;
	struct op op;
	CUresult r = op_kernel(&op, s->ctx, p);
	if (!r && cooperative) {
		r = function_find(s->ctx, p->func, &f);
		if (!r)
			r = launch_check(f, p, cooperative);
		if (r)
			op_end(&op);
		else
			op.kernel.cooperative = 1;
	}
	return r ? r : capture_op(s, &op);
}

static CUresult launch(CUfunction handle, const uint32_t grid[3], const uint32_t block[3], unsigned dynamic, CUstream stream,
		       int cooperative, void **params, void **extra)
{
	struct context *c;
	struct stream *s;
	struct launch_item *l;
	CUresult r = enter(&c);
	if (r)
		return r;
	r = stream_find(c, stream, &s);
	if (r)
		return leave(r);
	object_ref(&s->object);                /* finding a kernel's function may let go of the lock */
	if (s->capture) {
		r = record(s,
			   &(CUDA_KERNEL_NODE_PARAMS){ .func = handle, .gridDimX = grid[0], .gridDimY = grid[1], .gridDimZ = grid[2],
						       .blockDimX = block[0], .blockDimY = block[1], .blockDimZ = block[2],
						       .sharedMemBytes = dynamic, .kernelParams = params, .extra = extra },
			   cooperative);
		object_unref(&s->object);
		return leave(r);
	}
	r = prepare(s, handle, grid, block, dynamic, cooperative, &l);
	if (!r && (r = gather(l->launch.entry, params, extra, l->params)))
		discard(l);
	if (r) {
		object_unref(&s->object);
		return leave(r);
	}
	object_ref(&l->module->object);
	const char *blocking = getenv("CUDA_LAUNCH_BLOCKING");
	if (blocking && !strcmp(blocking, "1"))
		r = item_submit_and_wait(s, &l->item);
	else
		item_submit(s, &l->item);
	object_unref(&s->object);
	return leave(r);
}

API CUresult cuLaunchKernel(CUfunction f, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z, unsigned int block_x,
			    unsigned int block_y, unsigned int block_z, unsigned int dynamic, CUstream stream, void **params,
			    void **extra)
{
	return launch(f, (uint32_t[]){ grid_x, grid_y, grid_z }, (uint32_t[]){ block_x, block_y, block_z }, dynamic, stream, 0,
		      params, extra);
}

API CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
				       unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int dynamic,
				       CUstream stream, void **params)
{
	return launch(f, (uint32_t[]){ grid_x, grid_y, grid_z }, (uint32_t[]){ block_x, block_y, block_z }, dynamic, stream, 1,
		      params, NULL);
}

/* Attributes that ask for what this device has not are refused; those that only hint are let pass. */
API CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f, void **params, void **extra)
{
	int cooperative = 0;
	if (!config || (config->numAttrs && !config->attrs))
		return CUDA_ERROR_INVALID_VALUE;
	for (unsigned i = 0; i < config->numAttrs; i++) {
		const CUlaunchAttributeValue *v = &config->attrs[i].value;
		switch ((int)config->attrs[i].id) {
		case CU_LAUNCH_ATTRIBUTE_COOPERATIVE: cooperative = v->cooperative != 0; break;
		case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
			if (v->clusterDim.x != 1 || v->clusterDim.y != 1 || v->clusterDim.z != 1)
				return CUDA_ERROR_INVALID_CLUSTER_SIZE;
			break;
		case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT:
		case CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT:
		case CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE: return CUDA_ERROR_NOT_SUPPORTED;
		default: break;
		}
	}
	return launch(f, (uint32_t[]){ config->gridDimX, config->gridDimY, config->gridDimZ },
		      (uint32_t[]){ config->blockDimX, config->blockDimY, config->blockDimZ }, config->sharedMemBytes,
		      config->hStream, cooperative, params, extra);
}

static CUresult occupancy(int *blocks, CUfunction handle, int threads, size_t dynamic, unsigned flags)
{
	struct context *c;
	struct function *f;
	CUresult r = enter(&c);
	if (r)
		return r;
	r = function_find(c, handle, &f);
	if (r)
		return leave(r);
	if (!blocks || threads <= 0 || flags & ~(unsigned)CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)
		return leave(CUDA_ERROR_INVALID_VALUE);
	*blocks = blocks_per_sm(&f->needs, (unsigned)threads, dynamic);
	return leave(CUDA_SUCCESS);
}

API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction f, int threads, size_t dynamic)
{
	return occupancy(blocks, f, threads, dynamic, 0);
}

API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction f, int threads, size_t dynamic,
								  unsigned int flags)
{
	return occupancy(blocks, f, threads, dynamic, flags);
}

API CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *min_grid, int *block, CUfunction handle, CUoccupancyB2DSize dynamic_of,
						       size_t dynamic, int limit, unsigned int flags)
{
	struct context *c;
	struct function *f;
	CUresult r = enter(&c);
	if (r)
		return r;
	r = function_find(c, handle, &f);
	if (!r && (!min_grid || !block || flags & ~(unsigned)CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE))
		r = CUDA_ERROR_INVALID_VALUE;
	if (r)
		return leave(r);
	struct ptx_needs needs = f->needs;
	leave(r);                              /* dynamic_of is the program's own code */
	int most = needs.max_threads ? (int)needs.max_threads : THREADS_PER_BLOCK, best = 0, best_blocks = 0;
	if (limit > 0 && limit < most)
		most = limit;
	for (int threads = most; threads > 0; threads = threads % WARP ? threads - threads % WARP : threads - WARP) {
		int blocks = blocks_per_sm(&needs, (unsigned)threads, dynamic_of ? dynamic_of(threads) : dynamic);
		if (blocks * threads > best * best_blocks) {
			best = threads;
			best_blocks = blocks;
		}
	}
	*block = best;
	*min_grid = best_blocks * SM_COUNT;
	return CUDA_SUCCESS;
}

API CUresult cuOccupancyMaxPotentialBlockSize(int *min_grid, int *block, CUfunction f, CUoccupancyB2DSize dynamic_of,
					      size_t dynamic, int limit)
{
	return cuOccupancyMaxPotentialBlockSizeWithFlags(min_grid, block, f, dynamic_of, dynamic, limit, 0);
}

API CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *dynamic, CUfunction handle, int blocks, int threads)
{
	struct context *c;
	struct function *f;
	CUresult r = enter(&c);
	if (r)
		return r;
	r = function_find(c, handle, &f);
	if (r)
		return leave(r);
	if (!dynamic || blocks <= 0 || threads <= 0 || blocks > blocks_per_sm(&f->needs, (unsigned)threads, 0))
		return leave(CUDA_ERROR_INVALID_VALUE);
	size_t share = SHARED_PER_SM / (size_t)blocks & ~(size_t)255;
	if (share > SHARED_OPTIN)
		share = SHARED_OPTIN;
	*dynamic = share > f->needs.static_shared ? share - f->needs.static_shared : 0;
	return leave(CUDA_SUCCESS);
}

/* On one device it is the launch for one; kernels of several cannot wait for each other here. */
API CUresult cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS *list, unsigned int count, unsigned int flags)
{
	const unsigned known = CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_PRE_LAUNCH_SYNC | CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_POST_LAUNCH_SYNC;
	if (!list || !count || flags & ~known || !list->hStream)
		return CUDA_ERROR_INVALID_VALUE;
	if (count > 1)
		return CUDA_ERROR_NOT_SUPPORTED;
	return cuLaunchCooperativeKernel(list->function, list->gridDimX, list->gridDimY, list->gridDimZ, list->blockDimX, list->blockDimY,
					 list->blockDimZ, list->sharedMemBytes, list->hStream, list->kernelParams);
}
