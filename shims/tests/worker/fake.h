// SPDX-License-Identifier: Apache-2.0
//
// A worker's session without a vendor: a region with unmapped memory around
// it, a table of calls that only record, and the client's end of the lanes
// written once more, as plainly as can be.
#ifndef AXON_TEST_FAKE_H
#define AXON_TEST_FAKE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "session.h"

// Says what is wrong and ends the test.
#define EXPECT(condition, ...)                                                                                         \
	do {                                                                                                           \
		if (!(condition)) {                                                                                    \
			fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);                                                \
			fprintf(stderr, __VA_ARGS__);                                                                  \
			fprintf(stderr, "\n");                                                                         \
			exit(2);                                                                                       \
		}                                                                                                      \
	} while (0)

enum fake_call {
	FAKE_NONE,   // no such call
	FAKE_NULL,   // nothing
	FAKE_RESULT, // fails with the code in its fixed part
	FAKE_ECHO,   // answers with its data
	FAKE_BULK,   // fills bulk_out with the fixed part's first byte
	FAKE_NAME,   // fixed: {what, kind, name, handle}: put, get, del, name
	FAKE_CHECK,  // hook, see below
	FAKE_CALLS,
};

// What FAKE_CHECK runs; set by a test.
extern CUresult (*fake_check)(struct axw_call *w);
// Contexts made current so far, and the last.
extern _Atomic int fake_context_sets;
extern _Atomic uintptr_t fake_context;

// A session with `lanes` lanes and its door open (a thread serves it).
struct axw_session *fake_session(uint32_t lanes);
// Without the door: for tests of single parts.
struct axw_session *fake_session_still(uint32_t lanes);

struct fake_client {
	struct axw_session *s;
	struct axr_lane *lane;
	uint32_t index, tail, seq;
	int ring_only; // writes no requests beside its tail, as a relay does not
};

struct fake_client fake_open(struct axw_session *s, uint32_t lane);
// Publishes one frame. A post takes the region's next ticket, a wait the last one.
void fake_send(struct fake_client *c, unsigned kind, unsigned call, uint64_t context, const void *fixed, uint32_t fixed_size,
	       const void *data, uint32_t data_size);
// As fake_send, with all of the header as given (size and seq apart).
void fake_send_header(struct fake_client *c, struct axr_frame head, const void *fixed, const void *data);
// Waits for the answer of the last wait. The test ends if none comes in ten seconds.
struct fake_answer {
	uint32_t result, size;
	const uint8_t *bytes; // in the region
};
struct fake_answer fake_reply(struct fake_client *c);
// fake_send of a wait and fake_reply; the result.
unsigned fake_wait(struct fake_client *c, unsigned call, const void *fixed, uint32_t fixed_size);
void fake_post(struct fake_client *c, unsigned call, const void *fixed, uint32_t fixed_size);
// Waits until the word differs from `seen`; the test ends if that takes ten seconds.
void fake_until_not(_Atomic uint32_t *word, uint32_t seen, const char *what);

#endif
