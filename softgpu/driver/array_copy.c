/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies between a row of an array and something else, which are boxes of one row. */
#include "array.h"

enum { LEGACY, PER_THREAD, ON_STREAM };
#define HOST CU_MEMORYTYPE_HOST
#define DEVICE CU_MEMORYTYPE_DEVICE

static CUresult row(CUDA_MEMCPY3D p, size_t n, int how, CUstream stream)
{
	p.WidthInBytes = n;
	p.Height = p.Depth = 1;
	return how == LEGACY ? cuMemcpy3D_v2(&p) : how == PER_THREAD ? cuMemcpy3D_v2_ptds(&p) : cuMemcpy3DAsync_v2(&p, stream);
}

static CUresult to_array(CUarray to, size_t at, CUmemorytype type, const void *host, CUdeviceptr device, size_t n, int how, CUstream s)
{
	return row((CUDA_MEMCPY3D){ .srcMemoryType = type, .srcHost = host, .srcDevice = device, .dstMemoryType = CU_MEMORYTYPE_ARRAY,
				    .dstArray = to, .dstXInBytes = at },
		   n, how, s);
}

static CUresult from_array(CUmemorytype type, void *host, CUdeviceptr device, CUarray from, size_t at, size_t n, int how, CUstream s)
{
	return row((CUDA_MEMCPY3D){ .srcMemoryType = CU_MEMORYTYPE_ARRAY, .srcArray = from, .srcXInBytes = at, .dstMemoryType = type,
				    .dstHost = host, .dstDevice = device },
		   n, how, s);
}

static CUresult between(CUarray to, size_t to_at, CUarray from, size_t at, size_t n, int how)
{
	return row((CUDA_MEMCPY3D){ .srcMemoryType = CU_MEMORYTYPE_ARRAY, .srcArray = from, .srcXInBytes = at,
				    .dstMemoryType = CU_MEMORYTYPE_ARRAY, .dstArray = to, .dstXInBytes = to_at },
		   n, how, NULL);
}

API CUresult cuMemcpyHtoA_v2(CUarray to, size_t at, const void *from, size_t n)
{
	return to_array(to, at, HOST, from, 0, n, LEGACY, NULL);
}
API CUresult cuMemcpyHtoA_v2_ptds(CUarray to, size_t at, const void *from, size_t n)
{
	return to_array(to, at, HOST, from, 0, n, PER_THREAD, NULL);
}
API CUresult cuMemcpyHtoAAsync_v2(CUarray to, size_t at, const void *from, size_t n, CUstream s)
{
	return to_array(to, at, HOST, from, 0, n, ON_STREAM, s);
}
API CUresult cuMemcpyDtoA_v2(CUarray to, size_t at, CUdeviceptr from, size_t n)
{
	return to_array(to, at, DEVICE, NULL, from, n, LEGACY, NULL);
}
API CUresult cuMemcpyDtoA_v2_ptds(CUarray to, size_t at, CUdeviceptr from, size_t n)
{
	return to_array(to, at, DEVICE, NULL, from, n, PER_THREAD, NULL);
}
API CUresult cuMemcpyAtoH_v2(void *to, CUarray from, size_t at, size_t n)
{
	return from_array(HOST, to, 0, from, at, n, LEGACY, NULL);
}
API CUresult cuMemcpyAtoH_v2_ptds(void *to, CUarray from, size_t at, size_t n)
{
	return from_array(HOST, to, 0, from, at, n, PER_THREAD, NULL);
}
API CUresult cuMemcpyAtoHAsync_v2(void *to, CUarray from, size_t at, size_t n, CUstream s)
{
	return from_array(HOST, to, 0, from, at, n, ON_STREAM, s);
}
API CUresult cuMemcpyAtoD_v2(CUdeviceptr to, CUarray from, size_t at, size_t n)
{
	return from_array(DEVICE, NULL, to, from, at, n, LEGACY, NULL);
}
API CUresult cuMemcpyAtoD_v2_ptds(CUdeviceptr to, CUarray from, size_t at, size_t n)
{
	return from_array(DEVICE, NULL, to, from, at, n, PER_THREAD, NULL);
}
API CUresult cuMemcpyAtoA_v2(CUarray to, size_t to_at, CUarray from, size_t at, size_t n)
{
	return between(to, to_at, from, at, n, LEGACY);
}
API CUresult cuMemcpyAtoA_v2_ptds(CUarray to, size_t to_at, CUarray from, size_t at, size_t n)
{
	return between(to, to_at, from, at, n, PER_THREAD);
}
