// SPDX-License-Identifier: Apache-2.0
//
// Names: what a client holds instead of the library's handles. A name looks
// like a pointer that is 16-byte aligned, is never 0, 1 or 2 (which mean
// something to CUDA) and lies below the device window:
//
//   bits 44-47  0x3
//   bits 36-43  kind of object (AXH_*, from the API description)
//   bit  35     set if the worker made the name up (an object it told us of)
//   bits 24-34  generation of the slot, so that an ended object's name stays dead
//   bits 4-23   slot
#ifndef AXON_NAME_H
#define AXON_NAME_H

#include <stdint.h>

#define AXR_NAME_SLOTS (1u << 20)
#define AXR_NAME_GENERATIONS (1u << 11)

static inline uint64_t axr_name(unsigned kind, unsigned from_worker, uint32_t generation, uint32_t slot)
{
	return 0x300000000000ull | (uint64_t)(kind & 0xff) << 36 | (uint64_t)(from_worker & 1) << 35 |
	       (uint64_t)(generation & (AXR_NAME_GENERATIONS - 1)) << 24 | (uint64_t)(slot & (AXR_NAME_SLOTS - 1)) << 4;
}

static inline int axr_name_is(uint64_t name, unsigned kind)
{
	return (name >> 36) == (0x300u | kind) && (name & 15) == 0;
}

static inline unsigned axr_name_from_worker(uint64_t name) { return (unsigned)(name >> 35) & 1; }
static inline uint32_t axr_name_generation(uint64_t name) { return (uint32_t)(name >> 24) & (AXR_NAME_GENERATIONS - 1); }
static inline uint32_t axr_name_slot(uint64_t name) { return (uint32_t)(name >> 4) & (AXR_NAME_SLOTS - 1); }

#endif
