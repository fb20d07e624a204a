// SPDX-License-Identifier: Apache-2.0
//
// Mapping the region. Its header was written by the client: it is read once,
// into a private copy that is checked and used from then on.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cuda_calls.h"
#include "hello.h"
#include "start.h"

// The words that are constant after the hello.
#define HEADER_BYTES offsetof(struct axr_header, ticket)

uint32_t axw_attach(struct axw_session *s, const char **why)
{
	static char text[256];
	static const uint8_t fingerprint[16] = AXG_FINGERPRINT;
	struct axr_header h;
	struct stat st;

	memset(&h, 0, sizeof h);
	if (fstat(s->memfd, &st) < 0 || pread(s->memfd, &h, HEADER_BYTES, 0) != (ssize_t)HEADER_BYTES) {
		*why = "the region cannot be read";
		return AXON_BAD_REGION;
	}
	if (h.magic == AXR_MAGIC && (h.version != AXR_VERSION || memcmp(h.fingerprint, fingerprint, sizeof fingerprint))) {
		snprintf(text, sizeof text,
			 "the client's shim speaks another protocol (version %u, this worker's is %u%s): install both from one release",
			 h.version, AXR_VERSION, h.version == AXR_VERSION ? "; the calls differ" : "");
		*why = text;
		return AXON_MISMATCH;
	}
	if (axr_check(&h, (uint64_t)st.st_size, why) != 0)
		return AXON_BAD_REGION;

	void *control = mmap(NULL, h.heap_offset, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, s->memfd, 0);
	if (control == MAP_FAILED) {
		snprintf(text, sizeof text, "the region cannot be mapped: %s", strerror(errno));
		*why = text;
		return AXON_BAD_REGION;
	}
	if (h.heap_size) {
		void *at = (void *)(uintptr_t)h.heap_base;
		void *heap = mmap(at, h.heap_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
				  s->memfd, (off_t)h.heap_offset);
		if (heap != at) {
			snprintf(text, sizeof text, "the pinned memory's heap cannot be mapped at %p: %s", at,
				 heap == MAP_FAILED ? strerror(errno) : "the address is taken");
			*why = text;
			return AXON_BAD_REGION;
		}
	}
	s->region = control;
	s->header = control;
	s->lanes = h.lanes;
	s->flags = h.flags;
	s->heap_offset = h.heap_offset;
	s->heap_size = h.heap_size;
	s->heap_base = h.heap_base;
	s->device_base = h.device_base;
	s->device_size = h.device_size;
	return AXON_OK;
}
