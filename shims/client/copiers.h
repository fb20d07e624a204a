// SPDX-License-Identifier: Apache-2.0
//
// Copying with more than one processor.
#ifndef AXON_COPIERS_H
#define AXON_COPIERS_H

#include <stdbool.h>
#include <stddef.h>

#define AXC_LONG_COPY 0x400000u // bytes from which on it pays to start threads

// memcpy; with `together` other threads take part, if there are processors for them and they are not at work already.
void axc_copy(void *to, const void *from, size_t bytes, bool together);

#endif
