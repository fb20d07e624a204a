// SPDX-License-Identifier: Apache-2.0
//
// What the files about copies share.
#ifndef AXON_WORKER_COPY_H
#define AXON_WORKER_COPY_H

#include "cuda_api.h"

// A copy whose bytes travel cannot be captured: a graph would keep an address in the ring and use it later. The error, if
// the stream is being captured.
CUresult axw_not_captured(CUstream stream);

#endif
