// SPDX-License-Identifier: Apache-2.0
//
// Copies of boxes: cuMemcpy2D, cuMemcpy3D and their kin, and between arrays and
// host memory. All are one call, axCopyBox. A host side that is pinned goes by
// its address. One that is not travels: its rows are packed into frames, a
// stretch of the box in each, with the promises of the plain copies (copy.c). A
// host side at both ends is the client's own to copy.
#include <string.h>

#include "copiers.h"
#include "copy.h"
#include "hold.h"
#include "host.h"
#include "memory.h"
#include "session.h"

enum form { BOX_2D, BOX_2D_UNALIGNED, BOX_3D, BOX_3D_PEER, BOX_TO_ARRAY, BOX_FROM_ARRAY };

struct side {
	CUmemorytype type;
	uint64_t address;
	CUarray array;
	CUcontext context;
	uint64_t x, y, z, lod, pitch, height;
	bool travels;
};

struct box {
	enum form form;
	CUstream stream;
	bool waits;
	struct side from, to;
	uint64_t width, height, depth;
};

// Of a linear side: where row y of slice z begins.
static uint64_t row_at(const struct side *s, uint64_t y, uint64_t z)
{
	return s->address + ((s->z + z) * s->height + s->y + y) * s->pitch + s->x;
}

// From its first byte to its last, both known not to overflow.
static bool stretch(const struct side *s, const struct box *b, uint64_t *first, uint64_t *bytes)
{
	uint64_t rows, last;
	if (__builtin_mul_overflow(s->z + b->depth - 1, s->height, &rows) || s->z + b->depth - 1 < s->z ||
	    __builtin_add_overflow(rows, s->y, &rows) || __builtin_add_overflow(rows, b->height - 1, &rows) ||
	    __builtin_mul_overflow(rows, s->pitch, &last) || __builtin_add_overflow(last, s->x, &last) ||
	    __builtin_add_overflow(last, b->width, &last) || __builtin_add_overflow(last, s->address, &last))
		return false;
	*first = row_at(s, 0, 0);
	*bytes = last - *first;
	return true;
}

static CUresult look_at(struct side *s, const struct box *b, const void *host, CUdeviceptr device)
{
	uint64_t first, bytes, wire = 0;

	// What the program left in members that its type does not use means nothing.
	if (s->type != CU_MEMORYTYPE_ARRAY)
		s->array = NULL;
	s->address = s->type == CU_MEMORYTYPE_HOST ? (uint64_t)(uintptr_t)host : device;
	if (s->type == CU_MEMORYTYPE_ARRAY)
		return CUDA_SUCCESS;
	if (s->type != CU_MEMORYTYPE_HOST && s->type != CU_MEMORYTYPE_DEVICE && s->type != CU_MEMORYTYPE_UNIFIED)
		return CUDA_ERROR_INVALID_VALUE;
	if (!b->width || !b->height || !b->depth)
		return CUDA_SUCCESS;
	if (!s->address || s->x + b->width < s->x || (s->pitch && s->pitch < s->x + b->width) ||
	    (s->height && b->depth > 1 && s->height < s->y + b->height))
		return CUDA_ERROR_INVALID_VALUE;
	if (!s->pitch)
		s->pitch = s->x + b->width;
	if (!s->height)
		s->height = s->y + b->height;
	if (!stretch(s, b, &first, &bytes))
		return CUDA_ERROR_INVALID_VALUE;
	if (s->type == CU_MEMORYTYPE_UNIFIED)
		s->type = axc_is_device(first) ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
	if (s->type != CU_MEMORYTYPE_HOST)
		return CUDA_SUCCESS;
	// Behind a relay a pinned target's whole stretch would be sent back, and the bytes between the rows are not ours to write.
	s->travels = !axc_pinned((const void *)(uintptr_t)first, bytes, &wire) || (axc.mirrored && s == &b->to);
	if (!s->travels)
		s->address += wire - first;
	return CUDA_SUCCESS;
}

static void fill(struct ax_in_axCopyBox *in, const struct box *b)
{
	const struct side *f = &b->from, *t = &b->to;
	*in = (struct ax_in_axCopyBox){.stream = (uint64_t)(uintptr_t)b->stream,
				       .form = b->form,
				       .waits = b->waits,
				       .width = b->width,
				       .height = b->height,
				       .depth = b->depth,
				       .fromType = (uint32_t)f->type,
				       .toType = (uint32_t)t->type,
				       .from = f->travels ? 0 : f->address,
				       .to = t->travels ? 0 : t->address,
				       .fromArray = (uint64_t)(uintptr_t)f->array,
				       .toArray = (uint64_t)(uintptr_t)t->array,
				       .fromContext = (uint64_t)(uintptr_t)f->context,
				       .toContext = (uint64_t)(uintptr_t)t->context,
				       .fromX = f->x, .fromY = f->y, .fromZ = f->z, .fromLOD = f->lod,
				       .fromPitch = f->pitch, .fromHeight = f->height,
				       .toX = t->x, .toY = t->y, .toZ = t->z, .toLOD = t->lod,
				       .toPitch = t->pitch, .toHeight = t->height};
}

// Between the program's rows and packed ones.
static void pack(const struct box *b, uint8_t *packed)
{
	for (uint64_t z = 0; z < b->depth; z++)
		for (uint64_t y = 0; y < b->height; y++, packed += b->width)
			if (b->from.travels)
				memcpy(packed, (const void *)(uintptr_t)row_at(&b->from, y, z), b->width);
			else
				memcpy((void *)(uintptr_t)row_at(&b->to, y, z), packed, b->width);
}

// One frame. Posted if nothing is to be waited for.
static CUresult send(const struct box *b, bool post)
{
	struct axc_call call;
	size_t packed = b->from.travels || b->to.travels ? b->width * b->height * b->depth : 0;
	uint8_t *bulk = NULL;

	CUresult r = axc_begin(&call, AX_axCopyBox, sizeof(struct ax_in_axCopyBox), b->from.travels ? packed : 0);
	if (r)
		return r;
	fill(call.in, b);
	if (b->from.travels)
		pack(b, call.data);
	if (b->to.travels && !(bulk = axc_bulk_out(&call, packed)))
		return CUDA_ERROR_DEVICE_UNAVAILABLE;
	if (post && !bulk)
		return axc_post(&call);
	r = axc_wait(&call);
	if (!r && bulk)
		pack(b, bulk);
	axc_end(&call);
	return r;
}

// The box as stretches that a frame takes: whole slices, or rows of one, or a part of a row.
static CUresult in_pieces(const struct box *b)
{
	uint64_t width = b->width < AXC_PIECE ? b->width : AXC_PIECE;
	uint64_t height = width < b->width ? 1 : AXC_PIECE / width;
	height = height < b->height ? height : b->height;
	uint64_t depth = height < b->height ? 1 : AXC_PIECE / (width * height);
	depth = depth < b->depth ? depth : b->depth;

	for (uint64_t z = 0; z < b->depth; z += depth)
		for (uint64_t y = 0; y < b->height; y += height)
			for (uint64_t x = 0; x < b->width; x += width) {
				struct box part = *b;
				part.width = b->width - x < width ? b->width - x : width;
				part.height = b->height - y < height ? b->height - y : height;
				part.depth = b->depth - z < depth ? b->depth - z : depth;
				part.from.x += x, part.from.y += y, part.from.z += z;
				part.to.x += x, part.to.y += y, part.to.z += z;
				bool last = x + part.width == b->width && y + part.height == b->height && z + part.depth == b->depth;
				CUresult r = send(&part, !b->waits || !last);
				if (r)
					return r;
			}
	return CUDA_SUCCESS;
}

// Rows that would travel are held in place for the graph, if the stream records one.
static CUresult record(struct side *s, const struct box *b)
{
	uint64_t first, bytes;
	bool held;

	if (!s->travels || b->waits || !stretch(s, b, &first, &bytes))
		return CUDA_SUCCESS;
	CUresult r = axc_hold_recorded(b->stream, (const void *)(uintptr_t)first, bytes, s == &b->from, &held);
	s->travels = !held;
	return r;
}

static CUresult copy(struct box *b, const void *from_host, CUdeviceptr from_device, const void *to_host, CUdeviceptr to_device)
{
	CUresult r = look_at(&b->from, b, from_host, from_device);
	if (!r)
		r = look_at(&b->to, b, to_host, to_device);
	if (r || !b->width || !b->height || !b->depth)
		return r;
	if ((r = record(&b->from, b)) || (r = record(&b->to, b)))
		return r;
	if (b->from.travels && b->to.travels) { // no device in it, but it keeps its place in the stream's order
		if ((r = cuStreamSynchronize(b->stream)))
			return r;
		for (uint64_t z = 0; z < b->depth; z++)
			for (uint64_t y = 0; y < b->height; y++)
				memmove((void *)(uintptr_t)row_at(&b->to, y, z), (const void *)(uintptr_t)row_at(&b->from, y, z),
					b->width);
		return CUDA_SUCCESS;
	}
	return b->from.travels || b->to.travels ? in_pieces(b) : send(b, !b->waits);
}

static CUresult two(const CUDA_MEMCPY2D *p, enum form form, CUstream stream, bool waits)
{
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!p)
		return CUDA_ERROR_INVALID_VALUE;
	struct box b = {.form = form, .stream = stream, .waits = waits,
			.from = {.type = p->srcMemoryType, .array = p->srcArray, .x = p->srcXInBytes, .y = p->srcY, .pitch = p->srcPitch},
			.to = {.type = p->dstMemoryType, .array = p->dstArray, .x = p->dstXInBytes, .y = p->dstY, .pitch = p->dstPitch},
			.width = p->WidthInBytes, .height = p->Height, .depth = 1};
	return copy(&b, p->srcHost, p->srcDevice, p->dstHost, p->dstDevice);
}

// Both three-dimensional structs: one has contexts where the other keeps reserved words.
static CUresult three(const CUDA_MEMCPY3D_PEER *p, enum form form, CUstream stream, bool waits)
{
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!p)
		return CUDA_ERROR_INVALID_VALUE;
	bool peer = form == BOX_3D_PEER;
	struct box b = {.form = form, .stream = stream, .waits = waits,
			.from = {.type = p->srcMemoryType, .array = p->srcArray, .context = peer ? p->srcContext : NULL,
				 .x = p->srcXInBytes, .y = p->srcY, .z = p->srcZ, .lod = p->srcLOD, .pitch = p->srcPitch,
				 .height = p->srcHeight},
			.to = {.type = p->dstMemoryType, .array = p->dstArray, .context = peer ? p->dstContext : NULL,
			       .x = p->dstXInBytes, .y = p->dstY, .z = p->dstZ, .lod = p->dstLOD, .pitch = p->dstPitch,
			       .height = p->dstHeight},
			.width = p->WidthInBytes, .height = p->Height, .depth = p->Depth};
	return copy(&b, p->srcHost, p->srcDevice, p->dstHost, p->dstDevice);
}

static CUresult three_alone(const CUDA_MEMCPY3D *p, CUstream stream, bool waits)
{
	CUDA_MEMCPY3D_PEER same;
	_Static_assert(sizeof same == sizeof *p, "the two structs differ in names only");
	if (p)
		memcpy(&same, p, sizeof same);
	return three(p ? &same : NULL, BOX_3D, stream, waits);
}

static CUresult array(CUarray array, size_t offset, void *host, size_t bytes, bool to_array, CUstream stream, bool waits)
{
	CUresult r = axc_ready();
	if (r)
		return r;
	struct box b = {.form = to_array ? BOX_TO_ARRAY : BOX_FROM_ARRAY, .stream = stream, .waits = waits,
			.width = bytes, .height = 1, .depth = 1};
	struct side *of_host = to_array ? &b.from : &b.to, *of_array = to_array ? &b.to : &b.from;
	of_host->type = CU_MEMORYTYPE_HOST;
	of_array->type = CU_MEMORYTYPE_ARRAY;
	of_array->array = array;
	of_array->x = offset;
	return copy(&b, host, 0, host, 0);
}

#define PER_THREAD CU_STREAM_PER_THREAD

AX_EXPORT CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *pCopy) { return two(pCopy, BOX_2D, NULL, true); }
AX_EXPORT CUresult cuMemcpy2D_v2_ptds(const CUDA_MEMCPY2D *pCopy) { return two(pCopy, BOX_2D, PER_THREAD, true); }
AX_EXPORT CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *pCopy) { return two(pCopy, BOX_2D_UNALIGNED, NULL, true); }
AX_EXPORT CUresult cuMemcpy2DUnaligned_v2_ptds(const CUDA_MEMCPY2D *pCopy) { return two(pCopy, BOX_2D_UNALIGNED, PER_THREAD, true); }
AX_EXPORT CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *pCopy, CUstream hStream) { return two(pCopy, BOX_2D, hStream, false); }
AX_EXPORT CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *pCopy) { return three_alone(pCopy, NULL, true); }
AX_EXPORT CUresult cuMemcpy3D_v2_ptds(const CUDA_MEMCPY3D *pCopy) { return three_alone(pCopy, PER_THREAD, true); }
AX_EXPORT CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *pCopy, CUstream hStream) { return three_alone(pCopy, hStream, false); }
AX_EXPORT CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *pCopy) { return three(pCopy, BOX_3D_PEER, NULL, true); }
AX_EXPORT CUresult cuMemcpy3DPeer_ptds(const CUDA_MEMCPY3D_PEER *pCopy) { return three(pCopy, BOX_3D_PEER, PER_THREAD, true); }
AX_EXPORT CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *pCopy, CUstream hStream)
{
	return three(pCopy, BOX_3D_PEER, hStream, false);
}

AX_EXPORT CUresult cuMemcpyHtoA_v2(CUarray dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount)
{
	return array(dstArray, dstOffset, (void *)(uintptr_t)srcHost, ByteCount, true, NULL, true);
}

AX_EXPORT CUresult cuMemcpyHtoA_v2_ptds(CUarray dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount)
{
	return array(dstArray, dstOffset, (void *)(uintptr_t)srcHost, ByteCount, true, PER_THREAD, true);
}

AX_EXPORT CUresult cuMemcpyHtoAAsync_v2(CUarray dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount, CUstream hStream)
{
	return array(dstArray, dstOffset, (void *)(uintptr_t)srcHost, ByteCount, true, hStream, false);
}

AX_EXPORT CUresult cuMemcpyAtoH_v2(void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount)
{
	return array(srcArray, srcOffset, dstHost, ByteCount, false, NULL, true);
}

AX_EXPORT CUresult cuMemcpyAtoH_v2_ptds(void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount)
{
	return array(srcArray, srcOffset, dstHost, ByteCount, false, PER_THREAD, true);
}

AX_EXPORT CUresult cuMemcpyAtoHAsync_v2(void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount, CUstream hStream)
{
	return array(srcArray, srcOffset, dstHost, ByteCount, false, hStream, false);
}
