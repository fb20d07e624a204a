// SPDX-License-Identifier: Apache-2.0
//
// Ordinary memory of the program's that a graph copies from or to.
#ifndef AXON_HOLD_H
#define AXON_HOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "cuda_api.h"

struct axc_hold;

// Makes the pages under [p, p+bytes) the same memory in the worker, at the same address. read_only: they are only copied
// from. Errors as axc_pieces_enter has them; CUDA_ERROR_NOT_SUPPORTED through a relay.
CUresult axc_hold(const void *p, uint64_t bytes, bool read_only, struct axc_hold **out);
// Takes it back: no graph has come to use it.
void axc_hold_drop(struct axc_hold *hold);
// From now on it is the graph's, its clones' and execs', until all of them and their launches have ended. A graph of 0: it
// stays for good.
void axc_hold_for(struct axc_hold *hold, CUgraph graph);

// For a copy that is about to be made on a stream: if that records, holds the memory for the graph that it records into, and
// *held is true. Otherwise, and if that cannot be told, nothing is done.
CUresult axc_hold_recorded(CUstream stream, const void *p, uint64_t bytes, bool read_only, bool *held);

#endif
