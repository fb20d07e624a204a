// SPDX-License-Identifier: Apache-2.0
//
// Memory and semaphores of other APIs, that come as descriptors. A descriptor may be anything: the vendor says what
// it is.
#include <string.h>
#include <unistd.h>

#include "cuda_worker.h"
#include "descriptor.h"
#include "session.h"

enum { MEMORY = 0, SEMAPHORE = 1 };

// The kinds whose handle is a descriptor. No other kind's pointers are ever given to the vendor.
static int is_descriptor(uint32_t what, uint32_t type)
{
	if (what == MEMORY)
		return type == CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD || type == CU_EXTERNAL_MEMORY_HANDLE_TYPE_DMABUF_FD;
	return type == CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD || type == CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD;
}

static CUresult import_memory(struct axw_session *s, const struct ax_in_axImportExternal *in, int fd, uint64_t *name)
{
	CUDA_EXTERNAL_MEMORY_HANDLE_DESC d;
	CUexternalMemory made = NULL;

	memset(&d, 0, sizeof d);
	d.type = (CUexternalMemoryHandleType)in->type;
	d.handle.fd = fd;
	d.size = in->size;
	d.flags = in->flags;
	CUresult r = axg_vendor.cuImportExternalMemory(&made, &d);
	if (r != CUDA_SUCCESS)
		return r;
	*name = axw_name_new(s, AXH_CUexternalMemory, made);
	return CUDA_SUCCESS;
}

static CUresult import_semaphore(struct axw_session *s, const struct ax_in_axImportExternal *in, int fd, uint64_t *name)
{
	CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC d;
	CUexternalSemaphore made = NULL;

	memset(&d, 0, sizeof d);
	d.type = (CUexternalSemaphoreHandleType)in->type;
	d.handle.fd = fd;
	d.flags = in->flags;
	CUresult r = axg_vendor.cuImportExternalSemaphore(&made, &d);
	if (r != CUDA_SUCCESS)
		return r;
	*name = axw_name_new(s, AXH_CUexternalSemaphore, made);
	return CUDA_SUCCESS;
}

CUresult axw_axImportExternal(struct axw_call *w)
{
	struct ax_in_axImportExternal in;
	struct ax_out_axImportExternal out = { 0 };

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	if (in.what > SEMAPHORE || !is_descriptor(in.what, in.type))
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	if (in.what == MEMORY ? !axg_vendor.cuImportExternalMemory : !axg_vendor.cuImportExternalSemaphore)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	int fd = axw_descriptor_take(in.number);
	if (fd < 0)
		return axw_own(CUDA_ERROR_OPERATING_SYSTEM);
	CUresult r = in.what == MEMORY ? import_memory(w->s, &in, fd, &out.object) : import_semaphore(w->s, &in, fd, &out.object);
	// An imported descriptor is the vendor's own from then on, but for a DMA buffer's.
	if (r != CUDA_SUCCESS || (in.what == MEMORY && in.type == CU_EXTERNAL_MEMORY_HANDLE_TYPE_DMABUF_FD))
		close(fd);
	if (r == CUDA_SUCCESS && !out.object)
		return axw_own(CUDA_ERROR_OUT_OF_MEMORY);
	memcpy(w->out, &out, sizeof out);
	w->out_size = r == CUDA_SUCCESS ? sizeof out : 0;
	return r;
}
