// SPDX-License-Identifier: Apache-2.0
//
// The session: this process's region, its socket to axond, what the worker
// told it at the start. One a process, opened by cuInit and never closed: the
// kernel does that when the process ends, so nothing can go wrong at exit.
#ifndef AXON_SESSION_H
#define AXON_SESSION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "cuda_api.h"
#include "region.h"
#include "snapshot.h"

enum axc_state {
	AXC_CLOSED = 0, // cuInit has not succeeded
	AXC_OPEN = 1,
	AXC_FORKED = 2, // the parent's session: nothing of it may be used here
};

struct axc_session {
	_Atomic int *_Atomic state; // axc_state, in a page that a child finds wiped: no handler of fork's hears of a bare clone
	bool sync;     // AXON_SYNC: wait for every call
	bool mirrored; // pinned memory is not shared with the device: a relay is in between
	unsigned cpus;
	uint8_t *region;
	struct axr_header *header;
	uint8_t *heap; // pinned memory, at the same address in the worker
	uint64_t heap_size;
	const struct axon_snapshot *snapshot;
};

extern struct axc_session axc;

static inline int axc_state(void)
{
	return atomic_load_explicit(atomic_load_explicit(&axc.state, memory_order_acquire), memory_order_acquire);
}

// Opens the session if it is not open. Returns what cuInit returns.
CUresult axc_open(void);

// Another connection to axond, for what is no session's; the caller's to close. -1 if there is nobody.
int axc_session_dial(void);

// Sends the worker a descriptor, through axond, under a number. The caller's to
// close. False if it cannot be sent.
bool axc_session_pass(uint64_t number, int fd);

// Looks whether axond is gone, for who has waited for long: axond and the
// worker can be killed together, and then nobody marks the region. If so it is
// marked here. True if it is.
bool axc_session_lost(void);

// Whether address lies in the pinned heap, all `bytes` of it.
static inline bool axc_in_heap(const void *address, uint64_t bytes)
{
	uint64_t at = (uint64_t)(uintptr_t)address - (uint64_t)(uintptr_t)axc.heap;
	return axc.heap && at < axc.heap_size && bytes <= axc.heap_size - at;
}

#endif
