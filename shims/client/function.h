// SPDX-License-Identifier: Apache-2.0
//
// Kernels, as the client knows them: how long each parameter is and where it
// goes, and the attributes against which a launch is checked.
#ifndef AXON_FUNCTION_H
#define AXON_FUNCTION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "cuda_api.h"

#define AXC_ATTRIBUTES 16

struct axc_function {
	uint64_t name; // of a CUfunction or a CUkernel
	uint64_t module; // its module's or library's name, 0 if not known
	unsigned kind;
	uint32_t params;
	uint32_t bytes; // of all parameters together
	struct {
		uint32_t offset, size;
	} *param;
	_Atomic uint32_t known; // bit i: attribute[i] is known
	_Atomic int32_t attribute[AXC_ATTRIBUTES];
	// Launches with attributes that the vendor has accepted, as keys; see launch.c.
	_Atomic uint64_t accepted[4];
	_Atomic unsigned accepted_next;
	// Occupancies that were asked for, and of a kernel the function it is in one
	// context; under function.c's lock.
	struct axc_occupancy {
		uint64_t shared;
		unsigned block, flags;
		int blocks; // 0: none
	} occupancy[4];
	unsigned occupancy_next;
	uint64_t function, function_context;
	unsigned function_epoch; // of that context
	struct axc_parts *_Atomic parts; // of a launch by parts; see parts.c
};

// The record of a CUfunction or CUkernel handle, asked for at the first use.
CUresult axc_function(uint64_t name, struct axc_function **out);
// Frees a record that nobody uses any more.
void axc_function_free(void *record);
// An attribute (CUfunction_attribute), from the record or the worker.
CUresult axc_function_attribute(struct axc_function *f, int attribute, int *value);

#endif
