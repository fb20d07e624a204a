// SPDX-License-Identifier: Apache-2.0
//
// What the programs here share: a call that has to give a result, or the program says which one did not.
#ifndef AXON_TESTS_NVML_CHECK_H
#define AXON_TESTS_NVML_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#include "nvml_api.h"

#define GIVES(result, call) \
	do { \
		nvmlReturn_t r_ = (call); \
		if (r_ != (result)) { \
			fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, nvmlErrorString(r_)); \
			exit(1); \
		} \
	} while (0)
#define WORKS(call) GIVES(NVML_SUCCESS, call)
#define MUST(x) \
	do { \
		if (!(x)) { \
			fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #x); \
			exit(1); \
		} \
	} while (0)

#endif
