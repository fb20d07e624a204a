// SPDX-License-Identifier: Apache-2.0
//
// A module's managed variables (`__managed__`). Each lies where the driver put
// it when the worker loaded the module, and the program reads and writes it at
// that address. The driver's memory cannot be shared with another process, so
// the program has pages of its own there, and the two are exchanged at calls:
// what the program has written goes to the device before a call is sent, what
// the device has written comes back after a call that waited for the device,
// and around a host function. A program that only polls such a variable, with
// no call, does not see it change (docs/using.md).
//
// The exchange goes over a stream of its own, beside the program's: it must
// wait for nothing of theirs. While a stream captures, nothing is exchanged.
#include "managed.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "call.h"
#include "capture.h"
#include "memory.h"
#include "session.h"
#include "thread.h"

#define PAGE 4096ull

struct variable {
	struct variable *next;
	uint64_t owner;    // the module's or the library's name
	bool of_module;    // it ends with its context
	CUcontext context; // NULL: that has ended, and the library's variable has not been found in another one
	CUstream stream;   // of that context
	uint8_t *at;
	size_t size;
	uint8_t *fresh;   // room for what is on its way
	uint8_t shadow[]; // what both sides had when they last exchanged it
};

_Atomic uint32_t axc_managed_variables;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct variable *all;
static uint8_t *_Atomic waits; // by call: its answer says that the device has done something; NULL before the first variable

static bool touches(const struct variable *v, uint64_t page)
{
	uint64_t from = (uint64_t)(uintptr_t)v->at;
	return from < page + PAGE && page < from + v->size;
}

// Gives a variable's pages to the program, or takes them back: those that no other variable has a part in. Under the lock.
static bool pages(const struct variable *v, bool give)
{
	uint64_t from = (uint64_t)(uintptr_t)v->at & ~(PAGE - 1);

	for (uint64_t page = from; page < (uint64_t)(uintptr_t)v->at + v->size; page += PAGE) {
		const struct variable *o = all;
		while (o && (o == v || !touches(o, page)))
			o = o->next;
		if (o)
			continue;
		void *want = (void *)(uintptr_t)page;
		// The window of device addresses is reserved (session.c): nothing of the program's can be there.
		if (give ? mmap(want, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != want
			 : mmap(want, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != want)
			return false;
	}
	return true;
}

// One copy between a variable and its memory on the device, over its stream. Under the lock.
static bool copy(struct variable *v, bool up, size_t first, size_t bytes)
{
	CUdeviceptr there = (CUdeviceptr)(uintptr_t)v->at + first;
	CUcontext before;

	if (cuCtxPushCurrent_v2(v->context))
		return false;
	CUresult r = up ? cuMemcpyHtoDAsync_v2(there, v->fresh + first, bytes, v->stream)
			: cuMemcpyDtoHAsync_v2(v->fresh + first, there, bytes, v->stream);
	if (!r)
		r = cuStreamSynchronize(v->stream);
	cuCtxPopCurrent_v2(&before);
	return !r;
}

// Whether this thread may exchange now: not from within an exchange. Leaves with the lock held.
static struct axc_thread *enter(void)
{
	struct axc_thread *t = axc_thread();

	if (!t || t->exchanging || axc_captures())
		return NULL;
	pthread_mutex_lock(&lock);
	t->exchanging = true;
	return t;
}

static void leave(struct axc_thread *t)
{
	t->exchanging = false;
	pthread_mutex_unlock(&lock);
}

static bool found_again(struct variable *v);

// Under the lock.
static void push(struct variable *v)
{
	size_t first = 0, end = v->size;

	while (first < end && v->at[first] == v->shadow[first])
		first++;
	while (first < end && v->at[end - 1] == v->shadow[end - 1])
		end--;
	if (first == end || !found_again(v))
		return;
	memcpy(v->fresh + first, v->at + first, end - first);
	if (copy(v, true, first, end - first))
		memcpy(v->shadow + first, v->fresh + first, end - first);
}

// Word by word, so that a variable of up to eight bytes changes in one go. Under the lock.
static void pull(struct variable *v)
{
	if (!found_again(v) || !copy(v, false, 0, v->size))
		return;
	for (size_t i = 0, n; i < v->size; i += n) {
		n = v->size - i >= 8 && !((uintptr_t)(v->at + i) & 7) ? 8 : v->size - i >= 4 && !((uintptr_t)(v->at + i) & 3) ? 4 : 1;
		if (!memcmp(v->fresh + i, v->shadow + i, n))
			continue;
		// What the program has written meanwhile stays, and goes up next.
		if (n == 8) {
			uint64_t old, new;
			memcpy(&old, v->shadow + i, n);
			memcpy(&new, v->fresh + i, n);
			atomic_compare_exchange_strong((_Atomic uint64_t *)(void *)(v->at + i), &old, new);
		} else if (n == 4) {
			uint32_t old, new;
			memcpy(&old, v->shadow + i, n);
			memcpy(&new, v->fresh + i, n);
			atomic_compare_exchange_strong((_Atomic uint32_t *)(void *)(v->at + i), &old, new);
		} else {
			uint8_t old = v->shadow[i];
			atomic_compare_exchange_strong((_Atomic uint8_t *)(v->at + i), &old, v->fresh[i]);
		}
		memcpy(v->shadow + i, v->fresh + i, n);
	}
}

void axc_managed_push(void)
{
	struct axc_thread *t = enter();

	if (!t)
		return;
	for (struct variable *v = all; v; v = v->next)
		push(v);
	leave(t);
}

void axc_managed_pull(void)
{
	struct axc_thread *t = enter();

	if (!t)
		return;
	for (struct variable *v = all; v; v = v->next)
		pull(v);
	leave(t);
}

void axc_managed_answered(uint32_t number)
{
	const uint8_t *w = atomic_load_explicit(&waits, memory_order_acquire);
	if (w && w[number])
		axc_managed_pull();
}

// Calls after which a program may look at what the device has done.
static bool find_waits(void)
{
	uint8_t *found = atomic_load(&waits);

	if (found)
		return true;
	found = calloc(AX_COUNT, 1);
	for (unsigned i = 1; found && i < AX_COUNT; i++) {
		const char *name = axg_call_name[i];
		found[i] = strstr(name, "Synchronize") || strstr(name, "Query") ||
			   (!strncmp(name, "cuMemcpy", 8) && !strstr(name, "Async"));
	}
	atomic_store(&waits, found);
	return found;
}

// The context and the stream of a variable's exchange. A library's variables are there before any context is current
// (nvcc's programs ask for them first); the first device's primary one is then the one that they will use. Under the lock.
static CUresult find_way(struct variable *v, CUcontext current)
{
	CUcontext before;
	CUresult r;
	struct variable *o = all;

	if (!current && (r = cuDevicePrimaryCtxRetain(&current, 0)))
		return r;
	v->context = current;
	while (o && (o == v || o->context != current))
		o = o->next;
	if (o) {
		v->stream = o->stream;
		return CUDA_SUCCESS;
	}
	if ((r = cuCtxPushCurrent_v2(current)))
		return r;
	r = cuStreamCreate(&v->stream, CU_STREAM_NON_BLOCKING);
	cuCtxPopCurrent_v2(&before);
	return r;
}

// Whether there is a way to the variable; where its context has ended, it is looked for in the one that is current. What is on the
// device then was made anew: it counts as what the device has written since. Under the lock, while exchanging.
static bool found_again(struct variable *v)
{
	struct axc_thread *t = axc_thread();
	CUcontext current = (CUcontext)(uintptr_t)axc_thread_context(t);
	int managed = 0;

	if (v->context)
		return true;
	if (!current || cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, (CUdeviceptr)(uintptr_t)v->at) || !managed)
		return false;
	if (find_way(v, current)) {
		v->context = NULL;
		return false;
	}
	pull(v);
	return true;
}

// Out of the list, with its pages. Under the lock.
static void drop(struct variable **p)
{
	struct variable *v = *p;

	*p = v->next;
	pages(v, false);
	free(v->fresh);
	free(v);
	atomic_fetch_sub(&axc_managed_variables, 1);
}

// The one that is known at that place: a library and its modules have the same. What was there in a context that has ended, and was not
// found again, is not. Under the lock.
static struct variable *known(uint64_t owner, const uint8_t *at, size_t size)
{
	for (struct variable **p = &all, *v; (v = *p);)
		if (v->at == at && v->size == size && (v->context || v->owner == owner))
			return v;
		else if (!v->context && v->at < at + size && at < v->at + v->size)
			drop(p);
		else
			p = &v->next;
	return NULL;
}

CUresult axc_managed_meet(uint64_t owner, bool of_module, CUdeviceptr at, size_t size)
{
	struct axc_thread *t = axc_thread();
	CUresult r = CUDA_SUCCESS;
	struct variable *v;

	if (!t || !axc_is_device(at) || !axc_is_device(at + size - 1))
		return CUDA_ERROR_NOT_SUPPORTED;
	pthread_mutex_lock(&lock);
	if (t->exchanging) {
		pthread_mutex_unlock(&lock);
		return CUDA_SUCCESS;
	}
	t->exchanging = true;
	if ((v = known(owner, (uint8_t *)(uintptr_t)at, size))) {
		found_again(v);
		t->exchanging = false;
		pthread_mutex_unlock(&lock);
		return CUDA_SUCCESS;
	}
	v = calloc(1, sizeof *v + size);
	if (!v || !(v->fresh = malloc(size)) || !find_waits()) {
		r = CUDA_ERROR_OUT_OF_MEMORY;
	} else {
		v->owner = owner;
		v->of_module = of_module;
		v->at = (uint8_t *)(uintptr_t)at;
		v->size = size;
		r = find_way(v, (CUcontext)(uintptr_t)axc_thread_context(t));
	}
	if (!r && !pages(v, true))
		r = CUDA_ERROR_OUT_OF_MEMORY;
	if (!r) {
		pull(v); // fresh pages and the shadow are zeros alike: all that is not zero comes in
		v->next = all;
		all = v;
		atomic_fetch_add(&axc_managed_variables, 1);
	} else if (v) {
		free(v->fresh);
		free(v);
	}
	t->exchanging = false;
	pthread_mutex_unlock(&lock);
	return r;
}

void axc_managed_part(uint64_t owner)
{
	if (!atomic_load(&axc_managed_variables))
		return;
	pthread_mutex_lock(&lock);
	for (struct variable **p = &all, *v; (v = *p);)
		if (v->owner == owner)
			drop(p);
		else
			p = &v->next;
	pthread_mutex_unlock(&lock);
}

void axc_managed_ended(uint64_t context)
{
	if (!atomic_load(&axc_managed_variables))
		return;
	pthread_mutex_lock(&lock);
	for (struct variable **p = &all, *v; (v = *p);) {
		if ((uint64_t)(uintptr_t)v->context == context) {
			v->context = NULL;
			if (v->of_module) {
				drop(p);
				continue;
			}
		}
		p = &v->next;
	}
	pthread_mutex_unlock(&lock);
}

void axc_managed_forked(void)
{
	// The child has its copy of the pages and no device to exchange them with.
	pthread_mutex_init(&lock, NULL);
	atomic_store(&axc_managed_variables, 0);
	all = NULL;
}
