// SPDX-License-Identifier: Apache-2.0
//
// Memory and semaphores of other APIs, by descriptor. The software GPU takes any
// file for one, so that a test can make them without another API: a memfd is the
// memory, or its first eight bytes are a semaphore. Other drivers take what a
// graphics API made, and the cases that need a memfd are skipped there.
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>

#include "check.h"
#include "graphs.h"
#include "kernels.h"

enum { PAGES = 1 << 16, SIZE = 4 * PAGES, WORDS = PAGES / 4 };

static const char ptx[] = PTX_HEAD PTX_ADD;

struct file {
	int fd; // for the driver, which takes it over
	uint8_t *bytes;
};

static struct file file(size_t size)
{
	struct file f = {.fd = memfd_create("external", MFD_CLOEXEC)};
	TRUE(f.fd >= 0 && !ftruncate(f.fd, (off_t)size));
	f.bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, f.fd, 0);
	TRUE(f.bytes != MAP_FAILED);
	return f;
}

static bool is_open(int fd) { return fcntl(fd, F_GETFD) >= 0 || errno != EBADF; }

static CUresult import_memory(CUexternalMemory *m, int fd, size_t size)
{
	CUDA_EXTERNAL_MEMORY_HANDLE_DESC d = {.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD, .handle.fd = fd, .size = size};
	return cuImportExternalMemory(m, &d);
}

static CUresult map(CUdeviceptr *p, CUexternalMemory m, size_t offset, size_t size)
{
	CUDA_EXTERNAL_MEMORY_BUFFER_DESC d = {.offset = offset, .size = size};
	return cuExternalMemoryGetMappedBuffer(p, m, &d);
}

static void buffer(CUdeviceptr *p, CUexternalMemory *m, int fd, size_t size, size_t offset, size_t part)
{
	if (import_memory(m, fd, size) || map(p, *m, offset, part))
		SKIP("this driver maps only what a graphics API made");
}

static CUexternalSemaphore semaphore_of(int fd, CUexternalSemaphoreHandleType type)
{
	CUexternalSemaphore s;
	CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC d = {.type = type, .handle.fd = fd};
	if (cuImportExternalSemaphore(&s, &d))
		SKIP("this driver takes only semaphores that a graphics API made");
	return s;
}

static CUexternalSemaphore timeline(int fd) { return semaphore_of(fd, CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD); }

static CUresult signal_to(CUexternalSemaphore s, uint64_t value, CUstream stream)
{
	CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS p = {.params.fence.value = value};
	return cuSignalExternalSemaphoresAsync(&s, &p, 1, stream);
}

static CUresult wait_for(CUexternalSemaphore s, uint64_t value, CUstream stream)
{
	CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS p = {.params.fence.value = value};
	return cuWaitExternalSemaphoresAsync(&s, &p, 1, stream);
}

static uint64_t seen(const struct file *f) { return __atomic_load_n((uint64_t *)f->bytes, __ATOMIC_SEQ_CST); }
static void set(const struct file *f, uint64_t v) { __atomic_store_n((uint64_t *)f->bytes, v, __ATOMIC_SEQ_CST); }

// --- memory

static void a_buffer_of_external_memory_is_the_same_memory(void)
{
	struct file f = file(SIZE);
	CUexternalMemory m;
	CUdeviceptr p, base;
	size_t size;
	unsigned v;
	start();
	CUfunction add = function(load(ptx), "add");
	unsigned *words = (unsigned *)(f.bytes + PAGES);
	words[0] = 40;
	words[WORDS - 1] = 7;
	buffer(&p, &m, f.fd, SIZE, PAGES, PAGES);
	OK(cuMemcpyDtoH(&v, p + PAGES - 4, 4));
	EQUAL(7, v);
	launch(add, p, 2, NULL);
	OK(cuMemsetD32(p + 4, 0x55555555, 3));
	OK(cuCtxSynchronize());
	EQUAL(42, words[0]);
	EQUAL(0x55555555, words[3]);
	EQUAL(0, words[4]);
	words[4] = 9;
	OK(cuMemcpyDtoH(&v, p + 16, 4));
	EQUAL(9, v);
	OK(cuMemGetAddressRange(&base, &size, p));
	EQUAL(p, base);
	EQUAL(PAGES, size);
	OK(cuMemFree(p));
	TRUE(cuMemFree(p) != CUDA_SUCCESS);
	OK(cuDestroyExternalMemory(m));
	EQUAL(42, words[0]);
}

static void importing_takes_the_descriptor_over(void)
{
	struct file f = file(SIZE);
	CUexternalMemory m;
	CUdeviceptr p;
	start();
	// What is refused stays the program's.
	CUDA_EXTERNAL_MEMORY_HANDLE_DESC d = {.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD, .handle.fd = f.fd, .size = 0};
	TRUE(cuImportExternalMemory(&m, &d) != CUDA_SUCCESS);
	TRUE(is_open(f.fd));
	buffer(&p, &m, f.fd, SIZE, 0, SIZE);
	OK(cuDestroyExternalMemory(m));
	TRUE(!is_open(f.fd));
	struct file g = file(8);
	OK(cuDestroyExternalSemaphore(timeline(g.fd)));
	TRUE(!is_open(g.fd));
	// A mapping of what was destroyed is there until it is freed.
	OK(cuMemsetD8(p, 3, SIZE));
	OK(cuCtxSynchronize());
	EQUAL(3, f.bytes[SIZE - 1]);
	OK(cuMemFree(p));
}

// Two mappings of one memory, as a dedicated one.
static void mappings_of_one_memory_overlap(void)
{
	struct file f = file(SIZE);
	CUexternalMemory m;
	CUdeviceptr all, part;
	unsigned v = 0;
	start();
	CUDA_EXTERNAL_MEMORY_HANDLE_DESC d = {.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD, .handle.fd = f.fd, .size = SIZE,
					      .flags = CUDA_EXTERNAL_MEMORY_DEDICATED};
	if (cuImportExternalMemory(&m, &d) || map(&all, m, 0, SIZE))
		SKIP("this driver maps only what a graphics API made");
	OK(map(&part, m, 2 * PAGES, PAGES));
	OK(cuMemsetD32(all, 0x01020304, SIZE / 4));
	OK(cuMemcpyDtoH(&v, part + 8, 4));
	EQUAL(0x01020304, v);
	OK(cuMemFree(all));
	OK(cuMemcpyDtoH(&v, part + PAGES - 4, 4));
	EQUAL(0x01020304, v);
	OK(cuMemFree(part));
	OK(cuDestroyExternalMemory(m));
}

// No other API is needed for memory that a driver itself gave out as a descriptor.
static void an_exported_allocation_can_be_imported(void)
{
	CUmemGenericAllocationHandle h;
	CUexternalMemory m;
	CUdeviceptr p, q;
	size_t size;
	int fd = -1;
	unsigned v = 0;
	start();
	CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
				    .requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
				    .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device}};
	CUmemAccessDesc access = {.location = prop.location, .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
	OK(cuMemGetAllocationGranularity(&size, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
	OK(cuMemCreate(&h, size, &prop, 0));
	OK(cuMemAddressReserve(&p, size, 0, 0, 0));
	OK(cuMemMap(p, size, 0, h, 0));
	OK(cuMemSetAccess(p, size, &access, 1));
	OK(cuMemExportToShareableHandle(&fd, h, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
	if (import_memory(&m, fd, size) || map(&q, m, 0, size))
		SKIP("this driver does not take an allocation for external memory");
	OK(cuMemsetD32(p, 0x77777777, size / 4));
	OK(cuMemcpyDtoH(&v, q + size - 4, 4));
	EQUAL(0x77777777, v);
	OK(cuMemFree(q));
	OK(cuDestroyExternalMemory(m));
}

static void what_is_no_memory_is_refused(void)
{
	struct file f = file(SIZE);
	CUexternalMemory m;
	CUdeviceptr p;
	CUmipmappedArray array;
	start();
	CUDA_EXTERNAL_MEMORY_HANDLE_DESC d = {.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD, .handle.fd = f.fd, .size = SIZE};
	TRUE(cuImportExternalMemory(NULL, &d) != CUDA_SUCCESS);
	TRUE(cuImportExternalMemory(&m, NULL) != CUDA_SUCCESS);
	TRUE(import_memory(&m, -1, SIZE) != CUDA_SUCCESS);
	TRUE(import_memory(&m, 12345, SIZE) != CUDA_SUCCESS);
	for (int type = 0; type < 12; type++) {
		// Windows' and NvSci's handles are pointers, and these lead nowhere.
		d.type = (CUexternalMemoryHandleType)type;
		d.handle.win32.name = d.handle.win32.handle = (void *)(uintptr_t)0x123450;
		if (type != CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD && type != CU_EXTERNAL_MEMORY_HANDLE_TYPE_DMABUF_FD)
			TRUE(cuImportExternalMemory(&m, &d) != CUDA_SUCCESS);
	}
	TRUE(map(&p, NULL, 0, PAGES) != CUDA_SUCCESS);
	TRUE(map(&p, (CUexternalMemory)(uintptr_t)0x3000123456780, 0, PAGES) != CUDA_SUCCESS);
	TRUE(cuDestroyExternalMemory(NULL) != CUDA_SUCCESS);
	TRUE(cuExternalMemoryGetMappedMipmappedArray(&array, NULL, &(CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC){.numLevels = 1}) !=
	     CUDA_SUCCESS);
	TRUE(is_open(f.fd));
	buffer(&p, &m, f.fd, SIZE, 0, PAGES);
	OK(cuMemFree(p));
	TRUE(map(&p, m, 0, SIZE + 1) != CUDA_SUCCESS);
	TRUE(map(&p, m, SIZE, PAGES) != CUDA_SUCCESS);
	TRUE(map(&p, m, UINT64_MAX - PAGES + 1, 2 * PAGES) != CUDA_SUCCESS);
	TRUE(map(&p, m, 0, 0) != CUDA_SUCCESS);
	TRUE(map(NULL, m, 0, PAGES) != CUDA_SUCCESS);
	TRUE(cuExternalMemoryGetMappedBuffer(&p, m, NULL) != CUDA_SUCCESS);
	TRUE(cuExternalMemoryGetMappedBuffer(&p, m, &(CUDA_EXTERNAL_MEMORY_BUFFER_DESC){.size = PAGES, .flags = 1}) != CUDA_SUCCESS);
	OK(cuDestroyExternalMemory(m));
	TRUE(cuDestroyExternalMemory(m) != CUDA_SUCCESS);
	TRUE(map(&p, m, 0, PAGES) != CUDA_SUCCESS);
	OK(cuCtxSynchronize());
}

// --- semaphores

static void a_stream_waits_until_the_host_signals(void)
{
	struct file f = file(8);
	start();
	CUfunction add = function(load(ptx), "add");
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(1);
	CUexternalSemaphore sem = timeline(f.fd);
	OK(wait_for(sem, 3, s));
	launch(add, p, 1, s);
	OK(signal_to(sem, 8, s));
	set(&f, 2);
	GIVES(CUDA_ERROR_NOT_READY, cuStreamQuery(s));
	EQUAL(0, value_at(p));
	set(&f, 3);
	OK(cuStreamSynchronize(s));
	EQUAL(1, value_at(p));
	EQUAL(8, seen(&f));
	OK(wait_for(sem, 5, s)); // it has more
	OK(cuStreamSynchronize(s));
	OK(cuDestroyExternalSemaphore(sem));
}

static void a_binary_semaphore_is_taken_once(void)
{
	struct file f = file(8);
	start();
	CUstream a = stream_of_its_own(), b = stream_of_its_own();
	CUexternalSemaphore sem = semaphore_of(f.fd, CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD);
	OK(signal_to(sem, 0, a));
	OK(wait_for(sem, 0, b));
	OK(cuStreamSynchronize(b));
	EQUAL(0, seen(&f));
	OK(wait_for(sem, 0, b));
	GIVES(CUDA_ERROR_NOT_READY, cuStreamQuery(b));
	OK(signal_to(sem, 0, a));
	OK(cuStreamSynchronize(b));
	EQUAL(0, seen(&f));
}

static void several_are_signalled_and_waited_for_at_once(void)
{
	struct file f = file(8), g = file(8);
	start();
	CUstream a = stream_of_its_own();
	CUexternalSemaphore both[2] = {timeline(f.fd), timeline(g.fd)};
	CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS w[2] = {{.params.fence.value = 10}, {.params.fence.value = 1ull << 40}};
	CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS p[2] = {{.params.fence.value = 11}, {.params.fence.value = UINT64_MAX}};
	OK(cuWaitExternalSemaphoresAsync(both, w, 2, a));
	OK(cuSignalExternalSemaphoresAsync(both, p, 2, a));
	set(&g, 1ull << 41);
	GIVES(CUDA_ERROR_NOT_READY, cuStreamQuery(a));
	set(&f, 10);
	OK(cuStreamSynchronize(a));
	EQUAL(11, seen(&f));
	TRUE(seen(&g) == UINT64_MAX);
}

// Each thread's own default stream, by the names that programs built for those call.
static void the_per_thread_names_mean_the_threads_stream(void)
{
	struct file f = file(8);
	start();
	CUexternalSemaphore sem = timeline(f.fd);
	CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS w = {.params.fence.value = 1};
	CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS p = {.params.fence.value = 2};
	OK(cuWaitExternalSemaphoresAsync_ptsz(&sem, &w, 1, NULL));
	OK(cuSignalExternalSemaphoresAsync_ptsz(&sem, &p, 1, NULL));
	GIVES(CUDA_ERROR_NOT_READY, cuStreamQuery(CU_STREAM_PER_THREAD));
	set(&f, 1);
	OK(cuStreamSynchronize(CU_STREAM_PER_THREAD));
	EQUAL(2, seen(&f));
}

// The other process has a driver of its own; what the two share is the semaphore.
static void another_process_signals(void)
{
	struct file f = file(16);
	int told[2];
	TRUE(!pipe(told));
	int other = fcntl(f.fd, F_DUPFD_CLOEXEC, 3);
	pid_t child = fork();
	TRUE(child >= 0);
	if (!child) {
		char c;
		start();
		CUexternalSemaphore sem = timeline(other);
		TRUE(read(told[0], &c, 1) == 1); // the parent's stream waits
		EQUAL(0, seen(&f));
		OK(signal_to(sem, 1, NULL));
		OK(cuCtxSynchronize());
		exit(0);
	}
	start();
	CUexternalSemaphore sem = timeline(f.fd);
	CUstream s = stream_of_its_own();
	OK(wait_for(sem, 1, s));
	TRUE(write(told[1], "!", 1) == 1);
	OK(cuStreamSynchronize(s));
	EQUAL(1, seen(&f));
	int status;
	TRUE(waitpid(child, &status, 0) == child);
	EQUAL(0, status);
}

static void what_is_no_semaphore_is_refused(void)
{
	struct file f = file(8), none = file(8);
	CUexternalSemaphore sem;
	start();
	CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC d = {.type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD, .handle.fd = -1};
	TRUE(cuImportExternalSemaphore(&sem, &d) != CUDA_SUCCESS);
	TRUE(cuImportExternalSemaphore(NULL, &d) != CUDA_SUCCESS);
	TRUE(cuImportExternalSemaphore(&sem, NULL) != CUDA_SUCCESS);
	for (int type = 0; type < 12; type++) {
		d.type = (CUexternalSemaphoreHandleType)type;
		d.handle.win32.name = d.handle.win32.handle = (void *)(uintptr_t)0x123450;
		if (type != CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD && type != CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD)
			TRUE(cuImportExternalSemaphore(&sem, &d) != CUDA_SUCCESS);
	}
	int null = open("/dev/null", O_RDWR);
	d.type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD;
	d.handle.fd = null;
	TRUE(cuImportExternalSemaphore(&sem, &d) != CUDA_SUCCESS);
	TRUE(is_open(null));
	TRUE(wait_for(NULL, 0, NULL) != CUDA_SUCCESS);
	TRUE(signal_to((CUexternalSemaphore)(uintptr_t)0x123450, 0, NULL) != CUDA_SUCCESS);
	CUexternalSemaphore many[2] = {timeline(f.fd), timeline(none.fd)};
	CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS p[2] = {{.params.fence.value = 1}, {.params.fence.value = 1}};
	TRUE(cuSignalExternalSemaphoresAsync(NULL, p, 2, NULL) != CUDA_SUCCESS);
	TRUE(cuSignalExternalSemaphoresAsync(many, NULL, 2, NULL) != CUDA_SUCCESS);
	TRUE(cuSignalExternalSemaphoresAsync(many, p, 1, (CUstream)(uintptr_t)0x123450) != CUDA_SUCCESS);
	OK(cuDestroyExternalSemaphore(many[1]));
	TRUE(cuDestroyExternalSemaphore(many[1]) != CUDA_SUCCESS);
	TRUE(cuSignalExternalSemaphoresAsync(many, p, 2, NULL) != CUDA_SUCCESS); // all or none
	EQUAL(0, seen(&f));
	OK(signal_to(many[0], 1, NULL));
	OK(cuCtxSynchronize());
	EQUAL(1, seen(&f));
}

// --- graphs

static CUgraphExec made(CUgraph g)
{
	CUgraphExec e;
	OK(cuGraphInstantiateWithFlags(&e, g, 0));
	return e;
}

static void nodes_signal_and_wait(void)
{
	struct file f = file(8), g = file(8);
	CUgraph graph;
	CUgraphNode wait, work, signal;
	CUgraphNodeType type;
	start();
	CUfunction add = function(load(ptx), "add");
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(1);
	CUexternalSemaphore in = timeline(f.fd), out[2] = {timeline(g.fd), in};
	CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS from = {.params.fence.value = 5}, later = {.params.fence.value = 7};
	CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS to[2] = {{.params.fence.value = 6}, {.params.fence.value = 100}};
	CUDA_EXT_SEM_WAIT_NODE_PARAMS w = {&in, &from, 1}, w2 = {&in, &later, 1}, got;
	CUDA_EXT_SEM_SIGNAL_NODE_PARAMS n = {out, to, 2}, gave;
	OK(cuGraphCreate(&graph, 0));
	OK(cuGraphAddExternalSemaphoresWaitNode(&wait, graph, NULL, 0, &w));
	work = kernel_node(graph, &wait, add, p, 1);
	OK(cuGraphAddExternalSemaphoresSignalNode(&signal, graph, &work, 1, &n));
	OK(cuGraphNodeGetType(wait, &type));
	EQUAL(CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT, type);
	OK(cuGraphNodeGetType(signal, &type));
	EQUAL(CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL, type);
	// What a node was given is what it gives.
	OK(cuGraphExternalSemaphoresWaitNodeGetParams(wait, &got));
	EQUAL(1, got.numExtSems);
	TRUE(got.extSemArray[0] == in && got.extSemArray != &in);
	EQUAL(5, got.paramsArray[0].params.fence.value);
	OK(cuGraphExternalSemaphoresSignalNodeGetParams(signal, &gave));
	EQUAL(2, gave.numExtSems);
	TRUE(gave.extSemArray[0] == out[0] && gave.extSemArray[1] == in);
	EQUAL(100, gave.paramsArray[1].params.fence.value);
	TRUE(cuGraphExternalSemaphoresSignalNodeGetParams(wait, &gave) != CUDA_SUCCESS);
	CUgraphExec e = made(graph);
	OK(cuGraphLaunch(e, s));
	set(&f, 4);
	GIVES(CUDA_ERROR_NOT_READY, cuStreamQuery(s));
	set(&f, 5);
	OK(cuStreamSynchronize(s));
	EQUAL(1, value_at(p));
	EQUAL(6, seen(&g));
	EQUAL(100, seen(&f));
	// Another value for the launches to come, and then for graphs made anew.
	to[0].params.fence.value = 9;
	n.numExtSems = 1;
	OK(cuGraphExecExternalSemaphoresSignalNodeSetParams(e, signal, &n));
	OK(cuGraphExecExternalSemaphoresWaitNodeSetParams(e, wait, &w2));
	set(&f, 6);
	OK(cuGraphLaunch(e, s));
	GIVES(CUDA_ERROR_NOT_READY, cuStreamQuery(s));
	set(&f, 7);
	OK(cuStreamSynchronize(s));
	EQUAL(9, seen(&g));
	EQUAL(7, seen(&f));
	to[0].params.fence.value = 12;
	OK(cuGraphExternalSemaphoresSignalNodeSetParams(signal, &n));
	OK(cuGraphExternalSemaphoresWaitNodeSetParams(wait, &w2));
	OK(cuGraphLaunch(made(graph), s));
	OK(cuStreamSynchronize(s));
	EQUAL(12, seen(&g));
	EQUAL(3, value_at(p));
}

static void nodes_of_any_kind_can_be_semaphores(void)
{
	struct file f = file(8);
	CUgraph graph;
	CUgraphNode node;
	start();
	CUstream s = stream_of_its_own();
	CUexternalSemaphore sem = timeline(f.fd);
	CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS to = {.params.fence.value = 3};
	CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL, .extSemSignal = {&sem, &to, 1}};
	OK(cuGraphCreate(&graph, 0));
	OK(cuGraphAddNode(&node, graph, NULL, NULL, 0, &p));
	CUgraphExec e = made(graph);
	OK(cuGraphLaunch(e, s));
	OK(cuStreamSynchronize(s));
	EQUAL(3, seen(&f));
	to.params.fence.value = 4;
	OK(cuGraphExecNodeSetParams(e, node, &p));
	OK(cuGraphLaunch(e, s));
	OK(cuStreamSynchronize(s));
	EQUAL(4, seen(&f));
	// Bad ones: no array, a count that no array has, a semaphore that is none, the other kind.
	p.extSemSignal.paramsArray = NULL;
	TRUE(cuGraphAddNode(&node, graph, NULL, NULL, 0, &p) != CUDA_SUCCESS);
	p.extSemSignal.paramsArray = &to;
	p.extSemSignal.numExtSems = UINT32_MAX;
	TRUE(cuGraphAddNode(&node, graph, NULL, NULL, 0, &p) != CUDA_SUCCESS);
	p.extSemSignal.numExtSems = 1;
	p.type = CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT;
	TRUE(cuGraphExecNodeSetParams(e, node, &p) != CUDA_SUCCESS);
	OK(cuDestroyExternalSemaphore(sem));
	TRUE(cuGraphAddNode(&node, graph, NULL, NULL, 0, &p) != CUDA_SUCCESS);
	TRUE(cuGraphAddExternalSemaphoresSignalNode(&node, graph, NULL, 0, NULL) != CUDA_SUCCESS);
	TRUE(cuGraphExecExternalSemaphoresSignalNodeSetParams(NULL, node, &(CUDA_EXT_SEM_SIGNAL_NODE_PARAMS){&sem, &to, 1}) !=
	     CUDA_SUCCESS);
}

static void a_capture_records_semaphores(void)
{
	struct file f = file(8), g = file(8);
	CUgraph graph;
	CUgraphNode nodes[4];
	CUgraphNodeType type[2];
	size_t count = 4;
	start();
	CUstream s = stream_of_its_own();
	CUexternalSemaphore in = timeline(f.fd), out = timeline(g.fd);
	OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
	OK(wait_for(in, 1, s));
	OK(signal_to(out, 2, s));
	OK(cuStreamEndCapture(s, &graph));
	EQUAL(0, seen(&g));
	OK(cuGraphGetNodes(graph, nodes, &count));
	EQUAL(2, count);
	OK(cuGraphNodeGetType(nodes[0], &type[0]));
	OK(cuGraphNodeGetType(nodes[1], &type[1]));
	EQUAL(CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL + CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT, type[0] + type[1]);
	CUgraphExec e = made(graph);
	OK(cuGraphLaunch(e, s));
	GIVES(CUDA_ERROR_NOT_READY, cuStreamQuery(s));
	set(&f, 1);
	OK(cuStreamSynchronize(s));
	EQUAL(2, seen(&g));
}

static const struct test_case cases[] = {
	CASE(a_buffer_of_external_memory_is_the_same_memory),
	CASE(importing_takes_the_descriptor_over),
	CASE(mappings_of_one_memory_overlap),
	CASE(an_exported_allocation_can_be_imported),
	CASE(what_is_no_memory_is_refused),
	CASE(a_stream_waits_until_the_host_signals),
	CASE(a_binary_semaphore_is_taken_once),
	CASE(several_are_signalled_and_waited_for_at_once),
	CASE(the_per_thread_names_mean_the_threads_stream),
	CASE(another_process_signals),
	CASE(what_is_no_semaphore_is_refused),
	CASE(nodes_signal_and_wait),
	CASE(nodes_of_any_kind_can_be_semaphores),
	CASE(a_capture_records_semaphores),
};

int main(int argc, char **argv)
{
	return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
