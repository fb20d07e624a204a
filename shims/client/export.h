// SPDX-License-Identifier: Apache-2.0
//
// Descriptors for the worker: see export.c.
#ifndef AXON_CLIENT_EXPORT_H
#define AXON_CLIENT_EXPORT_H

#include <stdint.h>

// A number for axc_session_pass that no other descriptor has.
uint64_t axc_export_number(void);

#endif
