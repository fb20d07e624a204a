/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver's linker. There is nothing to link in a single PTX text, which is what compilers that use the linker hand
 * over: what comes out is what went in, and loads as a module. Several inputs are refused.
 */
#include "driver.h"

#include <stdlib.h>
#include <string.h>

struct link {
	struct object object;
	struct image image;
	int inputs;
	char *error;
	size_t error_size;
};

static void link_free(struct object *o)
{
	struct link *l = (struct link *)o;
	free(l->image.text);
	free(l);
}

API CUresult cuLinkCreate_v2(unsigned int count, CUjit_option *options, void **values, CUlinkState *out)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	struct link *l = out && (!count || (options && values)) ? calloc(1, sizeof *l) : NULL;
	if (!l)
		return leave(out ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_VALUE);
	for (unsigned i = 0; i < count; i++) {
		if (options[i] == CU_JIT_ERROR_LOG_BUFFER)
			l->error = values[i];
		else if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
			l->error_size = (unsigned)(uintptr_t)values[i];
		else if (options[i] == CU_JIT_INFO_LOG_BUFFER && values[i])
			((char *)values[i])[0] = 0;
	}
	if (l->error && l->error_size)
		l->error[0] = 0;
	object_add(&l->object, K_LINK, link_free);
	*out = (CUlinkState)l;
	return leave(CUDA_SUCCESS);
}

static void say(struct link *l, const char *text)
{
	if (l->error && l->error_size) {
		strncpy(l->error, text, l->error_size - 1);
		l->error[l->error_size - 1] = 0;
	}
	note("%s", text);
}

static CUresult add(struct link *l, const void *data)
{
	char log[512] = "";
	if (l->inputs++) {
		say(l, "softgpu: linking several inputs is not supported");
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	CUresult r = image_open(data, &l->image, log, sizeof log);
	if (r)
		say(l, log);
	return r;
}

API CUresult cuLinkAddData_v2(CUlinkState handle, CUjitInputType type, void *data, size_t size, const char *name,
			      unsigned int count, CUjit_option *options, void **values)
{
	struct context *c;
	(void)name, (void)count, (void)options, (void)values;
	CUresult r = enter(&c);
	if (r)
		return r;
	struct link *l = handle ? object_find(K_LINK, handle) : NULL;
	if (!l)
		return leave(CUDA_ERROR_INVALID_HANDLE);
	if (!data || !size)
		return leave(CUDA_ERROR_INVALID_VALUE);
	if (type != CU_JIT_INPUT_PTX && type != CU_JIT_INPUT_FATBINARY) {
		say(l, "softgpu: only PTX can be linked");
		return leave(CUDA_ERROR_NO_BINARY_FOR_GPU);
	}
	/* Here the length is told: keep to it, with zeros after. */
	char *copy = calloc(1, size + 64);
	if (!copy)
		return leave(CUDA_ERROR_OUT_OF_MEMORY);
	memcpy(copy, data, size);
	r = add(l, copy);
	free(copy);
	return leave(r);
}

API CUresult cuLinkAddFile_v2(CUlinkState handle, CUjitInputType type, const char *path, unsigned int count,
			      CUjit_option *options, void **values)
{
	void *data;
	size_t n;
	CUresult r = path ? image_read(path, &data, &n) : CUDA_ERROR_INVALID_VALUE;
	if (!r) {
		r = cuLinkAddData_v2(handle, type, data, n, path, count, options, values);
		free(data);
	}
	return r;
}

API CUresult cuLinkComplete(CUlinkState handle, void **out, size_t *size)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	struct link *l = handle ? object_find(K_LINK, handle) : NULL;
	if (!l)
		return leave(CUDA_ERROR_INVALID_HANDLE);
	if (!out)
		return leave(CUDA_ERROR_INVALID_VALUE);
	if (!l->image.text)
		return leave(CUDA_ERROR_INVALID_IMAGE);
	/* The text is looked over by the real loader, so that its errors come here, where they are expected. */
	struct ptx_module *m;
	char log[512] = "";
	if (ptx_load(l->image.text, l->image.length, &m, log, sizeof log)) {
		say(l, log);
		return leave(CUDA_ERROR_INVALID_PTX);
	}
	ptx_unload(m);
	*out = l->image.text;
	if (size)
		*size = l->image.length + 1;
	return leave(CUDA_SUCCESS);
}

API CUresult cuLinkDestroy(CUlinkState handle)
{
	CUresult r = enter_any();
	if (r)
		return r;
	struct link *l = handle ? object_find(K_LINK, handle) : NULL;
	if (!l)
		return leave(CUDA_ERROR_INVALID_HANDLE);
	object_retire(&l->object);
	return leave(CUDA_SUCCESS);
}
