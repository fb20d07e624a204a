// SPDX-License-Identifier: Apache-2.0
//
// Memory in the order of a stream, pools and what they keep
#include "must.h"

#include <stdint.h>

__global__ void fill(int *p, int n, int v)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i] = v + i;
}

int main()
{
	enum { N = 1 << 20 };
	static int host[N];
	cudaMemPool_t pool, own;
	cudaStream_t s, t;
	cudaEvent_t ready;
	int *p, *q;
	uint64_t keep = UINT64_MAX, used, reserved;
	MUST(cudaStreamCreate(&s));
	MUST(cudaStreamCreate(&t));
	MUST(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
	MUST(cudaDeviceGetDefaultMemPool(&pool, 0));
	MUST(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
	for (int round = 0; round < 20; round++) {
		MUST(cudaMallocAsync(&p, sizeof host, s));
		fill<<<N / 256, 256, 0, s>>>(p, N, round);
		MUST(cudaEventRecord(ready, s));
		MUST(cudaStreamWaitEvent(t, ready, 0));
		MUST(cudaMallocAsync(&q, sizeof host, t));
		MUST(cudaMemcpyAsync(q, p, sizeof host, cudaMemcpyDeviceToDevice, t));
		MUST(cudaFreeAsync(p, t));
		MUST(cudaMemcpyAsync(host, q, sizeof host, cudaMemcpyDeviceToHost, t));
		MUST(cudaFreeAsync(q, t));
		MUST(cudaStreamSynchronize(t));
		if (host[0] != round || host[N - 1] != round + N - 1) {
			printf("round %d: %d and %d\n", round, host[0], host[N - 1]);
			return 1;
		}
	}
	MUST(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
	MUST(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved));
	printf("used %llu, keeps some: %d\n", (unsigned long long)used, reserved > 0);
	MUST(cudaMemPoolTrimTo(pool, 0));
	MUST(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved));
	printf("after trimming %llu\n", (unsigned long long)reserved);

	cudaMemPoolProps props = {};
	props.allocType = cudaMemAllocationTypePinned;
	props.handleTypes = cudaMemHandleTypeNone;
	props.location.type = cudaMemLocationTypeDevice;
	props.location.id = 0;
	MUST(cudaMemPoolCreate(&own, &props));
	MUST(cudaMallocFromPoolAsync(&p, 1 << 20, own, s));
	MUST(cudaMemsetAsync(p, 1, 1 << 20, s));
	MUST(cudaMemcpyAsync(host, p, 64, cudaMemcpyDeviceToHost, s));
	MUST(cudaStreamSynchronize(s));
	cudaPointerAttributes a;
	MUST(cudaPointerGetAttributes(&a, p));
	printf("from an own pool: %#x, type %d\n", host[0], (int)a.type);
	MUST(cudaFreeAsync(p, s));
	MUST(cudaStreamSynchronize(s));
	MUST(cudaMemPoolDestroy(own));
	cudaError_t e = cudaMallocAsync(&p, (size_t)1 << 50, s);
	printf("too much: %s\n", cudaGetErrorName(e));
	return 0;
}
