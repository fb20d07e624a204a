// SPDX-License-Identifier: Apache-2.0
//
// Managed memory: one pointer for the host and the device, the same bytes on
// both sides, and the hints that may be given about it.
#include "check.h"
#include "kernels.h"

// grow(p, n): p[i] = p[i] * 2 + 1 for each i < n; sum(node, out): adds the values of a list, {u32 value; node *next}, into
// *out; answer(flag): waits, at most 30 s, until *flag is not 0, then adds 1 to flag[1]
static const char ptx[] = PTX_HEAD PTX_GATE
	".visible .entry grow(.param .u64 p, .param .u32 n)\n{\n"
	"  .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<5>;\n"
	"  ld.param.u64 %rd1, [p];\n  ld.param.u32 %r1, [n];\n  cvta.to.global.u64 %rd2, %rd1;\n"
	"  mov.u32 %r2, %ctaid.x;\n  mov.u32 %r3, %ntid.x;\n  mov.u32 %r4, %tid.x;\n  mad.lo.s32 %r5, %r2, %r3, %r4;\n"
	"  setp.ge.u32 %p1, %r5, %r1;\n  @%p1 bra DONE;\n"
	"  mul.wide.u32 %rd3, %r5, 4;\n  add.s64 %rd4, %rd2, %rd3;\n"
	"  ld.global.u32 %r6, [%rd4];\n  mad.lo.u32 %r7, %r6, 2, 1;\n  st.global.u32 [%rd4], %r7;\n"
	"DONE:\n  ret;\n}\n"
	".visible .entry sum(.param .u64 node, .param .u64 out)\n{\n"
	"  .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<3>;\n"
	"  ld.param.u64 %rd1, [node];\n  ld.param.u64 %rd2, [out];\n  mov.u32 %r1, 0;\n"
	"NEXT:\n  setp.eq.u64 %p1, %rd1, 0;\n  @%p1 bra DONE;\n"
	"  ld.u32 %r2, [%rd1];\n  add.u32 %r1, %r1, %r2;\n  ld.u64 %rd1, [%rd1+8];\n  bra NEXT;\n"
	"DONE:\n  st.u32 [%rd2], %r1;\n  ret;\n}\n"
	".visible .entry answer(.param .u64 flag)\n{\n"
	"  .reg .pred %p<3>; .reg .b32 %r<3>; .reg .b64 %rd<6>;\n"
	"  ld.param.u64 %rd1, [flag];\n  mov.u64 %rd3, %globaltimer;\n"
	"AGAIN:\n  ld.volatile.u32 %r1, [%rd1];\n  setp.ne.u32 %p1, %r1, 0;\n  @%p1 bra DONE;\n"
	"  mov.u64 %rd4, %globaltimer;\n  sub.s64 %rd5, %rd4, %rd3;\n  setp.lt.u64 %p2, %rd5, 30000000000;\n  @%p2 bra AGAIN;\n"
	"DONE:\n  membar.sys;\n  add.u32 %r2, %r1, 1;\n  st.volatile.u32 [%rd1+4], %r2;\n  ret;\n}\n";

static CUmodule module_;

static void *managed(size_t bytes)
{
	CUdeviceptr p = 0;
	CUresult r = cuMemAllocManaged(&p, bytes, CU_MEM_ATTACH_GLOBAL);
	if (r == CUDA_ERROR_NOT_SUPPORTED)
		SKIP("no managed memory");
	OK(r);
	return (void *)(uintptr_t)p;
}

static void begin(void)
{
	start();
	module_ = load(ptx);
}

static int concurrent(void)
{
	int yes = 0;
	OK(cuDeviceGetAttribute(&yes, CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, device));
	return yes;
}

static void grow(unsigned *p, unsigned n, CUstream s)
{
	void *params[] = {&p, &n};
	OK(cuLaunchKernel(function(module_, "grow"), (n + 127) / 128, 1, 1, 128, 1, 1, 0, s, params, NULL));
}

static void both_sides_see_what_the_other_wrote(void)
{
	enum { N = 100000 };
	begin();
	unsigned *p = managed(N * sizeof *p), want[7];
	for (unsigned i = 0; i < N; i++)
		p[i] = i;
	for (unsigned k = 0; k < 7; k++)
		want[k] = k * 1000;
	for (int round = 0; round < 5; round++) {
		grow(p, N, NULL);
		OK(cuCtxSynchronize());
		for (unsigned k = 0; k < 7; k++) {
			want[k] = 2 * want[k] + 1;
			EQUAL(want[k], p[k * 1000]);
			want[k] += 3;
			p[k * 1000] = want[k];
		}
	}
	OK(cuMemFree((CUdeviceptr)(uintptr_t)p));
}

static void pointers_inside_it_mean_the_same_on_both_sides(void)
{
	enum { N = 500 };
	struct node { unsigned value; struct node *next; } *nodes, *first;
	begin();
	nodes = managed(N * sizeof *nodes);
	unsigned *out = managed(sizeof *out), want = 0;
	for (unsigned i = 0; i < N; i++) {
		nodes[i] = (struct node){i, i + 3 < N ? &nodes[i + 3] : NULL};
		want += i % 3 == 0 ? i : 0;
	}
	first = nodes;
	void *params[] = {&first, &out};
	OK(cuLaunchKernel(function(module_, "sum"), 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	OK(cuCtxSynchronize());
	EQUAL(want, *out);
}

static void streams_have_their_parts_of_it(void)
{
	enum { STREAMS = 4, N = 1000, ROUNDS = 20 };
	CUstream s[STREAMS];
	unsigned *p[STREAMS], want = 1;
	begin();
	if (!concurrent())
		SKIP("the host may not touch managed memory while a kernel runs");
	for (int k = 0; k < STREAMS; k++) {
		OK(cuStreamCreate(&s[k], CU_STREAM_NON_BLOCKING));
		p[k] = managed(N * sizeof **p);
		for (int i = 0; i < N; i++)
			p[k][i] = 1;
	}
	for (int round = 0; round < ROUNDS; round++) {
		for (int k = 0; k < STREAMS; k++)
			grow(p[k], N, s[k]);
		want = 2 * want + 1;
		for (int k = 0; k < STREAMS; k++) { // the others may still be at work
			OK(cuStreamSynchronize(s[k]));
			EQUAL(want, p[k][0]);
			EQUAL(want, p[k][N - 1]);
			for (int i = 0; i < N; i++)
				p[k][i]++;
		}
		want++;
	}
}

static void a_kernel_sees_what_the_host_writes_meanwhile(void)
{
	begin();
	if (!concurrent())
		SKIP("the host may not touch managed memory while a kernel runs");
	volatile unsigned *flag = managed(4096);
	flag[0] = flag[1] = 0;
	void *params[] = {&flag};
	CUstream s;
	OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
	OK(cuLaunchKernel(function(module_, "answer"), 1, 1, 1, 1, 1, 1, 0, s, params, NULL));
	OK(cuStreamQuery(s) == CUDA_ERROR_NOT_READY ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN);
	flag[0] = 41;
	OK(cuStreamSynchronize(s));
	EQUAL(42, flag[1]);
}

static void copies_and_fills_take_it_for_either_side(void)
{
	enum { N = 5000 };
	begin();
	unsigned *p = managed(N * sizeof *p), *q = managed(N * sizeof *q), host[N];
	CUdeviceptr d;
	OK(cuMemAlloc(&d, sizeof host));
	for (unsigned i = 0; i < N; i++)
		host[i] = i ^ 77;
	OK(cuMemcpyHtoD((CUdeviceptr)(uintptr_t)p, host, sizeof host));
	EQUAL(100 ^ 77, p[100]);
	OK(cuMemcpyDtoD(d, (CUdeviceptr)(uintptr_t)p, sizeof host));
	OK(cuMemcpyDtoH(q, d, sizeof host));
	EQUAL((N - 1) ^ 77, q[N - 1]);
	OK(cuMemcpy((CUdeviceptr)(uintptr_t)q, (CUdeviceptr)(uintptr_t)(p + 1), sizeof host - 4));
	OK(cuCtxSynchronize());
	EQUAL(100 ^ 77, q[99]);
	OK(cuMemsetD32((CUdeviceptr)(uintptr_t)p, 9, N));
	OK(cuCtxSynchronize());
	EQUAL(9, p[N / 2]);
}

static int attribute(void *p, size_t n, CUmem_range_attribute which)
{
	int value = -77;
	OK(cuMemRangeGetAttribute(&value, sizeof value, which, (CUdeviceptr)(uintptr_t)p, n));
	return value;
}

static void hints_are_taken_and_told(void)
{
	enum { N = 1 << 20 };
	begin();
	if (!concurrent())
		SKIP("hints need concurrent access");
	char *p = managed(N);
	CUdeviceptr d = (CUdeviceptr)(uintptr_t)p;
	CUmemLocation there = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device}, here = {.type = CU_MEM_LOCATION_TYPE_HOST};
	EQUAL(0, attribute(p, N, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY));
	EQUAL(CU_DEVICE_INVALID, attribute(p, N, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION));
	EQUAL(CU_DEVICE_INVALID, attribute(p, N, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION));
	OK(cuMemAdvise(d, N, CU_MEM_ADVISE_SET_READ_MOSTLY, there));
	EQUAL(1, attribute(p, N, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY));
	OK(cuMemAdvise(d + N / 2, N / 2, CU_MEM_ADVISE_UNSET_READ_MOSTLY, there));
	EQUAL(0, attribute(p, N, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY));
	EQUAL(1, attribute(p, N / 2, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY));
	OK(cuMemAdvise(d, N, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, here));
	EQUAL(CU_DEVICE_CPU, attribute(p, N, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION));
	OK(cuMemAdvise(d, N / 2, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, there));
	EQUAL(CU_DEVICE_INVALID, attribute(p, N, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION));
	EQUAL(device, attribute(p, N / 2, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION));
	OK(cuMemAdvise(d, N, CU_MEM_ADVISE_SET_ACCESSED_BY, there));
	int who[2] = {-77, -77};
	OK(cuMemRangeGetAttribute(who, sizeof who, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, d, N));
	EQUAL(device, who[0]);
	EQUAL(CU_DEVICE_INVALID, who[1]);
	OK(cuMemPrefetchAsync(d, N, there, 0, NULL));
	OK(cuCtxSynchronize());
	EQUAL(device, attribute(p, N, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION));
	OK(cuMemPrefetchAsync(d, N, here, 0, NULL));
	OK(cuCtxSynchronize());
	int last = -77, mostly = -77;
	OK(cuMemRangeGetAttributes((void *[]){&last, &mostly}, (size_t[]){4, 4},
				   (CUmem_range_attribute[]){CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY},
				   2, d, N));
	EQUAL(CU_DEVICE_CPU, last);
	EQUAL(0, mostly);
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAdvise(d, 0, CU_MEM_ADVISE_SET_READ_MOSTLY, there));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemRangeGetAttribute(&last, 3, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, d, N));
	// Memory that comes later to the same place was advised nothing.
	OK(cuMemFree(d));
	EQUAL(0, attribute(managed(N), N, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY));
}

static void it_can_belong_to_a_stream(void)
{
	CUstream s;
	begin();
	unsigned *p = managed(4096);
	OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
	OK(cuStreamAttachMemAsync(s, (CUdeviceptr)(uintptr_t)p, 0, CU_MEM_ATTACH_SINGLE));
	OK(cuStreamSynchronize(s));
	p[0] = 20;
	grow(p, 1, s);
	OK(cuStreamSynchronize(s));
	EQUAL(41, p[0]);
	OK(cuStreamAttachMemAsync(s, (CUdeviceptr)(uintptr_t)p, 0, CU_MEM_ATTACH_GLOBAL));
	OK(cuStreamSynchronize(s));
	EQUAL(41, p[0]);
}

static void it_says_what_it_is(void)
{
	unsigned is = 0, type = 0;
	CUdeviceptr base = 0;
	size_t size = 0;
	begin();
	char *p = managed(10000);
	CUdeviceptr inside = (CUdeviceptr)(uintptr_t)(p + 100);
	OK(cuPointerGetAttribute(&is, CU_POINTER_ATTRIBUTE_IS_MANAGED, inside));
	TRUE(is);
	OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, inside));
	EQUAL(CU_MEMORYTYPE_DEVICE, type);
	OK(cuMemGetAddressRange(&base, &size, inside));
	TRUE(base == (CUdeviceptr)(uintptr_t)p);
	TRUE(size >= 10000);
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFree(inside));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAllocManaged(&base, 0, CU_MEM_ATTACH_GLOBAL));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAllocManaged(&base, 16, 7));
}

// Two processes of one program, each with memory of its own at what may be the same address.
static void a_forked_child_has_its_own(void)
{
	fflush(stdout);
	pid_t pid = fork();
	begin();
	unsigned *p = managed(4096);
	p[0] = pid ? 5 : 9;
	for (int i = 0; i < 100; i++) {
		grow(p, 1, NULL);
		OK(cuCtxSynchronize());
		EQUAL(pid ? 11 : 19, p[0]);
		p[0] = pid ? 5 : 9;
	}
	if (!pid)
		_exit(0);
	int status = 0;
	TRUE(waitpid(pid, &status, 0) == pid);
	EQUAL(0, status);
}

static const struct test_case cases[] = {
	CASE(both_sides_see_what_the_other_wrote),
	CASE(pointers_inside_it_mean_the_same_on_both_sides),
	CASE(streams_have_their_parts_of_it),
	CASE(a_kernel_sees_what_the_host_writes_meanwhile),
	CASE(copies_and_fills_take_it_for_either_side),
	CASE(hints_are_taken_and_told),
	CASE(it_can_belong_to_a_stream),
	CASE(it_says_what_it_is),
	CASE(a_forked_child_has_its_own),
};

int main(int argc, char **argv)
{
	return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
