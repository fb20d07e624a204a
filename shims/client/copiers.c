// SPDX-License-Identifier: Apache-2.0
//
// Up to three threads that help with long copies between the program's memory
// and the region: one processor moves fewer bytes a second than the device's
// bus does. They start with the first copy that is long enough and sleep
// between copies. A forked child has none, and no session that would need them.
//
// One copy at a time is shared. `claim` says which and how much of it is left:
// its number in the upper half, parts not yet taken in the lower. Who takes a
// part by compare and swap knows that the copy's description stands until the
// part is counted as done.
#include "copiers.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "session.h"
#include "wait.h"

#define PART 0x20000u // bytes
#define MOST 3u
#define LOOK_NS 50000u // before going to sleep: the next piece of the same copy comes soon

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
static unsigned helpers;
static bool started;

static uint8_t *to;
static const uint8_t *from;
static size_t bytes;
static _Atomic uint64_t claim;
static _Atomic uint32_t number; // of the copy, again: what helpers sleep on
static _Atomic uint32_t asleep, done;

static void take_parts(void)
{
	uint64_t c = atomic_load_explicit(&claim, memory_order_acquire);
	while ((uint32_t)c) {
		if (!atomic_compare_exchange_weak_explicit(&claim, &c, c - 1, memory_order_acq_rel, memory_order_acquire))
			continue;
		size_t at = ((uint32_t)c - 1) * (size_t)PART;
		memcpy(to + at, from + at, bytes - at < PART ? bytes - at : PART);
		atomic_fetch_add_explicit(&done, 1, memory_order_release);
		c = atomic_load_explicit(&claim, memory_order_acquire);
	}
}

static void *help(void *unused)
{
	uint32_t seen = 0;
	(void)unused;
	for (;;) {
		uint32_t now;
		uint64_t until = axr_now_ns() + LOOK_NS;
		while ((now = atomic_load_explicit(&number, memory_order_acquire)) == seen) {
			for (int i = 0; i < 64; i++)
				axr_pause();
			if (axr_now_ns() < until)
				continue;
			atomic_fetch_add(&asleep, 1);
			axr_full_fence(); // pairs with axc_copy's, between number and asleep
			if (atomic_load(&number) == seen)
				axr_futex_wait(&number, seen, NULL);
			atomic_fetch_sub(&asleep, 1);
			until = axr_now_ns() + LOOK_NS;
		}
		seen = now;
		take_parts();
	}
	return NULL;
}

static void start(void)
{
	unsigned wanted = axc.cpus > 2 ? axc.cpus - 2 : 0;
	pthread_t thread;
	sigset_t all, before;

	started = true;
	// The program's signals are for the program's threads.
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	while (helpers < (wanted < MOST ? wanted : MOST) && !pthread_create(&thread, NULL, help, NULL)) {
		pthread_detach(thread);
		helpers++;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void axc_copy(void *to_, const void *from_, size_t bytes_, bool together)
{
	if (!together || bytes_ < 4 * PART || axc.cpus <= 2 || pthread_mutex_trylock(&one)) {
		memcpy(to_, from_, bytes_);
		return;
	}
	if (!started)
		start();
	uint32_t parts = (uint32_t)((bytes_ + PART - 1) / PART), n = atomic_load_explicit(&number, memory_order_relaxed) + 1;
	to = to_;
	from = from_;
	bytes = bytes_;
	atomic_store_explicit(&done, 0, memory_order_relaxed);
	atomic_store_explicit(&claim, (uint64_t)n << 32 | parts, memory_order_release);
	atomic_store_explicit(&number, n, memory_order_release);
	axr_full_fence();
	if (helpers && atomic_load_explicit(&asleep, memory_order_relaxed))
		axr_futex_wake(&number);
	take_parts();
	while (atomic_load_explicit(&done, memory_order_acquire) != parts)
		axr_pause();
	pthread_mutex_unlock(&one);
}
