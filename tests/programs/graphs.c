// SPDX-License-Identifier: Apache-2.0
//
// Graphs as a program makes them by hand: nodes of every kind run, give back
// what they were given and change when told to; graphs are listed, cloned,
// printed, updated and gone. Written to the driver API alone; passes on the
// vendor's library as on axon's. What a library does not have at all is
// skipped, by its word.
#include <errno.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "graphs.h"
#include "kernels.h"

static const char ptx[] = PTX_HEAD PTX_PUT PTX_ADD PTX_MIXED;

static atomic_uint calls[8], called;

static void note_call(void *arg)
{
	unsigned i = atomic_fetch_add(&called, 1);
	if (i < 8)
		atomic_store(&calls[i], *(unsigned *)arg);
}

static void a_graph_of_every_kind_of_node_runs(void)
{
	start();
	CUmodule m = load(ptx);
	CUfunction add = function(m, "add");
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(4);
	unsigned *from = pinned(4), *to = pinned(4), mark = 3;
	CUevent event;
	CUgraphNode node, child_node, last;
	OK(cuEventCreate(&event, 0));
	from[0] = 10, from[1] = 20;
	CUgraph graph = graph_new(), child = graph_new();
	kernel_node(child, NULL, add, p + 4, 5);

	CUDA_MEMCPY3D copy = up(p, from, 8);
	OK(cuGraphAddMemcpyNode(&node, graph, NULL, 0, &copy, current()));
	last = kernel_node(graph, &node, add, p, 1);
	CUDA_MEMSET_NODE_PARAMS fill = {.dst = p + 8, .value = 0x01020304, .elementSize = 4, .width = 2, .height = 1};
	OK(cuGraphAddMemsetNode(&node, graph, &last, 1, &fill, current()));
	OK(cuGraphAddChildGraphNode(&child_node, graph, &node, 1, child));
	CUDA_HOST_NODE_PARAMS host = {.fn = note_call, .userData = &mark};
	OK(cuGraphAddHostNode(&last, graph, &child_node, 1, &host));
	OK(cuGraphAddEventRecordNode(&node, graph, &last, 1, event));
	OK(cuGraphAddEventWaitNode(&last, graph, &node, 1, event));
	OK(cuGraphAddEmptyNode(&node, graph, &last, 1));
	copy = down(to, p, 16);
	OK(cuGraphAddMemcpyNode(&last, graph, &node, 1, &copy, current()));
	// What was put in is a copy.
	OK(cuGraphDestroy(child));

	CUgraphExec exec = instantiate(graph);
	OK(cuGraphUpload(exec, s));
	run(exec, s);
	EQUAL(11, to[0]);
	EQUAL(25, to[1]);
	EQUAL(0x01020304, to[2]);
	EQUAL(0x01020304, to[3]);
	EQUAL(1, called);
	EQUAL(3, calls[0]);
	OK(cuEventQuery(event));
	run(exec, s);
	EQUAL(11, to[0]);
	EQUAL(2, called);

	static const struct {
		CUgraphNodeType type;
	} types[] = {{CU_GRAPH_NODE_TYPE_MEMCPY},     {CU_GRAPH_NODE_TYPE_KERNEL},     {CU_GRAPH_NODE_TYPE_MEMSET},
		     {CU_GRAPH_NODE_TYPE_GRAPH},      {CU_GRAPH_NODE_TYPE_HOST},       {CU_GRAPH_NODE_TYPE_EVENT_RECORD},
		     {CU_GRAPH_NODE_TYPE_WAIT_EVENT}, {CU_GRAPH_NODE_TYPE_EMPTY},      {CU_GRAPH_NODE_TYPE_MEMCPY}};
	CUgraphNode nodes[16];
	unsigned expected[16] = {0}, found[16] = {0};
	size_t count = 16;
	OK(cuGraphGetNodes(graph, nodes, &count));
	EQUAL(9, count);
	for (size_t i = 0; i < count; i++) {
		CUgraphNodeType type;
		OK(cuGraphNodeGetType(nodes[i], &type));
		TRUE((unsigned)type < 16);
		found[type]++;
		expected[types[i].type]++;
	}
	for (int i = 0; i < 16; i++)
		EQUAL(expected[i], found[i]);
	OK(cuGraphExecDestroy(exec));
	OK(cuGraphDestroy(graph));
}

// The value of a kernel's parameter, by whichever way the node tells it.
static void parameter(const CUDA_KERNEL_NODE_PARAMS *k, unsigned index, size_t offset, void *value, size_t size)
{
	if (k->kernelParams) {
		memcpy(value, k->kernelParams[index], size);
		return;
	}
	TRUE(k->extra != NULL);
	for (void **e = k->extra; e[0] != CU_LAUNCH_PARAM_END; e += 2)
		if (e[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
			memcpy(value, (const char *)e[1] + offset, size);
}

static void kernels_give_back_their_parameters(void)
{
	start();
	CUmodule m = load(ptx);
	CUfunction mixed = function(m, "mixed");
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(8), out = 0;
	struct {
		unsigned char a;
		double b;
		unsigned short c;
		unsigned d[3];
		CUdeviceptr out;
	} packed = {7, 2.5, 300, {1, 2, 3}, p};
	double b = 1.5, result[4], got_b = 0;
	unsigned char a = 200, got_a = 0;
	unsigned short c = 40000, got_c = 0;
	unsigned d[3] = {4, 5, 6}, got_d[3] = {0};
	void *arguments[] = {&a, &b, &c, d, &p};
	CUDA_KERNEL_NODE_PARAMS k = {.func = mixed,
				     .gridDimX = 1,
				     .gridDimY = 1,
				     .gridDimZ = 1,
				     .blockDimX = 2,
				     .blockDimY = 3,
				     .blockDimZ = 4,
				     .sharedMemBytes = 64,
				     .kernelParams = arguments},
				got, again;
	CUgraphNode node;
	CUgraph graph = graph_new();
	OK(cuGraphAddKernelNode(&node, graph, NULL, 0, &k));
	memset(&got, 0xff, sizeof got);
	OK(cuGraphKernelNodeGetParams(node, &got));
	EQUAL(1, got.gridDimX);
	EQUAL(2, got.blockDimX);
	EQUAL(3, got.blockDimY);
	EQUAL(4, got.blockDimZ);
	EQUAL(64, got.sharedMemBytes);
	TRUE(got.func == mixed || got.kern != NULL);
	parameter(&got, 0, 0, &got_a, 1);
	parameter(&got, 1, 8, &got_b, 8);
	parameter(&got, 2, 16, &got_c, 2);
	parameter(&got, 3, 20, got_d, 12);
	parameter(&got, 4, 32, &out, 8);
	EQUAL(200, got_a);
	TRUE(got_b == 1.5);
	EQUAL(40000, got_c);
	TRUE(!memcmp(got_d, d, sizeof d));
	EQUAL(p, out);
	// The arrays are the node's: they stay where they are.
	OK(cuGraphKernelNodeGetParams(node, &again));
	TRUE(again.kernelParams == got.kernelParams && again.extra == got.extra);
	// What was got can be set.
	OK(cuGraphKernelNodeSetParams(node, &got));
	CUgraphExec exec = instantiate(graph);
	run(exec, s);
	OK(cuMemcpyDtoH(result, p, sizeof result));
	TRUE(result[0] == 200 && result[1] == 1.5 && result[2] == 40000 && result[3] == 6);

	size_t size = offsetof(__typeof__(packed), out) + 8;
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
	EQUAL(40, size);
	k.kernelParams = NULL;
	k.extra = extra;
	OK(cuGraphKernelNodeSetParams(node, &k));
	packed.b = 0;
	OK(cuGraphKernelNodeGetParams(node, &got));
	parameter(&got, 1, 8, &got_b, 8);
	TRUE(got_b == 2.5);
	run(instantiate(graph), s);
	OK(cuMemcpyDtoH(result, p, sizeof result));
	TRUE(result[0] == 7 && result[1] == 2.5 && result[2] == 300 && result[3] == 3);
	k.kernelParams = arguments;
	TRUE(cuGraphKernelNodeSetParams(node, &k) != CUDA_SUCCESS); // both ways at once
}

static void a_captured_kernel_gives_back_its_parameters(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(1), got_p = 0;
	CUDA_KERNEL_NODE_PARAMS got;
	CUgraphNode node;
	unsigned v = 0;
	size_t one = 1;
	begin(s);
	launch(function(m, "add"), p, 1234, s);
	CUgraph graph = end(s);
	OK(cuGraphGetNodes(graph, &node, &one));
	EQUAL(1, one);
	OK(cuGraphKernelNodeGetParams(node, &got));
	parameter(&got, 0, 0, &got_p, 8);
	parameter(&got, 1, 8, &v, 4);
	EQUAL(p, got_p);
	EQUAL(1234, v);
	// Changed in place, as programs do that capture once and adapt.
	v = 4321;
	void *arguments[] = {&got_p, &v};
	got.kernelParams = arguments;
	got.extra = NULL;
	CUgraphExec exec = instantiate(graph);
	OK(cuGraphExecKernelNodeSetParams(exec, node, &got));
	run(exec, s);
	EQUAL(4321, value_at(p));
}

static void nodes_give_back_what_they_were_given(void)
{
	start();
	CUdeviceptr p = words(4);
	unsigned *from = pinned(4), mark = 1, other_mark = 2;
	CUevent event, other_event, got_event;
	CUgraphNode node;
	CUgraph graph = graph_new(), child = graph_new(), inner = NULL;
	OK(cuEventCreate(&event, 0));
	OK(cuEventCreate(&other_event, 0));

	CUDA_MEMCPY3D copy = up(p, from, 12), got_copy;
	OK(cuGraphAddMemcpyNode(&node, graph, NULL, 0, &copy, current()));
	OK(cuGraphMemcpyNodeGetParams(node, &got_copy));
	EQUAL(12, got_copy.WidthInBytes);
	EQUAL(p, got_copy.dstDevice);
	TRUE(got_copy.srcHost == from || got_copy.srcDevice == (CUdeviceptr)(uintptr_t)from);
	copy = up(p, from, 8);
	OK(cuGraphMemcpyNodeSetParams(node, &copy));
	OK(cuGraphMemcpyNodeGetParams(node, &got_copy));
	EQUAL(8, got_copy.WidthInBytes);

	CUDA_MEMSET_NODE_PARAMS fill = {.dst = p, .value = 77, .elementSize = 4, .width = 3, .height = 1}, got_fill;
	OK(cuGraphAddMemsetNode(&node, graph, NULL, 0, &fill, current()));
	OK(cuGraphMemsetNodeGetParams(node, &got_fill));
	EQUAL(p, got_fill.dst);
	EQUAL(77, got_fill.value);
	EQUAL(4, got_fill.elementSize);
	EQUAL(3, got_fill.width);
	fill.value = 78;
	OK(cuGraphMemsetNodeSetParams(node, &fill));
	OK(cuGraphMemsetNodeGetParams(node, &got_fill));
	EQUAL(78, got_fill.value);

	CUDA_HOST_NODE_PARAMS host = {.fn = note_call, .userData = &mark}, got_host;
	OK(cuGraphAddHostNode(&node, graph, NULL, 0, &host));
	OK(cuGraphHostNodeGetParams(node, &got_host));
	TRUE(got_host.fn == note_call && got_host.userData == &mark);
	host.userData = &other_mark;
	OK(cuGraphHostNodeSetParams(node, &host));
	OK(cuGraphHostNodeGetParams(node, &got_host));
	TRUE(got_host.fn == note_call && got_host.userData == &other_mark);

	OK(cuGraphAddEventRecordNode(&node, graph, NULL, 0, event));
	OK(cuGraphEventRecordNodeGetEvent(node, &got_event));
	TRUE(got_event == event);
	OK(cuGraphEventRecordNodeSetEvent(node, other_event));
	OK(cuGraphEventRecordNodeGetEvent(node, &got_event));
	TRUE(got_event == other_event);
	OK(cuGraphAddEventWaitNode(&node, graph, NULL, 0, event));
	OK(cuGraphEventWaitNodeGetEvent(node, &got_event));
	TRUE(got_event == event);

	OK(cuGraphAddEmptyNode(&node, child, NULL, 0));
	OK(cuGraphAddChildGraphNode(&node, graph, NULL, 0, child));
	OK(cuGraphChildGraphNodeGetGraph(node, &inner));
	TRUE(inner != NULL && inner != child);
	size_t count = 0;
	OK(cuGraphGetNodes(inner, NULL, &count));
	EQUAL(1, count);
	// A node of another kind has no such parameters.
	TRUE(cuGraphMemsetNodeGetParams(node, &got_fill) != CUDA_SUCCESS);
	OK(cuGraphDestroy(graph));
	OK(cuGraphDestroy(child));
}

// Rows out of the middle of a larger piece, from memory that was registered.
static void a_node_copies_rows_of_registered_memory(void)
{
	start();
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(64);
	unsigned *rows = aligned_alloc(4096, 8192), got[64];
	CUgraph graph = graph_new();
	CUgraphNode node;
	HAVE("registered memory", cuMemHostRegister(rows, 8192, 0));
	CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_UNIFIED,
			      .srcDevice = (CUdeviceptr)(uintptr_t)rows,
			      .srcPitch = 256,
			      .srcXInBytes = 8,
			      .srcY = 3,
			      .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
			      .dstDevice = p,
			      .dstPitch = 64,
			      .WidthInBytes = 16,
			      .Height = 4,
			      .Depth = 1};
	OK(cuGraphAddMemcpyNode(&node, graph, NULL, 0, &copy, current()));
	CUgraphExec exec = instantiate(graph);
	for (unsigned round = 0; round < 3; round++) {
		for (unsigned i = 0; i < 2048; i++)
			rows[i] = i + 10000 * round;
		run(exec, s);
		OK(cuMemcpyDtoH(got, p, sizeof got));
		for (unsigned y = 0; y < 4; y++)
			for (unsigned x = 0; x < 4; x++)
				EQUAL(64 * (y + 3) + 2 + x + 10000 * round, got[16 * y + x]);
	}
	OK(cuMemHostUnregister(rows));
}

static void kernel_nodes_have_attributes(void)
{
	start();
	CUmodule m = load(ptx);
	CUdeviceptr p = words(1);
	CUkernelNodeAttrValue value = {0}, got = {0};
	CUgraph graph = graph_new();
	CUgraphNode a = kernel_node(graph, NULL, function(m, "add"), p, 1), b = kernel_node(graph, NULL, function(m, "add"), p, 1);
	int least, greatest;
	OK(cuCtxGetStreamPriorityRange(&least, &greatest));
	value.priority = greatest;
	HAVE("priorities of nodes", cuGraphKernelNodeSetAttribute(a, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value));
	OK(cuGraphKernelNodeGetAttribute(a, CU_LAUNCH_ATTRIBUTE_PRIORITY, &got));
	EQUAL(greatest, got.priority);
	OK(cuGraphKernelNodeCopyAttributes(b, a));
	OK(cuGraphKernelNodeGetAttribute(b, CU_LAUNCH_ATTRIBUTE_PRIORITY, &got));
	EQUAL(greatest, got.priority);
}

static void an_execs_nodes_change_and_the_graphs_do_not(void)
{
	start();
	CUmodule m = load(ptx);
	CUfunction put = function(m, "put");
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(4);
	unsigned *from = pinned(4), mark = 1, other_mark = 2;
	CUgraphNode kernel, fill_node, copy_node, host_node;
	CUgraph graph = graph_new();
	from[0] = 50, from[1] = 60;
	kernel = kernel_node(graph, NULL, put, p, 10);
	CUDA_MEMSET_NODE_PARAMS fill = {.dst = p + 4, .value = 20, .elementSize = 4, .width = 1, .height = 1};
	OK(cuGraphAddMemsetNode(&fill_node, graph, &kernel, 1, &fill, current()));
	CUDA_MEMCPY3D copy = up(p + 8, from, 4);
	OK(cuGraphAddMemcpyNode(&copy_node, graph, &fill_node, 1, &copy, current()));
	CUDA_HOST_NODE_PARAMS host = {.fn = note_call, .userData = &mark};
	OK(cuGraphAddHostNode(&host_node, graph, &copy_node, 1, &host));
	CUgraphExec exec = instantiate(graph), untouched = instantiate(graph);

	CUDA_KERNEL_NODE_PARAMS k;
	unsigned v = 11;
	void *arguments[] = {&p, &v};
	OK(cuGraphKernelNodeGetParams(kernel, &k));
	k.kernelParams = arguments;
	k.extra = NULL;
	OK(cuGraphExecKernelNodeSetParams(exec, kernel, &k));
	fill.value = 21;
	OK(cuGraphExecMemsetNodeSetParams(exec, fill_node, &fill, current()));
	copy = up(p + 8, from + 1, 4);
	OK(cuGraphExecMemcpyNodeSetParams(exec, copy_node, &copy, current()));
	host.userData = &other_mark;
	OK(cuGraphExecHostNodeSetParams(exec, host_node, &host));
	run(exec, s);
	EQUAL(11, value_at(p));
	EQUAL(21, value_at(p + 4));
	EQUAL(60, value_at(p + 8));
	EQUAL(2, calls[0]);
	run(untouched, s);
	EQUAL(10, value_at(p));
	EQUAL(20, value_at(p + 4));
	EQUAL(50, value_at(p + 8));
	EQUAL(1, calls[1]);
	OK(cuMemsetD32(p, 0, 4));
	OK(cuCtxSynchronize());
	OK(cuGraphNodeSetEnabled(exec, kernel, 0));
	unsigned on = 9;
	OK(cuGraphNodeGetEnabled(exec, kernel, &on));
	EQUAL(0, on);
	run(exec, s);
	EQUAL(0, value_at(p));
	EQUAL(21, value_at(p + 4));
	OK(cuGraphNodeSetEnabled(exec, kernel, 1));
	run(exec, s);
	EQUAL(11, value_at(p));
}

static CUgraph captured_put(CUmodule m, CUstream s, CUdeviceptr p, unsigned v, int more)
{
	begin(s);
	launch(function(m, "put"), p, v, s);
	launch(function(m, "add"), p, 1, s);
	if (more)
		OK(cuMemsetD32Async(p, 0, 1, s));
	return end(s);
}

static void an_exec_is_updated_from_another_graph(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(1);
	CUgraphExecUpdateResultInfo info;
	CUgraph graph = captured_put(m, s, p, 10, 0);
	CUgraphExec exec = instantiate(graph);
	run(exec, s);
	EQUAL(11, value_at(p));
	for (unsigned v = 20; v < 25; v++) {
		CUgraph other = captured_put(m, s, p, v, 0);
		OK(cuGraphExecUpdate(exec, other, &info));
		EQUAL(CU_GRAPH_EXEC_UPDATE_SUCCESS, info.result);
		OK(cuGraphDestroy(other));
		run(exec, s);
		EQUAL(v + 1, value_at(p));
	}
	CUgraph bigger = captured_put(m, s, p, 30, 1);
	GIVES(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(exec, bigger, &info));
	TRUE(info.result != CU_GRAPH_EXEC_UPDATE_SUCCESS);
	run(exec, s); // as it was
	EQUAL(25, value_at(p));
}

static void a_clone_lives_without_its_original(void)
{
	start();
	CUmodule m = load(ptx);
	CUfunction add = function(m, "add");
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(2), got_p = 0;
	CUgraph graph = graph_new(), child = graph_new(), clone;
	kernel_node(child, NULL, add, p + 4, 2);
	CUgraphNode first = kernel_node(graph, NULL, add, p, 1), second, found, found_too;
	OK(cuGraphAddChildGraphNode(&second, graph, &first, 1, child));
	OK(cuGraphClone(&clone, graph));
	OK(cuGraphNodeFindInClone(&found, first, clone));
	OK(cuGraphNodeFindInClone(&found_too, second, clone));
	TRUE(found != first && found_too != second && found != found_too);
	OK(cuGraphDestroy(graph));
	OK(cuGraphDestroy(child));
	CUDA_KERNEL_NODE_PARAMS k;
	OK(cuGraphKernelNodeGetParams(found, &k));
	parameter(&k, 0, 0, &got_p, 8);
	EQUAL(p, got_p);
	run(instantiate(clone), s);
	EQUAL(1, value_at(p));
	EQUAL(2, value_at(p + 4));
}

static int holds(const CUgraphNode *nodes, size_t count, CUgraphNode node)
{
	for (size_t i = 0; i < count; i++)
		if (nodes[i] == node)
			return 1;
	return 0;
}

static void nodes_and_edges_are_listed(void)
{
	start();
	CUgraph graph = graph_new();
	CUgraphNode a, b, c, d, list[8], to[8];
	size_t count = 0;
	OK(cuGraphAddEmptyNode(&a, graph, NULL, 0));
	OK(cuGraphAddEmptyNode(&b, graph, &a, 1));
	OK(cuGraphAddEmptyNode(&c, graph, &a, 1));
	OK(cuGraphAddEmptyNode(&d, graph, (CUgraphNode[]){b, c}, 2));
	OK(cuGraphGetNodes(graph, NULL, &count));
	EQUAL(4, count);
	count = 8; // more room than there is: the rest is empty
	OK(cuGraphGetNodes(graph, list, &count));
	EQUAL(4, count);
	TRUE(holds(list, 4, a) && holds(list, 4, b) && holds(list, 4, c) && holds(list, 4, d) && list[4] == NULL);
	OK(cuGraphGetRootNodes(graph, NULL, &count));
	EQUAL(1, count);
	OK(cuGraphGetRootNodes(graph, list, &count));
	TRUE(list[0] == a);
	OK(cuGraphGetEdges(graph, NULL, NULL, NULL, &count));
	EQUAL(4, count);
	OK(cuGraphGetEdges(graph, list, to, NULL, &count));
	for (size_t i = 0; i < count; i++)
		TRUE((list[i] == a && (to[i] == b || to[i] == c)) || (to[i] == d && (list[i] == b || list[i] == c)));
	OK(cuGraphNodeGetDependencies(d, NULL, NULL, &count));
	EQUAL(2, count);
	OK(cuGraphNodeGetDependencies(d, list, NULL, &count));
	TRUE(holds(list, 2, b) && holds(list, 2, c));
	OK(cuGraphNodeGetDependentNodes(a, NULL, NULL, &count));
	EQUAL(2, count);
	OK(cuGraphNodeGetDependentNodes(a, list, NULL, &count));
	TRUE(holds(list, 2, b) && holds(list, 2, c));
	OK(cuGraphRemoveDependencies(graph, &c, &d, NULL, 1));
	OK(cuGraphNodeGetDependencies(d, NULL, NULL, &count));
	EQUAL(1, count);
	OK(cuGraphAddDependencies(graph, &a, &d, NULL, 1));
	OK(cuGraphNodeGetDependencies(d, NULL, NULL, &count));
	EQUAL(2, count);
	OK(cuGraphDestroyNode(b));
	OK(cuGraphGetNodes(graph, NULL, &count));
	EQUAL(3, count);
	OK(cuGraphNodeGetDependencies(d, NULL, NULL, &count));
	EQUAL(1, count);
	TRUE(cuGraphGetNodes(graph, NULL, NULL) != CUDA_SUCCESS);
	OK(cuGraphDestroy(graph));
}

static void a_graph_is_printed_into_the_programs_file(void)
{
	start();
	CUmodule m = load(ptx);
	CUdeviceptr p = words(1);
	CUgraph graph = graph_new();
	CUgraphNode last = kernel_node(graph, NULL, function(m, "add"), p, 1);
	for (int i = 0; i < 20; i++)
		last = kernel_node(graph, &last, function(m, "add"), p, 1);
	char path[] = "/tmp/graph-test-XXXXXX", text[9] = "";
	int fd = mkstemp(path);
	TRUE(fd >= 0);
	HAVE("dot prints", cuGraphDebugDotPrint(graph, path, CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE));
	FILE *f = fopen(path, "r");
	TRUE(f && fread(text, 1, 8, f) == 8);
	TRUE(!strcmp(text, "digraph "));
	TRUE(!fseek(f, 0, SEEK_END) && ftell(f) > 200);
	fclose(f);
	close(fd);
	unlink(path);
}

static void host_nodes_run_in_their_order(void)
{
	start();
	CUstream s = stream_of_its_own();
	static unsigned marks[4] = {1, 2, 3, 4};
	CUgraph graph = graph_new();
	CUgraphNode node = NULL, next;
	for (int i = 0; i < 3; i++) {
		CUDA_HOST_NODE_PARAMS host = {.fn = note_call, .userData = &marks[i]};
		OK(cuGraphAddHostNode(&next, graph, node ? &node : NULL, node != NULL, &host));
		node = next;
	}
	CUgraphExec exec = instantiate(graph);
	OK(cuGraphLaunch(exec, s));
	OK(cuGraphLaunch(exec, s));
	OK(cuStreamSynchronize(s));
	EQUAL(6, called);
	for (unsigned i = 0; i < 6; i++)
		EQUAL(i % 3 + 1, calls[i]);
	called = 0;
	begin(s);
	OK(cuLaunchHostFunc(s, note_call, &marks[3]));
	OK(cuLaunchHostFunc(s, note_call, &marks[1]));
	exec = instantiate(end(s));
	EQUAL(0, called);
	run(exec, s);
	run(exec, s);
	EQUAL(4, called);
	EQUAL(4, calls[0]);
	EQUAL(2, calls[1]);
	EQUAL(4, calls[2]);
	EQUAL(2, calls[3]);
}

static void nodes_of_any_kind_go_through_one_function(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(4);
	CUgraph graph = graph_new();
	CUgraphNode a, b, c, d;
	unsigned v = 6, *from = pinned(1), mark = 9;
	void *arguments[] = {&p, &v};
	from[0] = 33;
	CUgraphNodeParams k = {.type = CU_GRAPH_NODE_TYPE_KERNEL};
	k.kernel.func = function(m, "add");
	k.kernel.gridDimX = k.kernel.gridDimY = k.kernel.gridDimZ = 1;
	k.kernel.blockDimX = k.kernel.blockDimY = k.kernel.blockDimZ = 1;
	k.kernel.kernelParams = arguments;
	HAVE("nodes by one function", cuGraphAddNode(&a, graph, NULL, NULL, 0, &k));
	CUgraphNodeParams fill = {.type = CU_GRAPH_NODE_TYPE_MEMSET};
	fill.memset.dst = p + 4;
	fill.memset.value = 15;
	fill.memset.elementSize = 4;
	fill.memset.width = fill.memset.height = 1;
	fill.memset.ctx = current();
	OK(cuGraphAddNode(&b, graph, &a, NULL, 1, &fill));
	CUgraphNodeParams copy = {.type = CU_GRAPH_NODE_TYPE_MEMCPY};
	copy.memcpy.copyCtx = current();
	copy.memcpy.copyParams = up(p + 8, from, 4);
	OK(cuGraphAddNode(&c, graph, &b, NULL, 1, &copy));
	CUgraphNodeParams host = {.type = CU_GRAPH_NODE_TYPE_HOST};
	host.host.fn = note_call;
	host.host.userData = &mark;
	OK(cuGraphAddNode(&d, graph, (CUgraphNode[]){a, c}, NULL, 2, &host));
	CUgraphExec exec = instantiate(graph);
	run(exec, s);
	EQUAL(6, value_at(p));
	EQUAL(15, value_at(p + 4));
	EQUAL(33, value_at(p + 8));
	EQUAL(9, calls[0]);
	v = 4;
	OK(cuGraphExecNodeSetParams(exec, a, &k));
	run(exec, s);
	EQUAL(10, value_at(p));
	v = 1;
	OK(cuGraphNodeSetParams(a, &k));
	run(instantiate(graph), s);
	EQUAL(11, value_at(p));
}

static void a_graph_has_memory_of_its_own(void)
{
	start();
	CUstream s = stream_of_its_own();
	unsigned *to = pinned(2);
	CUgraph graph = graph_new();
	CUgraphNode alloc, fill_node, copy_node, free_node;
	CUDA_MEM_ALLOC_NODE_PARAMS params = {.bytesize = 4096}, got;
	params.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
	params.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
	params.poolProps.location.id = device;
	HAVE("memory nodes", cuGraphAddMemAllocNode(&alloc, graph, NULL, 0, &params));
	TRUE(params.dptr != 0);
	OK(cuGraphMemAllocNodeGetParams(alloc, &got));
	EQUAL(params.dptr, got.dptr);
	EQUAL(4096, got.bytesize);
	CUDA_MEMSET_NODE_PARAMS fill = {.dst = params.dptr, .value = 321, .elementSize = 4, .width = 2, .height = 1};
	OK(cuGraphAddMemsetNode(&fill_node, graph, &alloc, 1, &fill, current()));
	CUDA_MEMCPY3D copy = down(to, params.dptr, 8);
	OK(cuGraphAddMemcpyNode(&copy_node, graph, &fill_node, 1, &copy, current()));
	OK(cuGraphAddMemFreeNode(&free_node, graph, &copy_node, 1, params.dptr));
	CUdeviceptr freed = 0;
	OK(cuGraphMemFreeNodeGetParams(free_node, &freed));
	EQUAL(params.dptr, freed);
	CUgraphExec exec = instantiate(graph);
	run(exec, s);
	EQUAL(321, to[1]);
	memset(to, 0, 8);
	run(exec, s);
	EQUAL(321, to[1]);
	OK(cuGraphExecDestroy(exec));
	OK(cuGraphDestroy(graph));
	OK(cuDeviceGraphMemTrim(device));
}

static void values_in_memory_are_written_by_a_node(void)
{
	start();
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(2);
	CUstreamBatchMemOpParams ops[2] = {0};
	ops[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
	ops[0].writeValue.address = p;
	ops[0].writeValue.value = 71;
	ops[1].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
	ops[1].writeValue.address = p + 4;
	ops[1].writeValue.value = 72;
	CUDA_BATCH_MEM_OP_NODE_PARAMS params = {.ctx = current(), .count = 2, .paramArray = ops}, got;
	CUgraph graph = graph_new();
	CUgraphNode node;
	HAVE("memory operations in graphs", cuGraphAddBatchMemOpNode(&node, graph, NULL, 0, &params));
	OK(cuGraphBatchMemOpNodeGetParams(node, &got));
	EQUAL(2, got.count);
	TRUE(got.paramArray && got.paramArray != ops);
	EQUAL(p + 4, got.paramArray[1].writeValue.address);
	EQUAL(72, got.paramArray[1].writeValue.value);
	CUgraphExec exec = instantiate(graph);
	run(exec, s);
	EQUAL(71, value_at(p));
	EQUAL(72, value_at(p + 4));
	ops[0].writeValue.value = 81;
	OK(cuGraphExecBatchMemOpNodeSetParams(exec, node, &params));
	run(exec, s);
	EQUAL(81, value_at(p));
}

static void a_body_runs_on_its_condition(void)
{
	start();
	CUmodule m = load(ptx);
	CUfunction add = function(m, "add");
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(2);
	CUgraph graph = graph_new();
	CUgraphNode node;
	for (unsigned i = 0; i < 2; i++) {
		CUgraphConditionalHandle handle;
		HAVE("conditional nodes", cuGraphConditionalHandleCreate(&handle, graph, current(), i, 1 /* assign the default */));
		CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_CONDITIONAL};
		params.conditional.handle = handle;
		params.conditional.type = CU_GRAPH_COND_TYPE_IF;
		params.conditional.size = 1;
		params.conditional.ctx = current();
		HAVE("conditional nodes", cuGraphAddNode(&node, graph, NULL, NULL, 0, &params));
		TRUE(params.conditional.phGraph_out != NULL && params.conditional.phGraph_out[0] != NULL);
		kernel_node(params.conditional.phGraph_out[0], NULL, add, p + 4 * i, 7);
	}
	CUgraphExec exec = instantiate(graph);
	run(exec, s);
	EQUAL(0, value_at(p));
	EQUAL(7, value_at(p + 4));
	run(exec, s);
	EQUAL(0, value_at(p));
	EQUAL(14, value_at(p + 4));
	OK(cuGraphExecDestroy(exec));
	OK(cuGraphDestroy(graph));
}

static sem_t ended;
static atomic_int endings;

static void object_ends(void *arg)
{
	atomic_fetch_add(&endings, *(int *)arg);
	sem_post(&ended);
}

static void an_object_ends_with_the_last_graph_that_holds_it(void)
{
	start();
	CUstream s = stream_of_its_own();
	static int weight = 5;
	CUuserObject object;
	sem_init(&ended, 0, 0);
	CUgraph graph = graph_new();
	CUgraphNode node;
	OK(cuGraphAddEmptyNode(&node, graph, NULL, 0));
	HAVE("user objects", cuUserObjectCreate(&object, &weight, object_ends, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
	OK(cuUserObjectRetain(object, 1));
	OK(cuUserObjectRelease(object, 1));
	OK(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
	CUgraphExec exec = instantiate(graph);
	OK(cuGraphDestroy(graph));
	run(exec, s);
	EQUAL(0, atomic_load(&endings));
	OK(cuGraphExecDestroy(exec));
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec += 60;
	while (sem_timedwait(&ended, &t))
		if (errno != EINTR)
			FAIL("the destructor did not run");
	EQUAL(5, atomic_load(&endings));
}

static void many_graphs_come_and_go(void)
{
	start();
	CUmodule m = load(ptx);
	CUfunction add = function(m, "add");
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(1);
	unsigned v = 1;
	for (int round = 0; round < 30; round++) {
		CUgraph graph = graph_new(), child = graph_new();
		CUgraphNode node = kernel_node(graph, NULL, add, p, 1), child_node, got[64];
		for (int i = 1; i < 40; i++)
			node = kernel_node(graph, &node, add, p, 1);
		kernel_node(child, NULL, add, p, 1);
		OK(cuGraphAddChildGraphNode(&child_node, graph, &node, 1, child));
		size_t count = 64;
		OK(cuGraphGetNodes(graph, got, &count));
		EQUAL(41, count);
		CUDA_KERNEL_NODE_PARAMS k;
		OK(cuGraphKernelNodeGetParams(got[0], &k));
		parameter(&k, 1, 8, &v, 4);
		EQUAL(1, v);
		CUgraphExec exec = instantiate(graph);
		OK(cuGraphLaunch(exec, s));
		OK(cuGraphDestroy(child));
		OK(cuGraphDestroy(graph));
		OK(cuGraphExecDestroy(exec)); // while it may still run
	}
	OK(cuStreamSynchronize(s));
	EQUAL(30 * 41, value_at(p));
}

static const struct test_case cases[] = {
	CASE(a_graph_of_every_kind_of_node_runs),
	CASE(kernels_give_back_their_parameters),
	CASE(a_captured_kernel_gives_back_its_parameters),
	CASE(nodes_give_back_what_they_were_given),
	CASE(a_node_copies_rows_of_registered_memory),
	CASE(kernel_nodes_have_attributes),
	CASE(an_execs_nodes_change_and_the_graphs_do_not),
	CASE(an_exec_is_updated_from_another_graph),
	CASE(a_clone_lives_without_its_original),
	CASE(nodes_and_edges_are_listed),
	CASE(a_graph_is_printed_into_the_programs_file),
	CASE(host_nodes_run_in_their_order),
	CASE(nodes_of_any_kind_go_through_one_function),
	CASE(a_graph_has_memory_of_its_own),
	CASE(values_in_memory_are_written_by_a_node),
	CASE(a_body_runs_on_its_condition),
	CASE(an_object_ends_with_the_last_graph_that_holds_it),
	CASE(many_graphs_come_and_go),
};

int main(int argc, char **argv)
{
	return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
