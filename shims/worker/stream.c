// SPDX-License-Identifier: Apache-2.0
//
// What is being captured on a stream, and what a thread may do meanwhile.
#include <string.h>

#include "session.h"
#include "cuda_worker.h"

CUresult axw_axStreamCaptureInfo(struct axw_call *w)
{
	struct ax_in_axStreamCaptureInfo in;
	struct ax_out_axStreamCaptureInfo out;
	CUstream stream;
	CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
	CUgraph graph = NULL;
	const CUgraphNode *nodes = NULL;
	const CUgraphEdgeData *edges = NULL;
	cuuint64_t id = 0;
	size_t count = 0;
	CUresult r;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	size_t each = sizeof(uint64_t) + sizeof(CUgraphEdgeData);
	_Static_assert(sizeof(CUgraphEdgeData) % 8 == 0, "arrays in an answer are padded to 8 bytes");
	if (in.room > (w->out_max - sizeof out) / each)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	if (axg_get_CUstream(w->s, in.stream, &stream) != CUDA_SUCCESS)
		return axw_own(CUDA_ERROR_INVALID_HANDLE);
	if (axg_vendor.cuStreamGetCaptureInfo_v3)
		r = axg_vendor.cuStreamGetCaptureInfo_v3(stream, &status, &id, &graph, &nodes, &edges, &count);
	else if (axg_vendor.cuStreamGetCaptureInfo_v2)
		r = axg_vendor.cuStreamGetCaptureInfo_v2(stream, &status, &id, &graph, &nodes, &count);
	else
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	if (r != CUDA_SUCCESS)
		return r;

	memset(&out, 0, sizeof out);
	out.status = (uint32_t)status;
	if (status == CU_STREAM_CAPTURE_STATUS_ACTIVE) {
		out.id = id;
		out.graph = axw_name(w->s, AXH_CUgraph, graph);
		out.count = (uint32_t)count;
	}
	uint8_t *p = w->out;
	memcpy(p, &out, sizeof out);
	memset(p + sizeof out, 0, in.room * each);
	uint8_t *edge = p + sizeof out + in.room * sizeof(uint64_t);
	for (uint32_t i = 0; i < out.count && i < in.room; i++) {
		uint64_t name = nodes ? axw_name(w->s, AXH_CUgraphNode, nodes[i]) : 0;
		memcpy(p + sizeof out + i * sizeof name, &name, sizeof name);
		if (edges)
			memcpy(edge + i * sizeof *edges, &edges[i], sizeof *edges);
	}
	w->out_size = sizeof out + in.room * each;
	return CUDA_SUCCESS;
}

// The vendor's mode is per thread, and a client's thread has a thread here.
CUresult axw_axThreadCaptureMode(struct axw_call *w)
{
	struct ax_in_axThreadCaptureMode in;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	if (!axg_vendor.cuThreadExchangeStreamCaptureMode)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	CUstreamCaptureMode mode = (CUstreamCaptureMode)in.mode;
	return axg_vendor.cuThreadExchangeStreamCaptureMode(&mode);
}
