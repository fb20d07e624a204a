// SPDX-License-Identifier: Apache-2.0
//
// Host functions and stream callbacks, in order with the work of their streams
#include "must.h"

__global__ void put(int *p, int v) { *p = v; }

struct seen {
	volatile int *cell;
	int values[64], count;
};

static void CUDART_CB look(void *data)
{
	struct seen *s = (struct seen *)data;
	s->values[s->count++] = *s->cell;
}

static void CUDART_CB look_at_status(cudaStream_t, cudaError_t status, void *data)
{
	struct seen *s = (struct seen *)data;
	s->values[s->count++] = status == cudaSuccess ? *s->cell : -1;
}

int main()
{
	enum { STREAMS = 4, ROUNDS = 10 };
	cudaStream_t streams[STREAMS];
	struct seen *seen[STREAMS];
	int *cells;
	MUST(cudaHostAlloc(&cells, STREAMS * sizeof *cells, cudaHostAllocMapped));
	for (int i = 0; i < STREAMS; i++) {
		MUST(cudaStreamCreate(&streams[i]));
		seen[i] = (struct seen *)calloc(1, sizeof **seen);
		seen[i]->cell = cells + i;
	}
	for (int r = 0; r < ROUNDS; r++)
		for (int i = 0; i < STREAMS; i++) {
			put<<<1, 1, 0, streams[i]>>>(cells + i, 100 * i + r);
			MUST(cudaGetLastError());
			if (r % 2)
				MUST(cudaLaunchHostFunc(streams[i], look, seen[i]));
			else
				MUST(cudaStreamAddCallback(streams[i], look_at_status, seen[i], 0));
		}
	for (int i = 0; i < STREAMS; i++) {
		MUST(cudaStreamSynchronize(streams[i]));
		printf("stream %d:", i);
		for (int r = 0; r < seen[i]->count; r++)
			printf(" %d", seen[i]->values[r]);
		printf("\n");
	}
	MUST(cudaFreeHost(cells));
	return 0;
}
