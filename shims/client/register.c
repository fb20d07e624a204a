// SPDX-License-Identifier: Apache-2.0
//
// cuMemHostRegister: the pages that cover the program's memory become pages of
// the region's heap, in place (swap.c). The worker has them at the same address
// and registers the program's own range there, so that the vendor's rules for
// ranges hold and the device pointer is the host pointer. Unregistering makes
// them the program's private pages again: freed memory would otherwise stay in
// the region for ever.
//
// Behind a relay nothing is shared with the device. There the heap's other
// address of the same pages is registered, and copies name that: they read and
// write it as pinned memory, when the stream gets there. Device mapping is
// refused.
//
// A forked child gets a private copy of what is registered, as it does from the
// kernel for pages that a driver has pinned. Two things differ: what the parent
// or the device writes while the child makes the copy may be in it, and a page of
// the stack that the child runs on stays shared. Children that are made without
// fork's handlers (vfork, posix_spawn) share all memory anyway until they exec.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "call.h"
#include "heap.h"
#include "host.h"
#include "session.h"
#include "swap.h"
#include "thread.h"

// A stretch of pages that were replaced. Two registrations may share a page.
struct piece {
	uint64_t start, size; // whole pages
	uint8_t *heap;        // the same pages
	size_t taken;
	unsigned users;
	struct piece *next;
};

// Over everything here but axc_pinned's look; held while the worker is asked.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct piece *pieces;
static _Atomic unsigned registered; // ranges, so that a copy of a program without any looks no further

static void before_fork(void) { pthread_mutex_lock(&lock); }
static void after_fork(void) { pthread_mutex_unlock(&lock); }
static void in_child(void)
{
	char here;
	for (struct piece *p = pieces; p; p = p->next)
		if ((uint64_t)(uintptr_t)&here - p->start >= p->size)
			axc_swap_out_forked((void *)(uintptr_t)p->start, p->size, p->heap);
	pthread_mutex_unlock(&lock);
}

static void watch_forks(void)
{
	pthread_atfork(before_fork, after_fork, in_child);
}

static CUresult map(uint32_t number, const struct piece *p)
{
	struct axc_call call;
	if (axc.mirrored)
		return CUDA_SUCCESS;
	CUresult r = axc_begin(&call, number, sizeof(struct ax_in_axHostMap), 0);
	if (r)
		return r;
	if (number == AX_axHostMap)
		*(struct ax_in_axHostMap *)call.in = (struct ax_in_axHostMap){
			.address = p->start, .heap = (uint64_t)(uintptr_t)p->heap, .size = p->size};
	else
		((struct ax_in_axHostUnmap *)call.in)->address = p->start;
	r = axc_wait(&call);
	axc_end(&call);
	return r;
}

static void drop(struct piece *p)
{
	axc_swap_out((void *)(uintptr_t)p->start, p->size, p->heap);
	map(AX_axHostUnmap, p);
	axc_heap_give(p->heap, p->taken);
	free(p);
}

// Takes one user from every piece under [start, end), and the pieces without users back.
static void leave(uint64_t start, uint64_t end)
{
	for (struct piece **at = &pieces; *at;) {
		struct piece *p = *at;
		if (p->start < end && start < p->start + p->size && !--p->users) {
			*at = p->next;
			drop(p);
		} else {
			at = &p->next;
		}
	}
}

static CUresult replace(uint64_t start, uint64_t end, bool read_only)
{
	struct piece *p = malloc(sizeof *p);
	if (!p)
		return CUDA_ERROR_OUT_OF_MEMORY;
	*p = (struct piece){.start = start, .size = end - start, .users = 0, .next = pieces};
	if (!(p->heap = axc_heap_take(p->size, &p->taken))) {
		free(p);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	CUresult r = map(AX_axHostMap, p);
	if (r) {
		axc_heap_give(p->heap, p->taken);
		free(p);
		return r;
	}
	if ((r = axc_swap_in((void *)(uintptr_t)start, p->size, p->heap, read_only))) {
		drop(p);
		return r;
	}
	pieces = p;
	return CUDA_SUCCESS;
}

static struct piece *piece_at(uint64_t address, uint64_t *next)
{
	*next = UINT64_MAX;
	for (struct piece *p = pieces; p; p = p->next) {
		if (address - p->start < p->size)
			return p;
		if (p->start > address && p->start < *next)
			*next = p->start;
	}
	return NULL;
}

// Every page of [start, end) in a piece, with a user more.
static CUresult enter(uint64_t start, uint64_t end, bool read_only)
{
	for (uint64_t at = start; at < end;) {
		uint64_t next;
		struct piece *p = piece_at(at, &next);
		if (!p) {
			CUresult r = replace(at, next < end ? next : end, read_only);
			if (r) {
				leave(start, at);
				return r;
			}
			continue;
		}
		p->users++;
		at = p->start + p->size;
	}
	return CUDA_SUCCESS;
}

static CUresult add(uint64_t start, size_t bytes, unsigned flags, uint64_t context)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), none;
	uint64_t first = start & ~(page - 1), end = (start + bytes + page - 1) & ~(page - 1);
	struct axc_range range = {.start = start, .size = bytes, .kind = AXC_RANGE_REGISTERED, .context = context,
				  .flags = (flags & ~(unsigned)CU_MEMHOSTREGISTER_READ_ONLY) | CU_MEMHOSTREGISTER_DEVICEMAP};

	CUresult r = enter(first, end, flags & CU_MEMHOSTREGISTER_READ_ONLY);
	if (r)
		return r;
	range.wire = start;
	if (axc.mirrored) {
		const struct piece *p = piece_at(first, &none);
		range.wire = (uint64_t)(uintptr_t)p->heap + (start - p->start);
		if (end > p->start + p->size) {
			axc_debug("cuMemHostRegister: a page is registered already; behind a relay it cannot be twice");
			leave(first, end);
			return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
		}
	}
	r = axc_host_registration(AX_axHostRegister, range.wire, bytes, flags);
	if (!r && !axc_range_add(&axc_allocations, &range)) {
		axc_host_registration(AX_axHostUnregister, range.wire, 0, 0);
		r = CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
	}
	if (r)
		leave(first, end);
	else
		atomic_fetch_add(&registered, 1);
	return r;
}

// Any part of it allocated or registered.
static bool known(uint64_t start, uint64_t bytes)
{
	struct axc_range range;
	return axc_range_next(&axc_allocations, start, &range) && range.start < start + bytes;
}

AX_EXPORT CUresult cuMemHostRegister_v2(void *p, size_t bytesize, unsigned int Flags)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	uint64_t start = (uint64_t)(uintptr_t)p;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!p || !bytesize || start + bytesize < start || start + bytesize > 1ull << 47 ||
	    Flags & ~(CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP | CU_MEMHOSTREGISTER_IOMEMORY |
		      CU_MEMHOSTREGISTER_READ_ONLY))
		return CUDA_ERROR_INVALID_VALUE;
	struct axc_thread *t = axc_thread();
	if (!t || !axc_thread_context(t))
		return CUDA_ERROR_INVALID_CONTEXT;
	if (Flags & CU_MEMHOSTREGISTER_IOMEMORY) {
		axc_debug("cuMemHostRegister: a device's memory cannot be shared with the worker");
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	if (axc.mirrored && Flags & CU_MEMHOSTREGISTER_DEVICEMAP) {
		axc_debug("cuMemHostRegister: a kernel cannot reach the program's memory through a relay");
		return CUDA_ERROR_INVALID_VALUE; // which libraries take for "do without"
	}
	pthread_once(&once, watch_forks);
	pthread_mutex_lock(&lock);
	r = known(start, bytesize) ? CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED
				   : add(start, bytesize, Flags, axc_thread_context(t));
	pthread_mutex_unlock(&lock);
	return r;
}

AX_EXPORT CUresult cuMemHostRegister(void *p, size_t bytesize, unsigned int Flags)
{
	return cuMemHostRegister_v2(p, bytesize, Flags);
}

AX_EXPORT CUresult cuMemHostUnregister(void *p)
{
	uint64_t start = (uint64_t)(uintptr_t)p, page = (uint64_t)sysconf(_SC_PAGESIZE);
	struct axc_range range;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!p)
		return CUDA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&lock);
	if (!axc_range_find(&axc_allocations, start, &range))
		r = CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
	else if (range.kind != AXC_RANGE_REGISTERED || range.start != start)
		r = CUDA_ERROR_INVALID_VALUE;
	else {
		r = axc_host_registration(AX_axHostUnregister, range.wire, 0, 0);
		// Whatever the driver says (a broken context says its error to all): the program has let go of it.
		axc_range_remove(&axc_allocations, start, &range);
		atomic_fetch_sub(&registered, 1);
		leave(start & ~(page - 1), (start + range.size + page - 1) & ~(page - 1));
	}
	pthread_mutex_unlock(&lock);
	return r;
}

bool axc_pinned(const void *p, uint64_t bytes, uint64_t *wire)
{
	uint64_t start = (uint64_t)(uintptr_t)p;
	struct axc_range range;

	*wire = start;
	if (axc_in_heap(p, bytes))
		return true;
	if (!atomic_load_explicit(&registered, memory_order_relaxed) || !axc_range_find(&axc_allocations, start, &range) ||
	    range.kind != AXC_RANGE_REGISTERED || bytes > range.size - (start - range.start))
		return false;
	*wire = range.wire + (start - range.start);
	return true;
}
