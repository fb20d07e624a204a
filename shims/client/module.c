// SPDX-License-Identifier: Apache-2.0
//
// Modules and libraries: an image crosses in parts, then it is loaded by its
// number. A file that a call names is opened here, never by the worker.
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "image.h"
#include "session.h"

#define LOG_MAX 0x40000u // bytes of a log that cross; the vendor's are far shorter

// JIT options as they cross: text buffers stay here and their sizes go along.
struct options {
	uint32_t count, info_size, error_size;
	char *info, *error; // the program's buffers
	uint64_t *values;   // of count, as the program passed them
	const CUjit_option *names;
	void **program; // the program's own values: outputs are written there
};

static CUresult read_options(struct options *o, unsigned count, const CUjit_option *names, void **values)
{
	memset(o, 0, sizeof *o);
	if (count > 256 || (count && (!names || !values)))
		return CUDA_ERROR_INVALID_VALUE;
	o->count = count;
	o->names = names;
	o->program = values;
	o->values = calloc(count ? count : 1, sizeof *o->values);
	if (!o->values)
		return CUDA_ERROR_OUT_OF_MEMORY;
	for (unsigned i = 0; i < count; i++) {
		uint64_t v = (uint64_t)(uintptr_t)values[i];
		o->values[i] = v;
		switch (names[i]) {
		case CU_JIT_INFO_LOG_BUFFER:
			o->info = values[i];
			o->values[i] = 0;
			break;
		case CU_JIT_ERROR_LOG_BUFFER:
			o->error = values[i];
			o->values[i] = 0;
			break;
		case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
			o->info_size = (uint32_t)(v < LOG_MAX ? v : LOG_MAX);
			o->values[i] = o->info_size;
			break;
		case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
			o->error_size = (uint32_t)(v < LOG_MAX ? v : LOG_MAX);
			o->values[i] = o->error_size;
			break;
		default:
			break;
		}
	}
	// A size without a buffer asks for nothing.
	if (!o->info)
		o->info_size = 0;
	if (!o->error)
		o->error_size = 0;
	return CUDA_SUCCESS;
}

static size_t padded(size_t n) { return (n + 7) & ~(size_t)7; }

// What the driver wrote: the logs and the options that are answers.
static void write_options(const struct options *o, const uint8_t *p)
{
	for (uint32_t i = 0; i < o->count; i++) {
		uint64_t v;
		memcpy(&v, p + i * sizeof v, sizeof v);
		switch (o->names[i]) {
		case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
		case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
		case CU_JIT_THREADS_PER_BLOCK:
		case CU_JIT_WALL_TIME:
			o->program[i] = (void *)(uintptr_t)v;
			break;
		default:
			break;
		}
	}
	p += o->count * sizeof(uint64_t);
	if (o->info_size)
		memcpy(o->info, p, o->info_size);
	p += padded(o->info_size);
	if (o->error_size)
		memcpy(o->error, p, o->error_size);
}

static void *put(void *to, const void *from, size_t n)
{
	if (n)
		memcpy(to, from, n);
	return (uint8_t *)to + padded(n);
}

static CUresult load_module(CUmodule *module, const void *bytes, size_t length, unsigned count, const CUjit_option *names,
			    void **values)
{
	struct options o;
	struct axc_call call;
	uint64_t image = 0;
	CUresult r = read_options(&o, count, names, values);
	if (r || (r = axc_image_send(bytes, length, &image))) {
		free(o.values);
		return r;
	}
	r = axc_begin(&call, AX_axModuleLoad, sizeof(struct ax_in_axModuleLoad), padded(count * sizeof *names) + count * sizeof(uint64_t));
	if (!r) {
		*(struct ax_in_axModuleLoad *)call.in = (struct ax_in_axModuleLoad){
			.image = image, .numOptions = count, .infoSize = o.info_size, .errorSize = o.error_size};
		put(put(call.data, names, count * sizeof *names), o.values, count * sizeof(uint64_t));
		r = axc_wait(&call);
		const struct ax_out_axModuleLoad *out = call.out;
		if (out && call.out_size >= sizeof *out + count * sizeof(uint64_t) + padded(o.info_size) + padded(o.error_size)) {
			write_options(&o, (const uint8_t *)(out + 1));
			if (!r)
				*module = (CUmodule)(uintptr_t)out->module;
		} else if (!r) {
			r = CUDA_ERROR_UNKNOWN;
		}
		axc_end(&call);
	}
	axc_image_drop(image);
	free(o.values);
	return r;
}

AX_EXPORT CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int numOptions, CUjit_option *options,
				      void **optionValues)
{
	const void *bytes;
	size_t length;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!module || !image)
		return CUDA_ERROR_INVALID_VALUE;
	if (!axc_image_of(image, &bytes, &length))
		return CUDA_ERROR_INVALID_IMAGE;
	return load_module(module, bytes, length, numOptions, options, optionValues);
}

AX_EXPORT CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
	return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

AX_EXPORT CUresult cuModuleLoadFatBinary(CUmodule *module, const void *fatCubin)
{
	return cuModuleLoadDataEx(module, fatCubin, 0, NULL, NULL);
}

AX_EXPORT CUresult cuModuleLoad(CUmodule *module, const char *fname)
{
	void *bytes;
	size_t length;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!module || !fname)
		return CUDA_ERROR_INVALID_VALUE;
	if ((r = axc_image_read(fname, &bytes, &length)))
		return r;
	r = load_module(module, bytes, length + 1, 0, NULL, NULL); // the NUL that text needs goes along
	free(bytes);
	return r;
}

static CUresult load_library(CUlibrary *library, const void *bytes, size_t length, unsigned count, const CUjit_option *names,
			     void **values, unsigned library_count, const CUlibraryOption *library_names, void **library_values)
{
	struct options o;
	struct axc_call call;
	uint64_t image = 0;
	CUresult r = read_options(&o, count, names, values);
	if (!r && (library_count > 16 || (library_count && !library_names)))
		r = CUDA_ERROR_INVALID_VALUE;
	for (unsigned i = 0; !r && i < library_count; i++)
		if (library_names[i] == CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE) {
			axc_debug("cuLibraryLoadData: a table of host functions is not supported");
			r = CUDA_ERROR_NOT_SUPPORTED;
		}
	if (r || (r = axc_image_send(bytes, length, &image))) {
		free(o.values);
		return r;
	}
	r = axc_begin(&call, AX_axLibraryLoad, sizeof(struct ax_in_axLibraryLoad),
		      padded(count * sizeof *names) + count * sizeof(uint64_t) + padded(library_count * sizeof *library_names) +
			      library_count * sizeof(uint64_t));
	if (!r) {
		*(struct ax_in_axLibraryLoad *)call.in = (struct ax_in_axLibraryLoad){.image = image,
										       .numOptions = count,
										       .numLibraryOptions = library_count,
										       .infoSize = o.info_size,
										       .errorSize = o.error_size};
		void *at = put(put(call.data, names, count * sizeof *names), o.values, count * sizeof(uint64_t));
		at = put(at, library_names, library_count * sizeof *library_names);
		for (unsigned i = 0; i < library_count; i++) {
			uint64_t v = library_values ? (uint64_t)(uintptr_t)library_values[i] : 0;
			at = put(at, &v, sizeof v);
		}
		r = axc_wait(&call);
		const struct ax_out_axLibraryLoad *out = call.out;
		if (out && call.out_size >= sizeof *out + count * sizeof(uint64_t) + padded(o.info_size) + padded(o.error_size)) {
			write_options(&o, (const uint8_t *)(out + 1));
			if (!r)
				*library = (CUlibrary)(uintptr_t)out->library;
		} else if (!r) {
			r = CUDA_ERROR_UNKNOWN;
		}
		axc_end(&call);
	}
	axc_image_drop(image);
	free(o.values);
	return r;
}

AX_EXPORT CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jitOptions, void **jitOptionsValues,
				     unsigned int numJitOptions, CUlibraryOption *libraryOptions, void **libraryOptionValues,
				     unsigned int numLibraryOptions)
{
	const void *bytes;
	size_t length;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!library || !code)
		return CUDA_ERROR_INVALID_VALUE;
	if (!axc_image_of(code, &bytes, &length))
		return CUDA_ERROR_INVALID_IMAGE;
	return load_library(library, bytes, length, numJitOptions, jitOptions, jitOptionsValues, numLibraryOptions, libraryOptions,
			    libraryOptionValues);
}

AX_EXPORT CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *fileName, CUjit_option *jitOptions,
					 void **jitOptionsValues, unsigned int numJitOptions, CUlibraryOption *libraryOptions,
					 void **libraryOptionValues, unsigned int numLibraryOptions)
{
	void *bytes;
	size_t length;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!library || !fileName)
		return CUDA_ERROR_INVALID_VALUE;
	if ((r = axc_image_read(fileName, &bytes, &length)))
		return r;
	r = load_library(library, bytes, length + 1, numJitOptions, jitOptions, jitOptionsValues, numLibraryOptions, libraryOptions,
			 libraryOptionValues);
	free(bytes);
	return r;
}

// A name looked up in a module or a library: sent with the call, a handle back.
static CUresult look_up(uint32_t number, uint64_t in, const char *name, uint64_t *handle)
{
	struct axc_call call;
	size_t n = strlen(name) + 1;
	// Both calls' fixed parts are the same: what to look in, how long the name is.
	_Static_assert(sizeof(struct ax_in_cuModuleGetFunction) == sizeof(struct ax_in_cuLibraryGetKernel), "look_up");
	CUresult r = axc_begin(&call, number, sizeof(struct ax_in_cuModuleGetFunction), n);
	if (r)
		return r;
	struct ax_in_cuModuleGetFunction *fixed = call.in;
	memset(fixed, 0, sizeof *fixed);
	fixed->hmod = in;
	fixed->len_name = (uint32_t)n;
	memcpy(call.data, name, n);
	r = axc_wait(&call);
	if (!r && call.out_size >= sizeof *handle)
		memcpy(handle, call.out, sizeof *handle);
	else if (!r)
		r = CUDA_ERROR_UNKNOWN;
	axc_end(&call);
	return r;
}

AX_EXPORT CUresult cuModuleGetFunction(CUfunction *hfunc, CUmodule hmod, const char *name)
{
	uint64_t handle;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!hfunc || !name)
		return CUDA_ERROR_INVALID_VALUE;
	r = look_up(AX_cuModuleGetFunction, (uint64_t)(uintptr_t)hmod, name, &handle);
	if (!r)
		*hfunc = (CUfunction)(uintptr_t)handle;
	return r;
}

AX_EXPORT CUresult cuLibraryGetKernel(CUkernel *pKernel, CUlibrary library, const char *name)
{
	uint64_t handle;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!pKernel || !name)
		return CUDA_ERROR_INVALID_VALUE;
	r = look_up(AX_cuLibraryGetKernel, (uint64_t)(uintptr_t)library, name, &handle);
	if (!r)
		*pKernel = (CUkernel)(uintptr_t)handle;
	return r;
}
