/* SPDX-License-Identifier: Apache-2.0
 *
 * One PTX instruction to one or a few decoded ones.
 *
 * A mnemonic is split at its dots. The handler of its first word takes the words that it understands, in whatever order
 * they stand; one that nobody has taken in the end makes the instruction unknown. So a modifier is never ignored by
 * accident, and "no instruction 'mma.sync...'" is said when a module is loaded, not in the middle of a kernel.
 */
#include "decode.h"

#include <string.h>
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
	{"sub", decode_add, 1}, {"subc", decode_addc, 1}, {"suld", decode_surface, 0}, {"suq", decode_texture_query, 1},
	{"sust", decode_surface, 1}, {"szext", decode_bmsk, 1}, {"tanh", decode_special, FLO_TANH},
	{"testp", decode_testp, 0}, {"tex", decode_tex, 0}, {"tld4", decode_tex, 1}, {"trap", decode_end, OP_TRAP},
	{"txq", decode_texture_query, 0}, {"vote", decode_vote, 0}, {"xor", decode_logic, OP_XOR},
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
	if (parse_accept(p, '@')) {
		d->guarded = 1;
		d->guard_negated = parse_accept(p, '!');
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
				parse_expect(p, ',', "',' or ';'");
			if (d->n == MAX_OPERANDS)
				parse_fail(p, d->line, "too many operands");
			parse_operand(d, &d->operands[d->n++], 0);
		}
		table[found].decode(d, table[found].arg);
		for (unsigned i = 0; i < d->nparts; i++)
			if (!d->used[i])
				unknown(d);
	}
	parse_expect(p, ';', "';'");
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
