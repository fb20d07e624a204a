// SPDX-License-Identifier: Apache-2.0
//
// Context-local storage (table c693336e): values that cudart and the libraries
// on it keep with a context. Keys, values and destructors are the client's own
// pointers, so none of this crosses. Hot: a lookup a launch.
#include "storage.h"

#include <pthread.h>
#include <stdlib.h>

#include "call.h"
#include "context.h"

#define BUCKETS 64u

struct entry {
	void *key, *value;
	axc_destructor destroy;
	struct entry *next;
};

struct axc_stored {
	struct entry *bucket[BUCKETS];
};

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static unsigned bucket_of(const void *key)
{
	return (unsigned)(((uintptr_t)key * 0x9e3779b97f4a7c15ull) >> 58);
}

// NULL and (CUcontext)-1 both mean the current context.
static struct axc_context *which(CUcontext ctx)
{
	return ctx && (intptr_t)ctx != -1 ? axc_context_of(ctx) : axc_context_current();
}

static struct entry **find(struct axc_context *c, const void *key)
{
	struct entry **e = &c->stored->bucket[bucket_of(key)];
	while (*e && (*e)->key != key)
		e = &(*e)->next;
	return e;
}

CUresult axc_storage_put(CUcontext ctx, void *key, void *value, axc_destructor destroy)
{
	CUresult r = axc_ready();
	struct axc_context *c = r ? NULL : which(ctx);
	if (!c)
		return r ? r : CUDA_ERROR_INVALID_CONTEXT;
	r = CUDA_ERROR_OUT_OF_MEMORY;
	pthread_rwlock_wrlock(&lock);
	if (!c->stored)
		c->stored = calloc(1, sizeof *c->stored);
	struct entry **at = c->stored ? find(c, key) : NULL;
	struct entry *e = at ? *at ? *at : calloc(1, sizeof *e) : NULL;
	if (e) {
		e->key = key;
		e->value = value;
		e->destroy = destroy;
		*at = e;
		r = CUDA_SUCCESS;
	}
	pthread_rwlock_unlock(&lock);
	return r;
}

CUresult axc_storage_delete(CUcontext ctx, void *key)
{
	CUresult r = axc_ready();
	struct axc_context *c = r ? NULL : which(ctx);
	if (r)
		return CUDA_ERROR_DEINITIALIZED;
	if (!c)
		return CUDA_ERROR_INVALID_CONTEXT;
	r = CUDA_ERROR_INVALID_HANDLE;
	pthread_rwlock_wrlock(&lock);
	struct entry **at = c->stored ? find(c, key) : NULL;
	if (at && *at) {
		struct entry *gone = *at;
		*at = gone->next;
		free(gone);
		r = CUDA_SUCCESS;
	}
	pthread_rwlock_unlock(&lock);
	return r;
}

CUresult axc_storage_get(void **value, CUcontext ctx, void *key)
{
	CUresult r = axc_ready();
	struct axc_context *c = r ? NULL : which(ctx);
	if (!c)
		return r ? r : CUDA_ERROR_INVALID_CONTEXT;
	r = CUDA_ERROR_INVALID_HANDLE;
	pthread_rwlock_rdlock(&lock);
	struct entry **at = c->stored ? find(c, key) : NULL;
	if (at && *at) {
		*value = (*at)->value;
		r = CUDA_SUCCESS;
	}
	pthread_rwlock_unlock(&lock);
	return r;
}

void axc_storage_end(struct axc_context *c)
{
	pthread_rwlock_wrlock(&lock);
	struct axc_stored *stored = c->stored;
	c->stored = NULL;
	pthread_rwlock_unlock(&lock);
	if (!stored)
		return;
	// Without the lock: a destructor may come back here.
	for (unsigned i = 0; i < BUCKETS; i++)
		for (struct entry *e = stored->bucket[i], *next; e; e = next) {
			next = e->next;
			if (e->destroy)
				e->destroy((CUcontext)(uintptr_t)c->name, e->key, e->value);
			free(e);
		}
	free(stored);
}
