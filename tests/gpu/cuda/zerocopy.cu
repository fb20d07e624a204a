// SPDX-License-Identifier: Apache-2.0
//
// The program's own memory used by kernels: mapped, registered, and polled by both sides
#include "must.h"

#include <time.h>

__global__ void twice(int *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i] *= 2;
}

// Answers each number that the host writes with its successor, until 0. Gives up after a few seconds.
__global__ void answer(volatile int *question, volatile int *reply)
{
	int last = 0;
	for (long long spin = 0; spin < 20000000; spin++) {
		int q = *question;
		if (q < 0)
			return;
		if (q != last) {
			last = q;
			*reply = q + 1;
			__threadfence_system();
		}
	}
}

static int right(const int *p, int n, int factor)
{
	int count = 0;
	for (int i = 0; i < n; i++)
		count += p[i] == factor * i;
	return count;
}

int main()
{
	enum { N = 1 << 20 };
	int *mapped, *device, *own;
	MUST(cudaSetDeviceFlags(cudaDeviceMapHost));
	MUST(cudaHostAlloc(&mapped, N * sizeof(int), cudaHostAllocMapped | cudaHostAllocWriteCombined));
	for (int i = 0; i < N; i++)
		mapped[i] = i;
	MUST(cudaHostGetDevicePointer(&device, mapped, 0));
	twice<<<N / 256, 256>>>(device, N);
	MUST(cudaDeviceSynchronize());
	printf("mapped: %d right\n", right(mapped, N, 2));

	int *dialogue;
	MUST(cudaHostAlloc(&dialogue, 2 * sizeof(int), cudaHostAllocMapped));
	dialogue[0] = dialogue[1] = 0;
	MUST(cudaHostGetDevicePointer(&device, dialogue, 0));
	answer<<<1, 1>>>(device, device + 1);
	MUST(cudaGetLastError());
	int answered = 0;
	for (int q = 10; q <= 50; q += 10) {
		((volatile int *)dialogue)[0] = q;
		time_t limit = time(NULL) + 10;
		while (((volatile int *)dialogue)[1] != q + 1 && time(NULL) < limit)
			;
		answered += ((volatile int *)dialogue)[1] == q + 1;
	}
	((volatile int *)dialogue)[0] = -1;
	MUST(cudaDeviceSynchronize());
	printf("polled: %d answers\n", answered);

	own = (int *)malloc(N * sizeof(int) + 64);
	int *odd = own + 3; // not at the start of a page
	for (int i = 0; i < N; i++)
		odd[i] = i;
	MUST(cudaHostRegister(odd, N * sizeof(int), cudaHostRegisterMapped));
	MUST(cudaHostGetDevicePointer(&device, odd, 0));
	twice<<<N / 256, 256>>>(device, N);
	MUST(cudaDeviceSynchronize());
	twice<<<N / 256, 256>>>(device, N);
	MUST(cudaDeviceSynchronize());
	cudaPointerAttributes a;
	MUST(cudaPointerGetAttributes(&a, odd));
	printf("registered: %d right, type %d\n", right(odd, N, 4), (int)a.type);
	printf("registered again: %s\n", cudaGetErrorName(cudaHostRegister(odd, 4096, 0)));
	cudaGetLastError();
	MUST(cudaHostUnregister(odd));
	printf("unregistered: %d right\n", right(odd, N, 4));
	free(own);
	MUST(cudaFreeHost(dialogue));
	MUST(cudaFreeHost(mapped));
	return 0;
}
