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
	NONE(nvmlDeviceGetMPSComputeRunningProcesses_v3), { NULL, NULL },
};
