// SPDX-License-Identifier: Apache-2.0
//
// Pinned host memory.
#ifndef AXON_CLIENT_HOST_H
#define AXON_CLIENT_HOST_H

#include <stdbool.h>

#include "cuda_api.h"
#include "ranges.h"

// Unregisters and frees what starts at p, if it is of that kind.
CUresult axc_host_free(void *p, enum axc_range_kind kind);

// One of the worker's registrations: axHostRegister or axHostUnregister.
CUresult axc_host_registration(uint32_t number, uint64_t address, size_t bytes, unsigned flags);

// Whether all `bytes` at p are pinned: in the heap or registered. *wire is the address that a frame says for p.
bool axc_pinned(const void *p, uint64_t bytes, uint64_t *wire);

#endif
