// SPDX-License-Identifier: Apache-2.0
//
// Opening the vendor's NVML.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "telemetry.h"

const char *axt_vendor_open(const char *dir)
{
	static char why[512];
	char path[4096];

	if (snprintf(path, sizeof path, "%s/libnvidia-ml.so.1", dir) >= (int)sizeof path)
		return "the vendor's folder has too long a name";
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		snprintf(why, sizeof why, "the vendor's NVML cannot be loaded: %s", dlerror());
		return why;
	}
	if (dlsym(library, "axon_shim")) {
		snprintf(why, sizeof why, "%.300s is axon's own shim: --vendor must name the folder with the vendor's libnvidia-ml.so.1", path);
		return why;
	}
	for (size_t i = 0; i < AXG_SYMBOLS; i++) {
		void *f = dlsym(library, axg_symbols[i].name);
		memcpy((char *)&axg_vendor + axg_symbols[i].offset, &f, sizeof f);
	}
	if (!axg_vendor.nvmlInit_v2 || !axg_vendor.nvmlDeviceGetCount_v2 || !axg_vendor.nvmlDeviceGetHandleByIndex_v2) {
		snprintf(why, sizeof why, "%.300s is no NVML: it lacks nvmlInit_v2 and its like", path);
		return why;
	}
	return NULL;
}
