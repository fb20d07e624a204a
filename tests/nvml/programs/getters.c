// SPDX-License-Identifier: Apache-2.0
//
// What most programs ask: how many GPUs, which, how much memory. Arguments: how many there are, and the bytes of memory
// of each, or "unified".
#include <string.h>
#include <unistd.h>

#include "check.h"

static void one(unsigned index, const char *memory)
{
	char name[96], uuid[96], again[96];
	unsigned value, count = 0;
	nvmlDevice_t d, other;
	nvmlPciInfo_t pci;
	nvmlMemory_t m;
	nvmlMemory_v2_t m2 = { .version = sizeof m2 | 2u << 24 };
	nvmlFieldValue_t fields[3] = { { .fieldId = 1 }, { .fieldId = 2 }, { .fieldId = 83 } };

	WORKS(nvmlDeviceGetHandleByIndex_v2(index, &d));
	WORKS(nvmlDeviceGetIndex(d, &value));
	MUST(value == index);
	WORKS(nvmlDeviceGetName(d, name, sizeof name));
	MUST(!strcmp(name, "axon softgpu"));
	GIVES(NVML_ERROR_INSUFFICIENT_SIZE, nvmlDeviceGetName(d, name, 4));
	WORKS(nvmlDeviceGetUUID(d, uuid, sizeof uuid));
	WORKS(nvmlDeviceGetHandleByUUID(uuid, &other));
	MUST(other == d);
	WORKS(nvmlDeviceGetPciInfo_v3(d, &pci));
	WORKS(nvmlDeviceGetHandleByPciBusId_v2(pci.busId, &other));
	MUST(other == d);
	WORKS(nvmlDeviceGetHandleByPciBusId_v2(pci.busIdLegacy, &other));
	WORKS(nvmlDeviceGetUUID(other, again, sizeof again));
	MUST(!strcmp(uuid, again));
	if (!strcmp(memory, "unified")) {
		GIVES(NVML_ERROR_NOT_SUPPORTED, nvmlDeviceGetMemoryInfo(d, &m));
		GIVES(NVML_ERROR_NOT_SUPPORTED, nvmlDeviceGetMemoryInfo_v2(d, &m2));
	} else {
		WORKS(nvmlDeviceGetMemoryInfo(d, &m));
		WORKS(nvmlDeviceGetMemoryInfo_v2(d, &m2));
		MUST(m.total == strtoull(memory, NULL, 10) && m2.total == m.total);
		MUST(m2.version == (sizeof m2 | 2u << 24));
	}
	m2.version = sizeof m2 | 9u << 24;
	MUST(nvmlDeviceGetMemoryInfo_v2(d, &m2));
	m2.version = 0xffffff;
	MUST(nvmlDeviceGetMemoryInfo_v2(d, &m2));
	m2.version = 0;
	MUST(nvmlDeviceGetMemoryInfo_v2(d, &m2));
	WORKS(nvmlDeviceGetComputeRunningProcesses_v3(d, &count, NULL));
	GIVES(NVML_ERROR_NOT_SUPPORTED, nvmlDeviceGetTemperature(d, NVML_TEMPERATURE_GPU, &value));
	WORKS(nvmlDeviceGetFieldValues(d, 3, fields));
	for (int i = 0; i < 3; i++)
		MUST(fields[i].nvmlReturn == NVML_ERROR_NOT_SUPPORTED);
	MUST(fields[2].fieldId == 83);
	GIVES(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceGetFieldValues(d, -1, fields));
	GIVES(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceGetIndex(d, NULL));
}

int main(int argc, char **argv)
{
	unsigned count, value, want = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
	char text[96];
	nvmlDevice_t d;

	GIVES(NVML_ERROR_UNINITIALIZED, nvmlDeviceGetCount_v2(&count));
	GIVES(NVML_ERROR_UNINITIALIZED, nvmlShutdown());
	nvmlReturn_t r = nvmlInit_v2();
	if (r) {
		fprintf(stderr, "nvmlInit_v2: %s\n", nvmlErrorString(r));
		return 1;
	}
	WORKS(nvmlInit());
	WORKS(nvmlDeviceGetCount_v2(&count));
	MUST(count == want);
	for (unsigned i = 0; i < count; i++)
		one(i, argc > 2 ? argv[2] : "1073741824");
	MUST(nvmlDeviceGetHandleByIndex_v2(count, &d));
	MUST(nvmlDeviceGetHandleByUUID("GPU-00000000-0000-0000-0000-000000000000", &d));
	// A handle that nobody gave out is none, whatever it looks like.
	for (uintptr_t made_up = 1; made_up; made_up <<= 1)
		if (made_up > count)
			GIVES(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceGetIndex((nvmlDevice_t)made_up, &value));
	WORKS(nvmlSystemGetDriverVersion(text, sizeof text));
	MUST(!strncmp(text, "580.", 4));
	WORKS(nvmlSystemGetProcessName((unsigned)getpid(), text, sizeof text));
	MUST(strstr(text, "getters"));
	WORKS(nvmlSystemGetProcessName((unsigned)getpid(), text, 5));
	MUST(strlen(text) == 4);
	GIVES(NVML_ERROR_NOT_FOUND, nvmlSystemGetProcessName(0x7ffffff0, text, sizeof text));
	WORKS(nvmlShutdown());
	WORKS(nvmlDeviceGetCount_v2(&count)); // once more than it was ended
	WORKS(nvmlShutdown());
	GIVES(NVML_ERROR_UNINITIALIZED, nvmlDeviceGetCount_v2(&count));
	WORKS(nvmlInit_v2());
	WORKS(nvmlDeviceGetCount_v2(&count));
	return 0;
}
