// SPDX-License-Identifier: Apache-2.0
//
// Makes mistakes of several kinds and says on stdout what each call returned,
// a line a call. What is said about them elsewhere is the test's to look at.
#include <stdio.h>

#include <cuda.h>

#include "kernels.h"

static void say(const char *call, CUresult r)
{
	printf("%s %d\n", call, (int)r);
}

int main(void)
{
	static const char ptx[] = PTX_HEAD PTX_GATE;
	CUcontext context;
	CUmodule module;
	CUfunction function;
	CUdeviceptr p;

	if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context) || cuModuleLoadData(&module, ptx) ||
	    cuMemAlloc(&p, 256)) {
		fprintf(stderr, "mistakes: nothing works here\n");
		return 1;
	}
	cuCtxSynchronize();
	say("cuMemsetD32Async", cuMemsetD32Async(p + 1, 0, 4, NULL)); // not aligned
	say("cuCtxSynchronize", cuCtxSynchronize());
	say("cuStreamSynchronize", cuStreamSynchronize((CUstream)0x123450));
	say("cuModuleGetFunction", cuModuleGetFunction(&function, module, "nothing_of_that_name"));
	say("cuCtxSynchronize", cuCtxSynchronize());
	return 0;
}
