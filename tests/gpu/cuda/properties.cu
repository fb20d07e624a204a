// SPDX-License-Identifier: Apache-2.0
//
// What the runtime says of the device, of kernels and of occupancy
#include "must.h"

#include <string.h>

template <int N> __global__ void busy(float *p)
{
	__shared__ float s[N];
	s[threadIdx.x % N] = p[threadIdx.x];
	__syncthreads();
	p[threadIdx.x] = s[(threadIdx.x + 1) % N];
}

int main()
{
	cudaDeviceProp p;
	int n, version, value, least, greatest;
	size_t free_now, total, limit;
	char bus[32];
	memset(&p, 0, sizeof p);
	MUST(cudaGetDeviceCount(&n));
	for (int d = 0; d < n; d++) {
		MUST(cudaGetDeviceProperties(&p, d));
		printf("%s %d.%d\n", p.name, p.major, p.minor);
		// All of it, but for nothing: the two sides must agree on every byte.
		unsigned h = 0;
		for (size_t i = 0; i < sizeof p; i++)
			h = h * 31 + ((unsigned char *)&p)[i];
		printf("properties %08x\n", h);
		MUST(cudaDeviceGetPCIBusId(bus, sizeof bus, d));
		printf("at %s\n", bus);
		for (int a = 1; a < 150; a++) {
			cudaError_t e = cudaDeviceGetAttribute(&value, (cudaDeviceAttr)a, d);
			printf("attribute %d: %s %d\n", a, cudaGetErrorName(e), e == cudaSuccess ? value : 0);
			cudaGetLastError();
		}
	}
	MUST(cudaRuntimeGetVersion(&version));
	printf("runtime %d\n", version);
	MUST(cudaMemGetInfo(&free_now, &total));
	printf("memory %zu, some free %d\n", total, free_now > 0 && free_now <= total);
	MUST(cudaDeviceGetStreamPriorityRange(&least, &greatest));
	printf("priorities %d %d\n", least, greatest);
	for (int l = 0; l < 7; l++) {
		cudaError_t e = cudaDeviceGetLimit(&limit, (cudaLimit)l);
		printf("limit %d: %s %zu\n", l, cudaGetErrorName(e), e == cudaSuccess ? limit : 0);
		cudaGetLastError();
	}
	cudaFuncAttributes f;
	memset(&f, 0, sizeof f);
	MUST(cudaFuncGetAttributes(&f, busy<1000>));
	printf("kernel: shared %zu, const %zu, local %zu, threads %d, registers %d, ptx %d, binary %d, dynamic %d, carve %d\n", f.sharedSizeBytes,
	       f.constSizeBytes, f.localSizeBytes, f.maxThreadsPerBlock, f.numRegs, f.ptxVersion, f.binaryVersion,
	       f.maxDynamicSharedSizeBytes, f.preferredShmemCarveout);
	MUST(cudaFuncSetAttribute(busy<1000>, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
	MUST(cudaFuncGetAttributes(&f, busy<1000>));
	printf("then dynamic %d\n", f.maxDynamicSharedSizeBytes);
	for (int threads = 32; threads <= 1024; threads *= 2) {
		MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, busy<1000>, threads, 10000));
		printf("%d threads: %d blocks\n", threads, value);
	}
	int blocks, size;
	MUST(cudaOccupancyMaxPotentialBlockSize(&blocks, &size, busy<10>, 0, 0));
	printf("best: %d of %d\n", blocks, size);
	return 0;
}
