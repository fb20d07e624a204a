/* SPDX-License-Identifier: Apache-2.0
 *
 * What the nodes of a graph do: made from the program's parameters, given back, changed. A node keeps copies of all that
 * its parameters point to, and gives pointers to those: they stay until the node ends or is changed.
 */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

static void *duplicate(const void *from, size_t n)
{
	void *to = malloc(n ? n : 1);
	if (to && n)
		memcpy(to, from, n);
	return to;
}

static void graph_memory_unref(struct graph_memory *g)
{
	if (!g || --g->refs)
		return;
	struct memory *m = memory_find(g->address);
	if (m && m->id == g->id)
		memory_free(m);
	free(g);
}

void op_end(struct op *op)
{
	switch ((int)op->type) {
	case CU_GRAPH_NODE_TYPE_KERNEL:
		free(op->kernel.bytes);
		free(op->kernel.params.kernelParams);
		free(op->kernel.params.extra);
		break;
	case CU_GRAPH_NODE_TYPE_GRAPH:
		if (op->child)
			graph_end(op->child);
		break;
	case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
		free((void *)op->alloc.params.accessDescs);
		graph_memory_unref(op->alloc.memory);
		break;
	case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP: free(op->values.paramArray); break;
	case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
	case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT: free(op->semaphores.extSemArray); break;
	case CU_GRAPH_NODE_TYPE_CONDITIONAL: choice_end(op); break;
	default: break;
	}
	memset(op, 0, sizeof *op);
	op->type = CU_GRAPH_NODE_TYPE_EMPTY;
}

/* The packed form of giving a kernel's parameters. */
static CUresult packed_list(struct op *op)
{
	void **list = calloc(6, sizeof *list);
	if (!list)
		return CUDA_ERROR_OUT_OF_MEMORY;
	list[0] = CU_LAUNCH_PARAM_BUFFER_POINTER;
	list[1] = op->kernel.bytes;
	list[2] = CU_LAUNCH_PARAM_BUFFER_SIZE;
	list[3] = &list[5];                    /* the size stands in the same block */
	list[4] = CU_LAUNCH_PARAM_END;
	memcpy(&list[5], &op->kernel.count, sizeof op->kernel.count);
	op->kernel.params.extra = list;
	return CUDA_SUCCESS;
}

/* The other form: a pointer for each, into `bytes`. */
static CUresult pointer_list(struct op *op, const struct ptx_function *code)
{
	size_t count = ptx_param_count(code), offset, size;
	void **list = calloc(count + 1, sizeof *list);
	if (!list)
		return CUDA_ERROR_OUT_OF_MEMORY;
	for (size_t i = 0; i < count; i++)
		list[i] = op->kernel.bytes + (ptx_param(code, i, &offset, &size) ? 0 : offset);
	op->kernel.params.kernelParams = list;
	op->kernel.listed = count;
	return CUDA_SUCCESS;
}

static CUresult kernel_copy(struct op *to, const struct op *from)
{
	void **old = from->kernel.params.kernelParams;
	to->kernel.params.kernelParams = to->kernel.params.extra = NULL;
	to->kernel.bytes = duplicate(from->kernel.bytes, from->kernel.count);
	CUresult r = to->kernel.bytes ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
	if (!r && from->kernel.params.extra)
		r = packed_list(to);
	if (!r && old) {
		void **list = calloc(from->kernel.listed + 1, sizeof *list);
		to->kernel.params.kernelParams = list;
		if (!list)
			r = CUDA_ERROR_OUT_OF_MEMORY;
		for (size_t i = 0; list && i < from->kernel.listed; i++)
			list[i] = to->kernel.bytes + ((unsigned char *)old[i] - from->kernel.bytes);
	}
	if (r)
		op_end(to);
	return r;
}

static CUresult code_of(struct context *c, const CUDA_KERNEL_NODE_PARAMS *p, struct function **f)
{
	return function_find(c, p->func ? p->func : (CUfunction)p->kern, f);
}

CUresult op_kernel(struct op *op, struct context *c, const CUDA_KERNEL_NODE_PARAMS *params)
{
	struct function *f;
	memset(op, 0, sizeof *op);
	CUresult r = code_of(c, params, &f);
	if (!r)
		r = launch_check(f, params, 0);
	if (r)
		return r;
	op->type = CU_GRAPH_NODE_TYPE_KERNEL;
	op->kernel.params = *params;
	op->kernel.params.kernelParams = op->kernel.params.extra = NULL;
	if (op->kernel.params.func)
		op->kernel.params.ctx = NULL;
	op->kernel.count = ptx_param_bytes(f->code);
	op->kernel.bytes = calloc(1, op->kernel.count + 1);
	r = op->kernel.bytes ? launch_gather(f->code, params->kernelParams, params->extra, op->kernel.bytes) : CUDA_ERROR_OUT_OF_MEMORY;
	if (!r)
		r = params->extra ? packed_list(op) : pointer_list(op, f->code);
	if (r)
		op_end(op);
	return r;
}

CUresult op_alloc(struct op *op, struct context *c, const CUDA_MEM_ALLOC_NODE_PARAMS *params)
{
	struct memory *m;
	struct device *d;
	(void)c;
	memset(op, 0, sizeof *op);
	if (!params->bytesize || params->poolProps.allocType != CU_MEM_ALLOCATION_TYPE_PINNED ||
	    (params->accessDescCount && !params->accessDescs) || params->accessDescCount > MAX_DEVICES)
		return CUDA_ERROR_INVALID_VALUE;
	if (params->poolProps.location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
	    params->poolProps.handleTypes != CU_MEM_HANDLE_TYPE_NONE)
		return CUDA_ERROR_NOT_SUPPORTED;
	CUresult r = device_find(params->poolProps.location.id, &d);
	if (r)
		return r;
	struct graph_memory *g = calloc(1, sizeof *g);
	CUmemAccessDesc *access = duplicate(params->accessDescs, params->accessDescCount * sizeof *access);
	r = g && access ? memory_new(d, NULL, MEM_DEVICE, params->bytesize, &m) : CUDA_ERROR_OUT_OF_MEMORY;
	if (r) {
		free(g);
		free(access);
		return r;
	}
	*g = (struct graph_memory){ .refs = 1, .address = m->start, .id = m->id };
	op->type = CU_GRAPH_NODE_TYPE_MEM_ALLOC;
	op->alloc.params = *params;
	op->alloc.params.accessDescs = access;
	op->alloc.params.dptr = m->start;
	op->alloc.memory = g;
	return CUDA_SUCCESS;
}

CUresult op_values(struct op *op, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params)
{
	memset(op, 0, sizeof *op);
	if (params->flags || !params->count || !params->paramArray || params->count > 256)
		return CUDA_ERROR_INVALID_VALUE;
	op->type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
	op->values = *params;
	op->values.paramArray = duplicate(params->paramArray, params->count * sizeof *params->paramArray);
	return op->values.paramArray ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult op_copy(struct op *to, const struct op *from)
{
	*to = *from;
	switch ((int)from->type) {
	case CU_GRAPH_NODE_TYPE_KERNEL: return kernel_copy(to, from);
	case CU_GRAPH_NODE_TYPE_GRAPH:
		to->child = NULL;
		return graph_copy(from->child, &to->child);
	case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
		to->alloc.params.accessDescs =
			duplicate(from->alloc.params.accessDescs, from->alloc.params.accessDescCount * sizeof(CUmemAccessDesc));
		to->alloc.memory->refs++;
		return CUDA_SUCCESS;
	case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
		to->values.paramArray = duplicate(from->values.paramArray, from->values.count * sizeof *from->values.paramArray);
		return to->values.paramArray ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
	case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
	case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT: return op_semaphores(to, from->type, &from->semaphores);
	case CU_GRAPH_NODE_TYPE_CONDITIONAL: return choice_copy(to, from);
	default: return CUDA_SUCCESS;
	}
}

CUresult op_any(struct op *op, struct context *c, CUgraphNodeParams *p)
{
	CUDA_KERNEL_NODE_PARAMS kernel;
	CUDA_MEM_ALLOC_NODE_PARAMS alloc;
	CUDA_BATCH_MEM_OP_NODE_PARAMS values;
	CUDA_EXT_SEM_SIGNAL_NODE_PARAMS semaphores;
	CUresult r;
	memset(op, 0, sizeof *op);
	op->type = p->type;
	switch ((int)p->type) {
	case CU_GRAPH_NODE_TYPE_KERNEL:
		memcpy(&kernel, &p->kernel, sizeof kernel);
		return op_kernel(op, c, &kernel);
	case CU_GRAPH_NODE_TYPE_MEMCPY: op->copy = p->memcpy.copyParams; return copy_op_check(&op->copy);
	case CU_GRAPH_NODE_TYPE_MEMSET: memcpy(&op->fill, &p->memset, sizeof op->fill); return fill_op_check(&op->fill);
	case CU_GRAPH_NODE_TYPE_HOST:
		memcpy(&op->host, &p->host, sizeof op->host);
		return op->host.fn ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
	case CU_GRAPH_NODE_TYPE_GRAPH: {
		struct graph *child = p->graph.graph ? object_find(K_GRAPH, p->graph.graph) : NULL;
		if (p->graph.ownership != CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE)
			return child ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
		return child ? graph_copy(child, &op->child) : CUDA_ERROR_INVALID_VALUE;
	}
	case CU_GRAPH_NODE_TYPE_EMPTY: return CUDA_SUCCESS;
	case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
		op->event = p->eventWait.event;
		return op->event && object_find(K_EVENT, op->event) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
	case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
		op->event = p->eventRecord.event;
		return op->event && object_find(K_EVENT, op->event) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
	case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
		memcpy(&alloc, &p->alloc, sizeof alloc);
		r = op_alloc(op, c, &alloc);
		if (!r)
			p->alloc.dptr = op->alloc.params.dptr;
		return r;
	case CU_GRAPH_NODE_TYPE_MEM_FREE: op->free = p->free.dptr; return op->free ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
	case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP: memcpy(&values, &p->memOp, sizeof values); return op_values(op, &values);
	case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
	case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
		memcpy(&semaphores, &p->extSemSignal, sizeof semaphores);
		return op_semaphores(op, p->type, &semaphores);
	case CU_GRAPH_NODE_TYPE_CONDITIONAL: return op_choice(op, &p->conditional);
	default: op->type = CU_GRAPH_NODE_TYPE_EMPTY; return CUDA_ERROR_NOT_SUPPORTED;
	}
}

CUresult op_replace(struct op *old, struct op *fresh)
{
	if (old->type != fresh->type) {
		op_end(fresh);
		return CUDA_ERROR_INVALID_VALUE;
	}
	CUkernelNodeAttrValue priority = old->priority;
	int cooperative = old->type == CU_GRAPH_NODE_TYPE_KERNEL ? old->kernel.cooperative : 0;
	op_end(old);
	*old = *fresh;
	old->priority = priority;
	if (old->type == CU_GRAPH_NODE_TYPE_KERNEL)
		old->kernel.cooperative = cooperative;
	memset(fresh, 0, sizeof *fresh);
	fresh->type = CU_GRAPH_NODE_TYPE_EMPTY;
	return CUDA_SUCCESS;
}

/* The node, if it is of that kind. With the lock held on success. */
static CUresult enter_node(CUgraphNode handle, CUgraphNodeType type, const void *params, struct node **n)
{
	CUresult r = enter_any();
	if (r)
		return r;
	*n = handle ? object_find(K_NODE, handle) : NULL;
	return *n && (*n)->op.type == type && params ? CUDA_SUCCESS : leave(CUDA_ERROR_INVALID_VALUE);
}

API CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode handle, CUDA_KERNEL_NODE_PARAMS *params)
{
	struct node *n;
	CUresult r = enter_node(handle, CU_GRAPH_NODE_TYPE_KERNEL, params, &n);
	if (r)
		return r;
	*params = n->op.kernel.params;
	return leave(CUDA_SUCCESS);
}

API CUresult cuGraphKernelNodeGetParams(CUgraphNode handle, CUDA_KERNEL_NODE_PARAMS_v1 *params)
{
	CUDA_KERNEL_NODE_PARAMS p;
	CUresult r = params ? cuGraphKernelNodeGetParams_v2(handle, &p) : CUDA_ERROR_INVALID_VALUE;
	if (r)
		return r;
	memcpy(params, &p, sizeof *params);
	if (!params->func)
		params->func = (CUfunction)p.kern;
	return CUDA_SUCCESS;
}

API CUresult cuGraphMemcpyNodeGetParams(CUgraphNode handle, CUDA_MEMCPY3D *params)
{
	struct node *n;
	CUresult r = enter_node(handle, CU_GRAPH_NODE_TYPE_MEMCPY, params, &n);
	if (r)
		return r;
	*params = n->op.copy;
	return leave(CUDA_SUCCESS);
}

API CUresult cuGraphMemsetNodeGetParams(CUgraphNode handle, CUDA_MEMSET_NODE_PARAMS *params)
{
	struct node *n;
	CUresult r = enter_node(handle, CU_GRAPH_NODE_TYPE_MEMSET, params, &n);
	if (r)
		return r;
	*params = n->op.fill;
	return leave(CUDA_SUCCESS);
}

API CUresult cuGraphHostNodeGetParams(CUgraphNode handle, CUDA_HOST_NODE_PARAMS *params)
{
	struct node *n;
	CUresult r = enter_node(handle, CU_GRAPH_NODE_TYPE_HOST, params, &n);
	if (r)
		return r;
	*params = n->op.host;
	return leave(CUDA_SUCCESS);
}

API CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode handle, CUgraph *graph)
{
	struct node *n;
	CUresult r = enter_node(handle, CU_GRAPH_NODE_TYPE_GRAPH, graph, &n);
	if (r)
		return r;
	*graph = (CUgraph)n->op.child;
	return leave(CUDA_SUCCESS);
}

API CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode handle, CUevent *event)
{
	struct node *n;
	CUresult r = enter_node(handle, CU_GRAPH_NODE_TYPE_EVENT_RECORD, event, &n);
	if (r)
		return r;
	*event = n->op.event;
	return leave(CUDA_SUCCESS);
}

API CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode handle, CUevent *event)
{
	struct node *n;
	CUresult r = enter_node(handle, CU_GRAPH_NODE_TYPE_WAIT_EVENT, event, &n);
	if (r)
		return r;
	*event = n->op.event;
	return leave(CUDA_SUCCESS);
}

API CUresult cuGraphMemAllocNodeGetParams(CUgraphNode handle, CUDA_MEM_ALLOC_NODE_PARAMS *params)
{
	struct node *n;
	CUresult r = enter_node(handle, CU_GRAPH_NODE_TYPE_MEM_ALLOC, params, &n);
	if (r)
		return r;
	*params = n->op.alloc.params;
	return leave(CUDA_SUCCESS);
}

API CUresult cuGraphMemFreeNodeGetParams(CUgraphNode handle, CUdeviceptr *address)
{
	struct node *n;
	CUresult r = enter_node(handle, CU_GRAPH_NODE_TYPE_MEM_FREE, address, &n);
	if (r)
		return r;
	*address = n->op.free;
	return leave(CUDA_SUCCESS);
}

API CUresult cuGraphBatchMemOpNodeGetParams(CUgraphNode handle, CUDA_BATCH_MEM_OP_NODE_PARAMS *params)
{
	struct node *n;
	CUresult r = enter_node(handle, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, params, &n);
	if (r)
		return r;
	*params = n->op.values;
	return leave(CUDA_SUCCESS);
}

API CUresult cuGraphNodeSetParams(CUgraphNode handle, CUgraphNodeParams *params)
{
	struct context *c;
	struct op op;
	CUresult r = enter(&c);
	if (r)
		return r;
	struct node *n = handle ? object_find(K_NODE, handle) : NULL;
	if (!n || !params || n->op.type != params->type || params->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC ||
	    params->type == CU_GRAPH_NODE_TYPE_MEM_FREE || params->type == CU_GRAPH_NODE_TYPE_GRAPH ||
	    params->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
		return leave(CUDA_ERROR_INVALID_VALUE);
	object_ref(&n->object);                /* looking a kernel up may let go of the lock */
	r = op_any(&op, c, params);
	if (!r && n->graph)
		r = op_replace(&n->op, &op);
	else if (!r)
		op_end(&op);
	object_unref(&n->object);
	return leave(r);
}

API CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode handle, const CUDA_KERNEL_NODE_PARAMS *params)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_KERNEL };
	if (!params)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(&p.kernel, params, sizeof *params);
	return cuGraphNodeSetParams(handle, &p);
}

API CUresult cuGraphKernelNodeSetParams(CUgraphNode handle, const CUDA_KERNEL_NODE_PARAMS_v1 *params)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_KERNEL };
	if (!params)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(&p.kernel, params, sizeof *params);
	return cuGraphNodeSetParams(handle, &p);
}

API CUresult cuGraphMemcpyNodeSetParams(CUgraphNode handle, const CUDA_MEMCPY3D *params)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_MEMCPY };
	if (!params)
		return CUDA_ERROR_INVALID_VALUE;
	p.memcpy.copyParams = *params;
	return cuGraphNodeSetParams(handle, &p);
}

API CUresult cuGraphMemsetNodeSetParams(CUgraphNode handle, const CUDA_MEMSET_NODE_PARAMS *params)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_MEMSET };
	if (!params)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(&p.memset, params, sizeof *params);
	return cuGraphNodeSetParams(handle, &p);
}

API CUresult cuGraphHostNodeSetParams(CUgraphNode handle, const CUDA_HOST_NODE_PARAMS *params)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_HOST };
	if (!params)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(&p.host, params, sizeof *params);
	return cuGraphNodeSetParams(handle, &p);
}

API CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode handle, CUevent event)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_EVENT_RECORD };
	p.eventRecord.event = event;
	return cuGraphNodeSetParams(handle, &p);
}

API CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode handle, CUevent event)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_WAIT_EVENT };
	p.eventWait.event = event;
	return cuGraphNodeSetParams(handle, &p);
}

API CUresult cuGraphBatchMemOpNodeSetParams(CUgraphNode handle, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP };
	if (!params)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(&p.memOp, params, sizeof *params);
	return cuGraphNodeSetParams(handle, &p);
}

/* The two attributes that mean something here; the others steer caches and clusters that this device has not. */
API CUresult cuGraphKernelNodeGetAttribute(CUgraphNode handle, CUkernelNodeAttrID attribute, CUkernelNodeAttrValue *value)
{
	struct node *n;
	CUresult r = enter_node(handle, CU_GRAPH_NODE_TYPE_KERNEL, value, &n);
	if (r)
		return r;
	memset(value, 0, sizeof *value);
	if ((int)attribute == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
		value->cooperative = n->op.kernel.cooperative;
	else if ((int)attribute == CU_LAUNCH_ATTRIBUTE_PRIORITY)
		*value = n->op.priority;
	else
		r = CUDA_ERROR_NOT_SUPPORTED;
	return leave(r);
}

API CUresult cuGraphKernelNodeSetAttribute(CUgraphNode handle, CUkernelNodeAttrID attribute, const CUkernelNodeAttrValue *value)
{
	struct node *n;
	CUresult r = enter_node(handle, CU_GRAPH_NODE_TYPE_KERNEL, value, &n);
	if (r)
		return r;
	if ((int)attribute == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
		n->op.kernel.cooperative = value->cooperative != 0;
	else if ((int)attribute == CU_LAUNCH_ATTRIBUTE_PRIORITY)
		n->op.priority.priority = value->priority;
	else
		r = CUDA_ERROR_NOT_SUPPORTED;
	return leave(r);
}

API CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from)
{
	struct node *a, *b;
	CUresult r = enter_node(to, CU_GRAPH_NODE_TYPE_KERNEL, &a, &a);
	if (r)
		return r;
	b = from ? object_find(K_NODE, from) : NULL;
	if (!b || b->op.type != CU_GRAPH_NODE_TYPE_KERNEL)
		return leave(CUDA_ERROR_INVALID_VALUE);
	a->op.priority = b->op.priority;
	a->op.kernel.cooperative = b->op.kernel.cooperative;
	return leave(CUDA_SUCCESS);
}
