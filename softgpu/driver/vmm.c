/* SPDX-License-Identifier: Apache-2.0
 *
 * Virtual memory management: ranges of addresses, chunks of memory, and mapping one into the other. A chunk is a memfd,
 * so that it can be mapped in several places and handed to another process as a file descriptor.
 */
#include "driver.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <fcntl.h>

struct chunk {
	struct object object;
	int fd;
	int handles, mappings;                 /* it goes when there is neither a handle nor a mapping */
	size_t size;
	CUmemAllocationProp prop;
	struct device *device;
};

struct reservation {
	struct reservation *next;
	uint64_t start, size;
	int own;                               /* mapped by us, outside the window */
};
static struct reservation *reservations;      /* by address */

static void chunk_free(struct object *o)
{
	struct chunk *k = (struct chunk *)o;
	close(k->fd);
	k->device->used -= k->size;
	free(k);
}

void chunk_unref(struct chunk *k)
{
	object_unref(&k->object);
}

static struct chunk *chunk_find(CUmemGenericAllocationHandle handle)
{
	return handle ? object_find(K_CHUNK, (void *)(uintptr_t)handle) : NULL;
}

/* Addresses without memory behind them: what a range is before, between and after mappings. */
static int blank(uint64_t start, size_t size)
{
	return mmap((void *)(uintptr_t)start, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) ==
	       MAP_FAILED;
}

API CUresult cuMemAddressReserve(CUdeviceptr *out, size_t size, size_t alignment, CUdeviceptr hint, unsigned long long flags)
{
	CUresult r = enter_any();
	if (r)
		return r;
	if (!out || !size || size % VMM_GRANULARITY || flags || (alignment & (alignment - 1)) || hint % gpu.page)
		return leave(CUDA_ERROR_INVALID_VALUE);
	if (alignment < VMM_GRANULARITY)
		alignment = VMM_GRANULARITY;
	struct reservation *v = calloc(1, sizeof *v), **p = &reservations;
	if (!v)
		return leave(CUDA_ERROR_OUT_OF_MEMORY);
	v->size = size;
	if (hint && !(hint % alignment) && !in_windows(hint, size)) {
		void *at = mmap((void *)(uintptr_t)hint, size, PROT_NONE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
		if (at != MAP_FAILED && (uint64_t)(uintptr_t)at != hint)
			munmap(at, size);
		else if (at != MAP_FAILED) {
			v->start = hint;
			v->own = 1;
		}
	}
	struct device *d = &gpu.devices[0];
	if (!v->start) {
		/* The lowest hole in the window's upper half. */
		uint64_t at = d->window + (d->window_end - d->window) / 2;
		at = (at + alignment - 1) & ~(uint64_t)(alignment - 1);
		for (struct reservation *o = reservations; o; o = o->next) {
			if (o->own || o->start + o->size <= at)
				continue;
			if (at < o->start && o->start - at >= size)
				break;
			at = (o->start + o->size + alignment - 1) & ~(uint64_t)(alignment - 1);
		}
		if (at >= d->window_end || d->window_end - at < size) {
			free(v);
			return leave(CUDA_ERROR_OUT_OF_MEMORY);
		}
		v->start = at;
	}
	while (*p && (*p)->start < v->start)
		p = &(*p)->next;
	v->next = *p;
	*p = v;
	*out = v->start;
	return leave(CUDA_SUCCESS);
}

static struct reservation *reservation_of(uint64_t start, size_t size)
{
	for (struct reservation *v = reservations; v; v = v->next)
		if (start >= v->start && start - v->start < v->size)
			return size <= v->size - (start - v->start) ? v : NULL;
	return NULL;
}

/* The first mapping at or above an address. */
static struct memory *mapping_from(uint64_t start, uint64_t end)
{
	for (size_t i = 0; i < gpu.memory_count; i++)
		if (gpu.memory[i]->end > start)
			return gpu.memory[i]->start < end ? gpu.memory[i] : NULL;
	return NULL;
}

API CUresult cuMemAddressFree(CUdeviceptr start, size_t size)
{
	CUresult r = enter_any();
	if (r)
		return r;
	struct reservation *v = reservation_of(start, size), **p = &reservations;
	if (!v || v->start != start || v->size != size || mapping_from(start, start + size))
		return leave(CUDA_ERROR_INVALID_VALUE);
	while (*p != v)
		p = &(*p)->next;
	*p = v->next;
	if (v->own)
		munmap((void *)(uintptr_t)start, size);
	free(v);
	return leave(CUDA_SUCCESS);
}

static CUresult property(const CUmemAllocationProp *prop, struct device **d)
{
	if (!prop || prop->type != CU_MEM_ALLOCATION_TYPE_PINNED ||
	    (prop->requestedHandleTypes & ~(unsigned)CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR))
		return prop && prop->type == CU_MEM_ALLOCATION_TYPE_PINNED ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
	if (prop->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
		return CUDA_ERROR_NOT_SUPPORTED;
	return device_find(prop->location.id, d);
}

API CUresult cuMemGetAllocationGranularity(size_t *out, const CUmemAllocationProp *prop, CUmemAllocationGranularity_flags option)
{
	struct device *d;
	CUresult r = enter_any();
	if (r)
		return r;
	if (!out || (option != CU_MEM_ALLOC_GRANULARITY_MINIMUM && option != CU_MEM_ALLOC_GRANULARITY_RECOMMENDED))
		return leave(CUDA_ERROR_INVALID_VALUE);
	r = property(prop, &d);
	if (!r)
		*out = VMM_GRANULARITY;
	return leave(r);
}

static CUresult chunk_new(int fd, size_t size, const CUmemAllocationProp *prop, struct device *d, CUmemGenericAllocationHandle *out)
{
	struct chunk *k = calloc(1, sizeof *k);
	CUresult r = k ? device_charge(d, size) : CUDA_ERROR_OUT_OF_MEMORY;
	if (r) {
		free(k);
		return r;
	}
	object_add(&k->object, K_CHUNK, chunk_free);
	k->fd = fd;
	k->handles = 1;
	k->size = size;
	k->prop = *prop;
	k->device = d;
	*out = (CUmemGenericAllocationHandle)(uintptr_t)k;
	return CUDA_SUCCESS;
}

API CUresult cuMemCreate(CUmemGenericAllocationHandle *out, size_t size, const CUmemAllocationProp *prop, unsigned long long flags)
{
	struct device *d;
	CUresult r = enter_any();
	if (r)
		return r;
	if (!out || flags || !size || size % VMM_GRANULARITY)
		return leave(CUDA_ERROR_INVALID_VALUE);
	r = property(prop, &d);
	if (r)
		return leave(r);
	if (size > d->total - d->used)
		return leave(CUDA_ERROR_OUT_OF_MEMORY);
	int fd = memfd_create("softgpu", MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, (off_t)size))
		r = CUDA_ERROR_OUT_OF_MEMORY;
	else
		r = chunk_new(fd, size, prop, d, out);
	if (r && fd >= 0)
		close(fd);
	return leave(r);
}

/* Mappings keep the memory; only the handle ends. */
API CUresult cuMemRelease(CUmemGenericAllocationHandle handle)
{
	CUresult r = enter_any();
	if (r)
		return r;
	struct chunk *k = chunk_find(handle);
	if (!k || !k->handles)
		return leave(CUDA_ERROR_INVALID_VALUE);
	if (--k->handles == 0 && !k->mappings)
		object_retire(&k->object);
	return leave(CUDA_SUCCESS);
}

API CUresult cuMemMap(CUdeviceptr start, size_t size, size_t offset, CUmemGenericAllocationHandle handle, unsigned long long flags)
{
	CUresult r = enter_any();
	if (r)
		return r;
	struct chunk *k = chunk_find(handle);
	if (!k || !k->handles || flags || !size || size % VMM_GRANULARITY || offset % VMM_GRANULARITY || start % VMM_GRANULARITY ||
	    offset > k->size || size > k->size - offset || !reservation_of(start, size) || mapping_from(start, start + size))
		return leave(CUDA_ERROR_INVALID_VALUE);
	struct memory *m = calloc(1, sizeof *m);
	if (!m)
		return leave(CUDA_ERROR_OUT_OF_MEMORY);
	*m = (struct memory){
		.start = start, .size = size, .end = start + size, .kind = MEM_MAPPED, .device = k->device, .id = gpu.next_id++,
		.chunk = k, .chunk_offset = offset,
	};
	if (mmap((void *)(uintptr_t)start, size, PROT_NONE, MAP_SHARED | MAP_FIXED, k->fd, (off_t)offset) == MAP_FAILED) {
		free(m);
		return leave(CUDA_ERROR_OUT_OF_MEMORY);
	}
	object_ref(&k->object);
	r = memory_insert(m);
	if (r) {
		blank(start, size);
		chunk_unref(k);
		free(m);
	} else {
		k->mappings++;
	}
	return leave(r);
}

/* What runs now may be using the mapping, and the addresses may be mapped anew at once: wait for it. */
API CUresult cuMemUnmap(CUdeviceptr start, size_t size)
{
	CUresult r = enter_any();
	if (r)
		return r;
	uint64_t end, at = start;
	if (!size || __builtin_add_overflow(start, (uint64_t)size, &end) || !reservation_of(start, size))
		return leave(CUDA_ERROR_INVALID_VALUE);
	while (at < end) {
		struct memory *m = memory_find(at);
		if (!m || m->kind != MEM_MAPPED || m->start != at || m->end > end)
			return leave(CUDA_ERROR_INVALID_VALUE);
		at = m->end;
	}
	uint64_t now = gpu.sequence++;
	while (gpu.running && gpu.running->began < now) {
		struct item *i = gpu.running;
		i->refs++;
		item_wait(i);
		item_unref(i);
	}
	for (struct memory *m; (m = mapping_from(start, end)) && m->kind == MEM_MAPPED;) {
		blank(m->start, m->size);
		if (--m->chunk->mappings == 0 && !m->chunk->handles)
			object_retire(&m->chunk->object);
		memory_free(m);
	}
	return leave(CUDA_SUCCESS);
}

API CUresult cuMemSetAccess(CUdeviceptr start, size_t size, const CUmemAccessDesc *desc, size_t count)
{
	CUresult r = enter_any();
	if (r)
		return r;
	uint64_t end, at = start;
	int protection = PROT_NONE;
	if (!size || !desc || !count || __builtin_add_overflow(start, (uint64_t)size, &end))
		return leave(CUDA_ERROR_INVALID_VALUE);
	for (size_t i = 0; i < count; i++) {
		struct device *d;
		if (desc[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE)
			return leave(CUDA_ERROR_NOT_SUPPORTED);
		r = device_find(desc[i].location.id, &d);
		if (r)
			return leave(r);
		switch ((int)desc[i].flags) {
		case CU_MEM_ACCESS_FLAGS_PROT_NONE: break;
		case CU_MEM_ACCESS_FLAGS_PROT_READ: protection |= PROT_READ; break;
		case CU_MEM_ACCESS_FLAGS_PROT_READWRITE: protection |= PROT_READ | PROT_WRITE; break;
		default: return leave(CUDA_ERROR_INVALID_VALUE);
		}
	}
	while (at < end) {
		struct memory *m = memory_find(at);
		if (!m || m->kind != MEM_MAPPED || m->start != at || m->end > end)
			return leave(CUDA_ERROR_INVALID_VALUE);
		at = m->end;
	}
	if (mprotect((void *)(uintptr_t)start, size, protection))
		return leave(CUDA_ERROR_OUT_OF_MEMORY);
	pthread_rwlock_wrlock(&gpu.table);
	for (at = start; at < end;) {
		struct memory *m = memory_find(at);
		m->readable = (protection & PROT_READ) != 0;
		m->writable = (protection & PROT_WRITE) != 0;
		at = m->end;
	}
	pthread_rwlock_unlock(&gpu.table);
	return leave(CUDA_SUCCESS);
}

API CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr address)
{
	struct device *d;
	CUresult r = enter_any();
	if (r)
		return r;
	if (!flags || !location || location->type != CU_MEM_LOCATION_TYPE_DEVICE)
		return leave(CUDA_ERROR_INVALID_VALUE);
	r = device_find(location->id, &d);
	if (r)
		return leave(r);
	struct memory *m = memory_find(address);
	if (!m || m->kind != MEM_MAPPED)
		return leave(CUDA_ERROR_INVALID_VALUE);
	*flags = m->writable   ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE
		 : m->readable ? CU_MEM_ACCESS_FLAGS_PROT_READ
			       : CU_MEM_ACCESS_FLAGS_PROT_NONE;
	return leave(CUDA_SUCCESS);
}

API CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *out, void *address)
{
	CUresult r = enter_any();
	if (r)
		return r;
	struct memory *m = memory_find((uint64_t)(uintptr_t)address);
	if (!out || !m || m->kind != MEM_MAPPED)
		return leave(CUDA_ERROR_INVALID_VALUE);
	m->chunk->handles++;
	*out = (CUmemGenericAllocationHandle)(uintptr_t)m->chunk;
	return leave(CUDA_SUCCESS);
}

API CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop, CUmemGenericAllocationHandle handle)
{
	CUresult r = enter_any();
	if (r)
		return r;
	struct chunk *k = chunk_find(handle);
	if (!prop || !k)
		return leave(CUDA_ERROR_INVALID_VALUE);
	*prop = k->prop;
	return leave(CUDA_SUCCESS);
}

API CUresult cuMemExportToShareableHandle(void *out, CUmemGenericAllocationHandle handle, CUmemAllocationHandleType type,
					  unsigned long long flags)
{
	CUresult r = enter_any();
	if (r)
		return r;
	struct chunk *k = chunk_find(handle);
	if (!out || !k || flags || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR ||
	    !(k->prop.requestedHandleTypes & CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR))
		return leave(CUDA_ERROR_INVALID_VALUE);
	int fd = fcntl(k->fd, F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		return leave(CUDA_ERROR_OPERATING_SYSTEM);
	memcpy(out, &fd, sizeof fd);
	return leave(CUDA_SUCCESS);
}

API CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *out, void *handle, CUmemAllocationHandleType type)
{
	struct stat st;
	CUresult r = enter_any();
	if (r)
		return r;
	if (!out || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR || fstat((int)(intptr_t)handle, &st) || !S_ISREG(st.st_mode) ||
	    st.st_size <= 0 || (size_t)st.st_size % VMM_GRANULARITY)
		return leave(CUDA_ERROR_INVALID_VALUE);
	int fd = fcntl((int)(intptr_t)handle, F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		return leave(CUDA_ERROR_OPERATING_SYSTEM);
	CUmemAllocationProp prop = {
		.type = CU_MEM_ALLOCATION_TYPE_PINNED,
		.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
		.location = { .type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0 },
	};
	r = chunk_new(fd, (size_t)st.st_size, &prop, &gpu.devices[0], out);
	if (r)
		close(fd);
	return leave(r);
}
