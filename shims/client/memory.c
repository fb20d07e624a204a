// SPDX-License-Identifier: Apache-2.0
//
// Device memory. Addresses come from the worker; what lies outside the window
// that the session reserved is reserved as it comes, so that a pointer is
// either the program's own or the device's.
#include "memory.h"

#include <pthread.h>
#include <sys/mman.h>

#include "call.h"
#include "heap.h"
#include "host.h"
#include "ranges.h"
#include "session.h"
#include "thread.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

static bool in_window(uint64_t address)
{
	return address - AXR_DEVICE_BASE < AXR_DEVICE_SIZE;
}

bool axc_is_device(uint64_t address)
{
	struct axc_range area;
	return in_window(address) || axc_range_find(&axc_areas, address, &area);
}

static bool reserve_outside(uint64_t address, uint64_t bytes)
{
	const uint64_t page = 0x10000;
	struct axc_range area;

	uint64_t start = address & ~(page - 1), end = (address + bytes + page - 1) & ~(page - 1);
	while (start < end && axc_range_find(&axc_areas, start, &area))
		start = area.start + area.size;
	while (start < end && axc_range_find(&axc_areas, end - 1, &area))
		end = area.start;
	if (start >= end)
		return true;
	void *want = (void *)(uintptr_t)start;
	void *got = mmap(want, end - start, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
	if (got != want) {
		if (got != MAP_FAILED)
			munmap(got, end - start);
		axc_debug("device memory at 0x%llx would lie on the program's own", (unsigned long long)address);
		return false;
	}
	area = (struct axc_range){.start = start, .size = end - start, .kind = AXC_RANGE_RESERVED};
	axc_range_add(&axc_areas, &area);
	return true;
}

bool axc_reserve(uint64_t address, uint64_t bytes)
{
	// Two allocations of two threads may share a page at their ends.
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

	if (in_window(address) && in_window(address + bytes - 1))
		return true;
	pthread_mutex_lock(&lock);
	bool free = reserve_outside(address, bytes);
	pthread_mutex_unlock(&lock);
	return free;
}

static CUresult free_device(CUdeviceptr dptr, bool wait)
{
	struct axc_call call;
	CUresult r = axc_begin(&call, AX_cuMemFree_v2, sizeof(struct ax_in_cuMemFree_v2), 0);
	if (r)
		return r;
	((struct ax_in_cuMemFree_v2 *)call.in)->dptr = dptr;
	if (!wait)
		return axc_post(&call);
	r = axc_wait(&call);
	axc_end(&call);
	return r;
}

// A new allocation: kept apart from the program's memory and remembered.
static CUresult keep(CUdeviceptr p, uint64_t bytes)
{
	struct axc_thread *t = axc_thread();
	struct axc_range range = {.start = p, .size = bytes, .kind = AXC_RANGE_DEVICE, .context = t ? axc_thread_context(t) : 0};
	if (axc_reserve(p, bytes)) {
		axc_range_add(&axc_allocations, &range);
		return CUDA_SUCCESS;
	}
	free_device(p, true);
	return CUDA_ERROR_OUT_OF_MEMORY;
}

AX_EXPORT CUresult cuMemAlloc_v2(CUdeviceptr *dptr, size_t bytesize)
{
	struct axc_call call;
	CUdeviceptr p = 0;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!dptr || !bytesize)
		return CUDA_ERROR_INVALID_VALUE;
	if ((r = axc_begin(&call, AX_cuMemAlloc_v2, sizeof(struct ax_in_cuMemAlloc_v2), 0)))
		return r;
	((struct ax_in_cuMemAlloc_v2 *)call.in)->bytesize = bytesize;
	r = axc_wait(&call);
	if (!r)
		p = ((const struct ax_out_cuMemAlloc_v2 *)call.out)->dptr;
	axc_end(&call);
	if (r || (r = keep(p, bytesize)))
		return r;
	*dptr = p;
	return CUDA_SUCCESS;
}

AX_EXPORT CUresult cuMemAllocPitch_v2(CUdeviceptr *dptr, size_t *pPitch, size_t WidthInBytes, size_t Height,
				      unsigned int ElementSizeBytes)
{
	struct axc_call call;
	CUdeviceptr p = 0;
	size_t pitch = 0;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!dptr || !pPitch)
		return CUDA_ERROR_INVALID_VALUE;
	if ((r = axc_begin(&call, AX_cuMemAllocPitch_v2, sizeof(struct ax_in_cuMemAllocPitch_v2), 0)))
		return r;
	*(struct ax_in_cuMemAllocPitch_v2 *)call.in = (struct ax_in_cuMemAllocPitch_v2){
		.WidthInBytes = WidthInBytes, .Height = Height, .ElementSizeBytes = ElementSizeBytes};
	r = axc_wait(&call);
	if (!r) {
		p = ((const struct ax_out_cuMemAllocPitch_v2 *)call.out)->dptr;
		pitch = ((const struct ax_out_cuMemAllocPitch_v2 *)call.out)->pPitch;
	}
	axc_end(&call);
	if (r || (r = keep(p, pitch * Height)))
		return r;
	*dptr = p;
	*pPitch = pitch;
	return CUDA_SUCCESS;
}

AX_EXPORT CUresult cuMemFree_v2(CUdeviceptr dptr)
{
	struct axc_range range;
	CUresult r = axc_ready();
	if (r || !dptr)
		return r;
	if (!axc_range_find(&axc_allocations, dptr, &range) || range.start != dptr)
		return free_device(dptr, true); // from a pool, or nothing: the worker knows
	if (range.kind == AXC_RANGE_MANAGED)
		return axc_host_free((void *)(uintptr_t)dptr, AXC_RANGE_MANAGED);
	if (range.kind != AXC_RANGE_DEVICE)
		return CUDA_ERROR_INVALID_VALUE;
	// Taken out first: the address can be another thread's as soon as it is free.
	axc_range_remove(&axc_allocations, dptr, &range);
	return free_device(dptr, false);
}

// Pools hand addresses out again as they like: reserved, not remembered.
static CUresult from_pool(CUdeviceptr *dptr, uint32_t number, const void *in, size_t in_size, size_t bytes)
{
	struct axc_call call;
	CUdeviceptr p = 0;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!dptr)
		return CUDA_ERROR_INVALID_VALUE;
	if ((r = axc_begin(&call, number, in_size, 0)))
		return r;
	__builtin_memcpy(call.in, in, in_size);
	r = axc_wait(&call);
	if (!r && call.out_size >= sizeof(uint64_t))
		p = *(const uint64_t *)call.out;
	axc_end(&call);
	if (r)
		return r;
	if (bytes && !axc_reserve(p, bytes)) {
		free_device(p, true);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	*dptr = p;
	return CUDA_SUCCESS;
}

AX_EXPORT CUresult cuMemAllocAsync(CUdeviceptr *dptr, size_t bytesize, CUstream hStream)
{
	struct ax_in_cuMemAllocAsync in = {.bytesize = bytesize, .hStream = (uint64_t)(uintptr_t)hStream};
	return from_pool(dptr, AX_cuMemAllocAsync, &in, sizeof in, bytesize);
}

AX_EXPORT CUresult cuMemAllocFromPoolAsync(CUdeviceptr *dptr, size_t bytesize, CUmemoryPool pool, CUstream hStream)
{
	struct ax_in_cuMemAllocFromPoolAsync in = {
		.bytesize = bytesize, .pool = (uint64_t)(uintptr_t)pool, .hStream = (uint64_t)(uintptr_t)hStream};
	return from_pool(dptr, AX_cuMemAllocFromPoolAsync, &in, sizeof in, bytesize);
}

AX_EXPORT CUresult cuMemAddressReserve(CUdeviceptr *ptr, size_t size, size_t alignment, CUdeviceptr addr, unsigned long long flags)
{
	struct ax_in_cuMemAddressReserve in = {.size = size, .alignment = alignment, .addr = addr, .flags = flags};
	return from_pool(ptr, AX_cuMemAddressReserve, &in, sizeof in, size);
}

AX_EXPORT CUresult cuMemAddressFree(CUdeviceptr ptr, size_t size)
{
	struct axc_call call;
	CUresult r = axc_begin(&call, AX_cuMemAddressFree, sizeof(struct ax_in_cuMemAddressFree), 0);
	if (r)
		return r;
	*(struct ax_in_cuMemAddressFree *)call.in = (struct ax_in_cuMemAddressFree){.ptr = ptr, .size = size};
	return axc_post(&call);
}
