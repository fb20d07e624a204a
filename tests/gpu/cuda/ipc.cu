// SPDX-License-Identifier: Apache-2.0
//
// Memory and an event of one process opened in another (cudaIpc*)
#include "must.h"

#include <sys/wait.h>
#include <unistd.h>

__global__ void add(int *p, int v) { p[threadIdx.x] += v; }

struct parcel {
	cudaIpcMemHandle_t memory;
	cudaIpcEventHandle_t event;
};

static void all(ssize_t n, size_t want)
{
	if (n != (ssize_t)want) {
		fprintf(stderr, "ipc: the other process is gone\n");
		exit(1);
	}
}

static int child(int in, int out)
{
	struct parcel p;
	cudaEvent_t ready;
	int *theirs, host[32];
	all(read(in, &p, sizeof p), sizeof p);
	MUST(cudaIpcOpenMemHandle((void **)&theirs, p.memory, cudaIpcMemLazyEnablePeerAccess));
	MUST(cudaIpcOpenEventHandle(&ready, p.event));
	MUST(cudaStreamWaitEvent(0, ready, 0));
	MUST(cudaMemcpy(host, theirs, sizeof host, cudaMemcpyDeviceToHost));
	printf("the child sees %d and %d\n", host[0], host[31]);
	add<<<1, 32>>>(theirs, 1000);
	MUST(cudaDeviceSynchronize());
	MUST(cudaIpcCloseMemHandle(theirs));
	fflush(stdout);
	all(write(out, "d", 1), 1);
	return 0;
}

int main()
{
	int to[2], from[2], status;
	if (pipe(to) || pipe(from))
		return 1;
	pid_t other = fork(); // before the first call: a context does not survive it
	if (other == 0)
		return child(to[0], from[1]);
	close(from[1]);
	int *mine, host[32];
	struct parcel p;
	cudaEvent_t ready;
	char byte;
	for (int i = 0; i < 32; i++)
		host[i] = i;
	MUST(cudaMalloc(&mine, sizeof host));
	MUST(cudaMemcpy(mine, host, sizeof host, cudaMemcpyHostToDevice));
	MUST(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming | cudaEventInterprocess));
	add<<<1, 32>>>(mine, 5);
	MUST(cudaEventRecord(ready, 0));
	MUST(cudaIpcGetMemHandle(&p.memory, mine));
	MUST(cudaIpcGetEventHandle(&p.event, ready));
	all(write(to[1], &p, sizeof p), sizeof p);
	all(read(from[0], &byte, 1), 1);
	MUST(cudaMemcpy(host, mine, sizeof host, cudaMemcpyDeviceToHost));
	waitpid(other, &status, 0);
	printf("the parent has %d and %d, the child ended with %d\n", host[0], host[31], status);
	return status != 0;
}
