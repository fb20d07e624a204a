/* SPDX-License-Identifier: Apache-2.0
 *
 * What an address is: pointer attributes; and the profiler, which this device has not.
 */
#include "driver.h"

#include <stdlib.h>
#include <string.h>

static void put(void *out, const void *value, size_t n)
{
	memcpy(out, value, n);
}

static CUresult attribute(CUpointer_attribute which, struct memory *m, uint64_t address, void *out)
{
	int host = m->kind >= MEM_HOST, yes = 1, no = 0;
	switch ((int)which) {
	case CU_POINTER_ATTRIBUTE_CONTEXT: {
		struct context *owner = m->kind == MEM_POOL ? NULL : m->ctx;
		put(out, &owner, sizeof owner);
		break;
	}
	case CU_POINTER_ATTRIBUTE_MEMORY_TYPE: {
		unsigned type = host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
		put(out, &type, sizeof type);
		break;
	}
	case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: put(out, &address, sizeof address); break;
	case CU_POINTER_ATTRIBUTE_HOST_POINTER:
		if (!host && m->kind != MEM_MANAGED)
			return CUDA_ERROR_INVALID_VALUE;
		put(out, &address, sizeof address);
		break;
	case CU_POINTER_ATTRIBUTE_P2P_TOKENS: return CUDA_ERROR_NOT_SUPPORTED;
	case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: put(out, host ? &no : &yes, sizeof yes); break;
	case CU_POINTER_ATTRIBUTE_BUFFER_ID: put(out, &m->id, sizeof m->id); break;
	case CU_POINTER_ATTRIBUTE_IS_MANAGED: put(out, m->kind == MEM_MANAGED ? &yes : &no, sizeof yes); break;
	case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: put(out, &m->device->ordinal, sizeof(int)); break;
	case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE: put(out, &no, sizeof no); break;
	case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: put(out, &m->start, sizeof m->start); break;
	case CU_POINTER_ATTRIBUTE_RANGE_SIZE: put(out, &m->size, sizeof m->size); break;
	case CU_POINTER_ATTRIBUTE_MAPPED: put(out, m->readable ? &yes : &no, sizeof yes); break;
	case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES: {
		uint64_t types = m->kind == MEM_MAPPED ? CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR : 0;
		put(out, &types, sizeof types);
		break;
	}
	case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE: put(out, &no, sizeof no); break;
	case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS: {
		int access = m->writable ? 3 : m->readable ? 1 : 0;
		put(out, &access, sizeof access);
		break;
	}
	case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE: {
		void *pool = m->pool;
		put(out, &pool, sizeof pool);
		break;
	}
	case CU_POINTER_ATTRIBUTE_MAPPING_SIZE: put(out, &m->size, sizeof m->size); break;
	case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR: put(out, &m->start, sizeof m->start); break;
	case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID: put(out, &m->id, sizeof m->id); break;
	case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE: put(out, &no, sizeof no); break;
	default: return CUDA_ERROR_INVALID_VALUE;
	}
	return CUDA_SUCCESS;
}

/* Also answered in a broken context. */
static CUresult enter_even_broken(void)
{
	CUresult r = enter_any();
	return r || context_current() ? r : leave(CUDA_ERROR_INVALID_CONTEXT);
}

API CUresult cuPointerGetAttribute(void *out, CUpointer_attribute which, CUdeviceptr address)
{
	CUresult r = enter_even_broken();
	if (r)
		return r;
	struct memory *m = memory_find(address);
	return leave(!out || !m ? CUDA_ERROR_INVALID_VALUE : attribute(which, m, address, out));
}

/* An address that nobody knows, or an attribute that does not apply, is an answer here and not an error: nothing. */
API CUresult cuPointerGetAttributes(unsigned int count, CUpointer_attribute *which, void **out, CUdeviceptr address)
{
	CUresult r = enter_even_broken();
	if (r)
		return r;
	if (count && (!which || !out))
		return leave(CUDA_ERROR_INVALID_VALUE);
	for (unsigned i = 0; i < count; i++)
		if (!out[i] || (int)which[i] < CU_POINTER_ATTRIBUTE_CONTEXT ||
		    which[i] > CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE)
			return leave(CUDA_ERROR_INVALID_VALUE);
	struct memory *m = memory_find(address);
	for (unsigned i = 0; i < count; i++) {
		if (m && !attribute(which[i], m, address, out[i]))
			continue;
		switch ((int)which[i]) {
		case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: put(out[i], &(int){ -2 }, sizeof(int)); break;
		case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
		case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
		case CU_POINTER_ATTRIBUTE_IS_MANAGED:
		case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
		case CU_POINTER_ATTRIBUTE_MAPPED:
		case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
		case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
		case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE: put(out[i], &(int){ 0 }, sizeof(int)); break;
		case CU_POINTER_ATTRIBUTE_HOST_POINTER: {
			uint64_t host = m ? 0 : address;   /* what is not the device's must be the host's */
			put(out[i], &host, sizeof host);
			break;
		}
		case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
		case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
		case CU_POINTER_ATTRIBUTE_P2P_TOKENS: break;
		default: put(out[i], &(uint64_t){ 0 }, sizeof(uint64_t)); break;
		}
	}
	return leave(CUDA_SUCCESS);
}

API CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute which, CUdeviceptr address)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	return leave(!value || which != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS || !memory_find(address) ? CUDA_ERROR_INVALID_VALUE
												   : CUDA_SUCCESS);
}

API CUresult cuProfilerStart(void)
{
	struct context *c;
	CUresult r = enter(&c);
	return r ? r : leave(CUDA_SUCCESS);
}

API CUresult cuProfilerStop(void)
{
	struct context *c;
	CUresult r = enter(&c);
	return r ? r : leave(CUDA_SUCCESS);
}
