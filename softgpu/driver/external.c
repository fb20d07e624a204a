/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of others, by descriptor. What another API would have made is here any file that can be mapped: a memfd, shared
 * memory. It is found out when it is imported, where the vendor's driver would find out when it is mapped.
 */
#include "driver.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct external {
	struct object object;
	int fd;
	uint64_t size;                         /* bytes of it that may be mapped */
};

static void external_free(struct object *o)
{
	close(((struct external *)o)->fd);
	free(o);
}

/* Whether a descriptor is a file of at least so many bytes, and may be written. */
static int is_file(int fd, uint64_t bytes)
{
	struct stat st;
	int flags = fcntl(fd, F_GETFL);
	return flags >= 0 && (flags & O_ACCMODE) == O_RDWR && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0 &&
	       (uint64_t)st.st_size >= bytes;
}

API CUresult cuImportExternalMemory(CUexternalMemory *out, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *d)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	if (!out || !d)
		return leave(CUDA_ERROR_INVALID_VALUE);
	if (d->type != CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD)
		return leave(d->type >= 1 && (int)d->type <= CU_EXTERNAL_MEMORY_HANDLE_TYPE_DMABUF_FD ? CUDA_ERROR_NOT_SUPPORTED
												       : CUDA_ERROR_INVALID_VALUE);
	if (d->flags & ~(unsigned)CUDA_EXTERNAL_MEMORY_DEDICATED || !d->size || !is_file(d->handle.fd, d->size))
		return leave(CUDA_ERROR_INVALID_VALUE);
	struct external *e = calloc(1, sizeof *e);
	if (!e)
		return leave(CUDA_ERROR_OUT_OF_MEMORY);
	object_add(&e->object, K_EXTERNAL, external_free);
	e->fd = d->handle.fd;                  /* ours from now on */
	e->size = d->size;
	*out = (CUexternalMemory)e;
	return leave(CUDA_SUCCESS);
}

API CUresult cuExternalMemoryGetMappedBuffer(CUdeviceptr *out, CUexternalMemory handle, const CUDA_EXTERNAL_MEMORY_BUFFER_DESC *d)
{
	struct context *c;
	struct memory *m;
	CUresult r = enter(&c);
	if (r)
		return r;
	struct external *e = handle ? object_find(K_EXTERNAL, handle) : NULL;
	if (!out || !d || !e || d->flags || !d->size || d->offset % gpu.page || d->offset > e->size || d->size > e->size - d->offset)
		return leave(e || !handle ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE);
	if (!is_file(e->fd, d->offset + d->size))  /* it has become shorter */
		return leave(CUDA_ERROR_INVALID_VALUE);
	int file = fcntl(e->fd, F_DUPFD_CLOEXEC, 3);
	if (file < 0)
		return leave(CUDA_ERROR_OPERATING_SYSTEM);
	r = memory_new(c->device, c, MEM_DEVICE, d->size, &m);
	if (r) {
		close(file);
		return leave(r);
	}
	m->file = file;                        /* goes with the mapping: cuMemFree */
	m->external = 1;
	if (mmap((void *)(uintptr_t)m->start, m->charge, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, (off_t)d->offset) ==
	    MAP_FAILED) {
		memory_free(m);
		return leave(CUDA_ERROR_OPERATING_SYSTEM);
	}
	*out = m->start;
	return leave(CUDA_SUCCESS);
}

API CUresult cuExternalMemoryGetMappedMipmappedArray(CUmipmappedArray *out, CUexternalMemory handle,
						     const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC *d)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	struct external *e = handle ? object_find(K_EXTERNAL, handle) : NULL;
	/* How an array lies in memory is each device's own, and no other API has this one. */
	return leave(!out || !d || !e ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_NOT_SUPPORTED);
}

API CUresult cuDestroyExternalMemory(CUexternalMemory handle)
{
	CUresult r = enter_any();
	if (r)
		return r;
	struct external *e = handle ? object_find(K_EXTERNAL, handle) : NULL;
	if (!e)
		return leave(CUDA_ERROR_INVALID_HANDLE);
	object_retire(&e->object);             /* buffers have descriptors of their own */
	return leave(CUDA_SUCCESS);
}
