// SPDX-License-Identifier: Apache-2.0
//
// What the test programs share: cases by name, one process a case, because a
// broken context stays broken. `program` runs all, `program NAME` one,
// `program --list` names them. Each line says `ok NAME`, `skipped NAME: why`
// or `FAILED NAME: what`.
#ifndef AXON_TEST_CHECK_H
#define AXON_TEST_CHECK_H

#include <cuda.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *running = "?";

#define FAIL(...) \
	do { \
		printf("FAILED %s: ", running); \
		printf(__VA_ARGS__); \
		printf(" (%s:%d)\n", __FILE__, __LINE__); \
		fflush(stdout); \
		_exit(1); \
	} while (0)

#define SKIP(...) \
	do { \
		printf("skipped %s: ", running); \
		printf(__VA_ARGS__); \
		printf("\n"); \
		fflush(stdout); \
		_exit(77); \
	} while (0)

// The call must return `want`.
#define GIVES(want, call) \
	do { \
		int got_ = (int)(call); \
		if (got_ != (int)(want)) \
			FAIL("%s gave %d, not %d", #call, got_, (int)(want)); \
	} while (0)
#define OK(call) GIVES(CUDA_SUCCESS, call)
#define EQUAL(want, value) \
	do { \
		long long w_ = (long long)(want), v_ = (long long)(value); \
		if (w_ != v_) \
			FAIL("%s is %lld, not %lld", #value, v_, w_); \
	} while (0)
#define TRUE(condition) \
	do { \
		if (!(condition)) \
			FAIL("not so: %s", #condition); \
	} while (0)

struct test_case {
	const char *name;
	void (*run)(void);
};
#define CASE(f) {#f, f}

static int run_case(const struct test_case *c)
{
	fflush(stdout);
	pid_t pid = fork();
	if (pid == 0) {
		running = c->name;
		alarm(120);
		c->run();
		printf("ok %s\n", c->name);
		fflush(stdout);
		exit(0); // not _exit: leaving with a session open is part of every case
	}
	int status = 0;
	waitpid(pid, &status, 0);
	if (WIFSIGNALED(status))
		printf("FAILED %s: ended by signal %d\n", c->name, WTERMSIG(status));
	else if (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 1 && WEXITSTATUS(status) != 77)
		printf("FAILED %s: exit status %d\n", c->name, WEXITSTATUS(status));
	return WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 77) ? 0 : 1;
}

static int run_cases(const struct test_case *cases, size_t n, int argc, char **argv)
{
	int failed = 0, found = 0;
	if (argc > 1 && !strcmp(argv[1], "--list")) {
		for (size_t i = 0; i < n; i++)
			printf("%s\n", cases[i].name);
		return 0;
	}
	for (size_t i = 0; i < n; i++)
		if (argc < 2 || !strcmp(argv[1], cases[i].name)) {
			found = 1;
			failed |= run_case(&cases[i]);
		}
	if (!found)
		fprintf(stderr, "%s: no case %s\n", argv[0], argv[1]);
	return found ? failed : 2;
}

// Device 0's primary context, current.
static CUdevice device;
static inline void start(void)
{
	CUcontext context;
	// Loading a kernel waits for the device, which a case may be holding up.
	setenv("CUDA_MODULE_LOADING", "EAGER", 1);
	OK(cuInit(0));
	OK(cuDeviceGet(&device, 0));
	OK(cuDevicePrimaryCtxRetain(&context, device));
	OK(cuCtxSetCurrent(context));
}

static inline CUmodule load(const char *ptx)
{
	CUmodule module;
	OK(cuModuleLoadData(&module, ptx));
	return module;
}

static inline CUfunction function(CUmodule module, const char *name)
{
	CUfunction f;
	OK(cuModuleGetFunction(&f, module, name));
	return f;
}

#endif
