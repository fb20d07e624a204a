// SPDX-License-Identifier: Apache-2.0
//
// Counting what is in front of the vendor: devices' memory, and host memory that
// devices reach. Pools are in count_pools.c.
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "limit.h"

#define OVER axw_own(CUDA_ERROR_OUT_OF_MEMORY)

static CUcontext current(void)
{
	CUcontext context = NULL;
	if (axw_uncounted.cuCtxGetCurrent)
		axw_uncounted.cuCtxGetCurrent(&context);
	return context;
}

// --- devices' memory

static CUresult count_cuMemAlloc_v2(CUdeviceptr *p, size_t n)
{
	if (!axw_take(AXW_DEVICE, n))
		return OVER;
	CUresult r = axw_uncounted.cuMemAlloc_v2(p, n);
	if (r != CUDA_SUCCESS)
		axw_give(AXW_DEVICE, n);
	else
		axw_keep(&(struct axw_kept){ .key = *p, .bytes = n, .context = current(), .class = AXW_ALLOCATION });
	return r;
}

static CUresult count_cuMemAllocPitch_v2(CUdeviceptr *p, size_t *pitch, size_t width, size_t height, unsigned int element)
{
	size_t row = (width + 511) & ~(size_t)511, n, is; // at most what rows are aligned to

	if (row < width || __builtin_mul_overflow(row, height, &n) || !axw_take(AXW_DEVICE, n))
		return OVER;
	CUresult r = axw_uncounted.cuMemAllocPitch_v2(p, pitch, width, height, element);
	if (r != CUDA_SUCCESS || __builtin_mul_overflow(*pitch, height, &is)) {
		axw_give(AXW_DEVICE, n);
		return r;
	}
	axw_correct(AXW_DEVICE, n, is);
	axw_keep(&(struct axw_kept){ .key = *p, .bytes = is, .context = current(), .class = AXW_ALLOCATION });
	return r;
}

static CUresult count_cuMemFree_v2(CUdeviceptr p)
{
	struct axw_kept k;
	int counted = axw_unkeep(AXW_ALLOCATION, p, &k);
	return axw_kept_ended(axw_uncounted.cuMemFree_v2(p), counted, &k);
}

static CUresult count_cuMemFreeAsync(CUdeviceptr p, CUstream stream)
{
	struct axw_kept k;
	int counted = axw_unkeep(AXW_ALLOCATION, p, &k);
	return axw_kept_ended(axw_uncounted.cuMemFreeAsync(p, stream), counted, &k);
}

// --- host memory

// Of [p, p+n), bytes that are in memory already: their pages are charged to who touched them first, the client.
static uint64_t touched(void *p, size_t n)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), bytes = 0;
	uint8_t vector[4096];
	uintptr_t at = (uintptr_t)p & ~(uintptr_t)(page - 1), end = (uintptr_t)p + n;

	while (at < end) {
		uint64_t pages = (end - at + page - 1) / page;
		if (pages > sizeof vector)
			pages = sizeof vector;
		if (mincore((void *)at, pages * page, vector))
			break;
		for (uint64_t i = 0; i < pages; i++)
			bytes += (vector[i] & 1) * page;
		at += pages * page;
	}
	return bytes < n ? bytes : n;
}

static CUresult count_cuMemHostRegister_v2(void *p, size_t n, unsigned int flags)
{
	if (!axw_take(AXW_PINNED, n))
		return OVER;
	int64_t elsewhere = axw_shares() ? (int64_t)touched(p, n) : 0;
	CUresult r = axw_uncounted.cuMemHostRegister_v2(p, n, flags);
	if (r != CUDA_SUCCESS) {
		axw_give(AXW_PINNED, n);
		return r;
	}
	axw_charged_elsewhere(elsewhere);
	axw_keep(&(struct axw_kept){ .key = (uintptr_t)p, .bytes = n, .elsewhere = elsewhere, .context = current(), .class = AXW_HOST, .kind = AXW_PINNED });
	return r;
}

static CUresult count_cuMemHostUnregister(void *p)
{
	struct axw_kept k;
	int counted = axw_unkeep(AXW_HOST, (uintptr_t)p, &k);
	return axw_kept_ended(axw_uncounted.cuMemHostUnregister(p), counted, &k);
}

// --- what there is

static CUresult count_cuMemGetInfo_v2(size_t *unused, size_t *total)
{
	size_t free_bytes = 0, all_bytes = 0;
	uint64_t left, limit;
	CUresult r = axw_uncounted.cuMemGetInfo_v2(&free_bytes, &all_bytes);

	if (r != CUDA_SUCCESS)
		return r;
	axw_left(&left, &limit);
	if (unused)
		*unused = free_bytes < left ? free_bytes : left;
	if (total)
		*total = all_bytes < limit ? all_bytes : limit;
	return r;
}

#define COUNT(name) \
	if (axg_vendor.name) \
		axg_vendor.name = count_##name

void axw_count_memory(void)
{
	COUNT(cuMemAlloc_v2);
	COUNT(cuMemAllocPitch_v2);
	COUNT(cuMemFree_v2);
	COUNT(cuMemFreeAsync);
	COUNT(cuMemHostRegister_v2);
	COUNT(cuMemHostUnregister);
	COUNT(cuMemGetInfo_v2);
}
