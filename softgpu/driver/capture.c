/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams that record. Between cuStreamBeginCapture and cuStreamEndCapture a stream's calls make nodes of a graph instead
 * of work: each depends on the stream's tips, which are the node before it and what cuStreamWaitEvent added. Waiting for an
 * event that was recorded in a capture brings the waiting stream into that capture.
 *
 * What cannot be recorded, or what would make recorded work wait for other work, is refused and spoils the capture: it is
 * invalid from then on, and cuStreamEndCapture says so.
 */
#include "graph.h"

#include <stdlib.h>

static struct capture *captures;

void capture_unref(struct capture *c)
{
	if (c && --c->refs == 0)
		free(c);
}

int tips_copy(struct tips *to, const struct tips *from)
{
	for (size_t i = 0; i < from->count; i++)
		if (!tips_add(to, from->nodes[i]))
			return 0;
	return 1;
}

static void invalidate(struct capture *c)
{
	c->invalid = 1;
}

CUresult capture_refuse(struct stream *s, CUresult error)
{
	if (s->capture)
		invalidate(s->capture);
	return error;
}

CUresult capture_op(struct stream *s, struct op *op)
{
	struct capture *c = s->capture;
	struct node *n;
	size_t live = 0;
	if (c->invalid) {
		op_end(op);
		return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
	}
	for (size_t i = 0; i < s->tips->count; i++) {  /* the program may have destroyed some */
		struct node *tip = s->tips->nodes[i];
		if (tip->graph)
			s->tips->nodes[live++] = tip;
		else
			object_unref(&tip->object);
	}
	s->tips->count = live;
	CUresult r = node_new(c->graph, op, s->tips->nodes, live, &n);
	if (r) {
		invalidate(c);
		return r;
	}
	tips_end(s->tips);
	if (!tips_add(s->tips, n)) {
		invalidate(c);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	return CUDA_SUCCESS;
}

/* Whether the calling thread may do what could wait for other work behind the program's back. */
CUresult capture_unsafe(void)
{
	struct thread *t = thread_self();
	int refused = 0;
	if (!t || t->capture_mode == CU_STREAM_CAPTURE_MODE_RELAXED)
		return CUDA_SUCCESS;
	for (struct capture *c = captures; c; c = c->next) {
		int own = c->thread == t && c->mode != CU_STREAM_CAPTURE_MODE_RELAXED;
		int others = c->thread != t && t->capture_mode == CU_STREAM_CAPTURE_MODE_GLOBAL &&
			     c->mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
		if (own || others) {
			invalidate(c);
			refused = 1;
		}
	}
	return refused ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : CUDA_SUCCESS;
}

/* The legacy stream waits for all blocking ones, so nothing can be given to it while one of them records. */
CUresult capture_legacy(struct context *ctx)
{
	int refused = 0;
	for (struct capture *c = captures; c; c = c->next)
		for (struct stream *s = c->members; s; s = s->capture_next)
			if (s->ctx == ctx && !(s->flags & CU_STREAM_NON_BLOCKING)) {
				invalidate(c);
				refused = 1;
			}
	return refused ? CUDA_ERROR_STREAM_CAPTURE_IMPLICIT : CUDA_SUCCESS;
}

static CUresult join(struct stream *s, struct capture *c)
{
	s->tips = calloc(1, sizeof *s->tips);
	if (!s->tips)
		return CUDA_ERROR_OUT_OF_MEMORY;
	s->capture = c;
	c->refs++;
	s->capture_next = c->members;
	c->members = s;
	return CUDA_SUCCESS;
}

static void part(struct stream *s)
{
	struct capture *c = s->capture;
	struct stream **p = &c->members;
	while (*p != s)
		p = &(*p)->capture_next;
	*p = s->capture_next;
	tips_end(s->tips);
	free(s->tips);
	s->tips = NULL;
	s->capture = NULL;
	capture_unref(c);
}

CUresult capture_join(struct stream *s, struct capture *c, const struct tips *on)
{
	if (s->capture && s->capture != c) {
		invalidate(s->capture);
		invalidate(c);
		return CUDA_ERROR_STREAM_CAPTURE_MERGE;
	}
	if (c->invalid)
		return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
	if (!s->capture) {
		if (s == s->ctx->legacy) {
			invalidate(c);
			return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
		}
		CUresult r = join(s, c);
		if (r)
			return r;
	}
	return tips_copy(s->tips, on) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static void end(struct capture *c)
{
	c->ended = 1;
	c->refs++;
	while (c->members)
		part(c->members);
	struct capture **p = &captures;
	while (*p != c)
		p = &(*p)->next;
	*p = c->next;
	c->refs--;                             /* ours; the list's is next */
	capture_unref(c);
}

void capture_stream_closed(struct stream *s)
{
	struct capture *c = s->capture;
	if (!c)
		return;
	invalidate(c);
	if (c->origin == s) {
		if (!c->given)
			graph_end(c->graph);
		end(c);
	} else {
		part(s);
	}
}

/* Every node that the forked streams made must lead to the origin's tips. */
static int joined(struct capture *c)
{
	struct tips seen = { 0 };
	int all = tips_copy(&seen, c->origin->tips);
	for (size_t i = 0; all && i < seen.count; i++)
		for (size_t k = 0; all && k < seen.nodes[i]->on_count; k++)
			all = tips_add(&seen, seen.nodes[i]->on[k]);
	for (struct stream *s = c->members; all && s; s = s->capture_next)
		for (size_t i = 0; all && i < s->tips->count; i++) {
			struct node *tip = s->tips->nodes[i];
			size_t k = 0;
			while (k < seen.count && seen.nodes[k] != tip)
				k++;
			all = k < seen.count || !tip->graph;
		}
	tips_end(&seen);
	return all;
}

static CUresult enter_capturing(CUstream handle, struct stream **s)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	if (!handle || handle == CU_STREAM_LEGACY) {   /* it never records; asking whether it does spoils nothing */
		*s = c->legacy;
		return CUDA_SUCCESS;
	}
	r = stream_find(c, handle, s);
	return r ? leave(r) : r;
}

static CUresult begin(CUstream handle, struct graph *given, const CUgraphNode *on, size_t count, CUstreamCaptureMode mode)
{
	struct stream *s;
	CUresult r = enter_capturing(handle, &s);
	if (r)
		return r;
	if ((unsigned)mode > CU_STREAM_CAPTURE_MODE_RELAXED || (given && !object_find(K_GRAPH, given)))
		return leave(CUDA_ERROR_INVALID_VALUE);
	if (s == s->ctx->legacy)
		return leave(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
	if (s->capture)
		return leave(CUDA_ERROR_ILLEGAL_STATE);
	for (size_t i = 0; i < count; i++) {
		struct node *n = on && on[i] ? object_find(K_NODE, on[i]) : NULL;
		if (!n || n->graph != given)
			return leave(CUDA_ERROR_INVALID_VALUE);
	}
	struct capture *c = calloc(1, sizeof *c);
	r = c ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
	if (!r && !given)
		r = graph_new(&c->graph);
	if (r) {
		free(c);
		return leave(r);
	}
	if (given)
		c->graph = given;
	c->given = given != NULL;
	c->refs = 1;
	c->id = gpu.next_id++;
	c->mode = mode;
	c->thread = thread_self();
	c->origin = s;
	c->next = captures;
	captures = c;
	r = join(s, c);
	for (size_t i = 0; !r && i < count; i++)
		if (!tips_add(s->tips, (struct node *)on[i]))
			r = CUDA_ERROR_OUT_OF_MEMORY;
	if (r) {
		if (!given)
			graph_end(c->graph);
		end(c);
	}
	return leave(r);
}

API CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode) { return begin(stream, NULL, NULL, 0, mode); }

API CUresult cuStreamBeginCapture(CUstream stream) { return begin(stream, NULL, NULL, 0, CU_STREAM_CAPTURE_MODE_GLOBAL); }

API CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode *on, const CUgraphEdgeData *edges,
					 size_t count, CUstreamCaptureMode mode)
{
	(void)edges;
	return graph ? begin(stream, (struct graph *)graph, on, count, mode) : CUDA_ERROR_INVALID_VALUE;
}

API CUresult cuStreamEndCapture(CUstream handle, CUgraph *graph)
{
	struct stream *s;
	CUresult r = enter_capturing(handle, &s);
	if (r)
		return r;
	if (!graph)
		return leave(CUDA_ERROR_INVALID_VALUE);
	*graph = NULL;
	struct capture *c = s->capture;
	if (!c)
		return leave(CUDA_ERROR_ILLEGAL_STATE);
	if (c->origin != s) {
		invalidate(c);
		return leave(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
	}
	if (c->mode != CU_STREAM_CAPTURE_MODE_RELAXED && c->thread != thread_self())
		return leave(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
	if (c->invalid)
		r = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
	else if (!joined(c))
		r = CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
	if (!r)
		*graph = (CUgraph)c->graph;
	else if (!c->given)
		graph_end(c->graph);
	end(c);
	return leave(r);
}

API CUresult cuStreamGetCaptureInfo_v3(CUstream handle, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
				       const CUgraphNode **dependencies, const CUgraphEdgeData **edges, size_t *count)
{
	struct stream *s;
	CUresult r = enter_capturing(handle, &s);
	if (r)
		return r;
	if (!status)
		return leave(CUDA_ERROR_INVALID_VALUE);
	struct capture *c = s->capture;
	*status = !c ? CU_STREAM_CAPTURE_STATUS_NONE
		     : c->invalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED : CU_STREAM_CAPTURE_STATUS_ACTIVE;
	if (*status != CU_STREAM_CAPTURE_STATUS_ACTIVE)
		return leave(CUDA_SUCCESS);
	if (id)
		*id = c->id;
	if (graph)
		*graph = (CUgraph)c->graph;
	if (dependencies)
		*dependencies = (const CUgraphNode *)s->tips->nodes;
	if (edges)
		*edges = s->tips->edges;
	if (count)
		*count = s->tips->count;
	return leave(CUDA_SUCCESS);
}

API CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
				       const CUgraphNode **dependencies, size_t *count)
{
	return cuStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, NULL, count);
}

API CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id)
{
	return cuStreamGetCaptureInfo_v3(stream, status, id, NULL, NULL, NULL, NULL);
}

API CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status)
{
	return cuStreamGetCaptureInfo_v3(stream, status, NULL, NULL, NULL, NULL, NULL);
}

API CUresult cuStreamUpdateCaptureDependencies_v2(CUstream handle, CUgraphNode *on, const CUgraphEdgeData *edges, size_t count,
						  unsigned int flags)
{
	struct stream *s;
	struct tips fresh = { 0 };
	(void)edges;
	CUresult r = enter_capturing(handle, &s);
	if (r)
		return r;
	if (flags & ~1u || (count && !on))
		return leave(CUDA_ERROR_INVALID_VALUE);
	if (!s->capture)
		return leave(CUDA_ERROR_ILLEGAL_STATE);
	if (!(flags & CU_STREAM_SET_CAPTURE_DEPENDENCIES) && !tips_copy(&fresh, s->tips))
		r = CUDA_ERROR_OUT_OF_MEMORY;
	for (size_t i = 0; !r && i < count; i++) {
		struct node *n = on[i] ? object_find(K_NODE, on[i]) : NULL;
		if (!n || n->graph != s->capture->graph)
			r = CUDA_ERROR_INVALID_VALUE;
		else if (!tips_add(&fresh, n))
			r = CUDA_ERROR_OUT_OF_MEMORY;
	}
	if (r) {
		tips_end(&fresh);
		return leave(r);
	}
	tips_end(s->tips);
	*s->tips = fresh;
	return leave(CUDA_SUCCESS);
}

API CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *on, size_t count, unsigned int flags)
{
	return cuStreamUpdateCaptureDependencies_v2(stream, on, NULL, count, flags);
}

/* Built for per-thread default streams: stream 0 is the thread's own. */
static CUstream own(CUstream stream) { return stream ? stream : CU_STREAM_PER_THREAD; }

API CUresult cuStreamBeginCapture_ptsz(CUstream stream) { return cuStreamBeginCapture(own(stream)); }

API CUresult cuStreamBeginCaptureToGraph_ptsz(CUstream stream, CUgraph graph, const CUgraphNode *on, const CUgraphEdgeData *edges,
					      size_t count, CUstreamCaptureMode mode)
{
	return cuStreamBeginCaptureToGraph(own(stream), graph, on, edges, count, mode);
}

API CUresult cuStreamUpdateCaptureDependencies_ptsz(CUstream stream, CUgraphNode *on, size_t count, unsigned int flags)
{
	return cuStreamUpdateCaptureDependencies(own(stream), on, count, flags);
}

API CUresult cuStreamUpdateCaptureDependencies_v2_ptsz(CUstream stream, CUgraphNode *on, const CUgraphEdgeData *edges, size_t count,
						       unsigned int flags)
{
	return cuStreamUpdateCaptureDependencies_v2(own(stream), on, edges, count, flags);
}

API CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
	CUresult r = enter_any();
	if (r)
		return r;
	if (!mode || (int)*mode < 0 || *mode > CU_STREAM_CAPTURE_MODE_RELAXED)
		return leave(CUDA_ERROR_INVALID_VALUE);
	CUstreamCaptureMode old = thread_self()->capture_mode;
	thread_self()->capture_mode = *mode;
	*mode = old;
	return leave(CUDA_SUCCESS);
}
