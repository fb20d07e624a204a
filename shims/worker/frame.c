// SPDX-License-Identifier: Apache-2.0
//
// Reading frames out of a ring that a hostile client may be writing to.
#include "frame.h"

#include <string.h>

_Static_assert((AXR_RING_SIZE & (AXR_RING_SIZE - 1)) == 0, "the ring's size is a power of two");
_Static_assert(AXR_RING_OFFSET + AXR_RING_SIZE + sizeof(struct axr_frame) <= AXR_REPLY_OFFSET,
	       "a header read at the ring's very end stays in the lane");

#define PAD_BYTES 16 // of a header are there even at the ring's end

const char *axw_frame_read(const uint8_t *ring, uint32_t head, uint32_t pending, struct axw_frame *f)
{
	uint32_t at = head & (AXR_RING_SIZE - 1), room = AXR_RING_SIZE - at;

	if (pending == 0 || pending > AXR_RING_SIZE)
		return "the ring's tail is out of bounds";
	if (pending & 15 || head & 15)
		return "the ring's tail is not a multiple of 16";
	memset(&f->head, 0, sizeof f->head);
	memcpy(&f->head, ring + at, PAD_BYTES);
	if (f->head.kind == AXR_PAD) {
		if (pending < room)
			return "padding that does not reach the ring's end";
		f->step = room;
		f->fixed = f->data = NULL;
		return NULL;
	}
	if (room < sizeof f->head || pending < sizeof f->head)
		return "a frame's header that is cut off";
	memcpy(&f->head, ring + at, sizeof f->head);
	const struct axr_frame *h = &f->head;
	if (h->kind != AXR_POST && h->kind != AXR_WAIT)
		return "a frame of an unknown kind"; // also a pad that became one between the two reads
	if (h->size < sizeof *h)
		return "a frame shorter than its header";
	if (h->size & 15)
		return "a frame whose size is not a multiple of 16";
	if (h->size > AXR_FRAME_MAX)
		return "a frame longer than a frame may be";
	if (h->size > room)
		return "a frame that wraps around the ring's end";
	if (h->size > pending)
		return "a frame longer than what was published";
	uint32_t body = h->size - (uint32_t)sizeof *h;
	if (h->fixed > body || h->fixed & 7)
		return "a fixed part that does not fit its frame";
	if (h->bulk > AXR_BULK_SIZE || h->bulk_in > AXR_BULK_SIZE - h->bulk || h->bulk_out > AXR_BULK_SIZE - h->bulk)
		return "bulk data out of bounds";
	if (h->bulk_in ? h->data > h->bulk_in : h->data > body - h->fixed)
		return "data that does not fit its frame";
	if (h->kind == AXR_POST && h->ticket == 0)
		return "a posted frame without a ticket";
	f->fixed = ring + at + sizeof *h;
	f->data = h->bulk_in ? NULL : f->fixed + h->fixed;
	f->step = h->size;
	return NULL;
}

int axw_frame_request(const struct axr_request *q, uint32_t tail, uint32_t pending, struct axw_request *r)
{
	// Until its end is the tail the client may be writing the next one: only then is more looked at.
	if (atomic_load_explicit(&q->end, memory_order_relaxed) != tail)
		return 0;
	enum { END = offsetof(struct axr_request, size), SHORT = offsetof(struct axr_request, bytes) + AXR_REQUEST_SHORT };
	struct axr_request *c = &r->copy;
	memcpy((uint8_t *)c + END, (const uint8_t *)q + END, SHORT - END);
	atomic_signal_fence(memory_order_seq_cst); // the copy is used from here on
	uint32_t fixed = c->fixed, bytes = fixed + c->data;
	// Zeros where nobody has ever written one; more than one frame; or nonsense, which the ring may make sense of.
	if (!c->seq || c->size != pending || pending & 15 || bytes > sizeof c->bytes || fixed & 7 || pending < sizeof r->frame.head + bytes)
		return 0;
	if (bytes > AXR_REQUEST_SHORT)
		memcpy((uint8_t *)c + SHORT, (const uint8_t *)q + SHORT, sizeof *q - SHORT);
	r->frame.head = (struct axr_frame){ .size = (uint32_t)sizeof(struct axr_frame) + bytes, .kind = AXR_WAIT, .call = c->call,
					    .ticket = c->ticket, .context = c->context, .seq = c->seq, .fixed = fixed, .data = c->data };
	r->frame.fixed = c->bytes;
	r->frame.data = c->bytes + fixed;
	r->frame.step = pending;
	return 1;
}

_Static_assert(offsetof(struct axr_frame, kind) == 4 && offsetof(struct axr_frame, ticket) == 8 && PAD_BYTES == 16,
	       "what peek reads of a header");

// The ticket of the post at p, or UINT64_MAX. Acquire, so that the caller's second look at the lane's head cannot
// come before. The client may be writing here at the same time, which ThreadSanitizer would be right to report.
__attribute__((no_sanitize("thread"))) static uint64_t post_at(const uint8_t *p, unsigned *kind)
{
	const _Atomic uint64_t *word = (const _Atomic uint64_t *)(const void *)p;
	uint64_t first = atomic_load_explicit(word, memory_order_acquire);
	uint64_t ticket = atomic_load_explicit(word + 1, memory_order_acquire);

	*kind = (uint16_t)(first >> 32);
	return *kind == AXR_POST ? ticket : UINT64_MAX;
}

uint64_t axw_frame_peek(const uint8_t *ring, uint32_t head, uint32_t pending)
{
	uint32_t at = head & (AXR_RING_SIZE - 1), room = AXR_RING_SIZE - at;
	unsigned kind;

	if (pending == 0 || pending > AXR_RING_SIZE || (pending | head) & 15)
		return UINT64_MAX; // nothing, or nonsense that the lane's own thread will meet
	uint64_t ticket = post_at(ring + at, &kind);
	if (kind == AXR_PAD && pending > room)
		ticket = post_at(ring, &kind);
	return ticket;
}
