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
#include "kernels.h"

static const char ptx[] = PTX_HEAD PTX_GATE PTX_PUT PTX_ADD;

enum { MIB = 1 << 20 };

static void launch(CUmodule m, const char *name, CUdeviceptr p, unsigned v, CUstream stream)
{
	void *arguments[] = {&p, &v};
	OK(cuLaunchKernel(function(m, name), 1, 1, 1, 1, 1, 1, 0, stream, arguments, NULL));
}

static CUstream stream_of_its_own(void)
{
	CUstream s;
	OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
	return s;
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

struct gate {
	CUdeviceptr flag;
	CUstream opener;
};

static struct gate close_gate(CUmodule m, CUstream stream)
{
	struct gate g;
	OK(cuMemAlloc(&g.flag, 4));
	OK(cuMemsetD32(g.flag, 0, 1));
	OK(cuCtxSynchronize());
	g.opener = stream_of_its_own();
	void *arguments[] = {&g.flag};
	OK(cuLaunchKernel(function(m, "gate"), 1, 1, 1, 1, 1, 1, 0, stream, arguments, NULL));
	return g;
}

static void open_gate(struct gate *g)
{
	OK(cuMemsetD32Async(g->flag, 1, 1, g->opener));
	OK(cuStreamSynchronize(g->opener));
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
};

int main(int argc, char **argv)
{
	return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
