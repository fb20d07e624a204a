// SPDX-License-Identifier: Apache-2.0
//
// What the parts of a handle's translation share. Each gives NULL, 0 or -1 for what is none.
#ifndef AXON_TELEMETRY_HANDLES_H
#define AXON_TELEMETRY_HANDLES_H

#include "telemetry.h"

#define AXT_GPUS 256u

nvmlDevice_t axt_gpu(uint64_t index);
int axt_gpu_index(nvmlDevice_t d);

#endif
