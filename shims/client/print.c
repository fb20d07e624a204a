// SPDX-License-Identifier: Apache-2.0
//
// What device code prints (printf, assert). A driver in this process would
// print it through this process's stdio, when the program waits for the
// device; the worker's bytes go the same way, so that they keep their order
// with what the program prints itself.
#include "print.h"

#include <pthread.h>
#include <stdio.h>

#include "call.h"
#include "logs.h"

_Atomic uint32_t axc_printed;
static pthread_mutex_t printing = PTHREAD_MUTEX_INITIALIZER;

static void take(uint32_t i, FILE *to)
{
	struct axr_header *h = axc.header;
	const uint8_t *bytes = axr_output_at(axc.region, i);
	uint32_t head = atomic_load_explicit(&h->output_head[i], memory_order_relaxed);
	uint32_t tail = atomic_load_explicit(&h->output_tail[i], memory_order_acquire);

	while (head != tail) {
		uint32_t at = head % AXR_OUTPUT_SIZE, n = tail - head;
		if (n > AXR_OUTPUT_SIZE - at)
			n = AXR_OUTPUT_SIZE - at;
		fwrite(bytes + at, 1, n, to);
		head += n;
	}
	atomic_store_explicit(&h->output_head[i], head, memory_order_release);
}

// The worker moves what had no room before; nothing else happens in this call.
static bool move_more(void)
{
	struct axc_call call;
	CUresult r = axc_begin(&call, AX_axOutput, 0, 0);
	return !r && !axc_wait(&call); // without axc_end, which would come here again
}

void axc_print_news(void)
{
	struct axr_header *h = axc.header;
	bool more;

	// Another thread may be at it: its bytes are printed when this returns.
	pthread_mutex_lock(&printing);
	do {
		uint32_t news = atomic_load_explicit(&h->output_news, memory_order_acquire);
		more = atomic_load_explicit(&h->output_more, memory_order_relaxed);
		take(0, stdout);
		take(1, stderr);
		atomic_store_explicit(&axc_printed, news, memory_order_relaxed);
	} while (more && move_more());
	pthread_mutex_unlock(&printing);
	axc_logs_news();
}

// What a call that nobody waited for has brought.
__attribute__((destructor)) static void at_exit(void)
{
	if (axc_state() == AXC_OPEN && !pthread_mutex_trylock(&printing)) {
		take(0, stdout);
		take(1, stderr);
		pthread_mutex_unlock(&printing);
	}
}
