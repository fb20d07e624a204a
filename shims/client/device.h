// SPDX-License-Identifier: Apache-2.0
//
// Devices, as the snapshot has them.
#ifndef AXON_CLIENT_DEVICE_H
#define AXON_CLIENT_DEVICE_H

#include "cuda_api.h"
#include "snapshot.h"

// NULL for a device that there is not.
const struct axon_device *axc_device(CUdevice dev);
// What cuDriverGetVersion says, before cuInit too.
int axc_driver_version(void);

#endif
