// SPDX-License-Identifier: Apache-2.0
//
// How a thread of the program's waits for its worker: it looks for a while,
// then it sleeps. Words are a lane's two that the worker writes, head and replied.
#ifndef AXON_AWAIT_H
#define AXON_AWAIT_H

#include <stdbool.h>
#include <stdint.h>

#include "region.h"

#define AXC_SPIN_NS 30000u // longer than any call that does not wait for the device

// Whether the session has ended: nothing is answered any more.
bool axc_ended(void);

// Wait until the word is no longer `seen`; false if the worker is gone. The second sleeps at once.
bool axc_wait_change(struct axr_lane *lane, _Atomic uint32_t *word, uint32_t seen);
bool axc_sleep_until_change(struct axr_lane *lane, _Atomic uint32_t *word, uint32_t seen);

// Waits for the answer number seq, which is expected in so many ns, and no
// longer than a little more: whether it is there must be looked at.
void axc_wait_expected(struct axr_lane *lane, uint32_t seq, uint64_t expected);

#endif
