// SPDX-License-Identifier: Apache-2.0
//
// Kernels: the layout of their parameters and their attributes are asked for
// once each and answered here from then on.
#include "function.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "name.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// Under the lock: asks the worker.
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

CUresult axc_function(uint64_t name, struct axc_function **out)
{
	unsigned kind = axr_name_is(name, AXH_CUfunction) ? AXH_CUfunction : AXH_CUkernel;
	CUresult r = axc_ready(); // first: in a forked child the lock below may be held by nobody
	struct axc_function *_Atomic *record = r ? NULL : (struct axc_function * _Atomic *)axc_record(kind, name);

	if (!record)
		return r ? r : CUDA_ERROR_INVALID_HANDLE;
	*out = atomic_load_explicit(record, memory_order_acquire);
	if (__builtin_expect(*out != NULL, 1))
		return CUDA_SUCCESS;
	pthread_mutex_lock(&lock);
	if (!(*out = atomic_load(record))) {
		struct axc_function *fresh = NULL;
		r = fetch(name, kind, &fresh);
		if (!r)
			atomic_store_explicit(record, fresh, memory_order_release);
		*out = fresh;
	}
	pthread_mutex_unlock(&lock);
	return r;
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

void axc_function_forget_attributes(struct axc_function *f)
{
	// What cannot be set cannot change: those below 8 are the kernel's own.
	atomic_fetch_and(&f->known, 0xff);
	for (size_t i = 0; i < sizeof f->accepted / sizeof *f->accepted; i++)
		atomic_store(&f->accepted[i], 0);
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
	if (r || (r = axc_begin(&call, AX_cuFuncSetAttribute, sizeof(struct ax_in_cuFuncSetAttribute), 0)))
		return r;
	*(struct ax_in_cuFuncSetAttribute *)call.in =
		(struct ax_in_cuFuncSetAttribute){.hfunc = f->name, .attrib = (int)attrib, .value = value};
	r = axc_wait(&call);
	axc_end(&call);
	axc_function_forget_attributes(f);
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
	if (r || (r = axc_begin(&call, AX_cuKernelSetAttribute, sizeof(struct ax_in_cuKernelSetAttribute), 0)))
		return r;
	*(struct ax_in_cuKernelSetAttribute *)call.in = (struct ax_in_cuKernelSetAttribute){
		.attrib = (int)attrib, .val = val, .kernel = f->name, .dev = dev};
	r = axc_wait(&call);
	axc_end(&call);
	axc_function_forget_attributes(f);
	return r;
}
