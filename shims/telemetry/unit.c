// SPDX-License-Identifier: Apache-2.0
//
// Units, the chassis of old S-class systems: a handle is 1 + the index.
#include "handles.h"

#define UNITS 64u

nvmlUnit_t axt_unit(uint64_t name)
{
	nvmlUnit_t u = NULL;

	if (!name || name > UNITS || !axg_vendor.nvmlUnitGetHandleByIndex ||
	    axg_vendor.nvmlUnitGetHandleByIndex((unsigned)name - 1, &u))
		return NULL;
	return u;
}

uint64_t axt_unit_name(nvmlUnit_t u)
{
	for (uint64_t name = 1; name <= UNITS; name++) {
		nvmlUnit_t other = axt_unit(name);
		if (!other)
			break;
		if (other == u)
			return name;
	}
	return 0;
}
