// SPDX-License-Identifier: Apache-2.0
//
// The region: the shared memory that a client and its worker talk through.
// This file is the layout, byte for byte; docs/protocol.md says the same in
// words and wire/region.go says it in Go. Change one, change all three, and
// raise AXR_VERSION.
//
// A region is one sealed memfd, made by the client, mapped by both:
//
//   0            struct axr_header           64 KiB
//   64 KiB       snapshot of the library     1 MiB - 64 KiB (written by the worker, then constant)
//   1 MiB        upcalls                     128 KiB
//   1.25 MiB     output                      256 KiB each for standard output and standard error
//   2 MiB        lanes                       header.lanes times AXR_LANE_SIZE
//   heap_offset  pinned host memory          heap_size, at the address heap_base in both processes
//
// Invariants:
//  - Every word has one writer, named at its declaration. A word with two is
//    changed by atomic read-modify-write only.
//  - The worker believes nothing in here: it reads a word once, checks it and
//    uses the copy. Whatever a client scribbles over its region is that
//    session's trouble alone.
//  - No pointer of either side is in a frame. Addresses of pinned memory are
//    checked against the heap's bounds, device addresses mean something to
//    the device only, and handles are names (name.h).
#ifndef AXON_REGION_H
#define AXON_REGION_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define AXR_MAGIC 0x4e4f5841u /* "AXON", little-endian */
#define AXR_VERSION 1u

#define AXR_LINE 128 /* bytes kept between words of different writers: two x86 lines are fetched together, and some arm64 lines are 128 */

#define AXR_SNAPSHOT_OFFSET 0x10000u
#define AXR_SNAPSHOT_SIZE 0xf0000u
#define AXR_UPCALL_OFFSET 0x100000u
#define AXR_UPCALLS 1024u
#define AXR_OUTPUT_OFFSET 0x140000u
#define AXR_OUTPUT_SIZE 0x40000u /* a power of two */
#define AXR_OUTPUTS 2u           /* what the device's code prints: 0 to standard output, 1 to standard error */
#define AXR_LANES_OFFSET 0x200000u
#define AXR_LANES_MAX 1024u

#define AXR_LANE_SIZE 0x1000000u  /* 16 MiB, sparse: only what is touched costs memory */
#define AXR_RING_OFFSET 0x10000u  /* within a lane */
#define AXR_RING_SIZE 0x80000u    /* 512 KiB, a power of two */
#define AXR_REPLY_OFFSET 0x100000u
#define AXR_REPLY_SIZE 0x100000u
#define AXR_BULK_OFFSET 0x800000u
#define AXR_BULK_SIZE 0x800000u
#define AXR_REQUEST_MAX 88u       // bytes of a frame's fixed part and data that may be in a request
#define AXR_ANSWER_INLINE 48u     // bytes of an answer in the lane itself
#define AXR_FRAME_MAX 0x20000u    /* a frame's bytes in the ring; what is longer goes through bulk */

// Where things are in both processes' address space. Device memory is steered
// into the device window and the client keeps it reserved; pinned memory is
// the heap at heap_base. ThreadSanitizer only knows some ranges, so its builds
// use others.
#if defined(__SANITIZE_THREAD__)
#define AXR_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define AXR_TSAN 1
#endif
#endif
#ifdef AXR_TSAN
#define AXR_DEVICE_BASE 0x7d0000000000ull
#define AXR_DEVICE_SIZE 0x010000000000ull
#define AXR_HEAP_BASE 0x7e8000000000ull
#define AXR_HEAP_SIZE 0x001000000000ull
#else
#define AXR_DEVICE_BASE 0x400000000000ull
#define AXR_DEVICE_SIZE 0x100000000000ull /* 16 TiB */
#define AXR_HEAP_BASE 0x500000000000ull
#define AXR_HEAP_SIZE 0x010000000000ull /* 1 TiB */
#endif

enum axr_state {
	AXR_STARTING = 0, // the client waits for axond's answer
	AXR_READY = 1,    // the worker serves lanes
	AXR_ENDED = 2,    // the worker is gone; every call fails from now on
};

struct axr_header {
	// Written by the client before it hands the region over, constant after.
	uint32_t magic;
	uint32_t version;
	uint8_t fingerprint[16];
	uint32_t lanes;
	uint32_t flags; // AXR_FLAG_*
	uint64_t size;  // of the whole file, bytes
	uint64_t heap_offset;
	uint64_t heap_size;
	uint64_t heap_base;
	uint64_t device_base;
	uint64_t device_size;
	uint8_t pad0[2 * AXR_LINE - 80];

	// Posted frames so far in this session; the client's threads add to it.
	_Alignas(AXR_LINE) _Atomic uint64_t ticket;

	// Client: counts lanes opened and closed; the worker's door thread sleeps on it.
	_Alignas(AXR_LINE) _Atomic uint32_t doorbell;
	_Atomic uint32_t lanes_used; // client: highest lane ever opened, plus one

	// axr_state. The worker writes READY, whoever ends the session ENDED.
	_Alignas(AXR_LINE) _Atomic uint32_t state;
	_Atomic uint32_t end_reason; // a result code of the library, with ENDED

	// The session's deferred error: the worker sets it if it is 0, a waited-for
	// call takes it. Read-modify-write on both sides (both are the worker's).
	_Alignas(AXR_LINE) _Atomic uint32_t deferred;

	// Upcalls (struct axr_upcall): worker to client.
	_Alignas(AXR_LINE) _Atomic uint32_t upcall_tail; // worker; the client's service thread sleeps on it
	_Alignas(AXR_LINE) _Atomic uint32_t upcall_head; // client
	_Atomic uint32_t upcall_asleep;                  // client: 1 while the service thread is in futex

	// What the library has printed (axr_output_at): worker to client. The worker
	// is done with all four before it answers the call during which it was printed.
	_Alignas(AXR_LINE) _Atomic uint32_t output_news;    // worker: counts changes of the next two
	_Atomic uint32_t output_more;                       // worker: 1 while it holds bytes that had no room
	_Atomic uint32_t output_tail[AXR_OUTPUTS];          // worker: bytes ever written, modulo 2^32
	_Alignas(AXR_LINE) _Atomic uint32_t output_head[AXR_OUTPUTS]; // client: bytes ever taken
};

// flags
#define AXR_FLAG_MIRRORED 1u // pinned memory is a copy on this side (a relay carries it): see AXR_UP_FETCH
#define AXR_FLAG_DEBUG 2u    // client: the worker is to say where errors come from, among what is printed to standard error

enum axr_lane_state {
	AXR_LANE_FREE = 0,
	AXR_LANE_OPEN = 1,    // client: claimed, by compare and swap from FREE
	AXR_LANE_CLOSING = 2, // client: its thread has ended; the worker makes it FREE again when the ring is drained
};

// A short waited-for frame once more, beside the word that publishes it: the
// worker has both with one line, or two. It is that frame while `end` is the
// tail; who publishes another one sees to it that it is not.
struct axr_request {
	_Atomic uint32_t end; // the tail that publishes the frame; an odd number without
	uint16_t size;        // of the frame in the ring; its other words are as there, or 0
	uint16_t data;        // bytes
	uint64_t ticket;
	uint64_t context;
	uint32_t seq; // 0: there never was one
	uint16_t call;
	uint16_t fixed;                 // bytes
	uint8_t bytes[AXR_REQUEST_MAX]; // the fixed part, then the data
};
#define AXR_REQUEST_SHORT 24u // bytes that are in the tail's own 64

struct axr_lane {
	// Client.
	_Alignas(AXR_LINE) _Atomic uint32_t tail;  // bytes ever published in the ring, modulo 2^32; the lane's worker thread sleeps on it
	_Atomic uint32_t client_asleep;            // 1 while the client's thread is in futex on replied or head
	struct axr_request request;
	_Alignas(AXR_LINE) _Atomic uint64_t posted; // ticket of the last frame posted here
	_Alignas(AXR_LINE) _Atomic uint32_t state; // axr_lane_state

	// Worker.
	_Alignas(AXR_LINE) _Atomic uint32_t head; // bytes ever finished with, modulo 2^32
	_Atomic uint64_t progress; // of a waited-for frame in the works: its seq in the upper half, bytes of bulk_out there in the lower
	// The answer to a waited-for frame, in one line when it is short.
	_Alignas(AXR_LINE) _Atomic uint32_t replied; // seq of the last one that was answered; the rest is whole before it
	uint32_t result;                             // of the library
	uint32_t size;                               // bytes of the answer
	_Alignas(16) uint8_t answer[AXR_ANSWER_INLINE]; // the bytes if they fit, else they are at AXR_REPLY_OFFSET
	// Looked at for every frame, seldom written.
	_Alignas(AXR_LINE) _Atomic uint32_t worker_asleep; // 1 while the worker's thread is in futex on tail
};
_Static_assert(offsetof(struct axr_lane, request.bytes) + AXR_REQUEST_SHORT == 64 && offsetof(struct axr_lane, posted) == AXR_LINE,
	       "a short request is in the tail's line of 64, a longer one in that and the next");
_Static_assert(offsetof(struct axr_lane, worker_asleep) - offsetof(struct axr_lane, replied) == AXR_LINE, "an answer is in a line");

enum axr_kind {
	AXR_PAD = 0,  // nothing: the rest of the ring up to its end
	AXR_POST = 1, // nobody waits
	AXR_WAIT = 2, // the lane's client waits for replied == seq
};

// A frame, 16-byte aligned in the ring, never wrapping: this header, the call's
// fixed part, then its data unless that is in bulk.
struct axr_frame {
	uint32_t size;     // of header, fixed part and inline data, rounded up to 16 or more; a multiple of 16
	uint16_t kind;     // axr_kind
	uint16_t call;     // number in the API description
	uint64_t ticket;   // a post: its own, from 1 up, no gaps. A wait: how many posts had been made
	uint64_t context;  // name of the caller's current context, 0 without
	uint32_t seq;      // a wait: counts the lane's waits, from 1
	uint32_t fixed;    // bytes of the fixed part
	uint32_t data;     // bytes of data: inline, or in bulk if bulk_in is nonzero
	uint32_t bulk;     // offset in the lane's bulk area
	uint32_t bulk_in;  // bytes there for the worker to read
	uint32_t bulk_out; // bytes there that the worker writes, whole when it replies
};
_Static_assert(sizeof(struct axr_frame) == 48, "frame header");

enum axr_upcall_kind {
	AXR_UP_NONE = 0,
	AXR_UP_CALL = 1,   // a: function, b: its argument (cuLaunchHostFunc)
	AXR_UP_STREAM = 2, // a: function, b: its argument, c: stream's name, d: status (cuStreamAddCallback)
	AXR_UP_FETCH = 3,  // mirrored pinned memory: the client's bytes [a, a+b) are needed here now
	AXR_UP_PUSH = 4,   // mirrored pinned memory: [a, a+b) has changed here
};

// Entry upcall_tail % AXR_UPCALLS is the next one; the worker fills it, stores
// state 1, then the tail; the client does it, stores state 2 and wakes state.
struct axr_upcall {
	_Alignas(AXR_LINE) _Atomic uint32_t state; // 0 free, 1 asked, 2 done
	uint32_t kind;
	uint64_t a, b, c, d;
};

static inline struct axr_lane *axr_lane_at(void *region, uint32_t i)
{
	return (struct axr_lane *)((uint8_t *)region + AXR_LANES_OFFSET + (uint64_t)i * AXR_LANE_SIZE);
}

// Where the bytes of an answer are that has `size` of them.
static inline uint8_t *axr_answer_at(struct axr_lane *lane, uint32_t size)
{
	return size <= AXR_ANSWER_INLINE ? lane->answer : (uint8_t *)lane + AXR_REPLY_OFFSET;
}

static inline struct axr_upcall *axr_upcall_at(void *region, uint32_t i)
{
	return (struct axr_upcall *)((uint8_t *)region + AXR_UPCALL_OFFSET) + i % AXR_UPCALLS;
}

static inline uint8_t *axr_output_at(void *region, uint32_t i)
{
	return (uint8_t *)region + AXR_OUTPUT_OFFSET + i * AXR_OUTPUT_SIZE;
}

// Checks a region that somebody else laid out: sizes that add up and bounds
// that cannot overflow. Returns 0, or a line saying what is wrong in *why.
int axr_check(const struct axr_header *header, uint64_t file_size, const char **why);

#endif
