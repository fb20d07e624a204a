// SPDX-License-Identifier: Apache-2.0
//
// Copies between host and device. A copy's host side is one of:
//
//  - pinned memory: an address in the region's heap, or of registered pages, which
//    is the same memory at the same address here. The vendor reads or writes the program's bytes.
//  - bytes that travel: with the frame (inline or in bulk) on the way up, in
//    bulk or in the reply on the way down. The program's memory is pageable.
//
// No other host address is ever used.
//
// Long copies go by the bulk area's registered address (staging.c), if nothing else holds the stream up.
//
// Pageable memory keeps the vendor's promises: an asynchronous copy up has
// taken its bytes when the call returns (the vendor stages them, so the ring's
// and bulk's space may be used again when the frame is done), and a copy down
// has delivered them (we wait for its stream). That the vendor stages was measured
// on an H200, driver 580.159.04, behind a kernel that runs for 30 ms: 64 bytes to
// 8 MiB, from private and from shared memory. A device that can read ordinary
// memory by itself (GB10, Grace) need not stage, so there we wait for the stream.
#include <string.h>

#include "copy.h"
#include "session.h"
#include "staging.h"
#include "upcall.h"
#include "cuda_worker.h"

CUresult axw_not_captured(CUstream stream)
{
	CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;

	// If that cannot be told, the copy itself fails for the same reason.
	if (axg_vendor.cuStreamIsCapturing && axg_vendor.cuStreamIsCapturing(stream, &status) == CUDA_SUCCESS &&
	    status != CU_STREAM_CAPTURE_STATUS_NONE)
		return axw_own(status == CU_STREAM_CAPTURE_STATUS_ACTIVE ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED
									 : CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
	return CUDA_SUCCESS;
}

static int mirrored(const struct axw_session *s) { return (s->flags & AXR_FLAG_MIRRORED) != 0; }

// The bytes to copy up: from the frame, or from pinned memory (*pinned). NULL: neither.
static const void *source(struct axw_call *w, uint64_t host, uint64_t bytes, int *pinned)
{
	*pinned = 0;
	if (w->data_size && bytes <= w->data_size)
		return w->data;
	*pinned = 1;
	return !w->data_size && axw_pinned(w->s, host, bytes) ? (const void *)(uintptr_t)host : NULL;
}

// Where a copy down goes: bulk, pinned memory (*pinned), or the reply (*reply: bytes there). NULL: nowhere.
static void *target(struct axw_call *w, uint64_t host, uint64_t bytes, int *pinned, size_t *reply)
{
	*pinned = 0;
	*reply = 0;
	if (w->bulk_out)
		return bytes <= w->bulk_out_size ? w->bulk_out : NULL;
	if (host) {
		*pinned = 1;
		return axw_pinned(w->s, host, bytes) ? (void *)(uintptr_t)host : NULL;
	}
	if (bytes > w->out_max)
		return NULL;
	*reply = bytes;
	return w->out;
}

// A copy up of bytes in bulk, by the device alone. *done is 0 when it must be made another way.
static CUresult up_from_bulk(struct axw_call *w, CUdeviceptr to, const void *from, size_t bytes, CUstream stream, int *done)
{
	const void *at = NULL;

	*done = 0;
	// In this order: registering the area is not for a moment when the stream is held up.
	if (bytes < AXW_STAGED_LEAST || !axw_staging_free(w->lane, stream) || !(at = axw_staging_at(w->lane, from, bytes)))
		return CUDA_SUCCESS;
	*done = 1;
	CUresult r = axg_vendor.cuMemcpyHtoDAsync_v2(to, at, bytes, stream);
	return r == CUDA_SUCCESS ? axw_staging_add(w->lane, stream) : r;
}

static CUresult up(struct axw_call *w, __typeof__(cuMemcpyHtoD_v2) *copy, CUstream stream)
{
	struct ax_in_cuMemcpyHtoD_v2 in;
	int pinned;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	if (!copy)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	const void *from = source(w, in.srcHost, in.ByteCount, &pinned);
	if (!from)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	if (pinned && mirrored(w->s))
		axw_upcall(w->s, AXR_UP_FETCH, in.srcHost, in.ByteCount, 0, 0);
	int done = 0;
	CUresult r = pinned ? CUDA_SUCCESS : up_from_bulk(w, in.dstDevice, from, in.ByteCount, stream, &done);
	if (!done && r == CUDA_SUCCESS)
		r = copy(in.dstDevice, from, in.ByteCount);
	if (w->waits)
		axw_staging_drain(w->lane); // the pieces before it too
	return r;
}

CUresult axw_cuMemcpyHtoD_v2(struct axw_call *w) { return up(w, axg_vendor.cuMemcpyHtoD_v2, NULL); }
CUresult axw_cuMemcpyHtoD_v2_ptds(struct axw_call *w) { return up(w, axg_vendor.cuMemcpyHtoD_v2_ptds, CU_STREAM_PER_THREAD); }

static CUresult down(struct axw_call *w, __typeof__(cuMemcpyDtoH_v2) *copy, CUstream stream)
{
	struct ax_in_cuMemcpyDtoH_v2 in;
	int pinned;
	size_t reply;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	if (!copy)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	void *to = target(w, in.dstHost, in.ByteCount, &pinned, &reply);
	if (!to)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	void *at = w->bulk_out ? axw_staging_at(w->lane, to, in.ByteCount) : NULL;
	CUresult r = at ? axw_staging_down(w->lane, at, in.srcDevice, in.ByteCount, stream, w->seq)
			: copy(to, in.srcDevice, in.ByteCount);
	if (r == CUDA_SUCCESS && pinned && mirrored(w->s))
		axw_upcall(w->s, AXR_UP_PUSH, in.dstHost, in.ByteCount, 0, 0);
	if (r == CUDA_SUCCESS)
		w->out_size = reply;
	return r;
}

CUresult axw_cuMemcpyDtoH_v2(struct axw_call *w) { return down(w, axg_vendor.cuMemcpyDtoH_v2, NULL); }
CUresult axw_cuMemcpyDtoH_v2_ptds(struct axw_call *w) { return down(w, axg_vendor.cuMemcpyDtoH_v2_ptds, CU_STREAM_PER_THREAD); }

CUresult axw_cuMemcpyHtoDAsync_v2(struct axw_call *w)
{
	struct ax_in_cuMemcpyHtoDAsync_v2 in;
	CUstream stream;
	CUresult r = CUDA_SUCCESS;
	int pinned;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	if (!axg_vendor.cuMemcpyHtoDAsync_v2)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	if (axg_get_CUstream(w->s, in.hStream, &stream) != CUDA_SUCCESS)
		return axw_own(CUDA_ERROR_INVALID_HANDLE);
	const void *from = source(w, in.srcHost, in.ByteCount, &pinned);
	if (!from)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	if (!pinned)
		r = axw_not_captured(stream);
	else if (mirrored(w->s))
		r = axw_upcall_queued(w->s, stream, AXR_UP_FETCH, in.srcHost, in.ByteCount);
	int done = 0;
	if (r == CUDA_SUCCESS && !pinned)
		r = up_from_bulk(w, in.dstDevice, from, in.ByteCount, stream, &done);
	if (r == CUDA_SUCCESS && !done)
		r = axg_vendor.cuMemcpyHtoDAsync_v2(in.dstDevice, from, in.ByteCount, stream);
	if (r == CUDA_SUCCESS && !pinned && !done && w->s->reads_pageable && axg_vendor.cuStreamSynchronize)
		r = axg_vendor.cuStreamSynchronize(stream);
	return r;
}

CUresult axw_cuMemcpyDtoHAsync_v2(struct axw_call *w)
{
	struct ax_in_cuMemcpyDtoHAsync_v2 in;
	CUstream stream;
	CUresult r = CUDA_SUCCESS;
	int pinned;
	size_t reply;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	if (!axg_vendor.cuMemcpyDtoHAsync_v2 || !axg_vendor.cuStreamSynchronize)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	if (axg_get_CUstream(w->s, in.hStream, &stream) != CUDA_SUCCESS)
		return axw_own(CUDA_ERROR_INVALID_HANDLE);
	void *to = target(w, in.dstHost, in.ByteCount, &pinned, &reply);
	if (!to)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	if (!pinned)
		r = axw_not_captured(stream);
	void *at = r == CUDA_SUCCESS && w->bulk_out ? axw_staging_at(w->lane, to, in.ByteCount) : NULL;
	if (at)
		r = axw_staging_down(w->lane, at, in.srcDevice, in.ByteCount, stream, w->seq);
	else if (r == CUDA_SUCCESS)
		r = axg_vendor.cuMemcpyDtoHAsync_v2(to, in.srcDevice, in.ByteCount, stream);
	if (r == CUDA_SUCCESS && !pinned && !at)
		r = axg_vendor.cuStreamSynchronize(stream);
	if (r == CUDA_SUCCESS && pinned && mirrored(w->s))
		r = axw_upcall_queued(w->s, stream, AXR_UP_PUSH, in.dstHost, in.ByteCount);
	if (r == CUDA_SUCCESS)
		w->out_size = reply;
	return r;
}
