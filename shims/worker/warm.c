// SPDX-License-Identifier: Apache-2.0
//
// A warm worker: it has done everything that needs no client (loaded the
// vendor's library, steered its addresses, called cuInit, asked the devices)
// and sleeps until axond hands it a region. It has run as the user of that
// client's workers and with the client's environment all along, as the vendor's
// library reads HOME and CUDA_CACHE_PATH at cuInit (measured on driver 580: a
// HOME that is set later is never looked at), and its kernel half notes the user
// then.
//
// The region's places are kept free meanwhile: the vendor's library would have
// them, as what comes next lands where the region would.
#include "warm.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cuda_worker.h"
#include "region.h"

static void *reserve(uint64_t at, uint64_t size)
{
	void *p = mmap((void *)(uintptr_t)at, size, PROT_NONE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at ? MAP_FIXED_NOREPLACE : 0), -1, 0);
	if (p != MAP_FAILED && at && p != (void *)(uintptr_t)at) { // a kernel before 4.17 takes the address as a hint
		munmap(p, size);
		p = MAP_FAILED;
	}
	return p;
}

const char *axw_room_take(struct axw_room *room)
{
	uint64_t control_size = AXR_LANES_OFFSET + (uint64_t)AXR_LANES_MAX * AXR_LANE_SIZE;

	memset(room, 0, sizeof *room);
	room->control = reserve(0, control_size);
	if (room->control == MAP_FAILED)
		return "no room for a region can be kept (is there a limit on address space, ulimit -v?)";
	room->control_size = control_size;
	// Where the address space ends below that, clients have their heap elsewhere too.
	if (reserve(AXR_HEAP_BASE, AXR_HEAP_SIZE) != MAP_FAILED) {
		room->heap_base = AXR_HEAP_BASE;
		room->heap_size = AXR_HEAP_SIZE;
	}
	room->device_base = AXR_DEVICE_BASE;
	return NULL;
}

int axw_region_wait(int control, uint32_t *number, int *account)
{
	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(2 * sizeof(int))];
	} ancillary;
	ssize_t n;
	int fd[2] = { -1, -1 };

	do {
		struct iovec io = { number, sizeof *number };
		struct msghdr message = { .msg_iov = &io, .msg_iovlen = 1, .msg_control = ancillary.space,
					  .msg_controllen = sizeof ancillary };
		n = recvmsg(control, &message, MSG_CMSG_CLOEXEC);
		struct cmsghdr *c = n > 0 ? CMSG_FIRSTHDR(&message) : NULL;
		if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(sizeof fd))
			memcpy(fd, CMSG_DATA(c), sizeof fd);
	} while (n < 0 && errno == EINTR);
	*account = fd[1];
	return n == (ssize_t)sizeof *number ? fd[0] : -1;
}

// The held context. The client knows nothing of it: by its own count the
// primary context does not exist until its first cuDevicePrimaryCtxRetain, and
// is gone with its last cuDevicePrimaryCtxRelease. So what is held here is let
// go right behind the client's first retain, when it has done its work, and
// before any call that would behave otherwise on a context that exists.

static _Atomic int held;

void axw_context_hold(const struct axon_snapshot *snap)
{
	CUcontext context;

	// In the exclusive modes a context, used or not, keeps everybody else out.
	if (snap->device_count < 1 || snap->device[0].attribute[CU_DEVICE_ATTRIBUTE_COMPUTE_MODE] != CU_COMPUTEMODE_DEFAULT ||
	    !axg_vendor.cuDevicePrimaryCtxRetain || !axg_vendor.cuDevicePrimaryCtxRelease_v2)
		return;
	atomic_store(&held, axg_vendor.cuDevicePrimaryCtxRetain(&context, 0) == CUDA_SUCCESS);
}

static void let_go(void)
{
	if (atomic_exchange(&held, 0))
		axg_vendor.cuDevicePrimaryCtxRelease_v2(0);
}

static CUresult retain(struct axw_call *w)
{
	struct ax_in_cuDevicePrimaryCtxRetain in = { .dev = -1 };
	if (w->in_size >= sizeof in)
		memcpy(&in, w->in, sizeof in);
	CUresult r = axg_dispatch[AX_cuDevicePrimaryCtxRetain](w);
	if (in.dev == 0)
		let_go();
	return r;
}

static CUresult reset(struct axw_call *w)
{
	let_go();
	return axg_dispatch[AX_cuDevicePrimaryCtxReset_v2](w);
}

static CUresult set_flags(struct axw_call *w)
{
	let_go(); // flags are for a context that is made after
	return axg_dispatch[AX_cuDevicePrimaryCtxSetFlags_v2](w);
}

int axw_context_watch(struct axw_session *s)
{
	if (!atomic_load(&held))
		return 0;
	axw_function *calls = malloc(AX_COUNT * sizeof *calls);
	if (!calls)
		return -1;
	memcpy(calls, axg_dispatch, AX_COUNT * sizeof *calls);
	calls[AX_cuDevicePrimaryCtxRetain] = retain;
	calls[AX_cuDevicePrimaryCtxReset_v2] = reset;
	calls[AX_cuDevicePrimaryCtxSetFlags_v2] = set_flags;
	s->dispatch = calls;
	return 0;
}

void axw_snapshot_again(struct axon_snapshot *snap)
{
	// An administrator may have changed the compute mode; the rest is the hardware's, or the library's since cuInit.
	for (int i = 0; i < snap->device_count && i < AXON_DEVICES; i++) {
		struct axon_device *d = &snap->device[i];
		CUdevice dev = i;
		if (axg_vendor.cuDeviceGet)
			axg_vendor.cuDeviceGet(&dev, i);
		if (axg_vendor.cuDeviceGetAttribute)
			d->attribute_result[CU_DEVICE_ATTRIBUTE_COMPUTE_MODE] = (int32_t)axg_vendor.cuDeviceGetAttribute(
				&d->attribute[CU_DEVICE_ATTRIBUTE_COMPUTE_MODE], CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, dev);
	}
}
