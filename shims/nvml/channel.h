// SPDX-License-Identifier: Apache-2.0
//
// The connection to axond: packets out and in, for any number of threads at
// once. It is made when there is something to send, made again when axond was
// started anew, and left behind in a forked child, which makes its own.
#ifndef AXON_NVML_CHANNEL_H
#define AXON_NVML_CHANNEL_H

#include <stddef.h>
#include <stdint.h>

#include "nvml_api.h"

// A packet's head, little-endian; `len` bytes follow.
struct axn_head {
	uint32_t id;
	uint32_t call;  // its number; in an answer the result
	uint32_t flags; // 0
	uint32_t len;
};

#define AXN_PACKET_MAX 131072u // bytes, head and all

// Sends a packet whose head lacks only its id, and waits for the answer. *answer is the caller's to free; it is whole:
// its len is what came. NVML_SUCCESS says that there is an answer, whatever its result is. A request that was sent but
// not answered, because axond was started anew, is sent once more if `again`.
nvmlReturn_t axn_exchange(uint8_t *request, size_t bytes, int again, uint8_t **answer);

// Hangs up; threads that wait for an answer get theirs all the same.
void axn_hang_up(void);

#endif
