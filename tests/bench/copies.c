// SPDX-License-Identifier: Apache-2.0
//
// Copies a second, up and down, pageable, pinned and registered, by size; and
// what registering costs. Written to the driver API alone, so that the vendor's
// own library can be measured beside axon.
//
// Prints NAME<TAB>VALUE<TAB>UNIT a line.
#include <cuda.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void must(CUresult r, const char *what)
{
	if (r == CUDA_SUCCESS)
		return;
	fprintf(stderr, "copies: %s: error %d\n", what, (int)r);
	exit(1);
}

enum way { UP, DOWN, UP_ASYNC, DOWN_ASYNC };

static void copy(enum way way, CUdeviceptr d, void *p, size_t n)
{
	switch (way) {
	case UP: must(cuMemcpyHtoD(d, p, n), "cuMemcpyHtoD"); break;
	case DOWN: must(cuMemcpyDtoH(p, d, n), "cuMemcpyDtoH"); break;
	case UP_ASYNC: must(cuMemcpyHtoDAsync(d, p, n, NULL), "cuMemcpyHtoDAsync"); break;
	case DOWN_ASYNC: must(cuMemcpyDtoHAsync(p, d, n, NULL), "cuMemcpyDtoHAsync"); break;
	}
}

// The best of several, each at least a few milliseconds long.
static double rate(enum way way, CUdeviceptr d, void *p, size_t n, size_t least)
{
	size_t rounds = least / n ? least / n : 1;
	double best = 0;
	for (int i = 0; i < 5; i++) {
		double t = now();
		for (size_t k = 0; k < rounds; k++)
			copy(way, d, p, n);
		must(cuCtxSynchronize(), "cuCtxSynchronize");
		t = now() - t;
		double gb = (double)n * (double)rounds / t / 1e9;
		best = gb > best ? gb : best;
	}
	return best;
}

int main(int argc, char **argv)
{
	size_t most = (argc > 1 ? strtoull(argv[1], NULL, 10) : 256) << 20;
	static const char *const ways[] = {"up", "down", "up async", "down async"};
	CUdevice device;
	CUcontext context;
	CUdeviceptr d;
	void *pinned;
	char *pageable = malloc(most), *registered = malloc(most);

	must(cuInit(0), "cuInit");
	must(cuDeviceGet(&device, 0), "cuDeviceGet");
	must(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
	must(cuCtxSetCurrent(context), "cuCtxSetCurrent");
	must(cuMemAlloc(&d, most), "cuMemAlloc");
	must(cuMemHostAlloc(&pinned, most, 0), "cuMemHostAlloc");
	memset(pageable, 1, most);
	memset(registered, 2, most);
	memset(pinned, 3, most);
	double t = now();
	must(cuMemHostRegister(registered, most, 0), "cuMemHostRegister");
	printf("register %zu MiB\t%.1f\tms\n", most >> 20, (now() - t) * 1e3);
	for (size_t n = 4096; n <= most; n *= 4)
		for (int way = 0; way < 4; way++) {
			printf("pageable %s %zu KiB\t%.2f\tGB/s\n", ways[way], n >> 10, rate((enum way)way, d, pageable, n, most / 4));
			if (n < 1 << 20)
				continue;
			printf("pinned %s %zu KiB\t%.2f\tGB/s\n", ways[way], n >> 10, rate((enum way)way, d, pinned, n, most / 4));
			printf("registered %s %zu KiB\t%.2f\tGB/s\n", ways[way], n >> 10, rate((enum way)way, d, registered, n, most / 4));
		}
	t = now();
	must(cuMemHostUnregister(registered), "cuMemHostUnregister");
	printf("unregister %zu MiB\t%.1f\tms\n", most >> 20, (now() - t) * 1e3);
	for (size_t i = 0; i < most; i += most - 1)
		if (pageable[i] != registered[i]) {
			fprintf(stderr, "copies: byte %zu came back wrong\n", i);
			return 1;
		}
	return 0;
}
