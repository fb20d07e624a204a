// SPDX-License-Identifier: Apache-2.0
//
// The host side of a copy in a graph is read or written when the graph is
// launched. Ordinary memory that is one becomes pages of the region in place,
// like registered memory (pieces.c), and stays that while anything may launch
// the copy. The vendor's library is not told: to it, as to the program, it is
// ordinary memory, and may be registered and unregistered besides.
//
// Only the driver knows when the last of a graph, its clones, its execs and
// their launches is gone. It tells by a user object, which the graph owns and
// whose destructor comes here. From then on the pages are nobody's but the
// program's; they stay where they are, in the region, until it unmaps them.
// Replacing them once more would not do: the program may be freeing them at
// that very moment, and others be given the place.
//
// What was set in a node or an exec later on has no graph to hang such an
// object on, and is held until the program ends: each page once, however often.
#include "hold.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "call.h"
#include "capture.h"
#include "pieces.h"
#include "session.h"

struct axc_hold {
	uint64_t start, end; // whole pages
	struct axc_hold *next;
};

static struct axc_hold *_Atomic ended; // whose graphs are gone, but who are still users of their pages

// The destructor. It runs while the worker waits for it, so that it takes no lock.
static void graph_ended(void *arg)
{
	struct axc_hold *h = arg;

	h->next = atomic_load(&ended);
	while (!atomic_compare_exchange_weak(&ended, &h->next, h))
		;
}

// Under the lock of the pieces.
static void let_go_of_ended(void)
{
	for (struct axc_hold *h = atomic_exchange(&ended, NULL), *next; h; h = next) {
		next = h->next;
		axc_pieces_let_be(h->start, h->end);
		free(h);
	}
}

CUresult axc_hold(const void *p, uint64_t bytes, bool read_only, struct axc_hold **out)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), start = (uint64_t)(uintptr_t)p;

	if (axc.mirrored) {
		axc_debug("a graph's copy from or to host memory is not supported through a relay");
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	if (!bytes || bytes > 1ull << 47 || start > (1ull << 47) - bytes)
		return CUDA_ERROR_INVALID_VALUE;
	struct axc_hold *h = malloc(sizeof *h);
	if (!h)
		return CUDA_ERROR_OUT_OF_MEMORY;
	*h = (struct axc_hold){.start = start & ~(page - 1), .end = (start + bytes + page - 1) & ~(page - 1)};
	axc_pieces_lock();
	let_go_of_ended();
	CUresult r = axc_pieces_enter(h->start, h->end, read_only);
	axc_pieces_unlock();
	if (r)
		free(h);
	else
		*out = h;
	return r;
}

void axc_hold_drop(struct axc_hold *h)
{
	axc_pieces_lock();
	axc_pieces_leave(h->start, h->end);
	axc_pieces_unlock();
	free(h);
}

void axc_hold_for(struct axc_hold *h, CUgraph graph)
{
	CUuserObject object;

	if (!graph || cuUserObjectCreate(&object, h, graph_ended, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC)) {
		free(h);
		return;
	}
	if (cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE))
		axc_debug("a graph could not be given a user object: the host memory that it copies stays shared");
}

CUresult axc_hold_recorded(CUstream stream, const void *p, uint64_t bytes, bool read_only, bool *held)
{
	struct axc_hold *h;
	CUgraph graph;

	*held = false;
	if (!axc_capturing(stream, &graph) || axc.mirrored)
		return CUDA_SUCCESS;
	CUresult r = axc_hold(p, bytes, read_only, &h);
	if (r)
		return r;
	axc_hold_for(h, graph);
	*held = true;
	return CUDA_SUCCESS;
}
