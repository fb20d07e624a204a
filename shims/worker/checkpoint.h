// SPDX-License-Identifier: Apache-2.0
//
// Checkpoints of the session: see checkpoint.c.
#ifndef AXON_WORKER_CHECKPOINT_H
#define AXON_WORKER_CHECKPOINT_H

#include "checkpoint_order.h"
#include "session.h"

void axw_checkpoint_start(struct axw_session *s);

// Has one of axond's orders done, and answered over the control socket. Does not wait for it.
void axw_checkpoint_order(const struct axon_checkpoint_order *order);

#endif
