// SPDX-License-Identifier: Apache-2.0
//
// Texture references: a module's variables that are bound to memory before a
// launch. They are gone from the runtime since CUDA 12, and not from the driver.
#include <stdint.h>

#include "check.h"
#include "graphs.h"
#include "kernels.h"

enum { N = 32 };

// look(out): out[i] = texel i
static const char ptx[] = PTX_HEAD
	".global .texref tex;\n"
	".visible .entry look(.param .u64 out)\n{\n"
	"  .reg .b32 %r<3>; .reg .b64 %rd<5>; .reg .f32 %f<5>;\n"
	"  ld.param.u64 %rd1, [out];\n  cvta.to.global.u64 %rd2, %rd1;\n"
	"  mov.u32 %r1, %tid.x;\n"
	"  tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [tex, {%r1}];\n"
	"  mul.wide.u32 %rd3, %r1, 4;\n  add.s64 %rd4, %rd2, %rd3;\n"
	"  st.global.f32 [%rd4], %f1;\n  ret;\n}\n";

static CUtexref reference(CUmodule *m)
{
	CUtexref t;
	if (cuModuleLoadData(m, ptx))
		SKIP("this driver takes no texture references");
	HAVE("texture references", cuModuleGetTexRef(&t, *m, "tex"));
	return t;
}

static void a_kernel_reads_what_its_reference_is_bound_to(void)
{
	CUmodule m;
	float values[N], back[N];
	size_t offset = 1;
	CUdeviceptr bound;
	CUarray_format format;
	int channels = 0;
	start();
	CUtexref t = reference(&m);
	CUdeviceptr from = words(N), out = words(N);
	for (int i = 0; i < N; i++)
		values[i] = 1.5f * (float)i;
	OK(cuMemcpyHtoD(from, values, sizeof values));
	OK(cuTexRefSetFormat(t, CU_AD_FORMAT_FLOAT, 1));
	OK(cuTexRefSetAddress(&offset, t, from, sizeof values));
	EQUAL(0, offset);
	OK(cuTexRefGetAddress(&bound, t));
	EQUAL(from, bound);
	OK(cuTexRefGetFormat(&format, &channels, t));
	EQUAL(CU_AD_FORMAT_FLOAT, format);
	EQUAL(1, channels);
	void *arguments[] = {&out};
	OK(cuLaunchKernel(function(m, "look"), 1, 1, 1, N, 1, 1, 0, NULL, arguments, NULL));
	OK(cuMemcpyDtoH(back, out, sizeof back));
	for (int i = 0; i < N; i++)
		TRUE(back[i] == values[i]);
}

static void a_reference_keeps_what_it_was_told(void)
{
	CUmodule m;
	float set[4] = {0.25f, 0.5f, 0.75f, 1}, got[4] = {0}, low = 0, high = 0;
	CUaddress_mode address;
	CUfilter_mode filter;
	unsigned flags = 0;
	int aniso = 0;
	start();
	CUtexref t = reference(&m);
	OK(cuTexRefSetAddressMode(t, 0, CU_TR_ADDRESS_MODE_CLAMP));
	OK(cuTexRefGetAddressMode(&address, t, 0));
	EQUAL(CU_TR_ADDRESS_MODE_CLAMP, address);
	OK(cuTexRefSetFilterMode(t, CU_TR_FILTER_MODE_POINT));
	OK(cuTexRefGetFilterMode(&filter, t));
	EQUAL(CU_TR_FILTER_MODE_POINT, filter);
	OK(cuTexRefSetFlags(t, CU_TRSF_READ_AS_INTEGER));
	OK(cuTexRefGetFlags(&flags, t));
	EQUAL(CU_TRSF_READ_AS_INTEGER, flags);
	OK(cuTexRefSetBorderColor(t, set));
	OK(cuTexRefGetBorderColor(got, t));
	TRUE(!memcmp(set, got, sizeof set));
	OK(cuTexRefSetMipmapLevelClamp(t, 1, 3));
	OK(cuTexRefGetMipmapLevelClamp(&low, &high, t));
	TRUE(low == 1 && high == 3);
	OK(cuTexRefSetMaxAnisotropy(t, 4));
	OK(cuTexRefGetMaxAnisotropy(&aniso, t));
	EQUAL(4, aniso);
}

static void what_is_no_reference_is_refused(void)
{
	CUtexref t;
	CUsurfref s;
	CUarray array;
	CUdeviceptr p;
	float color[4] = {0};
	start();
	CUmodule m = load(PTX_HEAD PTX_NOTHING);
	CUtexref none = (CUtexref)(uintptr_t)0x123450;
	TRUE(cuModuleGetTexRef(&t, m, "tex") != CUDA_SUCCESS);
	TRUE(cuModuleGetTexRef(NULL, m, "tex") != CUDA_SUCCESS);
	TRUE(cuModuleGetTexRef(&t, m, NULL) != CUDA_SUCCESS);
	TRUE(cuModuleGetTexRef(&t, NULL, "tex") != CUDA_SUCCESS);
	TRUE(cuModuleGetSurfRef(&s, m, "surf") != CUDA_SUCCESS);
	TRUE(cuTexRefSetFormat(none, CU_AD_FORMAT_FLOAT, 1) != CUDA_SUCCESS);
	TRUE(cuTexRefSetAddress(NULL, NULL, 0, 4) != CUDA_SUCCESS);
	TRUE(cuTexRefGetAddress(&p, none) != CUDA_SUCCESS);
	TRUE(cuTexRefSetBorderColor(none, color) != CUDA_SUCCESS);
	TRUE(cuTexRefSetBorderColor(none, NULL) != CUDA_SUCCESS);
	TRUE(cuTexRefSetArray(none, NULL, 1) != CUDA_SUCCESS);
	TRUE(cuTexRefGetArray(&array, none) != CUDA_SUCCESS);
	TRUE(cuTexRefDestroy(none) != CUDA_SUCCESS);
	TRUE(cuSurfRefSetArray((CUsurfref)none, NULL, 0) != CUDA_SUCCESS);
	OK(cuCtxSynchronize());
}

static const struct test_case cases[] = {
	CASE(a_kernel_reads_what_its_reference_is_bound_to),
	CASE(a_reference_keeps_what_it_was_told),
	CASE(what_is_no_reference_is_refused),
};

int main(int argc, char **argv)
{
	return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
