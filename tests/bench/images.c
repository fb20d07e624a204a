// SPDX-License-Identifier: Apache-2.0
//
// What it costs to hand an image over: a fat binary of a little PTX and as
// much machine code for a device that nobody has, which a library passes over.
// Beside it, one copy of as many bytes within the program. For any libcuda.so.1.
//
//   images MIB...    a line for each size: NAME<TAB>VALUE<TAB>UNIT
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include <cuda.h>

#include "../programs/fatbin.h"

#define ROUNDS 7

static const char ptx[] = ".version 7.0\n.target sm_52\n.address_size 64\n.visible .entry none()\n{\n  ret;\n}\n";

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void must(int r, const char *what)
{
	if (!r)
		return;
	fprintf(stderr, "images: %s: error %d\n", what, r);
	exit(1);
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double middle(double *t)
{
	qsort(t, ROUNDS, sizeof *t, ascending);
	return t[ROUNDS / 2];
}

int main(int argc, char **argv)
{
	CUcontext context;
	must(cuInit(0), "cuInit");
	must(cuDevicePrimaryCtxRetain(&context, 0), "cuDevicePrimaryCtxRetain");
	must(cuCtxSetCurrent(context), "cuCtxSetCurrent");
	for (int i = 1; i < argc; i++) {
		size_t bytes = (size_t)(atof(argv[i]) * (1 << 20));
		size_t whole = fatbin_size(ptx, bytes);
		uint8_t *p = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (p == MAP_FAILED)
			must(1, "memory for the image");
		fatbin_write(p, ptx, bytes);
		double load[ROUNDS], copy[ROUNDS];
		for (int round = 0; round < ROUNDS; round++) {
			CUlibrary library;
			double began = now();
			must(cuLibraryLoadData(&library, p, NULL, NULL, 0, NULL, NULL, 0), "cuLibraryLoadData");
			load[round] = now() - began;
			must(cuLibraryUnload(library), "cuLibraryUnload");
			// To fresh memory, as for every new image.
			uint8_t *q = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			if (q == MAP_FAILED)
				must(1, "memory for a copy");
			began = now();
			memcpy(q, p, bytes);
			copy[round] = now() - began;
			munmap(q, bytes);
		}
		double l = middle(load), c = middle(copy);
		printf("image_load_%sMiB\t%.4g\tms\nimage_copy_%sMiB\t%.4g\tms\nimage_load_to_copy_%sMiB\t%.3g\ttimes\n", argv[i], l, argv[i], c,
		       argv[i], l / c);
		munmap(p, whole);
	}
	return 0;
}
