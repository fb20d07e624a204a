// SPDX-License-Identifier: Apache-2.0
//
// Graph nodes that signal external semaphores or wait for them. What follows a
// node's parameters is the semaphores' names, then what each is signalled or
// waited for with.
#include <string.h>

#include "call.h"
#include "graph_node.h"

// Both kinds are alike, and in every version.
#define SAME(a, b) _Static_assert(sizeof(a) == sizeof(b), "one layout")
SAME(CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v1, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2);
SAME(CUDA_EXT_SEM_WAIT_NODE_PARAMS_v1, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2);
SAME(CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2);
SAME(CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS, CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS);

#define EACH (sizeof(CUexternalSemaphore) + sizeof(CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS))

CUresult axc_semaphores_cross(struct axc_crossing *c)
{
	CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2 *n = &c->p.extSemSignal;
	if (n->numExtSems > EXTRA_MAX / EACH || (n->numExtSems && (!n->extSemArray || !n->paramsArray)))
		return CUDA_ERROR_INVALID_VALUE;
	c->extra = n->extSemArray;
	c->bytes = n->numExtSems * EACH;
	c->second = n->paramsArray;
	c->second_bytes = n->numExtSems * sizeof *n->paramsArray;
	n->extSemArray = NULL;
	n->paramsArray = NULL;
	return CUDA_SUCCESS;
}

CUresult axc_semaphores_localize(CUgraphNodeParams *p, void *array, size_t bytes)
{
	CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2 *n = &p->extSemSignal;
	if (n->numExtSems * EACH != bytes)
		return CUDA_ERROR_UNKNOWN;
	n->extSemArray = array;
	n->paramsArray = bytes ? (void *)(n->extSemArray + n->numExtSems) : NULL;
	return CUDA_SUCCESS;
}

static struct axc_crossing signal_node(const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *p)
{
	struct axc_crossing c = {.p.type = CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL};
	memcpy(&c.p.extSemSignal, p, sizeof *p);
	return c;
}

AX_EXPORT CUresult cuGraphAddExternalSemaphoresSignalNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
							  size_t numDependencies, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams)
{
	if (!nodeParams)
		return axc_node_without_params();
	struct axc_crossing c = signal_node(nodeParams);
	return axc_node_add(phGraphNode, hGraph, dependencies, NULL, numDependencies, &c, false, NULL);
}

AX_EXPORT CUresult cuGraphExternalSemaphoresSignalNodeGetParams(CUgraphNode hNode, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *params_out)
{
	CUgraphNodeParams p;
	CUresult r = params_out ? axc_node_get(hNode, CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL, &p) : axc_node_without_params();
	if (!r)
		memcpy(params_out, &p.extSemSignal, sizeof *params_out);
	return r;
}

AX_EXPORT CUresult cuGraphExternalSemaphoresSignalNodeSetParams(CUgraphNode hNode, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams)
{
	if (!nodeParams)
		return axc_node_without_params();
	struct axc_crossing c = signal_node(nodeParams);
	return axc_node_set(NULL, hNode, &c, false);
}

AX_EXPORT CUresult cuGraphExecExternalSemaphoresSignalNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
								   const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams)
{
	if (!nodeParams)
		return axc_node_without_params();
	struct axc_crossing c = signal_node(nodeParams);
	return axc_node_set_exec(hGraphExec, hNode, &c, false);
}

static struct axc_crossing wait_node(const CUDA_EXT_SEM_WAIT_NODE_PARAMS *p)
{
	struct axc_crossing c = {.p.type = CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT};
	memcpy(&c.p.extSemWait, p, sizeof *p);
	return c;
}

AX_EXPORT CUresult cuGraphAddExternalSemaphoresWaitNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
							size_t numDependencies, const CUDA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams)
{
	if (!nodeParams)
		return axc_node_without_params();
	struct axc_crossing c = wait_node(nodeParams);
	return axc_node_add(phGraphNode, hGraph, dependencies, NULL, numDependencies, &c, false, NULL);
}

AX_EXPORT CUresult cuGraphExternalSemaphoresWaitNodeGetParams(CUgraphNode hNode, CUDA_EXT_SEM_WAIT_NODE_PARAMS *params_out)
{
	CUgraphNodeParams p;
	CUresult r = params_out ? axc_node_get(hNode, CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT, &p) : axc_node_without_params();
	if (!r)
		memcpy(params_out, &p.extSemWait, sizeof *params_out);
	return r;
}

AX_EXPORT CUresult cuGraphExternalSemaphoresWaitNodeSetParams(CUgraphNode hNode, const CUDA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams)
{
	if (!nodeParams)
		return axc_node_without_params();
	struct axc_crossing c = wait_node(nodeParams);
	return axc_node_set(NULL, hNode, &c, false);
}

AX_EXPORT CUresult cuGraphExecExternalSemaphoresWaitNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
								 const CUDA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams)
{
	if (!nodeParams)
		return axc_node_without_params();
	struct axc_crossing c = wait_node(nodeParams);
	return axc_node_set_exec(hGraphExec, hNode, &c, false);
}
