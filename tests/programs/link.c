// SPDX-License-Identifier: Apache-2.0
//
// The driver's linker: what goes in comes out as an image that loads; logs and
// answers are in the program's own buffers; names that mean nothing are refused.
#include <fcntl.h>
#include <stdint.h>

#include "check.h"
#include "kernels.h"

static const char good[] = PTX_HEAD PTX_PUT;
static const char bad[] = PTX_HEAD ".visible .entry broken()\n{\n  no.such.instruction %r1;\n}\n";

static void runs(const void *image)
{
	CUmodule m = load(image);
	CUdeviceptr p;
	unsigned v = 0, want = 77;
	OK(cuMemAlloc(&p, 4));
	void *arguments[] = {&p, &want};
	OK(cuLaunchKernel(function(m, "put"), 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
	OK(cuMemcpyDtoH(&v, p, 4));
	EQUAL(want, v);
	OK(cuModuleUnload(m));
}

static void what_was_linked_loads_and_runs(void)
{
	CUlinkState state;
	void *image;
	size_t size = 0;
	start();
	OK(cuLinkCreate(0, NULL, NULL, &state));
	OK(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)good, sizeof good, "good", 0, NULL, NULL));
	OK(cuLinkComplete(state, &image, &size));
	TRUE(size > 0);
	runs(image);
	OK(cuLinkDestroy(state));
}

static void a_file_is_linked_like_its_bytes(void)
{
	char path[] = "/tmp/axon-link-XXXXXX";
	CUlinkState state;
	void *image;
	size_t size;
	int fd = mkstemp(path);
	TRUE(fd >= 0 && write(fd, good, sizeof good - 1) == sizeof good - 1);
	close(fd);
	start();
	OK(cuLinkCreate(0, NULL, NULL, &state));
	CUresult r = cuLinkAddFile(state, CU_JIT_INPUT_PTX, path, 0, NULL, NULL);
	unlink(path);
	OK(r);
	OK(cuLinkComplete(state, &image, &size));
	runs(image);
	GIVES(CUDA_ERROR_FILE_NOT_FOUND, cuLinkAddFile(state, CU_JIT_INPUT_PTX, path, 0, NULL, NULL));
	OK(cuLinkDestroy(state));
}

static void the_error_log_is_in_the_programs_buffer(void)
{
	static char error[4096], info[512];
	CUjit_option names[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_INFO_LOG_BUFFER,
				CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES};
	void *values[] = {error, (void *)sizeof error, info, (void *)sizeof info};
	CUlinkState state;
	void *image;
	size_t size;
	start();
	OK(cuLinkCreate(4, names, values, &state));
	CUresult r = cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)bad, sizeof bad, "bad.ptx", 0, NULL, NULL);
	if (r == CUDA_SUCCESS) // a driver may look at it only now
		r = cuLinkComplete(state, &image, &size);
	EQUAL(CUDA_ERROR_INVALID_PTX, r);
	if (!*error)
		FAIL("the log is empty");
	OK(cuLinkDestroy(state));
}

static void what_came_out_is_the_same_however_often_it_is_asked(void)
{
	CUlinkState a, b;
	void *first, *second;
	size_t n, m;
	start();
	OK(cuLinkCreate(0, NULL, NULL, &a));
	OK(cuLinkCreate(0, NULL, NULL, &b));
	OK(cuLinkAddData(a, CU_JIT_INPUT_PTX, (void *)good, sizeof good, NULL, 0, NULL, NULL));
	OK(cuLinkAddData(b, CU_JIT_INPUT_PTX, (void *)good, sizeof good, NULL, 0, NULL, NULL));
	OK(cuLinkComplete(a, &first, &n));
	OK(cuLinkComplete(b, &second, &m));
	EQUAL(n, m);
	TRUE(first != second);
	OK(cuLinkDestroy(b));
	runs(first); // b's end took nothing from it
	OK(cuLinkDestroy(a));
}

static void wrong_use_is_refused(void)
{
	CUlinkState state;
	size_t size;
	start();
	OK(cuLinkCreate(0, NULL, NULL, &state));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuLinkAddData(state, CU_JIT_INPUT_PTX, NULL, 10, NULL, 0, NULL, NULL));
	TRUE(cuLinkComplete(state, NULL, &size) != CUDA_SUCCESS);
	OK(cuLinkDestroy(state));
}

static const struct test_case cases[] = {
	CASE(what_was_linked_loads_and_runs),
	CASE(a_file_is_linked_like_its_bytes),
	CASE(the_error_log_is_in_the_programs_buffer),
	CASE(what_came_out_is_the_same_however_often_it_is_asked),
	CASE(wrong_use_is_refused),
};

int main(int argc, char **argv)
{
	return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
