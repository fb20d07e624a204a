// SPDX-License-Identifier: Apache-2.0
//
// Pinned and managed memory: pieces of the region's heap, at the same address
// in the worker and registered there, so that the device reads and writes the
// program's own bytes.
#include "host.h"

#include "advice.h"
#include "call.h"
#include "heap.h"
#include "session.h"
#include "thread.h"
#include "stats.h"

CUresult axc_host_registration(uint32_t number, uint64_t address, size_t bytes, unsigned flags)
{
	struct axc_call call;
	CUresult r = axc_begin(&call, number, sizeof(struct ax_in_axHostRegister), 0);
	if (r)
		return r;
	if (number == AX_axHostRegister)
		*(struct ax_in_axHostRegister *)call.in =
			(struct ax_in_axHostRegister){.address = address, .size = bytes, .flags = flags};
	else
		((struct ax_in_axHostUnregister *)call.in)->address = address;
	r = axc_wait(&call);
	axc_end(&call);
	return r;
}

static CUresult take(void **pp, size_t bytes, unsigned flags, enum axc_range_kind kind)
{
	size_t taken;
	CUresult r = axc_ready();
	if (r)
		return r;
	struct axc_thread *t = axc_thread();
	if (!t || !axc_thread_context(t))
		return CUDA_ERROR_INVALID_CONTEXT;
	void *p = axc_heap_take(bytes, &taken);
	if (!p)
		return CUDA_ERROR_OUT_OF_MEMORY;
	r = axc_host_registration(AX_axHostRegister, (uint64_t)(uintptr_t)p, taken, CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP);
	struct axc_range range = {.start = (uint64_t)(uintptr_t)p,
				  .size = taken,
				  .kind = kind,
				  .flags = flags,
				  .context = axc_thread_context(t)};
	if (!r && !axc_range_add(&axc_allocations, &range)) {
		axc_host_registration(AX_axHostUnregister, (uint64_t)(uintptr_t)p, taken, 0);
		r = CUDA_ERROR_OUT_OF_MEMORY;
	}
	if (r) {
		axc_heap_give(p, taken);
		return r;
	}
	*pp = p;
	return CUDA_SUCCESS;
}

CUresult axc_host_free(void *p, enum axc_range_kind kind)
{
	struct axc_range range;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!axc_range_find(&axc_allocations, (uint64_t)(uintptr_t)p, &range) || range.kind != kind ||
	    range.start != (uint64_t)(uintptr_t)p)
		return CUDA_ERROR_INVALID_VALUE;
	r = axc_host_registration(AX_axHostUnregister, (uint64_t)(uintptr_t)p, range.size, 0);
	// Whatever the driver says (a broken context says its error to all): the
	// program has let go of it.
	axc_range_remove(&axc_allocations, range.start, &range);
	if (kind == AXC_RANGE_MANAGED)
		axc_advice_drop(range.start, range.size);
	axc_heap_give(p, range.size);
	return r;
}

AX_EXPORT CUresult cuMemHostAlloc(void **pp, size_t bytesize, unsigned int Flags)
{
	if (!pp || Flags & ~(CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED))
		return axc_ready() ? axc_ready() : CUDA_ERROR_INVALID_VALUE;
	if (!bytesize) {
		*pp = NULL;
		return axc_ready();
	}
	return take(pp, bytesize, Flags | CU_MEMHOSTALLOC_DEVICEMAP, AXC_RANGE_PINNED);
}

AX_EXPORT CUresult cuMemAllocHost_v2(void **pp, size_t bytesize)
{
	return cuMemHostAlloc(pp, bytesize, 0);
}

AX_EXPORT CUresult cuMemFreeHost(void *p)
{
	return p ? axc_host_free(p, AXC_RANGE_PINNED) : axc_ready();
}

AX_EXPORT CUresult cuMemAllocManaged(CUdeviceptr *dptr, size_t bytesize, unsigned int flags)
{
	void *p;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!dptr || !bytesize || (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST))
		return CUDA_ERROR_INVALID_VALUE;
	if (axc.mirrored) {
		axc_debug("cuMemAllocManaged: memory cannot be shared with a device behind a relay");
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	r = take(&p, bytesize, flags, AXC_RANGE_MANAGED);
	if (!r)
		*dptr = (CUdeviceptr)(uintptr_t)p;
	return r;
}

AX_EXPORT CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *pdptr, void *p, unsigned int Flags)
{
	AXC_HERE();
	struct axc_range range;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!pdptr || Flags || !axc_range_find(&axc_allocations, (uint64_t)(uintptr_t)p, &range) ||
	    range.kind == AXC_RANGE_DEVICE)
		return CUDA_ERROR_INVALID_VALUE;
	if (axc.mirrored) {
		axc_debug("cuMemHostGetDevicePointer: a kernel cannot reach pinned memory through a relay");
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	*pdptr = (CUdeviceptr)(uintptr_t)p;
	return CUDA_SUCCESS;
}

AX_EXPORT CUresult cuMemHostGetFlags(unsigned int *pFlags, void *p)
{
	AXC_HERE();
	struct axc_range range;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!pFlags || !axc_range_find(&axc_allocations, (uint64_t)(uintptr_t)p, &range) ||
	    (range.kind != AXC_RANGE_PINNED && range.kind != AXC_RANGE_REGISTERED))
		return CUDA_ERROR_INVALID_VALUE;
	*pFlags = range.flags;
	return CUDA_SUCCESS;
}
