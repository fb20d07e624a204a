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
//
// Memory that is shared with others anyway stays as it is, in a child too: the worker maps the same file (shared.c).
#include "pieces.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "call.h"
#include "file.h"
#include "heap.h"
#include "session.h"
#include "shared.h"
#include "swap.h"

#define SHORT 0x100000u // bytes
#define DEEPER 0x10000u // bytes of stack that fork and other handlers may use below this one's frame

struct piece {
	uint64_t start, size; // whole pages
	uint8_t *heap;        // the same pages; NULL: a file's
	size_t taken;
	struct axc_shared file; // without heap
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
		p->away = p->heap && (p->size <= SHORT || overlaps(p, start, end)) && axc_swapped(at, p->size, p->heap, true);
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
		else if (p->heap)
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

// The program's memory has nothing of it any more.
static void forget(struct piece *p)
{
	map(AX_axHostUnmap, p);
	if (p->heap)
		axc_heap_give(p->heap, p->taken);
	free(p);
}

static void drop(struct piece *p)
{
	if (p->heap)
		axc_swap_out((void *)(uintptr_t)p->start, p->size, p->heap, NULL);
	forget(p);
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
		if (p->heap && (uint64_t)(uintptr_t)p->heap < end && start < (uint64_t)(uintptr_t)p->heap + p->size)
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
		forget(p);
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

static CUresult share(const struct axc_mapping *m, uint64_t start, uint64_t end, bool read_only, struct piece **out)
{
	struct piece *p = calloc(1, sizeof *p);
	if (!p)
		return CUDA_ERROR_OUT_OF_MEMORY;
	CUresult r = axc_shared_show(m, &start, &end, read_only, &p->file);
	if (r) {
		free(p);
		return r;
	}
	p->start = start;
	p->size = end - start;
	p->next = pieces;
	pieces = *out = p;
	return CUDA_SUCCESS;
}

static bool shared_with_others(const struct axc_mapping *m) { return m->shared && !axc_swap_is_heap(m); }

// A piece for what is mapped at `start`, up to where that changes its kind, or to `end`.
static CUresult make(uint64_t start, uint64_t end, bool read_only, struct piece **out)
{
	struct axc_maps maps;
	struct axc_mapping m, more;
	char line[AXC_FILE_LINE], other[256];
	bool found = false;

	if (!axc_maps_open(&maps))
		return replace(start, end, read_only, out); // which says so
	while (!found && axc_maps_next(&maps, &m, line, sizeof line))
		found = m.end > start;
	if (!found || m.start > start) {
		axc_maps_close(&maps);
		return CUDA_ERROR_INVALID_VALUE;
	}
	bool shared = shared_with_others(&m);
	uint64_t to = m.end;
	while (!shared && to < end && axc_maps_next(&maps, &more, other, sizeof other) && more.start == to && !shared_with_others(&more))
		to = more.end;
	axc_maps_close(&maps);
	to = to < end ? to : end;
	return shared ? share(&m, start, to, read_only, out) : replace(start, to, read_only, out);
}

// The program has mapped something else where a piece is that still has users. What is shown in the worker is to be what the program
// has there, so the piece is made anew, with its users; where there is nothing any more, or what cannot be shown, none.
static void renew(struct piece *old)
{
	struct piece **at = &pieces, *p;
	uint64_t start = old->start, end = old->start + old->size;
	unsigned users = old->users;

	while (*at != old)
		at = &(*at)->next;
	*at = old->next;
	forget(old);
	while (start < end) {
		struct axc_mapping m;
		char line[256];
		if (!make(start, end, true, &p)) {
			p->users = users;
			start = p->start + p->size;
		} else {
			start = axc_mapping_at(start, &m, line, sizeof line) ? m.end : start + (uint64_t)sysconf(_SC_PAGESIZE);
		}
	}
}

// Whether the piece shows, from `at` to `end`, what the program has there. A graph may outlive the memory that it was given, and other
// memory may lie there since.
static CUresult again(const struct piece *p, uint64_t at, uint64_t end, bool read_only, bool *changed)
{
	struct axc_mapping m;
	char line[256];

	uint8_t *heap = p->heap ? p->heap + (at - p->start) : NULL;

	*changed = false;
	if (heap && axc_swapped((void *)(uintptr_t)at, end - at, heap, read_only))
		return CUDA_SUCCESS;
	if (!axc_mapping_at(at, &m, line, sizeof line))
		return CUDA_ERROR_INVALID_VALUE;
	if (heap) {
		*changed = shared_with_others(&m) && m.start <= p->start && m.end >= p->start + p->size;
		return *changed ? CUDA_SUCCESS : axc_swap_in((void *)(uintptr_t)at, end - at, heap, read_only);
	}
	if (!(m.prot & PROT_READ) || (!(m.prot & PROT_WRITE) && !read_only))
		return CUDA_ERROR_INVALID_VALUE;
	*changed = !axc_shared_is(&p->file, p->start, &m, at) || m.end < end || (!read_only && !p->file.writable);
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

// The piece that has `at`, be it there or made now.
static CUresult obtain(uint64_t at, uint64_t end, bool read_only, bool may_renew, struct piece **out)
{
	uint64_t next;
	bool changed;
	struct piece *p = *out = piece_at(at, &next);

	if (!p)
		return make(at, next < end ? next : end, read_only, out);
	CUresult r = again(p, at, p->start + p->size < end ? p->start + p->size : end, read_only, &changed);
	if (r || !changed)
		return r;
	if (!may_renew) {
		axc_debug("memory at 0x%llx is of a file that could be opened for reading only", (unsigned long long)at);
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	renew(p);
	return obtain(at, end, read_only, false, out);
}

CUresult axc_pieces_enter(uint64_t start, uint64_t end, bool read_only)
{
	sweep();
	for (uint64_t at = start; at < end;) {
		struct piece *p;
		CUresult r = obtain(at, end, read_only, true, &p);
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
