/* SPDX-License-Identifier: Apache-2.0
 *
 * The plain GPU's side of a call: the generated worker half takes the frame apart and calls a function here, as the
 * telemetry worker calls the vendor's. The library has both generated halves: these are the names of this one's tables.
 */
#ifndef AXON_SOFTGPU_NVML_CALL_H
#define AXON_SOFTGPU_NVML_CALL_H

#include <stddef.h>
#include <stdint.h>

#include "nvml_api.h"

#define axg_fingerprint plain_fingerprint
#define axg_call_name plain_call_name
#define axg_call_posted plain_call_posted
#define axg_call_answers plain_call_answers
#define axg_call_fixed plain_call_fixed
#define axg_call_root plain_call_root
#define axg_kind_name plain_kind_name
#define axg_vendor plain_vendor
#define axg_symbols plain_symbols
#define axg_dispatch plain_dispatch
#define axg_take_open plain_take_open
#define axg_take plain_take
#define axg_take_bytes plain_take_bytes
#define axg_take_room plain_take_room
#define axg_take_close plain_take_close

struct axw_session;

struct axw_call {
	const void *in;
	size_t in_size;
	const uint8_t *data;
	size_t data_size;
	void *out;
	size_t out_max;
	size_t out_size;
	struct axw_session *s;
};

/* A handle is a number, and the number its name. */
int axw_get(struct axw_session *s, unsigned kind, uint64_t name, void **handle);
void axw_del(struct axw_session *s, unsigned kind, uint64_t name);
uint64_t axw_name(struct axw_session *s, unsigned kind, void *handle);

#define axw_own(result) (result)
static inline void axw_argument(const char *argument) { (void)argument; }

#endif
