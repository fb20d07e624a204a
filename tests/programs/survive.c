// SPDX-License-Identifier: Apache-2.0
//
// What programs do to the process that a CUDA library lives in: close its
// descriptors, fork at a bad moment, set limits, end with calls under way.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include "check.h"
#include "kernels.h"

static void write_and_read(void)
{
	CUdeviceptr p;
	unsigned want = 12345, got = 0;
	OK(cuMemAlloc(&p, 4));
	OK(cuMemcpyHtoD(p, &want, 4));
	OK(cuMemcpyDtoH(&got, p, 4));
	EQUAL(want, got);
	OK(cuMemFree(p));
}

// A child's exit status, 255 for a signal.
static int status_of(pid_t child)
{
	int status;
	TRUE(child > 0);
	while (waitpid(child, &status, 0) < 0)
		TRUE(errno == EINTR);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

static void a_library_leaves_stdin_alone_that_is_closed(void)
{
	close(0);
	start();
	TRUE(fcntl(0, F_GETFD) == -1 && errno == EBADF);
	write_and_read();
}

// A daemon closes all that it did not open. The session may end by that; what
// it must not do is touch the files that get the numbers.
static void closed_descriptors_end_the_session_and_nothing_else(void)
{
	char path[] = "/tmp/axon-survive-XXXXXX";
	int first = mkstemp(path), files[64];
	TRUE(first >= 0);
	unlink(path);
	start();
	write_and_read();
	for (int fd = 3; fd < 64; fd++)
		if (fd != first)
			close(fd);
	for (int i = 0; i < 64; i++)
		files[i] = dup(first);
	CUdeviceptr p;
	// Whatever it says now, it says it soon.
	CUresult r = cuMemAlloc(&p, 4);
	TRUE(r == CUDA_SUCCESS || r == CUDA_ERROR_DEVICE_UNAVAILABLE);
	pid_t child = fork();
	if (child == 0) {
		for (int i = 0; i < 64; i++)
			if (fcntl(files[i], F_GETFD) < 0)
				_exit(2);
		_exit(cuCtxSynchronize() == CUDA_ERROR_NOT_INITIALIZED ? 0 : 3);
	}
	EQUAL(0, status_of(child));
	struct stat st;
	TRUE(!fstat(first, &st));
	EQUAL(0, st.st_size);
}

static void a_limit_on_file_sizes_does_not_kill_the_program(void)
{
	struct rlimit limit = {1 << 20, RLIM_INFINITY};
	TRUE(!setrlimit(RLIMIT_FSIZE, &limit));
	start();
	write_and_read();
	TRUE(!getrlimit(RLIMIT_FSIZE, &limit));
	EQUAL(1 << 20, limit.rlim_cur);
}

static void a_hard_limit_on_file_sizes_is_an_error(void)
{
	struct rlimit limit = {1 << 20, 1 << 20};
	TRUE(!setrlimit(RLIMIT_FSIZE, &limit));
	CUresult r = cuInit(0);
	TRUE(r == CUDA_SUCCESS || r == CUDA_ERROR_NO_DEVICE);
}

static void a_limit_on_address_space_makes_the_session_smaller(void)
{
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__) // they need terabytes
	struct rlimit limit = {8ull << 30, 8ull << 30};
	TRUE(!setrlimit(RLIMIT_AS, &limit));
#endif
	start();
	write_and_read();
	void *pinned;
	OK(cuMemHostAlloc(&pinned, 1 << 20, 0));
	memset(pinned, 1, 1 << 20);
	OK(cuMemFreeHost(pinned));
}

static long resident_shared_kib(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[256];
	long kib = -1;
	while (f && fgets(line, sizeof line, f))
		sscanf(line, "RssShmem: %ld", &kib);
	if (f)
		fclose(f);
	return kib;
}

// Programs that must not page lock all that they have and will have. The limit
// keeps the region small, should it get all its pages.
static void a_program_that_locks_its_memory_does_not_get_the_region_filled(void)
{
	struct rlimit limit = {1 << 30, 1 << 30}, locked;
	TRUE(!getrlimit(RLIMIT_MEMLOCK, &locked));
	if ((geteuid() && locked.rlim_cur != RLIM_INFINITY) || mlockall(MCL_FUTURE))
		return; // such a program cannot have so much as reserve a region
	TRUE(!setrlimit(RLIMIT_FSIZE, &limit));
	start();
	write_and_read();
	void *pinned;
	OK(cuMemHostAlloc(&pinned, 1 << 20, 0));
	TRUE(resident_shared_kib() < 65536);
}

static void without_descriptors_there_is_no_device_and_with_them_there_is(void)
{
	struct rlimit before, limit;
	TRUE(!getrlimit(RLIMIT_NOFILE, &before));
	for (unsigned n = 0; n < 6; n++) {
		limit = (struct rlimit){n, before.rlim_max};
		TRUE(!setrlimit(RLIMIT_NOFILE, &limit));
		CUresult r = cuInit(0);
		if (r == CUDA_SUCCESS)
			break;
		EQUAL(CUDA_ERROR_NO_DEVICE, r);
	}
	TRUE(!setrlimit(RLIMIT_NOFILE, &before));
	start();
	write_and_read();
}

static CUcontext shared;

static void *one_call(void *unused)
{
	(void)unused;
	OK(cuCtxSetCurrent(shared));
	write_and_read();
	return NULL;
}

// More threads than a session has lanes, one after the other.
static void threads_come_and_go(void)
{
	start();
	OK(cuCtxGetCurrent(&shared));
	for (int i = 0; i < 1200; i++) {
		pthread_t t;
		TRUE(!pthread_create(&t, NULL, one_call, NULL));
		pthread_join(t, NULL);
	}
}

static pthread_barrier_t all_here;
static _Atomic int refused, served;

static void *call_together(void *unused)
{
	(void)unused;
	CUdeviceptr p;
	pthread_barrier_wait(&all_here);
	OK(cuCtxSetCurrent(shared));
	CUresult r = cuMemAlloc(&p, 4);
	atomic_fetch_add(r ? &refused : &served, 1);
	TRUE(r == CUDA_SUCCESS || r == CUDA_ERROR_OUT_OF_MEMORY);
	pthread_barrier_wait(&all_here);
	return NULL;
}

// More threads at once than a session has lanes: some hear that it is too much, and all is well afterwards.
static void too_many_threads_at_once_are_an_error_for_some(void)
{
	enum { N = 600 };
	pthread_t t[N];
	pthread_attr_t small;
	start();
	OK(cuCtxGetCurrent(&shared));
	pthread_barrier_init(&all_here, NULL, N);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 128 << 10);
	for (int i = 0; i < N; i++)
		TRUE(!pthread_create(&t[i], &small, call_together, NULL));
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	EQUAL(N, refused + served);
	TRUE(served > 0);
	pthread_create(&t[0], NULL, one_call, NULL);
	pthread_join(t[0], NULL);
	write_and_read();
}

static _Atomic int stop;

static void *call_until_stopped(void *unused)
{
	(void)unused;
	OK(cuCtxSetCurrent(shared));
	while (!stop) {
		CUstream s;
		write_and_read();
		OK(cuStreamCreate(&s, 0));
		OK(cuStreamDestroy(s));
	}
	return NULL;
}

static void a_child_forked_amid_calls_gets_an_error_from_each(void)
{
	pthread_t t[3];
	start();
	OK(cuCtxGetCurrent(&shared));
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, call_until_stopped, NULL);
	for (int i = 0; i < 40; i++) {
		pid_t child = fork();
		if (child == 0) {
			CUdeviceptr p = 0;
			CUstream s;
			CUevent e;
			CUcontext c;
			CUmodule m;
			void *host;
			unsigned v = 0;
			alarm(20);
			int bad = cuInit(0) != CUDA_ERROR_NOT_INITIALIZED || cuMemAlloc(&p, 4) != CUDA_ERROR_NOT_INITIALIZED ||
				  cuMemFree(1 << 20) != CUDA_ERROR_NOT_INITIALIZED ||
				  cuMemcpyHtoD(1 << 20, &v, 4) != CUDA_ERROR_NOT_INITIALIZED ||
				  cuStreamCreate(&s, 0) != CUDA_ERROR_NOT_INITIALIZED ||
				  cuEventCreate(&e, 0) != CUDA_ERROR_NOT_INITIALIZED ||
				  cuMemHostAlloc(&host, 4, 0) != CUDA_ERROR_NOT_INITIALIZED ||
				  cuCtxSetCurrent(shared) != CUDA_ERROR_NOT_INITIALIZED ||
				  cuCtxGetCurrent(&c) != CUDA_ERROR_NOT_INITIALIZED ||
				  cuDevicePrimaryCtxRetain(&c, 0) != CUDA_ERROR_NOT_INITIALIZED ||
				  cuModuleLoadData(&m, "x") != CUDA_ERROR_NOT_INITIALIZED ||
				  cuCtxSynchronize() != CUDA_ERROR_NOT_INITIALIZED;
			_exit(bad);
		}
		EQUAL(0, status_of(child));
	}
	stop = 1;
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	write_and_read();
}

static void *init(void *unused)
{
	(void)unused;
	OK(cuInit(0));
	return NULL;
}

// The session is being opened by one thread while another forks.
static void a_child_forked_amid_init_can_have_its_own_session_or_none(void)
{
	pthread_t t;
	for (int i = 0; i < 5; i++) {
		pid_t middle = fork(); // each time a process that has no session yet
		if (middle == 0) {
			pthread_create(&t, NULL, init, NULL);
			usleep(1000 + 1500 * (unsigned)i); // any moment will do, each is another try
			pid_t child = fork();
			if (child == 0) {
				alarm(20);
				CUresult r = cuInit(0);
				_exit(r != CUDA_SUCCESS && r != CUDA_ERROR_NOT_INITIALIZED);
			}
			int status = status_of(child);
			pthread_join(t, NULL);
			start();
			write_and_read();
			_exit(status);
		}
		EQUAL(0, status_of(middle));
	}
}

// A child that no handler of fork's hears of.
static void a_child_of_a_bare_clone_does_not_crash_in_a_call(void)
{
	start();
	pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (child == 0) {
		CUdeviceptr p;
		alarm(20);
		_exit(cuMemAlloc(&p, 4) == CUDA_ERROR_NOT_INITIALIZED ? 0 : 1);
	}
	EQUAL(0, status_of(child));
	write_and_read();
}

static void an_exit_amid_calls_is_an_exit(void)
{
	fflush(stdout);
	for (int i = 0; i < 5; i++) {
		pid_t child = fork();
		if (child == 0) {
			pthread_t t;
			alarm(60);
			start();
			OK(cuCtxGetCurrent(&shared));
			for (int j = 0; j < 3; j++)
				pthread_create(&t, NULL, call_until_stopped, NULL);
			usleep(2000);
			exit(0);
		}
		EQUAL(0, status_of(child));
	}
}

static CUdeviceptr left;

static void free_at_exit(void)
{
	if (cuMemFree(left) || cuCtxSynchronize())
		_exit(9);
}

static void calls_work_in_an_exit_handler(void)
{
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		alarm(60);
		atexit(free_at_exit);
		start();
		OK(cuMemAlloc(&left, 4));
		exit(0);
	}
	EQUAL(0, status_of(child));
}

static pthread_key_t before_ours, after_ours;

static void call_at_thread_end(void *context)
{
	CUcontext current;
	OK(cuCtxGetCurrent(&current));
	if (!current)
		OK(cuCtxSetCurrent(context));
	write_and_read();
}

static void *with_keys(void *unused)
{
	(void)unused;
	OK(cuCtxSetCurrent(shared));
	write_and_read();
	pthread_setspecific(before_ours, shared);
	pthread_setspecific(after_ours, shared);
	return NULL;
}

// cudart's and others' destructors run in any order with the library's own.
static void calls_work_in_a_threads_destructors(void)
{
	TRUE(!pthread_key_create(&before_ours, call_at_thread_end));
	start();
	write_and_read();
	TRUE(!pthread_key_create(&after_ours, call_at_thread_end));
	OK(cuCtxGetCurrent(&shared));
	for (int i = 0; i < 700; i++) {
		pthread_t t;
		TRUE(!pthread_create(&t, NULL, with_keys, NULL));
		pthread_join(t, NULL);
	}
}

static void ignore(int signal) { (void)signal; }

static void signals_do_not_disturb(void)
{
	struct sigaction a = {.sa_handler = ignore}; // no SA_RESTART: every system call can be cut short
	struct itimerval often = {{0, 500}, {0, 500}};
	sigaction(SIGALRM, &a, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	start();
	for (int i = 0; i < 300; i++)
		write_and_read();
	char *big = calloc(1, 20 << 20);
	CUdeviceptr p;
	OK(cuMemAlloc(&p, 20 << 20));
	OK(cuMemcpyHtoD(p, big, 20 << 20));
	OK(cuMemcpyDtoH(big, p, 20 << 20));
}

struct copies {
	unsigned char seed;
	size_t bytes;
};

static void *copy_much(void *arg)
{
	struct copies *c = arg;
	unsigned char *a = malloc(c->bytes), *b = malloc(c->bytes);
	CUdeviceptr p;
	CUstream s;
	OK(cuCtxSetCurrent(shared));
	OK(cuMemAlloc(&p, c->bytes));
	OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
	for (int round = 0; round < 3; round++) {
		for (size_t i = 0; i < c->bytes; i++)
			a[i] = (unsigned char)(i * 7 + c->seed + round);
		OK(cuMemcpyHtoDAsync(p, a, c->bytes, s));
		memset(b, 0, c->bytes);
		// The ring fills up with posts, too.
		for (int i = 0; i < 8000; i++)
			OK(cuMemsetD8Async(p, a[0], 1, s));
		OK(cuMemcpyDtoHAsync(b, p, c->bytes, s));
		OK(cuStreamSynchronize(s));
		TRUE(!memcmp(a, b, c->bytes));
	}
	return NULL;
}

static void full_rings_and_long_copies_in_several_threads(void)
{
	pthread_t t[3];
	struct copies c[3] = {{1, 17 << 20}, {2, (8 << 20) + 1}, {3, 70000}};
	start();
	OK(cuCtxGetCurrent(&shared));
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, copy_much, &c[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
}

static void counts_that_are_absurd_are_errors(void)
{
	CUmodule m;
	CUfunction f;
	CUstream s;
	CUgraph g;
	CUgraphNode node;
	size_t n = 10 << 20;
	char *text = malloc(n + 1);
	unsigned some[4] = {0};
	start();
	memset(text, 'x', n);
	text[n] = 0;
	m = load(PTX_HEAD PTX_GATE);
	f = function(m, "gate");
	TRUE(cuLaunchKernel(f, UINT32_MAX, 1, 1, 1, 1, 1, UINT32_MAX, NULL, NULL, NULL) != CUDA_SUCCESS);
	OK(cuStreamCreate(&s, 0));
	TRUE(cuModuleGetFunction(&f, m, text) != CUDA_SUCCESS);
	TRUE(cuModuleLoad(&m, text) != CUDA_SUCCESS);
	TRUE(cuModuleLoadData(&m, text) != CUDA_SUCCESS);
	TRUE(cuPointerGetAttributes(1u << 31, (void *)some, (void *)some, 0) != CUDA_SUCCESS);
	TRUE(cuModuleLoadDataEx(&m, PTX_HEAD, 1u << 31, (void *)some, (void *)some) != CUDA_SUCCESS);
	TRUE(cuMemPrefetchBatchAsync((void *)some, (void *)some, SIZE_MAX / 8 + 2, (void *)some, (void *)some, SIZE_MAX / 4, 0, s) !=
	     CUDA_SUCCESS);
	TRUE(cuStreamBatchMemOp(s, UINT32_MAX, (void *)some, 0) != CUDA_SUCCESS);
	if (cuGraphCreate(&g, 0)) // the software GPU has no graphs
		g = NULL;
	TRUE(cuGraphAddEmptyNode(&node, g, (void *)some, SIZE_MAX / 8 + 2) != CUDA_SUCCESS);
	TRUE(cuGraphAddEmptyNode(&node, g, NULL, SIZE_MAX) != CUDA_SUCCESS);
	write_and_read();
}

static void what_is_no_module_file_is_an_error(void)
{
	char fifo[] = "/tmp/axon-fifo-XXXXXX", sparse[] = "/tmp/axon-sparse-XXXXXX";
	CUmodule m;
	start();
	int fd = mkstemp(fifo);
	TRUE(fd >= 0 && !unlink(fifo) && !mkfifo(fifo, 0600));
	TRUE(cuModuleLoad(&m, "/tmp") != CUDA_SUCCESS);
	TRUE(cuModuleLoad(&m, "/proc/self/status") != CUDA_SUCCESS);
	TRUE(cuModuleLoad(&m, "/dev/zero") != CUDA_SUCCESS);
	TRUE(cuModuleLoad(&m, "") != CUDA_SUCCESS);
	alarm(20);
	TRUE(cuModuleLoad(&m, fifo) != CUDA_SUCCESS);
	unlink(fifo);
	fd = mkstemp(sparse);
	TRUE(fd >= 0 && !unlink(sparse));
	char path[64];
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	TRUE(!ftruncate(fd, 1ll << 40));
	TRUE(cuModuleLoad(&m, path) != CUDA_SUCCESS);
	write_and_read();
}

// The library's madvise is this one.
static _Atomic int no_memory;
int madvise(void *p, size_t bytes, int advice)
{
	if (advice == 23 && no_memory) { // MADV_POPULATE_WRITE
		errno = ENOMEM;
		return -1;
	}
	return (int)syscall(SYS_madvise, p, bytes, advice);
}

static void memory_that_cannot_be_shared_is_an_error_and_stays(void)
{
	CUcontext context;
	CUgraph graph;
	CUgraphNode node;
	CUgraphExec exec;
	CUdeviceptr p;
	start();
	unsigned *memory = calloc(4096, 4), refused = 0;
	OK(cuCtxGetCurrent(&context));
	OK(cuMemAlloc(&p, 4));
	OK(cuMemsetD32(p, 55, 1));
	OK(cuGraphCreate(&graph, 0));
	CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_DEVICE, .srcDevice = p, .dstMemoryType = CU_MEMORYTYPE_HOST,
			      .dstHost = memory + 2000, .WidthInBytes = 4, .Height = 1, .Depth = 1};
	for (unsigned i = 0; i < 4096; i++)
		memory[i] = i;
	no_memory = 1;
	for (int i = 0; i < 3; i++) {
		CUresult r = cuMemHostRegister(memory, 4 * 4096, 0);
		TRUE(r == CUDA_SUCCESS || r == CUDA_ERROR_OUT_OF_MEMORY);
		if (!r)
			OK(cuMemHostUnregister(memory));
		else
			refused++;
		r = cuGraphAddMemcpyNode(&node, graph, NULL, 0, &copy, context);
		TRUE(r == CUDA_SUCCESS || r == CUDA_ERROR_OUT_OF_MEMORY);
	}
	for (unsigned i = 0; i < 4096; i++)
		EQUAL(i, memory[i]);
	TRUE(refused == 3 || refused == 0); // none on the vendor's own library, which asks for nothing
	no_memory = 0;
	OK(cuMemHostRegister(memory, 4 * 4096, 0));
	OK(cuMemHostUnregister(memory));
	OK(cuGraphAddMemcpyNode(&node, graph, NULL, 0, &copy, context));
	OK(cuGraphInstantiate(&exec, graph, 0));
	OK(cuGraphLaunch(exec, NULL));
	OK(cuCtxSynchronize());
	for (unsigned i = 0; i < 4096; i++)
		EQUAL(i == 2000 ? 55 : i, memory[i]);
}

static const struct test_case cases[] = {
	CASE(a_library_leaves_stdin_alone_that_is_closed),
	CASE(closed_descriptors_end_the_session_and_nothing_else),
	CASE(a_limit_on_file_sizes_does_not_kill_the_program),
	CASE(a_hard_limit_on_file_sizes_is_an_error),
	CASE(a_limit_on_address_space_makes_the_session_smaller),
	CASE(a_program_that_locks_its_memory_does_not_get_the_region_filled),
	CASE(without_descriptors_there_is_no_device_and_with_them_there_is),
	CASE(threads_come_and_go),
	CASE(too_many_threads_at_once_are_an_error_for_some),
	CASE(a_child_forked_amid_calls_gets_an_error_from_each),
	CASE(a_child_forked_amid_init_can_have_its_own_session_or_none),
	CASE(a_child_of_a_bare_clone_does_not_crash_in_a_call),
	CASE(an_exit_amid_calls_is_an_exit),
	CASE(calls_work_in_an_exit_handler),
	CASE(calls_work_in_a_threads_destructors),
	CASE(signals_do_not_disturb),
	CASE(full_rings_and_long_copies_in_several_threads),
	CASE(counts_that_are_absurd_are_errors),
	CASE(what_is_no_module_file_is_an_error),
	CASE(memory_that_cannot_be_shared_is_an_error_and_stays),
};

int main(int argc, char **argv)
{
	return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
