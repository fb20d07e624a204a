// SPDX-License-Identifier: Apache-2.0
//
// A client that writes whatever it likes over its region, whenever it likes.
// Each round is a process of its own: it must end by itself, or by the
// session's end (exit 1), never by a signal, a sanitizer's report or not at all.
#include "fake.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cuda_calls.h"
#include "name.h"
#include "wait.h"

#define LANES 3
#define STEPS 400

static uint64_t random_state;

static uint64_t random64(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state * 0x2545f4914f6cdd1dull;
}

static uint32_t below(uint32_t n) { return (uint32_t)(random64() >> 33) % n; }

// Mostly a good frame: what is all wrong is refused at its first field.
static void send_something(struct fake_client *c)
{
	uint8_t fixed[64], data[256];
	uint64_t what[4] = { below(4), below(3) ? AXH_CUevent : below(300), axr_name(AXH_CUevent, below(2), below(3), below(5)), 16 * below(9) };

	for (unsigned i = 0; i < sizeof data; i++)
		data[i] = (uint8_t)random64();
	memcpy(fixed, data, sizeof fixed);
	memcpy(fixed, what, sizeof what);
	struct axr_frame head = { .kind = (uint16_t)(AXR_POST + below(2)), .call = (uint16_t)(1 + below(FAKE_CALLS - 1)),
				  .ticket = atomic_fetch_add(&c->s->header->ticket, 1) + 1, .fixed = 8 * below(9), .data = below(257) };
	if (below(5) == 0)
		head.bulk = below(AXR_BULK_SIZE), head.bulk_in = head.data, head.bulk_out = below(AXR_BULK_SIZE - head.bulk);
	c->ring_only = below(4) == 0;
	uint8_t *ring = (uint8_t *)c->lane + AXR_RING_OFFSET;
	uint32_t at = c->tail % AXR_RING_SIZE;
	fake_send_header(c, head, fixed, data);
	if (below(60) == 0) { // wherever it ended up, one of its words changes, perhaps while it is being read
		uint32_t word = (uint32_t)random64(), shift = below(32);
		memcpy(ring + at + 4 * below(12), &word, 4);
		(void)shift;
	}
}

static void scribble(struct axw_session *s, struct fake_client *c)
{
	struct axr_header *h = s->header;
	uint32_t x = below(2) ? below(64) : (uint32_t)random64();

	switch (below(16)) {
	case 0: atomic_store(&c->lane->head, x); break;
	case 1: atomic_store(&c->lane->replied, x); break;
	case 2: atomic_store(&c->lane->worker_asleep, x); break;
	case 3: atomic_store(&c->lane->client_asleep, x); break;
	case 4: atomic_store(&c->lane->posted, random64()); break;
	case 5: atomic_store(&h->ticket, random64() >> below(60)); break;
	case 6: atomic_store(&h->deferred, x); break;
	case 7: atomic_store(&h->state, x); break;
	case 8: atomic_fetch_add(&h->doorbell, 1), axr_futex_wake(&h->doorbell); break;
	case 9: h->lanes = x, h->heap_size = random64(), h->heap_base = random64(); break;
	case 10: atomic_store(&h->upcall_tail, x); break;
	case 11: if (below(8) == 0) atomic_store(&c->lane->state, below(4)); break;
	case 12: if (below(8) == 0) atomic_store(&h->lanes_used, x); break;
	case 14: ((uint32_t *)&c->lane->request)[below(sizeof(struct axr_request) / 4)] = x; break;
	case 15: c->lane->request.size = 64, atomic_store(&c->lane->request.end, c->tail); break;
	case 13: if (below(8) == 0) atomic_store(&c->lane->tail, c->tail + x), axr_futex_wake(&c->lane->tail); break;
	}
}

static void round_of(uint64_t seed)
{
	random_state = seed * 0x9e3779b97f4a7c15ull + 1;
	struct axw_session *s = fake_session(LANES);
	struct fake_client c[LANES];
	for (uint32_t i = 0; i < LANES; i++)
		c[i] = fake_open(s, i);
	for (int step = 0; step < STEPS; step++) {
		struct fake_client *one = &c[below(LANES)];
		if (one->tail - atomic_load(&one->lane->head) > AXR_RING_SIZE / 2)
			break; // our own patience in fake_send_header is not what is tested
		send_something(one);
		if (below(3) == 0)
			scribble(s, one);
	}
	// Everything that can be run has been, or a lane waits for a forged ticket: the client's own trouble.
	for (uint64_t start = axr_now_ns(); axr_now_ns() - start < 20000000;)
		for (int i = 0; i < LANES; i++)
			axr_futex_wake(&c[i].lane->tail);
	_exit(0);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 150, ended = 0;

	for (int seed = 1; seed <= rounds; seed++) {
		fflush(NULL);
		pid_t pid = fork();
		EXPECT(pid >= 0, "no process");
		if (pid == 0) {
			if (!getenv("AXON_TEST_VERBOSE") && !freopen("/dev/null", "w", stderr))
				_exit(3);
			alarm(20);
			round_of((uint64_t)seed);
		}
		int status;
		EXPECT(waitpid(pid, &status, 0) == pid, "no status");
		EXPECT(WIFEXITED(status) && WEXITSTATUS(status) <= 1, "round %d ended with status 0x%x (AXON_TEST_VERBOSE=1 shows why)", seed, status);
		ended += WEXITSTATUS(status) == 1;
	}
	EXPECT(ended > rounds / 10, "only %d of %d sessions noticed anything wrong: the test has lost its teeth", ended, rounds);
	EXPECT(ended < rounds, "no session got through: the test never gets past the first check");
	return 0;
}
