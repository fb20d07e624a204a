/* SPDX-License-Identifier: Apache-2.0
 *
 * Semaphores of others, by descriptor: a file whose first eight bytes are the value. A timeline semaphore is signalled
 * by the value it gets, and waited for until it has that value or more. A binary one (OPAQUE_FD) is 1 when it was
 * signalled; a wait takes it back to 0.
 */
#include "graph.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MANY 1024

struct semaphore {
	struct object object;
	int fd, timeline;
	uint64_t *value;
};

static void semaphore_free(struct object *o)
{
	struct semaphore *s = (struct semaphore *)o;
	munmap(s->value, sizeof *s->value);
	close(s->fd);
	free(s);
}

API CUresult cuImportExternalSemaphore(CUexternalSemaphore *out, const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC *d)
{
	struct context *c;
	struct stat st;
	CUresult r = enter(&c);
	if (r)
		return r;
	if (!out || !d)
		return leave(CUDA_ERROR_INVALID_VALUE);
	int timeline = d->type == CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD;
	if (!timeline && d->type != CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD)
		return leave(d->type >= 1 && (int)d->type <= CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_WIN32
				     ? CUDA_ERROR_NOT_SUPPORTED
				     : CUDA_ERROR_INVALID_VALUE);
	if (d->flags || fstat(d->handle.fd, &st) || !S_ISREG(st.st_mode) || (size_t)st.st_size < sizeof(uint64_t))
		return leave(CUDA_ERROR_INVALID_VALUE);
	struct semaphore *s = calloc(1, sizeof *s);
	void *value = s ? mmap(NULL, sizeof *s->value, PROT_READ | PROT_WRITE, MAP_SHARED, d->handle.fd, 0) : MAP_FAILED;
	if (value == MAP_FAILED) {
		free(s);
		return leave(s ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_OUT_OF_MEMORY);
	}
	object_add(&s->object, K_SEMAPHORE, semaphore_free);
	s->fd = d->handle.fd;                  /* ours from now on */
	s->timeline = timeline;
	s->value = value;
	*out = (CUexternalSemaphore)s;
	return leave(CUDA_SUCCESS);
}

API CUresult cuDestroyExternalSemaphore(CUexternalSemaphore handle)
{
	CUresult r = enter_any();
	if (r)
		return r;
	struct semaphore *s = handle ? object_find(K_SEMAPHORE, handle) : NULL;
	if (!s)
		return leave(CUDA_ERROR_INVALID_HANDLE);
	object_retire(&s->object);             /* work that was queued holds it */
	return leave(CUDA_SUCCESS);
}

struct semaphore_item {
	struct item item;
	struct context *ctx;
	int wait;
	unsigned count;
	struct { struct semaphore *semaphore; uint64_t value; } each[];
};

static int arrived(struct semaphore *s, uint64_t value)
{
	uint64_t signalled = 1;
	if (s->timeline)
		return __atomic_load_n(s->value, __ATOMIC_SEQ_CST) >= value;
	return __atomic_compare_exchange_n(s->value, &signalled, 0, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static CUresult run_semaphores(struct item *item)
{
	struct semaphore_item *i = (struct semaphore_item *)item;
	for (unsigned k = 0; k < i->count; k++) {
		struct semaphore *s = i->each[k].semaphore;
		if (!i->wait) {
			__atomic_store_n(s->value, s->timeline ? i->each[k].value : 1, __ATOMIC_SEQ_CST);
			continue;
		}
		/* Who signals may be another process, or the host: it wakes nobody. */
		for (long ns = 1000; !arrived(s, i->each[k].value) && !__atomic_load_n(&i->ctx->stop, __ATOMIC_RELAXED);
		     ns = ns < 200000 ? 2 * ns : ns)
			nanosleep(&(struct timespec){ .tv_nsec = ns }, NULL);
	}
	return CUDA_SUCCESS;
}

static void end_semaphores(struct item *item)
{
	struct semaphore_item *i = (struct semaphore_item *)item;
	for (unsigned k = 0; k < i->count; k++)
		object_unref(&i->each[k].semaphore->object);
}

static CUresult check(const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *p)
{
	if (!p->numExtSems || p->numExtSems > MANY || !p->extSemArray || !p->paramsArray)
		return CUDA_ERROR_INVALID_VALUE;
	for (unsigned k = 0; k < p->numExtSems; k++) {
		if (!p->extSemArray[k] || !object_find(K_SEMAPHORE, p->extSemArray[k]))
			return CUDA_ERROR_INVALID_HANDLE;
		if (p->paramsArray[k].flags)   /* they are about NvSci's */
			return CUDA_ERROR_INVALID_VALUE;
	}
	return CUDA_SUCCESS;
}

CUresult semaphores_op(struct stream *s, int wait, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *p)
{
	CUresult r = check(p);                 /* one may have ended since the node was made */
	if (r)
		return r;
	struct semaphore_item *i = item_new(sizeof *i + p->numExtSems * sizeof *i->each, run_semaphores, end_semaphores);
	if (!i)
		return CUDA_ERROR_OUT_OF_MEMORY;
	i->ctx = s->ctx;
	i->wait = wait;
	i->count = p->numExtSems;
	for (unsigned k = 0; k < i->count; k++) {
		i->each[k].semaphore = object_find(K_SEMAPHORE, p->extSemArray[k]);
		i->each[k].value = p->paramsArray[k].params.fence.value;
		object_ref(&i->each[k].semaphore->object);
	}
	item_submit(s, &i->item);
	return CUDA_SUCCESS;
}

/* The node's two arrays are one block. */
CUresult op_semaphores(struct op *op, CUgraphNodeType type, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *p)
{
	memset(op, 0, sizeof *op);
	op->type = CU_GRAPH_NODE_TYPE_EMPTY;
	CUresult r = check(p);
	if (r)
		return r;
	size_t handles = p->numExtSems * sizeof *p->extSemArray, params = p->numExtSems * sizeof *p->paramsArray;
	unsigned char *block = malloc(handles + params);
	if (!block)
		return CUDA_ERROR_OUT_OF_MEMORY;
	memcpy(block, p->extSemArray, handles);
	memcpy(block + handles, p->paramsArray, params);
	op->type = type;
	op->semaphores = *p;
	op->semaphores.extSemArray = (CUexternalSemaphore *)block;
	op->semaphores.paramsArray = (void *)(block + handles);
	return CUDA_SUCCESS;
}

static CUresult queue(CUstream stream, CUgraphNodeType type, const CUexternalSemaphore *handles,
		      const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *params, unsigned count)
{
	struct context *c;
	struct stream *s;
	struct op op;
	CUresult r = enter(&c);
	if (r)
		return r;
	r = stream_find(c, stream, &s);
	if (r)
		return leave(r);
	const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS p = { (CUexternalSemaphore *)handles, params, count };
	if (!s->capture)
		return leave(semaphores_op(s, type == CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT, &p));
	r = op_semaphores(&op, type, &p);
	return leave(r ? r : capture_op(s, &op));
}

/* What is waited for with has the same layout as what is signalled with, up to keyed mutexes, which are Windows'. */
_Static_assert(sizeof(CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS) == sizeof(CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS), "one layout");
_Static_assert(offsetof(CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS, flags) == offsetof(CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS, flags), "one layout");

API CUresult cuSignalExternalSemaphoresAsync(const CUexternalSemaphore *handles, const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *params,
					     unsigned int count, CUstream stream)
{
	return queue(stream, CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL, handles, params, count);
}

API CUresult cuSignalExternalSemaphoresAsync_ptsz(const CUexternalSemaphore *handles, const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *params,
						  unsigned int count, CUstream stream)
{
	return cuSignalExternalSemaphoresAsync(handles, params, count, stream ? stream : CU_STREAM_PER_THREAD);
}

API CUresult cuWaitExternalSemaphoresAsync(const CUexternalSemaphore *handles, const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *params,
					   unsigned int count, CUstream stream)
{
	return queue(stream, CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT, handles, (const void *)params, count);
}

API CUresult cuWaitExternalSemaphoresAsync_ptsz(const CUexternalSemaphore *handles, const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *params,
						unsigned int count, CUstream stream)
{
	return cuWaitExternalSemaphoresAsync(handles, params, count, stream ? stream : CU_STREAM_PER_THREAD);
}
