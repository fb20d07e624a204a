// SPDX-License-Identifier: Apache-2.0
//
// Counting what is in front of the vendor: devices' memory, pools, and host
// memory that devices reach.
//
// A pool holds more than is allocated in it: what was freed may stay reserved
// for as long as the program likes. So does the memory of graphs. Both are asked
// for their reserves when something is allocated, and are told to give them up
// before an allocation is refused.
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "limit.h"

#define POOLS 256 // those that are looked at; more are counted by their allocations alone
#define DEVICES 64

#define OVER axw_own(CUDA_ERROR_OUT_OF_MEMORY)

static struct {
	_Atomic(CUmemoryPool) pool; // NULL: free
	_Atomic int64_t has;
} pools[POOLS];
// To read it: the pools that are there stay so. Held across short calls of the vendor's, and only the end of a pool waits for it.
static pthread_rwlock_t pools_lock = PTHREAD_RWLOCK_INITIALIZER;
static _Atomic uint64_t graphs_on; // bit n: memory of graphs may be on device n

static CUcontext current(void)
{
	CUcontext context = NULL;
	if (axw_uncounted.cuCtxGetCurrent)
		axw_uncounted.cuCtxGetCurrent(&context);
	return context;
}

// What is asked for the count's sake must not spoil a capture: some questions are among the calls that a capture
// forbids, to its own thread and in its strictest mode to all.
static CUstreamCaptureMode asking(CUstreamCaptureMode mode)
{
	if (axw_uncounted.cuThreadExchangeStreamCaptureMode)
		axw_uncounted.cuThreadExchangeStreamCaptureMode(&mode);
	return mode; // what it was, to be put back
}

static int pool_at(CUmemoryPool pool)
{
	for (int i = 0; pool && i < POOLS; i++)
		if (atomic_load(&pools[i].pool) == pool)
			return i;
	return -1;
}

void axw_pool_has(CUmemoryPool pool, int64_t bytes)
{
	int i = pool_at(pool);
	if (i >= 0)
		atomic_fetch_add(&pools[i].has, bytes);
}

static void know(CUmemoryPool pool)
{
	if (!pool || pool_at(pool) >= 0)
		return;
	pthread_rwlock_wrlock(&pools_lock);
	int i = pool_at(pool);
	for (int j = 0; i < 0 && j < POOLS; j++)
		if (!atomic_load(&pools[j].pool)) {
			atomic_store(&pools[j].has, 0);
			atomic_store(&pools[j].pool, pool);
			i = j;
		}
	pthread_rwlock_unlock(&pools_lock);
}

void axw_graph_memory(void)
{
	CUdevice dev;
	if (axw_uncounted.cuCtxGetDevice && axw_uncounted.cuCtxGetDevice(&dev) == CUDA_SUCCESS && dev >= 0 && dev < DEVICES)
		atomic_fetch_or(&graphs_on, 1ull << dev);
}

void axw_reserves(int trim)
{
	uint64_t slack = 0, graphs = atomic_load(&graphs_on);
	int any = 0;

	if (!axw_limited())
		return; // what is held in reserve is of interest to nobody
	CUstreamCaptureMode mode = asking(CU_STREAM_CAPTURE_MODE_RELAXED);
	pthread_rwlock_rdlock(&pools_lock);
	for (int i = 0; i < POOLS; i++) {
		CUmemoryPool pool = atomic_load(&pools[i].pool);
		cuuint64_t reserved = 0;
		if (!pool || !axw_uncounted.cuMemPoolGetAttribute)
			continue;
		any = 1;
		if (trim && axw_uncounted.cuMemPoolTrimTo)
			axw_uncounted.cuMemPoolTrimTo(pool, 0);
		if (axw_uncounted.cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &reserved) != CUDA_SUCCESS)
			continue;
		int64_t has = atomic_load(&pools[i].has);
		if (has < 0)
			has = 0;
		slack += reserved > (uint64_t)has ? reserved - (uint64_t)has : 0;
	}
	pthread_rwlock_unlock(&pools_lock);
	for (CUdevice dev = 0; dev < DEVICES && graphs >> dev; dev++) {
		cuuint64_t reserved = 0;
		if (!(graphs >> dev & 1) || !axw_uncounted.cuDeviceGetGraphMemAttribute)
			continue;
		any = 1;
		if (trim && axw_uncounted.cuDeviceGraphMemTrim)
			axw_uncounted.cuDeviceGraphMemTrim(dev);
		if (axw_uncounted.cuDeviceGetGraphMemAttribute(dev, CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, &reserved) == CUDA_SUCCESS)
			slack += reserved;
	}
	asking(mode);
	if (any)
		axw_slack(slack);
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

static CUresult freed(CUresult r, int counted, const struct axw_kept *k)
{
	if (counted && r == CUDA_SUCCESS)
		axw_kept_give(k);
	else if (counted)
		axw_keep(k);
	return r;
}

static CUresult count_cuMemFree_v2(CUdeviceptr p)
{
	struct axw_kept k;
	int counted = axw_unkeep(AXW_ALLOCATION, p, &k);
	return freed(axw_uncounted.cuMemFree_v2(p), counted, &k);
}

static CUresult count_cuMemFreeAsync(CUdeviceptr p, CUstream stream)
{
	struct axw_kept k;
	int counted = axw_unkeep(AXW_ALLOCATION, p, &k);
	return freed(axw_uncounted.cuMemFreeAsync(p, stream), counted, &k);
}

// --- pools

static int captures(CUstream stream)
{
	CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
	return axw_uncounted.cuStreamIsCapturing && axw_uncounted.cuStreamIsCapturing(stream, &status) == CUDA_SUCCESS &&
	       status != CU_STREAM_CAPTURE_STATUS_NONE;
}

// What is allocated while a stream captures is a graph's.
static int take_for(CUstream stream, size_t n, int *captured)
{
	*captured = captures(stream);
	if (*captured)
		axw_graph_memory();
	return *captured ? axw_may_take(AXW_DEVICE, n) : axw_take(AXW_DEVICE, n);
}

// Before the vendor is asked: what it reserves for this is never taken for something besides.
static void will_have(CUmemoryPool pool, size_t n, int captured)
{
	if (captured)
		return;
	know(pool);
	axw_pool_has(pool, (int64_t)n);
}

static CUresult taken_from(CUmemoryPool pool, CUresult r, const CUdeviceptr *p, size_t n, int captured)
{
	if (captured)
		return r;
	if (r != CUDA_SUCCESS) {
		axw_pool_has(pool, -(int64_t)n);
		axw_give(AXW_DEVICE, n);
		return r;
	}
	axw_keep(&(struct axw_kept){ .key = *p, .bytes = n, .context = NULL, .pool = pool, .class = AXW_ALLOCATION });
	return r;
}

static CUresult count_cuMemAllocAsync(CUdeviceptr *p, size_t n, CUstream stream)
{
	CUmemoryPool pool = NULL;
	CUdevice dev;
	int captured;

	if (!take_for(stream, n, &captured))
		return OVER;
	if (!captured && ((axw_uncounted.cuStreamGetDevice && axw_uncounted.cuStreamGetDevice(stream, &dev) == CUDA_SUCCESS) ||
			  (axw_uncounted.cuCtxGetDevice && axw_uncounted.cuCtxGetDevice(&dev) == CUDA_SUCCESS)))
		if (!axw_uncounted.cuDeviceGetMemPool || axw_uncounted.cuDeviceGetMemPool(&pool, dev) != CUDA_SUCCESS)
			pool = NULL;
	will_have(pool, n, captured);
	return taken_from(pool, axw_uncounted.cuMemAllocAsync(p, n, stream), p, n, captured);
}

static CUresult count_cuMemAllocFromPoolAsync(CUdeviceptr *p, size_t n, CUmemoryPool pool, CUstream stream)
{
	int captured;

	if (!take_for(stream, n, &captured))
		return OVER;
	will_have(pool, n, captured);
	return taken_from(pool, axw_uncounted.cuMemAllocFromPoolAsync(p, n, pool, stream), p, n, captured);
}

static CUresult count_cuMemPoolDestroy(CUmemoryPool pool)
{
	// Forgotten first, for its address may be another's at once. What is allocated in it stays, and stays counted.
	pthread_rwlock_wrlock(&pools_lock);
	int i = pool_at(pool);
	if (i >= 0)
		atomic_store(&pools[i].pool, NULL);
	pthread_rwlock_unlock(&pools_lock);
	CUresult r = axw_uncounted.cuMemPoolDestroy(pool);
	if (r != CUDA_SUCCESS && i >= 0)
		know(pool);
	return r;
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
	return freed(axw_uncounted.cuMemHostUnregister(p), counted, &k);
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
	COUNT(cuMemAllocAsync);
	COUNT(cuMemAllocFromPoolAsync);
	COUNT(cuMemPoolDestroy);
	COUNT(cuMemHostRegister_v2);
	COUNT(cuMemHostUnregister);
	COUNT(cuMemGetInfo_v2);
}
