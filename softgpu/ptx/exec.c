/* SPDX-License-Identifier: Apache-2.0
 *
 * The interpreter's loop: one thread, from where it stands until it waits, exits, faults or has used up its slice.
 *
 * Time is counted at branches and calls only, since code without those ends by itself; an access that threads spin on
 * counts for more, so that a thread that polls a flag soon leaves the processor to the one that sets it.
 */
#include "number.h"
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum {
	SLICE = 2048,      /* branches */
	SPIN_COST = 256,
};

typedef uint8_t __attribute__((may_alias)) any8;
typedef uint16_t __attribute__((may_alias)) any16;
typedef uint32_t __attribute__((may_alias)) any32;
typedef uint64_t __attribute__((may_alias)) any64;

/* Relaxed atomics: other OS threads use the same memory, and a GPU's accesses do not tear. */
static inline uint64_t load(const uint8_t *p, unsigned width)
{
	switch (width) {
	case 1: return __atomic_load_n((const any8 *)p, __ATOMIC_RELAXED);
	case 2: return __atomic_load_n((const any16 *)(const void *)p, __ATOMIC_RELAXED);
	case 4: return __atomic_load_n((const any32 *)(const void *)p, __ATOMIC_RELAXED);
	default: return __atomic_load_n((const any64 *)(const void *)p, __ATOMIC_RELAXED);
	}
}

static inline void store(uint8_t *p, unsigned width, uint64_t v)
{
	switch (width) {
	case 1: __atomic_store_n((any8 *)p, (uint8_t)v, __ATOMIC_RELAXED); break;
	case 2: __atomic_store_n((any16 *)(void *)p, (uint16_t)v, __ATOMIC_RELAXED); break;
	case 4: __atomic_store_n((any32 *)(void *)p, (uint32_t)v, __ATOMIC_RELAXED); break;
	default: __atomic_store_n((any64 *)(void *)p, v, __ATOMIC_RELAXED); break;
	}
}

static inline void full_fence(void)
{
#ifdef __SANITIZE_THREAD__
	/* gcc's thread sanitizer does not know fences. */
	static int word;
	__atomic_fetch_add(&word, 0, __ATOMIC_SEQ_CST);
#else
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

/* A signed element is extended to its register (`reg` bytes). */
static inline uint64_t loaded(const struct insn *i, uint64_t v)
{
	if (!type_is_signed((enum type)i->type))
		return v;
	unsigned s = 64 - 8u * i->width;
	v = (uint64_t)((int64_t)(v << s) >> s);
	return i->sub >= 8 ? v : v & ((UINT64_C(1) << (8 * i->sub)) - 1);
}

/* The common cases inline: global memory in a range seen before, and shared memory. */
static inline uint8_t *global_at(struct run *r, const struct block *b, const struct thread *t, const struct insn *i,
                                 enum space space, uint64_t address, unsigned n, int write)
{
	const struct ptx_range *c = &r->ranges[i->line % CACHED_RANGES];
	if (address >= c->start && address < c->end && c->end - address >= n && !(address & (n - 1)) && (!write || c->writable))
		return (uint8_t *)(uintptr_t)address;
	return resolve(r, b, t, i, space, address, n, write);
}

static inline uint8_t *shared_at(struct run *r, const struct block *b, const struct thread *t, const struct insn *i,
                                 uint64_t address, unsigned n, int write)
{
	uint32_t offset = (uint32_t)address;
	if (offset < r->shared_size && r->shared_size - offset >= n && !(offset & (n - 1)))
		return b->shared + offset;
	return resolve(r, b, t, i, S_SHARED, address, n, write);
}

static inline uint8_t *at_space(struct run *r, const struct block *b, const struct thread *t, const struct insn *i,
                                uint64_t address, unsigned n, int write)
{
	enum space s = (enum space)i->space;
	if (s == S_SHARED)
		return shared_at(r, b, t, i, address, n, write);
	/* No window overlaps a range, so a generic address in one needs no look at the windows. */
	if (s == S_GLOBAL || s == S_CONST || s == S_GENERIC)
		return global_at(r, b, t, i, s, address, n, write);
	return resolve(r, b, t, i, s, address, n, write);
}

/* Old programs let the lanes of a warp talk through volatile shared memory without any barrier, and count on lock step.
 * Ending a thread's slice at each such access gives them just that: every lane does one before any does the next. */
static inline int in_shared(const struct run *r, const struct block *b, const uint8_t *p)
{
	return (uintptr_t)p - (uintptr_t)b->shared < r->shared_size;
}

static uint64_t nanoseconds(clockid_t clock)
{
	struct timespec ts;
	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static uint64_t special(const struct run *r, const struct block *b, const struct thread *t, unsigned which)
{
	const struct ptx_launch *l = r->launch;
	uint32_t lane = t->index & 31;
	switch (which) {
	case SR_TID_X: case SR_TID_Y: case SR_TID_Z: return t->tid[which - SR_TID_X];
	case SR_NTID_X: case SR_NTID_Y: case SR_NTID_Z: return l->block[which - SR_NTID_X];
	case SR_CTAID_X: case SR_CTAID_Y: case SR_CTAID_Z: return b->id[which - SR_CTAID_X];
	case SR_NCTAID_X: case SR_NCTAID_Y: case SR_NCTAID_Z: return l->grid[which - SR_NCTAID_X];
	case SR_ONE: return 1;
	case SR_LANEID: return lane;
	case SR_WARPID: return t->index / 32;
	case SR_NWARPID: return (b->nthreads + 31) / 32;
	case SR_SMID: return (uint64_t)(b - r->blocks) % (l->sm_count ? l->sm_count : 1);
	case SR_NSMID: return l->sm_count ? l->sm_count : 1;
	case SR_GRIDID: return l->grid_id;
	/* A cycle is a nanosecond. */
	case SR_CLOCK: return nanoseconds(CLOCK_MONOTONIC) & UINT32_MAX;
	case SR_CLOCK_HI: return nanoseconds(CLOCK_MONOTONIC) >> 32;
	case SR_CLOCK64: return nanoseconds(CLOCK_MONOTONIC);
	case SR_GLOBALTIMER: return nanoseconds(CLOCK_REALTIME);
	case SR_GLOBALTIMER_LO: return nanoseconds(CLOCK_REALTIME) & UINT32_MAX;
	case SR_GLOBALTIMER_HI: return nanoseconds(CLOCK_REALTIME) >> 32;
	case SR_LANEMASK_EQ: return UINT32_C(1) << lane;
	case SR_LANEMASK_LE: return (UINT32_C(2) << lane) - UINT32_C(1);
	case SR_LANEMASK_LT: return (UINT32_C(1) << lane) - 1;
	case SR_LANEMASK_GE: return (uint32_t)~((UINT32_C(1) << lane) - 1);
	case SR_LANEMASK_GT: return (uint32_t)~((UINT32_C(2) << lane) - UINT32_C(1));
	case SR_DYNAMIC_SMEM: return l->dynamic_shared;
	case SR_TOTAL_SMEM: return r->shared_size;
	default: return which >= SR_ENVREG0 && l->envreg ? l->envreg[which - SR_ENVREG0] : 0;
	}
}

static int ready_frame(struct run *r, const struct block *b, struct thread *t, const struct insn *i,
                       const struct ptx_function *callee)
{
	uint64_t base = (uint64_t)t->base + t->f->slots, local = t->local_base + (uint64_t)t->f->local;
	/* A frame without memory of its own counts, too, or recursion would have no end. */
	if (!t->f->local)
		local += 16;
	if (t->nframes >= MAX_FRAMES || local + callee->local > r->local_size || base + callee->slots > MAX_STACK_SLOTS) {
		set_fault(r, b, t, PTX_FAULT_STACK_OVERFLOW, 0, i);
		return -1;
	}
	if (base + callee->slots > t->capacity) {
		uint64_t cap = (base + callee->slots) * 2;
		uint64_t *bigger = t->own_stack ? realloc(t->stack, cap * sizeof *bigger) : calloc(cap, sizeof *bigger);
		if (!bigger) {
			set_fault(r, b, t, PTX_FAULT_NO_MEMORY, 0, i);
			return -1;
		}
		if (t->own_stack)
			memset(bigger + t->capacity, 0, (cap - t->capacity) * sizeof *bigger);
		else
			memcpy(bigger, t->stack, t->capacity * sizeof *bigger);
		t->stack = bigger;
		t->capacity = (uint32_t)cap;
		t->own_stack = 1;
	}
	if (t->nframes == t->frames_capacity) {
		uint32_t cap = t->frames_capacity ? t->frames_capacity * 2 : 8;
		struct frame *bigger = realloc(t->frames, cap * sizeof *bigger);
		if (!bigger) {
			set_fault(r, b, t, PTX_FAULT_NO_MEMORY, 0, i);
			return -1;
		}
		t->frames = bigger;
		t->frames_capacity = cap;
	}
	return 0;
}

static uint64_t read_bytes(const uint8_t *p, uint32_t n)
{
	uint64_t v = 0;
	memcpy(&v, p, n > 8 ? 8 : n);
	return v;
}

static int enter(struct run *r, struct block *b, struct thread *t, const struct insn *i, const struct call *c,
                 const struct ptx_function *callee)
{
	if (callee->builtin && !callee->defined)
		return call_builtin(r, b, t, c, callee, i);
	if (ready_frame(r, b, t, i, callee))
		return -1;
	uint32_t base = t->base + t->f->slots, local = t->local_base + (t->f->local ? t->f->local : 16);
	const uint64_t *regs = t->stack + t->base;
	for (uint32_t k = 0; k < c->nargs; k++) {
		const struct actual *a = &c->args[k];
		const struct formal *x = &callee->params[k];
		uint8_t *to = t->local + local + x->offset;
		if (a->in_register || x->in_register) {
			uint64_t v = !a->in_register ? read_bytes(t->local + t->local_base + a->offset, x->size) :
			             (a->ref & 1 ? t->f->constants : regs)[a->ref >> 1];
			if (x->in_register)
				t->stack[base + x->slot] = v;
			else
				memcpy(to, &v, x->size);
		} else if (x->size) {
			memcpy(to, t->local + t->local_base + a->offset, x->size);
		}
	}
	t->frames[t->nframes++] = (struct frame){t->f, i + 1, c, t->base, t->local_base};
	t->f = callee;
	t->base = base;
	t->local_base = local;
	t->pc = callee->code;
	return 0;
}

static void leave(struct thread *t)
{
	struct frame *up = &t->frames[--t->nframes];
	const struct call *c = up->call;
	for (uint32_t k = 0; k < c->nresults; k++) {
		const struct actual *a = &c->results[k];
		const struct formal *x = &t->f->results[k];
		uint8_t *to = t->local + up->local + a->offset;
		const uint8_t *from = t->local + t->local_base + x->offset;
		if (a->in_register || x->in_register) {
			uint64_t v = x->in_register ? t->stack[t->base + x->slot] : read_bytes(from, x->size);
			if (a->in_register)
				t->stack[up->base + a->ref] = v;
			else
				memcpy(to, &v, x->size);
		} else if (x->size) {
			memcpy(to, from, x->size);
		}
	}
	t->f = up->f;
	t->base = up->base;
	t->local_base = up->local;
	t->pc = up->pc;
}

static const struct ptx_function *function_at(const struct run *r, uint64_t address)
{
	const struct ptx_module *m = r->entry->module;
	uint64_t n = (address - PTX_CODE_WINDOW) / 16 - 1;
	if (address < PTX_CODE_WINDOW + 16 || address % 16 || n >= m->nfunctions)
		return NULL;
	const struct ptx_function *f = m->functions[n];
	return f->entry || (!f->defined && !f->builtin) ? NULL : f;
}

static int copy_async(struct run *r, struct block *b, struct thread *t, const struct insn *i, uint64_t to, uint64_t from,
                      uint32_t bytes)
{
	uint32_t n = i->n;
	if (bytes > n)
		bytes = n;
	uint8_t *dst = resolve(r, b, t, i, S_SHARED, to, n, 1);
	uint8_t *src = dst && bytes ? resolve(r, b, t, i, S_GLOBAL, from, n, 0) : NULL;
	if (!dst || (bytes && !src))
		return -1;
	memset(dst, 0, n);
	if (bytes)
		memcpy(dst, src, bytes);
	return 0;
}

static unsigned combine_bool(unsigned op, unsigned x, unsigned c)
{
	return op == B_AND ? x & c : op == B_OR ? x | c : op == B_XOR ? x ^ c : x;
}

/* set on two halves: 1.0 or all ones in each that compares true. */
static uint64_t set_pair(const struct insn *i, uint64_t a, uint64_t b, unsigned c)
{
	enum type h = i->type == T_F16X2 ? T_F16 : T_BF16;
	uint64_t yes = i->type2 == T_F16X2 ? 0x3c00 : i->type2 == T_BF16X2 ? 0x3f80 : 0xffff, v = 0;
	for (unsigned k = 0; k < 32; k += 16) {
		unsigned x = (i->cmp & relation(h, a >> k, b >> k, i->flags & F_FTZ)) != 0;
		v |= combine_bool(i->boolop, x, c) ? yes << k : 0;
	}
	return v;
}

int execute(struct run *r, struct block *b, struct thread *t)
{
	static const void *const labels[] = {
#define X(n) &&L_##n,
		OPS(X)
#undef X
	};
	const struct insn *i, *pc = t->pc;
	uint64_t *regs = t->stack + t->base;
	const uint64_t *constants = t->f->constants;
	int left = SLICE, spins = 0;
	t->spun = 0;

/* The only macros here: the operands of the current instruction, and going on to the next. */
#define SRC(x) (((x) & 1 ? constants : regs)[(x) >> 1])
#define A SRC(i->a)
#define B SRC(i->b)
#define C SRC(i->c)
#define D regs[i->dst]
#define NEXT do { i = pc++; goto *labels[i->op]; } while (0)

	NEXT;

L_NOP: NEXT;
L_FENCE: full_fence(); NEXT;
L_MOV: D = A; NEXT;
L_SREG:
	D = special(r, b, t, i->sub);
	if (i->sub >= SR_CLOCK && i->sub <= SR_GLOBALTIMER_HI)
		left -= SPIN_COST, spins++;
	NEXT;
L_LADDR: D = t->local_base + i->imm; NEXT;
L_DYNAMIC: D = r->dynamic_at + i->imm; NEXT;
L_PACK: {
	uint64_t v = 0, mask = (UINT64_C(1) << 8 * i->width) - 1;
	for (unsigned k = 0; k < i->n; k++)
		v |= (SRC(t->f->lists[i->d + k]) & mask) << (8 * i->width * k);
	D = v;
	NEXT;
}
L_UNPACK: {
	uint64_t v = A, mask = (UINT64_C(1) << 8 * i->width) - 1;
	for (unsigned k = 0; k < i->n; k++)
		regs[t->f->lists[i->d + k]] = v >> (8 * i->width * k) & mask;
	NEXT;
}

L_BRT:
	if (!(A & 1))
		NEXT;
	goto L_BRA;
L_BRF:
	if (A & 1)
		NEXT;
L_BRA:
	pc = t->f->code + i->imm;
	if (--left > 0)
		NEXT;
	goto out_of_time;
L_BRX:
	if ((uint32_t)A >= i->imm) {
		set_fault(r, b, t, PTX_FAULT_ILLEGAL_INSTRUCTION, 0, i);
		return -1;
	}
	pc = t->f->code + t->f->lists[i->d + (uint32_t)A];
	if (--left > 0)
		NEXT;
	goto out_of_time;
L_CALL: {
	const struct call *c = &t->f->calls[i->imm];
	t->pc = pc;
	if (enter(r, b, t, i, c, c->target))
		return -1;
	goto reload;
}
L_CALLI: {
	const struct call *c = &t->f->calls[i->imm];
	const struct ptx_function *callee = function_at(r, A);
	if (!callee || !call_fits(c, callee)) {
		set_fault(r, b, t, PTX_FAULT_ILLEGAL_INSTRUCTION, A, i);
		return -1;
	}
	t->pc = pc;
	if (enter(r, b, t, i, c, callee))
		return -1;
	goto reload;
}
L_RET:
	leave(t);
reload:
	regs = t->stack + t->base;
	constants = t->f->constants;
	pc = t->pc;
	if (--left > 0)
		NEXT;
	goto out_of_time;
L_EXIT:
	t->state = EXITED;
	return 0;
L_TRAP:
	set_fault(r, b, t, PTX_FAULT_TRAP, 0, i);
	return -1;
L_PAUSE:
	spins = SLICE;
	goto out_of_time;

#define W(name, type, e) L_##name: { type a = (type)A, b_ = (type)B; D = (type)(e); NEXT; }
#define W1(name, type, e) L_##name: { type a = (type)A; D = (type)(e); NEXT; }
W(ADD_16, uint16_t, a + b_) W(ADD_32, uint32_t, a + b_) W(ADD_64, uint64_t, a + b_)
W(SUB_16, uint16_t, a - b_) W(SUB_32, uint32_t, a - b_) W(SUB_64, uint64_t, a - b_)
W(MUL_16, uint16_t, (uint32_t)a * b_) W(MUL_32, uint32_t, a * b_) W(MUL_64, uint64_t, a * b_)
W(MAD_16, uint16_t, (uint32_t)a * b_ + (uint16_t)C) W(MAD_32, uint32_t, a * b_ + (uint32_t)C)
W(MAD_64, uint64_t, a * b_ + C)
W1(NEG_16, uint16_t, 0 - a) W1(NEG_32, uint32_t, 0 - a) W1(NEG_64, uint64_t, 0 - a)
W1(NOT_16, uint16_t, ~a) W1(NOT_32, uint32_t, ~a) W1(NOT_64, uint64_t, ~a)
L_SHL_16: D = (uint32_t)B > 15 ? 0 : (uint16_t)(A << (B & 15)); NEXT;
L_SHL_32: D = (uint32_t)B > 31 ? 0 : (uint32_t)(A << (B & 31)); NEXT;
L_SHL_64: D = (uint32_t)B > 63 ? 0 : A << (B & 63); NEXT;
L_SHR_U16: D = (uint32_t)B > 15 ? 0 : (uint16_t)A >> (B & 15); NEXT;
L_SHR_U32: D = (uint32_t)B > 31 ? 0 : (uint32_t)A >> (B & 31); NEXT;
L_SHR_U64: D = (uint32_t)B > 63 ? 0 : A >> (B & 63); NEXT;
L_SHR_S16: D = (uint16_t)((int16_t)A >> ((uint32_t)B > 15 ? 15 : B & 15)); NEXT;
L_SHR_S32: D = (uint32_t)((int32_t)A >> ((uint32_t)B > 31 ? 31 : B & 31)); NEXT;
L_SHR_S64: D = (uint64_t)((int64_t)A >> ((uint32_t)B > 63 ? 63 : B & 63)); NEXT;
L_AND: D = A & B; NEXT;
L_OR: D = A | B; NEXT;
L_XOR: D = A ^ B; NEXT;
L_NOTP: D = !(A & 1); NEXT;

/* Division by zero is undefined in PTX; on hardware the quotient is all ones. */
#define DIVIDE(u, utype, s, stype) \
	L_DIV_##u: { utype a = (utype)A, b_ = (utype)B; D = b_ ? (utype)(a / b_) : (utype)~(utype)0; NEXT; } \
	L_REM_##u: { utype a = (utype)A, b_ = (utype)B; D = b_ ? (utype)(a % b_) : a; NEXT; } \
	L_DIV_##s: { stype a = (stype)A, b_ = (stype)B; \
		D = b_ == 0 ? (utype)~(utype)0 : b_ == -1 ? (utype)(0 - (utype)a) : (utype)(a / b_); NEXT; } \
	L_REM_##s: { stype a = (stype)A, b_ = (stype)B; D = b_ == 0 ? (utype)a : b_ == -1 ? 0 : (utype)(a % b_); NEXT; } \
	L_MIN_##u: { utype a = (utype)A, b_ = (utype)B; D = a < b_ ? a : b_; NEXT; } \
	L_MAX_##u: { utype a = (utype)A, b_ = (utype)B; D = a > b_ ? a : b_; NEXT; } \
	L_MIN_##s: { stype a = (stype)A, b_ = (stype)B; D = (utype)(a < b_ ? a : b_); NEXT; } \
	L_MAX_##s: { stype a = (stype)A, b_ = (stype)B; D = (utype)(a > b_ ? a : b_); NEXT; } \
	L_SETP_##u: { utype a = (utype)A, b_ = (utype)B; D = i->cmp >> (a == b_ ? 1 : a > b_ ? 2 : 0) & 1; NEXT; } \
	L_SETP_##s: { stype a = (stype)A, b_ = (stype)B; D = i->cmp >> (a == b_ ? 1 : a > b_ ? 2 : 0) & 1; NEXT; }
DIVIDE(U16, uint16_t, S16, int16_t)
DIVIDE(U32, uint32_t, S32, int32_t)
DIVIDE(U64, uint64_t, S64, int64_t)

L_MULHI_U16: D = (uint32_t)(uint16_t)A * (uint16_t)B >> 16; NEXT;
L_MULHI_U32: D = (uint64_t)(uint32_t)A * (uint32_t)B >> 32; NEXT;
L_MULHI_S16: D = (uint16_t)((int32_t)(int16_t)A * (int16_t)B >> 16); NEXT;
L_MULHI_S32: D = (uint32_t)((int64_t)(int32_t)A * (int32_t)B >> 32); NEXT;
L_MULHI_U64:
L_MULHI_S64: {
	struct insn high = *i;
	high.sub = ALU_MADHI;
	high.type = i->op == OP_MULHI_S64 ? T_S64 : T_U64;
	D = alu_op(&high, A, B, 0, 0);
	NEXT;
}
L_MULWIDE_U16: D = (uint32_t)(uint16_t)A * (uint16_t)B; NEXT;
L_MULWIDE_U32: D = (uint64_t)(uint32_t)A * (uint32_t)B; NEXT;
L_MULWIDE_S16: D = (uint32_t)((int32_t)(int16_t)A * (int16_t)B); NEXT;
L_MULWIDE_S32: D = (uint64_t)((int64_t)(int32_t)A * (int32_t)B); NEXT;
L_MADWIDE_U16: D = (uint32_t)((uint32_t)(uint16_t)A * (uint16_t)B + (uint32_t)C); NEXT;
L_MADWIDE_U32: D = (uint64_t)(uint32_t)A * (uint32_t)B + C; NEXT;
L_MADWIDE_S16: D = (uint32_t)((int32_t)(int16_t)A * (int16_t)B) + (uint32_t)C; D = (uint32_t)D; NEXT;
L_MADWIDE_S32: D = (uint64_t)((int64_t)(int32_t)A * (int32_t)B) + C; NEXT;

L_ADD_F32: D = result_f32(as_f32(A) + as_f32(B)); NEXT;
L_SUB_F32: D = result_f32(as_f32(A) - as_f32(B)); NEXT;
L_MUL_F32: D = result_f32(as_f32(A) * as_f32(B)); NEXT;
L_FMA_F32: D = result_f32(fmaf(as_f32(A), as_f32(B), as_f32(C))); NEXT;
L_NEG_F32: D = (uint32_t)A ^ 0x80000000u; NEXT;
L_ABS_F32: D = A & 0x7fffffff; NEXT;
L_ADD_F64: D = of_f64(as_f64(A) + as_f64(B)); NEXT;
L_SUB_F64: D = of_f64(as_f64(A) - as_f64(B)); NEXT;
L_MUL_F64: D = of_f64(as_f64(A) * as_f64(B)); NEXT;
L_FMA_F64: D = of_f64(fma(as_f64(A), as_f64(B), as_f64(C))); NEXT;
L_NEG_F64: D = A ^ UINT64_C(1) << 63; NEXT;
L_ABS_F64: D = A & ~(UINT64_C(1) << 63); NEXT;
L_SETP_F32: {
	float a = as_f32(A), b_ = as_f32(B);
	D = i->cmp >> (a == b_ ? 1 : a > b_ ? 2 : a < b_ ? 0 : 3) & 1;
	NEXT;
}
L_SETP_F64: {
	double a = as_f64(A), b_ = as_f64(B);
	D = i->cmp >> (a == b_ ? 1 : a > b_ ? 2 : a < b_ ? 0 : 3) & 1;
	NEXT;
}
L_FLOAT: D = float_op(i, A, B, C); NEXT;

L_EXT_U: D = A << i->width >> i->width & i->imm; NEXT;
L_EXT_S: D = (uint64_t)((int64_t)(A << i->width) >> i->width) & i->imm; NEXT;
L_CVT: D = convert(i, A); NEXT;
L_PACKCVT: D = pack_convert(i, A, B); NEXT;
L_CVT_F64_F32: D = of_f64((double)as_f32(A)); NEXT;
L_CVT_F32_F64: D = result_f32((float)as_f64(A)); NEXT;
L_CVT_F32_S32: D = of_f32((float)(int32_t)A); NEXT;
L_CVT_F64_S32: D = of_f64((double)(int32_t)A); NEXT;

L_SELP: D = C & 1 ? A : B; NEXT;
L_SETPX: {
	uint64_t a = A, b_ = B;
	unsigned c = i->boolop ? C & 1 : 0, x, y;
	if (i->type == T_F16X2 || i->type == T_BF16X2) {
		enum type h = i->type == T_F16X2 ? T_F16 : T_BF16;
		x = (i->cmp & relation(h, a, b_, i->flags & F_FTZ)) != 0;
		y = (i->cmp & relation(h, a >> 16, b_ >> 16, i->flags & F_FTZ)) != 0;
	} else {
		x = (i->cmp & relation((enum type)i->type, a, b_, i->flags & F_FTZ)) != 0;
		y = !x;
	}
	regs[i->dst2] = combine_bool(i->boolop, y, c);
	D = combine_bool(i->boolop, x, c);
	NEXT;
}
L_SET: {
	unsigned c = i->boolop ? C & 1 : 0, x;
	if (i->type == T_F16X2 || i->type == T_BF16X2) {
		D = set_pair(i, A, B, c);
		NEXT;
	}
	x = (i->cmp & relation((enum type)i->type, A, B, i->flags & F_FTZ)) != 0;
	x = combine_bool(i->boolop, x, c);
	uint64_t yes = i->type2 == T_F32 ? 0x3f800000 : i->type2 == T_F16 ? 0x3c00 : i->type2 == T_BF16 ? 0x3f80 :
	               type_size((enum type)i->type2) == 2 ? 0xffff : UINT32_MAX;
	D = x ? yes : 0;
	NEXT;
}
L_SLCT: {
	uint64_t c = C;
	int yes = i->type == T_S32 ? (int32_t)c >= 0 : as_f32(c) >= 0 || ((i->flags & F_FTZ) && fpclassify(as_f32(c)) == FP_SUBNORMAL);
	D = yes ? A : B;
	NEXT;
}
L_CARRY: D = carry_op(i, A, B, C, &t->carry); NEXT;
L_ALU: D = alu_op(i, A, B, C, SRC(i->d)); NEXT;

/* Parameters: the decoder has checked where they lie. */
L_LDP:
L_LDF: {
	const uint8_t *p = i->op == OP_LDP ? (const uint8_t *)r->launch->params + i->imm : t->local + t->local_base + i->imm;
	if (i->n == 1) {
		D = loaded(i, read_bytes(p, i->width));
		NEXT;
	}
	for (unsigned k = 0; k < i->n; k++)
		regs[t->f->lists[i->d + k]] = loaded(i, read_bytes(p + k * i->width, i->width));
	NEXT;
}
L_STF: {
	uint8_t *p = t->local + t->local_base + i->imm;
	for (unsigned k = 0; k < i->n; k++) {
		uint64_t v = i->n == 1 ? B : SRC(t->f->lists[i->d + k]);
		memcpy(p + k * i->width, &v, i->width);
	}
	NEXT;
}

#define LOAD(name, at, type) L_##name: { \
	uint8_t *p = at; \
	if (!p) return -1; \
	D = __atomic_load_n((const type *)(const void *)p, __ATOMIC_RELAXED); \
	NEXT; }
#define STORE(name, at, type) L_##name: { \
	uint8_t *p = at; \
	if (!p) return -1; \
	__atomic_store_n((type *)(void *)p, (type)B, __ATOMIC_RELAXED); \
	NEXT; }
LOAD(LDG_32, global_at(r, b, t, i, S_GLOBAL, A + i->imm, 4, 0), any32)
LOAD(LDG_64, global_at(r, b, t, i, S_GLOBAL, A + i->imm, 8, 0), any64)
LOAD(LDS_32, shared_at(r, b, t, i, A + i->imm, 4, 0), any32)
LOAD(LDS_64, shared_at(r, b, t, i, A + i->imm, 8, 0), any64)
STORE(STG_32, global_at(r, b, t, i, S_GLOBAL, A + i->imm, 4, 1), any32)
STORE(STG_64, global_at(r, b, t, i, S_GLOBAL, A + i->imm, 8, 1), any64)
STORE(STS_32, shared_at(r, b, t, i, A + i->imm, 4, 1), any32)
STORE(STS_64, shared_at(r, b, t, i, A + i->imm, 8, 1), any64)
L_LD: {
	const uint8_t *p = at_space(r, b, t, i, A + i->imm, (unsigned)i->width * i->n, 0);
	if (!p)
		return -1;
	if (i->n == 1) {
		D = loaded(i, load(p, i->width));
	} else {
		for (unsigned k = 0; k < i->n; k++)
			regs[t->f->lists[i->d + k]] = loaded(i, load(p + k * i->width, i->width));
	}
	if (i->flags) { /* volatile, acquire: what is read afterwards must not be older */
		full_fence();
		left -= SPIN_COST, spins++;
		if (in_shared(r, b, p))
			goto out_of_time;
	}
	NEXT;
}
L_ST: {
	uint8_t *p = at_space(r, b, t, i, A + i->imm, (unsigned)i->width * i->n, 1);
	if (!p)
		return -1;
	if (i->flags) /* volatile, release: what was written before must be seen before it */
		full_fence();
	for (unsigned k = 0; k < i->n; k++)
		store(p + k * i->width, i->width, i->n == 1 ? B : SRC(t->f->lists[i->d + k]));
	if (i->flags && in_shared(r, b, p))
		goto out_of_time;
	NEXT;
}
L_COPY:
	if (copy_async(r, b, t, i, A, B, (uint32_t)C))
		return -1;
	NEXT;
L_ATOM: {
	uint8_t *p = at_space(r, b, t, i, A + i->imm, i->width, 1);
	if (!p)
		return -1;
	D = atomic_op(i, p, B, C);
	left -= SPIN_COST / 4;
	spins += i->sub == ATOM_CAS || i->sub == ATOM_EXCH;
	NEXT;
}
L_TO_GENERIC: D = A + (i->space == S_SHARED ? PTX_SHARED_WINDOW : i->space == S_LOCAL ? PTX_LOCAL_WINDOW : PTX_PARAM_WINDOW); NEXT;
L_FROM_GENERIC: D = A - (i->space == S_SHARED ? PTX_SHARED_WINDOW : i->space == S_LOCAL ? PTX_LOCAL_WINDOW : PTX_PARAM_WINDOW); NEXT;
L_ISSPACE: {
	uint64_t base = A & ~(PTX_WINDOW_SIZE - 1);
	int windowed = base == PTX_SHARED_WINDOW || base == PTX_LOCAL_WINDOW || base == PTX_PARAM_WINDOW;
	switch ((enum space)i->space) {
	case S_SHARED: D = base == PTX_SHARED_WINDOW; break;
	case S_LOCAL: D = base == PTX_LOCAL_WINDOW; break;
	case S_PARAM: D = base == PTX_PARAM_WINDOW; break;
	case S_CONST: { /* constant variables lie in global memory, so they are known one by one */
		const struct ptx_module *m = r->entry->module;
		D = 0;
		for (uint32_t k = 0; k < m->nvariables; k++)
			if (m->variables[k].v.constant && A - m->variables[k].address < m->variables[k].v.size)
				D = 1;
		break;
	}
	default: D = !windowed; break;
	}
	NEXT;
}

L_BARRIER: {
	uint32_t id = (uint32_t)A, count = i->n ? (uint32_t)B : 0;
	if (barrier_enter(b, id, count)) {
		set_fault(r, b, t, PTX_FAULT_ILLEGAL_INSTRUCTION, 0, i);
		return -1;
	}
	t->at = i;
	t->pc = pc;
	barrier_arrive(b, t, id, i->sub != BAR_ARRIVE, i->sub >= BAR_POPC && (C & 1));
	if (t->state != READY)
		return 0;
	NEXT;
}
L_WARP:
	t->at = i;
	t->pc = pc;
	t->a = A, t->b = B, t->c = C;
	t->mask = i->n ? (uint32_t)SRC(i->d) : 0;
	if (!warp_arrive(b, t))
		return 0;
	NEXT;

L_TEX:
L_SURF:
L_TXQ:
	if (texture_op(r, b, t, i))
		return -1;
	NEXT;

out_of_time:
	t->spun = spins * SPIN_COST >= SLICE / 2;
	t->pc = pc;
	return 0;
}
