/* SPDX-License-Identifier: Apache-2.0
 *
 * What a test program of the driver is made of: cases that run one after the other, each in a fresh primary context, and
 * checks that say what was expected. They use nothing but the driver API, so that they can be run on another vendor's
 * driver as well: a case that knows softgpu's own sizes asks on_softgpu() first.
 */
#ifndef AXON_SOFTGPU_CHECK_H
#define AXON_SOFTGPU_CHECK_H

#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cuda_api.h"

static int failures;

static inline void fail(const char *file, int line, const char *what, long long got, long long wanted)
{
	printf("%s:%d: %s: got %lld, wanted %lld\n", file, line, what, got, wanted);
	failures++;
}

#define IS(call, wanted) \
	do { \
		long long got_ = (long long)(call), wanted_ = (long long)(wanted); \
		if (got_ != wanted_) \
			fail(__FILE__, __LINE__, #call, got_, wanted_); \
	} while (0)
#define OK(call) IS(call, CUDA_SUCCESS)
#define TRUE(condition) IS(!!(condition), 1)

struct test { const char *name; void (*run)(void); };

static inline int on_softgpu(void)
{
	char name[64] = "";
	return !cuDeviceGetName(name, sizeof name, 0) && !strcmp(name, "axon softgpu");
}

static inline int run_tests(const struct test *tests, size_t count, int argc, char **argv,
			    void (*before_each)(void))
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	OK(cuInit(0));
	for (size_t i = 0; i < count; i++) {
		CUcontext ctx = NULL;
		int failed = failures;
		if (argc > 1 && !strstr(tests[i].name, argv[1]))
			continue;
		OK(cuDevicePrimaryCtxRetain(&ctx, 0));
		OK(cuCtxSetCurrent(ctx));
		if (before_each)
			before_each();
		tests[i].run();
		OK(cuCtxSetCurrent(NULL));
		OK(cuDevicePrimaryCtxReset_v2(0));
		OK(cuDevicePrimaryCtxRelease_v2(0));
		printf("%s %s\n", failures == failed ? "ok  " : "FAIL", tests[i].name);
	}
	return failures != 0;
}
#define RUN(tests) run_tests(tests, sizeof(tests) / sizeof *(tests), argc, argv, NULL)

#endif
