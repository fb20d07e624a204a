// SPDX-License-Identifier: Apache-2.0
//
// What loading and linking have in common.
#ifndef AXON_WORKER_LOAD_H
#define AXON_WORKER_LOAD_H

#include <stdint.h>

// 1 if the value of this CUjit_option is a number and no pointer.
int axw_jit_option_is_number(uint32_t name);

#endif
