// SPDX-License-Identifier: Apache-2.0
//
// How long a program waits for its first kernel: from exec to the end of it,
// the middle of several runs of itself. For any libcuda.so.1.
//
//   start NAME RUNS PAUSE    prints NAME<TAB>VALUE<TAB>ms; PAUSE is in ms, between two runs
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cuda.h>

static const char ptx[] = ".version 7.0\n.target sm_52\n.address_size 64\n"
			  ".visible .entry one(.param .u64 p)\n{\n"
			  "  .reg .b64 %d<2>;\n  ld.param.u64 %d0, [p];\n  cvta.to.global.u64 %d1, %d0;\n"
			  "  st.global.u32 [%d1], 1;\n  ret;\n}\n";

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

// 0, or 1 when some call failed.
static int first_kernel(void)
{
	CUcontext c;
	CUmodule m;
	CUfunction f;
	CUdeviceptr p;
	unsigned got = 0;
	void *arguments[] = {&p};

	return cuInit(0) || cuDevicePrimaryCtxRetain(&c, 0) || cuCtxSetCurrent(c) || cuModuleLoadData(&m, ptx) ||
	       cuModuleGetFunction(&f, m, "one") || cuMemAlloc(&p, 4) ||
	       cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL) || cuCtxSynchronize() ||
	       cuMemcpyDtoH(&got, p, 4) || got != 1;
}

// From exec on, in ms; -1 when the run failed.
static double one_run(void)
{
	int fd[2], status;
	char done;
	if (pipe(fd))
		return -1;
	double began = now();
	pid_t child = fork();
	if (child == 0) {
		dup2(fd[1], 1);
		close(fd[0]);
		execl("/proc/self/exe", "start", (char *)NULL);
		_exit(2);
	}
	close(fd[1]);
	ssize_t n = read(fd[0], &done, 1);
	double took = now() - began;
	close(fd[0]);
	if (child < 0 || waitpid(child, &status, 0) < 0 || n != 1 || status)
		return -1;
	return took;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	double took[100];

	if (argc == 1)
		return first_kernel() || write(1, "d", 1) != 1;
	int runs = argc == 4 ? atoi(argv[2]) : 0;
	if (runs < 1 || runs > 100) {
		fprintf(stderr, "start: start NAME RUNS PAUSE; RUNS is 1 to 100\n");
		return 2;
	}
	for (int i = 0; i < runs; i++) {
		usleep((useconds_t)atoi(argv[3]) * 1000);
		took[i] = one_run();
		if (took[i] < 0) {
			fprintf(stderr, "start: %s: a run failed; is axond running?\n", argv[1]);
			return 1;
		}
	}
	qsort(took, (size_t)runs, sizeof *took, by_value);
	printf("%s\t%.1f\tms\n", argv[1], took[runs / 2]);
	return 0;
}
