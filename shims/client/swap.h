// SPDX-License-Identifier: Apache-2.0
//
// The program's own pages, replaced in place by pages of the region and back.
#ifndef AXON_SWAP_H
#define AXON_SWAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda_api.h"
#include "maps.h"

// Makes [at, at+bytes), whole pages of private memory, show the heap's pages at `piece`, with the bytes they had. Pages that
// do already are left alone. What other threads write meanwhile is kept (swap.c says how). read_only: the pages need not be
// writable.
// CUDA_ERROR_INVALID_VALUE: not memory that can be read and written. CUDA_ERROR_NOT_SUPPORTED: shared with others or of huge
// pages. CUDA_ERROR_OUT_OF_MEMORY: no memory for the heap's pages. After another error some pages may have changed:
// axc_swap_out takes them back.
CUresult axc_swap_in(void *at, size_t bytes, void *piece, bool read_only);

// Whether all of [at, at+bytes) shows the heap's pages at `piece`, and may be read (and written) by the program.
bool axc_swapped(void *at, size_t bytes, void *piece, bool read_only);

// Says every stretch of the heap that is mapped anywhere but in the heap, be it moved (mremap) or where it was put. False if that
// cannot be told.
bool axc_swap_shown(void (*shown)(uint64_t start, uint64_t end));

// Whether a mapping shows pages of the heap, in order or not.
bool axc_swap_is_heap(const struct axc_mapping *m);

// The way back: private pages with the same bytes. Where the program has mapped something else meanwhile, that stays.
// before: NULL, or room for as many bytes, which then hold what went.
void axc_swap_out(void *at, size_t bytes, void *piece, void *before);

// axc_swap_in for pages that axc_swap_out took out a moment ago with the same `before`: what the program has not changed since is
// left as the device may have changed it.
CUresult axc_swap_in_again(void *at, size_t bytes, void *piece, void *before);

// The same in a forked child, where this is the only thread: no thread is started and nobody is waited for.
void axc_swap_out_forked(void *at, size_t bytes, void *piece);

#endif
