// SPDX-License-Identifier: Apache-2.0
//
// Host memory: registration of the program's own, copies of boxes, large
// pageable copies. Written to the driver API alone; passes on the vendor's
// library as on axon's.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>

#include "check.h"
#include "gate.h"
#include "kernels.h"

static const char ptx[] = PTX_HEAD PTX_GATE PTX_PUT PTX_ADD;

enum { MIB = 1 << 20 };

static void launch(CUmodule m, const char *name, CUdeviceptr p, unsigned v, CUstream stream)
{
	void *arguments[] = {&p, &v};
	OK(cuLaunchKernel(function(m, name), 1, 1, 1, 1, 1, 1, 0, stream, arguments, NULL));
}

// Behind a relay the device cannot reach the program's memory; so says the attribute.
static bool device_reaches_host(void)
{
	int can = 0;
	OK(cuDeviceGetAttribute(&can, CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY, device));
	return can;
}

static void needs_mapped_memory(void)
{
	if (!device_reaches_host())
		SKIP("the device cannot reach host memory");
}

static unsigned char pattern(size_t i, unsigned k)
{
	return (unsigned char)(i * 31 + i / 251 + k * 7);
}

static void fill(unsigned char *p, size_t n, unsigned k)
{
	for (size_t i = 0; i < n; i++)
		p[i] = pattern(i, k);
}

static void expect(const unsigned char *p, size_t n, unsigned k)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] != pattern(i, k))
			FAIL("byte %zu is %d, not %d", i, p[i], pattern(i, k));
}

static void kernels_write_registered_memory(void)
{
	start();
	needs_mapped_memory();
	CUmodule m = load(ptx);
	unsigned *p = malloc(3 * MIB);
	memset(p, 0, 3 * MIB);
	p[5] = 10;
	p[700000] = 3;
	OK(cuMemHostRegister(p, 3 * MIB, CU_MEMHOSTREGISTER_DEVICEMAP));
	EQUAL(10, p[5]); // what was there is there
	CUdeviceptr d;
	OK(cuMemHostGetDevicePointer(&d, p + 5, 0));
	launch(m, "add", d, 7, NULL);
	launch(m, "put", (CUdeviceptr)(uintptr_t)(p + 700000), 44, NULL); // one address for both
	OK(cuCtxSynchronize());
	EQUAL(17, p[5]);
	EQUAL(44, p[700000]);
	p[5] = 100; // and the device sees what the program writes
	launch(m, "add", d, 1, NULL);
	OK(cuCtxSynchronize());
	EQUAL(101, p[5]);
	OK(cuMemHostUnregister(p));
	EQUAL(101, p[5]);
	EQUAL(44, p[700000]);
	p[5] = 1;
	free(p);
}

static __attribute__((noinline)) void register_a_local(CUmodule m)
{
	volatile unsigned before = 11, local = 5, after = 12;
	OK(cuMemHostRegister((void *)&local, sizeof local, CU_MEMHOSTREGISTER_DEVICEMAP));
	CUdeviceptr d;
	OK(cuMemHostGetDevicePointer(&d, (void *)&local, 0));
	launch(m, "add", d, 6, NULL);
	OK(cuCtxSynchronize());
	EQUAL(11, local);
	OK(cuMemHostUnregister((void *)&local));
	EQUAL(11, local);
	EQUAL(11, before);
	EQUAL(12, after);
}

static void *register_on_another_stack(void *m)
{
	CUcontext c;
	OK(cuDevicePrimaryCtxRetain(&c, device));
	OK(cuCtxSetCurrent(c));
	register_a_local(m);
	return NULL;
}

static void a_variable_on_the_stack_can_be_registered(void)
{
	start();
	needs_mapped_memory();
	CUmodule m = load(ptx);
	pthread_t other;
	for (int i = 0; i < 3; i++)
		register_a_local(m);
	pthread_create(&other, NULL, register_on_another_stack, m);
	pthread_join(other, NULL);
	register_a_local(m);
}

static void a_registered_source_is_read_when_the_stream_gets_there(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own();
	unsigned char *p = malloc(MIB + 100), *back = malloc(MIB);
	CUdeviceptr d;
	OK(cuMemAlloc(&d, MIB));
	OK(cuMemHostRegister(p + 1, MIB, 0)); // no page's edge
	fill(p + 1, MIB, 1);
	struct gate g = close_gate(m, s);
	OK(cuMemcpyHtoDAsync(d, p + 1, MIB, s));
	fill(p + 1, MIB, 2);
	open_gate(&g);
	OK(cuStreamSynchronize(s));
	OK(cuMemcpyDtoH(back, d, MIB));
	expect(back, MIB, 2);
	OK(cuMemHostUnregister(p + 1));
}

static void a_copy_into_registered_memory_does_not_wait(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own();
	unsigned char *p = calloc(1, MIB), *up = malloc(MIB);
	CUdeviceptr d;
	fill(up, MIB, 3);
	OK(cuMemAlloc(&d, MIB));
	OK(cuMemcpyHtoD(d, up, MIB));
	OK(cuMemHostRegister(p, MIB, CU_MEMHOSTREGISTER_PORTABLE));
	struct gate g = close_gate(m, s);
	OK(cuMemcpyDtoHAsync(p, d, MIB, s));
	GIVES(CUDA_ERROR_NOT_READY, cuStreamQuery(s)); // it returned although the stream is held
	open_gate(&g);
	OK(cuStreamSynchronize(s));
	expect(p, MIB, 3);
	OK(cuMemHostUnregister(p));
	expect(p, MIB, 3);
}

static atomic_int stop;

// Each write builds on the one before: one that is lost is missing in the end.
static void *count_up(void *arg)
{
	volatile unsigned *p = arg;
	size_t n = 0;
	for (; !atomic_load(&stop); n++)
		for (int i = 0; i < 64; i++)
			p[i * 1024 + 3]++;
	return (void *)n;
}

static void nothing_is_lost_that_another_thread_writes_meanwhile(void)
{
	start();
	size_t n = 64 * 4096;
	unsigned *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_t writer;
	TRUE(p != MAP_FAILED);
	pthread_create(&writer, NULL, count_up, p);
	for (int i = 0; i < 200; i++) {
		OK(cuMemHostRegister(p, n, 0));
		OK(cuMemHostUnregister(p));
	}
	atomic_store(&stop, 1);
	void *rounds;
	pthread_join(writer, &rounds);
	for (int i = 0; i < 64; i++)
		EQUAL((unsigned)(uintptr_t)rounds, p[i * 1024 + 3]);
}

static void registration_refuses_what_it_must(void)
{
	start();
	char *p = malloc(4 * MIB);
	unsigned flags = 0;
	void *pinned;
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemHostRegister(p, 0, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemHostRegister(NULL, 4096, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemHostRegister(p, 4096, 0x100));
	GIVES(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(p));
	OK(cuMemHostRegister(p, 2 * MIB, 0));
	GIVES(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister(p, 2 * MIB, 0));
	GIVES(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister(p + MIB, 2 * MIB, 0));
	OK(cuMemHostUnregister(p));
	GIVES(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(p));
	OK(cuMemHostRegister(p + MIB, 2 * MIB, 0));
	OK(cuMemHostUnregister(p + MIB));
	OK(cuMemHostAlloc(&pinned, 4096, 0));
	OK(cuMemHostGetFlags(&flags, pinned));
	EQUAL(CU_MEMHOSTALLOC_DEVICEMAP, flags);
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemHostUnregister(pinned));
	OK(cuMemFreeHost(pinned));
	OK(cuMemHostAlloc(&pinned, 0, 0)); // no bytes: not an error
}

static void registered_memory_says_what_it_is(void)
{
	start();
	needs_mapped_memory();
	char *p = malloc(MIB);
	unsigned type = 0;
	void *host = NULL;
	OK(cuMemHostRegister(p, MIB, 0));
	OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)(uintptr_t)(p + 100)));
	EQUAL(CU_MEMORYTYPE_HOST, type);
	OK(cuPointerGetAttribute(&host, CU_POINTER_ATTRIBUTE_HOST_POINTER, (CUdeviceptr)(uintptr_t)(p + 100)));
	TRUE(host == p + 100);
	OK(cuMemHostUnregister(p));
	GIVES(CUDA_ERROR_INVALID_VALUE,
	      cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)(uintptr_t)(p + 100)));
}

static void memory_can_be_registered_over_and_over(void)
{
	start();
	CUdeviceptr d;
	OK(cuMemAlloc(&d, 8 * MIB));
	for (unsigned i = 0; i < 20; i++) { // a leak of pages would not show, one of address ranges would
		unsigned char *p = malloc(8 * MIB), *back = malloc(8 * MIB);
		fill(p, 8 * MIB, i);
		OK(cuMemHostRegister(p, 8 * MIB, 0));
		OK(cuMemcpyHtoDAsync(d, p, 8 * MIB, NULL));
		OK(cuStreamSynchronize(NULL));
		OK(cuMemHostUnregister(p));
		OK(cuMemcpyDtoH(back, d, 8 * MIB));
		expect(back, 8 * MIB, i);
		free(p);
		free(back);
	}
}

static void a_forked_child_has_its_own_copy_of_registered_memory(void)
{
	start();
	size_t n = MIB;
	unsigned char *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *back = malloc(n);
	CUdeviceptr d;
	int status;
	TRUE(p != MAP_FAILED);
	OK(cuMemAlloc(&d, n));
	fill(p, n, 1);
	OK(cuMemHostRegister(p, n, 0));
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		for (size_t i = 0; i < n; i++)
			if (p[i] != pattern(i, 1))
				_exit(2);
		fill(p, n, 2);
		_exit(0);
	}
	TRUE(waitpid(child, &status, 0) == child);
	TRUE(WIFEXITED(status));
	EQUAL(0, WEXITSTATUS(status));
	expect(p, n, 1);
	OK(cuMemcpyHtoD(d, p, n));
	OK(cuMemcpyDtoH(back, d, n));
	expect(back, n, 1);
	OK(cuMemHostUnregister(p));
}

// A box of w by h by d bytes inside host memory of its own pitch and height.
struct room {
	unsigned char *p;
	size_t pitch, height, x, y, z, bytes;
};

static struct room room(size_t w, size_t h, size_t d, size_t more, int pinned)
{
	struct room r = {.pitch = w + more + 5, .height = h + more, .x = more / 2 + 3, .y = more / 2, .z = more ? 1 : 0};
	r.bytes = r.pitch * r.height * (d + r.z);
	if (pinned)
		OK(cuMemAllocHost((void **)&r.p, r.bytes));
	else
		r.p = malloc(r.bytes);
	return r;
}

static unsigned char *in_room(const struct room *r, size_t x, size_t y, size_t z)
{
	return r->p + ((r->z + z) * r->height + r->y + y) * r->pitch + r->x + x;
}

static void there_and_back(size_t w, size_t h, size_t d, size_t more, int pinned, int unified, int async)
{
	struct room up = room(w, h, d, more, pinned), down = room(w, h, d, more + 2, pinned);
	CUdeviceptr dev;
	size_t pitch = w + 64;
	CUstream s = stream_of_its_own();
	OK(cuMemAlloc(&dev, pitch * (h + 1) * (d + 1)));
	fill(up.p, up.bytes, 1);
	memset(down.p, 0xee, down.bytes);
	CUDA_MEMCPY3D c = {.srcXInBytes = up.x, .srcY = up.y, .srcZ = up.z, .srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = up.p,
			   .srcPitch = up.pitch, .srcHeight = up.height, .dstXInBytes = 16, .dstY = 1, .dstZ = 1,
			   .dstMemoryType = CU_MEMORYTYPE_DEVICE, .dstDevice = dev, .dstPitch = pitch, .dstHeight = h + 1,
			   .WidthInBytes = w, .Height = h, .Depth = d};
	if (unified) {
		c.srcMemoryType = c.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
		c.srcDevice = (CUdeviceptr)(uintptr_t)up.p;
	}
	if (async)
		OK(cuMemcpy3DAsync(&c, s));
	else
		OK(cuMemcpy3D(&c));
	c = (CUDA_MEMCPY3D){.srcXInBytes = 16, .srcY = 1, .srcZ = 1, .srcMemoryType = CU_MEMORYTYPE_DEVICE, .srcDevice = dev,
			    .srcPitch = pitch, .srcHeight = h + 1, .dstXInBytes = down.x, .dstY = down.y, .dstZ = down.z,
			    .dstMemoryType = CU_MEMORYTYPE_HOST, .dstHost = down.p, .dstPitch = down.pitch,
			    .dstHeight = down.height, .WidthInBytes = w, .Height = h, .Depth = d};
	if (unified) {
		c.srcMemoryType = c.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
		c.dstDevice = (CUdeviceptr)(uintptr_t)down.p;
	}
	if (async) {
		OK(cuMemcpy3DAsync(&c, s));
		if (pinned)
			OK(cuStreamSynchronize(s));
	} else {
		OK(cuMemcpy3D(&c));
	}
	for (size_t z = 0; z < d; z++)
		for (size_t y = 0; y < h; y++) {
			if (memcmp(in_room(&up, 0, y, z), in_room(&down, 0, y, z), w))
				FAIL("row %zu of slice %zu of %zu x %zu x %zu (pinned %d, unified %d, async %d)", y, z, w, h, d, pinned,
				     unified, async);
			EQUAL(0xee, in_room(&down, 0, y, z)[-1]); // and nothing beside it
			EQUAL(0xee, *in_room(&down, w, y, z));
		}
	OK(cuMemFree(dev));
	if (pinned) {
		OK(cuMemFreeHost(up.p));
		OK(cuMemFreeHost(down.p));
	} else {
		free(up.p);
		free(down.p);
	}
	OK(cuStreamDestroy(s));
}

static void boxes_come_back_the_same(void)
{
	start();
	static const size_t sizes[][3] = {{1, 1, 1}, {7, 3, 2}, {100, 50, 3}, {4096, 40, 1}, {1000, 700, 5}, {3 * MIB + 1, 2, 2}};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		for (int k = 0; k < 8; k++)
			there_and_back(sizes[i][0], sizes[i][1], sizes[i][2], k & 1 ? 6 : 0, k & 1, k >> 1 & 1, k >> 2 & 1);
}

static void rows_go_between_pitches(void)
{
	start();
	enum { W = 1000, H = 300 };
	CUdeviceptr d;
	size_t pitch;
	unsigned char *up = malloc(W * H), *down = malloc((W + 24) * H);
	fill(up, W * H, 4);
	memset(down, 0xee, (W + 24) * H);
	OK(cuMemAllocPitch(&d, &pitch, W, H, 4));
	CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = up, .srcPitch = W, .dstMemoryType = CU_MEMORYTYPE_DEVICE,
			   .dstDevice = d, .dstPitch = pitch, .WidthInBytes = W, .Height = H};
	OK(cuMemcpy2D(&c));
	c = (CUDA_MEMCPY2D){.srcMemoryType = CU_MEMORYTYPE_DEVICE, .srcDevice = d, .srcPitch = pitch, .dstXInBytes = 8,
			    .dstMemoryType = CU_MEMORYTYPE_HOST, .dstHost = down, .dstPitch = W + 24, .WidthInBytes = W, .Height = H};
	OK(cuMemcpy2DUnaligned(&c));
	for (size_t y = 0; y < H; y++)
		for (size_t x = 0; x < W + 24; x++)
			EQUAL(x >= 8 && x < W + 8 ? up[y * W + x - 8] : 0xee, down[y * (W + 24) + x]);
	c.srcPitch = W - 1; // less than a row
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&c));
	// From host to host: nothing of a device in it.
	c = (CUDA_MEMCPY2D){.srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = up, .srcPitch = W, .dstMemoryType = CU_MEMORYTYPE_HOST,
			    .dstHost = down, .dstPitch = W + 24, .WidthInBytes = W, .Height = H};
	OK(cuMemcpy2D(&c));
	for (size_t y = 0; y < H; y++)
		TRUE(!memcmp(up + y * W, down + y * (W + 24), W));
	// Within the device, and to another place.
	CUdeviceptr e;
	OK(cuMemAlloc(&e, W * H));
	c = (CUDA_MEMCPY2D){.srcMemoryType = CU_MEMORYTYPE_DEVICE, .srcDevice = d, .srcPitch = pitch,
			    .dstMemoryType = CU_MEMORYTYPE_DEVICE, .dstDevice = e, .dstPitch = W, .WidthInBytes = W, .Height = H};
	OK(cuMemcpy2DAsync(&c, NULL));
	memset(down, 0, W * H);
	OK(cuMemcpyDtoH(down, e, W * H));
	TRUE(!memcmp(up, down, W * H));
}

// Of rows * 512 bytes, by a stream that is held back.
static void source_of_rows(size_t rows, int pinned)
{
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own();
	CUdeviceptr d;
	unsigned char *p, *back = malloc(rows * 512);
	if (pinned)
		OK(cuMemAllocHost((void **)&p, rows * 600));
	else
		p = malloc(rows * 600);
	OK(cuMemAlloc(&d, rows * 512));
	fill(p, rows * 600, 1);
	struct gate g = close_gate(m, s);
	CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = p, .srcPitch = 600, .dstMemoryType = CU_MEMORYTYPE_DEVICE,
			   .dstDevice = d, .dstPitch = 512, .WidthInBytes = 512, .Height = rows};
	OK(cuMemcpy2DAsync(&c, s));
	fill(p, rows * 600, 2);
	open_gate(&g);
	OK(cuStreamSynchronize(s));
	OK(cuMemcpyDtoH(back, d, rows * 512));
	for (size_t y = 0; y < rows; y++)
		for (size_t x = 0; x < 512; x++)
			if (back[y * 512 + x] != pattern(y * 600 + x, pinned ? 2 : 1))
				FAIL("byte %zu of row %zu of %zu", x, y, rows);
}

static void pageable_rows_may_be_used_again_at_once(void)
{
	start();
	source_of_rows(10, 0);
	source_of_rows(300, 0);
	source_of_rows(6000, 0);
}

static void pinned_rows_are_read_when_the_stream_gets_there(void)
{
	start();
	source_of_rows(10, 1);
	source_of_rows(6000, 1);
}

static void rows_that_come_down_are_there_on_return(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own();
	CUdeviceptr d;
	pthread_t opener;
	size_t n = 3000 * 512;
	unsigned char *p = calloc(1, n);
	OK(cuMemAlloc(&d, n));
	struct gate g = close_gate(m, s);
	OK(cuMemsetD8Async(d, 0x5a, n, s));
	pthread_create(&opener, NULL, open_later, &g);
	CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_DEVICE, .srcDevice = d, .srcPitch = 512, .dstMemoryType = CU_MEMORYTYPE_HOST,
			   .dstHost = p, .dstPitch = 512, .WidthInBytes = 512, .Height = 3000};
	OK(cuMemcpy2DAsync(&c, s));
	for (size_t i = 0; i < n; i++)
		if (p[i] != 0x5a)
			FAIL("byte %zu is %d", i, p[i]);
	pthread_join(opener, NULL);
}

static void long_pageable_sources_may_be_used_again_at_once(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own();
	size_t n = 6 * MIB + 100;
	unsigned char *p = malloc(n), *back = malloc(n);
	CUdeviceptr d, e;
	OK(cuMemAlloc(&d, n));
	OK(cuMemAlloc(&e, n));
	for (unsigned k = 0; k < 6; k++) { // the first ones on a stream that is free, the others behind a kernel
		struct gate g = {0};
		if (k >= 3)
			g = close_gate(m, s);
		fill(p, n, k);
		OK(cuMemcpyHtoDAsync(d, p, n, s));
		OK(cuMemcpyDtoDAsync(e, d, n, s));
		memset(p, 0xff, n);
		if (k >= 3)
			open_gate(&g);
		memset(back, 0, n);
		OK(cuMemcpyDtoHAsync(back, e, n, s));
		expect(back, n, k);
	}
}

static void a_first_long_copy_does_not_wait_for_another_streams_kernel(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream held = stream_of_its_own(), s = stream_of_its_own();
	size_t n = 3 * MIB;
	unsigned char *up = malloc(n), *down = malloc(n);
	CUdeviceptr d;
	OK(cuMemAlloc(&d, n));
	fill(up, n, 9);
	struct gate g = close_gate(m, held);
	OK(cuMemcpyHtoDAsync(d, up, n, s));
	OK(cuMemcpyDtoHAsync(down, d, n, s));
	expect(down, n, 9);
	GIVES(CUDA_ERROR_NOT_READY, cuStreamQuery(held)); // it would have ended by itself after a long time
	open_gate(&g);
	OK(cuStreamSynchronize(held));
}

static void *copy_to_and_fro(void *arg)
{
	unsigned k = (unsigned)(uintptr_t)arg;
	size_t n = 5 * MIB + k * 1000;
	unsigned char *up = malloc(n), *down = malloc(n);
	CUcontext c;
	CUdeviceptr d;
	OK(cuDevicePrimaryCtxRetain(&c, device));
	OK(cuCtxSetCurrent(c));
	CUstream s = stream_of_its_own();
	OK(cuMemAlloc(&d, n));
	for (unsigned i = 0; i < 6; i++) {
		fill(up, n, k * 10 + i);
		if (i & 1)
			OK(cuMemcpyHtoD(d, up, n));
		else
			OK(cuMemcpyHtoDAsync(d, up, n, s));
		memset(up, 0, n);
		if (i & 1)
			OK(cuStreamSynchronize(NULL)); // the copy without a stream is another's work
		OK(cuMemcpyDtoHAsync(down, d, n, s));
		expect(down, n, k * 10 + i);
	}
	OK(cuMemFree(d));
	free(up);
	free(down);
	return NULL;
}

static void many_threads_make_long_copies(void)
{
	start();
	pthread_t t[6];
	for (int round = 0; round < 2; round++) { // the second time in lanes that others have left
		for (unsigned i = 0; i < 6; i++)
			pthread_create(&t[i], NULL, copy_to_and_fro, (void *)(uintptr_t)i);
		for (unsigned i = 0; i < 6; i++)
			pthread_join(t[i], NULL);
	}
}

static void long_copies_go_on_after_the_context_was_reset(void)
{
	start();
	size_t n = 3 * MIB;
	unsigned char *p = malloc(n), *back = malloc(n);
	for (unsigned k = 0; k < 3; k++) {
		CUdeviceptr d;
		CUcontext c;
		fill(p, n, k);
		OK(cuMemAlloc(&d, n));
		OK(cuMemcpyHtoD(d, p, n));
		OK(cuMemcpyDtoH(back, d, n));
		expect(back, n, k);
		OK(cuMemcpyHtoDAsync(d, p, n, NULL)); // may still be under way
		OK(cuDevicePrimaryCtxReset(device));
		OK(cuDevicePrimaryCtxRetain(&c, device));
		OK(cuCtxSetCurrent(c));
	}
}

static void batches_copy_each_of_theirs(void)
{
	start();
	CUstream s = stream_of_its_own();
	unsigned char *up = malloc(3000), *down = calloc(1, 3000);
	CUdeviceptr d;
	fill(up, 3000, 5);
	OK(cuMemAlloc(&d, 3000));
	CUdeviceptr to[3] = {d, d + 1000, d + 2500}, from[3];
	size_t sizes[3] = {1000, 1500, 500}, first[1] = {0}, failed = 7;
	for (int i = 0; i < 3; i++)
		from[i] = (CUdeviceptr)(uintptr_t)up + (to[i] - d);
	CUmemcpyAttributes a = {.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM};
	CUresult r = cuMemcpyBatchAsync(to, from, sizes, 3, &a, first, 1,
#if !defined(CUDA_VERSION) || CUDA_VERSION < 13000
					&failed,
#endif
					s);
	if (r == CUDA_ERROR_NOT_SUPPORTED)
		SKIP("no batches");
	OK(r);
	(void)failed;
	OK(cuStreamSynchronize(s));
	OK(cuMemcpyDtoH(down, d, 3000));
	expect(down, 3000, 5);
}

static void arrays_and_host_memory_exchange_rows(void)
{
	start();
	CUDA_ARRAY_DESCRIPTOR shape = {.Width = 300, .Height = 200, .Format = CU_AD_FORMAT_UNSIGNED_INT8, .NumChannels = 4};
	CUDA_ARRAY_DESCRIPTOR line = {.Width = 3000, .Height = 0, .Format = CU_AD_FORMAT_UNSIGNED_INT8, .NumChannels = 1};
	CUarray a, l;
	unsigned char *up = malloc(1300 * 200), *down = calloc(1, 1200 * 200);
	CUresult r = cuArrayCreate(&a, &shape);
	if (r == CUDA_ERROR_NOT_SUPPORTED)
		SKIP("no arrays");
	OK(r);
	fill(up, 1300 * 200, 3);
	CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = up, .srcPitch = 1300, .dstMemoryType = CU_MEMORYTYPE_ARRAY,
			   .dstArray = a, .WidthInBytes = 1200, .Height = 200};
	OK(cuMemcpy2D(&c));
	c = (CUDA_MEMCPY2D){.srcMemoryType = CU_MEMORYTYPE_ARRAY, .srcArray = a, .dstMemoryType = CU_MEMORYTYPE_HOST, .dstHost = down,
			    .dstPitch = 1200, .WidthInBytes = 1200, .Height = 200};
	OK(cuMemcpy2DAsync(&c, NULL));
	for (size_t y = 0; y < 200; y++)
		TRUE(!memcmp(up + y * 1300, down + y * 1200, 1200));
	OK(cuArrayCreate(&l, &line));
	OK(cuMemcpyHtoA(l, 100, up, 2000));
	memset(down, 0, 2000);
	OK(cuMemcpyAtoH(down, l, 100, 2000));
	TRUE(!memcmp(up, down, 2000));
	OK(cuMemcpyHtoAAsync(l, 0, up + 7, 3000, NULL));
	OK(cuMemcpyAtoHAsync(down, l, 0, 3000, NULL));
	TRUE(!memcmp(up + 7, down, 3000));
}

static const struct test_case cases[] = {
	CASE(kernels_write_registered_memory),
	CASE(a_variable_on_the_stack_can_be_registered),
	CASE(a_registered_source_is_read_when_the_stream_gets_there),
	CASE(a_copy_into_registered_memory_does_not_wait),
	CASE(nothing_is_lost_that_another_thread_writes_meanwhile),
	CASE(registration_refuses_what_it_must),
	CASE(registered_memory_says_what_it_is),
	CASE(memory_can_be_registered_over_and_over),
	CASE(a_forked_child_has_its_own_copy_of_registered_memory),
	CASE(boxes_come_back_the_same),
	CASE(rows_go_between_pitches),
	CASE(pageable_rows_may_be_used_again_at_once),
	CASE(pinned_rows_are_read_when_the_stream_gets_there),
	CASE(rows_that_come_down_are_there_on_return),
	CASE(long_pageable_sources_may_be_used_again_at_once),
	CASE(a_first_long_copy_does_not_wait_for_another_streams_kernel),
	CASE(many_threads_make_long_copies),
	CASE(long_copies_go_on_after_the_context_was_reset),
	CASE(batches_copy_each_of_theirs),
	CASE(arrays_and_host_memory_exchange_rows),
};

int main(int argc, char **argv)
{
	return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
