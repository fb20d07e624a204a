// SPDX-License-Identifier: Apache-2.0
//
// Other processes: the victim is another session's worker.
#include "escape.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/wait.h>

// SIGCONT does nothing to one that runs.
static int signals_it(void) { return result(kill(escape_victim, SIGCONT)); }
static int signals_its_thread(void) { return result(syscall(SYS_tgkill, escape_victim, escape_victim, SIGCONT)); }
static int signals_a_thread_alone(void) { return result(syscall(SYS_tkill, escape_victim, SIGCONT)); }
static int signals_all(void) { return result(kill(-escape_victim, SIGCONT)); }

static int queues_a_signal(void)
{
	union sigval v = { .sival_int = 0 };
	return result(sigqueue(escape_victim, SIGCONT, v));
}

static int signals_by_descriptor(void)
{
	int fd = (int)syscall(434 /* pidfd_open */, escape_victim, 0);
	if (fd < 0)
		return errno;
	int r = result(syscall(424 /* pidfd_send_signal */, fd, SIGCONT, NULL, 0));
	close(fd);
	return r;
}

static int takes_a_descriptor(void)
{
	int fd = (int)syscall(434, escape_victim, 0);
	if (fd < 0)
		return errno;
	int got = (int)syscall(438 /* pidfd_getfd */, fd, 1, 0), r = result(got);
	close(got);
	close(fd);
	return r;
}

static int traces_it(void)
{
	if (ptrace(PTRACE_SEIZE, escape_victim, 0, 0) < 0)
		return errno;
	ptrace(PTRACE_DETACH, escape_victim, 0, 0);
	return 0;
}

// Nothing is there: who may look hears that.
static int reads_its_memory(void)
{
	char byte;
	struct iovec here = { &byte, 1 }, there = { (void *)(uintptr_t)4096, 1 };
	return allowed(process_vm_readv(escape_victim, &here, 1, &there, 1, 0));
}

static int compares_it(void) { return result(syscall(SYS_kcmp, getpid(), escape_victim, 0, 0, 0)); }

static int reads_its_limits(void)
{
	struct rlimit l;
	return result(prlimit(escape_victim, RLIMIT_NOFILE, NULL, &l));
}

static int has_it_signalled(void) // by what happens to a descriptor of this process
{
	int p[2];
	if (pipe2(p, O_CLOEXEC) < 0)
		return errno;
	int r = result(fcntl(p[0], F_SETOWN, escape_victim));
	close(p[0]);
	close(p[1]);
	return r;
}

static int forks(void)
{
	pid_t child = fork();
	if (child == 0)
		_exit(0);
	if (child > 0)
		waitpid(child, NULL, 0);
	return result(child);
}

static int forks_into_a_namespace(void)
{
	long child = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, 0);
	if (child == 0)
		_exit(0);
	if (child > 0)
		waitpid((pid_t)child, NULL, 0);
	return result(child);
}

static int forks_the_new_way(void)
{
	uint64_t a[11] = { [4] = SIGCHLD }; // struct clone_args
	long child = syscall(435 /* clone3 */, a, sizeof a);
	if (child == 0)
		_exit(0);
	if (child > 0)
		waitpid((pid_t)child, NULL, 0);
	return result(child);
}

static int session_of_its_own(void)
{
	return result(getpid() == getsid(0) || getpid() == getpgrp() ? setpgid(0, getppid()) : setsid());
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *waits(void *arg)
{
	pthread_mutex_lock(&gate);
	pthread_mutex_unlock(&gate);
	return arg;
}

static int more_threads_than_a_user_has(void)
{
	enum { MANY = 8300 };
	static pthread_t thread[MANY];
	pthread_attr_t small;
	int made = 0, error = 0;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 16384);
	pthread_mutex_lock(&gate);
	while (made < MANY && !(error = pthread_create(&thread[made], &small, waits, NULL)))
		made++;
	pthread_mutex_unlock(&gate);
	while (made)
		pthread_join(thread[--made], NULL);
	return error;
}

const struct attempt escape_processes[] = {
	{ "signals-a-worker", signals_it },
	{ "signals-a-workers-thread", signals_its_thread },
	{ "signals-a-thread", signals_a_thread_alone },
	{ "signals-a-workers-group", signals_all },
	{ "queues-a-signal", queues_a_signal },
	{ "signals-by-descriptor", signals_by_descriptor },
	{ "takes-a-workers-descriptor", takes_a_descriptor },
	{ "traces-a-worker", traces_it },
	{ "reads-a-workers-memory", reads_its_memory },
	{ "compares-with-a-worker", compares_it },
	{ "reads-a-workers-limits", reads_its_limits },
	{ "has-a-worker-signalled", has_it_signalled },
	{ "forks", forks },
	{ "forks-into-a-namespace", forks_into_a_namespace },
	{ "forks-the-new-way", forks_the_new_way },
	{ "leaves-its-process-group", session_of_its_own },
	{ "starts-more-threads-than-a-user-has", more_threads_than_a_user_has },
	{ NULL, NULL },
};
