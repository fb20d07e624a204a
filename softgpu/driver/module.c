/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules and the functions in them; libraries, which are modules that each context gets an instance of when it first
 * needs one, and the kernels in those. A kernel's handle will do wherever a function's does.
 */
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PTX_VERSION_MOST 90u   /* what CUDA 13.0 speaks */

struct library {
	struct object object;
	struct image image;
	struct ptx_module *ptx;                /* for names and needs; instances have their own */
	struct kernel *kernels;
	size_t kernel_count;
};

/* Where the program wants the compiler's messages. */
struct jit { char *error, *info; size_t error_size, info_size; void **error_size_out, **info_size_out, **time_out; };

static CUresult jit_options(struct jit *j, unsigned count, CUjit_option *options, void **values)
{
	*j = (struct jit){ 0 };
	if (count && (!options || !values))
		return CUDA_ERROR_INVALID_VALUE;
	for (unsigned i = 0; i < count; i++) {
		switch ((int)options[i]) {
		case CU_JIT_ERROR_LOG_BUFFER: j->error = values[i]; break;
		case CU_JIT_INFO_LOG_BUFFER: j->info = values[i]; break;
		case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
			j->error_size = (unsigned)(uintptr_t)values[i];
			j->error_size_out = &values[i];
			break;
		case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
			j->info_size = (unsigned)(uintptr_t)values[i];
			j->info_size_out = &values[i];
			break;
		case CU_JIT_WALL_TIME: j->time_out = &values[i]; break;
		default:
			if ((int)options[i] < 0 || options[i] >= CU_JIT_NUM_OPTIONS)
				return CUDA_ERROR_INVALID_VALUE;
			break;
		}
	}
	return CUDA_SUCCESS;
}

static void jit_log(struct jit *j, const char *message)
{
	size_t n = strlen(message);
	if (j->error && j->error_size) {
		if (n >= j->error_size)
			n = j->error_size - 1;
		memcpy(j->error, message, n);
		j->error[n] = 0;
	} else {
		n = 0;
	}
	if (j->error_size_out)
		*j->error_size_out = (void *)(uintptr_t)n;
	if (j->info && j->info_size)
		j->info[0] = 0;
	if (j->info_size_out)
		*j->info_size_out = NULL;
	if (j->time_out) {
		float zero = 0;
		memcpy(j->time_out, &zero, sizeof zero);
	}
	if (*message)
		note("%s", message);
}

/* Without the lock: text to code. */
static CUresult compile(const struct image *image, struct ptx_module **out, char *log, size_t log_size)
{
	if (ptx_load(image->text, image->length, out, log, log_size))
		return CUDA_ERROR_INVALID_PTX;
	if (ptx_isa_version(*out) > PTX_VERSION_MOST) {
		snprintf(log, log_size, "softgpu: PTX version %u.%u is newer than %u.%u", ptx_isa_version(*out) / 10,
			 ptx_isa_version(*out) % 10, PTX_VERSION_MOST / 10, PTX_VERSION_MOST % 10);
		ptx_unload(*out);
		*out = NULL;
		return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
	}
	return CUDA_SUCCESS;
}

static void function_free(struct object *o)
{
	(void)o;                               /* lives in its module's array */
}

static void module_free(struct object *o)
{
	struct module *m = (struct module *)o;
	if (m->storage)
		memory_free(m->storage);
	if (m->managed)
		memory_free(m->managed);
	ptx_unload(m->ptx);
	free(m->functions);
	free(m->addresses);
	free(m);
}

static void module_retire(struct module *m)
{
	struct module **p = &m->ctx->modules;
	while (*p != m)
		p = &(*p)->next;
	*p = m->next;
	for (size_t i = 0; i < m->function_count; i++)
		object_retire(&m->functions[i].object);
	object_retire(&m->object);
}

void modules_end_context(struct context *c)
{
	while (c->modules)
		module_retire(c->modules);
}

/* All variables of a module share one allocation. */
/* Managed variables lie apart: what an address is, is told by the allocation. */
static CUresult place_variables(struct module *m)
{
	size_t count = ptx_variable_count(m->ptx), n[2] = { 0, 0 };
	struct memory **storage[2] = { &m->storage, &m->managed };
	struct ptx_variable v;
	m->addresses = calloc(count ? count : 1, sizeof *m->addresses);
	if (!m->addresses)
		return CUDA_ERROR_OUT_OF_MEMORY;
	for (size_t i = 0; i < count; i++) {
		ptx_variable_at(m->ptx, i, &v);
		size_t align = v.align < 16 ? 16 : v.align, *end = &n[v.managed != 0];
		*end = (*end + align - 1) & ~(align - 1);
		m->addresses[i] = *end;
		if (__builtin_add_overflow(*end, v.size ? v.size : 1, end) || *end > m->ctx->device->total)
			return CUDA_ERROR_OUT_OF_MEMORY;
	}
	for (int managed = 0; managed < 2; managed++) {
		if (!n[managed])
			continue;
		CUresult r = memory_new(m->ctx->device, m->ctx, managed ? MEM_MANAGED : MEM_MODULE, n[managed], storage[managed]);
		if (r)
			return r;
	}
	for (size_t i = 0; i < count; i++) {
		ptx_variable_at(m->ptx, i, &v);
		m->addresses[i] += (*storage[v.managed != 0])->start;
		if (ptx_bind(m->ptx, i, m->addresses[i]))
			return CUDA_ERROR_INVALID_PTX;
	}
	return ptx_initialise(m->ptx) ? CUDA_ERROR_INVALID_PTX : CUDA_SUCCESS;
}

/* The lock is held, and let go while the text is compiled. */
static CUresult module_new(struct context *c, const struct image *image, struct library *library, struct module **out, char *log,
			   size_t log_size)
{
	struct ptx_module *ptx = NULL;
	object_ref(&c->object);
	pthread_mutex_unlock(&gpu.lock);
	CUresult r = compile(image, &ptx, log, log_size);
	pthread_mutex_lock(&gpu.lock);
	if (!r)
		r = context_state(c);
	struct module *m = r ? NULL : calloc(1, sizeof *m);
	if (!m) {
		if (ptx)
			ptx_unload(ptx);
		context_unref(c);
		return r ? r : CUDA_ERROR_OUT_OF_MEMORY;
	}
	object_add(&m->object, K_MODULE, module_free);
	m->ctx = c;
	m->library = library;
	m->ptx = ptx;
	m->next = c->modules;
	c->modules = m;
	size_t count = ptx_entry_count(ptx);
	m->functions = calloc(count ? count : 1, sizeof *m->functions);
	if (m->functions) {
		m->function_count = count;
		for (size_t i = 0; i < count; i++) {
			struct function *f = &m->functions[i];
			object_add(&f->object, K_FUNCTION, function_free);
			f->module = m;
			f->kernel = library ? &library->kernels[i] : NULL;
			f->code = ptx_entry_at(ptx, i);
			ptx_needs(f->code, &f->needs);
			f->max_dynamic = f->needs.static_shared < SHARED_PER_BLOCK
						 ? (int)(SHARED_PER_BLOCK - f->needs.static_shared)
						 : 0;
			f->carveout = CU_SHAREDMEM_CARVEOUT_DEFAULT;
		}
	}
	r = m->functions ? place_variables(m) : CUDA_ERROR_OUT_OF_MEMORY;
	if (r)
		module_retire(m);
	else
		*out = m;
	context_unref(c);
	return r;
}

static CUresult load(CUmodule *out, const void *data, unsigned count, CUjit_option *options, void **values)
{
	struct context *c;
	struct module *m;
	struct image image;
	struct jit jit;
	char log[1024] = "";
	CUresult r = enter(&c);
	if (r)
		return r;
	if (!out || !data)
		return leave(CUDA_ERROR_INVALID_VALUE);
	r = jit_options(&jit, count, options, values);
	if (r)
		return leave(r);
	r = image_open(data, &image, log, sizeof log);
	if (!r)
		r = module_new(c, &image, NULL, &m, log, sizeof log);
	free(image.text);
	jit_log(&jit, r ? log : "");
	if (!r)
		*out = (CUmodule)m;
	return leave(r);
}

API CUresult cuModuleLoadData(CUmodule *out, const void *data) { return load(out, data, 0, NULL, NULL); }
API CUresult cuModuleLoadFatBinary(CUmodule *out, const void *data) { return load(out, data, 0, NULL, NULL); }
API CUresult cuModuleLoadDataEx(CUmodule *out, const void *data, unsigned int count, CUjit_option *options, void **values)
{
	return load(out, data, count, options, values);
}

API CUresult cuModuleLoad(CUmodule *out, const char *path)
{
	void *data;
	size_t n;
	CUresult r = enter_any();
	if (r)
		return r;
	leave(r);
	if (!out || !path)
		return CUDA_ERROR_INVALID_VALUE;
	r = image_read(path, &data, &n);
	if (!r) {
		r = load(out, data, 0, NULL, NULL);
		free(data);
	}
	return r;
}

static CUresult enter_module(CUmodule handle, struct module **m)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	*m = handle ? object_find(K_MODULE, handle) : NULL;
	return *m ? CUDA_SUCCESS : leave(CUDA_ERROR_INVALID_HANDLE);
}

API CUresult cuModuleUnload(CUmodule handle)
{
	struct module *m;
	CUresult r = enter_module(handle, &m);
	if (r)
		return r;
	if (m->library)
		return leave(CUDA_ERROR_NOT_PERMITTED);
	module_retire(m);                      /* kernels that still run keep what they use */
	return leave(CUDA_SUCCESS);
}

API CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode)
{
	CUresult r = enter_any();
	if (r)
		return r;
	if (!mode)
		return leave(CUDA_ERROR_INVALID_VALUE);
	const char *s = getenv("CUDA_MODULE_LOADING");
	*mode = s && !strcmp(s, "EAGER") ? CU_MODULE_EAGER_LOADING : CU_MODULE_LAZY_LOADING;
	return leave(CUDA_SUCCESS);
}

API CUresult cuModuleGetFunction(CUfunction *out, CUmodule handle, const char *name)
{
	struct module *m;
	CUresult r = enter_module(handle, &m);
	if (r)
		return r;
	if (!out || !name || !*name)
		return leave(CUDA_ERROR_INVALID_VALUE);
	for (size_t i = 0; i < m->function_count; i++)
		if (!strcmp(ptx_entry_name(m->functions[i].code), name)) {
			*out = (CUfunction)&m->functions[i];
			return leave(CUDA_SUCCESS);
		}
	return leave(CUDA_ERROR_NOT_FOUND);
}

API CUresult cuModuleGetFunctionCount(unsigned int *count, CUmodule handle)
{
	struct module *m;
	CUresult r = enter_module(handle, &m);
	if (r)
		return r;
	if (!count)
		return leave(CUDA_ERROR_INVALID_VALUE);
	*count = (unsigned)m->function_count;
	return leave(CUDA_SUCCESS);
}

API CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned int count, CUmodule handle)
{
	struct module *m;
	CUresult r = enter_module(handle, &m);
	if (r)
		return r;
	if (!functions)
		return leave(CUDA_ERROR_INVALID_VALUE);
	for (size_t i = 0; i < count && i < m->function_count; i++)
		functions[i] = (CUfunction)&m->functions[i];
	return leave(CUDA_SUCCESS);
}

static CUresult global(struct module *m, const char *name, int managed, CUdeviceptr *address, size_t *size)
{
	struct ptx_variable v;
	for (size_t i = 0; i < ptx_variable_count(m->ptx); i++) {
		if (ptx_variable_at(m->ptx, i, &v) || strcmp(v.name, name) || (managed && !v.managed))
			continue;
		if (address)
			*address = m->addresses[i];
		if (size)
			*size = v.size;
		return CUDA_SUCCESS;
	}
	return CUDA_ERROR_NOT_FOUND;
}

API CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *size, CUmodule handle, const char *name)
{
	struct module *m;
	CUresult r = enter_module(handle, &m);
	if (r)
		return r;
	if (!name || (!address && !size))
		return leave(CUDA_ERROR_INVALID_VALUE);
	return leave(global(m, name, 0, address, size));
}

/* Libraries. */

static void kernel_free(struct object *o)
{
	(void)o;                               /* lives in its library's array */
}

static void library_free(struct object *o)
{
	struct library *l = (struct library *)o;
	ptx_unload(l->ptx);
	free(l->kernels);
	free(l->image.text);
	free(l);
}

static struct library *library_find(CUlibrary handle)
{
	return handle ? object_find(K_LIBRARY, handle) : NULL;
}

static CUresult library_new(const void *data, struct jit *jit, struct library **out)
{
	char log[1024] = "";
	struct library *l = calloc(1, sizeof *l);
	if (!l)
		return CUDA_ERROR_OUT_OF_MEMORY;
	pthread_mutex_unlock(&gpu.lock);
	CUresult r = image_open(data, &l->image, log, sizeof log);
	if (!r)
		r = compile(&l->image, &l->ptx, log, sizeof log);
	pthread_mutex_lock(&gpu.lock);
	jit_log(jit, r ? log : "");
	if (!r) {
		l->kernel_count = ptx_entry_count(l->ptx);
		l->kernels = calloc(l->kernel_count ? l->kernel_count : 1, sizeof *l->kernels);
		if (!l->kernels) {
			ptx_unload(l->ptx);
			r = CUDA_ERROR_OUT_OF_MEMORY;
		}
	}
	if (r) {
		free(l->image.text);
		free(l);
		return r;
	}
	object_add(&l->object, K_LIBRARY, library_free);
	for (size_t i = 0; i < l->kernel_count; i++) {
		struct kernel *k = &l->kernels[i];
		object_add(&k->object, K_KERNEL, kernel_free);
		k->library = l;
		k->code = ptx_entry_at(l->ptx, i);
		ptx_needs(k->code, &k->needs);
		for (int d = 0; d < MAX_DEVICES; d++) {
			k->max_dynamic[d] = k->needs.static_shared < SHARED_PER_BLOCK
						    ? (int)(SHARED_PER_BLOCK - k->needs.static_shared)
						    : 0;
			k->carveout[d] = CU_SHAREDMEM_CARVEOUT_DEFAULT;
		}
	}
	*out = l;
	return CUDA_SUCCESS;
}

static CUresult library_load(CUlibrary *out, const void *data, unsigned jit_count, CUjit_option *jit_opts, void **jit_values,
			     unsigned count, CUlibraryOption *options)
{
	struct library *l;
	struct jit jit;
	CUresult r = enter_any();
	if (r)
		return r;
	if (!out || !data || (count && !options))
		return leave(CUDA_ERROR_INVALID_VALUE);
	r = jit_options(&jit, jit_count, jit_opts, jit_values);
	if (!r)
		r = library_new(data, &jit, &l);
	if (!r)
		*out = (CUlibrary)l;
	return leave(r);
}

API CUresult cuLibraryLoadData(CUlibrary *out, const void *data, CUjit_option *jit_opts, void **jit_values, unsigned int jit_count,
			       CUlibraryOption *options, void **values, unsigned int count)
{
	(void)values;
	return library_load(out, data, jit_count, jit_opts, jit_values, count, options);
}

API CUresult cuLibraryLoadFromFile(CUlibrary *out, const char *path, CUjit_option *jit_opts, void **jit_values,
				   unsigned int jit_count, CUlibraryOption *options, void **values, unsigned int count)
{
	void *data;
	size_t n;
	(void)values;
	CUresult r = enter_any();
	if (r)
		return r;
	leave(r);
	if (!out || !path)
		return CUDA_ERROR_INVALID_VALUE;
	r = image_read(path, &data, &n);
	if (!r) {
		r = library_load(out, data, jit_count, jit_opts, jit_values, count, options);
		free(data);
	}
	return r;
}

static CUresult instance(struct context *c, struct library *l, struct module **out)
{
	char log[1024];
	for (struct module *m = c->modules; m; m = m->next)
		if (m->library == l) {
			*out = m;
			return CUDA_SUCCESS;
		}
	object_ref(&l->object);
	CUresult r = module_new(c, &l->image, l, out, log, sizeof log);
	if (!r) {
		/* Another thread may have made one while the lock was let go, or unloaded the library. */
		struct module *first = *out;
		for (struct module *m = first->next; m; m = m->next)
			if (m->library == l)
				first = m;
		if (first != *out) {
			module_retire(*out);
			*out = first;
		}
		if (!object_find(K_LIBRARY, l)) {
			module_retire(*out);
			r = CUDA_ERROR_INVALID_HANDLE;
		}
	}
	object_unref(&l->object);
	return r;
}

static void drop_instances(struct context *c, void *library)
{
	for (struct module *m = c->modules, *next; m; m = next) {
		next = m->next;
		if (m->library == library)
			module_retire(m);
	}
}

API CUresult cuLibraryUnload(CUlibrary handle)
{
	CUresult r = enter_any();
	if (r)
		return r;
	struct library *l = library_find(handle);
	if (!l)
		return leave(CUDA_ERROR_INVALID_HANDLE);
	contexts_each(drop_instances, l);
	for (size_t i = 0; i < l->kernel_count; i++)
		object_retire(&l->kernels[i].object);
	object_retire(&l->object);
	return leave(CUDA_SUCCESS);
}

API CUresult cuLibraryGetKernel(CUkernel *out, CUlibrary handle, const char *name)
{
	CUresult r = enter_any();
	if (r)
		return r;
	struct library *l = library_find(handle);
	if (!l)
		return leave(CUDA_ERROR_INVALID_HANDLE);
	if (!out || !name)
		return leave(CUDA_ERROR_INVALID_VALUE);
	for (size_t i = 0; i < l->kernel_count; i++)
		if (!strcmp(ptx_entry_name(l->kernels[i].code), name)) {
			*out = (CUkernel)&l->kernels[i];
			return leave(CUDA_SUCCESS);
		}
	return leave(CUDA_ERROR_NOT_FOUND);
}

API CUresult cuLibraryGetKernelCount(unsigned int *count, CUlibrary handle)
{
	CUresult r = enter_any();
	if (r)
		return r;
	struct library *l = library_find(handle);
	if (!l || !count)
		return leave(l ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE);
	*count = (unsigned)l->kernel_count;
	return leave(CUDA_SUCCESS);
}

API CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int count, CUlibrary handle)
{
	CUresult r = enter_any();
	if (r)
		return r;
	struct library *l = library_find(handle);
	if (!l || !kernels)
		return leave(l ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE);
	for (size_t i = 0; i < count && i < l->kernel_count; i++)
		kernels[i] = (CUkernel)&l->kernels[i];
	return leave(CUDA_SUCCESS);
}

static CUresult enter_instance(CUlibrary handle, struct module **m)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	struct library *l = library_find(handle);
	r = l ? instance(c, l, m) : CUDA_ERROR_INVALID_HANDLE;
	return r ? leave(r) : r;
}

API CUresult cuLibraryGetModule(CUmodule *out, CUlibrary handle)
{
	struct module *m;
	CUresult r = enter_instance(handle, &m);
	if (r)
		return r;
	if (!out)
		return leave(CUDA_ERROR_INVALID_VALUE);
	*out = (CUmodule)m;
	return leave(CUDA_SUCCESS);
}

API CUresult cuLibraryGetGlobal(CUdeviceptr *address, size_t *size, CUlibrary handle, const char *name)
{
	struct module *m;
	CUresult r = enter_instance(handle, &m);
	if (r)
		return r;
	return leave(!name || (!address && !size) ? CUDA_ERROR_INVALID_VALUE : global(m, name, 0, address, size));
}

/* As the vendor's, it needs no current context: nvcc's programs ask before they have one. */
API CUresult cuLibraryGetManaged(CUdeviceptr *address, size_t *size, CUlibrary handle, const char *name)
{
	struct module *m;
	CUcontext current = NULL, primary = NULL;
	CUresult r = cuCtxGetCurrent(&current);
	if (!r && !current && !(r = cuDevicePrimaryCtxRetain(&primary, 0)))
		r = cuCtxPushCurrent_v2(primary);
	if (!r)
		r = enter_instance(handle, &m);
	if (!r)
		r = leave(!name || (!address && !size) ? CUDA_ERROR_INVALID_VALUE : global(m, name, 1, address, size));
	if (primary)                           /* and it stays retained: the variable is its */
		cuCtxPopCurrent_v2(&primary);
	return r;
}

/* This device has none. */
API CUresult cuLibraryGetUnifiedFunction(void **function, CUlibrary handle, const char *name)
{
	struct module *m;
	CUresult r = enter_instance(handle, &m);
	if (r)
		return r;
	return leave(!function || !name ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_NOT_FOUND);
}

static struct kernel *kernel_find(CUkernel handle)
{
	return handle ? object_find(K_KERNEL, handle) : NULL;
}

CUresult function_find(struct context *c, CUfunction handle, struct function **out)
{
	struct module *m;
	*out = handle ? object_find(K_FUNCTION, handle) : NULL;
	if (*out)
		return CUDA_SUCCESS;
	struct kernel *k = kernel_find((CUkernel)handle);
	if (!k)
		return CUDA_ERROR_INVALID_HANDLE;
	size_t index = (size_t)(k - k->library->kernels);
	CUresult r = instance(c, k->library, &m);
	if (!r)
		*out = &m->functions[index];
	return r;
}

API CUresult cuKernelGetFunction(CUfunction *out, CUkernel handle)
{
	struct context *c;
	struct function *f;
	CUresult r = enter(&c);
	if (r)
		return r;
	if (!out)
		return leave(CUDA_ERROR_INVALID_VALUE);
	if (!kernel_find(handle))
		return leave(CUDA_ERROR_INVALID_HANDLE);
	r = function_find(c, (CUfunction)handle, &f);
	if (!r)
		*out = (CUfunction)f;
	return leave(r);
}

API CUresult cuKernelGetLibrary(CUlibrary *out, CUkernel handle)
{
	CUresult r = enter_any();
	if (r)
		return r;
	struct kernel *k = kernel_find(handle);
	if (!k || !out)
		return leave(k ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE);
	*out = (CUlibrary)k->library;
	return leave(CUDA_SUCCESS);
}

API CUresult cuKernelGetName(const char **name, CUkernel handle)
{
	CUresult r = enter_any();
	if (r)
		return r;
	struct kernel *k = kernel_find(handle);
	if (!k || !name)
		return leave(k ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE);
	*name = ptx_entry_name(k->code);
	return leave(CUDA_SUCCESS);
}

API CUresult cuKernelGetParamInfo(CUkernel handle, size_t index, size_t *offset, size_t *size)
{
	size_t n;
	CUresult r = enter_any();
	if (r)
		return r;
	struct kernel *k = kernel_find(handle);
	if (!k)
		return leave(CUDA_ERROR_INVALID_HANDLE);
	return leave(!offset || ptx_param(k->code, index, offset, size ? size : &n) ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

/* What cuFuncGetAttribute and cuKernelGetAttribute have in common. */
static CUresult attribute(const struct ptx_needs *needs, unsigned target, int max_dynamic, int carveout,
			  CUfunction_attribute which, int *value)
{
	switch ((int)which) {
	case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
		*value = needs->max_threads && needs->max_threads < THREADS_PER_BLOCK ? (int)needs->max_threads
										       : THREADS_PER_BLOCK;
		break;
	case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = (int)needs->static_shared; break;
	case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = (int)needs->constant; break;
	case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = (int)needs->local; break;
	/* PTX names registers without end; what fits a full block is the truth for an interpreter. */
	case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = needs->registers < 64 ? (int)needs->registers : 64; break;
	case CU_FUNC_ATTRIBUTE_PTX_VERSION: *value = (int)target; break;
	case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = 75; break;
	case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: *value = max_dynamic; break;
	case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: *value = carveout; break;
	default:
		if ((int)which < 0 || which >= CU_FUNC_ATTRIBUTE_MAX)
			return CUDA_ERROR_INVALID_VALUE;
		*value = 0;
		break;
	}
	return CUDA_SUCCESS;
}

static CUresult set_attribute(const struct ptx_needs *needs, int *max_dynamic, int *carveout, CUfunction_attribute which,
			      int value)
{
	switch ((int)which) {
	case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
		if (value < 0 || (size_t)value + needs->static_shared > SHARED_OPTIN)
			return CUDA_ERROR_INVALID_VALUE;
		*max_dynamic = value;
		return CUDA_SUCCESS;
	case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
		if (value < -1 || value > 100)
			return CUDA_ERROR_INVALID_VALUE;
		*carveout = value;
		return CUDA_SUCCESS;
	default:
		return CUDA_ERROR_INVALID_VALUE;
	}
}

static int *max_dynamic_of(struct function *f)
{
	return f->kernel ? &f->kernel->max_dynamic[f->module->ctx->device->ordinal] : &f->max_dynamic;
}

static int *carveout_of(struct function *f)
{
	return f->kernel ? &f->kernel->carveout[f->module->ctx->device->ordinal] : &f->carveout;
}

int function_max_dynamic(struct function *f)
{
	return *max_dynamic_of(f);
}

static CUresult enter_function(CUfunction handle, struct function **f)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	r = function_find(c, handle, f);
	return r ? leave(r) : r;
}

API CUresult cuFuncGetAttribute(int *value, CUfunction_attribute which, CUfunction handle)
{
	struct function *f;
	CUresult r = enter_function(handle, &f);
	if (r)
		return r;
	if (!value)
		return leave(CUDA_ERROR_INVALID_VALUE);
	return leave(attribute(&f->needs, ptx_target(f->module->ptx), *max_dynamic_of(f), *carveout_of(f), which, value));
}

API CUresult cuFuncSetAttribute(CUfunction handle, CUfunction_attribute which, int value)
{
	struct function *f;
	CUresult r = enter_function(handle, &f);
	return r ? r : leave(set_attribute(&f->needs, max_dynamic_of(f), carveout_of(f), which, value));
}

API CUresult cuKernelGetAttribute(int *value, CUfunction_attribute which, CUkernel handle, CUdevice dev)
{
	struct device *d;
	CUresult r = enter_any();
	if (r)
		return r;
	struct kernel *k = kernel_find(handle);
	r = k ? device_find(dev, &d) : CUDA_ERROR_INVALID_HANDLE;
	if (!r && !value)
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		r = attribute(&k->needs, ptx_target(k->library->ptx), k->max_dynamic[dev], k->carveout[dev], which, value);
	return leave(r);
}

API CUresult cuKernelSetAttribute(CUfunction_attribute which, int value, CUkernel handle, CUdevice dev)
{
	struct device *d;
	CUresult r = enter_any();
	if (r)
		return r;
	struct kernel *k = kernel_find(handle);
	r = k ? device_find(dev, &d) : CUDA_ERROR_INVALID_HANDLE;
	if (!r)
		r = set_attribute(&k->needs, &k->max_dynamic[dev], &k->carveout[dev], which, value);
	return leave(r);
}

API CUresult cuFuncSetCacheConfig(CUfunction handle, CUfunc_cache config)
{
	struct function *f;
	CUresult r = enter_function(handle, &f);
	if (r)
		return r;
	return leave((int)config < 0 || config > CU_FUNC_CACHE_PREFER_EQUAL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

API CUresult cuFuncSetSharedMemConfig(CUfunction handle, CUsharedconfig config)
{
	struct function *f;
	CUresult r = enter_function(handle, &f);
	if (r)
		return r;
	return leave((int)config < 0 || config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE ? CUDA_ERROR_INVALID_VALUE
											   : CUDA_SUCCESS);
}

API CUresult cuKernelSetCacheConfig(CUkernel handle, CUfunc_cache config, CUdevice dev)
{
	struct device *d;
	CUresult r = enter_any();
	if (r)
		return r;
	r = kernel_find(handle) ? device_find(dev, &d) : CUDA_ERROR_INVALID_HANDLE;
	if (!r && ((int)config < 0 || config > CU_FUNC_CACHE_PREFER_EQUAL))
		r = CUDA_ERROR_INVALID_VALUE;
	return leave(r);
}

API CUresult cuFuncGetModule(CUmodule *out, CUfunction handle)
{
	struct function *f;
	CUresult r = enter_function(handle, &f);
	if (r)
		return r;
	if (!out)
		return leave(CUDA_ERROR_INVALID_VALUE);
	*out = (CUmodule)f->module;
	return leave(CUDA_SUCCESS);
}

API CUresult cuFuncGetName(const char **name, CUfunction handle)
{
	struct function *f;
	CUresult r = enter_function(handle, &f);
	if (r)
		return r;
	if (!name)
		return leave(CUDA_ERROR_INVALID_VALUE);
	*name = ptx_entry_name(f->code);
	return leave(CUDA_SUCCESS);
}

API CUresult cuFuncGetParamInfo(CUfunction handle, size_t index, size_t *offset, size_t *size)
{
	struct function *f;
	size_t n;
	CUresult r = enter_function(handle, &f);
	if (r)
		return r;
	return leave(!offset || ptx_param(f->code, index, offset, size ? size : &n) ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

API CUresult cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction handle)
{
	struct function *f;
	CUresult r = enter_function(handle, &f);
	if (r)
		return r;
	if (!state)
		return leave(CUDA_ERROR_INVALID_VALUE);
	*state = CU_FUNCTION_LOADING_STATE_LOADED;
	return leave(CUDA_SUCCESS);
}

API CUresult cuFuncLoad(CUfunction handle)
{
	struct function *f;
	CUresult r = enter_function(handle, &f);
	return r ? r : leave(CUDA_SUCCESS);
}
