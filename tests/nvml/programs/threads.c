// SPDX-License-Identifier: Apache-2.0
//
// Threads that call at once get their own answers, also while one of them waits for an event for long, and while others
// start and end NVML.
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "check.h"

#define THREADS 12
#define CALLS 400

static atomic_int running;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *ask(void *arg)
{
	unsigned me = (unsigned)(uintptr_t)arg, value;
	char name[64], text[64];
	nvmlDevice_t d;
	nvmlPciInfo_t pci;

	for (int i = 0; i < CALLS; i++) {
		WORKS(nvmlInit_v2());
		WORKS(nvmlDeviceGetHandleByIndex_v2(0, &d));
		switch ((me + (unsigned)i) % 4) {
		case 0:
			WORKS(nvmlDeviceGetName(d, name, sizeof name));
			MUST(!strcmp(name, "axon softgpu"));
			break;
		case 1:
			WORKS(nvmlDeviceGetPciInfo_v3(d, &pci));
			MUST(pci.bus == 0xf0);
			break;
		case 2:
			WORKS(nvmlDeviceGetIndex(d, &value));
			MUST(value == 0);
			break;
		default:
			WORKS(nvmlSystemGetDriverVersion(text, sizeof text));
			MUST(!strncmp(text, "580", 3));
		}
		WORKS(nvmlShutdown());
	}
	running--;
	return NULL;
}

static void *wait_for_event(void *arg)
{
	nvmlEventData_t data;
	double start = now();

	GIVES(NVML_ERROR_TIMEOUT, nvmlEventSetWait_v2(arg, &data, 1500));
	MUST(now() - start >= 1.4);
	return NULL;
}

int main(void)
{
	pthread_t waiter[3], t[THREADS];
	nvmlEventSet_t set;
	nvmlEventData_t data;
	unsigned count;

	WORKS(nvmlInit_v2());
	WORKS(nvmlEventSetCreate(&set));
	for (int i = 0; i < 3; i++)
		MUST(!pthread_create(&waiter[i], NULL, wait_for_event, set));
	double start = now();
	for (int i = 0; i < 20; i++)
		WORKS(nvmlDeviceGetCount_v2(&count));
	MUST(now() - start < 1.2); // none of them waited for the event
	running = THREADS;
	for (uintptr_t i = 0; i < THREADS; i++)
		MUST(!pthread_create(&t[i], NULL, ask, (void *)i));
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(waiter[i], NULL);
	MUST(running == 0);
	WORKS(nvmlEventSetFree(set));
	GIVES(NVML_ERROR_INVALID_ARGUMENT, nvmlEventSetWait_v2(set, &data, 10));
	GIVES(NVML_ERROR_INVALID_ARGUMENT, nvmlEventSetFree(set));
	return 0;
}
