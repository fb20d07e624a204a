// SPDX-License-Identifier: Apache-2.0
//
// Batches of copies of boxes: one after the other on the stream, as batches of
// ranges are (batch.c). A batch counts in elements, which are bytes unless one
// side is an array; a single copy counts in bytes.
#include <stdbool.h>
#include <stdint.h>

#include "call.h"

// Bytes of an array's element; 0 for formats of blocks or of several planes.
static size_t element(const CUDA_ARRAY3D_DESCRIPTOR *d)
{
	switch ((int)d->Format) {
	case CU_AD_FORMAT_UNSIGNED_INT8:
	case CU_AD_FORMAT_SIGNED_INT8:
		return d->NumChannels;
	case CU_AD_FORMAT_UNSIGNED_INT16:
	case CU_AD_FORMAT_SIGNED_INT16:
	case CU_AD_FORMAT_HALF:
		return 2 * (size_t)d->NumChannels;
	case CU_AD_FORMAT_UNSIGNED_INT32:
	case CU_AD_FORMAT_SIGNED_INT32:
	case CU_AD_FORMAT_FLOAT:
		return 4 * (size_t)d->NumChannels;
	case CU_AD_FORMAT_UNORM_INT8X1:
	case CU_AD_FORMAT_SNORM_INT8X1:
		return 1;
	case CU_AD_FORMAT_UNORM_INT8X2:
	case CU_AD_FORMAT_SNORM_INT8X2:
	case CU_AD_FORMAT_UNORM_INT16X1:
	case CU_AD_FORMAT_SNORM_INT16X1:
		return 2;
	case CU_AD_FORMAT_UNORM_INT8X4:
	case CU_AD_FORMAT_SNORM_INT8X4:
	case CU_AD_FORMAT_UNORM_INT16X2:
	case CU_AD_FORMAT_SNORM_INT16X2:
	case CU_AD_FORMAT_UNORM_INT_101010_2:
		return 4;
	case CU_AD_FORMAT_UNORM_INT16X4:
	case CU_AD_FORMAT_SNORM_INT16X4:
		return 8;
	default:
		return 0;
	}
}

// An array's element size into *bytes, which is 0 before, or must be the same already.
static CUresult size_of(const CUmemcpy3DOperand *o, size_t *bytes)
{
	CUDA_ARRAY3D_DESCRIPTOR d;
	if (o->type != CU_MEMCPY_OPERAND_TYPE_ARRAY)
		return CUDA_SUCCESS;
	CUresult r = cuArray3DGetDescriptor_v2(&d, o->op.array.array);
	if (r)
		return r;
	size_t n = element(&d);
	if (!n) {
		axc_debug("cuMemcpy3DBatchAsync: an array of format 0x%x has no elements to count by", (unsigned)d.Format);
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	if (*bytes && *bytes != n)
		return CUDA_ERROR_INVALID_VALUE;
	*bytes = n;
	return CUDA_SUCCESS;
}

struct side {
	CUmemorytype type;
	CUdeviceptr address;
	CUarray array;
	size_t x, y, z, pitch, rows;
};

static CUresult side_of(const CUmemcpy3DOperand *o, const CUextent3D *extent, size_t bytes, struct side *s)
{
	*s = (struct side){.type = CU_MEMORYTYPE_ARRAY};
	if (o->type == CU_MEMCPY_OPERAND_TYPE_ARRAY) {
		s->array = o->op.array.array;
		s->y = o->op.array.offset.y;
		s->z = o->op.array.offset.z;
		return __builtin_mul_overflow(o->op.array.offset.x, bytes, &s->x) ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
	}
	size_t row = o->op.ptr.rowLength ? o->op.ptr.rowLength : extent->width; // 0: without gaps
	s->type = CU_MEMORYTYPE_UNIFIED;
	s->address = o->op.ptr.ptr;
	s->rows = o->op.ptr.layerHeight ? o->op.ptr.layerHeight : extent->height;
	if (!s->address || row < extent->width || s->rows < extent->height || __builtin_mul_overflow(row, bytes, &s->pitch))
		return CUDA_ERROR_INVALID_VALUE;
	return CUDA_SUCCESS;
}

static bool is_operand(const CUmemcpy3DOperand *o)
{
	return o->type == CU_MEMCPY_OPERAND_TYPE_POINTER || o->type == CU_MEMCPY_OPERAND_TYPE_ARRAY;
}

static CUresult copy_of(const CUDA_MEMCPY3D_BATCH_OP *op, CUDA_MEMCPY3D *copy)
{
	size_t bytes = 0;
	struct side from, to;
	if (!is_operand(&op->src) || !is_operand(&op->dst) || !op->extent.width || !op->extent.height || !op->extent.depth ||
	    op->srcAccessOrder < CU_MEMCPY_SRC_ACCESS_ORDER_STREAM || op->srcAccessOrder > CU_MEMCPY_SRC_ACCESS_ORDER_ANY)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult r = size_of(&op->src, &bytes);
	if (!r)
		r = size_of(&op->dst, &bytes);
	bytes = bytes ? bytes : 1;
	if (!r)
		r = side_of(&op->src, &op->extent, bytes, &from);
	if (!r)
		r = side_of(&op->dst, &op->extent, bytes, &to);
	if (r)
		return r;
	*copy = (CUDA_MEMCPY3D){
		.srcXInBytes = from.x, .srcY = from.y, .srcZ = from.z, .srcMemoryType = from.type, .srcDevice = from.address,
		.srcArray = from.array, .srcPitch = from.pitch, .srcHeight = from.rows,
		.dstXInBytes = to.x, .dstY = to.y, .dstZ = to.z, .dstMemoryType = to.type, .dstDevice = to.address,
		.dstArray = to.array, .dstPitch = to.pitch, .dstHeight = to.rows,
		.Height = op->extent.height, .Depth = op->extent.depth,
	};
	return __builtin_mul_overflow(op->extent.width, bytes, &copy->WidthInBytes) ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

static CUresult batch(const CUDA_MEMCPY3D_BATCH_OP *ops, size_t count, size_t *failed, unsigned long long flags, CUstream stream)
{
	CUDA_MEMCPY3D copy;
	CUresult r = axc_ready();
	if (failed)
		*failed = SIZE_MAX; // of no copy in particular
	if (r)
		return r;
	// The default streams are not for batches.
	if (!ops || !count || flags || !stream || stream == CU_STREAM_LEGACY)
		return CUDA_ERROR_INVALID_VALUE;
	// Twice through, so that a batch with a bad copy in it makes none.
	for (int making = 0; making < 2; making++)
		for (size_t i = 0; i < count; i++) {
			r = copy_of(&ops[i], &copy);
			if (!r && making)
				r = cuMemcpy3DAsync_v2(&copy, stream);
			if (r) {
				if (failed)
					*failed = i;
				return r;
			}
		}
	return CUDA_SUCCESS;
}

AX_EXPORT CUresult cuMemcpy3DBatchAsync(size_t numOps, CUDA_MEMCPY3D_BATCH_OP *opList, size_t *failIdx, unsigned long long flags,
					CUstream hStream)
{
	return batch(opList, numOps, failIdx, flags, hStream);
}

AX_EXPORT CUresult cuMemcpy3DBatchAsync_v2(size_t numOps, CUDA_MEMCPY3D_BATCH_OP *opList, unsigned long long flags, CUstream hStream)
{
	return batch(opList, numOps, NULL, flags, hStream);
}
