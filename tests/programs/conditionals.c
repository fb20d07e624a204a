// SPDX-License-Identifier: Apache-2.0
//
// Conditional nodes: bodies that run if, while and where a kernel says so.
#include "graphs.h"
#include "kernels.h"

// choose(handle, p): the condition becomes *p; countdown(handle, p): *p -= 1, and the condition becomes that
static const char deciding[] = PTX_HEAD
	".extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);\n"
	".visible .entry choose(.param .u64 h, .param .u64 p)\n{\n"
	"  .reg .b32 %r<2>; .reg .b64 %rd<3>;\n"
	"  ld.param.u64 %rd1, [h];\n  ld.param.u64 %rd2, [p];\n  cvta.to.global.u64 %rd2, %rd2;\n  ld.global.u32 %r1, [%rd2];\n"
	"  { .param .b64 a; .param .b32 b;\n  st.param.b64 [a], %rd1;\n  st.param.b32 [b], %r1;\n"
	"  call.uni cudaGraphSetConditional, (a, b); }\n  ret;\n}\n"
	".visible .entry countdown(.param .u64 h, .param .u64 p)\n{\n"
	"  .reg .b32 %r<3>; .reg .b64 %rd<3>;\n"
	"  ld.param.u64 %rd1, [h];\n  ld.param.u64 %rd2, [p];\n  cvta.to.global.u64 %rd2, %rd2;\n  ld.global.u32 %r1, [%rd2];\n"
	"  sub.u32 %r2, %r1, 1;\n  st.global.u32 [%rd2], %r2;\n"
	"  { .param .b64 a; .param .b32 b;\n  st.param.b64 [a], %rd1;\n  st.param.b32 [b], %r2;\n"
	"  call.uni cudaGraphSetConditional, (a, b); }\n  ret;\n}\n";
static const char plain[] = PTX_HEAD PTX_ADD;

static CUfunction add, choose, countdown;

static void load_all(void)
{
	CUmodule m;
	start();
	add = function(load(plain), "add");
	CUresult r = cuModuleLoadData(&m, deciding);
	if (r)
		SKIP("this library resolves no cudaGraphSetConditional in PTX: %d", r);
	choose = function(m, "choose");
	countdown = function(m, "countdown");
}

static CUgraphConditionalHandle condition(CUgraph g, unsigned value, unsigned flags)
{
	CUgraphConditionalHandle h;
	HAVE("conditional nodes", cuGraphConditionalHandleCreate(&h, g, current(), value, flags));
	return h;
}

// A node whose bodies are in `bodies`.
static CUgraphNode conditional(CUgraph g, CUgraphNode after, CUgraphConditionalHandle h, CUgraphConditionalNodeType type, unsigned size,
			       CUgraph *bodies)
{
	CUgraphNode n;
	CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_CONDITIONAL};
	p.conditional.handle = h;
	p.conditional.type = type;
	p.conditional.size = size;
	p.conditional.ctx = current();
	OK(cuGraphAddNode(&n, g, after ? &after : NULL, NULL, after ? 1 : 0, &p));
	TRUE(p.conditional.phGraph_out != NULL);
	for (unsigned i = 0; i < size; i++) {
		TRUE(p.conditional.phGraph_out[i] != NULL);
		bodies[i] = p.conditional.phGraph_out[i];
	}
	return n;
}

// A node of choose or countdown.
static CUgraphNode decider(CUgraph g, CUgraphNode after, CUfunction f, CUgraphConditionalHandle h, CUdeviceptr p)
{
	void *arguments[] = {&h, &p};
	CUDA_KERNEL_NODE_PARAMS k = {.func = f, .gridDimX = 1, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 1, .blockDimY = 1,
				     .blockDimZ = 1, .kernelParams = arguments};
	CUgraphNode n;
	OK(cuGraphAddKernelNode(&n, g, after ? &after : NULL, after ? 1 : 0, &k));
	return n;
}

static void put(CUdeviceptr p, unsigned v) { OK(cuMemcpyHtoD(p, &v, 4)); }

static void a_kernel_decides_whether_and_which(void)
{
	load_all();
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(4);
	CUgraph g = graph_new(), bodies[2];
	CUgraphConditionalHandle h = condition(g, 0, 1);
	CUgraphNode n = conditional(g, decider(g, NULL, choose, h, p), h, CU_GRAPH_COND_TYPE_IF, 2, bodies);
	kernel_node(bodies[0], NULL, add, p + 4, 1);
	kernel_node(bodies[1], NULL, add, p + 8, 1);
	kernel_node(g, &n, add, p + 12, 1); // what comes after waits for the body
	CUgraphExec e = instantiate(g);
	for (unsigned i = 0; i < 5; i++) {
		put(p, i % 2 * 77);
		run(e, s);
	}
	EQUAL(2, value_at(p + 4));
	EQUAL(3, value_at(p + 8));
	EQUAL(5, value_at(p + 12));
}

static void a_body_runs_while_its_kernel_says_so(void)
{
	load_all();
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(3);
	CUgraph g = graph_new(), body;
	CUgraphConditionalHandle h = condition(g, 1, 1);
	CUgraphNode n = conditional(g, NULL, h, CU_GRAPH_COND_TYPE_WHILE, 1, &body);
	CUgraphNode first = kernel_node(body, NULL, add, p + 4, 3);
	decider(body, first, countdown, h, p);
	kernel_node(g, &n, add, p + 8, 1);
	CUgraphExec e = instantiate(g);
	OK(cuGraphDestroy(g)); // what was instantiated is whole by itself
	put(p, 10);
	run(e, s);
	EQUAL(0, value_at(p));
	EQUAL(30, value_at(p + 4));
	put(p, 7);
	run(e, s);
	EQUAL(51, value_at(p + 4));
	EQUAL(2, value_at(p + 8));
	OK(cuGraphExecDestroy(e));
}

static void one_of_many_bodies_runs(void)
{
	enum { N = 5 };
	load_all();
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(1 + N);
	CUgraph g = graph_new(), bodies[N];
	CUgraphConditionalHandle h = condition(g, 0, 1);
	conditional(g, decider(g, NULL, choose, h, p), h, CU_GRAPH_COND_TYPE_SWITCH, N, bodies);
	for (unsigned i = 0; i < N; i++)
		kernel_node(bodies[i], NULL, add, p + 4 + 4 * i, i + 1);
	CUgraphExec e = instantiate(g);
	for (unsigned i = 0; i < N + 3; i++) { // beyond the last one there is none
		put(p, i);
		run(e, s);
	}
	for (unsigned i = 0; i < N; i++)
		EQUAL(i + 1, value_at(p + 4 + 4 * i));
}

static void bodies_have_bodies(void)
{
	load_all();
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(4);
	CUgraph g = graph_new(), outer, inner;
	// outer runs p[0] times, and in each of them inner runs as often as p[1] says then: as p[3] was copied there.
	CUgraphConditionalHandle h = condition(g, 1, 1);
	conditional(g, NULL, h, CU_GRAPH_COND_TYPE_WHILE, 1, &outer);
	CUgraphConditionalHandle k = condition(outer, 1, 0);
	CUDA_MEMCPY3D again = down(NULL, p + 12, 4);
	again.dstMemoryType = CU_MEMORYTYPE_DEVICE;
	again.dstDevice = p + 4;
	CUgraphNode copy, n;
	OK(cuGraphAddMemcpyNode(&copy, outer, NULL, 0, &again, current()));
	n = decider(outer, copy, choose, k, p + 4);
	n = conditional(outer, n, k, CU_GRAPH_COND_TYPE_WHILE, 1, &inner);
	decider(outer, n, countdown, h, p);
	decider(inner, kernel_node(inner, NULL, add, p + 8, 1), countdown, k, p + 4);
	CUgraphExec e = instantiate(g);
	put(p, 3);
	put(p + 12, 4);
	run(e, s);
	EQUAL(12, value_at(p + 8));
}

static void a_capture_fills_a_body(void)
{
	load_all();
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(2);
	CUgraph g = graph_new(), body, same = NULL;
	CUgraphConditionalHandle h = condition(g, 1, 1);
	conditional(g, NULL, h, CU_GRAPH_COND_TYPE_WHILE, 1, &body);
	OK(cuStreamBeginCaptureToGraph(s, body, NULL, NULL, 0, CU_STREAM_CAPTURE_MODE_GLOBAL));
	launch(add, p + 4, 2, s);
	void *arguments[] = {&h, &p};
	OK(cuLaunchKernel(countdown, 1, 1, 1, 1, 1, 1, 0, s, arguments, NULL));
	OK(cuStreamEndCapture(s, &same));
	TRUE(same == body);
	CUgraphExec e = instantiate(g);
	put(p, 6);
	run(e, s);
	EQUAL(12, value_at(p + 4));
}

static void conditions_are_set_anew_at_each_launch_or_not(void)
{
	load_all();
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(3);
	CUgraph g = graph_new(), body;
	// The condition is set after it was looked at: the next launch must not see that if there is a default.
	CUgraphConditionalHandle h = condition(g, 0, 1);
	CUgraphNode n = conditional(g, NULL, h, CU_GRAPH_COND_TYPE_IF, 1, &body);
	kernel_node(body, NULL, add, p + 4, 1);
	decider(g, n, choose, h, p);
	CUgraphExec e = instantiate(g);
	put(p, 1);
	for (int i = 0; i < 3; i++)
		run(e, s);
	EQUAL(0, value_at(p + 4));
}

static void what_is_wrong_is_refused(void)
{
	load_all();
	CUgraph g = graph_new();
	CUgraphConditionalHandle h = condition(g, 0, 1);
	CUgraphNode n;
	CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_CONDITIONAL};
	TRUE(cuGraphConditionalHandleCreate(&h, NULL, current(), 0, 0) != CUDA_SUCCESS);
	p.conditional.handle = h;
	p.conditional.type = CU_GRAPH_COND_TYPE_WHILE;
	p.conditional.size = 0;
	p.conditional.ctx = current();
	GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphAddNode(&n, g, NULL, NULL, 0, &p));
	p.conditional.size = 2;
	GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphAddNode(&n, g, NULL, NULL, 0, &p));
	OK(cuGraphDestroy(g));
}

static const struct test_case cases[] = {
	CASE(a_kernel_decides_whether_and_which),
	CASE(a_body_runs_while_its_kernel_says_so),
	CASE(one_of_many_bodies_runs),
	CASE(bodies_have_bodies),
	CASE(a_capture_fills_a_body),
	CASE(conditions_are_set_anew_at_each_launch_or_not),
	CASE(what_is_wrong_is_refused),
};

int main(int argc, char **argv)
{
	return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
