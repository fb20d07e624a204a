// SPDX-License-Identifier: Apache-2.0
//
// The current context. It is kept in the client, per thread; every frame
// names it, and a lane's thread follows when the name changes.
#include "session.h"

#include "cuda_worker.h"

int axw_context_set(struct axw_lane *lane, uint64_t name)
{
	void *handle = NULL;

	// A dead name makes no context current: then the vendor itself says what a call without one deserves,
	// and calls that need none go on working.
	axw_get(lane->s, AXH_CUcontext, name, &handle);
	if (!axg_vendor.cuCtxSetCurrent)
		return -1;
	lane->context_known = axg_vendor.cuCtxSetCurrent(handle) == CUDA_SUCCESS;
	lane->context = name;
	return lane->context_known ? 0 : -1;
}
