/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions that touch memory, the flow of control, or other threads; calls. */
#include "decode.h"

#include <string.h>

/* ---- memory ---- */
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

void decode_ld(struct decoder *d, int unused) { (void)unused; access_memory(d, 0); }
void decode_st(struct decoder *d, int unused) { (void)unused; access_memory(d, 1); }

void decode_atom(struct decoder *d, int reduction)
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

void decode_cp(struct decoder *d, int unused)
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
void decode_hint(struct decoder *d, int policy)
{
	take_order(d);
	take_space(d);
	static const char *const words[] = {"tensormap", "fractional", "range", "cvt", "b64", "L1", "L2", "launch_dependents", "wait", "inc", "dec",
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

void decode_fence(struct decoder *d, int unused)
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

void decode_bra(struct decoder *d, int unused)
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

void decode_brx(struct decoder *d, int unused)
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

void decode_end(struct decoder *d, int op)
{
	take(d, "uni");
	want(d, 0);
	if (op == OP_RET && d->p->function->entry)
		op = OP_EXIT;
	emit(d, (enum op)op);
}

void decode_nanosleep(struct decoder *d, int unused)
{
	(void)unused;
	if (take_type(d) != T_U32)
		unknown(d);
	want(d, 1);
	uint32_t a = source(d, 0, T_U32);
	emit(d, OP_PAUSE)->a = a;
}

void decode_pmevent(struct decoder *d, int unused)
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
void decode_bar(struct decoder *d, int unused)
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

void decode_shfl(struct decoder *d, int unused)
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

void decode_vote(struct decoder *d, int unused)
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

void decode_match(struct decoder *d, int unused)
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

void decode_redux(struct decoder *d, int unused)
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

void decode_activemask(struct decoder *d, int unused)
{
	(void)unused;
	if (take_type(d) != T_B32)
		unknown(d);
	want(d, 1);
	uint32_t refs[4] = {0, 0, 0, 0};
	warp_insn(d, WARP_ACTIVEMASK, T_B32, destination(d, T_B32), 0, refs, 0);
}

void decode_elect(struct decoder *d, int unused)
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
	parse_expect(p, '(', "'('");
	while (p->lex.token != ')') {
		if (n)
			parse_expect(p, ',', "','");
		if (n == cap) {
			cap = cap ? cap * 2 : 4;
			struct actual *bigger = parse_alloc(p, cap * sizeof *bigger);
			if (n)
				memcpy(bigger, list, n * sizeof *bigger);
			list = bigger;
		}
		parse_actual(d, &list[n++], result);
	}
	parse_expect(p, ')', "')'");
	*count = n;
	return list;
}

void parse_call(struct decoder *d)
{
	struct parser *p = d->p;
	struct call c = {.line = d->line};
	take(d, "uni");
	for (unsigned i = 0; i < d->nparts; i++)
		if (!d->used[i])
			unknown(d);
	if (p->lex.token == '(') {
		c.results = parse_actuals(d, &c.nresults, 1);
		parse_expect(p, ',', "','");
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
	if (parse_accept(p, ',')) {
		if (p->lex.token == '(') {
			c.args = parse_actuals(d, &c.nargs, 0);
			if (parse_accept(p, ','))
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
