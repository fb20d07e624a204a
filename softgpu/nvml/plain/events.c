/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets of events, in which nothing ever happens: a wait takes its time and ends with it.
 */
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "plain.h"

#define SETS_MAX 4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned char live[SETS_MAX]; /* a set's handle is 1 + its place */

int plain_set(uint64_t handle)
{
	pthread_mutex_lock(&lock);
	int lives = handle && handle <= SETS_MAX && live[handle - 1];
	pthread_mutex_unlock(&lock);
	return lives;
}

static nvmlReturn_t plain_nvmlEventSetCreate(nvmlEventSet_t *set)
{
	nvmlReturn_t r = NVML_ERROR_MEMORY;

	pthread_mutex_lock(&lock);
	for (uintptr_t i = 0; i < SETS_MAX && r; i++)
		if (!live[i]) {
			live[i] = 1;
			*set = (nvmlEventSet_t)(i + 1);
			r = NVML_SUCCESS;
		}
	pthread_mutex_unlock(&lock);
	return r;
}

static nvmlReturn_t plain_nvmlEventSetFree(nvmlEventSet_t set)
{
	pthread_mutex_lock(&lock);
	live[(uintptr_t)set - 1] = 0;
	pthread_mutex_unlock(&lock);
	return NVML_SUCCESS;
}

static nvmlReturn_t plain_nvmlEventSetWait_v2(nvmlEventSet_t set, nvmlEventData_t *data, unsigned ms)
{
	struct timespec t = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000l };

	(void)set, (void)data;
	while (nanosleep(&t, &t))
		;
	return NVML_ERROR_TIMEOUT;
}
#define plain_nvmlEventSetWait plain_nvmlEventSetWait_v2

const struct plain_function plain_events[] = {
	PLAIN(nvmlEventSetCreate), PLAIN(nvmlEventSetFree), PLAIN(nvmlEventSetWait_v2), PLAIN(nvmlEventSetWait), { NULL, NULL },
};
