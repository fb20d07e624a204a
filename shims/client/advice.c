// SPDX-License-Identifier: Apache-2.0
//
// Hints for managed memory. It is pinned memory that both sides share, so that
// a hint moves nothing; the driver in the worker, to which it is not managed,
// would refuse them. What was advised is remembered for those who ask. Other
// memory's hints are the worker's to judge.
#include "advice.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "device.h"

#define CPU_BIT 63 // in `accessed`; the others are devices

struct piece {
	uint64_t start, end;
	bool read_mostly;
	CUmemLocation preferred, prefetched; // type 0: none
	uint64_t accessed;
};

// Sorted; whole allocations lie in it, as pieces without gaps, once one of theirs was advised.
static struct {
	pthread_mutex_t lock;
	struct piece *piece;
	size_t used, room;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

// The first piece that ends after the address.
static size_t first_after(uint64_t address)
{
	size_t i = 0;
	while (i < all.used && all.piece[i].end <= address)
		i++;
	return i;
}

static bool insert(size_t at, const struct piece *p)
{
	if (all.used == all.room) {
		size_t more = all.room ? all.room * 2 : 16;
		struct piece *bigger = realloc(all.piece, more * sizeof *bigger);
		if (!bigger)
			return false;
		all.piece = bigger;
		all.room = more;
	}
	memmove(all.piece + at + 1, all.piece + at, (all.used - at) * sizeof *all.piece);
	all.piece[at] = *p;
	all.used++;
	return true;
}

// Makes the address a boundary of pieces.
static bool split(uint64_t address)
{
	size_t i = first_after(address);
	if (i == all.used || all.piece[i].start >= address)
		return true;
	struct piece tail = all.piece[i];
	tail.start = address;
	if (!insert(i + 1, &tail))
		return false;
	all.piece[i].end = address;
	return true;
}

// The first piece of [start, end), all of which is pieces now; NULL without memory.
static struct piece *pieces(const struct axc_range *range, uint64_t start, uint64_t end)
{
	size_t i = first_after(range->start);
	if (i == all.used || all.piece[i].start > range->start) {
		struct piece whole = {.start = range->start, .end = range->start + range->size};
		if (!insert(i, &whole))
			return NULL;
	}
	return split(start) && split(end) ? &all.piece[first_after(start)] : NULL;
}

void axc_advice_drop(uint64_t start, uint64_t size)
{
	pthread_mutex_lock(&all.lock);
	size_t i = first_after(start), n = 0;
	while (i + n < all.used && all.piece[i + n].start < start + size)
		n++;
	if (n)
		memmove(all.piece + i, all.piece + i + n, (all.used - i - n) * sizeof *all.piece);
	all.used -= n;
	pthread_mutex_unlock(&all.lock);
}

bool axc_advice_knows(CUdeviceptr at, struct axc_range *range)
{
	return axc_range_find(&axc_allocations, at, range) && range->kind == AXC_RANGE_MANAGED;
}

static bool inside(const struct axc_range *r, CUdeviceptr at, size_t n)
{
	return n && n <= r->size - (at - r->start);
}

// CUDA_SUCCESS for a place that there is.
static CUresult check_place(const CUmemLocation *l)
{
	switch ((int)l->type) {
	case CU_MEM_LOCATION_TYPE_DEVICE:
		return axc_device(l->id) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
	case CU_MEM_LOCATION_TYPE_HOST:
	case CU_MEM_LOCATION_TYPE_HOST_NUMA:
	case CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT:
		return CUDA_SUCCESS;
	default:
		return CUDA_ERROR_INVALID_VALUE;
	}
}

CUmemLocation axc_advice_place(CUdevice device)
{
	if (device == CU_DEVICE_CPU)
		return (CUmemLocation){.type = CU_MEM_LOCATION_TYPE_HOST};
	return (CUmemLocation){.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device};
}

CUresult axc_advice_give(const struct axc_range *range, CUdeviceptr at, size_t n, CUmem_advise advice, CUmemLocation place)
{
	bool placed = advice >= CU_MEM_ADVISE_SET_PREFERRED_LOCATION && advice != CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION;
	CUresult r = CUDA_SUCCESS;
	if (!inside(range, at, n) || (int)advice < CU_MEM_ADVISE_SET_READ_MOSTLY || advice > CU_MEM_ADVISE_UNSET_ACCESSED_BY)
		return CUDA_ERROR_INVALID_VALUE;
	if (placed && (r = check_place(&place)))
		return r;
	uint64_t bit = UINT64_C(1) << (place.type == CU_MEM_LOCATION_TYPE_DEVICE ? place.id & (CPU_BIT - 1) : CPU_BIT);
	pthread_mutex_lock(&all.lock);
	struct piece *p = pieces(range, at, at + n);
	if (!p)
		r = CUDA_ERROR_OUT_OF_MEMORY;
	for (; p && p < all.piece + all.used && p->start < at + n; p++) {
		switch ((int)advice) {
		case CU_MEM_ADVISE_SET_READ_MOSTLY: p->read_mostly = true; break;
		case CU_MEM_ADVISE_UNSET_READ_MOSTLY: p->read_mostly = false; break;
		case CU_MEM_ADVISE_SET_PREFERRED_LOCATION: p->preferred = place; break;
		case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION: p->preferred = (CUmemLocation){0}; break;
		case CU_MEM_ADVISE_SET_ACCESSED_BY: p->accessed |= bit; break;
		default: p->accessed &= ~bit; break;
		}
	}
	pthread_mutex_unlock(&all.lock);
	return r;
}

CUresult axc_advice_prefetch(const struct axc_range *range, CUdeviceptr at, size_t n, CUmemLocation place)
{
	CUresult r = inside(range, at, n) ? check_place(&place) : CUDA_ERROR_INVALID_VALUE;
	if (r)
		return r;
	pthread_mutex_lock(&all.lock);
	struct piece *p = pieces(range, at, at + n);
	if (!p)
		r = CUDA_ERROR_OUT_OF_MEMORY;
	for (; p && p < all.piece + all.used && p->start < at + n; p++)
		p->prefetched = place;
	pthread_mutex_unlock(&all.lock);
	return r;
}

static bool same(const CUmemLocation *a, const CUmemLocation *b) { return a->type == b->type && a->id == b->id; }

// A place as older attributes have it.
static int ordinal(const CUmemLocation *l)
{
	return l->type == CU_MEM_LOCATION_TYPE_DEVICE ? l->id : l->type ? CU_DEVICE_CPU : CU_DEVICE_INVALID;
}

// What all of the range have in common.
static struct piece common(const struct axc_range *range, uint64_t start, uint64_t end)
{
	struct piece out = {.start = start};
	pthread_mutex_lock(&all.lock);
	size_t i = first_after(start);
	if (i < all.used && all.piece[i].start < range->start + range->size)
		out = all.piece[i++];
	for (; i < all.used && all.piece[i].start < end; i++) {
		const struct piece *p = &all.piece[i];
		out.read_mostly &= p->read_mostly;
		out.accessed &= p->accessed;
		if (!same(&out.preferred, &p->preferred))
			out.preferred = (CUmemLocation){0};
		if (!same(&out.prefetched, &p->prefetched))
			out.prefetched = (CUmemLocation){0};
	}
	pthread_mutex_unlock(&all.lock);
	return out;
}

CUresult axc_advice_tell(const struct axc_range *range, CUdeviceptr at, size_t n, CUmem_range_attribute attribute, void *data,
			 size_t size)
{
	int *out = data;
	if (!data || !inside(range, at, n) || !size || size % sizeof *out ||
	    (size != sizeof *out && attribute != CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY))
		return CUDA_ERROR_INVALID_VALUE;
	struct piece p = common(range, at, at + n);
	switch ((int)attribute) {
	case CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY: *out = p.read_mostly; break;
	case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION: *out = ordinal(&p.preferred); break;
	case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION: *out = ordinal(&p.prefetched); break;
	case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE: *out = (int)p.preferred.type; break;
	case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID: *out = p.preferred.id; break;
	case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE: *out = (int)p.prefetched.type; break;
	case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID: *out = p.prefetched.id; break;
	case CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY:
		for (size_t i = 0; i < size / sizeof *out; i++) {
			int bit = p.accessed ? __builtin_ctzll(p.accessed) : -1;
			out[i] = bit < 0 ? CU_DEVICE_INVALID : bit == CPU_BIT ? CU_DEVICE_CPU : bit;
			p.accessed &= p.accessed - 1;
		}
		break;
	default: return CUDA_ERROR_INVALID_VALUE;
	}
	return CUDA_SUCCESS;
}
