// SPDX-License-Identifier: Apache-2.0
//
// Waiting on a word of the region: a short spin, then the kernel. The rule
// that makes sleeping safe, for both sides and every word:
//
//   sleeper:   asleep = 1;  fence;  if word unchanged: futex_wait(word);  asleep = 0
//   publisher: word = new;  fence;  if asleep: futex_wake(word)
//
// Both fences order a store before a load of another word (StoreLoad), which
// release and acquire do not: without them both can miss each other and the
// sleeper sleeps for ever.
#ifndef AXON_WAIT_H
#define AXON_WAIT_H

#include <errno.h>
#include <linux/futex.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Who spins looks at the word so many times before it pauses once. A virtual
// machine's processor that pauses every few cycles may be taken for one that
// waits for a lock, and be stopped ("pause-loop exiting": gaps below 128 cycles,
// for 4096 of them), which a call of 8 us is long enough for.
#define AXR_LOOKS 32

static inline void axr_pause(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("isb" ::: "memory"); // yield is a no-op on most cores, isb gives the line time to arrive
#endif
}

// ThreadSanitizer does not know fences; to it, a read-modify-write of the word says the same.
static inline void axr_full_fence(void)
{
#ifdef AXR_TSAN
	static _Atomic uint32_t fence;
	atomic_fetch_add_explicit(&fence, 1, memory_order_seq_cst);
#else
	atomic_thread_fence(memory_order_seq_cst);
#endif
}

// Not FUTEX_PRIVATE: the word is shared between processes. Returns 0, or a negative errno.
static inline int axr_futex_wait(_Atomic uint32_t *word, uint32_t seen, const struct timespec *timeout)
{
	return syscall(SYS_futex, word, FUTEX_WAIT, seen, timeout, NULL, 0) < 0 ? -errno : 0;
}

static inline void axr_futex_wake(_Atomic uint32_t *word)
{
	int saved = errno;
	syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
	errno = saved;
}

static inline uint64_t axr_now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#endif
