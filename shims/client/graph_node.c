// SPDX-License-Identifier: Apache-2.0
//
// Graph nodes of all kinds: the functions that take or give a node's
// parameters. They have a version or two for each kind and one for any kind;
// all are made into a CUgraphNodeParams and what its pointers point to, sent as
// one call to add, one to set and one to get.
//
// A graph keeps its parameters: there is no moment at which bytes could travel.
// So the host's side of a copy must be the same memory in the worker: pinned
// memory is, and ordinary memory is made so for as long as the graph needs it
// (hold.c).
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "callback.h"
#include "function.h"
#include "graph_node.h"
#include "hold.h"
#include "host.h"
#include "memory.h"
#include "name.h"
#include "session.h"

#define BODIES_MAX 4096u   // graphs of a conditional node

_Static_assert(sizeof(CUgraphNodeParams) == 256, "axGraphNodeAdd, axGraphNodeSet, axGraphNodeGet");

static size_t padded(size_t n) { return (n + 7) & ~(size_t)7; }

// --- on the way there

// The two ways to pass a kernel's parameters. A packed buffer stays one: what a
// node was given is what it gives back.
static CUresult kernel_crossing(struct axc_crossing *c)
{
	CUDA_KERNEL_NODE_PARAMS_v3 *k = &c->p.kernel;
	struct axc_function *f;
	uint64_t name = (uint64_t)(uintptr_t)(k->func ? (void *)k->func : (void *)k->kern);
	if (!axr_name_is(name, AXH_CUfunction) && !axr_name_is(name, AXH_CUkernel))
		return name ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
	CUresult r = axc_function(name, &f);
	if (r)
		return r;
	void **params = k->kernelParams, **extra = k->extra;
	k->kernelParams = k->extra = NULL;
	if (params && extra)
		return CUDA_ERROR_INVALID_VALUE;
	if (extra) {
		for (void **e = extra; e[0] != CU_LAUNCH_PARAM_END; e += 2)
			if (e[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
				c->extra = e[1];
			else if (e[0] == CU_LAUNCH_PARAM_BUFFER_SIZE)
				c->bytes = *(const size_t *)e[1];
			else
				return CUDA_ERROR_INVALID_VALUE;
		if (!c->extra || c->bytes > EXTRA_MAX)
			return CUDA_ERROR_INVALID_VALUE;
		k->extra = PRESENT;
		return CUDA_SUCCESS;
	}
	if (!params)
		return f->params ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
	for (uint32_t i = 0; i < f->params; i++)
		if (!params[i])
			return CUDA_ERROR_INVALID_VALUE;
	if (f->bytes > EXTRA_MAX)
		return CUDA_ERROR_INVALID_VALUE;
	c->kernel = f;
	c->kernelParams = params;
	c->bytes = f->bytes;
	k->kernelParams = PRESENT;
	return CUDA_SUCCESS;
}

// What a copy touches of a linear side: *bytes from *first on. False when those
// are no numbers. A pitch or a height of 0 is what the copy itself needs.
static bool touched(uint64_t base, size_t x, size_t y, size_t z, size_t pitch, size_t rows, const CUDA_MEMCPY3D *m, uint64_t *first,
		    uint64_t *bytes)
{
	size_t width, height, depth, from, to;
	if (__builtin_add_overflow(x, m->WidthInBytes, &width) || __builtin_add_overflow(y, m->Height, &height) ||
	    __builtin_add_overflow(z, m->Depth, &depth))
		return false;
	if (!pitch)
		pitch = width;
	if (!rows)
		rows = height;
	if (__builtin_mul_overflow(depth - 1, rows, &to) || __builtin_add_overflow(to, height - 1, &to) ||
	    __builtin_mul_overflow(to, pitch, &to) || __builtin_add_overflow(to, width, &to) || base + to < base)
		return false;
	from = (z * rows + y) * pitch + x; // less than `to`
	*first = base + from;
	*bytes = to - from;
	return true;
}

// A side whose place the driver would find out by itself is found out here.
static CUresult copy_side(CUmemorytype *type, const void **host, CUdeviceptr *device, size_t x, size_t y, size_t z, size_t pitch,
			  size_t rows, const CUDA_MEMCPY3D *m, bool read_only, struct axc_hold **hold)
{
	uint64_t first, bytes, wire;
	if (*type == CU_MEMORYTYPE_UNIFIED) {
		if (axc_is_device(*device)) {
			*type = CU_MEMORYTYPE_DEVICE;
			return CUDA_SUCCESS;
		}
		*type = CU_MEMORYTYPE_HOST;
		*host = (const void *)(uintptr_t)*device;
		*device = 0;
	}
	if (*type != CU_MEMORYTYPE_HOST || !m->WidthInBytes || !m->Height || !m->Depth)
		return CUDA_SUCCESS;
	if (!*host || !touched((uint64_t)(uintptr_t)*host, x, y, z, pitch, rows, m, &first, &bytes))
		return CUDA_ERROR_INVALID_VALUE;
	if (!axc.mirrored && axc_pinned((const void *)(uintptr_t)first, bytes, &wire))
		return CUDA_SUCCESS;
	return axc_hold((const void *)(uintptr_t)first, bytes, read_only, hold);
}

static CUresult copy_crossing(struct axc_crossing *c)
{
	CUDA_MEMCPY3D *m = &c->p.memcpy.copyParams;
	const void *to = m->dstHost;
	CUresult r = copy_side(&m->srcMemoryType, &m->srcHost, &m->srcDevice, m->srcXInBytes, m->srcY, m->srcZ, m->srcPitch,
			       m->srcHeight, m, true, &c->hold[0]);
	if (!r)
		r = copy_side(&m->dstMemoryType, &to, &m->dstDevice, m->dstXInBytes, m->dstY, m->dstZ, m->dstPitch, m->dstHeight, m,
			      false, &c->hold[1]);
	m->dstHost = (void *)(uintptr_t)to;
	return r;
}

// Fills in c->extra; c->p holds what the program passed.
static CUresult cross(struct axc_crossing *c)
{
	CUresult r = axc_ready();
	if (r)
		return r;
	switch ((int)c->p.type) {
	case CU_GRAPH_NODE_TYPE_KERNEL:
		return kernel_crossing(c);
	case CU_GRAPH_NODE_TYPE_MEMCPY:
		return copy_crossing(c);
	case CU_GRAPH_NODE_TYPE_HOST:
		if (!c->p.host.fn)
			return CUDA_ERROR_INVALID_VALUE;
		return axc_callbacks_start() ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
	case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
		if (c->p.memOp.count > EXTRA_MAX / sizeof *c->p.memOp.paramArray || (c->p.memOp.count && !c->p.memOp.paramArray))
			return CUDA_ERROR_INVALID_VALUE;
		c->extra = c->p.memOp.paramArray;
		c->bytes = c->p.memOp.count * sizeof *c->p.memOp.paramArray;
		c->p.memOp.paramArray = PRESENT;
		return CUDA_SUCCESS;
	case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
		if (c->p.alloc.accessDescCount > EXTRA_MAX / sizeof *c->p.alloc.accessDescs ||
		    (c->p.alloc.accessDescCount && !c->p.alloc.accessDescs))
			return CUDA_ERROR_INVALID_VALUE;
		c->extra = c->p.alloc.accessDescs;
		c->bytes = c->p.alloc.accessDescCount * sizeof *c->p.alloc.accessDescs;
		c->p.alloc.accessDescs = c->bytes ? PRESENT : NULL;
		c->p.alloc.poolProps.win32SecurityAttributes = NULL;
		return CUDA_SUCCESS;
	case CU_GRAPH_NODE_TYPE_CONDITIONAL:
		c->p.conditional.phGraph_out = NULL;
		return c->p.conditional.size && c->p.conditional.size <= BODIES_MAX ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
	case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
	case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
		return axc_semaphores_cross(c);
	default:
		return CUDA_SUCCESS; // nothing but values and handles
	}
}

// When the call has been made: what is held belongs to the graph, or to nobody.
static void settle(struct axc_crossing *c, CUgraph graph, CUresult r)
{
	for (int i = 0; i < 2; i++)
		if (c->hold[i] && r)
			axc_hold_drop(c->hold[i]);
		else if (c->hold[i])
			axc_hold_for(c->hold[i], graph);
}

static void put(uint8_t *to, const struct axc_crossing *c)
{
	memcpy(to, &c->p, sizeof c->p);
	to += sizeof c->p;
	if (c->kernel) {
		memset(to, 0, c->bytes);
		for (uint32_t i = 0; i < c->kernel->params; i++)
			memcpy(to + c->kernel->param[i].offset, c->kernelParams[i], c->kernel->param[i].size);
	} else if (c->bytes) {
		memcpy(to, c->extra, c->bytes - c->second_bytes);
		if (c->second_bytes)
			memcpy(to + c->bytes - c->second_bytes, c->second, c->second_bytes);
	}
}

// --- what a node gives back

// What the pointers in a node's parameters point to. It belongs to the node
// until it is destroyed or its parameters are changed. There is no telling when
// a node ends with its graph: it stays until the name's slot is another node's.
struct kept {
	size_t room;
	void *bytes;
	void **pointers; // a kernel's parameters, or the five words of its packed buffer
	size_t pointer_room;
	size_t packed; // bytes of that buffer
};

static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;

void axc_node_record_free(void *record)
{
	struct kept *k = record;
	if (k) {
		free(k->bytes);
		free(k->pointers);
		free(k);
	}
}

// Under the lock: the node's, with room for both.
static struct kept *keep(CUgraphNode node, size_t bytes, size_t pointers)
{
	struct kept **record = (struct kept **)axc_record(AXH_CUgraphNode, (uint64_t)(uintptr_t)node);
	if (!record || (!*record && !(*record = calloc(1, sizeof **record))))
		return NULL;
	struct kept *k = *record;
	if (bytes > k->room || !k->bytes) {
		void *more = realloc(k->bytes, bytes ? bytes : 1);
		if (!more)
			return NULL;
		k->bytes = more;
		k->room = bytes;
	}
	if (pointers > k->pointer_room || !k->pointers) {
		void **more = realloc(k->pointers, (pointers ? pointers : 1) * sizeof *more);
		if (!more)
			return NULL;
		k->pointers = more;
		k->pointer_room = pointers;
	}
	return k;
}

// Under the lock: puts pointers to this process's copies in.
static CUresult keep_kernel(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v3 *p, const void *extra, size_t bytes)
{
	struct axc_function *f = NULL;
	bool packed = p->extra != NULL, listed = p->kernelParams != NULL;
	uint64_t name = (uint64_t)(uintptr_t)(p->func ? (void *)p->func : (void *)p->kern);

	p->kernelParams = p->extra = NULL;
	if (!packed && !listed)
		return CUDA_SUCCESS;
	CUresult r = listed ? axc_function(name, &f) : CUDA_SUCCESS;
	if (r)
		return r;
	if (f && f->bytes > bytes)
		return CUDA_ERROR_UNKNOWN;
	struct kept *k = keep(node, bytes, packed ? 5 : f->params);
	if (!k)
		return CUDA_ERROR_OUT_OF_MEMORY;
	memcpy(k->bytes, extra, bytes);
	if (packed) {
		k->packed = bytes;
		k->pointers[0] = CU_LAUNCH_PARAM_BUFFER_POINTER;
		k->pointers[1] = k->bytes;
		k->pointers[2] = CU_LAUNCH_PARAM_BUFFER_SIZE;
		k->pointers[3] = &k->packed;
		k->pointers[4] = CU_LAUNCH_PARAM_END;
		p->extra = k->pointers;
	} else {
		for (uint32_t i = 0; i < f->params; i++)
			k->pointers[i] = (uint8_t *)k->bytes + f->param[i].offset;
		p->kernelParams = k->pointers;
	}
	return CUDA_SUCCESS;
}

static CUresult keep_array(CUgraphNode node, const void *from, size_t bytes, void **array)
{
	*array = NULL;
	struct kept *k = bytes ? keep(node, bytes, 0) : NULL;
	if (bytes && !k)
		return CUDA_ERROR_OUT_OF_MEMORY;
	if (bytes) {
		memcpy(k->bytes, from, bytes);
		*array = k->bytes;
	}
	return CUDA_SUCCESS;
}

static CUresult localize(CUgraphNode node, CUgraphNodeParams *p, const uint8_t *extra, size_t bytes)
{
	CUresult r = CUDA_SUCCESS;
	void *array;
	pthread_mutex_lock(&kept_lock);
	switch ((int)p->type) {
	case CU_GRAPH_NODE_TYPE_KERNEL:
		r = keep_kernel(node, &p->kernel, extra, bytes);
		break;
	case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
		r = keep_array(node, extra, bytes, &array);
		p->memOp.paramArray = array;
		break;
	case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
		r = keep_array(node, extra, bytes, &array);
		p->alloc.accessDescs = array;
		break;
	case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
	case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
		r = keep_array(node, extra, bytes, &array);
		if (!r)
			r = axc_semaphores_localize(p, array, bytes);
		break;
	default:
		break;
	}
	pthread_mutex_unlock(&kept_lock);
	return r;
}

// --- the three calls

static CUresult send_add(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, const CUgraphEdgeData *edges, size_t count,
			 struct axc_crossing *c, bool generic, CUgraphNodeParams *answer)
{
	struct axc_call call;
	CUresult r;
	if (!node || (count && !dependencies) || count > 1u << 18)
		return CUDA_ERROR_INVALID_VALUE;
	size_t edge_count = edges ? count : 0, nodes = count * sizeof *dependencies, edge_bytes = edge_count * sizeof *edges;
	uint32_t room = c->p.type == CU_GRAPH_NODE_TYPE_CONDITIONAL ? c->p.conditional.size : 0;
	r = axc_begin(&call, AX_axGraphNodeAdd, sizeof(struct ax_in_axGraphNodeAdd),
		      nodes + edge_bytes + sizeof c->p + padded(c->bytes));
	if (r)
		return r;
	*(struct ax_in_axGraphNodeAdd *)call.in = (struct ax_in_axGraphNodeAdd){.graph = (uint64_t)(uintptr_t)graph,
										 .generic = generic,
										 .numDependencies = (uint32_t)count,
										 .numEdges = (uint32_t)edge_count,
										 .extraBytes = (uint32_t)c->bytes,
										 .room = room};
	uint8_t *at = call.data;
	if (nodes)
		memcpy(at, dependencies, nodes);
	if (edge_bytes)
		memcpy(at + nodes, edges, edge_bytes);
	put(at + nodes + edge_bytes, c);
	r = axc_wait(&call);
	const struct ax_out_axGraphNodeAdd *out = call.out;
	if (!r && (!out || call.out_size < sizeof *out + room * sizeof(uint64_t)))
		r = CUDA_ERROR_UNKNOWN;
	CUdeviceptr dptr = 0;
	void *bodies = NULL;
	if (!r) {
		*node = (CUgraphNode)(uintptr_t)out->node;
		dptr = out->dptr;
		pthread_mutex_lock(&kept_lock);
		r = keep_array(*node, out + 1, room * sizeof(uint64_t), &bodies);
		pthread_mutex_unlock(&kept_lock);
	}
	axc_end(&call);
	if (!r && answer && c->p.type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
		answer->conditional.phGraph_out = bodies;
	if (!r && answer && c->p.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) {
		answer->alloc.dptr = dptr;
		if (!axc_reserve(dptr, answer->alloc.bytesize))
			r = CUDA_ERROR_OUT_OF_MEMORY;
	}
	return r;
}

CUresult axc_node_add(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, const CUgraphEdgeData *edges, size_t count,
		      struct axc_crossing *c, bool generic, CUgraphNodeParams *answer)
{
	CUresult r = cross(c);
	if (!r)
		r = send_add(node, graph, dependencies, edges, count, c, generic, answer);
	settle(c, graph, r);
	return r;
}

CUresult axc_node_set(CUgraphExec exec, CUgraphNode node, struct axc_crossing *c, bool generic)
{
	struct axc_call call;
	CUresult r = cross(c);
	if (!r)
		r = axc_begin(&call, AX_axGraphNodeSet, sizeof(struct ax_in_axGraphNodeSet), sizeof c->p + padded(c->bytes));
	if (r) {
		settle(c, NULL, r);
		return r;
	}
	*(struct ax_in_axGraphNodeSet *)call.in = (struct ax_in_axGraphNodeSet){.exec = (uint64_t)(uintptr_t)exec,
										 .node = (uint64_t)(uintptr_t)node,
										 .generic = generic,
										 .extraBytes = (uint32_t)c->bytes};
	put(call.data, c);
	r = axc_wait(&call);
	axc_end(&call);
	settle(c, NULL, r);
	return r;
}

CUresult axc_node_set_exec(CUgraphExec exec, CUgraphNode node, struct axc_crossing *c, bool generic)
{
	CUresult r = axc_ready();
	if (r)
		return r;
	return exec ? axc_node_set(exec, node, c, generic) : CUDA_ERROR_INVALID_HANDLE;
}

CUresult axc_node_get(CUgraphNode node, CUgraphNodeType type, CUgraphNodeParams *p)
{
	struct axc_call call;
	for (uint32_t room = 256;;) {
		CUresult r = axc_begin(&call, AX_axGraphNodeGet, sizeof(struct ax_in_axGraphNodeGet), 0);
		if (r)
			return r;
		*(struct ax_in_axGraphNodeGet *)call.in = (struct ax_in_axGraphNodeGet){
			.node = (uint64_t)(uintptr_t)node, .type = (uint32_t)type, .room = room};
		r = axc_wait(&call);
		const struct ax_out_axGraphNodeGet *out = call.out;
		if (!r && (!out || call.out_size < sizeof *out + sizeof *p + padded(room) || out->extraBytes > EXTRA_MAX))
			r = CUDA_ERROR_UNKNOWN;
		if (!r && out->extraBytes > room) {
			room = out->extraBytes;
			axc_end(&call);
			continue;
		}
		uint8_t *extra = NULL; // the answer's place is the next call's, and keeping may ask for a function
		size_t bytes = 0;
		if (!r) {
			memcpy(p, out + 1, sizeof *p);
			bytes = out->extraBytes;
			if (!(extra = malloc(bytes + 1)))
				r = CUDA_ERROR_OUT_OF_MEMORY;
			else
				memcpy(extra, (const uint8_t *)(out + 1) + sizeof *p, bytes);
		}
		axc_end(&call);
		if (!r)
			r = localize(node, p, extra, bytes);
		free(extra);
		return r;
	}
}

// --- the driver's functions. The older structs are the beginning of the newest.

static struct axc_crossing kernel_v1(const CUDA_KERNEL_NODE_PARAMS_v1 *p)
{
	struct axc_crossing c = {.p.type = CU_GRAPH_NODE_TYPE_KERNEL};
	memcpy(&c.p.kernel, p, sizeof *p);
	return c;
}

static struct axc_crossing kernel_v2(const CUDA_KERNEL_NODE_PARAMS *p)
{
	struct axc_crossing c = {.p.type = CU_GRAPH_NODE_TYPE_KERNEL};
	_Static_assert(sizeof *p == sizeof c.p.kernel, "version 3 is version 2");
	memcpy(&c.p.kernel, p, sizeof *p);
	return c;
}

static struct axc_crossing copy_node(const CUDA_MEMCPY3D *p, CUcontext ctx)
{
	struct axc_crossing c = {.p.type = CU_GRAPH_NODE_TYPE_MEMCPY};
	c.p.memcpy.copyCtx = ctx;
	c.p.memcpy.copyParams = *p;
	return c;
}

static struct axc_crossing host_node(const CUDA_HOST_NODE_PARAMS *p)
{
	struct axc_crossing c = {.p.type = CU_GRAPH_NODE_TYPE_HOST};
	c.p.host.fn = p->fn;
	c.p.host.userData = p->userData;
	return c;
}

CUresult axc_node_without_params(void)
{
	CUresult r = axc_ready();
	return r ? r : CUDA_ERROR_INVALID_VALUE;
}

AX_EXPORT CUresult cuGraphAddKernelNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
					size_t numDependencies, const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams)
{
	if (!nodeParams)
		return axc_node_without_params();
	struct axc_crossing c = kernel_v1(nodeParams);
	return axc_node_add(phGraphNode, hGraph, dependencies, NULL, numDependencies, &c, false, NULL);
}

AX_EXPORT CUresult cuGraphAddKernelNode_v2(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
					   size_t numDependencies, const CUDA_KERNEL_NODE_PARAMS *nodeParams)
{
	if (!nodeParams)
		return axc_node_without_params();
	struct axc_crossing c = kernel_v2(nodeParams);
	return axc_node_add(phGraphNode, hGraph, dependencies, NULL, numDependencies, &c, false, NULL);
}

AX_EXPORT CUresult cuGraphAddMemcpyNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
					size_t numDependencies, const CUDA_MEMCPY3D *copyParams, CUcontext ctx)
{
	if (!copyParams)
		return axc_node_without_params();
	struct axc_crossing c = copy_node(copyParams, ctx);
	return axc_node_add(phGraphNode, hGraph, dependencies, NULL, numDependencies, &c, false, NULL);
}

AX_EXPORT CUresult cuGraphAddHostNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
				      size_t numDependencies, const CUDA_HOST_NODE_PARAMS *nodeParams)
{
	if (!nodeParams)
		return axc_node_without_params();
	struct axc_crossing c = host_node(nodeParams);
	return axc_node_add(phGraphNode, hGraph, dependencies, NULL, numDependencies, &c, false, NULL);
}

AX_EXPORT CUresult cuGraphAddMemAllocNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
					  size_t numDependencies, CUDA_MEM_ALLOC_NODE_PARAMS *nodeParams)
{
	struct axc_crossing c = {.p.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC};
	CUgraphNodeParams answer;
	_Static_assert(sizeof *nodeParams == sizeof c.p.alloc, "version 2 is version 1");
	if (!nodeParams)
		return axc_node_without_params();
	memcpy(&c.p.alloc, nodeParams, sizeof *nodeParams);
	answer.alloc.bytesize = nodeParams->bytesize;
	CUresult r = axc_node_add(phGraphNode, hGraph, dependencies, NULL, numDependencies, &c, false, &answer);
	if (!r)
		nodeParams->dptr = answer.alloc.dptr;
	return r;
}

AX_EXPORT CUresult cuGraphAddNode_v2(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
				     const CUgraphEdgeData *dependencyData, size_t numDependencies, CUgraphNodeParams *nodeParams)
{
	if (!nodeParams)
		return axc_node_without_params();
	struct axc_crossing c = {.p = *nodeParams};
	return axc_node_add(phGraphNode, hGraph, dependencies, dependencyData, numDependencies, &c, true, nodeParams);
}

AX_EXPORT CUresult cuGraphAddNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies,
				  CUgraphNodeParams *nodeParams)
{
	return cuGraphAddNode_v2(phGraphNode, hGraph, dependencies, NULL, numDependencies, nodeParams);
}

AX_EXPORT CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS *nodeParams)
{
	CUgraphNodeParams p;
	CUresult r = nodeParams ? axc_node_get(hNode, CU_GRAPH_NODE_TYPE_KERNEL, &p) : axc_node_without_params();
	if (!r)
		memcpy(nodeParams, &p.kernel, sizeof *nodeParams);
	return r;
}

AX_EXPORT CUresult cuGraphKernelNodeGetParams(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams)
{
	CUgraphNodeParams p;
	CUresult r = nodeParams ? axc_node_get(hNode, CU_GRAPH_NODE_TYPE_KERNEL, &p) : axc_node_without_params();
	if (!r) {
		memcpy(nodeParams, &p.kernel, sizeof *nodeParams);
		if (!nodeParams->func) // the older version has no place for a kernel; one goes for a function
			nodeParams->func = (CUfunction)p.kernel.kern;
	}
	return r;
}

AX_EXPORT CUresult cuGraphMemcpyNodeGetParams(CUgraphNode hNode, CUDA_MEMCPY3D *nodeParams)
{
	CUgraphNodeParams p;
	CUresult r = nodeParams ? axc_node_get(hNode, CU_GRAPH_NODE_TYPE_MEMCPY, &p) : axc_node_without_params();
	if (!r)
		*nodeParams = p.memcpy.copyParams;
	return r;
}

AX_EXPORT CUresult cuGraphHostNodeGetParams(CUgraphNode hNode, CUDA_HOST_NODE_PARAMS *nodeParams)
{
	CUgraphNodeParams p;
	CUresult r = nodeParams ? axc_node_get(hNode, CU_GRAPH_NODE_TYPE_HOST, &p) : axc_node_without_params();
	if (!r) {
		nodeParams->fn = p.host.fn;
		nodeParams->userData = p.host.userData;
	}
	return r;
}

AX_EXPORT CUresult cuGraphBatchMemOpNodeGetParams(CUgraphNode hNode, CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams_out)
{
	CUgraphNodeParams p;
	CUresult r = nodeParams_out ? axc_node_get(hNode, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, &p) : axc_node_without_params();
	_Static_assert(sizeof *nodeParams_out == sizeof p.memOp, "version 2 is version 1");
	if (!r)
		memcpy(nodeParams_out, &p.memOp, sizeof *nodeParams_out);
	return r;
}

AX_EXPORT CUresult cuGraphMemAllocNodeGetParams(CUgraphNode hNode, CUDA_MEM_ALLOC_NODE_PARAMS *params_out)
{
	CUgraphNodeParams p;
	CUresult r = params_out ? axc_node_get(hNode, CU_GRAPH_NODE_TYPE_MEM_ALLOC, &p) : axc_node_without_params();
	if (!r)
		memcpy(params_out, &p.alloc, sizeof *params_out);
	return r;
}

AX_EXPORT CUresult cuGraphKernelNodeSetParams(CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams)
{
	if (!nodeParams)
		return axc_node_without_params();
	struct axc_crossing c = kernel_v1(nodeParams);
	return axc_node_set(NULL, hNode, &c, false);
}

AX_EXPORT CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS *nodeParams)
{
	if (!nodeParams)
		return axc_node_without_params();
	struct axc_crossing c = kernel_v2(nodeParams);
	return axc_node_set(NULL, hNode, &c, false);
}

AX_EXPORT CUresult cuGraphMemcpyNodeSetParams(CUgraphNode hNode, const CUDA_MEMCPY3D *nodeParams)
{
	if (!nodeParams)
		return axc_node_without_params();
	struct axc_crossing c = copy_node(nodeParams, NULL);
	return axc_node_set(NULL, hNode, &c, false);
}

AX_EXPORT CUresult cuGraphHostNodeSetParams(CUgraphNode hNode, const CUDA_HOST_NODE_PARAMS *nodeParams)
{
	if (!nodeParams)
		return axc_node_without_params();
	struct axc_crossing c = host_node(nodeParams);
	return axc_node_set(NULL, hNode, &c, false);
}

AX_EXPORT CUresult cuGraphNodeSetParams(CUgraphNode hNode, CUgraphNodeParams *nodeParams)
{
	if (!nodeParams)
		return axc_node_without_params();
	struct axc_crossing c = {.p = *nodeParams};
	return axc_node_set(NULL, hNode, &c, true);
}

AX_EXPORT CUresult cuGraphExecKernelNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
						  const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams)
{
	if (!nodeParams)
		return axc_node_without_params();
	struct axc_crossing c = kernel_v1(nodeParams);
	return axc_node_set_exec(hGraphExec, hNode, &c, false);
}

AX_EXPORT CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec hGraphExec, CUgraphNode hNode,
						     const CUDA_KERNEL_NODE_PARAMS *nodeParams)
{
	if (!nodeParams)
		return axc_node_without_params();
	struct axc_crossing c = kernel_v2(nodeParams);
	return axc_node_set_exec(hGraphExec, hNode, &c, false);
}

AX_EXPORT CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_MEMCPY3D *copyParams,
						  CUcontext ctx)
{
	if (!copyParams)
		return axc_node_without_params();
	struct axc_crossing c = copy_node(copyParams, ctx);
	return axc_node_set_exec(hGraphExec, hNode, &c, false);
}

AX_EXPORT CUresult cuGraphExecHostNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_HOST_NODE_PARAMS *nodeParams)
{
	if (!nodeParams)
		return axc_node_without_params();
	struct axc_crossing c = host_node(nodeParams);
	return axc_node_set_exec(hGraphExec, hNode, &c, false);
}

AX_EXPORT CUresult cuGraphExecNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, CUgraphNodeParams *nodeParams)
{
	if (!nodeParams)
		return axc_node_without_params();
	struct axc_crossing c = {.p = *nodeParams};
	return axc_node_set_exec(hGraphExec, hNode, &c, true);
}
