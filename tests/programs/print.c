// SPDX-License-Identifier: Apache-2.0
//
// What device code prints: it comes out on the program's own standard output
// (an assertion's on standard error), in order with what the program prints,
// before the call that waits for the device returns.
#include <fcntl.h>
#include <sys/mman.h>

#include "check.h"
#include "kernels.h"

// said(number): printf("device %d of %s\n", number, "the kernel")
// many(lines): every line is 64 bytes: "line 00000000 ....\n"
// wrong(): assert(0)
static const char ptx[] = PTX_HEAD
	".extern .func (.param .b32 r) vprintf(.param .b64 format, .param .b64 list);\n"
	".extern .func __assertfail(.param .b64 what, .param .b64 file, .param .b32 line, .param .b64 function, "
	".param .b64 size);\n"
	".global .align 1 .b8 format[17] = {100, 101, 118, 105, 99, 101, 32, 37, 100, 32, 111, 102, 32, 37, 115, 10, 0};\n"
	".global .align 1 .b8 kernel[11] = {116, 104, 101, 32, 107, 101, 114, 110, 101, 108, 0};\n"
	".global .align 1 .b8 line[17] = {108, 105, 110, 101, 32, 37, 48, 56, 100, 32, 37, 52, 57, 115, 10, 0, 0};\n"
	".global .align 1 .b8 what[5] = {119, 104, 97, 116, 0};\n"
	".visible .entry said(.param .u32 number)\n{\n"
	"  .local .align 8 .b8 args[16];\n"
	"  .reg .b32 %r<3>; .reg .b64 %rd<8>;\n"
	"  ld.param.u32 %r1, [number];\n"
	"  mov.u64 %rd1, args;\n  cvta.local.u64 %rd2, %rd1;\n"
	"  st.local.u32 [%rd1], %r1;\n"
	"  mov.u64 %rd3, kernel;\n  cvta.global.u64 %rd4, %rd3;\n  st.local.u64 [%rd1+8], %rd4;\n"
	"  mov.u64 %rd5, format;\n  cvta.global.u64 %rd6, %rd5;\n"
	"  {\n  .param .b64 p0; .param .b64 p1; .param .b32 r0;\n"
	"  st.param.b64 [p0], %rd6;\n  st.param.b64 [p1], %rd2;\n"
	"  call.uni (r0), vprintf, (p0, p1);\n  ld.param.b32 %r2, [r0];\n  }\n"
	"  ret;\n}\n"
	".visible .entry many(.param .u32 lines)\n{\n"
	"  .local .align 8 .b8 args[16];\n"
	"  .reg .pred %p1; .reg .b32 %r<4>; .reg .b64 %rd<8>;\n"
	"  ld.param.u32 %r1, [lines];\n  mov.u32 %r2, 0;\n"
	"  mov.u64 %rd1, args;\n  cvta.local.u64 %rd2, %rd1;\n"
	"  mov.u64 %rd3, kernel;\n  cvta.global.u64 %rd4, %rd3;\n"
	"  mov.u64 %rd5, line;\n  cvta.global.u64 %rd6, %rd5;\n"
	"AGAIN:\n"
	"  st.local.u32 [%rd1], %r2;\n  st.local.u64 [%rd1+8], %rd4;\n"
	"  {\n  .param .b64 p0; .param .b64 p1; .param .b32 r0;\n"
	"  st.param.b64 [p0], %rd6;\n  st.param.b64 [p1], %rd2;\n"
	"  call.uni (r0), vprintf, (p0, p1);\n  ld.param.b32 %r3, [r0];\n  }\n"
	"  add.u32 %r2, %r2, 1;\n  setp.lt.u32 %p1, %r2, %r1;\n  @%p1 bra AGAIN;\n"
	"  ret;\n}\n"
	".visible .entry wrong()\n{\n"
	"  .reg .b64 %rd<4>;\n"
	"  mov.u64 %rd1, what;\n  cvta.global.u64 %rd2, %rd1;\n"
	"  {\n  .param .b64 p0; .param .b64 p1; .param .b32 p2; .param .b64 p3; .param .b64 p4;\n"
	"  st.param.b64 [p0], %rd2;\n  st.param.b64 [p1], %rd2;\n  st.param.b32 [p2], 7;\n  st.param.b64 [p3], %rd2;\n"
	"  st.param.b64 [p4], 1;\n"
	"  call.uni __assertfail, (p0, p1, p2, p3, p4);\n  }\n"
	"  ret;\n}\n" PTX_PUT;

// Standard output or error, caught in memory until let_go.
struct caught {
	int fd, real, file;
};

static struct caught catch(int fd)
{
	fflush(stdout);
	struct caught c = {fd, dup(fd), memfd_create("caught", 0)};
	TRUE(c.real >= 0 && c.file >= 0 && dup2(c.file, fd) == fd);
	return c;
}

// What was written, with a NUL behind it, until it is called again.
static char *let_go(const struct caught *c, size_t *n)
{
	fflush(stdout);
	fflush(stderr);
	*n = (size_t)lseek(c->file, 0, SEEK_END);
	static char *text;
	free(text);
	text = calloc(1, *n + 1);
	dup2(c->real, c->fd);
	TRUE(text && pread(c->file, text, *n, 0) == (ssize_t)*n);
	return text;
}

static void said(CUmodule m, int number, CUstream stream)
{
	void *arguments[] = {&number};
	OK(cuLaunchKernel(function(m, "said"), 1, 1, 1, 1, 1, 1, 0, stream, arguments, NULL));
}

#define SAME(want, text) \
	do { \
		if (strcmp(want, text)) \
			FAIL("printed was:\n%s", text); \
	} while (0)

static void what_a_kernel_prints_is_in_order_with_the_programs_own_output(void)
{
	size_t n;
	start();
	CUmodule m = load(ptx);
	CUevent e;
	CUdeviceptr p;
	unsigned v;
	CUstream s;
	OK(cuEventCreate(&e, CU_EVENT_DEFAULT));
	OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
	OK(cuMemAlloc(&p, 4));
	struct caught c = catch(1);
	printf("before\n");
	said(m, 1, NULL);
	OK(cuCtxSynchronize());
	printf("a context\n");
	said(m, 2, s);
	OK(cuStreamSynchronize(s));
	printf("a stream\n");
	said(m, 3, s);
	OK(cuEventRecord(e, s));
	OK(cuEventSynchronize(e));
	printf("an event\n");
	said(m, 4, NULL);
	OK(cuMemcpyDtoH(&v, p, 4));
	printf("a copy\n");
	char *text = let_go(&c, &n);
	SAME("before\ndevice 1 of the kernel\na context\ndevice 2 of the kernel\na stream\ndevice 3 of the kernel\nan event\n"
	     "device 4 of the kernel\na copy\n", text);
}

static void what_a_kernel_prints_is_there_when_the_call_returns(void)
{
	size_t n;
	start();
	CUmodule m = load(ptx);
	struct caught c = catch(1);
	said(m, 5, NULL);
	OK(cuCtxSynchronize());
	fflush(stdout);
	TRUE(lseek(c.file, 0, SEEK_END) == (off_t)strlen("device 5 of the kernel\n"));
	SAME("device 5 of the kernel\n", let_go(&c, &n));
}

// More than axon's rings hold; NVIDIA's own buffer holds a mebibyte of arguments.
static void a_kernel_that_prints_much_loses_nothing(void)
{
	size_t n;
	int lines = 12000;
	start();
	OK(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 8 << 20));
	CUmodule m = load(ptx);
	void *arguments[] = {&lines};
	struct caught c = catch(1);
	printf("first\n");
	OK(cuLaunchKernel(function(m, "many"), 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
	OK(cuCtxSynchronize());
	printf("last\n");
	char *text = let_go(&c, &n), line[80], *at = text;
	EQUAL(6 + 5 + lines * 64, n);
	TRUE(!strncmp(at, "first\n", 6));
	at += 6;
	for (int i = 0; i < lines; i++, at += 64) {
		snprintf(line, sizeof line, "line %08d %49s\n", i, "the kernel");
		if (strncmp(at, line, 64))
			FAIL("line %d is %.64s", i, at);
	}
	TRUE(!strcmp(at, "last\n"));
}

static void an_assertion_says_where_it_was_on_standard_error(void)
{
	size_t n;
	start();
	CUmodule m = load(ptx);
	struct caught c = catch(2);
	OK(cuLaunchKernel(function(m, "wrong"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
	CUresult r = cuCtxSynchronize();
	char *text = let_go(&c, &n);
	EQUAL(CUDA_ERROR_ASSERT, r);
	if (!strstr(text, "what:7: what: block: [0,0,0], thread: [0,0,0] Assertion `what` failed."))
		FAIL("printed was:\n%s", text);
}

static const struct test_case cases[] = {
	CASE(what_a_kernel_prints_is_in_order_with_the_programs_own_output),
	CASE(what_a_kernel_prints_is_there_when_the_call_returns),
	CASE(a_kernel_that_prints_much_loses_nothing),
	CASE(an_assertion_says_where_it_was_on_standard_error),
};

int main(int argc, char **argv)
{
	return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
