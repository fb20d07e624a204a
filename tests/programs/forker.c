// SPDX-License-Identifier: Apache-2.0
//
// Opens a session, forks a child that lives on, prints its number and ends.
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
	CUcontext c;
	CUdeviceptr p;
	if (cuInit(0) || cuDevicePrimaryCtxRetain(&c, 0) || cuCtxSetCurrent(c) || cuMemAlloc(&p, 4))
		return 1;
	pid_t child = fork();
	if (child == 0) {
		close(1); // or who reads from them would wait for the child
		close(2);
		sleep(600);
		_exit(0);
	}
	printf("child %d\n", (int)child);
	return 0;
}
