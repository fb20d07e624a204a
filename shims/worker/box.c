// SPDX-License-Identifier: Apache-2.0
//
// Copies of boxes. A side is an array, device memory, pinned memory (all of what
// the box touches is checked), or rows that travel, packed, as plain copies'
// bytes do (copy.c). No other host address is ever used, so that no side is
// given to the vendor's library as one whose place it finds out by itself.
#include <string.h>

#include "copy.h"
#include "session.h"
#include "staging.h"
#include "upcall.h"
#include "cuda_worker.h"

struct side {
	uint32_t type;
	uint64_t address, x, y, z, lod, pitch, height;
	CUarray array;
	CUcontext context;
};

struct box {
	uint64_t width, height, depth;
	struct side from, to;
};

// Whether everything that the box touches of a host side is pinned. It is *bytes from *first on.
static int pinned(struct axw_session *s, const struct side *d, const struct box *b, uint64_t *first, uint64_t *bytes)
{
	uint64_t last, skip;

	if (__builtin_add_overflow(d->z, b->depth - 1, &last) || __builtin_mul_overflow(last, d->height, &last) ||
	    __builtin_add_overflow(last, d->y, &last) || __builtin_add_overflow(last, b->height - 1, &last) ||
	    __builtin_mul_overflow(last, d->pitch, &last) || __builtin_add_overflow(last, d->x, &last) ||
	    __builtin_add_overflow(last, b->width, &last) || __builtin_mul_overflow(d->z, d->height, &skip) ||
	    __builtin_add_overflow(skip, d->y, &skip) || __builtin_mul_overflow(skip, d->pitch, &skip) ||
	    __builtin_add_overflow(skip, d->x, &skip) || __builtin_add_overflow(d->address, skip, first) || last < skip)
		return 0;
	*bytes = last - skip;
	return axw_pinned(s, *first, *bytes);
}

static void put_3d(CUDA_MEMCPY3D_PEER *p, const struct box *b)
{
	const struct side *f = &b->from, *t = &b->to;
	*p = (CUDA_MEMCPY3D_PEER){
		.srcXInBytes = f->x, .srcY = f->y, .srcZ = f->z, .srcLOD = f->lod, .srcMemoryType = (CUmemorytype)f->type,
		.srcHost = (const void *)(uintptr_t)f->address, .srcDevice = f->address, .srcArray = f->array,
		.srcContext = f->context, .srcPitch = f->pitch, .srcHeight = f->height,
		.dstXInBytes = t->x, .dstY = t->y, .dstZ = t->z, .dstLOD = t->lod, .dstMemoryType = (CUmemorytype)t->type,
		.dstHost = (void *)(uintptr_t)t->address, .dstDevice = t->address, .dstArray = t->array,
		.dstContext = t->context, .dstPitch = t->pitch, .dstHeight = t->height,
		.WidthInBytes = b->width, .Height = b->height, .Depth = b->depth,
	};
}

static CUDA_MEMCPY2D as_2d(const struct box *b)
{
	const struct side *f = &b->from, *t = &b->to;
	return (CUDA_MEMCPY2D){
		.srcXInBytes = f->x, .srcY = f->y, .srcMemoryType = (CUmemorytype)f->type,
		.srcHost = (const void *)(uintptr_t)f->address, .srcDevice = f->address, .srcArray = f->array, .srcPitch = f->pitch,
		.dstXInBytes = t->x, .dstY = t->y, .dstMemoryType = (CUmemorytype)t->type,
		.dstHost = (void *)(uintptr_t)t->address, .dstDevice = t->address, .dstArray = t->array, .dstPitch = t->pitch,
		.WidthInBytes = b->width, .Height = b->height,
	};
}

// Queues it, whatever the form. 2DUnaligned exists without a stream only.
static CUresult queue(uint32_t form, const struct box *b, CUstream stream)
{
	CUDA_MEMCPY3D_PEER peer;
	CUDA_MEMCPY3D alone;
	CUDA_MEMCPY2D flat = as_2d(b);
	_Static_assert(sizeof peer == sizeof alone, "the two structs differ in names only");

	put_3d(&peer, b);
	memcpy(&alone, &peer, sizeof alone);
	switch (form) {
	case 0:
		return axg_vendor.cuMemcpy2DAsync_v2 ? axg_vendor.cuMemcpy2DAsync_v2(&flat, stream) : axw_own(CUDA_ERROR_NOT_SUPPORTED);
	case 1:
		if (stream)
			return axg_vendor.cuMemcpy2DUnaligned_v2_ptds ? axg_vendor.cuMemcpy2DUnaligned_v2_ptds(&flat)
								     : axw_own(CUDA_ERROR_NOT_SUPPORTED);
		return axg_vendor.cuMemcpy2DUnaligned_v2 ? axg_vendor.cuMemcpy2DUnaligned_v2(&flat) : axw_own(CUDA_ERROR_NOT_SUPPORTED);
	case 2:
		return axg_vendor.cuMemcpy3DAsync_v2 ? axg_vendor.cuMemcpy3DAsync_v2(&alone, stream) : axw_own(CUDA_ERROR_NOT_SUPPORTED);
	case 3:
		return axg_vendor.cuMemcpy3DPeerAsync ? axg_vendor.cuMemcpy3DPeerAsync(&peer, stream) : axw_own(CUDA_ERROR_NOT_SUPPORTED);
	case 4:
		return axg_vendor.cuMemcpyHtoAAsync_v2
			       ? axg_vendor.cuMemcpyHtoAAsync_v2(b->to.array, b->to.x, peer.srcHost, b->width, stream)
			       : axw_own(CUDA_ERROR_NOT_SUPPORTED);
	case 5:
		return axg_vendor.cuMemcpyAtoHAsync_v2
			       ? axg_vendor.cuMemcpyAtoHAsync_v2(peer.dstHost, b->from.array, b->from.x, b->width, stream)
			       : axw_own(CUDA_ERROR_NOT_SUPPORTED);
	default:
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	}
}

// What the address of a side in the frame stands for. *travels: packed rows, at `rows`, of which there are `room` bytes.
// A pinned source that a relay mirrors is fetched when the stream gets there.
static CUresult check(struct axw_call *w, struct side *d, const struct box *b, const void *rows, size_t room, CUstream stream,
		      int *travels)
{
	uint64_t first, bytes;

	*travels = 0;
	switch (d->type) {
	case CU_MEMORYTYPE_ARRAY:
		return d->array ? CUDA_SUCCESS : axw_own(CUDA_ERROR_INVALID_VALUE);
	case CU_MEMORYTYPE_DEVICE:
		return CUDA_SUCCESS;
	case CU_MEMORYTYPE_HOST:
		if (d->address) {
			if (!pinned(w->s, d, b, &first, &bytes))
				return axw_own(CUDA_ERROR_INVALID_VALUE);
			if (!(w->s->flags & AXR_FLAG_MIRRORED))
				return CUDA_SUCCESS;
			return d == &b->from ? axw_upcall_queued(w->s, stream, AXR_UP_FETCH, first, bytes) : axw_own(CUDA_ERROR_NOT_SUPPORTED);
		}
		if (!rows || __builtin_mul_overflow(b->width, b->height, &bytes) ||
		    __builtin_mul_overflow(bytes, b->depth, &bytes) || bytes > room)
			return axw_own(CUDA_ERROR_INVALID_VALUE);
		*travels = 1;
		d->address = (uint64_t)(uintptr_t)rows;
		d->x = d->y = d->z = d->lod = 0;
		d->pitch = b->width;
		d->height = b->height;
		return CUDA_SUCCESS;
	default:
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	}
}

CUresult axw_axCopyBox(struct axw_call *w)
{
	struct axw_session *s = w->s;
	struct ax_in_axCopyBox in;
	CUstream stream;
	int up, down;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	struct box b = { in.width, in.height, in.depth,
			 { in.fromType, in.from, in.fromX, in.fromY, in.fromZ, in.fromLOD, in.fromPitch, in.fromHeight, NULL, NULL },
			 { in.toType, in.to, in.toX, in.toY, in.toZ, in.toLOD, in.toPitch, in.toHeight, NULL, NULL } };
	if (!b.width || !b.height || !b.depth)
		return CUDA_SUCCESS;
	// The array forms say the array by themselves.
	if ((in.form == 4 && (in.fromType != CU_MEMORYTYPE_HOST || in.toType != CU_MEMORYTYPE_ARRAY)) ||
	    (in.form == 5 && (in.fromType != CU_MEMORYTYPE_ARRAY || in.toType != CU_MEMORYTYPE_HOST)))
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	if (axg_get_CUstream(s, in.stream, &stream) ||
	    (b.from.type == CU_MEMORYTYPE_ARRAY && axg_get_CUarray(s, in.fromArray, &b.from.array)) ||
	    (b.to.type == CU_MEMORYTYPE_ARRAY && axg_get_CUarray(s, in.toArray, &b.to.array)) ||
	    axg_get_CUcontext(s, in.fromContext, &b.from.context) ||
	    axg_get_CUcontext(s, in.toContext, &b.to.context))
		return axw_own(CUDA_ERROR_INVALID_HANDLE);
	CUresult r = check(w, &b.from, &b, w->data, w->data_size, stream, &up);
	if (!r)
		r = check(w, &b.to, &b, w->bulk_out, w->bulk_out_size, stream, &down);
	if (!r && (up || down))
		r = axw_not_captured(stream);
	if (r)
		return r;
	if (!axg_vendor.cuStreamSynchronize)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);

	size_t packed = b.width * b.height * b.depth; // of a box that travels it is known to be a size
	const void *staged = NULL;
	if (up && packed >= AXW_STAGED_LEAST && axw_staging_free(w->lane, stream) &&
	    (staged = axw_staging_at(w->lane, w->data, packed)))
		b.from.address = (uint64_t)(uintptr_t)staged;
	if (down) {
		const void *at = axw_staging_at(w->lane, w->bulk_out, packed);
		b.to.address = (uint64_t)(uintptr_t)(at ? at : w->bulk_out);
	}
	r = queue(in.form, &b, stream);
	if (r == CUDA_SUCCESS && staged)
		r = axw_staging_add(w->lane, stream);
	if (in.waits && w->waits)
		axw_staging_drain(w->lane);
	// Rows that came down are there when the call is answered; so is everything of a call that waits and has a host side. A
	// device that reads ordinary memory by itself need not stage it.
	int host = b.from.type == CU_MEMORYTYPE_HOST || b.to.type == CU_MEMORYTYPE_HOST;
	if (r == CUDA_SUCCESS && (down || (in.waits && w->waits && host) || (up && !staged && s->reads_pageable)))
		r = axg_vendor.cuStreamSynchronize(stream);
	return r;
}
