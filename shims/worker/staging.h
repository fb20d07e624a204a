// SPDX-License-Identifier: Apache-2.0
//
// A lane's bulk area as pinned memory, and the copies that still read it.
#ifndef AXON_WORKER_STAGING_H
#define AXON_WORKER_STAGING_H

#include "session.h"

#define AXW_STAGED_LEAST 0x40000u // bytes of a copy for which it pays
#define AXW_STAGED_PIECE 0x100000u // bytes that are told of at once on the way down

// The address by which the device's engines read and write [p, p+bytes) of the lane's bulk area. NULL: not to be had, the
// copy must be made from p itself, which is pageable memory to the vendor's library.
void *axw_staging_at(struct axw_lane *l, const void *p, size_t bytes);

// 1 when a copy on the stream would start at once, or behind copies of this lane's alone. Another one may have to wait for
// the program's own next calls, and must not hold the bulk area meanwhile.
int axw_staging_free(struct axw_lane *l, CUstream stream);

// After an asynchronous copy that reads the bulk of the frame that runs now: the client is told that the frame is finished
// with when the copy is.
CUresult axw_staging_add(struct axw_lane *l, CUstream stream);

// How far the client may be told that its ring is finished with, when frames up to head have run.
uint32_t axw_staging_told(struct axw_lane *l, uint32_t head);
int axw_staging_busy(const struct axw_lane *l);

// Waits for all of them.
void axw_staging_drain(struct axw_lane *l);

// Brings n bytes of the device to `to`, which axw_staging_at gave, and tells the client of each piece (seq is its frame's).
// All there when it returns.
CUresult axw_staging_down(struct axw_lane *l, void *to, CUdeviceptr from, size_t n, CUstream stream, uint32_t seq);

// The lane closes and nothing is under way.
void axw_staging_end(struct axw_lane *l);

#endif
