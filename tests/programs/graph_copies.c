// SPDX-License-Identifier: Apache-2.0
//
// Copies in graphs, made by hand or captured, whose host side is ordinary
// memory: malloc's, the stack's, a constant. It is read and written when the
// graph runs, stays ordinary memory to the rest of the program, and may end
// before its graph. Written to the driver API alone; passes on the vendor's
// library as on axon's.
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>

#include "graphs.h"
#include "kernels.h"

#define PAGE 65536u // of any machine

static const char ptx[] = PTX_HEAD PTX_PUT PTX_ADD;

static void *mapped(void *at, size_t bytes, int flags)
{
	void *p = mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | flags, -1, 0);
	TRUE(p != MAP_FAILED);
	return p;
}

static CUgraphNode copy_node(CUgraph graph, CUgraphNode *after, CUDA_MEMCPY3D copy)
{
	CUgraphNode node;
	OK(cuGraphAddMemcpyNode(&node, graph, after, after != NULL, &copy, current()));
	return node;
}

// from -> p, p += v, p -> to
static CUgraph there_and_back(CUmodule m, CUdeviceptr p, const unsigned *from, unsigned v, unsigned *to, size_t words)
{
	CUgraph graph = graph_new();
	CUgraphNode node = copy_node(graph, NULL, up(p, from, 4 * words));
	node = kernel_node(graph, &node, function(m, "add"), p, v);
	copy_node(graph, &node, down(to, p, 4 * words));
	return graph;
}

static void ordinary_memory_is_read_and_written_at_each_run(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(40000);
	unsigned *from = malloc(4 * 40000), *to = calloc(40000, 4);
	CUgraph graph = there_and_back(m, p, from, 5, to, 40000);
	CUgraphExec exec = instantiate(graph);
	EQUAL(0, to[0]);
	for (unsigned round = 1; round < 4; round++) {
		for (unsigned i = 0; i < 40000; i++)
			from[i] = 1000 * round + i;
		memset(to, 0, 4 * 40000);
		run(exec, s);
		EQUAL(1000 * round + 5, to[0]);
		for (unsigned i = 1; i < 40000; i++)
			EQUAL(1000 * round + i, to[i]);
	}
	OK(cuGraphDestroy(graph));
	from[0] = 77;
	run(exec, s);
	EQUAL(82, to[0]);
	OK(cuGraphExecDestroy(exec));
	EQUAL(77, from[0]);
	EQUAL(82, to[0]);
	free(from);
	free(to);
}

__attribute__((noinline)) static void on_the_stack(CUmodule m, CUstream s)
{
	CUdeviceptr p = words(1);
	unsigned from = 1, to = 0;
	volatile unsigned beside = 4; // on the same page
	CUgraph graph = there_and_back(m, p, &from, 10, &to, 1);
	CUgraphExec exec = instantiate(graph);
	for (from = 2; from < 5; from++) {
		run(exec, s);
		EQUAL(from + 10, to);
	}
	EQUAL(4, beside);
	OK(cuGraphExecDestroy(exec));
	OK(cuGraphDestroy(graph));
}

static void *on_another_stack(void *m)
{
	CUcontext c;
	OK(cuDevicePrimaryCtxRetain(&c, device));
	OK(cuCtxSetCurrent(c));
	on_the_stack(m, stream_of_its_own());
	return NULL;
}

static void variables_on_the_stack_will_do(void)
{
	start();
	CUmodule m = load(ptx);
	pthread_t other;
	on_the_stack(m, stream_of_its_own());
	pthread_create(&other, NULL, on_another_stack, m);
	pthread_join(other, NULL);
	on_the_stack(m, stream_of_its_own());
}

static void constants_can_be_copied_from(void)
{
	static const unsigned constant[3] = {11, 22, 33};
	static unsigned to[3];
	start();
	CUmodule m = load(ptx);
	CUdeviceptr p = words(3);
	run(instantiate(there_and_back(m, p, constant, 4, to, 3)), stream_of_its_own());
	EQUAL(15, to[0]);
	EQUAL(22, to[1]);
	EQUAL(33, to[2]);
}

static void rows_of_ordinary_memory_are_copied(void)
{
	start();
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(64);
	unsigned char *host = calloc(4, 3000), *back = malloc(4 * 3000);
	for (unsigned i = 0; i < 4 * 3000; i++)
		host[i] = (unsigned char)(i * 7);
	memset(back, 0xee, 4 * 3000);
	CUDA_MEMCPY3D copy = up(p, host, 50);
	copy.srcXInBytes = 3, copy.srcY = 1, copy.srcPitch = 3000, copy.dstPitch = 64, copy.Height = 3;
	CUgraph graph = graph_new();
	CUgraphNode node = copy_node(graph, NULL, copy);
	copy = down(back, p, 50);
	copy.dstXInBytes = 9, copy.dstPitch = 3000, copy.srcPitch = 64, copy.Height = 3;
	copy_node(graph, &node, copy);
	run(instantiate(graph), s);
	for (unsigned y = 0; y < 4; y++)
		for (unsigned x = 0; x < 3000; x++)
			EQUAL(y < 3 && x >= 9 && x < 59 ? host[(y + 1) * 3000 + 3 + x - 9] : 0xee, back[y * 3000 + x]);
}

static void the_memory_stays_ordinary_to_the_program(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(2), q;
	unsigned *from = mapped(NULL, PAGE, MAP_PRIVATE), *to = from + 512, flags, type = 0;
	*from = 1;
	CUgraphExec exec = instantiate(there_and_back(m, p, from, 1, to, 1));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemHostGetFlags(&flags, from));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)(uintptr_t)from));
	GIVES(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(from));
	run(exec, s);
	EQUAL(2, *to);
	// A copy that no graph makes is what it is for all ordinary memory: read when the call returns.
	OK(cuMemcpyHtoDAsync(p + 4, from, 4, s));
	*from = 40;
	OK(cuStreamSynchronize(s));
	EQUAL(1, value_at(p + 4));
	run(exec, s);
	EQUAL(41, *to);

	OK(cuMemHostRegister(from, 4096, CU_MEMHOSTREGISTER_DEVICEMAP));
	OK(cuMemHostGetFlags(&flags, from));
	OK(cuMemHostGetDevicePointer(&q, from, 0));
	launch(function(m, "put"), q, 60, s);
	OK(cuStreamSynchronize(s)); // a driver may read ordinary memory when the graph is launched, before what the stream holds
	run(exec, s);
	EQUAL(61, *to);
	OK(cuMemHostUnregister(from));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemHostGetFlags(&flags, from));
	*from = 70;
	run(exec, s);
	EQUAL(71, *to);
}

static void other_memory_at_the_same_place_is_another_graphs(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(1);
	CUgraph graphs[4];
	unsigned *at = mapped(NULL, 4 * PAGE, MAP_PRIVATE);
	for (unsigned i = 0; i < 4; i++) {
		// The memory ends before its graph does, which is not launched any more. A part of it comes to be again.
		OK(munmap(at, 4 * PAGE));
		mapped(at, (i + 1) * PAGE, MAP_PRIVATE | MAP_FIXED);
		EQUAL(0, at[0]);
		at[0] = 10 * i;
		at[(i + 1) * PAGE / 4 - 2] = 7;
		graphs[i] = there_and_back(m, p, at, i, at + (i + 1) * PAGE / 4 - 1, 1);
		EQUAL(7, at[(i + 1) * PAGE / 4 - 2]);
		CUgraphExec exec = instantiate(graphs[i]);
		run(exec, s);
		EQUAL(11 * i, at[(i + 1) * PAGE / 4 - 1]);
		at[0] = 100;
		run(exec, s);
		EQUAL(100 + i, at[(i + 1) * PAGE / 4 - 1]);
	}
	for (unsigned i = 0; i < 4; i++)
		OK(cuGraphDestroy(graphs[i]));
}

// Bytes that the process has of memory that is shared with others.
static size_t shared_bytes(void)
{
	char line[256];
	size_t kib = 0;
	FILE *f = fopen("/proc/self/status", "re");
	TRUE(f != NULL);
	while (fgets(line, sizeof line, f))
		sscanf(line, "RssShmem: %zu", &kib);
	fclose(f);
	return kib << 10;
}

static void memory_that_is_gone_is_gone_everywhere(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own();
	size_t bytes = 64 * PAGE, half = bytes / 8, before = shared_bytes(); // words of a half
	CUdeviceptr p = words(half);
	for (unsigned i = 0; i < 60; i++) {
		unsigned *memory = mapped(NULL, bytes, MAP_PRIVATE);
		memory[0] = i;
		memory[half - 1] = 3;
		CUgraph graph = there_and_back(m, p, memory, 1, memory + half, half), clone;
		OK(cuGraphClone(&clone, graph));
		OK(cuGraphDestroy(graph));
		CUgraphExec exec = instantiate(clone);
		OK(cuGraphDestroy(clone));
		OK(cuGraphLaunch(exec, s));
		OK(cuGraphExecDestroy(exec)); // what was launched is done all the same
		OK(cuStreamSynchronize(s));
		if (i % 3 == 0) { // moved, as realloc does: it keeps its bytes
			unsigned *other = mapped(NULL, bytes, MAP_PRIVATE);
			for (size_t at = 0; at < bytes / 4; at += half)
				TRUE(mremap(memory + at, 4 * half, 4 * half, MREMAP_MAYMOVE | MREMAP_FIXED, other + at) == other + at);
			memory = other;
			copy_node(graph_new(), NULL, up(p, mapped(NULL, PAGE, MAP_PRIVATE), 4));
		}
		EQUAL(i, memory[0]);
		EQUAL(i + 1, memory[half]);
		EQUAL(3, memory[2 * half - 1]);
		// Gone, and its place is not given out again.
		TRUE(mmap(memory, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) == memory);
	}
	TRUE(shared_bytes() < before + 10 * bytes);
}

// While graphs that have just ended let go of it.
static void *frees(void *unused)
{
	(void)unused;
	for (unsigned i = 0; i < 4000; i++) {
		unsigned *memory = mapped(NULL, 4 * PAGE, MAP_PRIVATE);
		for (unsigned k = 0; k < 4; k++)
			EQUAL(0, memory[k * PAGE / 4]);
		memory[0] = i;
		EQUAL(i, memory[0]);
		OK(munmap(memory, 4 * PAGE));
	}
	return NULL;
}

static void memory_is_freed_while_graphs_end(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(PAGE);
	pthread_t other;
	pthread_create(&other, NULL, frees, NULL);
	for (unsigned i = 0; i < 150; i++) {
		unsigned *memory = mapped(NULL, 4 * PAGE, MAP_PRIVATE);
		memory[0] = i;
		CUgraph graph = there_and_back(m, p, memory, 1, memory + 1, 4 * PAGE / 8 - 1);
		CUgraphExec exec = instantiate(graph);
		run(exec, s);
		OK(cuGraphExecDestroy(exec));
		OK(cuGraphDestroy(graph));
		OK(munmap(memory, 4 * PAGE));
	}
	pthread_join(other, NULL);
}

static void a_launch_keeps_what_it_copies(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(1);
	for (unsigned i = 0; i < 200; i++) {
		unsigned *memory = malloc(PAGE);
		memory[0] = i;
		CUgraph graph = there_and_back(m, p, memory, 1, memory + 1, 1);
		CUgraphExec exec = instantiate(graph);
		OK(cuGraphLaunch(exec, s));
		OK(cuGraphExecDestroy(exec));
		OK(cuGraphDestroy(graph));
		OK(cuStreamSynchronize(s));
		EQUAL(i + 1, memory[1]);
		free(memory);
	}
}

static void nodes_and_execs_change_to_other_memory(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(1);
	unsigned a = 1, *b = malloc(4), *c = malloc(4), to = 0;
	*b = 20, *c = 300;
	CUgraph graph = graph_new();
	CUgraphNode in = copy_node(graph, NULL, up(p, &a, 4)), node = kernel_node(graph, &in, function(m, "add"), p, 1);
	copy_node(graph, &node, down(&to, p, 4));
	CUgraphExec exec = instantiate(graph);
	CUDA_MEMCPY3D copy = up(p, b, 4), got;
	OK(cuGraphExecMemcpyNodeSetParams(exec, in, &copy, current()));
	run(exec, s);
	EQUAL(21, to);
	OK(cuGraphMemcpyNodeGetParams(in, &got));
	TRUE(got.srcHost == &a);
	copy = up(p, c, 4);
	OK(cuGraphMemcpyNodeSetParams(in, &copy));
	OK(cuGraphMemcpyNodeGetParams(in, &got));
	TRUE(got.srcHost == c);
	run(exec, s);
	EQUAL(21, to);
	CUgraphExecUpdateResultInfo info;
	OK(cuGraphExecUpdate(exec, graph, &info));
	run(exec, s);
	EQUAL(301, to);
	OK(cuGraphDestroy(graph));
	*c = 400;
	run(exec, s);
	EQUAL(401, to);
}

static void a_forked_child_has_its_own_stack(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(1);
	unsigned from = 1, to = 0, *heap = malloc(8);
	heap[0] = heap[1] = 5;
	CUgraphExec exec = instantiate(there_and_back(m, p, &from, 10, &to, 1));
	CUgraphExec other = instantiate(there_and_back(m, p, heap, 1, heap + 1, 1));
	for (unsigned round = 0; round < 20; round++) {
		int ready[2], status = 0;
		OK(pipe(ready));
		pid_t pid = fork();
		if (pid == 0) {
			char c;
			close(ready[1]);
			// What the parent writes from here on is not seen here, nor what is written here seen there.
			for (volatile unsigned i = 0; i < 1000; i++)
				from = 1000 + i, heap[0] = 2000;
			if (read(ready[0], &c, 1) != 0 || from != 1999 || to != (round ? 10 + round : 0) || heap[0] != 2000)
				_exit(1);
			_exit(0);
		}
		TRUE(pid > 0);
		close(ready[0]);
		from = round + 1, heap[0] = 50 + round;
		run(exec, s);
		run(other, s);
		EQUAL(round + 11, to);
		EQUAL(51 + round, heap[1]);
		close(ready[1]);
		EQUAL(pid, waitpid(pid, &status, 0));
		EQUAL(0, status);
		EQUAL(round + 1, from);
	}
}

static void memory_that_is_shared_with_others_will_do(void)
{
	start();
	CUdeviceptr p = words(1);
	int fd = memfd_create("shared", MFD_CLOEXEC);
	TRUE(fd >= 0 && !ftruncate(fd, PAGE));
	unsigned *shared = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	TRUE(shared != MAP_FAILED);
	CUDA_MEMCPY3D copy = up(p, shared, 4);
	CUgraph graph = graph_new();
	CUgraphNode node;
	*shared = 8;
	OK(cuGraphAddMemcpyNode(&node, graph, NULL, 0, &copy, current()));
	run(instantiate(graph), stream_of_its_own());
	EQUAL(8, value_at(p));
}

static void captured_copies_do_the_same(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(50000);
	unsigned *from = malloc(4 * 50000), *to = calloc(50000, 4), one = 0;
	begin(s);
	OK(cuMemcpyHtoDAsync(p, from, 4 * 50000, s));
	launch(function(m, "add"), p, 3, s);
	OK(cuMemcpyDtoHAsync(to, p, 4 * 50000, s));
	OK(cuMemcpyDtoHAsync(&one, p, 4, s));
	CUgraph graph = end(s);
	size_t nodes = 0;
	OK(cuGraphGetNodes(graph, NULL, &nodes));
	EQUAL(4, nodes);
	CUgraphExec exec = instantiate(graph);
	OK(cuGraphDestroy(graph));
	EQUAL(0, to[0]);
	for (unsigned round = 1; round < 4; round++) {
		for (unsigned i = 0; i < 50000; i++)
			from[i] = round * 7 + i;
		run(exec, s);
		EQUAL(round * 7 + 3, to[0]);
		EQUAL(round * 7 + 3, one);
		for (unsigned i = 1; i < 50000; i++)
			EQUAL(round * 7 + i, to[i]);
	}
	OK(cuGraphExecDestroy(exec));
	// And the stream makes ordinary copies again.
	from[0] = 1;
	OK(cuMemcpyHtoDAsync(p, from, 4, s));
	from[0] = 2;
	OK(cuMemcpyDtoHAsync(to, p, 4, s));
	OK(cuStreamSynchronize(s));
	EQUAL(1, to[0]);
}

static void captured_copies_by_address_alone_do_the_same(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(1);
	unsigned from = 0, to = 0;
	begin(s);
	OK(cuMemcpyAsync(p, (CUdeviceptr)(uintptr_t)&from, 4, s));
	launch(function(m, "add"), p, 3, s);
	OK(cuMemcpyAsync((CUdeviceptr)(uintptr_t)&to, p, 4, s));
	CUgraphExec exec = instantiate(end(s));
	for (from = 1; from < 4; from++) {
		run(exec, s);
		EQUAL(from + 3, to);
	}
}

static void captured_rows_do_the_same(void)
{
	start();
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(64);
	unsigned char *host = malloc(3 * 5000), *back = malloc(3 * 5000);
	memset(back, 0xee, 3 * 5000);
	begin(s);
	CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = host, .srcPitch = 5000, .srcXInBytes = 2,
			      .dstMemoryType = CU_MEMORYTYPE_DEVICE, .dstDevice = p, .dstPitch = 64, .WidthInBytes = 60, .Height = 3};
	OK(cuMemcpy2DAsync(&copy, s));
	copy = (CUDA_MEMCPY2D){.dstMemoryType = CU_MEMORYTYPE_HOST, .dstHost = back, .dstPitch = 5000, .dstXInBytes = 4,
			       .srcMemoryType = CU_MEMORYTYPE_DEVICE, .srcDevice = p, .srcPitch = 64, .WidthInBytes = 60, .Height = 3};
	OK(cuMemcpy2DAsync(&copy, s));
	CUgraphExec exec = instantiate(end(s));
	for (unsigned i = 0; i < 3 * 5000; i++)
		host[i] = (unsigned char)(i * 11);
	run(exec, s);
	for (unsigned y = 0; y < 3; y++)
		for (unsigned x = 0; x < 5000; x++)
			EQUAL(x >= 4 && x < 64 ? host[y * 5000 + x - 2] : 0xee, back[y * 5000 + x]);
}

static void many_graphs_hold_the_same_memory(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(1);
	unsigned *memory = malloc(3 * PAGE), count = 3 * PAGE / 4;
	CUgraphExec execs[16];
	for (unsigned round = 0; round < 10; round++) {
		for (unsigned i = 0; i < 16; i++) {
			// At other places each time, so that they share pages in every way.
			unsigned at = (round * 16 + i) * 991 % (count - 2), n = 2 + (round * 7 + i * 3) % 5 * 4000;
			n = at + n < count ? n : count - at;
			begin(s);
			OK(cuMemcpyHtoDAsync(p, memory + at, 4, s));
			launch(function(m, "add"), p, 1, s);
			OK(cuMemcpyDtoHAsync(memory + at + n - 1, p, 4, s));
			CUgraph graph = end(s);
			execs[i] = instantiate(graph);
			OK(cuGraphDestroy(graph));
			memory[at] = round + i;
			run(execs[i], s);
			EQUAL(round + i + 1, memory[at + n - 1]);
		}
		for (unsigned i = 0; i < 16; i++)
			OK(cuGraphExecDestroy(execs[i]));
	}
}

static const struct test_case cases[] = {
	CASE(ordinary_memory_is_read_and_written_at_each_run),
	CASE(variables_on_the_stack_will_do),
	CASE(constants_can_be_copied_from),
	CASE(rows_of_ordinary_memory_are_copied),
	CASE(the_memory_stays_ordinary_to_the_program),
	CASE(other_memory_at_the_same_place_is_another_graphs),
	CASE(memory_that_is_gone_is_gone_everywhere),
	CASE(memory_is_freed_while_graphs_end),
	CASE(a_launch_keeps_what_it_copies),
	CASE(nodes_and_execs_change_to_other_memory),
	CASE(a_forked_child_has_its_own_stack),
	CASE(memory_that_is_shared_with_others_will_do),
	CASE(captured_copies_do_the_same),
	CASE(captured_copies_by_address_alone_do_the_same),
	CASE(captured_rows_do_the_same),
	CASE(many_graphs_hold_the_same_memory),
};

int main(int argc, char **argv)
{
	return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
