// SPDX-License-Identifier: Apache-2.0
//
// Counting what is in front of the vendor: physical memory and its mappings,
// arrays, graphs' memory, the heap of device code; and contexts, with which
// allocations end.
//
// Not counted: what the vendor keeps for itself (contexts, code, stacks, the
// buffer of printf), variables of modules, and memory of other processes that
// was imported, which is theirs.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "limit.h"

#define OVER axw_own(CUDA_ERROR_OUT_OF_MEMORY)

static CUcontext current(void)
{
	CUcontext context = NULL;
	if (axw_uncounted.cuCtxGetCurrent)
		axw_uncounted.cuCtxGetCurrent(&context);
	return context;
}

// --- physical memory: it is there as long as a handle or a mapping is

struct physical {
	CUmemGenericAllocationHandle handle;
	uint64_t bytes;
	enum axw_memory kind;
	unsigned handles, mappings;
	struct physical *next;
};
struct mapping {
	CUdeviceptr at;
	struct physical *of;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct physical *physicals; // those that have a handle
static struct mapping *mappings;
static size_t mapping_count, mapping_room;

// Under lock.
static struct physical **find(CUmemGenericAllocationHandle handle)
{
	struct physical **at = &physicals;
	while (*at && (*at)->handle != handle)
		at = &(*at)->next;
	return at;
}

// Under lock: 1 when it is to be given back, by axw_give without the lock.
static int ended(struct physical *p) { return !p->handles && !p->mappings; }

static void give(struct physical *p)
{
	axw_give(p->kind, p->bytes);
	free(p);
}

static CUresult count_cuMemCreate(CUmemGenericAllocationHandle *handle, size_t n, const CUmemAllocationProp *prop, unsigned long long flags)
{
	enum axw_memory kind = prop && prop->location.type != CU_MEM_LOCATION_TYPE_DEVICE ? AXW_PINNED : AXW_DEVICE;

	if (!axw_take(kind, n))
		return OVER;
	struct physical *p = calloc(1, sizeof *p);
	CUresult r = p ? axw_uncounted.cuMemCreate(handle, n, prop, flags) : OVER;
	if (r != CUDA_SUCCESS) {
		axw_give(kind, n);
		free(p);
		return r;
	}
	*p = (struct physical){ .handle = *handle, .bytes = n, .kind = kind, .handles = 1 };
	pthread_mutex_lock(&lock);
	p->next = physicals;
	physicals = p;
	pthread_mutex_unlock(&lock);
	return r;
}

static CUresult count_cuMemRelease(CUmemGenericAllocationHandle handle)
{
	struct physical *p, *last = NULL;

	pthread_mutex_lock(&lock);
	struct physical **at = find(handle);
	if ((p = *at) && !--p->handles) {
		*at = p->next;
		last = p;
		p->mappings++; // stays until the vendor has had its say
	}
	pthread_mutex_unlock(&lock);
	CUresult r = axw_uncounted.cuMemRelease(handle);
	if (!p)
		return r;
	pthread_mutex_lock(&lock);
	if (last) {
		p->mappings--;
		if (r != CUDA_SUCCESS) {
			p->handles++;
			p->next = physicals;
			physicals = p;
		}
	} else if (r != CUDA_SUCCESS) {
		p->handles++;
	}
	int gone = last && ended(p);
	pthread_mutex_unlock(&lock);
	if (gone)
		give(p);
	return r;
}

static CUresult count_cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *address)
{
	CUresult r = axw_uncounted.cuMemRetainAllocationHandle(handle, address);

	if (r != CUDA_SUCCESS)
		return r;
	pthread_mutex_lock(&lock);
	struct physical *p = *find(*handle);
	// One whose last handle was released is known by its mapping, under whatever handle it gets now.
	for (size_t i = 0; !p && i < mapping_count; i++) {
		struct physical *of = mappings[i].of;
		if (of->handles || (uint64_t)(uintptr_t)address < mappings[i].at || (uint64_t)(uintptr_t)address - mappings[i].at >= of->bytes)
			continue;
		p = of;
		p->handle = *handle;
		p->next = physicals;
		physicals = p;
	}
	if (p)
		p->handles++;
	pthread_mutex_unlock(&lock);
	return r;
}

static CUresult count_cuMemMap(CUdeviceptr at, size_t n, size_t offset, CUmemGenericAllocationHandle handle, unsigned long long flags)
{
	// Noted first: another thread may unmap it as soon as it is mapped.
	pthread_mutex_lock(&lock);
	struct physical *p = *find(handle);
	if (p && mapping_count == mapping_room) {
		size_t more = mapping_room ? 2 * mapping_room : 64;
		struct mapping *wider = realloc(mappings, more * sizeof *wider);
		if (wider) {
			mappings = wider;
			mapping_room = more;
		} else {
			p = NULL; // its handle is all that keeps it counted
		}
	}
	if (p) {
		mappings[mapping_count++] = (struct mapping){ at, p };
		p->mappings++;
	}
	pthread_mutex_unlock(&lock);
	CUresult r = axw_uncounted.cuMemMap(at, n, offset, handle, flags);
	if (r == CUDA_SUCCESS || !p)
		return r;
	int gone = 0;
	pthread_mutex_lock(&lock);
	for (size_t i = mapping_count; i-- > 0;)
		if (mappings[i].at == at && mappings[i].of == p) {
			mappings[i] = mappings[--mapping_count];
			p->mappings--;
			gone = ended(p);
			break;
		}
	pthread_mutex_unlock(&lock);
	if (gone)
		give(p);
	return r;
}

static CUresult count_cuMemUnmap(CUdeviceptr at, size_t n)
{
	CUresult r = axw_uncounted.cuMemUnmap(at, n);
	struct physical *gone = NULL;

	if (r != CUDA_SUCCESS)
		return r;
	pthread_mutex_lock(&lock);
	for (size_t i = mapping_count; i-- > 0;) {
		struct physical *p = mappings[i].of;
		if (mappings[i].at < at || mappings[i].at - at >= n)
			continue;
		mappings[i] = mappings[--mapping_count];
		p->mappings--;
		if (ended(p)) {
			p->next = gone;
			gone = p;
		}
	}
	pthread_mutex_unlock(&lock);
	while (gone) {
		struct physical *p = gone;
		gone = p->next;
		give(p);
	}
	return r;
}

// --- arrays

// Bits of one element's channel. Formats of blocks and planes are taken for what they have per element.
static unsigned bits(CUarray_format format)
{
	switch (format) {
	case CU_AD_FORMAT_UNSIGNED_INT8: case CU_AD_FORMAT_SIGNED_INT8:
		return 8;
	case CU_AD_FORMAT_UNSIGNED_INT16: case CU_AD_FORMAT_SIGNED_INT16: case CU_AD_FORMAT_HALF:
		return 16;
	case CU_AD_FORMAT_BC1_UNORM: case CU_AD_FORMAT_BC1_UNORM_SRGB: case CU_AD_FORMAT_BC4_UNORM: case CU_AD_FORMAT_BC4_SNORM:
		return 4;
	case CU_AD_FORMAT_BC2_UNORM: case CU_AD_FORMAT_BC2_UNORM_SRGB: case CU_AD_FORMAT_BC3_UNORM: case CU_AD_FORMAT_BC3_UNORM_SRGB:
	case CU_AD_FORMAT_BC5_UNORM: case CU_AD_FORMAT_BC5_SNORM: case CU_AD_FORMAT_BC6H_UF16: case CU_AD_FORMAT_BC6H_SF16:
	case CU_AD_FORMAT_BC7_UNORM: case CU_AD_FORMAT_BC7_UNORM_SRGB:
		return 8;
	default:
		return 32;
	}
}

static uint64_t array_bytes(const CUDA_ARRAY3D_DESCRIPTOR *d, unsigned levels)
{
	uint64_t sum = 0, w = d->Width, h = d->Height ? d->Height : 1, z = d->Depth ? d->Depth : 1;
	int layered = d->Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP);

	if (d->Flags & (CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_DEFERRED_MAPPING))
		return 0; // what is mapped into it is counted
	for (unsigned i = 0; i < levels && i < 32; i++) {
		uint64_t n;
		if (__builtin_mul_overflow(w, h, &n) || __builtin_mul_overflow(n, z, &n) ||
		    __builtin_mul_overflow(n, (uint64_t)bits(d->Format) * (d->NumChannels ? d->NumChannels : 1), &n) ||
		    __builtin_add_overflow(sum, n / 8, &sum))
			return UINT64_MAX;
		w = w > 1 ? w / 2 : 1;
		h = h > 1 ? h / 2 : 1;
		z = z > 1 && !layered ? z / 2 : z;
	}
	return sum;
}

static CUresult array_made(CUresult r, const void *handle, uint64_t n)
{
	if (r != CUDA_SUCCESS)
		axw_give(AXW_DEVICE, n);
	else
		axw_keep(&(struct axw_kept){ .key = (uintptr_t)handle, .bytes = n, .context = current(), .class = AXW_ARRAY });
	return r;
}

static CUresult count_cuArrayCreate_v2(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *d)
{
	CUDA_ARRAY3D_DESCRIPTOR same = { .Width = d->Width, .Height = d->Height, .Format = d->Format, .NumChannels = d->NumChannels };
	uint64_t n = array_bytes(&same, 1);

	if (!axw_take(AXW_DEVICE, n))
		return OVER;
	CUresult r = axw_uncounted.cuArrayCreate_v2(array, d);
	return array_made(r, r == CUDA_SUCCESS ? *array : NULL, n);
}

static CUresult count_cuArray3DCreate_v2(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
	uint64_t n = array_bytes(d, 1);

	if (!axw_take(AXW_DEVICE, n))
		return OVER;
	CUresult r = axw_uncounted.cuArray3DCreate_v2(array, d);
	return array_made(r, r == CUDA_SUCCESS ? *array : NULL, n);
}

static CUresult count_cuMipmappedArrayCreate(CUmipmappedArray *array, const CUDA_ARRAY3D_DESCRIPTOR *d, unsigned int levels)
{
	uint64_t n = array_bytes(d, levels);

	if (!axw_take(AXW_DEVICE, n))
		return OVER;
	CUresult r = axw_uncounted.cuMipmappedArrayCreate(array, d, levels);
	return array_made(r, r == CUDA_SUCCESS ? *array : NULL, n);
}

static CUresult count_cuArrayDestroy(CUarray array)
{
	struct axw_kept k;
	int counted = axw_unkeep(AXW_ARRAY, (uintptr_t)array, &k);
	return axw_kept_ended(axw_uncounted.cuArrayDestroy(array), counted, &k);
}

static CUresult count_cuMipmappedArrayDestroy(CUmipmappedArray array)
{
	struct axw_kept k;
	int counted = axw_unkeep(AXW_ARRAY, (uintptr_t)array, &k);
	return axw_kept_ended(axw_uncounted.cuMipmappedArrayDestroy(array), counted, &k);
}

// --- graphs' memory: the vendor has it when a graph is launched, and its reserves show it then

static CUresult count_cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *on, size_t n, CUDA_MEM_ALLOC_NODE_PARAMS *p)
{
	axw_graph_memory();
	return axw_may_take(AXW_DEVICE, p->bytesize) ? axw_uncounted.cuGraphAddMemAllocNode(node, graph, on, n, p) : OVER;
}

static int may_add(const CUgraphNodeParams *p)
{
	if (p->type != CU_GRAPH_NODE_TYPE_MEM_ALLOC)
		return 1;
	axw_graph_memory();
	return axw_may_take(AXW_DEVICE, p->alloc.bytesize);
}

static CUresult count_cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *on, size_t n, CUgraphNodeParams *p)
{
	return may_add(p) ? axw_uncounted.cuGraphAddNode(node, graph, on, n, p) : OVER;
}

static CUresult count_cuGraphAddNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *on, const CUgraphEdgeData *edges, size_t n, CUgraphNodeParams *p)
{
	return may_add(p) ? axw_uncounted.cuGraphAddNode_v2(node, graph, on, edges, n, p) : OVER;
}

// --- contexts

static CUresult count_cuCtxSetLimit(CUlimit limit, size_t value)
{
	struct axw_kept old;
	CUcontext context = current();

	if (limit != CU_LIMIT_MALLOC_HEAP_SIZE)
		return axw_uncounted.cuCtxSetLimit(limit, value);
	if (!axw_take(AXW_DEVICE, value))
		return OVER;
	CUresult r = axw_uncounted.cuCtxSetLimit(limit, value);
	if (r != CUDA_SUCCESS) {
		axw_give(AXW_DEVICE, value);
		return r;
	}
	if (axw_unkeep(AXW_HEAP, (uintptr_t)context, &old))
		axw_kept_give(&old);
	axw_keep(&(struct axw_kept){ .key = (uintptr_t)context, .bytes = value, .context = context, .class = AXW_HEAP });
	return r;
}

static CUresult count_cuCtxDestroy_v2(CUcontext context)
{
	CUresult r = axw_uncounted.cuCtxDestroy_v2(context);
	axw_pools_changed();
	if (r == CUDA_SUCCESS && context)
		axw_unkeep_context(context);
	return r;
}

#define DEVICES 64
static _Atomic(CUcontext) primary[DEVICES];

static CUresult on(CUresult r, CUdevice dev)
{
	if (r == CUDA_SUCCESS)
		axw_on_device(dev);
	return r;
}

static CUresult count_cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice dev)
{
	CUresult r = axw_uncounted.cuDevicePrimaryCtxRetain(context, dev);
	if (r == CUDA_SUCCESS && dev >= 0 && dev < DEVICES)
		atomic_store(&primary[dev], *context);
	return on(r, dev);
}

static CUresult left(CUresult r, CUdevice dev)
{
	unsigned flags;
	int active = 1;

	axw_pools_changed();
	if (r == CUDA_SUCCESS && dev >= 0 && dev < DEVICES && axw_uncounted.cuDevicePrimaryCtxGetState &&
	    axw_uncounted.cuDevicePrimaryCtxGetState(dev, &flags, &active) == CUDA_SUCCESS && !active) {
		CUcontext context = atomic_exchange(&primary[dev], NULL);
		if (context)
			axw_unkeep_context(context);
	}
	return r;
}

static CUresult count_cuDevicePrimaryCtxRelease_v2(CUdevice dev) { return left(axw_uncounted.cuDevicePrimaryCtxRelease_v2(dev), dev); }

static CUresult count_cuDevicePrimaryCtxReset_v2(CUdevice dev)
{
	CUcontext context = dev >= 0 && dev < DEVICES ? atomic_load(&primary[dev]) : NULL;
	CUresult r = axw_uncounted.cuDevicePrimaryCtxReset_v2(dev);
	axw_pools_changed();
	if (r == CUDA_SUCCESS && context)
		axw_unkeep_context(context);
	return r;
}

static CUresult count_cuCtxCreate_v3(CUcontext *context, CUexecAffinityParam *params, int n, unsigned int flags, CUdevice dev)
{
	return on(axw_uncounted.cuCtxCreate_v3(context, params, n, flags, dev), dev);
}

static CUresult count_cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *params, unsigned int flags, CUdevice dev)
{
	return on(axw_uncounted.cuCtxCreate_v4(context, params, flags, dev), dev);
}

static CUresult count_cuCtxCreate_v2(CUcontext *context, unsigned int flags, CUdevice dev)
{
	return on(axw_uncounted.cuCtxCreate_v2(context, flags, dev), dev);
}

static CUresult count_cuGreenCtxCreate(CUgreenCtx *context, CUdevResourceDesc desc, CUdevice dev, unsigned int flags)
{
	return on(axw_uncounted.cuGreenCtxCreate(context, desc, dev, flags), dev);
}

#define COUNT(name) \
	if (axg_vendor.name) \
		axg_vendor.name = count_##name

void axw_count_objects(void)
{
	COUNT(cuMemCreate);
	COUNT(cuMemRelease);
	COUNT(cuMemRetainAllocationHandle);
	COUNT(cuMemMap);
	COUNT(cuMemUnmap);
	COUNT(cuArrayCreate_v2);
	COUNT(cuArray3DCreate_v2);
	COUNT(cuMipmappedArrayCreate);
	COUNT(cuArrayDestroy);
	COUNT(cuMipmappedArrayDestroy);
	COUNT(cuGraphAddMemAllocNode);
	COUNT(cuGraphAddNode);
	COUNT(cuGraphAddNode_v2);
	COUNT(cuCtxSetLimit);
	COUNT(cuCtxDestroy_v2);
	COUNT(cuDevicePrimaryCtxRetain);
	COUNT(cuDevicePrimaryCtxRelease_v2);
	COUNT(cuDevicePrimaryCtxReset_v2);
	COUNT(cuCtxCreate_v2);
	COUNT(cuCtxCreate_v3);
	COUNT(cuCtxCreate_v4);
	COUNT(cuGreenCtxCreate);
}
