// SPDX-License-Identifier: Apache-2.0
//
// Pinned host memory.
#ifndef AXON_CLIENT_HOST_H
#define AXON_CLIENT_HOST_H

#include "cuda_api.h"
#include "ranges.h"

// Unregisters and frees what starts at p, if it is of that kind.
CUresult axc_host_free(void *p, enum axc_range_kind kind);

#endif
