/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules: loading, linking, questions about kernels and variables, and giving variables their addresses. */
#include "code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *module_alloc(struct ptx_module *m, size_t bytes)
{
	if (bytes > SIZE_MAX / 2)
		return NULL;
	/* 16 bytes before each piece keep it aligned for anything. */
	struct chunk *c = calloc(1, bytes + 16);
	if (!c)
		return NULL;
	c->next = m->chunks;
	m->chunks = c;
	m->allocated += bytes;
	return (char *)c + 16;
}

void ptx_unload(struct ptx_module *m)
{
	if (!m)
		return;
	for (struct chunk *c = m->chunks, *next; c; c = next) {
		next = c->next;
		free(c);
	}
	free(m);
}

int ptx_load(const char *text, size_t len, struct ptx_module **out, char *log, size_t log_size)
{
	*out = NULL;
	if (log && log_size)
		log[0] = 0;
	struct ptx_module *m = calloc(1, sizeof *m);
	if (!m) {
		if (log && log_size)
			snprintf(log, log_size, "softgpu: out of memory");
		return -1;
	}
	m->dynamic_align = 16;
	if (parse_module(m, text, len, log, log_size) || link_module(m, log, log_size)) {
		ptx_unload(m);
		return -1;
	}
	*out = m;
	return 0;
}

unsigned ptx_isa_version(const struct ptx_module *m) { return m->isa; }
unsigned ptx_target(const struct ptx_module *m) { return m->target; }

size_t ptx_entry_count(const struct ptx_module *m)
{
	size_t n = 0;
	for (uint32_t i = 0; i < m->nfunctions; i++)
		n += (size_t)(m->functions[i]->entry && m->functions[i]->defined);
	return n;
}

const struct ptx_function *ptx_entry_at(const struct ptx_module *m, size_t at)
{
	for (uint32_t i = 0; i < m->nfunctions; i++)
		if (m->functions[i]->entry && m->functions[i]->defined && at-- == 0)
			return m->functions[i];
	return NULL;
}

const struct ptx_function *ptx_entry(const struct ptx_module *m, const char *name)
{
	for (uint32_t i = 0; i < m->nfunctions; i++)
		if (m->functions[i]->entry && m->functions[i]->defined && !strcmp(m->functions[i]->name, name))
			return m->functions[i];
	return NULL;
}

const char *ptx_entry_name(const struct ptx_function *f) { return f->name; }
size_t ptx_param_count(const struct ptx_function *f) { return f->nparams; }
size_t ptx_param_bytes(const struct ptx_function *f) { return f->param_bytes; }

int ptx_param(const struct ptx_function *f, size_t i, size_t *offset, size_t *size)
{
	if (i >= f->nparams)
		return -1;
	*offset = f->params[i].offset;
	*size = f->params[i].size;
	return 0;
}

void ptx_needs(const struct ptx_function *f, struct ptx_needs *n)
{
	memset(n, 0, sizeof *n);
	n->static_shared = f->need_shared;
	n->local = f->need_local;
	for (uint32_t i = 0; i < f->module->nvariables; i++)
		if (f->module->variables[i].v.constant)
			n->constant += f->module->variables[i].v.size;
	/* Registers in PTX are values, each assigned once: far more than a compiler would keep. 64 of them let a block of
	 * 1024 threads run, as nearly every compiled kernel does. */
	n->registers = f->registers < 16 ? 16 : f->registers > 64 ? 64 : f->registers;
	n->max_threads = f->max_threads;
	memcpy(n->required, f->required, sizeof n->required);
	n->min_blocks = f->min_blocks;
}

size_t ptx_variable_count(const struct ptx_module *m) { return m->nvariables; }

int ptx_variable_at(const struct ptx_module *m, size_t i, struct ptx_variable *v)
{
	if (i >= m->nvariables)
		return -1;
	*v = m->variables[i].v;
	return 0;
}

int ptx_bind(struct ptx_module *m, size_t i, uint64_t address)
{
	if (m->initialised || i >= m->nvariables || !address || address % m->variables[i].v.align)
		return -1;
	m->variables[i].address = address;
	m->variables[i].bound = 1;
	return 0;
}

int ptx_initialise(struct ptx_module *m)
{
	for (uint32_t i = 0; i < m->nvariables; i++)
		if (!m->variables[i].bound)
			return -1;
	for (uint32_t i = 0; i < m->nvariables; i++) {
		struct variable *v = &m->variables[i];
		uint8_t *at = (uint8_t *)(uintptr_t)v->address;
		if (v->ninit)
			memcpy(at, v->init, v->ninit);
		if (v->v.size > v->ninit)
			memset(at + v->ninit, 0, v->v.size - v->ninit);
	}
	for (uint32_t i = 0; i < m->nrelocations; i++) {
		struct relocation *r = &m->relocations[i];
		if (r->target == INT32_MIN)
			continue; /* the linker's */
		uint64_t value = r->target < 0 ? PTX_CODE_WINDOW + 16 * (1 + (uint64_t)~r->target) :
		                                 m->variables[r->target].address;
		value += (uint64_t)r->addend;
		if (r->function) {
			r->function->constants[r->where] = value;
		} else {
			uint8_t *at = (uint8_t *)(uintptr_t)m->variables[r->variable].address + r->where;
			for (uint32_t k = 0; k < r->width; k++)
				at[k] = (uint8_t)(value >> (r->shift + 8 * k));
		}
	}
	m->initialised = 1;
	return 0;
}

/* ---- linking ---- */

int call_fits(const struct call *c, const struct ptx_function *f)
{
	if (c->nargs != f->nparams || c->nresults != f->nresults)
		return 0;
	for (int results = 0; results < 2; results++) {
		const struct actual *a = results ? c->results : c->args;
		const struct formal *x = results ? f->results : f->params;
		for (uint32_t i = 0; i < (results ? c->nresults : c->nargs); i++) {
			if ((a[i].in_register || x[i].in_register) && (x[i].size > 8 || a[i].size > 8))
				return 0;
			if (!a[i].in_register && a[i].size < x[i].size)
				return 0;
		}
	}
	return 1;
}

struct visit {
	struct ptx_function *f;
	uint32_t next;
	uint32_t slots, local; /* the most that a callee needs */
};

/* Depth first, with a stack of its own: a text can hold a chain of a hundred thousand functions. Returns 1 when the
 * calls form a circle, -1 without memory. */
static int sum_needs(struct ptx_module *m)
{
	struct visit *stack = malloc(((size_t)m->nfunctions + 1) * sizeof *stack);
	int circle = 0;
	if (!stack)
		return -1;
	for (uint32_t i = 0; i < m->nfunctions; i++) {
		uint32_t depth = 0;
		if (m->functions[i]->mark)
			continue;
		m->functions[i]->mark = 1;
		stack[depth++] = (struct visit){.f = m->functions[i]};
		while (depth) {
			struct visit *v = &stack[depth - 1];
			if (v->next < v->f->ncalls) {
				struct ptx_function *callee = v->f->calls[v->next].target;
				if (!callee) {
					v->next++;
				} else if (callee->mark == 0) {
					callee->mark = 1;
					stack[depth++] = (struct visit){.f = callee};
				} else {
					if (callee->mark == 1) {
						circle = 1;
					} else {
						v->f->uses_shared |= callee->uses_shared;
						if (callee->need_slots > v->slots)
							v->slots = callee->need_slots;
						if (callee->need_local > v->local)
							v->local = callee->need_local;
					}
					v->next++;
				}
				continue;
			}
			v->f->need_slots = v->f->slots + v->slots;
			if (v->f->need_slots > MAX_STACK_SLOTS)
				v->f->need_slots = MAX_STACK_SLOTS;
			/* A frame that calls counts 16 bytes at least (exec.c says why). */
			v->f->need_local = (!v->f->local && v->f->ncalls ? 16 : v->f->local) + v->local;
			if (v->f->need_local > MAX_LOCAL)
				v->f->need_local = MAX_LOCAL;
			v->f->mark = 2;
			depth--;
		}
	}
	free(stack);
	return circle;
}

int link_module(struct ptx_module *m, char *log, size_t log_size)
{
	int indirect = 0;
	if (!log)
		log_size = 0;
	for (uint32_t i = 0; i < m->nfunctions; i++) {
		struct ptx_function *f = m->functions[i];
		indirect |= f->calls_indirect;
		for (uint32_t k = 0; k < f->ncalls; k++) {
			struct call *c = &f->calls[k];
			if (c->target && !c->target->defined && !c->target->builtin) {
				snprintf(log, log_size, "softgpu: line %u: the function '%.80s' is declared but not defined", c->line,
				         c->target->name);
				return -1;
			}
			if (c->target && !call_fits(c, c->target)) {
				snprintf(log, log_size, "softgpu: line %u: the call does not fit '%.80s'", c->line, c->target->name);
				return -1;
			}
		}
	}
	int circle = sum_needs(m);
	if (circle < 0) {
		snprintf(log, log_size, "softgpu: out of memory");
		return -1;
	}
	/* A kernel's own shared variables come after the module's, where it may use those. In a circle of calls, or behind a
	 * function pointer, who uses them is not tracked. */
	for (uint32_t i = 0; i < m->nfunctions; i++) {
		struct ptx_function *f = m->functions[i];
		if (circle || indirect)
			f->uses_shared = 1;
		f->need_shared = f->uses_shared ? m->shared : 0;
		if (f->shared) {
			f->need_shared = (f->need_shared + 127) & ~127u;
			f->need_shared += f->shared;
		}
	}
	for (uint32_t i = 0; i < m->nrelocations; i++) {
		struct relocation *r = &m->relocations[i];
		if (r->target == INT32_MIN)
			r->function->constants[r->where] = r->function->need_shared - r->function->shared + (uint64_t)r->addend;
	}
	return 0;
}
