// SPDX-License-Identifier: Apache-2.0
//
// A descriptor of the file behind a mapping.
#ifndef AXON_FILE_H
#define AXON_FILE_H

#include <stdbool.h>

#include "maps.h"

#define AXC_FILE_LINE 4352 // bytes: a line of /proc/self/maps with the longest path

// A descriptor of its own, to be closed, of the file that the mapping shows; -1 if none can be had. The mapping's path must be
// whole. write: it must be open for writing.
int axc_file_behind(const struct axc_mapping *m, bool write);

#endif
