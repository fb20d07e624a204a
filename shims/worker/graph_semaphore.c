// SPDX-License-Identifier: Apache-2.0
//
// Graph nodes that signal external semaphores or wait for them: both kinds have the same layout, two arrays as long as
// each other. Behind the node's parameters cross the names, then the parameters of each.
#include <stdlib.h>
#include <string.h>

#include "graph.h"

typedef CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2 node_params;
typedef CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS one_params;

#define SAME(a, b) _Static_assert(sizeof(a) == sizeof(b), "one layout")
SAME(CUDA_EXT_SEM_SIGNAL_NODE_PARAMS, node_params);
SAME(CUDA_EXT_SEM_WAIT_NODE_PARAMS, node_params);
SAME(CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2, node_params);
SAME(CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS, one_params);
_Static_assert(offsetof(CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS, params.nvSciSync) == offsetof(one_params, params.nvSciSync), "one layout");

#define EACH (sizeof(CUexternalSemaphore) + sizeof(one_params))

CUresult axw_semaphores_ready(struct axw_session *s, CUgraphNodeParams *p, uint8_t *bytes, size_t count)
{
	node_params *n = &p->extSemSignal;
	size_t k = n->numExtSems;

	if (k > count / EACH)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	n->extSemArray = (CUexternalSemaphore *)bytes;
	one_params *each = (one_params *)(n->extSemArray + k);
	for (size_t i = 0; i < k; i++) {
		CUresult r = axg_get_CUexternalSemaphore(s, (uint64_t)(uintptr_t)n->extSemArray[i], &n->extSemArray[i]);
		if (r != CUDA_SUCCESS)
			return r;
		each[i].params.nvSciSync.fence = NULL; // a pointer for a kind of semaphore that nobody has here
	}
	n->paramsArray = each;
	return CUDA_SUCCESS;
}

CUresult axw_semaphores_add(CUgraphNode *node, CUgraph graph, const CUgraphNode *on, size_t count, const CUgraphNodeParams *p)
{
	if (p->type == CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL)
		return VENDOR(cuGraphAddExternalSemaphoresSignalNode, node, graph, on, count,
			      (const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *)&p->extSemSignal);
	return VENDOR(cuGraphAddExternalSemaphoresWaitNode, node, graph, on, count,
		      (const CUDA_EXT_SEM_WAIT_NODE_PARAMS *)&p->extSemWait);
}

CUresult axw_semaphores_set(CUgraphExec exec, CUgraphNode node, const CUgraphNodeParams *p)
{
	const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *signal = (const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *)&p->extSemSignal;
	const CUDA_EXT_SEM_WAIT_NODE_PARAMS *wait = (const CUDA_EXT_SEM_WAIT_NODE_PARAMS *)&p->extSemWait;

	if (p->type == CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL)
		return exec ? VENDOR(cuGraphExecExternalSemaphoresSignalNodeSetParams, exec, node, signal)
			    : VENDOR(cuGraphExternalSemaphoresSignalNodeSetParams, node, signal);
	return exec ? VENDOR(cuGraphExecExternalSemaphoresWaitNodeSetParams, exec, node, wait)
		    : VENDOR(cuGraphExternalSemaphoresWaitNodeSetParams, node, wait);
}

CUresult axw_semaphores_get(struct axw_session *s, CUgraphNode node, CUgraphNodeParams *p, uint8_t **bytes, size_t *count)
{
	node_params *n = &p->extSemSignal;
	CUresult r = p->type == CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL
			     ? VENDOR(cuGraphExternalSemaphoresSignalNodeGetParams, node, (CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *)n)
			     : VENDOR(cuGraphExternalSemaphoresWaitNodeGetParams, node, (CUDA_EXT_SEM_WAIT_NODE_PARAMS *)n);

	if (r != CUDA_SUCCESS)
		return r;
	size_t k = n->numExtSems;
	if (k > EXTRA_MAX / EACH)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	if (!(*bytes = malloc(k * EACH + 1)))
		return axw_own(CUDA_ERROR_OUT_OF_MEMORY);
	for (size_t i = 0; i < k; i++)
		((uint64_t *)*bytes)[i] = axw_name(s, AXH_CUexternalSemaphore, n->extSemArray[i]);
	if (k)
		memcpy(*bytes + k * sizeof(CUexternalSemaphore), n->paramsArray, k * sizeof(one_params));
	*count = k * EACH;
	n->extSemArray = NULL;
	n->paramsArray = NULL;
	return CUDA_SUCCESS;
}
