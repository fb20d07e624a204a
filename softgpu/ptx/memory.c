/* SPDX-License-Identifier: Apache-2.0
 *
 * Where an address of a program is on the host, and atomic operations there. */
#include "number.h"
#include "run.h"

static uint8_t *window(struct run *r, const struct block *b, const struct thread *t, const struct insn *i, uint8_t *base,
                       uint64_t size, uint64_t offset, unsigned n, uint64_t address)
{
	if (offset > size || size - offset < n) {
		set_fault(r, b, t, PTX_FAULT_ILLEGAL_ADDRESS, address, i);
		return NULL;
	}
	return base + offset;
}

uint8_t *resolve(struct run *r, const struct block *b, const struct thread *t, const struct insn *i, enum space space,
                 uint64_t address, unsigned n, int write)
{
	uint64_t offset = address;
	/* n is a power of two but for a copy's, whose parts are checked by the caller. */
	if (address & (n - 1)) {
		set_fault(r, b, t, PTX_FAULT_MISALIGNED, address, i);
		return NULL;
	}
	switch (space) {
	case S_SHARED: case S_LOCAL: case S_PARAM:
		offset = (uint32_t)address;
		break;
	case S_GENERIC: {
		uint64_t base = address & ~(PTX_WINDOW_SIZE - 1);
		if (base == PTX_SHARED_WINDOW)
			space = S_SHARED;
		else if (base == PTX_LOCAL_WINDOW)
			space = S_LOCAL;
		else if (base == PTX_PARAM_WINDOW)
			space = S_PARAM;
		offset = address & (PTX_WINDOW_SIZE - 1);
		break;
	}
	default:
		break;
	}
	if (space == S_SHARED)
		return window(r, b, t, i, b->shared, r->shared_size, offset, n, address);
	if (space == S_LOCAL)
		return window(r, b, t, i, t->local, t->local ? r->local_size : 0, offset, n, address);
	if (space == S_PARAM) {
		if (write)
			offset = UINT64_MAX;
		/* Kernel parameters are only read: every path that writes has `write` set. */
		return window(r, b, t, i, (uint8_t *)(uintptr_t)r->launch->params, r->entry->param_bytes, offset, n, address);
	}
	struct ptx_range *c = &r->ranges[i->line % CACHED_RANGES];
	struct ptx_range found;
	if (!r->launch->find || r->launch->find(r->launch->ctx, address, &found) || address < found.start ||
	    address >= found.end || found.end - address < n || (write && !found.writable)) {
		set_fault(r, b, t, PTX_FAULT_ILLEGAL_ADDRESS, address, i);
		return NULL;
	}
	*c = found;
	return (uint8_t *)(uintptr_t)address;
}

/* The new value. */
static uint64_t combine(const struct insn *i, uint64_t old, uint64_t b, uint64_t c)
{
	enum type t = (enum type)i->type;
	int f = type_is_float(t);
	switch ((enum atomic)i->sub) {
	case ATOM_ADD: return f ? float_add(t, old, b) : old + b;
	case ATOM_MIN: return f ? float_pick(t, old, b, 0) : relation(t, b, old, 0) == C_LT ? b : old;
	case ATOM_MAX: return f ? float_pick(t, old, b, 1) : relation(t, b, old, 0) == C_GT ? b : old;
	case ATOM_AND: return old & b;
	case ATOM_OR: return old | b;
	case ATOM_XOR: return old ^ b;
	case ATOM_EXCH: return b;
	case ATOM_INC: return (uint32_t)old >= (uint32_t)b ? 0 : old + 1;
	case ATOM_DEC: return (uint32_t)old == 0 || (uint32_t)old > (uint32_t)b ? b : old - 1;
	default: return old == b ? c : old;
	}
}

typedef uint16_t __attribute__((may_alias)) any16;
typedef uint32_t __attribute__((may_alias)) any32;
typedef uint64_t __attribute__((may_alias)) any64;

uint64_t atomic_op(const struct insn *i, uint8_t *at, uint64_t b, uint64_t c)
{
	if (i->width == 8) {
		any64 *p = (any64 *)(void *)at;
		any64 old = __atomic_load_n(p, __ATOMIC_RELAXED);
		while (!__atomic_compare_exchange_n(p, &old, combine(i, old, b, c), 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
			;
		return old;
	}
	if (i->width == 4) {
		any32 *p = (any32 *)(void *)at;
		any32 old = __atomic_load_n(p, __ATOMIC_RELAXED);
		b = (uint32_t)b;
		while (!__atomic_compare_exchange_n(p, &old, (uint32_t)combine(i, old, b, c), 0, __ATOMIC_SEQ_CST,
		                                    __ATOMIC_SEQ_CST))
			;
		return old;
	}
	any16 *p = (any16 *)(void *)at;
	any16 old = __atomic_load_n(p, __ATOMIC_RELAXED);
	b = (uint16_t)b;
	while (!__atomic_compare_exchange_n(p, &old, (uint16_t)combine(i, old, b, c), 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		;
	return old;
}
