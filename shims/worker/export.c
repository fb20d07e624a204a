// SPDX-License-Identifier: Apache-2.0
//
// Memory that is shared as file descriptors. A client's may be anything: it is
// given to the vendor, or written to without waiting.
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cuda_worker.h"
#include "descriptor.h"
#include "session.h"

enum { ALLOCATION = 0, POOL = 1, RANGE = 2 };

static CUresult send_back(uint64_t number, int fd)
{
	int socket = axw_descriptor_take(number);
	char byte = 0;
	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(sizeof(int))];
	} ancillary;
	struct iovec io = { &byte, 1 };
	struct msghdr message = { .msg_iov = &io, .msg_iovlen = 1, .msg_control = ancillary.space,
				  .msg_controllen = sizeof ancillary };

	if (socket < 0)
		return axw_own(CUDA_ERROR_OPERATING_SYSTEM);
	memset(&ancillary, 0, sizeof ancillary);
	struct cmsghdr *c = CMSG_FIRSTHDR(&message);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &fd, sizeof fd);
	ssize_t n = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
	close(socket);
	return n == 1 ? CUDA_SUCCESS : axw_own(CUDA_ERROR_OPERATING_SYSTEM);
}

CUresult axw_axExport(struct axw_call *w)
{
	struct ax_in_axExport in;
	union {
		int fd;
		uint8_t fabric[64];
	} out;
	void *handle = NULL;
	CUresult r;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	int fabric = in.what != RANGE && in.type == CU_MEM_HANDLE_TYPE_FABRIC;
	if (!fabric && in.type != (in.what == RANGE ? (uint32_t)CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD
						     : (uint32_t)CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR))
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memset(&out, 0, sizeof out);
	switch (in.what) {
	case ALLOCATION:
		if (axw_get(w->s, AXH_CUmemGenericAllocationHandle, in.object, &handle) < 0)
			return axw_own(CUDA_ERROR_INVALID_VALUE);
		r = axg_vendor.cuMemExportToShareableHandle
			    ? axg_vendor.cuMemExportToShareableHandle(&out, (CUmemGenericAllocationHandle)(uintptr_t)handle,
								      (CUmemAllocationHandleType)in.type, in.flags)
			    : axw_own(CUDA_ERROR_NOT_SUPPORTED);
		break;
	case POOL:
		if (axw_get(w->s, AXH_CUmemoryPool, in.object, &handle) < 0)
			return axw_own(CUDA_ERROR_INVALID_VALUE);
		r = axg_vendor.cuMemPoolExportToShareableHandle
			    ? axg_vendor.cuMemPoolExportToShareableHandle(&out, handle, (CUmemAllocationHandleType)in.type, in.flags)
			    : axw_own(CUDA_ERROR_NOT_SUPPORTED);
		break;
	case RANGE:
		r = axg_vendor.cuMemGetHandleForAddressRange
			    ? axg_vendor.cuMemGetHandleForAddressRange(&out, in.object, in.size, (CUmemRangeHandleType)in.type, in.flags)
			    : axw_own(CUDA_ERROR_NOT_SUPPORTED);
		break;
	default:
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	}
	if (r == CUDA_SUCCESS && fabric) {
		memcpy(w->out, out.fabric, sizeof out.fabric);
		w->out_size = sizeof out.fabric;
	} else if (r == CUDA_SUCCESS) {
		r = send_back(in.number, out.fd);
		close(out.fd);
		memset(w->out, 0, 64);
		w->out_size = r == CUDA_SUCCESS ? 64 : 0;
	}
	return r;
}

CUresult axw_axImport(struct axw_call *w)
{
	struct ax_in_axImport in;
	struct ax_out_axImport out = { 0 };
	uint8_t bytes[64];
	CUresult r;
	int fd = -1;

	if (w->in_size < sizeof in || w->data_size < sizeof bytes)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	memcpy(bytes, w->data, sizeof bytes);
	int fabric = in.type == CU_MEM_HANDLE_TYPE_FABRIC;
	if (in.what > POOL || (!fabric && in.type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR))
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	if (in.what == ALLOCATION ? !axg_vendor.cuMemImportFromShareableHandle : !axg_vendor.cuMemPoolImportFromShareableHandle)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	if (!fabric && (fd = axw_descriptor_take(in.number)) < 0)
		return axw_own(CUDA_ERROR_OPERATING_SYSTEM);
	void *handle = fabric ? (void *)bytes : (void *)(intptr_t)fd;
	if (in.what == ALLOCATION) {
		CUmemGenericAllocationHandle made = 0;
		r = axg_vendor.cuMemImportFromShareableHandle(&made, handle, (CUmemAllocationHandleType)in.type);
		if (r == CUDA_SUCCESS)
			out.object = axw_name(w->s, AXH_CUmemGenericAllocationHandle, (void *)(uintptr_t)made);
	} else {
		CUmemoryPool made = NULL;
		r = axg_vendor.cuMemPoolImportFromShareableHandle(&made, handle, (CUmemAllocationHandleType)in.type, in.flags);
		if (r == CUDA_SUCCESS)
			out.object = axw_name(w->s, AXH_CUmemoryPool, made);
	}
	if (fd >= 0)
		close(fd); // the driver keeps its own
	if (r == CUDA_SUCCESS && !out.object)
		return axw_own(CUDA_ERROR_OUT_OF_MEMORY);
	memcpy(w->out, &out, sizeof out);
	w->out_size = r == CUDA_SUCCESS ? sizeof out : 0;
	return r;
}
