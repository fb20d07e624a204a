/* SPDX-License-Identifier: Apache-2.0
 *
 * softgpu's libnvidia-ml.so.1. Its exported half is the shim's (shims/nvml, and what is generated for it): each call is a
 * packet. What the shim sends to axond is answered here, from a file of recorded values if SOFTGPU_NVML names one, and
 * else by a plain GPU that says of itself what softgpu's libcuda says.
 */
#ifndef AXON_SOFTGPU_NVML_H
#define AXON_SOFTGPU_NVML_H

#include <stddef.h>
#include <stdint.h>

#include "nvml_calls.h"

/* replay.c: whether there is a file, read at the first call. 1, 0, or -1 if it cannot be read, which stderr says. */
int replay_open(void);
/* What was recorded for a call and its frame, in the order of the file, the last one for good, into out. */
nvmlReturn_t replay_call(uint32_t call, const uint8_t *in, size_t in_bytes, uint8_t *out, size_t room, size_t *out_bytes);

/* plain/: the answer of the plain GPU, into out. */
nvmlReturn_t plain_call(uint32_t call, const uint8_t *in, size_t in_bytes, uint8_t *out, size_t room, size_t *out_bytes);

#endif
