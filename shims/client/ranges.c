// SPDX-License-Identifier: Apache-2.0
//
// A sorted array behind a lock: programs hold hundreds to thousands of ranges,
// and look up far more often than they allocate.
#include "ranges.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct axc_ranges {
	pthread_rwlock_t lock;
	struct axc_range *range;
	size_t used, room;
};

struct axc_ranges axc_allocations = {.lock = PTHREAD_RWLOCK_INITIALIZER};
struct axc_ranges axc_areas = {.lock = PTHREAD_RWLOCK_INITIALIZER};

// The first range that ends after the address.
static size_t first_after(const struct axc_ranges *s, uint64_t address)
{
	size_t low = 0, high = s->used;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (s->range[middle].start + s->range[middle].size <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool axc_range_add(struct axc_ranges *s, const struct axc_range *range)
{
	bool added = false;

	pthread_rwlock_wrlock(&s->lock);
	if (s->used == s->room) {
		size_t more = s->room ? s->room * 2 : 64;
		struct axc_range *bigger = realloc(s->range, more * sizeof *bigger);
		if (bigger) {
			s->range = bigger;
			s->room = more;
		}
	}
	size_t i = first_after(s, range->start);
	if (s->used < s->room && (i == s->used || range->start + range->size <= s->range[i].start)) {
		memmove(s->range + i + 1, s->range + i, (s->used - i) * sizeof *s->range);
		s->range[i] = *range;
		s->used++;
		added = true;
	}
	pthread_rwlock_unlock(&s->lock);
	return added;
}

bool axc_range_find(struct axc_ranges *s, uint64_t address, struct axc_range *out)
{
	pthread_rwlock_rdlock(&s->lock);
	size_t i = first_after(s, address);
	bool found = i < s->used && s->range[i].start <= address;
	if (found)
		*out = s->range[i];
	pthread_rwlock_unlock(&s->lock);
	return found;
}

bool axc_range_next(struct axc_ranges *s, uint64_t address, struct axc_range *out)
{
	pthread_rwlock_rdlock(&s->lock);
	size_t i = first_after(s, address);
	bool found = i < s->used;
	if (found)
		*out = s->range[i];
	pthread_rwlock_unlock(&s->lock);
	return found;
}

bool axc_range_remove(struct axc_ranges *s, uint64_t start, struct axc_range *out)
{
	pthread_rwlock_wrlock(&s->lock);
	size_t i = first_after(s, start);
	bool found = i < s->used && s->range[i].start == start;
	if (found) {
		*out = s->range[i];
		s->used--;
		memmove(s->range + i, s->range + i + 1, (s->used - i) * sizeof *s->range);
	}
	pthread_rwlock_unlock(&s->lock);
	return found;
}
