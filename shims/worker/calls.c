// SPDX-License-Identifier: Apache-2.0
//
// The calls of this library: the generated tables, and what is added to them.
#include <stdlib.h>
#include <string.h>

#include "cuda_worker.h"
#include "print.h"
#include "start.h"

// Calls that may leave another context current than the one they were made in.
static int changes_context(const char *name)
{
	static const char *const prefix[] = { "cuCtxCreate", "cuCtxDestroy", "cuCtxAttach", "cuCtxDetach", "cuDevicePrimaryCtx",
					      "cuGreenCtx", "cuCtxFromGreenCtx" };
	for (size_t i = 0; i < sizeof prefix / sizeof *prefix; i++)
		if (!strncmp(name, prefix[i], strlen(prefix[i])))
			return 1;
	return 0;
}

int axw_calls_load(struct axw_session *s)
{
	uint8_t *flags = calloc(AX_COUNT, 1);
	if (!flags)
		return -1;
	for (unsigned i = 1; i < AX_COUNT; i++) {
		if (axg_call_answers[i])
			flags[i] |= AXW_HAS_OUTS;
		if (changes_context(axg_call_name[i]))
			flags[i] |= AXW_CHANGES_CONTEXT;
		if (axw_print_call(axg_call_name[i]))
			flags[i] |= AXW_PRINTS;
		if (axw_print_ends(axg_call_name[i]))
			flags[i] |= AXW_ENDS;
	}
	flags[AX_axOutput] |= AXW_KEEPS_ERRORS;
	flags[AX_axLogTake] |= AXW_KEEPS_ERRORS;
	s->calls = AX_COUNT;
	s->dispatch = axg_dispatch;
	s->call_names = axg_call_name;
	s->call_flags = flags;
	s->kinds = AXH_COUNT;
	s->kind_names = axg_kind_name;
	return 0;
}
