/* SPDX-License-Identifier: Apache-2.0
 *
 * PTX arithmetic on values in slots: what is more than one C operation. */
#ifndef AXON_SOFTGPU_PTX_NUMBER_H
#define AXON_SOFTGPU_PTX_NUMBER_H

#include <string.h>

#include "code.h"

static inline float as_f32(uint64_t v)
{
	uint32_t b = (uint32_t)v;
	float f;
	memcpy(&f, &b, 4);
	return f;
}

static inline uint64_t of_f32(float f)
{
	uint32_t b;
	memcpy(&b, &f, 4);
	return b;
}

static inline double as_f64(uint64_t v)
{
	double d;
	memcpy(&d, &v, 8);
	return d;
}

static inline uint64_t of_f64(double d)
{
	uint64_t b;
	memcpy(&b, &d, 8);
	return b;
}

/* A single-precision NaN is always this one on the hardware. */
static inline uint64_t result_f32(float f)
{
	return f != f ? 0x7fffffff : of_f32(f);
}

uint64_t float_op(const struct insn *, uint64_t a, uint64_t b, uint64_t c);
uint64_t convert(const struct insn *, uint64_t a);
uint64_t pack_convert(const struct insn *, uint64_t a, uint64_t b);
/* The one relation (C_LT ...) between two values of a type. */
unsigned relation(enum type, uint64_t a, uint64_t b, int ftz);
/* For atom.add, min and max on floating types. */
uint64_t float_add(enum type, uint64_t a, uint64_t b);
uint64_t float_pick(enum type, uint64_t a, uint64_t b, int max);

uint64_t alu_op(const struct insn *, uint64_t a, uint64_t b, uint64_t c, uint64_t d);
/* Takes and gives the carry in *carry. */
uint64_t carry_op(const struct insn *, uint64_t a, uint64_t b, uint64_t c, unsigned *carry);

#endif
