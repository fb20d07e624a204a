/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs, their nodes and the edges between them. A node keeps what it depends on; the other direction is found by
 * looking, for graphs are small and this is asked seldom.
 */
#include "graph.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void node_free(struct object *o)
{
	struct node *n = (struct node *)o;
	op_end(&n->op);
	free(n->on);
	free(n);
}

static void graph_free(struct object *o)
{
	free(o);
}

CUresult graph_new(struct graph **out)
{
	struct graph *g = calloc(1, sizeof *g);
	if (!g)
		return CUDA_ERROR_OUT_OF_MEMORY;
	object_add(&g->object, K_GRAPH, graph_free);
	g->id = gpu.next_id++;
	g->last = &g->first;
	*out = g;
	return CUDA_SUCCESS;
}

static void node_end(struct node *n)
{
	n->graph = NULL;
	n->next = NULL;
	if (n->op.type == CU_GRAPH_NODE_TYPE_GRAPH && n->op.child) {
		struct graph *child = n->op.child;
		n->op.child = NULL;
		graph_end(child);
	} else if (n->op.type == CU_GRAPH_NODE_TYPE_CONDITIONAL) {
		choice_bodies_end(&n->op);
	}
	object_retire(&n->object);
}

void graph_end(struct graph *g)
{
	for (struct node *n = g->first, *next; n; n = next) {
		next = n->next;
		node_end(n);
	}
	for (size_t i = 0; i < g->user_count; i++)
		user_object_unref(g->users[i], 1);
	free(g->users);
	conditions_end(g);
	g->first = NULL;
	object_retire(&g->object);
}

int tips_add(struct tips *t, struct node *n)
{
	for (size_t i = 0; i < t->count; i++)
		if (t->nodes[i] == n)
			return 1;
	if (t->count == t->room) {
		size_t room = t->room ? 2 * t->room : 4;
		struct node **more = realloc(t->nodes, room * sizeof *more);
		if (!more)
			return 0;
		t->nodes = more;
		CUgraphEdgeData *edges = realloc(t->edges, room * sizeof *edges);
		if (!edges)
			return 0;
		memset(edges, 0, room * sizeof *edges);
		t->edges = edges;
		t->room = room;
	}
	t->nodes[t->count++] = n;
	object_ref(&n->object);
	return 1;
}

void tips_end(struct tips *t)
{
	for (size_t i = 0; i < t->count; i++)
		object_unref(&t->nodes[i]->object);
	free(t->nodes);
	free(t->edges);
	*t = (struct tips){ 0 };
}

static int depends(const struct node *n, const struct node *on)
{
	for (size_t i = 0; i < n->on_count; i++)
		if (n->on[i] == on)
			return 1;
	return 0;
}

static CUresult edge_add(struct node *n, struct node *on)
{
	if (n->on_count == n->on_room) {
		size_t room = n->on_room ? 2 * n->on_room : 2;
		struct node **more = realloc(n->on, room * sizeof *more);
		if (!more)
			return CUDA_ERROR_OUT_OF_MEMORY;
		n->on = more;
		n->on_room = room;
	}
	n->on[n->on_count++] = on;
	return CUDA_SUCCESS;
}

static void edge_remove(struct node *n, const struct node *on)
{
	for (size_t i = 0; i < n->on_count; i++)
		if (n->on[i] == on) {
			memmove(n->on + i, n->on + i + 1, (n->on_count - i - 1) * sizeof *n->on);
			n->on_count--;
			return;
		}
}

CUresult node_new(struct graph *g, struct op *op, struct node *const *on, size_t count, struct node **out)
{
	for (size_t i = 0; i < count; i++) {
		if (on[i]->graph != g) {
			op_end(op);
			return CUDA_ERROR_INVALID_VALUE;
		}
		for (size_t k = 0; k < i; k++)
			if (on[k] == on[i]) {          /* the vendor's driver wants each once */
				op_end(op);
				return CUDA_ERROR_INVALID_VALUE;
			}
	}
	struct node *n = calloc(1, sizeof *n);
	CUresult r = n ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
	for (size_t i = 0; !r && i < count; i++)
		r = edge_add(n, on[i]);
	if (r) {
		op_end(op);
		if (n)
			free(n->on);
		free(n);
		return r;
	}
	object_add(&n->object, K_NODE, node_free);
	n->graph = g;
	n->id = n->origin = gpu.next_id++;
	n->op = *op;
	memset(op, 0, sizeof *op);
	op->type = CU_GRAPH_NODE_TYPE_EMPTY;
	if (n->op.type == CU_GRAPH_NODE_TYPE_GRAPH)
		n->op.child->owner = n;
	for (unsigned i = 0; n->op.type == CU_GRAPH_NODE_TYPE_CONDITIONAL && i < n->op.choice.params.size; i++)
		n->op.choice.bodies[i]->owner = n;
	*g->last = n;
	g->last = &n->next;
	g->count++;
	*out = n;
	return CUDA_SUCCESS;
}

struct node **graph_sorted(struct graph *g)
{
	struct node **sorted = calloc(g->count + 1, sizeof *sorted);
	size_t done = 0;
	if (!sorted)
		return NULL;
	for (struct node *n = g->first; n; n = n->next)
		n->mark = 0;
	/* As often as anything came out, in the order the nodes were made: so that equal graphs come out equal. */
	for (size_t before = 1; done < g->count && before != done;) {
		before = done;
		for (struct node *n = g->first; n; n = n->next) {
			size_t i = 0;
			while (!n->mark && i < n->on_count && n->on[i]->mark)
				i++;
			if (!n->mark && i == n->on_count) {
				n->mark = 1;
				sorted[done++] = n;
			}
		}
	}
	if (done == g->count)
		return sorted;
	free(sorted);
	return NULL;
}

CUresult graph_copy(struct graph *from, struct graph **out)
{
	struct graph *g;
	CUresult r = graph_new(&g);
	if (r)
		return r;
	g->origin = from->id;
	struct node **made = calloc(from->count + 1, sizeof *made);
	size_t i = 0;
	if (!made)
		r = CUDA_ERROR_OUT_OF_MEMORY;
	for (struct node *n = from->first; !r && n; n = n->next, i++) {
		struct op op;
		n->mark = i;
		r = n->op.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || n->op.type == CU_GRAPH_NODE_TYPE_MEM_FREE
			    ? CUDA_ERROR_NOT_SUPPORTED  /* memory has one owner, as in the vendor's driver */
			    : op_copy(&op, &n->op);
		if (!r)
			r = node_new(g, &op, NULL, 0, &made[i]);
		if (!r)
			made[i]->origin = n->id;
	}
	i = 0;
	for (struct node *n = from->first; !r && n; n = n->next, i++)
		for (size_t k = 0; !r && k < n->on_count; k++)
			r = edge_add(made[i], made[n->on[k]->mark]);
	for (size_t k = 0; !r && k < from->user_count; k++) {
		struct user_object **more = realloc(g->users, (k + 1) * sizeof *more);
		if (!more) {
			r = CUDA_ERROR_OUT_OF_MEMORY;
			break;
		}
		g->users = more;
		g->users[g->user_count++] = from->users[k];
		g->user_room = g->user_count;
		user_object_ref(from->users[k], 1);
	}
	free(made);
	if (r)
		graph_end(g);
	else
		*out = g;
	return r;
}

static CUresult graph_find(CUgraph handle, struct graph **g)
{
	*g = handle ? object_find(K_GRAPH, handle) : NULL;
	return *g ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult node_find(CUgraphNode handle, struct node **n)
{
	*n = handle ? object_find(K_NODE, handle) : NULL;
	return *n ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Of many nodes: a list that the caller frees. */
static CUresult nodes_find(const CUgraphNode *handles, size_t count, struct node ***out)
{
	CUresult r = CUDA_SUCCESS;
	*out = NULL;
	if (count && !handles)
		return CUDA_ERROR_INVALID_VALUE;
	struct node **list = calloc(count + 1, sizeof *list);
	if (!list)
		return CUDA_ERROR_OUT_OF_MEMORY;
	for (size_t i = 0; !r && i < count; i++)
		r = node_find(handles[i], &list[i]);
	if (r)
		free(list);
	else
		*out = list;
	return r;
}

API CUresult cuGraphCreate(CUgraph *out, unsigned int flags)
{
	struct graph *g;
	CUresult r = enter_any();
	if (r)
		return r;
	if (!out || flags)
		return leave(CUDA_ERROR_INVALID_VALUE);
	r = graph_new(&g);
	if (!r)
		*out = (CUgraph)g;
	return leave(r);
}

API CUresult cuGraphDestroy(CUgraph handle)
{
	struct graph *g;
	CUresult r = enter_any();
	if (r)
		return r;
	r = graph_find(handle, &g);
	if (!r && g->owner)
		r = CUDA_ERROR_INVALID_VALUE;          /* goes with its node */
	if (!r)
		graph_end(g);
	return leave(r);
}

API CUresult cuGraphClone(CUgraph *out, CUgraph handle)
{
	struct graph *g, *clone;
	CUresult r = enter_any();
	if (r)
		return r;
	r = out ? graph_find(handle, &g) : CUDA_ERROR_INVALID_VALUE;
	if (!r)
		r = graph_copy(g, &clone);
	if (!r)
		*out = (CUgraph)clone;
	return leave(r);
}

API CUresult cuGraphNodeFindInClone(CUgraphNode *out, CUgraphNode handle, CUgraph clone)
{
	struct node *n, *found;
	struct graph *g;
	CUresult r = enter_any();
	if (r)
		return r;
	r = out ? node_find(handle, &n) : CUDA_ERROR_INVALID_VALUE;
	if (!r)
		r = graph_find(clone, &g);
	if (r)
		return leave(r);
	for (found = g->first; found && found->origin != n->id; found = found->next)
		;
	if (!found)
		return leave(CUDA_ERROR_INVALID_VALUE);
	*out = (CUgraphNode)found;
	return leave(CUDA_SUCCESS);
}

/* Adds what `op` says, which was made with the lock held. */
static CUresult add(CUgraphNode *out, CUgraph handle, const CUgraphNode *on, size_t count, struct op *op)
{
	struct graph *g;
	struct node *n, **list = NULL;
	CUresult r = out ? graph_find(handle, &g) : CUDA_ERROR_INVALID_VALUE;
	if (!r)
		r = nodes_find(on, count, &list);
	if (r) {
		op_end(op);
		return leave(r);
	}
	r = node_new(g, op, list, count, &n);
	free(list);
	if (!r)
		*out = (CUgraphNode)n;
	return leave(r);
}

API CUresult cuGraphAddNode_v2(CUgraphNode *out, CUgraph graph, const CUgraphNode *on, const CUgraphEdgeData *edges, size_t count,
			       CUgraphNodeParams *params)
{
	static const CUgraphEdgeData plain;
	struct context *c;
	struct op op;
	CUresult r = enter(&c);
	if (r)
		return r;
	if (!params)
		return leave(CUDA_ERROR_INVALID_VALUE);
	for (size_t i = 0; edges && i < count; i++)    /* ports and types start a kernel before another has ended */
		if (memcmp(&edges[i], &plain, sizeof plain))
			return leave(CUDA_ERROR_NOT_SUPPORTED);
	r = op_any(&op, c, params);
	return r ? leave(r) : add(out, graph, on, count, &op);
}

API CUresult cuGraphAddNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *on, size_t count, CUgraphNodeParams *params)
{
	return cuGraphAddNode_v2(out, graph, on, NULL, count, params);
}

/* The functions for one kind of node are the one for any kind with less in it. */
API CUresult cuGraphAddKernelNode_v2(CUgraphNode *out, CUgraph graph, const CUgraphNode *on, size_t count,
				     const CUDA_KERNEL_NODE_PARAMS *params)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_KERNEL };
	if (!params)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(&p.kernel, params, sizeof *params);
	return cuGraphAddNode_v2(out, graph, on, NULL, count, &p);
}

API CUresult cuGraphAddKernelNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *on, size_t count,
				  const CUDA_KERNEL_NODE_PARAMS_v1 *params)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_KERNEL };
	if (!params)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(&p.kernel, params, sizeof *params);
	return cuGraphAddNode_v2(out, graph, on, NULL, count, &p);
}

API CUresult cuGraphAddMemcpyNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *on, size_t count, const CUDA_MEMCPY3D *copy,
				  CUcontext ctx)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_MEMCPY };
	if (!copy)
		return CUDA_ERROR_INVALID_VALUE;
	p.memcpy.copyCtx = ctx;
	p.memcpy.copyParams = *copy;
	return cuGraphAddNode_v2(out, graph, on, NULL, count, &p);
}

API CUresult cuGraphAddMemsetNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *on, size_t count,
				  const CUDA_MEMSET_NODE_PARAMS *params, CUcontext ctx)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_MEMSET };
	if (!params)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(&p.memset, params, sizeof *params);
	p.memset.ctx = ctx;
	return cuGraphAddNode_v2(out, graph, on, NULL, count, &p);
}

API CUresult cuGraphAddHostNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *on, size_t count,
				const CUDA_HOST_NODE_PARAMS *params)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_HOST };
	if (!params)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(&p.host, params, sizeof *params);
	return cuGraphAddNode_v2(out, graph, on, NULL, count, &p);
}

API CUresult cuGraphAddEmptyNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *on, size_t count)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_EMPTY };
	return cuGraphAddNode_v2(out, graph, on, NULL, count, &p);
}

API CUresult cuGraphAddChildGraphNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *on, size_t count, CUgraph child)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_GRAPH };
	p.graph.graph = child;
	return cuGraphAddNode_v2(out, graph, on, NULL, count, &p);
}

API CUresult cuGraphAddEventRecordNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *on, size_t count, CUevent event)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_EVENT_RECORD };
	p.eventRecord.event = event;
	return cuGraphAddNode_v2(out, graph, on, NULL, count, &p);
}

API CUresult cuGraphAddEventWaitNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *on, size_t count, CUevent event)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_WAIT_EVENT };
	p.eventWait.event = event;
	return cuGraphAddNode_v2(out, graph, on, NULL, count, &p);
}

API CUresult cuGraphAddMemAllocNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *on, size_t count,
				    CUDA_MEM_ALLOC_NODE_PARAMS *params)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_MEM_ALLOC };
	if (!params)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(&p.alloc, params, sizeof *params);
	CUresult r = cuGraphAddNode_v2(out, graph, on, NULL, count, &p);
	if (!r)
		params->dptr = p.alloc.dptr;
	return r;
}

API CUresult cuGraphAddMemFreeNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *on, size_t count, CUdeviceptr address)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_MEM_FREE };
	p.free.dptr = address;
	return cuGraphAddNode_v2(out, graph, on, NULL, count, &p);
}

API CUresult cuGraphAddBatchMemOpNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *on, size_t count,
				      const CUDA_BATCH_MEM_OP_NODE_PARAMS *params)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP };
	if (!params)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(&p.memOp, params, sizeof *params);
	return cuGraphAddNode_v2(out, graph, on, NULL, count, &p);
}

API CUresult cuGraphDestroyNode(CUgraphNode handle)
{
	struct node *n;
	CUresult r = enter_any();
	if (r)
		return r;
	r = node_find(handle, &n);
	if (r)
		return leave(r);
	struct graph *g = n->graph;
	struct node **p = &g->first;
	while (*p != n)
		p = &(*p)->next;
	*p = n->next;
	if (g->last == &n->next)
		g->last = p;
	g->count--;
	for (struct node *m = g->first; m; m = m->next)
		edge_remove(m, n);
	node_end(n);
	return leave(CUDA_SUCCESS);
}

API CUresult cuGraphNodeGetType(CUgraphNode handle, CUgraphNodeType *type)
{
	struct node *n;
	CUresult r = enter_any();
	if (r)
		return r;
	r = type ? node_find(handle, &n) : CUDA_ERROR_INVALID_VALUE;
	if (!r)
		*type = n->op.type;
	return leave(r);
}

/* One more answer of a list: where there is a list and room in it. */
struct answer { CUgraphNode *nodes, *to; CUgraphEdgeData *edges; size_t room, count; };

static void answer_add(struct answer *a, struct node *n, struct node *to)
{
	if (a->count < a->room) {
		if (a->nodes)
			a->nodes[a->count] = (CUgraphNode)n;
		if (a->to)
			a->to[a->count] = (CUgraphNode)to;
		if (a->edges)
			memset(&a->edges[a->count], 0, sizeof *a->edges);
	}
	a->count++;
}

/* What is left of the room is emptied; without lists only the count is asked for. */
static CUresult answer_end(struct answer *a, size_t *count)
{
	for (size_t i = a->count; i < a->room; i++) {
		if (a->nodes)
			a->nodes[i] = NULL;
		if (a->to)
			a->to[i] = NULL;
		if (a->edges)
			memset(&a->edges[i], 0, sizeof *a->edges);
	}
	int lists = a->nodes || a->to;
	*count = lists && a->count > a->room ? a->room : a->count;
	return CUDA_SUCCESS;
}

static CUresult graph_nodes(CUgraph handle, CUgraphNode *nodes, size_t *count, int roots)
{
	struct graph *g;
	CUresult r = enter_any();
	if (r)
		return r;
	r = count ? graph_find(handle, &g) : CUDA_ERROR_INVALID_VALUE;
	if (r)
		return leave(r);
	struct answer a = { .nodes = nodes, .room = nodes ? *count : 0 };
	for (struct node *n = g->first; n; n = n->next)
		if (!roots || !n->on_count)
			answer_add(&a, n, NULL);
	return leave(answer_end(&a, count));
}

API CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) { return graph_nodes(graph, nodes, count, 0); }
API CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) { return graph_nodes(graph, nodes, count, 1); }

API CUresult cuGraphGetEdges_v2(CUgraph handle, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *edges, size_t *count)
{
	struct graph *g;
	CUresult r = enter_any();
	if (r)
		return r;
	r = count && !from == !to ? graph_find(handle, &g) : CUDA_ERROR_INVALID_VALUE;
	if (r)
		return leave(r);
	struct answer a = { .nodes = from, .to = to, .edges = edges, .room = from ? *count : 0 };
	for (struct node *n = g->first; n; n = n->next)
		for (size_t i = 0; i < n->on_count; i++)
			answer_add(&a, n->on[i], n);
	return leave(answer_end(&a, count));
}

API CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count)
{
	return cuGraphGetEdges_v2(graph, from, to, NULL, count);
}

static CUresult neighbours(CUgraphNode handle, CUgraphNode *nodes, CUgraphEdgeData *edges, size_t *count, int after)
{
	struct node *n;
	CUresult r = enter_any();
	if (r)
		return r;
	r = count ? node_find(handle, &n) : CUDA_ERROR_INVALID_VALUE;
	if (r)
		return leave(r);
	struct answer a = { .nodes = nodes, .edges = edges, .room = nodes ? *count : 0 };
	for (size_t i = 0; !after && i < n->on_count; i++)
		answer_add(&a, n->on[i], NULL);
	for (struct node *m = n->graph->first; after && m; m = m->next)
		if (depends(m, n))
			answer_add(&a, m, NULL);
	return leave(answer_end(&a, count));
}

API CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *on, size_t *count)
{
	return neighbours(node, on, NULL, count, 0);
}
API CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *on, CUgraphEdgeData *edges, size_t *count)
{
	return neighbours(node, on, edges, count, 0);
}
API CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *after, size_t *count)
{
	return neighbours(node, after, NULL, count, 1);
}
API CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode *after, CUgraphEdgeData *edges, size_t *count)
{
	return neighbours(node, after, edges, count, 1);
}

static CUresult change_edges(CUgraph handle, const CUgraphNode *from, const CUgraphNode *to, size_t count, int remove)
{
	struct graph *g;
	struct node **a = NULL, **b = NULL;
	CUresult r = enter_any();
	if (r)
		return r;
	r = graph_find(handle, &g);
	if (!r)
		r = nodes_find(from, count, &a);
	if (!r)
		r = nodes_find(to, count, &b);
	for (size_t i = 0; !r && i < count; i++)
		if (a[i]->graph != g || b[i]->graph != g || a[i] == b[i] || depends(b[i], a[i]) != remove)
			r = CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; !r && i < count; i++) {
		if (remove)
			edge_remove(b[i], a[i]);
		else
			r = edge_add(b[i], a[i]);
	}
	free(a);
	free(b);
	return leave(r);
}

API CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count)
{
	return change_edges(graph, from, to, count, 0);
}
API CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, const CUgraphEdgeData *edges,
				       size_t count)
{
	static const CUgraphEdgeData plain;
	for (size_t i = 0; edges && i < count; i++)
		if (memcmp(&edges[i], &plain, sizeof plain))
			return CUDA_ERROR_NOT_SUPPORTED;
	return change_edges(graph, from, to, count, 0);
}
API CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count)
{
	return change_edges(graph, from, to, count, 1);
}
API CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
					  const CUgraphEdgeData *edges, size_t count)
{
	(void)edges;
	return change_edges(graph, from, to, count, 1);
}

static const char *type_name(CUgraphNodeType type)
{
	static const char *const names[] = { "KERNEL", "MEMCPY", "MEMSET", "HOST", "GRAPH", "EMPTY", "WAIT_EVENT", "EVENT_RECORD",
					     "EXT_SEMAS_SIGNAL", "EXT_SEMAS_WAIT", "MEM_ALLOC", "MEM_FREE", "BATCH_MEM_OP", "CONDITIONAL" };
	return (size_t)type < sizeof names / sizeof *names ? names[type] : "?";
}

static void print_graph(FILE *f, const struct graph *g)
{
	fprintf(f, "subgraph cluster_%llu {\nlabel=\"graph_%llu\"\n", g->id, g->id);
	for (const struct node *n = g->first; n; n = n->next)
		fprintf(f, "\"node_%llu\"[shape=\"record\" label=\"%s\"];\n", n->id, type_name(n->op.type));
	for (const struct node *n = g->first; n; n = n->next)
		for (size_t i = 0; i < n->on_count; i++)
			fprintf(f, "\"node_%llu\" -> \"node_%llu\";\n", n->on[i]->id, n->id);
	for (const struct node *n = g->first; n; n = n->next) {
		if (n->op.type == CU_GRAPH_NODE_TYPE_GRAPH)
			print_graph(f, n->op.child);
		for (unsigned i = 0; n->op.type == CU_GRAPH_NODE_TYPE_CONDITIONAL && i < n->op.choice.params.size; i++)
			print_graph(f, n->op.choice.bodies[i]);
	}
	fprintf(f, "}\n");
}

API CUresult cuGraphDebugDotPrint(CUgraph handle, const char *path, unsigned int flags)
{
	struct graph *g;
	(void)flags;                           /* all that is known is printed */
	CUresult r = enter_any();
	if (r)
		return r;
	r = path ? graph_find(handle, &g) : CUDA_ERROR_INVALID_VALUE;
	FILE *f = r ? NULL : fopen(path, "we");
	if (!r && !f)
		r = CUDA_ERROR_OPERATING_SYSTEM;
	if (f) {
		fprintf(f, "digraph dot {\n");
		print_graph(f, g);
		fprintf(f, "}\n");
		if (fclose(f))
			r = CUDA_ERROR_OPERATING_SYSTEM;
	}
	return leave(r);
}

/* Objects of the program's that a graph keeps alive. The destructor is its code: it gets a thread, and no lock. */
struct user_object { struct object object; unsigned refs; CUhostFn destroy; void *data; };

static void *destroy_user_object(void *p)
{
	struct user_object *u = p;
	u->destroy(u->data);
	free(u);
	return NULL;
}

static void user_object_free(struct object *o)
{
	pthread_t thread;
	sigset_t every, before;
	sigfillset(&every);
	pthread_sigmask(SIG_SETMASK, &every, &before);
	if (pthread_create(&thread, NULL, destroy_user_object, o))
		free(o);                       /* no thread, no destructor */
	else
		pthread_detach(thread);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void user_object_ref(struct user_object *u, unsigned count) { u->refs += count; }

void user_object_unref(struct user_object *u, unsigned count)
{
	u->refs -= count < u->refs ? count : u->refs;
	if (!u->refs)
		object_retire(&u->object);
}

static CUresult user_object_find(CUuserObject handle, unsigned count, struct user_object **u)
{
	*u = handle ? object_find(K_USER_OBJECT, handle) : NULL;
	return *u && count && count <= INT32_MAX ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

API CUresult cuUserObjectCreate(CUuserObject *out, void *data, CUhostFn destroy, unsigned int refs, unsigned int flags)
{
	CUresult r = enter_any();
	if (r)
		return r;
	if (!out || !destroy || !refs || refs > INT32_MAX || flags != CU_USER_OBJECT_NO_DESTRUCTOR_SYNC)
		return leave(CUDA_ERROR_INVALID_VALUE);
	struct user_object *u = calloc(1, sizeof *u);
	if (!u)
		return leave(CUDA_ERROR_OUT_OF_MEMORY);
	object_add(&u->object, K_USER_OBJECT, user_object_free);
	u->refs = refs;
	u->destroy = destroy;
	u->data = data;
	*out = (CUuserObject)u;
	return leave(CUDA_SUCCESS);
}

API CUresult cuUserObjectRetain(CUuserObject handle, unsigned int count)
{
	struct user_object *u;
	CUresult r = enter_any();
	if (r)
		return r;
	r = user_object_find(handle, count, &u);
	if (!r)
		user_object_ref(u, count);
	return leave(r);
}

API CUresult cuUserObjectRelease(CUuserObject handle, unsigned int count)
{
	struct user_object *u;
	CUresult r = enter_any();
	if (r)
		return r;
	r = user_object_find(handle, count, &u);
	if (!r && count > u->refs)
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		user_object_unref(u, count);
	return leave(r);
}

API CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject handle, unsigned int count, unsigned int flags)
{
	struct user_object *u;
	struct graph *g;
	CUresult r = enter_any();
	if (r)
		return r;
	r = graph_find(graph, &g);
	if (!r)
		r = user_object_find(handle, count, &u);
	if (!r && (flags & ~(unsigned)CU_GRAPH_USER_OBJECT_MOVE || count > 1 << 20))
		r = CUDA_ERROR_INVALID_VALUE;
	if (r)
		return leave(r);
	struct user_object **more = realloc(g->users, (g->user_count + count) * sizeof *more);
	if (!more)
		return leave(CUDA_ERROR_OUT_OF_MEMORY);
	g->users = more;
	for (unsigned i = 0; i < count; i++)
		g->users[g->user_count++] = u;
	if (!(flags & CU_GRAPH_USER_OBJECT_MOVE))
		user_object_ref(u, count);
	return leave(CUDA_SUCCESS);
}

API CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject handle, unsigned int count)
{
	struct user_object *u;
	struct graph *g;
	CUresult r = enter_any();
	if (r)
		return r;
	r = graph_find(graph, &g);
	if (!r)
		r = user_object_find(handle, count, &u);
	if (r)
		return leave(r);
	for (size_t i = g->user_count; i-- > 0 && count;)
		if (g->users[i] == u) {
			g->users[i] = g->users[--g->user_count];
			user_object_unref(u, 1);
			count--;
		}
	return leave(count ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}
