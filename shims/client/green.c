// SPDX-License-Identifier: Apache-2.0
//
// Green contexts. What they are made of is the driver's; the context that stands
// for one has a record here too, because the current context is the client's.
#include <pthread.h>
#include <stdlib.h>

#include "call.h"
#include "context.h"

struct green {
	CUdevice device;
	struct axc_context *context; // NULL until it is asked for
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t made;

static struct green *green_of(CUgreenCtx h)
{
	void **record = axc_record(AXH_CUgreenCtx, (uint64_t)(uintptr_t)h);
	return record ? *record : NULL;
}

AX_EXPORT CUresult cuGreenCtxCreate(CUgreenCtx *phCtx, CUdevResourceDesc desc, CUdevice dev, unsigned int flags)
{
	struct axc_call call;
	uint64_t name = 0;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!phCtx)
		return CUDA_ERROR_INVALID_VALUE;
	struct green *g = calloc(1, sizeof *g);
	if (!g)
		return CUDA_ERROR_OUT_OF_MEMORY;
	g->device = dev;
	r = axc_begin(&call, AX_cuGreenCtxCreate, sizeof(struct ax_in_cuGreenCtxCreate), 0);
	if (!r) {
		*(struct ax_in_cuGreenCtxCreate *)call.in =
			(struct ax_in_cuGreenCtxCreate){.desc = (uint64_t)(uintptr_t)desc, .dev = dev, .flags = flags};
		r = axc_wait(&call);
		if (!r && call.out_size >= sizeof(struct ax_out_cuGreenCtxCreate))
			name = ((const struct ax_out_cuGreenCtxCreate *)call.out)->phCtx;
		else if (!r)
			r = CUDA_ERROR_UNKNOWN;
		axc_end(&call);
	}
	void **record = r ? NULL : axc_record(AXH_CUgreenCtx, name);
	if (!record) {
		free(g);
		return r ? r : CUDA_ERROR_OUT_OF_MEMORY;
	}
	*record = g;
	*phCtx = (CUgreenCtx)(uintptr_t)name;
	return CUDA_SUCCESS;
}

AX_EXPORT CUresult cuGreenCtxDestroy(CUgreenCtx hCtx)
{
	struct axc_call call;
	CUresult r = axc_begin(&call, AX_cuGreenCtxDestroy, sizeof(struct ax_in_cuGreenCtxDestroy), 0);
	if (r)
		return r;
	((struct ax_in_cuGreenCtxDestroy *)call.in)->hCtx = (uint64_t)(uintptr_t)hCtx;
	r = axc_wait(&call);
	axc_end(&call);
	struct green *g = green_of(hCtx);
	// The records stay: another thread may be reading them.
	if (!r && g && g->context)
		g->context->live = false;
	return r;
}

// Under the lock: the record of a context that the worker named.
static struct axc_context *adopt(uint64_t name, CUdevice dev)
{
	void **record = axc_record(AXH_CUcontext, name);
	if (!record || *record)
		return record ? *record : NULL;
	struct axc_context *c = calloc(1, sizeof *c);
	if (!c)
		return NULL;
	c->name = name;
	c->id = (1ull << 40) + ++made; // the others count from 1
	c->device = dev;
	c->live = true;
	*record = c;
	return c;
}

AX_EXPORT CUresult cuCtxFromGreenCtx(CUcontext *pContext, CUgreenCtx hCtx)
{
	struct axc_call call;
	uint64_t name = 0;
	CUresult r = axc_ready();
	if (r)
		return r;
	struct green *g = green_of(hCtx);
	if (!pContext || !g)
		return CUDA_ERROR_INVALID_VALUE;
	if ((r = axc_begin(&call, AX_cuCtxFromGreenCtx, sizeof(struct ax_in_cuCtxFromGreenCtx), 0)))
		return r;
	((struct ax_in_cuCtxFromGreenCtx *)call.in)->hCtx = (uint64_t)(uintptr_t)hCtx;
	r = axc_wait(&call);
	if (!r && call.out_size >= sizeof(struct ax_out_cuCtxFromGreenCtx))
		name = ((const struct ax_out_cuCtxFromGreenCtx *)call.out)->pContext;
	else if (!r)
		r = CUDA_ERROR_UNKNOWN;
	axc_end(&call);
	if (r)
		return r;
	pthread_mutex_lock(&lock);
	struct axc_context *c = adopt(name, g->device);
	if (c)
		g->context = c;
	pthread_mutex_unlock(&lock);
	if (!c)
		return CUDA_ERROR_OUT_OF_MEMORY;
	*pContext = (CUcontext)(uintptr_t)name;
	return CUDA_SUCCESS;
}
