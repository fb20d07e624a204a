// SPDX-License-Identifier: Apache-2.0
//
// Names in graphs: see graph.c. Nodes: see graph_node.c.
#ifndef AXON_WORKER_GRAPH_H
#define AXON_WORKER_GRAPH_H

#include "cuda_worker.h"
#include "session.h"

#define EXTRA_MAX 0x40000u // bytes behind a node's parameters

// Calls the vendor's function if it has it.
#define VENDOR(f, ...) (axg_vendor.f ? axg_vendor.f(__VA_ARGS__) : axw_own(CUDA_ERROR_NOT_SUPPORTED))

// A conditional node was made, with `count` graphs of its own. They end with it.
void axw_graph_bodies(CUgraphNode node, const CUgraph *graphs, size_t count);

// graph_semaphore.c: nodes of external semaphores.
// `count` bytes followed p; they are private, and become the arrays that p points to.
CUresult axw_semaphores_ready(struct axw_session *s, CUgraphNodeParams *p, uint8_t *bytes, size_t count);
CUresult axw_semaphores_add(CUgraphNode *node, CUgraph graph, const CUgraphNode *on, size_t count, const CUgraphNodeParams *p);
CUresult axw_semaphores_set(CUgraphExec exec, CUgraphNode node, const CUgraphNodeParams *p); // exec NULL: the graph's node
// What follows p for the client: *bytes is the caller's to free.
CUresult axw_semaphores_get(struct axw_session *s, CUgraphNode node, CUgraphNodeParams *p, uint8_t **bytes, size_t *count);

#endif
