// SPDX-License-Identifier: Apache-2.0
//
// What a function belongs to. Functions and kernels end with their module or
// library, without a call of their own, and the library makes the next one's
// functions at the same addresses. A name must not pass from one to the other:
// the client keeps the layout of a function's parameters under its name.
#include "cuda_worker.h"
#include "parent.h"

unsigned axw_parent_kind(unsigned kind)
{
	return kind == AXH_CUfunction ? AXH_CUmodule : kind == AXH_CUkernel ? AXH_CUlibrary : 0;
}

void *axw_parent_of(unsigned kind, void *handle)
{
	CUmodule module = NULL;
	CUlibrary library = NULL;

	if (kind == AXH_CUfunction && axg_vendor.cuFuncGetModule && axg_vendor.cuFuncGetModule(&module, handle) == CUDA_SUCCESS)
		return module;
	if (kind == AXH_CUkernel && axg_vendor.cuKernelGetLibrary && axg_vendor.cuKernelGetLibrary(&library, handle) == CUDA_SUCCESS)
		return library;
	return NULL;
}
