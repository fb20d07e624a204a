// SPDX-License-Identifier: Apache-2.0
//
// The worker's runtime as the generated half sees it, for the toy library.
#ifndef TOY_WORKER_CALL_H
#define TOY_WORKER_CALL_H

#include <stddef.h>
#include <stdint.h>

#include "toy_api.h"

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

int axw_get(struct axw_session *s, unsigned kind, uint64_t name, void **handle);
int axw_put(struct axw_session *s, unsigned kind, uint64_t name, void *handle);
void axw_del(struct axw_session *s, unsigned kind, uint64_t name);
uint64_t axw_name(struct axw_session *s, unsigned kind, void *handle);

#define axw_own(result) (result)
static inline void axw_argument(const char *argument) { (void)argument; }

#endif
