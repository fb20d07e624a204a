// SPDX-License-Identifier: Apache-2.0
//
// Many host threads, each with a default stream of its own, on shared and on own memory
// nvcc: --default-stream per-thread
#include "must.h"

#include <thread>
#include <vector>

__global__ void add(int *p, int v) { atomicAdd(p, v); }

static int results[16], *together;

static void work(int me)
{
	int *mine, zero = 0;
	MUST(cudaMalloc(&mine, sizeof *mine));
	MUST(cudaMemcpyAsync(mine, &zero, sizeof zero, cudaMemcpyHostToDevice, 0));
	for (int i = 0; i < 500; i++) {
		add<<<1, 32>>>(mine, me);
		add<<<1, 1>>>(together, 1);
		if (i % 100 == 99) {
			int *other;
			MUST(cudaMalloc(&other, 1 << 16));
			MUST(cudaMemsetAsync(other, me, 1 << 16, 0));
			MUST(cudaStreamSynchronize(0));
			MUST(cudaFree(other));
		}
	}
	MUST(cudaMemcpyAsync(&results[me], mine, sizeof(int), cudaMemcpyDeviceToHost, 0));
	MUST(cudaStreamSynchronize(0));
	MUST(cudaFree(mine));
}

int main()
{
	int all;
	MUST(cudaMalloc(&together, sizeof *together));
	MUST(cudaMemset(together, 0, sizeof *together));
	MUST(cudaDeviceSynchronize());
	for (int round = 0; round < 3; round++) {
		std::vector<std::thread> threads;
		for (int i = 0; i < 16; i++)
			threads.emplace_back(work, i);
		for (std::thread &t : threads)
			t.join();
	}
	MUST(cudaMemcpy(&all, together, sizeof all, cudaMemcpyDeviceToHost));
	printf("together %d\n", all);
	for (int i = 0; i < 16; i++)
		printf("thread %d: %d\n", i, results[i]);
	return 0;
}
