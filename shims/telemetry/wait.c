// SPDX-License-Identifier: Apache-2.0
//
// nvmlEventSetWait blocks for as long as its caller says. One thread waits for
// all of them, in turn and in slices, so that any number costs no more than that,
// and one whose client is gone ends with its slice. The set is this call's alone
// only while the vendor is in it, for a moment of the slice: what else its owner
// does with it would otherwise hold up the threads that others' calls need.
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "telemetry.h"

#define ROUND_MS 50 // all waits together: how late an event may be told of
#define VENDOR_MS 1 // of it with the vendor, for each

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t added = PTHREAD_COND_INITIALIZER;
static struct axt_request *waits;
static unsigned count;

static int64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

bool axt_waits(const struct axt_request *q)
{
	return (q->head.call == AX_nvmlEventSetWait_v2 || q->head.call == AX_nvmlEventSetWait) &&
	       q->head.len >= sizeof(struct ax_in_nvmlEventSetWait_v2); // a shorter one is answered with what is wrong
}

// Where the frame has the time; both calls' frames are the same.
static uint32_t *timeout_of(struct axt_request *q)
{
	_Static_assert(sizeof(struct ax_in_nvmlEventSetWait) == sizeof(struct ax_in_nvmlEventSetWait_v2), "one look for both");
	return &((struct ax_in_nvmlEventSetWait_v2 *)(void *)q->frame)->timeoutms;
}

// One slice of one wait. True when it is over.
static bool slice(struct axt_request *q, uint8_t *packet, int64_t most_ns)
{
	int64_t start = now(), left = q->until - start, time = left < most_ns ? left : most_ns;
	size_t bytes = 0;

	if (axt_owner_gone(q->owner)) {
		axt_answer(q, NVML_ERROR_UNINITIALIZED, packet, 0);
		return true;
	}
	*timeout_of(q) = time < VENDOR_MS * 1000000 ? 0 : VENDOR_MS;
	nvmlReturn_t r = axt_run(q, packet + sizeof(struct axt_head), &bytes);
	if (r != NVML_ERROR_TIMEOUT || now() >= q->until || left <= 0) {
		axt_answer(q, r, packet, bytes);
		return true;
	}
	int64_t rest = time - (now() - start);
	if (rest > 0)
		nanosleep(&(struct timespec){ .tv_nsec = rest }, NULL);
	return false;
}

static void *waiter(void *arg)
{
	_Alignas(16) static uint8_t packet[AXT_PACKET_MAX];

	(void)arg;
	for (;;) {
		pthread_mutex_lock(&lock);
		while (!waits)
			pthread_cond_wait(&added, &lock);
		struct axt_request *round = waits;
		unsigned n = count;
		waits = NULL;
		count = 0;
		pthread_mutex_unlock(&lock);
		for (struct axt_request *q = round, *next; q; q = next) {
			next = q->next;
			if (slice(q, packet, ROUND_MS * 1000000ll / n))
				continue;
			pthread_mutex_lock(&lock);
			q->next = waits;
			waits = q;
			count++;
			pthread_mutex_unlock(&lock);
		}
	}
	return NULL;
}

int axt_wait_start(void)
{
	pthread_t t;
	int error = pthread_create(&t, NULL, waiter, NULL);

	if (!error)
		pthread_detach(t);
	return error;
}

void axt_wait_add(struct axt_request *q)
{
	q->until = now() + (int64_t)*timeout_of(q) * 1000000;
	pthread_mutex_lock(&lock);
	q->next = waits;
	waits = q;
	count++;
	pthread_cond_signal(&added);
	pthread_mutex_unlock(&lock);
}
