// SPDX-License-Identifier: Apache-2.0
//
// Kernels that launch kernels, linked by the device's linker, with the shared runtime
// nvcc: -rdc=true -lcudadevrt -cudart shared
#include "must.h"

__device__ int total;

__global__ void leaf(int v) { atomicAdd(&total, v); }

__global__ void branch(int depth)
{
	if (depth == 0)
		leaf<<<1, 8>>>(1);
	else if (threadIdx.x == 0) {
		branch<<<1, 2>>>(depth - 1);
		leaf<<<2, 4>>>(10);
	}
}

int main()
{
	int host;
	branch<<<1, 1>>>(3);
	MUST(cudaGetLastError());
	MUST(cudaDeviceSynchronize());
	MUST(cudaMemcpyFromSymbol(&host, total, sizeof host));
	printf("total %d\n", host);
	return 0;
}
