// SPDX-License-Identifier: Apache-2.0
//
// Replacing pages in place. The bytes are copied into pages of the region, then
// one mmap over the old ones makes these the program's. What another thread
// writes between the two would be lost, so:
//
//  1. The pages are write-protected through userfaultfd. A thread that writes
//     sleeps in its page fault and finds the new page when it goes on. Without
//     the right to hold up the kernel's own writes (UFFD_USER_MODE_ONLY), a
//     system call of another thread that is just then to write there fails
//     with EFAULT.
//  2. Where there is no userfaultfd (forbidden in a container, a kernel before
//     5.7, 5.19 for the way back, private mappings of files) the pages are
//     copied and replaced one by one: a write that falls into the microsecond
//     between the two is lost. A program with one thread loses nothing.
//
// The calling thread's own stack may be among the pages. So another thread does
// the work and the caller sleeps, with its signals blocked: nothing runs on
// that stack. The other one's is of no use to anybody else: the C library might
// give it that of a thread that has ended, with pages to be replaced. Between protecting and replacing, the worker thread makes only
// system calls: the allocator's memory may be among the pages as well.
#include "swap.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "call.h"
#include "maps.h"
#include "session.h"
#include "wait.h"

#ifndef UFFD_USER_MODE_ONLY
#define UFFD_USER_MODE_ONLY 1
#endif
#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
#define WP_UNPOPULATED (1ull << 13) // UFFD_FEATURE_WP_UNPOPULATED, Linux 6.4

#define LINE 256 // bytes of a line of /proc/self/maps: a long path's end is of no interest
#define STACK 0x100000u // of the thread that does the work, with the program's thread-local variables; mostly never touched

struct swap {
	uint8_t *at;
	size_t bytes;
	uint8_t *piece;
	uint64_t offset; // of the piece in the region's file
	bool in, read_only, alone;
	uint8_t *before; // NULL, or on the way out the bytes that went; on the way in, only what differs from them goes
	int caller;      // thread id
	const void *stack;
	CUresult result;
	_Atomic uint32_t done;
};

// Of the heap's mapping: what tells pages of ours. Under `one`, and read in a forked child.
static uint64_t heap_inode, heap_offset;
static unsigned heap_major, heap_minor;

static bool learn_heap(void)
{
	struct axc_mapping m;
	char line[LINE];

	if (!axc_mapping_at((uint64_t)(uintptr_t)axc.heap, &m, line, sizeof line))
		return false;
	heap_inode = m.inode;
	heap_major = m.major;
	heap_minor = m.minor;
	heap_offset = m.offset + ((uint64_t)(uintptr_t)axc.heap - m.start);
	return heap_inode;
}

bool axc_swap_is_heap(const struct axc_mapping *m)
{
	return m->shared && heap_inode && m->inode == heap_inode && m->major == heap_major && m->minor == heap_minor;
}

// Whether the mapping shows, at `at`, the page of the heap that belongs there.
static bool in_place(const struct swap *s, const struct axc_mapping *m, uint64_t at)
{
	return axc_swap_is_heap(m) && m->offset + (at - m->start) == s->offset + (at - (uint64_t)(uintptr_t)s->at);
}

static CUresult suitable(const struct swap *s, const struct axc_mapping *m, uint64_t at)
{
	if (!(m->prot & PROT_READ) || (!(m->prot & PROT_WRITE) && !s->read_only))
		return CUDA_ERROR_INVALID_VALUE;
	if ((m->shared && !in_place(s, m, at)) || m->huge) {
		axc_debug("the memory at 0x%llx is %s: it can neither be registered nor be the host side of a graph's copy",
			  (unsigned long long)at,
			  m->shared ? "shared with others" : "of private huge pages, which cannot be shared in place; map them MAP_SHARED");
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	return CUDA_SUCCESS;
}

// Everything of it must be there and be the program's alone. *ours: it is in place already, all of it.
static CUresult look(const struct swap *s, bool *anonymous, bool *ours)
{
	struct axc_maps maps;
	struct axc_mapping m;
	char line[LINE];
	uint64_t start = (uint64_t)(uintptr_t)s->at, end = start + s->bytes;
	CUresult r = CUDA_SUCCESS;

	*anonymous = *ours = true;
	if (!axc_maps_open(&maps)) {
		axc_debug("/proc/self/maps cannot be opened: %s", strerror(errno));
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	while (!r && start < end && axc_maps_next(&maps, &m, line, sizeof line)) {
		if (m.end <= start)
			continue;
		if (m.start > start)
			break;
		r = suitable(s, &m, start);
		*anonymous &= m.anonymous;
		*ours &= in_place(s, &m, start);
		start = m.end;
	}
	axc_maps_close(&maps);
	return r ? r : start < end ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

__attribute__((no_sanitize("address", "thread"))) static void touch(const uint8_t *at, size_t bytes, size_t page)
{
	for (size_t i = 0; i < bytes; i += page)
		(void)*(const volatile uint8_t *)(at + i);
}

// Write-protects the pages; closing the descriptor lets the sleepers go on. -1: cannot be done here.
static int protect(const struct swap *s, size_t page)
{
	struct uffdio_api api = {.api = UFFD_API, .features = WP_UNPOPULATED};
	struct uffdio_register area = {.range = {.start = (uint64_t)(uintptr_t)s->at, .len = s->bytes},
				       .mode = UFFDIO_REGISTER_MODE_WP};
	struct uffdio_writeprotect wp = {.range = area.range, .mode = UFFDIO_WRITEPROTECT_MODE_WP};
	int fd = -1;

	for (int attempt = 0; attempt < 4; attempt++) {
		fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | (attempt & 1 ? UFFD_USER_MODE_ONLY : 0));
		api.api = UFFD_API;
		api.features = attempt & 2 ? 0 : WP_UNPOPULATED; // a kernel that does not know it refuses all
		if (fd >= 0 && !ioctl(fd, UFFDIO_API, &api))
			break;
		if (fd >= 0)
			close(fd);
		fd = -1;
	}
	if (fd < 0)
		return -1;
	if (ioctl(fd, UFFDIO_REGISTER, &area)) {
		close(fd);
		return -1;
	}
	// A page that is not there yet could not be protected before Linux 6.4.
	if (madvise(s->at, s->bytes, MADV_POPULATE_READ) && errno == EINVAL) // before Linux 5.14
		touch(s->at, s->bytes, page);
	if (ioctl(fd, UFFDIO_WRITEPROTECT, &wp)) {
		close(fd);
		return -1;
	}
	return fd;
}

// Not by memcpy, which a sanitizer would watch: whole pages are copied, whatever is in them.
__attribute__((no_sanitize("address", "thread"))) static void copy_words(void *to, const void *from, size_t bytes)
{
	for (size_t i = 0; i < bytes / sizeof(uint64_t); i++)
		((volatile uint64_t *)to)[i] = ((const volatile uint64_t *)from)[i];
}

// What has become different from `before` goes to `to`, which somebody else writes to as well.
__attribute__((no_sanitize("address", "thread"))) static void copy_changes(uint8_t *to, const uint8_t *from, const uint8_t *before,
									   size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		if (((const volatile uint8_t *)from)[i] != before[i])
			((volatile uint8_t *)to)[i] = ((const volatile uint8_t *)from)[i];
}

static void copy_in(const struct swap *s, size_t skip, size_t bytes)
{
	if (s->before)
		copy_changes(s->piece + skip, s->at + skip, s->before + skip, bytes);
	else
		copy_words(s->piece + skip, s->at + skip, bytes);
}

// Until the caller sleeps: it may be just about to, on a page of ours.
static void wait_for_sleep(const struct swap *s)
{
	char path[64], text[512];
	snprintf(path, sizeof path, "/proc/self/task/%d/stat", s->caller);
	for (;;) {
		int fd = open(path, O_RDONLY | O_CLOEXEC);
		ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
		if (fd >= 0)
			close(fd);
		if (n <= 0)
			return;
		text[n] = 0;
		const char *state = strrchr(text, ')');
		if (!state || strlen(state) < 3 || state[2] != 'R')
			return;
		sched_yield();
	}
}

static bool put_in(const struct swap *s, uint64_t at, size_t skip, size_t bytes, int prot, bool copy)
{
	void *p = (void *)(uintptr_t)at, *heap = s->piece + skip;
	if (copy)
		copy_in(s, skip, bytes);
	// From no bytes to some: another mapping of the same pages. It takes no descriptor, which a program may have closed.
	if (mremap(heap, 0, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, p) == MAP_FAILED)
		return false;
	madvise(p, bytes, MADV_DOFORK);
	madvise(p, bytes, MADV_DODUMP);
	return prot == (PROT_READ | PROT_WRITE) || !mprotect(p, bytes, prot);
}

static bool put_back(const struct swap *s, uint64_t at, uint8_t *fresh, size_t skip, size_t bytes, int prot)
{
	void *p = (void *)(uintptr_t)at;
	// From the pages where they lie: a forked child has no heap. Unreadable ones are read through the heap.
	copy_words(fresh + skip, s->alone ? p : s->piece + skip, bytes);
	if (s->before)
		copy_words(s->before + skip, fresh + skip, bytes);
	if (prot != (PROT_READ | PROT_WRITE) && mprotect(fresh + skip, bytes, prot))
		return false;
	return mremap(fresh + skip, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, p) != MAP_FAILED;
}

static CUresult replace(const struct swap *s)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	bool anonymous = true, ours = false;
	struct axc_mapping m;
	char line[LINE];
	uint8_t *fresh = NULL;
	uint64_t from = (uint64_t)(uintptr_t)s->at, end = from + s->bytes;
	CUresult r = CUDA_SUCCESS;

	if (s->in && (r = look(s, &anonymous, &ours)))
		return r;
	if (!s->in) {
		fresh = mmap(NULL, s->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (fresh == MAP_FAILED)
			return CUDA_ERROR_OUT_OF_MEMORY;
	}
	// All at once, and while nobody is held up: faults one by one cost several times the copy. Since Linux 5.14.
	// Pages of the region that there is no memory for would otherwise be a SIGBUS.
	if ((s->in || s->bytes > page) && madvise(s->in ? s->piece : fresh, s->bytes, MADV_POPULATE_WRITE) && s->in && errno != EINVAL) {
		axc_debug("no memory for %zu bytes that are to be shared with the device: %s", s->bytes, strerror(errno));
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	int guard = anonymous && !s->alone ? protect(s, page) : -1;
	bool at_once = guard >= 0 || s->alone;
	if (!at_once && (uintptr_t)s->stack - (uintptr_t)s->at < s->bytes)
		wait_for_sleep(s);
	if (s->in && at_once)
		copy_in(s, 0, s->bytes);
	// Each mapping keeps what may be done with it.
	struct axc_maps maps;
	if (!axc_maps_open(&maps))
		r = CUDA_ERROR_OPERATING_SYSTEM;
	size_t used = 0; // bytes of fresh that have found their place
	while (!r && from < end && axc_maps_next(&maps, &m, line, sizeof line)) {
		if (m.end <= from)
			continue;
		if (m.start >= end)
			break;
		uint64_t a = m.start > from ? m.start : from, b = m.end < end ? m.end : end;
		size_t skip = a - (uint64_t)(uintptr_t)s->at, step = at_once ? b - a : page;
		from = b;
		// On the way back only what is still ours is taken out, on the way in only what is not.
		if (in_place(s, &m, a) == s->in || (s->alone && !(m.prot & PROT_READ)))
			continue;
		if (fresh && skip > used)
			munmap(fresh + used, skip - used);
		for (; a < b && !r; a += step, skip += step)
			if (!(s->in ? put_in(s, a, skip, step, m.prot, !at_once) : put_back(s, a, fresh, skip, step, m.prot)))
				r = CUDA_ERROR_OUT_OF_MEMORY;
			else
				used = skip + step;
	}
	if (maps.fd >= 0)
		axc_maps_close(&maps);
	if (guard >= 0)
		close(guard); // who slept finds the new pages
	if (fresh && used < s->bytes)
		munmap(fresh + used, s->bytes - used);
	return r;
}

static void *run(void *arg)
{
	struct swap *s = arg;
	s->result = replace(s);
	atomic_store(&s->done, 1);
	axr_futex_wake(&s->done);
	return NULL;
}

// Starts the thread that does the work; one at a time.
static bool start_thread(pthread_t *thread, struct swap *s)
{
	static void *stack;
	pthread_attr_t attr;
	bool started;

	if (!stack) {
		void *p = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
		if (p == MAP_FAILED)
			return false;
		stack = p;
	}
	if (pthread_attr_init(&attr))
		return false;
	started = !pthread_attr_setstack(&attr, stack, STACK) && !pthread_create(thread, &attr, run, s);
	pthread_attr_destroy(&attr);
	return started;
}

static CUresult swap_by_thread(void *at, size_t bytes, void *piece, bool in, bool read_only, void *before)
{
	// Not on the stack, which may be replaced.
	static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
	static struct swap s;
	static pthread_t thread;
	sigset_t all, mask;
	char here;

	pthread_mutex_lock(&one);
	if (!heap_inode && !learn_heap()) {
		pthread_mutex_unlock(&one);
		axc_debug("/proc/self/maps cannot be read: no memory of the program's can be shared with the device");
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	s = (struct swap){.at = at,
			  .bytes = bytes,
			  .piece = piece,
			  .offset = heap_offset + (uint64_t)((uint8_t *)piece - axc.heap),
			  .in = in,
			  .read_only = read_only,
			  .before = before,
			  .caller = (int)syscall(SYS_gettid),
			  .stack = &here};
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &mask);
	CUresult r = CUDA_ERROR_OUT_OF_MEMORY;
	if (start_thread(&thread, &s)) {
		while (!atomic_load(&s.done))
			axr_futex_wait(&s.done, 0, NULL);
		pthread_join(thread, NULL);
		r = s.result;
	}
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	pthread_mutex_unlock(&one);
	return r;
}

bool axc_swapped(void *at, size_t bytes, void *piece, bool read_only)
{
	struct swap s = {.at = at,
			 .bytes = bytes,
			 .offset = heap_offset + (uint64_t)((uint8_t *)piece - axc.heap),
			 .read_only = read_only};
	bool anonymous, ours;
	return heap_inode && !look(&s, &anonymous, &ours) && ours;
}

bool axc_swap_shown(void (*shown)(uint64_t start, uint64_t end))
{
	struct axc_maps maps;
	uint64_t heap = (uint64_t)(uintptr_t)axc.heap;
	struct axc_mapping m;
	char line[LINE];

	if (!axc_maps_open(&maps))
		return false;
	while (heap_inode && axc_maps_next(&maps, &m, line, sizeof line))
		if (axc_swap_is_heap(&m) && m.offset >= heap_offset && m.start - heap >= axc.heap_size)
			shown(heap + (m.offset - heap_offset), heap + (m.offset - heap_offset) + (m.end - m.start));
	axc_maps_close(&maps);
	return true;
}

CUresult axc_swap_in(void *at, size_t bytes, void *piece, bool read_only)
{
	return swap_by_thread(at, bytes, piece, true, read_only, NULL);
}

CUresult axc_swap_in_again(void *at, size_t bytes, void *piece, void *before)
{
	return swap_by_thread(at, bytes, piece, true, true, before);
}

void axc_swap_out(void *at, size_t bytes, void *piece, void *before)
{
	CUresult r = swap_by_thread(at, bytes, piece, false, false, before);
	if (r)
		axc_debug("%zu bytes at %p stay in the region (%d)", bytes, at, (int)r);
}

void axc_swap_out_forked(void *at, size_t bytes, void *piece)
{
	struct swap s = {.at = at,
			 .bytes = bytes,
			 .piece = piece,
			 .offset = heap_offset + (uint64_t)((uint8_t *)piece - axc.heap),
			 .alone = true};
	replace(&s);
}
