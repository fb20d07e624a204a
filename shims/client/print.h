// SPDX-License-Identifier: Apache-2.0
//
// What device code prints: see print.c.
#ifndef AXON_CLIENT_PRINT_H
#define AXON_CLIENT_PRINT_H

#include <stdatomic.h>
#include <stdint.h>

#include "session.h"

extern _Atomic uint32_t axc_printed; // output_news up to which all is printed

void axc_print_news(void);

// After a call that was waited for, and when its answer has been taken out of the lane.
static inline void axc_print(void)
{
	if (__builtin_expect(atomic_load_explicit(&axc.header->output_news, memory_order_acquire) !=
				     atomic_load_explicit(&axc_printed, memory_order_relaxed), 0))
		axc_print_news();
}

#endif
