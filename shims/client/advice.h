// SPDX-License-Identifier: Apache-2.0
//
// Hints for managed memory (advice.c), and the calls that give them (hints.c).
#ifndef AXON_ADVICE_H
#define AXON_ADVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "cuda_api.h"
#include "ranges.h"

// Whether the address is of managed memory, and of which.
bool axc_advice_knows(CUdeviceptr at, struct axc_range *range);
// A place as the older calls name it: a device, or CU_DEVICE_CPU.
CUmemLocation axc_advice_place(CUdevice device);

// n bytes at `at`, all in the range.
CUresult axc_advice_give(const struct axc_range *range, CUdeviceptr at, size_t n, CUmem_advise advice, CUmemLocation place);
CUresult axc_advice_prefetch(const struct axc_range *range, CUdeviceptr at, size_t n, CUmemLocation place);
CUresult axc_advice_tell(const struct axc_range *range, CUdeviceptr at, size_t n, CUmem_range_attribute attribute, void *data,
			 size_t size);
// The allocation is gone, and what was advised with it.
void axc_advice_drop(uint64_t start, uint64_t size);

#endif
