// SPDX-License-Identifier: Apache-2.0
//
// The driver's log: see logs.c.
#ifndef AXON_CLIENT_LOGS_H
#define AXON_CLIENT_LOGS_H

// Calls the program's functions with what has been logged. After a call that
// was waited for, and when its answer has been taken out of the lane.
void axc_logs_news(void);

#endif
