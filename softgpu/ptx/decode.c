/* SPDX-License-Identifier: Apache-2.0
 *
 * One PTX instruction to one or a few decoded ones.
 *
 * A mnemonic is split at its dots. The handler of its first word takes the words that it understands, in whatever order
 * they stand; one that nobody has taken in the end makes the instruction unknown. So a modifier is never ignored by
 * accident, and "no instruction 'mma.sync...'" is said when a module is loaded, not in the middle of a kernel.
 */
#include "parse.h"

#include <stdio.h>
#include <string.h>

enum operand_kind { O_NONE, O_REG, O_IMM, O_FLOAT, O_SREG, O_SYMBOL, O_MEMORY, O_VECTOR, O_NAME, O_SINK };

struct operand {
	enum operand_kind kind;
	enum operand_kind base;  /* of O_MEMORY: O_REG, O_IMM, O_SYMBOL */
	enum type type;          /* of a register */
	uint32_t slot, sreg;
	int32_t symbol;
	uint64_t value;          /* an integer, or the bits of a float */
	int single;
	int64_t offset;
	int negated;
	int has_second;          /* p|q */
	uint32_t second;
	uint32_t first, n;       /* elements of a vector in `elements` */
	const char *name;
	uint32_t len;
};

enum { MAX_PARTS = 24, MAX_OPERANDS = 10, MAX_ELEMENTS = 16 };

struct decoder {
	struct parser *p;
	uint32_t line;
	const char *text, *end;          /* the mnemonic in the text */
	const char *parts[MAX_PARTS];
	size_t lens[MAX_PARTS];
	int used[MAX_PARTS];
	unsigned nparts;
	struct operand operands[MAX_OPERANDS];
	unsigned n;
	struct operand elements[MAX_ELEMENTS];
	unsigned nelements;
	int guarded, guard_negated;
	uint32_t guard;
};

static _Noreturn void unknown(struct decoder *d)
{
	int n = (int)(d->end - d->text > 120 ? 120 : d->end - d->text);
	parse_fail(d->p, d->line, "no instruction '%.*s'", n, d->text);
}

static _Noreturn void bad_operand(struct decoder *d, unsigned k)
{
	int n = (int)(d->end - d->text > 120 ? 120 : d->end - d->text);
	parse_fail(d->p, d->line, "operand %u of '%.*s' is missing or of the wrong kind", k + 1, n, d->text);
}

static int take(struct decoder *d, const char *word)
{
	size_t len = strlen(word);
	for (unsigned i = 0; i < d->nparts; i++) {
		if (!d->used[i] && d->lens[i] == len && !memcmp(d->parts[i], word, len))
			return d->used[i] = 1;
	}
	return 0;
}

/* The position of the first of `words` that stands there, or -1. */
static int take_any(struct decoder *d, const char *const *words)
{
	for (int i = 0; words[i]; i++)
		if (take(d, words[i]))
			return i;
	return -1;
}

static enum type take_type(struct decoder *d)
{
	for (unsigned i = 0; i < d->nparts; i++) {
		if (d->used[i])
			continue;
		enum type t = type_named(d->parts[i], d->lens[i]);
		if (t != T_NONE) {
			d->used[i] = 1;
			return t;
		}
	}
	unknown(d);
}

static enum rounding take_rounding(struct decoder *d)
{
	static const char *const words[] = {"rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi", NULL};
	int i = take_any(d, words);
	return i < 0 ? R_NONE : (enum rounding)(R_RN + i);
}

static unsigned take_flags(struct decoder *d)
{
	unsigned f = 0;
	if (take(d, "ftz"))
		f |= F_FTZ;
	if (take(d, "sat"))
		f |= F_SAT;
	return f;
}

/* Memory order, scope and cache hints: what this machine does is stronger than any of them. 1 when the access is one
 * that a thread may spin on. */
static int take_order(struct decoder *d)
{
	static const char *const order[] = {"volatile", "relaxed", "acquire", "release", "acq_rel", "sc", "mmio", NULL};
	static const char *const rest[] = {"weak", "cta", "cluster", "gpu", "sys", "gl", "ca", "cg", "cs", "lu", "cv", "wb",
	                                   "wt", "nc", "unified", NULL};
	int spins = 0;
	while (take_any(d, order) >= 0)
		spins = 1;
	while (take_any(d, rest) >= 0)
		;
	for (unsigned i = 0; i < d->nparts; i++)
		if (d->lens[i] > 4 && (!memcmp(d->parts[i], "L1::", 4) || !memcmp(d->parts[i], "L2::", 4)))
			d->used[i] = 1;
	return spins;
}

static enum space take_space(struct decoder *d)
{
	static const char *const words[] = {"global", "const", "shared", "shared::cta", "shared::cluster", "local", "param",
	                                    "param::entry", "param::func", NULL};
	static const enum space spaces[] = {S_GLOBAL, S_CONST, S_SHARED, S_SHARED, S_SHARED, S_LOCAL, S_PARAM, S_PARAM,
	                                    S_PARAM};
	int i = take_any(d, words);
	return i < 0 ? S_GENERIC : spaces[i];
}

static struct insn *emit(struct decoder *d, enum op op)
{
	struct insn *i = vector_push(d->p, &d->p->code, sizeof *i);
	i->op = (uint16_t)op;
	i->line = d->line;
	return i;
}

static uint32_t add_constant(struct decoder *d, uint64_t v)
{
	struct parser *p = d->p;
	/* Most constants repeat soon: "[%rd1+4]" and loops' strides. */
	uint64_t *have = p->constants.data;
	for (uint32_t i = p->constants.n; i > p->share_from && i + 8 > p->constants.n; i--)
		if (have[i - 1] == v)
			return (i - 1) << 1 | 1;
	if (p->constants.n >= 1u << 30)
		parse_fail(p, d->line, "out of memory");
	*(uint64_t *)vector_push(p, &p->constants, sizeof v) = v;
	return (p->constants.n - 1) << 1 | 1;
}

/* A constant that is known later. It must not be shared: its placeholder is not its value. */
static uint32_t add_late_constant(struct decoder *d, int32_t target, int64_t addend)
{
	struct parser *p = d->p;
	vector_push(p, &p->constants, sizeof(uint64_t));
	p->share_from = p->constants.n;
	struct relocation *r = vector_push(p, &p->relocations, sizeof *r);
	r->function = p->function;
	r->where = p->constants.n - 1;
	r->width = 8;
	r->target = target;
	r->addend = addend;
	return (p->constants.n - 1) << 1 | 1;
}

static uint64_t mask_to(uint64_t v, unsigned bytes)
{
	return bytes >= 8 ? v : v & ((UINT64_C(1) << (8 * bytes)) - 1);
}

static uint32_t address_of(struct decoder *d, int32_t symbol, int64_t offset)
{
	struct symbol *s = symbol_at(d->p, symbol);
	struct insn *i;
	uint32_t slot;
	switch (s->kind) {
	case SYM_VARIABLE:
		return add_late_constant(d, (int32_t)s->index, offset);
	case SYM_SHARED:
		if (s->count) /* a kernel's own */
			return add_late_constant(d, INT32_MIN, (int64_t)(s->offset + (uint64_t)offset));
		d->p->function->uses_shared = 1;
		return add_constant(d, s->offset + (uint64_t)offset);
	case SYM_KERNEL_PARAM:
		return add_constant(d, s->offset + (uint64_t)offset);
	case SYM_FUNCTION:
		return add_constant(d, PTX_CODE_WINDOW + 16 * (1 + (uint64_t)s->index));
	case SYM_DYNAMIC:
	case SYM_LOCAL:
	case SYM_PARAM:
		if (s->kind != SYM_DYNAMIC)
			d->p->function->has_local = 1;
		uint64_t at = (s->kind == SYM_DYNAMIC ? 0 : s->offset) + (uint64_t)offset;
		slot = new_slot(d->p, d->line);
		i = emit(d, s->kind == SYM_DYNAMIC ? OP_DYNAMIC : OP_LADDR);
		i->dst = slot;
		i->imm = at;
		return slot << 1;
	default:
		parse_fail(d->p, d->line, "'%.*s' has no address", (int)(s->len > 80 ? 80 : s->len), s->name);
	}
}

static uint32_t float_constant(struct decoder *d, const struct operand *o, enum type t)
{
	uint64_t v = o->value;
	double x;
	float f;
	if (o->single) {
		uint32_t half = (uint32_t)v;
		memcpy(&f, &half, 4);
		x = (double)f;
	} else {
		memcpy(&x, &v, 8);
		f = (float)x;
	}
	if (t == T_F64 || (type_size(t) == 8 && !o->single)) {
		memcpy(&v, &x, 8);
	} else if (t == T_F32 || type_size(t) == 4) {
		uint32_t half;
		memcpy(&half, &f, 4);
		v = half;
	} else if (type_size(t) != 8) {
		parse_fail(d->p, d->line, "a floating point number where an integer belongs");
	}
	return add_constant(d, v);
}

static uint32_t value_of(struct decoder *d, const struct operand *o, enum type t, unsigned k)
{
	struct insn *i;
	uint32_t slot;
	switch (o->kind) {
	case O_REG:
		if ((o->type == T_PRED) != (t == T_PRED))
			bad_operand(d, k);
		if (o->negated) {
			if (t != T_PRED)
				bad_operand(d, k);
			slot = new_slot(d->p, d->line);
			i = emit(d, OP_NOTP);
			i->dst = slot;
			i->a = o->slot << 1;
			return slot << 1;
		}
		return o->slot << 1;
	case O_IMM:
		if (t == T_PRED)
			return add_constant(d, o->value != 0);
		if (t == T_F32 || t == T_F64) {
			/* "0" for 0.0 is what people write by hand. */
			struct operand f = *o;
			double x = (double)(int64_t)o->value;
			memcpy(&f.value, &x, 8);
			f.single = 0;
			return float_constant(d, &f, t);
		}
		return add_constant(d, mask_to(o->value, type_size(t)));
	case O_FLOAT:
		return float_constant(d, o, t);
	case O_SREG:
		if (t == T_PRED)
			bad_operand(d, k);
		slot = new_slot(d->p, d->line);
		i = emit(d, OP_SREG);
		i->sub = (uint8_t)o->sreg;
		i->dst = slot;
		return slot << 1;
	case O_SYMBOL:
		if (type_size(t) < 4)
			bad_operand(d, k);
		return address_of(d, o->symbol, o->offset);
	default:
		bad_operand(d, k);
	}
}

static uint32_t source(struct decoder *d, unsigned k, enum type t)
{
	if (k >= d->n)
		bad_operand(d, k);
	return value_of(d, &d->operands[k], t, k);
}

static uint32_t target_slot(struct decoder *d, const struct operand *o, int predicate, unsigned k)
{
	if (o->kind == O_SINK)
		return 0;
	if (o->kind != O_REG || o->negated || (o->type == T_PRED) != predicate)
		bad_operand(d, k);
	return o->slot;
}

static uint32_t destination(struct decoder *d, enum type t)
{
	if (!d->n)
		bad_operand(d, 0);
	return target_slot(d, &d->operands[0], t == T_PRED, 0);
}

static void want(struct decoder *d, unsigned n)
{
	if (d->n != n)
		parse_fail(d->p, d->line, "'%.*s' takes %u operands, not %u",
		           (int)(d->end - d->text > 120 ? 120 : d->end - d->text), d->text, n, d->n);
	if (n && d->operands[0].has_second)
		bad_operand(d, 0);
}

/* The usual shape: a destination and sources of one type. */
static struct insn *simple(struct decoder *d, enum op op, enum type result, enum type t, unsigned sources)
{
	uint32_t refs[4] = {0, 0, 0, 0};
	want(d, sources + 1);
	for (unsigned k = 0; k < sources; k++)
		refs[k] = source(d, k + 1, t);
	uint32_t dst = destination(d, result);
	struct insn *i = emit(d, op);
	i->type = (uint8_t)t;
	i->dst = dst;
	i->a = refs[0];
	i->b = refs[1];
	i->c = refs[2];
	i->d = refs[3];
	return i;
}

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

static void decode_add(struct decoder *d, int sub)
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

static void decode_addc(struct decoder *d, int sub)
{
	int out = take(d, "cc");
	carry(d, sub ? CARRY_SUB : CARRY_ADD, take_type(d), 2, 1, out);
}

static void decode_mul(struct decoder *d, int unused)
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

static void decode_mad(struct decoder *d, int in)
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

static void decode_mul24(struct decoder *d, int mad)
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

static void decode_fma(struct decoder *d, int unused)
{
	(void)unused;
	enum type t = take_type(d);
	if (!type_is_float(t))
		unknown(d);
	float_arithmetic(d, FLO_FMA, t);
}

static void decode_div(struct decoder *d, int unused)
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

static void decode_rem(struct decoder *d, int unused)
{
	(void)unused;
	enum type t = take_type(d);
	simple(d, OP_REM_U16 + int_index(d, t), t, t, 2);
}

static void decode_minmax(struct decoder *d, int max)
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

static void decode_neg(struct decoder *d, int absolute)
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

static void decode_sad(struct decoder *d, int unused)
{
	(void)unused;
	enum type t = take_type(d);
	width_index(d, t);
	simple_alu(d, ALU_SAD, t, 3);
}

/* sqrt, rsqrt, rcp, sin, cos, lg2, ex2, tanh */
static void decode_special(struct decoder *d, int sub)
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

static void decode_copysign(struct decoder *d, int unused)
{
	(void)unused;
	enum type t = take_type(d);
	if (t != T_F32 && t != T_F64)
		unknown(d);
	simple_float(d, FLO_COPYSIGN, t, 2, R_NONE, 0);
}

static void decode_testp(struct decoder *d, int unused)
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

static void decode_logic(struct decoder *d, int op)
{
	enum type t = take_type(d);
	if (t != T_PRED && (t < T_B16 || t > T_B64))
		unknown(d);
	simple(d, (enum op)op, t, t, 2);
}

static void decode_not(struct decoder *d, int unused)
{
	(void)unused;
	enum type t = take_type(d);
	if (t == T_PRED)
		simple(d, OP_NOTP, t, t, 1);
	else
		simple(d, OP_NOT_16 + width_index(d, t), t, t, 1);
}

static void decode_cnot(struct decoder *d, int unused)
{
	(void)unused;
	enum type t = take_type(d);
	width_index(d, t);
	simple_alu(d, ALU_CNOT, t, 1);
}

static void decode_shift(struct decoder *d, int right)
{
	enum type t = take_type(d);
	enum op op = right ? OP_SHR_U16 + int_index(d, t) : OP_SHL_16 + width_index(d, t);
	want(d, 3);
	uint32_t a = source(d, 1, t), b = source(d, 2, T_U32), dst = destination(d, t);
	struct insn *i = emit(d, op);
	i->dst = dst, i->a = a, i->b = b;
}

static void decode_shf(struct decoder *d, int unused)
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
static void decode_count(struct decoder *d, int sub)
{
	enum type t = take_type(d);
	if (t != T_B32 && t != T_B64)
		unknown(d);
	simple_alu(d, (enum alu)sub, t, 1);
}

static void decode_bfind(struct decoder *d, int unused)
{
	(void)unused;
	int shift = take(d, "shiftamt");
	enum type t = take_type(d);
	if (width_index(d, t) == 0)
		unknown(d);
	simple_alu(d, shift ? ALU_BFIND_SHIFT : ALU_BFIND, t, 1);
}

static void decode_bfe(struct decoder *d, int unused)
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

static void decode_bfi(struct decoder *d, int unused)
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

static void decode_bmsk(struct decoder *d, int szext)
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

static void decode_b32(struct decoder *d, int sub)
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

static void decode_brev(struct decoder *d, int unused)
{
	(void)unused;
	enum type t = take_type(d);
	if (t != T_B32 && t != T_B64)
		unknown(d);
	simple_alu(d, ALU_BREV, t, 1);
}

static void decode_lop3(struct decoder *d, int unused)
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

static void decode_dot(struct decoder *d, int four)
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

static void decode_setp(struct decoder *d, int unused)
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

static void decode_set(struct decoder *d, int unused)
{
	(void)unused;
	enum type t = last_type(d);
	if (d->nparts < 3 || t == T_PRED)
		unknown(d);
	int cmp = take_comparison(d, t, 0), boolop = take_bool(d), ftz = take(d, "ftz");
	enum type result = take_type(d);
	if (!type_is_float(t))
		width_index(d, t);
	if (t == T_F16X2 || t == T_BF16X2 || result == T_PRED || result == T_F64 || type_size(result) > 4 ||
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

static void decode_selp(struct decoder *d, int unused)
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

static void decode_slct(struct decoder *d, int unused)
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

static void decode_mov(struct decoder *d, int unused)
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

static void decode_cvt(struct decoder *d, int unused)
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

static void decode_cvta(struct decoder *d, int unused)
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

static void decode_isspacep(struct decoder *d, int unused)
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

/* ---- memory ---- */

/* The reference to an address operand's base and its displacement. */
static uint32_t memory(struct decoder *d, unsigned k, int64_t *displacement)
{
	if (k >= d->n || d->operands[k].kind != O_MEMORY)
		bad_operand(d, k);
	struct operand *o = &d->operands[k];
	*displacement = o->offset;
	if (o->base == O_SYMBOL) {
		*displacement = 0;
		return address_of(d, o->symbol, o->offset);
	}
	if (o->base == O_IMM)
		return add_constant(d, o->value);
	if (o->type == T_PRED)
		bad_operand(d, k);
	return o->slot << 1;
}

static unsigned take_vector(struct decoder *d)
{
	return take(d, "v2") ? 2 : take(d, "v4") ? 4 : take(d, "v8") ? 8 : 1;
}

/* `spins`: an access that threads wait on others with; the scheduler gives those their turn sooner. */
static void access_memory(struct decoder *d, int store)
{
	struct parser *p = d->p;
	int spins = take_order(d);
	enum space space = take_space(d);
	unsigned n = take_vector(d);
	enum type t = take_type(d);
	unsigned each = type_size(t);
	if (t == T_PRED || t == T_B128 || each * n > 32)
		unknown(d);
	if (d->n == 3 && d->operands[2].kind == O_REG) /* a cache policy */
		d->n = 2;
	want(d, 2);
	struct operand *v = &d->operands[store ? 1 : 0];
	unsigned address = store ? 0 : 1;
	if ((n > 1) != (v->kind == O_VECTOR) || (n > 1 && v->n != n))
		bad_operand(d, store ? 1 : 0);
	if (store && space == S_CONST)
		unknown(d);

	uint32_t refs[8];
	uint64_t mask[1] = {0};
	unsigned reg = 8;
	for (unsigned k = 0; k < n; k++) {
		struct operand *e = n > 1 ? &d->elements[v->first + k] : v;
		if (store) {
			refs[k] = value_of(d, e, t, 1);
		} else {
			refs[k] = target_slot(d, e, 0, 0);
			if (e->kind == O_REG) {
				reg = type_size(e->type);
				if (reg < each)
					bad_operand(d, 0);
			}
		}
	}
	mask[0] = mask_to(UINT64_MAX, type_is_signed(t) ? reg : each);

	/* Parameters: of a kernel they are a buffer, of a function (or for one) the frame's memory. */
	struct operand *o = address < d->n ? &d->operands[address] : NULL;
	enum op op = store ? OP_ST : OP_LD;
	uint32_t base;
	int64_t displacement;
	int32_t symbol = o && o->kind == O_MEMORY && o->base == O_SYMBOL ? o->symbol : -1;
	enum symbol_kind kind = symbol >= 0 ? symbol_at(p, symbol)->kind : SYM_LABEL;
	if (space == S_PARAM && symbol >= 0 && (kind == SYM_PARAM || kind == SYM_KERNEL_PARAM)) {
		struct symbol *s = symbol_at(p, symbol);
		if (o->offset < 0 || (uint64_t)o->offset > s->size || s->size - (uint64_t)o->offset < (uint64_t)each * n ||
		    (s->offset + (uint64_t)o->offset) % each)
			parse_fail(p, d->line, "an access outside the parameter '%.*s', or misaligned",
			           (int)(s->len > 80 ? 80 : s->len), s->name);
		if (kind == SYM_KERNEL_PARAM && store)
			parse_fail(p, d->line, "a kernel's parameters cannot be written");
		op = kind == SYM_KERNEL_PARAM ? OP_LDP : store ? OP_STF : OP_LDF;
		base = 0;
		displacement = (int64_t)(s->offset + (uint64_t)o->offset);
	} else {
		if (space == S_PARAM && !p->function->entry)
			space = S_LOCAL;
		if (space == S_PARAM && store)
			unknown(d);
		base = memory(d, address, &displacement);
		if (n == 1 && !type_is_signed(t) && (space == S_GLOBAL || space == S_SHARED) && each >= 4 && !spins)
			op = (space == S_GLOBAL ? (store ? OP_STG_32 : OP_LDG_32) : store ? OP_STS_32 : OP_LDS_32) + (each == 8);
	}
	uint32_t list = p->lists.n;
	if (n > 1)
		for (unsigned k = 0; k < n; k++)
			*(uint32_t *)vector_push(p, &p->lists, sizeof(uint32_t)) = refs[k];
	struct insn *i = emit(d, op);
	i->type = (uint8_t)t, i->width = (uint8_t)each, i->n = (uint8_t)n, i->space = (uint8_t)space;
	i->a = base, i->imm = (uint64_t)displacement;
	i->flags = spins ? 1 : 0;
	if (n > 1)
		i->d = list;
	else if (store)
		i->b = refs[0];
	else
		i->dst = refs[0];
	if (!store) {
		/* The mask for sign extension: a register's width in bytes is all it takes. */
		i->sub = (uint8_t)(mask[0] == UINT64_MAX ? 8 : mask[0] == UINT32_MAX ? 4 : mask[0] == UINT16_MAX ? 2 : 1);
	}
}

static void decode_ld(struct decoder *d, int unused) { (void)unused; access_memory(d, 0); }
static void decode_st(struct decoder *d, int unused) { (void)unused; access_memory(d, 1); }

static void decode_atom(struct decoder *d, int reduction)
{
	static const char *const words[] = {"add", "min", "max", "and", "or", "xor", "exch", "inc", "dec", "cas", NULL};
	take_order(d);
	enum space space = take_space(d);
	int op = take_any(d, words);
	take(d, "noftz");
	enum type t = take_type(d);
	unsigned each = type_size(t);
	int f = type_is_float(t);
	if (op < 0 || (space != S_GENERIC && space != S_GLOBAL && space != S_SHARED))
		unknown(d);
	int bits = t >= T_B16 && t <= T_B64;
	int ok;
	switch (op) {
	case ATOM_ADD: ok = !bits && each >= 2 && (f || each >= 4); break;
	case ATOM_MIN: case ATOM_MAX: ok = (!bits && !f && each >= 4) || (f && each <= 4 && t != T_F32); break;
	case ATOM_INC: case ATOM_DEC: ok = t == T_U32; break;
	case ATOM_CAS: ok = !f && each >= 2; break;
	default: ok = !f && each >= 4; break;
	}
	if (!ok || t == T_PRED || t == T_B128 || (reduction && (op == ATOM_EXCH || op == ATOM_CAS)))
		unknown(d);
	unsigned sources = op == ATOM_CAS ? 2 : 1, first = reduction ? 0 : 1;
	if (d->n == first + sources + 2) /* a cache policy */
		d->n--;
	want(d, first + 1 + sources);
	uint32_t b = source(d, first + 1, t), c = sources == 2 ? source(d, first + 2, t) : 0;
	uint32_t dst = reduction ? 0 : destination(d, t);
	int64_t displacement;
	uint32_t a = memory(d, first, &displacement);
	struct insn *i = emit(d, OP_ATOM);
	i->sub = (uint8_t)op, i->type = (uint8_t)t, i->width = (uint8_t)each, i->space = (uint8_t)space, i->n = 1;
	i->dst = dst, i->a = a, i->b = b, i->c = c, i->imm = (uint64_t)displacement;
	i->flags = 1;
}

static void decode_cp(struct decoder *d, int unused)
{
	(void)unused;
	if (!take(d, "async"))
		unknown(d);
	/* Copies are done at once, so all groups are complete at any time. */
	if (take(d, "commit_group") || take(d, "wait_all")) {
		want(d, 0);
		emit(d, OP_NOP);
		return;
	}
	if (take(d, "wait_group")) {
		want(d, 1);
		emit(d, OP_NOP);
		return;
	}
	take_order(d);
	int to_shared = take(d, "shared") || take(d, "shared::cta");
	if (!to_shared || !take(d, "global"))
		unknown(d);
	if (d->n < 3 || d->operands[2].kind != O_IMM)
		bad_operand(d, 2);
	uint64_t size = d->operands[2].value;
	if (size != 4 && size != 8 && size != 16)
		bad_operand(d, 2);
	int64_t to, from;
	uint32_t a = memory(d, 0, &to), b = memory(d, 1, &from), c = add_constant(d, size);
	if (d->n > 3) {
		struct operand *o = &d->operands[3];
		if (o->kind == O_REG && o->type == T_PRED) {
			uint32_t ignore = source(d, 3, T_PRED), slot = new_slot(d->p, d->line), none = add_constant(d, 0);
			struct insn *s = emit(d, OP_SELP);
			s->dst = slot, s->a = none, s->b = c, s->c = ignore;
			c = slot << 1;
		} else if (!(o->kind == O_REG && type_size(o->type) == 8)) { /* else a cache policy */
			c = source(d, 3, T_U32);
		}
	}
	uint32_t at_to = new_slot(d->p, d->line), at_from = new_slot(d->p, d->line);
	uint32_t to_ref = add_constant(d, (uint64_t)to), from_ref = add_constant(d, (uint64_t)from);
	struct insn *i = emit(d, OP_ADD_64);
	i->dst = at_to, i->a = a, i->b = to_ref;
	i = emit(d, OP_ADD_64);
	i->dst = at_from, i->a = b, i->b = from_ref;
	i = emit(d, OP_COPY);
	i->a = at_to << 1, i->b = at_from << 1, i->c = c, i->n = (uint8_t)size;
}

/* Hints without an effect that a program could see. */
static void decode_hint(struct decoder *d, int policy)
{
	take_order(d);
	take_space(d);
	static const char *const words[] = {"tensormap", "fractional", "range", "b64", "launch_dependents", "wait", "inc", "dec",
	                                    "sync", "aligned", "u32", NULL};
	while (take_any(d, words) >= 0)
		;
	if (policy) {
		uint32_t zero = add_constant(d, 0), dst = destination(d, T_B64);
		struct insn *i = emit(d, OP_MOV);
		i->dst = dst, i->a = zero;
	} else {
		emit(d, OP_NOP);
	}
}

static void decode_fence(struct decoder *d, int unused)
{
	(void)unused;
	static const char *const words[] = {"proxy", "alias", "async", "async::global", "async::generic", NULL};
	take_order(d);
	take_space(d);
	while (take_any(d, words) >= 0)
		;
	want(d, 0);
	emit(d, OP_FENCE);
}

/* ---- control ---- */

static void add_fixup(struct decoder *d, const struct operand *o)
{
	struct fixup *f = vector_push(d->p, &d->p->fixups, sizeof *f);
	f->name = o->name;
	f->len = o->len;
	f->line = d->line;
	f->index = d->p->code.n - 1;
}

static void decode_bra(struct decoder *d, int unused)
{
	(void)unused;
	take(d, "uni");
	want(d, 1);
	struct operand *o = &d->operands[0];
	if (!o->name)
		bad_operand(d, 0);
	struct insn *i = emit(d, d->guarded ? (d->guard_negated ? OP_BRF : OP_BRT) : OP_BRA);
	i->a = d->guard << 1;
	add_fixup(d, o);
}

static void decode_brx(struct decoder *d, int unused)
{
	(void)unused;
	if (!take(d, "idx"))
		unknown(d);
	take(d, "uni");
	want(d, 2);
	uint32_t a = source(d, 0, T_U32);
	struct operand *o = &d->operands[1];
	if (o->kind != O_SYMBOL || symbol_at(d->p, o->symbol)->kind != SYM_TABLE)
		bad_operand(d, 1);
	struct symbol *s = symbol_at(d->p, o->symbol);
	struct insn *i = emit(d, OP_BRX);
	i->a = a, i->d = s->index, i->imm = s->count;
}

static void decode_end(struct decoder *d, int op)
{
	take(d, "uni");
	want(d, 0);
	if (op == OP_RET && d->p->function->entry)
		op = OP_EXIT;
	emit(d, (enum op)op);
}

static void decode_nanosleep(struct decoder *d, int unused)
{
	(void)unused;
	if (take_type(d) != T_U32)
		unknown(d);
	want(d, 1);
	uint32_t a = source(d, 0, T_U32);
	emit(d, OP_PAUSE)->a = a;
}

static void decode_pmevent(struct decoder *d, int unused)
{
	(void)unused;
	take(d, "mask");
	want(d, 1);
	emit(d, OP_NOP);
}

/* ---- other threads ---- */

static void warp_insn(struct decoder *d, enum warp sub, enum type t, uint32_t dst, uint32_t dst2, const uint32_t refs[4],
                      int masked)
{
	struct insn *i = emit(d, OP_WARP);
	i->sub = (uint8_t)sub, i->type = (uint8_t)t, i->dst = dst, i->dst2 = dst2;
	i->a = refs[0], i->b = refs[1], i->c = refs[2], i->d = refs[3];
	i->n = (uint8_t)masked; /* `d` names the lanes; without: those that happen to come along */
}

/* bar, barrier */
static void decode_bar(struct decoder *d, int unused)
{
	(void)unused;
	take(d, "cta");
	take(d, "aligned");
	if (take(d, "warp")) {
		if (!take(d, "sync"))
			unknown(d);
		want(d, 1);
		uint32_t refs[4] = {0, 0, 0, source(d, 0, T_B32)};
		warp_insn(d, WARP_BAR, T_B32, 0, 0, refs, 1);
		return;
	}
	enum barrier sub;
	enum type t = T_NONE;
	unsigned first = 0;
	if (take(d, "sync")) {
		sub = BAR_SYNC;
	} else if (take(d, "arrive")) {
		sub = BAR_ARRIVE;
	} else if (take(d, "red")) {
		static const char *const words[] = {"popc", "and", "or", NULL};
		int i = take_any(d, words);
		t = take_type(d);
		if (i < 0 || t != (i == 0 ? T_U32 : T_PRED))
			unknown(d);
		sub = (enum barrier)(BAR_POPC + i);
		first = 1;
	} else {
		unknown(d);
	}
	unsigned sources = d->n - first, least = sub == BAR_SYNC ? 1 : 2;
	if (d->n < first + least || sources > (first ? 3u : 2u))
		bad_operand(d, d->n);
	int counted = first ? sources == 3 : sources == 2;
	uint32_t a = source(d, first, T_U32), b = counted ? source(d, first + 1, T_U32) : 0;
	uint32_t c = first ? source(d, d->n - 1, T_PRED) : 0, dst = first ? destination(d, t) : 0;
	struct insn *i = emit(d, OP_BARRIER);
	i->sub = (uint8_t)sub, i->n = (uint8_t)counted, i->dst = dst, i->a = a, i->b = b, i->c = c;
}

static void decode_shfl(struct decoder *d, int unused)
{
	(void)unused;
	static const char *const words[] = {"up", "down", "bfly", "idx", NULL};
	int sync = take(d, "sync"), mode = take_any(d, words);
	if (mode < 0 || type_size(take_type(d)) != 4)
		unknown(d);
	int second = d->n && d->operands[0].has_second;
	uint32_t dst2 = second ? d->operands[0].second : 0;
	d->operands[0].has_second = 0;
	want(d, sync ? 5 : 4);
	uint32_t refs[4] = {source(d, 1, T_B32), source(d, 2, T_B32), source(d, 3, T_B32), sync ? source(d, 4, T_B32) : 0};
	warp_insn(d, (enum warp)(WARP_SHFL_UP + mode), T_B32, destination(d, T_B32), dst2, refs, sync);
}

static void decode_vote(struct decoder *d, int unused)
{
	(void)unused;
	static const char *const words[] = {"all", "any", "uni", "ballot", NULL};
	int sync = take(d, "sync"), mode = take_any(d, words);
	enum type t = take_type(d);
	if (mode < 0 || t != (mode == 3 ? T_B32 : T_PRED))
		unknown(d);
	want(d, sync ? 3 : 2);
	uint32_t refs[4] = {source(d, 1, T_PRED), 0, 0, sync ? source(d, 2, T_B32) : 0};
	warp_insn(d, (enum warp)(WARP_ALL + mode), t, destination(d, t), 0, refs, sync);
}

static void decode_match(struct decoder *d, int unused)
{
	(void)unused;
	int all = take(d, "all");
	if ((!all && !take(d, "any")) || !take(d, "sync"))
		unknown(d);
	enum type t = take_type(d);
	if (t != T_B32 && t != T_B64)
		unknown(d);
	int second = d->n && d->operands[0].has_second;
	if (second && !all)
		bad_operand(d, 0);
	uint32_t dst2 = second ? d->operands[0].second : 0;
	d->operands[0].has_second = 0;
	want(d, 3);
	uint32_t refs[4] = {source(d, 1, t), 0, 0, source(d, 2, T_B32)};
	warp_insn(d, all ? WARP_MATCH_ALL : WARP_MATCH_ANY, t, destination(d, T_B32), dst2, refs, 1);
}

static void decode_redux(struct decoder *d, int unused)
{
	(void)unused;
	static const char *const words[] = {"add", "min", "max", "and", "or", "xor", NULL};
	int op = take_any(d, words);
	if (op < 0 || !take(d, "sync"))
		unknown(d);
	enum type t = take_type(d);
	if (op < 3 ? t != T_U32 && t != T_S32 : t != T_B32)
		unknown(d);
	want(d, 3);
	uint32_t refs[4] = {source(d, 1, t), 0, 0, source(d, 2, T_B32)};
	warp_insn(d, (enum warp)(WARP_REDUX_ADD + op), t, destination(d, t), 0, refs, 1);
}

static void decode_activemask(struct decoder *d, int unused)
{
	(void)unused;
	if (take_type(d) != T_B32)
		unknown(d);
	want(d, 1);
	uint32_t refs[4] = {0, 0, 0, 0};
	warp_insn(d, WARP_ACTIVEMASK, T_B32, destination(d, T_B32), 0, refs, 0);
}

static void decode_elect(struct decoder *d, int unused)
{
	(void)unused;
	if (!take(d, "sync"))
		unknown(d);
	if (d->n != 2 || !d->operands[0].has_second)
		bad_operand(d, 0);
	uint32_t dst2 = d->operands[0].second;
	uint32_t refs[4] = {0, 0, 0, source(d, 1, T_B32)};
	warp_insn(d, WARP_ELECT, T_B32, destination(d, T_B32), dst2, refs, 1);
}

/* ---- reading ---- */

static const struct { char name[20]; uint8_t axis, sreg; } specials[] = {
	{"%tid", 1, SR_TID_X}, {"%ntid", 1, SR_NTID_X}, {"%ctaid", 1, SR_CTAID_X}, {"%nctaid", 1, SR_NCTAID_X},
	{"%laneid", 0, SR_LANEID}, {"%warpid", 0, SR_WARPID}, {"%nwarpid", 0, SR_NWARPID}, {"%smid", 0, SR_SMID},
	{"%nsmid", 0, SR_NSMID}, {"%gridid", 0, SR_GRIDID}, {"%clock", 0, SR_CLOCK}, {"%clock_hi", 0, SR_CLOCK_HI},
	{"%clock64", 0, SR_CLOCK64}, {"%globaltimer", 0, SR_GLOBALTIMER}, {"%globaltimer_lo", 0, SR_GLOBALTIMER_LO},
	{"%globaltimer_hi", 0, SR_GLOBALTIMER_HI}, {"%lanemask_eq", 0, SR_LANEMASK_EQ}, {"%lanemask_le", 0, SR_LANEMASK_LE},
	{"%lanemask_lt", 0, SR_LANEMASK_LT}, {"%lanemask_ge", 0, SR_LANEMASK_GE}, {"%lanemask_gt", 0, SR_LANEMASK_GT},
	{"%dynamic_smem_size", 0, SR_DYNAMIC_SMEM}, {"%total_smem_size", 0, SR_TOTAL_SMEM},
	/* A block is a cluster of its own. */
	{"%clusterid", 1, SR_CTAID_X}, {"%nclusterid", 1, SR_NCTAID_X}, {"%cluster_ctarank", 0, SR_ZERO},
	{"%cluster_nctarank", 0, SR_ONE}, {"%is_explicit_cluster", 0, SR_ZERO},
	{"%cluster_ctaid", 2, SR_ZERO}, {"%cluster_nctaid", 2, SR_ONE},
};

static int special_register(struct decoder *d, struct operand *o, const char *name, size_t len)
{
	struct parser *p = d->p;
	for (size_t i = 0; i < sizeof specials / sizeof specials[0]; i++) {
		if (strlen(specials[i].name) != len || memcmp(specials[i].name, name, len))
			continue;
		o->kind = O_SREG;
		o->sreg = specials[i].sreg;
		if (specials[i].axis) {
			unsigned axis = at_word(p, "x") ? 0 : at_word(p, "y") ? 1 : at_word(p, "z") ? 2 : 3;
			if (axis > 2)
				parse_fail(p, d->line, "%.*s needs .x, .y or .z", (int)len, name);
			lex_next(&p->lex);
			if (specials[i].axis == 1)
				o->sreg += axis;
		}
		return 1;
	}
	if (len > 7 && len < 10 && !memcmp(name, "%envreg", 7)) {
		unsigned n = 0;
		for (size_t i = 7; i < len; i++) {
			if (name[i] < '0' || name[i] > '9')
				return 0;
			n = n * 10 + (unsigned)(name[i] - '0');
		}
		if (n > 31)
			return 0;
		o->kind = O_SREG;
		o->sreg = SR_ENVREG0 + n;
		return 1;
	}
	return 0;
}

static void resolve_name(struct decoder *d, struct operand *o, const char *name, size_t len)
{
	struct parser *p = d->p;
	int32_t s = find_symbol(p, name, len);
	o->name = name;
	o->len = (uint32_t)len;
	if (s < 0) {
		if (!special_register(d, o, name, len)) {
			if (name[0] == '%')
				parse_fail(p, d->line, "the register '%.*s' is not declared", (int)(len > 80 ? 80 : len), name);
			o->kind = O_NAME;
		}
		return;
	}
	struct symbol *sym = symbol_at(p, s);
	o->symbol = s;
	if (sym->kind == SYM_REGISTER || sym->kind == SYM_REGISTERS) {
		o->kind = O_REG;
		o->type = (enum type)sym->type;
		o->slot = sym->index;
		if (sym->kind == SYM_REGISTERS) {
			uint32_t number = 0;
			for (size_t i = sym->len; i < len; i++)
				number = number * 10 + (uint32_t)(name[i] - '0');
			o->slot += number;
		}
	} else {
		o->kind = O_SYMBOL;
	}
}

static void parse_offset(struct decoder *d, struct operand *o)
{
	struct parser *p = d->p;
	if (p->lex.token == '+' || p->lex.token == '-')
		o->offset = parse_constant(p);
}

static void parse_operand(struct decoder *d, struct operand *o, int depth)
{
	struct parser *p = d->p;
	struct lexer *l = &p->lex;
	memset(o, 0, sizeof *o);
	o->symbol = -1;
	if (accept(p, '[')) {
		parse_operand(d, o, depth + 1);
		if (depth || (o->kind != O_REG && o->kind != O_IMM && o->kind != O_SYMBOL) || o->negated)
			parse_fail(p, d->line, "this kind of address is not there");
		o->base = o->kind;
		o->kind = O_MEMORY;
		parse_offset(d, o);
		expect(p, ']', "']'");
		return;
	}
	if (l->token == '{') {
		if (depth)
			parse_fail(p, d->line, "a vector inside another operand");
		lex_next(l);
		o->kind = O_VECTOR;
		o->first = d->nelements;
		do {
			if (d->nelements == MAX_ELEMENTS)
				parse_fail(p, d->line, "a vector of more than %d elements", MAX_ELEMENTS);
			struct operand *e = &d->elements[d->nelements++];
			parse_operand(d, e, depth + 1);
			o->n++;
		} while (accept(p, ','));
		expect(p, '}', "'}'");
		return;
	}
	if (l->token == '!') {
		lex_next(l);
		if (l->token != TOK_NAME)
			parse_fail(p, d->line, "'!' needs a predicate");
		o->negated = 1;
	}
	if (l->token == TOK_NAME && !(l->len == 7 && !memcmp(l->text, "WARP_SZ", 7))) {
		const char *name = l->text;
		size_t len = l->len;
		lex_next(l);
		int negated = o->negated;
		if (len == 1 && name[0] == '_') {
			o->kind = O_SINK;
		} else {
			resolve_name(d, o, name, len);
			o->negated = negated;
			if (negated && (o->kind != O_REG || o->type != T_PRED))
				parse_fail(p, d->line, "'!' needs a predicate");
			if (o->kind == O_SYMBOL)
				parse_offset(d, o);
		}
		if (l->token == '|') {
			struct operand q;
			lex_next(l);
			const char *second = l->text;
			size_t n = l->len;
			expect(p, TOK_NAME, "a predicate");
			memset(&q, 0, sizeof q);
			if (n == 1 && second[0] == '_') {
				q.slot = 0;
			} else {
				resolve_name(d, &q, second, n);
				if (q.kind != O_REG || q.type != T_PRED)
					parse_fail(p, d->line, "'%.*s' is no predicate", (int)(n > 80 ? 80 : n), second);
			}
			o->has_second = 1;
			o->second = q.slot;
		}
		return;
	}
	int negative = 0;
	struct lexer before = *l;
	while (l->token == '-' || l->token == '+') {
		negative ^= l->token == '-';
		lex_next(l);
	}
	if (l->token == TOK_FLOAT) {
		o->kind = O_FLOAT;
		o->value = l->value;
		o->single = l->single;
		if (negative)
			o->value ^= l->single ? UINT64_C(1) << 31 : UINT64_C(1) << 63;
		lex_next(l);
		return;
	}
	*l = before;
	o->kind = O_IMM;
	o->value = (uint64_t)parse_constant(p);
}

/* One argument or result at a call: a .param area of this frame, a register or a constant. */
static void parse_actual(struct decoder *d, struct actual *a, int result)
{
	struct parser *p = d->p;
	struct operand o;
	parse_operand(d, &o, 1);
	memset(a, 0, sizeof *a);
	if (o.kind == O_SYMBOL && symbol_at(p, o.symbol)->kind == SYM_PARAM) {
		struct symbol *s = symbol_at(p, o.symbol);
		a->offset = (uint32_t)s->offset;
		a->size = (uint32_t)s->size;
		return;
	}
	if (o.kind == O_SYMBOL && symbol_at(p, o.symbol)->kind == SYM_KERNEL_PARAM)
		parse_fail(p, d->line, "a kernel's parameter cannot be passed on");
	a->in_register = 1;
	if (result) {
		if (o.kind != O_REG && o.kind != O_SINK)
			parse_fail(p, d->line, "a call's result must be a register or a parameter");
		a->ref = o.kind == O_REG ? o.slot : 0;
		a->size = o.kind == O_REG ? type_size(o.type) : 8;
	} else {
		enum type t = o.kind == O_REG ? o.type : o.kind == O_FLOAT && o.single ? T_F32 : T_B64;
		a->ref = value_of(d, &o, t, 0);
		a->size = type_size(t);
	}
}

static struct actual *parse_actuals(struct decoder *d, uint32_t *count, int result)
{
	struct parser *p = d->p;
	struct actual *list = NULL;
	uint32_t n = 0, cap = 0;
	expect(p, '(', "'('");
	while (p->lex.token != ')') {
		if (n)
			expect(p, ',', "','");
		if (n == cap) {
			cap = cap ? cap * 2 : 4;
			struct actual *bigger = parse_alloc(p, cap * sizeof *bigger);
			if (n)
				memcpy(bigger, list, n * sizeof *bigger);
			list = bigger;
		}
		parse_actual(d, &list[n++], result);
	}
	expect(p, ')', "')'");
	*count = n;
	return list;
}

static void parse_call(struct decoder *d)
{
	struct parser *p = d->p;
	struct call c = {.line = d->line};
	take(d, "uni");
	for (unsigned i = 0; i < d->nparts; i++)
		if (!d->used[i])
			unknown(d);
	if (p->lex.token == '(') {
		c.results = parse_actuals(d, &c.nresults, 1);
		expect(p, ',', "','");
	}
	struct operand o;
	parse_operand(d, &o, 1);
	uint32_t target = 0;
	if (o.kind == O_SYMBOL && symbol_at(p, o.symbol)->kind == SYM_FUNCTION)
		c.target = ((struct ptx_function **)p->functions.data)[symbol_at(p, o.symbol)->index];
	else if (o.kind == O_REG && o.type != T_PRED)
		target = o.slot << 1;
	else if (o.kind == O_NAME)
		parse_fail(p, d->line, "the function '%.*s' is not declared", (int)(o.len > 80 ? 80 : o.len), o.name);
	else
		parse_fail(p, d->line, "a call needs a function");
	if (c.target && c.target->entry)
		parse_fail(p, d->line, "the kernel '%.80s' cannot be called", c.target->name);
	if (accept(p, ',')) {
		if (p->lex.token == '(') {
			c.args = parse_actuals(d, &c.nargs, 0);
			if (accept(p, ','))
				goto prototype;
		} else {
		prototype:
			parse_operand(d, &o, 1);
			if (o.kind != O_SYMBOL ||
			    (symbol_at(p, o.symbol)->kind != SYM_PROTOTYPE && symbol_at(p, o.symbol)->kind != SYM_TABLE))
				parse_fail(p, d->line, "a call's last operand must be its prototype or its targets");
		}
	}
	if (!c.target)
		p->function->calls_indirect = 1;
	*(struct call *)vector_push(p, &p->calls, sizeof c) = c;
	struct insn *i = emit(d, c.target ? OP_CALL : OP_CALLI);
	i->imm = p->calls.n - 1;
	i->a = target;
	p->function->has_local = 1;
}

static const struct { char name[16]; void (*decode)(struct decoder *, int); int arg; } table[] = {
	{"abs", decode_neg, 1}, {"activemask", decode_activemask, 0}, {"add", decode_add, 0}, {"addc", decode_addc, 0},
	{"and", decode_logic, OP_AND}, {"applypriority", decode_hint, 0}, {"atom", decode_atom, 0}, {"bar", decode_bar, 0},
	{"barrier", decode_bar, 0}, {"bfe", decode_bfe, 0}, {"bfi", decode_bfi, 0}, {"bfind", decode_bfind, 0},
	{"bmsk", decode_bmsk, 0}, {"bra", decode_bra, 0}, {"brev", decode_brev, 0}, {"brkpt", decode_end, OP_TRAP},
	{"brx", decode_brx, 0}, {"clz", decode_count, ALU_CLZ}, {"cnot", decode_cnot, 0}, {"copysign", decode_copysign, 0},
	{"cos", decode_special, FLO_COS}, {"cp", decode_cp, 0}, {"createpolicy", decode_hint, 1}, {"cvt", decode_cvt, 0},
	{"cvta", decode_cvta, 0}, {"discard", decode_hint, 0}, {"div", decode_div, 0}, {"dp2a", decode_dot, 0},
	{"dp4a", decode_dot, 1}, {"elect", decode_elect, 0}, {"ex2", decode_special, FLO_EX2}, {"exit", decode_end, OP_EXIT},
	{"fence", decode_fence, 0}, {"fma", decode_fma, 0}, {"fns", decode_b32, ALU_FNS}, {"griddepcontrol", decode_hint, 0},
	{"isspacep", decode_isspacep, 0}, {"ld", decode_ld, 0}, {"ldu", decode_ld, 0}, {"lg2", decode_special, FLO_LG2},
	{"lop3", decode_lop3, 0}, {"mad", decode_mad, 0}, {"mad24", decode_mul24, 1}, {"madc", decode_mad, 1},
	{"match", decode_match, 0}, {"max", decode_minmax, 1}, {"membar", decode_fence, 0}, {"min", decode_minmax, 0},
	{"mov", decode_mov, 0}, {"mul", decode_mul, 0}, {"mul24", decode_mul24, 0}, {"nanosleep", decode_nanosleep, 0},
	{"neg", decode_neg, 0}, {"not", decode_not, 0}, {"or", decode_logic, OP_OR}, {"pmevent", decode_pmevent, 0},
	{"popc", decode_count, ALU_POPC}, {"prefetch", decode_hint, 0}, {"prefetchu", decode_hint, 0},
	{"prmt", decode_b32, ALU_PRMT}, {"rcp", decode_special, FLO_RCP}, {"red", decode_atom, 1}, {"redux", decode_redux, 0},
	{"rem", decode_rem, 0}, {"ret", decode_end, OP_RET}, {"rsqrt", decode_special, FLO_RSQRT}, {"sad", decode_sad, 0},
	{"selp", decode_selp, 0}, {"set", decode_set, 0}, {"setmaxnreg", decode_hint, 0}, {"setp", decode_setp, 0},
	{"shf", decode_shf, 0}, {"shfl", decode_shfl, 0}, {"shl", decode_shift, 0}, {"shr", decode_shift, 1},
	{"sin", decode_special, FLO_SIN}, {"slct", decode_slct, 0}, {"sqrt", decode_special, FLO_SQRT}, {"st", decode_st, 0},
	{"sub", decode_add, 1}, {"subc", decode_addc, 1}, {"szext", decode_bmsk, 1}, {"tanh", decode_special, FLO_TANH},
	{"testp", decode_testp, 0}, {"trap", decode_end, OP_TRAP}, {"vote", decode_vote, 0}, {"xor", decode_logic, OP_XOR},
};

static void read_mnemonic(struct decoder *d)
{
	struct lexer *l = &d->p->lex;
	lex_next(l);
	while (l->token == TOK_WORD && l->text == d->end + 1) {
		if (d->nparts == MAX_PARTS)
			unknown(d);
		d->parts[d->nparts] = l->text;
		d->lens[d->nparts++] = l->len;
		d->end = l->text + l->len;
		lex_next(l);
	}
}

void parse_instruction(struct parser *p)
{
	struct decoder decoder, *d = &decoder;
	d->p = p;
	d->nparts = d->n = d->nelements = 0;
	d->guarded = d->guard_negated = 0;
	d->guard = 0;
	memset(d->used, 0, sizeof d->used);
	d->line = p->lex.line;
	d->text = d->end = p->lex.text;
	if (accept(p, '@')) {
		d->guarded = 1;
		d->guard_negated = accept(p, '!');
		struct operand o;
		parse_operand(d, &o, 1);
		if (o.kind != O_REG || o.type != T_PRED || o.negated || o.has_second)
			parse_fail(p, d->line, "a guard needs a predicate");
		d->guard = o.slot;
	}
	d->line = p->lex.line;
	if (p->lex.token != TOK_NAME)
		parse_fail(p, d->line, "an instruction is expected");
	d->text = p->lex.text;
	d->end = p->lex.text + p->lex.len;
	size_t len = p->lex.len;
	int found = -1;
	for (size_t i = 0; i < sizeof table / sizeof table[0] && found < 0; i++)
		if (strlen(table[i].name) == len && !memcmp(table[i].name, d->text, len))
			found = (int)i;
	int call = len == 4 && !memcmp(d->text, "call", 4);
	read_mnemonic(d);
	if (found < 0 && !call)
		unknown(d);

	int branch = found >= 0 && table[found].decode == decode_bra;
	uint32_t around = p->code.n;
	if (d->guarded && !branch)
		emit(d, d->guard_negated ? OP_BRT : OP_BRF)->a = d->guard << 1;
	/* Registers made for one instruction end with it. */
	uint32_t slots = p->slots;
	if (call) {
		parse_call(d);
	} else {
		while (p->lex.token != ';') {
			if (d->n)
				expect(p, ',', "',' or ';'");
			if (d->n == MAX_OPERANDS)
				parse_fail(p, d->line, "too many operands");
			parse_operand(d, &d->operands[d->n++], 0);
		}
		table[found].decode(d, table[found].arg);
		for (unsigned i = 0; i < d->nparts; i++)
			if (!d->used[i])
				unknown(d);
	}
	expect(p, ';', "';'");
	p->slots = slots;
	if (d->guarded && !branch)
		((struct insn *)p->code.data)[around].imm = p->code.n;
}

void emit_end(struct parser *p)
{
	struct insn *i = vector_push(p, &p->code, sizeof *i);
	i->op = p->function->entry ? OP_EXIT : OP_RET;
	i->line = p->lex.line;
}
