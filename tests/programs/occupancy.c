// SPDX-License-Identifier: Apache-2.0
//
// Choosing a block's size, and the launch by parts of CUDA 3.
#include "check.h"
#include "kernels.h"

static const char ptx[] = PTX_HEAD PTX_ADD PTX_NOTHING;

static int asked;
static size_t much_for_large_blocks(int threads)
{
	asked++;
	return threads > 128 ? 40000 : 1024;
}

// The most threads on a multiprocessor that any whole number of warps gets.
static int most_threads(CUfunction f, size_t (*shared)(int), int limit)
{
	int most = 0, blocks;
	for (int threads = 32; threads <= limit; threads += 32) {
		OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, threads, shared ? shared(threads) : 0));
		if (blocks * threads > most)
			most = blocks * threads;
	}
	return most;
}

static void the_block_size_is_the_one_with_most_threads(void)
{
	int grid, block, blocks, processors;
	start();
	CUfunction f = function(load(ptx), "nothing");
	OK(cuDeviceGetAttribute(&processors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device));
	OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, f, NULL, 0, 0));
	OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, block, 0));
	EQUAL(most_threads(f, NULL, 1024), blocks * block);
	EQUAL(blocks * processors, grid);
	OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, f, NULL, 0, 96));
	TRUE(block > 0 && block <= 96);
}

static void the_programs_function_tells_how_much_shared_memory_a_block_takes(void)
{
	int grid, block, blocks;
	start();
	CUfunction f = function(load(ptx), "nothing");
	OK(cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, f, much_for_large_blocks, 0, 0, CU_OCCUPANCY_DEFAULT));
	TRUE(asked > 0);
	OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, block, much_for_large_blocks(block)));
	EQUAL(most_threads(f, much_for_large_blocks, 1024), blocks * block);
}

static void a_kernel_is_launched_by_parts(void)
{
	CUdeviceptr p;
	unsigned v = 0;
	start();
	CUfunction f = function(load(ptx), "add");
	OK(cuMemAlloc(&p, 4));
	OK(cuMemsetD32(p, 0, 1));
	CUresult r = cuFuncSetBlockShape(f, 4, 2, 1);
	if (r == CUDA_ERROR_NOT_SUPPORTED)
		SKIP("this driver has no launch by parts");
	OK(r);
	OK(cuParamSetSize(f, 12));
	OK(cuParamSetv(f, 0, &p, sizeof p));
	OK(cuParamSeti(f, 8, 3));
	OK(cuLaunchGrid(f, 5, 2));
	OK(cuLaunch(f)); // the parts stay
	OK(cuMemcpyDtoH(&v, p, 4));
	EQUAL(3 * 8 * (5 * 2 + 1), v);
	TRUE(cuFuncSetBlockShape(f, 0, 1, 1) != CUDA_SUCCESS);
}

static const struct test_case cases[] = {
	CASE(the_block_size_is_the_one_with_most_threads),
	CASE(the_programs_function_tells_how_much_shared_memory_a_block_takes),
	CASE(a_kernel_is_launched_by_parts),
};

int main(int argc, char **argv)
{
	return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
