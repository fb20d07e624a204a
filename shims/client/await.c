// SPDX-License-Identifier: Apache-2.0
#include "await.h"

#include "session.h"
#include "wait.h"

#define WAKE_NS 50000u   // before a thread runs that was woken
#define LATE_NS 1000000u // an answer that is later is slept for
#define NAP_NS 1000000000u // what takes longer is slept for, as all that is: then 50 us are nothing

bool axc_ended(void)
{
	return atomic_load_explicit(&axc.header->state, memory_order_acquire) == AXR_ENDED;
}

// Threads that are spinning now: past the number of processors spinning only
// keeps the one who would answer from running.
static _Atomic uint32_t spinning;

bool axc_sleep_until_change(struct axr_lane *lane, _Atomic uint32_t *word, uint32_t seen)
{
	for (;;) {
		// Marking the end wakes every sleeper; the time limit is for an axond
		// and a worker that were killed and could not.
		const struct timespec second = {.tv_sec = 1};
		atomic_store(&lane->client_asleep, 1);
		axr_full_fence(); // pairs with the worker's, between its word and client_asleep
		bool changed = atomic_load_explicit(word, memory_order_acquire) != seen;
		if (!changed && !axc_ended())
			axr_futex_wait(word, seen, &second);
		atomic_store_explicit(&lane->client_asleep, 0, memory_order_relaxed);
		if (changed || atomic_load_explicit(word, memory_order_acquire) != seen)
			return true;
		if (axc_ended() || axc_session_lost())
			return false;
	}
}

bool axc_wait_change(struct axr_lane *lane, _Atomic uint32_t *word, uint32_t seen)
{
	if (axc.cpus > 1 && atomic_fetch_add_explicit(&spinning, 1, memory_order_relaxed) < axc.cpus) {
		// The clock costs as much as a few looks: ask it now and then.
		uint64_t until = 0;
		for (unsigned i = 1;; i++) {
			if (atomic_load_explicit(word, memory_order_acquire) != seen) {
				atomic_fetch_sub_explicit(&spinning, 1, memory_order_relaxed);
				return true;
			}
			if (i % AXR_LOOKS)
				continue;
			axr_pause();
			if (i % (8 * AXR_LOOKS) == 0) {
				uint64_t now = axr_now_ns();
				if (!until)
					until = now + AXC_SPIN_NS;
				else if (now > until)
					break;
			}
		}
	}
	if (axc.cpus > 1)
		atomic_fetch_sub_explicit(&spinning, 1, memory_order_relaxed);
	return axc_sleep_until_change(lane, word, seen);
}

// The thread is awake again some 50 us before the answer is due: to be woken takes about that long on a virtual
// machine, 2 % of a copy of 256 MiB. Looks at the answer then, but no longer than a part of what was expected.
void axc_wait_expected(struct axr_lane *lane, uint32_t seq, uint64_t expected)
{
	uint64_t begin = axr_now_ns(), nap = expected - expected / 16, until = begin + expected + expected / 8;
	uint32_t seen = atomic_load_explicit(&lane->replied, memory_order_acquire);

	if (axc.cpus < 2 || seen == seq || nap > NAP_NS)
		return;
	nap = nap > WAKE_NS ? nap - WAKE_NS : 0;
	until = until > begin + expected + LATE_NS ? begin + expected + LATE_NS : until;
	if (nap > WAKE_NS) {
		atomic_store(&lane->client_asleep, 1);
		axr_full_fence(); // as in axc_sleep_until_change
		// A signal ends a wait before its time.
		for (uint64_t now; atomic_load_explicit(&lane->replied, memory_order_acquire) == seen && !axc_ended() && (now = axr_now_ns()) < begin + nap;) {
			const struct timespec rest = {.tv_nsec = (long)(begin + nap - now) % 1000000000};
			axr_futex_wait(&lane->replied, seen, &rest);
		}
		atomic_store_explicit(&lane->client_asleep, 0, memory_order_relaxed);
	}
	if (atomic_fetch_add_explicit(&spinning, 1, memory_order_relaxed) < axc.cpus)
		while (atomic_load_explicit(&lane->replied, memory_order_acquire) == seen && axr_now_ns() < until && !axc_ended())
			for (unsigned i = 0; i < AXR_LOOKS && atomic_load_explicit(&lane->replied, memory_order_acquire) == seen; i++)
				axr_pause();
	atomic_fetch_sub_explicit(&spinning, 1, memory_order_relaxed);
}
