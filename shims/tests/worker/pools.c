// SPDX-License-Identifier: Apache-2.0
//
// What counting asks the vendor for each allocation from a pool: nothing but
// what has to be known. The vendor here is a few counters.
#include <string.h>

#include "account.h"
#include "fake.h"
#include "limit.h"

static struct axw_session session;
static struct axa_account account;

static unsigned captured_asked, device_asked, pool_asked, reserve_asked, mode_changed;
static int captures, devices = 1;
static CUmemoryPool device_pool = (CUmemoryPool)0x100;
static uint64_t next = 0x1000, reserved;

static CUresult alloc_async(CUdeviceptr *p, size_t n, CUstream s) { (void)n, (void)s; *p = next += 0x1000; return CUDA_SUCCESS; }
static CUresult alloc_from(CUdeviceptr *p, size_t n, CUmemoryPool pool, CUstream s) { (void)pool; return alloc_async(p, n, s); }
static CUresult free_async(CUdeviceptr p, CUstream s) { (void)p, (void)s; return CUDA_SUCCESS; }
static CUresult is_capturing(CUstream s, CUstreamCaptureStatus *status)
{
	(void)s;
	captured_asked++;
	*status = captures ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE;
	return CUDA_SUCCESS;
}
static CUresult stream_device(CUstream s, CUdevice *dev) { device_asked++; *dev = (CUdevice)(uintptr_t)s % devices; return CUDA_SUCCESS; }
static CUresult get_pool(CUmemoryPool *pool, CUdevice dev) { (void)dev; pool_asked++; *pool = device_pool; return CUDA_SUCCESS; }
static CUresult set_pool(CUdevice dev, CUmemoryPool pool) { (void)dev; device_pool = pool; return CUDA_SUCCESS; }
static CUresult destroy_pool(CUmemoryPool pool) { (void)pool; device_pool = (CUmemoryPool)0x100; return CUDA_SUCCESS; }
static CUresult pool_attribute(CUmemoryPool pool, CUmemPool_attribute a, void *value)
{
	(void)a;
	reserve_asked++;
	*(cuuint64_t *)value = pool == device_pool ? reserved : 0;
	return CUDA_SUCCESS;
}
static CUresult exchange(CUstreamCaptureMode *mode) { mode_changed++; *mode = CU_STREAM_CAPTURE_MODE_GLOBAL; return CUDA_SUCCESS; }
static CUresult begin(CUstream s, CUstreamCaptureMode mode) { (void)s, (void)mode; captures++; return CUDA_SUCCESS; }
static CUresult end_result;
static CUresult end(CUstream s, CUgraph *g) { (void)s; *g = NULL; captures -= !end_result; return end_result; }
static CUresult retain(CUcontext *c, CUdevice dev) { *c = (CUcontext)(uintptr_t)(0x77 + dev); return CUDA_SUCCESS; }
static CUresult reset(CUdevice dev) { (void)dev; return CUDA_SUCCESS; }

static CUdeviceptr allocate(size_t n)
{
	CUdeviceptr p = 0;
	EXPECT(axg_vendor.cuMemAllocAsync(&p, n, NULL) == CUDA_SUCCESS, "no memory");
	return p;
}

// For 10 allocations that are given back: of so many each.
static void asks(const char *when, unsigned of_capture, unsigned of_device, unsigned of_pool)
{
	captured_asked = device_asked = pool_asked = 0;
	uint64_t before = atomic_load(&account.device);
	for (int i = 0; i < 10; i++) {
		CUdeviceptr p = allocate(1000);
		uint64_t counted = atomic_load(&account.device) - before;
		EXPECT(counted == (captures ? 0 : 1000), "%s: %llu bytes were counted", when, (unsigned long long)counted);
		EXPECT(axg_vendor.cuMemFreeAsync(p, NULL) == CUDA_SUCCESS, "not freed");
	}
	EXPECT(captured_asked == of_capture && device_asked == of_device && pool_asked == of_pool,
	       "%s: asked %u times whether it captures, %u for the device, %u for the pool, not %u, %u and %u", when, captured_asked,
	       device_asked, pool_asked, of_capture, of_device, of_pool);
	EXPECT(atomic_load(&account.device) == before, "%s: not all was given back", when);
}

int main(void)
{
	CUcontext c;
	CUgraph g;
	CUdeviceptr p, q;

	atomic_store(&account.limit, UINT64_MAX);
	atomic_store(&account.pinned_limit, UINT64_MAX);
	session.account = &account;
	session.control = -1;
	axg_vendor.cuMemAllocAsync = alloc_async;
	axg_vendor.cuMemAllocFromPoolAsync = alloc_from;
	axg_vendor.cuMemFreeAsync = free_async;
	axg_vendor.cuStreamIsCapturing = is_capturing;
	axg_vendor.cuStreamGetDevice = stream_device;
	axg_vendor.cuDeviceGetMemPool = get_pool;
	axg_vendor.cuDeviceSetMemPool = set_pool;
	axg_vendor.cuMemPoolDestroy = destroy_pool;
	axg_vendor.cuMemPoolGetAttribute = pool_attribute;
	axg_vendor.cuThreadExchangeStreamCaptureMode = exchange;
	axg_vendor.cuStreamBeginCapture_v2 = begin;
	axg_vendor.cuStreamEndCapture = end;
	axg_vendor.cuDevicePrimaryCtxRetain = retain;
	axg_vendor.cuDevicePrimaryCtxReset_v2 = reset;
	axw_count_start(&session, 0);

	EXPECT(axg_vendor.cuDevicePrimaryCtxRetain(&c, 0) == CUDA_SUCCESS, "no context");
	asks("the first", 0, 1, 1);
	asks("and the next", 0, 0, 0);
	axg_vendor.cuDeviceSetMemPool(0, (CUmemoryPool)0x200);
	asks("after another pool was set", 0, 1, 1);
	asks("and then", 0, 0, 0);
	axg_vendor.cuMemPoolDestroy((CUmemoryPool)0x200);
	asks("after that one has ended", 0, 1, 1);
	axg_vendor.cuDevicePrimaryCtxReset_v2(0);
	asks("after the context has ended", 0, 1, 1);
	EXPECT(!mode_changed, "a capture mode was changed while nothing captured");

	// A capture's allocations are a graph's.
	EXPECT(axg_vendor.cuStreamBeginCapture_v2(NULL, CU_STREAM_CAPTURE_MODE_GLOBAL) == CUDA_SUCCESS, "no capture");
	asks("in a capture", 10, 0, 0);
	end_result = CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
	axg_vendor.cuStreamEndCapture(NULL, &g);
	asks("in one that could not be ended", 10, 0, 0);
	axg_vendor.cuDeviceSetMemPool(0, (CUmemoryPool)0x100);
	captures = 0; // of another stream than the one that is asked for now
	asks("beside one", 10, 1, 1);
	EXPECT(mode_changed == 2, "the mode was changed %u times", mode_changed);
	captures = 1;
	end_result = CUDA_SUCCESS;
	axg_vendor.cuStreamEndCapture(NULL, &g);
	asks("after it", 0, 0, 0);

	// A limit that comes later finds the pools and what they have.
	p = allocate(5000);
	EXPECT(axg_vendor.cuMemAllocFromPoolAsync(&q, 500, (CUmemoryPool)0x300, NULL) == CUDA_SUCCESS, "no memory");
	reserved = 8000;
	EXPECT(!reserve_asked, "reserves were looked at without a limit");
	atomic_store(&account.limit, 9000);
	EXPECT(axg_vendor.cuMemAllocFromPoolAsync(&q, 600, (CUmemoryPool)0x300, NULL) == CUDA_ERROR_OUT_OF_MEMORY,
	        "8000 reserved, 500 beside, and 600 more beside are more than 9000");
	EXPECT(axg_vendor.cuMemAllocAsync(&q, 3600, NULL) == CUDA_ERROR_OUT_OF_MEMORY, "5000, 500 beside, and 3600 are more than 9000");
	EXPECT(axg_vendor.cuMemAllocAsync(&q, 600, NULL) == CUDA_SUCCESS, "600 are not had of the 3000 that are left of what is reserved");
	EXPECT(axg_vendor.cuMemFreeAsync(q, NULL) == CUDA_SUCCESS, "not freed");
	EXPECT(reserve_asked, "reserves were not looked at");
	EXPECT(axg_vendor.cuMemFreeAsync(p, NULL) == CUDA_SUCCESS, "not freed");
	atomic_store(&account.limit, UINT64_MAX);

	// With a second device, which one it is has to be asked.
	devices = 2;
	EXPECT(axg_vendor.cuDevicePrimaryCtxRetain(&c, 1) == CUDA_SUCCESS, "no context");
	asks("with two devices", 0, 10, 0);
	return 0;
}
