// SPDX-License-Identifier: Apache-2.0
//
// A client that does what it is told, for tests of faults: a line a command on
// stdin, a line an answer on stdout.
//
//   open        start a session, allocate 4 bytes           open RESULT
//   call        write a number there and read it back       call RESULT
//   wait        wait for the context                         wait RESULT
//   hold        allocate 64 MiB                              hold RESULT
//   fill        allocate 64 MiB more, and write to them     fill RESULT
//   busy        launch a kernel that runs until it is ended  busy RESULT
//   graph       run a graph that copies to ordinary memory   graph RESULT
//   queue       launch it once more, and do not wait         queue RESULT
//   look        is that memory what it was                   look RESULT
//   share       register a memfd, let a kernel write there   share RESULT
//   shorten     make it shorter, and let a kernel write once more shorten RESULT
//   load        load images of 64 MiB until it is ended      load RESULT, of the first
//   scribble N  fill the session's region with noise, seed N scribble done
//   leave       exit(0)
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cuda.h>
#include <stdlib.h>

#include "fatbin.h"
#include "kernels.h"

static CUdeviceptr p;

static CUresult open_session(void)
{
	CUcontext c;
	CUresult r;
	if ((r = cuInit(0)) || (r = cuDevicePrimaryCtxRetain(&c, 0)) || (r = cuCtxSetCurrent(c)))
		return r;
	return cuMemAlloc(&p, 4);
}

static CUresult call(void)
{
	static unsigned v;
	unsigned got = 0, want = ++v;
	CUresult r;
	if ((r = cuMemcpyHtoD(p, &want, 4)) || (r = cuMemcpyDtoH(&got, p, 4)))
		return r;
	return got == want ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN;
}

static CUresult fill(void)
{
	CUdeviceptr q;
	CUresult r;
	if ((r = cuMemAlloc(&q, 64 << 20)) || (r = cuMemsetD8(q, 1, 64 << 20)))
		return r;
	return cuCtxSynchronize();
}

static CUresult busy(void)
{
	static const char ptx[] = PTX_HEAD PTX_GATE;
	CUmodule m;
	CUfunction f;
	CUresult r;
	void *arguments[] = {&p};
	if ((r = cuMemsetD32(p, 0, 1)) || (r = cuModuleLoadData(&m, ptx)) || (r = cuModuleGetFunction(&f, m, "gate")))
		return r;
	return cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL);
}

static struct {
	unsigned before[2000], word, after[2000];
} *memory;
static CUgraphExec exec;

static CUresult graph(void)
{
	CUgraph g;
	CUgraphNode node;
	CUcontext c;
	CUresult r;
	CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_DEVICE, .srcDevice = p, .dstMemoryType = CU_MEMORYTYPE_HOST,
			      .WidthInBytes = 4, .Height = 1, .Depth = 1};
	memory = calloc(1, sizeof *memory);
	if (!memory)
		return CUDA_ERROR_OUT_OF_MEMORY;
	copy.dstHost = &memory->word;
	memory->before[0] = 11, memory->after[1999] = 22;
	if ((r = cuMemsetD32(p, 1234, 1)) || (r = cuCtxGetCurrent(&c)) || (r = cuGraphCreate(&g, 0)) ||
	    (r = cuGraphAddMemcpyNode(&node, g, NULL, 0, &copy, c)) || (r = cuGraphInstantiate(&exec, g, 0)) ||
	    (r = cuGraphLaunch(exec, NULL)) || (r = cuCtxSynchronize()))
		return r;
	return memory->word == 1234 ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN;
}

static CUresult look(void)
{
	memory->before[1]++;
	return memory->before[0] == 11 && memory->word == 1234 && memory->after[1999] == 22 ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN;
}

static unsigned *shared;
static int shared_file;

static CUresult put(unsigned v)
{
	static const char ptx[] = PTX_HEAD PTX_PUT;
	CUmodule m;
	CUfunction f;
	CUresult r;
	CUdeviceptr at = (CUdeviceptr)(uintptr_t)shared;
	void *arguments[] = {&at, &v};
	if ((r = cuModuleLoadData(&m, ptx)) || (r = cuModuleGetFunction(&f, m, "put")) ||
	    (r = cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL)))
		return r;
	return cuCtxSynchronize();
}

static CUresult share(void)
{
	CUresult r;
	if ((shared_file = memfd_create("shared", MFD_CLOEXEC)) < 0 || ftruncate(shared_file, 65536))
		return CUDA_ERROR_OUT_OF_MEMORY;
	shared = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_SHARED, shared_file, 0);
	if (shared == MAP_FAILED)
		return CUDA_ERROR_OUT_OF_MEMORY;
	if ((r = cuMemHostRegister(shared, 65536, CU_MEMHOSTREGISTER_DEVICEMAP)) || (r = put(77)))
		return r;
	return *shared == 77 ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN;
}

static CUresult shorten(void)
{
	if (ftruncate(shared_file, 0))
		return CUDA_ERROR_UNKNOWN;
	return put(78);
}

static void load(void)
{
	static const char ptx[] = PTX_HEAD PTX_GATE;
	CUmodule m;
	uint8_t *image = malloc(fatbin_size(ptx, 64 << 20));
	if (image)
		fatbin_write(image, ptx, 64 << 20);
	for (unsigned i = 0;; i++) {
		CUresult r = image ? cuModuleLoadData(&m, image) : CUDA_ERROR_OUT_OF_MEMORY;
		if (!i || r)
			printf("load %d\n", r);
		if (r)
			break;
		cuModuleUnload(m);
	}
	free(image);
}

// Finds the region among this process's mappings and fills its header, lanes
// and frames with noise, as a program gone wild would.
static void scribble(unsigned seed)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	while (maps && fgets(line, sizeof line, maps)) {
		unsigned long from, to;
		if (!strstr(line, "memfd:axon-region") || sscanf(line, "%lx-%lx", &from, &to) != 2)
			continue;
		unsigned long n = to - from < 0x300000 ? to - from : 0x300000;
		uint32_t x = seed * 2654435761u + 1;
		for (unsigned long i = 0; i + 4 <= n; i += 4) {
			x ^= x << 13, x ^= x >> 17, x ^= x << 5;
			// Some places get small numbers: those get past more checks.
			*(volatile uint32_t *)(from + i) = x % 3 ? x : x % 64;
		}
	}
	if (maps)
		fclose(maps);
}

int main(void)
{
	char line[64];
	setvbuf(stdout, NULL, _IOLBF, 0);
	while (fgets(line, sizeof line, stdin)) {
		line[strcspn(line, "\n")] = 0;
		if (!strcmp(line, "open"))
			printf("open %d\n", open_session());
		else if (!strcmp(line, "call"))
			printf("call %d\n", call());
		else if (!strcmp(line, "wait"))
			printf("wait %d\n", cuCtxSynchronize());
		else if (!strcmp(line, "hold")) {
			CUdeviceptr q;
			printf("hold %d\n", cuMemAlloc(&q, 64 << 20));
		} else if (!strcmp(line, "fill"))
			printf("fill %d\n", fill());
		else if (!strcmp(line, "busy"))
			printf("busy %d\n", busy());
		else if (!strcmp(line, "graph"))
			printf("graph %d\n", graph());
		else if (!strcmp(line, "queue"))
			printf("queue %d\n", cuGraphLaunch(exec, NULL));
		else if (!strcmp(line, "look"))
			printf("look %d\n", look());
		else if (!strcmp(line, "share"))
			printf("share %d\n", share());
		else if (!strcmp(line, "shorten"))
			printf("shorten %d\n", shorten());
		else if (!strcmp(line, "load"))
			load();
		else if (!strncmp(line, "scribble ", 9)) {
			scribble((unsigned)atoi(line + 9));
			printf("scribble done\n");
		} else if (!strcmp(line, "leave"))
			exit(0);
		else
			printf("what\n");
	}
	return 0;
}
