// SPDX-License-Identifier: Apache-2.0
//
// Graph nodes and their parameters. They cross as a CUgraphNodeParams (see
// api/cuda/graph.api); here its names become handles and what follows it goes
// where its pointers point, a copy that the client cannot reach. The vendor
// copies that in turn.
//
// A host address in a copy must be pinned memory: the copy is done when the
// graph is launched, with the bytes that are there then.
#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "name.h"
#include "upcall.h"
#include "cuda_worker.h"

#define PARAMETERS_MAX 8192u
#define BODIES_MAX 4096u

_Static_assert(sizeof(CUgraphNodeParams) == 256, "the description says so");

// A node's parameters as the vendor takes them.
struct ready {
	CUgraphNodeParams p;
	uint8_t *bytes;      // what followed, and zeros after it
	size_t count;        // of bytes
	void **pointers;     // a kernel's parameters
	void *packed[5];
};

// A handle by its name; 0 is NULL. (The generated ones refuse 0 where a call wants an object.)
static CUresult get(struct axw_session *s, unsigned kind, const void *name, void *handle)
{
	void *found;

	if (axw_get(s, kind, (uint64_t)(uintptr_t)name, &found) < 0)
		return axw_own(CUDA_ERROR_INVALID_HANDLE);
	memcpy(handle, &found, sizeof found);
	return CUDA_SUCCESS;
}

static void ready_end(struct ready *n)
{
	free(n->bytes);
	free(n->pointers);
}

// A kernel's or function's parameters, as the vendor lays them out: how many there are and their bytes together.
// With pointers, each one's place in base, of at most `room`: another thread of the client's may unload the function, and another
// have its place.
static CUresult layout(int is_kernel, void *handle, uint8_t *base, size_t bytes, void **pointers, size_t room, size_t *count, size_t *whole)
{
	CUresult r;

	*count = *whole = 0;
	if (is_kernel ? !axg_vendor.cuKernelGetParamInfo : !axg_vendor.cuFuncGetParamInfo)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED); // a driver before CUDA 12.4
	for (;; ++*count) {
		size_t offset = 0, size = 0;
		r = is_kernel ? axg_vendor.cuKernelGetParamInfo(handle, *count, &offset, &size)
			      : axg_vendor.cuFuncGetParamInfo(handle, *count, &offset, &size);
		if (r != CUDA_SUCCESS)
			break;
		if (*count == (pointers ? room : PARAMETERS_MAX) || offset > EXTRA_MAX || size > EXTRA_MAX)
			return axw_own(CUDA_ERROR_UNKNOWN);
		if (*whole < offset + size)
			*whole = offset + size;
		if (pointers && offset + size > bytes)
			return axw_own(CUDA_ERROR_INVALID_VALUE);
		if (pointers)
			pointers[*count] = base + offset;
	}
	return r == CUDA_ERROR_INVALID_VALUE ? CUDA_SUCCESS : r; // the first index past the last parameter
}

static CUresult kernel_ready(struct axw_session *s, struct ready *n)
{
	CUDA_KERNEL_NODE_PARAMS_v3 *k = &n->p.kernel;
	uint64_t func = (uint64_t)(uintptr_t)k->func;
	int packed = k->extra != NULL, listed = k->kernelParams != NULL;
	int is_kernel = axr_name_is(func, AXH_CUkernel) || !func;
	size_t count, whole;
	CUresult r;

	k->extra = k->kernelParams = NULL;
	if (get(s, AXH_CUfunction, k->func, &k->func) != CUDA_SUCCESS || get(s, AXH_CUkernel, k->kern, &k->kern) != CUDA_SUCCESS ||
	    get(s, AXH_CUcontext, k->ctx, &k->ctx) != CUDA_SUCCESS)
		return axw_own(CUDA_ERROR_INVALID_HANDLE);
	void *handle = func ? (void *)k->func : (void *)k->kern;
	if (!handle || (packed && listed))
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	if (packed) {
		n->packed[0] = CU_LAUNCH_PARAM_BUFFER_POINTER;
		n->packed[1] = n->bytes;
		n->packed[2] = CU_LAUNCH_PARAM_BUFFER_SIZE;
		n->packed[3] = &n->count;
		n->packed[4] = CU_LAUNCH_PARAM_END;
		k->extra = n->packed;
	}
	if (!listed)
		return CUDA_SUCCESS;
	// The vendor reads as many bytes behind each pointer as it knows the parameter to have: its own word decides.
	if ((r = layout(is_kernel, handle, NULL, 0, NULL, 0, &count, &whole)) != CUDA_SUCCESS)
		return r;
	if (!(n->pointers = calloc(count + 1, sizeof *n->pointers)))
		return axw_own(CUDA_ERROR_OUT_OF_MEMORY);
	k->kernelParams = n->pointers;
	return layout(is_kernel, handle, n->bytes, n->count, n->pointers, count, &count, &whole);
}

// Whether all that a copy touches of a host side is pinned. As in the client, 0 is the pitch or height that is needed.
static CUresult host_side(struct axw_session *s, const void *host, size_t x, size_t y, size_t z, size_t pitch, size_t rows,
			  const CUDA_MEMCPY3D *m)
{
	uint64_t base = (uint64_t)(uintptr_t)host;
	size_t width, height, depth, from, to;

	if (s->flags & AXR_FLAG_MIRRORED)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	if (!m->WidthInBytes || !m->Height || !m->Depth)
		return CUDA_SUCCESS;
	if (__builtin_add_overflow(x, m->WidthInBytes, &width) || __builtin_add_overflow(y, m->Height, &height) ||
	    __builtin_add_overflow(z, m->Depth, &depth))
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	pitch = pitch ? pitch : width;
	rows = rows ? rows : height;
	if (__builtin_mul_overflow(depth - 1, rows, &to) || __builtin_add_overflow(to, height - 1, &to) ||
	    __builtin_mul_overflow(to, pitch, &to) || __builtin_add_overflow(to, width, &to) || base + to < base)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	from = (z * rows + y) * pitch + x;
	return from < to && axw_pinned(s, base + from, to - from) ? CUDA_SUCCESS : axw_own(CUDA_ERROR_INVALID_VALUE);
}

static CUresult copy_ready(struct axw_session *s, CUDA_MEMCPY_NODE_PARAMS *c)
{
	CUDA_MEMCPY3D *m = &c->copyParams;
	CUresult r = CUDA_SUCCESS;

	if (get(s, AXH_CUcontext, c->copyCtx, &c->copyCtx) != CUDA_SUCCESS)
		return axw_own(CUDA_ERROR_INVALID_CONTEXT);
	if (get(s, AXH_CUarray, m->srcMemoryType == CU_MEMORYTYPE_ARRAY ? m->srcArray : NULL, &m->srcArray) != CUDA_SUCCESS ||
	    get(s, AXH_CUarray, m->dstMemoryType == CU_MEMORYTYPE_ARRAY ? m->dstArray : NULL, &m->dstArray) != CUDA_SUCCESS)
		return axw_own(CUDA_ERROR_INVALID_HANDLE);
	// No side is given to the vendor as one whose place it finds out by itself.
	if (m->srcMemoryType == CU_MEMORYTYPE_UNIFIED || m->dstMemoryType == CU_MEMORYTYPE_UNIFIED)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	m->reserved0 = m->reserved1 = NULL;
	if (m->srcMemoryType == CU_MEMORYTYPE_HOST)
		r = host_side(s, m->srcHost, m->srcXInBytes, m->srcY, m->srcZ, m->srcPitch, m->srcHeight, m);
	else
		m->srcHost = NULL;
	if (r == CUDA_SUCCESS && m->dstMemoryType == CU_MEMORYTYPE_HOST)
		r = host_side(s, m->dstHost, m->dstXInBytes, m->dstY, m->dstZ, m->dstPitch, m->dstHeight, m);
	else if (m->dstMemoryType != CU_MEMORYTYPE_HOST)
		m->dstHost = NULL;
	return r;
}

// From the frame: `extra` bytes after the parameters at `at`. ready_end in any case.
static CUresult ready(struct axw_session *s, const uint8_t *at, uint32_t extra, struct ready *n)
{
	CUgraphNodeParams *p = &n->p;

	memset(n, 0, sizeof *n);
	memcpy(p, at, sizeof *p);
	n->count = extra;
	if (!(n->bytes = calloc(1, extra + 64)))
		return axw_own(CUDA_ERROR_OUT_OF_MEMORY);
	memcpy(n->bytes, at + sizeof *p, extra);
	switch ((int)p->type) {
	case CU_GRAPH_NODE_TYPE_KERNEL:
		return kernel_ready(s, n);
	case CU_GRAPH_NODE_TYPE_MEMCPY:
		return copy_ready(s, &p->memcpy);
	case CU_GRAPH_NODE_TYPE_MEMSET:
		return get(s, AXH_CUcontext, p->memset.ctx, &p->memset.ctx);
	case CU_GRAPH_NODE_TYPE_HOST:
		if (!p->host.fn)
			return axw_own(CUDA_ERROR_INVALID_VALUE);
		return axw_upcall_kept(s, (uint64_t)(uintptr_t)p->host.fn, (uint64_t)(uintptr_t)p->host.userData, &p->host.fn,
				       &p->host.userData) < 0
			       ? axw_own(CUDA_ERROR_OUT_OF_MEMORY)
			       : CUDA_SUCCESS;
	case CU_GRAPH_NODE_TYPE_GRAPH:
		return get(s, AXH_CUgraph, p->graph.graph, &p->graph.graph);
	case CU_GRAPH_NODE_TYPE_EMPTY:
		return CUDA_SUCCESS;
	case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
		return get(s, AXH_CUevent, p->eventWait.event, &p->eventWait.event);
	case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
		return get(s, AXH_CUevent, p->eventRecord.event, &p->eventRecord.event);
	case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
		if (p->alloc.accessDescCount > n->count / sizeof *p->alloc.accessDescs)
			return axw_own(CUDA_ERROR_INVALID_VALUE);
		p->alloc.accessDescs = p->alloc.accessDescCount ? (const CUmemAccessDesc *)n->bytes : NULL;
		p->alloc.poolProps.win32SecurityAttributes = NULL;
		return CUDA_SUCCESS;
	case CU_GRAPH_NODE_TYPE_MEM_FREE:
		return CUDA_SUCCESS;
	case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
		if (p->memOp.count > n->count / sizeof *p->memOp.paramArray)
			return axw_own(CUDA_ERROR_INVALID_VALUE);
		p->memOp.paramArray = (CUstreamBatchMemOpParams *)n->bytes;
		return get(s, AXH_CUcontext, p->memOp.ctx, &p->memOp.ctx);
	case CU_GRAPH_NODE_TYPE_CONDITIONAL:
		p->conditional.phGraph_out = NULL;
		return get(s, AXH_CUcontext, p->conditional.ctx, &p->conditional.ctx);
	case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
	case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
		return axw_semaphores_ready(s, p, n->bytes, n->count);
	default:
		return axw_own(CUDA_ERROR_NOT_SUPPORTED); // a kind that this axon does not know may have pointers
	}
}

static CUresult add_one(CUgraphNode *node, CUgraph graph, const CUgraphNode *on, const CUgraphEdgeData *edges, size_t count,
			int generic, CUgraphNodeParams *p)
{
	if (generic || edges || p->type == CU_GRAPH_NODE_TYPE_CONDITIONAL) {
		if (axg_vendor.cuGraphAddNode_v2)
			return axg_vendor.cuGraphAddNode_v2(node, graph, on, edges, count, p);
		return edges ? axw_own(CUDA_ERROR_NOT_SUPPORTED) : VENDOR(cuGraphAddNode, node, graph, on, count, p);
	}
	switch ((int)p->type) {
	case CU_GRAPH_NODE_TYPE_KERNEL:
		return VENDOR(cuGraphAddKernelNode_v2, node, graph, on, count, (const CUDA_KERNEL_NODE_PARAMS *)&p->kernel);
	case CU_GRAPH_NODE_TYPE_MEMCPY:
		return VENDOR(cuGraphAddMemcpyNode, node, graph, on, count, &p->memcpy.copyParams, p->memcpy.copyCtx);
	case CU_GRAPH_NODE_TYPE_HOST:
		return VENDOR(cuGraphAddHostNode, node, graph, on, count, (const CUDA_HOST_NODE_PARAMS *)&p->host);
	case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
		return VENDOR(cuGraphAddMemAllocNode, node, graph, on, count, (CUDA_MEM_ALLOC_NODE_PARAMS *)&p->alloc);
	case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
	case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
		return axw_semaphores_add(node, graph, on, count, p);
	default:
		return axw_own(CUDA_ERROR_INVALID_VALUE); // the others have calls of their own
	}
}

CUresult axw_axGraphNodeAdd(struct axw_call *w)
{
	struct ax_in_axGraphNodeAdd in;
	struct ax_out_axGraphNodeAdd out = { 0, 0 };
	struct ready n;
	CUgraph graph;
	CUgraphNode node = NULL;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	uint64_t nodes = (uint64_t)in.numDependencies * sizeof(CUgraphNode), edges = (uint64_t)in.numEdges * sizeof(CUgraphEdgeData);
	if (in.extraBytes > EXTRA_MAX || in.room > BODIES_MAX || (in.numEdges && in.numEdges != in.numDependencies) ||
	    nodes + edges + sizeof n.p + in.extraBytes > w->data_size)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	if (axg_get_CUgraph(w->s, in.graph, &graph) != CUDA_SUCCESS || !graph)
		return axw_own(CUDA_ERROR_INVALID_VALUE);

	CUgraphNode *on = calloc(in.numDependencies + 1, sizeof *on);
	CUgraphEdgeData *data = calloc(in.numEdges + 1, sizeof *data);
	CUresult r = ready(w->s, w->data + nodes + edges, in.extraBytes, &n);
	if (r == CUDA_SUCCESS && (!on || !data))
		r = axw_own(CUDA_ERROR_OUT_OF_MEMORY);
	for (uint32_t i = 0; r == CUDA_SUCCESS && i < in.numDependencies; i++) {
		uint64_t name;
		memcpy(&name, w->data + i * sizeof name, sizeof name);
		r = axg_get_CUgraphNode(w->s, name, &on[i]);
	}
	if (r == CUDA_SUCCESS) {
		memcpy(data, w->data + nodes, edges);
		r = add_one(&node, graph, in.numDependencies ? on : NULL, in.numEdges ? data : NULL, in.numDependencies, in.generic != 0,
			    &n.p);
	}
	if (r == CUDA_SUCCESS) {
		uint64_t *bodies = (uint64_t *)((uint8_t *)w->out + sizeof out);
		memset(bodies, 0, in.room * sizeof *bodies);
		out.node = axw_name_new(w->s, AXH_CUgraphNode, node);
		if (n.p.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
			out.dptr = n.p.alloc.dptr;
		const CUgraph *inner = n.p.type == CU_GRAPH_NODE_TYPE_CONDITIONAL ? n.p.conditional.phGraph_out : NULL;
		if (inner) {
			axw_graph_bodies(node, inner, n.p.conditional.size);
			for (uint32_t i = 0; i < in.room && i < n.p.conditional.size; i++)
				bodies[i] = axw_name_new(w->s, AXH_CUgraph, inner[i]);
		}
		memcpy(w->out, &out, sizeof out);
		w->out_size = sizeof out + in.room * sizeof *bodies;
		if (!out.node) // a million others live
			r = axw_own(CUDA_ERROR_OUT_OF_MEMORY);
	}
	ready_end(&n);
	free(on);
	free(data);
	return r;
}

static CUresult set_node(CUgraphNode node, int generic, CUgraphNodeParams *p)
{
	if (generic)
		return VENDOR(cuGraphNodeSetParams, node, p);
	switch ((int)p->type) {
	case CU_GRAPH_NODE_TYPE_KERNEL:
		return VENDOR(cuGraphKernelNodeSetParams_v2, node, (const CUDA_KERNEL_NODE_PARAMS *)&p->kernel);
	case CU_GRAPH_NODE_TYPE_MEMCPY:
		return VENDOR(cuGraphMemcpyNodeSetParams, node, &p->memcpy.copyParams);
	case CU_GRAPH_NODE_TYPE_HOST:
		return VENDOR(cuGraphHostNodeSetParams, node, (const CUDA_HOST_NODE_PARAMS *)&p->host);
	case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
	case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
		return axw_semaphores_set(NULL, node, p);
	default:
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	}
}

static CUresult set_exec(CUgraphExec exec, CUgraphNode node, int generic, CUgraphNodeParams *p)
{
	if (generic)
		return VENDOR(cuGraphExecNodeSetParams, exec, node, p);
	switch ((int)p->type) {
	case CU_GRAPH_NODE_TYPE_KERNEL:
		return VENDOR(cuGraphExecKernelNodeSetParams_v2, exec, node, (const CUDA_KERNEL_NODE_PARAMS *)&p->kernel);
	case CU_GRAPH_NODE_TYPE_MEMCPY:
		return VENDOR(cuGraphExecMemcpyNodeSetParams, exec, node, &p->memcpy.copyParams, p->memcpy.copyCtx);
	case CU_GRAPH_NODE_TYPE_HOST:
		return VENDOR(cuGraphExecHostNodeSetParams, exec, node, (const CUDA_HOST_NODE_PARAMS *)&p->host);
	case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
	case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
		return axw_semaphores_set(exec, node, p);
	default:
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	}
}

CUresult axw_axGraphNodeSet(struct axw_call *w)
{
	struct ax_in_axGraphNodeSet in;
	struct ready n;
	CUgraphExec exec;
	CUgraphNode node;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	if (in.extraBytes > EXTRA_MAX || sizeof n.p + in.extraBytes > w->data_size)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	if (get(w->s, AXH_CUgraphExec, (const void *)(uintptr_t)in.exec, &exec) != CUDA_SUCCESS || axg_get_CUgraphNode(w->s, in.node, &node) != CUDA_SUCCESS ||
	    !node)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	CUresult r = ready(w->s, w->data, in.extraBytes, &n);
	if (r == CUDA_SUCCESS)
		r = exec ? set_exec(exec, node, in.generic != 0, &n.p) : set_node(node, in.generic != 0, &n.p);
	ready_end(&n);
	return r;
}

// What the vendor's structs point to, for the client.
struct found {
	const void *bytes; // of the vendor's, or in own
	size_t count;
	uint8_t *own;
};

// The name of what launches: a kernel's handle may stand where a function's does.
static CUfunction function_name(struct axw_session *s, CUfunction f, int *is_kernel)
{
	uint64_t name = axw_known(s, AXH_CUkernel, f);

	*is_kernel = name != 0;
	return (CUfunction)(uintptr_t)(name ? name : axw_name(s, AXH_CUfunction, f));
}

static CUresult kernel_get(struct axw_session *s, CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v3 *k, struct found *f)
{
	CUDA_KERNEL_NODE_PARAMS p;
	CUDA_KERNEL_NODE_PARAMS_v1 older;
	size_t count, whole;
	int is_kernel;
	CUresult r;

	memset(&p, 0, sizeof p);
	if (axg_vendor.cuGraphKernelNodeGetParams_v2) {
		r = axg_vendor.cuGraphKernelNodeGetParams_v2(node, &p);
	} else {
		r = VENDOR(cuGraphKernelNodeGetParams, node, &older);
		if (r == CUDA_SUCCESS)
			memcpy(&p, &older, sizeof older);
	}
	if (r != CUDA_SUCCESS)
		return r;
	memcpy(k, &p, sizeof p);
	k->kernelParams = k->extra = NULL;
	k->func = function_name(s, p.func, &is_kernel);
	k->kern = (CUkernel)(uintptr_t)axw_name(s, AXH_CUkernel, p.kern);
	k->ctx = (CUcontext)(uintptr_t)axw_name(s, AXH_CUcontext, p.ctx);
	if (p.extra) {
		const size_t *size = NULL;
		for (void **e = p.extra; e[0] != CU_LAUNCH_PARAM_END; e += 2)
			if (e[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
				f->bytes = e[1];
			else if (e[0] == CU_LAUNCH_PARAM_BUFFER_SIZE)
				size = e[1];
			else
				return axw_own(CUDA_ERROR_UNKNOWN);
		f->count = f->bytes && size ? *size : 0;
		k->extra = f->count ? (void **)(uintptr_t)1 : NULL;
	} else if (p.kernelParams) {
		void *handle = p.func ? (void *)p.func : (void *)p.kern;
		is_kernel = is_kernel || !p.func;
		if ((r = layout(is_kernel, handle, NULL, 0, NULL, 0, &count, &whole)) != CUDA_SUCCESS)
			return r;
		void **places = calloc(count + 1, sizeof *places);
		size_t room = whole;
		f->own = calloc(1, room + 1);
		r = places && f->own ? layout(is_kernel, handle, f->own, room, places, count, &count, &whole) : axw_own(CUDA_ERROR_OUT_OF_MEMORY);
		for (size_t i = 0; r == CUDA_SUCCESS && i < count; i++) {
			size_t offset = 0, size = 0;
			r = is_kernel ? axg_vendor.cuKernelGetParamInfo(handle, i, &offset, &size)
				      : axg_vendor.cuFuncGetParamInfo(handle, i, &offset, &size);
			if (r == CUDA_SUCCESS && size > room - (size_t)((uint8_t *)places[i] - f->own))
				r = axw_own(CUDA_ERROR_UNKNOWN);
			if (r == CUDA_SUCCESS && p.kernelParams[i])
				memcpy(places[i], p.kernelParams[i], size);
		}
		free(places);
		f->bytes = f->own;
		f->count = whole;
		k->kernelParams = (void **)(uintptr_t)1;
	}
	return r;
}

static CUresult copy_get(struct axw_session *s, CUgraphNode node, CUDA_MEMCPY_NODE_PARAMS *c)
{
	CUDA_MEMCPY3D *m = &c->copyParams;
	CUresult r = VENDOR(cuGraphMemcpyNodeGetParams, node, m);

	if (r == CUDA_SUCCESS) {
		m->srcArray = (CUarray)(uintptr_t)(m->srcMemoryType == CU_MEMORYTYPE_ARRAY ? axw_name(s, AXH_CUarray, m->srcArray) : 0);
		m->dstArray = (CUarray)(uintptr_t)(m->dstMemoryType == CU_MEMORYTYPE_ARRAY ? axw_name(s, AXH_CUarray, m->dstArray) : 0);
	}
	return r;
}

static CUresult get_one(struct axw_session *s, CUgraphNode node, uint32_t type, CUgraphNodeParams *p, struct found *f)
{
	uint64_t function, argument;
	CUresult r;

	p->type = (CUgraphNodeType)type;
	switch (type) {
	case CU_GRAPH_NODE_TYPE_KERNEL:
		return kernel_get(s, node, &p->kernel, f);
	case CU_GRAPH_NODE_TYPE_MEMCPY:
		return copy_get(s, node, &p->memcpy);
	case CU_GRAPH_NODE_TYPE_HOST:
		r = VENDOR(cuGraphHostNodeGetParams, node, (CUDA_HOST_NODE_PARAMS *)&p->host);
		if (r != CUDA_SUCCESS)
			return r;
		if (axw_upcall_of(p->host.fn, p->host.userData, &function, &argument) < 0)
			return axw_own(CUDA_ERROR_NOT_SUPPORTED); // a function of ours or of the vendor's
		p->host.fn = (CUhostFn)(uintptr_t)function;
		p->host.userData = (void *)(uintptr_t)argument;
		return CUDA_SUCCESS;
	case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
		r = VENDOR(cuGraphBatchMemOpNodeGetParams, node, (CUDA_BATCH_MEM_OP_NODE_PARAMS *)&p->memOp);
		if (r != CUDA_SUCCESS)
			return r;
		f->bytes = p->memOp.paramArray;
		f->count = p->memOp.count * sizeof *p->memOp.paramArray;
		p->memOp.paramArray = NULL;
		p->memOp.ctx = (CUcontext)(uintptr_t)axw_name(s, AXH_CUcontext, p->memOp.ctx);
		return CUDA_SUCCESS;
	case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
		r = VENDOR(cuGraphMemAllocNodeGetParams, node, (CUDA_MEM_ALLOC_NODE_PARAMS *)&p->alloc);
		if (r != CUDA_SUCCESS)
			return r;
		f->bytes = p->alloc.accessDescs;
		f->count = f->bytes ? p->alloc.accessDescCount * sizeof *p->alloc.accessDescs : 0;
		p->alloc.accessDescs = NULL;
		p->alloc.poolProps.win32SecurityAttributes = NULL;
		return CUDA_SUCCESS;
	case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
	case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
		r = axw_semaphores_get(s, node, p, &f->own, &f->count);
		f->bytes = f->own;
		return r;
	default:
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	}
}

CUresult axw_axGraphNodeGet(struct axw_call *w)
{
	struct ax_in_axGraphNodeGet in;
	struct ax_out_axGraphNodeGet out = { 0, 0 };
	struct found f = { NULL, 0, NULL };
	CUgraphNodeParams p;
	CUgraphNode node;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	if (in.room > EXTRA_MAX || sizeof out + sizeof p + in.room + 8 > w->out_max)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	if (axg_get_CUgraphNode(w->s, in.node, &node) != CUDA_SUCCESS || !node)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memset(&p, 0, sizeof p);
	CUresult r = get_one(w->s, node, in.type, &p, &f);
	if (r == CUDA_SUCCESS && f.count > EXTRA_MAX)
		r = axw_own(CUDA_ERROR_NOT_SUPPORTED);
	if (r == CUDA_SUCCESS) {
		uint8_t *at = w->out;
		size_t room = (in.room + 7) & ~(size_t)7;
		out.extraBytes = (uint32_t)f.count;
		memcpy(at, &out, sizeof out);
		memcpy(at + sizeof out, &p, sizeof p);
		memset(at + sizeof out + sizeof p, 0, room);
		if (f.count && f.count <= in.room)
			memcpy(at + sizeof out + sizeof p, f.bytes, f.count);
		w->out_size = sizeof out + sizeof p + room;
	}
	free(f.own);
	return r;
}

// Attributes are bytes but for the events that a few hold, and those are for launches only.
static int attribute_crosses(uint32_t id)
{
	return id != CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT && id != CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT &&
	       id <= CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING;
}

CUresult axw_cuGraphKernelNodeGetAttribute(struct axw_call *w)
{
	struct ax_in_cuGraphKernelNodeGetAttribute in;
	CUkernelNodeAttrValue value;
	CUgraphNode node;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	if (axg_get_CUgraphNode(w->s, in.hNode, &node) != CUDA_SUCCESS || !node)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	if (!attribute_crosses(in.attr))
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	memset(&value, 0, sizeof value);
	CUresult r = VENDOR(cuGraphKernelNodeGetAttribute, node, (CUkernelNodeAttrID)in.attr, &value);
	if (r == CUDA_SUCCESS) {
		memcpy(w->out, &value, sizeof value);
		w->out_size = sizeof value;
	}
	return r;
}

CUresult axw_cuGraphKernelNodeSetAttribute(struct axw_call *w)
{
	struct ax_in_cuGraphKernelNodeSetAttribute in;
	CUkernelNodeAttrValue value;
	CUgraphNode node;

	if (w->in_size < sizeof in || w->data_size < sizeof value)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	memcpy(&value, w->data, sizeof value);
	if (axg_get_CUgraphNode(w->s, in.hNode, &node) != CUDA_SUCCESS || !node)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	if (!attribute_crosses(in.attr))
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	return VENDOR(cuGraphKernelNodeSetAttribute, node, (CUkernelNodeAttrID)in.attr, &value);
}
