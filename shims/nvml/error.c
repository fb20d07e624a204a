// SPDX-License-Identifier: Apache-2.0
//
// The names of results, which need no driver. Programs print them, and scripts look for them.
#include "call.h"
#include "nvml_client.h"

AX_EXPORT const char *nvmlErrorString(nvmlReturn_t result)
{
	const char *text = axg_text_nvmlReturn_t(result);
	return text ? text : "Unknown Error";
}
