/* SPDX-License-Identifier: Apache-2.0
 *
 * What is asked about a module, and the reasons for refusing one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define HEAD ".version 8.3\n.target sm_90a\n.address_size 64\n"

static const struct { const char *name, *text, *log; } refused[] = {
	{"an unknown instruction is named with its line", HEAD ".entry k()\n{\n\nwgmma.mma_async.sync.aligned.m64n8k16 x;\n}\n",
	 "softgpu: line 7: no instruction 'wgmma.mma_async.sync.aligned.m64n8k16'"},
	{"an unknown modifier is not ignored", HEAD ".entry k() { .reg .f32 f;\nadd.rn.oops.f32 f, f, f; }",
	 "softgpu: line 5: no instruction 'add.rn.oops.f32'"},
	{"an unknown directive is named", HEAD ".entry k() { .reg .f32 f; }\n.texref t;", "softgpu: line 5: no directive '.texref'"},
	{"an empty text is no module", "", "softgpu: line 1: the text ends where .version is expected"},
	{"32-bit addresses are refused", ".version 3.0\n.target sm_20\n.address_size 32\n",
	 "softgpu: line 3: only addresses of 64 bits are there"},
	{"a label that is missing is named", HEAD ".entry k() {\nbra NOWHERE; }", "softgpu: line 5: no label 'NOWHERE'"},
	{"a register that is missing is named", HEAD ".entry k() { .reg .b32 %r<2>;\nmov.u32 %r2, 1; }",
	 "softgpu: line 5: the register '%r2' is not declared"},
	{"a function that is missing is named", HEAD ".extern .func f();\n.entry k() {\ncall f; }",
	 "softgpu: line 6: the function 'f' is declared but not defined"},
	{"a call must fit its function", HEAD ".func f(.param .b64 a) { ret; }\n.entry k() { .param .b32 a;\ncall f, (a); }",
	 "softgpu: line 6: the call does not fit 'f'"},
	{"an access outside a parameter is refused", HEAD ".entry k(.param .u32 p) { .reg .b32 r;\nld.param.u32 r, [p+4]; }",
	 "softgpu: line 5: an access outside the parameter 'p', or misaligned"},
	{"a text that ends early is refused", HEAD ".entry k() {\nret;", "softgpu: line 5: the text ends where a statement is expected"},
	{"a variable that is only declared is refused", HEAD ".extern .global .u32 x;",
	 "softgpu: line 4: the variable 'x' is declared .extern but not defined in this module"},
	{"too many registers are refused", HEAD ".entry k() { .reg .b32 %r<4000000000>; }",
	 "softgpu: line 4: more than 65536 registers in one function"},
	{"an initialiser must not be longer than its variable", HEAD ".global .b8 x[2] = {1, 2, 3};",
	 "softgpu: line 4: the initialiser of 'x' is longer than the variable"},
	{"a predicate is no number", HEAD ".entry k() { .reg .pred p; .reg .b32 r;\nadd.u32 r, r, p; }",
	 "softgpu: line 5: operand 3 of 'add.u32' is missing or of the wrong kind"},
	{"a comment that does not end is refused", HEAD "/* never", "softgpu: line 4: '/*' where a directive is expected"},
};

static void refusals(void)
{
	for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
		struct ptx_module *m;
		char log[256];
		begin(refused[i].name);
		int r = ptx_load(refused[i].text, strlen(refused[i].text), &m, log, sizeof log);
		check(r == -1 && !m, "it loads");
		check(!strcmp(log, refused[i].log), "%s", log);
	}
	begin("a small log is cut, not overrun");
	struct ptx_module *m;
	char small[8] = "1234567";
	check(ptx_load("?", 1, &m, small, 4) == -1 && !strcmp(small, "sof") && !strcmp(small + 4, "567"), "%s", small);
	check(ptx_load("?", 1, &m, NULL, 0) == -1, "it loads");

	begin("deep nesting is refused, not followed");
	char *deep = malloc(1 << 20);
	size_t n = (size_t)sprintf(deep, HEAD ".entry k() { .reg .b32 r; mov.u32 r, ");
	memset(deep + n, '(', 500000);
	check(ptx_load(deep, n + 500000, &m, small, sizeof small) == -1, "it loads");
	n = (size_t)sprintf(deep, HEAD ".entry k() ");
	memset(deep + n, '{', 500000);
	check(ptx_load(deep, n + 500000, &m, small, sizeof small) == -1, "it loads");
	n = (size_t)sprintf(deep, HEAD ".global .b32 x[] = ");
	memset(deep + n, '{', 500000);
	check(ptx_load(deep, n + 500000, &m, small, sizeof small) == -1, "it loads");
	free(deep);

	begin("a long chain of functions is followed without recursion");
	deep = malloc(8 << 20);
	n = (size_t)sprintf(deep, HEAD ".func f0() { ret; }\n");
	for (int i = 1; i < 50000; i++)
		n += (size_t)sprintf(deep + n, ".func f%d() { call f%d; }\n", i, i - 1);
	n += (size_t)sprintf(deep + n, ".entry k() { call f49999; }\n");
	char log[256];
	check(ptx_load(deep, n, &m, log, sizeof log) == 0, "%s", log);
	free(deep);
	if (m)
		ptx_unload(m);
}

static const char text[] = HEAD
	".const .align 8 .f64 c[3];\n.global .u32 g = 5;\n.visible .global .attribute(.managed) .b8 m[10];\n"
	".shared .align 16 .b8 common[100];\n.extern .shared .b32 dynamic[];\n"
	".visible .entry first(.param .u8 a, .param .u64 b, .param .align 16 .b8 s[20], .param .u16 c)\n"
	".reqntid 8, 4\n.minnctapersm 2\n"
	"{ .local .b8 l[40]; .shared .b8 own[12]; .reg .b32 r; ld.shared.u32 r, [common]; ret; }\n"
	".visible .entry second() .maxntid 64 { .reg .b32 r; .shared .b8 own[24]; mov.u32 r, own; ret; }\n"
	".func deep() { .local .b8 x[1000]; call deep2; }\n.func deep2() { .local .b8 y[100]; ret; }\n"
	".visible .entry third() { call deep; }\n";

static void questions(void)
{
	struct ptx_module *m;
	struct ptx_needs needs;
	struct ptx_variable v;
	size_t offset, size;
	char log[256];
	begin("kernels are listed with their parameters");
	/* deep2 is used before it is known: a declaration has to come first. */
	check(ptx_load(text, strlen(text), &m, log, sizeof log) == -1 &&
	      !strcmp(log, "softgpu: line 14: the function 'deep2' is not declared"), "%s", log);
	char *fixed = malloc(sizeof text + 100);
	sprintf(fixed, "%s", text);
	sprintf(strstr(fixed, ".func deep()"), ".func deep2();\n%s", strstr(text, ".func deep()"));
	if (ptx_load(fixed, strlen(fixed), &m, log, sizeof log)) {
		check(0, "%s", log);
		free(fixed);
		return;
	}
	free(fixed);
	check(ptx_isa_version(m) == 83 && ptx_target(m) == 90, "%u %u", ptx_isa_version(m), ptx_target(m));
	check(ptx_entry_count(m) == 3 && !strcmp(ptx_entry_name(ptx_entry_at(m, 1)), "second"), "count %zu", ptx_entry_count(m));
	check(!ptx_entry(m, "deep") && !ptx_entry(m, "none") && !ptx_entry_at(m, 3), "a function is no kernel");
	const struct ptx_function *f = ptx_entry(m, "first");
	static const size_t where[4][2] = {{0, 1}, {8, 8}, {16, 20}, {36, 2}};
	for (size_t i = 0; i < 4; i++)
		check(!ptx_param(f, i, &offset, &size) && offset == where[i][0] && size == where[i][1], "%zu: %zu %zu", i, offset, size);
	check(ptx_param(f, 4, &offset, &size) == -1 && ptx_param_count(f) == 4 && ptx_param_bytes(f) == 38, "%zu",
	      ptx_param_bytes(f));

	begin("a kernel's needs are added up");
	ptx_needs(f, &needs);
	check(needs.static_shared == 128 + 12 && needs.local == 48 && needs.constant == 24, "%zu %zu %zu", needs.static_shared,
	      needs.local, needs.constant);
	check(needs.max_threads == 32 && needs.required[0] == 8 && needs.required[1] == 4 && needs.required[2] == 1 &&
	      needs.min_blocks == 2, "%u", needs.max_threads);
	ptx_needs(ptx_entry(m, "second"), &needs);
	check(needs.static_shared == 24 && needs.max_threads == 64 && needs.required[0] == 0, "%zu", needs.static_shared);
	ptx_needs(ptx_entry(m, "third"), &needs);
	check(needs.local >= 1100 && needs.local < 1200 && needs.static_shared == 0, "%zu", needs.local);

	begin("variables are listed, bound and initialised");
	check(ptx_variable_count(m) == 3, "%zu", ptx_variable_count(m));
	check(!ptx_variable_at(m, 0, &v) && v.constant && v.size == 24 && v.align == 8 && !strcmp(v.name, "c"), "%s", v.name);
	check(!ptx_variable_at(m, 2, &v) && v.managed && v.visible && v.size == 10, "%s", v.name);
	check(ptx_variable_at(m, 3, &v) == -1, "a fourth");
	static _Alignas(16) char memory[3][64];
	memset(memory, 1, sizeof memory);
	check(ptx_bind(m, 0, ptr(memory[0]) + 4) == -1 && ptx_bind(m, 3, ptr(memory[0])) == -1, "bad addresses are taken");
	check(ptx_initialise(m) == -1, "unbound variables are initialised");
	for (size_t i = 0; i < 3; i++)
		check(ptx_bind(m, i, ptr(memory[i])) == 0, "%zu is not bound", i);
	check(ptx_initialise(m) == 0, "not initialised");
	check(memory[0][0] == 0 && memory[0][24] == 1 && memory[1][0] == 5 && memory[1][1] == 0 && memory[2][9] == 0 &&
	      memory[2][10] == 1, "contents");
	check(ptx_bind(m, 0, ptr(memory[0])) == -1, "bound twice");
	ptx_unload(m);
}

int main(void)
{
	refusals();
	questions();
	return finish();
}
