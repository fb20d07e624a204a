// SPDX-License-Identifier: Apache-2.0
//
// A stream that is held back until the test opens it: what a call promises to
// have done when it returns can be seen then. The module has PTX_GATE.
#ifndef AXON_TEST_GATE_H
#define AXON_TEST_GATE_H

#include <time.h>

#include "check.h"
#include "kernels.h"

static CUstream stream_of_its_own(void)
{
	CUstream s;
	OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
	return s;
}

struct gate {
	CUdeviceptr flag;
	CUstream opener;
};

static struct gate close_gate(CUmodule m, CUstream stream)
{
	struct gate g;
	OK(cuMemAlloc(&g.flag, 4));
	OK(cuMemsetD32(g.flag, 0, 1));
	OK(cuCtxSynchronize());
	g.opener = stream_of_its_own();
	void *arguments[] = {&g.flag};
	OK(cuLaunchKernel(function(m, "gate"), 1, 1, 1, 1, 1, 1, 0, stream, arguments, NULL));
	return g;
}

static void open_gate(struct gate *g)
{
	OK(cuMemsetD32Async(g->flag, 1, 1, g->opener));
	OK(cuStreamSynchronize(g->opener));
}

// A thread that opens a gate (arg) a moment later.
__attribute__((unused)) static void *open_later(void *arg)
{
	struct timespec moment = {.tv_nsec = 20000000};
	CUcontext c;
	nanosleep(&moment, NULL); // a wrong copy returns at once; a right one waits for us however long this takes
	OK(cuDevicePrimaryCtxRetain(&c, device));
	OK(cuCtxSetCurrent(c));
	open_gate(arg);
	return NULL;
}

#endif
