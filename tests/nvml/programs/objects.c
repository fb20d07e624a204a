// SPDX-License-Identifier: Apache-2.0
//
// What lies in a GPU: MIG devices, GPU and compute instances, lists that a structure points to, samples and the figures
// between them. Run on a recording (objects_test.go).
#include <stdint.h>
#include <string.h>

#include "check.h"

static void divided(nvmlDevice_t gpu)
{
	nvmlDevice_t mig, parent;
	nvmlGpuInstance_t instances[33] = { NULL }, other;
	nvmlComputeInstance_t computes[33] = { NULL }, compute;
	nvmlGpuInstanceInfo_t info;
	nvmlComputeInstanceInfo_t compute_info;
	nvmlGpuInstancePlacement_t places[32];
	unsigned count;
	char name[96];

	WORKS(nvmlDeviceGetMigDeviceHandleByIndex(gpu, 0, &mig));
	GIVES(NVML_ERROR_NOT_FOUND, nvmlDeviceGetMigDeviceHandleByIndex(gpu, 1, &parent));
	WORKS(nvmlDeviceGetName(mig, name, sizeof name));
	MUST(!strcmp(name, "NVIDIA H200 MIG 1g.18gb"));
	WORKS(nvmlDeviceGetDeviceHandleFromMigDeviceHandle(mig, &parent));
	MUST(parent == gpu);
	instances[2] = (nvmlGpuInstance_t)0x5a5a; // beyond what there is nothing is written
	WORKS(nvmlDeviceGetGpuInstances(gpu, 9, instances, &count));
	MUST(count == 2 && instances[0] != instances[1] && instances[2] == (nvmlGpuInstance_t)0x5a5a);
	WORKS(nvmlGpuInstanceGetInfo(instances[1], &info));
	MUST(info.device == gpu && info.id == 2 && info.placement.start == 4 && info.placement.size == 4);
	WORKS(nvmlDeviceGetGpuInstanceById(gpu, 2, &other));
	MUST(other == instances[1]);
	WORKS(nvmlGpuInstanceGetComputeInstances(instances[0], 0, computes, &count));
	MUST(count == 1);
	WORKS(nvmlComputeInstanceGetInfo_v2(computes[0], &compute_info));
	MUST(compute_info.device == gpu && compute_info.gpuInstance == instances[0] && compute_info.profileId == 3);
	WORKS(nvmlGpuInstanceGetComputeInstanceById(instances[0], 0, &compute));
	MUST(compute == computes[0]);
	GIVES(NVML_ERROR_INVALID_ARGUMENT, nvmlComputeInstanceGetInfo_v2((nvmlComputeInstance_t)0x123, &compute_info));
	GIVES(NVML_ERROR_INVALID_ARGUMENT, nvmlGpuInstanceGetInfo(NULL, &info));
	WORKS(nvmlDeviceGetGpuInstancePossiblePlacements_v2(gpu, 9, places, &count));
	MUST(count == 2 && places[1].start == 4);
}

static void lists(nvmlDevice_t gpu)
{
	nvmlProcessDetail_v1_t details[2];
	nvmlProcessDetailList_v1_t list = { .version = sizeof list | 1u << 24 };
	nvmlProcessUtilizationInfo_v1_t samples[1];
	nvmlProcessesUtilizationInfo_v1_t use = { .version = sizeof use | 1u << 24, .lastSeenTimeStamp = 5 };

	GIVES(NVML_ERROR_INSUFFICIENT_SIZE, nvmlDeviceGetRunningProcessDetailList(gpu, &list));
	MUST(list.numProcArrayEntries == 2);
	list.procArray = details;
	WORKS(nvmlDeviceGetRunningProcessDetailList(gpu, &list));
	MUST(list.numProcArrayEntries == 2 && details[0].pid == 11 && details[1].usedGpuMemory == 2000 && details[1].computeInstanceId == 4);
	list.version = sizeof list | 2u << 24;
	GIVES(NVML_ERROR_ARGUMENT_VERSION_MISMATCH, nvmlDeviceGetRunningProcessDetailList(gpu, &list));
	use.processSamplesCount = 1;
	use.procUtilArray = samples;
	WORKS(nvmlDeviceGetProcessesUtilizationInfo(gpu, &use));
	MUST(use.processSamplesCount == 1 && samples[0].timeStamp == 77 && samples[0].pid == 11 && samples[0].smUtil == 50);
}

static void memory(nvmlDevice_t gpu)
{
	nvmlRemappedRowsInfo_v2_t rows;
	nvmlUnrepairableMemoryStatus_v1_t status[2] = { { 9 }, { 9 } };
	nvmlHostname_v1_t name;
	unsigned count;

	WORKS(nvmlDeviceGetRemappedRows_v2(gpu, &rows));
	MUST(rows.corrActiveRemaps == 1 && rows.corrInactiveRemaps == 2 && rows.uncActiveRemaps == 3 && rows.uncInactiveRemaps == 4);
	MUST(rows.bPending == 1 && rows.bFailureOccurred == 0);
	WORKS(nvmlDeviceGetUnrepairableMemoryFlag_v1(gpu, status));
	MUST(status[0].bUnrepairableMemory == 1 && status[1].bUnrepairableMemory == 9);
	GIVES(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceGetUnrepairableMemoryFlag_v1(gpu, NULL));
	WORKS(nvmlDeviceGetHostname_v1(gpu, &name));
	MUST(!strcmp(name.value, "node-7"));
	WORKS(nvmlGetBlacklistDeviceCount(&count));
	MUST(count == 0);
}

static void registers(nvmlDevice_t gpu)
{
	nvmlPRMCounter_v1_t counters[2] = { { .counterId = 1, .inData.localPort = 3 }, { .counterId = 201 } };
	nvmlPRMCounterList_v1_t list = { .numCounters = 2, .counters = counters };

	WORKS(nvmlDeviceReadPRMCounters_v1(gpu, &list));
	MUST(counters[0].counterId == 1 && counters[0].inData.localPort == 3 && counters[0].counterValue.outputValue.ullVal == 12);
	MUST(counters[1].counterValue.status == NVML_ERROR_NOT_SUPPORTED);
	list.numCounters = ~0u;
	GIVES(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceReadPRMCounters_v1(gpu, &list));
	list.counters = NULL;
	GIVES(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceReadPRMCounters_v1(gpu, &list));
	GIVES(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceReadPRMCounters_v1(gpu, NULL));
}

static void figures(nvmlDevice_t gpu)
{
	static nvmlGpmMetricsGet_t get;
	nvmlGpmSample_t a, b;

	WORKS(nvmlGpmSampleAlloc(&a));
	WORKS(nvmlGpmSampleAlloc(&b));
	MUST(a != b);
	WORKS(nvmlGpmSampleGet(gpu, a));
	WORKS(nvmlGpmSampleGet(gpu, b));
	get.version = 1;
	get.numMetrics = 2;
	get.sample1 = a;
	get.sample2 = b;
	get.metrics[0].metricId = 1;
	get.metrics[1].metricId = 9;
	for (int i = 0; i < 2; i++) {
		WORKS(nvmlGpmMetricsGet(&get));
		MUST(get.metrics[0].nvmlReturn == NVML_SUCCESS && get.metrics[0].value == 49.0);
		MUST(!strcmp(get.metrics[0].metricInfo.longName, "Graphics engine utilization") && !strcmp(get.metrics[0].metricInfo.unit, "%"));
		MUST(get.metrics[1].nvmlReturn == NVML_ERROR_NOT_SUPPORTED);
	}
	get.numMetrics = 211;
	GIVES(NVML_ERROR_INVALID_ARGUMENT, nvmlGpmMetricsGet(&get));
	get.numMetrics = 1;
	get.sample2 = a; // the same twice: it does not wait for itself
	MUST(nvmlGpmMetricsGet(&get) != NVML_SUCCESS);
	get.sample2 = (nvmlGpmSample_t)0x78; // the worker's own name for it, not ours
	GIVES(NVML_ERROR_INVALID_ARGUMENT, nvmlGpmMetricsGet(&get));
	WORKS(nvmlGpmSampleFree(a));
	GIVES(NVML_ERROR_INVALID_ARGUMENT, nvmlGpmSampleFree(a));
	GIVES(NVML_ERROR_INVALID_ARGUMENT, nvmlGpmSampleGet(gpu, a));
	WORKS(nvmlGpmSampleFree(b));
}

int main(void)
{
	nvmlDevice_t gpu;

	WORKS(nvmlInit_v2());
	WORKS(nvmlDeviceGetHandleByIndex_v2(0, &gpu));
	divided(gpu);
	lists(gpu);
	figures(gpu);
	memory(gpu);
	registers(gpu);
	return 0;
}
