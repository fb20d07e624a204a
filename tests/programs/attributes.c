// SPDX-License-Identifier: Apache-2.0
//
// Prints what pointers, functions and contexts are said to be, with addresses
// as distances from what was allocated: to be compared between two libraries.
#include <cuda.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels.h"

static CUcontext context;

static void pointer(const char *what, uint64_t base, uint64_t p)
{
	static const int asked[] = {1, 2, 3, 4, 6, 8, 9, 10, 11, 12, 13, 14, 16};
	for (unsigned i = 0; i < sizeof asked / sizeof *asked; i++) {
		uint64_t v[2] = {0xeeeeeeeeeeeeeeeeull, 0};
		void *to = v;
		CUpointer_attribute a = (CUpointer_attribute)asked[i];
		int one = cuPointerGetAttribute(v, a, p);
		long long first = (long long)v[0];
		v[0] = 0xeeeeeeeeeeeeeeeeull;
		int many = cuPointerGetAttributes(1, &a, &to, p);
		const char *kind = "";
		for (int k = 0; k < 2; k++) {
			long long *x = k ? (long long *)v : &first;
			if (*x == (long long)(uintptr_t)context)
				*x = 1, kind = " the context";
			else if (a == CU_POINTER_ATTRIBUTE_DEVICE_POINTER || a == CU_POINTER_ATTRIBUTE_HOST_POINTER ||
				 a == CU_POINTER_ATTRIBUTE_RANGE_START_ADDR) {
				if (*x && (uint64_t)*x != 0xeeeeeeeeeeeeeeeeull)
					*x -= (long long)base, kind = " from the base";
			}
		}
		printf("%s: %d: %d %llx, %d %llx%s\n", what, asked[i], one, first, many, (long long)v[0], kind);
	}
}

int main(void)
{
	CUdeviceptr d;
	void *pinned, *heap = malloc(4096);
	int local;
	if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context) || cuMemAlloc(&d, 1 << 20) ||
	    cuMemHostAlloc(&pinned, 1 << 16, 0))
		return 1;
	pointer("device", d, d);
	pointer("inside device", d, d + 1000);
	pointer("pinned", (uintptr_t)pinned, (uintptr_t)pinned);
	pointer("inside pinned", (uintptr_t)pinned, (uintptr_t)pinned + 100);
	pointer("malloc", (uintptr_t)heap, (uintptr_t)heap);
	pointer("stack", (uintptr_t)&local, (uintptr_t)&local);
	pointer("null", 0, 0);
	CUmodule globals;
	CUdeviceptr g = 0;
	size_t size = 0;
	static const char variable[] = PTX_HEAD ".visible .global .align 4 .u32 variable;\n.visible .entry use()\n{\n  ret;\n}\n";
	if (!cuModuleLoadData(&globals, variable) && !cuModuleGetGlobal(&g, &size, globals, "variable"))
		pointer("module's", g, g);
	fprintf(stderr, "device memory at %llx, a module's at %llx\n", (unsigned long long)d, (unsigned long long)g);
	for (int i = 0; i < 12; i++) {
		size_t limit = 0;
		int r = cuCtxGetLimit(&limit, (CUlimit)i);
		printf("limit %d: %d %zu\n", i, r, limit);
	}
	int least, greatest;
	printf("priorities: %d", cuCtxGetStreamPriorityRange(&least, &greatest));
	printf(" %d %d\n", least, greatest);
	for (int i = 1; i < 150; i++) {
		int v = -1, r = cuDeviceGetAttribute(&v, (CUdevice_attribute)i, 0);
		printf("device attribute %d: %d %d\n", i, r, v);
	}
	CUmodule m;
	CUfunction f;
	static const char ptx[] = PTX_HEAD PTX_PUT;
	if (cuModuleLoadData(&m, ptx) || cuModuleGetFunction(&f, m, "put"))
		return 1;
	for (int i = 0; i < 18; i++) {
		int v = -1, r = cuFuncGetAttribute(&v, (CUfunction_attribute)i, f);
		printf("function attribute %d: %d %d\n", i, r, v);
	}
	return 0;
}
