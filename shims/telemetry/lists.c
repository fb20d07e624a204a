// SPDX-License-Identifier: Apache-2.0
//
// Functions whose structure points to a list, which travels flat. The vendor
// goes by the version: only the one whose structure this is gets to it.
#include <string.h>

#include "telemetry.h"

// A list of n elements for the vendor to fill, whose room is what the answer has. None without a list: not every release of the
// vendor's need look at the pointer.
struct list {
	struct axg_take t;
	void *at;
	uint64_t n;
	size_t size, bytes; // of an element; of all, padded
};

static nvmlReturn_t open_list(struct list *l, const struct axw_call *w, uint32_t version, size_t of, int has, uint32_t count, size_t size)
{
	uint64_t bytes = sizeof(struct ax_out_axDeviceGetRunningProcessDetailList);

	axg_take_open(&l->t, w);
	l->at = NULL;
	l->n = has ? count : 0;
	l->size = size;
	if (version != ((uint32_t)of | 1u << 24))
		return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
	if (axg_room(&bytes, l->n, size) || bytes > w->out_max)
		return NVML_ERROR_INVALID_ARGUMENT;
	l->bytes = bytes - sizeof(struct ax_out_axDeviceGetRunningProcessDetailList);
	if (has && !(l->at = axg_take_room(&l->t, l->n, size)))
		return NVML_ERROR_MEMORY;
	return NVML_SUCCESS;
}

// The answer, also of a list that was too short.
static void close_list(struct list *l, struct axw_call *w, uint32_t count)
{
	struct ax_out_axDeviceGetRunningProcessDetailList out = { .count = count };

	memcpy(w->out, &out, sizeof out);
	memset((uint8_t *)w->out + sizeof out, 0, l->bytes);
	if (l->at)
		memcpy((uint8_t *)w->out + sizeof out, l->at, l->n * l->size);
	w->out_size = sizeof out + l->bytes;
}

nvmlReturn_t axw_axDeviceGetRunningProcessDetailList(struct axw_call *w)
{
	struct ax_in_axDeviceGetRunningProcessDetailList in;
	nvmlProcessDetailList_v1_t p = { 0 };
	nvmlDevice_t device;
	struct list l;

	if (!axg_vendor.nvmlDeviceGetRunningProcessDetailList)
		return NVML_ERROR_FUNCTION_NOT_FOUND;
	memcpy(&in, w->in, sizeof in);
	nvmlReturn_t r = axg_get_nvmlDevice_t(w->s, in.device, &device);
	if (r)
		return r;
	if (!(r = open_list(&l, w, in.version, sizeof p, in.has_list != 0, in.count, sizeof *p.procArray))) {
		p.version = in.version;
		p.mode = in.mode;
		p.numProcArrayEntries = (unsigned int)l.n;
		p.procArray = l.at;
		r = axg_vendor.nvmlDeviceGetRunningProcessDetailList(device, &p);
		close_list(&l, w, p.numProcArrayEntries);
	}
	axg_take_close(&l.t);
	return r;
}

nvmlReturn_t axw_axDeviceGetProcessesUtilizationInfo(struct axw_call *w)
{
	struct ax_in_axDeviceGetProcessesUtilizationInfo in;
	nvmlProcessesUtilizationInfo_v1_t p = { 0 };
	nvmlDevice_t device;
	struct list l;

	if (!axg_vendor.nvmlDeviceGetProcessesUtilizationInfo)
		return NVML_ERROR_FUNCTION_NOT_FOUND;
	memcpy(&in, w->in, sizeof in);
	nvmlReturn_t r = axg_get_nvmlDevice_t(w->s, in.device, &device);
	if (r)
		return r;
	if (!(r = open_list(&l, w, in.version, sizeof p, in.has_list != 0, in.count, sizeof *p.procUtilArray))) {
		p.version = in.version;
		p.processSamplesCount = (unsigned int)l.n;
		p.lastSeenTimeStamp = in.lastSeenTimeStamp;
		p.procUtilArray = l.at;
		r = axg_vendor.nvmlDeviceGetProcessesUtilizationInfo(device, &p);
		close_list(&l, w, p.processSamplesCount);
	}
	axg_take_close(&l.t);
	return r;
}

nvmlReturn_t axw_axDeviceGetSramUniqueUncorrectedEccErrorCounts(struct axw_call *w)
{
	struct ax_in_axDeviceGetSramUniqueUncorrectedEccErrorCounts in;
	nvmlEccSramUniqueUncorrectedErrorCounts_v1_t p = { 0 };
	nvmlDevice_t device;
	struct list l;

	if (!axg_vendor.nvmlDeviceGetSramUniqueUncorrectedEccErrorCounts)
		return NVML_ERROR_FUNCTION_NOT_FOUND;
	memcpy(&in, w->in, sizeof in);
	nvmlReturn_t r = axg_get_nvmlDevice_t(w->s, in.device, &device);
	if (r)
		return r;
	if (!(r = open_list(&l, w, in.version, sizeof p, in.has_list != 0, in.count, sizeof *p.entries))) {
		p.version = in.version;
		p.entryCount = (unsigned int)l.n;
		p.entries = l.at;
		r = axg_vendor.nvmlDeviceGetSramUniqueUncorrectedEccErrorCounts(device, &p);
		close_list(&l, w, p.entryCount);
	}
	axg_take_close(&l.t);
	return r;
}
