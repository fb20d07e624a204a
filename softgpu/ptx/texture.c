/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading textures, reading and writing surfaces. The rules are those of the CUDA C++ Programming Guide, "Texture
 * Fetching": where a coordinate falls, and weights of filters with eight bits of fraction. */
#include "number.h"
#include "run.h"

#include <math.h>
#include <stdlib.h>

static uint64_t value(const struct thread *t, uint32_t ref)
{
	return (ref & 1 ? t->f->constants : t->stack + t->base)[ref >> 1];
}

static const struct ptx_texture *texture_named(struct run *r, const struct block *b, const struct thread *t,
                                               const struct insn *i, uint64_t handle, int surface)
{
	if (!r->textures && !(r->textures = calloc(CACHED_TEXTURES, sizeof *r->textures))) {
		set_fault(r, b, t, PTX_FAULT_NO_MEMORY, 0, i);
		return NULL;
	}
	struct cached_texture *c = &r->textures[handle % CACHED_TEXTURES];
	if (handle && c->handle == handle && c->surface == surface)
		return &c->texture;
	c->handle = 0;
	if (!handle || !r->launch->texture || r->launch->texture(r->launch->ctx, handle, surface, &c->texture)) {
		set_fault(r, b, t, PTX_FAULT_ILLEGAL_ADDRESS, handle, i);
		return NULL;
	}
	c->handle = handle;
	c->surface = surface;
	return &c->texture;
}

/* ---- texels ---- */

static float half_to_float(uint16_t h)
{
	int exponent = h >> 10 & 31;
	float m = (float)(h & 1023), v = exponent == 0 ? ldexpf(m, -24) : exponent < 31 ? ldexpf(m + 1024, exponent - 25)
	                                                                : m != 0 ? NAN : INFINITY;
	return h & 0x8000 ? -v : v;
}

struct texel { uint32_t v[4]; }; /* bits */

/* -1: outside, which is the border. */
static int64_t place(enum ptx_edge edge, int64_t i, uint32_t n)
{
	int64_t m = n;
	if (i >= 0 && i < m)
		return i;
	switch (edge) {
	case PTX_EDGE_WRAP: return (i % m + m) % m;
	case PTX_EDGE_CLAMP: return i < 0 ? 0 : m - 1;
	case PTX_EDGE_MIRROR: i = (i % (2 * m) + 2 * m) % (2 * m); return i < m ? i : 2 * m - 1 - i;
	default: return -1;
	}
}

static struct texel texel_at(const struct ptx_texture *t, const struct ptx_image *m, int64_t x, int64_t y, int64_t z)
{
	struct texel out = {{0, 0, 0, 0}};
	int floats = t->texel == PTX_TEXEL_FLOAT || t->as_float;
	x = place(t->edges[0], x, m->width);
	y = place(t->edges[1], y, m->height);
	z = place(t->edges[2], z, m->depth);
	if (x < 0 || y < 0 || z < 0) {
		memcpy(out.v, t->border, sizeof out.v);
		return out;
	}
	const uint8_t *p = (const uint8_t *)(uintptr_t)(m->base + (uint64_t)z * m->slice + (uint64_t)y * m->pitch +
	                                                (uint64_t)x * t->bytes * t->channels);
	out.v[3] = floats ? 0x3f800000 : 1;
	for (unsigned c = 0; c < t->channels; c++) {
		uint32_t raw = 0;
		memcpy(&raw, p + c * t->bytes, t->bytes);
		if (t->texel == PTX_TEXEL_SINT)
			raw = t->bytes == 1 ? (uint32_t)(int8_t)raw : t->bytes == 2 ? (uint32_t)(int16_t)raw : raw;
		if (t->texel == PTX_TEXEL_FLOAT && t->bytes == 2) {
			raw = (uint32_t)of_f32(half_to_float((uint16_t)raw));
		} else if (t->as_float && t->texel == PTX_TEXEL_UINT) {
			raw = (uint32_t)of_f32((float)raw / (t->bytes == 1 ? 255.0f : 65535.0f));
		} else if (t->as_float && t->texel == PTX_TEXEL_SINT) {
			float v = (float)(int32_t)raw / (t->bytes == 1 ? 127.0f : 32767.0f);
			raw = (uint32_t)of_f32(v < -1 ? -1 : v);
		}
		out.v[c] = raw;
	}
	return out;
}

/* ---- sampling ---- */

/* A coordinate in texels. Huge ones and those that are no number stay where integers can follow. */
static double texels(const struct ptx_texture *t, unsigned axis, float x, uint32_t n)
{
	double v = (double)x;
	if (!(v > -1e15 && v < 1e15))
		v = v > 0 ? 1e15 : v < 0 ? -1e15 : 0;
	if (!t->normalised)
		return v;
	if (t->edges[axis] == PTX_EDGE_WRAP) {
		v -= floor(v);
	} else if (t->edges[axis] == PTX_EDGE_MIRROR) {
		double whole = floor(v);
		v = fmod(whole, 2) != 0 ? 1 - (v - whole) : v - whole;
	}
	return v * n;
}

static float weight(double fraction) { return (float)(rint(fraction * 256) / 256); }

static struct texel mix(struct texel a, struct texel b, float w)
{
	for (int c = 0; c < 4; c++)
		a.v[c] = (uint32_t)of_f32((1 - w) * as_f32(a.v[c]) + w * as_f32(b.v[c]));
	return a;
}

struct spot { float x[3]; int64_t layer; unsigned axes; };

static struct texel sample(const struct ptx_texture *t, const struct ptx_image *m, const struct spot *s)
{
	uint32_t sizes[3] = {m->width, m->height, m->depth};
	int64_t at[3] = {0, 0, s->layer};
	float w[3] = {0, 0, 0};
	int linear = t->linear && (t->texel == PTX_TEXEL_FLOAT || t->as_float);
	for (unsigned k = 0; k < s->axes; k++) {
		double x = texels(t, k, s->x[k], sizes[k]), whole;
		if (linear)
			x -= 0.5;
		whole = floor(x);
		at[k] = (int64_t)whole;
		if (linear && (w[k] = weight(x - whole)) == 1)
			at[k]++, w[k] = 0;
	}
	struct texel corners[8];
	unsigned axes = linear ? s->axes : 0;
	for (unsigned k = 0; k < 1u << axes; k++)
		corners[k] = texel_at(t, m, at[0] + (k & 1), at[1] + (k >> 1 & 1), at[2] + (k >> 2 & 1));
	for (unsigned k = 0; k < axes; k++)
		for (unsigned c = 0; c < 1u << (axes - k - 1); c++)
			corners[c] = w[k] == 0 ? corners[2 * c] : mix(corners[2 * c], corners[2 * c + 1], w[k]);
	return corners[0];
}

static struct texel sample_levels(const struct ptx_texture *t, const struct spot *s, float lod)
{
	float most = (float)(t->level_count - 1);
	lod += t->bias;
	lod = lod > t->most ? t->most : lod;
	lod = lod > t->least ? lod : t->least;
	lod = lod > most ? most : lod > 0 ? lod : 0;
	if (!t->linear_levels)
		return sample(t, &t->levels[(unsigned)(lod + 0.5f)], s);
	unsigned below = (unsigned)lod;
	float w = weight((double)(lod - (float)below));
	struct texel a = sample(t, &t->levels[below], s);
	return w == 0 ? a : mix(a, sample(t, &t->levels[below + 1], s), w);
}

/* The four that a linear filter would mix, from the lower left one against the clock. */
static struct texel gather(const struct ptx_texture *t, const struct spot *s, unsigned channel)
{
	const struct ptx_image *m = &t->levels[0];
	int64_t x = (int64_t)floor(texels(t, 0, s->x[0], m->width) - 0.5), y = (int64_t)floor(texels(t, 1, s->x[1], m->height) - 0.5);
	return (struct texel){{
		texel_at(t, m, x, y + 1, s->layer).v[channel], texel_at(t, m, x + 1, y + 1, s->layer).v[channel],
		texel_at(t, m, x + 1, y, s->layer).v[channel], texel_at(t, m, x, y, s->layer).v[channel],
	}};
}

/* By index: what is outside is zeros. */
static struct texel fetch(const struct ptx_texture *t, const struct ptx_image *m, int64_t x, int64_t y, int64_t z)
{
	if (x < 0 || x >= m->width || y < 0 || y >= m->height || z < 0 || z >= m->depth)
		return (struct texel){{0, 0, 0, 0}};
	return texel_at(t, m, x, y, z);
}

/* A layer that is not there is the nearest that is. */
static int64_t layer_of(uint64_t v, uint32_t n)
{
	uint32_t l = (uint32_t)v;
	return l < n ? l : n - 1;
}

static int tex(struct run *r, const struct block *b, struct thread *th, const struct insn *i)
{
	const struct ptx_texture *t = texture_named(r, b, th, i, value(th, i->a), 0);
	if (!t)
		return -1;
	const uint32_t *refs = th->f->lists + i->d, *at = refs + 4;
	int layered = i->sub >= GEO_A1D;
	unsigned axes = layered ? i->sub - GEO_A1D + 1u : i->sub - GEO_1D + 1u;
	struct texel out;
	struct spot s = {.axes = axes};
	if (layered)
		s.layer = layer_of(value(th, at[0]), t->levels[0].depth);
	if (i->type2 == T_S32) {
		int64_t x[3] = {0, 0, s.layer};
		for (unsigned k = 0; k < axes; k++)
			x[k] = (int32_t)value(th, at[k + (unsigned)layered]);
		uint32_t level = i->cmp == TEX_LEVEL ? (uint32_t)value(th, i->b) : 0;
		out = level < t->level_count ? fetch(t, &t->levels[level], x[0], x[1], x[2]) : (struct texel){{0, 0, 0, 0}};
	} else {
		for (unsigned k = 0; k < axes; k++)
			s.x[k] = as_f32(value(th, at[k + (unsigned)layered]));
		out = i->cmp >= TEX_GATHER ? gather(t, &s, i->cmp - TEX_GATHER) :
		                             sample_levels(t, &s, i->cmp == TEX_LEVEL ? as_f32(value(th, i->b)) : 0);
	}
	for (unsigned c = 0; c < 4; c++)
		th->stack[th->base + refs[c]] = out.v[c];
	return 0;
}

/* ---- surfaces ---- */

static int surface(struct run *r, const struct block *b, struct thread *th, const struct insn *i)
{
	const struct ptx_texture *t = texture_named(r, b, th, i, value(th, i->a), 1);
	if (!t)
		return -1;
	const struct ptx_image *m = &t->levels[0];
	const uint32_t *refs = th->f->lists + i->d, *at = refs + i->n;
	int layered = i->sub >= GEO_A1D, outside = 0;
	unsigned axes = layered ? i->sub - GEO_A1D + 1u : i->sub - GEO_1D + 1u, bytes = (unsigned)i->width * i->n;
	int64_t row = (int64_t)m->width * t->bytes * t->channels, x[3] = {0, 0, 0}, ends[3] = {row - (int64_t)bytes, m->height - 1, m->depth - 1};
	if (layered)
		x[2] = (uint32_t)value(th, at[0]);
	for (unsigned k = 0; k < axes; k++)
		x[k] = (int32_t)value(th, at[k + (unsigned)layered]);
	if (ends[0] < 0 || x[0] % (int64_t)bytes) {
		set_fault(r, b, th, PTX_FAULT_MISALIGNED, (uint64_t)x[0], i);
		return -1;
	}
	for (unsigned k = 0; k < 3; k++) {
		if (x[k] >= 0 && x[k] <= ends[k])
			continue;
		if (i->cmp == SURF_TRAP) {
			set_fault(r, b, th, PTX_FAULT_ILLEGAL_ADDRESS, (uint64_t)x[k], i);
			return -1;
		}
		outside = 1;
		x[k] = x[k] < 0 ? 0 : ends[k];
	}
	int none = outside && i->cmp == SURF_ZERO;
	uint8_t *p = (uint8_t *)(uintptr_t)(m->base + (uint64_t)x[2] * m->slice + (uint64_t)x[1] * m->pitch + (uint64_t)x[0]);
	for (unsigned k = 0; k < i->n; k++, p += i->width) {
		uint64_t v = 0;
		if (i->boolop) {
			v = value(th, refs[k]);
			if (!none)
				memcpy(p, &v, i->width);
		} else {
			if (!none)
				memcpy(&v, p, i->width);
			th->stack[th->base + refs[k]] = v;
		}
	}
	return 0;
}

int texture_op(struct run *r, const struct block *b, struct thread *th, const struct insn *i)
{
	if (i->op == OP_TEX)
		return tex(r, b, th, i);
	if (i->op == OP_SURF)
		return surface(r, b, th, i);
	const struct ptx_texture *t = texture_named(r, b, th, i, value(th, i->a), i->boolop);
	if (!t)
		return -1;
	const struct ptx_image *m = &t->levels[0];
	uint32_t answers[] = {[QUERY_WIDTH] = m->width, [QUERY_HEIGHT] = m->height, [QUERY_DEPTH] = m->depth,
	                      [QUERY_ARRAY_SIZE] = m->depth, [QUERY_LEVELS] = t->level_count};
	th->stack[th->base + i->dst] = answers[i->sub];
	return 0;
}
