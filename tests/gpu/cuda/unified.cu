// SPDX-License-Identifier: Apache-2.0
//
// Unified memory: pointers inside of it, a __managed__ variable, prefetching, both sides in turn
#include "must.h"

struct node {
	int value;
	struct node *next;
};

__managed__ int counter = 5;

__global__ void sum(const struct node *n, long long *out)
{
	long long s = 0;
	for (; n; n = n->next)
		s += n->value;
	*out = s;
}

__global__ void grow(struct node *n)
{
	for (; n; n = n->next)
		n->value += 1;
	atomicAdd(&counter, 10);
}

int main()
{
	enum { N = 1000 };
	struct node *nodes;
	long long *out, host = 0;
	MUST(cudaMallocManaged(&nodes, N * sizeof *nodes));
	MUST(cudaMallocManaged(&out, sizeof *out));
	for (int i = 0; i < N; i++) {
		nodes[i].value = i;
		nodes[i].next = i + 7 < N ? &nodes[i + 7] : NULL;
	}
	for (int round = 0; round < 3; round++) {
		grow<<<1, 1>>>(nodes);
		sum<<<1, 1>>>(nodes, out);
		MUST(cudaDeviceSynchronize());
		host = 0;
		for (const struct node *n = nodes; n; n = n->next)
			host += n->value;
		printf("round %d: device %lld, host %lld, counter %d\n", round, *out, host, counter);
		nodes[0].value *= 3;
		counter += 1;
	}

	enum { M = 1 << 22 };
	int *big;
	MUST(cudaMallocManaged(&big, M * sizeof(int)));
	for (int i = 0; i < M; i++)
		big[i] = i;
#if CUDART_VERSION >= 13000
	struct cudaMemLocation there = {}, here = {};
	there.type = cudaMemLocationTypeDevice;
	there.id = 0;
	here.type = cudaMemLocationTypeHost;
	MUST(cudaMemAdvise(big, M * sizeof(int), cudaMemAdviseSetReadMostly, there));
	MUST(cudaMemPrefetchAsync(big, M * sizeof(int), there, 0, 0));
	MUST(cudaMemPrefetchAsync(big, M * sizeof(int), here, 0, 0));
#else
	MUST(cudaMemAdvise(big, M * sizeof(int), cudaMemAdviseSetReadMostly, 0));
	MUST(cudaMemPrefetchAsync(big, M * sizeof(int), 0, 0));
	MUST(cudaMemPrefetchAsync(big, M * sizeof(int), cudaCpuDeviceId, 0));
#endif
	MUST(cudaDeviceSynchronize());
	MUST(cudaMemset(big, 0, M / 2 * sizeof(int)));
	MUST(cudaDeviceSynchronize());
	long long total = 0;
	for (int i = 0; i < M; i++)
		total += big[i];
	cudaPointerAttributes a;
	MUST(cudaPointerGetAttributes(&a, big));
	printf("big: %lld, type %d\n", total, (int)a.type);
	MUST(cudaFree(big));
	MUST(cudaFree(nodes));
	MUST(cudaFree(out));
	return 0;
}
