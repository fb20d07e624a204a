// SPDX-License-Identifier: Apache-2.0
//
// Cooperative groups: a whole grid in step, and clusters where the GPU has them
#include "must.h"

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Each round adds its neighbour's value of the round before.
__global__ void rounds(long long *a, long long *b, int n, int times)
{
	cg::grid_group grid = cg::this_grid();
	for (int r = 0; r < times; r++) {
		for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.size())
			b[i] = (a[i] + a[(i + 1) % n]) % 1000003;
		grid.sync();
		long long *swap = a;
		a = b;
		b = swap;
	}
}

__global__ void cluster_sum(int *out)
{
#if __CUDA_ARCH__ >= 900
	__shared__ int mine;
	cg::cluster_group cluster = cg::this_cluster();
	if (threadIdx.x == 0)
		mine = (int)blockIdx.x + 1;
	cluster.sync();
	if (threadIdx.x == 0) {
		int sum = 0;
		for (unsigned i = 0; i < cluster.num_blocks(); i++)
			sum += *cluster.map_shared_rank(&mine, i);
		out[blockIdx.x] = sum;
	}
	cluster.sync();
#endif
}

int main()
{
	enum { N = 50000, TIMES = 20 };
	static long long host[N], want[2][N];
	cudaDeviceProp p;
	int blocks;
	MUST(cudaGetDeviceProperties(&p, 0));
	if (!p.cooperativeLaunch)
		CANNOT("this GPU has no cooperative launches");
	MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, rounds, 256, 0));
	printf("blocks at once: %d\n", blocks * p.multiProcessorCount);
	for (int i = 0; i < N; i++)
		want[0][i] = host[i] = i * 7919LL % 1000003;
	for (int r = 0; r < TIMES; r++)
		for (int i = 0; i < N; i++)
			want[(r + 1) % 2][i] = (want[r % 2][i] + want[r % 2][(i + 1) % N]) % 1000003;
	long long *a, *b;
	int n = N, times = TIMES, right = 0;
	MUST(cudaMalloc(&a, sizeof host));
	MUST(cudaMalloc(&b, sizeof host));
	MUST(cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice));
	void *args[] = {&a, &b, &n, &times};
	MUST(cudaLaunchCooperativeKernel((void *)rounds, dim3(p.multiProcessorCount), dim3(256), args, 0, 0));
	MUST(cudaMemcpy(host, TIMES % 2 ? b : a, sizeof host, cudaMemcpyDeviceToHost));
	for (int i = 0; i < N; i++)
		right += host[i] == want[TIMES % 2][i];
	printf("in step: %d of %d right\n", right, (int)N);
	cudaError_t e = cudaLaunchCooperativeKernel((void *)rounds, dim3(1 << 20), dim3(256), args, 0, 0);
	printf("too many: %s\n", cudaGetErrorName(e));
	cudaGetLastError();

	if (p.major >= 9) {
		int *out, sums[16];
		MUST(cudaMalloc(&out, sizeof sums));
		cudaLaunchAttribute attribute = {};
		attribute.id = cudaLaunchAttributeClusterDimension;
		attribute.val.clusterDim.x = 4;
		attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
		cudaLaunchConfig_t config = {};
		config.gridDim = dim3(16);
		config.blockDim = dim3(32);
		config.attrs = &attribute;
		config.numAttrs = 1;
		int clusters;
		MUST(cudaOccupancyMaxActiveClusters(&clusters, cluster_sum, &config));
		MUST(cudaLaunchKernelEx(&config, cluster_sum, out));
		MUST(cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost));
		printf("clusters: %s, %d %d %d %d\n", clusters > 0 ? "fit" : "do not fit", sums[0], sums[4], sums[8], sums[12]);
	}
	return right == N ? 0 : 1;
}
