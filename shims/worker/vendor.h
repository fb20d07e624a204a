// SPDX-License-Identifier: Apache-2.0
//
// The vendor's functions that hand-written code here calls. (The generated
// halves have their own table.) NULL where the vendor's library is too old.
#ifndef AXON_WORKER_VENDOR_H
#define AXON_WORKER_VENDOR_H

#include "cuda_api.h"

#define AXV_FUNCTIONS(F)                                                                                               \
	F(cuInit) F(cuDriverGetVersion) F(cuGetErrorString)                                                            \
	F(cuDeviceGet) F(cuDeviceGetCount) F(cuDeviceGetName) F(cuDeviceGetUuid) F(cuDeviceGetUuid_v2)                 \
	F(cuDeviceGetPCIBusId) F(cuDeviceTotalMem_v2) F(cuDeviceGetLuid) F(cuDeviceGetAttribute)                       \
	F(cuModuleGetLoadingMode) F(cuCtxSetCurrent)                                                                   \
	F(cuModuleLoadData) F(cuModuleLoadDataEx) F(cuModuleLoadFatBinary) F(cuLibraryLoadData)                        \
	F(cuLinkCreate_v2) F(cuLinkAddData_v2) F(cuLinkComplete) F(cuLinkDestroy)                                      \
	F(cuFuncGetParamInfo) F(cuKernelGetParamInfo) F(cuFuncGetAttribute) F(cuKernelGetAttribute)                    \
	F(cuLaunchKernel) F(cuLaunchKernelEx) F(cuLaunchCooperativeKernel)                                             \
	F(cuMemcpyHtoD_v2) F(cuMemcpyHtoD_v2_ptds) F(cuMemcpyHtoDAsync_v2)                                             \
	F(cuMemcpyDtoH_v2) F(cuMemcpyDtoH_v2_ptds) F(cuMemcpyDtoHAsync_v2)                                             \
	F(cuMemcpy) F(cuMemcpy_ptds) F(cuMemcpyAsync) F(cuStreamSynchronize) F(cuStreamIsCapturing)                    \
	F(cuLaunchHostFunc) F(cuStreamAddCallback)                                                                     \
	F(cuMemHostRegister_v2) F(cuMemHostUnregister) F(cuMemHostGetDevicePointer_v2)                                 \
	F(cuPointerGetAttribute) F(cuPointerGetAttributes)

struct axw_vendor {
#define F(name) __typeof__(name) *name;
	AXV_FUNCTIONS(F)
#undef F
};

extern struct axw_vendor axv;

// Opens DIR/libcuda.so.1 and fills axv. NULL, or why not; *handle is for dlsym.
const char *axw_vendor_open(const char *dir, void **handle);

#endif
