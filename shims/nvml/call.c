// SPDX-License-Identifier: Apache-2.0
//
// A call: its packet, and what the answer is.
#include "call.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "channel.h"

nvmlReturn_t axc_begin(struct axc_call *c, uint32_t call, size_t fixed, size_t data)
{
	*c = (struct axc_call){ .request_bytes = sizeof(struct axn_head) + fixed + data };
	if (fixed > AXN_PACKET_MAX || data > AXN_PACKET_MAX || c->request_bytes > AXN_PACKET_MAX)
		return NVML_ERROR_INVALID_ARGUMENT;
	c->request = malloc(c->request_bytes);
	if (!c->request)
		return NVML_ERROR_MEMORY;
	struct axn_head h = { .call = call, .len = (uint32_t)(fixed + data) };
	memcpy(c->request, &h, sizeof h);
	c->in = c->request + sizeof h;
	c->data = c->request + sizeof h + fixed;
	return NVML_SUCCESS;
}

nvmlReturn_t axc_wait(struct axc_call *c)
{
	struct axn_head h;

	memcpy(&h, c->request, sizeof h);
	nvmlReturn_t r = axn_exchange(c->request, c->request_bytes, !axg_call_root[h.call], &c->answer);
	if (r)
		return r;
	memcpy(&h, c->answer, sizeof h);
	c->out = c->answer + sizeof h;
	c->out_size = h.len;
	return (nvmlReturn_t)h.call;
}

void axc_end(struct axc_call *c)
{
	free(c->request);
	free(c->answer);
}

nvmlReturn_t axc_refused(const char *symbol)
{
	axc_debug("%s is not supported by axon", symbol);
	return NVML_ERROR_NOT_SUPPORTED;
}

bool axc_debugging(void)
{
	const char *s = getenv("AXON_DEBUG");
	return s && *s && strcmp(s, "0");
}

void axc_debug(const char *format, ...)
{
	char line[512];
	va_list args;

	if (!axc_debugging())
		return;
	int n = snprintf(line, sizeof line, "axon: ");
	va_start(args, format);
	vsnprintf(line + n, sizeof line - (size_t)n - 1, format, args);
	va_end(args);
	strcat(line, "\n");
	fputs(line, stderr);
}
