// SPDX-License-Identifier: Apache-2.0
//
// The block size with which most threads run at once. How much shared memory a
// block of each size takes is told by a function of the program's, so the sizes
// are tried from here: whole warps, from the largest down; the first with the
// most threads wins.
#include "call.h"
#include "context.h"
#include "device.h"
#include "function.h"
#include "stats.h"

AX_EXPORT CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize, CUfunction func,
							     CUoccupancyB2DSize blockSizeToDynamicSMemSize, size_t dynamicSMemSize,
							     int blockSizeLimit, unsigned int flags)
{
	AXC_HERE();
	struct axc_function *f;
	int most, best = 0, best_blocks = 0;
	CUresult r = axc_ready();
	if (r)
		return r;
	struct axc_context *c = axc_context_current();
	if (!c)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (!minGridSize || !blockSize || !func || blockSizeLimit < 0)
		return CUDA_ERROR_INVALID_VALUE;
	if ((r = axc_function((uint64_t)(uintptr_t)func, &f)) ||
	    (r = axc_function_attribute(f, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &most)))
		return r;
	const int32_t *a = axc_device(c->device)->attribute;
	int warp = a[CU_DEVICE_ATTRIBUTE_WARP_SIZE] > 0 ? a[CU_DEVICE_ATTRIBUTE_WARP_SIZE] : 32;
	int full = a[CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR];
	if (most > a[CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK])
		most = a[CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK];
	if (blockSizeLimit && blockSizeLimit < most)
		most = blockSizeLimit;
	for (int threads = most; threads > 0 && best * best_blocks < full;
	     threads = threads % warp ? threads - threads % warp : threads - warp) {
		int blocks = 0;
		size_t shared = blockSizeToDynamicSMemSize ? blockSizeToDynamicSMemSize(threads) : dynamicSMemSize;
		r = cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, func, threads, shared, flags);
		if (r)
			return r;
		if (threads * blocks > best * best_blocks) {
			best = threads;
			best_blocks = blocks;
		}
	}
	*blockSize = best;
	*minGridSize = best_blocks * a[CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT];
	return CUDA_SUCCESS;
}

AX_EXPORT CUresult cuOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, CUfunction func,
						    CUoccupancyB2DSize blockSizeToDynamicSMemSize, size_t dynamicSMemSize,
						    int blockSizeLimit)
{
	return cuOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, func, blockSizeToDynamicSMemSize, dynamicSMemSize,
							 blockSizeLimit, CU_OCCUPANCY_DEFAULT);
}
