// SPDX-License-Identifier: Apache-2.0
//
// nvmlDeviceReadPRMCounters_v1, whose list of counters travels flat.
#include <string.h>

#include "telemetry.h"

nvmlReturn_t axw_axDeviceReadPRMCounters_v1(struct axw_call *w)
{
	struct ax_in_axDeviceReadPRMCounters_v1 in;
	nvmlPRMCounterList_v1_t list = { 0 };
	nvmlDevice_t device;
	struct axg_take t;
	size_t bytes;

	if (!axg_vendor.nvmlDeviceReadPRMCounters_v1)
		return NVML_ERROR_FUNCTION_NOT_FOUND;
	memcpy(&in, w->in, sizeof in);
	nvmlReturn_t r = axg_get_nvmlDevice_t(w->s, in.device, &device);
	if (r)
		return r;
	axg_take_open(&t, w);
	list.counters = axg_take(&t, in.count, sizeof *list.counters);
	list.numCounters = in.count;
	bytes = in.count * sizeof *list.counters;
	// Without counters the frame was shorter than its count says.
	if (!list.counters || bytes > w->out_max)
		r = NVML_ERROR_INVALID_ARGUMENT;
	else
		r = axg_vendor.nvmlDeviceReadPRMCounters_v1(device, &list);
	if (r == NVML_SUCCESS) {
		memcpy(w->out, list.counters, bytes);
		w->out_size = bytes;
	}
	axg_take_close(&t);
	return r;
}
