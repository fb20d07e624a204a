// SPDX-License-Identifier: Apache-2.0
//
// nvmlDeviceReadPRMCounters_v1: the list that its structure points to travels flat.
#include <string.h>

#include "call.h"
#include "channel.h"

AX_EXPORT nvmlReturn_t nvmlDeviceReadPRMCounters_v1(nvmlDevice_t device, nvmlPRMCounterList_v1_t *counterList)
{
	struct axc_call c;
	struct ax_in_axDeviceReadPRMCounters_v1 *in;
	nvmlReturn_t r = axc_ready();

	if (r)
		return r;
	if (!counterList || !counterList->counters || counterList->numCounters > (AXN_PACKET_MAX - 64) / sizeof *counterList->counters)
		return NVML_ERROR_INVALID_ARGUMENT;
	size_t bytes = counterList->numCounters * sizeof *counterList->counters;
	if ((r = axc_begin(&c, AX_axDeviceReadPRMCounters_v1, sizeof *in, bytes)))
		return r;
	in = c.in;
	memset(in, 0, sizeof *in);
	in->device = (uint64_t)(uintptr_t)device;
	in->count = counterList->numCounters;
	memcpy(c.data, counterList->counters, bytes);
	r = axc_wait(&c);
	if (r == NVML_SUCCESS && c.out_size != bytes)
		r = NVML_ERROR_UNKNOWN;
	if (r == NVML_SUCCESS)
		memcpy(counterList->counters, c.out, bytes);
	axc_end(&c);
	return r;
}
