// SPDX-License-Identifier: Apache-2.0
//
// What a client's thread may count on from its lane.
#include "fake.h"

#include <string.h>
#include <sys/stat.h>

#include "cuda_calls.h"
#include "frame.h"
#include "name.h"
#include "wait.h"

static void answers_carry_their_bytes(struct fake_client *c)
{
	static uint8_t sent[AXR_FRAME_MAX - 64];
	for (uint32_t n = 0; n <= sizeof sent; n = n ? n * 3 : 1) {
		for (uint32_t i = 0; i < n; i++)
			sent[i] = (uint8_t)(i * 7 + n);
		fake_send(c, AXR_WAIT, FAKE_ECHO, 0, NULL, 0, sent, n);
		struct fake_answer r = fake_reply(c);
		EXPECT(r.result == 0 && r.size == n && memcmp(r.bytes, sent, n) == 0, "%u bytes came back as %u", n, r.size);
	}
}

static void a_ring_goes_round(struct fake_client *c)
{
	static uint8_t sent[5000];
	for (int i = 0; i < 2000; i++) {
		memset(sent, i, sizeof sent);
		uint32_t n = (uint32_t)(i * 37) % sizeof sent;
		fake_send(c, i % 3 ? AXR_POST : AXR_WAIT, FAKE_ECHO, 0, NULL, 0, sent, n);
		if (i % 3 == 0) {
			struct fake_answer r = fake_reply(c);
			EXPECT(r.size == n && memcmp(r.bytes, sent, n) == 0, "turn %d: wrong bytes", i);
		}
	}
	fake_wait(c, FAKE_NULL, NULL, 0);
}

// What stands beside the tail is believed only if it is the one frame that the tail has published.
static void a_request_is_its_tails_frame_alone(void)
{
	struct axr_request q = { .end = 192, .size = 64, .ticket = 7, .context = 8, .seq = 9, .call = FAKE_ECHO, .fixed = 16 };
	struct axw_request r;
	EXPECT(axw_frame_request(&q, 192, 64, &r), "a good one is refused");
	const struct axr_frame *h = &r.frame.head;
	EXPECT(h->kind == AXR_WAIT && h->ticket == 7 && h->context == 8 && h->seq == 9 && h->call == FAKE_ECHO && h->fixed == 16 &&
		       r.frame.step == 64 && h->data == 0 && h->bulk_in == 0 && h->bulk_out == 0,
	       "it became another frame");
	EXPECT(!axw_frame_request(&q, 256, 64, &r), "an older one is taken for the tail's");
	EXPECT(!axw_frame_request(&q, 192, 128, &r), "it is taken though another frame is before it");
	q.size = 48;
	EXPECT(!axw_frame_request(&q, 192, 48, &r), "it is taken with more than fits its frame");
	q.size = 72;
	EXPECT(!axw_frame_request(&q, 192, 72, &r), "it is taken with a size that no frame has");
	q.size = 144, q.fixed = AXR_REQUEST_MAX - 8, q.data = 16;
	EXPECT(!axw_frame_request(&q, 192, 144, &r), "it is taken with more bytes than it has");
	q.data = 8;
	EXPECT(axw_frame_request(&q, 192, 144, &r) && r.frame.head.data == 8, "a full one is refused");
	q.size = 96, q.data = 0, q.fixed = 12;
	EXPECT(!axw_frame_request(&q, 192, 96, &r), "it is taken with an odd fixed part");
	q.fixed = 16, q.seq = 0;
	EXPECT(!axw_frame_request(&q, 192, 96, &r), "what nobody has written is taken");
}

// Posts and waits by turns: a wait that stands beside the tail overtakes no post, however they meet the worker.
static uint64_t sum_of_posts;
static CUresult counts(struct axw_call *w)
{
	uint64_t in[2] = { 0 };
	memcpy(in, w->in, w->in_size < sizeof in ? w->in_size : sizeof in);
	if (!w->waits)
		sum_of_posts += in[0];
	for (size_t i = 0; i < w->data_size; i++)
		if (w->data[i] != (uint8_t)in[0])
			return CUDA_ERROR_UNKNOWN;
	memcpy(w->out, &sum_of_posts, sizeof sum_of_posts);
	w->out_size = w->waits ? in[1] : 0;
	return CUDA_SUCCESS;
}

static void a_request_follows_what_was_posted(struct fake_client *c)
{
	uint64_t sum = 0;
	sum_of_posts = 0; // the worker's thread sees it by the tail
	fake_check = counts;
	for (uint64_t i = 0; i < 20000; i++) {
		uint64_t in[2] = { i, 8 * (i % 9) };
		uint8_t data[AXR_REQUEST_MAX + 40];
		memset(data, (int)i, sizeof data);
		for (uint64_t k = 0; k < i % 4; k++, sum += i)
			fake_post(c, FAKE_CHECK, in, sizeof in);
		fake_send(c, AXR_WAIT, FAKE_CHECK, 0, in, sizeof in, data, (uint32_t)(i % sizeof data));
		struct fake_answer r = fake_reply(c);
		EXPECT(r.result == 0 && r.size == in[1], "wait %llu: %u bytes, result %u", (unsigned long long)i, r.size, r.result);
		EXPECT(!r.size || memcmp(r.bytes, &sum, sizeof sum) == 0, "wait %llu has overtaken a post", (unsigned long long)i);
	}
	fake_check = NULL;
}

static void bulk_is_filled_before_the_answer(struct fake_client *c)
{
	uint64_t value = 0x5a;
	struct axr_frame head = { .kind = AXR_WAIT, .call = FAKE_BULK, .fixed = 8, .bulk = 4096, .bulk_out = 1 << 20 };
	fake_send_header(c, head, &value, NULL);
	EXPECT(fake_reply(c).result == 0, "the call failed");
	const uint8_t *bulk = (uint8_t *)c->lane + AXR_BULK_OFFSET + 4096;
	EXPECT(bulk[0] == 0x5a && bulk[(1 << 20) - 1] == 0x5a, "bulk is not filled");
	EXPECT(bulk[1 << 20] == 0, "more than was asked for is filled");
}

static void a_posted_error_comes_with_the_next_wait_once(struct fake_client *c)
{
	uint64_t code = CUDA_ERROR_LAUNCH_FAILED;
	fake_post(c, FAKE_RESULT, &code, sizeof code);
	EXPECT(fake_wait(c, FAKE_NULL, NULL, 0) == CUDA_ERROR_LAUNCH_FAILED, "the posted error did not come");
	EXPECT(fake_wait(c, FAKE_NULL, NULL, 0) == CUDA_SUCCESS, "the posted error came twice");
	// The first of two stays.
	uint64_t later = CUDA_ERROR_INVALID_VALUE;
	fake_post(c, FAKE_RESULT, &code, sizeof code);
	fake_post(c, FAKE_RESULT, &later, sizeof later);
	fake_send(c, AXR_WAIT, FAKE_ECHO, 0, NULL, 0, "abcdefgh", 8);
	EXPECT(fake_reply(c).result == CUDA_ERROR_LAUNCH_FAILED, "the first posted error did not come");
	EXPECT(fake_reply(c).size == 0, "a call that answers ran although an earlier one had failed");
	// A call's own error is not replaced.
	fake_post(c, FAKE_RESULT, &later, sizeof later);
	EXPECT(fake_wait(c, FAKE_RESULT, &code, sizeof code) == CUDA_ERROR_LAUNCH_FAILED, "the call's own error was replaced");
	EXPECT(fake_wait(c, FAKE_NULL, NULL, 0) == CUDA_ERROR_INVALID_VALUE, "the posted error was lost");
}

static void a_context_is_set_when_it_changes(struct fake_client *c)
{
	uint64_t one = axr_name(AXH_CUcontext, 0, 0, 1), dead = axr_name(AXH_CUcontext, 0, 3, 1);
	axw_put(c->s, AXH_CUcontext, one, (void *)0x1000);
	fake_wait(c, FAKE_NULL, NULL, 0);
	int before = atomic_load(&fake_context_sets);
	fake_send(c, AXR_WAIT, FAKE_NULL, one, NULL, 0, NULL, 0), fake_reply(c);
	fake_send(c, AXR_WAIT, FAKE_NULL, one, NULL, 0, NULL, 0), fake_reply(c);
	EXPECT(atomic_load(&fake_context) == 0x1000, "the context was not made current");
	EXPECT(atomic_load(&fake_context_sets) == before + 1, "it was set %d times", atomic_load(&fake_context_sets) - before);
	fake_send(c, AXR_WAIT, FAKE_NULL, dead, NULL, 0, NULL, 0), fake_reply(c);
	EXPECT(atomic_load(&fake_context) == 0, "a dead context's call ran in another one");
}

static void a_thread_that_ends_gives_its_lane_back(struct axw_session *s)
{
	struct stat full, after;
	struct fake_client c = fake_open(s, 1);
	memset((uint8_t *)c.lane + AXR_BULK_OFFSET, 1, 4 << 20);
	fake_wait(&c, FAKE_NULL, NULL, 0);
	fstat(s->memfd, &full);
	uint32_t closing = AXR_LANE_CLOSING;
	fake_post(&c, FAKE_NULL, NULL, 0);
	atomic_store(&c.lane->state, closing);
	axr_full_fence();
	if (atomic_load(&c.lane->worker_asleep))
		axr_futex_wake(&c.lane->tail);
	fake_until_not(&c.lane->state, closing, "the lane");
	EXPECT(atomic_load(&c.lane->state) == AXR_LANE_FREE, "the lane is not free");
	fstat(s->memfd, &after);
	EXPECT(after.st_blocks * 512 <= full.st_blocks * 512 - (4 << 20), "the lane kept its memory");
	c = fake_open(s, 1);
	EXPECT(fake_wait(&c, FAKE_NULL, NULL, 0) == CUDA_SUCCESS, "the lane's next thread got no answer");
}

int main(void)
{
	struct axw_session *s = fake_session(3);
	struct fake_client c = fake_open(s, 0);
	a_request_is_its_tails_frame_alone();
	a_request_follows_what_was_posted(&c);
	answers_carry_their_bytes(&c);
	a_ring_goes_round(&c);
	bulk_is_filled_before_the_answer(&c);
	a_posted_error_comes_with_the_next_wait_once(&c);
	a_context_is_set_when_it_changes(&c);
	a_thread_that_ends_gives_its_lane_back(s);
	c.ring_only = 1;
	a_request_follows_what_was_posted(&c);
	a_ring_goes_round(&c);
	return 0;
}
