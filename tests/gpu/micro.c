// SPDX-License-Identifier: Apache-2.0
//
// What single calls of the driver API cost: launches, allocations, copies.
// Written to the driver API alone, so that it runs on the vendor's library and
// through axon alike: LD_LIBRARY_PATH says which.
//
// Each line that it reads is a round: it measures everything once, prints
// NAME<TAB>VALUE<TAB>UNIT a line and then `done`. At the end of its input it
// ends. `micro --once [BYTES]` measures once, with copies of that size.
// tests/gpu/measure drives two of it in turn.
#include <cuda.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char ptx[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".visible .entry empty()\n{\n  ret;\n}\n";

static void must(CUresult r, const char *call)
{
	if (r == CUDA_SUCCESS)
		return;
	const char *name = "an unknown error";
	cuGetErrorName(r, &name);
	fprintf(stderr, "micro: %s: %s\n", call, name);
	exit(1);
}
#define MUST(call) must(call, #call)

static double now(void) // seconds
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void say(const char *name, double value, const char *unit)
{
	printf("%s\t%.9g\t%s\n", name, value, unit);
}

static CUfunction kernel;

static void launch(void)
{
	MUST(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
}

static void launches(void)
{
	enum { BURST = 1000, ROW = 20000, EACH = 2000 };
	MUST(cuCtxSynchronize());
	double t = now();
	for (int i = 0; i < BURST; i++)
		launch();
	say("launch_burst_1000", (now() - t) * 1e6, "us");
	MUST(cuCtxSynchronize());

	t = now();
	for (int i = 0; i < ROW; i++)
		launch();
	MUST(cuCtxSynchronize());
	say("launch_row_20000", (now() - t) * 1e6 / ROW, "us");

	t = now();
	for (int i = 0; i < EACH; i++) {
		launch();
		MUST(cuCtxSynchronize());
	}
	say("launch_then_sync", (now() - t) * 1e6 / EACH, "us");
}

static void allocations(void)
{
	enum { EACH = 500 };
	CUdeviceptr p;
	MUST(cuMemAlloc(&p, 1 << 20));
	MUST(cuMemFree(p));
	double t = now();
	for (int i = 0; i < EACH; i++) {
		MUST(cuMemAlloc(&p, 1 << 20));
		MUST(cuMemFree(p));
	}
	say("alloc_free_1MiB", (now() - t) * 1e6 / EACH, "us");
}

static void small_copies(void)
{
	enum { EACH = 2000 };
	CUdeviceptr p;
	uint32_t word = 1;
	MUST(cuMemAlloc(&p, sizeof word));
	MUST(cuMemcpyHtoD(p, &word, sizeof word));
	MUST(cuCtxSynchronize());
	double t = now();
	for (int i = 0; i < EACH; i++)
		MUST(cuMemcpyHtoD(p, &word, sizeof word));
	MUST(cuCtxSynchronize()); // a copy may be on its way when the call returns
	say("copy_up_4", (now() - t) * 1e6 / EACH, "us");
	t = now();
	for (int i = 0; i < EACH; i++)
		MUST(cuMemcpyDtoH(&word, p, sizeof word));
	say("copy_down_4", (now() - t) * 1e6 / EACH, "us");
	MUST(cuMemFree(p));
}

// Copies `bytes` up and down `times` times each, from the same memory, and checks what came back.
static void large_copies(const char *kind, unsigned char *host, size_t bytes, CUdeviceptr p, int times)
{
	char name[64];
	double best_up = 0, best_down = 0;
	for (int i = 0; i < times; i++) {
		host[0] = (unsigned char)(i + 1);
		host[bytes - 1] = (unsigned char)(i + 2);
		double t = now();
		MUST(cuMemcpyHtoD(p, host, bytes));
		MUST(cuCtxSynchronize());
		double up = (double)bytes / (now() - t) * 1e-9;
		host[0] = host[bytes - 1] = 0;
		t = now();
		MUST(cuMemcpyDtoH(host, p, bytes));
		double down = (double)bytes / (now() - t) * 1e-9;
		if (host[0] != (unsigned char)(i + 1) || host[bytes - 1] != (unsigned char)(i + 2)) {
			fprintf(stderr, "micro: a copy of %zu bytes came back wrong\n", bytes);
			exit(1);
		}
		best_up = up > best_up ? up : best_up;
		best_down = down > best_down ? down : best_down;
	}
	snprintf(name, sizeof name, "%s_up_256MiB", kind);
	say(name, best_up, "GB/s");
	snprintf(name, sizeof name, "%s_down_256MiB", kind);
	say(name, best_down, "GB/s");
}

int main(int argc, char **argv)
{
	CUdevice device;
	CUcontext context;
	CUmodule module;
	CUdeviceptr p;
	void *pinned;
	int once = argc > 1 && !strcmp(argv[1], "--once");
	size_t bytes = once && argc > 2 ? strtoull(argv[2], NULL, 0) : (size_t)256 << 20;
	if (bytes < 2) {
		fprintf(stderr, "micro: --once takes a number of bytes, 2 or more\n");
		return 2;
	}

	MUST(cuInit(0));
	MUST(cuDeviceGet(&device, 0));
	MUST(cuDevicePrimaryCtxRetain(&context, device));
	MUST(cuCtxSetCurrent(context));
	MUST(cuModuleLoadData(&module, ptx));
	MUST(cuModuleGetFunction(&kernel, module, "empty"));
	MUST(cuMemAlloc(&p, bytes));
	MUST(cuMemAllocHost(&pinned, bytes));
	unsigned char *pageable = malloc(bytes);
	if (!pageable) {
		fprintf(stderr, "micro: no memory for copies of %zu bytes\n", bytes);
		return 1;
	}
	memset(pageable, 1, bytes);
	memset(pinned, 1, bytes);
	for (int i = 0; i < 100; i++)
		launch();
	MUST(cuCtxSynchronize());

	char line[64];
	while (once || fgets(line, sizeof line, stdin)) {
		launches();
		allocations();
		small_copies();
		large_copies("pinned", pinned, bytes, p, 3);
		large_copies("pageable", pageable, bytes, p, 3);
		puts("done");
		fflush(stdout);
		if (once)
			break;
	}
	free(pageable);
	MUST(cuMemFreeHost(pinned));
	MUST(cuMemFree(p));
	MUST(cuModuleUnload(module));
	MUST(cuDevicePrimaryCtxRelease(device));
	return 0;
}
