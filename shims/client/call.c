// SPDX-License-Identifier: Apache-2.0
//
// The client's end of a lane: frames in, answers out.
#include "call.h"

#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "await.h"
#include "ipc.h"
#include "logs.h"
#include "print.h"
#include "managed.h"
#include "session.h"
#include "stats.h"
#include "thread.h"
#include "wait.h"

#define INLINE_MAX 0x10000u // bytes of data in the ring itself; copying once beats touching more pages
#define PROGRESS_NS 300000u // for a piece of a long copy: what the slowest bus takes
#define ROOM 0x10000u       // bytes of a ring: the worker wakes who waits for room that often

static uint32_t round_up(size_t n, uint32_t to)
{
	return (uint32_t)((n + to - 1) & ~(size_t)(to - 1));
}

bool axc_debugging(void)
{
	static _Atomic int known; // 0: not asked yet, 1: no, 2: yes
	int k = atomic_load_explicit(&known, memory_order_relaxed);
	if (!k) {
		const char *value = getenv("AXON_DEBUG");
		k = value && *value && strcmp(value, "0") ? 2 : 1;
		atomic_store_explicit(&known, k, memory_order_relaxed);
	}
	return k == 2;
}

CUresult axc_ready(void)
{
	return axc_state() == AXC_OPEN ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

size_t axc_bulk_max(void)
{
	return AXR_BULK_SIZE;
}

static CUresult end_reason(void)
{
	uint32_t reason = atomic_load(&axc.header->end_reason);
	return reason ? (CUresult)reason : CUDA_ERROR_DEVICE_UNAVAILABLE;
}

static uint32_t room(struct axc_thread *t)
{
	t->head = atomic_load_explicit(&t->lane->head, memory_order_acquire);
	return AXR_RING_SIZE - (t->tail - t->head);
}

// Waits until a good part of a full ring is free, or `bytes`. The worker has thousands of calls before it then and
// writes the head with each: who looked at that all the time would have the two processors hand the line to and fro,
// and the worker waited for it with each launch (up to a fifth of one, H200). So looks are far between, and soon it sleeps.
static bool wait_for_room(struct axc_thread *t, uint32_t bytes)
{
	uint32_t enough = bytes > ROOM ? bytes : ROOM;
	uint64_t until = axr_now_ns() + AXC_SPIN_NS;

	while (axc.cpus > 1 && axr_now_ns() < until) {
		for (unsigned i = 0; i < AXR_LOOKS; i++)
			axr_pause();
		if (room(t) >= enough)
			return true;
	}
	while (room(t) < enough)
		if (!axc_sleep_until_change(t->lane, &t->lane->head, t->head))
			return false;
	return true;
}

// Makes room for `bytes` in a row in the ring, padding up to its end if need be.
static bool make_room(struct axc_thread *t, uint32_t bytes)
{
	uint32_t at = t->tail % AXR_RING_SIZE;
	uint32_t pad = at + bytes > AXR_RING_SIZE ? AXR_RING_SIZE - at : 0;

	if (AXR_RING_SIZE - (t->tail - t->head) < bytes + pad && room(t) < bytes + pad && !wait_for_room(t, bytes + pad))
		return false;
	if (pad) {
		struct axr_frame *f = (struct axr_frame *)(t->ring + at);
		f->size = pad;
		f->kind = AXR_PAD;
		f->call = 0;
		f->ticket = 0;
		t->tail += pad; // published with the frame behind it
	}
	return true;
}

// Waits until the worker has finished with the ring up to `mark`, or with all.
static bool wait_finished(struct axc_thread *t, uint32_t mark)
{
	uint32_t published = atomic_load_explicit(&t->lane->tail, memory_order_relaxed);
	for (;;) {
		uint32_t head = atomic_load_explicit(&t->lane->head, memory_order_acquire);
		t->head = head;
		// A mark of long ago can look as if it were ahead; then all is waited for.
		if (head == published || (int32_t)(head - mark) >= 0)
			return true;
		if (!axc_wait_change(t->lane, &t->lane->head, head))
			return false;
	}
}

#define HALF (AXR_BULK_SIZE / 2)

// Bulk space is handed out upwards, and from the bottom again. Who enters a half
// waits until the worker has finished with the frames that were the last to use
// it: one half is filled while the worker reads the other.
static uint8_t *take_bulk(struct axc_thread *t, uint32_t bytes)
{
	if (bytes > AXR_BULK_SIZE)
		return NULL;
	if (bytes > AXR_BULK_SIZE - t->bulk_used)
		t->bulk_used = 0;
	uint32_t at = t->bulk_used, end = at + round_up(bytes, 64);
	if (end > AXR_BULK_SIZE)
		end = AXR_BULK_SIZE;
	for (unsigned half = 0; half < 2; half++) {
		if (at <= half * HALF && half * HALF < end && !wait_finished(t, t->bulk_mark[half]))
			return NULL;
		if (at < (half + 1) * HALF && half * HALF < end)
			t->bulk_taken |= 1u << half;
	}
	t->bulk_used = end;
	return t->bulk + at;
}

CUresult axc_begin(struct axc_call *c, uint32_t call, size_t fixed, size_t data)
{
	CUresult r = axc_ready();
	if (r)
		return r;
	if (axc_ended())
		return end_reason();
	struct axc_thread *t = axc_thread();
	if (!t || (!t->lane && !axc_thread_lane(t)))
		return CUDA_ERROR_OUT_OF_MEMORY;

	axc_managed_before();
	bool in_bulk = data > INLINE_MAX;
	if (data > AXR_BULK_SIZE || fixed > INLINE_MAX / 2) {
		axc_debug("%s: %zu bytes of arguments are more than a lane takes", axg_call_name[call], fixed + data);
		return CUDA_ERROR_INVALID_VALUE;
	}
	uint32_t inside = round_up(fixed, 8) + (in_bulk ? 0 : (uint32_t)data);
	// 16 would do: with a line of its own a frame is not fetched together with half of the next one.
	uint32_t size = round_up(sizeof(struct axr_frame) + inside, 64);
	uint8_t *bulk = NULL;
	if ((in_bulk && !(bulk = take_bulk(t, (uint32_t)data))) || !make_room(t, size))
		return end_reason();

	struct axr_frame *f = (struct axr_frame *)(t->ring + t->tail % AXR_RING_SIZE);
	f->size = size;
	f->call = (uint16_t)call;
	f->context = axc_thread_context(t);
	f->fixed = round_up(fixed, 8);
	f->data = (uint32_t)data;
	f->bulk = in_bulk ? (uint32_t)(bulk - t->bulk) : 0;
	f->bulk_in = in_bulk ? (uint32_t)data : 0;
	f->bulk_out = 0;
	c->in = f + 1;
	c->data = in_bulk ? bulk : (uint8_t *)c->in + f->fixed;
	c->out = c->out_data = NULL;
	c->out_size = 0;
	c->expected = 0;
	c->thread = t;
	c->frame = f;
	c->frame_size = size;
	return CUDA_SUCCESS;
}

void *axc_bulk_out(struct axc_call *c, size_t bytes)
{
	// A frame has one place in the bulk area, for one direction.
	uint8_t *p = bytes > AXR_BULK_SIZE || c->frame->bulk_in ? NULL : take_bulk(c->thread, (uint32_t)bytes);
	if (p) {
		c->frame->bulk = (uint32_t)(p - c->thread->bulk);
		c->frame->bulk_out = (uint32_t)bytes;
	}
	return p;
}

// A short waited-for frame goes beside the tail as well (region.h).
static void request(struct axr_request *q, const struct axr_frame *f, uint32_t end)
{
	q->size = (uint16_t)f->size;
	q->data = (uint16_t)f->data;
	q->ticket = f->ticket;
	q->context = f->context;
	q->seq = f->seq;
	q->call = f->call;
	q->fixed = (uint16_t)f->fixed;
	memcpy(q->bytes, f + 1, f->fixed + f->data);
	atomic_store_explicit(&q->end, end, memory_order_relaxed);
}

static void publish(struct axc_thread *t, const struct axr_frame *f)
{
	t->tail += f->size;
	if (f->kind == AXR_WAIT && f->fixed + f->data <= AXR_REQUEST_MAX && !f->bulk_out)
		request(&t->lane->request, f, t->tail);
	else
		atomic_store_explicit(&t->lane->request.end, 1, memory_order_relaxed);
	for (unsigned half = 0; t->bulk_taken; half++, t->bulk_taken >>= 1)
		if (t->bulk_taken & 1)
			t->bulk_mark[half] = t->tail;
	atomic_store_explicit(&t->lane->tail, t->tail, memory_order_release);
	axr_full_fence(); // pairs with the worker's, between worker_asleep and its look at tail
	if (atomic_load_explicit(&t->lane->worker_asleep, memory_order_relaxed))
		axr_futex_wake(&t->lane->tail);
}

static uint64_t stats_clock(void)
{
	return __builtin_expect(axc_stats_on, 0) ? axr_now_ns() : 0;
}

CUresult axc_post(struct axc_call *c)
{
	if (axc.sync || (atomic_load_explicit(&axc_events_shared, memory_order_relaxed) && axc_ipc_waits(c->frame->call))) {
		CUresult r = axc_wait(c);
		axc_end(c);
		return r;
	}
	// The ticket is taken at the last moment: whoever relays frames publishes
	// them in the order of tickets and would wait for one that is not there.
	uint64_t ticket = atomic_fetch_add(&axc.header->ticket, 1) + 1;
	uint64_t begin = stats_clock();
	uint32_t number = c->frame->call;
	c->frame->kind = AXR_POST;
	c->frame->seq = 0;
	c->frame->ticket = ticket;
	// Before the tail: a worker thread that knows of this post by its caller's
	// next call must find it here.
	atomic_store_explicit(&c->thread->lane->posted, ticket, memory_order_release);
	publish(c->thread, c->frame);
	if (begin)
		axc_stats_posted(number, axr_now_ns() - begin);
	return CUDA_SUCCESS;
}

void axc_ask(struct axc_call *c)
{
	struct axc_thread *t = c->thread;

	c->number = c->frame->call;
	c->begun = stats_clock();
	c->frame->kind = AXR_WAIT;
	c->frame->seq = ++t->seq;
	c->frame->ticket = atomic_load(&axc.header->ticket);
	publish(t, c->frame);
}

size_t axc_arrived(struct axc_call *c, size_t have)
{
	struct axr_lane *lane = c->thread->lane;
	uint32_t seq = c->thread->seq;
	uint64_t until = 0;

	if (axc.cpus < 2)
		return have;
	for (unsigned i = 1; atomic_load_explicit(&lane->replied, memory_order_acquire) != seq; i++) {
		uint64_t progress = atomic_load_explicit(&lane->progress, memory_order_acquire);
		if (progress >> 32 == seq && (uint32_t)progress > have)
			return (uint32_t)progress;
		axr_pause();
		if (i % 64 == 0) {
			uint64_t now = axr_now_ns();
			if (!until)
				until = now + PROGRESS_NS;
			else if (now > until)
				break;
		}
	}
	return have;
}

CUresult axc_wait(struct axc_call *c)
{
	axc_ask(c);
	return axc_result(c);
}

CUresult axc_result(struct axc_call *c)
{
	struct axc_thread *t = c->thread;
	uint32_t seq = t->seq, number = c->number, seen;
	uint64_t begin = c->begun;

	c->failed = false;
	if (c->expected)
		axc_wait_expected(t->lane, seq, c->expected);
	while ((seen = atomic_load_explicit(&t->lane->replied, memory_order_acquire)) != seq)
		if (!axc_wait_change(t->lane, &t->lane->replied, seen))
			return end_reason();
	if (begin)
		axc_stats_waited(number, axr_now_ns() - begin);
	uint32_t size = *(const volatile uint32_t *)&t->lane->size; // once: the worker may be anything
	c->out_size = size > AXR_REPLY_SIZE ? 0 : size;
	c->out = c->out_size ? axr_answer_at(t->lane, size) : NULL;
	c->out_data = c->out;
	CUresult result = (CUresult)t->lane->result;
	c->failed = result != CUDA_SUCCESS && result != CUDA_ERROR_NOT_READY;
	if (c->failed && axc_debugging())
		axc_debug("%s gave %d", axg_call_name[number], (int)result);
	return result;
}

void axc_end(struct axc_call *c)
{
	c->out = c->out_data = NULL; // the reply area is the next call's now
	axc_print();
	if (c->failed)
		axc_logs_news(); // a relay does not carry the news of a message
	axc_managed_after(c->number);
}

CUresult axc_refused(const char *symbol)
{
	// Each name once: a program that tries a call in a loop would drown the rest.
	static const char *_Atomic said[1024];
	if (axc_debugging())
		for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
			const char *none = NULL;
			if (atomic_compare_exchange_strong(&said[i], &none, symbol)) {
				axc_debug("%s is not supported (docs/coverage.md says why)", symbol);
				break;
			}
			if (none == symbol || !strcmp(none, symbol))
				break;
		}
	return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult axc_missing(CUresult result, const char *call, const char *kind, const char *argument, uint64_t name)
{
	axc_debug("%s gave %d; there is no %s by the name 0x%llx; argument %s", call, (int)result, kind, (unsigned long long)name, argument);
	return result;
}

void axc_debug(const char *format, ...)
{
	if (!axc_debugging())
		return;
	char line[512];
	va_list args;
	va_start(args, format);
	int n = snprintf(line, sizeof line, "axon: ");
	vsnprintf(line + n, sizeof line - (size_t)n - 1, format, args);
	va_end(args);
	strcat(line, "\n");
	fputs(line, stderr);
}
