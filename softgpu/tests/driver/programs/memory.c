/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of memory: what can be allocated, what an address is good for, and that copies move the right bytes.
 */
#include "check.h"

#include <sys/mman.h>

static CUdeviceptr alloc(size_t n)
{
	CUdeviceptr p = 0;
	OK(cuMemAlloc_v2(&p, n));
	return p;
}

static void out_of_memory_is_said_and_freeing_makes_room(void)
{
	size_t free_bytes, total;
	CUdeviceptr p, q;
	OK(cuMemGetInfo_v2(&free_bytes, &total));
	IS(cuMemAlloc_v2(&p, total + 1), CUDA_ERROR_OUT_OF_MEMORY);
	IS(cuMemAlloc_v2(&p, (size_t)1 << 62), CUDA_ERROR_OUT_OF_MEMORY);
	p = alloc(free_bytes / 4 * 3);
	IS(cuMemAlloc_v2(&q, free_bytes / 2), CUDA_ERROR_OUT_OF_MEMORY);
	OK(cuMemFree_v2(p));
	p = alloc(free_bytes / 2);
	OK(cuMemFree_v2(p));
}

static void free_memory_is_told_truly(void)
{
	size_t before, during, after, total;
	OK(cuMemGetInfo_v2(&before, &total));
	CUdeviceptr p = alloc(64 << 20);
	OK(cuMemGetInfo_v2(&during, &total));
	TRUE(before - during >= 64 << 20);
	TRUE(before - during < 68 << 20);
	OK(cuMemFree_v2(p));
	OK(cuMemGetInfo_v2(&after, &total));
	IS(after, before);
	TRUE(total >= before);
}

static void a_context_that_ends_gives_its_memory_back(void)
{
	size_t before, after, total;
	CUcontext ctx;
	void *host;
	CUdeviceptr p;
	if (!on_softgpu())     /* elsewhere a context itself takes memory */
		return;
	OK(cuMemGetInfo_v2(&before, &total));
	OK(cuCtxCreate_v2(&ctx, 0, 0));
	alloc(8 << 20);
	OK(cuMemAllocManaged(&p, 4 << 20, CU_MEM_ATTACH_GLOBAL));
	OK(cuMemAllocHost_v2(&host, 1 << 20));
	OK(cuMemAllocAsync(&p, 1 << 20, NULL));
	OK(cuCtxDestroy_v2(ctx));
	OK(cuMemGetInfo_v2(&after, &total));
	IS(after, before);
	IS(cuMemFree_v2(p), CUDA_ERROR_INVALID_VALUE);
}

static void wrong_sizes_and_pointers_are_refused(void)
{
	CUdeviceptr p = alloc(1000);
	CUdeviceptr base;
	size_t size;
	char host[16] = "";
	IS(cuMemAlloc_v2(&base, 0), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemAlloc_v2(NULL, 16), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemFree_v2(p + 4), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemFree_v2((CUdeviceptr)(uintptr_t)host), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemFree_v2(0));
	OK(cuMemGetAddressRange_v2(&base, &size, p + 999));
	IS(base, p);
	IS(size, 1000);
	OK(cuMemFree_v2(p));
	IS(cuMemFree_v2(p), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemGetAddressRange_v2(&base, &size, (CUdeviceptr)(uintptr_t)host), CUDA_ERROR_NOT_FOUND);
}

static void a_host_pointer_is_no_device_pointer(void)
{
	char a[64], b[64] = "";
	CUdeviceptr p = alloc(64);
	memset(a, 7, sizeof a);
	IS(cuMemcpyDtoH_v2(b, (CUdeviceptr)(uintptr_t)a, 64), CUDA_ERROR_INVALID_VALUE);
	IS(b[0], 0);
	IS(cuMemcpyHtoD_v2((CUdeviceptr)(uintptr_t)b, a, 64), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemcpyDtoD_v2(p, (CUdeviceptr)(uintptr_t)a, 64), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemsetD8_v2((CUdeviceptr)(uintptr_t)a, 0, 64), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemHostRegister_v2(a, sizeof a, 0));
	OK(cuMemcpyDtoH_v2(b, (CUdeviceptr)(uintptr_t)a, 64));
	IS(b[63], 7);
	OK(cuMemHostUnregister(a));
	IS(cuMemcpyDtoH_v2(b, (CUdeviceptr)(uintptr_t)a, 64), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemFree_v2(p));
}

static void copies_past_an_end_are_refused(void)
{
	static char host[4 << 20];
	CUdeviceptr p = alloc(2 << 20);
	IS(cuMemcpyHtoD_v2(p, host, (2 << 20) + 1), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemcpyDtoH_v2(host, p + (1 << 20), 2 << 20), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemcpyDtoH_v2(host, p, SIZE_MAX), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemcpyHtoD_v2(p - 1, host, 2), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemcpyHtoD_v2(p, host, 0));
	OK(cuMemcpyHtoD_v2(p + (2 << 20) - 1, host, 1));
	OK(cuMemFree_v2(p));
	IS(cuMemcpyHtoD_v2(p, host, 1), CUDA_ERROR_INVALID_VALUE);
}

static void bytes_go_up_across_and_down(void)
{
	enum { N = 300000 };
	static unsigned char a[N], b[N];
	CUdeviceptr p = alloc(N), q = alloc(N);
	for (int i = 0; i < N; i++)
		a[i] = (unsigned char)(i * 31 + i / 256);
	OK(cuMemcpyHtoD_v2(p, a, N));
	OK(cuMemcpyDtoD_v2(q, p, N));
	OK(cuMemcpyDtoH_v2(b, q, N));
	TRUE(!memcmp(a, b, N));
	memset(b, 0, N);
	OK(cuMemcpy((CUdeviceptr)(uintptr_t)b, p, N));
	TRUE(!memcmp(a, b, N));
	OK(cuMemFree_v2(p));
	OK(cuMemFree_v2(q));
}

static void fills_write_their_width_and_no_more(void)
{
	unsigned char b[64];
	uint32_t w[8];
	CUdeviceptr p = alloc(64);
	OK(cuMemsetD8_v2(p, 0xaa, 64));
	OK(cuMemsetD16_v2(p + 2, 0x1234, 3));
	OK(cuMemsetD32_v2(p + 16, 0xdeadbeef, 2));
	IS(cuMemsetD32_v2(p + 2, 0, 1), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemcpyDtoH_v2(b, p, 64));
	IS(b[1], 0xaa);
	IS(b[2], 0x34);
	IS(b[7], 0x12);
	IS(b[8], 0xaa);
	IS(b[16], 0xef);
	IS(b[23], 0xde);
	IS(b[24], 0xaa);
	OK(cuMemsetD2D32_v2(p, 16, 5, 1, 4));
	OK(cuMemcpyDtoH_v2(w, p, 32));
	IS(w[0], 5);
	IS(w[1], 0x12341234);
	IS(w[4], 5);
	OK(cuMemFree_v2(p));
}

static void boxes_are_copied_row_by_row(void)
{
	unsigned char a[6][8], b[6][8], c[4][6][8], d[2][3][4];
	size_t pitch;
	CUdeviceptr p, q = alloc(sizeof c);
	for (int i = 0; i < 48; i++)
		a[i / 8][i % 8] = (unsigned char)i;
	for (int i = 0; i < 192; i++)
		c[i / 48][i / 8 % 6][i % 8] = (unsigned char)i;
	OK(cuMemAllocPitch_v2(&p, &pitch, 8, 6, 4));
	TRUE(pitch >= 8);
	CUDA_MEMCPY2D up = {
		.srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = a, .srcPitch = 8, .dstMemoryType = CU_MEMORYTYPE_DEVICE,
		.dstDevice = p, .dstPitch = pitch, .WidthInBytes = 8, .Height = 6,
	};
	OK(cuMemcpy2D_v2(&up));
	memset(b, 0, sizeof b);
	CUDA_MEMCPY2D down = {
		.srcMemoryType = CU_MEMORYTYPE_DEVICE, .srcDevice = p, .srcPitch = pitch, .srcXInBytes = 2, .srcY = 1,
		.dstMemoryType = CU_MEMORYTYPE_HOST, .dstHost = b, .dstPitch = 8, .dstXInBytes = 1, .dstY = 3, .WidthInBytes = 5,
		.Height = 2,
	};
	OK(cuMemcpy2D_v2(&down));
	IS(b[3][0], 0);
	IS(b[3][1], a[1][2]);
	IS(b[4][5], a[2][6]);
	IS(b[4][6], 0);
	IS(b[5][1], 0);
	down.dstPitch = 4;
	IS(cuMemcpy2D_v2(&down), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemcpyHtoD_v2(q, c, sizeof c));
	CUDA_MEMCPY3D box = {
		.srcMemoryType = CU_MEMORYTYPE_DEVICE, .srcDevice = q, .srcPitch = 8, .srcHeight = 6, .srcXInBytes = 3, .srcY = 2,
		.srcZ = 1, .dstMemoryType = CU_MEMORYTYPE_HOST, .dstHost = d, .dstPitch = 4, .dstHeight = 3, .WidthInBytes = 4,
		.Height = 3, .Depth = 2,
	};
	OK(cuMemcpy3D_v2(&box));
	for (int z = 0; z < 2; z++)
		for (int y = 0; y < 3; y++)
			for (int x = 0; x < 4; x++)
				IS(d[z][y][x], c[z + 1][y + 2][x + 3]);
	if (on_softgpu()) {
		box.srcZ = SIZE_MAX / 16;
		IS(cuMemcpy3D_v2(&box), CUDA_ERROR_INVALID_VALUE);
	}
	OK(cuMemFree_v2(p));
	OK(cuMemFree_v2(q));
}

static void pinned_memory_has_one_address(void)
{
	unsigned *p, flags;
	CUdeviceptr d;
	void *nothing = &flags;
	OK(cuMemHostAlloc((void **)&p, 1 << 20, 0));
	OK(cuMemHostGetDevicePointer_v2(&d, p, 0));
	IS(d, (uintptr_t)p);
	OK(cuMemHostGetFlags(&flags, p));
	IS(flags, 2);
	p[0] = 0;
	OK(cuMemsetD32_v2(d, 77, 1));
	OK(cuCtxSynchronize());
	IS(p[0], 77);
	IS(cuMemHostUnregister(p), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemFree_v2(d), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemFreeHost(p));
	IS(cuMemFreeHost(p), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemHostAlloc(&nothing, 0, 0));
	IS(cuMemHostAlloc(&nothing, 16, 0x100), CUDA_ERROR_INVALID_VALUE);
}

static void registering_follows_the_rules(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CUdeviceptr d;
	unsigned flags;
	IS(cuMemHostRegister_v2(p, 0, 0), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemHostRegister_v2(p + 100, page, 0));
	IS(cuMemHostRegister_v2(p + 200, 16, 0), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
	OK(cuMemHostGetDevicePointer_v2(&d, p + 100, 0));
	IS(d, (uintptr_t)p + 100);
	OK(cuMemHostGetFlags(&flags, p + 100));
	TRUE(flags & CU_MEMHOSTALLOC_DEVICEMAP);
	IS(cuMemHostUnregister(p + 3 * page), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
	IS(cuMemHostUnregister(p + 104), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemHostUnregister(p + 100));
	IS(cuMemHostUnregister(p + 100), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
	munmap(p, 4 * page);
	TRUE(cuMemHostRegister_v2(p, page, 0) != CUDA_SUCCESS);
}

static void an_address_tells_what_it_is(void)
{
	unsigned type = 0;
	int ordinal = -1, managed = -1;
	CUdeviceptr p = alloc(4096), m, base = 0, pointer = 0;
	CUcontext ctx, owner = NULL;
	size_t size = 0;
	char stack[16];
	OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p + 5));
	IS(type, CU_MEMORYTYPE_DEVICE);
	OK(cuCtxGetCurrent(&ctx));
	OK(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, p));
	TRUE(owner == ctx);
	OK(cuPointerGetAttribute(&base, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, p + 5));
	IS(base, p);
	OK(cuPointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, p + 5));
	IS(size, 4096);
	IS(cuPointerGetAttribute(&pointer, CU_POINTER_ATTRIBUTE_HOST_POINTER, p), CUDA_ERROR_INVALID_VALUE);
	IS(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)(uintptr_t)stack),
	   CUDA_ERROR_INVALID_VALUE);
	CUpointer_attribute which[] = { CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
					CU_POINTER_ATTRIBUTE_CONTEXT };
	void *out[] = { &type, &ordinal, &owner };
	OK(cuPointerGetAttributes(3, which, out, (CUdeviceptr)(uintptr_t)stack));
	IS(type, 0);
	IS(ordinal, -2);
	TRUE(!owner);
	OK(cuPointerGetAttributes(3, which, out, p));
	IS(type, CU_MEMORYTYPE_DEVICE);
	IS(ordinal, 0);
	OK(cuMemAllocManaged(&m, 4096, CU_MEM_ATTACH_GLOBAL));
	OK(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, m));
	IS(managed, 1);
	*(volatile int *)(uintptr_t)m = 5;
	OK(cuMemFree_v2(m));
	OK(cuMemFree_v2(p));
}

static void chunks_can_be_mapped_twice_and_moved(void)
{
	CUmemAllocationProp prop = {
		.type = CU_MEM_ALLOCATION_TYPE_PINNED, .location = { .type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0 },
	};
	CUmemAccessDesc access = { .location = prop.location, .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE };
	CUmemGenericAllocationHandle h, h2, kept;
	CUdeviceptr v, fixed;
	size_t g, before, after, total;
	unsigned char byte = 0;
	OK(cuMemGetAllocationGranularity(&g, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
	OK(cuMemGetInfo_v2(&before, &total));
	OK(cuMemAddressReserve(&v, 4 * g, 0, 0, 0));
	OK(cuMemCreate(&h, g, &prop, 0));
	OK(cuMemCreate(&h2, g, &prop, 0));
	IS(cuMemCreate(&kept, g + 1, &prop, 0), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemMap(v, g, 0, h, 0));
	OK(cuMemMap(v + g, g, 0, h2, 0));
	OK(cuMemMap(v + 2 * g, g, 0, h, 0));
	IS(cuMemMap(v, g, 0, h, 0), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemcpyHtoD_v2(v, &byte, 1), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemSetAccess(v, 3 * g, &access, 1));
	OK(cuMemsetD8_v2(v, 9, 3 * g));          /* across the chunks */
	OK(cuMemsetD8_v2(v, 4, 1));
	OK(cuMemcpyDtoH_v2(&byte, v + 2 * g, 1));
	IS(byte, 4);                             /* the same chunk, seen elsewhere */
	OK(cuMemRetainAllocationHandle(&kept, (void *)(uintptr_t)(v + g + 5)));
	IS(kept, h2);
	OK(cuMemRelease(kept));
	OK(cuMemRelease(h));
	OK(cuMemRelease(h2));
	IS(cuMemAddressFree(v, 4 * g), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemUnmap(v, 3 * g));
	IS(cuMemcpyHtoD_v2(v, &byte, 1), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemAddressFree(v, 4 * g));
	IS(cuMemRelease(h), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemGetInfo_v2(&after, &total));
	IS(after, before);
	OK(cuMemAddressReserve(&fixed, g, 0, v, 0));
	OK(cuMemAddressFree(fixed, g));
}

static void pools_give_memory_in_stream_order(void)
{
	CUmemoryPool pool, own;
	CUmemPoolProps props = {
		.allocType = CU_MEM_ALLOCATION_TYPE_PINNED, .location = { .type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0 },
	};
	CUstream s;
	CUdeviceptr p, q;
	unsigned v = 0;
	cuuint64_t used = 1, threshold = UINT64_MAX;
	OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
	OK(cuDeviceGetDefaultMemPool(&pool, 0));
	OK(cuMemAllocAsync(&p, 1 << 20, s));
	OK(cuMemsetD32Async(p, 6, 1 << 18, s));
	OK(cuMemcpyDtoHAsync_v2(&v, p + 4000, 4, s));
	IS(v, 6);
	OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
	TRUE(used >= 1 << 20);
	OK(cuMemFreeAsync(p, s));
	OK(cuStreamSynchronize(s));
	OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
	IS(used, 0);
	TRUE(cuMemFreeAsync(p, s) != CUDA_SUCCESS);
	OK(cuMemPoolCreate(&own, &props));
	OK(cuMemPoolSetAttribute(own, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
	threshold = 0;
	OK(cuMemPoolGetAttribute(own, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
	TRUE(threshold == UINT64_MAX);
	OK(cuMemAllocFromPoolAsync(&q, 100, own, s));
	OK(cuMemFree_v2(q));
	OK(cuMemPoolDestroy(own));
	OK(cuStreamDestroy_v2(s));
}

/* Allocating and freeing on a stream in a loop must not run out of memory, however little of it there is. */
static void a_loop_of_allocations_on_a_stream_does_not_run_out(void)
{
	size_t free_bytes, total;
	CUdeviceptr p;
	OK(cuMemGetInfo_v2(&free_bytes, &total));
	for (int i = 0; i < 20; i++) {
		OK(cuMemAllocAsync(&p, free_bytes / 3, NULL));
		OK(cuMemsetD8Async(p, 1, 1 << 20, NULL));
		OK(cuMemFreeAsync(p, NULL));
	}
}

int main(int argc, char **argv)
{
	static const struct test tests[] = {
#define T(name) { #name, name },
		T(out_of_memory_is_said_and_freeing_makes_room)
		T(free_memory_is_told_truly)
		T(a_context_that_ends_gives_its_memory_back)
		T(wrong_sizes_and_pointers_are_refused)
		T(a_host_pointer_is_no_device_pointer)
		T(copies_past_an_end_are_refused)
		T(bytes_go_up_across_and_down)
		T(fills_write_their_width_and_no_more)
		T(boxes_are_copied_row_by_row)
		T(pinned_memory_has_one_address)
		T(registering_follows_the_rules)
		T(an_address_tells_what_it_is)
		T(chunks_can_be_mapped_twice_and_moved)
		T(pools_give_memory_in_stream_order)
		T(a_loop_of_allocations_on_a_stream_does_not_run_out)
	};
	return RUN(tests);
}
