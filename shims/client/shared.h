// SPDX-License-Identifier: Apache-2.0
//
// Memory of the program's that is shared already: a mapping of a file.
#ifndef AXON_SHARED_H
#define AXON_SHARED_H

#include <stdbool.h>
#include <stdint.h>

#include "cuda_api.h"
#include "maps.h"

// What a stretch of memory shows of which file.
struct axc_shared {
	uint64_t inode, offset; // of the stretch's first byte
	unsigned major, minor;
	bool writable; // in the worker
};

// Shows the same part of the same file in the worker, at the same address. [*start, *end) are whole pages of the mapping m; of a
// file of huge pages they become whole ones of those. read_only: the memory need not be writable.
// CUDA_ERROR_INVALID_VALUE: not memory that can be read (and written). CUDA_ERROR_NOT_SUPPORTED: no descriptor of the file can be
// had, it is one that is not shared, or a relay is between; a debug line says which. CUDA_ERROR_OUT_OF_MEMORY: the file has no
// room for its pages.
CUresult axc_shared_show(const struct axc_mapping *m, uint64_t *start, uint64_t *end, bool read_only, struct axc_shared *out);

// Whether the mapping shows, at `at`, what was shown of the stretch that begins at `start`.
bool axc_shared_is(const struct axc_shared *s, uint64_t start, const struct axc_mapping *m, uint64_t at);

#endif
