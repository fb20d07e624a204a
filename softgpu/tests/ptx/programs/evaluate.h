/* SPDX-License-Identifier: Apache-2.0
 *
 * A few instructions as a kernel of their own. */
#ifndef AXON_SOFTGPU_TESTS_PTX_EVALUATE_H
#define AXON_SOFTGPU_TESTS_PTX_EVALUATE_H

#include "bench.h"

/* A kernel around `body`. Its inputs a, b, c, d are in %rd1.. (and, cut, in %r1.. and %h1.., and as predicates in
 * %p1..); `kind` says where it leaves its result: 'd' in %rd0, 'r' in %r0, 'h' in %h0, 'p' in %p0. */
struct evaluator {
	struct device device;
	uint64_t *in, *out;
};
void evaluator_open(struct evaluator *, const char *body, char kind);
uint64_t evaluate(struct evaluator *, uint64_t a, uint64_t b, uint64_t c, uint64_t d);
void evaluator_close(struct evaluator *);
/* All of it once. */
uint64_t once(const char *body, char kind, uint64_t a, uint64_t b, uint64_t c, uint64_t d);

#endif
