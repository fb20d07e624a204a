// SPDX-License-Identifier: Apache-2.0
//
// Copies between host and device. A host address in the pinned heap is the
// same in the worker and goes as it is: the copy reads or writes it when its
// stream gets there. Other host memory travels in pieces with the frames: up,
// it has been read when the call returns; down, it has been written. On a stream
// that records, it is held for the graph (hold.c) and goes as pinned memory does.
#include <string.h>

#include "call.h"
#include "copiers.h"
#include "copy.h"
#include "hold.h"
#include "host.h"
#include "memory.h"
#include "session.h"
#include "wait.h"

#define PIECE AXC_PIECE
#define BATCH AXR_BULK_SIZE // down: of one frame; the worker tells of its pieces
#define IN_REPLY 1024u // bytes that come with the answer itself: another place is another cache line to wait for

// How a copy is asked for: its call number, its stream, whether it returns
// before it is done.
struct way {
	uint32_t number;
	CUstream stream;
	bool posted;
};

// The four calls' fixed parts differ in the stream at the end alone.
struct fixed {
	uint64_t to, from, bytes, stream;
};
_Static_assert(sizeof(struct ax_in_cuMemcpyHtoDAsync_v2) == sizeof(struct fixed), "copy up");
_Static_assert(sizeof(struct ax_in_cuMemcpyDtoHAsync_v2) == sizeof(struct fixed), "copy down");
_Static_assert(sizeof(struct ax_in_cuMemcpyHtoD_v2) == sizeof(struct fixed) - 8, "copy up and wait");
_Static_assert(sizeof(struct ax_in_cuMemcpyDtoH_v2) == sizeof(struct fixed) - 8, "copy down and wait");

static bool has_stream(uint32_t number)
{
	return number == AX_cuMemcpyHtoDAsync_v2 || number == AX_cuMemcpyDtoHAsync_v2;
}

static CUresult begin(struct axc_call *call, const struct way *way, uint64_t to, uint64_t from, uint64_t bytes, size_t data)
{
	size_t size = sizeof(struct fixed) - (has_stream(way->number) ? 0 : 8);
	CUresult r = axc_begin(call, way->number, size, data);
	if (!r)
		memcpy(call->in, &(struct fixed){to, from, bytes, (uint64_t)(uintptr_t)way->stream}, size);
	return r;
}

static CUresult finish(struct axc_call *call)
{
	CUresult r = axc_wait(call);
	axc_end(call);
	return r;
}

// A long copy of pinned memory takes as long as the last one of its direction did, a byte: who knows when it ends
// need not be woken. Nanoseconds for a MiB, by direction; what a slow copy says is forgotten by the next.
static _Atomic uint32_t pace[2];
#define PACED (1u << 20)

static CUresult whole(struct axc_call *call, bool upwards, size_t bytes)
{
	if (bytes < PACED)
		return finish(call);
	uint64_t begin = axr_now_ns(), mib = bytes >> 20;
	call->expected = mib * atomic_load_explicit(&pace[upwards], memory_order_relaxed);
	CUresult r = finish(call);
	uint64_t each = (axr_now_ns() - begin) / mib;
	if (!r && each < UINT32_MAX)
		atomic_store_explicit(&pace[upwards], (uint32_t)each, memory_order_relaxed);
	return r;
}

static CUresult up(const struct way *way, CUdeviceptr to, const void *from, size_t bytes)
{
	struct axc_call call;
	CUresult r = axc_ready();
	if (r || !bytes)
		return r;
	if (!from || !to)
		return CUDA_ERROR_INVALID_VALUE;
	uint64_t wire;
	bool by_address = axc_pinned(from, bytes, &wire);
	if (!by_address && way->posted && (r = axc_hold_recorded(way->stream, from, bytes, true, &by_address)))
		return r;
	if (by_address) {
		r = begin(&call, way, to, wire, bytes, 0);
		return r ? r : way->posted ? axc_post(&call) : whole(&call, true, bytes);
	}
	for (size_t at = 0; at < bytes; at += PIECE) {
		size_t n = bytes - at < PIECE ? bytes - at : PIECE;
		if ((r = begin(&call, way, to + at, 0, n, n)))
			return r;
		axc_copy(call.data, (const uint8_t *)from + at, n, bytes >= AXC_LONG_COPY);
		// All but the last piece of a copy that waits are posted: the worker
		// copies one while the next one is put in place.
		bool last = at + n == bytes;
		if ((r = way->posted || !last ? axc_post(&call) : finish(&call)))
			return r;
	}
	return CUDA_SUCCESS;
}

// Waits for a call that brings n bytes in bulk, and copies them out as they come.
static CUresult bring(struct axc_call *call, const uint8_t *bulk, uint8_t *to, size_t n, bool together)
{
	size_t have = 0, arrived;

	axc_ask(call);
	while (n > PIECE && (arrived = axc_arrived(call, have)) > have && arrived <= n) {
		axc_copy(to + have, bulk + have, arrived - have, together);
		have = arrived;
	}
	CUresult r = axc_result(call);
	if (!r)
		axc_copy(to + have, bulk + have, n - have, together);
	return r;
}

static CUresult down(const struct way *way, void *to, CUdeviceptr from, size_t bytes)
{
	struct axc_call call;
	CUresult r = axc_ready();
	if (r || !bytes)
		return r;
	if (!from || !to)
		return CUDA_ERROR_INVALID_VALUE;
	uint64_t wire;
	bool by_address = axc_pinned(to, bytes, &wire);
	if (!by_address && way->posted && (r = axc_hold_recorded(way->stream, to, bytes, false, &by_address)))
		return r;
	if (by_address) {
		r = begin(&call, way, wire, from, bytes, 0);
		return r ? r : way->posted ? axc_post(&call) : whole(&call, false, bytes);
	}
	if (bytes <= IN_REPLY) {
		if ((r = begin(&call, way, 0, from, bytes, 0)))
			return r;
		r = axc_wait(&call);
		if (!r && call.out_size >= bytes)
			memcpy(to, call.out, bytes);
		else if (!r)
			r = CUDA_ERROR_UNKNOWN;
		axc_end(&call);
		return r;
	}
	for (size_t at = 0; at < bytes; at += BATCH) {
		size_t n = bytes - at < BATCH ? bytes - at : BATCH;
		if ((r = begin(&call, way, 0, from + at, n, 0)))
			return r;
		const uint8_t *bulk = axc_bulk_out(&call, n);
		if (!bulk)
			return CUDA_ERROR_DEVICE_UNAVAILABLE;
		r = bring(&call, bulk, (uint8_t *)to + at, n, bytes >= AXC_LONG_COPY);
		axc_end(&call);
		if (r)
			return r;
	}
	return CUDA_SUCCESS;
}

AX_EXPORT CUresult cuMemcpyHtoD_v2(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount)
{
	return up(&(struct way){.number = AX_cuMemcpyHtoD_v2}, dstDevice, srcHost, ByteCount);
}

AX_EXPORT CUresult cuMemcpyHtoD_v2_ptds(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount)
{
	return up(&(struct way){.number = AX_cuMemcpyHtoD_v2_ptds}, dstDevice, srcHost, ByteCount);
}

AX_EXPORT CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount, CUstream hStream)
{
	return up(&(struct way){AX_cuMemcpyHtoDAsync_v2, hStream, true}, dstDevice, srcHost, ByteCount);
}

AX_EXPORT CUresult cuMemcpyDtoH_v2(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount)
{
	return down(&(struct way){.number = AX_cuMemcpyDtoH_v2}, dstHost, srcDevice, ByteCount);
}

AX_EXPORT CUresult cuMemcpyDtoH_v2_ptds(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount)
{
	return down(&(struct way){.number = AX_cuMemcpyDtoH_v2_ptds}, dstHost, srcDevice, ByteCount);
}

AX_EXPORT CUresult cuMemcpyDtoHAsync_v2(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream)
{
	return down(&(struct way){AX_cuMemcpyDtoHAsync_v2, hStream, true}, dstHost, srcDevice, ByteCount);
}

// Copies by address alone: which side is the host's is told by where it lies.
// Pinned memory is an address of the device as well.
bool axc_travels(CUdeviceptr p, size_t bytes)
{
	const void *host = (const void *)(uintptr_t)p;
	uint64_t wire;
	return !axc_is_device(p) && (axc.mirrored || !axc_pinned(host, bytes, &wire));
}

static CUresult by_address(CUdeviceptr dst, CUdeviceptr src, size_t bytes, const struct way *to_device, const struct way *to_host,
			   CUresult (*on_device)(CUdeviceptr, CUdeviceptr, size_t, CUstream))
{
	CUresult r = axc_ready();
	if (r)
		return r;
	bool from_host = axc_travels(src, bytes), into_host = axc_travels(dst, bytes);
	if (from_host && into_host) { // no device in it, but it keeps its place in the stream's order
		r = cuStreamSynchronize(to_host->stream);
		if (!r)
			memmove((void *)(uintptr_t)dst, (const void *)(uintptr_t)src, bytes);
		return r;
	}
	if (from_host)
		return up(to_device, dst, (const void *)(uintptr_t)src, bytes);
	if (into_host)
		return down(to_host, (void *)(uintptr_t)dst, src, bytes);
	return on_device(dst, src, bytes, to_host->stream);
}

static CUresult device_wait(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream)
{
	return stream ? cuMemcpyDtoD_v2_ptds(dst, src, bytes) : cuMemcpyDtoD_v2(dst, src, bytes);
}

AX_EXPORT CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount)
{
	return by_address(dst, src, ByteCount, &(struct way){.number = AX_cuMemcpyHtoD_v2},
			  &(struct way){.number = AX_cuMemcpyDtoH_v2}, device_wait);
}

AX_EXPORT CUresult cuMemcpy_ptds(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount)
{
	return by_address(dst, src, ByteCount, &(struct way){AX_cuMemcpyHtoD_v2_ptds, CU_STREAM_PER_THREAD, false},
			  &(struct way){AX_cuMemcpyDtoH_v2_ptds, CU_STREAM_PER_THREAD, false}, device_wait);
}

AX_EXPORT CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream)
{
	return by_address(dst, src, ByteCount, &(struct way){AX_cuMemcpyHtoDAsync_v2, hStream, true},
			  &(struct way){AX_cuMemcpyDtoHAsync_v2, hStream, true}, cuMemcpyDtoDAsync_v2);
}
