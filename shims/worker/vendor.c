// SPDX-License-Identifier: Apache-2.0
//
// Opening the vendor's library.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "cuda_worker.h"
#include "start.h"

static void *library;

void *axw_vendor_symbol(const char *name) { return library ? dlsym(library, name) : NULL; }

const char *axw_vendor_open(const char *dir)
{
	static char why[512];
	char path[4096];

	if (snprintf(path, sizeof path, "%s/libcuda.so.1", dir) >= (int)sizeof path)
		return "the vendor's folder has too long a name";
	library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		snprintf(why, sizeof why, "the vendor's library cannot be loaded: %s", dlerror());
		return why;
	}
	if (dlsym(library, "axon_shim")) {
		snprintf(why, sizeof why, "%.300s is axon's own shim: --vendor must name the folder with the vendor's libcuda.so.1", path);
		return why;
	}
	for (size_t i = 0; i < AXG_SYMBOLS; i++) {
		void *f = dlsym(library, axg_symbols[i].name);
		memcpy((char *)&axg_vendor + axg_symbols[i].offset, &f, sizeof f);
	}
	if (!axg_vendor.cuInit || !axg_vendor.cuDriverGetVersion || !axg_vendor.cuDeviceGetCount || !axg_vendor.cuCtxSetCurrent) {
		snprintf(why, sizeof why, "%.300s is no CUDA driver library: it lacks cuInit and its like", path);
		return why;
	}
	return NULL;
}
