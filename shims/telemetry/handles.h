// SPDX-License-Identifier: Apache-2.0
//
// What the parts of a handle's translation share. Each gives NULL, 0 or -1 for what is none.
#ifndef AXON_TELEMETRY_HANDLES_H
#define AXON_TELEMETRY_HANDLES_H

#include "telemetry.h"

#define AXT_GPUS 256u

nvmlDevice_t axt_gpu(uint64_t index);
int axt_gpu_index(nvmlDevice_t d);

nvmlUnit_t axt_unit(uint64_t name);
uint64_t axt_unit_name(nvmlUnit_t u);
nvmlGpuInstance_t axt_gpu_instance(uint64_t name);
uint64_t axt_gpu_instance_name(nvmlGpuInstance_t g);
nvmlComputeInstance_t axt_compute_instance(uint64_t name);
uint64_t axt_compute_instance_name(nvmlComputeInstance_t c);

#endif
