/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions that compute: arithmetic, bits, comparing, moving, converting. */
#include "decode.h"

#include <string.h>

static int width_index(struct decoder *d, enum type t)
{
	if (type_is_float(t) || t == T_PRED)
		unknown(d);
	switch (type_size(t)) {
	case 2: return 0;
	case 4: return 1;
	case 8: return 2;
	default: unknown(d);
	}
}

static int int_index(struct decoder *d, enum type t)
{
	return width_index(d, t) + (type_is_signed(t) ? 3 : 0);
}

static int wide_index(struct decoder *d, enum type t)
{
	int w = width_index(d, t);
	if (w > 1)
		unknown(d);
	return w + (type_is_signed(t) ? 2 : 0);
}

static enum type wider(enum type t)
{
	return (enum type)(t + 1); /* u16 -> u32, s32 -> s64 */
}

static struct insn *simple_alu(struct decoder *d, enum alu sub, enum type t, unsigned sources)
{
	struct insn *i = simple(d, OP_ALU, t, t, sources);
	i->sub = (uint8_t)sub;
	return i;
}

static struct insn *simple_float(struct decoder *d, enum flo sub, enum type t, unsigned sources, enum rounding rnd,
                                 unsigned flags)
{
	struct insn *i = simple(d, OP_FLOAT, t, t, sources);
	i->sub = (uint8_t)sub;
	i->rnd = (uint8_t)rnd;
	i->flags = (uint8_t)flags;
	return i;
}


/* ---- arithmetic ---- */

/* add, sub, mul, fma on floats: the plain ones have operations of their own. */
static void float_arithmetic(struct decoder *d, enum flo sub, enum type t)
{
	static const enum op plain[] = {[FLO_ADD] = OP_ADD_F32, [FLO_SUB] = OP_SUB_F32, [FLO_MUL] = OP_MUL_F32,
	                                [FLO_FMA] = OP_FMA_F32};
	enum rounding rnd = take_rounding(d);
	unsigned flags = take_flags(d), sources = sub == FLO_FMA ? 3 : 2;
	if (take(d, "relu"))
		flags |= F_RELU;
	take(d, "noftz");
	if (rnd > R_RP || (t != T_F32 && t != T_F64 && rnd > R_RN) || (t == T_F64 && flags))
		unknown(d);
	if ((t == T_F32 || t == T_F64) && rnd <= R_RN && !flags)
		simple(d, plain[sub] + (t == T_F64), t, t, sources);
	else
		simple_float(d, sub, t, sources, rnd, flags);
}

static void carry(struct decoder *d, enum carry sub, enum type t, unsigned sources, int in, int out)
{
	if (type_is_float(t) || type_size(t) < 4)
		unknown(d);
	struct insn *i = simple(d, OP_CARRY, t, t, sources);
	i->sub = (uint8_t)sub;
	i->flags = (uint8_t)((in ? F_CARRY_IN : 0) | (out ? F_CARRY_OUT : 0));
}

void decode_add(struct decoder *d, int sub)
{
	int out = take(d, "cc");
	enum type t = take_type(d);
	if (type_is_float(t)) {
		float_arithmetic(d, sub ? FLO_SUB : FLO_ADD, t);
	} else if (out) {
		carry(d, sub ? CARRY_SUB : CARRY_ADD, t, 2, 0, 1);
	} else if (take(d, "sat")) {
		if (t != T_S32)
			unknown(d);
		simple_alu(d, sub ? ALU_SUBSAT : ALU_ADDSAT, t, 2);
	} else {
		simple(d, (sub ? OP_SUB_16 : OP_ADD_16) + width_index(d, t), t, t, 2);
	}
}

void decode_addc(struct decoder *d, int sub)
{
	int out = take(d, "cc");
	carry(d, sub ? CARRY_SUB : CARRY_ADD, take_type(d), 2, 1, out);
}

void decode_mul(struct decoder *d, int unused)
{
	(void)unused;
	int wide = take(d, "wide"), hi = take(d, "hi");
	if (!wide && !hi)
		take(d, "lo");
	enum type t = take_type(d);
	if (type_is_float(t)) {
		if (wide || hi)
			unknown(d);
		float_arithmetic(d, FLO_MUL, t);
	} else if (wide) {
		simple(d, OP_MULWIDE_U16 + wide_index(d, t), wider(t), t, 2);
	} else if (hi) {
		simple(d, OP_MULHI_U16 + int_index(d, t), t, t, 2);
	} else {
		simple(d, OP_MUL_16 + width_index(d, t), t, t, 2);
	}
}

void decode_mad(struct decoder *d, int in)
{
	int out = take(d, "cc"), wide = take(d, "wide"), hi = take(d, "hi");
	if (!wide && !hi)
		take(d, "lo");
	enum type t = take_type(d);
	if (type_is_float(t)) {
		if (wide || hi || out || in)
			unknown(d);
		float_arithmetic(d, FLO_FMA, t);
	} else if (in || out) {
		if (wide)
			unknown(d);
		carry(d, hi ? CARRY_MADHI : CARRY_MADLO, t, 3, in, out);
	} else if (wide) {
		want(d, 4);
		uint32_t a = source(d, 1, t), b = source(d, 2, t), c = source(d, 3, wider(t)), dst = destination(d, t);
		struct insn *i = emit(d, OP_MADWIDE_U16 + wide_index(d, t));
		i->dst = dst, i->a = a, i->b = b, i->c = c;
	} else if (hi) {
		int sat = take(d, "sat");
		if (sat && t != T_S32)
			unknown(d);
		width_index(d, t);
		simple_alu(d, sat ? ALU_MADSAT : ALU_MADHI, t, 3);
	} else {
		simple(d, OP_MAD_16 + width_index(d, t), t, t, 3);
	}
}

void decode_mul24(struct decoder *d, int mad)
{
	int hi = take(d, "hi");
	if (!hi)
		take(d, "lo");
	int sat = take(d, "sat");
	enum type t = take_type(d);
	if (type_size(t) != 4 || type_is_float(t) || (sat && (!mad || !hi || t != T_S32)))
		unknown(d);
	if (mad)
		simple_alu(d, sat ? ALU_MAD24SAT : hi ? ALU_MAD24HI : ALU_MAD24, t, 3);
	else
		simple_alu(d, hi ? ALU_MUL24HI : ALU_MUL24, t, 2);
}

void decode_fma(struct decoder *d, int unused)
{
	(void)unused;
	enum type t = take_type(d);
	if (!type_is_float(t))
		unknown(d);
	float_arithmetic(d, FLO_FMA, t);
}

void decode_div(struct decoder *d, int unused)
{
	(void)unused;
	int loose = take(d, "approx") | take(d, "full");
	enum rounding rnd = take_rounding(d);
	unsigned flags = take_flags(d);
	enum type t = take_type(d);
	if (t == T_F32 || t == T_F64) {
		if (rnd > R_RP || (loose && t == T_F64) || (flags & F_SAT))
			unknown(d);
		simple_float(d, FLO_DIV, t, 2, rnd, flags);
	} else {
		if (loose || rnd || flags)
			unknown(d);
		simple(d, OP_DIV_U16 + int_index(d, t), t, t, 2);
	}
}

void decode_rem(struct decoder *d, int unused)
{
	(void)unused;
	enum type t = take_type(d);
	simple(d, OP_REM_U16 + int_index(d, t), t, t, 2);
}

void decode_minmax(struct decoder *d, int max)
{
	unsigned flags = take_flags(d);
	if (take(d, "NaN"))
		flags |= F_NAN;
	if (take(d, "xorsign")) {
		if (!take(d, "abs"))
			unknown(d);
		flags |= F_XORSIGN;
	}
	enum type t = take_type(d);
	if (type_is_float(t)) {
		if (flags & F_SAT || (t == T_F64 && flags))
			unknown(d);
		simple_float(d, max ? FLO_MAX : FLO_MIN, t, 2, R_NONE, flags);
	} else {
		if (flags)
			unknown(d);
		simple(d, (max ? OP_MAX_U16 : OP_MIN_U16) + int_index(d, t), t, t, 2);
	}
}

void decode_neg(struct decoder *d, int absolute)
{
	unsigned flags = take_flags(d);
	enum type t = take_type(d);
	if (t == T_PRED || (flags & F_SAT))
		unknown(d);
	if ((t == T_F32 || t == T_F64) && !flags)
		simple(d, (absolute ? OP_ABS_F32 : OP_NEG_F32) + (t == T_F64), t, t, 1);
	else if (type_is_float(t))
		simple_float(d, absolute ? FLO_ABS : FLO_NEG, t, 1, R_NONE, flags);
	else if (flags || !type_is_signed(t))
		unknown(d);
	else if (absolute)
		width_index(d, t), simple_alu(d, ALU_ABS, t, 1);
	else
		simple(d, OP_NEG_16 + width_index(d, t), t, t, 1);
}

void decode_sad(struct decoder *d, int unused)
{
	(void)unused;
	enum type t = take_type(d);
	width_index(d, t);
	simple_alu(d, ALU_SAD, t, 3);
}

/* sqrt, rsqrt, rcp, sin, cos, lg2, ex2, tanh */
void decode_special(struct decoder *d, int sub)
{
	int loose = take(d, "approx");
	enum rounding rnd = take_rounding(d);
	unsigned flags = take_flags(d);
	enum type t = take_type(d);
	int half = t == T_F16 || t == T_F16X2 || t == T_BF16 || t == T_BF16X2;
	if ((flags & F_SAT) || rnd > R_RP || !type_is_float(t) || (half && sub != FLO_EX2 && sub != FLO_TANH))
		unknown(d);
	if (t == T_F64 && sub != FLO_SQRT && sub != FLO_RSQRT && sub != FLO_RCP)
		unknown(d);
	if (sub != FLO_SQRT && sub != FLO_RCP && rnd)
		unknown(d);
	simple_float(d, (enum flo)sub, t, 1, rnd, flags | (loose ? F_APPROX : 0));
}

void decode_copysign(struct decoder *d, int unused)
{
	(void)unused;
	enum type t = take_type(d);
	if (t != T_F32 && t != T_F64)
		unknown(d);
	simple_float(d, FLO_COPYSIGN, t, 2, R_NONE, 0);
}

void decode_testp(struct decoder *d, int unused)
{
	(void)unused;
	static const char *const words[] = {"finite", "infinite", "number", "notanumber", "normal", "subnormal", NULL};
	int which = take_any(d, words);
	enum type t = take_type(d);
	if (which < 0 || (t != T_F32 && t != T_F64))
		unknown(d);
	struct insn *i = simple(d, OP_FLOAT, T_PRED, t, 1);
	i->sub = (uint8_t)(FLO_TESTP_FINITE + which);
}

/* ---- bits ---- */

void decode_logic(struct decoder *d, int op)
{
	enum type t = take_type(d);
	if (t != T_PRED && (t < T_B16 || t > T_B64))
		unknown(d);
	simple(d, (enum op)op, t, t, 2);
}

void decode_not(struct decoder *d, int unused)
{
	(void)unused;
	enum type t = take_type(d);
	if (t == T_PRED)
		simple(d, OP_NOTP, t, t, 1);
	else
		simple(d, OP_NOT_16 + width_index(d, t), t, t, 1);
}

void decode_cnot(struct decoder *d, int unused)
{
	(void)unused;
	enum type t = take_type(d);
	width_index(d, t);
	simple_alu(d, ALU_CNOT, t, 1);
}

void decode_shift(struct decoder *d, int right)
{
	enum type t = take_type(d);
	enum op op = right ? OP_SHR_U16 + int_index(d, t) : OP_SHL_16 + width_index(d, t);
	want(d, 3);
	uint32_t a = source(d, 1, t), b = source(d, 2, T_U32), dst = destination(d, t);
	struct insn *i = emit(d, op);
	i->dst = dst, i->a = a, i->b = b;
}

void decode_shf(struct decoder *d, int unused)
{
	(void)unused;
	int left = take(d, "l");
	if (!left && !take(d, "r"))
		unknown(d);
	int wrap = take(d, "wrap");
	if (!wrap && !take(d, "clamp"))
		unknown(d);
	if (take_type(d) != T_B32)
		unknown(d);
	simple_alu(d, left ? (wrap ? ALU_SHF_L_WRAP : ALU_SHF_L_CLAMP) : wrap ? ALU_SHF_R_WRAP : ALU_SHF_R_CLAMP, T_B32, 3);
}

/* popc, clz: a 32-bit count whatever the type. */
void decode_count(struct decoder *d, int sub)
{
	enum type t = take_type(d);
	if (t != T_B32 && t != T_B64)
		unknown(d);
	simple_alu(d, (enum alu)sub, t, 1);
}

void decode_bfind(struct decoder *d, int unused)
{
	(void)unused;
	int shift = take(d, "shiftamt");
	enum type t = take_type(d);
	if (width_index(d, t) == 0)
		unknown(d);
	simple_alu(d, shift ? ALU_BFIND_SHIFT : ALU_BFIND, t, 1);
}

void decode_bfe(struct decoder *d, int unused)
{
	(void)unused;
	enum type t = take_type(d);
	if (width_index(d, t) == 0)
		unknown(d);
	want(d, 4);
	uint32_t a = source(d, 1, t), b = source(d, 2, T_U32), c = source(d, 3, T_U32), dst = destination(d, t);
	struct insn *i = emit(d, OP_ALU);
	i->sub = ALU_BFE, i->type = (uint8_t)t;
	i->dst = dst, i->a = a, i->b = b, i->c = c;
}

void decode_bfi(struct decoder *d, int unused)
{
	(void)unused;
	enum type t = take_type(d);
	if (t != T_B32 && t != T_B64)
		unknown(d);
	want(d, 5);
	uint32_t a = source(d, 1, t), b = source(d, 2, t), c = source(d, 3, T_U32), e = source(d, 4, T_U32);
	uint32_t dst = destination(d, t);
	struct insn *i = emit(d, OP_ALU);
	i->sub = ALU_BFI, i->type = (uint8_t)t;
	i->dst = dst, i->a = a, i->b = b, i->c = c, i->d = e;
}

void decode_bmsk(struct decoder *d, int szext)
{
	int wrap = take(d, "wrap");
	if (!wrap && !take(d, "clamp"))
		unknown(d);
	enum type t = take_type(d);
	if (type_size(t) != 4 || type_is_float(t))
		unknown(d);
	if (szext)
		simple_alu(d, wrap ? ALU_SZEXT_WRAP : ALU_SZEXT_CLAMP, t, 2);
	else
		simple_alu(d, wrap ? ALU_BMSK_WRAP : ALU_BMSK_CLAMP, t, 2);
}

void decode_b32(struct decoder *d, int sub)
{
	enum alu alu = (enum alu)sub;
	if (alu == ALU_PRMT) {
		static const char *const modes[] = {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16", NULL};
		alu = (enum alu)(ALU_PRMT + 1 + take_any(d, modes));
	}
	if (take_type(d) != T_B32)
		unknown(d);
	simple_alu(d, alu, T_B32, alu == ALU_BREV ? 1 : 3);
}

void decode_brev(struct decoder *d, int unused)
{
	(void)unused;
	enum type t = take_type(d);
	if (t != T_B32 && t != T_B64)
		unknown(d);
	simple_alu(d, ALU_BREV, t, 1);
}

void decode_lop3(struct decoder *d, int unused)
{
	(void)unused;
	if (take_type(d) != T_B32)
		unknown(d);
	want(d, 5);
	if (d->operands[4].kind != O_IMM || d->operands[4].value > 255)
		bad_operand(d, 4);
	uint32_t a = source(d, 1, T_B32), b = source(d, 2, T_B32), c = source(d, 3, T_B32), dst = destination(d, T_B32);
	struct insn *i = emit(d, OP_ALU);
	i->sub = ALU_LOP3, i->type = T_B32;
	i->dst = dst, i->a = a, i->b = b, i->c = c;
	i->imm = d->operands[4].value;
}

void decode_dot(struct decoder *d, int four)
{
	enum alu sub = ALU_DP4A;
	if (!four) {
		sub = take(d, "hi") ? ALU_DP2A_HI : ALU_DP2A_LO;
		if (sub == ALU_DP2A_LO && !take(d, "lo"))
			unknown(d);
	}
	enum type a = take_type(d), b = take_type(d);
	if ((a != T_U32 && a != T_S32) || (b != T_U32 && b != T_S32))
		unknown(d);
	struct insn *i = simple_alu(d, sub, a, 3);
	i->type2 = (uint8_t)b;
}

/* ---- comparing and choosing ---- */

static int take_comparison(struct decoder *d, enum type t, unsigned at)
{
	static const struct { char name[4]; uint8_t set; } words[] = {
		{"eq", C_EQ}, {"ne", C_LT | C_GT}, {"lt", C_LT}, {"le", C_LT | C_EQ}, {"gt", C_GT}, {"ge", C_GT | C_EQ},
		{"lo", C_LT}, {"ls", C_LT | C_EQ}, {"hi", C_GT}, {"hs", C_GT | C_EQ},
		{"equ", C_EQ | C_UN}, {"neu", C_LT | C_GT | C_UN}, {"ltu", C_LT | C_UN}, {"leu", C_LT | C_EQ | C_UN},
		{"gtu", C_GT | C_UN}, {"geu", C_GT | C_EQ | C_UN}, {"num", C_LT | C_EQ | C_GT}, {"nan", C_UN},
	};
	for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++) {
		if (d->lens[at] == strlen(words[i].name) && !memcmp(d->parts[at], words[i].name, d->lens[at])) {
			d->used[at] = 1;
			if (i >= 6 && (i < 10) == type_is_float(t))
				unknown(d);
			return words[i].set;
		}
	}
	unknown(d);
}

static enum type last_type(struct decoder *d)
{
	enum type t = T_NONE;
	if (d->nparts)
		t = type_named(d->parts[d->nparts - 1], d->lens[d->nparts - 1]);
	if (t == T_NONE)
		unknown(d);
	d->used[d->nparts - 1] = 1;
	return t;
}

static int take_bool(struct decoder *d)
{
	static const char *const words[] = {"and", "or", "xor", NULL};
	return take_any(d, words) + 1;
}

void decode_setp(struct decoder *d, int unused)
{
	(void)unused;
	enum type t = last_type(d);
	if (d->nparts < 2 || t == T_PRED)
		unknown(d);
	int cmp = take_comparison(d, t, 0), boolop = take_bool(d), ftz = take(d, "ftz");
	int second = d->n && d->operands[0].has_second;
	uint32_t q = second ? d->operands[0].second : 0;
	d->operands[0].has_second = 0;
	want(d, boolop ? 4 : 3);
	int f = type_is_float(t);
	enum op op;
	if (boolop || second || ftz || (f && t != T_F32 && t != T_F64))
		op = OP_SETPX;
	else if (f)
		op = OP_SETP_F32 + (t == T_F64);
	else
		op = OP_SETP_U16 + int_index(d, t);
	if (!f)
		width_index(d, t);
	if (ftz && t != T_F32 && t != T_F16 && t != T_F16X2)
		unknown(d);
	int pair = t == T_F16X2 || t == T_BF16X2;
	if (pair && !second)
		unknown(d);
	uint32_t a = source(d, 1, t), b = source(d, 2, t), c = boolop ? source(d, 3, T_PRED) : 0;
	uint32_t dst = destination(d, T_PRED);
	struct insn *i = emit(d, op);
	i->type = (uint8_t)t, i->cmp = (uint8_t)cmp, i->boolop = (uint8_t)boolop, i->flags = ftz ? F_FTZ : 0;
	i->dst = dst, i->dst2 = q, i->a = a, i->b = b, i->c = c;
}

void decode_set(struct decoder *d, int unused)
{
	(void)unused;
	enum type t = last_type(d);
	if (d->nparts < 3 || t == T_PRED)
		unknown(d);
	int cmp = take_comparison(d, t, 0), boolop = take_bool(d), ftz = take(d, "ftz");
	enum type result = take_type(d);
	if (!type_is_float(t))
		width_index(d, t);
	int pair = t == T_F16X2 || t == T_BF16X2;
	if ((pair && type_size(result) != 4) || (!pair && (result == T_F16X2 || result == T_BF16X2)) || result == T_PRED || result == T_F64 || type_size(result) > 4 ||
	    type_size(result) < 2)
		unknown(d);
	want(d, boolop ? 4 : 3);
	uint32_t a = source(d, 1, t), b = source(d, 2, t), c = boolop ? source(d, 3, T_PRED) : 0;
	uint32_t dst = destination(d, result);
	struct insn *i = emit(d, OP_SET);
	i->type = (uint8_t)t, i->type2 = (uint8_t)result;
	i->cmp = (uint8_t)cmp, i->boolop = (uint8_t)boolop, i->flags = ftz ? F_FTZ : 0;
	i->dst = dst, i->a = a, i->b = b, i->c = c;
}

void decode_selp(struct decoder *d, int unused)
{
	(void)unused;
	enum type t = take_type(d);
	if (t == T_PRED || type_size(t) < 2 || type_size(t) > 8)
		unknown(d);
	want(d, 4);
	uint32_t a = source(d, 1, t), b = source(d, 2, t), c = source(d, 3, T_PRED), dst = destination(d, t);
	struct insn *i = emit(d, OP_SELP);
	i->dst = dst, i->a = a, i->b = b, i->c = c;
}

void decode_slct(struct decoder *d, int unused)
{
	(void)unused;
	int ftz = take(d, "ftz");
	enum type t = take_type(d), s = take_type(d);
	if ((s != T_S32 && s != T_F32) || t == T_PRED)
		unknown(d);
	want(d, 4);
	uint32_t a = source(d, 1, t), b = source(d, 2, t), c = source(d, 3, s), dst = destination(d, t);
	struct insn *i = emit(d, OP_SLCT);
	i->type = (uint8_t)s, i->flags = ftz ? F_FTZ : 0;
	i->dst = dst, i->a = a, i->b = b, i->c = c;
}

/* ---- moving and converting ---- */

void decode_mov(struct decoder *d, int unused)
{
	(void)unused;
	enum type t = take_type(d);
	struct parser *p = d->p;
	want(d, 2);
	struct operand *to = &d->operands[0], *from = &d->operands[1];
	if (t == T_B128)
		unknown(d);
	if (to->kind == O_VECTOR || from->kind == O_VECTOR) {
		struct operand *v = to->kind == O_VECTOR ? to : from;
		unsigned n = v->n;
		if ((n != 2 && n != 4) || t == T_PRED || type_size(t) < n || (to->kind == O_VECTOR && from->kind == O_VECTOR))
			bad_operand(d, v == to ? 0 : 1);
		unsigned each = type_size(t) / n;
		uint32_t refs[4];
		enum type et = each == 1 ? T_B8 : each == 2 ? T_B16 : T_B32;
		for (unsigned k = 0; k < n; k++) {
			struct operand *e = &d->elements[v->first + k];
			refs[k] = v == to ? target_slot(d, e, 0, 0) : value_of(d, e, et, 1);
		}
		uint32_t other = v == to ? source(d, 1, t) : destination(d, t);
		uint32_t list = p->lists.n;
		for (unsigned k = 0; k < n; k++)
			*(uint32_t *)vector_push(p, &p->lists, sizeof(uint32_t)) = refs[k];
		struct insn *i = emit(d, v == to ? OP_UNPACK : OP_PACK);
		i->n = (uint8_t)n, i->width = (uint8_t)each, i->d = list;
		if (v == to)
			i->a = other;
		else
			i->dst = other;
		return;
	}
	uint32_t a = source(d, 1, t), dst = destination(d, t);
	struct insn *i = emit(d, OP_MOV);
	i->a = a, i->dst = dst;
}

void decode_cvt(struct decoder *d, int unused)
{
	(void)unused;
	enum rounding rnd = take_rounding(d);
	unsigned flags = take_flags(d);
	if (take(d, "relu"))
		flags |= F_RELU;
	enum type to = take_type(d), from = take_type(d);
	if (to == T_PRED || from == T_PRED || (to >= T_B8 && to <= T_B128) || (from >= T_B8 && from <= T_B128))
		unknown(d);
	if (to == T_F16X2 || to == T_BF16X2) {
		if (from != T_F32 || (rnd != R_RN && rnd != R_RZ) || (flags & (F_FTZ | F_SAT)))
			unknown(d);
		want(d, 3);
		uint32_t a = source(d, 1, from), b = source(d, 2, from), dst = destination(d, to);
		struct insn *i = emit(d, OP_PACKCVT);
		i->type = (uint8_t)to, i->type2 = (uint8_t)from, i->rnd = (uint8_t)rnd, i->flags = (uint8_t)flags;
		i->dst = dst, i->a = a, i->b = b;
		return;
	}
	int ff = type_is_float(from), tf = type_is_float(to);
	if (from == T_F16X2 || from == T_BF16X2 || rnd == R_RNA || (rnd && !ff && !tf))
		unknown(d);
	if ((flags & F_RELU) && (!tf || type_size(to) != 2))
		unknown(d);
	want(d, 2);
	uint32_t a = source(d, 1, from), dst = destination(d, to);
	unsigned reg = d->operands[0].kind == O_REG ? type_size(d->operands[0].type) : 8;
	if (reg < type_size(to))
		bad_operand(d, 0);
	struct insn *i;
	if (!ff && !tf && !(flags & F_SAT)) {
		/* Extends from the narrower of both; where the result is the narrower one, its sign counts. */
		unsigned w = type_size(to) < type_size(from) ? type_size(to) : type_size(from);
		int s = type_size(to) < type_size(from) || type_size(to) == type_size(from) ? type_is_signed(to) :
		        type_is_signed(from);
		i = emit(d, s ? OP_EXT_S : OP_EXT_U);
		i->width = (uint8_t)(64 - 8 * w);
		/* A signed result is extended to the register, an unsigned one is cut to its own width. */
		i->imm = mask_to(UINT64_MAX, type_is_signed(to) ? reg : type_size(to));
	} else {
		enum op op = OP_CVT;
		if (!flags && (rnd == R_RN || rnd == R_NONE)) {
			if (to == T_F64 && from == T_F32)
				op = OP_CVT_F64_F32;
			else if (to == T_F32 && from == T_F64)
				op = OP_CVT_F32_F64;
			else if (to == T_F32 && from == T_S32)
				op = OP_CVT_F32_S32;
			else if (to == T_F64 && from == T_S32)
				op = OP_CVT_F64_S32;
		}
		i = emit(d, op);
		i->imm = mask_to(UINT64_MAX, type_is_signed(to) ? reg : type_size(to));
	}
	i->type = (uint8_t)to, i->type2 = (uint8_t)from, i->rnd = (uint8_t)rnd, i->flags = (uint8_t)flags;
	i->dst = dst, i->a = a;
}

void decode_cvta(struct decoder *d, int unused)
{
	(void)unused;
	int to = take(d, "to");
	enum space s = take_space(d);
	enum type t = take_type(d);
	if (s == S_GENERIC || t != T_U64)
		unknown(d);
	want(d, 2);
	uint32_t a = source(d, 1, t), dst = destination(d, t);
	int windowed = s == S_SHARED || s == S_LOCAL || s == S_PARAM;
	struct insn *i = emit(d, !windowed ? OP_MOV : to ? OP_FROM_GENERIC : OP_TO_GENERIC);
	/* A device function's parameter whose address is taken lies in local memory. */
	if (s == S_PARAM && !d->p->function->entry)
		s = S_LOCAL;
	i->space = (uint8_t)s, i->dst = dst, i->a = a;
}

void decode_isspacep(struct decoder *d, int unused)
{
	(void)unused;
	enum space s = take_space(d);
	if (s == S_GENERIC)
		unknown(d);
	want(d, 2);
	uint32_t a = source(d, 1, T_U64), dst = destination(d, T_PRED);
	struct insn *i = emit(d, OP_ISSPACE);
	i->space = (uint8_t)s, i->dst = dst, i->a = a;
}
