// SPDX-License-Identifier: Apache-2.0
//
// Memory that is shared already: mappings of memfds, of files in /dev/shm and of
// files on a disk, registered or the host side of a graph's copies. It stays
// shared with who else maps the file. Written to the driver API alone; passes on
// the vendor's library as on axon's.
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "graphs.h"
#include "kernels.h"

enum { MIB = 1 << 20, PAGE = 65536 }; // of any machine

static const char ptx[] = PTX_HEAD PTX_GATE PTX_PUT PTX_ADD;

static void run_on(CUmodule m, const char *name, const unsigned *p, unsigned v)
{
	CUdeviceptr d = (CUdeviceptr)(uintptr_t)p; // one address for both
	void *arguments[] = {&d, &v};
	OK(cuLaunchKernel(function(m, name), 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
}

static int memory_file(size_t bytes)
{
	int fd = memfd_create("shared", MFD_CLOEXEC);
	TRUE(fd >= 0);
	TRUE(!ftruncate(fd, (off_t)bytes));
	return fd;
}

static void *shown(int fd, size_t bytes, size_t offset, int prot)
{
	void *p = mmap(NULL, bytes, prot, MAP_SHARED, fd, (off_t)offset);
	TRUE(p != MAP_FAILED);
	return p;
}

static void register_it(void *p, size_t bytes)
{
	CUdeviceptr d;
	OK(cuMemHostRegister(p, bytes, CU_MEMHOSTREGISTER_DEVICEMAP | CU_MEMHOSTREGISTER_PORTABLE));
	OK(cuMemHostGetDevicePointer(&d, p, 0));
	EQUAL((uintptr_t)p, d);
}

// The device reads and writes p[7], and whoever maps the same bytes sees it.
static void both_see(CUmodule m, volatile unsigned *p, volatile unsigned *other)
{
	other[7] = 30;
	run_on(m, "add", (unsigned *)p + 7, 4);
	OK(cuCtxSynchronize());
	EQUAL(34, p[7]);
	EQUAL(34, other[7]);
	p[7] = 60;
	run_on(m, "add", (unsigned *)p + 7, 1);
	OK(cuCtxSynchronize());
	EQUAL(61, other[7]);
}

static void a_memfd_is_registered_and_stays_shared(void)
{
	start();
	CUmodule m = load(ptx);
	int fd = memory_file(3 * MIB);
	unsigned *p = shown(fd, 3 * MIB, 0, PROT_READ | PROT_WRITE), *other = shown(fd, 3 * MIB, 0, PROT_READ | PROT_WRITE);
	unsigned type = 0, flags = 0;
	for (int i = 0; i < 3; i++) {
		p[100] = 5;
		register_it(p, 3 * MIB);
		EQUAL(5, p[100]); // what was there is there
		OK(cuMemHostGetFlags(&flags, p));
		OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)(uintptr_t)(p + 100)));
		EQUAL(CU_MEMORYTYPE_HOST, type);
		both_see(m, p, other);
		OK(cuMemHostUnregister(p));
		other[7] = 99; // still the same memory
		EQUAL(99, p[7]);
		GIVES(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(p));
	}
}

// As shared memory of programs goes: made under a name, mapped, the descriptor closed.
static void a_file_that_has_a_name_only(void)
{
	start();
	CUmodule m = load(ptx);
	char name[] = "/dev/shm/axon test XXXXXX";
	int fd = mkstemp(name);
	if (fd < 0)
		SKIP("/dev/shm: %s", strerror(errno));
	TRUE(!ftruncate(fd, MIB));
	unsigned *p = shown(fd, MIB, 0, PROT_READ | PROT_WRITE), *other = shown(fd, MIB, 0, PROT_READ | PROT_WRITE);
	close(fd);
	CUresult r = cuMemHostRegister(p, MIB, 0);
	unlink(name);
	OK(r);
	both_see(m, p, other);
	OK(cuMemHostUnregister(p));
}

// And with the name gone and a descriptor left, as PyTorch's and Python's are.
static void a_file_that_has_a_descriptor_only(void)
{
	start();
	CUmodule m = load(ptx);
	char name[] = "/dev/shm/axon-test-XXXXXX";
	int fd = mkstemp(name), again;
	if (fd < 0)
		SKIP("/dev/shm: %s", strerror(errno));
	unlink(name);
	TRUE(!ftruncate(fd, MIB));
	unsigned *p = shown(fd, MIB, 0, PROT_READ | PROT_WRITE), *other = shown(fd, MIB, 0, PROT_READ | PROT_WRITE);
	again = open(name, O_RDWR | O_CREAT | O_EXCL, 0600); // another file under the same name
	TRUE(again >= 0);
	TRUE(!ftruncate(again, MIB));
	CUresult r = cuMemHostRegister(p, MIB, 0);
	unlink(name);
	OK(r);
	both_see(m, p, other);
	OK(cuMemHostUnregister(p));
}

static void a_part_of_a_file_from_no_pages_edge(void)
{
	start();
	CUmodule m = load(ptx);
	int fd = memory_file(4 * MIB);
	unsigned *all = shown(fd, 4 * MIB, 0, PROT_READ | PROT_WRITE), *p = shown(fd, MIB, 2 * MIB, PROT_READ | PROT_WRITE);
	register_it(p + 5000, 1000);
	both_see(m, p + 5000, all + MIB / 2 + 5000);
	// Both parts of one page.
	register_it(p + 5250, 1000);
	both_see(m, p + 5250, all + MIB / 2 + 5250);
	OK(cuMemHostUnregister(p + 5000));
	both_see(m, p + 5250, all + MIB / 2 + 5250);
	OK(cuMemHostUnregister(p + 5250));
}

static void two_mappings_of_a_file_are_registered(void)
{
	start();
	CUmodule m = load(ptx);
	int fd = memory_file(MIB);
	unsigned *p = shown(fd, MIB, 0, PROT_READ | PROT_WRITE), *q = shown(fd, MIB, 0, PROT_READ | PROT_WRITE);
	register_it(p, MIB);
	register_it(q, MIB);
	p[3] = 1;
	run_on(m, "add", p + 3, 10);
	run_on(m, "add", q + 3, 100);
	OK(cuCtxSynchronize());
	EQUAL(111, p[3]);
	OK(cuMemHostUnregister(p));
	both_see(m, q, p);
	OK(cuMemHostUnregister(q));
}

// A range may go over memory of several kinds.
static void shared_memory_among_private(void)
{
	start();
	CUmodule m = load(ptx);
	int fd = memory_file(2 * PAGE);
	unsigned char *p = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	TRUE(p != MAP_FAILED);
	TRUE(mmap(p + PAGE, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == p + PAGE);
	unsigned *other = shown(fd, 2 * PAGE, 0, PROT_READ | PROT_WRITE), *word = (unsigned *)(p + 8);
	*word = 3;
	CUresult r = cuMemHostRegister(p + 4, 4 * PAGE - 8, CU_MEMHOSTREGISTER_DEVICEMAP);
	if (r == CUDA_ERROR_INVALID_VALUE)
		SKIP("this driver takes no range over two mappings");
	OK(r);
	run_on(m, "add", word, 5);
	both_see(m, (unsigned *)(p + 2 * PAGE), other + PAGE / 4);
	run_on(m, "put", (unsigned *)(p + 4 * PAGE - 8), 77);
	OK(cuCtxSynchronize());
	EQUAL(8, *word);
	EQUAL(77, *(unsigned *)(p + 4 * PAGE - 8));
	OK(cuMemHostUnregister(p + 4));
	EQUAL(8, *word);
	other[PAGE / 4] = 5;
	EQUAL(5, *(unsigned *)(p + 2 * PAGE));
}

static void a_copy_goes_by_the_shared_memory_itself(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own(), opener = stream_of_its_own();
	int fd = memory_file(2 * MIB);
	unsigned *p = shown(fd, MIB, 0, PROT_READ | PROT_WRITE), *q = shown(fd, MIB, MIB, PROT_READ | PROT_WRITE);
	CUdeviceptr d = words(MIB / 4), flag = words(1);
	OK(cuMemsetD32(flag, 0, 1));
	OK(cuMemHostRegister(p, MIB, 0));
	OK(cuMemHostRegister(q, MIB, 0));
	p[1000] = 1;
	void *arguments[] = {&flag};
	OK(cuLaunchKernel(function(m, "gate"), 1, 1, 1, 1, 1, 1, 0, s, arguments, NULL));
	OK(cuMemcpyHtoDAsync(d, p, MIB, s));
	OK(cuMemcpyDtoHAsync(q, d, MIB, s)); // it does not wait
	GIVES(CUDA_ERROR_NOT_READY, cuStreamQuery(s));
	p[1000] = 2; // and reads when the stream gets there
	OK(cuMemsetD32Async(flag, 1, 1, opener));
	OK(cuStreamSynchronize(s));
	EQUAL(2, q[1000]);
	OK(cuMemHostUnregister(p));
	OK(cuMemHostUnregister(q));
}

static void read_only_memory_is_registered_as_that(void)
{
	int can = 0;
	start();
	int fd = memory_file(MIB);
	unsigned *p = shown(fd, MIB, 0, PROT_READ), *other = shown(fd, MIB, 0, PROT_READ | PROT_WRITE);
	unsigned got = 0;
	OK(cuDeviceGetAttribute(&can, CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED, device));
	if (!can)
		SKIP("this device registers no memory as read-only");
	CUdeviceptr d = words(1);
	OK(cuMemHostRegister(p, MIB, CU_MEMHOSTREGISTER_READ_ONLY));
	other[9] = 12;
	OK(cuMemcpyHtoDAsync(d, p + 9, 4, NULL));
	OK(cuMemcpyDtoH(&got, d, 4));
	EQUAL(12, got);
	OK(cuMemHostUnregister(p));
}

// Two processes, each with its own context: what one's device writes the other's reads.
static void two_programs_register_one_file(void)
{
	int fd = memory_file(MIB), pair[2], status;
	unsigned *p = shown(fd, MIB, 0, PROT_READ | PROT_WRITE);
	char byte = 0;
	TRUE(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	fflush(stdout);
	pid_t child = fork();
	close(pair[child != 0]);
	start();
	CUmodule m = load(ptx);
	register_it(p, MIB);
	// In turns: each adds its own.
	for (unsigned i = 0; i < 10; i++) {
		if (child) {
			run_on(m, "add", p + 50, 1);
			OK(cuCtxSynchronize());
			TRUE(write(pair[0], &byte, 1) == 1);
			TRUE(read(pair[0], &byte, 1) == 1);
			EQUAL((i + 1) * 101, p[50]);
		} else {
			TRUE(read(pair[1], &byte, 1) == 1);
			run_on(m, "add", p + 50, 100);
			OK(cuCtxSynchronize());
			EQUAL((i + 1) * 101, p[50]);
			TRUE(write(pair[1], &byte, 1) == 1);
		}
	}
	OK(cuMemHostUnregister(p));
	if (!child)
		_exit(0);
	TRUE(waitpid(child, &status, 0) == child);
	TRUE(WIFEXITED(status));
	EQUAL(0, WEXITSTATUS(status));
	both_see(m, (register_it(p, MIB), p), shown(fd, MIB, 0, PROT_READ | PROT_WRITE));
}

static void a_forked_child_shares_it_still(void)
{
	start();
	CUmodule m = load(ptx);
	int fd = memory_file(PAGE), status;
	unsigned *p = shown(fd, PAGE, 0, PROT_READ | PROT_WRITE);
	register_it(p, PAGE);
	p[1] = 10;
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		p[1]++;
		_exit(0);
	}
	TRUE(waitpid(child, &status, 0) == child);
	EQUAL(11, p[1]);
	run_on(m, "add", p + 1, 5);
	OK(cuCtxSynchronize());
	EQUAL(16, p[1]);
	OK(cuMemHostUnregister(p));
}

static void graphs_copy_from_and_to_it(void)
{
	start();
	CUmodule m = load(ptx);
	CUstream s = stream_of_its_own();
	CUgraphNode node, next;
	int fd = memory_file(2 * PAGE);
	unsigned *from = shown(fd, PAGE, 0, PROT_READ), *to = shown(fd, PAGE, PAGE, PROT_READ | PROT_WRITE);
	unsigned *other = shown(fd, 2 * PAGE, 0, PROT_READ | PROT_WRITE);
	CUdeviceptr d = words(1);
	CUgraph graph = graph_new();
	CUDA_MEMCPY3D copy = up(d, from + 3, 4);
	OK(cuGraphAddMemcpyNode(&node, graph, NULL, 0, &copy, current()));
	next = kernel_node(graph, &node, function(m, "add"), d, 5);
	copy = down(to + 3, d, 4);
	OK(cuGraphAddMemcpyNode(&node, graph, &next, 1, &copy, current()));
	CUgraphExec exec = instantiate(graph);
	for (unsigned i = 1; i < 4; i++) {
		other[3] = 10 * i;
		run(exec, s);
		EQUAL(10 * i + 5, to[3]);
		EQUAL(10 * i + 5, other[PAGE / 4 + 3]);
	}
	// It can be registered besides.
	register_it(to, PAGE);
	both_see(m, to, other + PAGE / 4);
	OK(cuMemHostUnregister(to));
	other[3] = 1;
	run(exec, s);
	EQUAL(6, to[3]);
	OK(cuGraphExecDestroy(exec));
	OK(cuGraphDestroy(graph));
}

static void captured_copies_read_and_write_it(void)
{
	start();
	CUstream s = stream_of_its_own();
	CUgraph graph;
	int fd = memory_file(2 * PAGE);
	unsigned *p = shown(fd, 2 * PAGE, 0, PROT_READ | PROT_WRITE);
	CUdeviceptr d = words(1);
	OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
	OK(cuMemcpyHtoDAsync(d, p + 1, 4, s));
	OK(cuMemcpyDtoHAsync(p + PAGE / 4 + 1, d, 4, s));
	OK(cuStreamEndCapture(s, &graph));
	CUgraphExec exec = instantiate(graph);
	for (unsigned i = 1; i < 4; i++) {
		p[1] = 7 * i;
		run(exec, s);
		EQUAL(7 * i, p[PAGE / 4 + 1]);
	}
}

// The graph reads what is there when it runs, whatever was there before.
static void other_memory_may_come_to_lie_where_a_graph_copies_from(void)
{
	start();
	CUstream s = stream_of_its_own();
	int fd = memory_file(PAGE), other = memory_file(3 * PAGE);
	unsigned *p = shown(fd, PAGE, 0, PROT_READ | PROT_WRITE), got = 0;
	CUdeviceptr d = words(1), e = words(1);
	CUgraph graph = graph_new();
	CUgraphNode node;
	CUDA_MEMCPY3D copy = up(d, p + 1, 4);
	OK(cuGraphAddMemcpyNode(&node, graph, NULL, 0, &copy, current()));
	CUgraphExec exec = instantiate(graph);
	p[1] = 5;
	run(exec, s);
	// Another file, then private memory, then the first again; each of another graph's as well.
	for (unsigned kind = 0; kind < 3; kind++) {
		unsigned *q = kind == 1 ? mmap(p, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0)
					: mmap(p, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, kind ? fd : other, kind ? 0 : PAGE);
		TRUE(q == p);
		CUgraph second = graph_new();
		copy = up(e, p + 1, 4);
		OK(cuGraphAddMemcpyNode(&node, second, NULL, 0, &copy, current()));
		p[1] = 100 + kind;
		run(instantiate(second), s);
		OK(cuMemcpyDtoH(&got, e, 4));
		EQUAL(100 + kind, got);
		run(exec, s);
		OK(cuMemcpyDtoH(&got, d, 4));
		EQUAL(100 + kind, got);
	}
}

// What was mapped anonymously has no name, and no descriptor that a program could have.
static void anonymous_shared_memory_is_registered(void)
{
	start();
	CUmodule m = load(ptx);
	int status;
	unsigned *p = mmap(NULL, MIB, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	TRUE(p != MAP_FAILED);
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		while (((volatile unsigned *)p)[2] != 8)
			usleep(1000);
		p[3] = 9;
		_exit(0);
	}
	CUresult r = cuMemHostRegister(p, MIB, 0);
	if (r) {
		p[2] = 8;
		waitpid(child, &status, 0);
	}
	OK(r);
	run_on(m, "put", p + 2, 8);
	OK(cuCtxSynchronize());
	TRUE(waitpid(child, &status, 0) == child);
	EQUAL(9, p[3]);
	OK(cuMemHostUnregister(p));
}

static void huge_pages_are_registered(void)
{
	start();
	CUmodule m = load(ptx);
	int fd = memfd_create("huge", MFD_CLOEXEC | MFD_HUGETLB);
	if (fd < 0 || ftruncate(fd, 4 * MIB))
		SKIP("no huge pages: %s", strerror(errno));
	unsigned *p = mmap(NULL, 4 * MIB, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	unsigned *other = p == MAP_FAILED ? p : mmap(NULL, 4 * MIB, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED || other == MAP_FAILED)
		SKIP("no huge pages: %s", strerror(errno));
	register_it(p + 5000, 4000);
	both_see(m, p + 5000, other + 5000);
	register_it(p + MIB / 2, 2 * MIB); // the second page's, as the first one's neighbour
	both_see(m, p + MIB / 2, other + MIB / 2);
	OK(cuMemHostUnregister(p + 5000));
	OK(cuMemHostUnregister(p + MIB / 2));
	other[0] = 3;
	EQUAL(3, p[0]);
}

// Since Linux 6.5 drivers may not pin files on disks for writing: what the driver says goes.
static void a_file_on_a_disk_is_registered_if_the_driver_may(void)
{
	start();
	CUmodule m = load(ptx);
	char name[] = "shared-XXXXXX"; // where the test runs
	int fd = mkstemp(name);
	if (fd < 0)
		SKIP("no file can be made here: %s", strerror(errno));
	TRUE(!ftruncate(fd, MIB));
	unsigned *p = shown(fd, MIB, 0, PROT_READ | PROT_WRITE), *other = shown(fd, MIB, 0, PROT_READ | PROT_WRITE);
	CUresult r = cuMemHostRegister(p, MIB, 0);
	unlink(name);
	if (r)
		SKIP("not here: error %d", r);
	both_see(m, p, other);
	OK(cuMemHostUnregister(p));
}

static void what_cannot_be_registered_is_refused(void)
{
	start();
	CUmodule m = load(ptx);
	int fd = memory_file(PAGE);
	unsigned *p = shown(fd, 2 * PAGE, 0, PROT_READ | PROT_WRITE);
	TRUE(cuMemHostRegister(p, 2 * PAGE, 0) != CUDA_SUCCESS); // beyond the end of its file
	OK(cuMemHostRegister(p, PAGE, 0));
	GIVES(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister(p, PAGE, 0));
	OK(cuMemHostUnregister(p));
	unsigned *q = shown(fd, PAGE, 0, PROT_READ);
	TRUE(cuMemHostRegister(q, PAGE, 0) != CUDA_SUCCESS); // it cannot be written
	register_it(p, PAGE);
	both_see(m, p, shown(fd, PAGE, 0, PROT_READ | PROT_WRITE));
	OK(cuMemHostUnregister(p));
}

static const struct test_case cases[] = {
	CASE(a_memfd_is_registered_and_stays_shared),
	CASE(a_file_that_has_a_name_only),
	CASE(a_file_that_has_a_descriptor_only),
	CASE(a_part_of_a_file_from_no_pages_edge),
	CASE(two_mappings_of_a_file_are_registered),
	CASE(shared_memory_among_private),
	CASE(a_copy_goes_by_the_shared_memory_itself),
	CASE(read_only_memory_is_registered_as_that),
	CASE(two_programs_register_one_file),
	CASE(a_forked_child_shares_it_still),
	CASE(graphs_copy_from_and_to_it),
	CASE(captured_copies_read_and_write_it),
	CASE(other_memory_may_come_to_lie_where_a_graph_copies_from),
	CASE(anonymous_shared_memory_is_registered),
	CASE(huge_pages_are_registered),
	CASE(a_file_on_a_disk_is_registered_if_the_driver_may),
	CASE(what_cannot_be_registered_is_refused),
};

int main(int argc, char **argv)
{
	return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
