// SPDX-License-Identifier: Apache-2.0
//
// Two GPUs: copies between them, and kernels that use each other's memory
#include "must.h"

__global__ void add(const int *x, int *y, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		y[i] += x[i];
}

int main()
{
	enum { N = 1 << 20 };
	static int host[N];
	int devices, can01, can10, *x[2];
	MUST(cudaGetDeviceCount(&devices));
	if (devices < 2)
		CANNOT("one GPU here; this needs two");
	MUST(cudaDeviceCanAccessPeer(&can01, 0, 1));
	MUST(cudaDeviceCanAccessPeer(&can10, 1, 0));
	printf("can reach: %d %d\n", can01, can10);
	for (int d = 0; d < 2; d++) {
		MUST(cudaSetDevice(d));
		MUST(cudaMalloc(&x[d], sizeof host));
		for (int i = 0; i < N; i++)
			host[i] = (d + 1) * i % 1000;
		MUST(cudaMemcpy(x[d], host, sizeof host, cudaMemcpyHostToDevice));
	}
	int *copy;
	MUST(cudaSetDevice(1));
	MUST(cudaMalloc(&copy, sizeof host));
	MUST(cudaMemcpyPeer(copy, 1, x[0], 0, sizeof host));
	MUST(cudaMemcpy(host, copy, sizeof host, cudaMemcpyDeviceToHost));
	long long s = 0;
	for (int i = 0; i < N; i++)
		s += host[i];
	printf("copied: %lld\n", s);
	if (can10) {
		MUST(cudaDeviceEnablePeerAccess(0, 0));
		printf("again: %s\n", cudaGetErrorName(cudaDeviceEnablePeerAccess(0, 0)));
		cudaGetLastError();
		add<<<N / 256, 256>>>(x[0], x[1], N);
		MUST(cudaDeviceSynchronize());
		MUST(cudaMemcpy(host, x[1], sizeof host, cudaMemcpyDeviceToHost));
		s = 0;
		for (int i = 0; i < N; i++)
			s += host[i];
		printf("reached: %lld\n", s);
		MUST(cudaDeviceDisablePeerAccess(0));
	}
	for (int d = 0; d < 2; d++) {
		cudaPointerAttributes a;
		MUST(cudaPointerGetAttributes(&a, x[d]));
		printf("memory of %d\n", a.device);
	}
	return 0;
}
