// SPDX-License-Identifier: Apache-2.0
//
// Opening the session: make a region, hand it to axond, take the snapshot.
// Never from a constructor: programs fork first.
#include "session.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "call.h"
#include "hello.h"
#include "managed.h"
#include "stats.h"
#include "thread.h"
#include "wait.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

static _Atomic int closed; // the state until there is a page for it
struct axc_session axc = {.state = &closed};

// What tells this library from a vendor's: a worker that finds it where the
// vendor's should be must not load it.
AX_EXPORT const char axon_shim[] = "axon";

static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
extern char **environ;

// A descriptor of ours. The program may close it (daemons close all that they
// did not open) and open a file that gets its number: who it is, is asked
// before each use.
struct descriptor {
	int number; // -1 without
	dev_t device;
	ino_t inode;
};

static struct descriptor to_axond = {.number = -1}, memory = {.number = -1};
static _Atomic pid_t opened_by; // the process whose session this is

static bool still_ours(const struct descriptor *d)
{
	struct stat st;
	return d->number >= 0 && !fstat(d->number, &st) && st.st_dev == d->device && st.st_ino == d->inode;
}

static void drop(struct descriptor *d)
{
	if (still_ours(d))
		close(d->number);
	d->number = -1;
}

// Takes fd, which is -1 if it could not be made. One that would be the
// program's stdin, stdout or stderr, because those are closed, is moved up.
static bool take(struct descriptor *d, int fd)
{
	struct stat st;
	if (fd >= 0 && fd <= 2) {
		int higher = fcntl(fd, F_DUPFD_CLOEXEC, 3);
		close(fd);
		fd = higher;
	}
	if (fd < 0)
		return false;
	if (fstat(fd, &st)) {
		close(fd);
		return false;
	}
	*d = (struct descriptor){fd, st.st_dev, st.st_ino};
	return true;
}

// What the vendor's driver reads from its environment at cuInit, where its cache
// of compiled kernels is, and the limits that axon run was told.
static bool wanted(const char *variable)
{
	static const char *const prefixes[] = {"CUDA_", "NVIDIA_", "SOFTGPU_", "HOME=", "TMPDIR=", "AXON_GPU_MEMORY=",
					       "AXON_MEMORY=", NULL};
	for (const char *const *p = prefixes; *p; p++)
		if (!strncmp(variable, *p, strlen(*p)))
			return true;
	return false;
}

static size_t collect_environment(char *to, size_t room)
{
	size_t n = 0;
	if (getauxval(AT_SECURE)) // nor what the worker of a set-user-ID program reads: a variable names a library to load
		return 0;
	for (char **e = environ; e && *e; e++) {
		size_t bytes = strlen(*e) + 1;
		if (wanted(*e) && bytes <= room - n) {
			memcpy(to + n, *e, bytes);
			n += bytes;
		}
	}
	return n;
}

static bool connect_to_axond(struct descriptor *to)
{
	// Who starts a set-user-ID program does not choose whom its process trusts.
	const char *path = secure_getenv("AXON_SESSION");
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	if (!path || !*path)
		path = AXON_SOCKET;
	if (strlen(path) >= sizeof address.sun_path) {
		axc_debug("AXON_SESSION is longer than a socket's path can be: %s", path);
		return false;
	}
	strcpy(address.sun_path, path);
	int r = -1;
	if (take(to, socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0)))
		while ((r = connect(to->number, (struct sockaddr *)&address, sizeof address)) && errno == EINTR)
			;
	if (r) {
		axc_debug("cannot reach axond at %s: %s; %s", path, strerror(errno),
			  errno == EACCES || errno == EPERM ? "only root and members of the socket's group may (usually video)"
							    : "is it running? AXON_SESSION names another socket");
		drop(to);
	}
	return !r;
}

int axc_session_dial(void)
{
	struct descriptor apart = {.number = -1};
	return connect_to_axond(&apart) ? apart.number : -1;
}

// Gives the region its size. A limit on the size of files (`ulimit -f`) holds
// for it as well and would end the program by SIGXFSZ; it means files on disk.
static bool set_size(int fd, uint64_t size)
{
	sigset_t exceeded, before, pending;
	struct rlimit limit = {.rlim_cur = RLIM_INFINITY};

	sigemptyset(&exceeded);
	sigaddset(&exceeded, SIGXFSZ);
	pthread_sigmask(SIG_BLOCK, &exceeded, &before);
	sigpending(&pending);
	bool good = !ftruncate(fd, (off_t)size);
	if (!good && errno == EFBIG && !getrlimit(RLIMIT_FSIZE, &limit)) {
		struct rlimit raised = {.rlim_cur = limit.rlim_max, .rlim_max = limit.rlim_max};
		good = !setrlimit(RLIMIT_FSIZE, &raised) && !ftruncate(fd, (off_t)size);
		setrlimit(RLIMIT_FSIZE, &limit);
	}
	int error = errno;
	if (!sigismember(&pending, SIGXFSZ))
		while (sigtimedwait(&exceeded, NULL, &(struct timespec){0}) < 0 && errno == EINTR)
			;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = error;
	return good;
}

// A program under `ulimit -v` cannot map the usual size: less is tried.
static const struct {
	uint32_t lanes;
	uint64_t heap;
} sizes[] = {{512, AXR_HEAP_SIZE}, {512, 64ull << 30}, {64, 4ull << 30}, {16, 256ull << 20}};

// Where the system likes, but at a multiple of the 64 KiB that a region's parts
// are aligned to: mmap's own are multiples of a page.
static uint8_t *map_heap_anywhere(int fd, uint64_t offset, uint64_t size)
{
	const uint64_t step = 0x10000;
	uint8_t *room = mmap(NULL, size + step, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (room == MAP_FAILED)
		return MAP_FAILED;
	uint8_t *heap = (uint8_t *)(((uintptr_t)room + step - 1) & ~(uintptr_t)(step - 1));
	if (heap > room)
		munmap(room, (size_t)(heap - room));
	if (heap < room + step)
		munmap(heap + size, (size_t)(room + step - heap));
	if (mmap(heap, size, PROT_NONE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, fd, (off_t)offset) != heap) {
		munmap(heap, size);
		return MAP_FAILED;
	}
	return heap;
}

// Makes what was mapped accessible. After mlockall(MCL_FUTURE) all that is
// mapped gets its pages at once, and here is a terabyte: what cannot be accessed
// gets none, and is unlocked before it can.
static bool make_accessible(void *at, uint64_t size)
{
	munlock(at, size);
	return !mprotect(at, size, PROT_READ | PROT_WRITE);
}

static bool make_region(void)
{
	if (!take(&memory, memfd_create("axon-region", MFD_CLOEXEC | MFD_ALLOW_SEALING))) {
		axc_debug("memfd_create: %s", strerror(errno));
		return false;
	}
	int fd = memory.number;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		uint64_t heap_offset = AXR_LANES_OFFSET + (uint64_t)sizes[i].lanes * AXR_LANE_SIZE;
		uint64_t size = heap_offset + sizes[i].heap;
		if (!set_size(fd, size))
			continue;
		uint8_t *region = mmap(NULL, heap_offset, PROT_NONE, MAP_SHARED | MAP_NORESERVE, fd, 0);
		if (region == MAP_FAILED)
			continue;
		uint8_t *heap = mmap((void *)(uintptr_t)AXR_HEAP_BASE, sizes[i].heap, PROT_NONE,
				     MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, fd, (off_t)heap_offset);
		if (heap != MAP_FAILED && heap != (uint8_t *)(uintptr_t)AXR_HEAP_BASE) { // before Linux 4.17: a hint
			munmap(heap, sizes[i].heap);
			heap = MAP_FAILED;
		}
		if (heap == MAP_FAILED) // taken, or a kernel with smaller addresses: the worker tries the same place
			heap = map_heap_anywhere(fd, heap_offset, sizes[i].heap);
		if (heap == MAP_FAILED) {
			munmap(region, heap_offset);
			continue;
		}
		if (!make_accessible(region, heap_offset) || !make_accessible(heap, sizes[i].heap)) {
			munmap(region, heap_offset);
			munmap(heap, sizes[i].heap);
			continue;
		}
		// A child must not share pinned memory with its parent, nor a lane; and
		// nobody wants a terabyte of nothing in a core dump.
		madvise(region, heap_offset, MADV_DONTFORK);
		madvise(region, heap_offset, MADV_DONTDUMP);
		madvise(heap, sizes[i].heap, MADV_DONTFORK);
		madvise(heap, sizes[i].heap, MADV_DONTDUMP);
		// From now on nobody can make it shorter under the others' feet.
		if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)) {
			axc_debug("cannot seal the region: %s", strerror(errno));
			munmap(region, heap_offset);
			munmap(heap, sizes[i].heap);
			break;
		}
		// Device addresses are kept free of the program's own memory: a pointer
		// belongs to one or the other. Best effort: under `ulimit -v` each
		// allocation is reserved as it comes.
		void *window = mmap((void *)(uintptr_t)AXR_DEVICE_BASE, AXR_DEVICE_SIZE, PROT_NONE,
				    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
		if (window != MAP_FAILED && window != (void *)(uintptr_t)AXR_DEVICE_BASE)
			munmap(window, AXR_DEVICE_SIZE); // a kernel before 4.17 takes the address as a hint

		struct axr_header *h = (struct axr_header *)region;
		h->magic = AXR_MAGIC;
		h->version = AXR_VERSION;
		memcpy(h->fingerprint, axg_fingerprint, sizeof h->fingerprint);
		h->lanes = sizes[i].lanes;
		h->flags = axc_debugging() ? AXR_FLAG_DEBUG : 0;
		h->size = size;
		h->heap_offset = heap_offset;
		h->heap_size = sizes[i].heap;
		h->heap_base = (uint64_t)(uintptr_t)heap;
		h->device_base = AXR_DEVICE_BASE;
		h->device_size = AXR_DEVICE_SIZE;
		axc.region = region;
		axc.header = h;
		axc.heap = heap;
		axc.heap_size = sizes[i].heap;
		return true;
	}
	axc_debug("cannot make a region: %s; do limits (ulimit -v, ulimit -f) leave it no room?", strerror(errno));
	drop(&memory);
	return false;
}

static void drop_region(void)
{
	munmap(axc.region, axc.header->heap_offset);
	munmap(axc.heap, axc.heap_size);
	drop(&memory);
	axc.region = NULL;
	axc.header = NULL;
	axc.heap = NULL;
}

// How a hello ended.
enum heard { REFUSED, ADMITTED, HUNG_UP };

static enum heard say_hello(int fd)
{
	union {
		struct axon_hello hello;
		struct axon_answer answer;
		char bytes[AXON_HELLO_MAX];
	} *m = calloc(1, sizeof *m);
	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(sizeof(int))];
	} control = {0};
	if (!m)
		return REFUSED;

	m->hello.magic = AXR_MAGIC;
	m->hello.version = AXR_VERSION;
	memcpy(m->hello.fingerprint, axg_fingerprint, sizeof m->hello.fingerprint);
	m->hello.library = AXON_CUDA;
	m->hello.env_bytes =
		(uint32_t)collect_environment(m->bytes + sizeof m->hello, sizeof m->bytes - sizeof m->hello);
	struct iovec io = {m->bytes, sizeof m->hello + m->hello.env_bytes};
	struct msghdr message = {.msg_iov = &io, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space};
	struct cmsghdr *c = CMSG_FIRSTHDR(&message);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &memory.number, sizeof(int));

	ssize_t n;
	while ((n = sendmsg(fd, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR)
		;
	if (n < 0) {
		int error = errno;
		axc_debug("cannot send to axond: %s", strerror(error));
		free(m);
		return error == EPIPE || error == ECONNRESET ? HUNG_UP : REFUSED;
	}
	// axond answers when the worker has the device open.
	while ((n = recv(fd, m->bytes, sizeof m->bytes, 0)) < 0 && errno == EINTR)
		;
	enum heard heard = REFUSED;
	if (n <= 0) {
		axc_debug("axond hung up before it answered; its journal says why");
		heard = HUNG_UP;
	} else if (n < (ssize_t)sizeof m->answer || m->answer.magic != AXR_MAGIC)
		axc_debug("axond's answer is not axon's");
	else if (m->answer.status != AXON_OK)
		axc_debug("axond refuses this session: %.*s", (int)(n - (ssize_t)sizeof m->answer),
			  m->bytes + sizeof m->answer);
	else if (atomic_load(&axc.header->state) != AXR_READY)
		axc_debug("session %u ended before it began", m->answer.session);
	else
		heard = ADMITTED;
	free(m);
	return heard;
}

// An axond that is restarted hangs up on who has said hello and has no session yet. So hello is said again, but not for
// ever: an axond that dies of it is restarted as well. Where nobody is at the socket, this waits for so long, with a
// pause that doubles up to a limit. With systemd there is somebody at once, and axond's start takes what it takes.
#define HELLOS 50
#define NOBODY_NS 15000000000ull
#define PAUSE_NS 20000000l
#define PAUSE_MAX_NS 320000000l

// Says hello with a region, a new one each time: the worker that was to have the last one may have written to it.
static bool begin(void)
{
	struct timespec pause = {.tv_nsec = PAUSE_NS};
	uint64_t hung_up = 0;

	for (int hellos = 0; hellos < HELLOS;) {
		if (hellos) {
			nanosleep(&pause, NULL);
			pause.tv_nsec = pause.tv_nsec < PAUSE_MAX_NS ? pause.tv_nsec * 2 : PAUSE_MAX_NS;
		}
		// Nobody at the socket is an answer, unless there was somebody a moment ago.
		if (!connect_to_axond(&to_axond)) {
			if (!hellos || axr_now_ns() - hung_up > NOBODY_NS)
				return false;
			continue;
		}
		if (!make_region())
			return false;
		enum heard heard = say_hello(to_axond.number);
		if (heard == ADMITTED)
			return true;
		drop_region();
		drop(&to_axond);
		if (heard == REFUSED)
			return false;
		hellos++;
		hung_up = axr_now_ns();
	}
	axc_debug("axond hung up %d times", HELLOS);
	return false;
}

// In a forked child nothing of the parent's session exists: the region was not
// copied, and its socket would keep the parent's session alive. Nor does one
// that another thread of the parent's was opening, and held the lock for.
static void in_child(void)
{
	static const pthread_mutex_t unlocked = PTHREAD_MUTEX_INITIALIZER;

	memcpy(&opening, &unlocked, sizeof opening);
	drop(&to_axond);
	drop(&memory);
	if (opened_by) {
		atomic_store(axc.state, AXC_FORKED);
		axc_thread_forked();
		axc_managed_forked();
	}
}

static void watch_forks(void) { pthread_atfork(NULL, NULL, in_child); }

// The page for the state. Where it cannot be had (before Linux 4.14) only
// children of fork know what they are.
static void place_state(void)
{
	long page = sysconf(_SC_PAGESIZE);
	void *p = mmap(NULL, (size_t)page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return;
	if (madvise(p, (size_t)page, MADV_WIPEONFORK))
		munmap(p, (size_t)page);
	else
		axc.state = p;
}

bool axc_session_pass(uint64_t number, int fd)
{
	struct axon_descriptor m = {.magic = AXR_MAGIC, .number = number};
	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(sizeof(int))];
	} control = {0};
	struct iovec io = {&m, sizeof m};
	struct msghdr message = {.msg_iov = &io, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space};
	struct cmsghdr *c = CMSG_FIRSTHDR(&message);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &fd, sizeof(int));

	if (!still_ours(&to_axond)) {
		axc_debug("a descriptor cannot reach the worker: the program has closed the session's socket");
		return false;
	}
	ssize_t n;
	while ((n = sendmsg(to_axond.number, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR)
		;
	return n == (ssize_t)sizeof m;
}

bool axc_session_lost(void)
{
	struct pollfd p = {.fd = to_axond.number, .events = POLLRDHUP};
	if (still_ours(&to_axond) && poll(&p, 1, 0) <= 0)
		return false;
	axc_debug("axond is gone, and the session with it");
	atomic_store(&axc.header->state, AXR_ENDED);
	axr_full_fence();
	axr_futex_wake(&axc.header->upcall_tail);
	return true;
}

static bool set(const char *variable)
{
	const char *value = getenv(variable);
	return value && *value && strcmp(value, "0");
}

CUresult axc_open(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	int state = axc_state();
	if (state == AXC_FORKED)
		return CUDA_ERROR_NOT_INITIALIZED;
	if (state == AXC_OPEN)
		return CUDA_SUCCESS;
	if (opened_by && opened_by != getpid())
		return CUDA_ERROR_NOT_INITIALIZED;
	pthread_once(&once, watch_forks);

	CUresult r = CUDA_ERROR_NO_DEVICE;
	pthread_mutex_lock(&opening);
	if (axc_state() == AXC_OPEN) {
		pthread_mutex_unlock(&opening);
		return CUDA_SUCCESS;
	}
	axc.sync = set("AXON_SYNC");
	axc_stats_start();
	cpu_set_t set_of_cpus;
	axc.cpus = sched_getaffinity(0, sizeof set_of_cpus, &set_of_cpus) ? 1 : (unsigned)CPU_COUNT(&set_of_cpus);
	if (begin()) {
		axc.snapshot = (const struct axon_snapshot *)(axc.region + AXR_SNAPSHOT_OFFSET);
		axc.mirrored = axc.header->flags & AXR_FLAG_MIRRORED;
		r = (CUresult)axc.snapshot->init_result;
		if (r)
			drop_region();
	}
	drop(&memory); // mapped here and in the worker, it has done its service
	if (r) {
		drop(&to_axond);
	} else {
		place_state();
		opened_by = getpid();
		atomic_store_explicit(axc.state, AXC_OPEN, memory_order_release);
	}
	pthread_mutex_unlock(&opening);
	return r;
}
