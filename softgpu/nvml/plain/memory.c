/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory: as much as SOFTGPU_MEMORY says. How much of it is used only the processes know that softgpu's libcuda is in, and
 * axond, which keeps their accounts: here it is all free. Of memory that is the machine's, NVML says nothing.
 */
#include <stdlib.h>

#include "plain.h"

int plain_unified(void)
{
	const char *s = getenv("SOFTGPU_UNIFIED");
	return s && s[0] == '1' && !s[1];
}

static unsigned long long total(void)
{
	const char *s = getenv("SOFTGPU_MEMORY");
	char *end;
	unsigned long long n = s && *s ? strtoull(s, &end, 0) : 0;

	return s && *s && !*end && n >= 1ull << 20 && n <= 1ull << 38 ? n : 1ull << 30;
}

static nvmlReturn_t plain_nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory)
{
	(void)device;
	if (plain_unified())
		return NVML_ERROR_NOT_SUPPORTED;
	*memory = (nvmlMemory_t){ .total = total(), .free = total() };
	return NVML_SUCCESS;
}

static nvmlReturn_t plain_nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t *memory)
{
	(void)device;
	if (memory->version != (sizeof *memory | 2u << 24))
		return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
	if (plain_unified())
		return NVML_ERROR_NOT_SUPPORTED;
	memory->total = memory->free = total();
	memory->reserved = memory->used = 0;
	return NVML_SUCCESS;
}

const struct plain_function plain_memory[] = { PLAIN(nvmlDeviceGetMemoryInfo), PLAIN(nvmlDeviceGetMemoryInfo_v2), { NULL, NULL } };
