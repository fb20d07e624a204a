/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of memory that the device knows, and plain allocations of all kinds.
 *
 * Each device has a window of address space, reserved without access, far from where a process has anything: from
 * 0x400000000000 on, where the addresses of the vendor's memory can be steered to as well. An allocation makes pages of
 * it accessible, and they are given back to the system when it is freed. Host memory that is pinned, registered or
 * managed is in the same table, so that one look-up tells what a kernel or a copy may touch.
 */
#include "driver.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define FIRST_WINDOW UINT64_C(0x400000000000)
#define LAST_WINDOW UINT64_C(0x7e0000000000)
#define TIB (UINT64_C(1) << 40)

static uint64_t page_round(uint64_t n)
{
	return (n + gpu.page - 1) & ~(uint64_t)(gpu.page - 1);
}

static uint64_t reserve(uint64_t at, uint64_t size)
{
	void *p = mmap((void *)(uintptr_t)at, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
		       -1, 0);
	if (p == MAP_FAILED)
		return 0;
	if ((uint64_t)(uintptr_t)p != at) {    /* kernels before 4.17 take the address as a hint */
		munmap(p, size);
		return 0;
	}
	madvise(p, size, MADV_DONTDUMP);
	return at;
}

/* A window at the next free step of 1 TiB. Where addresses are shorter than that (39-bit arm64 kernels, sanitizers), a
 * smaller one wherever the system likes. */
CUresult windows_setup(void)
{
	uint64_t at = FIRST_WINDOW;
	for (int i = 0; i < gpu.device_count; i++) {
		struct device *d = &gpu.devices[i];
		uint64_t size = TIB;
		if (d->window)
			continue;
		for (; at < LAST_WINDOW && !d->window; at += TIB)
			d->window = reserve(at, size);
		for (size = TIB; !d->window && size >= 4 * d->total; size /= 2) {
			void *p = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
			if (p != MAP_FAILED) {
				d->window = (uint64_t)(uintptr_t)p;
				break;
			}
		}
		if (!d->window)
			return CUDA_ERROR_OUT_OF_MEMORY;
		d->window_end = d->window + size;
		d->first_gap = d->window;
	}
	return CUDA_SUCCESS;
}

int in_windows(uint64_t address, size_t n)
{
	for (int i = 0; i < gpu.device_count; i++)
		if (address < gpu.devices[i].window_end && address + n > gpu.devices[i].window)
			return 1;
	return 0;
}

/* The first entry that ends above `address`. */
static size_t above(uint64_t address)
{
	size_t low = 0, high = gpu.memory_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (gpu.memory[middle]->end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct memory *memory_find(uint64_t address)
{
	size_t i = above(address);
	return i < gpu.memory_count && gpu.memory[i]->start <= address ? gpu.memory[i] : NULL;
}

int memory_covers(uint64_t address, size_t n, int write)
{
	uint64_t end;
	if (!n)
		n = 1;
	if (__builtin_add_overflow(address, (uint64_t)n, &end))
		return -1;
	size_t i = above(address);
	if (i == gpu.memory_count || gpu.memory[i]->start >= end)
		return in_windows(address, n) ? -1 : 0;
	/* Mapped chunks may lie side by side in one reservation and be used as one; other allocations may not. */
	for (int first = 1; i < gpu.memory_count; i++, first = 0) {
		struct memory *m = gpu.memory[i];
		if (m->start > address || !m->readable || (write && !m->writable) || (!first && m->kind != MEM_MAPPED))
			return -1;
		address = m->start + m->size;
		if (address >= end)
			return 1;
		if (m->kind != MEM_MAPPED)
			return -1;
	}
	return -1;
}

int memory_valid(uint64_t address, size_t n, int write)
{
	pthread_rwlock_rdlock(&gpu.table);
	int covered = memory_covers(address, n, write);
	pthread_rwlock_unlock(&gpu.table);
	return covered;
}

/* Peers: an allocation on another device is visible only where access was enabled. */
int memory_lookup(void *ctx, uint64_t address, struct ptx_range *range)
{
	struct context *c = ctx;
	pthread_rwlock_rdlock(&gpu.table);
	struct memory *m = memory_find(address);
	if (m && (!m->readable || (m->device && m->device != c->device && m->kind <= MEM_MODULE && m->kind != MEM_POOL &&
				   !(__atomic_load_n(&c->peers, __ATOMIC_RELAXED) >> m->device->ordinal & 1))))
		m = NULL;
	if (m)
		*range = (struct ptx_range){ m->start, m->end, m->writable };
	pthread_rwlock_unlock(&gpu.table);
	return m ? 0 : -1;
}

CUresult memory_insert(struct memory *m)
{
	size_t i = above(m->start);
	if (i < gpu.memory_count && gpu.memory[i]->start < m->end)
		return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
	pthread_rwlock_wrlock(&gpu.table);
	if (gpu.memory_count == gpu.memory_room) {
		size_t room = gpu.memory_room ? 2 * gpu.memory_room : 64;
		struct memory **table = realloc(gpu.memory, room * sizeof *table);
		if (!table) {
			pthread_rwlock_unlock(&gpu.table);
			return CUDA_ERROR_OUT_OF_MEMORY;
		}
		gpu.memory = table;
		gpu.memory_room = room;
	}
	memmove(gpu.memory + i + 1, gpu.memory + i, (gpu.memory_count - i) * sizeof *gpu.memory);
	gpu.memory[i] = m;
	gpu.memory_count++;
	pthread_rwlock_unlock(&gpu.table);
	return CUDA_SUCCESS;
}

void memory_remove(struct memory *m)
{
	size_t i = above(m->start);
	if (i == gpu.memory_count || gpu.memory[i] != m)
		return;
	pthread_rwlock_wrlock(&gpu.table);
	gpu.memory_count--;
	memmove(gpu.memory + i, gpu.memory + i + 1, (gpu.memory_count - i) * sizeof *gpu.memory);
	pthread_rwlock_unlock(&gpu.table);
}

CUresult device_charge(struct device *d, size_t n)
{
	if (n > d->total - d->used)
		return CUDA_ERROR_OUT_OF_MEMORY;
	d->used += n;
	notify_charged(d, n);
	return CUDA_SUCCESS;
}

/* The lowest hole of `size` bytes, or 0. What lies in the graveyard still has its pages. */
static uint64_t hole(struct device *d, uint64_t size)
{
	uint64_t at = d->first_gap, limit = d->window + (d->window_end - d->window) / 2;
	size_t i = above(at);
	for (;;) {
		if (size > limit - at)
			return 0;
		if (i < gpu.memory_count && gpu.memory[i]->start < at + size) {
			at = gpu.memory[i]->start + page_round(gpu.memory[i]->charge);
			i++;
			continue;
		}
		struct memory *dead = gpu.graveyard;
		while (dead && (dead->start + dead->charge <= at || dead->start >= at + size))
			dead = dead->next;
		if (!dead)
			return at;
		at = dead->start + dead->charge;
		i = above(at);
	}
}

CUresult memory_new(struct device *d, struct context *c, enum memory_kind kind, size_t size, struct memory **out)
{
	if (!size)
		return CUDA_ERROR_INVALID_VALUE;
	if (size > d->total)
		return CUDA_ERROR_OUT_OF_MEMORY;
	struct memory *m = calloc(1, sizeof *m);
	if (!m)
		return CUDA_ERROR_OUT_OF_MEMORY;
	*m = (struct memory){
		.size = size, .charge = page_round(size), .kind = kind, .readable = 1, .writable = 1, .device = d, .ctx = c,
		.id = gpu.next_id++,
	};
	CUresult r = device_charge(d, m->charge);
	if (r) {
		free(m);
		return r;
	}
	memory_reap();
	m->start = hole(d, m->charge);
	m->end = m->start + ((size + GRANULE - 1) & ~(uint64_t)(GRANULE - 1));
	if (!m->start || mprotect((void *)(uintptr_t)m->start, m->charge, PROT_READ | PROT_WRITE))
		r = CUDA_ERROR_OUT_OF_MEMORY;
	else if ((r = memory_insert(m)))
		mprotect((void *)(uintptr_t)m->start, m->charge, PROT_NONE);
	if (r) {
		d->used -= m->charge;
		free(m);
		return r;
	}
	if (m->start == d->first_gap)
		d->first_gap += m->charge;
	*out = m;
	return CUDA_SUCCESS;
}

void memory_free(struct memory *m)
{
	memory_remove(m);
	if (m->kind == MEM_MANAGED)
		advice_drop(m);
	if (m->kind <= MEM_MANAGED)
		m->device->used -= m->charge;
	if (m->pool)
		pool_released(m);
	m->retired = gpu.sequence++;
	m->next = gpu.graveyard;
	gpu.graveyard = m;
	memory_reap();
}

static void bury(struct memory *m)
{
	void *p = (void *)(uintptr_t)m->start;
	switch (m->kind) {
	case MEM_HOST:
		munmap(p, m->charge);
		break;
	case MEM_REGISTERED:
		break;
	case MEM_MAPPED:
		chunk_unref(m->chunk);
		break;
	default:
		if (m->file)
			ipc_end(m);
		madvise(p, m->charge, MADV_DONTNEED);
		mprotect(p, m->charge, PROT_NONE);
		if (m->start < m->device->first_gap)
			m->device->first_gap = m->start;
		break;
	}
	free(m);
}

void memory_reap(void)
{
	for (struct memory **p = &gpu.graveyard; *p;) {
		struct memory *m = *p;
		if (gpu.running && gpu.running->began <= m->retired) {
			p = &m->next;
			continue;
		}
		*p = m->next;
		bury(m);
	}
}

void memory_end_context(struct context *c)
{
	for (size_t i = gpu.memory_count; i-- > 0;)
		if (i < gpu.memory_count && gpu.memory[i]->ctx == c)
			memory_free(gpu.memory[i]);
}

/* cuMemFree and its like wait for the context's work first, as the vendor's do: what runs may be using the memory. */
static CUresult drain_and_find(struct context *c, uint64_t address, struct memory **m)
{
	*m = memory_find(address);
	if (!*m)
		return CUDA_ERROR_INVALID_VALUE;
	unsigned long long id = (*m)->id;
	object_ref(&c->object);
	CUresult r = context_drain(c);
	context_unref(c);
	if (r)
		return r;
	*m = memory_find(address);             /* another thread may have freed it meanwhile */
	return *m && (*m)->id == id ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

API CUresult cuMemGetInfo_v2(size_t *free_bytes, size_t *total)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	if (free_bytes)
		*free_bytes = c->device->total - c->device->used;
	if (total)
		*total = c->device->total;
	return leave(CUDA_SUCCESS);
}

static CUresult alloc(CUdeviceptr *out, size_t size, enum memory_kind kind, unsigned flags)
{
	struct context *c;
	struct memory *m;
	CUresult r = enter(&c);
	if (r)
		return r;
	if (!out)
		return leave(CUDA_ERROR_INVALID_VALUE);
	if ((r = capture_unsafe()))
		return leave(r);
	r = memory_new(c->device, c, kind, size, &m);
	if (r == CUDA_ERROR_OUT_OF_MEMORY && gpu.running) {
		/* What was freed on a stream may be on its way. */
		object_ref(&c->object);
		r = context_drain(c);
		if (!r)
			r = memory_new(c->device, c, kind, size, &m);
		context_unref(c);
	}
	if (!r) {
		m->flags = flags;
		*out = m->start;
	}
	return leave(r);
}

API CUresult cuMemAlloc_v2(CUdeviceptr *out, size_t size)
{
	return alloc(out, size, MEM_DEVICE, 0);
}

API CUresult cuMemAllocPitch_v2(CUdeviceptr *out, size_t *pitch, size_t width, size_t height, unsigned int element)
{
	size_t p = (width + GRANULE - 1) & ~(size_t)(GRANULE - 1), n;
	if (!out || !pitch || !width || !height || (element != 4 && element != 8 && element != 16) || p < width ||
	    __builtin_mul_overflow(p, height, &n))
		return CUDA_ERROR_INVALID_VALUE;
	CUresult r = alloc(out, n, MEM_DEVICE, 0);
	if (!r)
		*pitch = p;
	return r;
}

API CUresult cuMemAllocManaged(CUdeviceptr *out, size_t size, unsigned int flags)
{
	if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST)
		return CUDA_ERROR_INVALID_VALUE;
	return alloc(out, size, MEM_MANAGED, flags);
}

API CUresult cuMemFree_v2(CUdeviceptr address)
{
	struct context *c;
	struct memory *m;
	CUresult r = enter(&c);
	if (r)
		return r;
	if (!address)
		return leave(CUDA_SUCCESS);
	if ((r = capture_unsafe()))
		return leave(r);
	m = memory_find(address);
	if (!m || m->start != address || (m->kind != MEM_DEVICE && m->kind != MEM_MANAGED && m->kind != MEM_POOL) || m->freeing ||
	    m->opened)
		return leave(CUDA_ERROR_INVALID_VALUE);
	r = drain_and_find(c, address, &m);
	if (!r)
		memory_free(m);
	return leave(r);
}

API CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *size, CUdeviceptr address)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	struct memory *m = memory_find(address);
	if (!m)
		return leave(CUDA_ERROR_NOT_FOUND);
	if (base)
		*base = m->start;
	if (size)
		*size = m->size;
	return leave(CUDA_SUCCESS);
}

static CUresult host_alloc(void **out, size_t size, unsigned flags)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	if (!out || flags & ~(unsigned)(CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED))
		return leave(CUDA_ERROR_INVALID_VALUE);
	if (!size) {
		*out = NULL;
		return leave(CUDA_SUCCESS);
	}
	if (size > SIZE_MAX / 2)
		return leave(CUDA_ERROR_OUT_OF_MEMORY);
	struct memory *m = calloc(1, sizeof *m);
	if (!m)
		return leave(CUDA_ERROR_OUT_OF_MEMORY);
	*m = (struct memory){
		.size = size, .charge = page_round(size), .kind = MEM_HOST, .readable = 1, .writable = 1, .ctx = c,
		.device = c->device, .id = gpu.next_id++, .flags = flags | CU_MEMHOSTALLOC_DEVICEMAP,
	};
	void *p = mmap(NULL, m->charge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED) {
		free(m);
		return leave(CUDA_ERROR_OUT_OF_MEMORY);
	}
	m->start = (uint64_t)(uintptr_t)p;
	m->end = m->start + size;
	r = memory_insert(m);
	if (r) {
		munmap(p, m->charge);
		free(m);
		return leave(r == CUDA_ERROR_OUT_OF_MEMORY ? r : CUDA_ERROR_UNKNOWN);
	}
	*out = p;
	return leave(CUDA_SUCCESS);
}

API CUresult cuMemHostAlloc(void **out, size_t size, unsigned int flags) { return host_alloc(out, size, flags); }
API CUresult cuMemAllocHost_v2(void **out, size_t size) { return host_alloc(out, size, 0); }

API CUresult cuMemFreeHost(void *p)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	if (!p)
		return leave(CUDA_SUCCESS);
	struct memory *m = memory_find((uint64_t)(uintptr_t)p);
	if (!m || m->start != (uint64_t)(uintptr_t)p || m->kind != MEM_HOST)
		return leave(CUDA_ERROR_INVALID_VALUE);
	r = drain_and_find(c, (uint64_t)(uintptr_t)p, &m);
	if (!r)
		memory_free(m);
	return leave(r);
}

/* Pages beyond a file's end cannot be pinned, nor for writing what may not be written. The last one is asked; since Linux 5.14. */
static int can_be_pinned(uint64_t end, int write)
{
	void *last = (void *)(uintptr_t)((end - 1) & ~(uint64_t)(gpu.page - 1));
	if (madvise(last, gpu.page, 22 /* MADV_POPULATE_READ */))
		return errno == EINVAL;
	return !write || !madvise(last, gpu.page, 23 /* MADV_POPULATE_WRITE */);
}

API CUresult cuMemHostRegister_v2(void *p, size_t size, unsigned int flags)
{
	struct context *c;
	uint64_t end;
	CUresult r = enter(&c);
	if (r)
		return r;
	if (!p || !size || __builtin_add_overflow((uint64_t)(uintptr_t)p, (uint64_t)size, &end) ||
	    flags & ~(unsigned)(CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP | CU_MEMHOSTREGISTER_IOMEMORY |
				CU_MEMHOSTREGISTER_READ_ONLY))
		return leave(CUDA_ERROR_INVALID_VALUE);
	if (flags & CU_MEMHOSTREGISTER_IOMEMORY)
		return leave(CUDA_ERROR_NOT_SUPPORTED);
	/* Pages that are not there cannot be pinned: the vendor's driver says so, where a copy would crash later. */
	unsigned char *resident = malloc(((size + 2 * gpu.page) / gpu.page) + 1);
	uint64_t first = (uint64_t)(uintptr_t)p & ~(uint64_t)(gpu.page - 1);
	if (!resident)
		return leave(CUDA_ERROR_OUT_OF_MEMORY);
	int there = !mincore((void *)(uintptr_t)first, page_round(end - first), resident) || errno != ENOMEM;
	free(resident);
	if (!there || !can_be_pinned(end, !(flags & CU_MEMHOSTREGISTER_READ_ONLY)) || in_windows((uint64_t)(uintptr_t)p, size))
		return leave(CUDA_ERROR_INVALID_VALUE);
	struct memory *m = calloc(1, sizeof *m);
	if (!m)
		return leave(CUDA_ERROR_OUT_OF_MEMORY);
	*m = (struct memory){
		.start = (uint64_t)(uintptr_t)p, .size = size, .end = end, .kind = MEM_REGISTERED, .readable = 1,
		.writable = !(flags & CU_MEMHOSTREGISTER_READ_ONLY), .ctx = c, .device = c->device, .id = gpu.next_id++,
		.flags = (flags & ~(unsigned)CU_MEMHOSTREGISTER_READ_ONLY) | CU_MEMHOSTREGISTER_DEVICEMAP,
	};
	r = memory_insert(m);
	if (r)
		free(m);
	return leave(r);
}

API CUresult cuMemHostUnregister(void *p)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	if (!p)
		return leave(CUDA_ERROR_INVALID_VALUE);
	struct memory *m = memory_find((uint64_t)(uintptr_t)p);
	if (!m)
		return leave(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
	if (m->kind != MEM_REGISTERED || m->start != (uint64_t)(uintptr_t)p)
		return leave(CUDA_ERROR_INVALID_VALUE);
	r = drain_and_find(c, m->start, &m);
	if (!r)
		memory_free(m);
	return leave(r);
}

static struct memory *host_memory(const void *p)
{
	struct memory *m = memory_find((uint64_t)(uintptr_t)p);
	return m && (m->kind == MEM_HOST || m->kind == MEM_REGISTERED || m->kind == MEM_MANAGED) ? m : NULL;
}

API CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *out, void *p, unsigned int flags)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	if (!out || flags || !host_memory(p))
		return leave(CUDA_ERROR_INVALID_VALUE);
	*out = (CUdeviceptr)(uintptr_t)p;
	return leave(CUDA_SUCCESS);
}

API CUresult cuMemHostGetFlags(unsigned int *flags, void *p)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	struct memory *m = host_memory(p);
	if (!flags || !m || m->kind == MEM_MANAGED)
		return leave(CUDA_ERROR_INVALID_VALUE);
	*flags = m->flags;
	return leave(CUDA_SUCCESS);
}
