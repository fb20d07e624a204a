/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of processes: there are none. Who uses a software GPU is axond's to say.
 */
#include "plain.h"

static nvmlReturn_t none(nvmlDevice_t device, unsigned *count, void *infos)
{
	(void)device, (void)infos;
	*count = 0;
	return NVML_SUCCESS;
}

#define NONE(name) { #name, (void (*)(void))none }

const struct plain_function plain_lists[] = {
	NONE(nvmlDeviceGetComputeRunningProcesses_v3), NONE(nvmlDeviceGetComputeRunningProcesses_v2),
	NONE(nvmlDeviceGetComputeRunningProcesses), NONE(nvmlDeviceGetGraphicsRunningProcesses_v3),
	NONE(nvmlDeviceGetGraphicsRunningProcesses_v2), NONE(nvmlDeviceGetGraphicsRunningProcesses),
	NONE(nvmlDeviceGetMPSComputeRunningProcesses_v3), NONE(nvmlDeviceGetMPSComputeRunningProcesses_v2),
	NONE(nvmlDeviceGetMPSComputeRunningProcesses), { NULL, NULL },
};

/* Those whose list travels flat. */
nvmlReturn_t axw_axDeviceGetRunningProcessDetailList(struct axw_call *w) { (void)w; return NVML_ERROR_NOT_SUPPORTED; }
nvmlReturn_t axw_axDeviceGetProcessesUtilizationInfo(struct axw_call *w) { (void)w; return NVML_ERROR_NOT_SUPPORTED; }
nvmlReturn_t axw_axDeviceGetSramUniqueUncorrectedEccErrorCounts(struct axw_call *w) { (void)w; return NVML_ERROR_NOT_SUPPORTED; }
nvmlReturn_t axw_axDeviceReadPRMCounters_v1(struct axw_call *w) { (void)w; return NVML_ERROR_NOT_SUPPORTED; }
nvmlReturn_t axw_axGpmMetricsGet(struct axw_call *w) { (void)w; return NVML_ERROR_NOT_SUPPORTED; }
