/* SPDX-License-Identifier: Apache-2.0
 *
 * A call's way to the function that answers it.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "plain.h"

#include "../nvml.h"

static void add(const struct plain_function *f)
{
	for (; f->name; f++)
		for (size_t i = 0; i < AXG_SYMBOLS; i++)
			if (!strcmp(axg_symbols[i].name, f->name))
				memcpy((char *)&axg_vendor + axg_symbols[i].offset, &f->function, sizeof f->function);
}

static void fill(void)
{
	add(plain_system);
	add(plain_device);
	add(plain_memory);
	add(plain_lists);
	add(plain_events);
	add(plain_attributes);
}

nvmlReturn_t plain_text(char *to, unsigned length, const char *text)
{
	if (length <= strlen(text))
		return NVML_ERROR_INSUFFICIENT_SIZE;
	snprintf(to, length, "%s", text);
	return NVML_SUCCESS;
}

int axw_get(struct axw_session *s, unsigned kind, uint64_t name, void **handle)
{
	(void)s;
	*handle = (void *)(uintptr_t)name;
	switch (kind) {
	case AXH_nvmlDevice_t: return plain_index(*handle) < 0 ? -1 : 0;
	case AXH_nvmlEventSet_t: return plain_set(name) ? 0 : -1;
	}
	return -1; /* it has no such thing */
}

void axw_del(struct axw_session *s, unsigned kind, uint64_t name) { (void)s, (void)kind, (void)name; }

uint64_t axw_name(struct axw_session *s, unsigned kind, void *handle)
{
	(void)s, (void)kind;
	return (uint64_t)(uintptr_t)handle;
}

nvmlReturn_t plain_call(uint32_t call, const uint8_t *in, size_t in_bytes, uint8_t *out, size_t room, size_t *out_bytes)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	size_t fixed = axg_call_fixed[call];

	pthread_once(&once, fill);
	struct axw_call w = {
		.in = in, .in_size = fixed, .data = in + fixed, .data_size = in_bytes - fixed, .out = out, .out_max = room,
	};
	nvmlReturn_t r = axg_dispatch[call](&w);
	*out_bytes = w.out_size;
	/* What the generated half says of a function that is not here. A GPU that has all functions says this. */
	return r == NVML_ERROR_FUNCTION_NOT_FOUND ? NVML_ERROR_NOT_SUPPORTED : r;
}
