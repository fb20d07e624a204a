/* SPDX-License-Identifier: Apache-2.0
 *
 * The device and the case reports of the interpreter's test programs. */
#include "bench.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char current[128];
static int failures, reported;

static void end_case(void)
{
	if (*current && !reported)
		printf("ok %s\n", current);
	fflush(stdout);
}

void begin(const char *name)
{
	end_case();
	snprintf(current, sizeof current, "%s", name);
	reported = 0;
}

void check(int condition, const char *format, ...)
{
	if (condition)
		return;
	failures++;
	if (reported++ > 3)
		return;
	printf("FAIL %s: ", current);
	va_list ap;
	va_start(ap, format);
	vprintf(format, ap);
	va_end(ap);
	printf("\n");
	fflush(stdout);
}

int finish(void)
{
	end_case();
	return failures ? 1 : 0;
}

static void *add_range(struct device *d, size_t bytes, int writable)
{
	/* One page apart from others, so that an access past the end is in no range. */
	char *m = aligned_alloc(4096, (bytes + 4095 + 4096) / 4096 * 4096);
	if (!m || d->n == 64) {
		printf("FAIL %s: out of memory\n", current);
		exit(1);
	}
	memset(m, 0, bytes);
	d->ranges[d->n++] = (struct ptx_range){(uint64_t)(uintptr_t)m, (uint64_t)(uintptr_t)m + bytes, writable};
	return m;
}

void *device_memory(struct device *d, size_t bytes) { return add_range(d, bytes, 1); }
void *device_read_only(struct device *d, size_t bytes) { return add_range(d, bytes, 0); }

static int find(void *ctx, uint64_t address, struct ptx_range *out)
{
	struct device *d = ctx;
	for (int i = 0; i < d->n; i++) {
		if (address >= d->ranges[i].start && address < d->ranges[i].end) {
			*out = d->ranges[i];
			return 0;
		}
	}
	return -1;
}

static void print(void *ctx, const char *bytes, size_t n)
{
	struct device *d = ctx;
	if (n > sizeof d->printed - 1 - d->nprinted)
		n = sizeof d->printed - 1 - d->nprinted;
	memcpy(d->printed + d->nprinted, bytes, n);
	d->nprinted += n;
	d->printed[d->nprinted] = 0;
}

void device_open(struct device *d, const char *text, size_t len)
{
	char log[512];
	memset(d, 0, sizeof *d);
	if (ptx_load(text, len, &d->module, log, sizeof log)) {
		printf("FAIL %s: %s\n", current, log);
		exit(1);
	}
	for (size_t i = 0; i < ptx_variable_count(d->module); i++) {
		struct ptx_variable v;
		ptx_variable_at(d->module, i, &v);
		ptx_bind(d->module, i, (uint64_t)(uintptr_t)device_memory(d, v.size ? v.size : 1));
	}
	if (ptx_initialise(d->module)) {
		printf("FAIL %s: variables\n", current);
		exit(1);
	}
}

void device_open_file(struct device *d, const char *path)
{
	FILE *f = fopen(path, "rb");
	static char text[1 << 22];
	if (!f) {
		printf("FAIL %s: no file %s\n", current, path);
		exit(1);
	}
	size_t n = fread(text, 1, sizeof text, f);
	fclose(f);
	device_open(d, text, n);
}

void device_close(struct device *d)
{
	for (int i = 0; i < d->n; i++)
		free((void *)(uintptr_t)d->ranges[i].start);
	ptx_unload(d->module);
	memset(d, 0, sizeof *d);
}

void *device_variable(struct device *d, const char *name)
{
	struct ptx_variable v;
	for (size_t i = 0; !ptx_variable_at(d->module, i, &v); i++)
		if (!strcmp(v.name, name))
			return (void *)(uintptr_t)d->ranges[i].start; /* bound first, in order */
	return NULL;
}

uint64_t f32(float f) { uint32_t b; memcpy(&b, &f, 4); return b; }
uint64_t f64(double f) { uint64_t b; memcpy(&b, &f, 8); return b; }
uint64_t ptr(const void *p) { return (uint64_t)(uintptr_t)p; }

int has_kernel(const struct device *d, const char *kernel) { return ptx_entry(d->module, kernel) != NULL; }

int launch_bytes(struct device *d, const char *kernel, const uint32_t grid[3], const uint32_t block[3], const void *params)
{
	struct ptx_launch l = {
		.entry = ptx_entry(d->module, kernel), .params = params, .find = find, .print = print, .ctx = d,
		.resident = d->resident, .dynamic_shared = d->dynamic_shared, .stack = d->stack, .stop = d->stop,
	};
	memcpy(l.grid, grid, sizeof l.grid);
	memcpy(l.block, block, sizeof l.block);
	if (!l.entry) {
		snprintf(d->fault.message, sizeof d->fault.message, "no kernel %s", kernel);
		return -1;
	}
	return ptx_run(&l, &d->fault);
}

int launch(struct device *d, const char *kernel, unsigned grid, unsigned block, ...)
{
	const struct ptx_function *f = ptx_entry(d->module, kernel);
	unsigned char params[4096] = {0};
	va_list ap;
	va_start(ap, block);
	for (size_t i = 0; f && i < ptx_param_count(f); i++) {
		size_t offset, size;
		ptx_param(f, i, &offset, &size);
		uint64_t v = va_arg(ap, uint64_t);
		memcpy(params + offset, &v, size > 8 ? 8 : size);
	}
	va_end(ap);
	uint32_t g[3] = {grid, 1, 1}, b[3] = {block, 1, 1};
	return launch_bytes(d, kernel, g, b, params);
}
