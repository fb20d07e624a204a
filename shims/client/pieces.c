// SPDX-License-Identifier: Apache-2.0
//
// A forked child gets a private copy of these pages, as it does from the kernel
// for pages that a driver has pinned. Long pieces are copied by the child; what
// the parent or the device writes meanwhile may be in the copy. That will not do
// where the C library keeps something: the stack that fork is called on, where
// the parent goes on at once; a thread's own block, malloc's arenas, other
// handlers' data, all of which the child changes before its handlers run. So
// short pieces, and those on the stack, are made private before the fork and put
// back after it, in the parent, without what the device has written there being
// lost. (No other thread may unmap them just then.) Children that are made without fork's handlers (vfork, posix_spawn)
// share all memory anyway until they exec.
#include "pieces.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "call.h"
#include "heap.h"
#include "session.h"
#include "swap.h"

#define SHORT 0x100000u // bytes
#define DEEPER 0x10000u // bytes of stack that fork and other handlers may use below this one's frame

struct piece {
	uint64_t start, size; // whole pages
	uint8_t *heap;        // the same pages
	size_t taken;
	unsigned users;
	bool shown;   // scratch of the sweep
	bool away;    // private for as long as a fork takes
	void *before; // and the bytes that it had before; NULL without memory
	struct piece *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct piece *pieces;

static bool overlaps(const struct piece *p, uint64_t start, uint64_t end)
{
	return p->start < end && start < p->start + p->size;
}

// From here up: the callers' frames. A stack that is not the thread's own (a coroutine's) ends nobody knows where.
static void stack_in_use(uint64_t *start, uint64_t *end)
{
	pthread_attr_t attr;
	void *bottom;
	size_t size;
	char here;

	*start = (uint64_t)(uintptr_t)&here;
	*end = *start + 1;
	if (pthread_getattr_np(pthread_self(), &attr))
		return;
	if (!pthread_attr_getstack(&attr, &bottom, &size) && *start - (uint64_t)(uintptr_t)bottom < size)
		*end = (uint64_t)(uintptr_t)bottom + size;
	pthread_attr_destroy(&attr);
}

static void before_fork(void)
{
	uint64_t start, end;

	pthread_mutex_lock(&lock);
	if (!pieces)
		return;
	stack_in_use(&start, &end);
	start -= DEEPER;
	for (struct piece *p = pieces; p; p = p->next) {
		void *at = (void *)(uintptr_t)p->start;
		p->away = (p->size <= SHORT || overlaps(p, start, end)) && axc_swapped(at, p->size, p->heap, true);
		if (!p->away)
			continue;
		p->before = mmap(NULL, p->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		p->before = p->before == MAP_FAILED ? NULL : p->before;
		axc_swap_out(at, p->size, p->heap, p->before);
	}
}

// In both: what was needed for the fork only.
static void forget_before(struct piece *p)
{
	if (p->before)
		munmap(p->before, p->size);
	p->before = NULL;
	p->away = false;
}

static void after_fork(void)
{
	for (struct piece *p = pieces; p; p = p->next) {
		void *at = (void *)(uintptr_t)p->start;
		if (p->away && axc_swap_in_again(at, p->size, p->heap, p->before))
			axc_debug("after a fork: %zu bytes at %p are not shared with the device any more", (size_t)p->size, at);
		forget_before(p);
	}
	pthread_mutex_unlock(&lock);
}

static void in_child(void)
{
	for (struct piece *p = pieces; p; p = p->next)
		if (p->away)
			forget_before(p);
		else
			axc_swap_out_forked((void *)(uintptr_t)p->start, p->size, p->heap);
	pthread_mutex_unlock(&lock);
}

static void watch_forks(void) { pthread_atfork(before_fork, after_fork, in_child); }

void axc_pieces_lock(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, watch_forks);
	pthread_mutex_lock(&lock);
}

void axc_pieces_unlock(void) { pthread_mutex_unlock(&lock); }

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
	axc_swap_out((void *)(uintptr_t)p->start, p->size, p->heap, NULL);
	map(AX_axHostUnmap, p);
	axc_heap_give(p->heap, p->taken);
	free(p);
}

void axc_pieces_leave(uint64_t start, uint64_t end)
{
	for (struct piece **at = &pieces; *at;) {
		struct piece *p = *at;
		if (overlaps(p, start, end) && !--p->users) {
			*at = p->next;
			drop(p);
		} else {
			at = &p->next;
		}
	}
}

static void note_shown(uint64_t start, uint64_t end)
{
	for (struct piece *p = pieces; p; p = p->next)
		if ((uint64_t)(uintptr_t)p->heap < end && start < (uint64_t)(uintptr_t)p->heap + p->size)
			p->shown = true;
}

// Takes back what has no users and is mapped nowhere any more.
static void sweep(void)
{
	bool idle = false;
	for (struct piece *p = pieces; p; p = p->next) {
		p->shown = false;
		idle |= !p->users;
	}
	if (!idle || !axc_swap_shown(note_shown))
		return;
	for (struct piece **at = &pieces; *at;) {
		struct piece *p = *at;
		if (p->users || p->shown) {
			at = &p->next;
			continue;
		}
		*at = p->next;
		map(AX_axHostUnmap, p);
		axc_heap_give(p->heap, p->taken);
		free(p);
	}
}

void axc_pieces_let_be(uint64_t start, uint64_t end)
{
	for (struct piece *p = pieces; p; p = p->next)
		if (overlaps(p, start, end))
			p->users--;
}

static CUresult replace(uint64_t start, uint64_t end, bool read_only, struct piece **out)
{
	struct piece *p = malloc(sizeof *p);
	if (!p)
		return CUDA_ERROR_OUT_OF_MEMORY;
	*p = (struct piece){.start = start, .size = end - start, .next = pieces};
	if (!(p->heap = axc_heap_take(p->size, &p->taken))) {
		free(p);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	CUresult r = map(AX_axHostMap, p);
	if (r) {
		if (r == CUDA_ERROR_NOT_SUPPORTED)
			axc_debug("memory at 0x%llx cannot be shared in place: the worker has something of its own there",
				  (unsigned long long)start);
		axc_heap_give(p->heap, p->taken);
		free(p);
		return r;
	}
	if ((r = axc_swap_in((void *)(uintptr_t)start, p->size, p->heap, read_only))) {
		drop(p);
		return r;
	}
	pieces = *out = p;
	return CUDA_SUCCESS;
}

// A graph may outlive the memory that it was given, and other memory may lie there since.
static CUresult again(const struct piece *p, uint64_t start, uint64_t end, bool read_only)
{
	void *at = (void *)(uintptr_t)start;
	uint8_t *heap = p->heap + (start - p->start);
	return axc_swapped(at, end - start, heap, read_only) ? CUDA_SUCCESS : axc_swap_in(at, end - start, heap, read_only);
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

CUresult axc_pieces_enter(uint64_t start, uint64_t end, bool read_only)
{
	sweep();
	for (uint64_t at = start; at < end;) {
		uint64_t next;
		struct piece *p = piece_at(at, &next);
		CUresult r;
		if (p)
			r = again(p, at, p->start + p->size < end ? p->start + p->size : end, read_only);
		else
			r = replace(at, next < end ? next : end, read_only, &p);
		if (r) {
			if (at > start)
				axc_pieces_leave(start, at);
			return r;
		}
		p->users++;
		at = p->start + p->size;
	}
	return CUDA_SUCCESS;
}

uint8_t *axc_piece_heap(uint64_t address, uint64_t *end)
{
	uint64_t next;
	const struct piece *p = piece_at(address, &next);
	if (!p)
		return NULL;
	*end = p->start + p->size;
	return p->heap + (address - p->start);
}
