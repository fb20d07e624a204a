// SPDX-License-Identifier: Apache-2.0
//
// The account: what a session has, and what it may have. A memfd of its own
// that axond makes and only axond and the worker map. The client has none of
// it, as its limit is in here. axond believes the figures no more than the
// worker that writes them, and a worker may be older than the axond that reads
// them: new words come at the end, with a higher version.
#ifndef AXON_ACCOUNT_H
#define AXON_ACCOUNT_H

#include <stdatomic.h>
#include <stdint.h>

#define AXA_VERSION 1u
#define AXA_LINE 128 // as AXR_LINE
#define AXA_CALLS_OFFSET 4096u
#define AXA_CALLS_STRIDE 64u
#define AXA_CALLS 1024u // as AXR_LANES_MAX
#define AXA_SIZE (AXA_CALLS_OFFSET + AXA_CALLS * AXA_CALLS_STRIDE)

struct axa_account {
	// axond.
	_Atomic uint32_t version;      // AXA_VERSION, constant
	_Atomic uint32_t answered;     // number of the last AXA_ASK that limit answers; the worker sleeps on it
	_Atomic uint64_t limit;        // of `device`, and where devices share the machine's memory of device + pinned; bytes
	_Atomic uint64_t pinned_limit; // of `pinned`, where they do not

	// Worker. Bytes.
	_Alignas(AXA_LINE) _Atomic uint64_t device; // the devices' memory
	_Atomic uint64_t device_peak;
	_Atomic uint64_t pinned; // host memory that devices reach
	_Atomic uint64_t pinned_peak;
	_Atomic uint64_t outside;  // of both, where devices share the machine's memory: what no control group of the client's counts
	_Atomic uint64_t refused;  // allocations, over the limit
	_Atomic uint64_t devices;  // bit n: the session has had a context on device n
	_Atomic uint32_t shares;   // 1: a device shares the machine's memory, so limit is asked for (AXA_ASK)
};
_Static_assert(sizeof(struct axa_account) <= AXA_CALLS_OFFSET, "account");

// Worker: calls executed for lane i so far. One writer each, the lane's thread.
static inline _Atomic uint64_t *axa_calls(void *account, uint32_t i)
{
	return (_Atomic uint64_t *)((uint8_t *)account + AXA_CALLS_OFFSET + i * AXA_CALLS_STRIDE);
}

// A message of the worker's over the control socket: have the limit computed
// anew, for what `device` and `pinned` are now, then `answered` set to number.
struct axa_ask {
	uint32_t magic; // AXA_ASK
	uint32_t number;
	uint64_t bytes; // of these, which the vendor was not yet asked for
};
#define AXA_ASK 0x4b534158u /* "XASK" */

#endif
