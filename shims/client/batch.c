// SPDX-License-Identifier: Apache-2.0
//
// Batches of copies: one after the other on the stream. The promises of single
// copies are the stronger ones: a batch may run in any order, and a source may
// be read later than the call's return where its attributes allow that.
#include <stdint.h>

#include "call.h"

static CUresult batch(const CUdeviceptr *to, const CUdeviceptr *from, const size_t *sizes, size_t count,
		      const CUmemcpyAttributes *attributes, const size_t *first, size_t kinds, size_t *failed, CUstream stream)
{
	CUresult r = axc_ready();
	if (failed)
		*failed = SIZE_MAX; // of no copy in particular
	if (r)
		return r;
	// The default streams are not for batches.
	if (!to || !from || !sizes || !count || !attributes || !first || !kinds || kinds > count || first[0] || !stream ||
	    stream == CU_STREAM_LEGACY)
		return CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; i < kinds; i++)
		if ((i && (first[i] <= first[i - 1] || first[i] >= count)) ||
		    attributes[i].srcAccessOrder < CU_MEMCPY_SRC_ACCESS_ORDER_STREAM ||
		    attributes[i].srcAccessOrder > CU_MEMCPY_SRC_ACCESS_ORDER_ANY)
			return CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; i < count; i++)
		if (!to[i] || !from[i] || !sizes[i]) {
			if (failed)
				*failed = i;
			return CUDA_ERROR_INVALID_VALUE;
		}
	for (size_t i = 0; i < count; i++)
		if ((r = cuMemcpyAsync(to[i], from[i], sizes[i], stream))) {
			if (failed)
				*failed = i;
			return r;
		}
	return CUDA_SUCCESS;
}

AX_EXPORT CUresult cuMemcpyBatchAsync(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t count, CUmemcpyAttributes *attrs,
				      size_t *attrsIdxs, size_t numAttrs, size_t *failIdx, CUstream hStream)
{
	return batch(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, failIdx, hStream);
}

AX_EXPORT CUresult cuMemcpyBatchAsync_v2(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t count, CUmemcpyAttributes *attrs,
					 size_t *attrsIdxs, size_t numAttrs, CUstream hStream)
{
	return batch(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, NULL, hStream);
}
