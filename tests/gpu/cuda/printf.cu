// SPDX-License-Identifier: Apache-2.0
//
// Kernels that print, between the lines that the program prints
#include "must.h"

__global__ void say(int round)
{
	if (threadIdx.x == 0)
		printf("round %d, block %d: %s %.3f %lld\n", round, (int)blockIdx.x, "text", 1.5 * round, 1234567890123LL);
}

int main()
{
	size_t size;
	MUST(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 4 << 20));
	MUST(cudaDeviceGetLimit(&size, cudaLimitPrintfFifoSize));
	printf("room for %d MiB\n", (int)(size >> 20));
	for (int round = 0; round < 3; round++) {
		printf("before round %d\n", round);
		fflush(stdout);
		say<<<1, 32>>>(round);
		MUST(cudaDeviceSynchronize());
		printf("after round %d\n", round);
		fflush(stdout);
	}
	return 0;
}
