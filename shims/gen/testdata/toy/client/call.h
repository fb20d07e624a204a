// SPDX-License-Identifier: Apache-2.0
//
// The client's runtime as the generated half sees it, for the toy library.
#ifndef TOY_CALL_H
#define TOY_CALL_H

#include <stddef.h>
#include <stdint.h>

#include "toy_calls.h"

#define AX_EXPORT __attribute__((visibility("default")))

struct axc_call {
	void *in, *data;
	const void *out;
	size_t out_size;
	uint32_t number;
	size_t fixed, bytes;
};

toy_result axc_begin(struct axc_call *c, uint32_t call, size_t fixed, size_t data);
toy_result axc_post(struct axc_call *c);
toy_result axc_wait(struct axc_call *c);
void axc_end(struct axc_call *c);
uint64_t axc_new(unsigned kind);
void axc_forget(unsigned kind, uint64_t name);
int axc_check(unsigned kind, uint64_t name);
#define axc_missing(result, call, kind, argument, name) (result)
toy_result axc_ready(void);
toy_result axc_refused(const char *symbol);

#endif
