// SPDX-License-Identifier: Apache-2.0
//
// Descriptors that the client has sent: see descriptor.c.
#ifndef AXON_WORKER_DESCRIPTOR_H
#define AXON_WORKER_DESCRIPTOR_H

#include <stdint.h>

struct axon_checkpoint_order;

// Takes what comes over the control socket once it can be read; `order` takes what is no descriptor. 0 when axond has
// hung up.
int axw_control_read(int control, void (*order)(const struct axon_checkpoint_order *));

// The descriptor that came under that number, the caller's to close. It waits for one that is on its way; -1 if none
// comes.
int axw_descriptor_take(uint64_t number);

#endif
