// SPDX-License-Identifier: Apache-2.0
//
// AXON_STATS=1: what a program calls and what it waits for, printed when it
// ends. Off, it costs a load of a word that never changes.
#ifndef AXON_STATS_H
#define AXON_STATS_H

#include <stdbool.h>
#include <stdint.h>

extern bool axc_stats_on;

// Reads the environment and, if it asks for it, prints at exit.
void axc_stats_start(void);
void axc_stats_posted(uint32_t call, uint64_t ns);
void axc_stats_waited(uint32_t call, uint64_t ns);
// A call answered in the client, by its name; the pointer is kept.
void axc_stats_here(const char *name);

#define AXC_HERE() \
	do { \
		if (__builtin_expect(axc_stats_on, 0)) \
			axc_stats_here(__func__); \
	} while (0)

#endif
