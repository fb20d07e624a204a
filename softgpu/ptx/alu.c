/* SPDX-License-Identifier: Apache-2.0
 *
 * Integer and bit operations of PTX beyond one C operator. Shifts and widths come from the program: every one is
 * clamped before C sees it. */
#include "number.h"

static uint64_t mask_bits(unsigned bits)
{
	return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static int64_t extend(uint64_t v, unsigned bits)
{
	return (int64_t)(v << (64 - bits)) >> (64 - bits);
}

static uint64_t reverse(uint64_t v, unsigned bits)
{
	uint64_t r = 0;
	for (unsigned i = 0; i < bits; i++)
		r |= (v >> i & 1) << (bits - 1 - i);
	return r;
}

/* The upper half of a product. */
static uint64_t multiply_high(uint64_t a, uint64_t b, enum type t)
{
	unsigned bits = 8 * type_size(t);
	if (bits == 64) {
		__extension__ typedef __int128 wide;
		__extension__ typedef unsigned __int128 uwide;
		if (type_is_signed(t))
			return (uint64_t)((uwide)((wide)(int64_t)a * (int64_t)b) >> 64);
		return (uint64_t)(((uwide)a * b) >> 64);
	}
	if (type_is_signed(t))
		return (uint64_t)((extend(a, bits) * extend(b, bits)) >> bits) & mask_bits(bits);
	return ((a & mask_bits(bits)) * (b & mask_bits(bits))) >> bits;
}

static uint64_t saturate_s32(int64_t v)
{
	return (uint32_t)(v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : (int32_t)v);
}

static uint32_t permute(const struct insn *i, uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t bytes = (a & UINT32_MAX) | b << 32;
	uint32_t r = 0;
	unsigned k = c & 3;
	for (unsigned n = 0; n < 4; n++) {
		unsigned select;
		switch (i->sub) {
		case ALU_PRMT: select = c >> (4 * n) & 15; break;
		case ALU_PRMT_F4E: select = k + n; break;
		case ALU_PRMT_B4E: select = (k - n) & 7; break;
		case ALU_PRMT_RC8: select = k; break;
		case ALU_PRMT_ECL: select = n > k ? n : k; break;
		case ALU_PRMT_ECR: select = n < k ? n : k; break;
		default: select = (k & 1) * 2 + (n & 1); break; /* rc16 */
		}
		uint32_t byte = bytes >> (8 * (select & 7)) & 255;
		if (select & 8)
			byte = byte & 128 ? 255 : 0;
		r |= byte << (8 * n);
	}
	return r;
}

static uint32_t lop3(uint32_t a, uint32_t b, uint32_t c, unsigned table)
{
	uint32_t r = 0;
	if (table & 0x01) r |= ~a & ~b & ~c;
	if (table & 0x02) r |= ~a & ~b & c;
	if (table & 0x04) r |= ~a & b & ~c;
	if (table & 0x08) r |= ~a & b & c;
	if (table & 0x10) r |= a & ~b & ~c;
	if (table & 0x20) r |= a & ~b & c;
	if (table & 0x40) r |= a & b & ~c;
	if (table & 0x80) r |= a & b & c;
	return r;
}

/* The position of the n-th set bit from `base` on, upwards for n > 0, downwards for n < 0. */
static uint32_t find_nth_set(uint32_t mask, uint32_t base, int32_t n)
{
	base &= 31;
	if (n == 0)
		return mask >> base & 1 ? base : UINT32_MAX;
	int step = n > 0 ? 1 : -1;
	int64_t left = n > 0 ? n : -(int64_t)n;
	for (int at = (int)base; at >= 0 && at < 32; at += step)
		if ((mask >> at & 1) && --left == 0)
			return (uint32_t)at;
	return UINT32_MAX;
}

static uint64_t bit_field_extract(enum type t, uint64_t a, uint64_t b, uint64_t c)
{
	unsigned bits = 8 * type_size(t), position = b & 255, length = c & 255;
	a &= mask_bits(bits);
	uint64_t sign = 0;
	if (type_is_signed(t) && length) {
		unsigned at = position + length - 1;
		sign = a >> (at > bits - 1 ? bits - 1 : at) & 1;
	}
	uint64_t field = position >= bits ? 0 : a >> position & mask_bits(length);
	unsigned have = position >= bits ? 0 : bits - position < length ? bits - position : length;
	if (sign)
		field |= ~mask_bits(have);
	return field & mask_bits(bits);
}

static uint64_t bit_field_insert(enum type t, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	unsigned bits = 8 * type_size(t), position = c & 255, length = d & 255;
	if (position >= bits)
		return b;
	uint64_t mask = mask_bits(length) << position & mask_bits(bits);
	return (b & ~mask) | (a << position & mask);
}

static uint32_t dot(const struct insn *i, uint64_t a, uint64_t b, uint64_t c)
{
	uint32_t sum = (uint32_t)c;
	int sa = type_is_signed((enum type)i->type), sb = type_is_signed((enum type)i->type2);
	for (unsigned n = 0; n < (i->sub == ALU_DP4A ? 4u : 2u); n++) {
		unsigned bits = i->sub == ALU_DP4A ? 8 : 16;
		uint64_t x = a >> (bits * n) & mask_bits(bits);
		uint64_t y = b >> (8 * (n + (i->sub == ALU_DP2A_HI ? 2 : 0))) & 255;
		sum += (uint32_t)((sa ? extend(x, bits) : (int64_t)x) * (sb ? extend(y, 8) : (int64_t)y));
	}
	return sum;
}

static uint64_t funnel(const struct insn *i, uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t both = (a & UINT32_MAX) | b << 32;
	int wrap = i->sub == ALU_SHF_L_WRAP || i->sub == ALU_SHF_R_WRAP;
	unsigned n = wrap ? c & 31 : (uint32_t)c > 32 ? 32 : (uint32_t)c;
	if (i->sub == ALU_SHF_L_CLAMP || i->sub == ALU_SHF_L_WRAP)
		return (both << n) >> 32;
	return n == 32 ? both >> 32 : both >> n & UINT32_MAX;
}

uint64_t alu_op(const struct insn *i, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	enum type t = (enum type)i->type;
	unsigned bits = 8 * type_size(t);
	uint64_t mask = mask_bits(bits);
	int is_signed = type_is_signed(t);
	switch ((enum alu)i->sub) {
	case ALU_MADHI: return (multiply_high(a, b, t) + c) & mask;
	case ALU_MADSAT: return saturate_s32((int64_t)(int32_t)multiply_high(a, b, t) + (int32_t)c);
	case ALU_ADDSAT: return saturate_s32((int64_t)(int32_t)a + (int32_t)b);
	case ALU_SUBSAT: return saturate_s32((int64_t)(int32_t)a - (int32_t)b);
	case ALU_ABS: return (extend(a, bits) < 0 ? 0 - a : a) & mask;
	case ALU_SAD: {
		int less = is_signed ? extend(a, bits) < extend(b, bits) : (a & mask) < (b & mask);
		return (c + (less ? b - a : a - b)) & mask;
	}
	case ALU_MUL24: case ALU_MUL24HI: case ALU_MAD24: case ALU_MAD24HI: case ALU_MAD24SAT: {
		uint64_t p = is_signed ? (uint64_t)(extend(a & 0xffffff, 24) * extend(b & 0xffffff, 24)) :
		                         (a & 0xffffff) * (b & 0xffffff);
		uint64_t half = i->sub == ALU_MUL24 || i->sub == ALU_MAD24 ? p : p >> 16;
		if (i->sub == ALU_MAD24SAT)
			return saturate_s32((int64_t)(int32_t)half + (int32_t)c);
		return (half + (i->sub == ALU_MAD24 || i->sub == ALU_MAD24HI ? c : 0)) & UINT32_MAX;
	}
	case ALU_POPC: return (uint64_t)__builtin_popcountll(a & mask);
	case ALU_CLZ: return a & mask ? (uint64_t)__builtin_clzll(a & mask) - (64 - bits) : bits;
	case ALU_BREV: return reverse(a, bits);
	case ALU_BFIND: case ALU_BFIND_SHIFT: {
		uint64_t v = is_signed && extend(a, bits) < 0 ? ~a & mask : a & mask;
		if (!v)
			return UINT32_MAX;
		unsigned top = 63 - (unsigned)__builtin_clzll(v);
		return i->sub == ALU_BFIND ? top : bits - 1 - top;
	}
	case ALU_BFE: return bit_field_extract(t, a, b, c);
	case ALU_BFI: return bit_field_insert(t, a, b, c, d) & mask;
	case ALU_BMSK_CLAMP: case ALU_BMSK_WRAP: {
		uint32_t at = (uint32_t)a, n = (uint32_t)b;
		if (i->sub == ALU_BMSK_WRAP)
			at &= 31, n &= 31;
		return at > 31 ? 0 : mask_bits(n > 32 ? 32 : n) << at & UINT32_MAX;
	}
	case ALU_SZEXT_CLAMP: case ALU_SZEXT_WRAP: {
		uint32_t n = (uint32_t)b;
		if (i->sub == ALU_SZEXT_WRAP)
			n &= 31;
		if (n == 0)
			return 0;
		if (n >= 32)
			return a & UINT32_MAX;
		return (is_signed ? (uint64_t)extend(a & mask_bits(n), n) : a & mask_bits(n)) & UINT32_MAX;
	}
	case ALU_FNS: return find_nth_set((uint32_t)a, (uint32_t)b, (int32_t)c);
	case ALU_SHF_L_CLAMP: case ALU_SHF_L_WRAP: case ALU_SHF_R_CLAMP: case ALU_SHF_R_WRAP: return funnel(i, a, b, c);
	case ALU_PRMT: case ALU_PRMT_F4E: case ALU_PRMT_B4E: case ALU_PRMT_RC8: case ALU_PRMT_ECL: case ALU_PRMT_ECR:
	case ALU_PRMT_RC16: return permute(i, a, b, c);
	case ALU_LOP3: return lop3((uint32_t)a, (uint32_t)b, (uint32_t)c, (unsigned)i->imm);
	case ALU_DP4A: case ALU_DP2A_LO: case ALU_DP2A_HI: return dot(i, a, b, c);
	case ALU_CNOT: return (a & mask) == 0;
	}
	return 0;
}

uint64_t carry_op(const struct insn *i, uint64_t a, uint64_t b, uint64_t c, unsigned *carry)
{
	unsigned bits = 8 * type_size((enum type)i->type);
	uint64_t mask = mask_bits(bits), in = i->flags & F_CARRY_IN ? *carry : 0, r;
	unsigned out;
	switch ((enum carry)i->sub) {
	case CARRY_MADLO:
		a = a * b & mask, b = c;
		break;
	case CARRY_MADHI:
		a = multiply_high(a, b, (enum type)i->type), b = c;
		break;
	default:
		break;
	}
	a &= mask, b &= mask;
	if (i->sub == CARRY_SUB) {
		/* The flag is a borrow. */
		r = (a - b - in) & mask;
		out = a < b || (a == b && in);
	} else {
		r = (a + b + in) & mask;
		out = r < a || (in && r == a);
		if (bits < 64)
			out = a + b + in > mask;
	}
	if (i->flags & F_CARRY_OUT)
		*carry = out;
	return r;
}
