// SPDX-License-Identifier: Apache-2.0
//
// What other processes see of this one: see ipc.c.
#ifndef AXON_CLIENT_IPC_H
#define AXON_CLIENT_IPC_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

extern _Atomic bool axc_events_shared; // an event here is another process's too

// Whether the call, which could be posted, must have run when it returns.
bool axc_ipc_waits(uint32_t call);

#endif
