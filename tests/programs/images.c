// SPDX-License-Identifier: Apache-2.0
//
// Images of all lengths, from all sorts of memory, when there is room for them
// and when there is not. Written to the driver API alone.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "check.h"
#include "fatbin.h"
#include "kernels.h"

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)

static const char ptx[] = PTX_HEAD PTX_PUT;

// Ends with its mapping, so that whoever reads on is seen.
static uint8_t *fat(size_t code, size_t *whole)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), n = fatbin_size(ptx, code), room = (n + page - 1) & ~(page - 1);
	uint8_t *p = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	TRUE(p != MAP_FAILED);
	OK(mprotect(p + room, page, PROT_NONE));
	p += (room - n) & ~(size_t)15;
	fatbin_write(p, ptx, code);
	*whole = n;
	return p;
}

static void it_works(CUmodule m, unsigned v)
{
	CUdeviceptr p;
	unsigned got = 0;
	OK(cuMemAlloc(&p, 4));
	void *arguments[] = {&p, &v};
	OK(cuLaunchKernel(function(m, "put"), 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
	OK(cuMemcpyDtoH(&got, p, 4));
	EQUAL(v, got);
	OK(cuMemFree(p));
}

static void load_one(size_t code, unsigned v)
{
	CUmodule m;
	size_t whole;
	uint8_t *p = fat(code, &whole);
	OK(cuModuleLoadData(&m, p));
	memset(p, 0xff, whole); // the module is loaded, the image is not needed any more
	it_works(m, v);
	OK(cuModuleUnload(m));
}

static void images_of_all_lengths_are_loaded(void)
{
	static const size_t code[] = {8, 64 * KIB, 256 * KIB - 512, 256 * KIB, 256 * KIB + 8, 1 * MIB - 8, 5 * MIB + 24, 33 * MIB};
	start();
	for (unsigned i = 0; i < sizeof code / sizeof *code; i++)
		load_one(code[i], i + 1);
}

static void a_long_text_is_loaded(void)
{
	CUmodule m;
	start();
	for (size_t comment = 200 * KIB; comment < 8 * MIB; comment *= 3) {
		char *text = malloc(sizeof ptx + comment + 4), *at = text;
		at += sprintf(at, "%s//", ptx);
		memset(at, 'x', comment);
		at[comment] = 0;
		OK(cuModuleLoadData(&m, text));
		free(text);
		it_works(m, 9);
	}
}

static int file_of(const uint8_t *bytes, size_t n, char *path)
{
	strcpy(path, "/tmp/axon-images-XXXXXX");
	int fd = mkstemp(path);
	TRUE(fd >= 0);
	for (size_t at = 0; at < n;) {
		ssize_t wrote = write(fd, bytes + at, n - at);
		TRUE(wrote > 0);
		at += (size_t)wrote;
	}
	return fd;
}

// As in a library: mapped and never touched.
static void an_image_in_a_files_mapping_is_loaded(void)
{
	CUmodule m;
	char path[64];
	size_t whole;
	start();
	uint8_t *p = fat(3 * MIB, &whole);
	int fd = file_of(p, whole, path);
	const void *mapped = mmap(NULL, whole, PROT_READ, MAP_PRIVATE, fd, 0);
	TRUE(mapped != MAP_FAILED);
	unlink(path);
	close(fd);
	OK(cuModuleLoadData(&m, mapped));
	it_works(m, 5);
}

static void a_file_that_is_cut_off_is_an_error(void)
{
	CUmodule m;
	char path[64];
	size_t whole;
	start();
	uint8_t *p = fat(2 * MIB, &whole);
	int fd = file_of(p, whole, path);
	OK(cuModuleLoad(&m, path));
	it_works(m, 6);
	// What is missing of machine code for another device need not be looked at.
	static const size_t cuts[] = {1, 2, 4096, 1 * MIB, 2 * MIB};
	for (unsigned i = 0; i < sizeof cuts / sizeof *cuts; i++) {
		OK(ftruncate(fd, (off_t)(whole - cuts[i])));
		if (!cuModuleLoad(&m, path))
			it_works(m, 60 + i);
	}
	static const off_t left[] = {26, 20, 16, 4, 1, 0};
	for (unsigned i = 0; i < sizeof left / sizeof *left; i++) {
		OK(ftruncate(fd, left[i]));
		TRUE(cuModuleLoad(&m, path) != CUDA_SUCCESS);
	}
	unlink(path);
	close(fd);
	load_one(2 * MIB, 7);
}

static void *loads(void *arg)
{
	CUcontext c;
	OK(cuDevicePrimaryCtxRetain(&c, device));
	OK(cuCtxSetCurrent(c));
	for (unsigned i = 0; i < 10; i++)
		load_one((i % 3 + 1) * 300 * KIB, *(unsigned *)arg + i);
	return NULL;
}

static void many_threads_load_at_once(void)
{
	pthread_t threads[6];
	unsigned first[6];
	start();
	for (unsigned i = 0; i < 6; i++) {
		first[i] = i * 100;
		pthread_create(&threads[i], NULL, loads, &first[i]);
	}
	for (unsigned i = 0; i < 6; i++)
		pthread_join(threads[i], NULL);
}

static void images_are_loaded_without_descriptors(void)
{
	struct rlimit limit;
	start();
	load_one(1 * MIB, 1);
	OK(getrlimit(RLIMIT_NOFILE, &limit));
	limit.rlim_cur = 3; // less than are open: there is none to be had
	OK(setrlimit(RLIMIT_NOFILE, &limit));
	TRUE(open("/dev/null", O_RDONLY) < 0);
	load_one(1 * MIB, 2);
	load_one(9 * MIB, 3);
}

static void images_are_loaded_where_files_must_be_short(void)
{
	struct rlimit limit;
	start();
	OK(getrlimit(RLIMIT_FSIZE, &limit));
	limit.rlim_cur = 100 * KIB;
	OK(setrlimit(RLIMIT_FSIZE, &limit));
	signal(SIGXFSZ, SIG_DFL);
	load_one(1 * MIB, 2);
	load_one(20 * KIB, 3);
}

// The file's bytes, before there is room for all of them. The library's write is this one.
static int full;
ssize_t write(int fd, const void *p, size_t n)
{
	char path[64], name[64] = "";
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (full && readlink(path, name, sizeof name - 1) > 0 && !strncmp(name, "/memfd:", 7)) {
		if (full == 1 || n <= 64) {
			errno = ENOSPC;
			return -1;
		}
		n = n < 2 * MIB ? n : n / 2;
		full = 1;
	}
	return syscall(SYS_write, fd, p, n);
}

static void images_are_loaded_when_memory_is_full_halfway(void)
{
	start();
	for (full = 1; full < 3; full++) {
		int how = full;
		load_one(3 * MIB, 4);
		full = how;
	}
	full = 0;
	load_one(3 * MIB, 5);
}

static const struct test_case cases[] = {
	CASE(images_of_all_lengths_are_loaded),
	CASE(a_long_text_is_loaded),
	CASE(an_image_in_a_files_mapping_is_loaded),
	CASE(a_file_that_is_cut_off_is_an_error),
	CASE(many_threads_load_at_once),
	CASE(images_are_loaded_without_descriptors),
	CASE(images_are_loaded_where_files_must_be_short),
	CASE(images_are_loaded_when_memory_is_full_halfway),
};

int main(int argc, char **argv)
{
	return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
