/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of modules and launches: what loads and what is refused and why, that parameters arrive, and what a launch checks.
 */
#include "check.h"
#include "kernels.h"

static CUmodule module(void)
{
	CUmodule m = NULL;
	OK(cuModuleLoadData(&m, kernels));
	return m;
}

static CUfunction function(const char *name)
{
	CUfunction f = NULL;
	OK(cuModuleGetFunction(&f, module(), name));
	return f;
}

static CUresult launch(CUfunction f, unsigned grid, unsigned block, void **params)
{
	return cuLaunchKernel(f, grid, 1, 1, block, 1, 1, 0, NULL, params, NULL);
}

static void axpy(CUfunction f, int packed)
{
	enum { N = 65536 };
	static float x[N], y[N];
	CUdeviceptr dx, dy;
	unsigned n = N;
	float a = 3;
	for (int i = 0; i < N; i++) {
		x[i] = (float)i;
		y[i] = 1;
	}
	OK(cuMemAlloc_v2(&dx, sizeof x));
	OK(cuMemAlloc_v2(&dy, sizeof y));
	OK(cuMemcpyHtoD_v2(dx, x, sizeof x));
	OK(cuMemcpyHtoD_v2(dy, y, sizeof y));
	if (packed) {
		struct { float a; CUdeviceptr x, y; unsigned n; } args = { a, dx, dy, n };
		size_t size = 28, too_long = sizeof args, none = 0;
		void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, &args, CU_LAUNCH_PARAM_BUFFER_SIZE, &too_long, CU_LAUNCH_PARAM_END };
		IS(cuLaunchKernel(f, N / 256, 1, 1, 256, 1, 1, 0, NULL, NULL, extra), CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
		extra[3] = &none;
		IS(cuLaunchKernel(f, N / 256, 1, 1, 256, 1, 1, 0, NULL, NULL, extra), CUDA_ERROR_INVALID_VALUE);
		extra[3] = &size;
		OK(cuLaunchKernel(f, N / 256, 1, 1, 256, 1, 1, 0, NULL, NULL, extra));
		IS(cuLaunchKernel(f, N / 256, 1, 1, 256, 1, 1, 0, NULL, (void *[]){ &a, &dx, &dy, &n }, extra),
		   CUDA_ERROR_INVALID_VALUE);
	} else {
		OK(launch(f, N / 256, 256, (void *[]){ &a, &dx, &dy, &n }));
	}
	OK(cuMemcpyDtoH_v2(y, dy, sizeof y));
	int wrong = 0;
	for (int i = 0; i < N; i++)
		wrong += y[i] != 3 * x[i] + 1;
	IS(wrong, 0);
	OK(cuMemFree_v2(dx));
	OK(cuMemFree_v2(dy));
}

static void a_kernel_computes(void)
{
	axpy(function("axpy"), 0);
}

static void parameters_may_come_packed(void)
{
	axpy(function("axpy"), 1);
}

static void odd_parameters_arrive(void)
{
	CUfunction f = function("mixed");
	unsigned char a = 200;
	unsigned short b = 50000;
	double c = 2.5;
	unsigned d[3] = { 1, 2, 3 };
	size_t offset[6], size[6];
	struct { unsigned a, b; double c; unsigned d; } out;
	CUdeviceptr p;
	OK(cuMemAlloc_v2(&p, sizeof out));
	OK(launch(f, 1, 1, (void *[]){ &a, &b, &c, d, &p }));
	OK(cuMemcpyDtoH_v2(&out, p, 20));
	IS(out.a, 200);
	IS(out.b, 50000);
	IS(out.c * 2, 5);
	IS(out.d, 3);
	for (size_t i = 0; i < 5; i++)
		OK(cuFuncGetParamInfo(f, i, &offset[i], &size[i]));
	IS(cuFuncGetParamInfo(f, 5, &offset[5], &size[5]), CUDA_ERROR_INVALID_VALUE);
	IS(offset[1], 2);
	IS(offset[2], 8);
	IS(size[3], 12);
	IS(offset[4], 32);
	OK(cuMemFree_v2(p));
}

static void launches_are_checked_at_once(void)
{
	CUfunction f = function("empty"), narrow = function("narrow"), exact = function("exact"), g = function("store");
	IS(launch(f, 0, 32, NULL), CUDA_ERROR_INVALID_VALUE);
	IS(launch(f, 1, 0, NULL), CUDA_ERROR_INVALID_VALUE);
	IS(launch(f, 1, 1025, NULL), CUDA_ERROR_INVALID_VALUE);
	IS(cuLaunchKernel(f, 1, 70000, 1, 32, 1, 1, 0, NULL, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
	IS(cuLaunchKernel(f, 1, 1, 1, 32, 33, 1, 0, NULL, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
	IS(cuLaunchKernel(f, 1, 1, 1, 1, 1, 65, 0, NULL, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
	IS(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 1 << 20, NULL, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
	IS(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 49 << 10, NULL, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
	OK(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 49 << 10));
	OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 49 << 10, NULL, NULL, NULL));
	IS(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 20), CUDA_ERROR_INVALID_VALUE);
	OK(launch(narrow, 1, 64, NULL));
	IS(launch(narrow, 1, 96, NULL), CUDA_ERROR_INVALID_VALUE);
	OK(cuLaunchKernel(exact, 1, 1, 1, 32, 2, 1, 0, NULL, NULL, NULL));
	IS(cuLaunchKernel(exact, 1, 1, 1, 64, 1, 1, 0, NULL, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
	if (on_softgpu()) {
		IS(launch(g, 1, 1, NULL), CUDA_ERROR_INVALID_VALUE);
		IS(launch((CUfunction)&failures, 1, 1, NULL), CUDA_ERROR_INVALID_HANDLE);
	}
	OK(cuCtxSynchronize());
}

static void shared_memory_is_shared(void)
{
	unsigned v[256];
	CUdeviceptr p;
	CUfunction f = function("reverse");
	for (unsigned i = 0; i < 256; i++)
		v[i] = i;
	OK(cuMemAlloc_v2(&p, sizeof v));
	OK(cuMemcpyHtoD_v2(p, v, sizeof v));
	OK(cuLaunchKernel(f, 1, 1, 1, 256, 1, 1, 1024, NULL, (void *[]){ &p }, NULL));
	OK(cuMemcpyDtoH_v2(v, p, sizeof v));
	for (unsigned i = 0; i < 256; i++)
		IS(v[i], 255 - i);
	OK(cuMemFree_v2(p));
}

static void a_kernel_sees_what_another_stream_writes(void)
{
	CUmodule m = module();
	CUfunction wait, set;
	CUstream a, b;
	CUdeviceptr p;
	unsigned v = 0;
	OK(cuModuleGetFunction(&wait, m, "wait_flag"));
	OK(cuModuleGetFunction(&set, m, "set_flag"));
	OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
	OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
	OK(cuMemAlloc_v2(&p, 8));
	OK(cuMemsetD32_v2(p, 0, 2));
	OK(cuCtxSynchronize());
	CUdeviceptr out = p + 4;
	OK(cuLaunchKernel(wait, 1, 1, 1, 1, 1, 1, 0, a, (void *[]){ &p, &out }, NULL));
	IS(cuStreamQuery(a), CUDA_ERROR_NOT_READY);
	OK(cuLaunchKernel(set, 1, 1, 1, 1, 1, 1, 0, b, (void *[]){ &p }, NULL));
	OK(cuMemcpyDtoHAsync_v2(&v, out, 4, a));
	IS(v, 1);
	OK(cuMemFree_v2(p));
}

/* The program's own memory, written by a kernel while it looks on. */
static void a_kernel_and_the_host_talk_through_pinned_memory(void)
{
	volatile unsigned *w;
	CUfunction f = function("wait_flag");
	CUdeviceptr p, out;
	OK(cuMemHostAlloc((void **)&w, 8, CU_MEMHOSTALLOC_DEVICEMAP));
	w[0] = w[1] = 0;
	p = (CUdeviceptr)(uintptr_t)w;
	out = p + 4;
	OK(launch(f, 1, 1, (void *[]){ &p, &out }));
	__atomic_store_n(&w[0], 1, __ATOMIC_SEQ_CST);
	while (!__atomic_load_n(&w[1], __ATOMIC_SEQ_CST))
		;
	OK(cuCtxSynchronize());
	OK(cuMemFreeHost((void *)w));
}

static void variables_keep_their_values_between_launches(void)
{
	CUmodule m = module();
	CUfunction f;
	CUdeviceptr p, counter, none;
	size_t size;
	unsigned v[2] = { 0 };
	float third;
	OK(cuModuleGetFunction(&f, m, "count"));
	OK(cuModuleGetGlobal_v2(&counter, &size, m, "counter"));
	IS(size, 4);
	IS(cuModuleGetGlobal_v2(&none, &size, m, "nothing"), CUDA_ERROR_NOT_FOUND);
	OK(cuMemAlloc_v2(&p, 8));
	OK(launch(f, 1, 1, (void *[]){ &p }));
	OK(cuMemcpyDtoH_v2(v, p, 8));
	IS(v[0], 7);
	memcpy(&third, &v[1], 4);
	IS(third, 3);
	OK(cuMemcpyDtoH_v2(v, counter, 4));
	IS(v[0], 8);
	v[0] = 100;
	OK(cuMemcpyHtoD_v2(counter, v, 4));
	OK(launch(f, 1, 32, (void *[]){ &p }));
	OK(cuMemcpyDtoH_v2(v, counter, 4));
	IS(v[0], 132);
	CUmodule other = module();               /* has variables of its own */
	OK(cuModuleGetGlobal_v2(&none, NULL, other, "counter"));
	TRUE(none != counter);
	OK(cuMemFree_v2(p));
	OK(cuModuleUnload(m));
	OK(cuModuleUnload(other));
}

static void what_is_not_there_is_not_found(void)
{
	CUmodule m = module();
	CUfunction f, list[32];
	unsigned n = 0;
	const char *name = NULL;
	IS(cuModuleGetFunction(&f, m, "nothing"), CUDA_ERROR_NOT_FOUND);
	OK(cuModuleGetFunctionCount(&n, m));
	TRUE(n > 5 && n < 32);
	OK(cuModuleEnumerateFunctions(list, n, m));
	OK(cuFuncGetName(&name, list[0]));
	TRUE(name && *name);
	OK(cuModuleGetFunction(&f, m, "axpy"));
	CUmodule of;
	OK(cuFuncGetModule(&of, f));
	TRUE(of == m);
	OK(cuModuleUnload(m));
	if (on_softgpu()) {
		IS(cuModuleUnload(m), CUDA_ERROR_INVALID_HANDLE);
		IS(launch(f, 1, 1, NULL), CUDA_ERROR_INVALID_HANDLE);
	}
	IS(cuModuleLoad(&m, "/nonexistent.ptx"), CUDA_ERROR_FILE_NOT_FOUND);
}

static void bad_modules_are_refused_with_a_reason(void)
{
	CUmodule m;
	char error[256] = "", info[64] = "x";
	CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_INFO_LOG_BUFFER,
				   CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES };
	void *values[] = { error, (void *)sizeof error, info, (void *)sizeof info };
	static const char bad[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k()\n{\n\tfrobnicate.u32 %r1;\n\tret;\n}\n";
	IS(cuModuleLoadDataEx(&m, bad, 4, options, values), CUDA_ERROR_INVALID_PTX);
	TRUE(strstr(error, "frobnicate"));
	if (on_softgpu()) {
		TRUE(strstr(error, "line 6"));
		IS((uintptr_t)values[1], strlen(error));
		IS(cuModuleLoadData(&m, "\x7f" "ELF\2\1\1"), CUDA_ERROR_NO_BINARY_FOR_GPU);
	}
	IS(cuModuleLoadData(&m, "this is no module"), CUDA_ERROR_INVALID_IMAGE);
	IS(cuModuleLoadData(&m, ""), CUDA_ERROR_INVALID_IMAGE);
	IS(cuModuleLoadData(&m, ".version 99.0\n.target sm_70\n.address_size 64\n"), CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
	IS(cuModuleLoadData(&m, NULL), CUDA_ERROR_INVALID_VALUE);
}

/* A fat binary as compilers write it: a header and one entry. */
struct fat {
	uint32_t magic;
	uint16_t version, header;
	uint64_t size;
	uint16_t kind, entry_version;
	uint32_t entry_header;
	uint64_t entry_size;
	uint32_t compressed, options;
	uint16_t minor, major;
	uint32_t arch, name_offset, name_size;
	uint64_t flags, zero, plain;
	unsigned char body[16384];
};

static size_t pack(struct fat *f, const void *body, size_t n, size_t plain, uint64_t flags)
{
	size_t padded = (n + 7) & ~(size_t)7;
	*f = (struct fat){
		.magic = 0xba55ed50, .version = 1, .header = 16, .size = 64 + padded, .kind = 1, .entry_version = 0x101,
		.entry_header = 64, .entry_size = padded, .compressed = flags ? (uint32_t)n : 0, .major = 7, .arch = 70,
		.flags = flags, .plain = flags ? plain : 0,
	};
	memcpy(f->body, body, n);
	return 80 + padded;
}

/* The simplest LZ4 block there is: literals only. */
static size_t literals(const char *text, size_t n, unsigned char *out)
{
	size_t o = 0, left = n - 15;
	out[o++] = 0xf0;
	for (; left >= 255; left -= 255)
		out[o++] = 255;
	out[o++] = (unsigned char)left;
	memcpy(out + o, text, n);
	return o + n;
}

/* The beginning of the kernels' text, up to and with axpy, as zstd -19 packs it. */
static const unsigned char zstd_axpy[] = {
	0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x68, 0x9d, 0x0c, 0x00, 0x26, 0x93, 0x3c, 0x1f, 0x40, 0xad, 0x1e, 0xac, 0xf0, 0x88, 0x4d,
	0xc0, 0xcb, 0x5d, 0xbe, 0x85, 0x4d, 0x06, 0x19, 0x47, 0xd4, 0x35, 0xb7, 0x8a, 0x2b, 0xd6, 0x7f, 0x59, 0x21, 0x5a, 0x46,
	0x45, 0xa7, 0x76, 0x73, 0x31, 0x00, 0x34, 0x00, 0x36, 0x00, 0x97, 0x66, 0xd7, 0xc4, 0x8d, 0x93, 0x35, 0x3f, 0xa6, 0x95,
	0x9c, 0xde, 0x3c, 0x5d, 0xba, 0x66, 0xd5, 0xfc, 0x53, 0x92, 0x56, 0x46, 0xda, 0x3d, 0x88, 0x7f, 0x22, 0xed, 0xc3, 0xda,
	0xaf, 0x31, 0xba, 0xe1, 0x61, 0x59, 0xbe, 0x5f, 0x55, 0xbf, 0xed, 0x98, 0x36, 0x30, 0xbd, 0xa4, 0xad, 0x1f, 0xe9, 0xbc,
	0xb8, 0xe5, 0xd5, 0xb1, 0x1e, 0x6c, 0x98, 0xe6, 0xbc, 0xd5, 0x4b, 0x3f, 0x72, 0x4c, 0xd2, 0x72, 0xba, 0x45, 0x3e, 0x48,
	0xf1, 0xab, 0x43, 0x6c, 0x33, 0xd5, 0xbe, 0xf2, 0x18, 0xe6, 0x51, 0x0c, 0x2f, 0xcc, 0xa1, 0xe1, 0x50, 0x0c, 0x25, 0x7a,
	0x0e, 0xbf, 0xd4, 0xb5, 0xf4, 0x9a, 0xa0, 0x81, 0x15, 0x5c, 0x3f, 0xd4, 0xc1, 0xcb, 0x13, 0xa7, 0x53, 0x97, 0x67, 0xfb,
	0x9a, 0x1d, 0xdd, 0xb9, 0xb4, 0x61, 0xa8, 0x75, 0x94, 0x7e, 0x27, 0x01, 0x2f, 0x85, 0xac, 0x23, 0x97, 0x05, 0x70, 0xf1,
	0x41, 0x2f, 0x41, 0x51, 0x50, 0xa2, 0x0a, 0x24, 0x86, 0x8b, 0x26, 0x81, 0x09, 0xaa, 0xaf, 0x0d, 0x70, 0x14, 0x47, 0xa0,
	0x9b, 0xc6, 0x0f, 0xca, 0x02, 0xae, 0xe2, 0xe0, 0xfd, 0x0a, 0x70, 0x08, 0x77, 0x2d, 0x43, 0x5a, 0xdb, 0x2d, 0xea, 0x71,
	0x9a, 0xe6, 0xb1, 0x1d, 0xa3, 0x33, 0x7c, 0x4e, 0xfc, 0x28, 0x25, 0x3d, 0xb3, 0x68, 0x6b, 0x34, 0x2f, 0x3c, 0xbd, 0x62,
	0x80, 0xbd, 0x4a, 0xcc, 0x60, 0xf8, 0x3c, 0xec, 0xab, 0xc6, 0xee, 0x5b, 0x86, 0x51, 0x50, 0xa8, 0x41, 0x45, 0x68, 0x66,
	0xc4, 0xa4, 0x05, 0x29, 0x64, 0x9a, 0x03, 0x70, 0x46, 0x04, 0x59, 0xd5, 0x01, 0x21, 0x25, 0x02, 0x69, 0x84, 0x6c, 0x33,
	0xac, 0x01, 0x13, 0xd6, 0x93, 0x98, 0xee, 0xf6, 0x5f, 0x3c, 0x00, 0x9b, 0xda, 0x59, 0x4b, 0x81, 0x0d, 0x9d, 0x7d, 0x70,
	0x27, 0x94, 0x5d, 0x39, 0x64, 0x07, 0xc5, 0x37, 0x29, 0xfd, 0xbc, 0x1e, 0x2f, 0x63, 0x88, 0x10, 0x64, 0xe5, 0x57, 0x39,
	0x88, 0x38, 0x7a, 0xc3, 0x7b, 0x02, 0x54, 0x76, 0x54, 0x6d, 0xef, 0x22, 0x80, 0xd2, 0x4f, 0x32, 0x6c, 0xf0, 0x1c, 0x6c,
	0x4c, 0x9b, 0x49, 0x56, 0xd0, 0xb9, 0x80, 0xb5, 0x65, 0x6c, 0xff, 0x36, 0x74, 0x17, 0x3c, 0xed, 0xb1, 0x66, 0xbd, 0xfc,
	0x74, 0x3b, 0xed, 0xd1, 0x74, 0x00, 0x5c, 0x39, 0xb9, 0x4a, 0x84, 0xf2, 0x50, 0x9b, 0x7a, 0x1b, 0x8d, 0x21, 0x1f, 0xcf,
	0xd3, 0x2f, 0x32, 0xe5, 0x13, 0x55, 0xbf, 0xa1, 0xc7, 0x17, 0x5b, 0x45, 0xbc, 0xe0, 0x7c, 0x4c, 0x9c, 0xbf, 0x1f, 0x88,
	0xa9, 0xe9, 0x00, 0xa0, 0x5c, 0xb9, 0xdc, 0x37, 0x55, 0x91, 0x2d, 0x35,
};
#define ZSTD_AXPY_PLAIN 818

static void fat_binaries_load(void)
{
	static struct fat f;
	static unsigned char packed[16384];
	struct { uint32_t magic, version; const void *data, *more; } wrapper = { 0x466243b1, 1, &f, NULL };
	CUmodule m;
	CUfunction k;
	if (!on_softgpu())     /* elsewhere the details of an entry matter more */
		return;
	pack(&f, kernels, sizeof kernels, 0, 0);
	OK(cuModuleLoadFatBinary(&m, &f));
	OK(cuModuleGetFunction(&k, m, "empty"));
	OK(cuModuleLoadData(&m, &wrapper));
	size_t n = literals(kernels, sizeof kernels, packed);
	pack(&f, packed, n, sizeof kernels, 0x2000);
	OK(cuModuleLoadData(&m, &wrapper));
	OK(cuModuleGetFunction(&k, m, "axpy"));
	axpy(k, 0);
	f.plain = 100;
	IS(cuModuleLoadData(&m, &wrapper), CUDA_ERROR_INVALID_IMAGE);
	pack(&f, zstd_axpy, sizeof zstd_axpy, ZSTD_AXPY_PLAIN, 0x8000);
	OK(cuModuleLoadData(&m, &wrapper));
	OK(cuModuleGetFunction(&k, m, "axpy"));
	axpy(k, 0);
	f.plain--;
	IS(cuModuleLoadData(&m, &wrapper), CUDA_ERROR_INVALID_IMAGE);
	pack(&f, packed, n, sizeof kernels, 0x2000);
	f.plain = sizeof kernels;
	f.compressed = 1 << 30;
	IS(cuModuleLoadData(&m, &wrapper), CUDA_ERROR_INVALID_IMAGE);
	f.compressed = (uint32_t)n;
	f.kind = 2;
	IS(cuModuleLoadData(&m, &wrapper), CUDA_ERROR_NO_BINARY_FOR_GPU);
	f.kind = 1;
	f.entry_size = UINT64_MAX;
	IS(cuModuleLoadData(&m, &wrapper), CUDA_ERROR_NO_BINARY_FOR_GPU);
	f.header = 3;
	IS(cuModuleLoadData(&m, &wrapper), CUDA_ERROR_INVALID_IMAGE);
	wrapper.data = NULL;
	IS(cuModuleLoadData(&m, &wrapper), CUDA_ERROR_INVALID_IMAGE);
}

static void libraries_serve_every_context(void)
{
	CUlibrary l, of;
	CUkernel k, list[32];
	CUfunction f;
	CUmodule m;
	CUcontext first, second;
	CUdeviceptr a, b;
	size_t size;
	unsigned n;
	int threads;
	OK(cuCtxGetCurrent(&first));
	OK(cuLibraryLoadData(&l, kernels, NULL, NULL, 0, NULL, NULL, 0));
	IS(cuLibraryGetKernel(&k, l, "nothing"), CUDA_ERROR_NOT_FOUND);
	OK(cuLibraryGetKernel(&k, l, "axpy"));
	OK(cuKernelGetFunction(&f, k));
	axpy(f, 0);
	axpy((CUfunction)k, 0);
	OK(cuKernelGetLibrary(&of, k));
	TRUE(of == l);
	OK(cuLibraryGetModule(&m, l));
	OK(cuLibraryGetKernelCount(&n, l));
	TRUE(n <= 32);
	OK(cuLibraryEnumerateKernels(list, n, l));
	OK(cuLibraryGetGlobal(&a, &size, l, "counter"));
	OK(cuCtxCreate_v2(&second, 0, 0));
	axpy((CUfunction)k, 0);
	OK(cuLibraryGetGlobal(&b, &size, l, "counter"));
	TRUE(a != b);
	OK(cuCtxDestroy_v2(second));
	OK(cuLibraryGetKernel(&k, l, "narrow"));
	OK(cuKernelGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, k, 0));
	IS(threads, 64);
	OK(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 50 << 10, k, 0));
	OK(cuKernelGetFunction(&f, k));
	OK(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, f));
	IS(threads, 50 << 10);
	OK(cuLibraryUnload(l));
	if (on_softgpu()) {
		IS(cuKernelGetFunction(&f, k), CUDA_ERROR_INVALID_HANDLE);
		IS(cuLibraryUnload(l), CUDA_ERROR_INVALID_HANDLE);
	}
}

static void an_unloaded_module_finishes_its_kernels(void)
{
	volatile unsigned *w;
	CUmodule m = module();
	CUfunction f;
	CUdeviceptr p, out;
	CUstream s;
	if (!on_softgpu())
		return;
	OK(cuModuleGetFunction(&f, m, "wait_flag"));
	OK(cuMemHostAlloc((void **)&w, 8, 0));
	w[0] = w[1] = 0;
	p = (CUdeviceptr)(uintptr_t)w;
	out = p + 4;
	OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
	OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, (void *[]){ &p, &out }, NULL));
	OK(cuModuleUnload(m));
	__atomic_store_n(&w[0], 1, __ATOMIC_SEQ_CST);
	OK(cuStreamSynchronize(s));
	IS(w[1], 1);
	OK(cuMemFreeHost((void *)w));
}

static void cooperative_grids_must_fit(void)
{
	CUfunction f = function("empty");
	CUlaunchAttribute attribute = { .id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value = { .cooperative = 1 } };
	CUlaunchConfig config = {
		.gridDimX = 1, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 1024, .blockDimY = 1, .blockDimZ = 1,
		.attrs = &attribute, .numAttrs = 1,
	};
	int sms, per_sm, grid, block;
	OK(cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
	OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, f, 1024, 0));
	TRUE(per_sm >= 1);
	config.gridDimX = (unsigned)(sms * per_sm);
	OK(cuLaunchKernelEx(&config, f, NULL, NULL));
	config.gridDimX++;
	IS(cuLaunchKernelEx(&config, f, NULL, NULL), CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
	OK(cuLaunchCooperativeKernel(f, (unsigned)sms, 1, 1, 1024, 1, 1, 0, NULL, NULL));
	IS(cuLaunchCooperativeKernel(f, 1 << 20, 1, 1, 1024, 1, 1, 0, NULL, NULL), CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
	OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, f, NULL, 0, 0));
	TRUE(grid >= sms && block >= 32);
	OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, function("narrow"), NULL, 0, 0));
	IS(block, 64);
	OK(cuCtxSynchronize());
}

static void functions_are_found_by_name_and_version(void)
{
	CUresult (*version)(int *);
	void *f = NULL, *g = NULL;
	int v = 0;
	CUdriverProcAddressQueryResult status;
	OK(cuGetProcAddress_v2("cuDriverGetVersion", (void **)&version, 12000, 0, &status));
	IS(status, CU_GET_PROC_ADDRESS_SUCCESS);
	OK(version(&v));
	TRUE(v >= 12000);
	OK(cuGetProcAddress_v2("cuMemAlloc", &f, 12000, 0, &status));
	TRUE(f == (void *)cuMemAlloc_v2);
	OK(cuGetProcAddress_v2("cuMemcpyHtoD", &f, 12000, 0, &status));
	OK(cuGetProcAddress_v2("cuMemcpyHtoD", &g, 12000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, &status));
	TRUE(f == (void *)cuMemcpyHtoD_v2 && g == (void *)cuMemcpyHtoD_v2_ptds);
	OK(cuGetProcAddress_v2("cuLaunchKernelEx", &f, 11000, 0, &status));
	IS(status, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
	TRUE(!f);
	OK(cuGetProcAddress_v2("cuNothing", &f, 12000, 0, &status));
	IS(status, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
	OK(cuGetProcAddress_v2("cuNothing", &f, 12000, 0, NULL));
	TRUE(!f);
	IS(cuGetProcAddress("cuNothing", &f, 12000, 0), CUDA_ERROR_NOT_FOUND);
	OK(cuGetProcAddress_v2("cuMemAlloc", &f, 2000, 0, &status));
	TRUE(f && f != (void *)cuMemAlloc_v2);
	OK(cuGetProcAddress_v2("cuGraphLaunch", &f, 9000, 0, &status));
	IS(status, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
	IS(cuGetProcAddress_v2("cuInit", &f, 99000, 0, &status), CUDA_ERROR_INVALID_VALUE);
}

int main(int argc, char **argv)
{
	static const struct test tests[] = {
#define T(name) { #name, name },
		T(a_kernel_computes)
		T(parameters_may_come_packed)
		T(odd_parameters_arrive)
		T(launches_are_checked_at_once)
		T(shared_memory_is_shared)
		T(a_kernel_sees_what_another_stream_writes)
		T(a_kernel_and_the_host_talk_through_pinned_memory)
		T(variables_keep_their_values_between_launches)
		T(what_is_not_there_is_not_found)
		T(bad_modules_are_refused_with_a_reason)
		T(fat_binaries_load)
		T(libraries_serve_every_context)
		T(an_unloaded_module_finishes_its_kernels)
		T(cooperative_grids_must_fit)
		T(functions_are_found_by_name_and_version)
	};
	return RUN(tests);
}
