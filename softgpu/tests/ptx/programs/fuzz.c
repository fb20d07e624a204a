/* SPDX-License-Identifier: Apache-2.0
 *
 * For libFuzzer: text from outside is loaded, and what loads is run for a moment. Nothing may crash, leak or hang. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "ptx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int stop;
static _Alignas(256) uint8_t memory[4096];

static void on_alarm(int signal)
{
	(void)signal;
	__atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
}

static int find(void *ctx, uint64_t address, struct ptx_range *out)
{
	(void)ctx;
	uint64_t start = (uint64_t)(uintptr_t)memory;
	if (address < start || address >= start + sizeof memory)
		return -1;
	*out = (struct ptx_range){start, start + sizeof memory, 1};
	return 0;
}

/* Any number is a texture: its bits say of what sort. */
static int texture(void *ctx, uint64_t handle, int surface, struct ptx_texture *t)
{
	(void)ctx;
	(void)surface;
	*t = (struct ptx_texture){
		.levels = {{(uint64_t)(uintptr_t)memory, 8, 4, 2, 64, 256}, {(uint64_t)(uintptr_t)memory, 4, 2, 1, 32, 64}},
		.level_count = 2, .texel = (enum ptx_texel)(handle % 3), .bytes = handle % 3 == 2 ? 4 : 1, .channels = 2,
		.as_float = handle >> 4 & 1, .normalised = handle >> 5 & 1, .linear = handle >> 6 & 1, .linear_levels = handle >> 7 & 1,
		.edges = {(enum ptx_edge)(handle >> 8 & 3), (enum ptx_edge)(handle >> 10 & 3), (enum ptx_edge)(handle >> 12 & 3)}, .most = 9,
	};
	return 0;
}

static void print(void *ctx, const char *bytes, size_t n)
{
	(void)ctx;
	for (size_t i = 0; i < n; i++)
		memory[0] ^= (uint8_t)bytes[i];
}

static void run(const struct ptx_function *f)
{
	static uint64_t params[4096];
	for (size_t i = 0; i < sizeof params / sizeof params[0]; i++)
		params[i] = (uint64_t)(uintptr_t)memory;
	struct ptx_launch l = {
		.entry = f, .params = params, .grid = {2, 1, 1}, .block = {33, 1, 1}, .dynamic_shared = 64, .stop = &stop,
		.find = find, .texture = texture, .print = print,
	};
	struct itimerval timer = {.it_value = {0, 20000}}, off = {{0, 0}, {0, 0}};
	struct ptx_fault fault;
	__atomic_store_n(&stop, 0, __ATOMIC_RELEASE);
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &timer, NULL);
	ptx_run(&l, &fault);
	setitimer(ITIMER_REAL, &off, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ptx_module *m;
	char log[200];
	if (ptx_load((const char *)data, size, &m, log, sizeof log)) {
		if (!log[0] || strlen(log) >= sizeof log)
			abort();
		return 0;
	}
	size_t total = 0, n = ptx_variable_count(m);
	struct ptx_variable v;
	void **all = calloc(n + 1, sizeof *all);
	for (size_t i = 0; i < n && !ptx_variable_at(m, i, &v); i++)
		total += v.size < 1 << 20 ? v.size : 1 << 20;
	int small = all && n < 1000 && total < 1 << 20;
	for (size_t i = 0; small && i < n; i++) {
		ptx_variable_at(m, i, &v);
		all[i] = aligned_alloc(4096, (v.size + 4096) / 4096 * 4096);
		small = all[i] && !ptx_bind(m, i, (uint64_t)(uintptr_t)all[i]);
	}
	if (small && !ptx_initialise(m))
		for (size_t i = 0; i < ptx_entry_count(m) && i < 4; i++)
			run(ptx_entry_at(m, i));
	for (size_t i = 0; all && i < n; i++)
		free(all[i]);
	free(all);
	ptx_unload(m);
	return 0;
}
