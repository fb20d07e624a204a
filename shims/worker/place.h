// SPDX-License-Identifier: Apache-2.0
//
// Where things are in the worker's address space: see place.c.
#ifndef AXON_WORKER_PLACE_H
#define AXON_WORKER_PLACE_H

#include <stdint.h>

// Starts the program again, once, in the right kind of address space and with the vendor's folder on its library
// path. Returns when that is so already, or cannot be had.
void axw_place_again(char **argv, const char *vendor_dir);

// Takes everything that is free from 1 TiB up to device_base, so that what comes next lands above. NULL, or why not.
const char *axw_place_block(uint64_t device_base);

#endif
