// SPDX-License-Identifier: Apache-2.0
//
// The pinned heap's allocator: first fit over the free stretches. The heap is
// far larger than any machine's memory, so fragments cost nothing; pages do,
// and a piece that is given back gives its pages back.
#include "heap.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "session.h"

#define GRAIN 0x10000u // the largest page size around (arm64)

struct stretch {
	uint64_t at, size;
	struct stretch *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct stretch *free_list;
static uint64_t top; // everything from here on was never used

void *axc_heap_take(size_t bytes, size_t *taken)
{
	uint64_t size = ((uint64_t)bytes + GRAIN - 1) & ~(uint64_t)(GRAIN - 1);
	uint64_t at = UINT64_MAX;

	if (!bytes || size < bytes || size > axc.heap_size)
		return NULL;
	pthread_mutex_lock(&lock);
	for (struct stretch **s = &free_list; *s; s = &(*s)->next)
		if ((*s)->size >= size) {
			struct stretch *found = *s;
			at = found->at;
			found->at += size;
			found->size -= size;
			if (!found->size) {
				*s = found->next;
				free(found);
			}
			break;
		}
	if (at == UINT64_MAX && size <= axc.heap_size - top) {
		at = top;
		top += size;
	}
	pthread_mutex_unlock(&lock);
	if (at == UINT64_MAX)
		return NULL;
	*taken = size;
	madvise(axc.heap + at, size, MADV_DODUMP); // the program's data belongs in its core dump
	return axc.heap + at;
}

void axc_heap_give(void *piece, size_t taken)
{
	uint64_t at = (uint64_t)((uint8_t *)piece - axc.heap);

	madvise(piece, taken, MADV_DONTDUMP);
	// The next owner expects zeroes, and the machine its memory.
	madvise(piece, taken, MADV_REMOVE);
	struct stretch *fresh = malloc(sizeof *fresh);
	pthread_mutex_lock(&lock);
	struct stretch **s = &free_list, *before = NULL;
	while (*s && (*s)->at < at) {
		before = *s;
		s = &(*s)->next;
	}
	if (before && before->at + before->size == at) {
		before->size += taken;
		if (before->next && before->at + before->size == before->next->at) {
			struct stretch *joined = before->next;
			before->size += joined->size;
			before->next = joined->next;
			free(joined);
		}
	} else if (*s && at + taken == (*s)->at) {
		(*s)->at = at;
		(*s)->size += taken;
	} else if (fresh) { // without memory the address space is lost, no more
		*fresh = (struct stretch){at, taken, *s};
		*s = fresh;
		fresh = NULL;
	}
	pthread_mutex_unlock(&lock);
	free(fresh);
}
