/* SPDX-License-Identifier: Apache-2.0
 *
 * Texture and surface objects: numbers that a kernel is given, and what each stands for.
 *
 * Running kernels look objects up under gpu.table alone, and get a copy: an object may end meanwhile, its memory not.
 */
#include "array.h"

#include <stdlib.h>
#include <string.h>

#define LINEAR_MOST ((size_t)1 << 28)
#define LINEAR_ALIGNMENT 512
#define PITCH_ALIGNMENT 32

struct texture {
	uint64_t handle;
	int surface;
	struct context *ctx;
	struct texture *next;
	CUDA_RESOURCE_DESC resource;
	CUDA_TEXTURE_DESC how;
	CUDA_RESOURCE_VIEW_DESC view;
	struct ptx_texture texture;
};
static struct texture *textures;

static struct texture *find(uint64_t handle, int surface)
{
	struct texture *t = textures;
	while (t && (t->handle != handle || t->surface != surface))
		t = t->next;
	return t;
}

/* Whether the memory behind it is still there. An array's is of a kind of its own. */
static int present(const struct texture *t)
{
	const struct ptx_image *m = &t->texture.levels[0];
	struct memory *storage = memory_find(m->base);
	if (!storage)
		return 0;
	if (t->resource.resType == CU_RESOURCE_TYPE_ARRAY || t->resource.resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY)
		return storage->kind == MEM_ARRAY;
	uint64_t n = m->pitch * (m->height - 1) + (uint64_t)m->width * t->texture.bytes * t->texture.channels;
	return storage->readable && n <= storage->end - m->base;
}

int texture_lookup(void *ctx, uint64_t handle, int surface, struct ptx_texture *out)
{
	pthread_rwlock_rdlock(&gpu.table);
	struct texture *t = find(handle, surface);
	int found = t && t->ctx == ctx && present(t);
	if (found)
		*out = t->texture;
	pthread_rwlock_unlock(&gpu.table);
	return found ? 0 : -1;
}

/* In `drop` every object for which it is asked; the lock is held. */
static void remove_where(int (*drop)(const struct texture *, const void *), const void *what)
{
	pthread_rwlock_wrlock(&gpu.table);
	for (struct texture **p = &textures; *p;) {
		struct texture *t = *p;
		if (drop(t, what)) {
			*p = t->next;
			free(t);
		} else {
			p = &t->next;
		}
	}
	pthread_rwlock_unlock(&gpu.table);
}

static int of_context(const struct texture *t, const void *c) { return t->ctx == c; }
static int itself(const struct texture *t, const void *other) { return t == other; }

void textures_end_context(struct context *c) { remove_where(of_context, c); }

static CUresult of_array(struct texture *t, const struct array *a, const struct array *first)
{
	struct ptx_texture *x = &t->texture;
	x->texel = a->texel;
	x->bytes = a->bytes;
	x->channels = a->desc.NumChannels;
	x->levels[0] = first->image;
	x->level_count = 1;
	return CUDA_SUCCESS;
}

static CUresult of_linear(struct texture *t, CUarray_format format, unsigned channels, uint64_t at, size_t width, size_t height,
			  size_t pitch)
{
	struct ptx_texture *x = &t->texture;
	CUresult r = array_format(format, &x->texel, &x->bytes);
	if (r)
		return r;
	if ((channels != 1 && channels != 2 && channels != 4) || !at || at % LINEAR_ALIGNMENT)
		return CUDA_ERROR_INVALID_VALUE;
	size_t each = (size_t)x->bytes * channels;
	x->channels = channels;
	x->level_count = 1;
	if (t->resource.resType == CU_RESOURCE_TYPE_LINEAR) {
		width /= each;
		pitch = width * each;
	}
	if (!width || width > LINEAR_MOST || !height || height > 65000 || pitch / each < width || (height > 1 && pitch % PITCH_ALIGNMENT))
		return CUDA_ERROR_INVALID_VALUE;
	x->levels[0] = (struct ptx_image){ at, (uint32_t)width, (uint32_t)height, 1, pitch, pitch * height };
	return present(t) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult of_resource(struct texture *t)
{
	const CUDA_RESOURCE_DESC *d = &t->resource;
	struct array *a;
	if (d->flags)
		return CUDA_ERROR_INVALID_VALUE;
	switch ((int)d->resType) {
	case CU_RESOURCE_TYPE_ARRAY:
		a = array_find(d->res.array.hArray);
		return a ? of_array(t, a, a) : CUDA_ERROR_INVALID_HANDLE;
	case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
		a = mipmap_find(d->res.mipmap.hMipmappedArray);
		if (!a)
			return CUDA_ERROR_INVALID_HANDLE;
		of_array(t, a, a->levels[0]);
		for (unsigned i = 0; i < a->level_count; i++)
			t->texture.levels[i] = a->levels[i]->image;
		t->texture.level_count = a->level_count;
		return CUDA_SUCCESS;
	case CU_RESOURCE_TYPE_LINEAR:
		return of_linear(t, d->res.linear.format, d->res.linear.numChannels, d->res.linear.devPtr, d->res.linear.sizeInBytes, 1, 0);
	case CU_RESOURCE_TYPE_PITCH2D:
		return of_linear(t, d->res.pitch2D.format, d->res.pitch2D.numChannels, d->res.pitch2D.devPtr, d->res.pitch2D.width,
				 d->res.pitch2D.height, d->res.pitch2D.pitchInBytes);
	default: return CUDA_ERROR_INVALID_VALUE;
	}
}

/* A view: other channels of the same size, some of the levels, some of the layers. */
static CUresult view(struct texture *t, const CUDA_RESOURCE_VIEW_DESC *v)
{
	static const struct { enum ptx_texel texel; unsigned bytes; } formats[] = {
		{ PTX_TEXEL_UINT, 1 }, { PTX_TEXEL_SINT, 1 }, { PTX_TEXEL_UINT, 2 },  { PTX_TEXEL_SINT, 2 },
		{ PTX_TEXEL_UINT, 4 }, { PTX_TEXEL_SINT, 4 }, { PTX_TEXEL_FLOAT, 2 }, { PTX_TEXEL_FLOAT, 4 },
	};
	struct ptx_texture *x = &t->texture;
	if (t->resource.resType != CU_RESOURCE_TYPE_ARRAY && t->resource.resType != CU_RESOURCE_TYPE_MIPMAPPED_ARRAY)
		return CUDA_ERROR_INVALID_VALUE;
	if (v->format > CU_RES_VIEW_FORMAT_FLOAT_4X32)
		return CUDA_ERROR_NOT_SUPPORTED;   /* compressed ones */
	if (v->format) {
		unsigned n = (unsigned)v->format - 1, channels = 1u << n % 3, bytes = formats[n / 3].bytes;
		if (channels * bytes != x->channels * x->bytes)
			return CUDA_ERROR_INVALID_VALUE;
		x->texel = formats[n / 3].texel;
		x->bytes = bytes;
		x->channels = channels;
	}
	if (v->firstMipmapLevel > v->lastMipmapLevel || v->lastMipmapLevel >= x->level_count || v->firstLayer > v->lastLayer ||
	    (v->lastLayer && v->lastLayer >= x->levels[0].depth))
		return CUDA_ERROR_INVALID_VALUE;
	x->level_count = v->lastMipmapLevel - v->firstMipmapLevel + 1;
	memmove(x->levels, x->levels + v->firstMipmapLevel, x->level_count * sizeof *x->levels);
	for (unsigned i = 0; v->lastLayer && i < x->level_count; i++) {
		x->levels[i].base += v->firstLayer * x->levels[i].slice;
		x->levels[i].depth = v->lastLayer - v->firstLayer + 1;
	}
	return CUDA_SUCCESS;
}

static CUresult describe(struct texture *t)
{
	static const enum ptx_edge edges[] = { PTX_EDGE_WRAP, PTX_EDGE_CLAMP, PTX_EDGE_MIRROR, PTX_EDGE_BORDER };
	struct ptx_texture *x = &t->texture;
	const CUDA_TEXTURE_DESC *d = &t->how;
	const unsigned known = CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION;
	if (d->flags & ~known)
		return CUDA_ERROR_NOT_SUPPORTED;
	if ((unsigned)d->filterMode > CU_TR_FILTER_MODE_LINEAR || (unsigned)d->mipmapFilterMode > CU_TR_FILTER_MODE_LINEAR)
		return CUDA_ERROR_INVALID_VALUE;
	x->normalised = (d->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
	x->as_float = x->texel != PTX_TEXEL_FLOAT && x->bytes < 4 && !(d->flags & CU_TRSF_READ_AS_INTEGER);
	x->linear = d->filterMode == CU_TR_FILTER_MODE_LINEAR;
	x->linear_levels = d->mipmapFilterMode == CU_TR_FILTER_MODE_LINEAR;
	for (int i = 0; i < 3; i++) {
		if ((unsigned)d->addressMode[i] > CU_TR_ADDRESS_MODE_BORDER)
			return CUDA_ERROR_INVALID_VALUE;
		x->edges[i] = edges[d->addressMode[i]];
		/* Only normalised coordinates can wrap around. */
		if (!x->normalised && x->edges[i] != PTX_EDGE_BORDER)
			x->edges[i] = PTX_EDGE_CLAMP;
	}
	memcpy(x->border, d->borderColor, sizeof x->border);
	x->bias = d->mipmapLevelBias;
	x->least = d->minMipmapLevelClamp;
	x->most = d->maxMipmapLevelClamp;
	return CUDA_SUCCESS;
}

/* A texture with `how`, else a surface. */
static CUresult create(unsigned long long *out, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *how,
		       const CUDA_RESOURCE_VIEW_DESC *as, int surface)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	if (!out || !resource || (!how && !surface))
		return leave(CUDA_ERROR_INVALID_VALUE);
	struct texture *t = calloc(1, sizeof *t);
	if (!t)
		return leave(CUDA_ERROR_OUT_OF_MEMORY);
	t->ctx = c;
	t->surface = surface;
	t->resource = *resource;
	if (surface && (resource->resType != CU_RESOURCE_TYPE_ARRAY))
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		r = of_resource(t);
	if (!r && surface && !(array_find(resource->res.array.hArray)->desc.Flags & CUDA_ARRAY3D_SURFACE_LDST))
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r && as) {
		t->view = *as;
		r = view(t, as);
	}
	if (!r && how) {
		t->how = *how;
		r = describe(t);
	}
	if (r) {
		free(t);
		return leave(r);
	}
	t->handle = gpu.next_id++;
	pthread_rwlock_wrlock(&gpu.table);
	t->next = textures;
	textures = t;
	pthread_rwlock_unlock(&gpu.table);
	*out = t->handle;
	return leave(CUDA_SUCCESS);
}

API CUresult cuTexObjectCreate(CUtexObject *out, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *how,
			       const CUDA_RESOURCE_VIEW_DESC *as)
{
	return create(out, resource, how, as, 0);
}

API CUresult cuSurfObjectCreate(CUsurfObject *out, const CUDA_RESOURCE_DESC *resource)
{
	return create(out, resource, NULL, NULL, 1);
}

static CUresult enter_find(uint64_t handle, int surface, struct texture **t)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	*t = find(handle, surface);
	return *t ? CUDA_SUCCESS : leave(CUDA_ERROR_INVALID_VALUE);
}

static CUresult destroy(uint64_t handle, int surface)
{
	struct texture *t;
	CUresult r = enter_find(handle, surface, &t);
	if (r)
		return r;
	remove_where(itself, t);
	return leave(CUDA_SUCCESS);
}

API CUresult cuTexObjectDestroy(CUtexObject handle) { return destroy(handle, 0); }
API CUresult cuSurfObjectDestroy(CUsurfObject handle) { return destroy(handle, 1); }

static CUresult get(uint64_t handle, int surface, size_t offset, size_t n, void *out)
{
	struct texture *t;
	CUresult r = enter_find(handle, surface, &t);
	if (r)
		return r;
	if (!out)
		return leave(CUDA_ERROR_INVALID_VALUE);
	memcpy(out, (const char *)t + offset, n);
	return leave(CUDA_SUCCESS);
}

API CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *out, CUtexObject handle)
{
	return get(handle, 0, offsetof(struct texture, resource), sizeof *out, out);
}
API CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *out, CUtexObject handle)
{
	return get(handle, 0, offsetof(struct texture, how), sizeof *out, out);
}
API CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *out, CUtexObject handle)
{
	return get(handle, 0, offsetof(struct texture, view), sizeof *out, out);
}
API CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *out, CUsurfObject handle)
{
	return get(handle, 1, offsetof(struct texture, resource), sizeof *out, out);
}

API CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t *out, CUarray_format format, unsigned channels, CUdevice dev)
{
	struct device *d;
	enum ptx_texel texel;
	unsigned bytes;
	CUresult r = enter_any();
	if (r)
		return r;
	r = device_find(dev, &d);
	if (!r)
		r = array_format(format, &texel, &bytes);
	if (!r && (!out || (channels != 1 && channels != 2 && channels != 4)))
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		*out = LINEAR_MOST;
	return leave(r);
}
