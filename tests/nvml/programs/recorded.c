// SPDX-License-Identifier: Apache-2.0
//
// Reads what a recording has of a second GPU: each reading in its turn, errors as they were, and what is not in it as what
// it is: a function that was never called is one that there is not, another reading one that there is none of.
#include <string.h>

#include "check.h"

int main(void)
{
	nvmlDevice_t first, second, third;
	nvmlReturn_t r;
	char name[96];
	unsigned value, count = 0;
	nvmlProcessInfo_t list[5];

	WORKS(nvmlInit_v2());
	WORKS(nvmlDeviceGetHandleByIndex_v2(0, &first));
	WORKS(nvmlDeviceGetHandleByIndex_v2(1, &second));
	GIVES(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceGetHandleByIndex_v2(2, &third));
	WORKS(nvmlDeviceGetName(second, name, sizeof name));
	MUST(!strcmp(name, "NVIDIA H200"));
	// Other room than the recording's program had.
	WORKS(nvmlDeviceGetName(second, name, 12));
	MUST(!strcmp(name, "NVIDIA H200"));
	GIVES(NVML_ERROR_INSUFFICIENT_SIZE, nvmlDeviceGetName(second, name, 11));
	GIVES(NVML_ERROR_INSUFFICIENT_SIZE, nvmlDeviceGetComputeRunningProcesses_v3(second, &count, NULL));
	MUST(count == 2);
	count = 1;
	GIVES(NVML_ERROR_INSUFFICIENT_SIZE, nvmlDeviceGetComputeRunningProcesses_v3(second, &count, list));
	MUST(count == 2);
	count = 5;
	WORKS(nvmlDeviceGetComputeRunningProcesses_v3(second, &count, list));
	MUST(count == 2 && list[0].usedGpuMemory == 1000 && list[1].usedGpuMemory == 2000);
	WORKS(nvmlDeviceGetTemperature(second, NVML_TEMPERATURE_GPU, &value));
	MUST(value == 41);
	for (int i = 0; i < 3; i++) {
		WORKS(nvmlDeviceGetTemperature(second, NVML_TEMPERATURE_GPU, &value));
		MUST(value == 42);
	}
	GIVES(NVML_ERROR_GPU_IS_LOST, nvmlDeviceGetPowerUsage(second, &value));
	GIVES(NVML_ERROR_NOT_SUPPORTED, nvmlDeviceGetTemperature(first, NVML_TEMPERATURE_GPU, &value));
	r = nvmlDeviceGetFanSpeed(second, &value);
	MUST(r == NVML_ERROR_FUNCTION_NOT_FOUND);
	return 0;
}
