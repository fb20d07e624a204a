// SPDX-License-Identifier: Apache-2.0
//
// A limit of GPU memory, AXON_GPU_MEMORY bytes: every way to have memory ends at
// it with CUDA_ERROR_OUT_OF_MEMORY, cuMemGetInfo has told so, and what was given
// back can be had again. Run through axon only, with a limit of at least 64 MiB
// that is no more than half of the device's memory.
#include "check.h"

#include <pthread.h>

#define PIECE ((size_t)4 << 20)
#define MOST 512

static size_t limit;
static CUcontext context;

static void start_limited(void)
{
	const char *s = getenv("AXON_GPU_MEMORY");
	size_t unused, total;

	if (!s || !(limit = strtoull(s, NULL, 0)))
		SKIP("AXON_GPU_MEMORY says no limit");
	OK(cuInit(0));
	OK(cuDevicePrimaryCtxRetain(&context, 0));
	OK(cuCtxSetCurrent(context));
	OK(cuMemGetInfo(&unused, &total));
	EQUAL(limit, total);
	TRUE(unused <= limit);
}

static size_t left(void)
{
	size_t unused, total;
	OK(cuMemGetInfo(&unused, &total));
	return unused;
}

// Takes pieces until there are no more: as many as the limit has room for, less what cannot be had.
static unsigned take_all_but(size_t spare, CUresult (*take)(unsigned i))
{
	size_t room = left();
	unsigned n = 0;
	CUresult r;

	while (!(r = take(n)) && ++n < MOST)
		;
	EQUAL(CUDA_ERROR_OUT_OF_MEMORY, r);
	TRUE(n * PIECE <= limit);
	TRUE((n + 2) * PIECE + spare > room);
	TRUE(left() < PIECE + spare);
	return n;
}

static unsigned take_all(CUresult (*take)(unsigned i)) { return take_all_but(0, take); }

static CUdeviceptr piece[MOST];

static CUresult take_device(unsigned i) { return cuMemAlloc(&piece[i], PIECE); }

static void give_device(unsigned n)
{
	while (n--)
		OK(cuMemFree(piece[n]));
}

static void device_memory(void)
{
	start_limited();
	unsigned n = take_all(take_device);
	unsigned before = n;
	// The program goes on, and may have again what it gives back.
	OK(cuMemsetD32(piece[0], 7, PIECE / 4));
	OK(cuMemFree(piece[--n]));
	OK(cuCtxSynchronize());
	TRUE(left() >= PIECE);
	OK(take_device(n++));
	give_device(n);
	OK(cuCtxSynchronize());
	EQUAL(before, take_all(take_device));
	give_device(before);
	GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&piece[0], limit + 1));
	GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&piece[0], SIZE_MAX / 2));
	OK(cuMemAlloc(&piece[0], limit));
}

static size_t pitch;
static CUresult take_rows(unsigned i) { return cuMemAllocPitch(&piece[i], &pitch, PIECE / 1024, 1024, 4); }
static void rows(void)
{
	start_limited();
	give_device(take_all(take_rows));
}

static CUresult take_async(unsigned i) { return cuMemAllocAsync(&piece[i], PIECE, NULL); }
// A pool reserves by so much: of a limit that is no multiple of it, what is over goes to others only.
#define RESERVE ((size_t)32 << 20)

static unsigned take_all_of_the_pool(void)
{
	CUmemoryPool pool;
	cuuint64_t reserved;

	unsigned n = take_all_but(limit % RESERVE, take_async);
	OK(cuDeviceGetDefaultMemPool(&pool, 0));
	OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &reserved));
	TRUE(n && reserved <= limit);
	return n;
}

static void a_pool(void)
{
	start_limited();
	unsigned n = take_all_of_the_pool();
	while (n--)
		OK(cuMemFreeAsync(piece[n], NULL));
	OK(cuCtxSynchronize());
	give_device(take_all(take_device));
}

// What a pool keeps for later is not to be had beside it, but is given up for what needs it.
static void a_pool_that_keeps(void)
{
	CUmemoryPool pool;
	cuuint64_t all = UINT64_MAX;

	start_limited();
	OK(cuDeviceGetDefaultMemPool(&pool, 0));
	OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &all));
	unsigned n = take_all_of_the_pool();
	while (n--)
		OK(cuMemFreeAsync(piece[n], NULL));
	OK(cuCtxSynchronize());
	// One that does not ask what there is has no more of it.
	cuuint64_t kept;
	for (n = 0; n < 3; n++)
		OK(take_device(n));
	OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &kept));
	TRUE(kept + 3 * PIECE <= limit);
	give_device(3);
	give_device(take_all(take_device));
	OK(cuCtxSynchronize());
	take_all_of_the_pool();
}

static CUmemGenericAllocationHandle handle[MOST];
static CUresult take_physical(unsigned i)
{
	CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED, .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
	return cuMemCreate(&handle[i], PIECE, &prop, 0);
}
static void physical_memory(void)
{
	CUdeviceptr at;

	start_limited();
	unsigned n = take_all(take_physical), all = n;
	// One that is mapped stays when its handle goes.
	OK(cuMemAddressReserve(&at, PIECE, 0, 0, 0));
	OK(cuMemMap(at, PIECE, 0, handle[0], 0));
	while (n--)
		OK(cuMemRelease(handle[n]));
	OK(cuCtxSynchronize());
	EQUAL(all - 1, take_all(take_physical));
	for (n = 0; n < all - 1; n++)
		OK(cuMemRelease(handle[n]));
	OK(cuMemUnmap(at, PIECE));
	OK(cuCtxSynchronize());
	EQUAL(all, take_all(take_physical));
}

static CUarray array[MOST];
static CUresult take_array(unsigned i)
{
	CUDA_ARRAY_DESCRIPTOR d = {.Width = 1024, .Height = PIECE / 4096, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
	return cuArrayCreate(&array[i], &d);
}
static CUresult take_volume(unsigned i)
{
	CUDA_ARRAY3D_DESCRIPTOR d = {.Width = 256, .Height = 64, .Depth = PIECE / 65536, .Format = CU_AD_FORMAT_UNSIGNED_INT8, .NumChannels = 4};
	return cuArray3DCreate(&array[i], &d);
}
static void arrays(void)
{
	start_limited();
	unsigned n = take_all(take_array), all = n;
	while (n--)
		OK(cuArrayDestroy(array[n]));
	EQUAL(all, n = take_all(take_volume));
	while (n--)
		OK(cuArrayDestroy(array[n]));
	EQUAL(all, take_all(take_array));
}

static void graphs(void)
{
	CUgraph graph;
	CUgraphNode node;
	CUDA_MEM_ALLOC_NODE_PARAMS p = {.poolProps = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED, .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}}};

	start_limited();
	OK(cuGraphCreate(&graph, 0));
	p.bytesize = limit + 1;
	GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuGraphAddMemAllocNode(&node, graph, NULL, 0, &p));
	p.bytesize = PIECE;
	CUresult r = cuGraphAddMemAllocNode(&node, graph, NULL, 0, &p);
	if (r == CUDA_ERROR_NOT_SUPPORTED)
		SKIP("this device's graphs have no memory");
	OK(r);
}

static void the_heap_of_device_code(void)
{
	start_limited();
	GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 2 * limit));
}

// A context takes its memory with it.
static void what_ends_with_its_context(void)
{
	start_limited();
	unsigned n = take_all(take_device);
	OK(cuDevicePrimaryCtxReset(0));
	OK(cuCtxSetCurrent(NULL));
	OK(cuDevicePrimaryCtxRetain(&context, 0));
	OK(cuCtxSetCurrent(context));
	EQUAL(n, take_all(take_device));
}

// Where a device's memory is the machine's, pinned and managed memory are of the same.
static void *pinned[MOST];
static CUresult take_pinned(unsigned i) { return cuMemAllocHost(&pinned[i], PIECE); }
static CUresult take_managed(unsigned i) { return cuMemAllocManaged(&piece[i], PIECE, CU_MEM_ATTACH_GLOBAL); }
static void pinned_memory(void)
{
	int integrated = 0;

	start_limited();
	OK(cuDeviceGetAttribute(&integrated, CU_DEVICE_ATTRIBUTE_INTEGRATED, 0));
	if (!integrated) {
		for (unsigned i = 0; i <= limit / PIECE; i++)
			OK(take_pinned(i));
		take_all(take_device);
		return;
	}
	unsigned n = take_all(take_pinned);
	while (n--)
		OK(cuMemFreeHost(pinned[n]));
	give_device(take_all(take_managed));
	OK(cuCtxSynchronize());
	OK(take_pinned(0));
	take_all(take_device);
}

// Threads that take and give at once: never more than there is, and in the end all of it is there again.
static void *churn(void *arg)
{
	unsigned random = (unsigned)(uintptr_t)arg;
	CUdeviceptr has[16] = {0};
	long refused = 0;

	OK(cuCtxSetCurrent(context));
	for (int round = 0; round < 300; round++) {
		random = random * 1103515245u + 12345u;
		unsigned i = random >> 16 & 15;
		if (has[i]) {
			OK(i & 1 ? cuMemFreeAsync(has[i], NULL) : cuMemFree(has[i]));
			has[i] = 0;
			continue;
		}
		CUresult r = i & 1 ? cuMemAllocAsync(&has[i], PIECE, NULL) : cuMemAlloc(&has[i], PIECE + (random >> 20));
		if (r == CUDA_ERROR_OUT_OF_MEMORY) {
			has[i] = 0;
			refused++;
		} else {
			OK(r);
		}
	}
	for (unsigned i = 0; i < 16; i++)
		if (has[i])
			OK(i & 1 ? cuMemFreeAsync(has[i], NULL) : cuMemFree(has[i]));
	return (void *)refused;
}

static void threads_at_once(void)
{
	pthread_t thread[6];
	long refused = 0;

	start_limited();
	for (size_t i = 0; i < sizeof thread / sizeof *thread; i++)
		TRUE(!pthread_create(&thread[i], NULL, churn, (void *)(i + 1)));
	for (size_t i = 0; i < sizeof thread / sizeof *thread; i++) {
		void *n;
		TRUE(!pthread_join(thread[i], &n));
		refused += (long)n;
	}
	OK(cuCtxSynchronize());
	if (limit < 128 << 20)
		TRUE(refused > 0);
	OK(cuMemAlloc(&piece[0], limit)); // what the pool has kept is given up
	OK(cuMemFree(piece[0]));
	OK(cuCtxSynchronize());
	EQUAL(limit, left());
}

int main(int argc, char **argv)
{
	static const struct test_case cases[] = {
		CASE(device_memory), CASE(rows), CASE(a_pool), CASE(a_pool_that_keeps), CASE(physical_memory), CASE(arrays), CASE(graphs),
		CASE(the_heap_of_device_code), CASE(what_ends_with_its_context), CASE(pinned_memory), CASE(threads_at_once),
	};
	return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
