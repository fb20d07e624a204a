/* SPDX-License-Identifier: Apache-2.0
 *
 * Other names for the same calls. The _ptsz symbols are what programs built for per-thread default streams call: stream 0
 * means the thread's own there. The names without a version are the first versions, where those differ in nothing else.
 * Those that took 32-bit addresses are not here.
 */
#include "driver.h"

static CUstream own(CUstream stream)
{
	return stream ? stream : CU_STREAM_PER_THREAD;
}

API CUresult cuEventRecord_ptsz(CUevent handle, CUstream stream)
{
	return cuEventRecord(handle, own(stream));
}

API CUresult cuEventRecordWithFlags_ptsz(CUevent handle, CUstream stream, unsigned int flags)
{
	return cuEventRecordWithFlags(handle, own(stream), flags);
}

API CUresult cuLaunchCooperativeKernel_ptsz(CUfunction f, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
					    unsigned int block_x, unsigned int block_y, unsigned int block_z,
					    unsigned int dynamic, CUstream stream, void **params)
{
	return cuLaunchCooperativeKernel(f, grid_x, grid_y, grid_z, block_x, block_y, block_z, dynamic, own(stream), params);
}

API CUresult cuLaunchHostFunc_ptsz(CUstream stream, CUhostFn function, void *data)
{
	return cuLaunchHostFunc(own(stream), function, data);
}

API CUresult cuLaunchKernelEx_ptsz(const CUlaunchConfig *config, CUfunction f, void **params, void **extra)
{
	return cuLaunchKernelEx(config, f, params, extra);
}

API CUresult cuLaunchKernel_ptsz(CUfunction f, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
				 unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int dynamic,
				 CUstream stream, void **params, void **extra)
{
	return cuLaunchKernel(f, grid_x, grid_y, grid_z, block_x, block_y, block_z, dynamic, own(stream), params, extra);
}

API CUresult cuMemAllocAsync_ptsz(CUdeviceptr *out, size_t size, CUstream stream)
{
	return cuMemAllocAsync(out, size, own(stream));
}

API CUresult cuMemAllocFromPoolAsync_ptsz(CUdeviceptr *out, size_t size, CUmemoryPool pool, CUstream stream)
{
	return cuMemAllocFromPoolAsync(out, size, pool, own(stream));
}

API CUresult cuMemcpy2DAsync_v2_ptsz(const CUDA_MEMCPY2D *p, CUstream stream)
{
	return cuMemcpy2DAsync_v2(p, own(stream));
}

API CUresult cuMemcpy3DAsync_v2_ptsz(const CUDA_MEMCPY3D *p, CUstream stream)
{
	return cuMemcpy3DAsync_v2(p, own(stream));
}

API CUresult cuMemcpy3DPeerAsync_ptsz(const CUDA_MEMCPY3D_PEER *p, CUstream stream)
{
	return cuMemcpy3DPeerAsync(p, own(stream));
}

API CUresult cuMemcpyAsync_ptsz(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream stream)
{
	return cuMemcpyAsync(to, from, n, own(stream));
}

API CUresult cuMemcpyDtoDAsync_v2_ptsz(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream stream)
{
	return cuMemcpyDtoDAsync_v2(to, from, n, own(stream));
}

API CUresult cuMemcpyDtoHAsync_v2_ptsz(void *to, CUdeviceptr from, size_t n, CUstream stream)
{
	return cuMemcpyDtoHAsync_v2(to, from, n, own(stream));
}

API CUresult cuMemcpyHtoDAsync_v2_ptsz(CUdeviceptr to, const void *from, size_t n, CUstream stream)
{
	return cuMemcpyHtoDAsync_v2(to, from, n, own(stream));
}

API CUresult cuMemcpyPeerAsync_ptsz(CUdeviceptr to, CUcontext to_ctx, CUdeviceptr from, CUcontext from_ctx, size_t n,
				    CUstream stream)
{
	return cuMemcpyPeerAsync(to, to_ctx, from, from_ctx, n, own(stream));
}

API CUresult cuMemFreeAsync_ptsz(CUdeviceptr address, CUstream stream)
{
	return cuMemFreeAsync(address, own(stream));
}

API CUresult cuMemPrefetchAsync_ptsz(CUdeviceptr address, size_t n, CUdevice dev, CUstream stream)
{
	return cuMemPrefetchAsync(address, n, dev, own(stream));
}

API CUresult cuMemPrefetchAsync_v2_ptsz(CUdeviceptr address, size_t n, CUmemLocation location, unsigned int flags,
					CUstream stream)
{
	return cuMemPrefetchAsync_v2(address, n, location, flags, own(stream));
}

API CUresult cuMemsetD16Async_ptsz(CUdeviceptr to, unsigned short v, size_t n, CUstream s)
{
	return cuMemsetD16Async(to, v, n, own(s));
}

API CUresult cuMemsetD2D16Async_ptsz(CUdeviceptr to, size_t pitch, unsigned short v, size_t width, size_t height, CUstream s)
{
	return cuMemsetD2D16Async(to, pitch, v, width, height, own(s));
}

API CUresult cuMemsetD2D32Async_ptsz(CUdeviceptr to, size_t pitch, unsigned int v, size_t width, size_t height, CUstream s)
{
	return cuMemsetD2D32Async(to, pitch, v, width, height, own(s));
}

API CUresult cuMemsetD2D8Async_ptsz(CUdeviceptr to, size_t pitch, unsigned char v, size_t width, size_t height, CUstream s)
{
	return cuMemsetD2D8Async(to, pitch, v, width, height, own(s));
}

API CUresult cuMemsetD32Async_ptsz(CUdeviceptr to, unsigned int v, size_t n, CUstream s)
{
	return cuMemsetD32Async(to, v, n, own(s));
}

API CUresult cuMemsetD8Async_ptsz(CUdeviceptr to, unsigned char v, size_t n, CUstream s)
{
	return cuMemsetD8Async(to, v, n, own(s));
}

API CUresult cuStreamAddCallback_ptsz(CUstream stream, CUstreamCallback callback, void *data, unsigned int flags)
{
	return cuStreamAddCallback(own(stream), callback, data, flags);
}

API CUresult cuStreamAttachMemAsync_ptsz(CUstream handle, CUdeviceptr address, size_t length, unsigned int flags)
{
	return cuStreamAttachMemAsync(own(handle), address, length, flags);
}

API CUresult cuStreamBatchMemOp_v2_ptsz(CUstream stream, unsigned int count, CUstreamBatchMemOpParams *ops, unsigned int flags)
{
	return cuStreamBatchMemOp_v2(own(stream), count, ops, flags);
}

API CUresult cuStreamBeginCapture_v2_ptsz(CUstream handle, CUstreamCaptureMode mode)
{
	return cuStreamBeginCapture_v2(own(handle), mode);
}

API CUresult cuStreamCopyAttributes_ptsz(CUstream to, CUstream from)
{
	return cuStreamCopyAttributes(own(to), own(from));
}

API CUresult cuStreamEndCapture_ptsz(CUstream handle, CUgraph *graph)
{
	return cuStreamEndCapture(own(handle), graph);
}

API CUresult cuStreamGetAttribute_ptsz(CUstream handle, CUstreamAttrID attribute, CUstreamAttrValue *value)
{
	return cuStreamGetAttribute(own(handle), attribute, value);
}

API CUresult cuStreamGetCaptureInfo_ptsz(CUstream handle, CUstreamCaptureStatus *status, cuuint64_t *id)
{
	return cuStreamGetCaptureInfo(own(handle), status, id);
}

API CUresult cuStreamGetCaptureInfo_v2_ptsz(CUstream handle, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
					    const CUgraphNode **dependencies, size_t *count)
{
	return cuStreamGetCaptureInfo_v2(own(handle), status, id, graph, dependencies, count);
}

API CUresult cuStreamGetCaptureInfo_v3_ptsz(CUstream handle, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
					    const CUgraphNode **dependencies, const CUgraphEdgeData **edges, size_t *count)
{
	return cuStreamGetCaptureInfo_v3(own(handle), status, id, graph, dependencies, edges, count);
}

API CUresult cuStreamGetCtx_ptsz(CUstream handle, CUcontext *ctx)
{
	return cuStreamGetCtx(own(handle), ctx);
}

API CUresult cuStreamGetCtx_v2_ptsz(CUstream handle, CUcontext *ctx, CUgreenCtx *green)
{
	return cuStreamGetCtx_v2(own(handle), ctx, green);
}

API CUresult cuStreamGetDevice_ptsz(CUstream handle, CUdevice *device)
{
	return cuStreamGetDevice(own(handle), device);
}

API CUresult cuStreamGetFlags_ptsz(CUstream handle, unsigned int *flags)
{
	return cuStreamGetFlags(own(handle), flags);
}

API CUresult cuStreamGetId_ptsz(CUstream handle, unsigned long long *id)
{
	return cuStreamGetId(own(handle), id);
}

API CUresult cuStreamGetPriority_ptsz(CUstream handle, int *priority)
{
	return cuStreamGetPriority(own(handle), priority);
}

API CUresult cuStreamIsCapturing_ptsz(CUstream handle, CUstreamCaptureStatus *status)
{
	return cuStreamIsCapturing(own(handle), status);
}

API CUresult cuStreamQuery_ptsz(CUstream handle)
{
	return cuStreamQuery(own(handle));
}

API CUresult cuStreamSetAttribute_ptsz(CUstream handle, CUstreamAttrID attribute, const CUstreamAttrValue *value)
{
	return cuStreamSetAttribute(own(handle), attribute, value);
}

API CUresult cuStreamSynchronize_ptsz(CUstream handle)
{
	return cuStreamSynchronize(own(handle));
}

API CUresult cuStreamWaitEvent_ptsz(CUstream stream, CUevent handle, unsigned int flags)
{
	return cuStreamWaitEvent(own(stream), handle, flags);
}

API CUresult cuStreamWaitValue32_v2_ptsz(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned int flags)
{
	return cuStreamWaitValue32_v2(own(stream), address, value, flags);
}

API CUresult cuStreamWaitValue64_v2_ptsz(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned int flags)
{
	return cuStreamWaitValue64_v2(own(stream), address, value, flags);
}

API CUresult cuStreamWriteValue32_v2_ptsz(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned int flags)
{
	return cuStreamWriteValue32_v2(own(stream), address, value, flags);
}

API CUresult cuStreamWriteValue64_v2_ptsz(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned int flags)
{
	return cuStreamWriteValue64_v2(own(stream), address, value, flags);
}

API CUresult cuCtxCreate(CUcontext *out, unsigned int flags, CUdevice dev)
{
	return cuCtxCreate_v2(out, flags, dev);
}

API CUresult cuCtxDestroy(CUcontext handle)
{
	return cuCtxDestroy_v2(handle);
}

API CUresult cuCtxPushCurrent(CUcontext handle)
{
	return cuCtxPushCurrent_v2(handle);
}

API CUresult cuCtxPopCurrent(CUcontext *out)
{
	return cuCtxPopCurrent_v2(out);
}

API CUresult cuEventDestroy(CUevent handle)
{
	return cuEventDestroy_v2(handle);
}

API CUresult cuStreamDestroy(CUstream handle)
{
	return cuStreamDestroy_v2(handle);
}

API CUresult cuMemHostRegister(void *p, size_t size, unsigned int flags)
{
	return cuMemHostRegister_v2(p, size, flags);
}

API CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned int flags)
{
	return cuStreamWaitValue32_v2(stream, address, value, flags);
}

API CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned int flags)
{
	return cuStreamWaitValue64_v2(stream, address, value, flags);
}

API CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned int flags)
{
	return cuStreamWriteValue32_v2(stream, address, value, flags);
}

API CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned int flags)
{
	return cuStreamWriteValue64_v2(stream, address, value, flags);
}

API CUresult cuStreamBatchMemOp(CUstream stream, unsigned int count, CUstreamBatchMemOpParams *ops, unsigned int flags)
{
	return cuStreamBatchMemOp_v2(stream, count, ops, flags);
}

API CUresult cuLinkCreate(unsigned int count, CUjit_option *options, void **values, CUlinkState *out)
{
	return cuLinkCreate_v2(count, options, values, out);
}

API CUresult cuLinkAddData(CUlinkState handle, CUjitInputType type, void *data, size_t size, const char *name,
			   unsigned int count, CUjit_option *options, void **values)
{
	return cuLinkAddData_v2(handle, type, data, size, name, count, options, values);
}

API CUresult cuLinkAddFile(CUlinkState handle, CUjitInputType type, const char *path, unsigned int count,
			   CUjit_option *options, void **values)
{
	return cuLinkAddFile_v2(handle, type, path, count, options, values);
}

API CUresult cuStreamWaitValue32_ptsz(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned int flags)
{
	return cuStreamWaitValue32_v2(own(stream), address, value, flags);
}

API CUresult cuStreamWaitValue64_ptsz(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned int flags)
{
	return cuStreamWaitValue64_v2(own(stream), address, value, flags);
}

API CUresult cuStreamWriteValue32_ptsz(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned int flags)
{
	return cuStreamWriteValue32_v2(own(stream), address, value, flags);
}

API CUresult cuStreamWriteValue64_ptsz(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned int flags)
{
	return cuStreamWriteValue64_v2(own(stream), address, value, flags);
}

API CUresult cuStreamBatchMemOp_ptsz(CUstream stream, unsigned int count, CUstreamBatchMemOpParams *ops, unsigned int flags)
{
	return cuStreamBatchMemOp_v2(own(stream), count, ops, flags);
}
