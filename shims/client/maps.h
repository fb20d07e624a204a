// SPDX-License-Identifier: Apache-2.0
//
// /proc/self/maps, mapping by mapping, without the allocator: what is read may be about to be replaced.
#ifndef AXON_MAPS_H
#define AXON_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct axc_maps {
	int fd;
	size_t have, at;
	char text[8192];
};

struct axc_mapping {
	uint64_t start, end, offset, inode;
	unsigned major, minor; // of the file's device
	int prot;
	bool shared, anonymous, huge;
	const char *path; // in the caller's room; cut off where that ends; newlines are \012 in it
};

// False: it cannot be read.
bool axc_maps_open(struct axc_maps *m);
// The next one, in the order of addresses. room: bytes at `line`, 128 and what of the path is of interest.
bool axc_maps_next(struct axc_maps *m, struct axc_mapping *out, char *line, size_t room);
void axc_maps_close(struct axc_maps *m);

// The one that has the address, or false.
bool axc_mapping_at(uint64_t address, struct axc_mapping *out, char *line, size_t room);

#endif
