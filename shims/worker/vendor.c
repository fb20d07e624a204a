// SPDX-License-Identifier: Apache-2.0
//
// Opening the vendor's library.
#include "vendor.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct axw_vendor axv;

static const struct {
	const char *name;
	size_t offset;
} functions[] = {
#define F(name) { #name, offsetof(struct axw_vendor, name) },
	AXV_FUNCTIONS(F)
#undef F
};

const char *axw_vendor_open(const char *dir, void **handle)
{
	static char why[512];
	char path[4096];

	if (snprintf(path, sizeof path, "%s/libcuda.so.1", dir) >= (int)sizeof path)
		return "the vendor's folder has too long a name";
	*handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!*handle) {
		snprintf(why, sizeof why, "the vendor's library cannot be loaded: %s", dlerror());
		return why;
	}
	if (dlsym(*handle, "axon_shim")) {
		snprintf(why, sizeof why, "%.400s is axon's own shim: the vendor's libcuda.so.1 belongs in that folder", path);
		return why;
	}
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
		void *f = dlsym(*handle, functions[i].name);
		memcpy((char *)&axv + functions[i].offset, &f, sizeof f);
	}
	if (!axv.cuInit || !axv.cuDriverGetVersion || !axv.cuDeviceGetCount || !axv.cuCtxSetCurrent) {
		snprintf(why, sizeof why, "%.400s is no CUDA driver library: it lacks cuInit and its like", path);
		return why;
	}
	return NULL;
}
