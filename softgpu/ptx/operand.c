/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands: from text to references that the interpreter can follow, and the words of a mnemonic. */
#include "decode.h"

#include <string.h>

_Noreturn void unknown(struct decoder *d)
{
	int n = (int)(d->end - d->text > 120 ? 120 : d->end - d->text);
	parse_fail(d->p, d->line, "no instruction '%.*s'", n, d->text);
}

_Noreturn void bad_operand(struct decoder *d, unsigned k)
{
	int n = (int)(d->end - d->text > 120 ? 120 : d->end - d->text);
	parse_fail(d->p, d->line, "operand %u of '%.*s' is missing or of the wrong kind", k + 1, n, d->text);
}

int take(struct decoder *d, const char *word)
{
	size_t len = strlen(word);
	for (unsigned i = 0; i < d->nparts; i++) {
		if (!d->used[i] && d->lens[i] == len && !memcmp(d->parts[i], word, len))
			return d->used[i] = 1;
	}
	return 0;
}

/* The position of the first of `words` that stands there, or -1. */
int take_any(struct decoder *d, const char *const *words)
{
	for (int i = 0; words[i]; i++)
		if (take(d, words[i]))
			return i;
	return -1;
}

enum type take_type(struct decoder *d)
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

enum rounding take_rounding(struct decoder *d)
{
	static const char *const words[] = {"rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi", NULL};
	int i = take_any(d, words);
	return i < 0 ? R_NONE : (enum rounding)(R_RN + i);
}

unsigned take_flags(struct decoder *d)
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
int take_order(struct decoder *d)
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

enum space take_space(struct decoder *d)
{
	static const char *const words[] = {"global", "const", "shared", "shared::cta", "shared::cluster", "local", "param",
	                                    "param::entry", "param::func", NULL};
	static const enum space spaces[] = {S_GLOBAL, S_CONST, S_SHARED, S_SHARED, S_SHARED, S_LOCAL, S_PARAM, S_PARAM,
	                                    S_PARAM};
	int i = take_any(d, words);
	return i < 0 ? S_GENERIC : spaces[i];
}

struct insn *emit(struct decoder *d, enum op op)
{
	struct insn *i = vector_push(d->p, &d->p->code, sizeof *i);
	i->op = (uint16_t)op;
	i->line = d->line;
	return i;
}

uint32_t add_constant(struct decoder *d, uint64_t v)
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

uint64_t mask_to(uint64_t v, unsigned bytes)
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

uint32_t value_of(struct decoder *d, const struct operand *o, enum type t, unsigned k)
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

uint32_t source(struct decoder *d, unsigned k, enum type t)
{
	if (k >= d->n)
		bad_operand(d, k);
	return value_of(d, &d->operands[k], t, k);
}

uint32_t target_slot(struct decoder *d, const struct operand *o, int predicate, unsigned k)
{
	if (o->kind == O_SINK)
		return 0;
	if (o->kind != O_REG || o->negated || (o->type == T_PRED) != predicate)
		bad_operand(d, k);
	return o->slot;
}

uint32_t destination(struct decoder *d, enum type t)
{
	if (!d->n)
		bad_operand(d, 0);
	return target_slot(d, &d->operands[0], t == T_PRED, 0);
}

void want(struct decoder *d, unsigned n)
{
	if (d->n != n)
		parse_fail(d->p, d->line, "'%.*s' takes %u operands, not %u",
		           (int)(d->end - d->text > 120 ? 120 : d->end - d->text), d->text, n, d->n);
	if (n && d->operands[0].has_second)
		bad_operand(d, 0);
}

/* The usual shape: a destination and sources of one type. */
struct insn *simple(struct decoder *d, enum op op, enum type result, enum type t, unsigned sources)
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

/* The reference to an address operand's base and its displacement. */
uint32_t memory(struct decoder *d, unsigned k, int64_t *displacement)
{
	if (k >= d->n || d->operands[k].kind != O_MEMORY || d->operands[k].n)
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
	{"%current_graph_exec", 0, SR_ZERO}, {"%aggr_smem_size", 0, SR_TOTAL_SMEM},
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

static void parse_vector(struct decoder *d, struct operand *o, int depth)
{
	struct parser *p = d->p;
	o->first = d->nelements;
	do {
		if (d->nelements == MAX_ELEMENTS)
			parse_fail(p, d->line, "a vector of more than %d elements", MAX_ELEMENTS);
		struct operand *e = &d->elements[d->nelements++];
		parse_operand(d, e, depth + 1);
		o->n++;
	} while (parse_accept(p, ','));
	parse_expect(p, '}', "'}'");
}

static void parse_offset(struct decoder *d, struct operand *o)
{
	struct parser *p = d->p;
	if (p->lex.token == '+' || p->lex.token == '-')
		o->offset = parse_constant(p);
}

void parse_operand(struct decoder *d, struct operand *o, int depth)
{
	struct parser *p = d->p;
	struct lexer *l = &p->lex;
	memset(o, 0, sizeof *o);
	o->symbol = -1;
	if (parse_accept(p, '[')) {
		parse_operand(d, o, depth + 1);
		if (depth || (o->kind != O_REG && o->kind != O_IMM && o->kind != O_SYMBOL) || o->negated)
			parse_fail(p, d->line, "this kind of address is not there");
		o->base = o->kind;
		o->kind = O_MEMORY;
		parse_offset(d, o);
		if (parse_accept(p, ',')) { /* the coordinates in a texture */
			parse_expect(p, '{', "'{'");
			parse_vector(d, o, depth);
		}
		parse_expect(p, ']', "']'");
		return;
	}
	if (l->token == '{') {
		if (depth)
			parse_fail(p, d->line, "a vector inside another operand");
		lex_next(l);
		o->kind = O_VECTOR;
		parse_vector(d, o, depth);
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
			parse_expect(p, TOK_NAME, "a predicate");
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
