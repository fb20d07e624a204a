// SPDX-License-Identifier: Apache-2.0
//
// What a call's worker half sees: its frame, already checked and out of the
// client's reach, a place for its answer, and the session's handles. The
// generated halves (build/gen/cuda_worker.c) and the hand-written ones here
// use the same.
#ifndef AXON_WORKER_CALL_H
#define AXON_WORKER_CALL_H

#include <stddef.h>
#include <stdint.h>

#include "cuda_api.h"

struct axw_session;
struct axw_lane;

struct axw_call {
	const void *in; // the fixed part: a private copy
	size_t in_size;
	const uint8_t *data; // arrays, one after the other; private up to AXW_PRIVATE bytes, above that shared
	size_t data_size;
	void *out; // private; copied into the reply after the call
	size_t out_max;
	size_t out_size;
	struct axw_session *s;

	// Below: for hand-written halves.
	struct axw_lane *lane;
	uint8_t *bulk_out; // shared with the client; NULL without
	size_t bulk_out_size;
	int waits; // 1: the client waits for the answer, 0: posted
	uint32_t seq; // of a call that is waited for
};

// Handles. A kind is AXH_* of the generated cuda_calls.h.
// axw_get: 0, or -1 when there is no such object. 0 is always NULL.
int axw_get(struct axw_session *s, unsigned kind, uint64_t name, void **handle);
// axw_put: an object under the name that the client chose. 0, or -1 when that name is taken or is no name for one.
int axw_put(struct axw_session *s, unsigned kind, uint64_t name, void *handle);
void axw_del(struct axw_session *s, unsigned kind, uint64_t name);
// axw_name: the name of a handle, made up if it has none. 0 for NULL or when names ran out.
uint64_t axw_name(struct axw_session *s, unsigned kind, void *handle);
// axw_known: the name of a handle, 0 if it has none.
uint64_t axw_known(struct axw_session *s, unsigned kind, void *handle);

// axw_name_new: of an object that was made just now. Unlike axw_name it never takes the handle for one that ended
// at that address and whose end another thread has not told us of yet.
uint64_t axw_name_new(struct axw_session *s, unsigned kind, void *handle);

// An error of the worker's own making: noted, so that who debugs can tell it from the vendor's (trace.c).
// It is the result, a constant.
#define axw_own(result) (axw_own_note((result), __func__, __LINE__), (result))
__attribute__((cold)) void axw_own_note(CUresult result, const char *where, int line);
// Which argument the name was that axw_get has just not found.
__attribute__((cold)) void axw_argument(const char *argument);

typedef CUresult (*axw_function)(struct axw_call *w);

#endif
