// SPDX-License-Identifier: Apache-2.0
//
// Streams that write words and wait for them, and events that tell the time.
#include "check.h"
#include "kernels.h"

static const char ptx[] = PTX_HEAD PTX_GATE PTX_ADD;

static volatile unsigned *words;
static CUdeviceptr at;
static CUstream s, t;

static void begin(void)
{
	void *p;
	start();
	OK(cuMemHostAlloc(&p, 4096, CU_MEMHOSTALLOC_DEVICEMAP));
	memset(p, 0, 4096);
	words = p;
	CUresult r = cuMemHostGetDevicePointer(&at, p, 0);
	if (r == CUDA_ERROR_NOT_SUPPORTED)
		SKIP("pinned memory is not the device's here");
	OK(r);
	OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
	OK(cuStreamCreate(&t, CU_STREAM_NON_BLOCKING));
}

static void a_stream_waits_for_a_word_of_the_hosts(void)
{
	static const struct { unsigned flags, value, before, after; } ways[] = {
		{CU_STREAM_WAIT_VALUE_EQ, 7, 8, 7}, {CU_STREAM_WAIT_VALUE_GEQ, 7, 6, 9}, {CU_STREAM_WAIT_VALUE_AND, 6, 9, 12},
		// Greater or equal is cyclic: the difference as a signed number is not negative.
		{CU_STREAM_WAIT_VALUE_GEQ, 0xfffffff0u, 0xffffff00u, 5},
	};
	begin();
	for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
		volatile unsigned *word = &words[2 * i], *done = &words[2 * i + 1];
		*word = ways[i].before;
		OK(cuStreamWaitValue32(s, at + 8 * i, ways[i].value, ways[i].flags));
		OK(cuStreamWriteValue32(s, at + 8 * i + 4, 1 + i, CU_STREAM_WRITE_VALUE_DEFAULT));
		GIVES(CUDA_ERROR_NOT_READY, cuStreamQuery(s));
		EQUAL(0, *done);
		*word = ways[i].after;
		OK(cuStreamSynchronize(s));
		EQUAL(1 + i, *done);
	}
}

static void streams_hand_words_to_each_other(void)
{
	enum { ROUNDS = 50 };
	CUdeviceptr d, count;
	begin();
	CUfunction add = function(load(ptx), "add");
	unsigned one = 1;
	OK(cuMemAlloc(&d, 8));
	OK(cuMemAlloc(&count, 4));
	OK(cuMemsetD32(d, 0, 2));
	OK(cuMemsetD32(count, 0, 1));
	OK(cuCtxSynchronize());
	void *params[] = {&count, &one};
	for (unsigned i = 1; i <= ROUNDS; i++) {
		OK(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, s, params, NULL));
		OK(cuStreamWriteValue32(s, d, i, 0));
		OK(cuStreamWaitValue32(s, d + 4, i, CU_STREAM_WAIT_VALUE_GEQ));
		OK(cuStreamWaitValue32(t, d, i, CU_STREAM_WAIT_VALUE_GEQ));
		OK(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, t, params, NULL));
		OK(cuStreamWriteValue32(t, d + 4, i, 0));
	}
	OK(cuStreamSynchronize(s));
	OK(cuStreamSynchronize(t));
	unsigned got = 0;
	OK(cuMemcpyDtoH(&got, count, 4));
	EQUAL(2 * ROUNDS, got);
}

static void words_of_64_bits_and_batches(void)
{
	begin();
	volatile unsigned long long *longs = (volatile unsigned long long *)(words + 64);
	CUdeviceptr there = at + 256;
	int yes = 0;
	OK(cuDeviceGetAttribute(&yes, CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, device));
	if (!yes)
		SKIP("no operations of 64 bits");
	OK(cuStreamWaitValue64(s, there, 1ull << 40, CU_STREAM_WAIT_VALUE_GEQ));
	OK(cuStreamWriteValue64(s, there + 8, 3ull << 33, 0));
	CUstreamBatchMemOpParams ops[3] = {0};
	ops[0].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
	ops[0].waitValue.address = there + 16;
	ops[0].waitValue.value = 4;
	ops[0].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
	ops[1].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
	ops[1].writeValue.address = there + 24;
	ops[1].writeValue.value64 = 5ull << 50;
	ops[2].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
	ops[2].writeValue.address = there + 32;
	ops[2].writeValue.value = 6;
	OK(cuStreamBatchMemOp(s, 3, ops, 0));
	GIVES(CUDA_ERROR_NOT_READY, cuStreamQuery(s));
	longs[0] = 1ull << 41;
	longs[2] = 4;
	OK(cuStreamSynchronize(s));
	TRUE(longs[1] == 3ull << 33);
	TRUE(longs[3] == 5ull << 50);
	TRUE(longs[4] == 6);
}

static void events_tell_how_long_it_took(void)
{
	begin();
	CUevent a, b, c;
	float ms = -1;
	void *params[] = {&at};
	OK(cuEventCreate(&a, CU_EVENT_DEFAULT));
	OK(cuEventCreate(&b, CU_EVENT_DEFAULT));
	OK(cuEventCreate(&c, CU_EVENT_DISABLE_TIMING));
	OK(cuEventRecord(a, s));
	OK(cuEventSynchronize(a));
	OK(cuLaunchKernel(function(load(ptx), "gate"), 1, 1, 1, 1, 1, 1, 0, s, params, NULL));
	OK(cuEventRecord(b, s));
	OK(cuEventRecord(c, s));
	GIVES(CUDA_ERROR_NOT_READY, cuEventElapsedTime(&ms, a, b));
	usleep(30000); // what is measured
	words[0] = 1;
	OK(cuEventSynchronize(b));
	OK(cuEventElapsedTime(&ms, a, b));
	if (!(ms >= 29 && ms < 100000))
		FAIL("30 ms took %g ms", (double)ms);
	OK(cuEventSynchronize(c));
	GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime(&ms, a, c));
}

static const struct test_case cases[] = {
	CASE(a_stream_waits_for_a_word_of_the_hosts),
	CASE(streams_hand_words_to_each_other),
	CASE(words_of_64_bits_and_batches),
	CASE(events_tell_how_long_it_took),
};

int main(int argc, char **argv)
{
	return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
