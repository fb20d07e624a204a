// SPDX-License-Identifier: Apache-2.0
//
// A session as its worker sees it, and the locking rule:
//
//  1. The main thread lays everything out (main.c), then waits for axond to
//     hang up. The door thread waits for lanes to be opened and starts one
//     thread a lane. A lane's thread runs its frames, one after the other.
//  2. Lane threads share the handles (lock-free to look up, a mutex to change),
//     the images (a mutex), the upcalls (a mutex), and nothing else. No lock
//     is held across a call into the vendor's library.
//  3. What decides between lanes is order.c, and only that.
#ifndef AXON_WORKER_SESSION_H
#define AXON_WORKER_SESSION_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "call.h"
#include "region.h"

struct axa_account;
struct axw_handles;
struct axw_images;
struct axw_print;

struct axw_lane {
	// Read by the other lanes' threads (order.c). The region's own head is only
	// what we tell the client: it could write there.
	_Alignas(AXR_LINE) _Atomic uint32_t head;
	_Atomic uint32_t moves;   // counts changes of head, which starts again at 0 with the lane's next thread
	_Atomic uint32_t waiters; // threads in futex on moves
	_Atomic uint64_t done;    // ticket of the last posted frame that has run

	// The lane thread's own.
	_Alignas(AXR_LINE) struct axw_session *s;
	uint32_t index;
	int running; // under s->door
	struct axr_lane *shared;
	uint8_t *ring;
	uint64_t context;  // name of the context that is current in this thread
	int context_known; // 0: a call may have changed it
	uint64_t *seen;    // by lane: every post up to this ticket has run
	uint8_t *in;       // AXW_PRIVATE bytes
	uint8_t *out;      // AXR_REPLY_SIZE bytes
	unsigned looks;    // print.c
	uint64_t calls;    // executed, also by threads that had this lane before
	struct axw_staging *staging; // NULL until a long copy was made (staging.c)
};

#define AXW_PRIVATE 16384u

// What is known of a call besides its function.
#define AXW_HAS_OUTS 1u       // answers with more than its result
#define AXW_CHANGES_CONTEXT 2u // may leave another context current in the vendor's library
#define AXW_PRINTS 4u          // the library may print during it what device code has printed (print.c)
#define AXW_KEEPS_ERRORS 8u    // its caller is not the program: a deferred error is left for the next call
#define AXW_ENDS 16u           // of those that print: nothing may come after it that would print what is left

struct axw_session {
	uint32_t number; // for people
	int memfd, control;
	struct axa_account *account; // shared with axond; never NULL
	uint8_t *region;          // the control part
	struct axr_header *header; // the same, shared: only its atomic words are used
	// The header's numbers, read once and checked.
	uint32_t lanes, flags;
	uint64_t heap_offset, heap_size, heap_base, device_base, device_size;
	int reads_pageable; // 1: a device reads ordinary memory itself, so a copy from it need not be staged (copy.c)

	const axw_function *dispatch; // by call number; NULL where there is none
	const uint8_t *call_flags;
	const char *const *call_names;
	uint32_t calls;
	const char *const *kind_names; // of objects, by AXH_*
	unsigned kinds;
	int traces; // who is told where errors come from, 0 for nobody (trace.c)

	pthread_mutex_t door;
	struct axw_lane *lane; // `lanes` of them
	struct axw_handles *handles;
	struct axw_images *images;
	struct axw_print *print; // NULL until standard output is the client's (print.c)
	int log;                 // where axw_log writes from then on
	pthread_mutex_t upcall_lock;
	uint32_t upcall_tail; // private: the region's is only what we tell the client
	pthread_rwlock_t shown_lock;
	struct axw_shown *shown; // pages of the heap at the client's own addresses (host.c)
};

// session.c
void axw_log(const struct axw_session *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Ends the session over something that a sane client never does: a line in the journal, everybody woken, exit 1.
void axw_end(struct axw_session *s, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));
// What axw_end says to the client: the state, and a wake for everybody who sleeps on the region.
void axw_mark_ended(struct axw_session *s);
// The lock, the lanes, the handles and the images of a session whose region and numbers are set. 0, or a negative errno.
int axw_session_init(struct axw_session *s);
// 1 when [address, address+size) is in the heap: then it is the same memory here.
int axw_in_heap(const struct axw_session *s, uint64_t address, uint64_t size);

// host.c: 1 when [address, address+size) is pinned memory of the client's, in the heap or registered where it lies.
int axw_pinned(struct axw_session *s, uint64_t address, uint64_t size);

// lane.c
void axw_lanes_serve(struct axw_session *s); // the door: never returns
void axw_lanes_wake(struct axw_session *s);  // everybody who sleeps on a lane of the region

// context.c: makes the named context current in this thread, NULL when the name is dead. -1: the vendor refused.
int axw_context_set(struct axw_lane *lane, uint64_t name);

// handles.c
struct axw_handles *axw_handles_new(void);

// image.c
struct axw_images *axw_images_new(void);

#endif
