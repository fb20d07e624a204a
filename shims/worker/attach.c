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
#include "warm.h"

// The words that are constant after the hello.
#define HEADER_BYTES offsetof(struct axr_header, ticket)

// Maps [offset, offset+size) of the region: at an address that is kept free for it, at another one that must be free,
// or anywhere. MAP_FAILED as mmap has it.
static void *map(int memfd, uint64_t offset, uint64_t size, void *at, int kept)
{
	int fixed = !at ? 0 : kept ? MAP_FIXED : MAP_FIXED_NOREPLACE;
	return mmap(at, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | fixed, memfd, (off_t)offset);
}

static int within(uint64_t at, uint64_t size, uint64_t base, uint64_t room)
{
	return at >= base && at - base <= room && size <= room - (at - base);
}

uint32_t axw_attach(struct axw_session *s, const struct axw_room *room, const char **why)
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

	if (room && h.device_base != room->device_base) {
		*why = "the region wants device memory at other addresses than this warm worker has prepared";
		return AXON_NO_WORKER;
	}

	int kept = room && h.heap_offset <= room->control_size;
	void *control = map(s->memfd, 0, h.heap_offset, kept ? room->control : NULL, kept);
	if (control == MAP_FAILED) {
		snprintf(text, sizeof text, "the region cannot be mapped: %s", strerror(errno));
		*why = text;
		return AXON_BAD_REGION;
	}
	if (h.heap_size) {
		void *at = (void *)(uintptr_t)h.heap_base;
		void *heap = map(s->memfd, h.heap_offset, h.heap_size, at,
				 room && within(h.heap_base, h.heap_size, room->heap_base, room->heap_size));
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
