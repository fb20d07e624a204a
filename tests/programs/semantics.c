// SPDX-License-Identifier: Apache-2.0
//
// What CUDA promises and a program in between gets wrong first: when bytes are
// there, which stream a copy follows, when a pinned source is read, who sees
// what another thread has sent, which errors come at once. Written to the
// driver API alone; passes on the vendor's library as on axon's.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "check.h"
#include "gate.h"
#include "kernels.h"

static const char ptx[] = PTX_HEAD PTX_GATE PTX_PUT PTX_ADD PTX_WILD PTX_MIXED PTX_NOTHING;

enum { MIB = 1 << 20 };

// A word of device memory that holds v for every stream: a memset is
// asynchronous, and streams of their own do not wait for the default one.
static CUdeviceptr word(unsigned v)
{
	CUdeviceptr p;
	OK(cuMemAlloc(&p, 4));
	OK(cuMemsetD32(p, v, 1));
	OK(cuCtxSynchronize());
	return p;
}

static void put(CUmodule m, CUdeviceptr p, unsigned v, CUstream stream)
{
	void *arguments[] = {&p, &v};
	OK(cuLaunchKernel(function(m, "put"), 1, 1, 1, 1, 1, 1, 0, stream, arguments, NULL));
}

static unsigned value_at(CUdeviceptr p)
{
	unsigned v = 0xdead;
	OK(cuMemcpyDtoH(&v, p, 4));
	return v;
}

static void a_copy_down_into_pageable_memory_is_complete_on_return(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own();
	CUdeviceptr p;
	pthread_t opener;
	p = word(1);
	struct gate g = close_gate(m, s);
	put(m, p, 7, s);
	pthread_create(&opener, NULL, open_later, &g);
	unsigned v = 0;
	OK(cuMemcpyDtoHAsync(&v, p, 4, s));
	EQUAL(7, v); // without any synchronisation
	pthread_join(opener, NULL);
}

static void a_large_copy_down_into_pageable_memory_is_complete_on_return(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own();
	size_t n = 24 * MIB + 12; // more than any staging piece, and not a multiple of one
	CUdeviceptr p;
	pthread_t opener;
	unsigned char *bytes = calloc(1, n);
	OK(cuMemAlloc(&p, n));
	struct gate g = close_gate(m, s);
	OK(cuMemsetD8Async(p, 0x5a, n, s));
	pthread_create(&opener, NULL, open_later, &g);
	OK(cuMemcpyDtoHAsync(bytes, p, n, s));
	for (size_t i = 0; i < n; i++)
		if (bytes[i] != 0x5a)
			FAIL("byte %zu is %d", i, bytes[i]);
	pthread_join(opener, NULL);
}

static void a_copy_follows_its_own_stream(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream held = stream_of_its_own(), other = stream_of_its_own();
	CUdeviceptr p, q;
	unsigned up = 5, *down;
	p = word(1);
	q = word(0);
	OK(cuMemAllocHost((void **)&down, 4));
	struct gate g = close_gate(m, held);
	put(m, p, 9, held);
	OK(cuMemcpyHtoDAsync(p, &up, 4, held)); // after the kernel on its stream
	OK(cuMemcpyDtoHAsync(down, p, 4, other)); // not held back by it
	OK(cuStreamSynchronize(other));
	EQUAL(1, *down);
	GIVES(CUDA_ERROR_NOT_READY, cuStreamQuery(held));
	OK(cuMemcpyDtoDAsync(q, p, 4, held));
	open_gate(&g);
	OK(cuStreamSynchronize(held));
	EQUAL(5, value_at(p));
	EQUAL(5, value_at(q));
	OK(cuStreamQuery(held));
}

static void a_pageable_source_may_be_used_again_at_once(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own();
	CUdeviceptr p;
	enum { N = 4 * MIB / 4 };
	unsigned *source = malloc(N * 4);
	OK(cuMemAlloc(&p, N * 4));
	(void)m;
	for (int round = 1; round <= 8; round++) {
		for (int i = 0; i < N; i++)
			source[i] = (unsigned)(round * i);
		OK(cuMemcpyHtoDAsync(p, source, N * 4, s));
		memset(source, 0xff, N * 4);
		OK(cuMemcpyDtoHAsync(source, p, N * 4, s));
		for (int i = 0; i < N; i++)
			if (source[i] != (unsigned)(round * i))
				FAIL("round %d: element %d is %u", round, i, source[i]);
	}
}

static void a_pinned_source_is_read_when_the_stream_gets_there(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own();
	CUdeviceptr p;
	volatile unsigned *source;
	OK(cuMemAlloc(&p, 4));
	OK(cuMemAllocHost((void **)&source, 4));
	*source = 1;
	struct gate g = close_gate(m, s);
	OK(cuMemcpyHtoDAsync(p, (void *)source, 4, s));
	*source = 2;
	open_gate(&g);
	OK(cuStreamSynchronize(s));
	EQUAL(2, value_at(p));
}

static void a_copy_up_sees_what_a_queued_copy_down_wrote(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own();
	CUdeviceptr p, q;
	unsigned *pinned;
	OK(cuMemAlloc(&p, 4));
	OK(cuMemAlloc(&q, 4));
	OK(cuMemHostAlloc((void **)&pinned, 4096, CU_MEMHOSTALLOC_PORTABLE));
	*pinned = 1;
	struct gate g = close_gate(m, s);
	put(m, p, 77, s);
	OK(cuMemcpyDtoHAsync(pinned, p, 4, s));
	OK(cuMemcpyHtoDAsync(q, pinned, 4, s));
	open_gate(&g);
	OK(cuStreamSynchronize(s));
	EQUAL(77, *pinned);
	EQUAL(77, value_at(q));
	OK(cuMemFreeHost(pinned));
}

static void a_bad_launch_is_reported_by_the_launch_itself(void)
{
	start();
	CUmodule m = load(ptx);
	CUfunction f = function(m, "nothing");
	int most;
	OK(cuDeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, device));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 2048, 1, 1, 0, NULL, NULL, NULL));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(f, 0, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 32, 0, 1, 0, NULL, NULL, NULL));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 1, 1, 65, 0, NULL, NULL, NULL));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(f, 1, 70000, 1, 1, 1, 1, 0, NULL, NULL, NULL));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, (unsigned)most + 1, NULL, NULL, NULL));
	GIVES(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel(NULL, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
	OK(cuCtxSynchronize()); // and nothing is left of them
	OK(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
	OK(cuCtxSynchronize());
}

static void parameters_of_every_size_arrive(void)
{
	start();
	CUmodule m = load(ptx);
	CUfunction f = function(m, "mixed");
	CUdeviceptr out;
	double got[4];
	uint8_t a = 200;
	double b = 1.5;
	uint16_t c = 60000;
	struct {
		uint32_t first, second, third;
	} d = {1, 2, 123456};
	OK(cuMemAlloc(&out, sizeof got));
	void *arguments[] = {&a, &b, &c, &d, &out};
	OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
	OK(cuMemcpyDtoH(got, out, sizeof got));
	TRUE(got[0] == 200 && got[1] == 1.5 && got[2] == 60000 && got[3] == 123456);

	// The same packed by the caller.
	struct __attribute__((packed)) {
		uint8_t a, hole[7];
		double b;
		uint16_t c, hole2;
		uint32_t d[3];
		CUdeviceptr out;
	} packed = {7, {0}, -2.25, 9, 0, {0, 0, 5}, out};
	size_t n = sizeof packed;
	_Static_assert(offsetof(__typeof__(packed), out) == 32, "as the kernel has them");
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &n, CU_LAUNCH_PARAM_END};
	OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
	OK(cuMemcpyDtoH(got, out, sizeof got));
	TRUE(got[0] == 7 && got[1] == -2.25 && got[2] == 9 && got[3] == 5);
}

// Thread A posts a backlog that takes a while and, last, what B will look for;
// then it tells B.
struct handover {
	pthread_mutex_t lock;
	pthread_cond_t told;
	int posted, round;
	CUcontext context;
	CUstream stream;
	CUdeviceptr big, word;
	unsigned char *source;
};

enum { BACKLOG = 6, PIECE = 6 * MIB, ROUNDS = 12 };

static void *thread_a(void *arg)
{
	struct handover *h = arg;
	OK(cuCtxSetCurrent(h->context));
	for (int round = 1; round <= ROUNDS; round++) {
		for (int i = 0; i < BACKLOG; i++)
			OK(cuMemcpyHtoDAsync(h->big, h->source, PIECE, h->stream));
		OK(cuMemsetD32Async(h->word, (unsigned)round, 1, h->stream));
		pthread_mutex_lock(&h->lock);
		h->posted = round;
		pthread_cond_signal(&h->told);
		while (h->round < round)
			pthread_cond_wait(&h->told, &h->lock);
		pthread_mutex_unlock(&h->lock);
	}
	return NULL;
}

static void what_one_thread_posted_is_seen_by_anothers_later_call(void)
{
	struct handover h = {.lock = PTHREAD_MUTEX_INITIALIZER, .told = PTHREAD_COND_INITIALIZER};
	pthread_t a;
	start();
	OK(cuCtxGetCurrent(&h.context));
	h.stream = stream_of_its_own();
	h.source = calloc(1, PIECE);
	OK(cuMemAlloc(&h.big, PIECE));
	h.word = word(0);
	pthread_create(&a, NULL, thread_a, &h);
	int wrong = 0;
	for (int round = 1; round <= ROUNDS; round++) {
		pthread_mutex_lock(&h.lock);
		while (h.posted < round)
			pthread_cond_wait(&h.told, &h.lock);
		pthread_mutex_unlock(&h.lock);
		OK(cuStreamSynchronize(h.stream));
		wrong += value_at(h.word) != (unsigned)round;
		pthread_mutex_lock(&h.lock);
		h.round = round;
		pthread_cond_signal(&h.told);
		pthread_mutex_unlock(&h.lock);
	}
	pthread_join(a, NULL);
	if (wrong)
		FAIL("%d of %d times the other thread's work was overtaken", wrong, (int)ROUNDS);
}

static void a_wait_in_one_thread_holds_up_no_other(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own();
	pthread_t opener;
	struct gate g = close_gate(m, s);
	pthread_create(&opener, NULL, open_later, &g);
	OK(cuStreamSynchronize(s)); // returns only because the other thread's calls run meanwhile
	pthread_join(opener, NULL);
}

static void events_tell_when_and_order_streams(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream a = stream_of_its_own(), b = stream_of_its_own();
	CUevent begin, end;
	CUdeviceptr p;
	float ms = -1;
	p = word(0);
	OK(cuEventCreate(&begin, CU_EVENT_DEFAULT));
	OK(cuEventCreate(&end, CU_EVENT_DEFAULT));
	struct gate g = close_gate(m, a);
	OK(cuEventRecord(begin, a));
	put(m, p, 3, a);
	OK(cuEventRecord(end, a));
	OK(cuStreamWaitEvent(b, end, 0));
	OK(cuMemsetD32Async(p, 4, 1, b)); // after the kernel on a
	GIVES(CUDA_ERROR_NOT_READY, cuEventQuery(end));
	GIVES(CUDA_ERROR_NOT_READY, cuStreamQuery(b));
	open_gate(&g);
	OK(cuEventSynchronize(end));
	OK(cuEventQuery(end));
	OK(cuStreamSynchronize(b));
	EQUAL(4, value_at(p));
	OK(cuEventElapsedTime(&ms, begin, end));
	TRUE(ms >= 0);
	OK(cuEventDestroy(begin));
	OK(cuEventDestroy(end));
	OK(cuStreamDestroy(a));
	OK(cuStreamDestroy(b));
}

static void the_default_stream_waits_for_blocking_streams(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s;
	CUdeviceptr p;
	p = word(0);
	OK(cuStreamCreate(&s, CU_STREAM_DEFAULT));
	struct gate g = close_gate(m, s);
	put(m, p, 6, s);
	OK(cuMemsetD32Async(p, 8, 1, NULL)); // after what s holds
	GIVES(CUDA_ERROR_NOT_READY, cuStreamQuery(NULL));
	open_gate(&g);
	OK(cuStreamSynchronize(NULL));
	EQUAL(8, value_at(p));
}

static void memory_runs_out_and_comes_back(void)
{
	start();
	enum { MOST = 4096 };
	static CUdeviceptr got[MOST];
	size_t free_before, free_now, total;
	int n = 0;
	CUresult r = CUDA_SUCCESS;
	OK(cuMemGetInfo(&free_before, &total));
	TRUE(free_before > 0 && free_before <= total);
	size_t piece = free_before / 8;
	while (n < MOST && (r = cuMemAlloc(&got[n], piece)) == CUDA_SUCCESS)
		n++;
	EQUAL(CUDA_ERROR_OUT_OF_MEMORY, r);
	TRUE(n >= 1);
	for (int i = 0; i < n; i++)
		OK(cuMemFree(got[i]));
	OK(cuMemAlloc(&got[0], piece));
	OK(cuMemFree(got[0]));
	OK(cuMemGetInfo(&free_now, &total));
	TRUE(free_now >= free_before - free_before / 8);
}

static void an_illegal_address_breaks_the_context_and_stays(void)
{
	start();
	CUmodule m = load(ptx);
	CUdeviceptr p;
	unsigned v;
	OK(cuMemAlloc(&p, 4));
	OK(cuLaunchKernel(function(m, "wild"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
	GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
	GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, cuMemcpyDtoH(&v, p, 4));
	GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
	GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, cuMemAlloc(&p, 4));
}

static void nothing_works_before_cuInit(void)
{
	CUcontext c;
	CUdeviceptr p;
	int n;
	GIVES(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&n));
	GIVES(CUDA_ERROR_NOT_INITIALIZED, cuCtxGetCurrent(&c));
	GIVES(CUDA_ERROR_NOT_INITIALIZED, cuMemAlloc(&p, 4));
	OK(cuDriverGetVersion(&n));
	TRUE(n >= 11000);
	OK(cuInit(0));
	GIVES(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&p, 4));
}

static void a_forked_child_is_not_initialised(void)
{
	start();
	CUdeviceptr p;
	p = word(11);
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		CUdeviceptr q;
		int n;
		_exit(cuMemAlloc(&q, 4) == CUDA_ERROR_NOT_INITIALIZED &&
				      cuDeviceGetCount(&n) == CUDA_ERROR_NOT_INITIALIZED &&
				      cuInit(0) == CUDA_ERROR_NOT_INITIALIZED
			      ? 0
			      : 1);
	}
	int status;
	waitpid(child, &status, 0);
	EQUAL(0, status);
	EQUAL(11, value_at(p)); // and the parent's session goes on
}

static void a_child_forked_before_use_works(void)
{
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		start();
		CUdeviceptr p;
		OK(cuMemAlloc(&p, 4));
		OK(cuMemsetD32(p, 12, 1));
		_exit(value_at(p) == 12 ? 0 : 1);
	}
	start(); // both at once
	int status;
	waitpid(child, &status, 0);
	EQUAL(0, status);
}

static _Atomic int called;
static void count_call(void *arg) { atomic_fetch_add(&called, *(int *)arg); }

static void host_functions_run_in_their_streams_order(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own();
	int one = 1, ten = 10;
	struct gate g = close_gate(m, s);
	OK(cuLaunchHostFunc(s, count_call, &one));
	OK(cuLaunchHostFunc(s, count_call, &ten));
	EQUAL(0, called);
	open_gate(&g);
	OK(cuStreamSynchronize(s));
	EQUAL(11, called);
}

static void contexts_are_current_by_thread_and_stack(void)
{
	CUcontext primary, own, c;
	unsigned flags;
	int active;
	CUdevice d;
	OK(cuInit(0));
	OK(cuDeviceGet(&device, 0));
	OK(cuDevicePrimaryCtxGetState(device, &flags, &active));
	EQUAL(0, active);
	OK(cuCtxGetCurrent(&c));
	TRUE(c == NULL);
	GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxGetDevice(&d));
	OK(cuDevicePrimaryCtxRetain(&primary, device));
	OK(cuDevicePrimaryCtxGetState(device, &flags, &active));
	EQUAL(1, active);
	OK(cuCtxGetCurrent(&c));
	TRUE(c == NULL);
	OK(cuCtxSetCurrent(primary));
	OK(cuCtxCreate(&own, NULL, 0, device));
	OK(cuCtxGetCurrent(&c));
	TRUE(c == own && own != primary);
	CUdeviceptr p;
	OK(cuMemAlloc(&p, 16));
	OK(cuMemFree(p));
	OK(cuCtxPopCurrent(&c));
	TRUE(c == own);
	OK(cuCtxGetCurrent(&c));
	TRUE(c == primary);
	OK(cuCtxPushCurrent(own));
	OK(cuCtxDestroy(own));
	OK(cuCtxGetCurrent(&c));
	TRUE(c == primary);
	OK(cuDevicePrimaryCtxRelease(device));
	OK(cuDevicePrimaryCtxGetState(device, &flags, &active));
	EQUAL(0, active);
}

enum { THREADS = 8, REPEATS = 40 };
static CUcontext shared_context;
static CUmodule shared_module;

static void *busy_thread(void *arg)
{
	unsigned me = (unsigned)(uintptr_t)arg;
	CUdeviceptr p;
	CUstream s;
	unsigned *pinned, pageable;
	OK(cuCtxSetCurrent(shared_context));
	OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
	OK(cuMemAllocHost((void **)&pinned, 64));
	for (unsigned i = 0; i < REPEATS; i++) {
		unsigned v = me * 1000 + i, one = 1;
		OK(cuMemAlloc(&p, 1024));
		OK(cuMemsetD32Async(p, 0, 256, s));
		void *arguments[] = {&p, &one};
		put(shared_module, p, v, s);
		OK(cuLaunchKernel(function(shared_module, "add"), 2, 1, 1, 64, 1, 1, 0, s, arguments, NULL));
		OK(cuMemcpyDtoHAsync(pinned, p, 4, s));
		OK(cuMemcpyDtoHAsync(&pageable, p, 4, s));
		EQUAL(v + 128, pageable);
		OK(cuStreamSynchronize(s));
		EQUAL(v + 128, *pinned);
		OK(cuMemFree(p));
	}
	OK(cuMemFreeHost(pinned));
	OK(cuStreamDestroy(s));
	return NULL;
}

static void many_threads_work_at_once(void)
{
	pthread_t t[THREADS];
	start();
	OK(cuCtxGetCurrent(&shared_context));
	shared_module = load(ptx);
	for (int again = 0; again < 2; again++) { // the second time over lanes that were given back
		for (int i = 0; i < THREADS; i++)
			pthread_create(&t[i], NULL, busy_thread, (void *)(uintptr_t)(i + 1));
		for (int i = 0; i < THREADS; i++)
			pthread_join(t[i], NULL);
	}
}

static void copies_of_every_size_come_back_the_same(void)
{
	start();
	static const size_t sizes[] = {1, 3, 4, 255, 4096, 65535, 65536, 65537, 131072, 1000003,
				       8 * MIB - 64, 8 * MIB, 8 * MIB + 1, 17 * MIB + 5};
	CUdeviceptr p;
	size_t most = 18 * MIB;
	unsigned char *up = malloc(most), *down = malloc(most);
	OK(cuMemAlloc(&p, most));
	for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
		size_t n = sizes[k];
		for (size_t i = 0; i < n; i++)
			up[i] = (unsigned char)(i * 31 + i / 251 + k);
		memset(down, 0, n);
		OK(cuMemcpyHtoD(p, up, n));
		OK(cuMemcpyDtoH(down, p, n));
		if (memcmp(up, down, n))
			FAIL("%zu bytes", n);
		memset(down, 0, n);
		OK(cuMemcpyHtoDAsync(p, up, n, NULL));
		OK(cuMemcpyDtoHAsync(down, p, n, NULL));
		if (memcmp(up, down, n))
			FAIL("%zu bytes, asynchronously", n);
		memset(down, 0, n);
		OK(cuMemcpy((CUdeviceptr)(uintptr_t)down, p, n)); // by unified addresses
		if (memcmp(up, down, n))
			FAIL("%zu bytes, by address", n);
	}
}

static void bad_arguments_are_refused_not_followed(void)
{
	start();
	CUdeviceptr p;
	CUmodule m;
	CUfunction f;
	char byte;
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(NULL, 16));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(&p, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(&byte, 0x1234, 1));
	GIVES(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&m, "this is no module"));
	GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, 1000));
	GIVES(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&f, load(ptx), "there_is_none"));
	GIVES(CUDA_ERROR_FILE_NOT_FOUND, cuModuleLoad(&m, "/there/is/no/such.ptx"));
}

static void symbols_are_found_by_version(void)
{
	CUdriverProcAddressQueryResult status;
	void *old, *new;
	OK(cuGetProcAddress("cuMemAlloc", &new, 12000, 0, &status));
	EQUAL(CU_GET_PROC_ADDRESS_SUCCESS, status);
	OK(cuGetProcAddress("cuMemAlloc", &old, 2000, 0, &status));
	TRUE(old && new && old != new);
	OK(cuGetProcAddress("cuCtxGetDevice", &old, 12090, 0, &status));
	OK(cuGetProcAddress("cuCtxGetDevice", &new, 13000, 0, &status));
	TRUE(old && new && old != new); // one argument and two
	OK(cuGetProcAddress("cuLaunchKernel", &old, 12000, 1, &status));
	OK(cuGetProcAddress("cuLaunchKernel", &new, 12000, 2, &status));
	TRUE(old && new && old != new);
	OK(cuGetProcAddress("cuNoSuchCall", &new, 12000, 0, &status));
	TRUE(!new);
	EQUAL(CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND, status);
	OK(cuGetProcAddress("cuGraphLaunch", &new, 9000, 0, &status));
	TRUE(!new);
	EQUAL(CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT, status);
}

static void pointers_know_what_they_are(void)
{
	start();
	CUdeviceptr p, base;
	size_t size;
	unsigned type = 0;
	unsigned *pinned;
	CUcontext mine, theirs;
	int local;
	OK(cuMemAlloc(&p, 5000));
	OK(cuMemGetAddressRange(&base, &size, p + 100));
	TRUE(base == p);
	EQUAL(5000, size);
	OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p + 4999));
	EQUAL(CU_MEMORYTYPE_DEVICE, type);
	OK(cuCtxGetCurrent(&mine));
	OK(cuPointerGetAttribute(&theirs, CU_POINTER_ATTRIBUTE_CONTEXT, p));
	TRUE(mine == theirs);
	OK(cuMemAllocHost((void **)&pinned, 100));
	OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)(uintptr_t)pinned));
	EQUAL(CU_MEMORYTYPE_HOST, type);
	GIVES(CUDA_ERROR_INVALID_VALUE,
	      cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)(uintptr_t)&local));
}

static void device_memory_is_apart_from_the_programs_own(void)
{
	start();
	// Whatever the program maps, before and after, never lies where device
	// memory does.
	for (int i = 0; i < 64; i++) {
		CUdeviceptr p;
		char *mine = malloc(MIB);
		OK(cuMemAlloc(&p, MIB));
		char *also = malloc(MIB);
		uint64_t a = (uint64_t)(uintptr_t)mine, b = (uint64_t)(uintptr_t)also;
		TRUE(a + MIB <= p || p + MIB <= a);
		TRUE(b + MIB <= p || p + MIB <= b);
		memset(mine, i, MIB);
		memset(also, i, MIB);
	}
}

static void a_kernel_goes_where_a_function_does(void)
{
	start();
	CUlibrary library;
	CUkernel kernel;
	CUdeviceptr p = word(0);
	unsigned v = 21;
	int blocks = 0, limit = 0;
	void *arguments[] = {&p, &v};
	OK(cuLibraryLoadData(&library, ptx, NULL, NULL, 0, NULL, NULL, 0));
	OK(cuLibraryGetKernel(&kernel, library, "put"));
	CUfunction as_function = (CUfunction)kernel; // as cudart does
	OK(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024, kernel, device));
	OK(cuKernelGetAttribute(&limit, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, kernel, device));
	EQUAL(1024, limit);
	OK(cuLaunchKernel(as_function, 1, 1, 1, 1, 1, 1, 1024, NULL, arguments, NULL));
	EQUAL(21, value_at(p));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(as_function, 1, 1, 1, 1, 1, 1, 1025, NULL, arguments, NULL));
	OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, as_function, 128, 0));
	TRUE(blocks > 0);
	OK(cuLibraryUnload(library));
}

static void limits_are_the_contexts(void)
{
	CUcontext first, second;
	size_t was = 0, now = 0, other = 0;
	start();
	OK(cuCtxGetCurrent(&first));
	OK(cuCtxGetLimit(&was, CU_LIMIT_PRINTF_FIFO_SIZE));
	OK(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 2 * was));
	OK(cuCtxGetLimit(&now, CU_LIMIT_PRINTF_FIFO_SIZE));
	TRUE(now >= 2 * was);
	OK(cuCtxGetLimit(&other, CU_LIMIT_PRINTF_FIFO_SIZE));
	EQUAL(now, other);
	OK(cuCtxCreate(&second, NULL, 0, device));
	OK(cuCtxGetLimit(&other, CU_LIMIT_PRINTF_FIFO_SIZE));
	EQUAL(was, other);
	OK(cuCtxSetCurrent(first));
	OK(cuCtxGetLimit(&other, CU_LIMIT_PRINTF_FIFO_SIZE));
	EQUAL(now, other);
	OK(cuDevicePrimaryCtxReset(device));
	OK(cuDevicePrimaryCtxRetain(&first, device));
	OK(cuCtxSetCurrent(first));
	OK(cuCtxGetLimit(&other, CU_LIMIT_PRINTF_FIFO_SIZE));
	EQUAL(was, other);
}

// Programs mark what a profiler should look at, and have none most of the time.
static void profiling_can_be_started_and_stopped(void)
{
	start();
	OK(cuProfilerStart());
	OK(cuProfilerStop());
}

static const struct test_case cases[] = {
	CASE(nothing_works_before_cuInit),
	CASE(contexts_are_current_by_thread_and_stack),
	CASE(copies_of_every_size_come_back_the_same),
	CASE(parameters_of_every_size_arrive),
	CASE(a_copy_down_into_pageable_memory_is_complete_on_return),
	CASE(a_large_copy_down_into_pageable_memory_is_complete_on_return),
	CASE(a_copy_follows_its_own_stream),
	CASE(a_pageable_source_may_be_used_again_at_once),
	CASE(a_pinned_source_is_read_when_the_stream_gets_there),
	CASE(a_copy_up_sees_what_a_queued_copy_down_wrote),
	CASE(a_bad_launch_is_reported_by_the_launch_itself),
	CASE(what_one_thread_posted_is_seen_by_anothers_later_call),
	CASE(a_wait_in_one_thread_holds_up_no_other),
	CASE(events_tell_when_and_order_streams),
	CASE(the_default_stream_waits_for_blocking_streams),
	CASE(host_functions_run_in_their_streams_order),
	CASE(memory_runs_out_and_comes_back),
	CASE(an_illegal_address_breaks_the_context_and_stays),
	CASE(a_forked_child_is_not_initialised),
	CASE(a_child_forked_before_use_works),
	CASE(many_threads_work_at_once),
	CASE(bad_arguments_are_refused_not_followed),
	CASE(symbols_are_found_by_version),
	CASE(a_kernel_goes_where_a_function_does),
	CASE(pointers_know_what_they_are),
	CASE(device_memory_is_apart_from_the_programs_own),
	CASE(profiling_can_be_started_and_stopped),
	CASE(limits_are_the_contexts),
};

int main(int argc, char **argv)
{
	return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
