// SPDX-License-Identifier: Apache-2.0
//
// Address ranges that the client knows: device allocations, pinned memory.
#ifndef AXON_RANGES_H
#define AXON_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum axc_range_kind {
	AXC_RANGE_DEVICE = 1, // cuMemAlloc and its kin
	AXC_RANGE_PINNED = 2, // cuMemHostAlloc: in the heap
	AXC_RANGE_MANAGED = 3,
	AXC_RANGE_RESERVED = 4, // cuMemAddressReserve
	AXC_RANGE_REGISTERED = 5, // cuMemHostRegister: the program's own pages, replaced in place
};

struct axc_range {
	uint64_t start, size; // bytes
	enum axc_range_kind kind;
	unsigned flags;   // of the call that made it
	uint64_t context; // name of the context it was made in
	uint64_t wire;    // REGISTERED: the address that frames say in place of start
};

struct axc_ranges;

extern struct axc_ranges axc_allocations; // what the program allocated and has not freed
extern struct axc_ranges axc_areas;       // device addresses outside the device window, reserved for good

// False without memory, or if it would overlap another one.
bool axc_range_add(struct axc_ranges *set, const struct axc_range *range);
// Copies the range that holds the address, if there is one.
bool axc_range_find(struct axc_ranges *set, uint64_t address, struct axc_range *out);
// Copies the first range that ends after the address, if there is one.
bool axc_range_next(struct axc_ranges *set, uint64_t address, struct axc_range *out);
// Takes out the range that starts at the address.
bool axc_range_remove(struct axc_ranges *set, uint64_t start, struct axc_range *out);

#endif
