// SPDX-License-Identifier: Apache-2.0
//
// A module's managed variables (managed.c).
#ifndef AXON_MANAGED_H
#define AXON_MANAGED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda_api.h"

// How many there are: nothing below costs a program that has none.
extern _Atomic uint32_t axc_managed_variables;

// Sends what the program has written into its variables since the last time.
void axc_managed_push(void);
// Fetches what the device has written into them.
void axc_managed_pull(void);

// The program was told of a managed variable of a module's or a library's, named by its handle: its bytes are the program's from
// here on. Again for one that is known: nothing, or if its context has ended, it is looked for in the current one.
CUresult axc_managed_meet(uint64_t owner, bool of_module, CUdeviceptr at, size_t size);
// A module or library goes, with its variables.
void axc_managed_part(uint64_t owner);
// A context has ended, and modules with it. Libraries' variables come again in another one.
void axc_managed_ended(uint64_t context);

// In a forked child: none of them is the device's any more.
void axc_managed_forked(void);

// Before a call is begun, and after the one of that number was answered.
static inline void axc_managed_before(void)
{
	if (__builtin_expect(atomic_load_explicit(&axc_managed_variables, memory_order_relaxed) != 0, 0))
		axc_managed_push();
}
void axc_managed_answered(uint32_t number);
static inline void axc_managed_after(uint32_t number)
{
	if (__builtin_expect(atomic_load_explicit(&axc_managed_variables, memory_order_relaxed) != 0, 0))
		axc_managed_answered(number);
}

#endif
