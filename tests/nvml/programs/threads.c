// SPDX-License-Identifier: Apache-2.0
//
// Threads that call at once get their own answers, also while others start and end NVML.
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "check.h"

#define THREADS 12
#define CALLS 400

static atomic_int running;

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

int main(void)
{
	pthread_t t[THREADS];

	WORKS(nvmlInit_v2());
	running = THREADS;
	for (uintptr_t i = 0; i < THREADS; i++)
		MUST(!pthread_create(&t[i], NULL, ask, (void *)i));
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	MUST(running == 0);
	return 0;
}
