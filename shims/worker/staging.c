// SPDX-License-Identifier: Apache-2.0
//
// Long copies of pageable memory. To the vendor's library a lane's bulk area is
// pageable memory as well, which it copies once more. So the area is mapped a
// second time and registered there: copies by that address are the device's own,
// and run while the client fills or empties another piece.
//
// Up: the frame has run when the copy was queued, but its bulk is being read. The
// lane goes on with the frames behind it, and the client is told of finished
// frames up to the oldest copy under way only (axw_staging_told in place of the
// head). An event behind each copy tells when it is done.
//
// Everything here is the lane's thread's own. What is asked of the vendor beside
// the program's calls is asked in relaxed capture mode: a stream that another
// thread captures must not break over it.
#include "staging.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "cuda_worker.h"
#include "wait.h"

#define UNDER_WAY 32u
#define PIECES (AXR_BULK_SIZE / AXW_STAGED_PIECE)

struct axw_staging {
	uint8_t *area;  // the second mapping
	int impossible; // the vendor's library refused: not asked again in this lane
	struct { CUevent done; uint32_t start; } copy[UNDER_WAY];
	uint32_t first, count;
	CUstream stream;  // of the newest one,
	uint32_t end_ran; // and the head that will be behind its frame
	int any;
};

static CUstreamCaptureMode relaxed(void)
{
	CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
	if (axg_vendor.cuThreadExchangeStreamCaptureMode)
		axg_vendor.cuThreadExchangeStreamCaptureMode(&mode);
	return mode;
}

static void restore(CUstreamCaptureMode mode)
{
	if (axg_vendor.cuThreadExchangeStreamCaptureMode)
		axg_vendor.cuThreadExchangeStreamCaptureMode(&mode);
}

static uint8_t *bulk_of(struct axw_lane *l) { return (uint8_t *)l->shared + AXR_BULK_OFFSET; }

// Registrations go with the context that made them, so it is asked each time. It costs nothing beside such a copy.
static int registered(struct axw_staging *g)
{
	unsigned type = 0;
	return axg_vendor.cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)(uintptr_t)g->area) ==
		CUDA_SUCCESS && type == CU_MEMORYTYPE_HOST;
}

void *axw_staging_at(struct axw_lane *l, const void *p, size_t bytes)
{
	struct axw_staging *g = l->staging;
	size_t at = (size_t)((const uint8_t *)p - bulk_of(l));

	if (bytes < AXW_STAGED_LEAST || at > AXR_BULK_SIZE || bytes > AXR_BULK_SIZE - at)
		return NULL;
	if (!g) {
		if (!axg_vendor.cuMemHostRegister_v2 || !axg_vendor.cuMemHostUnregister || !axg_vendor.cuPointerGetAttribute ||
		    !axg_vendor.cuEventCreate || !axg_vendor.cuEventRecord || !axg_vendor.cuEventQuery ||
		    !axg_vendor.cuEventSynchronize || !axg_vendor.cuEventDestroy_v2 || !axg_vendor.cuStreamQuery ||
		    !axg_vendor.cuStreamSynchronize || !axg_vendor.cuMemcpyDtoHAsync_v2 || !(g = calloc(1, sizeof *g)))
			return NULL;
		// From no bytes to all: another mapping of the same pages.
		void *area = mremap(bulk_of(l), 0, AXR_BULK_SIZE, MREMAP_MAYMOVE);
		g->area = area == MAP_FAILED ? NULL : area;
		g->impossible = !g->area;
		l->staging = g;
	}
	if (g->impossible)
		return NULL;
	if (!registered(g)) {
		CUstreamCaptureMode mode = relaxed();
		g->impossible = axg_vendor.cuMemHostRegister_v2(g->area, AXR_BULK_SIZE, CU_MEMHOSTREGISTER_PORTABLE) != CUDA_SUCCESS;
		restore(mode);
		if (g->impossible) {
			axw_log(l->s, "lane %u: its bulk area cannot be registered: long copies take longer", l->index);
			return NULL;
		}
	}
	return g->area + at;
}

int axw_staging_free(struct axw_lane *l, CUstream stream)
{
	struct axw_staging *g = l->staging;

	if (!axg_vendor.cuStreamQuery || (g && g->count == UNDER_WAY))
		return 0;
	if (g && g->count && g->stream == stream && g->end_ran == l->head)
		return 1; // right behind the last one
	CUstreamCaptureMode mode = relaxed();
	CUresult r = axg_vendor.cuStreamQuery(stream);
	restore(mode);
	return r != CUDA_ERROR_NOT_READY;
}

CUresult axw_staging_add(struct axw_lane *l, CUstream stream)
{
	struct axw_staging *g = l->staging;
	CUevent done = NULL;

	CUstreamCaptureMode mode = relaxed();
	CUresult r = axg_vendor.cuEventCreate(&done, CU_EVENT_DISABLE_TIMING);
	if (r == CUDA_SUCCESS)
		r = axg_vendor.cuEventRecord(done, stream);
	if (r != CUDA_SUCCESS) { // rather late than wrong
		if (done)
			axg_vendor.cuEventDestroy_v2(done);
		r = axg_vendor.cuStreamSynchronize(stream);
		restore(mode);
		return r;
	}
	restore(mode);
	unsigned i = (g->first + g->count++) % UNDER_WAY;
	g->copy[i].done = done;
	g->copy[i].start = l->head;
	g->stream = stream;
	g->any = 1;
	return CUDA_SUCCESS;
}

static void forget_first(struct axw_staging *g)
{
	axg_vendor.cuEventDestroy_v2(g->copy[g->first].done);
	g->first = (g->first + 1) % UNDER_WAY;
	g->count--;
}

uint32_t axw_staging_told(struct axw_lane *l, uint32_t head)
{
	struct axw_staging *g = l->staging;

	if (!g || !g->count)
		return head;
	if (g->any) { // the frame that queued the newest copy has just run
		g->end_ran = head;
		g->any = 0;
	}
	CUstreamCaptureMode mode = relaxed();
	// An error is a broken context's, which copies nothing any more.
	while (g->count && axg_vendor.cuEventQuery(g->copy[g->first].done) != CUDA_ERROR_NOT_READY)
		forget_first(g);
	restore(mode);
	return g->count ? g->copy[g->first].start : head;
}

int axw_staging_busy(const struct axw_lane *l) { return l->staging && l->staging->count; }

void axw_staging_drain(struct axw_lane *l)
{
	if (!axw_staging_busy(l))
		return;
	CUstreamCaptureMode mode = relaxed();
	while (l->staging->count) {
		axg_vendor.cuEventSynchronize(l->staging->copy[l->staging->first].done);
		forget_first(l->staging);
	}
	restore(mode);
}

static void tell(struct axw_lane *l, uint32_t seq, size_t bytes)
{
	atomic_store_explicit(&l->shared->progress, (uint64_t)seq << 32 | bytes, memory_order_release);
}

CUresult axw_staging_down(struct axw_lane *l, void *to, CUdeviceptr from, size_t n, CUstream stream, uint32_t seq)
{
	CUevent done[PIECES] = { 0 };
	CUresult r = CUDA_SUCCESS;
	unsigned pieces = 0, told = 0;

	for (size_t at = 0; r == CUDA_SUCCESS && at < n && pieces < PIECES; at += AXW_STAGED_PIECE, pieces++) {
		size_t bytes = n - at < AXW_STAGED_PIECE ? n - at : AXW_STAGED_PIECE;
		r = axg_vendor.cuMemcpyDtoHAsync_v2((uint8_t *)to + at, from + at, bytes, stream);
		// The last one needs no event: the stream itself is waited for.
		if (r == CUDA_SUCCESS && at + bytes < n) {
			CUstreamCaptureMode mode = relaxed();
			if (axg_vendor.cuEventCreate(&done[pieces], CU_EVENT_DISABLE_TIMING) == CUDA_SUCCESS &&
			    axg_vendor.cuEventRecord(done[pieces], stream) != CUDA_SUCCESS) {
				axg_vendor.cuEventDestroy_v2(done[pieces]);
				done[pieces] = NULL;
			}
			// The first ones may be there before the last ones are queued.
			if (done[told] && axg_vendor.cuEventQuery(done[told]) == CUDA_SUCCESS) {
				axg_vendor.cuEventDestroy_v2(done[told++]);
				tell(l, seq, (size_t)told * AXW_STAGED_PIECE);
			}
			restore(mode);
		}
	}
	CUstreamCaptureMode mode = relaxed();
	for (unsigned i = told; i < pieces; i++)
		if (done[i]) {
			if (axg_vendor.cuEventSynchronize(done[i]) == CUDA_SUCCESS)
				tell(l, seq, (size_t)(i + 1) * AXW_STAGED_PIECE);
			axg_vendor.cuEventDestroy_v2(done[i]);
		}
	restore(mode);
	// Also after an error: nothing may still be on its way into the area.
	CUresult all = axg_vendor.cuStreamSynchronize(stream);
	return r == CUDA_SUCCESS ? all : r;
}

void axw_staging_end(struct axw_lane *l)
{
	struct axw_staging *g = l->staging;

	if (!g)
		return;
	l->staging = NULL;
	if (g->area && !g->impossible) {
		CUstreamCaptureMode mode = relaxed();
		CUresult r = axg_vendor.cuMemHostUnregister(g->area);
		restore(mode);
		// A broken context lets nothing go. Then the pages stay, so that nobody else gets an address that the vendor's
		// library still knows as theirs.
		if (r == CUDA_SUCCESS || r == CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED)
			munmap(g->area, AXR_BULK_SIZE);
	} else if (g->area) {
		munmap(g->area, AXR_BULK_SIZE);
	}
	free(g);
}
