// SPDX-License-Identifier: Apache-2.0
//
// What the programs about graphs share: words of memory, nodes that add to
// them, captures and replays.
#ifndef AXON_TEST_GRAPHS_H
#define AXON_TEST_GRAPHS_H

#include "check.h"

#define HAVE(what, call) \
	do { \
		int have_ = (int)(call); \
		if (have_ == CUDA_ERROR_NOT_SUPPORTED) \
			SKIP("this library has no " what); \
		if (have_) \
			FAIL("%s gave %d", #call, have_); \
	} while (0)

static inline CUdeviceptr words(size_t n)
{
	CUdeviceptr p;
	OK(cuMemAlloc(&p, 4 * n));
	OK(cuMemsetD32(p, 0, n));
	OK(cuCtxSynchronize()); // a memset does not wait, and streams of their own do not wait for it
	return p;
}

static inline unsigned value_at(CUdeviceptr p)
{
	unsigned v = 0xdead;
	OK(cuMemcpyDtoH(&v, p, 4));
	return v;
}

static inline unsigned *pinned(size_t n)
{
	void *p;
	OK(cuMemHostAlloc(&p, 4 * n, 0));
	memset(p, 0, 4 * n);
	return p;
}

static inline CUstream stream_of_its_own(void)
{
	CUstream s;
	OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
	return s;
}

static inline void launch(CUfunction f, CUdeviceptr p, unsigned v, CUstream s)
{
	void *arguments[] = {&p, &v};
	OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, arguments, NULL));
}

static inline CUgraphNode kernel_node(CUgraph graph, CUgraphNode *after, CUfunction f, CUdeviceptr p, unsigned v)
{
	void *arguments[] = {&p, &v};
	CUDA_KERNEL_NODE_PARAMS k = {.func = f,
				     .gridDimX = 1,
				     .gridDimY = 1,
				     .gridDimZ = 1,
				     .blockDimX = 1,
				     .blockDimY = 1,
				     .blockDimZ = 1,
				     .kernelParams = arguments};
	CUgraphNode node;
	HAVE("graphs", cuGraphAddKernelNode(&node, graph, after, after != NULL, &k));
	p = v = 0; // the node has its own
	return node;
}

static inline CUgraph graph_new(void)
{
	CUgraph graph;
	HAVE("graphs", cuGraphCreate(&graph, 0));
	return graph;
}

static inline CUgraphExec instantiate(CUgraph graph)
{
	CUgraphExec exec;
	OK(cuGraphInstantiate(&exec, graph, 0));
	return exec;
}

static inline void run(CUgraphExec exec, CUstream s)
{
	OK(cuGraphLaunch(exec, s));
	OK(cuStreamSynchronize(s));
}

static inline void begin(CUstream s)
{
	HAVE("stream capture", cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
}

static inline CUgraph end(CUstream s)
{
	CUgraph graph = NULL;
	OK(cuStreamEndCapture(s, &graph));
	TRUE(graph != NULL);
	return graph;
}

static inline CUDA_MEMCPY3D up(CUdeviceptr to, const void *from, size_t n)
{
	return (CUDA_MEMCPY3D){.srcMemoryType = CU_MEMORYTYPE_HOST,
			       .srcHost = from,
			       .dstMemoryType = CU_MEMORYTYPE_DEVICE,
			       .dstDevice = to,
			       .WidthInBytes = n,
			       .Height = 1,
			       .Depth = 1};
}

static inline CUDA_MEMCPY3D down(void *to, CUdeviceptr from, size_t n)
{
	return (CUDA_MEMCPY3D){.srcMemoryType = CU_MEMORYTYPE_DEVICE,
			       .srcDevice = from,
			       .dstMemoryType = CU_MEMORYTYPE_HOST,
			       .dstHost = to,
			       .WidthInBytes = n,
			       .Height = 1,
			       .Depth = 1};
}

static inline CUcontext current(void)
{
	CUcontext c;
	OK(cuCtxGetCurrent(&c));
	return c;
}

#endif
