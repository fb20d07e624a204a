// SPDX-License-Identifier: Apache-2.0
//
// The order between lanes.
//
// A call that is posted returns in the client before it has run here. Lanes
// run in parallel, so without a rule a later call of another client thread
// could overtake it: thread A posts a kernel launch, tells thread B so, and B's
// free of the memory runs first. The rule:
//
//   Posts have tickets, counted by the client in the region. A frame runs when
//   every post with a lower ticket, of any lane, has run. A waited-for frame
//   carries the number of posts made when it was sent.
//
// Why that is enough: a program can only mean "after" when A's call had returned
// before B's call was made. Then A's ticket is lower than B's, and A's frame was
// published before B's, by a chain of releases and acquires that goes through
// the program itself. So whoever holds B's frame sees A's, and a post that it
// does not see was not finished being made when B's call began: either order is
// right for that.
//
// Why waited-for frames hold nobody: their callers are still in the call, so
// nothing can be meant to follow them. A call that blocks in the driver
// (cuStreamSynchronize) therefore stops no other thread, and a lane whose first
// frame is waited for has no post behind it.
//
// Why it cannot deadlock, whatever tickets a client forges: a post waits for
// strictly lower tickets only, so a circle of lanes that wait for each other
// would need tickets that go down all the way round.
//
// The test that fails without this file is shims/tests/worker/order.c; it is
// built with -DAXON_WITHOUT_ORDER to see that.
#include "order.h"

#include "frame.h"
#include "wait.h"

#define SPINS 2000

#ifdef AXON_WITHOUT_ORDER

void axw_order_wait(struct axw_lane *lane, unsigned kind, uint64_t ticket)
{
	(void)lane, (void)kind, (void)ticket;
}

uint64_t axw_order_now(struct axw_session *s)
{
	(void)s;
	return 0;
}

int axw_order_posted(struct axw_session *s, uint64_t ticket, uint64_t deadline)
{
	(void)s, (void)ticket, (void)deadline;
	return 1;
}

#else

// The ticket of the post that lane `o` must run next, UINT64_MAX for none; *moves is when.
static uint64_t next_post(struct axw_lane *o, uint32_t *moves)
{
	for (;;) {
		*moves = atomic_load_explicit(&o->moves, memory_order_acquire);
		uint32_t head = atomic_load_explicit(&o->head, memory_order_acquire);
		uint32_t tail = atomic_load_explicit(&o->shared->tail, memory_order_acquire);
		uint64_t ticket = axw_frame_peek(o->ring, head, tail - head);
		// The frame may have run while we looked, and its bytes been written over. (peek reads with acquire.)
		if (atomic_load_explicit(&o->moves, memory_order_relaxed) == *moves)
			return ticket;
	}
}

// Not for another head: a thread's first frame may run, its lane be freed and the head be 0 again before
// who waits has looked, and then nobody would ever move it.
// False at the deadline (axr_now_ns; UINT64_MAX for none), which is looked at before the kernel is asked only.
static int wait_for_move(struct axw_lane *o, uint32_t moves, uint64_t deadline)
{
	for (int i = 0; i < SPINS; i++) {
		if (atomic_load_explicit(&o->moves, memory_order_acquire) != moves)
			return 1;
		axr_pause();
	}
	// Pairs with axw_order_done: we count ourselves, then look; it counts the move, then looks at the count.
	atomic_fetch_add_explicit(&o->waiters, 1, memory_order_seq_cst);
	axr_full_fence();
	int late = 0;
	while (!late && atomic_load_explicit(&o->moves, memory_order_acquire) == moves) {
		struct timespec rest, *timeout = NULL;
		if (deadline != UINT64_MAX) {
			uint64_t now = axr_now_ns();
			if ((late = now >= deadline))
				break;
			rest = (struct timespec){ (time_t)((deadline - now) / 1000000000u), (long)((deadline - now) % 1000000000u) };
			timeout = &rest;
		}
		axr_futex_wait(&o->moves, moves, timeout);
	}
	atomic_fetch_sub_explicit(&o->waiters, 1, memory_order_seq_cst);
	return !late;
}

void axw_order_wait(struct axw_lane *lane, unsigned kind, uint64_t ticket)
{
	struct axw_session *s = lane->s;
	uint64_t limit = kind == AXR_POST ? ticket - 1 : ticket;
	if (limit == UINT64_MAX)
		limit--; // that number is next_post's "none"
	uint32_t used = atomic_load_explicit(&s->header->lanes_used, memory_order_acquire);

	if (used > s->lanes)
		used = s->lanes;
	for (uint32_t i = 0; i < used; i++) {
		struct axw_lane *o = &s->lane[i];
		if (i == lane->index)
			continue; // its client writes that line with every post
		uint64_t posted = atomic_load_explicit(&o->shared->posted, memory_order_acquire);
		// Two looks at words that seldom change: nearly always the end of it.
		if (posted <= lane->seen[i] || lane->seen[i] >= limit)
			continue;
		// What has run is counted on our side. (The client stores a frame's ticket in `posted` when it
		// publishes it, and nobody promises which of the two is seen first.)
		lane->seen[i] = atomic_load_explicit(&o->done, memory_order_acquire);
		if (posted <= lane->seen[i])
			continue;
		uint32_t moves;
		while (next_post(o, &moves) <= limit)
			wait_for_move(o, moves, UINT64_MAX);
	}
}

uint64_t axw_order_now(struct axw_session *s)
{
	uint64_t ticket = atomic_load_explicit(&s->header->ticket, memory_order_acquire);
	return ticket == UINT64_MAX ? ticket - 1 : ticket; // as above
}

int axw_order_posted(struct axw_session *s, uint64_t limit, uint64_t deadline)
{
	uint32_t used = atomic_load_explicit(&s->header->lanes_used, memory_order_acquire), moves;

	for (uint32_t i = 0; i < used && i < s->lanes; i++)
		while (next_post(&s->lane[i], &moves) <= limit)
			if (!wait_for_move(&s->lane[i], moves, deadline))
				return 0;
	return 1;
}

#endif

void axw_order_done(struct axw_lane *lane, uint32_t head, uint64_t posted)
{
	if (posted)
		atomic_store_explicit(&lane->done, posted, memory_order_release);
	atomic_store_explicit(&lane->head, head, memory_order_release);
	atomic_store_explicit(&lane->moves, atomic_load_explicit(&lane->moves, memory_order_relaxed) + 1, memory_order_release);
}

void axw_order_wake(struct axw_lane *lane)
{
	// The caller's fence pairs with wait_for_move's.
	if (atomic_load_explicit(&lane->waiters, memory_order_relaxed))
		axr_futex_wake(&lane->moves);
}
