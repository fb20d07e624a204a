/* SPDX-License-Identifier: Apache-2.0
 *
 * A few instructions as a kernel of their own. */
#include "evaluate.h"

#include <stdio.h>
#include <string.h>

void evaluator_open(struct evaluator *e, const char *body, char kind)
{
	char text[4096];
	const char *result = kind == 'd' ? "" : kind == 'r' ? "cvt.u64.u32 %rd0, %r0;" : kind == 'h' ? "cvt.u64.u16 %rd0, %h0;" :
	                     "selp.u64 %rd0, 1, 0, %p0;";
	int n = snprintf(text, sizeof text,
	                 ".version 8.0\n.target sm_90\n.address_size 64\n"
	                 ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
	                 ".reg .pred %%p<10>;\n.reg .b16 %%h<10>;\n.reg .b32 %%r<10>;\n.reg .b64 %%rd<10>;\n"
	                 "ld.param.u64 %%rd8, [in];\nld.param.u64 %%rd9, [out];\n"
	                 "ld.global.v2.u64 {%%rd1, %%rd2}, [%%rd8];\nld.global.v2.u64 {%%rd3, %%rd4}, [%%rd8+16];\n"
	                 "cvt.u32.u64 %%r1, %%rd1;\ncvt.u32.u64 %%r2, %%rd2;\ncvt.u32.u64 %%r3, %%rd3;\ncvt.u32.u64 %%r4, %%rd4;\n"
	                 "cvt.u16.u64 %%h1, %%rd1;\ncvt.u16.u64 %%h2, %%rd2;\ncvt.u16.u64 %%h3, %%rd3;\n"
	                 "setp.ne.u32 %%p1, %%r1, 0;\nsetp.ne.u32 %%p2, %%r2, 0;\nsetp.ne.u32 %%p3, %%r3, 0;\n"
	                 "%s\n%s\nst.global.u64 [%%rd9], %%rd0;\nret;\n}\n", body, result);
	device_open(&e->device, text, (size_t)n);
	e->in = device_memory(&e->device, 32);
	e->out = device_memory(&e->device, 8);
}

uint64_t evaluate(struct evaluator *e, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	uint64_t in[4] = {a, b, c, d};
	memcpy(e->in, in, sizeof in);
	*e->out = 0xdeaddeaddeaddead;
	check(launch(&e->device, "k", 1, 1, ptr(e->in), ptr(e->out)) == 0, "%s", e->device.fault.message);
	return *e->out;
}

void evaluator_close(struct evaluator *e)
{
	device_close(&e->device);
}

uint64_t once(const char *body, char kind, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	struct evaluator e;
	evaluator_open(&e, body, kind);
	uint64_t v = evaluate(&e, a, b, c, d);
	evaluator_close(&e);
	return v;
}
