// SPDX-License-Identifier: Apache-2.0
//
// A lane for each thread: claimed at the thread's first call, given back by a
// key's destructor when the thread ends.
#include "thread.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "call.h"
#include "session.h"
#include "wait.h"

#define CLOSING_MS 5000u // how long to wait for a lane of a thread that has ended, about

// Initial-exec saves a function call on every call of the program. glibc keeps
// room for a word like this in libraries that are loaded late; musl does not.
#if defined(__GLIBC__)
static _Thread_local struct axc_thread *self __attribute__((tls_model("initial-exec")));
#else
static _Thread_local struct axc_thread *self;
#endif

static pthread_key_t at_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void thread_ends(void *arg)
{
	struct axc_thread *t = arg;

	if (t->lane && axc_state() == AXC_OPEN) {
		// Its worker thread may be asleep, or about to be: who waits for the
		// doorbell sees to it that it goes.
		atomic_store_explicit(&t->lane->state, AXR_LANE_CLOSING, memory_order_release);
		atomic_fetch_add(&axc.header->doorbell, 1);
		axr_futex_wake(&axc.header->doorbell);
	}
	free(t->contexts);
	free(t);
	self = NULL;
}

static void make_key(void)
{
	pthread_key_create(&at_end, thread_ends);
}

struct axc_thread *axc_thread(void)
{
	if (__builtin_expect(self != NULL, 1))
		return self;
	pthread_once(&once, make_key);
	struct axc_thread *t = calloc(1, sizeof *t);
	if (!t || pthread_setspecific(at_end, t)) {
		free(t);
		return NULL;
	}
	return self = t;
}

void axc_thread_forked(void)
{
	if (self) {
		self->lane = NULL;
		self->depth = 0;
	}
}

// Claims lane i if it is free.
static bool claim(struct axc_thread *t, uint32_t i)
{
	struct axr_header *h = axc.header;
	struct axr_lane *lane = axr_lane_at(axc.region, i);
	uint32_t is_free = AXR_LANE_FREE;

	if (atomic_load_explicit(&lane->state, memory_order_relaxed) != AXR_LANE_FREE ||
	    !atomic_compare_exchange_strong(&lane->state, &is_free, AXR_LANE_OPEN))
		return false;
	t->ring = (uint8_t *)lane + AXR_RING_OFFSET;
	t->bulk = (uint8_t *)lane + AXR_BULK_OFFSET;
	t->tail = t->head = t->seq = t->bulk_used = t->bulk_taken = t->bulk_mark[0] = t->bulk_mark[1] = 0;
	t->lane = lane;
	uint32_t used = atomic_load(&h->lanes_used);
	while (used < i + 1 && !atomic_compare_exchange_weak(&h->lanes_used, &used, i + 1))
		;
	atomic_fetch_add(&h->doorbell, 1);
	axr_futex_wake(&h->doorbell);
	return true;
}

bool axc_thread_lane(struct axc_thread *t)
{
	struct axr_header *h = axc.header;

	for (unsigned tries = 0; tries < CLOSING_MS; tries++) {
		bool closing = false;
		for (uint32_t i = 0; i < h->lanes; i++) {
			if (claim(t, i))
				return true;
			closing |= atomic_load_explicit(&axr_lane_at(axc.region, i)->state, memory_order_relaxed) != AXR_LANE_OPEN;
		}
		if (!closing || atomic_load(&h->state) == AXR_ENDED)
			break;
		// Threads have just ended; the worker is about to free their lanes.
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	}
	axc_debug("all %u lanes are taken: too many threads use the GPU at once", h->lanes);
	return false;
}
