// SPDX-License-Identifier: Apache-2.0
//
// The older way to count who uses a context: it ends with the last that detaches.
#include <stdint.h>

#include "check.h"
#include "kernels.h"

static void a_context_ends_with_the_last_that_detaches(void)
{
	CUcontext c, again = NULL, now;
	CUdeviceptr p;
	OK(cuInit(0));
	TRUE(cuCtxAttach(&again, 0) != CUDA_SUCCESS); // none is current
	OK(cuCtxCreate_v2(&c, 0, 0));
	OK(cuCtxAttach(&again, 0));
	TRUE(again == c);
	TRUE(cuCtxAttach(&again, 1) != CUDA_SUCCESS);
	TRUE(cuCtxAttach(NULL, 0) != CUDA_SUCCESS);
	OK(cuCtxDetach(c));
	OK(cuMemAlloc(&p, 64));
	OK(cuCtxDetach(c));
	OK(cuCtxGetCurrent(&now));
	TRUE(now == NULL);
	TRUE(cuCtxDetach(c) != CUDA_SUCCESS);
	TRUE(cuMemAlloc(&p, 64) != CUDA_SUCCESS);
}

static void only_the_current_context_can_be_left(void)
{
	CUcontext a, b;
	OK(cuInit(0));
	OK(cuCtxCreate_v2(&a, 0, 0));
	OK(cuCtxCreate_v2(&b, 0, 0));
	TRUE(cuCtxDetach(a) != CUDA_SUCCESS);
	TRUE(cuCtxDetach(NULL) != CUDA_SUCCESS);
	TRUE(cuCtxDetach((CUcontext)(uintptr_t)0x123450) != CUDA_SUCCESS);
	OK(cuCtxDetach(b));
	OK(cuCtxDetach(a));
}

static void a_primary_context_outlives_who_attached(void)
{
	CUcontext c, again;
	unsigned flags;
	int active;
	start();
	OK(cuCtxGetCurrent(&c));
	OK(cuCtxAttach(&again, 0));
	TRUE(again == c);
	OK(cuCtxDetach(c));
	function(load(PTX_HEAD PTX_NOTHING), "nothing");
	OK(cuDevicePrimaryCtxRelease(device));
	OK(cuDevicePrimaryCtxGetState(device, &flags, &active));
	EQUAL(0, active);
}

static const struct test_case cases[] = {
	CASE(a_context_ends_with_the_last_that_detaches),
	CASE(only_the_current_context_can_be_left),
	CASE(a_primary_context_outlives_who_attached),
};

int main(int argc, char **argv)
{
	return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
