// SPDX-License-Identifier: Apache-2.0
//
// Counts by call number for what crosses, by name for what is answered here.
#include "stats.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "call.h"

#define CALLS 1024u
#define NAMES 256u

bool axc_stats_on;

struct count {
	const char *name;
	_Atomic uint64_t posted, waited, here, post_ns, wait_ns;
};

static struct count crossing[CALLS];
static struct count here[NAMES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t all(const struct count *c)
{
	return c->posted + c->waited + c->here;
}

static int by_time(const void *a, const void *b)
{
	const struct count *x = a, *y = b;
	uint64_t s = x->wait_ns + x->post_ns, t = y->wait_ns + y->post_ns;
	if (s != t)
		return s < t ? 1 : -1;
	return (all(x) < all(y)) - (all(x) > all(y));
}

static void print(void)
{
	static struct count rows[CALLS + NAMES];
	struct count sum = {.name = "all"};
	size_t n = 0;

	for (size_t i = 0; i < CALLS; i++)
		if (all(&crossing[i])) {
			rows[n] = crossing[i];
			rows[n++].name = axg_call_name[i];
		}
	for (size_t i = 0; i < NAMES && here[i].name; i++)
		rows[n++] = here[i];
	qsort(rows, n, sizeof *rows, by_time);
	fprintf(stderr, "axon: calls of process %d\n%12s %10s %10s %12s %12s  %s\n", (int)getpid(), "here", "posted", "waited",
		"post us", "wait us", "name");
	for (size_t i = 0; i <= n; i++) {
		struct count *c = i < n ? &rows[i] : &sum;
		fprintf(stderr, "%12llu %10llu %10llu %12.1f %12.1f  %s\n", (unsigned long long)c->here,
			(unsigned long long)c->posted, (unsigned long long)c->waited, (double)c->post_ns / 1e3,
			(double)c->wait_ns / 1e3, c->name);
		sum.here += c->here;
		sum.posted += c->posted;
		sum.waited += c->waited;
		sum.post_ns += c->post_ns;
		sum.wait_ns += c->wait_ns;
	}
}

void axc_stats_start(void)
{
	const char *value = getenv("AXON_STATS");
	if (!axc_stats_on && value && *value && strcmp(value, "0")) {
		axc_stats_on = true;
		atexit(print);
	}
}

void axc_stats_posted(uint32_t call, uint64_t ns)
{
	if (call < CALLS) {
		atomic_fetch_add_explicit(&crossing[call].posted, 1, memory_order_relaxed);
		atomic_fetch_add_explicit(&crossing[call].post_ns, ns, memory_order_relaxed);
	}
}

void axc_stats_waited(uint32_t call, uint64_t ns)
{
	if (call < CALLS) {
		atomic_fetch_add_explicit(&crossing[call].waited, 1, memory_order_relaxed);
		atomic_fetch_add_explicit(&crossing[call].wait_ns, ns, memory_order_relaxed);
	}
}

void axc_stats_here(const char *name)
{
	for (size_t i = 0; i < NAMES; i++) {
		if (!here[i].name) {
			pthread_mutex_lock(&lock);
			if (!here[i].name)
				here[i].name = name;
			pthread_mutex_unlock(&lock);
		}
		if (here[i].name == name) {
			atomic_fetch_add_explicit(&here[i].here, 1, memory_order_relaxed);
			return;
		}
	}
}
