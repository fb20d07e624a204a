// SPDX-License-Identifier: Apache-2.0
//
// axon-worker as the telemetry worker: one for all clients that read NVML. It
// shares memory with none of them and knows none of them: axond hands it
// copies of their packets, each with the number of the connection that it is
// from, its owner.
#ifndef AXON_TELEMETRY_H
#define AXON_TELEMETRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nvml_worker.h"

// A packet's head, little-endian, both ways; `len` bytes of frame follow.
struct axt_head {
	uint32_t id;    // axond's
	uint32_t call;  // its number; in an answer the result
	uint32_t owner; // a connection's number, never used again
	uint32_t len;
};

#define AXT_PACKET_MAX 131072u // bytes, head and all
#define AXT_FORGET 0xffffffffu // a call: the owner is gone, and what it had goes

struct axt_owner;
struct axt_object;

// Of one call.
struct axw_session {
	struct axt_owner *owner;
	struct axt_object *held[4]; // what axt_get found: this call's alone until axt_release
	unsigned held_count;
	bool full; // it made an object that its owner may not have
};

// A request that was taken in.
struct axt_request {
	struct axt_request *next;
	struct axt_owner *owner;
	bool waits;    // for an event: it is wait.c's
	int64_t until; // then: when the client's patience ends, CLOCK_MONOTONIC nanoseconds
	struct axt_head head;
	_Alignas(16) uint8_t frame[];
};

// vendor.c: opens DIR/libnvidia-ml.so.1 and fills axg_vendor. NULL, or why not.
const char *axt_vendor_open(const char *dir);

// owner.c. An owner lives as long as it has requests or objects.
struct axt_owner *axt_owner_get(uint32_t number); // NULL if memory ran out
void axt_owner_put(struct axt_owner *o);          // a request of its has been answered
void axt_owner_forget(uint32_t number);
bool axt_owner_gone(const struct axt_owner *o);
// The objects that an owner's calls have made: sets of events, samples.
struct axt_object *axt_object_hold(struct axt_owner *o, unsigned kind, uint64_t name, void **handle);
uint64_t axt_object_add(struct axt_owner *o, unsigned kind, void *handle); // 0: it has too many, or is gone; the object is freed
uint64_t axt_object_known(struct axt_owner *o, unsigned kind, const void *handle);
void axt_object_end(struct axt_owner *o, struct axt_object *object); // the vendor has freed it; the holder says so
void axt_object_release(struct axt_object *object);

// handles.c: forgets what the call holds.
void axt_release(struct axw_session *s);
// Whether an object of this kind belongs to whoever made it.
bool axt_owned(unsigned kind);
void axt_free_object(unsigned kind, void *handle);

// serve.c. axt_run runs a call: its result, and *bytes of answer in `answer`, which has room for AXT_PACKET_MAX less a head.
nvmlReturn_t axt_run(struct axt_request *q, void *answer, size_t *bytes);
// Answers a request and frees it.
void axt_answer(struct axt_request *q, nvmlReturn_t result, uint8_t *packet, size_t bytes);
// Reads packets of the socket until it hangs up. `init` is what the vendor's nvmlInit said: if it failed, so does every call.
_Noreturn void axt_serve(int control, nvmlReturn_t init);

// wait.c: calls that wait for an event, for as long as the client likes.
bool axt_waits(const struct axt_request *q);
int axt_wait_start(void);
void axt_wait_add(struct axt_request *q);

#endif
