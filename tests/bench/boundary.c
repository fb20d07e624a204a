// SPDX-License-Identifier: Apache-2.0
//
// What the boundary costs: a call and back beside a socket pair's, posting,
// calls a second from several threads, the CPU of an idle session. Linked with
// the shim's own objects, for a call that does nothing (axNull).
//
// Prints NAME<TAB>VALUE<TAB>UNIT a line, then a table for people.
#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "call.h"
#include "cuda_client.h"

static uint64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void must(CUresult r, const char *what)
{
	if (r == CUDA_SUCCESS)
		return;
	const char *name = "an unknown error";
	cuGetErrorName(r, &name);
	fprintf(stderr, "bench: %s: %s\n", what, name);
	exit(1);
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

struct figures {
	double p50, p99;
};

static struct figures figures(uint64_t *t, size_t n)
{
	qsort(t, n, sizeof *t, by_value);
	return (struct figures){(double)t[n / 2], (double)t[n * 99 / 100]};
}

enum { ROUNDS = 100000, LESS_ROUNDS = 20000 };
static uint64_t taken[ROUNDS];

static struct figures roundtrip(void)
{
	for (int i = 0; i < 20000; i++)
		must(axNull(), "axNull");
	for (int i = 0; i < ROUNDS; i++) {
		uint64_t t = now();
		axNull();
		taken[i] = now() - t;
	}
	return figures(taken, ROUNDS);
}

static struct figures socketpair_roundtrip(void)
{
	int fd[2];
	char byte = 0;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fd))
		return (struct figures){0, 0};
	pid_t child = fork();
	if (child == 0) {
		close(fd[0]);
		while (read(fd[1], &byte, 1) == 1 && write(fd[1], &byte, 1) == 1)
			;
		_exit(0);
	}
	close(fd[1]);
	for (int i = 0; i < LESS_ROUNDS; i++) {
		uint64_t t = now();
		if (write(fd[0], &byte, 1) != 1 || read(fd[0], &byte, 1) != 1)
			break;
		taken[i] = now() - t;
	}
	close(fd[0]);
	waitpid(child, NULL, 0);
	return figures(taken, LESS_ROUNDS);
}

static const char nothing[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
			      ".visible .entry nothing(.param .u64 a, .param .u32 b)\n{\n  ret;\n}\n";

// Bursts that fit in a lane, so that what is timed is the client's own work.
static struct figures post_launch(void)
{
	CUmodule m;
	CUfunction f;
	uint64_t a = 1;
	unsigned b = 2;
	void *arguments[] = {&a, &b};
	enum { BURST = 1000, BURSTS = 50 };
	must(cuModuleLoadData(&m, nothing), "cuModuleLoadData");
	must(cuModuleGetFunction(&f, m, "nothing"), "cuModuleGetFunction");
	for (int k = 0; k < BURSTS; k++) {
		must(cuCtxSynchronize(), "cuCtxSynchronize");
		uint64_t t = now();
		for (int i = 0; i < BURST; i++)
			cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, NULL, arguments, NULL);
		taken[k] = (now() - t) / BURST;
	}
	must(cuCtxSynchronize(), "cuCtxSynchronize");
	return figures(taken, BURSTS);
}

static CUcontext context;
static _Atomic int go, stop;
static _Atomic uint64_t calls;

static void *caller(void *unused)
{
	(void)unused;
	cuCtxSetCurrent(context);
	must(axNull(), "axNull");
	while (!atomic_load(&go))
		;
	uint64_t n = 0;
	while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
		must(axNull(), "axNull");
		n++;
	}
	atomic_fetch_add(&calls, n);
	return NULL;
}

static double calls_per_second(int threads)
{
	pthread_t t[16];
	atomic_store(&go, 0);
	atomic_store(&stop, 0);
	atomic_store(&calls, 0);
	for (int i = 0; i < threads; i++)
		pthread_create(&t[i], NULL, caller, NULL);
	usleep(100000);
	uint64_t begin = now();
	atomic_store(&go, 1);
	usleep(1000000);
	atomic_store(&stop, 1);
	uint64_t end = now();
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	return (double)calls * 1e9 / (double)(end - begin);
}

// Processor seconds that all workers on this machine have used.
static double worker_seconds(void)
{
	double ticks = 0;
	DIR *d = opendir("/proc");
	struct dirent *e;
	while (d && (e = readdir(d))) {
		char path[300], line[1024];
		snprintf(path, sizeof path, "/proc/%s/stat", e->d_name);
		FILE *f = e->d_name[0] >= '0' && e->d_name[0] <= '9' ? fopen(path, "r") : NULL;
		unsigned long user, system;
		if (f && fgets(line, sizeof line, f) && strstr(line, "(axon-worker)") && strrchr(line, ')') &&
		    sscanf(strrchr(line, ')') + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) == 2)
			ticks += (double)(user + system);
		if (f)
			fclose(f);
	}
	if (d)
		closedir(d);
	return ticks / (double)sysconf(_SC_CLK_TCK);
}

static double own_seconds(void)
{
	struct rusage r;
	getrusage(RUSAGE_SELF, &r);
	return (double)r.ru_utime.tv_sec + (double)r.ru_utime.tv_usec / 1e6 + (double)r.ru_stime.tv_sec +
	       (double)r.ru_stime.tv_usec / 1e6;
}

static double idle_percent(void)
{
	sleep(1); // whoever still spins has stopped by now
	double workers = worker_seconds(), own = own_seconds();
	uint64_t begin = now();
	sleep(5);
	own = own_seconds() - own; // before looking at the workers, which costs
	uint64_t end = now();
	return (worker_seconds() - workers + own) * 100e9 / (double)(end - begin);
}

int main(void)
{
	char device[256] = "?";
	// Before the session: a fork is part of it.
	struct figures sp = socketpair_roundtrip();
	must(cuInit(0), "cuInit (is axond running? `axon run` says)");
	must(cuDevicePrimaryCtxRetain(&context, 0), "cuDevicePrimaryCtxRetain");
	must(cuCtxSetCurrent(context), "cuCtxSetCurrent");
	cuDeviceGetName(device, sizeof device, 0);

	struct figures rt = roundtrip(), post = post_launch();
	double one = calls_per_second(1), four = calls_per_second(4), sixteen = calls_per_second(16);
	double idle = idle_percent();

	printf("roundtrip_p50\t%.0f\tns\n", rt.p50);
	printf("roundtrip_p99\t%.0f\tns\n", rt.p99);
	printf("socketpair_p50\t%.0f\tns\n", sp.p50);
	printf("post_launch\t%.0f\tns\n", post.p50);
	printf("calls_per_s_1\t%.0f\t1/s\n", one);
	printf("calls_per_s_4\t%.0f\t1/s\n", four);
	printf("calls_per_s_16\t%.0f\t1/s\n", sixteen);
	printf("idle_cpu\t%.2f\t%%\n", idle);

	printf("\ndevice: %s, %ld processors\n", device, sysconf(_SC_NPROCESSORS_ONLN));
	printf("  a call and back               %8.0f ns   (99 of 100 under %.0f ns)\n", rt.p50, rt.p99);
	printf("  a socket pair, there and back %8.0f ns   %.1f times as long\n", sp.p50, sp.p50 / rt.p50);
	printf("  posting a launch              %8.0f ns\n", post.p50);
	printf("  calls a second: 1 thread %.0f, 4 threads %.0f, 16 threads %.0f\n", one, four, sixteen);
	printf("  an idle session               %8.2f %% of a processor\n", idle);
	return 0;
}
