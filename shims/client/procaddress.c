// SPDX-License-Identifier: Apache-2.0
//
// cuGetProcAddress: a name, the CUDA version that the caller was built for and
// a flag choose one of several symbols. CUDA 13 changed signatures under old
// names, so a wrong choice is a crash. The table comes from the description;
// the rules were measured (driver 580.159.04).
#include <string.h>

#include "call.h"
#include "device.h"
#include "procaddress.h"
#include "stats.h"

// The first entry of a name, or NULL.
static const struct axg_entry *first(const char *name)
{
	size_t low = 0, high = axg_entries;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (strcmp(axg_entry[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < axg_entries && !strcmp(axg_entry[low].name, name) ? &axg_entry[low] : NULL;
}

AX_EXPORT CUresult cuGetProcAddress_v2(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags,
				       CUdriverProcAddressQueryResult *symbolStatus)
{
	AXC_HERE();
	if (!symbol || !pfn || flags > CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM ||
	    cudaVersion > axc_driver_version())
		return CUDA_ERROR_INVALID_VALUE;

	CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
	const struct axg_entry *e = first(symbol), *end = axg_entry + axg_entries, *best = NULL;
	int per_thread = 0;

	*pfn = NULL;
	// With the flag a name that has per-thread symbols answers with those
	// alone, even if only a newer one than asked for exists.
	if (flags == CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)
		for (const struct axg_entry *i = e; i && i < end && !strcmp(i->name, symbol); i++)
			per_thread |= i->per_thread;
	for (; e && e < end && !strcmp(e->name, symbol); e++) {
		status = CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
		if (e->per_thread == per_thread && e->since <= cudaVersion && (!best || e->since > best->since))
			best = e;
	}
	if (best) {
		*pfn = best->fn;
		status = CU_GET_PROC_ADDRESS_SUCCESS;
	}
	if (symbolStatus)
		*symbolStatus = status;
	return CUDA_SUCCESS; // the answer is in the pointer and the status
}

AX_EXPORT CUresult cuGetProcAddress(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags)
{
	AXC_HERE();
	CUresult r = cuGetProcAddress_v2(symbol, pfn, cudaVersion, flags, NULL);
	return r || *pfn ? r : CUDA_ERROR_NOT_FOUND;
}
