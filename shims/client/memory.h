// SPDX-License-Identifier: Apache-2.0
//
// Device addresses in the client.
#ifndef AXON_CLIENT_MEMORY_H
#define AXON_CLIENT_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

// Keeps [address, address + bytes) free of the program's own memory. False if
// the program has something there.
bool axc_reserve(uint64_t address, uint64_t bytes);
// Whether an address is the device's, by where it lies.
bool axc_is_device(uint64_t address);

#endif
