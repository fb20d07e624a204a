// SPDX-License-Identifier: Apache-2.0
//
// Lanes: one thread each. The way of a frame:
//
//  1. wait until the client has published one: a short spin, then a futex
//  2. read it, from the line that the wait has brought if it is short, check it
//     (frame.c), and take a private copy
//  3. wait for what it must follow (order.c)
//  4. make its context current
//  5. run it: dispatch[call]
//  6. posted: keep its error as the session's deferred one
//     waited for: write the answer, unless a deferred error takes its place
//  7. move the head, and wake whoever sleeps on it
//
// Nonsense ends the session (axw_end): there is no honest answer to a frame
// that no client of ours would send.
#include "session.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "frame.h"
#include "account.h"
#include "lane.h"
#include "order.h"
#include "print.h"
#include "staging.h"
#include "trace.h"
#include "wait.h"

#define SPIN_NS 30000        // of looking before sleeping: a little more than a sleep and a wake cost
#define ASK_NS 200000        // of asking for copies without a break: what one of the largest pieces takes
#define STACK_BYTES (8u << 20) // the vendor's compiler runs on it

// Threads that spin now, and how many may: one CPU must be left for who is waited for.
static _Atomic int spinning;
static int spinners_max;

static int spin_allowed(void)
{
	if (atomic_load_explicit(&spinning, memory_order_relaxed) >= spinners_max)
		return 0;
	if (atomic_fetch_add_explicit(&spinning, 1, memory_order_relaxed) < spinners_max)
		return 1;
	atomic_fetch_sub_explicit(&spinning, 1, memory_order_relaxed);
	return 0;
}

static uint32_t published(struct axw_lane *l, uint32_t head)
{
	return atomic_load_explicit(&l->shared->tail, memory_order_acquire) - head;
}

static int closing(struct axw_lane *l)
{
	return atomic_load_explicit(&l->shared->state, memory_order_acquire) != AXR_LANE_OPEN;
}

static void wake_client(struct axw_lane *l, _Atomic uint32_t *word)
{
	if (atomic_load_explicit(&l->shared->client_asleep, memory_order_relaxed))
		axr_futex_wake(word);
}

// While copies read the bulk area the client is told of each that ends, and there is no word that changes with them:
// they are asked, often at first. Bytes published, or 0 when none is under way any more.
static uint32_t wait_beside_copies(struct axw_lane *l, uint32_t head)
{
	uint64_t start = axr_now_ns();
	uint32_t pending;

	for (;;) {
		uint32_t told = axw_staging_told(l, head);
		if (told != atomic_load_explicit(&l->shared->head, memory_order_relaxed)) {
			atomic_store_explicit(&l->shared->head, told, memory_order_release);
			axr_full_fence(); // pairs with the client's, between client_asleep and its look at head
			wake_client(l, &l->shared->head);
		}
		if ((pending = published(l, head)) || !axw_staging_busy(l))
			return pending;
		uint64_t waited = axr_now_ns() - start;
		if (waited < ASK_NS && spinners_max) {
			axr_pause();
			continue;
		}
		const struct timespec moment = { .tv_nsec = waited < 100 * ASK_NS ? 20000 : 1000000 };
		atomic_store_explicit(&l->shared->worker_asleep, 1, memory_order_relaxed);
		axr_full_fence(); // as in wait_for_frame
		if (!published(l, head))
			axr_futex_wait(&l->shared->tail, head, &moment);
		atomic_store_explicit(&l->shared->worker_asleep, 0, memory_order_relaxed);
	}
}

// Bytes published, or 0 when the lane is closing and empty.
static uint32_t wait_for_frame(struct axw_lane *l, uint32_t head)
{
	uint32_t pending = published(l, head);

	if (!pending && axw_staging_busy(l))
		pending = wait_beside_copies(l, head);

	if (!pending && spin_allowed()) {
		uint64_t start = axr_now_ns();
		do {
			for (int i = 1; i < 8 * AXR_LOOKS && !(pending = published(l, head)); i++)
				if (i % AXR_LOOKS == 0)
					axr_pause();
		} while (!pending && axr_now_ns() - start < SPIN_NS);
		atomic_fetch_sub_explicit(&spinning, 1, memory_order_relaxed);
	}
	while (!pending) {
		if (closing(l) && !(pending = published(l, head)))
			return 0; // the state is written after the last frame's tail
		atomic_store_explicit(&l->shared->worker_asleep, 1, memory_order_relaxed);
		axr_full_fence(); // pairs with the client's, between its store to tail and its load of worker_asleep
		pending = published(l, head);
		if (!pending && !closing(l)) {
			// A lane is closed by a store to its state and a wake of tail, which does not change: a wake
			// that comes just before we sleep would be lost. The door's thread wakes us again until we went.
			axr_futex_wait(&l->shared->tail, head, NULL);
		}
		atomic_store_explicit(&l->shared->worker_asleep, 0, memory_order_relaxed);
		pending = published(l, head);
	}
	return pending;
}

static void advance(struct axw_lane *l, uint32_t head, uint64_t posted)
{
	atomic_store_explicit(&l->shared->head, axw_staging_told(l, head), memory_order_release);
	axw_order_done(l, head, posted);
	axr_full_fence(); // pairs with the client's, between client_asleep and its look at head, and with wait_for_move's
	axw_order_wake(l);
}

// A client that waits for room in its ring says so in the line that it writes for every frame: to look there
// each time would make the two processors hand that line to and fro (half a microsecond of each launch, H200). It is
// enough to look now and then, and when all that is known of has run: a client that sleeps publishes no more. Who waits
// for room in bulk does that for one frame after the other, so for each of those it is looked.
static void wake_for_room(struct axw_lane *l, uint32_t before, uint32_t known, int bulk)
{
	if (((before ^ l->head) & ~0xffffu) || l->head == known || bulk)
		wake_client(l, &l->shared->head);
}

// The frames that come next were written by another processor: fetched while the vendor works on this one.
static void prefetch(const struct axw_lane *l, uint32_t at, uint32_t known)
{
	for (uint32_t i = 0; i < 4 && (int32_t)(known - at) > (int32_t)(i * 64); i++)
		__builtin_prefetch(l->ring + (at + i * 64) % AXR_RING_SIZE);
}

static void answer(struct axw_lane *l, const struct axw_frame *f, CUresult result, size_t size)
{
	struct axr_lane *shared = l->shared;
	uint32_t head = l->head + f->step;

	shared->result = (uint32_t)result;
	shared->size = (uint32_t)size;
	if (size)
		memcpy(axr_answer_at(shared, (uint32_t)size), l->out, size);
	atomic_store_explicit(&shared->head, axw_staging_told(l, head), memory_order_release);
	axw_order_done(l, head, 0); // before the client knows: what it posts next must not be looked for behind this frame
	atomic_store_explicit(&shared->replied, f->head.seq, memory_order_release);
	axr_full_fence(); // as in advance(), and with the client's between client_asleep and its look at replied
	axw_order_wake(l);
	wake_client(l, &shared->replied);
}

const char *axw_lane_take(struct axw_lane *l, const struct axw_frame *f, struct axw_call *w)
{
	const struct axr_frame *h = &f->head;
	uint8_t *bulk = (uint8_t *)l->shared + AXR_BULK_OFFSET + h->bulk;
	uint32_t body = h->size - (uint32_t)sizeof *h;

	if (h->call >= l->s->calls || !l->s->dispatch[h->call])
		return "a call number that does not exist";
	if (h->fixed > AXW_PRIVATE)
		return "a fixed part longer than any call has";
	*w = (struct axw_call){
		.in = l->in, .in_size = h->fixed, .data = f->data ? f->data : bulk, .data_size = h->data,
		.out = l->out, .out_max = AXR_REPLY_SIZE, .s = l->s, .lane = l,
		.bulk_out = h->bulk_out ? bulk : NULL, .bulk_out_size = h->bulk_out, .waits = h->kind == AXR_WAIT, .seq = h->seq,
	};
	// The client can write to its ring while we work: what is checked must be what is used.
	// Long data (bytes of copies, images) is only carried, so it may stay where it is.
	if (body <= AXW_PRIVATE) {
		memcpy(l->in, f->fixed, body);
		if (f->data)
			w->data = l->in + h->fixed;
	} else {
		memcpy(l->in, f->fixed, h->fixed);
	}
	return NULL;
}

static uint32_t take_deferred(struct axw_session *s)
{
	// Nearly always 0, and a look costs less than an exchange. What was posted before this call has run.
	return atomic_load_explicit(&s->header->deferred, memory_order_acquire)
		       ? atomic_exchange_explicit(&s->header->deferred, 0, memory_order_acq_rel)
		       : 0;
}

static void run(struct axw_lane *l, const struct axw_frame *f, uint32_t known)
{
	struct axw_session *s = l->s;
	uint32_t before = l->head;
	const struct axr_frame *h = &f->head;
	struct axw_call w;

	const char *why = axw_lane_take(l, f, &w);
	if (why)
		axw_end(s, "lane %u: %s (call %u, fixed %u)", l->index, why, h->call, h->fixed);
	unsigned flags = s->call_flags[h->call];
	int waits = w.waits;

	axw_order_wait(l, h->kind, h->ticket);

	// A deferred error is told by the first call that waits, as CUDA's own asynchronous errors are. A call that
	// would answer with something new does not run: its caller will not look at what it made.
	uint32_t deferred = 0;
	if (waits && (flags & (AXW_HAS_OUTS | AXW_KEEPS_ERRORS)) == AXW_HAS_OUTS)
		deferred = take_deferred(s);
	CUresult result = (CUresult)deferred;
	if (!deferred) {
		if (flags & AXW_CHANGES_CONTEXT)
			axw_staging_drain(l); // their events may end with a context
		if (s->traces)
			axw_trace_begin();
		if (!l->context_known || l->context != h->context)
			axw_context_set(l, h->context);
		result = s->dispatch[h->call](&w);
		if (s->traces && result != CUDA_SUCCESS && result != CUDA_ERROR_NOT_READY)
			axw_trace(s, h->call, result);
		// For axond, not for the client: nothing waits for it.
		atomic_store_explicit(axa_calls(s->account, l->index), ++l->calls, memory_order_relaxed);
		if (flags & AXW_CHANGES_CONTEXT)
			l->context_known = 0;
		if (w.out_size > w.out_max)
			w.out_size = 0;
	} else if (s->traces) {
		axw_trace_deferred(s, h->call, result);
	}
	if (flags & AXW_PRINTS && (flags & AXW_ENDS || axw_print_news(l)))
		axw_print_move(s);
	if (!waits) {
		uint32_t none = 0;
		if (result != CUDA_SUCCESS)
			atomic_compare_exchange_strong_explicit(&s->header->deferred, &none, (uint32_t)result,
								memory_order_acq_rel, memory_order_relaxed);
		int bulk = h->bulk_in || h->bulk_out || axw_staging_busy(l);
		advance(l, l->head + f->step, h->ticket);
		wake_for_room(l, before, known, bulk);
		return;
	}
	if (result == CUDA_SUCCESS && !(flags & (AXW_HAS_OUTS | AXW_KEEPS_ERRORS))) {
		result = (CUresult)take_deferred(s);
		if (result != CUDA_SUCCESS) {
			w.out_size = 0;
			if (s->traces)
				axw_trace_deferred(s, h->call, result);
		}
	}
	answer(l, f, result, w.out_size);
}

int axw_lane_memory(struct axw_lane *l)
{
	if (l->in)
		return 0;
	void *p = mmap(NULL, AXR_REPLY_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	l->seen = calloc(l->s->lanes, sizeof *l->seen);
	l->in = malloc(AXW_PRIVATE);
	if (p == MAP_FAILED || !l->seen || !l->in)
		return -1; // the session ends over it
	l->out = p;
	return 0;
}

// The client's thread is gone and everything it sent has run: the lane's memory goes back to the machine
// and the lane to the client.
static void lane_free(struct axw_lane *l)
{
	struct axw_session *s = l->s;
	axw_staging_end(l);
	off_t at = (off_t)(AXR_LANES_OFFSET + (uint64_t)l->index * AXR_LANE_SIZE);

	if (s->memfd >= 0) // best effort: without it the memory stays until the session ends
		fallocate(s->memfd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, at + AXR_RING_OFFSET,
			  AXR_LANE_SIZE - AXR_RING_OFFSET);
	madvise(l->out, AXR_REPLY_SIZE, MADV_DONTNEED);
	atomic_store_explicit(&l->shared->head, 0, memory_order_relaxed);
	atomic_store_explicit(&l->shared->tail, 0, memory_order_relaxed);
	atomic_store_explicit(&l->shared->request.end, 1, memory_order_relaxed);
	atomic_store_explicit(&l->shared->replied, 0, memory_order_relaxed);
	atomic_store_explicit(&l->shared->progress, 0, memory_order_relaxed);
	atomic_store_explicit(&l->shared->posted, 0, memory_order_relaxed);
	atomic_store_explicit(&l->shared->client_asleep, 0, memory_order_relaxed);
	axw_order_done(l, 0, 0);
	axr_full_fence();
	axw_order_wake(l);
	// Together under the lock: the door must not see one without the other.
	pthread_mutex_lock(&s->door);
	l->running = 0;
	atomic_store_explicit(&l->shared->state, AXR_LANE_FREE, memory_order_release);
	pthread_mutex_unlock(&s->door);
}

static void *lane_run(void *arg)
{
	struct axw_lane *l = arg;
	uint32_t pending;

	l->context_known = 0;
	if (axw_lane_memory(l) < 0)
		axw_end(l->s, "lane %u: out of memory", l->index);
	while ((pending = wait_for_frame(l, l->head))) {
		uint32_t known = l->head + pending;
		struct axw_request request;
		if (axw_frame_request(&l->shared->request, known, pending, &request)) {
			run(l, &request.frame, known);
			continue;
		}
		prefetch(l, l->head, known);
		while (l->head != known) {
			struct axw_frame f;
			const char *why = axw_frame_read(l->ring, l->head, known - l->head, &f);
			if (why)
				axw_end(l->s, "lane %u: %s (%u bytes pending, size %u, kind %u, call %u)", l->index, why,
					known - l->head, f.head.size, f.head.kind, f.head.call);
			prefetch(l, l->head + f.step, known);
			if (f.head.kind == AXR_PAD)
				advance(l, l->head + f.step, 0);
			else
				run(l, &f, known);
		}
	}
	lane_free(l);
	return NULL;
}

static void lane_start(struct axw_lane *l)
{
	pthread_t thread;
	pthread_attr_t attr;

	int error = pthread_attr_init(&attr);
	if (!error)
		error = pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	if (!error)
		error = pthread_attr_setstacksize(&attr, STACK_BYTES);
	if (!error)
		error = pthread_create(&thread, &attr, lane_run, l);
	if (error)
		axw_end(l->s, "lane %u: no thread for it: %s", l->index, strerror(error));
	pthread_attr_destroy(&attr);
}

void axw_lanes_serve(struct axw_session *s)
{
	cpu_set_t set;
	int cpus = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
	spinners_max = cpus > 1 ? cpus / 2 : 0;

	for (;;) {
		uint32_t bell = atomic_load_explicit(&s->header->doorbell, memory_order_acquire);
		uint32_t used = atomic_load_explicit(&s->header->lanes_used, memory_order_acquire);
		if (used > s->lanes)
			axw_end(s, "the client says that it uses %u of %u lanes", used, s->lanes);
		int closing_lanes = 0;
		pthread_mutex_lock(&s->door);
		for (uint32_t i = 0; i < used; i++) {
			struct axw_lane *l = &s->lane[i];
			uint32_t state = atomic_load_explicit(&l->shared->state, memory_order_acquire);
			if (!l->running && state != AXR_LANE_FREE) {
				l->running = 1;
				lane_start(l);
			} else if (l->running && state != AXR_LANE_OPEN) {
				closing_lanes++;
				axr_futex_wake(&l->shared->tail);
			}
		}
		pthread_mutex_unlock(&s->door);
		// The client rings by changing the word, then wakes: no flag needed. While a lane is about to go
		// we look again soon, for the wake that it may have missed.
		const struct timespec soon = { .tv_nsec = 10000000 };
		axr_futex_wait(&s->header->doorbell, bell, closing_lanes ? &soon : NULL);
	}
}

void axw_lanes_wake(struct axw_session *s)
{
	for (uint32_t i = 0; i < s->lanes; i++) {
		struct axr_lane *shared = s->lane[i].shared;
		if (!s->lane[i].running && atomic_load_explicit(&shared->state, memory_order_relaxed) == AXR_LANE_FREE)
			continue;
		axr_futex_wake(&shared->head);
		axr_futex_wake(&shared->replied);
	}
}
