// SPDX-License-Identifier: Apache-2.0
//
// Which processors the calling thread runs on: the client's own affair. Those
// that are near a GPU the worker says.
#include <errno.h>
#include <sched.h>
#include <string.h>

#include "call.h"

static nvmlReturn_t run_on(const cpu_set_t *set)
{
	if (!sched_setaffinity(0, sizeof *set, set))
		return NVML_SUCCESS;
	return errno == EPERM ? NVML_ERROR_NO_PERMISSION : NVML_ERROR_UNKNOWN;
}

AX_EXPORT nvmlReturn_t nvmlDeviceSetCpuAffinity(nvmlDevice_t device)
{
	cpu_set_t set;
	unsigned long words[sizeof set / sizeof(unsigned long)] = { 0 };
	nvmlReturn_t r = nvmlDeviceGetCpuAffinity(device, sizeof words / sizeof *words, words);

	if (r)
		return r;
	memcpy(&set, words, sizeof set); // a set's bits are those of unsigned longs as well
	return CPU_COUNT(&set) ? run_on(&set) : NVML_ERROR_NOT_SUPPORTED;
}

AX_EXPORT nvmlReturn_t nvmlDeviceClearCpuAffinity(nvmlDevice_t device)
{
	nvmlReturn_t r = axc_ready();
	cpu_set_t set;
	unsigned index;

	if (r || (r = nvmlDeviceGetIndex(device, &index))) // a device that is none is an error here, too
		return r;
	memset(&set, 0xff, sizeof set); // the kernel takes away those that there are not, or that the thread may not have
	return run_on(&set);
}
