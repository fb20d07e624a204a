// SPDX-License-Identifier: Apache-2.0
//
// Stream capture. Libraries ask whether a stream captures before nearly
// everything they do, so that no question crosses while nothing captures: the
// streams on which a capture was begun and not ended are known here. While
// there are any, the worker is asked, because a capture spreads to other
// streams by their events.
//
// cuStreamGetCaptureInfo's arrays belong to the driver until the thread's next
// such call; here they are this thread's.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "capture.h"
#include "thread.h"

// A stream on which a capture was begun. The per-thread default stream is each
// thread's own.
struct origin {
	uint64_t stream;
	const struct axc_thread *thread; // NULL for any but that one
	struct origin *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct origin *origins;
static _Atomic uint32_t capturing; // how many there are

bool axc_captures(void) { return atomic_load(&capturing) != 0; }

static const struct axc_thread *owner(CUstream stream)
{
	return stream == CU_STREAM_PER_THREAD ? axc_thread() : NULL;
}

// Before the call is sent: whoever knows of the capture must find it here.
static bool remember(CUstream stream)
{
	struct origin *o = malloc(sizeof *o);
	if (!o)
		return false;
	*o = (struct origin){.stream = (uint64_t)(uintptr_t)stream, .thread = owner(stream)};
	pthread_mutex_lock(&lock);
	o->next = origins;
	origins = o;
	atomic_fetch_add(&capturing, 1);
	pthread_mutex_unlock(&lock);
	return true;
}

static void forget(CUstream stream)
{
	const struct axc_thread *t = owner(stream);

	pthread_mutex_lock(&lock);
	for (struct origin **p = &origins, *o; (o = *p); p = &o->next)
		if (o->stream == (uint64_t)(uintptr_t)stream && o->thread == t) {
			*p = o->next;
			free(o);
			atomic_fetch_sub(&capturing, 1);
			break;
		}
	pthread_mutex_unlock(&lock);
}

// What can be said of a stream without the worker: true with the answer in *r,
// false if a capture may be going on.
static bool known(CUstream stream, const void *status, CUresult *r)
{
	uint64_t name = (uint64_t)(uintptr_t)stream;

	*r = axc_ready();
	if (*r)
		return true;
	if (atomic_load(&capturing))
		return false;
	const struct axc_thread *t = axc_thread();
	if (!status)
		*r = CUDA_ERROR_INVALID_VALUE;
	else if (name > 2 ? axc_check(AXH_CUstream, name) != 0 : false)
		*r = CUDA_ERROR_INVALID_HANDLE;
	else if (name <= 2 && (!t || !axc_thread_context(t)))
		*r = CUDA_ERROR_INVALID_CONTEXT;
	return true;
}

static CUresult began(CUstream stream, struct axc_call *call)
{
	CUresult r = axc_wait(call);
	axc_end(call);
	if (r)
		forget(stream);
	return r;
}

AX_EXPORT CUresult cuStreamBeginCapture_v2(CUstream hStream, CUstreamCaptureMode mode)
{
	struct axc_call call;
	CUresult r = axc_begin(&call, AX_cuStreamBeginCapture_v2, sizeof(struct ax_in_cuStreamBeginCapture_v2), 0);
	if (r)
		return r;
	*(struct ax_in_cuStreamBeginCapture_v2 *)call.in =
		(struct ax_in_cuStreamBeginCapture_v2){.hStream = (uint64_t)(uintptr_t)hStream, .mode = (uint32_t)mode};
	return remember(hStream) ? began(hStream, &call) : CUDA_ERROR_OUT_OF_MEMORY;
}

AX_EXPORT CUresult cuStreamBeginCapture(CUstream hStream)
{
	return cuStreamBeginCapture_v2(hStream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}

AX_EXPORT CUresult cuStreamBeginCaptureToGraph(CUstream hStream, CUgraph hGraph, const CUgraphNode *dependencies,
					       const CUgraphEdgeData *dependencyData, size_t numDependencies,
					       CUstreamCaptureMode mode)
{
	struct axc_call call;
	size_t nodes = dependencies ? numDependencies : 0, edges = dependencyData ? numDependencies : 0;
	if (numDependencies > 1u << 18)
		return axc_ready() ? axc_ready() : CUDA_ERROR_INVALID_VALUE;
	CUresult r = axc_begin(&call, AX_cuStreamBeginCaptureToGraph, sizeof(struct ax_in_cuStreamBeginCaptureToGraph),
			       nodes * sizeof *dependencies + edges * sizeof *dependencyData);
	if (r)
		return r;
	*(struct ax_in_cuStreamBeginCaptureToGraph *)call.in =
		(struct ax_in_cuStreamBeginCaptureToGraph){.hStream = (uint64_t)(uintptr_t)hStream,
							   .hGraph = (uint64_t)(uintptr_t)hGraph,
							   .has_dependencies = dependencies != NULL,
							   .has_dependencyData = dependencyData != NULL,
							   .numDependencies = numDependencies,
							   .mode = (uint32_t)mode};
	if (nodes)
		memcpy(call.data, dependencies, nodes * sizeof *dependencies);
	if (edges)
		memcpy((uint8_t *)call.data + nodes * sizeof *dependencies, dependencyData, edges * sizeof *dependencyData);
	return remember(hStream) ? began(hStream, &call) : CUDA_ERROR_OUT_OF_MEMORY;
}

// Allocators change the mode and back around calls that are made all the time.
AX_EXPORT CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
	static _Thread_local CUstreamCaptureMode now = CU_STREAM_CAPTURE_MODE_GLOBAL;
	struct axc_call call;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!mode || (unsigned)*mode > CU_STREAM_CAPTURE_MODE_RELAXED)
		return CUDA_ERROR_INVALID_VALUE;
	if (*mode == now)
		return CUDA_SUCCESS;
	if ((r = axc_begin(&call, AX_axThreadCaptureMode, sizeof(struct ax_in_axThreadCaptureMode), 0)))
		return r;
	*(struct ax_in_axThreadCaptureMode *)call.in = (struct ax_in_axThreadCaptureMode){.mode = (uint32_t)*mode};
	if ((r = axc_post(&call)))
		return r;
	CUstreamCaptureMode before = now;
	now = *mode;
	*mode = before;
	return CUDA_SUCCESS;
}

static CUresult is_capturing(CUstream stream, CUstreamCaptureStatus *status)
{
	struct axc_call call;
	CUresult r = axc_begin(&call, AX_cuStreamIsCapturing, sizeof(struct ax_in_cuStreamIsCapturing), 0);
	if (r)
		return r;
	((struct ax_in_cuStreamIsCapturing *)call.in)->hStream = (uint64_t)(uintptr_t)stream;
	r = axc_wait(&call);
	if (!r)
		*status = (CUstreamCaptureStatus)((const struct ax_out_cuStreamIsCapturing *)call.out)->captureStatus;
	axc_end(&call);
	return r;
}

static CUresult end_capture(CUstream stream, CUgraph *graph)
{
	struct axc_call call;
	CUresult r = axc_begin(&call, AX_cuStreamEndCapture, sizeof(struct ax_in_cuStreamEndCapture), 0);
	if (r)
		return r;
	((struct ax_in_cuStreamEndCapture *)call.in)->hStream = (uint64_t)(uintptr_t)stream;
	r = axc_wait(&call);
	*graph = r || !call.out ? NULL : (CUgraph)(uintptr_t)((const struct ax_out_cuStreamEndCapture *)call.out)->phGraph;
	axc_end(&call);
	return r;
}

AX_EXPORT CUresult cuStreamEndCapture(CUstream hStream, CUgraph *phGraph)
{
	CUstreamCaptureStatus status;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!phGraph)
		return CUDA_ERROR_INVALID_VALUE;
	r = end_capture(hStream, phGraph);
	if (!r) {
		forget(hStream);
		return r;
	}
	// The error may be that of a call that was posted during the capture: then
	// the worker has not come to ending it. The program has ended it, so it ends.
	if (r != CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD && r != CUDA_ERROR_STREAM_CAPTURE_UNMATCHED &&
	    !is_capturing(hStream, &status) && status != CU_STREAM_CAPTURE_STATUS_NONE) {
		CUgraph graph;
		if (!end_capture(hStream, &graph))
			cuGraphDestroy(graph);
	}
	if (!is_capturing(hStream, &status) && status == CU_STREAM_CAPTURE_STATUS_NONE)
		forget(hStream);
	return r;
}

AX_EXPORT CUresult cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus *captureStatus)
{
	CUresult r;
	if (!known(hStream, captureStatus, &r))
		return captureStatus ? is_capturing(hStream, captureStatus) : CUDA_ERROR_INVALID_VALUE;
	if (!r)
		*captureStatus = CU_STREAM_CAPTURE_STATUS_NONE;
	return r;
}

static CUresult ask(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph, const CUgraphNode **nodes,
		    const CUgraphEdgeData **edges, size_t *count)
{
	static _Thread_local struct {
		uint32_t room;
		CUgraphNode *nodes;
		CUgraphEdgeData *edges;
	} kept;
	struct axc_call call;

	CUresult known_result;
	if (known(stream, status, &known_result)) {
		if (known_result)
			return known_result;
		*status = CU_STREAM_CAPTURE_STATUS_NONE;
		if (id)
			*id = 0;
		if (graph)
			*graph = NULL;
		if (nodes)
			*nodes = NULL;
		if (edges)
			*edges = NULL;
		if (count)
			*count = 0;
		return CUDA_SUCCESS;
	}
	if (!status)
		return CUDA_ERROR_INVALID_VALUE;
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

bool axc_capturing(CUstream stream, CUgraph *graph)
{
	CUstreamCaptureStatus status;

	return atomic_load(&capturing) && !ask(stream, &status, NULL, graph, NULL, NULL, NULL) &&
	       status == CU_STREAM_CAPTURE_STATUS_ACTIVE;
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

AX_EXPORT CUresult cuStreamGetCaptureInfo(CUstream hStream, CUstreamCaptureStatus *captureStatus_out, cuuint64_t *id_out)
{
	return ask(hStream, captureStatus_out, id_out, NULL, NULL, NULL, NULL);
}
