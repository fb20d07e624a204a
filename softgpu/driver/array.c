/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays: memory of textures and surfaces, that neither copies by address nor kernels' loads may touch. */
#include "array.h"

#include <stdlib.h>

#define WIDTH_MOST 131072u
#define HEIGHT_MOST 65536u
#define DEPTH_MOST 16384u

CUresult array_format(CUarray_format format, enum ptx_texel *texel, unsigned *bytes)
{
	switch ((int)format) {
	case CU_AD_FORMAT_UNSIGNED_INT8: *texel = PTX_TEXEL_UINT; *bytes = 1; break;
	case CU_AD_FORMAT_UNSIGNED_INT16: *texel = PTX_TEXEL_UINT; *bytes = 2; break;
	case CU_AD_FORMAT_UNSIGNED_INT32: *texel = PTX_TEXEL_UINT; *bytes = 4; break;
	case CU_AD_FORMAT_SIGNED_INT8: *texel = PTX_TEXEL_SINT; *bytes = 1; break;
	case CU_AD_FORMAT_SIGNED_INT16: *texel = PTX_TEXEL_SINT; *bytes = 2; break;
	case CU_AD_FORMAT_SIGNED_INT32: *texel = PTX_TEXEL_SINT; *bytes = 4; break;
	case CU_AD_FORMAT_HALF: *texel = PTX_TEXEL_FLOAT; *bytes = 2; break;
	case CU_AD_FORMAT_FLOAT: *texel = PTX_TEXEL_FLOAT; *bytes = 4; break;
	default: return (int)format > CU_AD_FORMAT_FLOAT && format < CU_AD_FORMAT_MAX ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
	}
	return CUDA_SUCCESS;
}

struct array *array_find(CUarray handle) { return handle ? object_find(K_ARRAY, handle) : NULL; }
struct array *mipmap_find(CUmipmappedArray handle) { return handle ? object_find(K_MIPMAP, handle) : NULL; }

int array_valid(uint64_t address, size_t n)
{
	pthread_rwlock_rdlock(&gpu.table);
	struct memory *m = memory_find(address);
	int valid = m && m->kind == MEM_ARRAY && n <= m->size - (address - m->start);
	pthread_rwlock_unlock(&gpu.table);
	return valid;
}

static void array_free(struct object *o)
{
	free(o);
}

/* Also for a description: what it lays out, without memory. */
static CUresult shape(const CUDA_ARRAY3D_DESCRIPTOR *d, struct array *a)
{
	const unsigned known = CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_TEXTURE_GATHER | CUDA_ARRAY3D_COLOR_ATTACHMENT;
	CUresult r = array_format(d->Format, &a->texel, &a->bytes);
	if (r)
		return r;
	if (!d->Width || d->Width > WIDTH_MOST || d->Height > HEIGHT_MOST || d->Depth > DEPTH_MOST ||
	    (d->NumChannels != 1 && d->NumChannels != 2 && d->NumChannels != 4) ||
	    (d->Depth && !d->Height && !(d->Flags & CUDA_ARRAY3D_LAYERED)) || (!d->Depth && d->Flags & CUDA_ARRAY3D_LAYERED))
		return CUDA_ERROR_INVALID_VALUE;
	if (d->Flags & ~known)
		return CUDA_ERROR_NOT_SUPPORTED;
	a->desc = *d;
	a->image.width = (uint32_t)d->Width;
	a->image.height = d->Height ? (uint32_t)d->Height : 1;
	a->image.depth = d->Depth ? (uint32_t)d->Depth : 1;
	a->image.pitch = (uint64_t)a->bytes * d->NumChannels * d->Width;
	a->image.slice = a->image.pitch * a->image.height;
	return CUDA_SUCCESS;
}

static void list(struct array *a, struct context *c, enum kind kind)
{
	object_add(&a->object, kind, array_free);
	a->ctx = c;
	a->next = c->arrays;
	c->arrays = a;
}

static void unlist(struct array *a)
{
	struct array **p = &a->ctx->arrays;
	while (*p != a)
		p = &(*p)->next;
	*p = a->next;
	object_retire(&a->object);
}

static void destroy(struct array *a)
{
	if (a->storage)
		memory_free(a->storage);
	for (unsigned i = 0; i < a->level_count; i++)
		unlist(a->levels[i]);
	unlist(a);
}

void arrays_end_context(struct context *c)
{
	for (struct array *a = c->arrays; a; a = c->arrays) {
		while (!a->storage && a->next)     /* levels go with theirs */
			a = a->next;
		destroy(a);
	}
}

/* The levels of a mipmapped array, or (with `levels` 0) an array. */
static CUresult create(const CUDA_ARRAY3D_DESCRIPTOR *d, unsigned levels, struct array **out)
{
	struct context *c;
	struct array *a, *level[PTX_LEVELS] = { NULL };
	size_t total = 0;
	CUresult r = enter(&c);
	if (r)
		return r;
	if (!out || !d)
		return leave(CUDA_ERROR_INVALID_VALUE);
	if ((r = capture_unsafe()))
		return leave(r);
	if (!(a = calloc(1, sizeof *a)))
		return leave(CUDA_ERROR_OUT_OF_MEMORY);
	r = shape(d, a);
	if (!levels)
		total = a->image.slice * a->image.depth;
	for (unsigned i = 0; i < levels && !r; i++) {
		CUDA_ARRAY3D_DESCRIPTOR l = *d;
		level[i] = calloc(1, sizeof *level[i]);
		if (!level[i]) {
			r = CUDA_ERROR_OUT_OF_MEMORY;
			break;
		}
		l.Width = l.Width >> i ? l.Width >> i : 1;
		l.Height = l.Height >> i || !l.Height ? l.Height >> i : 1;
		if (!(l.Flags & CUDA_ARRAY3D_LAYERED))
			l.Depth = l.Depth >> i || !l.Depth ? l.Depth >> i : 1;
		r = shape(&l, level[i]);
		level[i]->image.base = total;
		total += (level[i]->image.slice * level[i]->image.depth + 15) & ~(size_t)15;
	}
	if (!r)
		r = memory_new(c->device, c, MEM_ARRAY, total, &a->storage);
	if (r) {
		for (unsigned i = 0; i < levels; i++)
			free(level[i]);
		free(a);
		return leave(r);
	}
	a->storage->readable = a->storage->writable = 0;
	a->image.base = a->storage->start;
	for (unsigned i = 0; i < levels; i++) {
		level[i]->image.base += a->storage->start;
		a->levels[i] = level[i];
		list(level[i], c, K_ARRAY);
	}
	a->level_count = levels;
	list(a, c, levels ? K_MIPMAP : K_ARRAY);
	*out = a;
	return leave(CUDA_SUCCESS);
}

API CUresult cuArray3DCreate_v2(CUarray *out, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
	return create(d, 0, (struct array **)out);
}

API CUresult cuArrayCreate_v2(CUarray *out, const CUDA_ARRAY_DESCRIPTOR *d)
{
	if (!d)
		return CUDA_ERROR_INVALID_VALUE;
	CUDA_ARRAY3D_DESCRIPTOR all = { .Width = d->Width, .Height = d->Height, .Format = d->Format, .NumChannels = d->NumChannels };
	return create(&all, 0, (struct array **)out);
}

API CUresult cuMipmappedArrayCreate(CUmipmappedArray *out, const CUDA_ARRAY3D_DESCRIPTOR *d, unsigned int levels)
{
	size_t longest = 0;
	unsigned most = 0;
	if (d) {
		longest = d->Width > d->Height ? d->Width : d->Height;
		if (!(d->Flags & CUDA_ARRAY3D_LAYERED) && d->Depth > longest)
			longest = d->Depth;
	}
	for (; longest; longest >>= 1)
		most++;
	if (most > PTX_LEVELS)
		most = PTX_LEVELS;
	if (!levels)
		return CUDA_ERROR_INVALID_VALUE;
	return create(d, levels > most && most ? most : levels > PTX_LEVELS ? PTX_LEVELS : levels, (struct array **)out);
}

static CUresult end(struct array *(*find)(const void *), const void *handle)
{
	struct context *c;
	struct array *a;
	CUresult r = enter(&c);
	if (r)
		return r;
	if ((r = capture_unsafe()))
		return leave(r);
	a = find(handle);
	if (!a || !a->storage)
		return leave(CUDA_ERROR_INVALID_HANDLE);
	/* As with cuMemFree: what runs may be using it. */
	object_ref(&a->ctx->object);
	c = a->ctx;
	r = context_drain(c);
	context_unref(c);
	a = find(handle);                      /* another thread may have ended it meanwhile */
	if (!r && !a)
		r = CUDA_ERROR_INVALID_HANDLE;
	if (!r)
		destroy(a);
	return leave(r);
}

static struct array *find_array(const void *handle) { return array_find((CUarray)handle); }
static struct array *find_mipmap(const void *handle) { return mipmap_find((CUmipmappedArray)handle); }
API CUresult cuArrayDestroy(CUarray handle) { return end(find_array, handle); }
API CUresult cuMipmappedArrayDestroy(CUmipmappedArray handle) { return end(find_mipmap, handle); }

API CUresult cuMipmappedArrayGetLevel(CUarray *out, CUmipmappedArray handle, unsigned int level)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	struct array *a = mipmap_find(handle);
	if (!a)
		return leave(CUDA_ERROR_INVALID_HANDLE);
	if (!out || level >= a->level_count)
		return leave(CUDA_ERROR_INVALID_VALUE);
	*out = (CUarray)a->levels[level];
	return leave(CUDA_SUCCESS);
}

API CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *d, CUarray handle)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	struct array *a = array_find(handle);
	if (!a)
		return leave(CUDA_ERROR_INVALID_HANDLE);
	if (!d)
		return leave(CUDA_ERROR_INVALID_VALUE);
	*d = a->desc;
	return leave(CUDA_SUCCESS);
}

API CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *d, CUarray handle)
{
	CUDA_ARRAY3D_DESCRIPTOR all;
	if (!d)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult r = cuArray3DGetDescriptor_v2(&all, handle);
	if (!r)
		*d = (CUDA_ARRAY_DESCRIPTOR){
			.Width = all.Width, .Height = all.Height, .Format = all.Format, .NumChannels = all.NumChannels };
	return r;
}
