// SPDX-License-Identifier: Apache-2.0
//
// Graphs: built node by node, captured, cloned, updated, with a host node and memory of their own
#include "must.h"

__global__ void axpy(float a, const float *x, float *y, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		y[i] += a * x[i];
}

static int called;
static void CUDART_CB count(void *by) { called += *(int *)by; }

static float value(const float *d, int at)
{
	float h;
	MUST(cudaMemcpy(&h, d + at, sizeof h, cudaMemcpyDeviceToHost));
	return h;
}

int main()
{
	enum { N = 10000 };
	static float host[N], back[N];
	float *x, *y, a = 2;
	int n = N, by = 3;
	for (int i = 0; i < N; i++)
		host[i] = (float)(i % 100);
	MUST(cudaMalloc(&x, sizeof host));
	MUST(cudaMalloc(&y, sizeof host));

	cudaGraph_t graph, clone;
	cudaGraphExec_t run;
	cudaGraphNode_t up, clear, kernel, down, call;
	MUST(cudaGraphCreate(&graph, 0));
	MUST(cudaGraphAddMemcpyNode1D(&up, graph, NULL, 0, x, host, sizeof host, cudaMemcpyHostToDevice));
	cudaMemsetParams m = {};
	m.dst = y;
	m.elementSize = 4;
	m.width = N;
	m.height = 1;
	MUST(cudaGraphAddMemsetNode(&clear, graph, NULL, 0, &m));
	void *args[] = {&a, &x, &y, &n};
	cudaKernelNodeParams k = {};
	k.func = (void *)axpy;
	k.gridDim = dim3((N + 255) / 256);
	k.blockDim = dim3(256);
	k.kernelParams = args;
	cudaGraphNode_t before[] = {up, clear};
	MUST(cudaGraphAddKernelNode(&kernel, graph, before, 2, &k));
	MUST(cudaGraphAddMemcpyNode1D(&down, graph, &kernel, 1, back, y, sizeof back, cudaMemcpyDeviceToHost));
	cudaHostNodeParams h = {};
	h.fn = count;
	h.userData = &by;
	MUST(cudaGraphAddHostNode(&call, graph, &down, 1, &h));
	size_t nodes = 0;
	MUST(cudaGraphGetNodes(graph, NULL, &nodes));
	cudaStream_t s;
	MUST(cudaStreamCreate(&s));
	MUST(cudaGraphInstantiate(&run, graph, 0));
	for (int i = 0; i < 5; i++)
		MUST(cudaGraphLaunch(run, s));
	MUST(cudaStreamSynchronize(s));
	printf("built: %zu nodes, %g, host node %d\n", nodes, back[99], called);

	a = 7;
	MUST(cudaGraphExecKernelNodeSetParams(run, kernel, &k));
	MUST(cudaGraphLaunch(run, s));
	MUST(cudaStreamSynchronize(s));
	printf("new parameters: %g\n", back[99]);
	MUST(cudaGraphClone(&clone, graph));
	cudaGraphExec_t cloned;
	MUST(cudaGraphInstantiate(&cloned, clone, 0));
	MUST(cudaGraphDestroy(graph));
	MUST(cudaGraphLaunch(cloned, s));
	MUST(cudaStreamSynchronize(s));
	printf("clone: %g, host node %d\n", back[99], called);

	// Captured, with a second stream and an event between them.
	cudaStream_t t;
	cudaEvent_t fork, join;
	MUST(cudaStreamCreate(&t));
	MUST(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
	MUST(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
	MUST(cudaMemset(y, 0, sizeof host));
	cudaGraph_t captured[2];
	for (int g = 0; g < 2; g++) {
		MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
		axpy<<<N / 500, 250, 0, s>>>(1.0f + (float)g, x, y, N / 2);
		MUST(cudaEventRecord(fork, s));
		MUST(cudaStreamWaitEvent(t, fork, 0));
		axpy<<<N / 500, 250, 0, t>>>(10, x + N / 2, y + N / 2, N / 2);
		MUST(cudaEventRecord(join, t));
		MUST(cudaStreamWaitEvent(s, join, 0));
		cudaStreamCaptureStatus status;
		MUST(cudaStreamIsCapturing(t, &status));
		printf("capturing: %d\n", (int)status);
		MUST(cudaStreamEndCapture(s, &captured[g]));
	}
	cudaGraphExec_t again;
	MUST(cudaGraphInstantiate(&again, captured[0], 0));
	MUST(cudaGraphLaunch(again, s));
	MUST(cudaStreamSynchronize(s));
	printf("captured: %g %g\n", value(y, 99), value(y, N - 1));
	cudaGraphExecUpdateResultInfo info = {};
	MUST(cudaGraphExecUpdate(again, captured[1], &info));
	MUST(cudaGraphLaunch(again, s));
	MUST(cudaStreamSynchronize(s));
	printf("updated: %d, %g %g\n", (int)info.result, value(y, 99), value(y, N - 1));

	// Memory that lives inside of a graph.
	float *temporary;
	MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
	MUST(cudaMallocAsync(&temporary, sizeof host, s));
	MUST(cudaMemsetAsync(temporary, 0, sizeof host, s));
	axpy<<<(N + 255) / 256, 256, 0, s>>>(3, x, temporary, N);
	MUST(cudaMemcpyAsync(y, temporary, sizeof host, cudaMemcpyDeviceToDevice, s));
	MUST(cudaFreeAsync(temporary, s));
	cudaGraph_t own;
	MUST(cudaStreamEndCapture(s, &own));
	cudaGraphExec_t with_memory;
	MUST(cudaGraphInstantiate(&with_memory, own, 0));
	for (int i = 0; i < 3; i++)
		MUST(cudaGraphLaunch(with_memory, s));
	MUST(cudaStreamSynchronize(s));
	printf("with memory: %g\n", value(y, 99));

	// Copies from and to ordinary memory, which are made at each launch.
	float result = 0, *ordinary = (float *)calloc(N, sizeof *ordinary);
	cudaGraph_t copies;
	cudaGraphExec_t with_copies;
	MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
	MUST(cudaMemcpyAsync(x, ordinary, sizeof host, cudaMemcpyHostToDevice, s));
	MUST(cudaMemsetAsync(y, 0, sizeof host, s));
	axpy<<<(N + 255) / 256, 256, 0, s>>>(2, x, y, N);
	MUST(cudaMemcpyAsync(&result, y + 99, sizeof result, cudaMemcpyDefault, s));
	MUST(cudaStreamEndCapture(s, &copies));
	MUST(cudaGraphInstantiate(&with_copies, copies, 0));
	for (int i = 1; i < 4; i++) {
		ordinary[99] = (float)i;
		MUST(cudaGraphLaunch(with_copies, s));
		MUST(cudaStreamSynchronize(s));
		printf("captured copies: %g\n", result);
	}
	cudaPointerAttributes attributes;
	MUST(cudaPointerGetAttributes(&attributes, ordinary));
	printf("the memory's type: %d\n", (int)attributes.type);
	MUST(cudaGraphExecDestroy(with_copies));
	MUST(cudaGraphDestroy(copies));
	free(ordinary);

	MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
	cudaError_t e = cudaStreamSynchronize(s);
	cudaGraph_t none;
	cudaError_t f = cudaStreamEndCapture(s, &none);
	printf("a capture that waits: %s, then %s\n", cudaGetErrorName(e), cudaGetErrorName(f));
	cudaGetLastError();
	MUST(cudaDeviceSynchronize());
	return 0;
}
