// SPDX-License-Identifier: Apache-2.0
//
// A session's beginning, its end, and its voice.
#include "session.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "start.h"
#include "wait.h"

// One write a line, so that the lines of several threads do not mix.
static void say(const struct axw_session *s, const char *format, va_list list)
{
	char line[512];
	int n = snprintf(line, sizeof line, "axon-worker: session %u: ", s->number);
	int m = vsnprintf(line + n, sizeof line - (size_t)n - 1, format, list);
	if (m < 0)
		return;
	n += m;
	if (n > (int)sizeof line - 2)
		n = (int)sizeof line - 2;
	line[n++] = '\n';
	if (write(s->print ? s->log : 2, line, (size_t)n) < 0) {
		// Nobody to tell.
	}
}

void axw_log(const struct axw_session *s, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	say(s, format, list);
	va_end(list);
}

void axw_end(struct axw_session *s, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	say(s, format, list);
	va_end(list);
	axw_mark_ended(s);
	_exit(1);
}

void axw_mark_ended(struct axw_session *s)
{
	atomic_store_explicit(&s->header->end_reason, CUDA_ERROR_DEVICE_UNAVAILABLE, memory_order_relaxed);
	atomic_store_explicit(&s->header->state, AXR_ENDED, memory_order_release);
	axr_full_fence(); // pairs with the sleepers' own, as in wait.h
	axr_futex_wake(&s->header->state);
	axr_futex_wake(&s->header->upcall_tail);
	axw_lanes_wake(s);
}

int axw_session_init(struct axw_session *s)
{
	void *lanes = NULL;
	int error = pthread_mutex_init(&s->door, NULL);
	if (!error)
		error = pthread_mutex_init(&s->upcall_lock, NULL);
	if (!error)
		error = pthread_rwlock_init(&s->shown_lock, NULL);
	if (!error)
		error = posix_memalign(&lanes, AXR_LINE, s->lanes * sizeof(struct axw_lane));
	if (error)
		return -error;
	memset(lanes, 0, s->lanes * sizeof(struct axw_lane));
	s->lane = lanes;
	for (uint32_t i = 0; i < s->lanes; i++) {
		s->lane[i].s = s;
		s->lane[i].index = i;
		s->lane[i].shared = axr_lane_at(s->region, i);
		s->lane[i].ring = (uint8_t *)s->lane[i].shared + AXR_RING_OFFSET;
	}
	if (!s->account)
		axw_account_open(s, -1);
	s->handles = axw_handles_new();
	s->images = axw_images_new();
	return s->handles && s->images ? 0 : -ENOMEM;
}

int axw_in_heap(const struct axw_session *s, uint64_t address, uint64_t size)
{
	return address >= s->heap_base && address - s->heap_base <= s->heap_size &&
	       size <= s->heap_size - (address - s->heap_base);
}
