// SPDX-License-Identifier: Apache-2.0
//
// The order between lanes: see order.c.
#ifndef AXON_WORKER_ORDER_H
#define AXON_WORKER_ORDER_H

#include "session.h"

// Returns when every post that a frame with this kind and ticket could have been meant to follow has run.
void axw_order_wait(struct axw_lane *lane, unsigned kind, uint64_t ticket);

// The ticket of the last post that has been made in the session by now.
uint64_t axw_order_now(struct axw_session *s);
// Returns when every post up to a ticket has run: 1; or 0 at the deadline, of axr_now_ns, UINT64_MAX for none.
int axw_order_posted(struct axw_session *s, uint64_t ticket, uint64_t deadline);

// A lane's frame has run, or the lane was emptied: its head is here now. `posted` is the frame's ticket if it was a post, else 0.
// A full fence and axw_order_wake have to follow.
void axw_order_done(struct axw_lane *lane, uint32_t head, uint64_t posted);
void axw_order_wake(struct axw_lane *lane);

#endif
