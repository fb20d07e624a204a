/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams, and how work gets done.
 *
 *   1. A call makes an item and submits it to a stream. It depends on the item before it there, and on what the legacy
 *      default stream's rules and cuStreamWaitEvent add: those are kept as counts of what is still pending.
 *   2. A stream with a ready item has a thread, made when first needed, gone after a while without work. It runs the head
 *      of the queue with the lock released. A caller who waits for an item anyway runs it himself when it is ready: a
 *      small synchronous copy costs no switch of threads.
 *   3. An item that is done is taken off its stream, and whatever depended on it and is now ready wakes its own stream.
 *
 * An item of a context that is broken or going away is passed over: it is done without having run.
 */
#include "driver.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define IDLE_SECONDS 2

uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static int stopping(struct context *c)
{
	return __atomic_load_n(&c->stop, __ATOMIC_RELAXED);
}

static int ready(const struct item *i)
{
	return i && i->state == ITEM_QUEUED && (!i->pending || stopping(i->stream->ctx));
}

void *item_new(size_t size, CUresult (*run)(struct item *), void (*end)(struct item *))
{
	struct item *i = calloc(1, size);
	if (i) {
		i->refs = 1;
		i->run = run;
		i->end = end;
	}
	return i;
}

void item_unref(struct item *i)
{
	if (i && --i->refs == 0) {
		free(i->dependents);
		free(i);
	}
}

static void item_begin(struct item *i)
{
	i->state = ITEM_RUNNING;
	i->began = gpu.sequence++;
	i->run_prev = gpu.running_last;
	if (gpu.running_last)
		gpu.running_last->run_next = i;
	else
		gpu.running = i;
	gpu.running_last = i;
}

static void kick(struct stream *);

static void item_finish(struct item *i, CUresult r)
{
	struct stream *s = i->stream;
	struct context *c = s->ctx;
	if (i->run_prev)
		i->run_prev->run_next = i->run_next;
	else
		gpu.running = i->run_next;
	if (i->run_next)
		i->run_next->run_prev = i->run_prev;
	else
		gpu.running_last = i->run_prev;
	i->run_prev = i->run_next = NULL;

	if (r && !c->error && !stopping(c))
		c->error = r;
	i->state = ITEM_DONE;
	i->time_ns = now_ns();
	s->head = i->next;
	if (!s->head)
		s->tail = NULL;
	c->outstanding--;
	if (i->end)
		i->end(i);
	for (size_t k = 0; k < i->dependent_count; k++) {
		struct item *d = i->dependents[k];
		d->pending--;
		if (d->state == ITEM_QUEUED && d->stream->head == d)
			kick(d->stream);
		item_unref(d);
	}
	i->dependent_count = 0;
	if (i->waiters || gpu.draining)
		pthread_cond_broadcast(&gpu.done);
	if (s->head)
		kick(s);
	if (gpu.graveyard)
		memory_reap();
	item_unref(i);                         /* the queue's */
	object_unref(&s->object);              /* the item's */
}

/* The lock is held, and is again on return. */
static void item_run(struct item *i)
{
	struct context *c = i->stream->ctx;
	CUresult r = CUDA_SUCCESS;
	int run = i->run && (i->even_if_broken || (!c->error && !stopping(c)));
	item_begin(i);
	if (run) {
		pthread_mutex_unlock(&gpu.lock);
		r = i->run(i);
		pthread_mutex_lock(&gpu.lock);
	}
	item_finish(i, r);
}

static void *stream_thread(void *p)
{
	struct stream *s = p;
	pthread_mutex_lock(&gpu.lock);
	for (;;) {
		if (ready(s->head)) {
			item_run(s->head);
			continue;
		}
		if (s->closed && !s->head)
			break;
		struct timespec t;
		clock_gettime(CLOCK_MONOTONIC, &t);
		t.tv_sec += IDLE_SECONDS;
		if (pthread_cond_timedwait(&s->wake, &gpu.lock, &t) == ETIMEDOUT && !s->head)
			break;
	}
	s->has_thread = 0;
	object_unref(&s->object);
	pthread_mutex_unlock(&gpu.lock);
	return NULL;
}

/* The head may have become ready: see that somebody runs it. */
static void kick(struct stream *s)
{
	if (!ready(s->head))
		return;
	if (s->head->waiters) {                /* whoever waits for it runs it */
		pthread_cond_broadcast(&gpu.done);
		return;
	}
	if (s->has_thread) {
		pthread_cond_signal(&s->wake);
		return;
	}
	pthread_t thread;
	pthread_attr_t attr;
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attr, (size_t)1 << 20);
	s->has_thread = 1;
	object_ref(&s->object);
	/* The program's signal handlers are for its own threads. */
	sigset_t every, before;
	sigfillset(&every);
	pthread_sigmask(SIG_SETMASK, &every, &before);
	int failed = pthread_create(&thread, &attr, stream_thread, s);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (failed) {
		/* No thread to be had: run the work here rather than never. */
		s->has_thread = 0;
		object_unref(&s->object);
		while (ready(s->head) && !s->has_thread)
			item_run(s->head);
	}
	pthread_attr_destroy(&attr);
}

void item_depend(struct item *i, struct item *on)
{
	if (!on || on->state == ITEM_DONE || on == i)
		return;
	if (on->dependent_count == on->dependent_room) {
		size_t room = on->dependent_room ? 2 * on->dependent_room : 4;
		struct item **list = realloc(on->dependents, room * sizeof *list);
		if (!list) {
			/* Without the room to remember it, the dependence is met by waiting for it here. */
			on->refs++;
			item_wait(on);
			item_unref(on);
			return;
		}
		on->dependents = list;
		on->dependent_room = room;
	}
	on->dependents[on->dependent_count++] = i;
	i->refs++;
	i->pending++;
}

/* The legacy default stream and the blocking streams of a context wait for each other; non-blocking ones stand apart. */
static void enqueue(struct stream *s, struct item *i)
{
	struct context *c = s->ctx;
	if (s == c->legacy) {
		for (struct stream *o = c->streams; o; o = o->next)
			if (o != s && !(o->flags & CU_STREAM_NON_BLOCKING))
				item_depend(i, o->tail);
	} else if (c->legacy && !(s->flags & CU_STREAM_NON_BLOCKING)) {
		item_depend(i, c->legacy->tail);
	}
	i->stream = s;
	i->submitted = gpu.sequence++;
	object_ref(&s->object);
	c->outstanding++;
	if (s->tail)
		s->tail->next = i;
	else
		s->head = i;
	s->tail = i;
}

void item_submit(struct stream *s, struct item *i)
{
	enqueue(s, i);
	if (s->head == i)
		kick(s);
}

CUresult item_submit_and_wait(struct stream *s, struct item *i)
{
	struct context *c = s->ctx;
	object_ref(&c->object);
	i->refs++;
	enqueue(s, i);
	item_wait(i);
	item_unref(i);
	CUresult r = context_state(c);
	context_unref(c);
	return r;
}

void item_wait(struct item *i)
{
	i->waiters++;
	while (i->state != ITEM_DONE) {
		if (i->stream->head == i && ready(i))
			item_run(i);
		else
			pthread_cond_wait(&gpu.done, &gpu.lock);
	}
	i->waiters--;
}

void streams_stop(struct context *c)
{
	for (struct stream *s = c->streams, *next; s; s = next) {
		next = s->next;
		kick(s);
	}
}

static void stream_free(struct object *o)
{
	struct stream *s = (struct stream *)o;
	struct stream **p = &s->ctx->streams;
	while (*p && *p != s)
		p = &(*p)->next;
	if (*p)
		*p = s->next;
	pthread_cond_destroy(&s->wake);
	context_unref(s->ctx);
	free(s);
}

CUresult stream_new(struct context *c, unsigned flags, int priority, struct stream **out)
{
	struct stream *s = calloc(1, sizeof *s);
	pthread_condattr_t attr;
	if (!s)
		return CUDA_ERROR_OUT_OF_MEMORY;
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&s->wake, &attr);
	pthread_condattr_destroy(&attr);
	object_add(&s->object, K_STREAM, stream_free);
	object_ref(&c->object);
	s->ctx = c;
	s->flags = flags;
	s->priority = priority > PRIORITY_LEAST ? PRIORITY_LEAST : priority < PRIORITY_GREATEST ? PRIORITY_GREATEST : priority;
	s->id = gpu.next_id++;
	s->next = c->streams;
	c->streams = s;
	*out = s;
	return CUDA_SUCCESS;
}

/* What was submitted is still done. */
void stream_close(struct stream *s)
{
	if (s->closed)
		return;
	capture_stream_closed(s);
	s->closed = 1;
	pthread_cond_signal(&s->wake);
	object_retire(&s->object);
}

CUresult own_stream(struct context *c, struct stream **out)
{
	struct thread *t = thread_self();
	for (int i = 0; i < t->own_count; i++) {
		if (t->own[i].stream->closed) {        /* its context has ended */
			object_unref(&t->own[i].stream->object);
			context_unref(t->own[i].ctx);
			t->own[i--] = t->own[--t->own_count];
		} else if (t->own[i].ctx == c) {
			*out = t->own[i].stream;
			return CUDA_SUCCESS;
		}
	}
	struct own_stream *own = realloc(t->own, (size_t)(t->own_count + 1) * sizeof *own);
	if (!own)
		return CUDA_ERROR_OUT_OF_MEMORY;
	t->own = own;
	CUresult r = stream_new(c, CU_STREAM_DEFAULT, 0, out);
	if (r)
		return r;
	object_ref(&(*out)->object);
	object_ref(&c->object);
	t->own[t->own_count++] = (struct own_stream){ c, *out };
	return CUDA_SUCCESS;
}

CUresult stream_find(struct context *c, CUstream handle, struct stream **out)
{
	if (!handle || handle == CU_STREAM_LEGACY) {
		*out = c->legacy;
		return capture_legacy(c);
	}
	if (handle == CU_STREAM_PER_THREAD)
		return own_stream(c, out);
	*out = object_find(K_STREAM, handle);
	if (!*out)
		return CUDA_ERROR_INVALID_HANDLE;
	return context_state((*out)->ctx);
}

int stream_idle(struct stream *s)
{
	if (s->tail)
		return 0;
	if (s == s->ctx->legacy)
		for (struct stream *o = s->ctx->streams; o; o = o->next)
			if (o->tail && !(o->flags & CU_STREAM_NON_BLOCKING))
				return 0;
	return 1;
}

CUresult stream_wait(struct stream *s)
{
	if (s == s->ctx->legacy && !stream_idle(s)) {
		/* An item there waits for the blocking streams too. */
		struct item *i = item_new(sizeof *i, NULL, NULL);
		return i ? item_submit_and_wait(s, i) : CUDA_ERROR_OUT_OF_MEMORY;
	}
	struct context *c = s->ctx;
	struct item *last = s->tail;
	object_ref(&c->object);
	if (last) {
		last->refs++;
		item_wait(last);
		item_unref(last);
	}
	CUresult r = context_state(c);
	context_unref(c);
	return r;
}

/* Every call on a stream starts here. */
static CUresult enter_stream(CUstream handle, struct stream **s)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	r = stream_find(c, handle, s);
	return r ? leave(r) : r;
}

API CUresult cuStreamCreateWithPriority(CUstream *out, unsigned int flags, int priority)
{
	struct context *c;
	struct stream *s;
	CUresult r = enter(&c);
	if (r)
		return r;
	if (!out || flags & ~(unsigned)CU_STREAM_NON_BLOCKING)
		return leave(CUDA_ERROR_INVALID_VALUE);
	r = stream_new(c, flags, priority, &s);
	if (!r)
		*out = (CUstream)s;
	return leave(r);
}

API CUresult cuStreamCreate(CUstream *out, unsigned int flags)
{
	return cuStreamCreateWithPriority(out, flags, 0);
}

API CUresult cuStreamDestroy_v2(CUstream handle)
{
	CUresult r = enter_any();
	if (r)
		return r;
	/* Also of a broken context: the handle must not live on. */
	struct stream *s = handle ? object_find(K_STREAM, handle) : NULL;
	if (!s || s == s->ctx->legacy)
		return leave(CUDA_ERROR_INVALID_HANDLE);
	struct context *c = s->ctx;
	object_ref(&c->object);
	stream_close(s);
	r = context_state(c);
	context_unref(c);
	return leave(r);
}

API CUresult cuStreamSynchronize(CUstream handle)
{
	struct stream *s;
	CUresult r = enter_stream(handle, &s);
	if (r)
		return r;
	if (s->capture)
		return leave(capture_refuse(s, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED));
	return leave(stream_wait(s));
}

API CUresult cuStreamQuery(CUstream handle)
{
	struct stream *s;
	CUresult r = enter_stream(handle, &s);
	if (r)
		return r;
	if (s->capture)
		return leave(capture_refuse(s, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED));
	return leave(stream_idle(s) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY);
}

API CUresult cuStreamGetPriority(CUstream handle, int *priority)
{
	struct stream *s;
	CUresult r = enter_stream(handle, &s);
	if (r)
		return r;
	if (!priority)
		return leave(CUDA_ERROR_INVALID_VALUE);
	*priority = s->priority;
	return leave(CUDA_SUCCESS);
}

API CUresult cuStreamGetFlags(CUstream handle, unsigned int *flags)
{
	struct stream *s;
	CUresult r = enter_stream(handle, &s);
	if (r)
		return r;
	if (!flags)
		return leave(CUDA_ERROR_INVALID_VALUE);
	*flags = s->flags;
	return leave(CUDA_SUCCESS);
}

API CUresult cuStreamGetId(CUstream handle, unsigned long long *id)
{
	struct stream *s;
	CUresult r = enter_stream(handle, &s);
	if (r)
		return r;
	if (!id)
		return leave(CUDA_ERROR_INVALID_VALUE);
	*id = s->id;
	return leave(CUDA_SUCCESS);
}

API CUresult cuStreamGetDevice(CUstream handle, CUdevice *device)
{
	struct stream *s;
	CUresult r = enter_stream(handle, &s);
	if (r)
		return r;
	if (!device)
		return leave(CUDA_ERROR_INVALID_VALUE);
	*device = s->ctx->device->ordinal;
	return leave(CUDA_SUCCESS);
}

API CUresult cuStreamGetCtx(CUstream handle, CUcontext *ctx)
{
	struct stream *s;
	CUresult r = enter_stream(handle, &s);
	if (r)
		return r;
	if (!ctx)
		return leave(CUDA_ERROR_INVALID_VALUE);
	*ctx = (CUcontext)s->ctx;
	return leave(CUDA_SUCCESS);
}

API CUresult cuStreamGetCtx_v2(CUstream handle, CUcontext *ctx, CUgreenCtx *green)
{
	if (green)
		*green = NULL;
	return cuStreamGetCtx(handle, ctx);
}

API CUresult cuStreamAttachMemAsync(CUstream handle, CUdeviceptr address, size_t length, unsigned int flags)
{
	struct stream *s;
	CUresult r = enter_stream(handle, &s);
	if (r)
		return r;
	struct memory *m = memory_find(address);
	if (!m || m->kind != MEM_MANAGED || (length && length != m->size) ||
	    (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST && flags != CU_MEM_ATTACH_SINGLE))
		return leave(CUDA_ERROR_INVALID_VALUE);
	return leave(CUDA_SUCCESS);
}

/* The attributes steer caches and clocks that this device has not. Priority is the one that can be read back. */
API CUresult cuStreamGetAttribute(CUstream handle, CUstreamAttrID attribute, CUstreamAttrValue *value)
{
	struct stream *s;
	CUresult r = enter_stream(handle, &s);
	if (r)
		return r;
	if (!value)
		return leave(CUDA_ERROR_INVALID_VALUE);
	memset(value, 0, sizeof *value);
	switch ((int)attribute) {
	case CU_LAUNCH_ATTRIBUTE_PRIORITY: value->priority = s->priority; break;
	case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY: value->syncPolicy = CU_SYNC_POLICY_AUTO; break;
	case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
	case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
	case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP: break;
	default: r = CUDA_ERROR_INVALID_VALUE; break;
	}
	return leave(r);
}

API CUresult cuStreamSetAttribute(CUstream handle, CUstreamAttrID attribute, const CUstreamAttrValue *value)
{
	struct stream *s;
	CUresult r = enter_stream(handle, &s);
	if (r)
		return r;
	if (!value)
		return leave(CUDA_ERROR_INVALID_VALUE);
	switch ((int)attribute) {
	case CU_LAUNCH_ATTRIBUTE_PRIORITY:
		if (value->priority > PRIORITY_LEAST || value->priority < PRIORITY_GREATEST)
			r = CUDA_ERROR_INVALID_VALUE;
		else
			s->priority = value->priority;
		break;
	case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
	case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
	case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
	case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP: break;
	default: r = CUDA_ERROR_INVALID_VALUE; break;
	}
	return leave(r);
}

API CUresult cuStreamCopyAttributes(CUstream to, CUstream from)
{
	struct stream *a, *b;
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	r = stream_find(c, to, &a);
	if (!r)
		r = stream_find(c, from, &b);
	if (!r)
		a->priority = b->priority;
	return leave(r);
}
