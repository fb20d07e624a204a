// SPDX-License-Identifier: Apache-2.0
//
// A frame from the client's ring, checked.
#ifndef AXON_WORKER_FRAME_H
#define AXON_WORKER_FRAME_H

#include <stddef.h>
#include <stdint.h>

#include "region.h"

struct axw_frame {
	struct axr_frame head; // a private copy: the client may change its own at any time. For a pad, only kind.
	const uint8_t *fixed;  // in the ring
	const uint8_t *data;   // in the ring, or NULL when it is in bulk
	uint32_t step;         // bytes by which the ring's head moves past it
};

// axw_frame_read takes the frame at `head` of a ring in which `pending` bytes are published. NULL, or what is
// wrong with it, in words. head must be a multiple of 16.
const char *axw_frame_read(const uint8_t *ring, uint32_t head, uint32_t pending, struct axw_frame *f);

// A frame that came beside its tail, and the client's bytes of it.
struct axw_request {
	struct axw_frame frame;
	struct axr_request copy; // but for its end
};

// axw_frame_request takes the one frame of `pending` bytes that `tail` has published, if it is in q: 1, or 0, and then
// it has to be read from the ring.
int axw_frame_request(const struct axr_request *q, uint32_t tail, uint32_t pending, struct axw_request *r);

// axw_frame_peek says how many posts the first pending frame must follow: its ticket if it is a post, UINT64_MAX
// if it is nothing to wait for (nothing there, a waited-for call, nonsense). For other threads than the lane's own:
// what it reads may be overwritten meanwhile, which the caller finds out by looking at the lane's head again.
uint64_t axw_frame_peek(const uint8_t *ring, uint32_t head, uint32_t pending);

#endif
