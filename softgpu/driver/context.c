/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts: primary ones and made ones, each thread's stack of them, their limits, and their end.
 *
 * A context that has ended stays in memory while a thread's stack still names it, so that a call on it answers that it is
 * destroyed. The primary context of a device is one object for good: retained again, the old handle works again.
 */
#include "driver.h"

#include <stdlib.h>
#include <string.h>

static pthread_key_t thread_key;
static __thread struct thread *self;

/* The thread's default streams end with it, once their work is done. */
static void thread_end(void *p)
{
	struct thread *t = p;
	if (!__atomic_load_n(&gpu.forked, __ATOMIC_RELAXED)) {
		pthread_mutex_lock(&gpu.lock);
		for (int i = 0; i < t->own_count; i++) {
			stream_close(t->own[i].stream);
			object_unref(&t->own[i].stream->object);
			context_unref(t->own[i].ctx);
		}
		for (int i = 0; i < t->depth; i++)
			context_unref(t->stack[i]);
		pthread_mutex_unlock(&gpu.lock);
	}
	free(t->own);
	free(t->stack);
	free(t);
	self = NULL;
}

void contexts_setup(void)
{
	pthread_key_create(&thread_key, thread_end);
}

struct thread *thread_self(void)
{
	if (!self) {
		self = calloc(1, sizeof *self);
		if (self)
			pthread_setspecific(thread_key, self);
	}
	return self;
}

struct context *context_current(void)
{
	struct thread *t = thread_self();
	return t && t->depth ? t->stack[t->depth - 1] : NULL;
}

void context_unref(struct context *c)
{
	object_unref(&c->object);
}

CUresult context_state(struct context *c)
{
	return c->alive ? c->error : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

CUresult context_find(CUcontext handle, struct context **out)
{
	*out = handle ? object_find(K_CONTEXT, handle) : context_current();
	return *out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

static struct context *all;

void contexts_each(void (*function)(struct context *, void *), void *data)
{
	for (struct context *c = all; c; c = c->next)
		function(c, data);
}

static void context_free(struct object *o)
{
	struct context **p = &all;
	while (*p != (struct context *)o)
		p = &(*p)->next;
	*p = (*p)->next;
	free(o);
}

static struct context *context_new(struct device *d, unsigned flags)
{
	struct context *c = calloc(1, sizeof *c);
	if (!c)
		return NULL;
	object_add(&c->object, K_CONTEXT, context_free);
	c->device = d;
	c->flags = flags;
	c->next = all;
	all = c;
	return c;
}

static CUresult context_begin(struct context *c, unsigned api_version)
{
	c->alive = 1;
	__atomic_store_n(&c->stop, 0, __ATOMIC_RELAXED);
	c->error = CUDA_SUCCESS;
	c->api_version = api_version;
	c->id = gpu.next_context_id++;
	c->cache = CU_FUNC_CACHE_PREFER_NONE;
	c->shared_config = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
	__atomic_store_n(&c->peers, 0, __ATOMIC_RELAXED);
	c->limits = (struct limits){
		.stack = 1024, .printf_fifo = 1 << 20, .heap = 8 << 20, .sync_depth = 2, .pending = 2048, .l2_fetch = 64,
	};
	CUresult r = stream_new(c, CU_STREAM_DEFAULT, 0, &c->legacy);
	if (r)
		c->alive = 0;
	return r;
}

/* Everything that the context owns goes, and what it was doing is cut short. */
static void context_end(struct context *c)
{
	__atomic_store_n(&c->stop, 1, __ATOMIC_RELAXED);
	c->alive = 0;
	object_ref(&c->object);
	streams_stop(c);
	context_drain(c);
	for (struct stream *s = c->streams; s;) {
		/* Closing the last reference frees a stream; a thread that still has to notice keeps it for a moment. */
		if (s->closed) {
			s = s->next;
			continue;
		}
		stream_close(s);
		s = c->streams;
	}
	c->legacy = NULL;
	events_end_context(c);
	modules_end_context(c);
	textures_end_context(c);
	arrays_end_context(c);
	memory_end_context(c);
	memory_reap();
	context_unref(c);
}

CUresult context_drain(struct context *c)
{
	uint64_t now = c->alive ? gpu.sequence++ : UINT64_MAX;
	for (;;) {
		/* Streams come and go while this waits: look again from the start each time. */
		struct stream *s = c->streams;
		while (s && !(s->head && s->head->submitted <= now))
			s = s->next;
		if (!s)
			return context_state(c);
		struct item *last = s->tail->submitted <= now ? s->tail : s->head;
		last->refs++;
		item_wait(last);
		item_unref(last);
	}
}

static int flags_valid(unsigned flags)
{
	unsigned schedule = flags & CU_CTX_SCHED_MASK;
	return !(flags & ~(unsigned)CU_CTX_FLAGS_MASK) && schedule != 3 && schedule < 5;
}

static CUresult push(struct context *c)
{
	struct thread *t = thread_self();
	if (t->depth == t->room) {
		int room = t->room ? 2 * t->room : 4;
		struct context **stack = realloc(t->stack, (size_t)room * sizeof *stack);
		if (!stack)
			return CUDA_ERROR_OUT_OF_MEMORY;
		t->stack = stack;
		t->room = room;
	}
	object_ref(&c->object);
	t->stack[t->depth++] = c;
	return CUDA_SUCCESS;
}

static CUresult create(CUcontext *out, unsigned flags, CUdevice dev, unsigned api_version)
{
	struct device *d;
	CUresult r = enter_any();
	if (r)
		return r;
	if (!out || !flags_valid(flags))
		return leave(CUDA_ERROR_INVALID_VALUE);
	r = device_find(dev, &d);
	if (r)
		return leave(r);
	struct context *c = context_new(d, flags);
	if (!c)
		return leave(CUDA_ERROR_OUT_OF_MEMORY);
	r = context_begin(c, api_version);
	if (!r)
		r = push(c);
	if (r) {
		if (c->alive)
			context_end(c);
		object_retire(&c->object);
		return leave(r);
	}
	*out = (CUcontext)c;
	return leave(CUDA_SUCCESS);
}

API CUresult cuCtxCreate_v2(CUcontext *out, unsigned int flags, CUdevice dev)
{
	return create(out, flags, dev, 3020);
}

API CUresult cuCtxCreate_v3(CUcontext *out, CUexecAffinityParam *affinity, int count, unsigned int flags, CUdevice dev)
{
	if (affinity && count > 0)
		return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
	return create(out, flags, dev, 3020);
}

API CUresult cuCtxCreate_v4(CUcontext *out, CUctxCreateParams *params, unsigned int flags, CUdevice dev)
{
	if (params && params->execAffinityParams && params->numExecAffinityParams > 0)
		return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
	if (params && params->cigParams)
		return CUDA_ERROR_NOT_SUPPORTED;
	return create(out, flags, dev, 3020);
}

API CUresult cuCtxDestroy_v2(CUcontext handle)
{
	struct context *c;
	CUresult r = enter_any();
	if (r)
		return r;
	r = handle ? context_find(handle, &c) : CUDA_ERROR_INVALID_VALUE;
	if (r)
		return leave(r);
	if (c->device->primary == c)   /* those are released, not destroyed */
		return leave(CUDA_ERROR_INVALID_CONTEXT);
	struct thread *t = thread_self();
	if (context_current() == c) {
		t->depth--;
		context_unref(c);
	}
	object_ref(&c->object);
	object_retire(&c->object);
	context_end(c);
	context_unref(c);
	return leave(CUDA_SUCCESS);
}

API CUresult cuDevicePrimaryCtxRetain(CUcontext *out, CUdevice dev)
{
	struct device *d;
	CUresult r = enter_any();
	if (r)
		return r;
	r = device_find(dev, &d);
	if (!r && !out)
		r = CUDA_ERROR_INVALID_VALUE;
	if (r)
		return leave(r);
	if (!d->primary && !(d->primary = context_new(d, d->primary_flags)))
		return leave(CUDA_ERROR_OUT_OF_MEMORY);
	if (!d->primary->alive) {
		d->primary->flags = d->primary_flags;
		r = context_begin(d->primary, 3020);
		if (r)
			return leave(r);
	}
	d->primary_refs++;
	*out = (CUcontext)d->primary;
	return leave(CUDA_SUCCESS);
}

static CUresult release(CUdevice dev)
{
	struct device *d;
	CUresult r = enter_any();
	if (r)
		return r;
	r = device_find(dev, &d);
	if (!r && !d->primary_refs)
		r = CUDA_ERROR_INVALID_CONTEXT;
	if (!r && --d->primary_refs == 0 && d->primary->alive)
		context_end(d->primary);
	return leave(r);
}

API CUresult cuDevicePrimaryCtxRelease(CUdevice dev) { return release(dev); }
API CUresult cuDevicePrimaryCtxRelease_v2(CUdevice dev) { return release(dev); }

static CUresult reset(CUdevice dev)
{
	struct device *d;
	CUresult r = enter_any();
	if (r)
		return r;
	r = device_find(dev, &d);
	/* Whoever has retained it has still to release it. */
	if (!r && d->primary && d->primary->alive) {
		d->primary_flags = 0;
		context_end(d->primary);
	}
	return leave(r);
}

API CUresult cuDevicePrimaryCtxReset(CUdevice dev) { return reset(dev); }
API CUresult cuDevicePrimaryCtxReset_v2(CUdevice dev) { return reset(dev); }

static CUresult set_flags(CUdevice dev, unsigned flags)
{
	struct device *d;
	CUresult r = enter_any();
	if (r)
		return r;
	r = device_find(dev, &d);
	if (!r && !flags_valid(flags))
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r) {
		d->primary_flags = flags;
		if (d->primary && d->primary->alive)
			d->primary->flags = flags;
	}
	return leave(r);
}

API CUresult cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags) { return set_flags(dev, flags); }
API CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice dev, unsigned int flags) { return set_flags(dev, flags); }

API CUresult cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int *flags, int *active)
{
	struct device *d;
	CUresult r = enter_any();
	if (r)
		return r;
	r = device_find(dev, &d);
	if (!r && (!flags || !active))
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r) {
		*flags = d->primary_flags;
		*active = d->primary && d->primary->alive;
	}
	return leave(r);
}

API CUresult cuCtxPushCurrent_v2(CUcontext handle)
{
	struct context *c;
	CUresult r = enter_any();
	if (r)
		return r;
	r = handle ? context_find(handle, &c) : CUDA_ERROR_INVALID_CONTEXT;
	return leave(r ? r : push(c));
}

API CUresult cuCtxPopCurrent_v2(CUcontext *out)
{
	CUresult r = enter_any();
	if (r)
		return r;
	struct thread *t = thread_self();
	if (!t->depth)
		return leave(CUDA_ERROR_INVALID_CONTEXT);
	struct context *c = t->stack[--t->depth];
	if (out)
		*out = (CUcontext)c;
	context_unref(c);
	return leave(CUDA_SUCCESS);
}

API CUresult cuCtxSetCurrent(CUcontext handle)
{
	struct context *c = NULL;
	CUresult r = enter_any();
	if (r)
		return r;
	if (handle && (r = context_find(handle, &c)))
		return leave(r);
	struct thread *t = thread_self();
	if (c && t->depth) {
		object_ref(&c->object);
		context_unref(t->stack[t->depth - 1]);
		t->stack[t->depth - 1] = c;
	} else if (c) {
		r = push(c);
	} else if (t->depth) {
		context_unref(t->stack[--t->depth]);
	}
	return leave(r);
}

API CUresult cuCtxGetCurrent(CUcontext *out)
{
	CUresult r = enter_any();
	if (r)
		return r;
	if (!out)
		return leave(CUDA_ERROR_INVALID_VALUE);
	*out = (CUcontext)context_current();
	return leave(CUDA_SUCCESS);
}

static CUresult get_device(CUdevice *out, CUcontext handle)
{
	struct context *c;
	CUresult r = enter_any();
	if (r)
		return r;
	if (!out)
		return leave(CUDA_ERROR_INVALID_VALUE);
	r = context_find(handle, &c);
	if (!r)
		*out = c->device->ordinal;
	return leave(r);
}

API CUresult cuCtxGetDevice(CUdevice *out) { return get_device(out, NULL); }
API CUresult cuCtxGetDevice_v2(CUdevice *out, CUcontext ctx) { return get_device(out, ctx); }

API CUresult cuCtxGetFlags(unsigned int *flags)
{
	struct context *c;
	CUresult r = enter_any();
	if (r)
		return r;
	if (!flags)
		return leave(CUDA_ERROR_INVALID_VALUE);
	r = context_find(NULL, &c);
	if (!r)
		*flags = c->flags;
	return leave(r);
}

API CUresult cuCtxSetFlags(unsigned int flags)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	if (!flags_valid(flags))
		return leave(CUDA_ERROR_INVALID_VALUE);
	c->flags = flags;
	if (c->device->primary == c)
		c->device->primary_flags = flags;
	return leave(CUDA_SUCCESS);
}

API CUresult cuCtxGetId(CUcontext handle, unsigned long long *id)
{
	struct context *c;
	CUresult r = enter_any();
	if (r)
		return r;
	if (!id)
		return leave(CUDA_ERROR_INVALID_VALUE);
	r = context_find(handle, &c);
	if (!r && !c->alive)
		r = CUDA_ERROR_CONTEXT_IS_DESTROYED;
	if (!r)
		*id = c->id;
	return leave(r);
}

API CUresult cuCtxGetApiVersion(CUcontext handle, unsigned int *version)
{
	struct context *c;
	CUresult r = enter_any();
	if (r)
		return r;
	if (!version)
		return leave(CUDA_ERROR_INVALID_VALUE);
	r = context_find(handle, &c);
	if (!r)
		*version = c->api_version;
	return leave(r);
}

static CUresult synchronize(CUcontext handle)
{
	struct context *c;
	CUresult r = enter_any();
	if (r)
		return r;
	r = context_find(handle, &c);
	if (!r)
		r = context_state(c);
	if (!r)
		r = capture_unsafe();
	if (r)
		return leave(r);
	object_ref(&c->object);
	r = context_drain(c);
	context_unref(c);
	return leave(r);
}

API CUresult cuCtxSynchronize(void) { return synchronize(NULL); }
API CUresult cuCtxSynchronize_v2(CUcontext ctx) { return synchronize(ctx); }

static size_t *limit_of(struct context *c, CUlimit limit)
{
	switch ((int)limit) {
	case CU_LIMIT_STACK_SIZE: return &c->limits.stack;
	case CU_LIMIT_PRINTF_FIFO_SIZE: return &c->limits.printf_fifo;
	case CU_LIMIT_MALLOC_HEAP_SIZE: return &c->limits.heap;
	case CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH: return &c->limits.sync_depth;
	case CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT: return &c->limits.pending;
	case CU_LIMIT_MAX_L2_FETCH_GRANULARITY: return &c->limits.l2_fetch;
	default: return NULL;
	}
}

API CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	size_t *p = limit_of(c, limit);
	if (!p)
		return leave((int)limit < 0 || limit >= CU_LIMIT_MAX ? CUDA_ERROR_INVALID_VALUE
								      : CUDA_ERROR_UNSUPPORTED_LIMIT);
	if (limit == CU_LIMIT_STACK_SIZE) {
		if (value > (size_t)512 << 10)
			return leave(CUDA_ERROR_INVALID_VALUE);
		value = (value + 15) & ~(size_t)15;
	}
	if (limit == CU_LIMIT_MAX_L2_FETCH_GRANULARITY && value > 128)
		return leave(CUDA_ERROR_INVALID_VALUE);
	*p = value;
	return leave(CUDA_SUCCESS);
}

API CUresult cuCtxGetLimit(size_t *value, CUlimit limit)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	size_t *p = limit_of(c, limit);
	if (!value || (!p && ((int)limit < 0 || limit >= CU_LIMIT_MAX)))
		return leave(CUDA_ERROR_INVALID_VALUE);
	if (limit == CU_LIMIT_PERSISTING_L2_CACHE_SIZE)
		*value = 0;
	else if (p)
		*value = *p;
	else
		return leave(CUDA_ERROR_UNSUPPORTED_LIMIT);
	return leave(CUDA_SUCCESS);
}

API CUresult cuCtxGetCacheConfig(CUfunc_cache *config)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	if (!config)
		return leave(CUDA_ERROR_INVALID_VALUE);
	*config = c->cache;
	return leave(CUDA_SUCCESS);
}

API CUresult cuCtxSetCacheConfig(CUfunc_cache config)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	if ((int)config < 0 || config > CU_FUNC_CACHE_PREFER_EQUAL)
		return leave(CUDA_ERROR_INVALID_VALUE);
	c->cache = config;
	return leave(CUDA_SUCCESS);
}

API CUresult cuCtxGetSharedMemConfig(CUsharedconfig *config)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	if (!config)
		return leave(CUDA_ERROR_INVALID_VALUE);
	*config = c->shared_config;
	return leave(CUDA_SUCCESS);
}

API CUresult cuCtxSetSharedMemConfig(CUsharedconfig config)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	/* The banks are four bytes wide whatever is asked, as on any device since compute capability 5. */
	return leave((int)config < 0 || config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE ? CUDA_ERROR_INVALID_VALUE
											   : CUDA_SUCCESS);
}

API CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	if (least)
		*least = PRIORITY_LEAST;
	if (greatest)
		*greatest = PRIORITY_GREATEST;
	return leave(CUDA_SUCCESS);
}

API CUresult cuCtxResetPersistingL2Cache(void)
{
	struct context *c;
	CUresult r = enter(&c);
	return r ? r : leave(CUDA_SUCCESS);
}

API CUresult cuCtxEnablePeerAccess(CUcontext handle, unsigned int flags)
{
	struct context *c, *peer;
	CUresult r = enter(&c);
	if (r)
		return r;
	r = handle ? context_find(handle, &peer) : CUDA_ERROR_INVALID_CONTEXT;
	if (!r && flags)
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r && peer->device == c->device)
		r = peer == c ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
	if (r)
		return leave(r);
	uint32_t bit = UINT32_C(1) << peer->device->ordinal;
	if (c->peers & bit)
		return leave(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
	__atomic_or_fetch(&c->peers, bit, __ATOMIC_RELAXED);   /* running kernels read it */
	return leave(CUDA_SUCCESS);
}

API CUresult cuCtxDisablePeerAccess(CUcontext handle)
{
	struct context *c, *peer;
	CUresult r = enter(&c);
	if (r)
		return r;
	r = handle ? context_find(handle, &peer) : CUDA_ERROR_INVALID_CONTEXT;
	if (r)
		return leave(r);
	uint32_t bit = UINT32_C(1) << peer->device->ordinal;
	if (!(c->peers & bit))
		return leave(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
	__atomic_and_fetch(&c->peers, ~bit, __ATOMIC_RELAXED);
	return leave(CUDA_SUCCESS);
}
