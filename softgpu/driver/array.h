/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays and mipmapped arrays: what copies and textures want to know of them. */
#ifndef AXON_SOFTGPU_DRIVER_ARRAY_H
#define AXON_SOFTGPU_DRIVER_ARRAY_H

#include "driver.h"

/* Rows lie one after the other without holes. A mipmapped array is one, too, and its levels are arrays without memory of
 * their own. */
struct array {
	struct object object;
	struct context *ctx;
	struct array *next;                    /* in the context's list */
	CUDA_ARRAY3D_DESCRIPTOR desc;          /* as it was asked for: 0 for a dimension that it has not */
	struct ptx_image image;
	enum ptx_texel texel;
	unsigned bytes;                        /* of one channel */
	struct memory *storage;                /* NULL: a level, whose mipmapped array has it */
	struct array *levels[PTX_LEVELS];
	unsigned level_count;                  /* 0: no mipmapped array */
};
struct array *array_find(CUarray);
struct array *mipmap_find(CUmipmappedArray);
/* What a format is, with the bytes of one channel in *bytes; 0, CUDA_ERROR_INVALID_VALUE, or NOT_SUPPORTED. */
CUresult array_format(CUarray_format, enum ptx_texel *, unsigned *bytes);
/* A level's images all lie within its array's memory: 1 when those n bytes still do. Takes gpu.table as memory_valid does. */
int array_valid(uint64_t address, size_t n);

#endif
