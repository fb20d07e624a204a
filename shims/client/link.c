// SPDX-License-Identifier: Apache-2.0
//
// The linker. A program hands over buffers for logs and an array for answers
// that the driver writes until the link ends; here they are written when a call
// returns. What comes out is a copy of the client's, valid until the link ends.
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "image.h"
#include "session.h"

#define LOG_MAX 0x40000u  // bytes of a log that cross; the vendor's are far shorter
#define PART 0x80000u     // bytes of the result in one answer
#define IMAGE_MAX 0x100000000ull // of a result
#define OPTIONS_MAX 256u
#define NAME_BYTES_MAX 4096u

struct link {
	uint32_t options;
	CUjit_option *names;
	void **program; // the program's array of values: answers go there
	char *info, *error;
	uint32_t info_size, error_size;
	void *image;
};

static size_t padded(size_t n) { return (n + 7) & ~(size_t)7; }

static struct link *link_of(CUlinkState state)
{
	void **record = axc_record(AXH_CUlinkState, (uint64_t)(uintptr_t)state);
	return record ? *record : NULL;
}

static void drop(struct link *l)
{
	if (l) {
		free(l->names);
		free(l->image);
		free(l);
	}
}

static void write_log(char *to, const uint8_t *from, uint32_t size)
{
	if (size) {
		size_t n = strnlen((const char *)from, size);
		memcpy(to, from, n < size ? n + 1 : n);
	}
}

// What the answer says that the linker has written: values, then the logs. False if the answer has no such part.
static bool written(const struct link *l, const struct axc_call *call, size_t fixed)
{
	size_t values = l->options * sizeof(uint64_t), all = fixed + values + padded(l->info_size) + padded(l->error_size);
	if (!all)
		return true;
	if (!call->out || call->out_size < all)
		return false;
	const uint8_t *p = (const uint8_t *)call->out + fixed;
	for (uint32_t i = 0; i < l->options; i++) {
		uint64_t v;
		memcpy(&v, p + i * sizeof v, sizeof v);
		switch (l->names[i]) {
		case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
		case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
		case CU_JIT_THREADS_PER_BLOCK:
		case CU_JIT_WALL_TIME:
			l->program[i] = (void *)(uintptr_t)v;
			break;
		default:
			break;
		}
	}
	p += values;
	write_log(l->info, p, l->info_size);
	write_log(l->error, p + padded(l->info_size), l->error_size);
	return true;
}

static void *put(void *to, const void *from, size_t n)
{
	if (n)
		memcpy(to, from, n);
	return (uint8_t *)to + padded(n);
}

static struct link *link_new(unsigned count, const CUjit_option *names, void **values)
{
	struct link *l = calloc(1, sizeof *l);
	if (!l || !(l->names = malloc((count ? count : 1) * sizeof *l->names))) {
		drop(l);
		return NULL;
	}
	l->options = count;
	l->program = values;
	if (count)
		memcpy(l->names, names, count * sizeof *names);
	for (unsigned i = 0; i < count; i++) {
		uint64_t v = (uint64_t)(uintptr_t)values[i];
		uint32_t size = (uint32_t)(v < LOG_MAX ? v : LOG_MAX);
		if (names[i] == CU_JIT_INFO_LOG_BUFFER)
			l->info = values[i];
		else if (names[i] == CU_JIT_ERROR_LOG_BUFFER)
			l->error = values[i];
		else if (names[i] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES)
			l->info_size = size;
		else if (names[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
			l->error_size = size;
	}
	// A size without a buffer asks for nothing.
	if (!l->info)
		l->info_size = 0;
	if (!l->error)
		l->error_size = 0;
	return l;
}

AX_EXPORT CUresult cuLinkCreate_v2(unsigned int numOptions, CUjit_option *options, void **optionValues, CUlinkState *stateOut)
{
	struct axc_call call;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!stateOut || numOptions > OPTIONS_MAX || (numOptions && (!options || !optionValues)))
		return CUDA_ERROR_INVALID_VALUE;
	struct link *l = link_new(numOptions, options, optionValues);
	if (!l)
		return CUDA_ERROR_OUT_OF_MEMORY;
	r = axc_begin(&call, AX_axLinkCreate, sizeof(struct ax_in_axLinkCreate),
		      padded(numOptions * sizeof *options) + numOptions * sizeof(uint64_t));
	if (r) {
		drop(l);
		return r;
	}
	*(struct ax_in_axLinkCreate *)call.in = (struct ax_in_axLinkCreate){
		.numOptions = numOptions, .infoSize = l->info_size, .errorSize = l->error_size};
	uint8_t *at = put(call.data, options, numOptions * sizeof *options);
	for (unsigned i = 0; i < numOptions; i++) {
		// A buffer's address means nothing to the worker.
		bool text = options[i] == CU_JIT_INFO_LOG_BUFFER || options[i] == CU_JIT_ERROR_LOG_BUFFER;
		uint64_t v = text ? 0 : (uint64_t)(uintptr_t)optionValues[i];
		at = put(at, &v, sizeof v);
	}
	r = axc_wait(&call);
	const struct ax_out_axLinkCreate *out = call.out;
	uint64_t state = 0;
	if (written(l, &call, sizeof *out))
		state = out->state;
	else if (!r)
		r = CUDA_ERROR_UNKNOWN;
	axc_end(&call);
	void **record = r ? NULL : axc_record(AXH_CUlinkState, state);
	if (!record) {
		drop(l);
		return r ? r : CUDA_ERROR_OUT_OF_MEMORY;
	}
	*record = l;
	*stateOut = (CUlinkState)(uintptr_t)state;
	return CUDA_SUCCESS;
}

AX_EXPORT CUresult cuLinkCreate(unsigned int numOptions, CUjit_option *options, void **optionValues, CUlinkState *stateOut)
{
	return cuLinkCreate_v2(numOptions, options, optionValues, stateOut);
}

// Options of one input. Logs belong to the whole link.
static bool of_input(CUjit_option name)
{
	return name != CU_JIT_INFO_LOG_BUFFER && name != CU_JIT_ERROR_LOG_BUFFER && name != CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES &&
	       name != CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES;
}

static CUresult add(CUlinkState state, CUjitInputType type, const void *data, size_t size, const char *name, unsigned count,
		    const CUjit_option *options, void **values)
{
	struct axc_call call;
	struct link *l = link_of(state);
	uint64_t image = 0;
	size_t name_bytes = name ? strlen(name) : 0;
	uint32_t crossing = 0;

	if (!l)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!data || !size || count > OPTIONS_MAX || (count && (!options || !values)))
		return CUDA_ERROR_INVALID_VALUE;
	if (name_bytes > NAME_BYTES_MAX)
		name_bytes = NAME_BYTES_MAX; // it is for people
	for (unsigned i = 0; i < count; i++)
		crossing += of_input(options[i]);
	CUresult r = axc_image_send(data, size, &image);
	if (r)
		return r;
	r = axc_begin(&call, AX_axLinkAdd, sizeof(struct ax_in_axLinkAdd),
		      padded(crossing * sizeof *options) + crossing * sizeof(uint64_t) + padded(name_bytes));
	if (!r) {
		*(struct ax_in_axLinkAdd *)call.in = (struct ax_in_axLinkAdd){.state = (uint64_t)(uintptr_t)state,
									       .image = image,
									       .type = type,
									       .numOptions = crossing,
									       .nameBytes = (uint32_t)name_bytes,
									       .linkOptions = l->options,
									       .infoSize = l->info_size,
									       .errorSize = l->error_size};
		uint8_t *names = call.data, *at = names + padded(crossing * sizeof *options);
		for (unsigned i = 0; i < count; i++) {
			uint64_t v = (uint64_t)(uintptr_t)values[i];
			if (of_input(options[i])) {
				memcpy(names, &options[i], sizeof options[i]);
				names += sizeof options[i];
				at = put(at, &v, sizeof v);
			}
		}
		put(at, name, name_bytes);
		r = axc_wait(&call);
		if (!written(l, &call, 0) && !r)
			r = CUDA_ERROR_UNKNOWN;
		axc_end(&call);
	}
	axc_image_drop(image);
	return r;
}

AX_EXPORT CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
				    unsigned int numOptions, CUjit_option *options, void **optionValues)
{
	CUresult r = axc_ready();
	const void *bytes = data;
	if (r)
		return r;
	// A fat binary may come in its wrapper, which is a pointer to it.
	if (data && type == CU_JIT_INPUT_FATBINARY && size >= 4 && !axc_image_of(data, &bytes, &size))
		return CUDA_ERROR_INVALID_IMAGE;
	return add(state, type, bytes, size, name, numOptions, options, optionValues);
}

AX_EXPORT CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
				 unsigned int numOptions, CUjit_option *options, void **optionValues)
{
	return cuLinkAddData_v2(state, type, data, size, name, numOptions, options, optionValues);
}

AX_EXPORT CUresult cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char *path, unsigned int numOptions,
				    CUjit_option *options, void **optionValues)
{
	void *bytes;
	size_t length;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!path)
		return CUDA_ERROR_INVALID_VALUE;
	if (!link_of(state))
		return CUDA_ERROR_INVALID_HANDLE;
	if ((r = axc_image_read(path, &bytes, &length)))
		return r;
	// Text ends with a NUL, which a file has not.
	r = add(state, type, bytes, type == CU_JIT_INPUT_PTX ? length + 1 : length, path, numOptions, options, optionValues);
	free(bytes);
	return r;
}

AX_EXPORT CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, unsigned int numOptions,
				 CUjit_option *options, void **optionValues)
{
	return cuLinkAddFile_v2(state, type, path, numOptions, options, optionValues);
}

// Fetches what came out. NULL without memory, or if the worker has less than it said.
static uint8_t *fetch(CUlinkState state, size_t size, CUresult *r)
{
	uint8_t *image = calloc(1, size + 64); // text ends, and a header can be looked at
	*r = image ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
	for (size_t at = 0; !*r && at < size;) {
		struct axc_call call;
		size_t n = size - at < PART ? size - at : PART;
		if ((*r = axc_begin(&call, AX_axLinkPart, sizeof(struct ax_in_axLinkPart), 0)))
			break;
		*(struct ax_in_axLinkPart *)call.in =
			(struct ax_in_axLinkPart){.state = (uint64_t)(uintptr_t)state, .offset = at, .n = (uint32_t)n};
		*r = axc_wait(&call);
		if (!*r && call.out_size >= n)
			memcpy(image + at, call.out, n);
		else if (!*r)
			*r = CUDA_ERROR_UNKNOWN;
		axc_end(&call);
		at += n;
	}
	if (*r) {
		free(image);
		image = NULL;
	}
	return image;
}

AX_EXPORT CUresult cuLinkComplete(CUlinkState state, void **cubinOut, size_t *sizeOut)
{
	struct axc_call call;
	CUresult r = axc_ready();
	if (r)
		return r;
	struct link *l = link_of(state);
	if (!l)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!cubinOut)
		return CUDA_ERROR_INVALID_VALUE;
	if ((r = axc_begin(&call, AX_axLinkComplete, sizeof(struct ax_in_axLinkComplete), 0)))
		return r;
	*(struct ax_in_axLinkComplete *)call.in = (struct ax_in_axLinkComplete){.state = (uint64_t)(uintptr_t)state,
										  .linkOptions = l->options,
										  .infoSize = l->info_size,
										  .errorSize = l->error_size};
	r = axc_wait(&call);
	const struct ax_out_axLinkComplete *out = call.out;
	uint64_t size = 0;
	if (written(l, &call, sizeof *out))
		size = out->size;
	else if (!r)
		r = CUDA_ERROR_UNKNOWN;
	axc_end(&call);
	if (!r && size > IMAGE_MAX)
		r = CUDA_ERROR_UNKNOWN;
	uint8_t *image = r ? NULL : fetch(state, size, &r);
	if (r)
		return r;
	free(l->image);
	l->image = image;
	*cubinOut = image;
	if (sizeOut)
		*sizeOut = size;
	return CUDA_SUCCESS;
}

AX_EXPORT CUresult cuLinkDestroy(CUlinkState state)
{
	struct axc_call call;
	CUresult r = axc_ready();
	if (r)
		return r;
	void **record = axc_record(AXH_CUlinkState, (uint64_t)(uintptr_t)state);
	struct link *l = record ? *record : NULL;
	if (!l)
		return CUDA_ERROR_INVALID_HANDLE;
	if ((r = axc_begin(&call, AX_axLinkDestroy, sizeof(struct ax_in_axLinkDestroy), 0)))
		return r;
	((struct ax_in_axLinkDestroy *)call.in)->state = (uint64_t)(uintptr_t)state;
	r = axc_wait(&call);
	axc_end(&call);
	*record = NULL;
	drop(l);
	return r;
}
