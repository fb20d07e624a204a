// SPDX-License-Identifier: Apache-2.0
//
// Two threads of a program: one posts, then tells the other, whose call must
// see what was posted. Built with -DAXON_WITHOUT_ORDER this must fail.
#include "fake.h"

#include <string.h>

#include "wait.h"

static _Atomic int written, read_before, blocked_is_in, release_blocked;
static struct axw_session *session;
static int slow_lane; // where the slow post is

// The posted call takes its time: until somebody waits for it, or has overtaken it.
static CUresult check(struct axw_call *w)
{
	uint64_t what;
	memcpy(&what, w->in, sizeof what);
	if (what == 0) {
		while (!atomic_load(&session->lane[slow_lane].waiters) && !atomic_load(&read_before))
			;
		atomic_store(&written, 1);
	} else if (what == 1) {
		int seen = atomic_load(&written);
		if (!seen)
			atomic_store(&read_before, 1);
		return seen ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN;
	} else {
		atomic_store(&blocked_is_in, 1);
		while (!atomic_load(&release_blocked))
			;
	}
	return CUDA_SUCCESS;
}

static void a_wait_follows_what_another_thread_posted(struct fake_client *a, struct fake_client *b)
{
	uint64_t slow = 0, look = 1;
	fake_post(a, FAKE_CHECK, &slow, sizeof slow);
	EXPECT(fake_wait(b, FAKE_CHECK, &look, sizeof look) == CUDA_SUCCESS, "a waited-for call overtook a post made before it");
}

static void a_post_follows_what_another_thread_posted(struct fake_client *a, struct fake_client *b)
{
	uint64_t slow = 0, look = 1;
	atomic_store(&written, 0);
	fake_post(a, FAKE_CHECK, &slow, sizeof slow);
	fake_post(b, FAKE_CHECK, &look, sizeof look);
	EXPECT(fake_wait(b, FAKE_NULL, NULL, 0) == CUDA_SUCCESS, "a post overtook another thread's earlier post");
}

// cuStreamSynchronize in one thread while another goes on working.
static void a_call_that_blocks_holds_nobody(struct fake_client *a, struct fake_client *b)
{
	uint64_t block = 2;
	fake_send(a, AXR_WAIT, FAKE_CHECK, 0, &block, sizeof block, NULL, 0);
	while (!atomic_load(&blocked_is_in))
		;
	fake_post(b, FAKE_NULL, NULL, 0);
	EXPECT(fake_wait(b, FAKE_NULL, NULL, 0) == CUDA_SUCCESS, "a call failed");
	atomic_store(&release_blocked, 1);
	EXPECT(fake_reply(a).result == CUDA_SUCCESS, "the blocking call failed");
}

// Tickets that no client of ours sends: their session may end in any way but must not stop other lanes for ever.
static void equal_tickets_do_not_deadlock(struct fake_client *a, struct fake_client *b)
{
	uint64_t ticket = atomic_fetch_add(&session->header->ticket, 1) + 1;
	struct axr_frame post = { .kind = AXR_POST, .call = FAKE_NULL, .ticket = ticket };
	fake_send_header(a, post, NULL, NULL);
	fake_send_header(b, post, NULL, NULL);
	fake_wait(a, FAKE_NULL, NULL, 0);
	fake_wait(b, FAKE_NULL, NULL, 0);
}

// A thread that makes one call and ends leaves its lane as it was before: whoever waits for that call must notice all
// the same. How often the waiter looks too late is up to the machine: nearly always, when it is busy.
static void a_lane_that_starts_again_wakes_who_waited_for_it(struct fake_client *b)
{
	slow_lane = 2;
	for (int i = 0; i < 200; i++) {
		uint64_t slow = 0;
		struct fake_client a = fake_open(session, 2);
		fake_post(&a, FAKE_CHECK, &slow, sizeof slow);
		fake_post(b, FAKE_NULL, NULL, 0);
		uint32_t closing = AXR_LANE_CLOSING;
		atomic_store(&a.lane->state, closing);
		atomic_fetch_add(&session->header->doorbell, 1);
		axr_futex_wake(&session->header->doorbell);
		fake_until_not(&a.lane->state, closing, "the lane to be freed");
		EXPECT(fake_wait(b, FAKE_NULL, NULL, 0) == CUDA_SUCCESS, "a call failed");
	}
}

int main(void)
{
	fake_check = check;
	session = fake_session(3);
	struct fake_client a = fake_open(session, 0), b = fake_open(session, 1);
	fake_wait(&a, FAKE_NULL, NULL, 0); // both lanes have their threads
	fake_wait(&b, FAKE_NULL, NULL, 0);
	a_wait_follows_what_another_thread_posted(&a, &b);
	a_post_follows_what_another_thread_posted(&a, &b);
	a_call_that_blocks_holds_nobody(&a, &b);
	equal_tickets_do_not_deadlock(&a, &b);
	a_lane_that_starts_again_wakes_who_waited_for_it(&b);
	return 0;
}
