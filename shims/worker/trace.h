// SPDX-License-Identifier: Apache-2.0
//
// Says where errors come from: the vendor's library, this worker, an earlier
// call. What notes them while a call runs is in call.h.
#ifndef AXON_WORKER_TRACE_H
#define AXON_WORKER_TRACE_H

#include "call.h"

// Reads who is to be told: s->traces is 0 if nobody is, and nothing below need be called.
void axw_trace_start(struct axw_session *s);
// Around a call: forgets what an earlier one noted; says where this one's error came from.
void axw_trace_begin(void);
void axw_trace(struct axw_session *s, unsigned call, CUresult result);
// Instead, when the call has an earlier one's error to tell.
void axw_trace_deferred(struct axw_session *s, unsigned call, CUresult result);
// Notes that a name was looked up in vain.
void axw_trace_missed(unsigned kind, uint64_t name);

#endif
