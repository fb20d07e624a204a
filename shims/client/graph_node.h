// SPDX-License-Identifier: Apache-2.0
//
// Graph nodes on the way to the worker and back: see graph_node.c.
#ifndef AXON_CLIENT_GRAPH_NODE_H
#define AXON_CLIENT_GRAPH_NODE_H

#include <stdbool.h>
#include <stddef.h>

#include "cuda_api.h"

#define EXTRA_MAX 0x40000u // bytes behind a node's parameters: a kernel's are the longest, and far shorter
#define PRESENT ((void *)(uintptr_t)1) // a pointer to what follows as extra

struct axc_function;
struct axc_hold;

// A node's parameters on the way: p as it crosses, and what follows it.
struct axc_crossing {
	CUgraphNodeParams p;
	const void *extra; // NULL: a kernel's parameters, to be packed from kernel
	size_t bytes;      // with those of second
	const void *second; // follows extra
	size_t second_bytes;
	const struct axc_function *kernel;
	void **kernelParams;
	struct axc_hold *hold[2]; // a copy's host sides of ordinary memory
};

// generic: the program called the function for any kind of node. answer: gets what the driver fills in, or NULL.
CUresult axc_node_add(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, const CUgraphEdgeData *edges, size_t count,
		      struct axc_crossing *c, bool generic, CUgraphNodeParams *answer);
// Of the graph's node if exec is NULL, otherwise of exec's step for it.
CUresult axc_node_set(CUgraphExec exec, CUgraphNode node, struct axc_crossing *c, bool generic);
// An exec is never NULL: without one, the call would change the graph's node.
CUresult axc_node_set_exec(CUgraphExec exec, CUgraphNode node, struct axc_crossing *c, bool generic);
CUresult axc_node_get(CUgraphNode node, CUgraphNodeType type, CUgraphNodeParams *p);
// Frees what is kept of a node that has ended.
void axc_node_record_free(void *record);
// What a call without parameters returns.
CUresult axc_node_without_params(void);

// graph_semaphore.c: nodes that signal external semaphores or wait for them.
CUresult axc_semaphores_cross(struct axc_crossing *c);
// Puts pointers into array in, which holds `bytes` bytes: what the worker sent behind the parameters.
CUresult axc_semaphores_localize(CUgraphNodeParams *p, void *array, size_t bytes);

#endif
