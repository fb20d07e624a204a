// SPDX-License-Identifier: Apache-2.0
//
// cuMemAdvise, cuMemPrefetchAsync and what was advised: of managed memory
// answered here, of other memory by the worker.
#include <string.h>

#include "advice.h"
#include "call.h"

AX_EXPORT CUresult cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUdevice device)
{
	struct axc_range range;
	struct axc_call c;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (axc_advice_knows(devPtr, &range))
		return axc_advice_give(&range, devPtr, count, advice, axc_advice_place(device));
	if ((r = axc_begin(&c, AX_cuMemAdvise, sizeof(struct ax_in_cuMemAdvise), 0)))
		return r;
	*(struct ax_in_cuMemAdvise *)c.in = (struct ax_in_cuMemAdvise){
		.devPtr = devPtr, .count = count, .advice = (uint32_t)advice, .device = device};
	r = axc_wait(&c);
	axc_end(&c);
	return r;
}

AX_EXPORT CUresult cuMemAdvise_v2(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUmemLocation location)
{
	struct axc_range range;
	struct axc_call c;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (axc_advice_knows(devPtr, &range))
		return axc_advice_give(&range, devPtr, count, advice, location);
	if ((r = axc_begin(&c, AX_cuMemAdvise_v2, sizeof(struct ax_in_cuMemAdvise_v2), sizeof location)))
		return r;
	*(struct ax_in_cuMemAdvise_v2 *)c.in = (struct ax_in_cuMemAdvise_v2){
		.devPtr = devPtr, .count = count, .advice = (uint32_t)advice};
	memcpy(c.data, &location, sizeof location);
	r = axc_wait(&c);
	axc_end(&c);
	return r;
}

// 0, or that there is no such stream.
static CUresult check_stream(const char *call, CUstream stream)
{
	uint64_t name = (uint64_t)(uintptr_t)stream;
	return name > 2 && axc_check(AXH_CUstream, name) ? axc_missing(CUDA_ERROR_INVALID_HANDLE, call, "CUstream", "hStream", name)
							 : CUDA_SUCCESS;
}

AX_EXPORT CUresult cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUdevice dstDevice, CUstream hStream)
{
	struct axc_range range;
	struct axc_call c;
	CUresult r = axc_ready();
	if (r || (r = check_stream("cuMemPrefetchAsync", hStream)))
		return r;
	if (axc_advice_knows(devPtr, &range))
		return axc_advice_prefetch(&range, devPtr, count, axc_advice_place(dstDevice));
	if ((r = axc_begin(&c, AX_cuMemPrefetchAsync, sizeof(struct ax_in_cuMemPrefetchAsync), 0)))
		return r;
	*(struct ax_in_cuMemPrefetchAsync *)c.in = (struct ax_in_cuMemPrefetchAsync){
		.devPtr = devPtr, .count = count, .dstDevice = dstDevice, .hStream = (uint64_t)(uintptr_t)hStream};
	return axc_post(&c);
}

AX_EXPORT CUresult cuMemPrefetchAsync_v2(CUdeviceptr devPtr, size_t count, CUmemLocation location, unsigned int flags,
					 CUstream hStream)
{
	struct axc_range range;
	struct axc_call c;
	CUresult r = axc_ready();
	if (r || (r = check_stream("cuMemPrefetchAsync", hStream)))
		return r;
	if (axc_advice_knows(devPtr, &range))
		return flags ? CUDA_ERROR_INVALID_VALUE : axc_advice_prefetch(&range, devPtr, count, location);
	if ((r = axc_begin(&c, AX_cuMemPrefetchAsync_v2, sizeof(struct ax_in_cuMemPrefetchAsync_v2), sizeof location)))
		return r;
	*(struct ax_in_cuMemPrefetchAsync_v2 *)c.in = (struct ax_in_cuMemPrefetchAsync_v2){
		.devPtr = devPtr, .count = count, .flags = flags, .hStream = (uint64_t)(uintptr_t)hStream};
	memcpy(c.data, &location, sizeof location);
	return axc_post(&c);
}

AX_EXPORT CUresult cuStreamAttachMemAsync(CUstream hStream, CUdeviceptr dptr, size_t length, unsigned int flags)
{
	struct axc_range range;
	struct axc_call c;
	CUresult r = axc_ready();
	if (r || (r = check_stream("cuStreamAttachMemAsync", hStream)))
		return r;
	// Both sides may touch it at any time, whomever it belongs to.
	if (axc_advice_knows(dptr, &range))
		return (length && length != range.size) || (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST &&
							    flags != CU_MEM_ATTACH_SINGLE)
			       ? CUDA_ERROR_INVALID_VALUE
			       : CUDA_SUCCESS;
	if ((r = axc_begin(&c, AX_cuStreamAttachMemAsync, sizeof(struct ax_in_cuStreamAttachMemAsync), 0)))
		return r;
	*(struct ax_in_cuStreamAttachMemAsync *)c.in = (struct ax_in_cuStreamAttachMemAsync){
		.hStream = (uint64_t)(uintptr_t)hStream, .dptr = dptr, .length = length, .flags = flags};
	return axc_post(&c);
}

AX_EXPORT CUresult cuMemRangeGetAttribute(void *data, size_t dataSize, CUmem_range_attribute attribute, CUdeviceptr devPtr,
					  size_t count)
{
	struct axc_range range;
	struct axc_call c;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (axc_advice_knows(devPtr, &range))
		return axc_advice_tell(&range, devPtr, count, attribute, data, dataSize);
	if (!data && dataSize)
		return CUDA_ERROR_INVALID_VALUE;
	if ((r = axc_begin(&c, AX_cuMemRangeGetAttribute, sizeof(struct ax_in_cuMemRangeGetAttribute), 0)))
		return r;
	*(struct ax_in_cuMemRangeGetAttribute *)c.in = (struct ax_in_cuMemRangeGetAttribute){
		.dataSize = dataSize, .attribute = (uint32_t)attribute, .devPtr = devPtr, .count = count};
	r = axc_wait(&c);
	if (!r && c.out_size >= dataSize && dataSize)
		memcpy(data, c.out, dataSize);
	axc_end(&c);
	return r;
}
