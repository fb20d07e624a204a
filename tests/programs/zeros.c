// SPDX-License-Identifier: Apache-2.0
//
// Calls every function whose name it reads on stdin with zeros for all of its
// arguments: programs pass null pointers and dead handles, and an error is the
// answer to that. `zeros before` calls them without cuInit, `zeros after` with
// a context, `zeros forked` in a child of a process that has a session.
// A line a function: NAME RESULT, or NAME signal NUMBER.
#include <cuda.h>
#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef CUresult (*function)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
			     uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);

static sigjmp_buf back;
static char name[256];

static void caught(int signal) { siglongjmp(back, signal); }

static void stuck(int signal)
{
	(void)signal;
	printf("%s hangs\n", name);
	fflush(stdout);
	_exit(1);
}

// What takes away the session or the context that all others are to be called with.
static int left_out(int with_context)
{
	return !strcmp(name, "cuInit") || (with_context && (!strncmp(name, "cuDevicePrimaryCtxRe", 20)));
}

static int call_all(int with_context)
{
	CUcontext context = NULL;

	if (with_context)
		cuCtxGetCurrent(&context);
	// A loop that reads the next name only when the last call is over: a jump out
	// of a call that crashed leaves no lock of stdio's behind.
	while (fgets(name, sizeof name, stdin)) {
		name[strcspn(name, " \t\n")] = 0;
		if (!*name || *name == '#' || left_out(with_context))
			continue;
		if (with_context)
			cuCtxSetCurrent(context);
		void *symbol = dlsym(RTLD_DEFAULT, name);
		function f;
		memcpy(&f, &symbol, sizeof f);
		if (!f) {
			printf("%s missing\n", name);
			continue;
		}
		alarm(20);
		int signal = sigsetjmp(back, 1);
		if (signal)
			printf("%s signal %d\n", name, signal);
		else
			printf("%s %d\n", name, f(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
	}
	alarm(0);
	fflush(stdout);
	return 0;
}

int main(int argc, char **argv)
{
	const char *when = argc > 1 ? argv[1] : "";
	CUcontext context;
	struct sigaction crash = {.sa_handler = caught, .sa_flags = SA_NODEFER}, late = {.sa_handler = stuck};

	sigaction(SIGSEGV, &crash, NULL);
	sigaction(SIGBUS, &crash, NULL);
	sigaction(SIGFPE, &crash, NULL);
	sigaction(SIGILL, &crash, NULL);
	sigaction(SIGALRM, &late, NULL);
	if (!strcmp(when, "before"))
		return call_all(0);
	if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context)) {
		fprintf(stderr, "zeros: no device\n");
		return 1;
	}
	if (!strcmp(when, "after"))
		return call_all(1);
	pid_t child = fork();
	if (child == 0)
		_exit(call_all(0));
	int status = 1;
	waitpid(child, &status, 0);
	return status != 0;
}
