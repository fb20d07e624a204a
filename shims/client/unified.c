// SPDX-License-Identifier: Apache-2.0
//
// A unified function is code that host and device both call, by a pointer that
// the driver gives. Few devices have any: what the driver says to that is the
// program's answer. A pointer would be the worker's, and is not given.
#include <string.h>

#include "call.h"
#include "session.h"

AX_EXPORT CUresult cuLibraryGetUnifiedFunction(void **fptr, CUlibrary library, const char *symbol)
{
	struct axc_call call;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!fptr || !symbol)
		return CUDA_ERROR_INVALID_VALUE;
	size_t bytes = strlen(symbol) + 1;
	if (bytes > UINT32_MAX)
		return CUDA_ERROR_NOT_FOUND;
	if ((r = axc_begin(&call, AX_axLibraryUnifiedFunction, sizeof(struct ax_in_axLibraryUnifiedFunction), (bytes + 7) & ~(size_t)7)))
		return r;
	*(struct ax_in_axLibraryUnifiedFunction *)call.in =
		(struct ax_in_axLibraryUnifiedFunction){.library = (uint64_t)(uintptr_t)library, .bytes = (uint32_t)bytes};
	memcpy(call.data, symbol, bytes);
	r = axc_wait(&call);
	axc_end(&call);
	return r == CUDA_ERROR_NOT_SUPPORTED || !r ? axc_refused("cuLibraryGetUnifiedFunction") : r;
}
