// SPDX-License-Identifier: Apache-2.0
//
// The lookup table, as the real client declares it.
#ifndef TOY_PROCADDRESS_H
#define TOY_PROCADDRESS_H

#include <stddef.h>
#include <stdint.h>

struct axg_entry {
	const char *name;
	int since;
	uint8_t per_thread;
	void *fn;
};
extern const struct axg_entry axg_entry[];
extern const size_t axg_entries;

#endif
