// SPDX-License-Identifier: Apache-2.0
//
// Pieces of work for load.c, each drawn from a seed and checked here, on the
// CPU: copies, launches, streams, graphs, modules, callbacks, allocations. What
// a piece makes it ends, so that a process that does them for ever stays as it
// is. Written to the driver API alone: it runs on any libcuda.so.1.
#ifndef AXON_TEST_PIECES_H
#define AXON_TEST_PIECES_H

#include <cuda.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels.h"

// blend(out, in, n, a, b): out[i] = in[i] * a + b + i + salt, the module's own.
// total(out, in, n): *out += the sum of in.
#define PTX_INDEX \
	"  .reg .pred %p<2>; .reg .b32 %r<12>; .reg .b64 %rd<8>;\n" \
	"  mov.u32 %r1, %ctaid.x;\n  mov.u32 %r2, %ntid.x;\n  mov.u32 %r3, %tid.x;\n" \
	"  mad.lo.s32 %r4, %r1, %r2, %r3;\n" \
	"  ld.param.u32 %r5, [n];\n  setp.ge.u32 %p1, %r4, %r5;\n  @%p1 bra DONE;\n" \
	"  ld.param.u64 %rd1, [out];\n  cvta.to.global.u64 %rd2, %rd1;\n" \
	"  ld.param.u64 %rd3, [in];\n  cvta.to.global.u64 %rd4, %rd3;\n" \
	"  mul.wide.u32 %rd5, %r4, 4;\n  add.s64 %rd6, %rd4, %rd5;\n  ld.global.u32 %r6, [%rd6];\n"
static const char piece_ptx[] = PTX_HEAD
	".visible .global .align 4 .u32 salt = 7;\n"
	".visible .entry blend(.param .u64 out, .param .u64 in, .param .u32 n, .param .u32 a, .param .u32 b)\n{\n" PTX_INDEX
	"  ld.param.u32 %r7, [a];\n  ld.param.u32 %r8, [b];\n  ld.global.u32 %r9, [salt];\n"
	"  mad.lo.u32 %r10, %r6, %r7, %r8;\n  add.u32 %r10, %r10, %r4;\n  add.u32 %r10, %r10, %r9;\n"
	"  add.s64 %rd7, %rd2, %rd5;\n  st.global.u32 [%rd7], %r10;\nDONE:\n  ret;\n}\n"
	".visible .entry total(.param .u64 out, .param .u64 in, .param .u32 n)\n{\n" PTX_INDEX
	"  atom.global.add.u32 %r7, [%rd2], %r6;\nDONE:\n  ret;\n}\n";

struct job {
	CUcontext context;
	uint64_t random, digest;
	size_t scale; // multiplies sizes
	const char *piece;
	CUmodule module; // one for all pieces of the job
	CUfunction blend, total;
};

// The highest slot among names that axon gave for objects (shims/region/name.h),
// plus one; 0 on a library whose handles are pointers. It grows if names of ended objects are lost.
static _Atomic uint32_t highest_name;

static inline void made(const void *handle)
{
	uint64_t name = (uint64_t)(uintptr_t)handle;
	uint32_t slot = name >> 44 == 3 ? (uint32_t)(name >> 4 & 0xfffff) + 1 : 0, was = highest_name;
	while (slot > was && !atomic_compare_exchange_weak(&highest_name, &was, slot))
		;
}

static inline void give_up(const struct job *j, const char *what, int result)
{
	printf("FAILED %s: %s gave %d\n", j->piece, what, result);
	fflush(stdout);
	_exit(1);
}

#define DO(call) \
	do { \
		CUresult did_ = (call); \
		if (did_) \
			give_up(j, #call, did_); \
	} while (0)

static inline uint32_t draw(struct job *j) // xorshift64*
{
	j->random ^= j->random >> 12, j->random ^= j->random << 25, j->random ^= j->random >> 27;
	return (uint32_t)(j->random * 0x2545f4914f6cdd1dull >> 32);
}

static inline size_t draw_count(struct job *j) { return 1 + draw(j) % (1024 * j->scale); } // words

static inline void *have(struct job *j, void *p)
{
	if (!p)
		give_up(j, "malloc", 0);
	return p;
}

static inline uint32_t *drawn(struct job *j, size_t n)
{
	uint32_t *p = have(j, malloc(4 * n)), x = draw(j) | 1;
	for (size_t i = 0; i < n; i++)
		p[i] = x = x * 1664525 + 1013904223;
	return p;
}

// What came back must be what was expected, and goes into the digest (FNV-1a of words).
static inline void same(struct job *j, const uint32_t *got, const uint32_t *want, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (got[i] != want[i]) {
			printf("FAILED %s: word %zu of %zu is %08x, not %08x\n", j->piece, i, n, got[i], want[i]);
			fflush(stdout);
			_exit(1);
		}
		j->digest = (j->digest ^ got[i]) * 0x100000001b3ull;
	}
}

static inline CUdeviceptr taken(struct job *j, size_t n)
{
	CUdeviceptr p;
	DO(cuMemAlloc(&p, 4 * n));
	return p;
}

static inline CUstream stream(struct job *j)
{
	CUstream s;
	DO(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
	made(s);
	return s;
}

static inline uint32_t *pinned_words(struct job *j, size_t n)
{
	void *p;
	DO(cuMemHostAlloc(&p, 4 * n, 0));
	return p;
}

static inline void blend(struct job *j, CUfunction f, CUdeviceptr out, CUdeviceptr in, size_t words, uint32_t a, uint32_t b, CUstream s)
{
	uint32_t n = (uint32_t)words;
	void *arguments[] = {&out, &in, &n, &a, &b};
	DO(cuLaunchKernel(f, (n + 127) / 128, 1, 1, 128, 1, 1, 0, s, arguments, NULL));
}

static inline void blended(uint32_t *p, size_t n, uint32_t a, uint32_t b, uint32_t salt)
{
	for (size_t i = 0; i < n; i++)
		p[i] = p[i] * a + b + (uint32_t)i + salt;
}

// --- pieces

static inline void pageable_copies(struct job *j)
{
	size_t n = draw_count(j), from = draw(j) % n;
	uint32_t *a = drawn(j, n), *b = have(j, calloc(n, 4));
	CUdeviceptr p = taken(j, n), q = taken(j, n);
	DO(cuMemcpyHtoD(p, a, 4 * n));
	DO(cuMemsetD32(q, 0, n));
	DO(cuMemcpyDtoD(q + 4 * from, p, 4 * (n - from)));
	DO(cuMemcpyDtoH(b, q, 4 * n));
	memmove(a + from, a, 4 * (n - from));
	memset(a, 0, 4 * from);
	same(j, b, a, n);
	DO(cuMemFree(p));
	DO(cuMemFree(q));
	free(a);
	free(b);
}

static inline void launches_in_a_row(struct job *j)
{
	size_t n = draw_count(j);
	uint32_t *a = drawn(j, n), *b = have(j, malloc(4 * n)), times = 1 + draw(j) % 20;
	CUdeviceptr p = taken(j, n);
	DO(cuMemcpyHtoD(p, a, 4 * n));
	for (uint32_t i = 0; i < times; i++) {
		blend(j, j->blend, p, p, n, 2 * i + 3, i, NULL);
		blended(a, n, 2 * i + 3, i, 7);
	}
	DO(cuMemcpyDtoH(b, p, 4 * n));
	same(j, b, a, n);
	DO(cuMemFree(p));
	free(a);
	free(b);
}

static inline void atomics(struct job *j)
{
	size_t n = draw_count(j);
	uint32_t *a = drawn(j, n), sum = 0, got = 0, words = (uint32_t)n;
	CUdeviceptr p = taken(j, n + 1), out = p + 4 * n;
	void *arguments[] = {&out, &p, &words};
	for (size_t i = 0; i < n; i++)
		sum += a[i];
	DO(cuMemcpyHtoD(p, a, 4 * n));
	DO(cuMemsetD8(out, 0, 4));
	DO(cuLaunchKernel(j->total, (words + 255) / 256, 1, 1, 256, 1, 1, 0, NULL, arguments, NULL));
	DO(cuMemcpyDtoH(&got, out, 4));
	same(j, &got, &sum, 1);
	DO(cuMemFree(p));
	free(a);
}

// Pinned memory, two streams, and events between them.
static inline void streams_and_events(struct job *j)
{
	size_t n = draw_count(j);
	uint32_t *a = drawn(j, n), *up = pinned_words(j, n), *down = pinned_words(j, n);
	CUstream s = stream(j), t = stream(j);
	CUevent half, all;
	CUdeviceptr p = taken(j, n), q = taken(j, n);
	DO(cuEventCreate(&half, CU_EVENT_DISABLE_TIMING));
	DO(cuEventCreate(&all, 0));
	made(half);
	memcpy(up, a, 4 * n);
	DO(cuMemcpyHtoDAsync(p, up, 4 * n, s));
	blend(j, j->blend, q, p, n, 5, 1, s);
	DO(cuEventRecord(half, s));
	DO(cuStreamWaitEvent(t, half, 0));
	blend(j, j->blend, p, q, n, 9, 2, t);
	DO(cuMemcpyDtoHAsync(down, p, 4 * n, t));
	DO(cuEventRecord(all, t));
	DO(cuEventSynchronize(all));
	blended(a, n, 5, 1, 7);
	blended(a, n, 9, 2, 7);
	same(j, down, a, n);
	DO(cuEventDestroy(half));
	DO(cuEventDestroy(all));
	DO(cuStreamDestroy(s));
	DO(cuStreamDestroy(t));
	DO(cuMemFree(p));
	DO(cuMemFree(q));
	DO(cuMemFreeHost(up));
	DO(cuMemFreeHost(down));
	free(a);
}

static inline void captured_graphs(struct job *j)
{
	size_t n = draw_count(j), nodes = 0;
	uint32_t *a = drawn(j, n), *up = pinned_words(j, n), *down = pinned_words(j, n), times = 1 + draw(j) % 4;
	CUstream s = stream(j);
	CUdeviceptr p = taken(j, n);
	CUgraph graph;
	CUgraphExec exec;
	CUgraphNode some[4];
	DO(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
	DO(cuMemcpyHtoDAsync(p, up, 4 * n, s));
	blend(j, j->blend, p, p, n, 11, 3, s);
	DO(cuMemcpyDtoHAsync(down, p, 4 * n, s));
	DO(cuStreamEndCapture(s, &graph));
	nodes = 4;
	DO(cuGraphGetNodes(graph, some, &nodes));
	for (size_t i = 0; i < nodes && i < 4; i++)
		made(some[i]);
	DO(cuGraphInstantiate(&exec, graph, 0));
	made(graph);
	made(exec);
	memcpy(up, a, 4 * n);
	for (uint32_t i = 0; i < times; i++) {
		DO(cuGraphLaunch(exec, s));
		DO(cuStreamSynchronize(s));
		blended(a, n, 11, 3, 7);
		same(j, down, a, n);
		memcpy(up, down, 4 * n);
	}
	DO(cuGraphExecDestroy(exec));
	DO(cuGraphDestroy(graph));
	DO(cuStreamDestroy(s));
	DO(cuMemFree(p));
	DO(cuMemFreeHost(up));
	DO(cuMemFreeHost(down));
	free(a);
}

static inline void modules_come_and_go(struct job *j)
{
	size_t n = draw_count(j), bytes = 0;
	uint32_t *a = drawn(j, n), *b = have(j, malloc(4 * n)), salt = draw(j), was = 0, seven = 7;
	CUmodule m;
	CUfunction f;
	CUdeviceptr p = taken(j, n), variable;
	DO(cuModuleLoadData(&m, piece_ptx));
	DO(cuModuleGetFunction(&f, m, "blend"));
	DO(cuModuleGetGlobal(&variable, &bytes, m, "salt"));
	made(m);
	made(f);
	DO(cuMemcpyDtoH(&was, variable, 4));
	same(j, &was, &seven, 1);
	DO(cuMemcpyHtoD(variable, &salt, 4));
	DO(cuMemcpyHtoD(p, a, 4 * n));
	blend(j, f, p, p, n, 13, 4, NULL);
	DO(cuMemcpyDtoH(b, p, 4 * n));
	blended(a, n, 13, 4, salt);
	same(j, b, a, n);
	DO(cuModuleUnload(m));
	DO(cuMemFree(p));
	free(a);
	free(b);
}

static inline void count_one(void *count) { ++*(uint32_t *)count; }

static inline void host_callbacks(struct job *j)
{
	uint32_t count = 0, want = 1 + draw(j) % 8;
	CUstream s = stream(j);
	for (uint32_t i = 0; i < want; i++)
		DO(cuLaunchHostFunc(s, count_one, &count));
	DO(cuStreamSynchronize(s));
	same(j, &count, &want, 1);
	DO(cuStreamDestroy(s));
}

static inline void allocations_in_streams(struct job *j)
{
	size_t n = draw_count(j);
	uint32_t *a = drawn(j, n), *b = have(j, malloc(4 * n)), value = draw(j);
	CUstream s = stream(j);
	CUdeviceptr p, q;
	DO(cuMemAllocAsync(&p, 4 * n, s));
	DO(cuMemsetD32Async(p, value, n, s));
	DO(cuMemAllocAsync(&q, 4 * n, s));
	blend(j, j->blend, q, p, n, 1, 0, s);
	DO(cuMemFreeAsync(p, s));
	DO(cuMemcpyDtoHAsync(b, q, 4 * n, s));
	DO(cuMemFreeAsync(q, s));
	DO(cuStreamSynchronize(s));
	for (size_t i = 0; i < n; i++)
		a[i] = value;
	blended(a, n, 1, 0, 7);
	same(j, b, a, n);
	DO(cuStreamDestroy(s));
	free(a);
	free(b);
}

static inline void registered_memory(struct job *j)
{
	size_t n = 4096 + draw_count(j);
	uint32_t *a = drawn(j, n), *b = have(j, calloc(n, 4));
	CUstream s = stream(j);
	CUdeviceptr p = taken(j, n);
	DO(cuMemHostRegister(b, 4 * n, 0));
	memcpy(b, a, 4 * n);
	DO(cuMemcpyHtoDAsync(p, b, 4 * n, s));
	blend(j, j->blend, p, p, n, 17, 5, s);
	DO(cuMemcpyDtoHAsync(b, p, 4 * n, s));
	DO(cuStreamSynchronize(s));
	DO(cuMemHostUnregister(b));
	blended(a, n, 17, 5, 7);
	same(j, b, a, n);
	DO(cuStreamDestroy(s));
	DO(cuMemFree(p));
	free(a);
	free(b);
}

static inline void piece(struct job *j);

static inline void *piece_in_thread(void *job)
{
	struct job *j = job;
	DO(cuCtxSetCurrent(j->context));
	piece(j);
	return NULL;
}

static inline void threads(struct job *j)
{
	struct job other[2];
	pthread_t thread[2];
	for (int i = 0; i < 2; i++) {
		other[i] = *j;
		other[i].random = (uint64_t)draw(j) << 8 | 1;
		if (pthread_create(&thread[i], NULL, piece_in_thread, &other[i]))
			give_up(j, "pthread_create", 0);
	}
	for (int i = 0; i < 2; i++) {
		pthread_join(thread[i], NULL);
		j->digest ^= other[i].digest << i;
	}
}

static const struct {
	const char *name;
	void (*run)(struct job *);
} pieces[] = {
	{"pageable copies", pageable_copies},
	{"launches in a row", launches_in_a_row},
	{"atomics", atomics},
	{"streams and events", streams_and_events},
	{"captured graphs", captured_graphs},
	{"modules come and go", modules_come_and_go},
	{"host callbacks", host_callbacks},
	{"allocations in streams", allocations_in_streams},
	{"registered memory", registered_memory},
	{"threads", threads}, // the last: a thread starts no threads
};
#define PIECES (sizeof pieces / sizeof *pieces)

static inline void piece(struct job *j)
{
	unsigned i = draw(j) % (PIECES - (j->piece != NULL));
	const char *outer = j->piece;
	j->piece = pieces[i].name;
	pieces[i].run(j);
	j->piece = outer;
}

#endif
