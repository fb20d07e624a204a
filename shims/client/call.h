// SPDX-License-Identifier: Apache-2.0
//
// How a shim's function makes a call: what the generated halves and the
// hand-written ones share. The way of a waited-for call is
//
//   axc_begin()  room in the lane for the fixed part and the data
//   ... the caller fills c.in and c.data
//   axc_wait()   publish, wait for the answer; c.out and c.out_data hold it
//   ... the caller copies what it wants
//   axc_end()
//
// and axc_post() in place of the last three for a call that returns nothing.
#ifndef AXON_CALL_H
#define AXON_CALL_H

#include <stdbool.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda_api.h"
#include "cuda_calls.h"

#define AX_EXPORT __attribute__((visibility("default")))

struct axc_thread;

struct axc_call {
	void *in;             // the fixed part, to be filled
	void *data;           // room for the data, inline or in the bulk area
	const void *out;      // after axc_wait: the answer's fixed part
	const void *out_data; // what follows it (the generated halves know how much is fixed)
	size_t out_size;      // bytes at out
	struct axc_thread *thread;
	struct axr_frame *frame;
	uint32_t frame_size;
	uint32_t number; // of the call, after axc_ask
	uint64_t begun;  // for the statistics, 0 without
	uint64_t expected; // ns that the answer is likely to take, 0 for not known; set between axc_begin and axc_wait
	bool failed;     // after axc_result
};

// Room for a call with `fixed` bytes of fixed part and `data` bytes after it.
// Returns CUDA_SUCCESS or what the program gets: not initialised, the worker
// is gone, too long for any lane.
CUresult axc_begin(struct axc_call *c, uint32_t call, size_t fixed, size_t data);

// Room in the bulk area that the worker fills before it answers; NULL if
// `bytes` is more than axc_bulk_max() or the call's data is in bulk already.
// Between axc_begin and axc_wait.
void *axc_bulk_out(struct axc_call *c, size_t bytes);
size_t axc_bulk_max(void);

CUresult axc_post(struct axc_call *c);
CUresult axc_wait(struct axc_call *c);
void axc_end(struct axc_call *c);

// axc_wait in two halves, for a long bulk_out that comes in pieces: axc_ask
// publishes, axc_result waits for the answer. Between them axc_arrived waits a
// moment for more than `have` bytes and says how many are there; `have` again if
// that takes long, if the worker does not tell, or when the answer is there.
// Whether they are good is known with the answer.
void axc_ask(struct axc_call *c);
size_t axc_arrived(struct axc_call *c, size_t have);
CUresult axc_result(struct axc_call *c);

// Names for objects that the client makes, and what it knows of them.
uint64_t axc_new(unsigned kind);
void axc_forget(unsigned kind, uint64_t name);
// 0 if the name may be a live object of that kind; the worker has the last word.
int axc_check(unsigned kind, uint64_t name);
// Where the client keeps its record of an object, NULL for a name that is none.
void **axc_record(unsigned kind, uint64_t name);

// For calls that are described as not supported: says so once, by name, if
// AXON_DEBUG is set. Returns CUDA_ERROR_NOT_SUPPORTED.
CUresult axc_refused(const char *symbol);

// For a call that was given a name of no live object: says so if AXON_DEBUG is
// set. Returns result.
CUresult axc_missing(CUresult result, const char *call, const char *kind, const char *argument, uint64_t name);

// CUDA_SUCCESS if cuInit has succeeded in this process.
CUresult axc_ready(void);

// Whether AXON_DEBUG is set.
bool axc_debugging(void);
// A line on stderr if AXON_DEBUG is set.
void axc_debug(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
