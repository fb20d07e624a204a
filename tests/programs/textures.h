// SPDX-License-Identifier: Apache-2.0
//
// Kernels that sample textures at given places, and what a test of them needs.
#ifndef AXON_TEST_TEXTURES_H
#define AXON_TEST_TEXTURES_H

#include "check.h"
#include "kernels.h"

// NAME(object, places, out): thread i reads four floats x, y, z, w at places[i] into %f1 to %f4, has x and w as integers in
// %r3 and %r2, and leaves four words in %r4 to %r7 that go to out[i].
#define PTX_SAMPLE(name, what) \
	".visible .entry " name "(.param .u64 t, .param .u64 in, .param .u64 out)\n{\n" \
	"  .reg .f32 %f<5>; .reg .b32 %r<8>; .reg .b64 %rd<7>; .reg .b64 %v<3>;\n" \
	"  ld.param.u64 %rd1, [t];\n  ld.param.u64 %rd2, [in];\n  ld.param.u64 %rd3, [out];\n" \
	"  cvta.to.global.u64 %rd2, %rd2;\n  cvta.to.global.u64 %rd3, %rd3;\n" \
	"  mov.u32 %r1, %tid.x;\n  mul.wide.u32 %rd4, %r1, 16;\n" \
	"  add.s64 %rd5, %rd2, %rd4;\n  add.s64 %rd6, %rd3, %rd4;\n" \
	"  ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd5];\n" \
	"  cvt.rzi.u32.f32 %r2, %f4;\n  cvt.rzi.s32.f32 %r3, %f1;\n" \
	"  mov.u32 %r4, 0;\n  mov.u32 %r5, 0;\n  mov.u32 %r6, 0;\n  mov.u32 %r7, 0;\n" \
	what \
	"  st.global.v4.u32 [%rd6], {%r4, %r5, %r6, %r7};\n  ret;\n}\n"
#define FOUR "{%r4, %r5, %r6, %r7}"

enum { PLACES = 64 };
struct place { float x, y, z, w; };
union word { float f; unsigned u; int s; };

static CUmodule module_;
static CUdeviceptr places_, out_;

static void start_sampling(const char *ptx)
{
	start();
	module_ = load(ptx);
	OK(cuMemAlloc(&places_, PLACES * sizeof(struct place)));
	OK(cuMemAlloc(&out_, PLACES * 4 * sizeof(union word)));
}

static void sample(const char *kernel, unsigned long long object, const struct place *places, int n, union word (*out)[4])
{
	void *params[] = {&object, &places_, &out_};
	OK(cuMemcpyHtoD(places_, places, (size_t)n * sizeof *places));
	OK(cuLaunchKernel(function(module_, kernel), 1, 1, 1, (unsigned)n, 1, 1, 0, NULL, params, NULL));
	OK(cuMemcpyDtoH(out, out_, (size_t)n * sizeof *out));
}

static CUarray array_of(size_t width, size_t height, size_t depth, CUarray_format format, unsigned channels, unsigned flags)
{
	CUDA_ARRAY3D_DESCRIPTOR d = {.Width = width, .Height = height, .Depth = depth, .Format = format, .NumChannels = channels, .Flags = flags};
	CUarray a;
	OK(cuArray3DCreate(&a, &d));
	return a;
}

// The whole array, from packed host memory. `each` is a texel's size.
static void fill_array(CUarray a, const void *from, size_t each)
{
	CUDA_ARRAY3D_DESCRIPTOR d;
	OK(cuArray3DGetDescriptor(&d, a));
	size_t rows = d.Height ? d.Height : 1;
	CUDA_MEMCPY3D c = {.srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = from, .srcPitch = d.Width * each, .srcHeight = rows,
			   .dstMemoryType = CU_MEMORYTYPE_ARRAY, .dstArray = a, .WidthInBytes = d.Width * each, .Height = rows,
			   .Depth = d.Depth ? d.Depth : 1};
	OK(cuMemcpy3D(&c));
}

#endif
