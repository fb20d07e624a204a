// SPDX-License-Identifier: Apache-2.0
//
// Memory and semaphores of other APIs (Vulkan and its like), which a program has
// as descriptors. The worker is sent each, and the driver there takes it over; as
// it would take over the program's, that is closed here once it was imported.
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "call.h"
#include "export.h"
#include "ipc.h"
#include "memory.h"
#include "session.h"

enum { MEMORY = 0, SEMAPHORE = 1 }; // axImportExternal's what

// Kinds of handle that other systems and other libraries have: real, and not to be had here.
static CUresult foreign(const char *what)
{
	axc_debug("%s that is no file descriptor cannot be imported: Windows' and NvSci's objects are not on this system", what);
	return CUDA_ERROR_NOT_SUPPORTED;
}

static CUresult import(uint32_t what, uint32_t type, uint32_t flags, uint64_t size, int fd, bool kept, uint64_t *object)
{
	struct axc_call call;

	if (axc.mirrored) {
		axc_debug("a descriptor of this machine's means nothing beyond a relay");
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	uint64_t number = axc_export_number();
	if (!axc_session_pass(number, fd))
		return errno == EBADF ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_OPERATING_SYSTEM;
	CUresult r = axc_begin(&call, AX_axImportExternal, sizeof(struct ax_in_axImportExternal), 0);
	if (r)
		return r;
	*(struct ax_in_axImportExternal *)call.in =
		(struct ax_in_axImportExternal){.what = what, .type = type, .flags = flags, .size = size, .number = number};
	r = axc_wait(&call);
	if (!r && call.out_size >= sizeof(struct ax_out_axImportExternal))
		*object = ((const struct ax_out_axImportExternal *)call.out)->object;
	else if (!r)
		r = CUDA_ERROR_UNKNOWN;
	axc_end(&call);
	if (!r && !kept)
		close(fd);
	return r;
}

AX_EXPORT CUresult cuImportExternalMemory(CUexternalMemory *extMem_out, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *memHandleDesc)
{
	uint64_t name;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!extMem_out || !memHandleDesc)
		return CUDA_ERROR_INVALID_VALUE;
	const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *d = memHandleDesc;
	switch ((int)d->type) {
	case CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD:
	case CU_EXTERNAL_MEMORY_HANDLE_TYPE_DMABUF_FD:
		// The program keeps a DMA buffer's descriptor.
		r = import(MEMORY, d->type, d->flags, d->size, d->handle.fd,
			   (int)d->type == CU_EXTERNAL_MEMORY_HANDLE_TYPE_DMABUF_FD, &name);
		break;
	case CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32:
	case CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_KMT:
	case CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP:
	case CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE:
	case CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE:
	case CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE_KMT:
	case CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF:
		return foreign("external memory");
	default:
		return CUDA_ERROR_INVALID_VALUE;
	}
	if (!r)
		*extMem_out = (CUexternalMemory)(uintptr_t)name;
	return r;
}

AX_EXPORT CUresult cuImportExternalSemaphore(CUexternalSemaphore *extSem_out, const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC *semHandleDesc)
{
	uint64_t name;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!extSem_out || !semHandleDesc)
		return CUDA_ERROR_INVALID_VALUE;
	const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC *d = semHandleDesc;
	switch ((int)d->type) {
	case CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD:
	case CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD:
		atomic_store(&axc_events_shared, true); // a graph that is launched may signal it: see ipc.c
		r = import(SEMAPHORE, d->type, d->flags, 0, d->handle.fd, false, &name);
		break;
	case CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32:
	case CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32_KMT:
	case CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D12_FENCE:
	case CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_FENCE:
	case CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_NVSCISYNC:
	case CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX:
	case CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX_KMT:
	case CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_WIN32:
		return foreign("an external semaphore");
	default:
		return CUDA_ERROR_INVALID_VALUE;
	}
	if (!r)
		*extSem_out = (CUexternalSemaphore)(uintptr_t)name;
	return r;
}

AX_EXPORT CUresult cuExternalMemoryGetMappedBuffer(CUdeviceptr *devPtr, CUexternalMemory extMem,
						   const CUDA_EXTERNAL_MEMORY_BUFFER_DESC *bufferDesc)
{
	struct axc_call call;
	CUdeviceptr p = 0;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!devPtr || !bufferDesc)
		return CUDA_ERROR_INVALID_VALUE;
	r = axc_begin(&call, AX_cuExternalMemoryGetMappedBuffer, sizeof(struct ax_in_cuExternalMemoryGetMappedBuffer), sizeof *bufferDesc);
	if (r)
		return r;
	((struct ax_in_cuExternalMemoryGetMappedBuffer *)call.in)->extMem = (uint64_t)(uintptr_t)extMem;
	memcpy(call.data, bufferDesc, sizeof *bufferDesc);
	r = axc_wait(&call);
	if (!r && call.out_size >= sizeof(struct ax_out_cuExternalMemoryGetMappedBuffer))
		p = ((const struct ax_out_cuExternalMemoryGetMappedBuffer *)call.out)->devPtr;
	else if (!r)
		r = CUDA_ERROR_UNKNOWN;
	axc_end(&call);
	if (r)
		return r;
	if (!axc_reserve(p, bufferDesc->size)) {
		cuMemFree_v2(p);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	*devPtr = p;
	return CUDA_SUCCESS;
}
