// SPDX-License-Identifier: Apache-2.0
//
// A worker that waits for its session: see warm.c.
#ifndef AXON_WORKER_WARM_H
#define AXON_WORKER_WARM_H

#include <stdint.h>

#include "cuda_api.h"
#include "session.h"
#include "snapshot.h"

// Addresses that a worker without a region keeps free for one. Sizes of 0 are none.
struct axw_room {
	uint8_t *control;
	uint64_t control_size;
	uint64_t heap_base, heap_size;
	uint64_t device_base; // what the address space was steered to
};

// Takes the room: before the vendor's library can. NULL, or why not.
const char *axw_room_take(struct axw_room *room);

// Waits for axond to hand over a region and an account. The session's number is in *number; -1: axond hung up.
int axw_region_wait(int control, uint32_t *number, int *account);

// Retains device 0's primary context, unless the device is for one process at a time.
void axw_context_hold(const struct axon_snapshot *snap);
// Has the session's calls give up the held context where the client would see it. 0 or -1.
int axw_context_watch(struct axw_session *s);

// Answers that may have changed since the snapshot was filled.
void axw_snapshot_again(struct axon_snapshot *snap);

#endif
