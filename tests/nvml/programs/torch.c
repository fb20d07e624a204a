// SPDX-License-Identifier: Apache-2.0
//
// PyTorch's use of NVML (c10/cuda/driver_api.h names the functions): it opens the library by itself, takes each function
// by its name, and asks which processes are on a GPU when memory has run out, and where links lead.
#include <dlfcn.h>
#include <string.h>

#include "check.h"

#define TAKE(library, name) __typeof__(name) *name##_ = (__typeof__(name) *)dlsym(library, #name); MUST(name##_)

int main(void)
{
	void *library = dlopen("libnvidia-ml.so.1", RTLD_LAZY);
	nvmlProcessInfo_v1_t processes[1024];
	unsigned count = 1024;
	nvmlIntNvLinkDeviceType_t type;
	nvmlPciInfo_t pci;
	nvmlDevice_t d;
	int version;

	MUST(library);
	TAKE(library, nvmlInit_v2);
	TAKE(library, nvmlDeviceGetHandleByPciBusId_v2);
	TAKE(library, nvmlDeviceGetNvLinkRemoteDeviceType);
	TAKE(library, nvmlDeviceGetNvLinkRemotePciInfo_v2);
	TAKE(library, nvmlDeviceGetComputeRunningProcesses);
	TAKE(library, nvmlSystemGetCudaDriverVersion_v2);
	WORKS(nvmlInit_v2_());
	WORKS(nvmlSystemGetCudaDriverVersion_v2_(&version));
	MUST(version >= 12000);
	WORKS(nvmlDeviceGetHandleByPciBusId_v2_("0000:f0:00.0", &d)); // as it writes it
	WORKS(nvmlDeviceGetComputeRunningProcesses_(d, &count, processes));
	MUST(count < 1024);
	GIVES(NVML_ERROR_NOT_SUPPORTED, nvmlDeviceGetNvLinkRemoteDeviceType_(d, 0, &type));
	GIVES(NVML_ERROR_NOT_SUPPORTED, nvmlDeviceGetNvLinkRemotePciInfo_v2_(d, 0, &pci));
	// A library that has no such function says so: newer versions ask for more than old drivers have.
	MUST(!dlsym(library, "nvmlDeviceGetSomethingThatNobodyHas"));
	return 0;
}
