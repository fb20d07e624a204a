// SPDX-License-Identifier: Apache-2.0
//
// What ends with a graph. Its nodes do, the graphs inside its child nodes and
// the bodies of its conditional nodes, with their nodes, and so on down: the
// vendor frees them without a word. A name that outlived its object would lead
// into freed memory, so the names go first.
#include "graph.h"

#include <stdlib.h>
#include <string.h>

#include "upcall.h"
#include "cuda_worker.h"

#define DEEP 32 // graphs in graphs; the vendor's own limit is far below

// Bodies of conditional nodes: the vendor tells them once, when the node is made.
struct bodies {
	struct bodies *next;
	CUgraphNode node;
	size_t count;
	CUgraph graphs[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct bodies *all;

void axw_graph_bodies(CUgraphNode node, const CUgraph *graphs, size_t count)
{
	struct bodies *b = graphs ? malloc(sizeof *b + count * sizeof *graphs) : NULL;

	if (!b)
		return; // their names stay until the session ends
	b->node = node;
	b->count = count;
	memcpy(b->graphs, graphs, count * sizeof *graphs);
	pthread_mutex_lock(&lock);
	b->next = all;
	all = b;
	pthread_mutex_unlock(&lock);
}

static struct bodies *bodies_taken(CUgraphNode node)
{
	struct bodies **p, *b;

	pthread_mutex_lock(&lock);
	for (p = &all; (b = *p) && b->node != node; p = &b->next)
		;
	if (b)
		*p = b->next;
	pthread_mutex_unlock(&lock);
	return b;
}

static void forget_graph(struct axw_session *s, CUgraph graph, int deep);

static void forget_node(struct axw_session *s, CUgraphNode node, int deep)
{
	CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
	CUgraph inner = NULL;
	struct bodies *b = bodies_taken(node);

	for (size_t i = 0; b && i < b->count; i++)
		forget_graph(s, b->graphs[i], deep + 1);
	free(b);
	if (axg_vendor.cuGraphNodeGetType && axg_vendor.cuGraphNodeGetType(node, &type) == CUDA_SUCCESS &&
	    type == CU_GRAPH_NODE_TYPE_GRAPH && axg_vendor.cuGraphChildGraphNodeGetGraph &&
	    axg_vendor.cuGraphChildGraphNodeGetGraph(node, &inner) == CUDA_SUCCESS)
		forget_graph(s, inner, deep + 1);
	axw_del(s, AXH_CUgraphNode, axw_known(s, AXH_CUgraphNode, node));
}

static void forget_graph(struct axw_session *s, CUgraph graph, int deep)
{
	size_t count = 0;

	if (deep <= DEEP && axg_vendor.cuGraphGetNodes && axg_vendor.cuGraphGetNodes(graph, NULL, &count) == CUDA_SUCCESS && count) {
		CUgraphNode *nodes = calloc(count, sizeof *nodes);
		if (nodes && axg_vendor.cuGraphGetNodes(graph, nodes, &count) == CUDA_SUCCESS)
			for (size_t i = 0; i < count; i++)
				forget_node(s, nodes[i], deep);
		free(nodes);
	}
	axw_del(s, AXH_CUgraph, axw_known(s, AXH_CUgraph, graph));
}

CUresult axw_cuGraphDestroy(struct axw_call *w)
{
	struct ax_in_cuGraphDestroy in;
	CUgraph graph;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	if (!axg_vendor.cuGraphDestroy)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	if (axg_get_CUgraph(w->s, in.hGraph, &graph) != CUDA_SUCCESS || !graph)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	// Before, not after: the next graph may be made at this address as soon as it is free.
	forget_graph(w->s, graph, 0);
	return axg_vendor.cuGraphDestroy(graph);
}

CUresult axw_cuGraphExecDestroy(struct axw_call *w)
{
	struct ax_in_cuGraphExecDestroy in;
	CUgraphExec exec;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	if (!axg_vendor.cuGraphExecDestroy)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	if (axg_get_CUgraphExec(w->s, in.hGraphExec, &exec) != CUDA_SUCCESS || !exec)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	axw_del(w->s, AXH_CUgraphExec, in.hGraphExec); // as above: before
	return axg_vendor.cuGraphExecDestroy(exec);
}

CUresult axw_cuGraphDestroyNode(struct axw_call *w)
{
	struct ax_in_cuGraphDestroyNode in;
	CUgraphNode node;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	if (!axg_vendor.cuGraphDestroyNode)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	if (axg_get_CUgraphNode(w->s, in.hNode, &node) != CUDA_SUCCESS || !node)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	forget_node(w->s, node, 0);
	return axg_vendor.cuGraphDestroyNode(node);
}

// A user object: the client's destructor runs when the vendor lets go of it, and its name ends.
struct object {
	struct axw_session *s;
	uint64_t destroy, argument;
	_Atomic uint64_t name;
};

static void object_ends(void *arg)
{
	struct object *o = arg;

	axw_del(o->s, AXH_CUuserObject, atomic_load(&o->name));
	axw_upcall(o->s, AXR_UP_CALL, o->destroy, o->argument, 0, 0);
	free(o);
}

CUresult axw_cuUserObjectCreate(struct axw_call *w)
{
	struct ax_in_cuUserObjectCreate in;
	struct ax_out_cuUserObjectCreate out = { 0 };
	CUuserObject made = NULL;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	if (!axg_vendor.cuUserObjectCreate)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	if (!in.destroy)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	struct object *o = calloc(1, sizeof *o);
	if (!o)
		return axw_own(CUDA_ERROR_OUT_OF_MEMORY);
	o->s = w->s;
	o->destroy = in.destroy;
	o->argument = in.ptr;
	CUresult r = axg_vendor.cuUserObjectCreate(&made, o, object_ends, in.initialRefcount, in.flags);
	if (r != CUDA_SUCCESS) {
		free(o);
		return r;
	}
	out.object_out = axw_name_new(w->s, AXH_CUuserObject, made);
	atomic_store(&o->name, out.object_out);
	memcpy(w->out, &out, sizeof out);
	w->out_size = sizeof out;
	return out.object_out ? CUDA_SUCCESS : axw_own(CUDA_ERROR_OUT_OF_MEMORY);
}
