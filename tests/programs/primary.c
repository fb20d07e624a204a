// SPDX-License-Identifier: Apache-2.0
//
// What a primary context has ends with it: the last release and a reset leave
// nothing, however the library came by the context.
#include <stdlib.h>

#include <cuda.h>

#include "check.h"
#include "kernels.h"

// Memory that is allocated and a module that is loaded, and neither ever freed. The memory is an eighth of what there
// is: what other programs do to the figures meanwhile is less.
static void used_up_and(CUresult (*end)(CUdevice), int retains)
{
	size_t before = 0, after = 0, many = 0, total;
	CUcontext context;
	CUdeviceptr p;
	for (int round = 0; round < 3; round++) {
		start();
		for (int i = 1; i < retains; i++)
			OK(cuDevicePrimaryCtxRetain(&context, 0));
		OK(cuMemGetInfo(round ? &after : &before, &total));
		if (round)
			TRUE(after + many / 2 > before);
		else
			many = before / 8;
		OK(cuMemAlloc(&p, many));
		OK(cuMemsetD32(p, 7, 16));
		function(load(PTX_HEAD PTX_GATE), "gate");
		for (int i = 1; i < retains; i++)
			OK(cuDevicePrimaryCtxRelease(0));
		OK(end(0));
	}
}

static void the_last_release_frees_what_the_context_had(void) { used_up_and(cuDevicePrimaryCtxRelease, 1); }
static void retained_twice_it_takes_two_releases(void) { used_up_and(cuDevicePrimaryCtxRelease, 2); }
static void a_reset_frees_what_the_context_had(void) { used_up_and(cuDevicePrimaryCtxReset, 1); }

static void flags_set_before_the_first_retain_are_the_contexts(void)
{
	unsigned flags = 0;
	int active = 1;
	setenv("CUDA_MODULE_LOADING", "EAGER", 1); // as start() will
	OK(cuInit(0));
	OK(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_BLOCKING_SYNC));
	OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
	EQUAL(0, active);
	EQUAL(CU_CTX_SCHED_BLOCKING_SYNC, flags & CU_CTX_SCHED_MASK);
	start();
	OK(cuCtxGetFlags(&flags));
	EQUAL(CU_CTX_SCHED_BLOCKING_SYNC, flags & CU_CTX_SCHED_MASK);
	OK(cuCtxSynchronize());
}

static const struct test_case cases[] = {
	CASE(the_last_release_frees_what_the_context_had),
	CASE(retained_twice_it_takes_two_releases),
	CASE(a_reset_frees_what_the_context_had),
	CASE(flags_set_before_the_first_retain_are_the_contexts),
};

int main(int argc, char **argv)
{
	return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
