// SPDX-License-Identifier: Apache-2.0
//
// Memory that is shared as file descriptors. The worker's descriptors are not
// this process's: one that the driver makes is sent back over a socket whose
// other end the worker was sent, and one that the program has is sent there.
// Either goes through axond, under a number that the call then says.
#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "call.h"
#include "export.h"
#include "memory.h"
#include "session.h"

enum { ALLOCATION = 0, POOL = 1, RANGE = 2 }; // axExport's what

#define PATIENCE_MS 10000 // for what was sent before the answer came

uint64_t axc_export_number(void)
{
	static _Atomic uint64_t last;
	return atomic_fetch_add(&last, 1) + 1;
}

// The descriptor that was sent over the socket, or -1.
static int receive(int socket)
{
	char byte[8];
	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec io = {byte, sizeof byte};
	struct msghdr message = {.msg_iov = &io, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space};
	struct pollfd p = {.fd = socket, .events = POLLIN};
	int fd = -1, n;

	while ((n = poll(&p, 1, PATIENCE_MS)) < 0 && errno == EINTR)
		;
	if (n <= 0 || recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) <= 0)
		return -1;
	struct cmsghdr *c = CMSG_FIRSTHDR(&message);
	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(&fd, CMSG_DATA(c), sizeof fd);
	return fd;
}

static CUresult export(uint32_t what, uint32_t type, uint64_t object, uint64_t size, uint64_t flags, void *out, bool fabric)
{
	struct axc_call call;
	int pair[2] = {-1, -1};
	uint64_t number = 0;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	if (axc.mirrored && !fabric) {
		axc_debug("a descriptor of another machine's memory cannot be had through a relay");
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	if (!fabric) {
		number = axc_export_number();
		if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
			return CUDA_ERROR_OPERATING_SYSTEM;
		bool sent = axc_session_pass(number, pair[1]);
		close(pair[1]);
		if (!sent) {
			close(pair[0]);
			return CUDA_ERROR_OPERATING_SYSTEM;
		}
	}
	r = axc_begin(&call, AX_axExport, sizeof(struct ax_in_axExport), 0);
	if (!r) {
		*(struct ax_in_axExport *)call.in = (struct ax_in_axExport){
			.what = what, .type = type, .object = object, .size = size, .flags = flags, .number = number};
		r = axc_wait(&call);
		if (!r && fabric) {
			if (call.out_size >= 64)
				memcpy(out, call.out, 64);
			else
				r = CUDA_ERROR_UNKNOWN;
		}
		axc_end(&call);
	}
	if (!r && !fabric) {
		int fd = receive(pair[0]);
		if (fd < 0)
			r = CUDA_ERROR_OPERATING_SYSTEM;
		else
			memcpy(out, &fd, sizeof fd);
	}
	if (!fabric)
		close(pair[0]);
	return r;
}

static CUresult import(uint32_t what, uint32_t type, uint64_t flags, void *handle, bool fabric, uint64_t *object)
{
	struct axc_call call;
	uint64_t number = 0;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (axc.mirrored && !fabric) {
		axc_debug("a descriptor of this machine's memory means nothing beyond a relay");
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	if (fabric && !handle)
		return CUDA_ERROR_INVALID_VALUE;
	if (!fabric) {
		number = axc_export_number();
		if (!axc_session_pass(number, (int)(intptr_t)handle))
			return errno == EBADF ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_OPERATING_SYSTEM;
	}
	if ((r = axc_begin(&call, AX_axImport, sizeof(struct ax_in_axImport), 64)))
		return r;
	*(struct ax_in_axImport *)call.in = (struct ax_in_axImport){.what = what, .type = type, .flags = flags, .number = number};
	memset(call.data, 0, 64);
	if (fabric)
		memcpy(call.data, handle, 64);
	r = axc_wait(&call);
	if (!r && call.out_size >= sizeof(struct ax_out_axImport))
		*object = ((const struct ax_out_axImport *)call.out)->object;
	else if (!r)
		r = CUDA_ERROR_UNKNOWN;
	axc_end(&call);
	return r;
}

// The kinds of handle that there are outside Windows; *fabric: 64 bytes and no descriptor.
static bool known(CUmemAllocationHandleType type, bool *fabric)
{
	*fabric = type == CU_MEM_HANDLE_TYPE_FABRIC;
	return *fabric || type == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
}

AX_EXPORT CUresult cuMemExportToShareableHandle(void *shareableHandle, CUmemGenericAllocationHandle handle,
						CUmemAllocationHandleType handleType, unsigned long long flags)
{
	bool fabric;
	if (!known(handleType, &fabric))
		return axc_ready() ? axc_ready() : CUDA_ERROR_INVALID_VALUE;
	return export(ALLOCATION, handleType, (uint64_t)handle, 0, flags, shareableHandle, fabric);
}

AX_EXPORT CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *osHandle,
						  CUmemAllocationHandleType shHandleType)
{
	bool fabric;
	uint64_t name;
	if (!known(shHandleType, &fabric) || !handle)
		return axc_ready() ? axc_ready() : CUDA_ERROR_INVALID_VALUE;
	CUresult r = import(ALLOCATION, shHandleType, 0, osHandle, fabric, &name);
	if (!r)
		*handle = (CUmemGenericAllocationHandle)name;
	return r;
}

AX_EXPORT CUresult cuMemPoolExportToShareableHandle(void *handle_out, CUmemoryPool pool, CUmemAllocationHandleType handleType,
						    unsigned long long flags)
{
	bool fabric;
	if (!known(handleType, &fabric))
		return axc_ready() ? axc_ready() : CUDA_ERROR_INVALID_VALUE;
	return export(POOL, handleType, (uint64_t)(uintptr_t)pool, 0, flags, handle_out, fabric);
}

AX_EXPORT CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool *pool_out, void *handle, CUmemAllocationHandleType handleType,
						      unsigned long long flags)
{
	bool fabric;
	uint64_t name;
	if (!known(handleType, &fabric) || !pool_out)
		return axc_ready() ? axc_ready() : CUDA_ERROR_INVALID_VALUE;
	CUresult r = import(POOL, handleType, flags, handle, fabric, &name);
	if (!r)
		*pool_out = (CUmemoryPool)(uintptr_t)name;
	return r;
}

AX_EXPORT CUresult cuMemGetHandleForAddressRange(void *handle, CUdeviceptr dptr, size_t size, CUmemRangeHandleType handleType,
						 unsigned long long flags)
{
	if (handleType != CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD)
		return axc_ready() ? axc_ready() : CUDA_ERROR_INVALID_VALUE;
	return export(RANGE, handleType, dptr, size, flags, handle, false);
}

AX_EXPORT CUresult cuMemPoolImportPointer(CUdeviceptr *ptr_out, CUmemoryPool pool, CUmemPoolPtrExportData *shareData)
{
	struct axc_call call;
	CUdeviceptr p = 0, base = 0;
	size_t size = 0;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!ptr_out || !shareData)
		return CUDA_ERROR_INVALID_VALUE;
	if ((r = axc_begin(&call, AX_cuMemPoolImportPointer, sizeof(struct ax_in_cuMemPoolImportPointer), sizeof *shareData)))
		return r;
	((struct ax_in_cuMemPoolImportPointer *)call.in)->pool = (uint64_t)(uintptr_t)pool;
	memcpy(call.data, shareData, sizeof *shareData);
	r = axc_wait(&call);
	if (!r && call.out_size >= sizeof(struct ax_out_cuMemPoolImportPointer))
		p = ((const struct ax_out_cuMemPoolImportPointer *)call.out)->ptr_out;
	else if (!r)
		r = CUDA_ERROR_UNKNOWN;
	axc_end(&call);
	if (r)
		return r;
	// The addresses are kept free of the program's own memory, as for every allocation.
	if (!cuMemGetAddressRange_v2(&base, &size, p) && size && !axc_reserve(base, size)) {
		cuMemFree_v2(p);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	*ptr_out = p;
	return CUDA_SUCCESS;
}
