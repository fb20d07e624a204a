// SPDX-License-Identifier: Apache-2.0
//
// What a worker takes from itself before the vendor's library is in it. The
// table in docs/architecture.md ("What a worker may do") says what is left.
#ifndef AXON_WORKER_CONFINE_H
#define AXON_WORKER_CONFINE_H

#include <stdint.h>

enum axw_confine {
	AXW_CONFINE_OFF,
	AXW_CONFINE_ON,      // by what the kernel has; axond has said what it lacks
	AXW_CONFINE_REQUIRE, // or there is no session
};

// Parts that can be left out, to find out which one a vendor's library does not bear.
enum {
	AXW_LANDLOCK = 1 << 0,
	AXW_SCOPE = 1 << 1,   // of Landlock: signals and abstract sockets
	AXW_SECCOMP = 1 << 2,
	AXW_CONNECT = 1 << 3, // of seccomp: no connect()
	AXW_FORK = 1 << 4,    // of seccomp: no other processes
	AXW_DUMPABLE = 1 << 5,
};

struct axw_cage {
	enum axw_confine how;
	unsigned without;       // of the parts
	int apart;              // runs as a user who owns nothing else, in namespaces of that user's workers
	const char *vendor_dir;
	const char *library;    // its name there
	const char *cache_dir;  // what the vendor's library may write; NULL: where it would by itself
	const char *reads;      // a file besides that it may read; NULL: none
};

// What a list like "landlock,connect" names, or -1 if it names something else.
int axw_cage_parts(const char *list);

// Confines this thread and those that it starts. NULL, or why not.
const char *axw_confine(const struct axw_cage *cage);

// confine_files.c: Landlock. Sets *scoped if other processes are out of a signal's reach.
const char *axw_confine_files(const struct axw_cage *cage, int *scoped);

// confine_calls.c: seccomp.
const char *axw_confine_calls(const struct axw_cage *cage, int scoped);

#endif
