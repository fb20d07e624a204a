// SPDX-License-Identifier: Apache-2.0
//
// A child of fork uses NVML as its parent did, on a connection of its own, also when the parent's other threads were in
// the middle of calls, and one that has closed all descriptors as well.
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define CHILDREN 40

static atomic_bool done;

static void *keep_busy(void *arg)
{
	unsigned count;

	(void)arg;
	while (!done)
		WORKS(nvmlDeviceGetCount_v2(&count));
	return NULL;
}

static void child(nvmlDevice_t d, int close_all)
{
	char name[64];
	unsigned count;

	alarm(60); // a lock that nobody holds any more would be waited for for ever
	if (close_all)
		for (int fd = 3; fd < 64; fd++)
			close(fd);
	WORKS(nvmlDeviceGetName(d, name, sizeof name));
	MUST(!strcmp(name, "axon softgpu"));
	WORKS(nvmlInit_v2());
	WORKS(nvmlDeviceGetCount_v2(&count));
	WORKS(nvmlShutdown());
	WORKS(nvmlShutdown());
	GIVES(NVML_ERROR_UNINITIALIZED, nvmlDeviceGetCount_v2(&count));
	_exit(0);
}

int main(void)
{
	pthread_t t[3];
	nvmlDevice_t d;
	unsigned count;
	int status;

	WORKS(nvmlInit_v2());
	WORKS(nvmlDeviceGetHandleByIndex_v2(0, &d));
	for (int i = 0; i < 3; i++)
		MUST(!pthread_create(&t[i], NULL, keep_busy, NULL));
	for (int i = 0; i < CHILDREN; i++) {
		pid_t pid = fork();
		if (!pid)
			child(d, i & 1);
		MUST(pid > 0 && waitpid(pid, &status, 0) == pid);
		MUST(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	}
	done = 1;
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	// The program closes what is not its own, and opens something else in that place.
	for (int fd = 3; fd < 64; fd++)
		close(fd);
	int pipes[2];
	MUST(!pipe(pipes));
	WORKS(nvmlDeviceGetCount_v2(&count));
	MUST(write(pipes[1], "x", 1) == 1);
	WORKS(nvmlShutdown());
	MUST(write(pipes[1], "x", 1) == 1);
	return 0;
}
