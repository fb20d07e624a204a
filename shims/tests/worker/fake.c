// SPDX-License-Identifier: Apache-2.0
//
// See fake.h.
#include "fake.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cuda_worker.h"
#include "wait.h"

#define GUARD (1u << 20)
#define PATIENCE_NS 10000000000ull

struct axg_vendor axg_vendor; // the real one is in the generated worker halves, which are not linked here
CUresult (*fake_check)(struct axw_call *w);
_Atomic int fake_context_sets;
_Atomic uintptr_t fake_context;

static CUresult set_current(CUcontext c)
{
	atomic_store(&fake_context, (uintptr_t)c);
	atomic_fetch_add(&fake_context_sets, 1);
	return CUDA_SUCCESS;
}

static CUresult do_null(struct axw_call *w)
{
	(void)w;
	return CUDA_SUCCESS;
}

static CUresult do_result(struct axw_call *w)
{
	uint32_t code = 1;
	if (w->in_size >= sizeof code)
		memcpy(&code, w->in, sizeof code);
	return (CUresult)code;
}

static CUresult do_echo(struct axw_call *w)
{
	if (w->data_size > w->out_max)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(w->out, w->data, w->data_size);
	w->out_size = w->data_size;
	return CUDA_SUCCESS;
}

static CUresult do_bulk(struct axw_call *w)
{
	if (!w->bulk_out || w->in_size < 1)
		return CUDA_ERROR_INVALID_VALUE;
	memset(w->bulk_out, *(const uint8_t *)w->in, w->bulk_out_size);
	return CUDA_SUCCESS;
}

static CUresult do_name(struct axw_call *w)
{
	uint64_t in[4], out = 0;
	void *handle = NULL;
	CUresult r = CUDA_SUCCESS;

	if (w->in_size < sizeof in)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(in, w->in, sizeof in);
	unsigned kind = (unsigned)in[1];
	if (in[0] == 0)
		r = axw_put(w->s, kind, in[2], (void *)(uintptr_t)in[3]) ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
	else if (in[0] == 1)
		r = axw_get(w->s, kind, in[2], &handle) ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
	else if (in[0] == 2)
		axw_del(w->s, kind, in[2]);
	else
		out = axw_name(w->s, kind, (void *)(uintptr_t)in[3]);
	if (in[0] == 1)
		out = (uint64_t)(uintptr_t)handle;
	memcpy(w->out, &out, sizeof out);
	w->out_size = sizeof out;
	return r;
}

static CUresult do_check(struct axw_call *w)
{
	return fake_check ? fake_check(w) : CUDA_SUCCESS;
}

static const axw_function dispatch[FAKE_CALLS] = { NULL, do_null, do_result, do_echo, do_bulk, do_name, do_check };
static const uint8_t flags[FAKE_CALLS] = { [FAKE_ECHO] = AXW_HAS_OUTS, [FAKE_BULK] = AXW_HAS_OUTS };
static const char *const names[FAKE_CALLS] = { "", "null", "result", "echo", "bulk", "name", "check" };

struct axw_session *fake_session_still(uint32_t lanes)
{
	size_t size = AXR_LANES_OFFSET + (size_t)lanes * AXR_LANE_SIZE;
	struct axw_session *s = calloc(1, sizeof *s);
	EXPECT(s, "out of memory");
	s->memfd = memfd_create("region", MFD_CLOEXEC);
	EXPECT(s->memfd >= 0 && ftruncate(s->memfd, (off_t)size) == 0, "no memfd");
	uint8_t *around = mmap(NULL, size + 2 * GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	EXPECT(around != MAP_FAILED, "no address space");
	s->region = mmap(around + GUARD, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, s->memfd, 0);
	EXPECT(s->region != MAP_FAILED, "no mapping");
	s->header = (struct axr_header *)s->region;
	s->header->lanes = lanes; // for the client's side only
	s->lanes = lanes;
	s->heap_base = 0x500000000000ull;
	s->heap_size = 0x10000;
	s->control = -1;
	s->dispatch = dispatch;
	s->call_flags = flags;
	s->call_names = names;
	s->calls = FAKE_CALLS;
	axg_vendor.cuCtxSetCurrent = set_current;
	EXPECT(axw_session_init(s) == 0, "out of memory");
	return s;
}

static void *serve(void *arg)
{
	axw_lanes_serve(arg);
	return NULL;
}

struct axw_session *fake_session(uint32_t lanes)
{
	struct axw_session *s = fake_session_still(lanes);
	pthread_t thread;
	EXPECT(pthread_create(&thread, NULL, serve, s) == 0, "no thread");
	return s;
}

struct fake_client fake_open(struct axw_session *s, uint32_t i)
{
	struct fake_client c = { .s = s, .lane = axr_lane_at(s->region, i), .index = i };
	uint32_t is_free = AXR_LANE_FREE, used = atomic_load(&s->header->lanes_used);

	EXPECT(atomic_compare_exchange_strong(&c.lane->state, &is_free, AXR_LANE_OPEN), "lane %u is not free", i);
	while (used < i + 1 && !atomic_compare_exchange_weak(&s->header->lanes_used, &used, i + 1))
		;
	atomic_fetch_add(&s->header->doorbell, 1);
	axr_futex_wake(&s->header->doorbell);
	return c;
}

void fake_until_not(_Atomic uint32_t *word, uint32_t seen, const char *what)
{
	uint64_t start = axr_now_ns();
	const struct timespec slice = { .tv_nsec = 1000000 };
	while (atomic_load(word) == seen) {
		EXPECT(axr_now_ns() - start < PATIENCE_NS, "waited ten seconds for %s", what);
		axr_futex_wait(word, seen, &slice);
	}
}

void fake_send_header(struct fake_client *c, struct axr_frame head, const void *fixed, const void *data)
{
	uint8_t *ring = (uint8_t *)c->lane + AXR_RING_OFFSET;
	uint32_t inside = head.bulk_in ? 0 : head.data;

	head.size = (uint32_t)(sizeof head + head.fixed + inside + 15) & ~15u;
	uint32_t at = c->tail % AXR_RING_SIZE, room = AXR_RING_SIZE - at;
	for (;;) {
		uint32_t done = atomic_load(&c->lane->head);
		if (AXR_RING_SIZE - (c->tail - done) >= head.size + (head.size > room ? room : 0))
			break;
		atomic_store(&c->lane->client_asleep, 1);
		fake_until_not(&c->lane->head, done, "room in the ring");
		atomic_store(&c->lane->client_asleep, 0);
	}
	if (head.size > room) {
		struct axr_frame pad = { .size = room, .kind = AXR_PAD };
		memcpy(ring + at, &pad, 16);
		c->tail += room;
		at = 0;
	}
	if (head.kind == AXR_WAIT)
		head.seq = ++c->seq;
	memcpy(ring + at, &head, sizeof head);
	if (head.fixed)
		memcpy(ring + at + sizeof head, fixed, head.fixed);
	if (inside)
		memcpy(ring + at + sizeof head + head.fixed, data, inside);
	if (head.kind == AXR_POST)
		atomic_store_explicit(&c->lane->posted, head.ticket, memory_order_release);
	c->tail += head.size;
	struct axr_request *q = &c->lane->request;
	int beside = !c->ring_only && head.kind == AXR_WAIT && head.fixed + head.data <= AXR_REQUEST_MAX && !(head.bulk_in | head.bulk_out);
	if (beside) {
		q->size = (uint16_t)head.size;
		q->data = (uint16_t)head.data;
		q->ticket = head.ticket;
		q->context = head.context;
		q->seq = head.seq;
		q->call = head.call;
		q->fixed = (uint16_t)head.fixed;
		if (head.fixed)
			memcpy(q->bytes, fixed, head.fixed);
		if (head.data)
			memcpy(q->bytes + head.fixed, data, head.data);
	}
	atomic_store_explicit(&q->end, beside ? c->tail : 1, memory_order_relaxed);
	atomic_store_explicit(&c->lane->tail, c->tail, memory_order_release);
	axr_full_fence();
	if (atomic_load(&c->lane->worker_asleep))
		axr_futex_wake(&c->lane->tail);
}

void fake_send(struct fake_client *c, unsigned kind, unsigned call, uint64_t context, const void *fixed, uint32_t fixed_size,
	       const void *data, uint32_t data_size)
{
	struct axr_frame head = { .kind = (uint16_t)kind, .call = (uint16_t)call, .context = context, .fixed = fixed_size,
				  .data = data_size };
	head.ticket = kind == AXR_POST ? atomic_fetch_add(&c->s->header->ticket, 1) + 1 : atomic_load(&c->s->header->ticket);
	fake_send_header(c, head, fixed, data);
}

struct fake_answer fake_reply(struct fake_client *c)
{
	atomic_store(&c->lane->client_asleep, 1);
	axr_full_fence();
	fake_until_not(&c->lane->replied, c->seq - 1, "an answer");
	atomic_store(&c->lane->client_asleep, 0);
	EXPECT(atomic_load(&c->lane->replied) == c->seq, "the answer to call %u came, not to %u",
	       atomic_load(&c->lane->replied), c->seq);
	return (struct fake_answer){ c->lane->result, c->lane->size, axr_answer_at(c->lane, c->lane->size) };
}

unsigned fake_wait(struct fake_client *c, unsigned call, const void *fixed, uint32_t fixed_size)
{
	fake_send(c, AXR_WAIT, call, 0, fixed, fixed_size, NULL, 0);
	return fake_reply(c).result;
}

void fake_post(struct fake_client *c, unsigned call, const void *fixed, uint32_t fixed_size)
{
	fake_send(c, AXR_POST, call, 0, fixed, fixed_size, NULL, 0);
}
