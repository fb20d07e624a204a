// SPDX-License-Identifier: Apache-2.0
//
// A context's limits. Libraries ask for them before every other launch (cuBLAS:
// four thousand times while a small Llama writes 256 tokens), and only
// cuCtxSetLimit changes them, so an answer is remembered until then. The stack
// is the exception: the driver makes it larger for a kernel that needs more.
#include <pthread.h>

#include "call.h"
#include "context.h"
#include "stats.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // of what is remembered, when it changes
static unsigned sets; // under the lock: how often a limit was set

// The place of a limit that may be remembered; NULL for another.
static struct axc_limit *limit_of(struct axc_context *c, CUlimit limit)
{
	return c && (unsigned)limit < AXC_LIMITS && limit != CU_LIMIT_STACK_SIZE ? &c->limits[limit] : NULL;
}

static unsigned changes(void)
{
	pthread_mutex_lock(&lock);
	unsigned n = sets;
	pthread_mutex_unlock(&lock);
	return n;
}

AX_EXPORT CUresult cuCtxGetLimit(size_t *pvalue, CUlimit limit)
{
	struct axc_call call;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!pvalue)
		return CUDA_ERROR_INVALID_VALUE;
	struct axc_context *c = axc_context_current();
	struct axc_limit *l = limit_of(c, limit);
	unsigned life = l ? atomic_load(&c->epoch) + 1 : 0;
	if (l && atomic_load(&c->live) && atomic_load_explicit(&l->life, memory_order_acquire) == life) {
		AXC_HERE();
		*pvalue = atomic_load_explicit(&l->value, memory_order_relaxed);
		return CUDA_SUCCESS;
	}
	unsigned before = changes();
	if ((r = axc_begin(&call, AX_cuCtxGetLimit, sizeof(struct ax_in_cuCtxGetLimit), 0)))
		return r;
	*(struct ax_in_cuCtxGetLimit *)call.in = (struct ax_in_cuCtxGetLimit){.limit = (uint32_t)limit};
	r = axc_wait(&call);
	if (!r && call.out_size >= sizeof(struct ax_out_cuCtxGetLimit))
		*pvalue = ((const struct ax_out_cuCtxGetLimit *)call.out)->pvalue;
	else if (!r)
		r = CUDA_ERROR_UNKNOWN;
	axc_end(&call);
	if (r || !l)
		return r;
	pthread_mutex_lock(&lock);
	if (sets == before) { // else what came may be what was before
		atomic_store_explicit(&l->value, *pvalue, memory_order_relaxed);
		atomic_store_explicit(&l->life, life, memory_order_release);
	}
	pthread_mutex_unlock(&lock);
	return r;
}

// Whatever the driver makes of it: it may set another value than the one asked for.
static void forget(struct axc_context *c)
{
	pthread_mutex_lock(&lock);
	sets++;
	for (unsigned i = 0; c && i < AXC_LIMITS; i++)
		atomic_store(&c->limits[i].life, 0);
	pthread_mutex_unlock(&lock);
}

AX_EXPORT CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
	struct axc_call call;
	struct axc_context *c = axc_context_current();
	CUresult r = axc_begin(&call, AX_cuCtxSetLimit, sizeof(struct ax_in_cuCtxSetLimit), 0);
	if (r)
		return r;
	*(struct ax_in_cuCtxSetLimit *)call.in = (struct ax_in_cuCtxSetLimit){.limit = (uint32_t)limit, .value = value};
	forget(c);
	r = axc_wait(&call);
	axc_end(&call);
	forget(c);
	return r;
}
