/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver's log: what note() says, kept for who asks and told to callbacks. It has a lock of its own, because it is
 * spoken to from everywhere.
 */
#include "driver.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#define KEPT 100

struct callback { struct callback *next; CUlogsCallback function; void *data; unsigned long long number; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *kept[KEPT];                       /* entry i lies at i % KEPT */
static unsigned count;                         /* of entries ever made */
static struct callback *callbacks;

/* The callback with the highest number below `below`, newest first: a callback may end itself and others. */
static int callback_below(unsigned long long below, struct callback *out)
{
	pthread_mutex_lock(&lock);
	struct callback *c = callbacks;
	while (c && c->number >= below)
		c = c->next;
	if (c)
		*out = *c;
	pthread_mutex_unlock(&lock);
	return c != NULL;
}

void log_add(const char *text)
{
	struct callback c = { .number = ~0ull };
	char *mine = strdup(text), *copy = strdup(text);
	pthread_mutex_lock(&lock);
	if (copy) {
		free(kept[count % KEPT]);
		kept[count++ % KEPT] = copy;
	}
	pthread_mutex_unlock(&lock);
	while (mine && callback_below(c.number, &c))
		c.function(c.data, CU_LOG_LEVEL_ERROR, mine, strlen(mine));
	free(mine);
}

API CUresult cuLogsRegisterCallback(CUlogsCallback function, void *data, CUlogsCallbackHandle *out)
{
	if (!function)
		return CUDA_ERROR_INVALID_VALUE;
	struct callback *c = malloc(sizeof *c);
	if (!c)
		return CUDA_ERROR_OUT_OF_MEMORY;
	pthread_mutex_lock(&lock);
	static unsigned long long last;
	*c = (struct callback){ callbacks, function, data, ++last };
	callbacks = c;
	pthread_mutex_unlock(&lock);
	if (out)
		*out = (CUlogsCallbackHandle)c;
	return CUDA_SUCCESS;
}

API CUresult cuLogsUnregisterCallback(CUlogsCallbackHandle handle)
{
	pthread_mutex_lock(&lock);
	struct callback **p = &callbacks, *c = NULL;
	while (*p && (CUlogsCallbackHandle)*p != handle)
		p = &(*p)->next;
	if (*p) {
		c = *p;
		*p = c->next;
	}
	pthread_mutex_unlock(&lock);
	free(c);
	return c ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

API CUresult cuLogsCurrent(CUlogIterator *out, unsigned int flags)
{
	if (!out || flags)
		return CUDA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&lock);
	*out = count;
	pthread_mutex_unlock(&lock);
	return CUDA_SUCCESS;
}

/* From the iterator on, or what is kept. What does not fit is left for the next time. */
API CUresult cuLogsDumpToMemory(CUlogIterator *iterator, char *buffer, size_t *size, unsigned int flags)
{
	size_t n = 0;
	if (!buffer || !size || !*size || flags)
		return CUDA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&lock);
	unsigned oldest = count < KEPT ? 0 : count - KEPT;
	unsigned i = iterator && *iterator > oldest ? *iterator : oldest;
	for (; i < count; i++) {
		size_t length = strlen(kept[i % KEPT]);
		if (length + 2 > *size - n)
			break;
		memcpy(buffer + n, kept[i % KEPT], length);
		n += length;
		buffer[n++] = '\n';
	}
	if (iterator)
		*iterator = i;
	pthread_mutex_unlock(&lock);
	buffer[n] = 0;
	*size = n;
	return CUDA_SUCCESS;
}

API CUresult cuLogsDumpToFile(CUlogIterator *iterator, const char *path, unsigned int flags)
{
	static const size_t room = 1 << 16;
	size_t size = room;
	if (!path)
		return CUDA_ERROR_INVALID_VALUE;
	char *text = malloc(room);
	CUresult r = text ? cuLogsDumpToMemory(iterator, text, &size, flags) : CUDA_ERROR_OUT_OF_MEMORY;
	FILE *f = r ? NULL : fopen(path, "we");
	if (!r && !f)
		r = CUDA_ERROR_INVALID_VALUE;
	if (f && fwrite(text, 1, size, f) != size)
		r = CUDA_ERROR_OPERATING_SYSTEM;
	if (f && fclose(f))
		r = CUDA_ERROR_OPERATING_SYSTEM;
	free(text);
	return r;
}
