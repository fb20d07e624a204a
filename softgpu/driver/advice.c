/* SPDX-License-Identifier: Apache-2.0
 *
 * Hints for managed memory. Host and device share it, so that they move nothing; what was advised is kept for those who
 * ask. All of it is guarded by gpu.lock. */
#include "driver.h"

#include <stdlib.h>
#include <string.h>

#define CPU_BIT 63                             /* in `accessed`; the others are devices */

struct piece {
	uint64_t start, end;
	int read_mostly;
	CUmemLocation preferred, prefetched; /* type 0: none */
	uint64_t accessed;
};

/* Sorted; whole allocations lie in it, as pieces without gaps, once one of theirs was advised. */
static struct {
	struct piece *piece;
	size_t used, room;
} all;

/* The first piece that ends after the address. */
static size_t first_after(uint64_t address)
{
	size_t i = 0;
	while (i < all.used && all.piece[i].end <= address)
		i++;
	return i;
}

static int insert(size_t at, const struct piece *p)
{
	if (all.used == all.room) {
		size_t more = all.room ? all.room * 2 : 16;
		struct piece *bigger = realloc(all.piece, more * sizeof *bigger);
		if (!bigger)
			return 0;
		all.piece = bigger;
		all.room = more;
	}
	memmove(all.piece + at + 1, all.piece + at, (all.used - at) * sizeof *all.piece);
	all.piece[at] = *p;
	all.used++;
	return 1;
}

/* Makes the address a boundary of pieces. */
static int split(uint64_t address)
{
	size_t i = first_after(address);
	if (i == all.used || all.piece[i].start >= address)
		return 1;
	struct piece tail = all.piece[i];
	tail.start = address;
	if (!insert(i + 1, &tail))
		return 0;
	all.piece[i].end = address;
	return 1;
}

/* The first piece of [start, end), all of which is pieces now; NULL without memory. */
static struct piece *pieces(const struct memory *range, uint64_t start, uint64_t end)
{
	size_t i = first_after(range->start);
	if (i == all.used || all.piece[i].start > range->start) {
		struct piece whole = {.start = range->start, .end = range->start + range->size};
		if (!insert(i, &whole))
			return NULL;
	}
	return split(start) && split(end) ? &all.piece[first_after(start)] : NULL;
}

static int same(const CUmemLocation *a, const CUmemLocation *b) { return a->type == b->type && a->id == b->id; }

/* A place as older attributes have it. */
static int ordinal(const CUmemLocation *l)
{
	return l->type == CU_MEM_LOCATION_TYPE_DEVICE ? l->id : l->type ? CU_DEVICE_CPU : CU_DEVICE_INVALID;
}

/* What all of the range have in common. */
static struct piece common(const struct memory *range, uint64_t start, uint64_t end)
{
	struct piece out = {.start = start};
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
	return out;
}

/* The managed allocation that holds all of the range, or NULL. */
static struct memory *managed(CUdeviceptr address, size_t n)
{
	struct memory *m = memory_find(address);
	return m && m->kind == MEM_MANAGED && n && n <= m->size - (address - m->start) ? m : NULL;
}

void advice_drop(const struct memory *m)
{
	size_t i = first_after(m->start), n = 0;
	while (i + n < all.used && all.piece[i + n].start < m->start + m->size)
		n++;
	if (n)
		memmove(all.piece + i, all.piece + i + n, (all.used - i - n) * sizeof *all.piece);
	all.used -= n;
}

static CUresult check_place(const CUmemLocation *l)
{
	struct device *d;
	switch ((int)l->type) {
	case CU_MEM_LOCATION_TYPE_DEVICE: return device_find(l->id, &d);
	case CU_MEM_LOCATION_TYPE_HOST:
	case CU_MEM_LOCATION_TYPE_HOST_NUMA:
	case CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT: return CUDA_SUCCESS;
	default: return CUDA_ERROR_INVALID_VALUE;
	}
}

static CUmemLocation place_of(CUdevice device)
{
	return device == CU_DEVICE_CPU ? (CUmemLocation){ .type = CU_MEM_LOCATION_TYPE_HOST }
				       : (CUmemLocation){ .type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device };
}

static CUresult prefetch(CUdeviceptr address, size_t n, CUmemLocation place, unsigned flags, CUstream stream)
{
	struct context *c;
	struct stream *s;
	CUresult r = enter(&c);
	if (r)
		return r;
	r = stream_find(c, stream, &s);
	struct memory *m = managed(address, n);
	if (!r && (!m || flags))
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		r = check_place(&place);
	if (r)
		return leave(r);
	struct piece *p = pieces(m, address, address + n);
	if (!p)
		return leave(CUDA_ERROR_OUT_OF_MEMORY);
	for (; p < all.piece + all.used && p->start < address + n; p++)
		p->prefetched = place;
	return leave(CUDA_SUCCESS);
}

API CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t n, CUdevice dev, CUstream stream)
{
	return prefetch(address, n, place_of(dev), 0, stream);
}

API CUresult cuMemPrefetchAsync_v2(CUdeviceptr address, size_t n, CUmemLocation location, unsigned int flags, CUstream stream)
{
	return prefetch(address, n, location, flags, stream);
}

static CUresult advise(CUdeviceptr address, size_t n, CUmem_advise advice, CUmemLocation place)
{
	struct context *c;
	int placed = advice >= CU_MEM_ADVISE_SET_PREFERRED_LOCATION && advice != CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION;
	CUresult r = enter(&c);
	if (r)
		return r;
	struct memory *m = managed(address, n);
	if (!m || (int)advice < CU_MEM_ADVISE_SET_READ_MOSTLY || advice > CU_MEM_ADVISE_UNSET_ACCESSED_BY)
		return leave(CUDA_ERROR_INVALID_VALUE);
	if (placed && (r = check_place(&place)))
		return leave(r);
	uint64_t bit = UINT64_C(1) << (place.type == CU_MEM_LOCATION_TYPE_DEVICE ? place.id & (CPU_BIT - 1) : CPU_BIT);
	struct piece *p = pieces(m, address, address + n);
	if (!p)
		return leave(CUDA_ERROR_OUT_OF_MEMORY);
	for (; p < all.piece + all.used && p->start < address + n; p++) {
		switch ((int)advice) {
		case CU_MEM_ADVISE_SET_READ_MOSTLY: p->read_mostly = 1; break;
		case CU_MEM_ADVISE_UNSET_READ_MOSTLY: p->read_mostly = 0; break;
		case CU_MEM_ADVISE_SET_PREFERRED_LOCATION: p->preferred = place; break;
		case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION: p->preferred = (CUmemLocation){ 0 }; break;
		case CU_MEM_ADVISE_SET_ACCESSED_BY: p->accessed |= bit; break;
		default: p->accessed &= ~bit; break;
		}
	}
	return leave(CUDA_SUCCESS);
}

API CUresult cuMemAdvise(CUdeviceptr address, size_t n, CUmem_advise advice, CUdevice dev)
{
	return advise(address, n, advice, place_of(dev));
}

API CUresult cuMemAdvise_v2(CUdeviceptr address, size_t n, CUmem_advise advice, CUmemLocation location)
{
	return advise(address, n, advice, location);
}

static CUresult tell(const struct memory *m, CUdeviceptr at, size_t n, CUmem_range_attribute attribute, int *out, size_t size)
{
	if (!out || !size || size % sizeof *out || (size != sizeof *out && attribute != CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY))
		return CUDA_ERROR_INVALID_VALUE;
	struct piece p = common(m, at, at + n);
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

API CUresult cuMemRangeGetAttributes(void **data, size_t *sizes, CUmem_range_attribute *attributes, size_t count, CUdeviceptr address,
				     size_t n)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	struct memory *m = managed(address, n);
	if (!m || !data || !sizes || !attributes || !count)
		r = CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; i < count && !r; i++)
		r = tell(m, address, n, attributes[i], data[i], sizes[i]);
	return leave(r);
}

API CUresult cuMemRangeGetAttribute(void *data, size_t size, CUmem_range_attribute attribute, CUdeviceptr address, size_t n)
{
	return cuMemRangeGetAttributes(&data, &size, &attribute, 1, address, n);
}
