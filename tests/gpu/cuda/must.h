// SPDX-License-Identifier: Apache-2.0
//
// How the programs here give up: what failed, where, and with which error.
// They print what must be the same on every libcuda, and end with 77 where a
// machine cannot run them.
#ifndef AXON_GPU_MUST_H
#define AXON_GPU_MUST_H

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define MUST(call) \
	do { \
		cudaError_t must_ = (call); \
		if (must_ != cudaSuccess) { \
			fprintf(stderr, "%s: %s (%s:%d)\n", #call, cudaGetErrorName(must_), __FILE__, __LINE__); \
			exit(1); \
		} \
	} while (0)

#define CANNOT(why) \
	do { \
		fprintf(stderr, "%s\n", why); \
		exit(77); \
	} while (0)

#endif
