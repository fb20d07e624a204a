// SPDX-License-Identifier: Apache-2.0
//
// Graphs: what needs a hand besides the nodes' parameters (graph_node.c).
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "callback.h"

AX_EXPORT CUresult cuGraphDestroy(CUgraph hGraph)
{
	struct axc_call call;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!hGraph || axc_check(AXH_CUgraph, (uint64_t)(uintptr_t)hGraph))
		return CUDA_ERROR_INVALID_VALUE;
	if ((r = axc_begin(&call, AX_cuGraphDestroy, sizeof(struct ax_in_cuGraphDestroy), 0)))
		return r;
	((struct ax_in_cuGraphDestroy *)call.in)->hGraph = (uint64_t)(uintptr_t)hGraph;
	r = axc_post(&call);
	if (!r)
		axc_forget(AXH_CUgraph, (uint64_t)(uintptr_t)hGraph);
	return r;
}

AX_EXPORT CUresult cuGraphExecDestroy(CUgraphExec hGraphExec)
{
	struct axc_call call;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!hGraphExec || axc_check(AXH_CUgraphExec, (uint64_t)(uintptr_t)hGraphExec))
		return CUDA_ERROR_INVALID_VALUE;
	if ((r = axc_begin(&call, AX_cuGraphExecDestroy, sizeof(struct ax_in_cuGraphExecDestroy), 0)))
		return r;
	((struct ax_in_cuGraphExecDestroy *)call.in)->hGraphExec = (uint64_t)(uintptr_t)hGraphExec;
	r = axc_post(&call);
	if (!r)
		axc_forget(AXH_CUgraphExec, (uint64_t)(uintptr_t)hGraphExec);
	return r;
}

AX_EXPORT CUresult cuGraphDestroyNode(CUgraphNode hNode)
{
	struct axc_call call;
	CUresult r = axc_begin(&call, AX_cuGraphDestroyNode, sizeof(struct ax_in_cuGraphDestroyNode), 0);
	if (r)
		return r;
	((struct ax_in_cuGraphDestroyNode *)call.in)->hNode = (uint64_t)(uintptr_t)hNode;
	r = axc_wait(&call);
	axc_end(&call);
	if (!r)
		axc_forget(AXH_CUgraphNode, (uint64_t)(uintptr_t)hNode);
	return r;
}

AX_EXPORT CUresult cuGraphKernelNodeGetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr, CUkernelNodeAttrValue *value_out)
{
	struct axc_call call;
	if (!value_out)
		return axc_ready() ? axc_ready() : CUDA_ERROR_INVALID_VALUE;
	CUresult r = axc_begin(&call, AX_cuGraphKernelNodeGetAttribute, sizeof(struct ax_in_cuGraphKernelNodeGetAttribute), 0);
	if (r)
		return r;
	*(struct ax_in_cuGraphKernelNodeGetAttribute *)call.in =
		(struct ax_in_cuGraphKernelNodeGetAttribute){.hNode = (uint64_t)(uintptr_t)hNode, .attr = (uint32_t)attr};
	r = axc_wait(&call);
	if (!r && (!call.out || call.out_size < sizeof *value_out))
		r = CUDA_ERROR_UNKNOWN;
	if (!r)
		memcpy(value_out, call.out, sizeof *value_out);
	axc_end(&call);
	return r;
}

AX_EXPORT CUresult cuGraphKernelNodeSetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr, const CUkernelNodeAttrValue *value)
{
	struct axc_call call;
	if (!value)
		return axc_ready() ? axc_ready() : CUDA_ERROR_INVALID_VALUE;
	CUresult r = axc_begin(&call, AX_cuGraphKernelNodeSetAttribute, sizeof(struct ax_in_cuGraphKernelNodeSetAttribute),
			       sizeof *value);
	if (r)
		return r;
	*(struct ax_in_cuGraphKernelNodeSetAttribute *)call.in =
		(struct ax_in_cuGraphKernelNodeSetAttribute){.hNode = (uint64_t)(uintptr_t)hNode, .attr = (uint32_t)attr};
	memcpy(call.data, value, sizeof *value);
	r = axc_wait(&call);
	axc_end(&call);
	return r;
}

// A user object's destructor is the program's, run here when the driver has let
// go of the object.
AX_EXPORT CUresult cuUserObjectCreate(CUuserObject *object_out, void *ptr, CUhostFn destroy, unsigned int initialRefcount,
				      unsigned int flags)
{
	struct axc_call call;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!object_out || !destroy)
		return CUDA_ERROR_INVALID_VALUE;
	if (!axc_callbacks_start())
		return CUDA_ERROR_OUT_OF_MEMORY;
	if ((r = axc_begin(&call, AX_cuUserObjectCreate, sizeof(struct ax_in_cuUserObjectCreate), 0)))
		return r;
	*(struct ax_in_cuUserObjectCreate *)call.in = (struct ax_in_cuUserObjectCreate){.ptr = (uint64_t)(uintptr_t)ptr,
											 .destroy = (uint64_t)(uintptr_t)destroy,
											 .initialRefcount = initialRefcount,
											 .flags = flags};
	r = axc_wait(&call);
	if (!r)
		*object_out = (CUuserObject)(uintptr_t)((const struct ax_out_cuUserObjectCreate *)call.out)->object_out;
	axc_end(&call);
	return r;
}

// The text comes in pieces; the file is the program's, so it is written here.
AX_EXPORT CUresult cuGraphDebugDotPrint(CUgraph hGraph, const char *path, unsigned int flags)
{
	uint64_t at = 0, total = 1;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!path)
		return CUDA_ERROR_INVALID_VALUE;
	char *text = NULL;
	while (!r && at < total) {
		struct axc_call call;
		if ((r = axc_begin(&call, AX_axGraphDot, sizeof(struct ax_in_axGraphDot), 0)))
			break;
		*(struct ax_in_axGraphDot *)call.in =
			(struct ax_in_axGraphDot){.graph = (uint64_t)(uintptr_t)hGraph, .flags = flags, .offset = at};
		size_t room = axc_bulk_max() / 4;
		const void *bulk = axc_bulk_out(&call, room);
		r = bulk ? axc_wait(&call) : CUDA_ERROR_DEVICE_UNAVAILABLE;
		if (!r && call.out_size < sizeof(struct ax_out_axGraphDot))
			r = CUDA_ERROR_UNKNOWN;
		if (!r) {
			total = ((const struct ax_out_axGraphDot *)call.out)->total;
			size_t n = total > at ? total - at : 0;
			n = n > room ? room : n;
			char *more = total > SIZE_MAX - 1 ? NULL : realloc(text, at + n + 1);
			if (more) {
				text = more;
				memcpy(text + at, bulk, n);
				at += n;
			} else {
				r = CUDA_ERROR_OUT_OF_MEMORY;
			}
		}
		if (bulk)
			axc_end(&call);
	}
	FILE *f = r ? NULL : fopen(path, "we");
	if (!r && !f) {
		axc_debug("cuGraphDebugDotPrint: %s: %s", path, strerror(errno));
		r = CUDA_ERROR_OPERATING_SYSTEM;
	}
	if (f) {
		bool whole = fwrite(text, 1, at, f) == at;
		if (fclose(f) || !whole)
			r = CUDA_ERROR_OPERATING_SYSTEM;
	}
	free(text);
	return r;
}
