// SPDX-License-Identifier: Apache-2.0
//
// Descriptors that the client has sent: see export.c.
#ifndef AXON_WORKER_EXPORT_H
#define AXON_WORKER_EXPORT_H

// Takes what comes over the control socket once it can be read. 0 when axond has hung up.
int axw_control_read(int control);

#endif
