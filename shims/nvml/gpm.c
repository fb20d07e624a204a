// SPDX-License-Identifier: Apache-2.0
//
// nvmlGpmMetricsGet: figures over the time between two samples. The structure
// has room for every figure there is, and points to the library's texts; only
// what is asked for travels, texts and all.
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"

// The library's texts are valid for good: there is one copy of each.
struct kept {
	struct kept *next;
	char text[];
};

static char *keep(const char *text, size_t room)
{
	static _Atomic(struct kept *) first;
	size_t bytes = strnlen(text, room);
	struct kept *head = atomic_load_explicit(&first, memory_order_acquire);

	for (struct kept *k = head; k; k = k->next)
		if (strlen(k->text) == bytes && !memcmp(k->text, text, bytes))
			return k->text;
	struct kept *made = malloc(sizeof *made + bytes + 1);
	if (!made)
		return NULL;
	memcpy(made->text, text, bytes);
	made->text[bytes] = 0;
	made->next = head;
	// Two threads may keep the same text twice: that costs a copy, once.
	while (!atomic_compare_exchange_weak_explicit(&first, &made->next, made, memory_order_release, memory_order_relaxed))
		;
	return made->text;
}

AX_EXPORT nvmlReturn_t nvmlGpmMetricsGet(nvmlGpmMetricsGet_t *metricsGet)
{
	nvmlGpmMetricsGet_t *m = metricsGet;
	struct axc_call c;
	struct ax_in_axGpmMetricsGet *in;
	nvmlReturn_t r = axc_ready();

	if (r)
		return r;
	if (!m || m->numMetrics > sizeof m->metrics / sizeof *m->metrics)
		return NVML_ERROR_INVALID_ARGUMENT;
	size_t bytes = m->numMetrics * sizeof(axGpmFigure);
	if ((r = axc_begin(&c, AX_axGpmMetricsGet, sizeof *in, bytes)))
		return r;
	in = c.in;
	memset(in, 0, sizeof *in + bytes);
	in->version = m->version;
	in->sample1 = (uint64_t)(uintptr_t)m->sample1;
	in->sample2 = (uint64_t)(uintptr_t)m->sample2;
	in->count = m->numMetrics;
	for (unsigned i = 0; i < m->numMetrics; i++)
		((axGpmFigure *)c.data)[i].metricId = m->metrics[i].metricId;
	r = axc_wait(&c);
	if (r == NVML_SUCCESS && c.out_size != bytes)
		r = NVML_ERROR_UNKNOWN;
	for (unsigned i = 0; r == NVML_SUCCESS && i < m->numMetrics; i++) {
		const axGpmFigure *f = (const axGpmFigure *)c.out + i;
		nvmlGpmMetric_t *to = &m->metrics[i];
		to->nvmlReturn = f->nvmlReturn;
		to->value = f->value;
		to->metricInfo.shortName = keep(f->shortName, sizeof f->shortName);
		to->metricInfo.longName = keep(f->longName, sizeof f->longName);
		to->metricInfo.unit = keep(f->unit, sizeof f->unit);
	}
	axc_end(&c);
	return r;
}
