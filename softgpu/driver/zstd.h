/* SPDX-License-Identifier: Apache-2.0 */
#ifndef AXON_SOFTGPU_ZSTD_H
#define AXON_SOFTGPU_ZSTD_H

#include <stddef.h>
#include <stdint.h>

/* One frame, from `in` to `out`. Returns the number of bytes written, or -1: damaged, longer than `room`, or made with a
 * dictionary. `scratch`: zstd_scratch() bytes, aligned as malloc does. */
long zstd_decompress(const uint8_t *in, size_t n, uint8_t *out, size_t room, void *scratch);
size_t zstd_scratch(void);

#endif
