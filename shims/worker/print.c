// SPDX-License-Identifier: Apache-2.0
//
// What the vendor's library prints is the client's: device code's printf goes
// to the standard output of the process that waits for the device, its assert
// to standard error. Both are files in memory here. After a call in which the
// vendor may have written to them, what is new is moved into the region, before
// the call is answered. A file never makes the vendor wait, as a pipe would
// whose reader waits for the vendor.
//
// Nearly every call that is waited for may have printed, and nearly none has: to
// ask the kernel each time how long two files are costs half as much as a call
// and back. So the place where a file's next byte goes is mapped and looked at.
// It is zero until something is written; what begins with more zeros than are
// looked at is found by one of the next ASK_EVERY calls, or the end of a module,
// a stream or a context.
#include "print.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cuda_calls.h"

#define ASK_EVERY 256
#define WINDOW (1u << 20) // bytes of a file that are mapped at a time
#define LOOKED_AT 4       // words
#define KEPT_MAX (64 << 20) // bytes that wait for a client that never comes for them

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
void __sanitizer_set_report_fd(void *fd);
#define REPORTS_TO(fd) __sanitizer_set_report_fd((void *)(intptr_t)(fd))
#else
#define REPORTS_TO(fd) ((void)(fd))
#endif

struct axw_print {
	pthread_mutex_t lock;
	off_t taken[AXR_OUTPUTS];     // bytes of the file that are in the region, or were
	uint32_t tail[AXR_OUTPUTS];   // as in the region
	uint32_t more;
	uint8_t *window[AXR_OUTPUTS]; // NULL before the first
	off_t window_at[AXR_OUTPUTS]; // in the file

	// Read without the lock: the words where the next byte goes. NULL while bytes are on their way into the
	// region, while some had no room there, and where a file may not be as long as the window (RLIMIT_FSIZE).
	_Atomic(const _Atomic uint64_t *) next[AXR_OUTPUTS];
};

int axw_print_call(const char *name)
{
	// Where the driver API promises output: synchronisation, blocking copies, the ends of modules and contexts. A
	// launch or an allocation may print as well; that comes out with the next of these.
	static const char *const part[] = { "Synchronize", "cuMemcpy", "cuMemFree", "Unload", "cuCtxDestroy", "cuCtxDetach",
					    "cuDevicePrimaryCtx", "axModuleLoad", "axLibraryLoad", "StreamDestroy", "axOutput" };
	for (size_t i = 0; i < sizeof part / sizeof *part; i++)
		if (strstr(name, part[i]))
			return 1;
	return 0;
}

int axw_print_ends(const char *name)
{
	static const char *const part[] = { "Destroy", "Detach", "Unload", "cuDevicePrimaryCtx", "axOutput" };
	for (size_t i = 0; i < sizeof part / sizeof *part; i++)
		if (strstr(name, part[i]))
			return 1;
	return 0;
}

// Under the lock, when everything up to `end` is in the region and the client can know.
static void look_at(struct axw_print *p, uint32_t i, off_t end)
{
	off_t from = end & ~(off_t)(WINDOW / 2 - 1);

	if (!p->window[i] || from != p->window_at[i]) {
		// In the same place: another thread may be about to look.
		void *at = ftruncate(1 + (int)i, from + WINDOW) ? MAP_FAILED
								: mmap(p->window[i], WINDOW, PROT_READ,
								       MAP_SHARED | (p->window[i] ? MAP_FIXED : 0), 1 + (int)i, from);
		if (at == MAP_FAILED)
			return;
		p->window[i] = at;
		p->window_at[i] = from;
	}
	// What is before it in the first word is in the region, and zero again.
	const void *word = p->window[i] + ((end - from) & ~(off_t)7);
	atomic_store_explicit(&p->next[i], (const _Atomic uint64_t *)word, memory_order_release);
}

int axw_print_news(struct axw_lane *l)
{
	struct axw_print *p = l->s->print;

	if (!p)
		return 0;
	if (l->looks++ % ASK_EVERY == 0 || __fpending(stdout))
		return 1;
	for (uint32_t i = 0; i < AXR_OUTPUTS; i++) {
		const _Atomic uint64_t *next = atomic_load_explicit(&p->next[i], memory_order_acquire);
		for (int w = 0; next && w < LOOKED_AT; w++)
			if (atomic_load_explicit(&next[w], memory_order_acquire))
				next = NULL;
		// Zeros also if another thread has moved it meanwhile: then its news may still be on their way.
		if (!next || atomic_load_explicit(&p->next[i], memory_order_relaxed) != next)
			return 1;
	}
	return 0;
}

int axw_print_start(struct axw_session *s)
{
	static const char *const name[AXR_OUTPUTS] = { "axon-output", "axon-errors" };
	struct axw_print *p = calloc(1, sizeof *p);
	int log = fcntl(2, F_DUPFD_CLOEXEC, 10), error = 0;

	if (!p || log < 0)
		return p ? -errno : -ENOMEM;
	pthread_mutex_init(&p->lock, NULL);
	fflush(stdout);
	for (int i = 0; i < (int)AXR_OUTPUTS && !error; i++) {
		int fd = memfd_create(name[i], MFD_CLOEXEC);
		if (fd < 0 || dup2(fd, 1 + i) < 0)
			error = -errno;
		if (fd >= 0)
			close(fd);
	}
	if (error)
		return error;
	REPORTS_TO(log);
	s->log = log;
	s->print = p;
	return 0;
}

// Under the lock: moves what has room. 1 if something was moved.
static int move(struct axw_session *s, uint32_t i)
{
	struct axw_print *p = s->print;
	int fd = 1 + (int)i, moved = 0;
	off_t end = lseek(fd, 0, SEEK_CUR); // where the next write goes: only writes move it
	uint8_t *ring = axr_output_at(s->region, i);

	if (end > p->taken[i])
		atomic_store(&p->next[i], NULL); // before the bytes there are zero again
	while (end > p->taken[i]) {
		// The client's word: what it says about its own output hurts itself only.
		uint32_t used = p->tail[i] - atomic_load_explicit(&s->header->output_head[i], memory_order_acquire);
		uint32_t at = p->tail[i] & (AXR_OUTPUT_SIZE - 1);
		size_t n = used < AXR_OUTPUT_SIZE ? AXR_OUTPUT_SIZE - used : 0;
		if (n > AXR_OUTPUT_SIZE - at)
			n = AXR_OUTPUT_SIZE - at;
		if (n > (size_t)(end - p->taken[i]))
			n = (size_t)(end - p->taken[i]);
		ssize_t got = n ? pread(fd, ring + at, n, p->taken[i]) : 0;
		if (got <= 0)
			break;
		fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, p->taken[i], got);
		p->taken[i] += got;
		p->tail[i] += (uint32_t)got;
		moved = 1;
	}
	if (end - p->taken[i] > KEPT_MAX) {
		axw_log(s, "the client does not take what its device code prints: %lld bytes are dropped",
			(long long)(end - p->taken[i]));
		fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, p->taken[i], end - p->taken[i]);
		p->taken[i] = end;
	}
	if (end > p->taken[i])
		p->more = 1;
	if (moved)
		atomic_store_explicit(&s->header->output_tail[i], p->tail[i], memory_order_release);
	return moved;
}

void axw_print_move(struct axw_session *s)
{
	struct axw_print *p = s->print;

	if (!p)
		return;
	fflush(stdout);
	pthread_mutex_lock(&p->lock);
	uint32_t had_more = p->more;
	p->more = 0;
	int moved = move(s, 0);
	moved |= move(s, 1);
	if (moved || had_more != p->more) {
		atomic_store_explicit(&s->header->output_more, p->more, memory_order_release);
		atomic_fetch_add_explicit(&s->header->output_news, 1, memory_order_release);
	}
	for (uint32_t i = 0; i < AXR_OUTPUTS && !p->more; i++)
		if (!atomic_load_explicit(&p->next[i], memory_order_relaxed))
			look_at(p, i, p->taken[i]);
	pthread_mutex_unlock(&p->lock);
}

// All that this call is for happens around it (lane.c).
CUresult axw_axOutput(struct axw_call *w)
{
	(void)w;
	return CUDA_SUCCESS;
}
