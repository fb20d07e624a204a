// SPDX-License-Identifier: Apache-2.0
//
// Stream capture as a program sees it: a replay does what the calls would have
// done, with what the buffers hold then; a capture spreads by events and tells
// of itself; what may not be recorded is refused and spoils it. Written to the
// driver API alone; passes on the vendor's library as on axon's. What a library
// does not have at all is skipped, by its word.
#include <pthread.h>

#include "graphs.h"
#include "kernels.h"

static const char ptx[] = PTX_HEAD PTX_PUT PTX_ADD;

// Some work of several kinds, with a result in every word.
static void work(CUmodule m, CUstream s, CUdeviceptr p, CUdeviceptr q, const unsigned *from, unsigned *to)
{
	OK(cuMemcpyHtoDAsync(p, from, 16, s));
	launch(function(m, "add"), p, 5, s);
	launch(function(m, "put"), p + 4, 77, s);
	OK(cuMemsetD32Async(p + 8, 9, 1, s));
	OK(cuMemcpyDtoDAsync(q, p, 16, s));
	launch(function(m, "add"), q + 12, 1, s);
	OK(cuMemcpyDtoHAsync(to, q, 16, s));
}

static void a_captured_graph_does_the_same_as_the_calls(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(4), q = words(4);
	unsigned *from = pinned(4), *eager = pinned(4), *replayed = pinned(4);
	for (unsigned i = 0; i < 4; i++)
		from[i] = 100 + i;
	work(m, s, p, q, from, eager);
	OK(cuStreamSynchronize(s));
	begin(s);
	work(m, s, p, q, from, replayed);
	CUgraph graph = end(s);
	CUgraphExec exec = instantiate(graph);
	EQUAL(0, replayed[0]); // recorded, not done
	OK(cuMemsetD32(p, 0, 4));
	OK(cuMemsetD32(q, 0, 4));
	OK(cuCtxSynchronize());
	run(exec, s);
	for (int i = 0; i < 4; i++)
		EQUAL(eager[i], replayed[i]);
	EQUAL(105, replayed[0]);
	EQUAL(77, replayed[1]);
	EQUAL(9, replayed[2]);
	EQUAL(104, replayed[3]);
	OK(cuGraphExecDestroy(exec));
	OK(cuGraphDestroy(graph));
}

static void a_replay_sees_what_the_buffers_hold_then(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(4), q = words(4);
	unsigned *from = pinned(4), *to = pinned(4);
	begin(s);
	work(m, s, p, q, from, to);
	CUgraph graph = end(s);
	CUgraphExec exec = instantiate(graph);
	OK(cuGraphDestroy(graph)); // the exec is its own
	for (unsigned round = 1; round <= 20; round++) {
		from[0] = 1000 * round;
		from[3] = 7 * round;
		run(exec, s);
		EQUAL(1000 * round + 5, to[0]);
		EQUAL(7 * round + 1, to[3]);
	}
	OK(cuGraphExecDestroy(exec));
}

static void replays_keep_their_streams_order(void)
{
	start();
	CUmodule m = load(ptx);
	CUfunction add = function(m, "add"), put = function(m, "put");
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(1);
	begin(s);
	launch(add, p, 1, s);
	CUgraphExec exec = instantiate(end(s));
	for (unsigned i = 0; i < 50; i++) {
		launch(put, p, 10 * i, s);
		OK(cuGraphLaunch(exec, s));
		OK(cuGraphLaunch(exec, s));
	}
	unsigned v = 0;
	OK(cuMemcpyDtoHAsync(&v, p, 4, s));
	OK(cuStreamSynchronize(s));
	EQUAL(492, v);
}

static void a_capture_forks_and_joins_by_events(void)
{
	start();
	CUmodule m = load(ptx);
	CUfunction add = function(m, "add"), put = function(m, "put");
	CUstream a = stream_of_its_own(), b = stream_of_its_own();
	CUstreamCaptureStatus status;
	CUdeviceptr p = words(2);
	CUevent fork, join;
	size_t nodes = 0, edges = 0;
	OK(cuEventCreate(&fork, CU_EVENT_DISABLE_TIMING));
	OK(cuEventCreate(&join, CU_EVENT_DISABLE_TIMING));
	begin(a);
	launch(put, p, 10, a);
	OK(cuEventRecord(fork, a));
	OK(cuStreamIsCapturing(b, &status));
	EQUAL(CU_STREAM_CAPTURE_STATUS_NONE, status);
	OK(cuStreamWaitEvent(b, fork, 0));
	OK(cuStreamIsCapturing(b, &status));
	EQUAL(CU_STREAM_CAPTURE_STATUS_ACTIVE, status);
	launch(put, p + 4, 20, b);
	OK(cuEventRecord(join, b));
	launch(add, p, 1, a);
	OK(cuStreamWaitEvent(a, join, 0));
	launch(add, p + 4, 3, a);
	CUgraph graph = end(a);
	OK(cuStreamIsCapturing(b, &status));
	EQUAL(CU_STREAM_CAPTURE_STATUS_NONE, status);
	OK(cuGraphGetNodes(graph, NULL, &nodes));
	EQUAL(4, nodes);
	OK(cuGraphGetEdges(graph, NULL, NULL, NULL, &edges));
	EQUAL(4, edges);
	CUgraphExec exec = instantiate(graph);
	run(exec, a);
	EQUAL(11, value_at(p));
	EQUAL(23, value_at(p + 4));
	// Both streams do ordinary work again.
	launch(add, p, 1, a);
	launch(add, p + 4, 1, b);
	OK(cuStreamSynchronize(a));
	OK(cuStreamSynchronize(b));
	EQUAL(12, value_at(p));
	EQUAL(24, value_at(p + 4));
}

static void a_fork_that_is_not_joined_is_an_error(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream a = stream_of_its_own(), b = stream_of_its_own();
	CUdeviceptr p = words(1);
	CUevent fork;
	CUgraph graph;
	OK(cuEventCreate(&fork, CU_EVENT_DISABLE_TIMING));
	begin(a);
	OK(cuEventRecord(fork, a));
	OK(cuStreamWaitEvent(b, fork, 0));
	launch(function(m, "add"), p, 1, b);
	GIVES(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, cuStreamEndCapture(a, &graph));
	launch(function(m, "put"), p, 5, a);
	OK(cuStreamSynchronize(a));
	EQUAL(5, value_at(p));
}

static void a_capture_tells_of_itself(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own(), other = stream_of_its_own();
	CUstreamCaptureStatus status;
	CUdeviceptr p = words(1);
	cuuint64_t id = 0, id2 = 0;
	CUgraph graph = NULL;
	const CUgraphNode *tips;
	size_t count = 99, nodes = 0;
	CUgraphNodeType type;
	OK(cuStreamIsCapturing(s, &status));
	EQUAL(CU_STREAM_CAPTURE_STATUS_NONE, status);
	OK(cuStreamGetCaptureInfo(s, &status, NULL, NULL, NULL, NULL, NULL));
	EQUAL(CU_STREAM_CAPTURE_STATUS_NONE, status);
	begin(s);
	OK(cuStreamGetCaptureInfo(s, &status, &id, &graph, &tips, NULL, &count));
	EQUAL(CU_STREAM_CAPTURE_STATUS_ACTIVE, status);
	TRUE(id != 0 && graph != NULL);
	EQUAL(0, count);
	launch(function(m, "add"), p, 1, s);
	OK(cuStreamGetCaptureInfo(s, &status, &id2, NULL, &tips, NULL, &count));
	EQUAL(id, id2);
	EQUAL(1, count);
	OK(cuGraphNodeGetType(tips[0], &type));
	EQUAL(CU_GRAPH_NODE_TYPE_KERNEL, type);
	OK(cuStreamIsCapturing(other, &status));
	EQUAL(CU_STREAM_CAPTURE_STATUS_NONE, status);
	// A node that the program adds by hand can be waited for.
	CUgraphNode first = tips[0], by_hand;
	OK(cuGraphAddEmptyNode(&by_hand, graph, &first, 1));
	OK(cuStreamUpdateCaptureDependencies(s, &by_hand, NULL, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
	launch(function(m, "add"), p, 1, s);
	CUgraph ended = end(s);
	TRUE(ended == graph);
	OK(cuGraphGetNodes(graph, NULL, &nodes));
	EQUAL(3, nodes);
	OK(cuStreamIsCapturing(s, &status));
	EQUAL(CU_STREAM_CAPTURE_STATUS_NONE, status);
	run(instantiate(graph), s);
	EQUAL(2, value_at(p));
}

static void a_capture_can_add_to_a_graph_that_is_there(void)
{
	start();
	CUmodule m = load(ptx);
	CUfunction add = function(m, "add"), put = function(m, "put");
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(1);
	CUgraph graph = graph_new(), ended;
	CUgraphNode first = kernel_node(graph, NULL, put, p, 40);
	HAVE("capture into a graph",
	     cuStreamBeginCaptureToGraph(s, graph, &first, NULL, 1, CU_STREAM_CAPTURE_MODE_GLOBAL));
	launch(add, p, 2, s);
	OK(cuStreamEndCapture(s, &ended));
	TRUE(ended == graph);
	run(instantiate(graph), s);
	EQUAL(42, value_at(p));
}

static void what_cannot_be_recorded_spoils_a_capture(void)
{
	start();
	CUmodule m = load(ptx);
	CUfunction add = function(m, "add");
	CUstream s = stream_of_its_own();
	CUstreamCaptureStatus status;
	CUdeviceptr p = words(1), other = 0;
	CUgraph graph;
	begin(s);
	GIVES(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuMemAlloc(&other, 4));
	OK(cuStreamIsCapturing(s, &status));
	EQUAL(CU_STREAM_CAPTURE_STATUS_INVALIDATED, status);
	graph = (CUgraph)&graph;
	GIVES(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(s, &graph));
	TRUE(graph == NULL);
	OK(cuStreamIsCapturing(s, &status));
	EQUAL(CU_STREAM_CAPTURE_STATUS_NONE, status);
	begin(s);
	GIVES(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamSynchronize(s));
	GIVES(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(s, &graph));
	// Nothing of it is left: the stream works, and can record.
	launch(add, p, 1, s);
	OK(cuStreamSynchronize(s));
	OK(cuMemAlloc(&other, 4));
	begin(s);
	launch(add, p, 1, s);
	run(instantiate(end(s)), s);
	EQUAL(2, value_at(p));
}

// Where calls are not waited for, the error of one in the capture may be told by
// the end. The capture is over all the same.
static void a_capture_ends_whatever_went_wrong_in_it(void)
{
	start();
	CUmodule m = load(ptx);
	CUfunction add = function(m, "add");
	CUstream s;
	CUstreamCaptureStatus status;
	CUdeviceptr p = words(1);
	unsigned one = 1;
	void *arguments[] = {&p, &one};
	CUgraph graph;
	OK(cuStreamCreate(&s, CU_STREAM_DEFAULT));
	begin(s);
	launch(add, p, 1, s);
	// The default stream would wait for s.
	CUresult in_it = cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL);
	TRUE(in_it == CUDA_SUCCESS || in_it == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
	CUresult r = cuStreamEndCapture(s, &graph);
	TRUE(r == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED || r == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
	TRUE(graph == NULL);
	OK(cuStreamIsCapturing(s, &status));
	EQUAL(CU_STREAM_CAPTURE_STATUS_NONE, status);
	launch(add, p, 1, s);
	OK(cuStreamSynchronize(s));
	EQUAL(1, value_at(p));
}

static void an_end_without_a_beginning_is_an_error(void)
{
	start();
	CUstream s = stream_of_its_own();
	CUgraph graph;
	CUresult r = cuStreamEndCapture(s, &graph);
	TRUE(r != CUDA_SUCCESS);
	begin(s);
	TRUE(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL) != CUDA_SUCCESS);
	r = cuStreamEndCapture(s, &graph); // whether that spoils it is not said
	TRUE(r == CUDA_SUCCESS || r == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
	begin(s);
	OK(cuGraphDestroy(end(s)));
}

struct allocation {
	CUcontext context;
	int exchange;
	CUresult result;
};

static void *allocate(void *arg)
{
	struct allocation *a = arg;
	CUdeviceptr p;
	CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
	a->result = cuCtxSetCurrent(a->context);
	if (!a->result && a->exchange)
		a->result = cuThreadExchangeStreamCaptureMode(&mode);
	if (!a->result)
		a->result = cuMemAlloc(&p, 4);
	return NULL;
}

static CUresult allocate_elsewhere(int relaxed)
{
	struct allocation a = {.context = current(), .exchange = relaxed};
	pthread_t thread;
	pthread_create(&thread, NULL, allocate, &a);
	pthread_join(thread, NULL);
	return a.result;
}

static void who_may_allocate_depends_on_the_modes(void)
{
	start();
	CUstream s = stream_of_its_own();
	CUdeviceptr p;
	CUgraph graph;
	HAVE("stream capture", cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED));
	OK(cuMemAlloc(&p, 4));
	OK(allocate_elsewhere(0));
	OK(cuStreamEndCapture(s, &graph));

	OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
	OK(allocate_elsewhere(0));
	OK(cuStreamEndCapture(s, &graph));

	OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
	OK(allocate_elsewhere(1));
	CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
	OK(cuThreadExchangeStreamCaptureMode(&mode));
	EQUAL(CU_STREAM_CAPTURE_MODE_GLOBAL, mode);
	OK(cuMemAlloc(&p, 4));
	OK(cuThreadExchangeStreamCaptureMode(&mode));
	EQUAL(CU_STREAM_CAPTURE_MODE_RELAXED, mode);
	OK(cuStreamEndCapture(s, &graph));

	OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
	GIVES(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, allocate_elsewhere(0));
	GIVES(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(s, &graph));
}

struct recorder {
	CUcontext context;
	CUfunction add;
	CUdeviceptr p;
	unsigned v;
};

static void *record_in_own_stream(void *arg)
{
	struct recorder *r = arg;
	CUgraph graph;
	OK(cuCtxSetCurrent(r->context));
	for (int round = 0; round < 20; round++) {
		OK(cuStreamBeginCapture(CU_STREAM_PER_THREAD, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
		launch(r->add, r->p, r->v, CU_STREAM_PER_THREAD);
		OK(cuStreamEndCapture(CU_STREAM_PER_THREAD, &graph));
		CUgraphExec exec = instantiate(graph);
		run(exec, CU_STREAM_PER_THREAD);
		OK(cuGraphExecDestroy(exec));
		OK(cuGraphDestroy(graph));
	}
	return NULL;
}

static void threads_record_in_their_own_streams(void)
{
	start();
	CUmodule m = load(ptx);
	CUdeviceptr p = words(4);
	CUstream s = stream_of_its_own();
	struct recorder r[4];
	pthread_t threads[4];
	begin(s);
	OK(cuGraphDestroy(end(s)));
	for (int i = 0; i < 4; i++) {
		r[i] = (struct recorder){current(), function(m, "add"), p + 4 * (unsigned)i, (unsigned)i + 1};
		pthread_create(&threads[i], NULL, record_in_own_stream, &r[i]);
	}
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	for (unsigned i = 0; i < 4; i++)
		EQUAL(20 * (i + 1), value_at(p + 4 * i));
}

static void events_outside_a_capture_are_recorded_in_it(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(1);
	CUevent before, after;
	float ms = -1;
	OK(cuEventCreate(&before, 0));
	OK(cuEventCreate(&after, 0));
	begin(s);
	OK(cuEventRecordWithFlags(before, s, CU_EVENT_RECORD_EXTERNAL));
	launch(function(m, "add"), p, 1, s);
	OK(cuEventRecordWithFlags(after, s, CU_EVENT_RECORD_EXTERNAL));
	CUgraphExec exec = instantiate(end(s));
	OK(cuGraphLaunch(exec, s));
	OK(cuEventSynchronize(after));
	EQUAL(1, value_at(p));
	OK(cuEventElapsedTime(&ms, before, after));
	TRUE(ms >= 0);
}

static void allocations_in_a_capture_are_the_graphs(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(1), temporary = 0;
	begin(s);
	HAVE("memory nodes", cuMemAllocAsync(&temporary, 64, s));
	OK(cuMemsetD32Async(temporary, 8, 1, s));
	launch(function(m, "add"), temporary, 4, s);
	OK(cuMemcpyDtoDAsync(p, temporary, 4, s));
	OK(cuMemFreeAsync(temporary, s));
	CUgraphExec exec = instantiate(end(s));
	run(exec, s);
	EQUAL(12, value_at(p));
	run(exec, s);
	EQUAL(12, value_at(p));
}

static const struct test_case cases[] = {
	CASE(a_captured_graph_does_the_same_as_the_calls),
	CASE(a_replay_sees_what_the_buffers_hold_then),
	CASE(replays_keep_their_streams_order),
	CASE(a_capture_forks_and_joins_by_events),
	CASE(a_fork_that_is_not_joined_is_an_error),
	CASE(a_capture_tells_of_itself),
	CASE(a_capture_can_add_to_a_graph_that_is_there),
	CASE(what_cannot_be_recorded_spoils_a_capture),
	CASE(a_capture_ends_whatever_went_wrong_in_it),
	CASE(an_end_without_a_beginning_is_an_error),
	CASE(who_may_allocate_depends_on_the_modes),
	CASE(threads_record_in_their_own_streams),
	CASE(events_outside_a_capture_are_recorded_in_it),
	CASE(allocations_in_a_capture_are_the_graphs),
};

int main(int argc, char **argv)
{
	return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
