// SPDX-License-Identifier: Apache-2.0
//
// Calls that may answer anything: what counts is that they come back, and that a text that they give ends in its room.
#include <string.h>

#include "check.h"

int main(void)
{
	char text[64];
	unsigned count, ok = 0;
	nvmlDevice_t d = (nvmlDevice_t)1;
	nvmlPciInfo_t pci;
	nvmlMemory_v2_t m;
	nvmlProcessInfo_t list[8];

	while (nvmlInit_v2())
		;
	for (int i = 0; i < 100; i++) {
		memset(text, 0, sizeof text);
		ok += !nvmlDeviceGetName(d, text, sizeof text - 1);
		MUST(strlen(text) < sizeof text);
		m.version = sizeof m | 2u << 24;
		ok += !nvmlDeviceGetMemoryInfo_v2(d, &m);
		ok += !nvmlDeviceGetPciInfo_v3(d, &pci);
		count = 8;
		ok += !nvmlDeviceGetComputeRunningProcesses_v3(d, &count, list);
	}
	printf("%u of 400 gave something\n", ok);
	return 0;
}
