// SPDX-License-Identifier: Apache-2.0
//
// The table behind cuGetProcAddress, generated from the description.
#ifndef AXON_PROCADDRESS_H
#define AXON_PROCADDRESS_H

#include <stddef.h>
#include <stdint.h>

struct axg_entry {
	const char *name;
	int since;          // CUDA version, 11040 for 11.4
	uint8_t per_thread; // answers the per-thread default stream flag only
	void *fn;
};

extern const struct axg_entry axg_entry[]; // sorted by name
extern const size_t axg_entries;

#endif
