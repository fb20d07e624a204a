// SPDX-License-Identifier: Apache-2.0
//
// Stream capture (capture.c).
#ifndef AXON_CAPTURE_H
#define AXON_CAPTURE_H

#include <stdbool.h>

#include "cuda_api.h"

// Whether any capture was begun and not ended.
bool axc_captures(void);
// Whether the stream records, and the graph that it records into. Free of any call while no stream of the session does.
bool axc_capturing(CUstream stream, CUgraph *graph);

#endif
