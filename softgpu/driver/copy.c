/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies and fills, of one to three dimensions, on linear memory and arrays.
 *
 * When a copy returns, by what it touches:
 *   - from pageable host memory: when the source has been read (staged, or for a big one when the copy is done);
 *   - into pageable host memory: when it is done, also the Async forms;
 *   - from or into pinned memory, Async: at once; the source is read when the stream gets there;
 *   - within the device: at once.
 */
#include "array.h"
#include "graph.h"

#include <stdlib.h>
#include <string.h>

#define STAGED_MOST ((size_t)4 << 20)

/* A box of `depth` slices of `height` rows: the first byte of row y of slice z is at base + z * slice + y * pitch. */
struct side {
	uint64_t base;
	size_t pitch, slice;
	struct array *array;                   /* NULL: linear memory */
	size_t x, y, z;                        /* in the array; x in bytes */
};

struct copy_item {
	struct item item;
	struct side from, to;
	size_t width, height, depth;
	unsigned char *staged;                 /* the source, packed */
	int check_from, check_to;              /* look again, when it runs, whether the memory is still there */
};

/* From a side's first byte to its last. 0 when that is more than an address can say. */
static int extent(const struct side *s, size_t width, size_t height, size_t depth, size_t *n)
{
	size_t rows, slices;
	return !__builtin_mul_overflow(s->pitch, height - 1, &rows) && !__builtin_mul_overflow(s->slice, depth - 1, &slices) &&
	       !__builtin_add_overflow(rows, slices, n) && !__builtin_add_overflow(*n, width, n) && s->base + *n >= s->base;
}

static void *row(const struct side *s, size_t y, size_t z)
{
	return (void *)(uintptr_t)(s->base + z * s->slice + y * s->pitch);
}

/* What the program looks at itself when a call returns; NULL is pageable memory. */
static int host_sees(const struct memory *m) { return !m || m->kind >= MEM_HOST || m->kind == MEM_MANAGED; }

/* Whether the memory is still there when the copy runs. The array itself may be gone by then. */
static int still_there(const struct copy_item *c, const struct side *s, int write)
{
	size_t n;
	return !extent(s, c->width, c->height, c->depth, &n) ||
	       (s->array ? array_valid(s->base, n) : memory_valid(s->base, n, write) == 1);
}

static CUresult run_copy(struct item *i)
{
	struct copy_item *c = (struct copy_item *)i;
	if ((c->check_from && !still_there(c, &c->from, 0)) || (c->check_to && !still_there(c, &c->to, 1)))
		return CUDA_ERROR_ILLEGAL_ADDRESS;
	for (size_t z = 0; z < c->depth; z++)
		for (size_t y = 0; y < c->height; y++)
			memmove(row(&c->to, y, z),
				c->staged ? c->staged + (z * c->height + y) * c->width : row(&c->from, y, z), c->width);
	return CUDA_SUCCESS;
}

static void end_copy(struct item *i)
{
	free(((struct copy_item *)i)->staged);
}

/* What each side may be: host memory of any sort, only what the device knows, or either. */
enum where { HOST, DEVICE, EITHER, ARRAY };

/* How a copy or fill is asked for: GRAPH is that of a node, which is done when the stream gets there whatever it touches;
 * CHECK only says whether it can be. */
enum how { SYNC, ASYNC, GRAPH, CHECK };

static CUmemorytype memory_type(enum where where)
{
	static const CUmemorytype types[] = {
		[HOST] = CU_MEMORYTYPE_HOST, [DEVICE] = CU_MEMORYTYPE_DEVICE, [EITHER] = CU_MEMORYTYPE_UNIFIED, [ARRAY] = CU_MEMORYTYPE_ARRAY,
	};
	return types[where];
}

/* A copy on a stream that records. */
static CUresult record_copy(struct stream *s, const struct side *to, enum where to_is, const struct side *from, enum where from_is,
			    size_t width, size_t height, size_t depth)
{
	struct op op = { .type = CU_GRAPH_NODE_TYPE_MEMCPY };
	CUDA_MEMCPY3D *p = &op.copy;
	/* An array's side says where in the array, another's base is there already. */
	p->dstMemoryType = memory_type(to_is);
	p->dstDevice = to_is == HOST || to->array ? 0 : to->base;
	p->dstHost = to_is == HOST ? (void *)(uintptr_t)to->base : NULL;
	p->dstPitch = to->array ? 0 : to->pitch;
	p->dstHeight = to->array || !to->pitch ? 0 : to->slice / to->pitch;
	p->dstArray = (CUarray)to->array;
	p->dstXInBytes = to->x;
	p->dstY = to->y;
	p->dstZ = to->z;
	p->srcMemoryType = memory_type(from_is);
	p->srcDevice = from_is == HOST || from->array ? 0 : from->base;
	p->srcHost = from_is == HOST ? (const void *)(uintptr_t)from->base : NULL;
	p->srcPitch = from->array ? 0 : from->pitch;
	p->srcHeight = from->array || !from->pitch ? 0 : from->slice / from->pitch;
	p->srcArray = (CUarray)from->array;
	p->srcXInBytes = from->x;
	p->srcY = from->y;
	p->srcZ = from->z;
	p->WidthInBytes = width;
	p->Height = height;
	p->Depth = depth;
	return capture_op(s, &op);
}

static CUresult copy_on(struct stream *s, enum how how, const struct side *to, enum where to_is, const struct side *from,
			enum where from_is, size_t width, size_t height, size_t depth)
{
	size_t to_n, from_n, total;
	if (!width || !height || !depth)
		return CUDA_SUCCESS;
	if (!to->base || !from->base || !extent(to, width, height, depth, &to_n) || !extent(from, width, height, depth, &from_n) ||
	    __builtin_mul_overflow(width, height, &total) || __builtin_mul_overflow(total, depth, &total))
		return CUDA_ERROR_INVALID_VALUE;
	int to_known = to->array ? 1 : memory_covers(to->base, to_n, 1), from_known = from->array ? 1 : memory_covers(from->base, from_n, 0);
	/* Host memory that is pinned in part is as good as pageable; device memory must be there, all of it. */
	if (to_known < 0 && !in_windows(to->base, to_n))
		to_known = 0;
	if (from_known < 0 && !in_windows(from->base, from_n))
		from_known = 0;
	if (to_known < 0 || from_known < 0 || (to_is == DEVICE && !to_known) || (from_is == DEVICE && !from_known))
		return CUDA_ERROR_INVALID_VALUE;
	if (how == CHECK)
		return CUDA_SUCCESS;
	if (s->capture && how == SYNC)
		return capture_refuse(s, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
	if (s->capture)
		return record_copy(s, to, to_is, from, from_is, width, height, depth);
	struct copy_item *i = item_new(sizeof *i, run_copy, end_copy);
	if (!i)
		return CUDA_ERROR_OUT_OF_MEMORY;
	i->to = *to;
	i->from = *from;
	i->width = width;
	i->height = height;
	i->depth = depth;
	i->check_to = to_known;
	i->check_from = from_known;
	struct memory *m = to_known ? memory_find(to->base) : NULL, *n = from_known ? memory_find(from->base) : NULL;
	int host = host_sees(m) || host_sees(n);
	int wait = how != GRAPH && ((how == SYNC && host) || !to_known);
	if (!from_known && !wait && how != GRAPH) {
		if (total <= STAGED_MOST && (i->staged = malloc(total))) {
			for (size_t z = 0; z < depth; z++)
				for (size_t y = 0; y < height; y++)
					memcpy(i->staged + (z * height + y) * width, row(from, y, z), width);
		} else {
			wait = 1;
		}
	}
	if (wait)
		return item_submit_and_wait(s, &i->item);
	item_submit(s, &i->item);
	return CUDA_SUCCESS;
}

static CUresult copy(struct context *c, CUstream handle, int async, const struct side *to, enum where to_is,
		     const struct side *from, enum where from_is, size_t width, size_t height, size_t depth)
{
	struct stream *s;
	CUresult r = async ? CUDA_SUCCESS : capture_unsafe();
	if (!r)
		r = stream_find(c, handle, &s);
	return r ? r : copy_on(s, async ? ASYNC : SYNC, to, to_is, from, from_is, width, height, depth);
}

static CUresult linear(CUstream stream, int async, uint64_t to, enum where to_is, uint64_t from, enum where from_is, size_t n)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	struct side a = { .base = to, .pitch = n, .slice = n }, b = { .base = from, .pitch = n, .slice = n };
	return leave(copy(c, stream, async, &a, to_is, &b, from_is, n, 1, 1));
}

#define ADDRESS(p) ((uint64_t)(uintptr_t)(p))
#define PTDS CU_STREAM_PER_THREAD

API CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t n)
{
	return linear(NULL, 0, to, DEVICE, ADDRESS(from), HOST, n);
}
API CUresult cuMemcpyHtoD_v2_ptds(CUdeviceptr to, const void *from, size_t n)
{
	return linear(PTDS, 0, to, DEVICE, ADDRESS(from), HOST, n);
}
API CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t n)
{
	return linear(NULL, 0, ADDRESS(to), HOST, from, DEVICE, n);
}
API CUresult cuMemcpyDtoH_v2_ptds(void *to, CUdeviceptr from, size_t n)
{
	return linear(PTDS, 0, ADDRESS(to), HOST, from, DEVICE, n);
}
API CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t n)
{
	return linear(NULL, 0, to, DEVICE, from, DEVICE, n);
}
API CUresult cuMemcpyDtoD_v2_ptds(CUdeviceptr to, CUdeviceptr from, size_t n)
{
	return linear(PTDS, 0, to, DEVICE, from, DEVICE, n);
}
API CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t n)
{
	return linear(NULL, 0, to, EITHER, from, EITHER, n);
}
API CUresult cuMemcpy_ptds(CUdeviceptr to, CUdeviceptr from, size_t n)
{
	return linear(PTDS, 0, to, EITHER, from, EITHER, n);
}
API CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t n, CUstream stream)
{
	return linear(stream, 1, to, DEVICE, ADDRESS(from), HOST, n);
}
API CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t n, CUstream stream)
{
	return linear(stream, 1, ADDRESS(to), HOST, from, DEVICE, n);
}
API CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream stream)
{
	return linear(stream, 1, to, DEVICE, from, DEVICE, n);
}
API CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream stream)
{
	return linear(stream, 1, to, EITHER, from, EITHER, n);
}

/* Between devices: all memory is one address space here, so that the contexts only have to be valid. */
static CUresult peer(CUstream stream, int async, CUdeviceptr to, CUcontext to_ctx, CUdeviceptr from, CUcontext from_ctx,
		     size_t n)
{
	struct context *a, *b;
	CUresult r = enter_any();
	if (r)
		return r;
	r = context_find(to_ctx, &a);
	if (!r)
		r = context_find(from_ctx, &b);
	leave(r);
	return r ? r : linear(stream, async, to, DEVICE, from, DEVICE, n);
}

API CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_ctx, CUdeviceptr from, CUcontext from_ctx, size_t n)
{
	return peer(NULL, 0, to, to_ctx, from, from_ctx, n);
}
API CUresult cuMemcpyPeer_ptds(CUdeviceptr to, CUcontext to_ctx, CUdeviceptr from, CUcontext from_ctx, size_t n)
{
	return peer(PTDS, 0, to, to_ctx, from, from_ctx, n);
}
API CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_ctx, CUdeviceptr from, CUcontext from_ctx, size_t n, CUstream stream)
{
	return peer(stream, 1, to, to_ctx, from, from_ctx, n);
}

/* One side of the struct forms. */
struct form {
	CUmemorytype type;
	const void *host;
	CUdeviceptr device;
	CUarray array;
	size_t x, y, z, pitch, rows;
};

/* A box in an array must lie in it. */
static CUresult side_of_array(const struct form *f, size_t width, size_t height, size_t depth, struct side *out)
{
	struct array *a = array_find(f->array);
	size_t end;
	if (!a)
		return CUDA_ERROR_INVALID_VALUE;
	if (__builtin_add_overflow(f->x, width, &end) || end > a->image.pitch || __builtin_add_overflow(f->y, height, &end) ||
	    end > a->image.height || __builtin_add_overflow(f->z, depth, &end) || end > a->image.depth)
		return CUDA_ERROR_INVALID_VALUE;
	*out = (struct side){
		.base = a->image.base + f->z * a->image.slice + f->y * a->image.pitch + f->x, .pitch = a->image.pitch,
		.slice = a->image.slice, .array = a, .x = f->x, .y = f->y, .z = f->z,
	};
	return CUDA_SUCCESS;
}

static CUresult side_of(const struct form *f, size_t width, size_t height, size_t depth, struct side *out, enum where *where)
{
	size_t offset, slice, pitch = f->pitch, rows = f->rows;
	*out = (struct side){ 0 };
	switch ((int)f->type) {
	case CU_MEMORYTYPE_HOST: out->base = ADDRESS(f->host); *where = HOST; break;
	case CU_MEMORYTYPE_DEVICE: out->base = f->device; *where = DEVICE; break;
	case CU_MEMORYTYPE_UNIFIED: out->base = f->device; *where = EITHER; break;
	case CU_MEMORYTYPE_ARRAY: *where = ARRAY; return side_of_array(f, width, height, depth, out);
	default: return CUDA_ERROR_INVALID_VALUE;
	}
	if (!width || !height || !depth)
		return CUDA_SUCCESS;
	if (!out->base || __builtin_add_overflow(f->x, width, &offset) || (pitch && pitch < offset))
		return CUDA_ERROR_INVALID_VALUE;
	if (!pitch)
		pitch = offset;
	if (__builtin_add_overflow(f->y, height, &offset) || (rows && depth > 1 && rows < offset))
		return CUDA_ERROR_INVALID_VALUE;
	if (!rows)
		rows = offset;
	if (__builtin_mul_overflow(pitch, rows, &slice) || __builtin_mul_overflow(slice, f->z, &offset) ||
	    __builtin_add_overflow(out->base, offset, &out->base) || __builtin_mul_overflow(pitch, f->y, &offset) ||
	    __builtin_add_overflow(out->base, offset, &out->base) || __builtin_add_overflow(out->base, f->x, &out->base))
		return CUDA_ERROR_INVALID_VALUE;
	out->pitch = pitch;
	out->slice = slice;
	return CUDA_SUCCESS;
}

static CUresult copy_2d(CUstream stream, int async, const CUDA_MEMCPY2D *p)
{
	struct context *c;
	struct side to, from;
	enum where to_is, from_is;
	CUresult r = enter(&c);
	if (r)
		return r;
	if (!p)
		return leave(CUDA_ERROR_INVALID_VALUE);
	struct form dst = { p->dstMemoryType, p->dstHost, p->dstDevice, p->dstArray, p->dstXInBytes, p->dstY, 0, p->dstPitch, 0 };
	struct form src = { p->srcMemoryType, p->srcHost, p->srcDevice, p->srcArray, p->srcXInBytes, p->srcY, 0, p->srcPitch, 0 };
	r = side_of(&dst, p->WidthInBytes, p->Height, 1, &to, &to_is);
	if (!r)
		r = side_of(&src, p->WidthInBytes, p->Height, 1, &from, &from_is);
	return leave(r ? r : copy(c, stream, async, &to, to_is, &from, from_is, p->WidthInBytes, p->Height, 1));
}

API CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *p) { return copy_2d(NULL, 0, p); }
API CUresult cuMemcpy2D_v2_ptds(const CUDA_MEMCPY2D *p) { return copy_2d(PTDS, 0, p); }
API CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *p) { return copy_2d(NULL, 0, p); }
API CUresult cuMemcpy2DUnaligned_v2_ptds(const CUDA_MEMCPY2D *p) { return copy_2d(PTDS, 0, p); }
API CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *p, CUstream stream) { return copy_2d(stream, 1, p); }

static CUresult sides_3d(const CUDA_MEMCPY3D *p, struct side *to, enum where *to_is, struct side *from, enum where *from_is)
{
	if (p->srcLOD || p->dstLOD)
		return CUDA_ERROR_INVALID_VALUE;
	struct form dst = { p->dstMemoryType, p->dstHost, p->dstDevice, p->dstArray, p->dstXInBytes,
			    p->dstY,          p->dstZ,    p->dstPitch,  p->dstHeight };
	struct form src = { p->srcMemoryType, p->srcHost, p->srcDevice, p->srcArray, p->srcXInBytes,
			    p->srcY,          p->srcZ,    p->srcPitch,  p->srcHeight };
	CUresult r = side_of(&dst, p->WidthInBytes, p->Height, p->Depth, to, to_is);
	return r ? r : side_of(&src, p->WidthInBytes, p->Height, p->Depth, from, from_is);
}

static CUresult copy_3d(CUstream stream, int async, const CUDA_MEMCPY3D *p)
{
	struct context *c;
	struct side to, from;
	enum where to_is, from_is;
	CUresult r = enter(&c);
	if (r)
		return r;
	r = p ? sides_3d(p, &to, &to_is, &from, &from_is) : CUDA_ERROR_INVALID_VALUE;
	return leave(r ? r : copy(c, stream, async, &to, to_is, &from, from_is, p->WidthInBytes, p->Height, p->Depth));
}

static CUresult copy_node(struct stream *s, enum how how, const CUDA_MEMCPY3D *p)
{
	struct side to, from;
	enum where to_is, from_is;
	CUresult r = sides_3d(p, &to, &to_is, &from, &from_is);
	return r ? r : copy_on(s, how, &to, to_is, &from, from_is, p->WidthInBytes, p->Height, p->Depth);
}

CUresult copy_op(struct stream *s, const CUDA_MEMCPY3D *p) { return copy_node(s, GRAPH, p); }
CUresult copy_op_check(const CUDA_MEMCPY3D *p) { return copy_node(NULL, CHECK, p); }

API CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *p) { return copy_3d(NULL, 0, p); }
API CUresult cuMemcpy3D_v2_ptds(const CUDA_MEMCPY3D *p) { return copy_3d(PTDS, 0, p); }
API CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *p, CUstream stream) { return copy_3d(stream, 1, p); }

/* The peer form has the same layout, with contexts where the other keeps reserved words. */
static CUresult copy_3d_peer(CUstream stream, int async, const CUDA_MEMCPY3D_PEER *p)
{
	CUDA_MEMCPY3D q;
	_Static_assert(sizeof q == sizeof *p, "the two structs differ in names only");
	if (!p)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(&q, p, sizeof q);
	return copy_3d(stream, async, &q);
}

API CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *p) { return copy_3d_peer(NULL, 0, p); }
API CUresult cuMemcpy3DPeer_ptds(const CUDA_MEMCPY3D_PEER *p) { return copy_3d_peer(PTDS, 0, p); }
API CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *p, CUstream stream) { return copy_3d_peer(stream, 1, p); }

struct fill_item {
	struct item item;
	struct side to;
	size_t width, height;                  /* in elements */
	unsigned value, size;
};

static CUresult run_fill(struct item *i)
{
	struct fill_item *f = (struct fill_item *)i;
	size_t n;
	if (!extent(&f->to, f->width * f->size, f->height, 1, &n) || memory_valid(f->to.base, n, 1) != 1)
		return CUDA_ERROR_ILLEGAL_ADDRESS;
	for (size_t y = 0; y < f->height; y++) {
		void *p = row(&f->to, y, 0);
		/* An element is whole for a kernel that polls it meanwhile. */
		if (f->size == 1) {
			memset(p, (int)f->value, f->width);
		} else if (f->size == 2) {
			uint16_t *q = p;
			for (size_t x = 0; x < f->width; x++)
				__atomic_store_n(&q[x], (uint16_t)f->value, __ATOMIC_RELAXED);
		} else {
			uint32_t *q = p;
			for (size_t x = 0; x < f->width; x++)
				__atomic_store_n(&q[x], f->value, __ATOMIC_RELAXED);
		}
	}
	return CUDA_SUCCESS;
}

static CUresult fill_on(struct stream *s, enum how how, CUdeviceptr to, size_t pitch, unsigned value, unsigned size, size_t width,
			size_t height)
{
	size_t bytes, n;
	if (!width || !height)
		return CUDA_SUCCESS;
	if (to % size || (height > 1 && pitch % size) || __builtin_mul_overflow(width, (size_t)size, &bytes) ||
	    (height > 1 && pitch < bytes))
		return CUDA_ERROR_INVALID_VALUE;
	struct side side = { .base = to, .pitch = pitch };
	if (!extent(&side, bytes, height, 1, &n) || memory_covers(to, n, 1) != 1)
		return CUDA_ERROR_INVALID_VALUE;
	if (how == CHECK)
		return CUDA_SUCCESS;
	if (s->capture) {
		struct op op = { .type = CU_GRAPH_NODE_TYPE_MEMSET };
		op.fill = (CUDA_MEMSET_NODE_PARAMS){
			.dst = to, .pitch = pitch, .value = value, .elementSize = size, .width = width, .height = height };
		return capture_op(s, &op);
	}
	struct fill_item *f = item_new(sizeof *f, run_fill, NULL);
	if (!f)
		return CUDA_ERROR_OUT_OF_MEMORY;
	f->to = side;
	f->width = width;
	f->height = height;
	f->value = value;
	f->size = size;
	/* Host memory is filled when the call returns; the program may look at it next. */
	if (how == SYNC && host_sees(memory_find(to)))
		return item_submit_and_wait(s, &f->item);
	item_submit(s, &f->item);
	return CUDA_SUCCESS;
}

static CUresult fill(CUstream stream, int async, CUdeviceptr to, size_t pitch, unsigned value, unsigned size, size_t width,
		     size_t height)
{
	struct context *c;
	struct stream *s;
	CUresult r = enter(&c);
	if (r)
		return r;
	r = async ? CUDA_SUCCESS : capture_unsafe();
	if (!r)
		r = stream_find(c, stream, &s);
	return leave(r ? r : fill_on(s, async ? ASYNC : SYNC, to, pitch, value, size, width, height));
}

static CUresult fill_node(struct stream *s, enum how how, const CUDA_MEMSET_NODE_PARAMS *p)
{
	if (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4)
		return CUDA_ERROR_INVALID_VALUE;
	return fill_on(s, how, p->dst, p->pitch, p->value, p->elementSize, p->width, p->height);
}

CUresult fill_op(struct stream *s, const CUDA_MEMSET_NODE_PARAMS *p) { return fill_node(s, GRAPH, p); }
CUresult fill_op_check(const CUDA_MEMSET_NODE_PARAMS *p) { return fill_node(NULL, CHECK, p); }

API CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char v, size_t n) { return fill(NULL, 0, to, 0, v, 1, n, 1); }
API CUresult cuMemsetD16_v2(CUdeviceptr to, unsigned short v, size_t n) { return fill(NULL, 0, to, 0, v, 2, n, 1); }
API CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned int v, size_t n) { return fill(NULL, 0, to, 0, v, 4, n, 1); }
API CUresult cuMemsetD8_v2_ptds(CUdeviceptr to, unsigned char v, size_t n) { return fill(PTDS, 0, to, 0, v, 1, n, 1); }
API CUresult cuMemsetD16_v2_ptds(CUdeviceptr to, unsigned short v, size_t n) { return fill(PTDS, 0, to, 0, v, 2, n, 1); }
API CUresult cuMemsetD32_v2_ptds(CUdeviceptr to, unsigned int v, size_t n) { return fill(PTDS, 0, to, 0, v, 4, n, 1); }
API CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char v, size_t n, CUstream s) { return fill(s, 1, to, 0, v, 1, n, 1); }
API CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short v, size_t n, CUstream s) { return fill(s, 1, to, 0, v, 2, n, 1); }
API CUresult cuMemsetD32Async(CUdeviceptr to, unsigned int v, size_t n, CUstream s) { return fill(s, 1, to, 0, v, 4, n, 1); }

API CUresult cuMemsetD2D8_v2(CUdeviceptr to, size_t pitch, unsigned char v, size_t width, size_t height)
{
	return fill(NULL, 0, to, pitch, v, 1, width, height);
}
API CUresult cuMemsetD2D16_v2(CUdeviceptr to, size_t pitch, unsigned short v, size_t width, size_t height)
{
	return fill(NULL, 0, to, pitch, v, 2, width, height);
}
API CUresult cuMemsetD2D32_v2(CUdeviceptr to, size_t pitch, unsigned int v, size_t width, size_t height)
{
	return fill(NULL, 0, to, pitch, v, 4, width, height);
}
API CUresult cuMemsetD2D8_v2_ptds(CUdeviceptr to, size_t pitch, unsigned char v, size_t width, size_t height)
{
	return fill(PTDS, 0, to, pitch, v, 1, width, height);
}
API CUresult cuMemsetD2D16_v2_ptds(CUdeviceptr to, size_t pitch, unsigned short v, size_t width, size_t height)
{
	return fill(PTDS, 0, to, pitch, v, 2, width, height);
}
API CUresult cuMemsetD2D32_v2_ptds(CUdeviceptr to, size_t pitch, unsigned int v, size_t width, size_t height)
{
	return fill(PTDS, 0, to, pitch, v, 4, width, height);
}
API CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char v, size_t width, size_t height, CUstream s)
{
	return fill(s, 1, to, pitch, v, 1, width, height);
}
API CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short v, size_t width, size_t height, CUstream s)
{
	return fill(s, 1, to, pitch, v, 2, width, height);
}
API CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned int v, size_t width, size_t height, CUstream s)
{
	return fill(s, 1, to, pitch, v, 4, width, height);
}
