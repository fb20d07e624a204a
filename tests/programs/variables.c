// SPDX-License-Identifier: Apache-2.0
//
// A module's variables, managed ones above all: the host and the device read
// and write them at one address, in turn. Written to the driver API alone;
// passes on the vendor's library as on axon's.
#include "check.h"
#include "kernels.h"

// grow(): counter += 10, and table[i] = 2 * table[i] + counter for each thread i
static const char ptx[] = PTX_HEAD PTX_GATE
	".visible .global .attribute(.managed) .align 4 .u32 counter = 5;\n"
	".visible .global .attribute(.managed) .align 8 .b8 table[4000];\n"
	".visible .global .align 4 .u32 plain = 6;\n"
	".visible .entry grow()\n{\n"
	"  .reg .b32 %r<6>; .reg .b64 %rd<6>; .reg .pred %p<2>;\n"
	"  mov.u32 %r1, %tid.x;\n"
	"  mov.u64 %rd1, counter;\n"
	"  setp.ne.u32 %p1, %r1, 0;\n"
	"  @%p1 bra LATER;\n"
	"  atom.global.add.u32 %r2, [%rd1], 10;\n"
	"LATER:\n"
	"  bar.sync 0;\n"
	"  ld.volatile.global.u32 %r3, [%rd1];\n"
	"  mov.u64 %rd2, table;\n"
	"  mul.wide.u32 %rd3, %r1, 4;\n"
	"  add.s64 %rd4, %rd2, %rd3;\n"
	"  ld.global.u32 %r4, [%rd4];\n"
	"  mad.lo.u32 %r5, %r4, 2, %r3;\n"
	"  st.global.u32 [%rd4], %r5;\n"
	"  ret;\n}\n";

enum { TABLE = 1000 };

static CUlibrary library(void)
{
	CUlibrary l;
	OK(cuLibraryLoadData(&l, ptx, NULL, NULL, 0, NULL, NULL, 0));
	return l;
}

static volatile unsigned *managed(CUlibrary l, const char *name, size_t want)
{
	CUdeviceptr p = 0;
	size_t bytes = 0;
	OK(cuLibraryGetManaged(&p, &bytes, l, name));
	EQUAL(want, bytes);
	return (volatile unsigned *)(uintptr_t)p;
}

static CUfunction grow_of(CUlibrary l)
{
	CUkernel k;
	CUfunction f;
	OK(cuLibraryGetKernel(&k, l, "grow"));
	OK(cuKernelGetFunction(&f, k));
	return f;
}

static void grow(CUfunction f, CUstream stream)
{
	OK(cuLaunchKernel(f, 1, 1, 1, TABLE, 1, 1, 0, stream, NULL, NULL));
}

static void a_managed_variable_is_both_sides(void)
{
	start();
	CUlibrary l = library();
	volatile unsigned *counter = managed(l, "counter", 4), *table = managed(l, "table", 4 * TABLE);
	CUfunction f = grow_of(l);

	EQUAL(5, *counter);
	EQUAL(0, table[999]);
	unsigned want = 5, first = 0, last = 0;
	for (unsigned round = 1; round < 20; round++) {
		*counter = want + round;
		table[0] = first + round;
		table[TABLE - 1] = last = last * 3;
		grow(f, NULL);
		OK(cuCtxSynchronize());
		want += round + 10;
		first = 2 * (first + round) + want;
		last = 2 * last + want;
		EQUAL(want, *counter);
		EQUAL(first, table[0]);
		EQUAL(last, table[TABLE - 1]);
	}
	OK(cuLibraryUnload(l));
}

static void what_waits_shows_it(void)
{
	start();
	CUlibrary l = library();
	volatile unsigned *counter = managed(l, "counter", 4);
	CUfunction f = grow_of(l);
	CUstream stream;
	CUevent event;
	CUresult r;

	OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	OK(cuEventCreate(&event, 0));
	grow(f, stream);
	OK(cuStreamSynchronize(stream));
	EQUAL(15, *counter);
	grow(f, stream);
	OK(cuEventRecord(event, stream));
	OK(cuEventSynchronize(event));
	EQUAL(25, *counter);
	grow(f, stream);
	OK(cuEventRecord(event, stream));
	while ((r = cuEventQuery(event)) == CUDA_ERROR_NOT_READY)
		;
	OK(r);
	EQUAL(35, *counter);
	unsigned seen = 0;
	grow(f, NULL);
	OK(cuMemcpyDtoH(&seen, (CUdeviceptr)(uintptr_t)counter, 4));
	EQUAL(45, seen);
	EQUAL(45, *counter);
	*counter = 1;
	OK(cuMemcpyDtoH(&seen, (CUdeviceptr)(uintptr_t)counter, 4));
	EQUAL(1, seen);
	OK(cuMemsetD32((CUdeviceptr)(uintptr_t)counter, 7, 1));
	OK(cuCtxSynchronize());
	EQUAL(7, *counter);
	OK(cuEventDestroy(event));
	OK(cuStreamDestroy(stream));
}

static void add_one(void *counter) { *(volatile unsigned *)counter += 1; }

static void a_host_function_sees_it(void)
{
	start();
	CUlibrary l = library();
	volatile unsigned *counter = managed(l, "counter", 4);
	CUfunction f = grow_of(l);
	CUstream stream;

	OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	for (int i = 0; i < 5; i++) {
		grow(f, stream);
		OK(cuLaunchHostFunc(stream, add_one, (void *)(uintptr_t)counter));
	}
	OK(cuStreamSynchronize(stream));
	EQUAL(5 + 5 * 11, *counter);
	OK(cuStreamDestroy(stream));
}

static void other_streams_go_on(void)
{
	start();
	CUlibrary l = library();
	volatile unsigned *counter = managed(l, "counter", 4);
	CUfunction f = grow_of(l), gate;
	CUkernel k;
	CUstream waiting, stream;
	CUdeviceptr flag;

	OK(cuLibraryGetKernel(&k, l, "gate"));
	OK(cuKernelGetFunction(&gate, k));
	OK(cuMemAlloc(&flag, 4));
	OK(cuMemsetD32(flag, 0, 1));
	OK(cuCtxSynchronize());
	OK(cuStreamCreate(&waiting, 0));
	OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	void *arguments[] = {&flag};
	OK(cuLaunchKernel(gate, 1, 1, 1, 1, 1, 1, 0, waiting, arguments, NULL));
	*counter = 100;
	grow(f, stream);
	OK(cuStreamSynchronize(stream));
	EQUAL(110, *counter);
	GIVES(CUDA_ERROR_NOT_READY, cuStreamQuery(waiting));
	OK(cuMemsetD32Async(flag, 1, 1, stream));
	OK(cuStreamSynchronize(waiting));
}

static void a_graph_uses_it(void)
{
	start();
	CUlibrary l = library();
	volatile unsigned *counter = managed(l, "counter", 4);
	CUfunction f = grow_of(l);
	CUstream stream;
	CUgraph graph;
	CUgraphExec exec;

	OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
	grow(f, stream);
	grow(f, stream);
	*counter = 50;
	OK(cuStreamEndCapture(stream, &graph));
	OK(cuGraphInstantiate(&exec, graph, 0));
	for (int i = 1; i <= 3; i++) {
		OK(cuGraphLaunch(exec, stream));
		OK(cuStreamSynchronize(stream));
		EQUAL(50 + 20 * i + (i - 1), *counter);
		*counter += 1;
	}
	OK(cuGraphExecDestroy(exec));
	OK(cuGraphDestroy(graph));
}

// As nvcc's programs do: the library is loaded and asked before there is a context.
static void it_is_there_before_a_context(void)
{
	CUcontext context;
	OK(cuInit(0));
	OK(cuDeviceGet(&device, 0));
	CUlibrary l = library();
	volatile unsigned *counter = managed(l, "counter", 4);
	EQUAL(5, *counter);
	*counter = 6;
	OK(cuDevicePrimaryCtxRetain(&context, device));
	OK(cuCtxSetCurrent(context));
	grow(grow_of(l), NULL);
	OK(cuCtxSynchronize());
	EQUAL(16, *counter);
}

static void two_modules_have_two(void)
{
	start();
	CUlibrary a = library(), b = library();
	volatile unsigned *one = managed(a, "counter", 4), *two = managed(b, "counter", 4);

	TRUE(one != two);
	*one = 1000;
	grow(grow_of(a), NULL);
	grow(grow_of(b), NULL);
	OK(cuCtxSynchronize());
	EQUAL(1010, *one);
	EQUAL(15, *two);
	OK(cuLibraryUnload(a));
	grow(grow_of(b), NULL);
	OK(cuCtxSynchronize());
	EQUAL(25, *two);
}

static void by_other_names(void)
{
	start();
	CUlibrary l = library();
	CUmodule m;
	CUdeviceptr p = 0, q = 0;
	size_t bytes = 0;
	int is = -1;

	EQUAL(CUDA_ERROR_NOT_FOUND, cuLibraryGetManaged(&p, &bytes, l, "plain"));
	EQUAL(CUDA_ERROR_NOT_FOUND, cuLibraryGetManaged(&p, &bytes, l, "nothing"));
	OK(cuLibraryGetManaged(&p, NULL, l, "counter"));
	OK(cuLibraryGetManaged(NULL, &bytes, l, "counter"));
	OK(cuLibraryGetGlobal(&q, &bytes, l, "counter"));
	EQUAL(p, q);
	OK(cuPointerGetAttribute(&is, CU_POINTER_ATTRIBUTE_IS_MANAGED, p));
	EQUAL(1, is);
	OK(cuLibraryGetGlobal(&q, &bytes, l, "plain"));
	OK(cuPointerGetAttribute(&is, CU_POINTER_ATTRIBUTE_IS_MANAGED, q));
	EQUAL(0, is);
	m = load(ptx);
	OK(cuModuleGetGlobal(&q, &bytes, m, "counter"));
	EQUAL(4, bytes);
	TRUE(q != p);
	EQUAL(5, *(volatile unsigned *)(uintptr_t)q);
	*(volatile unsigned *)(uintptr_t)q = 9;
	grow(function(m, "grow"), NULL);
	OK(cuCtxSynchronize());
	EQUAL(19, *(volatile unsigned *)(uintptr_t)q);
	EQUAL(5, *(volatile unsigned *)(uintptr_t)p);
	OK(cuModuleUnload(m));
}

static void what_is_no_unified_function_is_not_found(void)
{
	start();
	CUlibrary l = library();
	void *p = NULL;
	GIVES(CUDA_ERROR_NOT_FOUND, cuLibraryGetUnifiedFunction(&p, l, "nothing"));
	GIVES(CUDA_ERROR_NOT_FOUND, cuLibraryGetUnifiedFunction(&p, l, "grow"));
	TRUE(!p);
}

static void start_again(void)
{
	CUcontext context;
	OK(cuDevicePrimaryCtxReset(device));
	OK(cuDevicePrimaryCtxRetain(&context, device));
	OK(cuCtxSetCurrent(context));
}

// The libraries stay; what they have on the device is made anew.
static void a_librarys_variable_after_a_reset(void)
{
	start();
	CUlibrary l = library();
	for (unsigned round = 0; round < 3; round++) {
		volatile unsigned *counter = managed(l, "counter", 4);
		CUfunction f = grow_of(l);
		unsigned before = *counter;
		grow(f, NULL);
		OK(cuCtxSynchronize());
		EQUAL(before + 10, *counter);
		*counter = 100 * round;
		grow(f, NULL);
		OK(cuCtxSynchronize());
		EQUAL(100 * round + 10, *counter);
		start_again();
	}
}

// A module ends with its context; another may have its place.
static void a_modules_variable_after_a_reset(void)
{
	start();
	for (unsigned round = 0; round < 3; round++) {
		CUmodule m = load(ptx);
		CUdeviceptr p = 0;
		size_t bytes = 0;
		OK(cuModuleGetGlobal(&p, &bytes, m, "counter"));
		volatile unsigned *counter = (volatile unsigned *)(uintptr_t)p;
		EQUAL(5, *counter);
		*counter = 50 + round;
		grow(function(m, "grow"), NULL);
		OK(cuCtxSynchronize());
		EQUAL(60 + round, *counter);
		start_again();
	}
}

// As a program does that has a context of its own and makes another.
static void a_modules_variable_after_its_context(void)
{
	start();
	for (unsigned round = 0; round < 3; round++) {
		CUcontext c;
		OK(cuCtxCreate(&c, NULL, 0, device));
		CUmodule m = load(ptx);
		CUdeviceptr p = 0;
		OK(cuModuleGetGlobal(&p, NULL, m, "counter"));
		volatile unsigned *counter = (volatile unsigned *)(uintptr_t)p;
		EQUAL(5, *counter);
		grow(function(m, "grow"), NULL);
		OK(cuCtxSynchronize());
		EQUAL(15, *counter);
		OK(cuCtxDestroy(c));
	}
}

static const struct test_case cases[] = {
	CASE(a_managed_variable_is_both_sides),
	CASE(what_waits_shows_it),
	CASE(a_host_function_sees_it),
	CASE(other_streams_go_on),
	CASE(a_graph_uses_it),
	CASE(it_is_there_before_a_context),
	CASE(two_modules_have_two),
	CASE(by_other_names),
	CASE(what_is_no_unified_function_is_not_found),
	CASE(a_librarys_variable_after_a_reset),
	CASE(a_modules_variable_after_a_reset),
	CASE(a_modules_variable_after_its_context),
};

int main(int argc, char **argv)
{
	return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
