/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that the device's runtime provides: vprintf and __assertfail. Format and arguments are read through the
 * same checks as any access of the kernel. */
#include <stdio.h>
#include <string.h>

#include "run.h"

enum { MOST_TEXT = 4096, MOST_OUTPUT = 64 << 10 };

struct output {
	char text[1024];
	size_t n, total;
	struct run *run;
};

static void flush_output(struct output *o)
{
	if (o->n && o->run->launch->print)
		o->run->launch->print(o->run->launch->ctx, o->text, o->n);
	o->n = 0;
}

static void put(struct output *o, const char *s, size_t n)
{
	for (; n; n--, s++) {
		if (o->total++ >= MOST_OUTPUT)
			return;
		o->text[o->n++] = *s;
		if (o->n == sizeof o->text)
			flush_output(o);
	}
}

/* A string of the kernel's, cut at `size` - 1 bytes. */
static int read_string(struct run *r, const struct block *b, const struct thread *t, const struct insn *i, uint64_t at,
                       char *to, size_t size)
{
	size_t n = 0;
	for (; n + 1 < size; n++) {
		const uint8_t *p = resolve(r, b, t, i, S_GENERIC, at + n, 1, 0);
		if (!p)
			return -1;
		to[n] = (char)*p;
		if (!to[n])
			break;
	}
	to[n] = 0;
	return 0;
}

static int read_value(struct run *r, const struct block *b, const struct thread *t, const struct insn *i, uint64_t *at,
                      unsigned n, uint64_t *v)
{
	*at = (*at + n - 1) & ~(uint64_t)(n - 1);
	const uint8_t *p = resolve(r, b, t, i, S_GENERIC, *at, n, 0);
	if (!p)
		return -1;
	*v = 0;
	memcpy(v, p, n);
	*at += n;
	return 0;
}

/* One conversion, from '%' on; its text goes to snprintf after every part of it has been checked. */
static int conversion(struct run *r, const struct block *b, const struct thread *t, const struct insn *i, const char **at,
                      uint64_t *args, struct output *o)
{
	const char *f = *at + 1;
	char spec[40] = "%", out[512];
	size_t n = 1;
	int longs = 0;
	uint64_t v;
	while (*f && strchr("-+ #0", *f) && n < 7)
		spec[n++] = *f++;
	for (int precision = 0; precision < 2; precision++) {
		int number = -1;
		if (precision) {
			if (*f != '.')
				break;
			spec[n++] = *f++;
			number = 0;
		}
		if (*f == '*') {
			if (read_value(r, b, t, i, args, 4, &v))
				return -1;
			number = (int32_t)v;
			f++;
		} else {
			while (*f >= '0' && *f <= '9') {
				number = (number < 0 ? 0 : number) * 10 + (*f++ - '0');
				if (number > 400)
					number = 400;
			}
		}
		if (number > 400 || number < -400)
			number = 400;
		if (number >= 0 || (number < 0 && f[-1] == '*'))
			n += (size_t)snprintf(spec + n, sizeof spec - n, "%d", number);
	}
	while (*f && strchr("hlLzjt", *f)) {
		longs += *f == 'l' || *f == 'z' || *f == 'j' || *f == 't';
		f++;
	}
	char c = *f;
	if (c)
		f++;
	int len = 0;
	switch (c) {
	case 'd': case 'i': case 'u': case 'o': case 'x': case 'X': {
		if (read_value(r, b, t, i, args, longs ? 8 : 4, &v))
			return -1;
		if (!longs && (c == 'd' || c == 'i'))
			v = (uint64_t)(int64_t)(int32_t)v;
		snprintf(spec + n, sizeof spec - n, "ll%c", c);
		len = snprintf(out, sizeof out, spec, (long long)v);
		break;
	}
	case 'c':
		if (read_value(r, b, t, i, args, 4, &v))
			return -1;
		snprintf(spec + n, sizeof spec - n, "c");
		len = snprintf(out, sizeof out, spec, (int)(v & 255));
		break;
	case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A': {
		double d;
		if (read_value(r, b, t, i, args, 8, &v))
			return -1;
		memcpy(&d, &v, 8);
		snprintf(spec + n, sizeof spec - n, "%c", c);
		char wide[1024];
		len = snprintf(wide, sizeof wide, spec, d);
		put(o, wide, (size_t)len < sizeof wide ? (size_t)len : sizeof wide - 1);
		*at = f;
		return 0;
	}
	case 'p':
		if (read_value(r, b, t, i, args, 8, &v))
			return -1;
		len = snprintf(out, sizeof out, "0x%llx", (unsigned long long)v);
		break;
	case 's': {
		char text[MOST_TEXT], wide[MOST_TEXT + 512];
		if (read_value(r, b, t, i, args, 8, &v) || read_string(r, b, t, i, v, text, sizeof text))
			return -1;
		snprintf(spec + n, sizeof spec - n, "s");
		len = snprintf(wide, sizeof wide, spec, text);
		put(o, wide, (size_t)len < sizeof wide ? (size_t)len : sizeof wide - 1);
		*at = f;
		return 0;
	}
	case '%':
		put(o, "%", 1);
		*at = f;
		return 0;
	default: /* not a conversion: printed as it stands */
		put(o, *at, (size_t)(f - *at));
		*at = f;
		return 0;
	}
	if (len > 0)
		put(o, out, (size_t)len < sizeof out ? (size_t)len : sizeof out - 1);
	*at = f;
	return 0;
}

static int print_format(struct run *r, const struct block *b, const struct thread *t, const struct insn *i, uint64_t format,
                        uint64_t args)
{
	char text[MOST_TEXT];
	struct output o = {.run = r};
	if (read_string(r, b, t, i, format, text, sizeof text))
		return -1;
	for (const char *f = text; *f;) {
		size_t plain = strcspn(f, "%");
		put(&o, f, plain);
		f += plain;
		if (*f && conversion(r, b, t, i, &f, &args, &o))
			return -1;
	}
	flush_output(&o);
	return 0;
}

static int assertion(struct run *r, const struct block *b, const struct thread *t, const struct insn *i,
                     const uint64_t v[5])
{
	char what[80], file[80], function[80];
	if (read_string(r, b, t, i, v[0], what, sizeof what) || read_string(r, b, t, i, v[1], file, sizeof file) ||
	    read_string(r, b, t, i, v[3], function, sizeof function))
		return -1;
	set_fault(r, b, t, PTX_FAULT_ASSERT, 0, i);
	/* The driver prints it, to standard error: that is where an assertion's message goes. */
	if (snprintf(r->fault.message, sizeof r->fault.message,
	                 "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.", file, (unsigned)v[2],
	                 function, b->id[0], b->id[1], b->id[2], t->tid[0], t->tid[1], t->tid[2], what) < 0)
		r->fault.message[0] = 0;
	return -1;
}

int call_builtin(struct run *r, struct block *b, struct thread *t, const struct call *c,
                 const struct ptx_function *f, const struct insn *i)
{
	uint64_t v[5] = {0};
	const uint64_t *regs = t->stack + t->base;
	for (uint32_t k = 0; k < c->nargs && k < 5; k++) {
		const struct actual *a = &c->args[k];
		if (a->in_register)
			v[k] = (a->ref & 1 ? t->f->constants : regs)[a->ref >> 1];
		else
			memcpy(&v[k], t->local + t->local_base + a->offset, a->size > 8 ? 8 : a->size);
	}
	if (f->builtin == BUILTIN_ASSERTFAIL)
		return assertion(r, b, t, i, v);
	if (f->builtin == BUILTIN_SET_CONDITIONAL) {
		if (r->launch->set_conditional)
			r->launch->set_conditional(r->launch->ctx, v[0], (uint32_t)v[1]);
		return 0;
	}
	if (print_format(r, b, t, i, v[0], v[1]))
		return -1;
	for (uint32_t k = 0; k < c->nresults; k++) {
		const struct actual *a = &c->results[k];
		if (a->in_register)
			t->stack[t->base + a->ref] = 0;
		else
			memset(t->local + t->local_base + a->offset, 0, a->size);
	}
	return 0;
}
