// SPDX-License-Identifier: Apache-2.0
//
// Contexts: the stack of current ones is this thread's own; each frame names
// the current one, and the worker's thread makes it current there.
#include "context.h"

#include <pthread.h>
#include <stdlib.h>

#include "call.h"
#include "device.h"
#include "managed.h"
#include "session.h"
#include "thread.h"
#include "stats.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct axc_context *_Atomic primary[AXON_DEVICES];
static uint64_t last_id;

static CUcontext handle(const struct axc_context *c)
{
	return (CUcontext)(uintptr_t)(c ? c->name : 0);
}

struct axc_context *axc_context_of(CUcontext ctx)
{
	void **record = axc_record(AXH_CUcontext, (uint64_t)(uintptr_t)ctx);
	return record ? *record : NULL;
}

struct axc_context *axc_context_current(void)
{
	struct axc_thread *t = axc_thread();
	uint64_t name = t ? axc_thread_context(t) : 0;
	return name ? axc_context_of((CUcontext)(uintptr_t)name) : NULL;
}

// Under the lock.
static struct axc_context *make(CUdevice dev, unsigned flags, unsigned api_version, bool is_primary)
{
	struct axc_context *c = calloc(1, sizeof *c);
	uint64_t name = c ? axc_new(AXH_CUcontext) : 0;
	if (!name) {
		free(c);
		return NULL;
	}
	*axc_record(AXH_CUcontext, name) = c;
	c->name = name;
	c->id = ++last_id;
	c->device = dev;
	c->flags = flags;
	c->api_version = api_version;
	c->primary = is_primary;
	return c;
}

CUresult axc_context_primary(CUdevice dev, struct axc_context **out)
{
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!axc_device(dev))
		return CUDA_ERROR_INVALID_DEVICE;
	*out = atomic_load_explicit(&primary[dev], memory_order_acquire); // asked for on every call of cudart's
	if (*out)
		return CUDA_SUCCESS;
	pthread_mutex_lock(&lock);
	if (!(*out = atomic_load(&primary[dev])))
		atomic_store_explicit(&primary[dev], *out = make(dev, 0, (unsigned)axc_driver_version(), true), memory_order_release);
	pthread_mutex_unlock(&lock);
	return *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

AX_EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext *pctx, CUdevice dev)
{
	struct axc_context *c;
	struct axc_call call;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!pctx)
		return CUDA_ERROR_INVALID_VALUE;
	if ((r = axc_context_primary(dev, &c)))
		return r;
	pthread_mutex_lock(&lock);
	if (!c->live) {
		r = axc_begin(&call, AX_cuDevicePrimaryCtxRetain, sizeof(struct ax_in_cuDevicePrimaryCtxRetain), 0);
		if (!r) {
			struct ax_in_cuDevicePrimaryCtxRetain *in = call.in;
			in->pctx = c->name;
			in->dev = dev;
			r = axc_wait(&call);
			axc_end(&call);
		}
		if (!r) {
			c->epoch++;
			c->live = true;
		}
	}
	if (!r) {
		c->retained++;
		*pctx = handle(c);
	}
	pthread_mutex_unlock(&lock);
	return r;
}

static CUresult end_call(uint32_t number, CUdevice dev)
{
	struct axc_call call;
	_Static_assert(sizeof(struct ax_in_cuDevicePrimaryCtxRelease_v2) == sizeof(struct ax_in_cuDevicePrimaryCtxReset_v2), "a device");
	CUresult r = axc_begin(&call, number, sizeof(struct ax_in_cuDevicePrimaryCtxRelease_v2), 0);
	if (r)
		return r;
	*(struct ax_in_cuDevicePrimaryCtxRelease_v2 *)call.in = (struct ax_in_cuDevicePrimaryCtxRelease_v2){.dev = dev};
	r = axc_wait(&call);
	axc_end(&call);
	return r;
}

AX_EXPORT CUresult cuDevicePrimaryCtxRelease_v2(CUdevice dev)
{
	struct axc_context *c;
	CUresult r = axc_context_primary(dev, &c);
	if (r)
		return r;
	pthread_mutex_lock(&lock);
	bool last = c->retained == 1 && c->live;
	if (c->retained == 0)
		r = CUDA_ERROR_INVALID_CONTEXT;
	else
		c->retained--;
	if (last)
		c->live = false;
	pthread_mutex_unlock(&lock);
	if (last) {
		axc_storage_end(c); // may call back: not under the lock
		r = end_call(AX_cuDevicePrimaryCtxRelease_v2, dev);
		axc_managed_ended(c->name);
	}
	return r;
}

// Ends what is in the context; who has retained it still has to release it,
// and may retain it anew to have it active again.
AX_EXPORT CUresult cuDevicePrimaryCtxReset_v2(CUdevice dev)
{
	struct axc_context *c;
	CUresult r = axc_context_primary(dev, &c);
	if (r)
		return r;
	pthread_mutex_lock(&lock);
	bool was = c->live;
	c->live = false;
	c->flags = 0;
	pthread_mutex_unlock(&lock);
	axc_storage_end(c);
	if (!was)
		return CUDA_SUCCESS;
	r = end_call(AX_cuDevicePrimaryCtxReset_v2, dev);
	// The worker retains it once for all of us, and again at the next retain.
	end_call(AX_cuDevicePrimaryCtxRelease_v2, dev);
	axc_managed_ended(c->name);
	return r;
}

AX_EXPORT CUresult cuDevicePrimaryCtxRelease(CUdevice dev) { return cuDevicePrimaryCtxRelease_v2(dev); }
AX_EXPORT CUresult cuDevicePrimaryCtxReset(CUdevice dev) { return cuDevicePrimaryCtxReset_v2(dev); }

AX_EXPORT CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice dev, unsigned int flags)
{
	struct axc_context *c;
	struct axc_call call;
	CUresult r = axc_context_primary(dev, &c);
	if (r || (r = axc_begin(&call, AX_cuDevicePrimaryCtxSetFlags_v2,
				sizeof(struct ax_in_cuDevicePrimaryCtxSetFlags_v2), 0)))
		return r;
	*(struct ax_in_cuDevicePrimaryCtxSetFlags_v2 *)call.in =
		(struct ax_in_cuDevicePrimaryCtxSetFlags_v2){.dev = dev, .flags = flags};
	r = axc_wait(&call);
	axc_end(&call);
	if (!r)
		c->flags = flags;
	return r;
}

AX_EXPORT CUresult cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags)
{
	return cuDevicePrimaryCtxSetFlags_v2(dev, flags);
}

AX_EXPORT CUresult cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int *flags, int *active)
{
	AXC_HERE();
	struct axc_context *c;
	CUresult r = axc_context_primary(dev, &c);
	if (r)
		return r;
	if (!flags || !active)
		return CUDA_ERROR_INVALID_VALUE;
	*flags = c->flags;
	*active = c->live;
	return CUDA_SUCCESS;
}

static CUresult push(uint64_t name)
{
	struct axc_thread *t = axc_thread();
	if (t && t->depth == t->room) {
		uint32_t room = t->room ? t->room * 2 : 8;
		uint64_t *more = realloc(t->contexts, room * sizeof *more);
		if (!more)
			return CUDA_ERROR_OUT_OF_MEMORY;
		t->contexts = more;
		t->room = room;
	}
	if (!t)
		return CUDA_ERROR_OUT_OF_MEMORY;
	t->contexts[t->depth++] = name;
	return CUDA_SUCCESS;
}

static CUresult create(CUcontext *pctx, CUctxCreateParams *params, unsigned int flags, CUdevice dev, unsigned api_version)
{
	struct axc_call call;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!pctx)
		return CUDA_ERROR_INVALID_VALUE;
	if (!axc_device(dev))
		return CUDA_ERROR_INVALID_DEVICE;
	if (params && (params->numExecAffinityParams || params->cigParams)) {
		axc_debug("cuCtxCreate: execution affinity and graphics interop are not supported");
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	pthread_mutex_lock(&lock);
	struct axc_context *c = make(dev, flags, api_version, false);
	pthread_mutex_unlock(&lock);
	if (!c)
		return CUDA_ERROR_OUT_OF_MEMORY;
	r = axc_begin(&call, AX_cuCtxCreate_v2, sizeof(struct ax_in_cuCtxCreate_v2), 0);
	if (!r) {
		*(struct ax_in_cuCtxCreate_v2 *)call.in =
			(struct ax_in_cuCtxCreate_v2){.pctx = c->name, .flags = flags, .dev = dev};
		r = axc_wait(&call);
		axc_end(&call);
	}
	if (!r)
		r = push(c->name);
	if (r) {
		axc_forget(AXH_CUcontext, c->name);
		free(c);
		return r;
	}
	c->live = true;
	*pctx = handle(c);
	return CUDA_SUCCESS;
}

AX_EXPORT CUresult cuCtxCreate_v2(CUcontext *pctx, unsigned int flags, CUdevice dev)
{
	return create(pctx, NULL, flags, dev, 3020);
}

AX_EXPORT CUresult cuCtxCreate_v3(CUcontext *pctx, CUexecAffinityParam *paramsArray, int numParams, unsigned int flags, CUdevice dev)
{
	CUctxCreateParams params = {.execAffinityParams = paramsArray, .numExecAffinityParams = numParams};
	return create(pctx, &params, flags, dev, 11040);
}

AX_EXPORT CUresult cuCtxCreate_v4(CUcontext *pctx, CUctxCreateParams *ctxCreateParams, unsigned int flags, CUdevice dev)
{
	return create(pctx, ctxCreateParams, flags, dev, 12050);
}

AX_EXPORT CUresult cuCtxCreate(CUcontext *pctx, unsigned int flags, CUdevice dev)
{
	return create(pctx, NULL, flags, dev, 3010);
}

AX_EXPORT CUresult cuCtxDestroy_v2(CUcontext ctx)
{
	struct axc_call call;
	CUresult r = axc_ready();
	if (r)
		return r;
	struct axc_context *c = axc_context_of(ctx);
	if (!c || c->primary)
		return CUDA_ERROR_INVALID_CONTEXT;
	axc_storage_end(c);
	r = axc_begin(&call, AX_cuCtxDestroy_v2, sizeof(struct ax_in_cuCtxDestroy_v2), 0);
	if (r)
		return r;
	((struct ax_in_cuCtxDestroy_v2 *)call.in)->ctx = c->name;
	r = axc_wait(&call);
	axc_end(&call);
	axc_managed_ended(c->name);
	struct axc_thread *t = axc_thread();
	if (t && axc_thread_context(t) == c->name)
		t->depth--;
	// The record stays: another thread may be reading it, and may still have
	// the dead context current. It is small and contexts are few.
	c->live = false;
	axc_forget(AXH_CUcontext, c->name);
	return r;
}

AX_EXPORT CUresult cuCtxDestroy(CUcontext ctx) { return cuCtxDestroy_v2(ctx); }

// The older way to count who uses a context. A primary one counts its retains.
AX_EXPORT CUresult cuCtxAttach(CUcontext *pctx, unsigned int flags)
{
	AXC_HERE();
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!pctx || flags)
		return CUDA_ERROR_INVALID_VALUE;
	struct axc_context *c = axc_context_current();
	if (!c || !c->live)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (c->primary)
		return cuDevicePrimaryCtxRetain(pctx, c->device);
	pthread_mutex_lock(&lock);
	c->attached++;
	pthread_mutex_unlock(&lock);
	*pctx = handle(c);
	return CUDA_SUCCESS;
}

AX_EXPORT CUresult cuCtxDetach(CUcontext ctx)
{
	CUresult r = axc_ready();
	if (r)
		return r;
	struct axc_context *c = ctx ? axc_context_of(ctx) : NULL;
	if (!c || c != axc_context_current()) // it has to be the calling thread's
		return CUDA_ERROR_INVALID_CONTEXT;
	if (c->primary)
		return cuDevicePrimaryCtxRelease_v2(c->device);
	pthread_mutex_lock(&lock);
	bool last = c->attached == 0;
	if (!last)
		c->attached--;
	pthread_mutex_unlock(&lock);
	return last ? cuCtxDestroy_v2(ctx) : CUDA_SUCCESS;
}

AX_EXPORT CUresult cuCtxPushCurrent_v2(CUcontext ctx)
{
	AXC_HERE();
	CUresult r = axc_ready();
	if (r)
		return r;
	struct axc_context *c = axc_context_of(ctx);
	return c ? push(c->name) : CUDA_ERROR_INVALID_CONTEXT;
}

AX_EXPORT CUresult cuCtxPushCurrent(CUcontext ctx) { return cuCtxPushCurrent_v2(ctx); }

AX_EXPORT CUresult cuCtxPopCurrent_v2(CUcontext *pctx)
{
	AXC_HERE();
	CUresult r = axc_ready();
	if (r)
		return r;
	struct axc_thread *t = axc_thread();
	if (!t || !t->depth)
		return CUDA_ERROR_INVALID_CONTEXT;
	uint64_t name = t->contexts[--t->depth];
	if (pctx)
		*pctx = (CUcontext)(uintptr_t)name;
	return CUDA_SUCCESS;
}

AX_EXPORT CUresult cuCtxPopCurrent(CUcontext *pctx) { return cuCtxPopCurrent_v2(pctx); }

AX_EXPORT CUresult cuCtxSetCurrent(CUcontext ctx)
{
	AXC_HERE();
	CUresult r = axc_ready();
	if (r)
		return r;
	struct axc_thread *t = axc_thread();
	if (!t)
		return CUDA_ERROR_OUT_OF_MEMORY;
	if (!ctx) {
		if (t->depth)
			t->depth--;
		return CUDA_SUCCESS;
	}
	struct axc_context *c = axc_context_of(ctx);
	if (!c)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (!t->depth)
		return push(c->name);
	t->contexts[t->depth - 1] = c->name;
	return CUDA_SUCCESS;
}

AX_EXPORT CUresult cuCtxGetCurrent(CUcontext *pctx)
{
	AXC_HERE();
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!pctx)
		return CUDA_ERROR_INVALID_VALUE;
	struct axc_thread *t = axc_thread();
	*pctx = (CUcontext)(uintptr_t)(t ? axc_thread_context(t) : 0);
	return CUDA_SUCCESS;
}

// ctx, or the current context for NULL.
static CUresult which(CUcontext ctx, const void *out, struct axc_context **c)
{
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	*c = ctx ? axc_context_of(ctx) : axc_context_current();
	return *c ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

AX_EXPORT CUresult cuCtxGetDevice_v2(CUdevice *device, CUcontext ctx)
{
	AXC_HERE();
	struct axc_context *c;
	CUresult r = which(ctx, device, &c);
	if (!r)
		*device = c->device;
	return r;
}

AX_EXPORT CUresult cuCtxGetDevice(CUdevice *device)
{
	AXC_HERE();
	return cuCtxGetDevice_v2(device, NULL);
}

AX_EXPORT CUresult cuCtxGetId(CUcontext ctx, unsigned long long *ctxId)
{
	AXC_HERE();
	struct axc_context *c;
	CUresult r = which(ctx, ctxId, &c);
	if (!r)
		*ctxId = c->id;
	return r;
}

AX_EXPORT CUresult cuCtxGetApiVersion(CUcontext ctx, unsigned int *version)
{
	AXC_HERE();
	struct axc_context *c;
	CUresult r = which(ctx, version, &c);
	if (!r)
		*version = c->api_version;
	return r;
}

AX_EXPORT CUresult cuCtxGetFlags(unsigned int *flags)
{
	AXC_HERE();
	struct axc_context *c;
	CUresult r = which(NULL, flags, &c);
	if (!r)
		*flags = c->flags;
	return r;
}

AX_EXPORT CUresult cuCtxGetStreamPriorityRange(int *leastPriority, int *greatestPriority)
{
	AXC_HERE();
	CUresult r = axc_ready();
	struct axc_context *c = r ? NULL : axc_context_current();
	if (r)
		return r;
	if (!c)
		return CUDA_ERROR_INVALID_CONTEXT;
	const struct axon_device *d = axc_device(c->device);
	if (leastPriority)
		*leastPriority = d->priority_least;
	if (greatestPriority)
		*greatestPriority = d->priority_greatest;
	return CUDA_SUCCESS;
}
