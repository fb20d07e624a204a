// SPDX-License-Identifier: Apache-2.0
//
// From a process's start to its first kernel's result, and the memory that the
// driver's library takes of the process: opened by dlopen, so that what it adds
// can be told from what was there.
//
// Each line that it reads is a round: it starts itself again as
// `start --first`, waits for the kernel's result in it and prints
// start_to_first_kernel<TAB>MS<TAB>ms, then `done`.
// `start --hold` runs the first kernel, prints RSS before and after in KiB and
// `done`, and stays until its input ends, to be looked at.
#include <cuda_api.h>
#include <dlfcn.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static const char ptx[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".visible .entry put(.param .u64 p)\n{\n"
	"  .reg .b32 %r<2>; .reg .b64 %rd<3>;\n"
	"  ld.param.u64 %rd1, [p];\n"
	"  cvta.to.global.u64 %rd2, %rd1;\n"
	"  mov.u32 %r1, 42;\n"
	"  st.global.u32 [%rd2], %r1;\n"
	"  ret;\n}\n";

static void *driver;

static void *symbol(const char *name)
{
	void *f = dlsym(driver, name);
	if (f)
		return f;
	fprintf(stderr, "start: libcuda.so.1 has no %s\n", name);
	exit(1);
}

#define MUST(name, ...) \
	do { \
		int r_ = ((__typeof__(&name))symbol(#name))(__VA_ARGS__); \
		if (r_) { \
			fprintf(stderr, "start: %s gave %d\n", #name, r_); \
			exit(1); \
		} \
	} while (0)

static void first_kernel(void)
{
	CUdevice device;
	CUcontext context;
	CUmodule module;
	CUfunction kernel;
	CUdeviceptr p;
	unsigned got = 0;

	driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
	if (!driver) {
		fprintf(stderr, "start: %s\n", dlerror());
		exit(1);
	}
	MUST(cuInit, 0);
	MUST(cuDeviceGet, &device, 0);
	MUST(cuDevicePrimaryCtxRetain, &context, device);
	MUST(cuCtxSetCurrent, context);
	MUST(cuModuleLoadData, &module, ptx);
	MUST(cuModuleGetFunction, &kernel, module, "put");
	MUST(cuMemAlloc_v2, &p, 4096);
	void *arguments[] = {&p};
	MUST(cuLaunchKernel, kernel, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL);
	MUST(cuMemcpyDtoH_v2, &got, p, sizeof got);
	if (got != 42) {
		fprintf(stderr, "start: the kernel wrote %u, not 42\n", got);
		exit(1);
	}
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static long resident(void) // KiB
{
	long kib = -1;
	char line[256];
	FILE *f = fopen("/proc/self/status", "r");
	while (f && fgets(line, sizeof line, f))
		sscanf(line, "VmRSS: %ld kB", &kib);
	if (f)
		fclose(f);
	return kib;
}

static double one_start(char *self)
{
	int out[2];
	char *args[] = {self, "--first", NULL}, byte;
	posix_spawn_file_actions_t actions;
	pid_t child;
	if (pipe(out) || posix_spawn_file_actions_init(&actions) ||
	    posix_spawn_file_actions_adddup2(&actions, out[1], 1) || posix_spawn_file_actions_addclose(&actions, out[0]) ||
	    posix_spawn_file_actions_addclose(&actions, out[1])) {
		perror("start");
		exit(1);
	}
	double t = now();
	if (posix_spawn(&child, "/proc/self/exe", &actions, NULL, args, environ)) {
		fprintf(stderr, "start: cannot start itself\n");
		exit(1);
	}
	close(out[1]);
	ssize_t n = read(out[0], &byte, 1);
	t = now() - t;
	int status = -1;
	waitpid(child, &status, 0);
	close(out[0]);
	posix_spawn_file_actions_destroy(&actions);
	if (n != 1 || status) {
		fprintf(stderr, "start: the program that was started failed (status %d)\n", status);
		exit(1);
	}
	return t;
}

int main(int argc, char **argv)
{
	char line[64];
	if (argc > 1 && !strcmp(argv[1], "--first")) {
		first_kernel();
		return write(1, "k", 1) == 1 ? 0 : 1;
	}
	if (argc > 1 && !strcmp(argv[1], "--hold")) {
		// Once before: reading a file takes memory of its own.
		resident();
		long before = resident();
		first_kernel();
		printf("rss_before\t%ld\tKiB\n", before);
		printf("rss_after\t%ld\tKiB\ndone\n", resident());
		fflush(stdout);
		while (fgets(line, sizeof line, stdin))
			;
		return 0;
	}
	while (fgets(line, sizeof line, stdin)) {
		printf("start_to_first_kernel\t%.4f\tms\ndone\n", one_start(argv[0]));
		fflush(stdout);
	}
	return 0;
}
