// SPDX-License-Identifier: Apache-2.0
//
// Which errors come from what, and that a broken context stays broken
#include "must.h"

#include <sys/wait.h>
#include <unistd.h>

__global__ void nothing() {}
__global__ void wild(int *p) { *p = 1; }
__global__ void trap() { asm("trap;"); }
__global__ void large() { __shared__ int s[1000]; s[threadIdx.x] = 1; }

static void say(const char *what, cudaError_t e)
{
	printf("%s: %s, last %s", what, cudaGetErrorName(e), cudaGetErrorName(cudaPeekAtLastError()));
	cudaGetLastError();
	printf(", then %s\n", cudaGetErrorName(cudaGetLastError()));
}

static void refusals()
{
	int *p;
	cudaEvent_t a, b;
	float ms;
	cudaStream_t s;
	say("a block too large", (nothing<<<1, 2048>>>(), cudaPeekAtLastError()));
	say("no blocks", (nothing<<<0, 32>>>(), cudaPeekAtLastError()));
	say("too much shared memory", (large<<<1, 32, 1 << 20>>>(), cudaPeekAtLastError()));
	say("too much memory", cudaMalloc(&p, (size_t)1 << 50));
	say("no such device", cudaSetDevice(1000));
	say("free of a wrong address", cudaFree((void *)0x1234));
	say("free of nothing", cudaFree(NULL));
	say("a copy to nowhere", cudaMemcpy(NULL, &ms, 4, cudaMemcpyHostToDevice));
	say("a copy of no bytes", cudaMemcpy(NULL, NULL, 0, cudaMemcpyDefault));
	MUST(cudaEventCreate(&a));
	MUST(cudaEventCreate(&b));
	say("elapsed time of events that did not happen", cudaEventElapsedTime(&ms, a, b));
	say("such an event is done", cudaEventQuery(a));
	MUST(cudaStreamCreate(&s));
	say("an idle stream", cudaStreamQuery(s));
	MUST(cudaMalloc(&p, 4096));
	MUST(cudaFree(p));
	say("a second free", cudaFree(p));
	MUST(cudaDeviceReset());
	say("after a reset", cudaMalloc(&p, 16));
}

static void bad_address()
{
	int *p;
	MUST(cudaMalloc(&p, 16));
	wild<<<1, 1>>>((int *)16);
	say("a bad address", cudaDeviceSynchronize());
	say("then memory", cudaMalloc(&p, 16));
	say("and a kernel", (nothing<<<1, 1>>>(), cudaDeviceSynchronize()));
}

static void trapped()
{
	trap<<<1, 1>>>();
	say("a trap", cudaDeviceSynchronize());
	say("then", cudaStreamSynchronize(0));
}

int main()
{
	void (*cases[])() = {refusals, bad_address, trapped};
	for (auto run : cases) {
		fflush(stdout);
		pid_t child = fork(); // the parent never calls the library
		if (child == 0) {
			run();
			fflush(stdout);
			_exit(0);
		}
		int status;
		waitpid(child, &status, 0);
		printf("ended with %d\n", status);
	}
	return 0;
}
