// SPDX-License-Identifier: Apache-2.0
//
// Counting what is in front of the vendor: pools and the memory of graphs.
//
// A pool holds more than is allocated in it: what was freed may stay reserved
// for as long as the program likes. So does the memory of graphs. Where there is
// a limit, both are asked for their reserves when something is allocated, and are
// told to give them up before an allocation is refused.
//
// An allocation from a device's own pool is a matter of less than a microsecond
// to the vendor, so without a limit nothing is asked besides: which pool that is
// is remembered until it may have become another, and whether a stream captures
// is asked only while any does.
#include <pthread.h>
#include <time.h>

#include "limit.h"

#define POOLS 256 // those that are looked at; more are counted by their allocations alone
#define DEVICES 64
#define PATIENCE_MS 500 // with a stream that is to give memory back

#define OVER axw_own(CUDA_ERROR_OUT_OF_MEMORY)

static struct {
	_Atomic(CUmemoryPool) pool; // NULL: free
	_Atomic int64_t has;
} pools[POOLS];
// To read it: the pools that are there stay so. Held across short calls of the vendor's, and only the end of a pool waits for it.
static pthread_rwlock_t pools_lock = PTHREAD_RWLOCK_INITIALIZER;
static _Atomic uint64_t graphs_on; // bit n: memory of graphs may be on device n
static _Atomic(CUmemoryPool) current[DEVICES]; // each device's pool, NULL: to be asked
static _Atomic uint64_t changes;   // of that, under pools_lock
static _Atomic uint32_t capturing; // captures that were begun and may not have ended

// What is asked for the count's sake must not spoil a capture: some questions are among the calls that a capture
// forbids, to its own thread and in its strictest mode to all.
struct asking {
	int relaxed;
	CUstreamCaptureMode mode; // what it was
};

static struct asking ask(void)
{
	struct asking a = { .mode = CU_STREAM_CAPTURE_MODE_RELAXED };
	a.relaxed = atomic_load(&capturing) && axw_uncounted.cuThreadExchangeStreamCaptureMode &&
		    axw_uncounted.cuThreadExchangeStreamCaptureMode(&a.mode) == CUDA_SUCCESS;
	return a;
}

static void asked(struct asking a)
{
	if (a.relaxed)
		axw_uncounted.cuThreadExchangeStreamCaptureMode(&a.mode);
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

void axw_pools_changed(void)
{
	pthread_rwlock_wrlock(&pools_lock);
	atomic_fetch_add(&changes, 1);
	for (int i = 0; i < DEVICES; i++)
		atomic_store(&current[i], NULL);
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
	struct asking a = ask();
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
	asked(a);
	if (any)
		axw_slack(slack);
}

static int captures(CUstream stream)
{
	CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
	return atomic_load(&capturing) && axw_uncounted.cuStreamIsCapturing && axw_uncounted.cuStreamIsCapturing(stream, &status) == CUDA_SUCCESS &&
	       status != CU_STREAM_CAPTURE_STATUS_NONE;
}

// What is allocated while a stream captures is a graph's.
static int take_captured(size_t n)
{
	axw_graph_memory();
	return axw_may_take(AXW_DEVICE, n);
}

// The pool has it before it is counted: what is reserved for allocations to come is not taken for something besides.
static int take_from(CUmemoryPool pool, size_t n)
{
	if (n > INT64_MAX / 2)
		return axw_may_take(AXW_DEVICE, n); // which it never may
	know(pool);
	axw_pool_has(pool, (int64_t)n);
	if (axw_take(AXW_DEVICE, n))
		return 1;
	axw_pool_has(pool, -(int64_t)n);
	return 0;
}

static void give_to(CUmemoryPool pool, size_t n)
{
	axw_pool_has(pool, -(int64_t)n);
	axw_give(AXW_DEVICE, n);
}

// The vendor reserves more than is asked for (by 32 MiB, H200), which is known afterwards only. Where that is more than
// the session may have, it goes back before anything is done with it: when the stream is there, and the pool is trimmed.
// A stream that waits for something that the program does only after this call is not waited for: the pool is trimmed later.
static int may_stay(CUdeviceptr p, CUstream stream)
{
	if (!axw_limited() || axw_still_fits(AXW_DEVICE))
		return 1;
	struct asking a = ask();
	CUresult r = axw_uncounted.cuMemFreeAsync ? axw_uncounted.cuMemFreeAsync(p, stream) : CUDA_ERROR_NOT_SUPPORTED;
	for (int ms = 0; r == CUDA_SUCCESS && axw_uncounted.cuStreamQuery && ms < PATIENCE_MS; ms++) {
		if (axw_uncounted.cuStreamQuery(stream) != CUDA_ERROR_NOT_READY)
			break;
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
	asked(a);
	return r != CUDA_SUCCESS; // it cannot be given back: then it is the program's, and counted
}

static CUresult taken_from(CUmemoryPool pool, CUresult r, const CUdeviceptr *p, size_t n, CUstream stream)
{
	if (r == CUDA_SUCCESS && !may_stay(*p, stream)) {
		give_to(pool, n);
		axw_reserves(1);
		axw_refuse();
		return OVER;
	}
	if (r != CUDA_SUCCESS) {
		give_to(pool, n);
		return r;
	}
	axw_keep(&(struct axw_kept){ .key = *p, .bytes = n, .context = NULL, .pool = pool, .class = AXW_ALLOCATION });
	return r;
}

// The device whose memory a stream is given. -1: it cannot be told.
static CUdevice device_of(CUstream stream)
{
	CUdevice dev;

	if ((axw_uncounted.cuStreamGetDevice && axw_uncounted.cuStreamGetDevice(stream, &dev) == CUDA_SUCCESS) ||
	    (axw_uncounted.cuCtxGetDevice && axw_uncounted.cuCtxGetDevice(&dev) == CUDA_SUCCESS))
		return dev;
	return -1;
}

static CUmemoryPool current_pool(CUstream stream)
{
	uint64_t before = atomic_load(&changes);
	CUdevice dev = axw_only_device();
	CUmemoryPool pool = dev >= 0 ? atomic_load(&current[dev]) : NULL;

	if (pool || !axw_uncounted.cuDeviceGetMemPool)
		return pool;
	struct asking a = ask();
	dev = device_of(stream);
	if (dev >= 0 && dev < DEVICES && !(pool = atomic_load(&current[dev])) &&
	    axw_uncounted.cuDeviceGetMemPool(&pool, dev) != CUDA_SUCCESS)
		pool = NULL;
	asked(a);
	if (!pool)
		return NULL;
	know(pool);
	pthread_rwlock_wrlock(&pools_lock);
	if (atomic_load(&changes) == before)
		atomic_store(&current[dev], pool);
	pthread_rwlock_unlock(&pools_lock);
	return pool;
}

static CUresult count_cuMemAllocAsync(CUdeviceptr *p, size_t n, CUstream stream)
{
	if (captures(stream))
		return take_captured(n) ? axw_uncounted.cuMemAllocAsync(p, n, stream) : OVER;
	CUmemoryPool pool = current_pool(stream);
	return take_from(pool, n) ? taken_from(pool, axw_uncounted.cuMemAllocAsync(p, n, stream), p, n, stream) : OVER;
}

static CUresult count_cuMemAllocFromPoolAsync(CUdeviceptr *p, size_t n, CUmemoryPool pool, CUstream stream)
{
	if (captures(stream))
		return take_captured(n) ? axw_uncounted.cuMemAllocFromPoolAsync(p, n, pool, stream) : OVER;
	return take_from(pool, n) ? taken_from(pool, axw_uncounted.cuMemAllocFromPoolAsync(p, n, pool, stream), p, n, stream) : OVER;
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
	axw_pools_changed();
	if (r != CUDA_SUCCESS && i >= 0)
		know(pool);
	return r;
}

static CUresult count_cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool)
{
	CUresult r = axw_uncounted.cuDeviceSetMemPool(dev, pool);
	axw_pools_changed();
	return r;
}

static CUresult count_cuMemSetMemPool(CUmemLocation *location, CUmemAllocationType type, CUmemoryPool pool)
{
	CUresult r = axw_uncounted.cuMemSetMemPool(location, type, pool);
	axw_pools_changed();
	return r;
}

// --- captures: counted before they begin, and until it is certain that they have ended

static CUresult begun(CUresult r)
{
	if (r != CUDA_SUCCESS)
		atomic_fetch_sub(&capturing, 1);
	return r;
}

static CUresult count_cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode)
{
	atomic_fetch_add(&capturing, 1);
	return begun(axw_uncounted.cuStreamBeginCapture_v2(stream, mode));
}

static CUresult count_cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode *on, const CUgraphEdgeData *edges,
						  size_t n, CUstreamCaptureMode mode)
{
	atomic_fetch_add(&capturing, 1);
	return begun(axw_uncounted.cuStreamBeginCaptureToGraph(stream, graph, on, edges, n, mode));
}

static CUresult count_cuStreamEndCapture(CUstream stream, CUgraph *graph)
{
	CUresult r = axw_uncounted.cuStreamEndCapture(stream, graph);
	// After another error it may go on. What is counted too long costs a question for each allocation.
	if ((r == CUDA_SUCCESS || r == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED) && atomic_load(&capturing))
		atomic_fetch_sub(&capturing, 1);
	return r;
}

#define COUNT(name) \
	if (axg_vendor.name) \
		axg_vendor.name = count_##name

void axw_count_pools(void)
{
	COUNT(cuMemAllocAsync);
	COUNT(cuMemAllocFromPoolAsync);
	COUNT(cuMemPoolDestroy);
	COUNT(cuDeviceSetMemPool);
	COUNT(cuMemSetMemPool);
	COUNT(cuStreamBeginCapture_v2);
	COUNT(cuStreamBeginCaptureToGraph);
	COUNT(cuStreamEndCapture);
}
