// SPDX-License-Identifier: Apache-2.0
//
// Kernels for the test programs, as PTX that any driver since CUDA 11 takes.
#ifndef AXON_TEST_KERNELS_H
#define AXON_TEST_KERNELS_H

#define PTX_HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"

// gate(flag): waits until *flag is not 0, at most 30 s so that a broken test
// cannot take the device with it.
#define PTX_GATE \
	".visible .entry gate(.param .u64 flag)\n{\n" \
	"  .reg .pred %p<3>; .reg .b32 %r<2>; .reg .b64 %rd<6>;\n" \
	"  ld.param.u64 %rd1, [flag];\n" \
	"  cvta.to.global.u64 %rd2, %rd1;\n" \
	"  mov.u64 %rd3, %globaltimer;\n" \
	"AGAIN:\n" \
	"  ld.volatile.global.u32 %r1, [%rd2];\n" \
	"  setp.ne.u32 %p1, %r1, 0;\n" \
	"  @%p1 bra DONE;\n" \
	"  mov.u64 %rd4, %globaltimer;\n" \
	"  sub.s64 %rd5, %rd4, %rd3;\n" \
	"  setp.lt.u64 %p2, %rd5, 30000000000;\n" \
	"  @%p2 bra AGAIN;\n" \
	"DONE:\n  ret;\n}\n"

// put(p, v): *p = v
#define PTX_PUT \
	".visible .entry put(.param .u64 p, .param .u32 v)\n{\n" \
	"  .reg .b32 %r<2>; .reg .b64 %rd<3>;\n" \
	"  ld.param.u64 %rd1, [p];\n  ld.param.u32 %r1, [v];\n" \
	"  cvta.to.global.u64 %rd2, %rd1;\n" \
	"  st.global.u32 [%rd2], %r1;\n  ret;\n}\n"

// add(p, v): atomically *p += v, by every thread
#define PTX_ADD \
	".visible .entry add(.param .u64 p, .param .u32 v)\n{\n" \
	"  .reg .b32 %r<3>; .reg .b64 %rd<3>;\n" \
	"  ld.param.u64 %rd1, [p];\n  ld.param.u32 %r1, [v];\n" \
	"  cvta.to.global.u64 %rd2, %rd1;\n" \
	"  atom.global.add.u32 %r2, [%rd2], %r1;\n  ret;\n}\n"

// wild(): writes where nothing is
#define PTX_WILD \
	".visible .entry wild()\n{\n" \
	"  .reg .b32 %r<2>; .reg .b64 %rd<3>;\n" \
	"  mov.u64 %rd1, 12288;\n  mov.u32 %r1, 1;\n" \
	"  st.global.u32 [%rd1], %r1;\n  ret;\n}\n"

// mixed(a, b, c, d, out): parameters of several sizes with holes between them
#define PTX_MIXED \
	".visible .entry mixed(.param .u8 a, .param .f64 b, .param .u16 c, .param .align 4 .b8 d[12], .param .u64 out)\n{\n" \
	"  .reg .b16 %rs<3>; .reg .b32 %r<5>; .reg .b64 %rd<3>; .reg .f64 %fd<6>;\n" \
	"  ld.param.u8 %rs1, [a];\n  ld.param.f64 %fd1, [b];\n  ld.param.u16 %rs2, [c];\n" \
	"  ld.param.u32 %r1, [d+8];\n  ld.param.u64 %rd1, [out];\n" \
	"  cvta.to.global.u64 %rd2, %rd1;\n" \
	"  cvt.rn.f64.u16 %fd2, %rs1;\n  cvt.rn.f64.u16 %fd3, %rs2;\n  cvt.rn.f64.u32 %fd4, %r1;\n" \
	"  st.global.f64 [%rd2], %fd2;\n  st.global.f64 [%rd2+8], %fd1;\n" \
	"  st.global.f64 [%rd2+16], %fd3;\n  st.global.f64 [%rd2+24], %fd4;\n  ret;\n}\n"

// nothing(): does nothing
#define PTX_NOTHING ".visible .entry nothing()\n{\n  ret;\n}\n"

#endif
