// SPDX-License-Identifier: Apache-2.0
//
// Loading modules and libraries from images that the client has sent.
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "load.h"
#include "cuda_worker.h"

#define OPTIONS_MAX 256u

static size_t padded(size_t n) { return (n + 7) & ~(size_t)7; }

int axw_jit_option_is_number(uint32_t name)
{
	switch (name) {
	case CU_JIT_INFO_LOG_BUFFER:
	case CU_JIT_ERROR_LOG_BUFFER:
	// Pointers to the client's tables of names and addresses: nothing here may follow those.
	case CU_JIT_GLOBAL_SYMBOL_NAMES:
	case CU_JIT_GLOBAL_SYMBOL_ADDRESSES:
	case CU_JIT_REFERENCED_KERNEL_NAMES:
	case CU_JIT_REFERENCED_VARIABLE_NAMES:
		return 0;
	default:
		// All others up to here are numbers; one of a newer driver may be anything.
		return name <= CU_JIT_SPLIT_COMPILE;
	}
}

// JIT options, with log buffers of our own in place of the client's.
struct options {
	uint32_t count;
	CUjit_option names[OPTIONS_MAX];
	void *values[OPTIONS_MAX];
	// The answer's data, in w->out.
	uint8_t *values_out, *info, *error;
	size_t out_size;
};

// Where the answer's arrays go behind `fixed` bytes, all zero. 0 or -1.
static int options_room(struct options *o, struct axw_call *w, size_t fixed, uint32_t count, uint32_t info, uint32_t error)
{
	if (count > OPTIONS_MAX || info > w->out_max || error > w->out_max)
		return -1;
	o->count = count;
	size_t values = count * sizeof(uint64_t);
	o->out_size = fixed + values + padded(info) + padded(error);
	if (o->out_size > w->out_max)
		return -1;
	memset(w->out, 0, o->out_size);
	o->values_out = (uint8_t *)w->out + fixed;
	o->info = o->values_out + values;
	o->error = o->info + padded(info);
	return 0;
}

// Fills names and values from the frame. CUDA_SUCCESS or what the client gets.
static CUresult options_read(struct options *o, const uint8_t *names, const uint8_t *values, uint32_t info, uint32_t error)
{
	for (uint32_t i = 0; i < o->count; i++) {
		uint32_t name;
		uint64_t value;
		memcpy(&name, names + i * sizeof name, sizeof name);
		memcpy(&value, values + i * sizeof value, sizeof value);
		o->names[i] = (CUjit_option)name;
		o->values[i] = (void *)(uintptr_t)value;
		switch (name) {
		case CU_JIT_INFO_LOG_BUFFER:
			o->values[i] = info ? o->info : NULL;
			break;
		case CU_JIT_ERROR_LOG_BUFFER:
			o->values[i] = error ? o->error : NULL;
			break;
		case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
			o->values[i] = (void *)(uintptr_t)info;
			break;
		case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
			o->values[i] = (void *)(uintptr_t)error;
			break;
		default:
			if (!axw_jit_option_is_number(name))
				return axw_own(CUDA_ERROR_NOT_SUPPORTED);
		}
	}
	return CUDA_SUCCESS;
}

static void options_write(const struct options *o)
{
	for (uint32_t i = 0; i < o->count; i++) {
		uint64_t value = (uint64_t)(uintptr_t)o->values[i];
		if (o->names[i] == CU_JIT_INFO_LOG_BUFFER || o->names[i] == CU_JIT_ERROR_LOG_BUFFER)
			value = 0; // ours
		memcpy(o->values_out + i * sizeof value, &value, sizeof value);
	}
}

// An image that is text, a cubin or a fat binary, whole.
static struct axw_image *hold(struct axw_session *s, uint64_t number, const void **bytes, CUresult *r)
{
	size_t size;
	struct axw_image *image = axw_image_hold(s, number, bytes, &size);

	if (!image) {
		*r = axw_own(CUDA_ERROR_INVALID_VALUE);
		return NULL;
	}
	if (!axw_image_fits(*bytes, size)) {
		axw_image_release(s, image);
		*r = axw_own(CUDA_ERROR_INVALID_IMAGE);
		return NULL;
	}
	return image;
}

CUresult axw_axModuleLoad(struct axw_call *w)
{
	struct ax_in_axModuleLoad in;
	struct ax_out_axModuleLoad out = { 0 };
	struct options o;
	const void *bytes;
	CUmodule module = NULL;
	CUresult r;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	if (options_room(&o, w, sizeof out, in.numOptions, in.infoSize, in.errorSize) < 0 ||
	    w->data_size < padded(in.numOptions * sizeof(uint32_t)) + in.numOptions * sizeof(uint64_t))
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	w->out_size = o.out_size; // the logs of a load that failed are what they are for
	r = options_read(&o, w->data, w->data + padded(in.numOptions * sizeof(uint32_t)), in.infoSize, in.errorSize);
	if (r != CUDA_SUCCESS)
		return r;
	if (!axg_vendor.cuModuleLoadDataEx)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	struct axw_image *image = hold(w->s, in.image, &bytes, &r);
	if (!image)
		return r;
	r = axg_vendor.cuModuleLoadDataEx(&module, bytes, o.count, o.count ? o.names : NULL, o.count ? o.values : NULL);
	axw_image_release(w->s, image);
	options_write(&o);
	if (r == CUDA_SUCCESS && !(out.module = axw_name_new(w->s, AXH_CUmodule, module)))
		r = axw_own(CUDA_ERROR_OUT_OF_MEMORY);
	memcpy(w->out, &out, sizeof out);
	return r;
}

// Only the vendor's errors go back: the pointer that it finds is an address of this process.
CUresult axw_axLibraryUnifiedFunction(struct axw_call *w)
{
	struct ax_in_axLibraryUnifiedFunction in;
	void *library = NULL, *function = NULL;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	if (!in.bytes || in.bytes > w->data_size)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	if (axw_get(w->s, AXH_CUlibrary, in.library, &library) < 0)
		return axw_own(CUDA_ERROR_INVALID_HANDLE);
	if (!axg_vendor.cuLibraryGetUnifiedFunction)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	char *symbol = malloc(in.bytes);
	if (!symbol)
		return axw_own(CUDA_ERROR_OUT_OF_MEMORY);
	memcpy(symbol, w->data, in.bytes);
	symbol[in.bytes - 1] = 0;
	CUresult r = axg_vendor.cuLibraryGetUnifiedFunction(&function, library, symbol);
	free(symbol);
	return r == CUDA_SUCCESS ? axw_own(CUDA_ERROR_NOT_SUPPORTED) : r;
}

CUresult axw_axLibraryLoad(struct axw_call *w)
{
	struct ax_in_axLibraryLoad in;
	struct ax_out_axLibraryLoad out = { 0 };
	struct options o;
	CUlibraryOption names[16];
	void *values[16];
	uint32_t used = 0;
	const void *bytes;
	CUlibrary library = NULL;
	CUresult r;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	if (in.numLibraryOptions > 16 ||
	    options_room(&o, w, sizeof out, in.numOptions, in.infoSize, in.errorSize) < 0)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	const uint8_t *jit_values = w->data + padded(in.numOptions * sizeof(uint32_t));
	const uint8_t *library_names = jit_values + in.numOptions * sizeof(uint64_t);
	const uint8_t *end = library_names + padded(in.numLibraryOptions * sizeof(uint32_t)) + in.numLibraryOptions * sizeof(uint64_t);
	if (w->data_size < (size_t)(end - w->data))
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	w->out_size = o.out_size;
	r = options_read(&o, w->data, jit_values, in.infoSize, in.errorSize);
	if (r != CUDA_SUCCESS)
		return r;
	for (uint32_t i = 0; i < in.numLibraryOptions; i++) {
		uint32_t name;
		memcpy(&name, library_names + i * sizeof name, sizeof name);
		// That the code stays where it is holds in the client, not here: the vendor makes its copy.
		if (name == CU_LIBRARY_BINARY_IS_PRESERVED)
			continue;
		// A table of host functions is a pointer.
		if (name == CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE)
			return axw_own(CUDA_ERROR_NOT_SUPPORTED);
		names[used] = (CUlibraryOption)name;
		values[used++] = NULL;
	}
	if (!axg_vendor.cuLibraryLoadData)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	struct axw_image *image = hold(w->s, in.image, &bytes, &r);
	if (!image)
		return r;
	r = axg_vendor.cuLibraryLoadData(&library, bytes, o.count ? o.names : NULL, o.count ? o.values : NULL, o.count,
				  used ? names : NULL, used ? values : NULL, used);
	axw_image_release(w->s, image);
	options_write(&o);
	if (r == CUDA_SUCCESS && !(out.library = axw_name_new(w->s, AXH_CUlibrary, library)))
		r = axw_own(CUDA_ERROR_OUT_OF_MEMORY);
	memcpy(w->out, &out, sizeof out);
	return r;
}
