/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels that the driver's tests launch, in PTX.
 */
#ifndef AXON_SOFTGPU_KERNELS_H
#define AXON_SOFTGPU_KERNELS_H

static const char kernels[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".visible .global .align 4 .u32 counter = 7;\n"
	".visible .const .align 4 .f32 table[4] = {0f3F800000, 0f40000000, 0f40400000, 0f40800000};\n"
	".extern .shared .align 4 .b8 dynamic[];\n"
	/* y[i] = a * x[i] + y[i] */
	".visible .entry axpy(.param .f32 a, .param .u64 x, .param .u64 y, .param .u32 n)\n{\n"
	"	.reg .pred %p<2>; .reg .b32 %r<6>; .reg .f32 %f<4>; .reg .b64 %rd<6>;\n"
	"	mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.s32 %r4, %r1, %r2, %r3;\n"
	"	ld.param.u32 %r5, [n]; setp.ge.u32 %p1, %r4, %r5; @%p1 bra $done;\n"
	"	ld.param.f32 %f1, [a]; ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y];\n"
	"	mul.wide.u32 %rd3, %r4, 4; add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;\n"
	"	ld.global.f32 %f2, [%rd4]; ld.global.f32 %f3, [%rd5]; fma.rn.f32 %f3, %f1, %f2, %f3; st.global.f32 [%rd5], %f3;\n"
	"$done:\n	ret;\n}\n"
	/* waits until *flag is not 0, then sets *out */
	".visible .entry wait_flag(.param .u64 flag, .param .u64 out)\n{\n"
	"	.reg .pred %p<2>; .reg .b32 %r<3>; .reg .b64 %rd<3>;\n"
	"	ld.param.u64 %rd1, [flag]; ld.param.u64 %rd2, [out];\n"
	"$again:\n	ld.volatile.global.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra $again;\n"
	"	mov.u32 %r2, 1; st.volatile.global.u32 [%rd2], %r2; ret;\n}\n"
	".visible .entry set_flag(.param .u64 flag)\n{\n"
	"	.reg .b32 %r<2>; .reg .b64 %rd<2>;\n"
	"	ld.param.u64 %rd1, [flag]; mov.u32 %r1, 1; st.volatile.global.u32 [%rd1], %r1; ret;\n}\n"
	".visible .entry forever()\n{\n$again:\n	bra $again;\n}\n"
	/* adds to the module's own variable and says what it was */
	".visible .entry count(.param .u64 out)\n{\n"
	"	.reg .b32 %r<2>; .reg .f32 %f<2>; .reg .b64 %rd<3>;\n"
	"	ld.param.u64 %rd1, [out]; mov.u64 %rd2, counter; atom.global.add.u32 %r1, [%rd2], 1;\n"
	"	st.global.u32 [%rd1], %r1; ld.const.f32 %f1, [table+8]; st.global.f32 [%rd1+4], %f1; ret;\n}\n"
	".visible .entry store(.param .u64 p)\n{\n"
	"	.reg .b32 %r<2>; .reg .b64 %rd<2>;\n"
	"	ld.param.u64 %rd1, [p]; mov.u32 %r1, 42; st.global.u32 [%rd1], %r1; ret;\n}\n"
	".visible .entry stop()\n{\n	trap;\n	ret;\n}\n"
	/* odd parameters, each at its own alignment */
	".visible .entry mixed(.param .u8 a, .param .u16 b, .param .f64 c, .param .align 4 .b8 d[12], .param .u64 out)\n{\n"
	"	.reg .b16 %rs<3>; .reg .b32 %r<4>; .reg .f64 %fd<2>; .reg .b64 %rd<2>;\n"
	"	ld.param.u64 %rd1, [out]; ld.param.u8 %rs1, [a]; cvt.u32.u16 %r1, %rs1; st.global.u32 [%rd1], %r1;\n"
	"	ld.param.u16 %rs2, [b]; cvt.u32.u16 %r2, %rs2; st.global.u32 [%rd1+4], %r2;\n"
	"	ld.param.f64 %fd1, [c]; st.global.f64 [%rd1+8], %fd1; ld.param.u32 %r3, [d+8]; st.global.u32 [%rd1+16], %r3;\n"
	"	ret;\n}\n"
	/* turns 256 words around by way of dynamic shared memory */
	".visible .entry reverse(.param .u64 p)\n{\n"
	"	.reg .b32 %r<8>; .reg .b64 %rd<4>;\n"
	"	ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n"
	"	ld.global.u32 %r2, [%rd3]; mov.u32 %r3, dynamic; shl.b32 %r4, %r1, 2; add.s32 %r5, %r3, %r4;\n"
	"	st.shared.u32 [%r5], %r2; bar.sync 0; mov.u32 %r6, 1020; sub.s32 %r6, %r6, %r4; add.s32 %r6, %r6, %r3;\n"
	"	ld.shared.u32 %r7, [%r6]; st.global.u32 [%rd3], %r7; ret;\n}\n"
	".visible .entry narrow()\n.maxntid 64, 1, 1\n{\n	ret;\n}\n"
	".visible .entry exact()\n.reqntid 32, 2, 1\n{\n	ret;\n}\n"
	".visible .entry empty()\n{\n	ret;\n}\n";

#endif
