// SPDX-License-Identifier: Apache-2.0
//
// y = a x + y on 65,536 floats, written to CUDA's driver API and to nothing
// else: this program was never told about axon. Build it with -lcuda.
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

// What nvcc makes of: if (i < n) y[i] = a * x[i] + y[i];
static const char axpy[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".visible .entry axpy(.param .f32 a, .param .u64 x, .param .u64 y, .param .u32 n)\n"
	"{\n"
	"  .reg .pred %p<2>; .reg .f32 %f<5>; .reg .b32 %r<6>; .reg .b64 %rd<8>;\n"
	"  ld.param.f32 %f1, [a];\n"
	"  ld.param.u64 %rd1, [x];\n"
	"  ld.param.u64 %rd2, [y];\n"
	"  ld.param.u32 %r2, [n];\n"
	"  mov.u32 %r3, %ctaid.x;\n"
	"  mov.u32 %r4, %ntid.x;\n"
	"  mov.u32 %r5, %tid.x;\n"
	"  mad.lo.s32 %r1, %r3, %r4, %r5;\n"
	"  setp.ge.u32 %p1, %r1, %r2;\n"
	"  @%p1 bra DONE;\n"
	"  cvta.to.global.u64 %rd3, %rd1;\n"
	"  mul.wide.u32 %rd4, %r1, 4;\n"
	"  add.s64 %rd5, %rd3, %rd4;\n"
	"  cvta.to.global.u64 %rd6, %rd2;\n"
	"  add.s64 %rd7, %rd6, %rd4;\n"
	"  ld.global.f32 %f2, [%rd5];\n"
	"  ld.global.f32 %f3, [%rd7];\n"
	"  fma.rn.f32 %f4, %f1, %f2, %f3;\n"
	"  st.global.f32 [%rd7], %f4;\n"
	"DONE:\n"
	"  ret;\n"
	"}\n";

static void must(CUresult r, const char *call)
{
	if (r == CUDA_SUCCESS)
		return;
	const char *name = "an unknown error";
	cuGetErrorName(r, &name);
	fprintf(stderr, "driver_axpy: %s: %s\n", call, name);
	exit(1);
}
#define MUST(call) must(call, #call)

int main(void)
{
	enum { N = 65536 };
	static float x[N], y[N], want[N];
	CUdevice device;
	CUcontext context;
	CUmodule module;
	CUfunction kernel;
	CUdeviceptr dx, dy;
	char name[256];

	MUST(cuInit(0));
	MUST(cuDeviceGet(&device, 0));
	MUST(cuDeviceGetName(name, sizeof name, device));
	printf("device: %s\n", name);
	MUST(cuDevicePrimaryCtxRetain(&context, device));
	MUST(cuCtxSetCurrent(context));
	MUST(cuModuleLoadData(&module, axpy));
	MUST(cuModuleGetFunction(&kernel, module, "axpy"));

	float a = 2.5f;
	for (int i = 0; i < N; i++) {
		x[i] = (float)(i % 1000);
		y[i] = (float)(i % 7);
		want[i] = a * x[i] + y[i]; // exact in float
	}
	MUST(cuMemAlloc(&dx, sizeof x));
	MUST(cuMemAlloc(&dy, sizeof y));
	MUST(cuMemcpyHtoD(dx, x, sizeof x));
	MUST(cuMemcpyHtoD(dy, y, sizeof y));
	int n = N;
	void *arguments[] = {&a, &dx, &dy, &n};
	MUST(cuLaunchKernel(kernel, N / 256, 1, 1, 256, 1, 1, 0, NULL, arguments, NULL));
	MUST(cuCtxSynchronize());
	MUST(cuMemcpyDtoH(y, dy, sizeof y));

	int correct = 0;
	for (int i = 0; i < N; i++)
		correct += y[i] == want[i];
	printf("%d elements correct\n", correct);
	MUST(cuMemFree(dx));
	MUST(cuMemFree(dy));
	MUST(cuModuleUnload(module));
	MUST(cuDevicePrimaryCtxRelease(device));
	return correct == N ? 0 : 1;
}
