// SPDX-License-Identifier: Apache-2.0
//
// What a thread has: its lane and its stack of current contexts.
#ifndef AXON_THREAD_H
#define AXON_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "region.h"

struct axc_thread {
	struct axr_lane *lane; // NULL until the first call that crosses
	uint8_t *ring;
	uint8_t *bulk;
	uint32_t tail;      // bytes published, as in the lane, plus what is being filled
	uint32_t head;      // as last seen
	uint32_t seq;       // of the last waited-for frame
	uint32_t bulk_used; // the bulk area's next free byte
	uint32_t bulk_mark[2], bulk_taken; // of its halves: end of the last frame that used it; bits: the next frame does
	uint64_t *contexts; // names, the last one is current
	uint32_t depth, room;
	bool exchanging;    // managed variables (managed.c): its calls are no reason to do so again
};

// This thread's, made at first use; NULL without memory.
struct axc_thread *axc_thread(void);
// Claims a lane for it. False if all are taken.
bool axc_thread_lane(struct axc_thread *t);
// In a forked child: forget the parent's.
void axc_thread_forked(void);

// The name of the current context, 0 without.
static inline uint64_t axc_thread_context(const struct axc_thread *t)
{
	return t->depth ? t->contexts[t->depth - 1] : 0;
}

#endif
