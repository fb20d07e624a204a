/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions that the lanes of a warp do together. Each lane that comes to one leaves its operands and waits; the
 * last one does the work for all. A lane that has exited is not waited for.
 *
 * Without a mask (activemask, and vote or shfl of old programs) the hardware takes the lanes that happen to be
 * together. Here: those that stand at the same instruction once no lane of the warp can run, or when they have waited for
 * long (a lane may be spinning on what one of them is to write).
 */
#include "number.h"
#include "run.h"

enum { LANES = 32 };

struct group {
	struct thread *lanes[LANES]; /* NULL: not in it */
	uint32_t mask;
};

static struct thread *warp_of(struct block *b, const struct thread *t)
{
	return &b->threads[t->index / LANES * LANES];
}

static uint32_t warp_size(const struct block *b, const struct thread *warp)
{
	uint32_t left = b->nthreads - warp->index;
	return left < LANES ? left : LANES;
}

static void answer(struct thread *t, uint32_t slot, uint64_t v)
{
	t->stack[t->base + slot] = v;
}

/* PTX's rules for shfl: `c` holds the clamp in bits 0-4 and the segment mask in bits 8-12. */
static void shuffle(const struct group *g)
{
	uint64_t values[LANES];
	for (unsigned lane = 0; lane < LANES; lane++)
		if (g->lanes[lane])
			values[lane] = g->lanes[lane]->a;
	for (unsigned lane = 0; lane < LANES; lane++) {
		struct thread *t = g->lanes[lane];
		if (!t)
			continue;
		int b = (int)(t->b & 31), clamp = (int)(t->c & 31), segment = (int)(t->c >> 8 & 31);
		int most = ((int)lane & segment) | (clamp & ~segment), least = (int)lane & segment;
		int from, inside;
		switch (t->at->sub) {
		case WARP_SHFL_UP: from = (int)lane - b, inside = from >= most; break;
		case WARP_SHFL_DOWN: from = (int)lane + b, inside = from <= most; break;
		case WARP_SHFL_BFLY: from = (int)lane ^ b, inside = from <= most; break;
		default: from = least | (b & ~segment), inside = from <= most; break;
		}
		if (!inside)
			from = (int)lane;
		/* Reading a lane that takes no part is undefined; the own value is as good as any. */
		uint64_t v = g->lanes[from & 31] ? values[from & 31] : t->a;
		answer(t, t->at->dst, v & UINT32_MAX);
		answer(t, t->at->dst2, (uint64_t)inside);
	}
}

static uint64_t reduce(enum warp op, enum type type, uint64_t x, uint64_t y)
{
	switch (op) {
	case WARP_REDUX_ADD: return (x + y) & UINT32_MAX;
	case WARP_REDUX_MIN: return relation(type, y, x, 0) == C_LT ? y : x;
	case WARP_REDUX_MAX: return relation(type, y, x, 0) == C_GT ? y : x;
	case WARP_REDUX_AND: return x & y;
	case WARP_REDUX_OR: return x | y;
	default: return x ^ y;
	}
}

static void complete(struct block *b, const struct group *g)
{
	uint32_t votes = 0, first = (uint32_t)__builtin_ctz(g->mask);
	const struct insn *at = g->lanes[first]->at;
	uint64_t total = 0;
	int same = 1;
	for (unsigned lane = 0; lane < LANES; lane++) {
		struct thread *t = g->lanes[lane];
		if (!t)
			continue;
		if (t->a & 1)
			votes |= 1u << lane;
		same &= t->a == g->lanes[first]->a;
		total = lane == first ? t->a : at->sub >= WARP_REDUX_ADD ? reduce((enum warp)at->sub, (enum type)at->type, total, t->a)
		                                                         : 0;
	}
	if (at->sub >= WARP_SHFL_UP && at->sub <= WARP_SHFL_IDX)
		shuffle(g);
	for (unsigned lane = 0; lane < LANES; lane++) {
		struct thread *t = g->lanes[lane];
		if (!t)
			continue;
		uint32_t dst = t->at->dst, match = 0;
		switch ((enum warp)at->sub) {
		case WARP_BAR: break;
		case WARP_ACTIVEMASK: answer(t, dst, g->mask); break;
		case WARP_ALL: answer(t, dst, votes == g->mask); break;
		case WARP_ANY: answer(t, dst, votes != 0); break;
		case WARP_UNI: answer(t, dst, votes == 0 || votes == g->mask); break;
		case WARP_BALLOT: answer(t, dst, votes); break;
		case WARP_MATCH_ANY:
			for (unsigned k = 0; k < LANES; k++)
				if (g->lanes[k] && g->lanes[k]->a == t->a)
					match |= 1u << k;
			answer(t, dst, match);
			break;
		case WARP_MATCH_ALL:
			answer(t, dst, same ? g->mask : 0);
			answer(t, t->at->dst2, (uint64_t)same);
			break;
		case WARP_ELECT:
			answer(t, dst, first);
			answer(t, t->at->dst2, lane == first);
			break;
		case WARP_REDUX_ADD: case WARP_REDUX_MIN: case WARP_REDUX_MAX: case WARP_REDUX_AND: case WARP_REDUX_OR:
		case WARP_REDUX_XOR: answer(t, dst, total); break;
		default: break; /* the shuffles, done */
		}
		if (!t->at->n)
			b->parked--;
		t->state = READY;
	}
}

/* The same instruction may stand at several places: lanes meet when it is the same kind with the same mask. */
static int meets(const struct thread *t, const struct thread *other)
{
	return other->state == AT_WARP && other->at->n && other->at->sub == t->at->sub && other->at->type == t->at->type &&
	       other->mask == t->mask;
}

static int try_complete(struct block *b, struct thread *t)
{
	struct thread *warp = warp_of(b, t);
	struct group g = {.mask = 0};
	for (uint32_t lane = 0; lane < warp_size(b, warp); lane++) {
		struct thread *other = &warp[lane];
		if (!(t->mask >> lane & 1) || other->state == EXITED)
			continue;
		if (!meets(t, other))
			return 0;
		g.lanes[lane] = other;
		g.mask |= 1u << lane;
	}
	complete(b, &g);
	return 1;
}

int warp_arrive(struct block *b, struct thread *t)
{
	t->state = AT_WARP;
	if (!t->at->n) {
		b->parked++;
		return 0;
	}
	t->mask |= 1u << t->index % LANES;
	return try_complete(b, t);
}

void warp_left(struct block *b, struct thread *t)
{
	struct thread *warp = warp_of(b, t);
	for (uint32_t lane = 0; lane < warp_size(b, warp); lane++)
		if (warp[lane].state == AT_WARP && warp[lane].at->n)
			try_complete(b, &warp[lane]);
}

int warp_release_parked(struct block *b, int at_once)
{
	int released = 0;
	for (uint32_t w = 0; b->parked && w < b->nthreads; w += LANES) {
		struct thread *warp = &b->threads[w];
		int ready = 0;
		for (uint32_t lane = 0; lane < warp_size(b, warp); lane++)
			ready |= warp[lane].state == READY;
		if (ready && !at_once)
			continue;
		for (uint32_t lane = 0; lane < warp_size(b, warp); lane++) {
			struct group g = {.mask = 0};
			if (warp[lane].state != AT_WARP || warp[lane].at->n)
				continue;
			for (uint32_t k = lane; k < warp_size(b, warp); k++) {
				if (warp[k].state == AT_WARP && warp[k].at == warp[lane].at) {
					g.lanes[k] = &warp[k];
					g.mask |= 1u << k;
				}
			}
			complete(b, &g);
			released = 1;
		}
	}
	return released;
}
