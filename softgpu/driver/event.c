/* SPDX-License-Identifier: Apache-2.0
 *
 * Events, and the other things that a stream can wait for or do without a kernel: values in memory, host functions.
 *
 * Recording an event submits an item, and the event remembers the last one: it is complete when that item is done.
 */
#include "graph.h"

#include <stdlib.h>
#include <time.h>

struct event {
	struct object object;
	struct context *ctx;
	struct event *next;
	unsigned flags;
	struct item *record;
	struct ipc_event *shared;              /* what other processes see of it, or NULL */
	struct capture *capture;               /* its last record was in this one, */
	struct tips tips;                      /* after these nodes */
};

static void capture_forget(struct event *e)
{
	tips_end(&e->tips);
	capture_unref(e->capture);
	e->capture = NULL;
}

static void event_free(struct object *o)
{
	struct event *e = (struct event *)o;
	capture_forget(e);
	item_unref(e->record);
	if (e->shared)
		ipc_event_close(e->shared);
	free(e);
}

static CUresult event_find(CUevent handle, struct event **e)
{
	*e = handle ? object_find(K_EVENT, handle) : NULL;
	return *e ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

static void event_retire(struct event *e)
{
	struct event **p = &e->ctx->events;
	while (*p != e)
		p = &(*p)->next;
	*p = e->next;
	object_retire(&e->object);
}

void events_end_context(struct context *c)
{
	while (c->events)
		event_retire(c->events);
}

static CUresult event_new(struct context *c, unsigned flags, struct ipc_event *shared, CUevent *out)
{
	struct event *e = calloc(1, sizeof *e);
	if (!e) {
		if (shared)
			ipc_event_close(shared);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	object_add(&e->object, K_EVENT, event_free);
	e->ctx = c;
	e->flags = flags;
	e->shared = shared;
	e->next = c->events;
	c->events = e;
	*out = (CUevent)e;
	return CUDA_SUCCESS;
}

API CUresult cuEventCreate(CUevent *out, unsigned int flags)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	if (!out || flags & ~(unsigned)(CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS) ||
	    (flags & CU_EVENT_INTERPROCESS && !(flags & CU_EVENT_DISABLE_TIMING)))
		return leave(CUDA_ERROR_INVALID_VALUE);
	struct ipc_event *shared = NULL;
	if (flags & CU_EVENT_INTERPROCESS && !(shared = ipc_event_new()))
		return leave(CUDA_ERROR_OPERATING_SYSTEM);
	return leave(event_new(c, flags, shared, out));
}

API CUresult cuEventDestroy_v2(CUevent handle)
{
	struct event *e;
	CUresult r = enter_any();
	if (r)
		return r;
	r = event_find(handle, &e);
	if (!r) {
		r = context_state(e->ctx);
		event_retire(e);
	}
	return leave(r);
}

/* A record of an event that other processes see, and a wait for one. */
struct shared_item {
	struct item item;
	struct event *event;
	uint64_t number;
};

static void shared_done(struct item *i)
{
	struct shared_item *s = (struct shared_item *)i;
	ipc_event_done(s->event->shared, s->number);
	object_unref(&s->event->object);
}

static CUresult shared_wait(struct item *i)
{
	struct shared_item *s = (struct shared_item *)i;
	while (!ipc_event_wait(s->event->shared, s->number, 1) && !__atomic_load_n(&i->stream->ctx->stop, __ATOMIC_RELAXED))
		;
	return CUDA_SUCCESS;
}

static void shared_waited(struct item *i)
{
	object_unref(&((struct shared_item *)i)->event->object);
}

static CUresult shared_submit(struct event *e, struct stream *s, int wait)
{
	struct shared_item *i = item_new(sizeof *i, wait ? shared_wait : NULL, wait ? shared_waited : shared_done);
	if (!i)
		return CUDA_ERROR_OUT_OF_MEMORY;
	i->event = e;
	i->number = wait ? ipc_event_last(e->shared) : ipc_event_record(e->shared);
	object_ref(&e->object);
	item_submit(s, &i->item);
	return CUDA_SUCCESS;
}

API CUresult cuIpcGetEventHandle(CUipcEventHandle *out, CUevent handle)
{
	struct event *e;
	CUresult r = enter_any();
	if (r)
		return r;
	r = event_find(handle, &e);
	if (!r && (!out || !e->shared))
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		ipc_event_handle(e->shared, out);
	return leave(r);
}

API CUresult cuIpcOpenEventHandle(CUevent *out, CUipcEventHandle handle)
{
	struct context *c;
	struct ipc_event *shared;
	CUresult r = enter(&c);
	if (r)
		return r;
	if (!out)
		return leave(CUDA_ERROR_INVALID_VALUE);
	r = ipc_event_open(&handle, &shared);
	return leave(r ? r : event_new(c, CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS, shared, out));
}

/* A record in a capture is a place in its graph: the nodes that the stream's next one would depend on. */
static CUresult record_captured(struct event *e, struct stream *s)
{
	struct capture *c = s->capture;
	if (c->invalid)
		return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
	c->refs++;
	capture_forget(e);
	e->capture = c;
	return tips_copy(&e->tips, s->tips) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult record(struct event *e, struct stream *s)
{
	if (e->ctx != s->ctx)
		return CUDA_ERROR_INVALID_HANDLE;
	if (s->capture)
		return e->shared ? capture_refuse(s, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED) : record_captured(e, s);
	capture_forget(e);
	if (e->shared)
		return shared_submit(e, s, 0);
	struct item *i = item_new(sizeof *i, NULL, NULL);
	if (!i)
		return CUDA_ERROR_OUT_OF_MEMORY;
	item_unref(e->record);
	e->record = i;
	i->refs++;
	item_submit(s, i);
	return CUDA_SUCCESS;
}

API CUresult cuEventRecordWithFlags(CUevent handle, CUstream stream, unsigned int flags)
{
	struct context *c;
	struct event *e;
	struct stream *s;
	CUresult r = enter(&c);
	if (r)
		return r;
	if (flags & ~(unsigned)CU_EVENT_RECORD_EXTERNAL)
		return leave(CUDA_ERROR_INVALID_VALUE);
	r = event_find(handle, &e);
	if (!r)
		r = stream_find(c, stream, &s);
	if (!r && s->capture && flags & CU_EVENT_RECORD_EXTERNAL) {
		struct op op = { .type = CU_GRAPH_NODE_TYPE_EVENT_RECORD, .event = handle };
		return leave(capture_op(s, &op));
	}
	return leave(r ? r : record(e, s));
}

CUresult event_record_op(struct stream *s, CUevent handle)
{
	struct event *e;
	CUresult r = event_find(handle, &e);
	return r ? r : record(e, s);
}

API CUresult cuEventRecord(CUevent handle, CUstream stream)
{
	return cuEventRecordWithFlags(handle, stream, CU_EVENT_RECORD_DEFAULT);
}

/* Whether an event can be asked for now. */
static CUresult unsafe(struct event *e)
{
	if (!e->capture)
		return capture_unsafe();
	e->capture->invalid = 1;
	return CUDA_ERROR_CAPTURED_EVENT;
}

API CUresult cuEventQuery(CUevent handle)
{
	struct event *e;
	CUresult r = enter_any();
	if (r)
		return r;
	r = event_find(handle, &e);
	if (!r)
		r = context_state(e->ctx);
	if (!r)
		r = unsafe(e);
	if (!r && e->record && e->record->state != ITEM_DONE)
		r = CUDA_ERROR_NOT_READY;
	if (!r && e->shared && !ipc_event_wait(e->shared, ipc_event_last(e->shared), 0))
		r = CUDA_ERROR_NOT_READY;
	return leave(r);
}

API CUresult cuEventSynchronize(CUevent handle)
{
	struct event *e;
	CUresult r = enter_any();
	if (r)
		return r;
	r = event_find(handle, &e);
	if (!r)
		r = context_state(e->ctx);
	if (!r)
		r = unsafe(e);
	struct context *c = e ? e->ctx : NULL;
	if (!r && e->shared) {
		uint64_t number = ipc_event_last(e->shared);
		object_ref(&c->object);
		object_ref(&e->object);
		for (int done = 0; !done && !(r = context_state(c));) {
			pthread_mutex_unlock(&gpu.lock);
			done = ipc_event_wait(e->shared, number, 1);
			pthread_mutex_lock(&gpu.lock);
		}
		object_unref(&e->object);
		context_unref(c);
		return leave(r);
	}
	if (r || !e->record)
		return leave(r);
	struct item *i = e->record;
	object_ref(&c->object);
	i->refs++;
	item_wait(i);
	item_unref(i);
	r = context_state(c);
	context_unref(c);
	return leave(r);
}

API CUresult cuEventElapsedTime_v2(float *ms, CUevent start, CUevent end)
{
	struct event *a, *b;
	CUresult r = enter_any();
	if (r)
		return r;
	if (!ms)
		return leave(CUDA_ERROR_INVALID_VALUE);
	r = event_find(start, &a);
	if (!r)
		r = event_find(end, &b);
	if (!r)
		r = context_state(a->ctx);
	if (!r && ((a->flags | b->flags) & CU_EVENT_DISABLE_TIMING || !a->record || !b->record))
		r = CUDA_ERROR_INVALID_HANDLE;
	if (!r && (a->record->state != ITEM_DONE || b->record->state != ITEM_DONE))
		r = CUDA_ERROR_NOT_READY;
	if (!r)
		*ms = (float)((double)(int64_t)(b->record->time_ns - a->record->time_ns) * 1e-6);
	return leave(r);
}

API CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end)
{
	return cuEventElapsedTime_v2(ms, start, end);
}

static CUresult wait_for(struct stream *s, struct event *e)
{
	if (e->shared)
		return shared_submit(e, s, 1);
	if (!e->record || e->record->state == ITEM_DONE || e->record->stream == s)
		return CUDA_SUCCESS;
	struct item *i = item_new(sizeof *i, NULL, NULL);
	if (!i)
		return CUDA_ERROR_OUT_OF_MEMORY;
	item_depend(i, e->record);
	item_submit(s, i);
	return CUDA_SUCCESS;
}

API CUresult cuStreamWaitEvent(CUstream stream, CUevent handle, unsigned int flags)
{
	struct context *c;
	struct event *e;
	struct stream *s;
	CUresult r = enter(&c);
	if (r)
		return r;
	if (flags & ~(unsigned)CU_EVENT_WAIT_EXTERNAL)
		return leave(CUDA_ERROR_INVALID_VALUE);
	r = event_find(handle, &e);
	if (!r)
		r = stream_find(c, stream, &s);
	if (!r && s->capture && flags & CU_EVENT_WAIT_EXTERNAL) {
		struct op op = { .type = CU_GRAPH_NODE_TYPE_WAIT_EVENT, .event = handle };
		return leave(capture_op(s, &op));
	}
	if (!r && e->capture)
		return leave(e->capture->ended ? CUDA_ERROR_CAPTURED_EVENT : capture_join(s, e->capture, &e->tips));
	if (!r && s->capture && (e->shared || e->record))      /* on work that is not recorded */
		return leave(capture_refuse(s, CUDA_ERROR_STREAM_CAPTURE_ISOLATION));
	return leave(r || s->capture ? r : wait_for(s, e));
}

CUresult event_wait_op(struct stream *s, CUevent handle)
{
	struct event *e;
	CUresult r = event_find(handle, &e);
	return r ? r : wait_for(s, e);
}

struct host_item {
	struct item item;
	CUhostFn function;
	CUstreamCallback callback;
	CUstream handle;
	void *data;
	CUresult status;
};

/* A host function may not call the driver: its thread is marked meanwhile. */
static CUresult run_host(struct item *i)
{
	struct host_item *h = (struct host_item *)i;
	struct thread *t = thread_self();
	if (t)
		t->in_callback++;
	if (h->function)
		h->function(h->data);
	else
		h->callback(h->handle, h->status, h->data);
	if (t)
		t->in_callback--;
	return CUDA_SUCCESS;
}

/* The status that a callback is told is that of its context when its turn comes. */
static CUresult run_callback(struct item *i)
{
	struct host_item *h = (struct host_item *)i;
	pthread_mutex_lock(&gpu.lock);
	h->status = context_state(i->stream->ctx);
	pthread_mutex_unlock(&gpu.lock);
	return run_host(i);
}

CUresult host_op(struct stream *s, const CUDA_HOST_NODE_PARAMS *p)
{
	struct host_item *h = item_new(sizeof *h, run_host, NULL);
	if (!h)
		return CUDA_ERROR_OUT_OF_MEMORY;
	h->function = p->fn;
	h->data = p->userData;
	item_submit(s, &h->item);
	return CUDA_SUCCESS;
}

API CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data)
{
	struct context *c;
	struct stream *s;
	CUresult r = enter(&c);
	if (r)
		return r;
	if (!function)
		return leave(CUDA_ERROR_INVALID_VALUE);
	r = stream_find(c, stream, &s);
	if (r)
		return leave(r);
	const CUDA_HOST_NODE_PARAMS host = { .fn = function, .userData = data };
	if (s->capture) {
		struct op op = { .type = CU_GRAPH_NODE_TYPE_HOST, .host = host };
		return leave(capture_op(s, &op));
	}
	return leave(host_op(s, &host));
}

API CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *data, unsigned int flags)
{
	struct context *c;
	struct stream *s;
	CUresult r = enter(&c);
	if (r)
		return r;
	if (!callback || flags)
		return leave(CUDA_ERROR_INVALID_VALUE);
	r = stream_find(c, stream, &s);
	if (!r && s->capture)
		r = capture_refuse(s, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
	if (r)
		return leave(r);
	struct host_item *h = item_new(sizeof *h, run_callback, NULL);
	if (!h)
		return leave(CUDA_ERROR_OUT_OF_MEMORY);
	h->callback = callback;
	h->handle = stream;
	h->data = data;
	h->item.even_if_broken = 1;
	item_submit(s, &h->item);
	return leave(CUDA_SUCCESS);
}

struct value_item {
	struct item item;
	struct context *ctx;
	uint64_t address, value;
	int wide, write;
	unsigned flags;
};

static int met(const struct value_item *v)
{
	uint64_t now;
	if (v->wide)
		now = __atomic_load_n((uint64_t *)(uintptr_t)v->address, __ATOMIC_ACQUIRE);
	else
		now = __atomic_load_n((uint32_t *)(uintptr_t)v->address, __ATOMIC_ACQUIRE);
	switch (v->flags & 3) {
	case CU_STREAM_WAIT_VALUE_GEQ:         /* cyclic: (now - value) >= 0 */
		return v->wide ? (int64_t)(now - v->value) >= 0 : (int32_t)(uint32_t)(now - v->value) >= 0;
	case CU_STREAM_WAIT_VALUE_EQ:
		return v->wide ? now == v->value : (uint32_t)now == (uint32_t)v->value;
	case CU_STREAM_WAIT_VALUE_AND:
		return (now & v->value & (v->wide ? UINT64_MAX : UINT32_MAX)) != 0;
	default:
		return (~(now | v->value) & (v->wide ? UINT64_MAX : UINT32_MAX)) != 0;
	}
}

static CUresult run_value(struct item *i)
{
	struct value_item *v = (struct value_item *)i;
	size_t size = v->wide ? 8 : 4;
	if (memory_valid(v->address, size, v->write) != 1)
		return CUDA_ERROR_ILLEGAL_ADDRESS;
	if (v->write) {
		if (v->wide)
			__atomic_store_n((uint64_t *)(uintptr_t)v->address, v->value, __ATOMIC_SEQ_CST);
		else
			__atomic_store_n((uint32_t *)(uintptr_t)v->address, (uint32_t)v->value, __ATOMIC_SEQ_CST);
		return CUDA_SUCCESS;
	}
	for (long ns = 1000; !met(v) && !__atomic_load_n(&v->ctx->stop, __ATOMIC_RELAXED); ns = ns < 200000 ? 2 * ns : ns)
		nanosleep(&(struct timespec){ .tv_nsec = ns }, NULL);
	return CUDA_SUCCESS;
}

static CUresult value_item(struct stream *s, CUdeviceptr address, uint64_t value, unsigned flags, int wide, int write)
{
	unsigned allowed = write ? CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER : 3u | CU_STREAM_WAIT_VALUE_FLUSH;
	size_t size = wide ? 8 : 4;
	if (flags & ~allowed || address % size || memory_covers(address, size, write) != 1)
		return CUDA_ERROR_INVALID_VALUE;
	if (!write && flags & CU_STREAM_WAIT_VALUE_FLUSH)
		return CUDA_ERROR_NOT_SUPPORTED;   /* attribute CAN_FLUSH_REMOTE_WRITES is 0 */
	struct value_item *v = item_new(sizeof *v, run_value, NULL);
	if (!v)
		return CUDA_ERROR_OUT_OF_MEMORY;
	v->ctx = s->ctx;
	v->address = address;
	v->value = value;
	v->flags = flags;
	v->wide = wide;
	v->write = write;
	item_submit(s, &v->item);
	return CUDA_SUCCESS;
}

CUresult values_op(struct stream *s, const CUDA_BATCH_MEM_OP_NODE_PARAMS *p)
{
	CUresult r = CUDA_SUCCESS;
	for (unsigned i = 0; !r && i < p->count; i++) {
		const CUstreamBatchMemOpParams *o = &p->paramArray[i];
		switch ((int)o->operation) {
		case CU_STREAM_MEM_OP_WAIT_VALUE_32:
			r = value_item(s, o->waitValue.address, o->waitValue.value, o->waitValue.flags, 0, 0);
			break;
		case CU_STREAM_MEM_OP_WAIT_VALUE_64:
			r = value_item(s, o->waitValue.address, o->waitValue.value64, o->waitValue.flags, 1, 0);
			break;
		case CU_STREAM_MEM_OP_WRITE_VALUE_32:
			r = value_item(s, o->writeValue.address, o->writeValue.value, o->writeValue.flags, 0, 1);
			break;
		case CU_STREAM_MEM_OP_WRITE_VALUE_64:
			r = value_item(s, o->writeValue.address, o->writeValue.value64, o->writeValue.flags, 1, 1);
			break;
		case CU_STREAM_MEM_OP_BARRIER:
			break;
		default:
			r = CUDA_ERROR_INVALID_VALUE;
			break;
		}
	}
	return r;
}

static CUresult values(CUstream stream, unsigned count, CUstreamBatchMemOpParams *ops)
{
	struct context *c;
	struct stream *s;
	struct op op;
	CUresult r = enter(&c);
	if (r)
		return r;
	r = stream_find(c, stream, &s);
	if (r || !count)
		return leave(r);
	const CUDA_BATCH_MEM_OP_NODE_PARAMS params = { .count = count, .paramArray = ops };
	if (!s->capture)
		return leave(values_op(s, &params));
	r = op_values(&op, &params);
	return leave(r ? r : capture_op(s, &op));
}

static CUresult value_call(CUstream stream, CUdeviceptr address, uint64_t value, unsigned flags, int wide, int write)
{
	CUstreamBatchMemOpParams op = { 0 };
	if (write) {
		op.writeValue.operation = wide ? CU_STREAM_MEM_OP_WRITE_VALUE_64 : CU_STREAM_MEM_OP_WRITE_VALUE_32;
		op.writeValue.address = address;
		op.writeValue.value64 = value;
		op.writeValue.flags = flags;
	} else {
		op.waitValue.operation = wide ? CU_STREAM_MEM_OP_WAIT_VALUE_64 : CU_STREAM_MEM_OP_WAIT_VALUE_32;
		op.waitValue.address = address;
		op.waitValue.value64 = value;
		op.waitValue.flags = flags;
	}
	return values(stream, 1, &op);
}

API CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned int flags)
{
	return value_call(stream, address, value, flags, 0, 0);
}

API CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned int flags)
{
	return value_call(stream, address, value, flags, 1, 0);
}

API CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned int flags)
{
	return value_call(stream, address, value, flags, 0, 1);
}

API CUresult cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned int flags)
{
	return value_call(stream, address, value, flags, 1, 1);
}

API CUresult cuStreamBatchMemOp_v2(CUstream stream, unsigned int count, CUstreamBatchMemOpParams *ops, unsigned int flags)
{
	if (flags || (count && !ops) || count > 256)
		return CUDA_ERROR_INVALID_VALUE;
	return values(stream, count, ops);
}
