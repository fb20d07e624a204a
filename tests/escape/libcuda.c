// SPDX-License-Identifier: Apache-2.0
//
// A vendor's library that has been taken over: its cuInit tries what somebody
// would who got into a worker, and prints how each attempt went, as
//
//   escape NAME got in
//   escape NAME ERRNO
//
// Attempts run in a child, where there can be one: some change the process.
// Without CUDA_ESCAPE in the environment it does nothing, and is a victim.
#include "escape.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define API __attribute__((visibility("default")))

char escape_folder[256];
int escape_victim, escape_port;

const char *in_folder(const char *name)
{
	static char path[512];
	snprintf(path, sizeof path, "%s/%s", escape_folder, name);
	return path;
}

static void try(const struct attempt *a)
{
	int got, status;
	pid_t child = fork();

	if (child == 0)
		_exit(a->try());
	if (child > 0)
		got = waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : ECHILD;
	else
		got = a->try();
	printf(got ? "escape %s %s\n" : "escape %s got in\n", a->name, strerror(got));
	fflush(stdout);
}

static void say_descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	char at[512];

	for (struct dirent *e; d && (e = readdir(d));) {
		ssize_t n = readlinkat(dirfd(d), e->d_name, at, sizeof at - 1);
		if (n < 0 || atoi(e->d_name) == dirfd(d))
			continue;
		at[n] = 0;
		printf("open %s %s\n", e->d_name, at);
	}
	if (d)
		closedir(d);
}

API int cuInit(unsigned flags)
{
	const char *arguments = getenv("CUDA_ESCAPE"); // FOLDER VICTIM PORT
	const struct attempt *const all[] = { escape_files, escape_calls, escape_processes, escape_sockets };

	(void)flags;
	if (!arguments || sscanf(arguments, "%255s %d %d", escape_folder, &escape_victim, &escape_port) != 3)
		return 0;
	say_descriptors();
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		for (const struct attempt *a = all[i]; a->name; a++)
			try(a);
	printf("escape done\n");
	fflush(stdout);
	// Not in a child: what may not fork may try as well. It must not come back.
	execl("/bin/sh", "sh", "-c", "echo escape exec got in", (char *)NULL);
	printf("escape exec %s\n", strerror(errno));
	fflush(stdout);
	return 0;
}

API int cuDriverGetVersion(int *version)
{
	*version = 13000;
	return 0;
}

API int cuDeviceGetCount(int *count)
{
	*count = 0;
	return 0;
}

API int cuCtxSetCurrent(void *context)
{
	(void)context;
	return 201;
}
