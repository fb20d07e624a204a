/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions on textures and surfaces, named by objects: "[%rd1, {%f1, %f2}]". */
#include "decode.h"

static int take_geometry(struct decoder *d, unsigned *coordinates)
{
	static const char *const words[] = {"1d", "2d", "3d", "a1d", "a2d", NULL};
	/* That of three dimensions and that of layers of two are vectors of four, whose last says nothing. */
	static const unsigned counts[] = {1, 2, 3, 2, 3};
	int g = take_any(d, words);
	if (g < 0)
		unknown(d);
	*coordinates = counts[g];
	return g;
}

/* The address operand k: the object's handle, and its coordinates into `refs`. */
static uint32_t object_operand(struct decoder *d, unsigned k, unsigned coordinates, int layered, enum type t, uint32_t *refs)
{
	if (k >= d->n || d->operands[k].kind != O_MEMORY || d->operands[k].base != O_REG || type_size(d->operands[k].type) != 8 ||
	    d->operands[k].offset)
		bad_operand(d, k);
	struct operand *o = &d->operands[k];
	if (o->n != coordinates && !(o->n == 4 && coordinates == 3))
		bad_operand(d, k);
	for (unsigned c = 0; c < coordinates; c++)
		refs[c] = value_of(d, &d->elements[o->first + c], layered && c == 0 ? T_U32 : t, k);
	return o->slot << 1;
}

/* `values` of operand k, a vector or, when there is one only, a register. */
static void vector_operand(struct decoder *d, unsigned k, unsigned n, enum type t, int store, uint32_t *refs)
{
	if (k >= d->n)
		bad_operand(d, k);
	struct operand *o = &d->operands[k];
	if (o->kind == O_VECTOR ? o->n != n : n != 1)
		bad_operand(d, k);
	for (unsigned c = 0; c < n; c++) {
		struct operand *e = o->kind == O_VECTOR ? &d->elements[o->first + c] : o;
		if (!store && e->kind == O_REG && type_size(e->type) < type_size(t))
			bad_operand(d, k);
		refs[c] = store ? value_of(d, e, t, k) : target_slot(d, e, 0, k);
	}
}

static uint32_t keep_list(struct decoder *d, const uint32_t *refs, unsigned n)
{
	uint32_t list = d->p->lists.n;
	for (unsigned c = 0; c < n; c++)
		*(uint32_t *)vector_push(d->p, &d->p->lists, sizeof(uint32_t)) = refs[c];
	return list;
}

/* tex and tex.level; tld4. The lists hold four destinations, then the coordinates. */
void decode_tex(struct decoder *d, int gather)
{
	static const char *const channels[] = {"r", "g", "b", "a", NULL};
	uint32_t refs[8];
	unsigned coordinates;
	int level = !gather && take(d, "level"), channel = gather ? take_any(d, channels) : 0;
	int geometry = take_geometry(d, &coordinates);
	if (channel < 0 || !take(d, "v4") || (gather && geometry != GEO_2D && geometry != GEO_A2D))
		unknown(d);
	enum type result = take_type(d), t = take_type(d);
	if ((result != T_U32 && result != T_S32 && result != T_F32) || (t != T_F32 && (t != T_S32 || gather)))
		unknown(d);
	want(d, level ? 3 : 2);
	vector_operand(d, 0, 4, result, 0, refs);
	uint32_t handle = object_operand(d, 1, coordinates, geometry >= GEO_A1D, t, refs + 4);
	uint32_t lod = level ? source(d, 2, t) : 0;
	uint32_t list = keep_list(d, refs, 4 + coordinates);
	struct insn *i = emit(d, OP_TEX);
	i->sub = (uint8_t)geometry, i->type = (uint8_t)result, i->type2 = (uint8_t)t;
	i->cmp = (uint8_t)(gather ? TEX_GATHER + channel : level ? TEX_LEVEL : TEX_BASE);
	i->a = handle, i->b = lod, i->d = list;
}

/* suld.b and sust.b: bytes, not formatted. The lists hold the values, then the coordinates. */
void decode_surface(struct decoder *d, int store)
{
	static const char *const clamps[] = {"trap", "clamp", "zero", NULL};
	uint32_t refs[8];
	unsigned coordinates;
	take_order(d);
	int clamp = take_any(d, clamps), geometry;
	if (!take(d, "b"))
		unknown(d);
	geometry = take_geometry(d, &coordinates);
	unsigned n = take(d, "v2") ? 2 : take(d, "v4") ? 4 : 1;
	enum type t = take_type(d);
	if (t < T_B8 || t > T_B64 || n * type_size(t) > 16)
		unknown(d);
	want(d, 2);
	vector_operand(d, store ? 1 : 0, n, t, store, refs);
	uint32_t handle = object_operand(d, store ? 0 : 1, coordinates, geometry >= GEO_A1D, T_S32, refs + n);
	uint32_t list = keep_list(d, refs, n + coordinates);
	struct insn *i = emit(d, OP_SURF);
	i->sub = (uint8_t)geometry, i->type = (uint8_t)t, i->width = (uint8_t)type_size(t), i->n = (uint8_t)n;
	i->cmp = (uint8_t)(clamp < 0 ? SURF_TRAP : clamp), i->boolop = (uint8_t)store;
	i->a = handle, i->d = list;
}

void decode_texture_query(struct decoder *d, int surface)
{
	static const char *const words[] = {"width", "height", "depth", "array_size", "num_mipmap_levels", NULL};
	uint32_t none[1];
	int query = take_any(d, words);
	if (query < 0 || (surface && query == QUERY_LEVELS) || take_type(d) != T_B32)
		unknown(d);
	want(d, 2);
	uint32_t handle = object_operand(d, 1, 0, 0, T_S32, none), dst = destination(d, T_B32);
	struct insn *i = emit(d, OP_TXQ);
	i->sub = (uint8_t)query, i->boolop = (uint8_t)surface, i->a = handle, i->dst = dst;
}
