// SPDX-License-Identifier: Apache-2.0
//
// Kernels whose threads work together: over a grid, a block and a warp.
#include "check.h"
#include "kernels.h"
#include <math.h>

// rounds(a, b, n, times): in each round b[i] = a[i] + a[(i + 1) % n] for every i < n, and a and b change places. Between
// rounds the grid waits for all its blocks, as compiled programs do it: by the word that the driver gives to a cooperative
// launch, at the address in %envreg1 (upper half) and %envreg2, plus 4. Its upper bit turns when all blocks have come.
static const char grid_ptx[] = PTX_HEAD
	".visible .entry rounds(.param .u64 a, .param .u64 b, .param .u32 n, .param .u32 times)\n{\n"
	"  .reg .pred %p<8>; .reg .b32 %r<30>; .reg .b64 %rd<14>;\n"
	"  ld.param.u64 %rd1, [a];\n  ld.param.u64 %rd2, [b];\n  ld.param.u32 %r1, [n];\n  ld.param.u32 %r2, [times];\n"
	"  mov.u32 %r3, %envreg1;\n  mov.u32 %r4, %envreg2;\n  mov.b64 %rd3, {%r4, %r3};\n"
	"  mov.u32 %r5, %tid.x;\n  mov.u32 %r6, %ctaid.x;\n  mov.u32 %r7, %ntid.x;\n  mov.u32 %r8, %nctaid.x;\n"
	"  mad.lo.u32 %r9, %r6, %r7, %r5;\n  mul.lo.u32 %r10, %r7, %r8;\n"
	"ROUND:\n  setp.eq.u32 %p1, %r2, 0;\n  @%p1 bra DONE;\n  sub.u32 %r2, %r2, 1;\n"
	"  mov.u32 %r11, %r9;\n"
	"NEXT:\n  setp.ge.u32 %p2, %r11, %r1;\n  @%p2 bra MEET;\n"
	"  add.u32 %r12, %r11, 1;\n  rem.u32 %r13, %r12, %r1;\n"
	"  mul.wide.u32 %rd4, %r11, 4;\n  add.s64 %rd5, %rd1, %rd4;\n  mul.wide.u32 %rd6, %r13, 4;\n  add.s64 %rd7, %rd1, %rd6;\n"
	"  add.s64 %rd8, %rd2, %rd4;\n  ld.volatile.u32 %r14, [%rd5];\n  ld.volatile.u32 %r15, [%rd7];\n"
	"  add.u32 %r16, %r14, %r15;\n  st.u32 [%rd8], %r16;\n  add.u32 %r11, %r11, %r10;\n  bra NEXT;\n"
	"MEET:\n  membar.gl;\n  bar.sync 0;\n  setp.ne.u32 %p3, %r5, 0;\n  @%p3 bra MET;\n"
	"  setp.eq.u32 %p4, %r6, 0;\n  sub.u32 %r17, %r8, 1;\n  sub.u32 %r18, 0x80000000, %r17;\n  selp.u32 %r19, %r18, 1, %p4;\n"
	"  atom.add.u32 %r20, [%rd3+4], %r19;\n"
	"AGAIN:\n  ld.volatile.u32 %r21, [%rd3+4];\n  xor.b32 %r22, %r20, %r21;\n  and.b32 %r23, %r22, 0x80000000;\n"
	"  setp.eq.u32 %p5, %r23, 0;\n  @%p5 bra AGAIN;\n  membar.gl;\n"
	"MET:\n  bar.sync 0;\n  mov.u64 %rd9, %rd1;\n  mov.u64 %rd1, %rd2;\n  mov.u64 %rd2, %rd9;\n  bra ROUND;\n"
	"DONE:\n  ret;\n}\n";

static void a_grid_waits_for_all_its_blocks(void)
{
	enum { N = 3000, TIMES = 12, THREADS = 64 };
	start();
	int yes = 0, each = 0, processors = 0;
	OK(cuDeviceGetAttribute(&yes, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, device));
	if (!yes)
		SKIP("no cooperative launches");
	CUfunction f = function(load(grid_ptx), "rounds");
	OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&each, f, THREADS, 0));
	OK(cuDeviceGetAttribute(&processors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device));
	unsigned blocks = (unsigned)(each * processors), n = N, times = TIMES, want[2][N], got[N];
	CUdeviceptr a, b;
	OK(cuMemAlloc(&a, sizeof got));
	OK(cuMemAlloc(&b, sizeof got));
	for (unsigned i = 0; i < N; i++)
		want[0][i] = i * 7919;
	OK(cuMemcpyHtoD(a, want[0], sizeof got));
	for (unsigned r = 0; r < TIMES; r++)
		for (unsigned i = 0; i < N; i++)
			want[(r + 1) % 2][i] = want[r % 2][i] + want[r % 2][(i + 1) % N];
	void *params[] = {&a, &b, &n, &times};
	if (blocks > 24)
		blocks = 24;
	OK(cuLaunchCooperativeKernel(f, blocks, 1, 1, THREADS, 1, 1, 0, NULL, params));
	OK(cuMemcpyDtoH(got, TIMES % 2 ? b : a, sizeof got));
	for (unsigned i = 0; i < N; i++)
		EQUAL(want[TIMES % 2][i], got[i]);
	CUlaunchAttribute cooperative = {.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value.cooperative = 1};
	CUlaunchConfig config = {.gridDimX = blocks, .gridDimY = 1, .gridDimZ = 1, .blockDimX = THREADS, .blockDimY = 1, .blockDimZ = 1,
				 .attrs = &cooperative, .numAttrs = 1};
	OK(cuMemcpyHtoD(a, want[0], sizeof got));
	OK(cuLaunchKernelEx(&config, f, params, NULL));
	OK(cuCtxSynchronize());
	GIVES(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
	      cuLaunchCooperativeKernel(f, (unsigned)(each * processors + 1), 1, 1, THREADS, 1, 1, 0, NULL, params));
}

// A kernel of one block of 64 threads that has its thread's number in %r1, the address of 16 bytes of its own in %rd4 and
// the buffer's in %rd1.
#define PTX_LANES(name, what) \
	".visible .entry " name "(.param .u64 out)\n{\n" \
	"  .reg .pred %p<6>; .reg .b32 %r<20>; .reg .b64 %rd<12>; .reg .f32 %f<8>; .reg .f64 %d<8>; .reg .b16 %h<8>;\n" \
	"  ld.param.u64 %rd1, [out];\n  cvta.to.global.u64 %rd1, %rd1;\n  mov.u32 %r1, %tid.x;\n" \
	"  mul.wide.u32 %rd3, %r1, 16;\n  add.s64 %rd4, %rd1, %rd3;\n" what "  ret;\n}\n"

static const char lanes_ptx[] = PTX_HEAD
	PTX_LANES("shuffles", "  and.b32 %r2, %r1, 31;\n  shfl.sync.bfly.b32 %r3, %r1, 5, 31, -1;\n"
			      "  shfl.sync.down.b32 %r4|%p1, %r1, 7, 31, -1;\n  selp.u32 %r5, 1, 0, %p1;\n"
			      "  shfl.sync.idx.b32 %r6, %r1, 3, 0x181f, -1;\n  st.global.v4.u32 [%rd4], {%r3, %r4, %r5, %r6};\n")
	PTX_LANES("votes", "  and.b32 %r2, %r1, 3;\n  setp.eq.u32 %p1, %r2, 1;\n  vote.sync.ballot.b32 %r3, %p1, -1;\n"
			   "  vote.sync.any.pred %p2, %p1, -1;\n  vote.sync.all.pred %p3, %p1, -1;\n  selp.u32 %r4, 1, 0, %p2;\n"
			   "  selp.u32 %r5, 1, 0, %p3;\n  match.any.sync.b32 %r6, %r2, -1;\n  st.global.v4.u32 [%rd4], {%r3, %r4, %r5, %r6};\n")
	PTX_LANES("atomics", "  red.global.add.f32 [%rd1], 0f3F000000;\n  red.global.add.f64 [%rd1+8], 0d3FD0000000000000;\n"
			     "  atom.global.min.s32 %r2, [%rd1+16], %r1;\n  atom.global.max.u64 %rd5, [%rd1+24], %rd3;\n"
			     "  atom.global.inc.u32 %r3, [%rd1+32], 9;\n  atom.global.xor.b32 %r4, [%rd1+36], %r1;\n"
			     // A sum by compare and swap.
			     "  ld.volatile.global.u32 %r5, [%rd1+40];\n"
			     "AGAIN:\n  add.u32 %r6, %r5, %r1;\n  atom.global.cas.b32 %r7, [%rd1+40], %r5, %r6;\n  setp.eq.u32 %p1, %r7, %r5;\n"
			     "  mov.u32 %r5, %r7;\n  @!%p1 bra AGAIN;\n"
			     "  mov.b32 %r10, 0x3c003800;\n  atom.global.add.u64 %rd6, [%rd1+48], 3;\n  atom.global.dec.u32 %r8, [%rd1+56], 40;\n"
			     "  atom.global.add.noftz.f16x2 %r9, [%rd1+60], %r10;\n")
	// Both halves of the block's numbers change places in dynamic shared memory; then each thread sums an array of its own.
	".extern .shared .align 16 .b8 shared[];\n"
	PTX_LANES("memories", "  { .local .align 8 .b8 own[64];\n"
			      "  mul.lo.u32 %r2, %r1, 4;\n  mov.u32 %r3, shared;\n  add.u32 %r4, %r3, %r2;\n  st.shared.u32 [%r4], %r1;\n"
			      "  bar.sync 0;\n  xor.b32 %r5, %r2, 128;\n  add.u32 %r6, %r3, %r5;\n  ld.shared.u32 %r7, [%r6];\n"
			      "  mov.u64 %rd5, own;\n  cvta.local.u64 %rd6, %rd5;\n  mov.u32 %r8, 0;\n"
			      "FILL:\n  mul.wide.u32 %rd7, %r8, 4;\n  add.s64 %rd8, %rd6, %rd7;\n  mul.lo.u32 %r9, %r8, %r1;\n  st.u32 [%rd8], %r9;\n"
			      "  add.u32 %r8, %r8, 1;\n  setp.lt.u32 %p1, %r8, 16;\n  @%p1 bra FILL;\n"
			      "  mov.u32 %r10, 0;\n  mov.u32 %r8, 0;\n"
			      "SUM:\n  mul.wide.u32 %rd7, %r8, 4;\n  add.s64 %rd9, %rd5, %rd7;\n  ld.local.u32 %r11, [%rd9];\n  add.u32 %r10, %r10, %r11;\n"
			      "  add.u32 %r8, %r8, 1;\n  setp.lt.u32 %p2, %r8, 16;\n  @%p2 bra SUM;\n"
			      "  setp.lt.u32 %p3, %r1, 10;\n  bar.red.popc.u32 %r12, 0, %p3;\n  st.global.v4.u32 [%rd4], {%r7, %r10, %r12, %r1}; }\n")
	PTX_LANES("halves", "  cvt.rn.f16.u32 %h1, %r1;\n  mov.b16 %h2, 0x3800;\n  mov.b16 %h3, 0x3c00;\n  fma.rn.f16 %h4, %h1, %h2, %h3;\n"
			    "  cvt.f32.f16 %f1, %h4;\n  mov.b32 %r2, {%h1, %h3};\n  add.f16x2 %r3, %r2, %r2;\n  mul.f16x2 %r4, %r3, %r2;\n"
			    "  mov.b32 {%h5, %h6}, %r4;\n  cvt.f32.f16 %f2, %h5;\n  cvt.f32.f16 %f3, %h6;\n"
			    "  cvt.rn.f32.u32 %f4, %r1;\n  sqrt.rn.f32 %f5, %f4;\n"
			    "  st.global.v4.f32 [%rd4], {%f1, %f2, %f3, %f5};\n");

union word { unsigned u; float f; };
static CUdeviceptr out_;

static void lanes(const char *kernel, union word out[64][4])
{
	OK(cuMemAlloc(&out_, 64 * 16));
	OK(cuMemsetD8(out_, 0, 64 * 16));
	void *params[] = {&out_};
	OK(cuLaunchKernel(function(load(lanes_ptx), kernel), 1, 1, 1, 64, 1, 1, 256, NULL, params, NULL));
	OK(cuMemcpyDtoH(out, out_, 64 * 16));
}

static void lanes_talk_to_each_other(void)
{
	union word out[64][4];
	start();
	lanes("shuffles", out);
	for (unsigned i = 0; i < 64; i++) {
		EQUAL(i ^ 5, out[i][0].u);
		EQUAL(i % 32 < 25 ? i + 7 : i, out[i][1].u);
		EQUAL(i % 32 < 25, out[i][2].u);
		EQUAL(i / 8 * 8 + 3, out[i][3].u);
	}
	lanes("votes", out);
	for (unsigned i = 0; i < 64; i++) {
		EQUAL(0x22222222, out[i][0].u);
		EQUAL(1, out[i][1].u);
		EQUAL(0, out[i][2].u);
		EQUAL(0x11111111u << i % 4, out[i][3].u);
	}
}

static void atomics_lose_nothing(void)
{
	union word out[64][4];
	double d;
	unsigned long long most, threes;
	start();
	lanes("atomics", out);
	const unsigned *words = &out[0][0].u;
	TRUE(out[0][0].f == 32);
	memcpy(&d, words + 2, 8);
	TRUE(d == 16);
	EQUAL(0, (int)words[4]);
	memcpy(&most, words + 6, 8);
	EQUAL(63 * 16, most);
	EQUAL(64 % 10, words[8]);
	EQUAL(0, words[9]);
	EQUAL(63 * 32, words[10]);
	memcpy(&threes, words + 12, 8);
	EQUAL(3 * 64, threes);
	EQUAL((41 - 64 % 41) % 41, words[14]);
	EQUAL(0x54005000, words[15]); // 64 times 1 and 0.5
}

static void threads_have_shared_and_local_memory(void)
{
	union word out[64][4];
	start();
	lanes("memories", out);
	for (unsigned i = 0; i < 64; i++) {
		EQUAL(i ^ 32, out[i][0].u);
		EQUAL(120 * i, out[i][1].u);
		EQUAL(10, out[i][2].u);
		EQUAL(i, out[i][3].u);
	}
}

static void halves_and_roots_are_exact(void)
{
	union word out[64][4];
	start();
	lanes("halves", out);
	for (unsigned i = 0; i < 64; i++) {
		TRUE(out[i][0].f == (float)i / 2 + 1);
		if (i < 32) // whole numbers are exact up to 2048
			TRUE(out[i][1].f == (float)(2 * i * i));
		TRUE(out[i][2].f == 2);
		TRUE(out[i][3].f == sqrtf((float)i));
	}
}

static const struct test_case cases[] = {
	CASE(a_grid_waits_for_all_its_blocks),
	CASE(lanes_talk_to_each_other),
	CASE(atomics_lose_nothing),
	CASE(threads_have_shared_and_local_memory),
	CASE(halves_and_roots_are_exact),
};

int main(int argc, char **argv)
{
	return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
