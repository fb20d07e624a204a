/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory and events of other processes. What is shared is a file in /dev/shm that its user may open, named by the handle
 * after the process and a number. Who made it holds a lock on it to its end, however that comes: a file without one is
 * what a dead process left. It is not opened, and goes when somebody meets it.
 */
#include "driver.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MAGIC UINT64_C(0x6975707467666f73)

struct handle {
	uint64_t magic, what;                  /* 1 memory, 2 event */
	uint64_t pid, number;
	uint64_t inode;                        /* the number may be another file's by now */
	uint64_t size;
};
_Static_assert(sizeof(struct handle) <= CU_IPC_HANDLE_SIZE, "a handle has room");

#define FOLDER "/dev/shm/"
#define PREFIX "softgpu-ipc."

static void name_of(char path[80], uint64_t pid, uint64_t number)
{
	snprintf(path, 80, FOLDER PREFIX "%llu.%llu", (unsigned long long)pid, (unsigned long long)number);
}

/* Opens a file whose maker lives. One of a dead maker's is removed. */
static int open_living(const char *path)
{
	int low = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW), fd = -1;
	if (low < 0)
		return -1;
	if (!flock(low, LOCK_SH | LOCK_NB))
		unlink(path);
	else if (errno == EWOULDBLOCK)
		fd = fcntl(low, F_DUPFD_CLOEXEC, 3);   /* 0 says that there is none */
	close(low);
	return fd;
}

static void sweep(void)
{
	DIR *d = opendir(FOLDER);
	for (struct dirent *e; d && (e = readdir(d));) {
		char path[280];
		if (strncmp(e->d_name, PREFIX, sizeof PREFIX - 1))
			continue;
		snprintf(path, sizeof path, FOLDER "%s", e->d_name);
		int fd = open_living(path);
		if (fd >= 0)
			close(fd);
	}
	if (d)
		closedir(d);
}

static int shared_file(size_t size, uint64_t *number)
{
	static atomic_ullong last;
	char path[80];
	struct stat st;
	int fd = -1;
	sweep();
	for (int tries = 0; tries < 8 && fd < 0; tries++) {
		*number = atomic_fetch_add(&last, 1) + 1;
		name_of(path, (uint64_t)getpid(), *number);
		int low = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (low < 0)
			continue;
		/* Another's sweep may have come between. */
		if (!flock(low, LOCK_EX | LOCK_NB) && !fstat(low, &st) && st.st_nlink)
			fd = fcntl(low, F_DUPFD_CLOEXEC, 3);
		close(low);
	}
	if (fd >= 0 && posix_fallocate(fd, 0, (off_t)size)) {
		unlink(path);
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Of its maker's: nobody opens it any more, and who has it open keeps it. */
static void unshare_file(int file, uint64_t number)
{
	char path[80];
	name_of(path, (uint64_t)getpid(), number);
	unlink(path);
	close(file);
}

static void describe(void *handle, uint64_t what, int file, uint64_t number, uint64_t size)
{
	struct stat st = { 0 };
	fstat(file, &st);
	struct handle h = { MAGIC, what, (uint64_t)getpid(), number, (uint64_t)st.st_ino, size };
	memset(handle, 0, CU_IPC_HANDLE_SIZE);
	memcpy(handle, &h, sizeof h);
}

/* Opens what a handle describes. The handle may be anything. */
static CUresult open_file(const void *handle, uint64_t what, struct handle *h, int *file)
{
	char path[80];
	struct stat st;
	memcpy(h, handle, sizeof *h);
	if (h->magic != MAGIC || h->what != what || h->pid > INT32_MAX || !h->size || h->size > UINT64_C(1) << 46)
		return CUDA_ERROR_INVALID_VALUE;
	if (h->pid == (uint64_t)getpid())
		return CUDA_ERROR_INVALID_CONTEXT;
	name_of(path, h->pid, h->number);
	*file = open_living(path);
	if (*file < 0)
		return CUDA_ERROR_INVALID_VALUE;
	if (fstat(*file, &st) || !S_ISREG(st.st_mode) || (uint64_t)st.st_ino != h->inode || (uint64_t)st.st_size < h->size) {
		close(*file);
		return CUDA_ERROR_INVALID_VALUE;
	}
	return CUDA_SUCCESS;
}

/* Moves an allocation's bytes into a file, at the same addresses. Nothing runs meanwhile. */
static CUresult make_shared(struct memory *m)
{
	uint8_t *p = (uint8_t *)(uintptr_t)m->start;
	uint64_t number;
	int file = shared_file(m->charge, &number);
	if (file < 0)
		return CUDA_ERROR_OPERATING_SYSTEM;
	uint64_t done = 0;
	while (done < m->charge) {
		ssize_t n = pwrite(file, p + done, m->charge - done, (off_t)done);
		if (n <= 0)
			break;
		done += (uint64_t)n;
	}
	if (done < m->charge ||
	    mmap(p, m->charge, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) {
		unshare_file(file, number);
		return CUDA_ERROR_OPERATING_SYSTEM;
	}
	m->file = file;
	m->file_number = number;
	return CUDA_SUCCESS;
}

void ipc_end(struct memory *m)
{
	mmap((void *)(uintptr_t)m->start, m->charge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
	     0);
	if (!m->file_number)
		close(m->file);
	else
		unshare_file(m->file, m->file_number);
	m->file = 0;
	m->file_number = 0;
}

API CUresult cuIpcGetMemHandle(CUipcMemHandle *out, CUdeviceptr address)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	struct memory *m = memory_find(address);
	if (!out || !m || m->kind != MEM_DEVICE || m->opened || m->external || m->freeing)
		return leave(CUDA_ERROR_INVALID_VALUE);
	unsigned long long id = m->id;
	while (!m->file && gpu.running) {
		struct item *i = gpu.running;
		i->refs++;
		item_wait(i);
		item_unref(i);
		m = memory_find(address);      /* another thread may have freed it meanwhile */
		if (!m || m->id != id)
			return leave(CUDA_ERROR_INVALID_VALUE);
	}
	if (!m->file)
		r = make_shared(m);
	if (!r)
		describe(out, 1, m->file, m->file_number, m->size);
	return leave(r);
}

/* A file that is open here already, by an earlier handle. */
static struct memory *opened_before(uint64_t inode)
{
	struct stat st;
	for (size_t i = 0; i < gpu.memory_count; i++)
		if (gpu.memory[i]->opened && !fstat(gpu.memory[i]->file, &st) && (uint64_t)st.st_ino == inode)
			return gpu.memory[i];
	return NULL;
}

API CUresult cuIpcOpenMemHandle_v2(CUdeviceptr *out, CUipcMemHandle handle, unsigned int flags)
{
	struct context *c;
	struct memory *m;
	struct handle h;
	int file;
	CUresult r = enter(&c);
	if (r)
		return r;
	if (!out || flags != CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS)
		return leave(CUDA_ERROR_INVALID_VALUE);
	r = open_file(&handle, 1, &h, &file);
	if (r)
		return leave(r);
	if ((m = opened_before(h.inode))) {
		close(file);
	} else {
		r = memory_new(c->device, c, MEM_DEVICE, h.size, &m);
		if (!r && mmap((void *)(uintptr_t)m->start, m->charge, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) ==
			  MAP_FAILED) {
			memory_free(m);
			r = CUDA_ERROR_OPERATING_SYSTEM;
		}
		if (r) {
			close(file);
			return leave(r);
		}
		m->file = file;
	}
	m->opened++;
	*out = m->start;
	return leave(CUDA_SUCCESS);
}

API CUresult cuIpcOpenMemHandle(CUdeviceptr *out, CUipcMemHandle handle, unsigned int flags)
{
	return cuIpcOpenMemHandle_v2(out, handle, flags);
}

API CUresult cuIpcCloseMemHandle(CUdeviceptr address)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	struct memory *m = memory_find(address);
	if (!m || !m->opened || m->start != address)
		return leave(CUDA_ERROR_INVALID_VALUE);
	if (--m->opened == 0)
		memory_free(m);
	return leave(CUDA_SUCCESS);
}

/* What the processes that have an event see of it. */
struct state {
	uint64_t recorded, done;               /* counts; a wait is for the last record that there was */
	uint32_t news;                         /* a futex */
};
struct ipc_event {
	struct state *state;
	int file;
	uint64_t number;                       /* 0: another process's */
};

static struct ipc_event *event_of(int file)
{
	struct ipc_event *e = calloc(1, sizeof *e);
	void *p = e ? mmap(NULL, sizeof(struct state), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
	if (p == MAP_FAILED) {
		free(e);
		close(file);
		return NULL;
	}
	e->state = p;
	e->file = file;
	return e;
}

struct ipc_event *ipc_event_new(void)
{
	uint64_t number;
	int file = shared_file(sizeof(struct state), &number);
	struct ipc_event *e = file < 0 ? NULL : event_of(file);
	if (e)
		e->number = number;
	return e;
}

CUresult ipc_event_open(const CUipcEventHandle *handle, struct ipc_event **out)
{
	struct handle h;
	int file;
	CUresult r = open_file(handle, 2, &h, &file);
	if (r)
		return r;
	if (h.size != sizeof(struct state)) {
		close(file);
		return CUDA_ERROR_INVALID_VALUE;
	}
	*out = event_of(file);
	return *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

void ipc_event_close(struct ipc_event *e)
{
	munmap(e->state, sizeof(struct state));
	if (e->number)
		unshare_file(e->file, e->number);
	else
		close(e->file);
	free(e);
}

void ipc_event_handle(const struct ipc_event *e, CUipcEventHandle *out)
{
	describe(out, 2, e->file, e->number, sizeof(struct state));
}

uint64_t ipc_event_record(struct ipc_event *e)
{
	return __atomic_add_fetch(&e->state->recorded, 1, __ATOMIC_SEQ_CST);
}

uint64_t ipc_event_last(struct ipc_event *e)
{
	return __atomic_load_n(&e->state->recorded, __ATOMIC_SEQ_CST);
}

void ipc_event_done(struct ipc_event *e, uint64_t number)
{
	uint64_t done = __atomic_load_n(&e->state->done, __ATOMIC_SEQ_CST);
	while (done < number && !__atomic_compare_exchange_n(&e->state->done, &done, number, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		;
	__atomic_add_fetch(&e->state->news, 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &e->state->news, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

int ipc_event_wait(struct ipc_event *e, uint64_t number, int nap)
{
	const struct timespec moment = { .tv_nsec = 20000000 };
	uint32_t news = __atomic_load_n(&e->state->news, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&e->state->done, __ATOMIC_SEQ_CST) >= number)
		return 1;
	if (nap)
		syscall(SYS_futex, &e->state->news, FUTEX_WAIT, news, &moment, NULL, 0);
	return __atomic_load_n(&e->state->done, __ATOMIC_SEQ_CST) >= number;
}
