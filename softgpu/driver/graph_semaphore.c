/* SPDX-License-Identifier: Apache-2.0
 *
 * Graph nodes that signal semaphores of others or wait for them: the functions for those two kinds of node.
 */
#include "graph.h"

#include <string.h>

/* A node's parameters, which stay its own. */
static CUresult params_of(CUgraphNode handle, CUgraphNodeType type, void *params)
{
	CUresult r = enter_any();
	if (r)
		return r;
	struct node *n = handle ? object_find(K_NODE, handle) : NULL;
	if (!n || n->op.type != type || !params)
		return leave(CUDA_ERROR_INVALID_VALUE);
	memcpy(params, &n->op.semaphores, sizeof n->op.semaphores);
	return leave(CUDA_SUCCESS);
}

/* The older structs and the newer ones, of both kinds, have one layout. */
static CUresult any(CUgraphNodeParams *p, CUgraphNodeType type, const void *params)
{
	memset(p, 0, sizeof *p);
	if (!params)
		return CUDA_ERROR_INVALID_VALUE;
	p->type = type;
	memcpy(&p->extSemSignal, params, sizeof p->extSemSignal);
	return CUDA_SUCCESS;
}

API CUresult cuGraphAddExternalSemaphoresSignalNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *on, size_t count,
						    const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *params)
{
	CUgraphNodeParams p;
	CUresult r = any(&p, CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL, params);
	return r ? r : cuGraphAddNode_v2(out, graph, on, NULL, count, &p);
}

API CUresult cuGraphExternalSemaphoresSignalNodeGetParams(CUgraphNode node, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *params)
{
	return params_of(node, CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL, params);
}

API CUresult cuGraphExternalSemaphoresSignalNodeSetParams(CUgraphNode node, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *params)
{
	CUgraphNodeParams p;
	CUresult r = any(&p, CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL, params);
	return r ? r : cuGraphNodeSetParams(node, &p);
}

API CUresult cuGraphExecExternalSemaphoresSignalNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *params)
{
	CUgraphNodeParams p;
	CUresult r = any(&p, CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL, params);
	return r ? r : cuGraphExecNodeSetParams(exec, node, &p);
}

API CUresult cuGraphAddExternalSemaphoresWaitNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *on, size_t count,
						  const CUDA_EXT_SEM_WAIT_NODE_PARAMS *params)
{
	CUgraphNodeParams p;
	CUresult r = any(&p, CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT, params);
	return r ? r : cuGraphAddNode_v2(out, graph, on, NULL, count, &p);
}

API CUresult cuGraphExternalSemaphoresWaitNodeGetParams(CUgraphNode node, CUDA_EXT_SEM_WAIT_NODE_PARAMS *params)
{
	return params_of(node, CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT, params);
}

API CUresult cuGraphExternalSemaphoresWaitNodeSetParams(CUgraphNode node, const CUDA_EXT_SEM_WAIT_NODE_PARAMS *params)
{
	CUgraphNodeParams p;
	CUresult r = any(&p, CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT, params);
	return r ? r : cuGraphNodeSetParams(node, &p);
}

API CUresult cuGraphExecExternalSemaphoresWaitNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_EXT_SEM_WAIT_NODE_PARAMS *params)
{
	CUgraphNodeParams p;
	CUresult r = any(&p, CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT, params);
	return r ? r : cuGraphExecNodeSetParams(exec, node, &p);
}
