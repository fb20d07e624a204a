// SPDX-License-Identifier: Apache-2.0
//
// Packets: one thread reads them, some run them and answer. There is always a
// thread for the next call, up to a number: one that the driver holds up does
// not hold up the others. Beyond a number of calls that are not answered, no
// more are read: axond shares that out among its clients.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "telemetry.h"

#define THREADS_MAX 32u // as many calls as axond lets be on their way, so that none waits for another's
#define REQUESTS_MAX 256u
#define WAITS_MAX 4096u // for events, which may take days: beyond that they are refused, and nobody else waits for them

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER, room = PTHREAD_COND_INITIALIZER;
static struct axt_request *first, **last = &first;
static unsigned threads, idle, requests, waits; // the last two: read and not answered
static int control;
static nvmlReturn_t initialised;

nvmlReturn_t axt_run(struct axt_request *q, void *answer, size_t *bytes)
{
	struct axw_session s = { .owner = q->owner };
	size_t fixed = axg_call_fixed[q->head.call];

	if (fixed > q->head.len)
		return NVML_ERROR_INVALID_ARGUMENT;
	struct axw_call w = {
		.in = q->frame,
		.in_size = fixed,
		.data = q->frame + fixed,
		.data_size = q->head.len - fixed,
		.out = answer,
		.out_max = AXT_PACKET_MAX - sizeof(struct axt_head),
		.s = &s,
	};
	nvmlReturn_t r = axg_dispatch[q->head.call](&w);
	axt_release(&s);
	if (s.full)
		return NVML_ERROR_INSUFFICIENT_RESOURCES;
	*bytes = w.out_size;
	return r;
}

void axt_answer(struct axt_request *q, nvmlReturn_t result, uint8_t *packet, size_t bytes)
{
	struct axt_head h = { .id = q->head.id, .call = (uint32_t)result, .owner = q->head.owner, .len = (uint32_t)bytes };

	memcpy(packet, &h, sizeof h);
	while (send(control, packet, sizeof h + bytes, MSG_NOSIGNAL) < 0)
		if (errno != EINTR)
			_exit(0); // axond hung up
	axt_owner_put(q->owner);
	pthread_mutex_lock(&lock);
	if (q->waits)
		waits--;
	else
		requests--;
	pthread_cond_signal(&room);
	pthread_mutex_unlock(&lock);
	free(q);
}

static void *runner(void *arg)
{
	_Alignas(16) static _Thread_local uint8_t packet[AXT_PACKET_MAX];

	(void)arg;
	for (;;) {
		pthread_mutex_lock(&lock);
		idle++;
		while (!first)
			pthread_cond_wait(&work, &lock);
		idle--;
		struct axt_request *q = first;
		first = q->next;
		if (!first)
			last = &first;
		pthread_mutex_unlock(&lock);

		size_t bytes = 0;
		nvmlReturn_t r = initialised ? initialised : axt_run(q, packet + sizeof(struct axt_head), &bytes);
		axt_answer(q, r, packet, bytes);
	}
	return NULL;
}

// Under the lock.
static void hand_out(struct axt_request *q)
{
	unsigned waiting = 1;

	for (struct axt_request *p = first; p; p = p->next)
		waiting++;
	*last = q;
	last = &q->next;
	if (idle < waiting && threads < THREADS_MAX) {
		pthread_t t;
		if (!pthread_create(&t, NULL, runner, NULL)) {
			pthread_detach(t);
			threads++;
		} else if (!threads) {
			fprintf(stderr, "axon-worker: no thread can be started\n");
			_exit(1);
		}
	}
	pthread_cond_signal(&work);
}

static _Noreturn void malformed(const char *why)
{
	fprintf(stderr, "axon-worker: a packet that is none: %s\n", why);
	_exit(1);
}

static void take(const uint8_t *packet, size_t n)
{
	struct axt_head h;

	if (n < sizeof h || n > AXT_PACKET_MAX)
		malformed("its size");
	memcpy(&h, packet, sizeof h);
	if (h.len != n - sizeof h)
		malformed("its length");
	if (h.call == AXT_FORGET) {
		axt_owner_forget(h.owner);
		return;
	}
	if (h.call == 0 || h.call >= AX_COUNT)
		malformed("its call");
	struct axt_request *q = malloc(sizeof *q + h.len);
	struct axt_owner *owner = q ? axt_owner_get(h.owner) : NULL;
	if (!owner) {
		fprintf(stderr, "axon-worker: out of memory\n");
		_exit(1);
	}
	*q = (struct axt_request){ .owner = owner, .head = h };
	memcpy(q->frame, packet + sizeof h, h.len);
	q->waits = axt_waits(q) && !initialised;
	pthread_mutex_lock(&lock);
	bool refused = q->waits && waits >= WAITS_MAX;
	while (!q->waits && requests >= REQUESTS_MAX)
		pthread_cond_wait(&room, &lock);
	if (q->waits)
		waits++;
	else
		requests++;
	if (!q->waits)
		hand_out(q);
	else if (!refused)
		axt_wait_add(q);
	pthread_mutex_unlock(&lock);
	if (refused) {
		uint8_t head[sizeof(struct axt_head)];
		axt_answer(q, NVML_ERROR_INSUFFICIENT_RESOURCES, head, 0);
	}
}

_Noreturn void axt_serve(int fd, nvmlReturn_t init)
{
	static uint8_t packet[AXT_PACKET_MAX + 1]; // one more byte tells a longer packet

	control = fd;
	initialised = init;
	for (;;) {
		ssize_t n = recv(fd, packet, sizeof packet, 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			_exit(0); // at once: the kernel cleans up better than threads in the vendor's library could
		take(packet, (size_t)n);
	}
}
