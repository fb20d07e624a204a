// SPDX-License-Identifier: Apache-2.0
//
// What the files about copies share.
#ifndef AXON_COPY_H
#define AXON_COPY_H

#include <stdbool.h>

#include "call.h"

#define AXC_PIECE (1u << 20) // up: bytes of a frame; the next one is put in place while the device reads the last ones

// Whether the bytes at an address travel with the frames: the program's memory that the device cannot reach.
bool axc_travels(CUdeviceptr p, size_t bytes);

#endif
