// SPDX-License-Identifier: Apache-2.0
//
// Pinned memory: pieces of the region's heap, made known to the device. Memory
// that the program registers where it lies is pages of the heap, too, or of a
// file that it shares with others: they are shown here at the program's own
// address.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "descriptor.h"
#include "files.h"
#include "session.h"
#include "cuda_worker.h"

struct axw_shown {
	uint64_t address, size;
	struct axw_shown *next; // sorted by address
};

int axw_pinned(struct axw_session *s, uint64_t address, uint64_t size)
{
	if (axw_in_heap(s, address, size))
		return 1;
	if (size > UINT64_MAX - address)
		return 0;
	uint64_t end = address + size;
	pthread_rwlock_rdlock(&s->shown_lock);
	// A range may go from one piece into the next.
	for (const struct axw_shown *m = s->shown; m && m->address <= address && address < end; m = m->next)
		if (address - m->address < m->size)
			address = m->address + m->size;
	pthread_rwlock_unlock(&s->shown_lock);
	return address >= end;
}

// Never where device memory may come to lie, nor over the heap.
static int free_to_show(const struct axw_session *s, uint64_t address, uint64_t size)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	return size && !((address | size) & (page - 1)) && address < 1ull << 47 && size <= (1ull << 47) - address &&
	       !(address < s->heap_base + s->heap_size && s->heap_base < address + size) &&
	       !(address < s->device_base + s->device_size && s->device_base < address + size);
}

static CUresult show(struct axw_session *s, uint64_t address, uint64_t size, int prot, int fd, uint64_t offset)
{
	struct axw_shown *m = malloc(sizeof *m);
	if (!m)
		return axw_own(CUDA_ERROR_OUT_OF_MEMORY);
	void *at = (void *)(uintptr_t)address;
	void *got = mmap(at, size, prot, MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, fd, (off_t)offset);
	if (got != at) {
		axw_log(s, "memory at %p cannot be registered: %s", at,
			got == MAP_FAILED && errno != EEXIST ? strerror(errno) : "something of the worker's is at that address");
		if (got != MAP_FAILED)
			munmap(got, size);
		free(m);
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	}
	pthread_rwlock_wrlock(&s->shown_lock);
	struct axw_shown **place = &s->shown;
	while (*place && (*place)->address < address)
		place = &(*place)->next;
	*m = (struct axw_shown){ .address = address, .size = size, .next = *place };
	*place = m;
	pthread_rwlock_unlock(&s->shown_lock);
	return CUDA_SUCCESS;
}

CUresult axw_axHostMap(struct axw_call *w)
{
	struct axw_session *s = w->s;
	struct ax_in_axHostMap in;
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	if (in.heap & (page - 1) || !free_to_show(s, in.address, in.size) || !axw_in_heap(s, in.heap, in.size))
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	return show(s, in.address, in.size, PROT_READ | PROT_WRITE, s->memfd, s->heap_offset + (in.heap - s->heap_base));
}

// A descriptor of the client's may be anything, and its file may be another length at any time: beyond its end is a SIGBUS, which
// ends this session.
static CUresult show_file(struct axw_session *s, const struct ax_in_axHostShare *in, int fd)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	unsigned long huge;
	struct stat st;

	if (!axr_file_is_memory(fd, &huge)) {
		axw_log(s, "a descriptor that the client sent is no file whose memory can be shared");
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	}
	if (fstat(fd, &st) || st.st_size < 0 || in->offset & (page - 1) || in->offset > (uint64_t)st.st_size ||
	    in->size > ((uint64_t)st.st_size - in->offset + page - 1) / page * page)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	return show(s, in->address, in->size, in->writable ? PROT_READ | PROT_WRITE : PROT_READ, fd, in->offset);
}

CUresult axw_axHostShare(struct axw_call *w)
{
	struct ax_in_axHostShare in;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	if (!free_to_show(w->s, in.address, in.size) || in.writable > 1)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	int fd = axw_descriptor_take(in.number);
	if (fd < 0)
		return axw_own(CUDA_ERROR_OPERATING_SYSTEM);
	CUresult r = show_file(w->s, &in, fd);
	close(fd);
	return r;
}

CUresult axw_axHostUnmap(struct axw_call *w)
{
	struct ax_in_axHostUnmap in;
	struct axw_shown *m;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	pthread_rwlock_wrlock(&w->s->shown_lock);
	struct axw_shown **place = &w->s->shown;
	while (*place && (*place)->address != in.address)
		place = &(*place)->next;
	if ((m = *place))
		*place = m->next;
	pthread_rwlock_unlock(&w->s->shown_lock);
	if (!m)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	munmap((void *)(uintptr_t)m->address, m->size);
	free(m);
	return CUDA_SUCCESS;
}

CUresult axw_axHostRegister(struct axw_call *w)
{
	struct ax_in_axHostRegister in;
	CUdeviceptr device = 0;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	void *p = (void *)(uintptr_t)in.address;
	// Read-only is the only wish that changes anything: these pages are ordinary memory, and every piece is
	// portable and mapped.
	if (!in.size || !axw_pinned(w->s, in.address, in.size))
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	unsigned flags = CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP | (in.flags & CU_MEMHOSTREGISTER_READ_ONLY);
	if (!axg_vendor.cuMemHostRegister_v2 || !axg_vendor.cuMemHostUnregister || !axg_vendor.cuMemHostGetDevicePointer_v2)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	CUresult r = axg_vendor.cuMemHostRegister_v2(p, in.size, flags);
	if (r != CUDA_SUCCESS)
		return r;
	// A program uses one address on both sides; a device that knows the memory by another one cannot serve it.
	r = axg_vendor.cuMemHostGetDevicePointer_v2(&device, p, 0);
	if (r == CUDA_SUCCESS && device == in.address)
		return CUDA_SUCCESS;
	if (r == CUDA_SUCCESS)
		axw_log(w->s, "this device maps pinned memory elsewhere: none can be had");
	axg_vendor.cuMemHostUnregister(p);
	return r == CUDA_SUCCESS ? axw_own(CUDA_ERROR_NOT_SUPPORTED) : r;
}

CUresult axw_axHostUnregister(struct axw_call *w)
{
	struct ax_in_axHostUnregister in;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	if (!axw_pinned(w->s, in.address, 1))
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	return axg_vendor.cuMemHostUnregister ? axg_vendor.cuMemHostUnregister((void *)(uintptr_t)in.address) : axw_own(CUDA_ERROR_NOT_SUPPORTED);
}
