// SPDX-License-Identifier: Apache-2.0
//
// Stretches of the program's own pages that are shown at the same address in
// the worker: private ones become pages of the region's heap, in place; those
// that are shared with others stay what they are. Each has users: registrations
// (register.c) and graphs (hold.c).
#ifndef AXON_PIECES_H
#define AXON_PIECES_H

#include <stdbool.h>
#include <stdint.h>

#include "cuda_api.h"

// Over all of them; held while the worker is asked, and over a fork.
void axc_pieces_lock(void);
void axc_pieces_unlock(void);

// Makes every page under [start, end) such a page, with a user more. Under the lock. read_only: the pages need not be
// writable. CUDA_ERROR_INVALID_VALUE: not memory that can be read (and written). CUDA_ERROR_NOT_SUPPORTED: private and of
// huge pages, shared and axc_shared_show says so, or the worker has something of its own at that address. CUDA_ERROR_OUT_OF_MEMORY: no
// memory for the pages.
CUresult axc_pieces_enter(uint64_t start, uint64_t end, bool read_only);

// Takes that user from every piece under [start, end). Pages of the heap without users become the program's private ones again. Under
// the lock.
void axc_pieces_leave(uint64_t start, uint64_t end);

// The same for a user that ends at a time of its own, when other threads may be giving that memory back: nothing is changed in
// the program's memory, where somebody else's may lie by then. Pieces without users stay until the program has unmapped them.
void axc_pieces_let_be(uint64_t start, uint64_t end);

// The heap's address of the same byte, and in *end where its piece ends. NULL: in no piece. Under the lock.
uint8_t *axc_piece_heap(uint64_t address, uint64_t *end);

#endif
