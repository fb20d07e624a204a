// SPDX-License-Identifier: Apache-2.0
//
// Functions whose structure points to a list: the list travels flat.
#include <string.h>

#include "call.h"
#include "channel.h"

// How many elements an answer has room for; nobody has more.
static uint32_t room_for(uint32_t count, size_t size)
{
	size_t most = (AXN_PACKET_MAX - 64) / size;
	return count < most ? count : (uint32_t)most;
}

// Sends the call and takes its list. *count is how many the list has room for, then how many there are, which is an
// answer also where they are too many.
static nvmlReturn_t take(struct axc_call *c, unsigned *count, uint32_t asked, void *list, size_t size)
{
	nvmlReturn_t r = axc_wait(c);
	const struct ax_out_axDeviceGetRunningProcessDetailList *out = c->out;
	size_t bytes = list ? (asked * size + 7) & ~(size_t)7 : 0;

	if (c->out && c->out_size == sizeof *out + bytes) {
		*count = out->count;
		if (list)
			memcpy(list, out + 1, asked * size);
	} else if (r == NVML_SUCCESS) {
		r = NVML_ERROR_UNKNOWN;
	}
	axc_end(c);
	return r;
}

// Before any call: the structure is of the one version that there is.
static nvmlReturn_t check(const void *p, size_t size)
{
	unsigned version;
	nvmlReturn_t r = axc_ready();

	if (r)
		return r;
	if (!p)
		return NVML_ERROR_INVALID_ARGUMENT;
	memcpy(&version, p, sizeof version);
	return version == ((unsigned)size | 1u << 24) ? NVML_SUCCESS : NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
}

AX_EXPORT nvmlReturn_t nvmlDeviceGetRunningProcessDetailList(nvmlDevice_t device, nvmlProcessDetailList_v1_t *plist)
{
	struct axc_call c;
	struct ax_in_axDeviceGetRunningProcessDetailList *in;
	nvmlReturn_t r = check(plist, sizeof *plist);

	if (r || (r = axc_begin(&c, AX_axDeviceGetRunningProcessDetailList, sizeof *in, 0)))
		return r;
	uint32_t asked = room_for(plist->numProcArrayEntries, sizeof *plist->procArray);
	in = c.in;
	memset(in, 0, sizeof *in);
	in->device = (uint64_t)(uintptr_t)device;
	in->version = plist->version;
	in->mode = plist->mode;
	in->count = asked;
	in->has_list = plist->procArray != NULL;
	return take(&c, &plist->numProcArrayEntries, asked, plist->procArray, sizeof *plist->procArray);
}

AX_EXPORT nvmlReturn_t nvmlDeviceGetProcessesUtilizationInfo(nvmlDevice_t device, nvmlProcessesUtilizationInfo_v1_t *procesesUtilInfo)
{
	nvmlProcessesUtilizationInfo_v1_t *p = procesesUtilInfo;
	struct axc_call c;
	struct ax_in_axDeviceGetProcessesUtilizationInfo *in;
	nvmlReturn_t r = check(p, sizeof *p);

	if (r || (r = axc_begin(&c, AX_axDeviceGetProcessesUtilizationInfo, sizeof *in, 0)))
		return r;
	uint32_t asked = room_for(p->processSamplesCount, sizeof *p->procUtilArray);
	in = c.in;
	memset(in, 0, sizeof *in);
	in->device = (uint64_t)(uintptr_t)device;
	in->version = p->version;
	in->lastSeenTimeStamp = p->lastSeenTimeStamp;
	in->count = asked;
	in->has_list = p->procUtilArray != NULL;
	return take(&c, &p->processSamplesCount, asked, p->procUtilArray, sizeof *p->procUtilArray);
}

AX_EXPORT nvmlReturn_t nvmlDeviceGetSramUniqueUncorrectedEccErrorCounts(nvmlDevice_t device,
									nvmlEccSramUniqueUncorrectedErrorCounts_v1_t *errorCounts)
{
	struct axc_call c;
	struct ax_in_axDeviceGetSramUniqueUncorrectedEccErrorCounts *in;
	nvmlReturn_t r = check(errorCounts, sizeof *errorCounts);

	if (r || (r = axc_begin(&c, AX_axDeviceGetSramUniqueUncorrectedEccErrorCounts, sizeof *in, 0)))
		return r;
	uint32_t asked = room_for(errorCounts->entryCount, sizeof *errorCounts->entries);
	in = c.in;
	memset(in, 0, sizeof *in);
	in->device = (uint64_t)(uintptr_t)device;
	in->version = errorCounts->version;
	in->count = asked;
	in->has_list = errorCounts->entries != NULL;
	return take(&c, &errorCounts->entryCount, asked, errorCounts->entries, sizeof *errorCounts->entries);
}
