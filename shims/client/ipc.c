// SPDX-License-Identifier: Apache-2.0
//
// Memory and events of other processes. Their worker and this one's are processes of one
// driver, so the vendor's handles mean to them what they mean to two programs.
//
// Another process learns by ways of its own that a call here has returned, and
// its worker knows nothing of what was posted to ours. For memory that is no
// matter, for one synchronises first, which is waited for. An event is what one
// synchronises by: recording one that is shared, and waiting for it, must have
// happened on return.
#include "ipc.h"

#include <string.h>

#include "call.h"
#include "memory.h"

_Atomic bool axc_events_shared;

bool axc_ipc_waits(uint32_t call)
{
	switch (call) {
	case AX_cuEventRecord:
	case AX_cuEventRecordWithFlags:
	case AX_cuStreamWaitEvent:
	case AX_cuCtxRecordEvent:
	case AX_cuCtxWaitEvent:
	case AX_cuGraphLaunch: // a graph may record events
		return true;
	default:
		return false;
	}
}

AX_EXPORT CUresult cuIpcGetEventHandle(CUipcEventHandle *pHandle, CUevent event)
{
	struct axc_call call;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!pHandle)
		return CUDA_ERROR_INVALID_VALUE;
	atomic_store(&axc_events_shared, true);
	if ((r = axc_begin(&call, AX_cuIpcGetEventHandle, sizeof(struct ax_in_cuIpcGetEventHandle), 0)))
		return r;
	((struct ax_in_cuIpcGetEventHandle *)call.in)->event = (uint64_t)(uintptr_t)event;
	r = axc_wait(&call);
	if (!r && call.out_size >= sizeof *pHandle)
		memcpy(pHandle, call.out, sizeof *pHandle);
	else if (!r)
		r = CUDA_ERROR_UNKNOWN;
	axc_end(&call);
	return r;
}

AX_EXPORT CUresult cuIpcOpenEventHandle(CUevent *phEvent, CUipcEventHandle handle)
{
	struct axc_call call;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!phEvent)
		return CUDA_ERROR_INVALID_VALUE;
	atomic_store(&axc_events_shared, true);
	if ((r = axc_begin(&call, AX_cuIpcOpenEventHandle, 0, sizeof handle)))
		return r;
	memcpy(call.data, &handle, sizeof handle);
	r = axc_wait(&call);
	if (!r && call.out_size >= sizeof(struct ax_out_cuIpcOpenEventHandle))
		*phEvent = (CUevent)(uintptr_t)((const struct ax_out_cuIpcOpenEventHandle *)call.out)->phEvent;
	else if (!r)
		r = CUDA_ERROR_UNKNOWN;
	axc_end(&call);
	return r;
}

static CUresult close_handle(CUdeviceptr p)
{
	struct axc_call call;
	CUresult r = axc_begin(&call, AX_cuIpcCloseMemHandle, sizeof(struct ax_in_cuIpcCloseMemHandle), 0);
	if (r)
		return r;
	((struct ax_in_cuIpcCloseMemHandle *)call.in)->dptr = p;
	r = axc_wait(&call);
	axc_end(&call);
	return r;
}

AX_EXPORT CUresult cuIpcOpenMemHandle_v2(CUdeviceptr *pdptr, CUipcMemHandle handle, unsigned int Flags)
{
	struct axc_call call;
	CUdeviceptr p = 0, base = 0;
	size_t size = 0;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!pdptr)
		return CUDA_ERROR_INVALID_VALUE;
	r = axc_begin(&call, AX_cuIpcOpenMemHandle_v2, sizeof(struct ax_in_cuIpcOpenMemHandle_v2), sizeof handle);
	if (r)
		return r;
	*(struct ax_in_cuIpcOpenMemHandle_v2 *)call.in = (struct ax_in_cuIpcOpenMemHandle_v2){.Flags = Flags};
	memcpy(call.data, &handle, sizeof handle);
	r = axc_wait(&call);
	if (!r)
		p = ((const struct ax_out_cuIpcOpenMemHandle_v2 *)call.out)->pdptr;
	axc_end(&call);
	if (r)
		return r;
	// How much it is the handle does not say.
	r = cuMemGetAddressRange_v2(&base, &size, p);
	if (!r && size && !axc_reserve(base, size))
		r = CUDA_ERROR_OUT_OF_MEMORY;
	if (r) {
		close_handle(p);
		return r;
	}
	*pdptr = p;
	return CUDA_SUCCESS;
}

AX_EXPORT CUresult cuIpcOpenMemHandle(CUdeviceptr *pdptr, CUipcMemHandle handle, unsigned int Flags)
{
	return cuIpcOpenMemHandle_v2(pdptr, handle, Flags);
}
