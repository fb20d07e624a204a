// SPDX-License-Identifier: Apache-2.0
//
// A lane's steps that can be taken one by one, for tests of what is behind them.
#ifndef AXON_WORKER_LANE_H
#define AXON_WORKER_LANE_H

#include "frame.h"
#include "session.h"

// The lane's private memory, made when it is first used. 0 or -1.
int axw_lane_memory(struct axw_lane *l);
// Makes a call of a checked frame: private copies of what will be looked at. NULL, or what is wrong with it.
const char *axw_lane_take(struct axw_lane *l, const struct axw_frame *f, struct axw_call *w);

#endif
