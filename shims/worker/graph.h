// SPDX-License-Identifier: Apache-2.0
//
// Names in graphs: see graph.c.
#ifndef AXON_WORKER_GRAPH_H
#define AXON_WORKER_GRAPH_H

#include "session.h"

// A conditional node was made, with `count` graphs of its own. They end with it.
void axw_graph_bodies(CUgraphNode node, const CUgraph *graphs, size_t count);

#endif
