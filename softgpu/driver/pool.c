/* SPDX-License-Identifier: Apache-2.0
 *
 * Stream-ordered allocation. An allocation is made when it is asked for, and given back when the stream gets to the
 * free. A pool keeps nothing for later, so that what it has reserved is what is in use. With SOFTGPU_POOL_MIB it says
 * that it reserves by so many MiB and keeps up to its threshold, as NVIDIA's does by 32 (H200, driver 580.159.04).
 */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

struct pool {
	struct object object;
	struct device *device;
	uint64_t attributes[CU_MEMPOOL_ATTR_USED_MEM_HIGH + 1];
	uint64_t used, used_high, most, reserved;
	size_t live, freeing;
	int closed;
};

static void pool_free(struct object *o)
{
	free(o);
}

static struct pool *pool_new(struct device *d)
{
	struct pool *p = calloc(1, sizeof *p);
	if (!p)
		return NULL;
	object_add(&p->object, K_POOL, pool_free);
	p->device = d;
	for (int a = CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES; a <= CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES; a++)
		p->attributes[a] = 1;
	return p;
}

CUresult pools_setup(struct device *d)
{
	if (!d->default_pool)
		d->pool = d->default_pool = pool_new(d);
	return d->default_pool ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static uint64_t piece_size(void)
{
	const char *mib = getenv("SOFTGPU_POOL_MIB");
	return mib ? strtoull(mib, NULL, 10) << 20 : 0;
}

static void reserve(struct pool *p, uint64_t least)
{
	uint64_t piece = piece_size();
	if (least < p->used)
		least = p->used;
	p->reserved = piece ? (least + piece - 1) / piece * piece : p->used;
}

/* Called as the memory leaves the table. */
void pool_released(struct memory *m)
{
	struct pool *p = m->pool;
	p->used -= m->charge;
	if (!piece_size() || p->reserved > p->attributes[CU_MEMPOOL_ATTR_RELEASE_THRESHOLD])
		reserve(p, p->attributes[CU_MEMPOOL_ATTR_RELEASE_THRESHOLD]);
	p->live--;
	if (m->freeing)
		p->freeing--;
	object_unref(&p->object);
}

static CUresult pool_find(CUmemoryPool handle, struct pool **p)
{
	*p = handle ? object_find(K_POOL, handle) : NULL;
	return *p ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

struct free_item { struct item item; uint64_t address; unsigned long long id; };

static void end_free(struct item *i)
{
	struct free_item *f = (struct free_item *)i;
	struct memory *m = memory_find(f->address);
	if (m && m->id == f->id)
		memory_free(m);
}

/* On a stream that records: the memory is the graph's. */
static CUresult record_alloc(struct stream *s, struct pool *p, size_t size, CUdeviceptr *out)
{
	struct op op;
	const CUDA_MEM_ALLOC_NODE_PARAMS params = {
		.poolProps = { .allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
			       .location = { .type = CU_MEM_LOCATION_TYPE_DEVICE, .id = p->device->ordinal } },
		.bytesize = size,
	};
	CUresult r = op_alloc(&op, s->ctx, &params);
	if (r)
		return r;
	CUdeviceptr address = op.alloc.params.dptr;
	r = capture_op(s, &op);
	if (!r)
		*out = address;
	return r;
}

static CUresult alloc(CUdeviceptr *out, size_t size, CUmemoryPool handle, int from_pool, CUstream stream)
{
	struct context *c;
	struct stream *s;
	struct pool *p;
	struct memory *m;
	CUresult r = enter(&c);
	if (r)
		return r;
	if (!out || !size)
		return leave(CUDA_ERROR_INVALID_VALUE);
	r = stream_find(c, stream, &s);
	if (!r && from_pool)
		r = pool_find(handle, &p);
	else if (!r)
		p = s->ctx->device->pool;
	if (!r && s->capture)
		r = record_alloc(s, p, size, out);
	if (r || s->capture)
		return leave(r);
	object_ref(&p->object);
	object_ref(&s->object);
	/* Memory whose free is still queued counts until its stream gets there: wait for those rather than fail. */
	for (;;) {
		size_t freeing = p->freeing;
		r = p->most && p->used + size > p->most ? CUDA_ERROR_OUT_OF_MEMORY
							: memory_new(p->device, NULL, MEM_POOL, size, &m);
		if (r != CUDA_ERROR_OUT_OF_MEMORY || !freeing)
			break;
		struct item *last = s->tail;
		if (!last) {
			struct stream *o = s->ctx->streams;
			while (o && !o->tail)
				o = o->next;
			last = o ? o->tail : NULL;
		}
		if (!last)
			break;
		last->refs++;
		item_wait(last);
		item_unref(last);
		if (!s->ctx->alive) {
			r = CUDA_ERROR_CONTEXT_IS_DESTROYED;
			break;
		}
	}
	if (r) {
		object_unref(&p->object);
		object_unref(&s->object);
		return leave(r);
	}
	m->pool = p;                           /* holds the reference */
	m->ctx = s->ctx;
	object_unref(&s->object);
	p->used += m->charge;
	if (p->used > p->reserved)
		reserve(p, p->used);
	p->live++;
	if (p->used > p->used_high)
		p->used_high = p->used;
	*out = m->start;
	return leave(CUDA_SUCCESS);
}

API CUresult cuMemAllocAsync(CUdeviceptr *out, size_t size, CUstream stream)
{
	return alloc(out, size, NULL, 0, stream);
}

API CUresult cuMemAllocFromPoolAsync(CUdeviceptr *out, size_t size, CUmemoryPool pool, CUstream stream)
{
	return alloc(out, size, pool, 1, stream);
}

API CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream)
{
	struct context *c;
	struct stream *s;
	CUresult r = enter(&c);
	if (r)
		return r;
	r = stream_find(c, stream, &s);
	if (r || !address)
		return leave(r);
	if (s->capture) {
		struct op op = { .type = CU_GRAPH_NODE_TYPE_MEM_FREE, .free = address };
		return leave(capture_op(s, &op));
	}
	struct memory *m = memory_find(address);
	if (!m || m->start != address || m->freeing || (m->kind != MEM_POOL && m->kind != MEM_DEVICE))
		return leave(CUDA_ERROR_INVALID_VALUE);
	struct free_item *f = item_new(sizeof *f, NULL, end_free);
	if (!f)
		return leave(CUDA_ERROR_OUT_OF_MEMORY);
	f->address = address;
	f->id = m->id;
	m->freeing = 1;
	if (m->pool)
		m->pool->freeing++;
	item_submit(s, &f->item);
	return leave(CUDA_SUCCESS);
}

API CUresult cuMemPoolCreate(CUmemoryPool *out, const CUmemPoolProps *props)
{
	struct device *d;
	CUresult r = enter_any();
	if (r)
		return r;
	if (!out || !props || props->allocType != CU_MEM_ALLOCATION_TYPE_PINNED)
		return leave(CUDA_ERROR_INVALID_VALUE);
	if (props->location.type != CU_MEM_LOCATION_TYPE_DEVICE || props->handleTypes != CU_MEM_HANDLE_TYPE_NONE)
		return leave(CUDA_ERROR_NOT_SUPPORTED);
	r = device_find(props->location.id, &d);
	if (r)
		return leave(r);
	struct pool *p = pool_new(d);
	if (!p)
		return leave(CUDA_ERROR_OUT_OF_MEMORY);
	p->most = props->maxSize;
	*out = (CUmemoryPool)p;
	return leave(CUDA_SUCCESS);
}

/* Allocations live on until they are freed; the device goes back to its default pool. */
API CUresult cuMemPoolDestroy(CUmemoryPool handle)
{
	struct pool *p;
	CUresult r = enter_any();
	if (r)
		return r;
	r = pool_find(handle, &p);
	if (!r && p == p->device->default_pool)
		r = CUDA_ERROR_INVALID_VALUE;
	if (r)
		return leave(r);
	if (p->device->pool == p)
		p->device->pool = p->device->default_pool;
	object_retire(&p->object);
	return leave(CUDA_SUCCESS);
}

static CUresult device_pool(CUmemoryPool *out, CUdevice dev, int standard)
{
	struct device *d;
	CUresult r = enter_any();
	if (r)
		return r;
	r = device_find(dev, &d);
	if (!r && !out)
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		*out = (CUmemoryPool)(standard ? d->default_pool : d->pool);
	return leave(r);
}

API CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *out, CUdevice dev) { return device_pool(out, dev, 1); }
API CUresult cuDeviceGetMemPool(CUmemoryPool *out, CUdevice dev) { return device_pool(out, dev, 0); }

API CUresult cuDeviceSetMemPool(CUdevice dev, CUmemoryPool handle)
{
	struct device *d;
	struct pool *p;
	CUresult r = enter_any();
	if (r)
		return r;
	r = device_find(dev, &d);
	if (!r)
		r = pool_find(handle, &p);
	if (!r && p->device != d)
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		d->pool = p;
	return leave(r);
}

API CUresult cuMemPoolTrimTo(CUmemoryPool handle, size_t keep)
{
	struct pool *p;
	CUresult r = enter_any();
	if (r)
		return r;
	r = pool_find(handle, &p);
	if (!r && p->reserved > keep)
		reserve(p, keep);
	return leave(r);
}

API CUresult cuMemPoolGetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute, void *value)
{
	struct pool *p;
	uint64_t n;
	CUresult r = enter_any();
	if (r)
		return r;
	r = pool_find(handle, &p);
	if (!r && !value)
		r = CUDA_ERROR_INVALID_VALUE;
	if (r)
		return leave(r);
	switch ((int)attribute) {
	case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
	case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
	case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES: {
		int on = p->attributes[attribute] != 0;
		memcpy(value, &on, sizeof on);
		return leave(CUDA_SUCCESS);
	}
	case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: n = p->attributes[attribute]; break;
	case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT: n = p->reserved; break;
	case CU_MEMPOOL_ATTR_USED_MEM_CURRENT: n = p->used; break;
	case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
	case CU_MEMPOOL_ATTR_USED_MEM_HIGH: n = p->used_high; break;
	default: return leave(CUDA_ERROR_INVALID_VALUE);
	}
	memcpy(value, &n, sizeof n);
	return leave(CUDA_SUCCESS);
}

API CUresult cuMemPoolSetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute, void *value)
{
	struct pool *p;
	CUresult r = enter_any();
	if (r)
		return r;
	r = pool_find(handle, &p);
	if (!r && !value)
		r = CUDA_ERROR_INVALID_VALUE;
	if (r)
		return leave(r);
	switch ((int)attribute) {
	case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
	case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
	case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES: {
		int on;
		memcpy(&on, value, sizeof on);
		p->attributes[attribute] = on != 0;
		break;
	}
	case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: memcpy(&p->attributes[attribute], value, sizeof(uint64_t)); break;
	case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
	case CU_MEMPOOL_ATTR_USED_MEM_HIGH: {
		uint64_t n;
		memcpy(&n, value, sizeof n);
		if (n)
			r = CUDA_ERROR_INVALID_VALUE;   /* a mark can only be reset */
		else
			p->used_high = p->used;
		break;
	}
	default: r = CUDA_ERROR_INVALID_VALUE; break;
	}
	return leave(r);
}

API CUresult cuMemPoolSetAccess(CUmemoryPool handle, const CUmemAccessDesc *map, size_t count)
{
	struct pool *p;
	struct device *d;
	CUresult r = enter_any();
	if (r)
		return r;
	r = pool_find(handle, &p);
	if (!r && count && !map)
		r = CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; !r && i < count; i++) {
		r = map[i].location.type == CU_MEM_LOCATION_TYPE_DEVICE ? device_find(map[i].location.id, &d)
									 : CUDA_ERROR_INVALID_VALUE;
		if (!r && d == p->device && map[i].flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
			r = CUDA_ERROR_INVALID_VALUE;   /* its own device cannot lose access */
	}
	return leave(r);
}

API CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool handle, CUmemLocation *location)
{
	struct pool *p;
	struct device *d;
	CUresult r = enter_any();
	if (r)
		return r;
	r = pool_find(handle, &p);
	if (!r && (!flags || !location || location->type != CU_MEM_LOCATION_TYPE_DEVICE))
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		r = device_find(location->id, &d);
	if (!r)
		*flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;   /* every device sees pool memory here */
	return leave(r);
}
