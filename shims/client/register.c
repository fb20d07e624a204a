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
#include <stdatomic.h>
#include <unistd.h>

#include "call.h"
#include "host.h"
#include "pieces.h"
#include "session.h"
#include "thread.h"

static _Atomic unsigned registered; // ranges, so that a copy of a program without any looks no further

static CUresult add(uint64_t start, size_t bytes, unsigned flags, uint64_t context)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), piece_end;
	uint64_t first = start & ~(page - 1), end = (start + bytes + page - 1) & ~(page - 1);
	struct axc_range range = {.start = start, .size = bytes, .kind = AXC_RANGE_REGISTERED, .context = context,
				  .flags = (flags & ~(unsigned)CU_MEMHOSTREGISTER_READ_ONLY) | CU_MEMHOSTREGISTER_DEVICEMAP};

	CUresult r = axc_pieces_enter(first, end, flags & CU_MEMHOSTREGISTER_READ_ONLY);
	if (r)
		return r;
	range.wire = start;
	if (axc.mirrored) {
		range.wire = (uint64_t)(uintptr_t)axc_piece_heap(start, &piece_end);
		if (end > piece_end) {
			axc_debug("cuMemHostRegister: a page is registered already; behind a relay it cannot be twice");
			axc_pieces_leave(first, end);
			return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
		}
	}
	r = axc_host_registration(AX_axHostRegister, range.wire, bytes, flags);
	if (!r && !axc_range_add(&axc_allocations, &range)) {
		axc_host_registration(AX_axHostUnregister, range.wire, 0, 0);
		r = CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
	}
	if (r)
		axc_pieces_leave(first, end);
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
	axc_pieces_lock();
	r = known(start, bytesize) ? CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED
				   : add(start, bytesize, Flags, axc_thread_context(t));
	axc_pieces_unlock();
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
	axc_pieces_lock();
	if (!axc_range_find(&axc_allocations, start, &range))
		r = CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
	else if (range.kind != AXC_RANGE_REGISTERED || range.start != start)
		r = CUDA_ERROR_INVALID_VALUE;
	else {
		r = axc_host_registration(AX_axHostUnregister, range.wire, 0, 0);
		// Whatever the driver says (a broken context says its error to all): the program has let go of it.
		axc_range_remove(&axc_allocations, start, &range);
		atomic_fetch_sub(&registered, 1);
		axc_pieces_leave(start & ~(page - 1), (start + range.size + page - 1) & ~(page - 1));
	}
	axc_pieces_unlock();
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
