// SPDX-License-Identifier: Apache-2.0
//
// Kernels: the layout of their parameters and their attributes are asked for
// once each and answered here from then on.
#include "function.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "context.h"
#include "name.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// Asks the worker.
static CUresult fetch(uint64_t name, unsigned kind, struct axc_function **made)
{
	uint32_t room = 64, count = 0;
	for (;;) {
		struct axc_call call;
		CUresult r = axc_begin(&call, AX_axFunctionInfo, sizeof(struct ax_in_axFunctionInfo), 0);
		if (r)
			return r;
		*(struct ax_in_axFunctionInfo *)call.in = (struct ax_in_axFunctionInfo){.function = name, .room = room};
		if ((r = axc_wait(&call))) {
			axc_end(&call);
			return r;
		}
		const struct ax_out_axFunctionInfo *out = call.out;
		const size_t attributes = AXC_ATTRIBUTES * sizeof(int32_t);
		if (!out || call.out_size < sizeof *out + attributes + (uint64_t)room * sizeof(struct axParameter) ||
		    out->count > 4096) {
			axc_end(&call);
			return CUDA_ERROR_UNKNOWN;
		}
		count = out->count;
		if (count > room) { // once more, with room for all
			room = count;
			axc_end(&call);
			continue;
		}
		struct axc_function *f = calloc(1, sizeof *f);
		if (f && count && !(f->param = calloc(count, sizeof *f->param))) {
			free(f);
			f = NULL;
		}
		if (!f) {
			axc_end(&call);
			return CUDA_ERROR_OUT_OF_MEMORY;
		}
		f->name = name;
		f->kind = kind;
		f->params = count;
		const int32_t *attribute = (const int32_t *)(out + 1);
		const struct axParameter *p = (const struct axParameter *)((const uint8_t *)(out + 1) + attributes);
		for (uint32_t i = 0; i < count; i++) {
			f->param[i].offset = p[i].offset;
			f->param[i].size = p[i].size;
			if (p[i].offset > 1 << 20 || p[i].size > 1 << 20)
				f->param[i].size = f->param[i].offset = 0;
			else if (f->bytes < p[i].offset + p[i].size)
				f->bytes = p[i].offset + p[i].size;
		}
		for (int i = 0; i < AXC_ATTRIBUTES; i++)
			f->attribute[i] = attribute[i];
		f->known = out->known & ((1u << AXC_ATTRIBUTES) - 1);
		axc_end(&call);
		*made = f;
		return CUDA_SUCCESS;
	}
}

void axc_function_free(void *record)
{
	struct axc_function *f = record;
	free(atomic_load(&f->parts));
	free(f->param);
	free(f);
}

CUresult axc_function(uint64_t name, struct axc_function **out)
{
	unsigned kind = axr_name_is(name, AXH_CUfunction) ? AXH_CUfunction : AXH_CUkernel;
	CUresult r = axc_ready();
	struct axc_function *_Atomic *record = r ? NULL : (struct axc_function * _Atomic *)axc_record(kind, name);

	if (!record)
		return r ? r : CUDA_ERROR_INVALID_HANDLE;
	*out = atomic_load_explicit(record, memory_order_acquire);
	if (__builtin_expect(*out != NULL, 1))
		return CUDA_SUCCESS;
	// Not under the lock: loading a kernel may wait for the device, and what the
	// device waits for may be another thread's first launch.
	struct axc_function *fresh = NULL, *none = NULL;
	if ((r = fetch(name, kind, &fresh)))
		return r;
	if (!atomic_compare_exchange_strong(record, &none, fresh)) {
		axc_function_free(fresh);
		fresh = none;
	}
	*out = fresh;
	return CUDA_SUCCESS;
}

CUresult axc_function_attribute(struct axc_function *f, int attribute, int *value)
{
	struct axc_call call;

	if (attribute >= 0 && attribute < AXC_ATTRIBUTES &&
	    atomic_load_explicit(&f->known, memory_order_acquire) >> attribute & 1) {
		*value = atomic_load_explicit(&f->attribute[attribute], memory_order_relaxed);
		return CUDA_SUCCESS;
	}
	// The vendor refuses a kernel where it asks for a function here.
	CUdevice dev = 0;
	CUresult r;
	if (f->kind == AXH_CUkernel) {
		if ((r = cuCtxGetDevice(&dev)) ||
		    (r = axc_begin(&call, AX_cuKernelGetAttribute, sizeof(struct ax_in_cuKernelGetAttribute), 0)))
			return r;
		*(struct ax_in_cuKernelGetAttribute *)call.in =
			(struct ax_in_cuKernelGetAttribute){.attrib = attribute, .kernel = f->name, .dev = dev};
	} else {
		if ((r = axc_begin(&call, AX_cuFuncGetAttribute, sizeof(struct ax_in_cuFuncGetAttribute), 0)))
			return r;
		*(struct ax_in_cuFuncGetAttribute *)call.in =
			(struct ax_in_cuFuncGetAttribute){.attrib = attribute, .hfunc = f->name};
	}
	_Static_assert(sizeof(struct ax_out_cuFuncGetAttribute) == sizeof(struct ax_out_cuKernelGetAttribute), "one number");
	r = axc_wait(&call);
	if (!r && call.out_size >= sizeof(struct ax_out_cuFuncGetAttribute)) {
		*value = ((const struct ax_out_cuFuncGetAttribute *)call.out)->pi;
		if (attribute >= 0 && attribute < AXC_ATTRIBUTES) {
			atomic_store(&f->attribute[attribute], *value);
			atomic_fetch_or(&f->known, 1u << attribute);
		}
	}
	axc_end(&call);
	return r;
}

// Libraries set the same value before every launch.
static bool is_set(struct axc_function *f, int attribute, int value)
{
	return attribute >= 0 && attribute < AXC_ATTRIBUTES &&
	       atomic_load_explicit(&f->known, memory_order_acquire) >> attribute & 1 &&
	       atomic_load_explicit(&f->attribute[attribute], memory_order_relaxed) == value;
}

// What was set is known, and what depended on it no longer is.
static void was_set(struct axc_function *f, int attribute, int value)
{
	pthread_mutex_lock(&lock);
	if (attribute >= 0 && attribute < AXC_ATTRIBUTES) {
		atomic_store(&f->attribute[attribute], value);
		atomic_fetch_or(&f->known, 1u << attribute);
	}
	for (size_t i = 0; i < sizeof f->accepted / sizeof *f->accepted; i++)
		atomic_store(&f->accepted[i], 0);
	memset(f->occupancy, 0, sizeof f->occupancy);
	pthread_mutex_unlock(&lock);
}

AX_EXPORT CUresult cuFuncGetAttribute(int *pi, CUfunction_attribute attrib, CUfunction hfunc)
{
	struct axc_function *f;
	if (!pi)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult r = axc_function((uint64_t)(uintptr_t)hfunc, &f);
	return r ? r : axc_function_attribute(f, (int)attrib, pi);
}

AX_EXPORT CUresult cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value)
{
	struct axc_function *f;
	struct axc_call call;
	CUresult r = axc_function((uint64_t)(uintptr_t)hfunc, &f);
	if (!r && is_set(f, (int)attrib, value))
		return CUDA_SUCCESS;
	if (r || (r = axc_begin(&call, AX_cuFuncSetAttribute, sizeof(struct ax_in_cuFuncSetAttribute), 0)))
		return r;
	*(struct ax_in_cuFuncSetAttribute *)call.in =
		(struct ax_in_cuFuncSetAttribute){.hfunc = f->name, .attrib = (int)attrib, .value = value};
	r = axc_wait(&call);
	axc_end(&call);
	if (!r)
		was_set(f, (int)attrib, value);
	return r;
}

AX_EXPORT CUresult cuKernelGetAttribute(int *pi, CUfunction_attribute attrib, CUkernel kernel, CUdevice dev)
{
	struct axc_function *f;
	struct axc_call call;
	if (!pi)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult r = axc_function((uint64_t)(uintptr_t)kernel, &f);
	if (r)
		return r;
	// A kernel's own attributes are the same on every device of one machine
	// only if the devices are: only device 0's are kept.
	bool keep = dev == 0 && attrib >= 0 && (int)attrib < AXC_ATTRIBUTES;
	if (keep && atomic_load_explicit(&f->known, memory_order_acquire) >> attrib & 1) {
		*pi = atomic_load_explicit(&f->attribute[attrib], memory_order_relaxed);
		return CUDA_SUCCESS;
	}
	r = axc_begin(&call, AX_cuKernelGetAttribute, sizeof(struct ax_in_cuKernelGetAttribute), 0);
	if (r)
		return r;
	*(struct ax_in_cuKernelGetAttribute *)call.in =
		(struct ax_in_cuKernelGetAttribute){.attrib = (int)attrib, .kernel = f->name, .dev = dev};
	r = axc_wait(&call);
	if (!r && call.out_size >= sizeof(struct ax_out_cuKernelGetAttribute)) {
		*pi = ((const struct ax_out_cuKernelGetAttribute *)call.out)->pi;
		if (keep) {
			atomic_store(&f->attribute[attrib], *pi);
			atomic_fetch_or(&f->known, 1u << attrib);
		}
	}
	axc_end(&call);
	return r;
}

AX_EXPORT CUresult cuKernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel kernel, CUdevice dev)
{
	struct axc_function *f;
	struct axc_call call;
	CUresult r = axc_function((uint64_t)(uintptr_t)kernel, &f);
	if (!r && dev == 0 && is_set(f, (int)attrib, val))
		return CUDA_SUCCESS;
	if (r || (r = axc_begin(&call, AX_cuKernelSetAttribute, sizeof(struct ax_in_cuKernelSetAttribute), 0)))
		return r;
	*(struct ax_in_cuKernelSetAttribute *)call.in = (struct ax_in_cuKernelSetAttribute){
		.attrib = (int)attrib, .val = val, .kernel = f->name, .dev = dev};
	r = axc_wait(&call);
	axc_end(&call);
	if (!r && dev == 0)
		was_set(f, (int)attrib, val);
	return r;
}

static CUresult occupancy(uint32_t number, int *numBlocks, CUfunction func, int blockSize, size_t shared, unsigned flags)
{
	struct axc_function *f;
	struct axc_call call;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!numBlocks)
		return CUDA_ERROR_INVALID_VALUE;
	if ((r = axc_function((uint64_t)(uintptr_t)func, &f)))
		return r;
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < sizeof f->occupancy / sizeof *f->occupancy; i++) {
		const struct axc_occupancy *o = &f->occupancy[i];
		if (o->blocks && o->block == (unsigned)blockSize && o->shared == shared && o->flags == flags) {
			*numBlocks = o->blocks;
			pthread_mutex_unlock(&lock);
			return CUDA_SUCCESS;
		}
	}
	pthread_mutex_unlock(&lock);
	// Both calls' fixed parts begin with what the shorter one has.
	struct ax_in_cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags in = {
		.func = f->name, .blockSize = blockSize, .dynamicSMemSize = shared, .flags = flags};
	size_t size = number == AX_cuOccupancyMaxActiveBlocksPerMultiprocessor
			      ? sizeof(struct ax_in_cuOccupancyMaxActiveBlocksPerMultiprocessor)
			      : sizeof in;
	if ((r = axc_begin(&call, number, size, 0)))
		return r;
	memcpy(call.in, &in, size);
	r = axc_wait(&call);
	if (!r && call.out_size >= sizeof(int32_t)) {
		memcpy(numBlocks, call.out, sizeof(int32_t));
		pthread_mutex_lock(&lock);
		f->occupancy[f->occupancy_next++ % (sizeof f->occupancy / sizeof *f->occupancy)] =
			(struct axc_occupancy){shared, (unsigned)blockSize, flags, *numBlocks};
		pthread_mutex_unlock(&lock);
	}
	axc_end(&call);
	return r;
}

AX_EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, CUfunction func, int blockSize,
							       size_t dynamicSMemSize)
{
	return occupancy(AX_cuOccupancyMaxActiveBlocksPerMultiprocessor, numBlocks, func, blockSize, dynamicSMemSize, 0);
}

AX_EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, CUfunction func, int blockSize,
									size_t dynamicSMemSize, unsigned int flags)
{
	return occupancy(AX_cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, numBlocks, func, blockSize, dynamicSMemSize, flags);
}

AX_EXPORT CUresult cuKernelGetFunction(CUfunction *pFunc, CUkernel kernel)
{
	struct axc_function *f;
	struct axc_call call;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!pFunc)
		return CUDA_ERROR_INVALID_VALUE;
	if ((r = axc_function((uint64_t)(uintptr_t)kernel, &f)))
		return r;
	struct axc_context *c = axc_context_current();
	pthread_mutex_lock(&lock);
	uint64_t known = c && c->live && f->function_context == c->name && f->function_epoch == c->epoch ? f->function : 0;
	pthread_mutex_unlock(&lock);
	if (known) {
		*pFunc = (CUfunction)(uintptr_t)known;
		return CUDA_SUCCESS;
	}
	if ((r = axc_begin(&call, AX_cuKernelGetFunction, sizeof(struct ax_in_cuKernelGetFunction), 0)))
		return r;
	((struct ax_in_cuKernelGetFunction *)call.in)->kernel = f->name;
	r = axc_wait(&call);
	if (!r && call.out_size >= sizeof(struct ax_out_cuKernelGetFunction)) {
		uint64_t name = ((const struct ax_out_cuKernelGetFunction *)call.out)->pFunc;
		*pFunc = (CUfunction)(uintptr_t)name;
		pthread_mutex_lock(&lock);
		f->function = name;
		f->function_context = c ? c->name : 0;
		f->function_epoch = c ? c->epoch : 0;
		pthread_mutex_unlock(&lock);
	}
	axc_end(&call);
	return r;
}
