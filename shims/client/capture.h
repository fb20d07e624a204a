// SPDX-License-Identifier: Apache-2.0
//
// Stream capture (capture.c).
#ifndef AXON_CAPTURE_H
#define AXON_CAPTURE_H

#include <stdbool.h>

// Whether any capture was begun and not ended.
bool axc_captures(void);

#endif
