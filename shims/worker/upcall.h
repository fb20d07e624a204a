// SPDX-License-Identifier: Apache-2.0
//
// Upcalls: the worker asks the client to do something, and waits for it. Used
// for host functions that the device's streams come to, and, where pinned
// memory is mirrored (AXR_FLAG_MIRRORED), to bring bytes over or send them back
// at the point of the stream where a copy reads or has written them:
//
//   host to device   FETCH range; copy         (the bytes as they are when the stream gets there)
//   device to host   copy; PUSH range          (before anything that waits for the stream can see it done)
//
// On a stream, FETCH and PUSH are host functions of that stream, so what the
// program queued before and after them keeps its order. A copy that the caller
// waits for asks directly.
#ifndef AXON_WORKER_UPCALL_H
#define AXON_WORKER_UPCALL_H

#include "session.h"

// Returns when the client has done it. Callable from any thread.
void axw_upcall(struct axw_session *s, uint32_t kind, uint64_t a, uint64_t b, uint64_t c, uint64_t d);

// The same in stream order: asked when the stream gets there, and the stream goes on when it is done.
CUresult axw_upcall_queued(struct axw_session *s, CUstream stream, uint32_t kind, uint64_t a, uint64_t b);

// A host function of the client's for a graph's node: what the vendor calls for it, and with what. The same pair
// gives the same again. 0, or -1 without memory.
int axw_upcall_kept(struct axw_session *s, uint64_t function, uint64_t argument, CUhostFn *fn, void **data);
// The other way round: what the client's function and argument are. -1 if that is none of these.
int axw_upcall_of(CUhostFn fn, const void *data, uint64_t *function, uint64_t *argument);

#endif
