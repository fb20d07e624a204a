// SPDX-License-Identifier: Apache-2.0
//
// Names the client gives to objects (streams, events, modules...), so that
// making one needs no answer, and the records it keeps under names. A slot is
// used again with another generation: the name of an ended object stays dead.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "call.h"
#include "function.h"
#include "graph_node.h"
#include "name.h"

#define CHUNK 1024u
#define CHUNKS (AXR_NAME_SLOTS / CHUNK)
#define KINDS 256u
#define RETIRED 256u // records of ended objects that are still there

struct slot {
	_Atomic uint32_t generation;
	_Atomic uint32_t live;
	void *record;
	uint32_t next_free; // slot number plus one
};

// One for the names given here, one for those that the worker made up.
struct table {
	struct slot *_Atomic chunk[CHUNKS];
	uint32_t used;
	uint32_t free; // slot number plus one, 0 for none
};

static struct table *_Atomic tables[2][KINDS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct table *table_of(unsigned from_worker, unsigned kind, int make)
{
	if (kind >= KINDS)
		return NULL;
	struct table *t = atomic_load_explicit(&tables[from_worker][kind], memory_order_acquire);
	if (!t && make) {
		struct table *fresh = calloc(1, sizeof *fresh);
		if (fresh && !atomic_compare_exchange_strong(&tables[from_worker][kind], &t, fresh))
			free(fresh);
		else
			t = fresh;
	}
	return t;
}

static struct slot *slot_of(struct table *t, uint32_t i, int make)
{
	if (!t || i >= AXR_NAME_SLOTS)
		return NULL;
	struct slot *chunk = atomic_load_explicit(&t->chunk[i / CHUNK], memory_order_acquire);
	if (!chunk && make) {
		struct slot *fresh = calloc(CHUNK, sizeof *fresh);
		if (fresh && !atomic_compare_exchange_strong(&t->chunk[i / CHUNK], &chunk, fresh))
			free(fresh);
		else
			chunk = fresh;
	}
	return chunk ? chunk + i % CHUNK : NULL;
}

uint64_t axc_new(unsigned kind)
{
	struct table *t = table_of(0, kind, 1);
	struct slot *s = NULL;
	uint64_t name = 0;

	pthread_mutex_lock(&lock);
	uint32_t i = t ? t->free ? t->free - 1 : t->used : 0;
	if (t && (s = slot_of(t, i, 1))) {
		if (t->free)
			t->free = s->next_free;
		else
			t->used++;
		s->record = NULL;
		atomic_store_explicit(&s->live, 1, memory_order_release);
		name = axr_name(kind, 0, atomic_load(&s->generation), i);
	}
	pthread_mutex_unlock(&lock);
	return name;
}

// Under the lock: the record of an object that has ended. Another thread may be just looking at it, in a call that
// the program should not have made: it is freed when that is long over.
static void retire(unsigned kind, void *record)
{
	static struct {
		unsigned kind;
		void *record;
	} last[RETIRED];
	static unsigned next;

	if (!record)
		return;
	if (last[next].kind == AXH_CUgraphNode)
		axc_node_record_free(last[next].record);
	else if (last[next].record) // a function's or a kernel's
		axc_function_free(last[next].record);
	last[next].kind = kind;
	last[next].record = record;
	next = (next + 1) % RETIRED;
}

// A slot of the worker's that stands for another object than before: what is
// recorded was that one's.
static void renew(struct slot *s, unsigned kind, uint32_t generation)
{
	pthread_mutex_lock(&lock);
	if (atomic_load(&s->generation) != generation) {
		if (kind == AXH_CUfunction || kind == AXH_CUkernel || kind == AXH_CUgraphNode)
			retire(kind, s->record);
		s->record = NULL;
		atomic_store_explicit(&s->generation, generation, memory_order_release);
	}
	pthread_mutex_unlock(&lock);
}

// The live slot of a name, or NULL. What the worker named is taken as it comes.
static struct slot *live(unsigned kind, uint64_t name)
{
	if (!axr_name_is(name, kind))
		return NULL;
	unsigned from_worker = axr_name_from_worker(name);
	struct slot *s = slot_of(table_of(from_worker, kind, (int)from_worker), axr_name_slot(name), (int)from_worker);
	if (s && from_worker && atomic_load_explicit(&s->generation, memory_order_acquire) != axr_name_generation(name))
		renew(s, kind, axr_name_generation(name));
	if (!s || from_worker)
		return s;
	return atomic_load_explicit(&s->live, memory_order_acquire) &&
			       atomic_load_explicit(&s->generation, memory_order_relaxed) == axr_name_generation(name)
		       ? s
		       : NULL;
}

void axc_forget(unsigned kind, uint64_t name)
{
	struct slot *s = live(kind, name);
	pthread_mutex_lock(&lock);
	if (s && !axr_name_from_worker(name)) {
		struct table *t = table_of(0, kind, 0);
		atomic_store(&s->live, 0);
		atomic_store(&s->generation, (axr_name_generation(name) + 1) & (AXR_NAME_GENERATIONS - 1));
		s->record = NULL;
		s->next_free = t->free;
		t->free = axr_name_slot(name) + 1;
	} else if (s) {
		if (kind == AXH_CUgraphNode)
			retire(kind, s->record);
		s->record = NULL;
	}
	pthread_mutex_unlock(&lock);
}

int axc_check(unsigned kind, uint64_t name)
{
	return live(kind, name) ? 0 : -1;
}

void **axc_record(unsigned kind, uint64_t name)
{
	struct slot *s = live(kind, name);
	return s ? &s->record : NULL;
}
