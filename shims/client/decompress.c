// SPDX-License-Identifier: Apache-2.0
//
// Decompression by the device's engine. It reads and writes when the stream gets
// there, so that bytes cannot travel with the call: what it is given must be
// memory that both sides have.
#include <stdint.h>
#include <string.h>

#include "call.h"
#include "host.h"
#include "memory.h"
#include "session.h"

#define MANY 4096u

_Static_assert(sizeof(CUmemDecompressParams) % 8 == 0, "arrays of them have no pads");

// The address that the engine knows the bytes by.
static bool reach(uint64_t address, uint64_t bytes, uint64_t *wire)
{
	if (axc_is_device(address)) {
		*wire = address;
		return true;
	}
	return !axc.mirrored && axc_pinned((const void *)(uintptr_t)address, bytes ? bytes : 1, wire);
}

static bool reach_all(CUmemDecompressParams *p)
{
	uint64_t from, to, actual;
	if (!reach((uint64_t)(uintptr_t)p->src, p->srcNumBytes, &from) || !reach((uint64_t)(uintptr_t)p->dst, p->dstNumBytes, &to) ||
	    !reach((uint64_t)(uintptr_t)p->dstActBytes, sizeof *p->dstActBytes, &actual))
		return false;
	p->src = (const void *)(uintptr_t)from;
	p->dst = (void *)(uintptr_t)to;
	p->dstActBytes = (cuuint32_t *)(uintptr_t)actual;
	return true;
}

AX_EXPORT CUresult cuMemBatchDecompressAsync(CUmemDecompressParams *paramsArray, size_t count, unsigned int flags, size_t *errorIndex,
					     CUstream stream)
{
	struct axc_call call;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (errorIndex)
		*errorIndex = SIZE_MAX; // of none in particular
	if (!paramsArray || !count || flags)
		return CUDA_ERROR_INVALID_VALUE;
	if (count > MANY) {
		axc_debug("cuMemBatchDecompressAsync: more than %u at once are not supported", MANY);
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	for (size_t i = 0; i < count; i++) {
		CUmemDecompressParams p = paramsArray[i];
		if (reach_all(&p))
			continue;
		axc_debug("cuMemBatchDecompressAsync: entry %zu is neither device memory nor pinned: use cuMemHostRegister", i);
		if (errorIndex)
			*errorIndex = i;
		return CUDA_ERROR_INVALID_VALUE;
	}
	r = axc_begin(&call, AX_cuMemBatchDecompressAsync, sizeof(struct ax_in_cuMemBatchDecompressAsync), count * sizeof *paramsArray);
	if (r)
		return r;
	*(struct ax_in_cuMemBatchDecompressAsync *)call.in = (struct ax_in_cuMemBatchDecompressAsync){
		.count = count, .flags = flags, .has_errorIndex = errorIndex != NULL, .stream = (uint64_t)(uintptr_t)stream};
	for (size_t i = 0; i < count; i++) {
		CUmemDecompressParams p = paramsArray[i];
		reach_all(&p);
		memcpy((uint8_t *)call.data + i * sizeof p, &p, sizeof p);
	}
	r = axc_wait(&call);
	if (errorIndex && call.out_size >= sizeof(struct ax_out_cuMemBatchDecompressAsync))
		*errorIndex = ((const struct ax_out_cuMemBatchDecompressAsync *)call.out)->errorIndex;
	axc_end(&call);
	return r;
}
