// SPDX-License-Identifier: Apache-2.0
//
// The telemetry worker's start, as axon-worker's main() sees it.
#ifndef AXON_TELEMETRY_MODE_H
#define AXON_TELEMETRY_MODE_H

#include "confine.h"

// Loads the vendor's NVML, says over the control socket how that went, and serves its packets until it hangs up.
// Returns if there is nothing to serve: the exit status.
int axt_main(const struct axw_cage *cage, int control);

// The fingerprint of NVML's description.
extern const unsigned char axt_fingerprint[16];

#endif
