// SPDX-License-Identifier: Apache-2.0
//
// What a call's worker half sees in the telemetry worker: its frame, a place for
// its answer, and the handles of the connection that it came from.
#ifndef AXON_TELEMETRY_CALL_H
#define AXON_TELEMETRY_CALL_H

#include <stddef.h>
#include <stdint.h>

#include "nvml_api.h"

// One program has the halves of two libraries: these are NVML's.
#define axg_fingerprint axt_fingerprint
#define axg_call_name axt_call_name
#define axg_call_posted axt_call_posted
#define axg_call_answers axt_call_answers
#define axg_call_fixed axt_call_fixed
#define axg_call_root axt_call_root
#define axg_kind_name axt_kind_name
#define axg_vendor axt_vendor
#define axg_symbols axt_symbols
#define axg_dispatch axt_dispatch
#define axg_take_open axt_take_open
#define axg_take axt_take
#define axg_take_bytes axt_take_bytes
#define axg_take_room axt_take_room
#define axg_take_close axt_take_close
#define axw_get axt_get
#define axw_put axt_put
#define axw_del axt_del
#define axw_name axt_name

struct axw_session; // of one call: whose it is, and what it holds until it has run (owner.c)

struct axw_call {
	const void *in; // the fixed part
	size_t in_size;
	const uint8_t *data; // arrays, one after the other
	size_t data_size;
	void *out;
	size_t out_max;
	size_t out_size;
	struct axw_session *s;
};

// Handles (handles.c). A kind is AXH_* of the generated nvml_calls.h.
// axw_get: 0, or -1 when there is no such object, or it is another connection's.
int axw_get(struct axw_session *s, unsigned kind, uint64_t name, void **handle);
void axw_del(struct axw_session *s, unsigned kind, uint64_t name);
// axw_name: 0 when there is none, as for a GPU that was lost.
uint64_t axw_name(struct axw_session *s, unsigned kind, void *handle);

#define axw_own(result) (result)
static inline void axw_argument(const char *argument) { (void)argument; }

#endif
