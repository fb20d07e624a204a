// SPDX-License-Identifier: Apache-2.0
//
// Pieces of the pinned heap: address space and pages of the region, not yet
// registered with anybody.
#ifndef AXON_HEAP_H
#define AXON_HEAP_H

#include <stddef.h>

// At least `bytes`, zeroed, page-aligned; NULL if the heap is full.
void *axc_heap_take(size_t bytes, size_t *taken);
// Gives it back, and its pages to the kernel.
void axc_heap_give(void *piece, size_t taken);

#endif
