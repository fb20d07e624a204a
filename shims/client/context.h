// SPDX-License-Identifier: Apache-2.0
//
// Contexts, as the client knows them: which one is current is a thing of the
// client's threads, so nothing here needs an answer but making and ending one.
#ifndef AXON_CLIENT_CONTEXT_H
#define AXON_CLIENT_CONTEXT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "cuda_api.h"

struct axc_stored;

#define AXC_LIMITS 16 // CUlimit's values are less

// A limit as the driver told it (ctxlimit.c).
struct axc_limit {
	_Atomic unsigned life; // epoch + 1 of the context that it was asked of; 0: not known
	_Atomic size_t value;
};

struct axc_context {
	uint64_t name;
	uint64_t id; // cuCtxGetId
	CUdevice device;
	_Atomic unsigned flags;
	unsigned api_version;
	bool primary;
	int retained;      // of a primary one, under the lock
	int attached;      // of another: how often cuCtxAttach was called more than cuCtxDetach, under the lock
	_Atomic bool live; // exists in the worker
	_Atomic unsigned epoch; // of a primary one: how often it came to be
	struct axc_limit limits[AXC_LIMITS];
	struct axc_stored *stored; // context-local storage, under its lock
};

// The record of a handle, NULL if it is no context.
struct axc_context *axc_context_of(CUcontext ctx);
// The calling thread's current one, NULL without.
struct axc_context *axc_context_current(void);
// The device's primary context, neither retained nor made active.
CUresult axc_context_primary(CUdevice dev, struct axc_context **out);

// storage.c: runs the destructors of what was stored with the context.
void axc_storage_end(struct axc_context *c);

#endif
