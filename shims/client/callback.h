// SPDX-License-Identifier: Apache-2.0
//
// Host functions: what may be called later by the worker.
#ifndef AXON_CLIENT_CALLBACK_H
#define AXON_CLIENT_CALLBACK_H

#include <stdbool.h>

// Before the worker is told of a function of the program's: from then on there
// is a thread that runs them. False if there can be none.
bool axc_callbacks_start(void);

#endif
