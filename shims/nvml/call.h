// SPDX-License-Identifier: Apache-2.0
//
// How a function of this shim makes a call: what the generated half and the
// hand-written ones share. A call is one packet to axond and one back
// (channel.h); its frames are laid out as libcuda's are.
//
//   axc_begin()  room for the fixed part and the data
//   ... the caller fills c.in and c.data
//   axc_wait()   sends, waits for the answer; c.out holds it
//   ... the caller copies what it wants
//   axc_end()
#ifndef AXON_NVML_CALL_H
#define AXON_NVML_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nvml_calls.h"

#define AX_EXPORT __attribute__((visibility("default")))

struct axc_call {
	void *in;        // the fixed part, to be filled
	void *data;      // room for the arrays behind it
	const void *out; // after axc_wait: the answer's fixed part, its arrays behind it
	size_t out_size; // bytes at out
	uint8_t *request, *answer; // packets
	size_t request_bytes;
};

// Room for a call with `fixed` bytes of fixed part and `data` bytes after it. NVML_SUCCESS or what the program gets.
nvmlReturn_t axc_begin(struct axc_call *c, uint32_t call, size_t fixed, size_t data);
// The vendor's result, or why there is none. axc_end is due in any case.
nvmlReturn_t axc_wait(struct axc_call *c);
void axc_end(struct axc_call *c);

// NVML_SUCCESS between nvmlInit and the nvmlShutdown that matches it.
nvmlReturn_t axc_ready(void);

// For what is described as not supported: says so by name if AXON_DEBUG is set. Returns NVML_ERROR_NOT_SUPPORTED.
nvmlReturn_t axc_refused(const char *symbol);

// Objects have no record here: the worker knows which of them live.
static inline void axc_forget(unsigned kind, uint64_t name) { (void)kind, (void)name; }

// Whether AXON_DEBUG is set, and a line on stderr if it is.
bool axc_debugging(void);
void axc_debug(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
