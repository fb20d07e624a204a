// SPDX-License-Identifier: Apache-2.0
//
// An ordinary CUDA program, linked with the static runtime: <<<>>>, copies
// both ways, pinned memory, events, two streams, shared memory, a constant.
// It prints numbers that must be the same on every libcuda.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define MUST(call) \
	do { \
		cudaError_t e = (call); \
		if (e != cudaSuccess) { \
			fprintf(stderr, "cudart: %s: %s (%s:%d)\n", #call, cudaGetErrorString(e), __FILE__, __LINE__); \
			exit(1); \
		} \
	} while (0)

__constant__ float scale;

__global__ void axpy(float a, const float *x, float *y, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		y[i] = a * x[i] * scale + y[i];
}

__global__ void sum(const float *x, double *out, int n)
{
	__shared__ double part[256];
	double s = 0;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		s += x[i];
	part[threadIdx.x] = s;
	__syncthreads();
	for (int d = 128; d; d >>= 1) {
		if (threadIdx.x < d)
			part[threadIdx.x] += part[threadIdx.x + d];
		__syncthreads();
	}
	if (!threadIdx.x)
		out[blockIdx.x] = part[0];
}

int main()
{
	enum { N = 1 << 20, BLOCKS = 64 };
	float *pinned, *x, *y, *pageable = (float *)malloc(N * sizeof(float)), two = 2;
	double *partial, host[BLOCKS], total = 0;
	cudaStream_t a, b;
	cudaEvent_t begin, end, ready;
	cudaDeviceProp p;
	int devices;

	MUST(cudaGetDeviceCount(&devices));
	MUST(cudaGetDeviceProperties(&p, 0));
	printf("device: %s, %d.%d, %d multiprocessors\n", p.name, p.major, p.minor, p.multiProcessorCount);
	MUST(cudaMallocHost(&pinned, N * sizeof(float)));
	MUST(cudaMalloc(&x, N * sizeof(float)));
	MUST(cudaMalloc(&y, N * sizeof(float)));
	MUST(cudaMalloc(&partial, sizeof host));
	MUST(cudaStreamCreate(&a));
	MUST(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
	MUST(cudaEventCreate(&begin));
	MUST(cudaEventCreate(&end));
	MUST(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
	MUST(cudaMemcpyToSymbol(scale, &two, sizeof two));
	for (int i = 0; i < N; i++) {
		pinned[i] = (float)(i % 1013);
		pageable[i] = (float)(i % 17);
	}
	MUST(cudaMemcpy(y, pageable, N * sizeof(float), cudaMemcpyHostToDevice));
	MUST(cudaEventRecord(begin, a));
	MUST(cudaMemcpyAsync(x, pinned, N * sizeof(float), cudaMemcpyHostToDevice, a));
	axpy<<<N / 256, 256, 0, a>>>(1.5f, x, y, N);
	MUST(cudaGetLastError());
	MUST(cudaEventRecord(ready, a));
	MUST(cudaStreamWaitEvent(b, ready, 0));
	sum<<<BLOCKS, 256, 0, b>>>(y, partial, N);
	MUST(cudaGetLastError());
	MUST(cudaMemcpyAsync(host, partial, sizeof host, cudaMemcpyDeviceToHost, b));
	MUST(cudaStreamSynchronize(b));
	MUST(cudaEventRecord(end, a));
	MUST(cudaEventSynchronize(end));
	float ms;
	MUST(cudaEventElapsedTime(&ms, begin, end));
	for (int i = 0; i < BLOCKS; i++)
		total += host[i];
	MUST(cudaMemcpy(pageable, y, N * sizeof(float), cudaMemcpyDeviceToHost));
	int right = 0;
	for (int i = 0; i < N; i++)
		right += pageable[i] == 3.0f * (float)(i % 1013) + (float)(i % 17);
	axpy<<<1, 4096>>>(1, x, y, N);
	cudaError_t bad = cudaGetLastError();
	printf("%d of %d right, sum %.1f, elapsed %s, a block too large: %s\n", right, (int)N, total, ms > 0 ? "yes" : "no",
	       cudaGetErrorName(bad));
	MUST(cudaFree(x));
	MUST(cudaFree(y));
	MUST(cudaFreeHost(pinned));
	MUST(cudaDeviceReset());
	return right == N ? 0 : 1;
}
