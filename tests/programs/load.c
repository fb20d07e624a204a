// SPDX-License-Identifier: Apache-2.0
//
// Load for a GPU that many programs share, for tests/gpu/many and tests/suite.
//
//   load                     does what it is told, a line a command on stdin, a line an answer on stdout
//   load COMMAND...          does those and exits
//
//   open                     a context on device 0                        open RESULT
//   work SEED ROUNDS SCALE   that many pieces of work, checked            work DIGEST
//   large                    copies 32 MiB there and back                 large RESULT
//   memory                   of the device, bytes                         memory FREE TOTAL
//   names                    see highest_name in pieces.h                 names N
//   busy                     launches a kernel that runs for 30 s         busy RESULT
//   fault KIND               illegal, assert or trap: what the context's
//                            wait and three calls after it say            fault A B C D
//   wait                     for the context                              wait RESULT
//   leave                    exit(0), whatever runs
//
// What DIGEST is depends on the three numbers alone. Work that comes out wrong
// ends the process with status 1 and a line `FAILED PIECE: WHAT`.
#include "pieces.h"

// asserts() fails an assertion, traps() traps, wild() is in kernels.h.
static const char fault_ptx[] = PTX_HEAD PTX_WILD PTX_GATE
	".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s);\n"
	".global .align 1 .b8 word[5] = {108, 111, 97, 100, 0};\n"
	".visible .entry asserts()\n{\n  .reg .b64 %rd<3>;\n"
	"  mov.u64 %rd1, word;\n  cvta.global.u64 %rd2, %rd1;\n"
	"  {\n  .param .b64 m;\n  .param .b64 f;\n  .param .b32 l;\n  .param .b64 n;\n  .param .b64 s;\n"
	"  st.param.b64 [m+0], %rd2;\n  st.param.b64 [f+0], %rd2;\n  st.param.b32 [l+0], 12;\n"
	"  st.param.b64 [n+0], %rd2;\n  st.param.b64 [s+0], 1;\n"
	"  call.uni __assertfail, (m, f, l, n, s);\n  }\n  ret;\n}\n"
	".visible .entry traps()\n{\n  trap;\n  ret;\n}\n";

static struct job job;

static CUresult open_context(void)
{
	CUresult r;
	if (job.context)
		return CUDA_SUCCESS;
	if ((r = cuInit(0)) || (r = cuDevicePrimaryCtxRetain(&job.context, 0)) || (r = cuCtxSetCurrent(job.context)))
		return r;
	if ((r = cuModuleLoadData(&job.module, piece_ptx)) || (r = cuModuleGetFunction(&job.blend, job.module, "blend")))
		return r;
	return cuModuleGetFunction(&job.total, job.module, "total");
}

static uint64_t work(uint64_t seed, unsigned rounds, size_t scale)
{
	job.random = (seed + 1) * 0x9e3779b97f4a7c15ull;
	job.digest = 0xcbf29ce484222325ull;
	job.scale = scale ? scale : 1;
	while (rounds--)
		piece(&job);
	return job.digest;
}

static CUresult large(void)
{
	enum { BYTES = 32 << 20 };
	unsigned char *a = malloc(BYTES), *b = calloc(BYTES, 1);
	CUdeviceptr p = 0;
	CUresult r = a && b ? cuMemAlloc(&p, BYTES) : CUDA_ERROR_OUT_OF_MEMORY;
	for (size_t i = 0; a && i < BYTES; i++)
		a[i] = (unsigned char)(i * 7 + (i >> 12));
	if (!r && !(r = cuMemcpyHtoD(p, a, BYTES)) && !(r = cuMemcpyDtoH(b, p, BYTES)) && memcmp(a, b, BYTES))
		r = CUDA_ERROR_UNKNOWN;
	if (p)
		cuMemFree(p);
	free(a);
	free(b);
	return r;
}

static CUresult launch_alone(const char *name, void **arguments)
{
	CUmodule m;
	CUfunction f;
	CUresult r;
	if ((r = cuModuleLoadData(&m, fault_ptx)) || (r = cuModuleGetFunction(&f, m, name)))
		return r;
	return cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL);
}

static CUresult busy(void)
{
	static CUdeviceptr flag;
	CUresult r;
	if ((r = cuMemAlloc(&flag, 4)) || (r = cuMemsetD32(flag, 0, 1)))
		return r;
	return launch_alone("gate", (void *[]){&flag});
}

static void fault(const char *kind)
{
	const char *kernel = !strcmp(kind, "illegal") ? "wild" : !strcmp(kind, "assert") ? "asserts" : "traps";
	CUdeviceptr p, q = 0;
	CUresult r = cuMemAlloc(&q, 4);
	uint32_t v;
	if (!r)
		r = launch_alone(kernel, NULL);
	if (r) {
		printf("FAILED launching %s: %d\n", kernel, r);
		exit(1);
	}
	int first = cuCtxSynchronize(), second = cuMemAlloc(&p, 4), third = cuMemcpyDtoH(&v, q, 4);
	printf("fault %d %d %d %d\n", first, second, third, cuCtxSynchronize());
}

static void told(char *line)
{
	unsigned long long seed;
	unsigned rounds;
	size_t scale, free_bytes = 0, total = 0;
	int r;
	if (!strcmp(line, "leave"))
		exit(0);
	if (!strcmp(line, "wait")) {
		printf("wait %d\n", cuCtxSynchronize());
		return;
	}
	if (!strcmp(line, "names")) {
		printf("names %u\n", highest_name);
		return;
	}
	if ((r = open_context()) || !strcmp(line, "open")) {
		printf("%s %d\n", r ? "FAILED open:" : "open", r);
		if (r)
			exit(1);
	} else if (sscanf(line, "work %llu %u %zu", &seed, &rounds, &scale) == 3)
		printf("work %016llx\n", (unsigned long long)work(seed, rounds, scale));
	else if (!strcmp(line, "large"))
		printf("large %d\n", large());
	else if (!strcmp(line, "memory")) {
		r = cuMemGetInfo(&free_bytes, &total);
		printf("memory %zu %zu\n", r ? 0 : free_bytes, total);
	} else if (!strcmp(line, "busy"))
		printf("busy %d\n", busy());
	else if (!strncmp(line, "fault ", 6))
		fault(line + 6);
	else
		printf("what\n");
}

int main(int argc, char **argv)
{
	char line[128];
	setvbuf(stdout, NULL, _IOLBF, 0);
	setenv("CUDA_MODULE_LOADING", "EAGER", 1); // loading a kernel waits for the device, which another may be holding up
	for (int i = 1; i < argc; i++)
		told(argv[i]);
	while (argc < 2 && fgets(line, sizeof line, stdin)) {
		line[strcspn(line, "\n")] = 0;
		told(line);
	}
	return 0;
}
