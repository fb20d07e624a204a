/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of order: what waits for what, and when a call returns. A stream that waits at a gate stands for a long kernel.
 */
#include "check.h"

static CUstream stream(unsigned flags)
{
	CUstream s = NULL;
	OK(cuStreamCreate(&s, flags));
	return s;
}

static uint32_t *gate;

/* Holds up a stream until the gate is opened: it waits for a word in memory. */
static void close_gate(CUstream s)
{
	__atomic_store_n(gate, 0, __ATOMIC_SEQ_CST);
	OK(cuStreamWaitValue32_v2(s, (CUdeviceptr)(uintptr_t)gate, 1, CU_STREAM_WAIT_VALUE_EQ));
}

static void open_gate(void)
{
	__atomic_store_n(gate, 1, __ATOMIC_SEQ_CST);
}

static void count(void *p)
{
	__atomic_add_fetch((int *)p, 1, __ATOMIC_SEQ_CST);
}

static void a_stream_keeps_its_order(void)
{
	CUstream s = stream(CU_STREAM_NON_BLOCKING);
	CUdeviceptr p;
	unsigned v;
	OK(cuMemAlloc_v2(&p, 4096));
	for (unsigned i = 0; i <= 200; i++)
		OK(cuMemsetD32Async(p, i, 1024, s));
	OK(cuMemcpyDtoHAsync_v2(&v, p + 4000, 4, s));
	IS(v, 200);
	OK(cuStreamDestroy_v2(s));
	OK(cuMemFree_v2(p));
}

static void streams_run_at_the_same_time(void)
{
	CUstream a = stream(CU_STREAM_NON_BLOCKING), b = stream(CU_STREAM_NON_BLOCKING);
	close_gate(a);
	OK(cuStreamWriteValue32_v2(b, (CUdeviceptr)(uintptr_t)gate, 1, 0));
	OK(cuStreamSynchronize(a));
	OK(cuStreamDestroy_v2(a));
	OK(cuStreamDestroy_v2(b));
}

static void a_busy_stream_says_not_ready(void)
{
	CUstream s = stream(CU_STREAM_NON_BLOCKING);
	CUevent e;
	OK(cuEventCreate(&e, 0));
	OK(cuEventQuery(e));
	OK(cuStreamQuery(s));
	close_gate(s);
	OK(cuEventRecord(e, s));
	IS(cuStreamQuery(s), CUDA_ERROR_NOT_READY);
	IS(cuEventQuery(e), CUDA_ERROR_NOT_READY);
	open_gate();
	OK(cuEventSynchronize(e));
	OK(cuEventQuery(e));
	OK(cuStreamSynchronize(s));
	OK(cuStreamQuery(s));
	OK(cuEventDestroy_v2(e));
	OK(cuStreamDestroy_v2(s));
}

static void the_default_stream_waits_for_blocking_streams_only(void)
{
	CUstream blocking = stream(CU_STREAM_DEFAULT), apart = stream(CU_STREAM_NON_BLOCKING);
	CUdeviceptr p;
	OK(cuMemAlloc_v2(&p, 4096));
	close_gate(apart);
	OK(cuMemsetD32_v2(p, 1, 1));
	OK(cuStreamSynchronize(NULL));           /* would hang if it waited for the gate */
	open_gate();
	OK(cuStreamSynchronize(apart));

	close_gate(blocking);
	OK(cuMemsetD32Async(p, 2, 1, NULL));
	IS(cuStreamQuery(NULL), CUDA_ERROR_NOT_READY);
	OK(cuMemsetD32Async(p, 3, 1, blocking));
	unsigned v = 0;
	OK(cuMemcpyDtoHAsync_v2(&v, p, 4, apart));
	IS(v, 1);
	open_gate();
	OK(cuMemcpyDtoH_v2(&v, p, 4));
	IS(v, 3);
	OK(cuMemFree_v2(p));
	OK(cuStreamDestroy_v2(blocking));
	OK(cuStreamDestroy_v2(apart));
}

static void blocking_streams_wait_for_the_default_stream(void)
{
	CUstream blocking = stream(CU_STREAM_DEFAULT);
	int done = 0;
	close_gate(NULL);
	OK(cuLaunchHostFunc(blocking, count, &done));
	IS(cuStreamQuery(blocking), CUDA_ERROR_NOT_READY);
	IS(__atomic_load_n(&done, __ATOMIC_SEQ_CST), 0);
	open_gate();
	OK(cuStreamSynchronize(blocking));
	IS(done, 1);
	OK(cuStreamDestroy_v2(blocking));
}

static void a_stream_waits_for_an_event_as_it_was_recorded(void)
{
	CUstream a = stream(CU_STREAM_NON_BLOCKING), b = stream(CU_STREAM_NON_BLOCKING);
	CUevent e;
	int done = 0;
	OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
	OK(cuStreamWaitEvent(b, e, 0));          /* never recorded: no wait */
	OK(cuStreamSynchronize(b));
	close_gate(a);
	OK(cuEventRecord(e, a));
	OK(cuStreamWaitEvent(b, e, 0));
	OK(cuLaunchHostFunc(b, count, &done));
	IS(cuStreamQuery(b), CUDA_ERROR_NOT_READY);
	IS(__atomic_load_n(&done, __ATOMIC_SEQ_CST), 0);
	OK(cuEventDestroy_v2(e));                /* the wait stays */
	open_gate();
	OK(cuStreamSynchronize(b));
	IS(done, 1);
	OK(cuStreamDestroy_v2(a));
	OK(cuStreamDestroy_v2(b));
}

static void a_pinned_source_is_read_when_the_stream_gets_there(void)
{
	CUstream s = stream(CU_STREAM_NON_BLOCKING);
	CUdeviceptr p;
	unsigned *pinned, v = 0;
	OK(cuMemAlloc_v2(&p, 4));
	OK(cuMemAllocHost_v2((void **)&pinned, 4));
	*pinned = 1;
	close_gate(s);
	OK(cuMemcpyHtoDAsync_v2(p, pinned, 4, s));
	*pinned = 2;
	open_gate();
	OK(cuMemcpyDtoHAsync_v2(&v, p, 4, s));
	IS(v, 2);
	OK(cuMemFreeHost(pinned));
	OK(cuMemFree_v2(p));
	OK(cuStreamDestroy_v2(s));
}

static void *opens_the_gate(void *p)
{
	(void)p;
	open_gate();
	return NULL;
}

static void a_pageable_source_may_be_reused_at_once(void)
{
	CUstream s = stream(CU_STREAM_NON_BLOCKING);
	CUdeviceptr p;
	unsigned source = 1, v = 0;
	pthread_t t;
	OK(cuMemAlloc_v2(&p, 4));
	close_gate(s);
	/* A driver may wait for the stream here: let somebody else open the gate. */
	pthread_create(&t, NULL, opens_the_gate, NULL);
	OK(cuMemcpyHtoDAsync_v2(p, &source, 4, s));
	source = 2;
	OK(cuMemcpyDtoHAsync_v2(&v, p, 4, s));
	IS(v, 1);
	pthread_join(t, NULL);
	OK(cuMemFree_v2(p));
	OK(cuStreamDestroy_v2(s));
}

static void pageable_results_are_there_on_return(void)
{
	enum { N = 1 << 20 };
	static unsigned char out[N];
	CUstream s = stream(CU_STREAM_NON_BLOCKING);
	CUdeviceptr p;
	OK(cuMemAlloc_v2(&p, N));
	for (int i = 1; i < 30; i++) {
		OK(cuMemsetD8Async(p, (unsigned char)i, N, s));
		OK(cuMemcpyDtoHAsync_v2(out, p, N, s));
		IS(out[0], i);
		IS(out[N - 1], i);
	}
	OK(cuMemFree_v2(p));
	OK(cuStreamDestroy_v2(s));
}

static void freeing_waits_for_what_is_queued(void)
{
	CUstream s = stream(CU_STREAM_NON_BLOCKING);
	CUdeviceptr p;
	pthread_t t;
	unsigned *pinned;
	OK(cuMemAllocHost_v2((void **)&pinned, 4));
	OK(cuMemAlloc_v2(&p, 4));
	close_gate(s);
	OK(cuMemsetD32Async(p, 8, 1, s));
	OK(cuMemcpyDtoHAsync_v2(pinned, p, 4, s));
	pthread_create(&t, NULL, opens_the_gate, NULL);
	OK(cuMemFree_v2(p));
	pthread_join(t, NULL);
	OK(cuStreamSynchronize(s));
	IS(*pinned, 8);
	OK(cuMemFreeHost(pinned));
	OK(cuStreamDestroy_v2(s));
}

static void a_destroyed_stream_finishes_its_work(void)
{
	CUstream s = stream(CU_STREAM_NON_BLOCKING);
	int done = 0;
	close_gate(s);
	OK(cuLaunchHostFunc(s, count, &done));
	OK(cuStreamDestroy_v2(s));
	open_gate();
	OK(cuCtxSynchronize());
	IS(done, 1);
	if (on_softgpu()) {      /* elsewhere a bad handle may crash */
		IS(cuStreamSynchronize(s), CUDA_ERROR_INVALID_HANDLE);
		IS(cuStreamDestroy_v2(s), CUDA_ERROR_INVALID_HANDLE);
		IS(cuStreamQuery((CUstream)&done), CUDA_ERROR_INVALID_HANDLE);
		IS(cuEventQuery((CUevent)&done), CUDA_ERROR_INVALID_HANDLE);
	}
}

static void memory_words_start_and_mark_work(void)
{
	CUstream s = stream(CU_STREAM_NON_BLOCKING);
	volatile uint32_t *w;
	CUdeviceptr p;
	OK(cuMemHostAlloc((void **)&w, 64, CU_MEMHOSTALLOC_DEVICEMAP));
	memset((void *)w, 0, 64);
	p = (CUdeviceptr)(uintptr_t)w;
	OK(cuStreamWaitValue32_v2(s, p, 5, CU_STREAM_WAIT_VALUE_GEQ));
	OK(cuStreamWriteValue32_v2(s, p + 8, 9, 0));
	OK(cuStreamWaitValue64_v2(s, p + 16, 3, CU_STREAM_WAIT_VALUE_AND));
	OK(cuStreamWriteValue64_v2(s, p + 24, 0x100000001, 0));
	IS(cuStreamQuery(s), CUDA_ERROR_NOT_READY);
	__atomic_store_n(&w[0], 6, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&w[2], __ATOMIC_SEQ_CST) != 9)
		;
	IS(cuStreamQuery(s), CUDA_ERROR_NOT_READY);
	__atomic_store_n(&w[4], 2, __ATOMIC_SEQ_CST);
	OK(cuStreamSynchronize(s));
	IS(w[6], 1);
	IS(w[7], 1);
	OK(cuMemFreeHost((void *)w));
	OK(cuStreamDestroy_v2(s));
}

static void events_measure_time(void)
{
	CUstream s = stream(CU_STREAM_NON_BLOCKING);
	CUevent a, b, c;
	float ms = -1;
	OK(cuEventCreate(&a, 0));
	OK(cuEventCreate(&b, CU_EVENT_BLOCKING_SYNC));
	OK(cuEventCreate(&c, CU_EVENT_DISABLE_TIMING));
	IS(cuEventElapsedTime_v2(&ms, a, b), CUDA_ERROR_INVALID_HANDLE);
	OK(cuEventRecord(a, s));
	close_gate(s);
	OK(cuEventRecord(b, s));
	OK(cuEventRecord(c, s));
	IS(cuEventElapsedTime_v2(&ms, a, b), CUDA_ERROR_NOT_READY);
	IS(cuEventElapsedTime_v2(&ms, a, c), CUDA_ERROR_INVALID_HANDLE);
	open_gate();
	OK(cuEventSynchronize(b));
	OK(cuEventElapsedTime_v2(&ms, a, b));
	TRUE(ms >= 0);
	OK(cuEventElapsedTime_v2(&ms, b, a));
	TRUE(ms <= 0);
	IS(cuEventCreate(&a, 0x100), CUDA_ERROR_INVALID_VALUE);
	OK(cuStreamDestroy_v2(s));
}

static CUresult inside = CUDA_ERROR_UNKNOWN;

static void calls_the_driver(void *p)
{
	CUdeviceptr q;
	(void)p;
	inside = cuMemAlloc_v2(&q, 16);
}

static void host_functions_may_not_call_the_driver(void)
{
	CUstream s = stream(0);
	OK(cuLaunchHostFunc(s, calls_the_driver, NULL));
	OK(cuStreamSynchronize(s));
	IS(inside, CUDA_ERROR_NOT_PERMITTED);
	OK(cuStreamDestroy_v2(s));
}

static void callback(CUstream s, CUresult status, void *p)
{
	(void)s;
	*(CUresult *)p = status;
}

static void callbacks_are_told_the_status(void)
{
	CUstream s = stream(0);
	CUresult status = CUDA_ERROR_UNKNOWN;
	OK(cuStreamAddCallback(s, callback, &status, 0));
	OK(cuStreamSynchronize(s));
	IS(status, CUDA_SUCCESS);
	OK(cuStreamDestroy_v2(s));
}

static void streams_know_themselves(void)
{
	CUstream s;
	CUcontext ctx, of;
	unsigned flags;
	int priority, least, greatest;
	unsigned long long id, other;
	CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_ACTIVE;
	OK(cuCtxGetStreamPriorityRange(&least, &greatest));
	TRUE(greatest < least);
	OK(cuStreamCreateWithPriority(&s, CU_STREAM_NON_BLOCKING, greatest - 10));
	OK(cuStreamGetPriority(s, &priority));
	IS(priority, greatest);
	OK(cuStreamGetFlags(s, &flags));
	IS(flags, CU_STREAM_NON_BLOCKING);
	OK(cuCtxGetCurrent(&ctx));
	OK(cuStreamGetCtx(s, &of));
	TRUE(of == ctx);
	OK(cuStreamGetId(s, &id));
	OK(cuStreamGetId(NULL, &other));
	TRUE(id != other);
	OK(cuStreamIsCapturing(s, &capture));
	IS(capture, CU_STREAM_CAPTURE_STATUS_NONE);
	IS(cuStreamCreate(&s, 0x10), CUDA_ERROR_INVALID_VALUE);
}

/* Each thread has a stream of its own behind the same handle. */
static void *use_own_stream(void *p)
{
	CUcontext ctx = p;
	int done = 0;
	CUdeviceptr q;
	OK(cuCtxSetCurrent(ctx));
	OK(cuMemAlloc_v2(&q, 4096));
	for (int i = 0; i < 20; i++) {
		OK(cuMemsetD32Async(q, (unsigned)i, 1024, CU_STREAM_PER_THREAD));
		OK(cuLaunchHostFunc(CU_STREAM_PER_THREAD, count, &done));
	}
	OK(cuStreamSynchronize(CU_STREAM_PER_THREAD));
	IS(done, 20);
	OK(cuMemFree_v2(q));
	return NULL;
}

static void threads_have_streams_of_their_own(void)
{
	CUcontext ctx;
	pthread_t t;
	OK(cuCtxGetCurrent(&ctx));
	/* A gate on this thread's own stream holds up no other thread's. */
	close_gate(CU_STREAM_PER_THREAD);
	pthread_create(&t, NULL, use_own_stream, ctx);
	IS(cuStreamQuery(CU_STREAM_PER_THREAD), CUDA_ERROR_NOT_READY);
	open_gate();                         /* cuMemFree there waits for the whole context */
	pthread_join(t, NULL);
	OK(cuStreamSynchronize(CU_STREAM_PER_THREAD));
}

/* All kinds of calls from several threads at once: for the thread sanitizer. */
static void *hammer(void *p)
{
	CUcontext ctx = p;
	CUstream s;
	CUevent e;
	CUdeviceptr q;
	unsigned v;
	OK(cuCtxSetCurrent(ctx));
	for (unsigned i = 0; i < 60; i++) {
		OK(cuStreamCreate(&s, i & 1));
		OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
		OK(cuMemAllocAsync(&q, 4096 + i, s));
		OK(cuMemsetD32Async(q, i, 1024, s));
		OK(cuEventRecord(e, s));
		OK(cuStreamWaitEvent(NULL, e, 0));
		OK(cuMemcpyDtoH_v2(&v, q, 4));
		IS(v, i);
		OK(cuMemFreeAsync(q, s));
		OK(cuEventDestroy_v2(e));
		OK(cuStreamDestroy_v2(s));
	}
	return NULL;
}

static void threads_may_call_at_the_same_time(void)
{
	CUcontext ctx;
	pthread_t t[4];
	OK(cuCtxGetCurrent(&ctx));
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, hammer, ctx);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
}

static void make_gate(void)
{
	OK(cuMemHostAlloc((void **)&gate, sizeof *gate, CU_MEMHOSTALLOC_DEVICEMAP));
}

int main(int argc, char **argv)
{
	static const struct test tests[] = {
#define T(name) { #name, name },
		T(a_stream_keeps_its_order)
		T(streams_run_at_the_same_time)
		T(a_busy_stream_says_not_ready)
		T(the_default_stream_waits_for_blocking_streams_only)
		T(blocking_streams_wait_for_the_default_stream)
		T(a_stream_waits_for_an_event_as_it_was_recorded)
		T(a_pinned_source_is_read_when_the_stream_gets_there)
		T(a_pageable_source_may_be_reused_at_once)
		T(pageable_results_are_there_on_return)
		T(freeing_waits_for_what_is_queued)
		T(a_destroyed_stream_finishes_its_work)
		T(memory_words_start_and_mark_work)
		T(events_measure_time)
		T(host_functions_may_not_call_the_driver)
		T(callbacks_are_told_the_status)
		T(streams_know_themselves)
		T(threads_have_streams_of_their_own)
		T(threads_may_call_at_the_same_time)
	};
	return run_tests(tests, sizeof tests / sizeof *tests, argc, argv, make_gate);
}
