// SPDX-License-Identifier: Apache-2.0
//
// Figures over the time between two samples. Samples are their owner's, and
// each one call's alone: of calls that want two, one runs at a time.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "telemetry.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void text(char *to, size_t room, const char *from)
{
	snprintf(to, room, "%s", from ? from : "");
}

static nvmlReturn_t get(struct axw_call *w, const struct ax_in_axGpmMetricsGet *in, nvmlGpmMetricsGet_t *m, axGpmFigure *figures)
{
	nvmlReturn_t r = axg_get_nvmlGpmSample_t(w->s, in->sample1, &m->sample1);

	m->sample2 = m->sample1;
	if (!r && in->sample2 != in->sample1) // it is held already
		r = axg_get_nvmlGpmSample_t(w->s, in->sample2, &m->sample2);
	if (r)
		return r;
	m->version = in->version;
	m->numMetrics = in->count;
	for (uint32_t i = 0; i < in->count; i++)
		m->metrics[i].metricId = figures[i].metricId;
	if ((r = axg_vendor.nvmlGpmMetricsGet(m)))
		return r;
	for (uint32_t i = 0; i < in->count; i++) {
		figures[i].nvmlReturn = m->metrics[i].nvmlReturn;
		figures[i].value = m->metrics[i].value;
		text(figures[i].shortName, sizeof figures[i].shortName, m->metrics[i].metricInfo.shortName);
		text(figures[i].longName, sizeof figures[i].longName, m->metrics[i].metricInfo.longName);
		text(figures[i].unit, sizeof figures[i].unit, m->metrics[i].metricInfo.unit);
	}
	memcpy(w->out, figures, in->count * sizeof *figures);
	w->out_size = in->count * sizeof *figures;
	return NVML_SUCCESS;
}

nvmlReturn_t axw_axGpmMetricsGet(struct axw_call *w)
{
	struct ax_in_axGpmMetricsGet in;
	struct axg_take t;
	nvmlReturn_t r = NVML_ERROR_MEMORY;

	if (!axg_vendor.nvmlGpmMetricsGet)
		return NVML_ERROR_FUNCTION_NOT_FOUND;
	memcpy(&in, w->in, sizeof in);
	if (in.version != 1 || in.count > sizeof(((nvmlGpmMetricsGet_t *)0)->metrics) / sizeof(nvmlGpmMetric_t))
		return NVML_ERROR_INVALID_ARGUMENT;
	axg_take_open(&t, w);
	axGpmFigure *figures = axg_take(&t, in.count, sizeof *figures);
	nvmlGpmMetricsGet_t *m = calloc(1, sizeof *m);
	if (!figures) {
		r = NVML_ERROR_INVALID_ARGUMENT;
	} else if (m) {
		pthread_mutex_lock(&lock);
		r = get(w, &in, m, figures);
		axt_release(w->s);
		pthread_mutex_unlock(&lock);
	}
	free(m);
	axg_take_close(&t);
	return r;
}
