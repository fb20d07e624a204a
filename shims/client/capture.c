// SPDX-License-Identifier: Apache-2.0
//
// cuStreamGetCaptureInfo: its arrays belong to the driver until the thread's
// next such call; here they are this thread's.
#include <stdlib.h>
#include <string.h>

#include "call.h"

static CUresult ask(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph, const CUgraphNode **nodes,
		    const CUgraphEdgeData **edges, size_t *count)
{
	static _Thread_local struct {
		uint32_t room;
		CUgraphNode *nodes;
		CUgraphEdgeData *edges;
	} kept;
	struct axc_call call;

	if (!status)
		return axc_ready() ? axc_ready() : CUDA_ERROR_INVALID_VALUE;
	for (uint32_t room = kept.room ? kept.room : 16;;) {
		CUresult r = axc_begin(&call, AX_axStreamCaptureInfo, sizeof(struct ax_in_axStreamCaptureInfo), 0);
		if (r)
			return r;
		*(struct ax_in_axStreamCaptureInfo *)call.in =
			(struct ax_in_axStreamCaptureInfo){.stream = (uint64_t)(uintptr_t)stream, .room = room};
		r = axc_wait(&call);
		const struct ax_out_axStreamCaptureInfo *out = call.out;
		if (r || !out || call.out_size < sizeof *out + (size_t)room * (sizeof *kept.nodes + sizeof *kept.edges)) {
			axc_end(&call);
			return r ? r : CUDA_ERROR_UNKNOWN;
		}
		uint32_t have = out->count;
		if (have > room) {
			axc_end(&call);
			if (have > 1u << 16)
				return CUDA_ERROR_UNKNOWN;
			room = have;
			continue;
		}
		if (room > kept.room) {
			CUgraphNode *n = realloc(kept.nodes, room * sizeof *n);
			kept.nodes = n ? n : kept.nodes;
			CUgraphEdgeData *e = realloc(kept.edges, room * sizeof *e);
			kept.edges = e ? e : kept.edges;
			if (!n || !e) {
				axc_end(&call);
				return CUDA_ERROR_OUT_OF_MEMORY;
			}
			kept.room = room;
		}
		const uint64_t *names = (const uint64_t *)(out + 1);
		for (uint32_t i = 0; i < have; i++)
			kept.nodes[i] = (CUgraphNode)(uintptr_t)names[i];
		memcpy(kept.edges, names + room, have * sizeof *kept.edges);
		*status = (CUstreamCaptureStatus)out->status;
		if (id)
			*id = out->id;
		if (graph)
			*graph = (CUgraph)(uintptr_t)out->graph;
		if (nodes)
			*nodes = kept.nodes;
		if (edges)
			*edges = kept.edges;
		if (count)
			*count = have;
		axc_end(&call);
		return CUDA_SUCCESS;
	}
}

AX_EXPORT CUresult cuStreamGetCaptureInfo_v2(CUstream hStream, CUstreamCaptureStatus *captureStatus_out, cuuint64_t *id_out,
					     CUgraph *graph_out, const CUgraphNode **dependencies_out, size_t *numDependencies_out)
{
	return ask(hStream, captureStatus_out, id_out, graph_out, dependencies_out, NULL, numDependencies_out);
}

AX_EXPORT CUresult cuStreamGetCaptureInfo_v3(CUstream hStream, CUstreamCaptureStatus *captureStatus_out, cuuint64_t *id_out,
					     CUgraph *graph_out, const CUgraphNode **dependencies_out,
					     const CUgraphEdgeData **edgeData_out, size_t *numDependencies_out)
{
	return ask(hStream, captureStatus_out, id_out, graph_out, dependencies_out, edgeData_out, numDependencies_out);
}
