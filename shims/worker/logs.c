// SPDX-License-Identifier: Apache-2.0
//
// What the vendor's driver logs, for callbacks of the program's. The vendor
// calls from within the call that something is wrong with, so nothing may wait
// here: a message is kept, and the client comes for it when that call is
// answered, as it does for output (print.c).
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_worker.h"
#include "session.h"

#define MESSAGES_MAX 256u
#define TEXT_MAX 16384u

struct message {
	struct message *next;
	uint32_t level, length;
	char text[];
};

enum { OFF, CHANGING, ON };
static _Atomic int listening;
static CUlogsCallbackHandle handle; // of whoever changes listening
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct message *first, **last = &first;
static uint32_t count;

// What comes while MESSAGES_MAX wait is lost: their reader has stopped reading.
static void logged(void *data, CUlogLevel level, char *text, size_t length)
{
	struct axw_session *s = data;
	size_t n = !text ? 0 : length > TEXT_MAX ? TEXT_MAX : length;
	struct message *m = malloc(sizeof *m + n);

	if (!m)
		return;
	m->next = NULL;
	m->level = (uint32_t)level;
	m->length = (uint32_t)n;
	if (n)
		memcpy(m->text, text, n);
	pthread_mutex_lock(&lock);
	int room = count < MESSAGES_MAX;
	if (room) {
		*last = m;
		last = &m->next;
		count++;
	}
	pthread_mutex_unlock(&lock);
	if (room)
		atomic_fetch_add_explicit(&s->header->output_news, 1, memory_order_release);
	else
		free(m);
}

static struct message *oldest(void)
{
	pthread_mutex_lock(&lock);
	struct message *m = first;
	if (m) {
		first = m->next;
		if (!first)
			last = &first;
		count--;
	}
	pthread_mutex_unlock(&lock);
	return m;
}

CUresult axw_axLogListen(struct axw_call *w)
{
	struct ax_in_axLogListen in;
	int was;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	if (!axg_vendor.cuLogsRegisterCallback || !axg_vendor.cuLogsUnregisterCallback)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	was = in.on ? OFF : ON;
	if (!atomic_compare_exchange_strong(&listening, &was, CHANGING))
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	CUresult r = in.on ? axg_vendor.cuLogsRegisterCallback(logged, w->s, &handle) : axg_vendor.cuLogsUnregisterCallback(handle);
	if (r == CUDA_SUCCESS && !in.on)
		for (struct message *m; (m = oldest());)
			free(m);
	atomic_store(&listening, (r == CUDA_SUCCESS) == (in.on != 0) ? ON : OFF);
	return r;
}

CUresult axw_axLogTake(struct axw_call *w)
{
	struct ax_in_axLogTake in;
	struct ax_out_axLogTake out = { 0 };

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	if (sizeof out + in.room > w->out_max)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	struct message *m = oldest();
	uint32_t n = !m ? 0 : m->length < in.room ? m->length : in.room;
	if (m) {
		out.have = 1;
		out.level = m->level;
		out.length = n;
		memcpy((uint8_t *)w->out + sizeof out, m->text, n);
	}
	memcpy(w->out, &out, sizeof out);
	w->out_size = sizeof out + n;
	free(m);
	return CUDA_SUCCESS;
}
