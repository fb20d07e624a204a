// SPDX-License-Identifier: Apache-2.0
//
// Handles: what a client's names stand for. Two tables a kind of object: for
// objects that the client named, and for those that were found here first
// (the result of a query). A name has the slot and its generation (name.h), so
// a look-up is an index and a comparison, a forged name finds nothing, and the
// name of an ended object stays dead until its slot has been used 2047 times. A
// slot of a name that was made up here is used again when RESTING others have
// ended after it: a program that makes and ends objects for ever goes round in
// as many slots, and so does what its client records by them.
//
// Looking up takes no lock. Changes, and the way back from a handle to its name
// (a hash), are under one mutex: objects are made seldom, used often.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "cuda_calls.h"
#include "name.h"
#include "parent.h"
#include "session.h"
#include "trace.h"

#define KINDS 256
#define RESTING 1024 // slots
#define USED 0x80000000u // in a tag, beside the generation

struct slot {
	_Atomic uint64_t handle;
	_Atomic uint32_t tag; // USED | generation, or 0
};

struct reverse {
	void *handle; // NULL: empty, or ended if name is not 0
	uint64_t name;
};

struct axw_handles {
	struct slot *_Atomic table[KINDS][2]; // AXR_NAME_SLOTS each, reserved when the first is put
	pthread_mutex_t lock;
	// Under the lock.
	uint32_t next[KINDS];       // worker-named: lowest slot never used
	uint32_t *ended[KINDS];     // worker-named: slots of ended objects, a ring, the longest ended first
	uint32_t ended_first[KINDS], ended_count[KINDS], ended_room[KINDS];
	uint16_t *generation[KINDS]; // worker-named: of each slot's last name
	uint64_t *parent[KINDS];     // worker-named, of kinds that have one (parent.c): the name of what it belongs to, or 0
	struct reverse *hash;
	uint32_t hash_size, hash_used; // size is a power of two; used counts ended entries
};

struct axw_handles *axw_handles_new(void)
{
	struct axw_handles *h = calloc(1, sizeof *h);
	if (h && pthread_mutex_init(&h->lock, NULL)) {
		free(h);
		h = NULL;
	}
	return h;
}

static void *reserve(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return p == MAP_FAILED ? NULL : p;
}

static struct slot *slots(struct axw_handles *h, unsigned kind, unsigned from_worker)
{
	return atomic_load_explicit(&h->table[kind][from_worker], memory_order_acquire);
}

// Under the lock.
static struct slot *slots_made(struct axw_handles *h, unsigned kind, unsigned from_worker)
{
	struct slot *t = slots(h, kind, from_worker);
	if (!t) {
		t = reserve(AXR_NAME_SLOTS * sizeof *t);
		atomic_store_explicit(&h->table[kind][from_worker], t, memory_order_release);
	}
	return t;
}

static int look_up(struct axw_handles *h, unsigned kind, uint64_t name, void **handle)
{
	// A kernel goes for a function everywhere: cudart passes a CUkernel where
	// the prototype says CUfunction, and the vendor's driver takes it.
	if (kind == AXH_CUfunction && axr_name_is(name, AXH_CUkernel))
		kind = AXH_CUkernel;
	if (kind >= KINDS || !axr_name_is(name, kind))
		return -1;
	struct slot *t = slots(h, kind, axr_name_from_worker(name));
	if (!t)
		return -1;
	t += axr_name_slot(name);
	uint32_t want = USED | axr_name_generation(name);
	if (atomic_load_explicit(&t->tag, memory_order_acquire) != want)
		return -1;
	uint64_t value = atomic_load_explicit(&t->handle, memory_order_acquire);
	// The slot may have been given away in between: fill() takes the tag off first.
	if (atomic_load_explicit(&t->tag, memory_order_relaxed) != want)
		return -1;
	*handle = (void *)(uintptr_t)value;
	return 0;
}

int axw_get(struct axw_session *s, unsigned kind, uint64_t name, void **handle)
{
	*handle = NULL;
	if (name == 0)
		return 0;
	int r = look_up(s->handles, kind, name, handle);
	if (r < 0)
		axw_trace_missed(kind, name);
	return r;
}

static uint32_t spot(const struct axw_handles *h, unsigned kind, const void *handle)
{
	uint64_t x = ((uint64_t)(uintptr_t)handle ^ (uint64_t)kind << 56) * 0x9e3779b97f4a7c15ull;
	return (uint32_t)(x >> 32) & (h->hash_size - 1);
}

static unsigned kind_of(uint64_t name) { return (unsigned)(name >> 36) & 0xff; }

// The entry of a handle, or NULL. Under the lock.
static struct reverse *find(struct axw_handles *h, unsigned kind, const void *handle)
{
	if (!h->hash_size)
		return NULL;
	for (uint32_t i = spot(h, kind, handle);; i = (i + 1) & (h->hash_size - 1)) {
		struct reverse *r = &h->hash[i];
		if (!r->handle && !r->name)
			return NULL;
		if (r->handle == handle && kind_of(r->name) == kind)
			return r;
	}
}

// Under the lock. 0 or -1.
static int remember(struct axw_handles *h, unsigned kind, void *handle, uint64_t name)
{
	struct reverse *r = find(h, kind, handle);
	if (r) {
		r->name = name; // the library made a new object where an old one was
		return 0;
	}
	if (h->hash_used + 1 > h->hash_size / 2) {
		struct axw_handles bigger = { .hash_size = 1024 };
		uint32_t live = 0;
		for (uint32_t i = 0; i < h->hash_size; i++)
			live += h->hash[i].handle != NULL;
		while (bigger.hash_size < live * 4 + 4)
			bigger.hash_size *= 2;
		bigger.hash = calloc(bigger.hash_size, sizeof *bigger.hash);
		if (!bigger.hash)
			return -1;
		for (uint32_t i = 0; i < h->hash_size; i++) {
			struct reverse *old = &h->hash[i];
			if (!old->handle)
				continue;
			uint32_t j = spot(&bigger, kind_of(old->name), old->handle);
			while (bigger.hash[j].handle)
				j = (j + 1) & (bigger.hash_size - 1);
			bigger.hash[j] = *old;
		}
		free(h->hash);
		h->hash = bigger.hash;
		h->hash_size = bigger.hash_size;
		h->hash_used = live;
	}
	uint32_t i = spot(h, kind, handle);
	while (h->hash[i].handle || h->hash[i].name)
		i = (i + 1) & (h->hash_size - 1);
	h->hash[i] = (struct reverse){ handle, name };
	h->hash_used++;
	return 0;
}

static void fill(struct slot *t, uint32_t tag, void *handle)
{
	// In this order, for axw_get: no tag, another handle, the new tag.
	atomic_store_explicit(&t->tag, 0, memory_order_relaxed);
	atomic_store_explicit(&t->handle, (uint64_t)(uintptr_t)handle, memory_order_release);
	atomic_store_explicit(&t->tag, tag, memory_order_release);
}

// The slot's object has ended. Under the lock.
static void forget(struct axw_handles *h, unsigned kind, struct slot *t, uint64_t name)
{
	void *handle = (void *)(uintptr_t)atomic_load_explicit(&t->handle, memory_order_relaxed);
	struct reverse *r = find(h, kind, handle);

	atomic_store_explicit(&t->tag, 0, memory_order_release);
	if (r && r->name == name)
		r->handle = NULL; // the name stays, so that searches go on past here
}

int axw_put(struct axw_session *s, unsigned kind, uint64_t name, void *handle)
{
	struct axw_handles *h = s->handles;
	int result = -1;

	if (kind >= KINDS || !axr_name_is(name, kind) || axr_name_from_worker(name) || !handle)
		return -1;
	pthread_mutex_lock(&h->lock);
	struct slot *t = slots_made(h, kind, 0);
	if (t) {
		t += axr_name_slot(name);
		uint32_t old = atomic_load_explicit(&t->tag, memory_order_relaxed);
		uint32_t tag = USED | axr_name_generation(name);
		// A slot whose object ended with another one (a function with its module) is the client's to use again.
		if (old && old != tag)
			forget(h, kind, t, axr_name(kind, 0, old & ~USED, axr_name_slot(name)));
		if (old == tag) // a primary context keeps its name however often it is retained
			result = atomic_load_explicit(&t->handle, memory_order_relaxed) == (uint64_t)(uintptr_t)handle ? 0 : -1;
		else if (!remember(h, kind, handle, name)) {
			fill(t, tag, handle);
			result = 0;
		}
	}
	pthread_mutex_unlock(&h->lock);
	return result;
}

// Under the lock: a free slot for a name made up here, or -1.
static int64_t slot_taken(struct axw_handles *h, unsigned kind)
{
	if (!h->generation[kind])
		h->generation[kind] = reserve(AXR_NAME_SLOTS * sizeof *h->generation[kind]);
	if (axw_parent_kind(kind) && !h->parent[kind])
		h->parent[kind] = reserve(AXR_NAME_SLOTS * sizeof *h->parent[kind]);
	if (!h->generation[kind] || (axw_parent_kind(kind) && !h->parent[kind]))
		return -1;
	if (h->ended_count[kind] <= RESTING && h->next[kind] < AXR_NAME_SLOTS)
		return h->next[kind]++;
	if (!h->ended_count[kind])
		return -1;
	uint32_t slot = h->ended[kind][h->ended_first[kind]];
	h->ended_first[kind] = (h->ended_first[kind] + 1) % h->ended_room[kind];
	h->ended_count[kind]--;
	return slot;
}

// Under the lock.
static void slot_returned(struct axw_handles *h, unsigned kind, uint32_t slot)
{
	if (h->ended_count[kind] == h->ended_room[kind]) {
		uint32_t room = h->ended_room[kind] ? 2 * h->ended_room[kind] : 64;
		uint32_t *bigger = malloc(room * sizeof *bigger);
		if (!bigger)
			return; // the slot is lost: there are a million
		for (uint32_t i = 0; i < h->ended_count[kind]; i++)
			bigger[i] = h->ended[kind][(h->ended_first[kind] + i) % h->ended_room[kind]];
		free(h->ended[kind]);
		h->ended[kind] = bigger;
		h->ended_room[kind] = room;
		h->ended_first[kind] = 0;
	}
	h->ended[kind][(h->ended_first[kind] + h->ended_count[kind]++) % h->ended_room[kind]] = slot;
}

// Under the lock. A name for an object that has none, or 0.
static uint64_t invent(struct axw_handles *h, unsigned kind, void *handle, uint64_t parent)
{
	struct slot *t = slots_made(h, kind, 1);
	int64_t slot = t ? slot_taken(h, kind) : -1;

	if (slot < 0)
		return 0;
	uint16_t *generation = &h->generation[kind][slot];
	*generation = (uint16_t)((*generation + 1) & (AXR_NAME_GENERATIONS - 1));
	uint64_t name = axr_name(kind, 1, *generation, (uint32_t)slot);
	if (remember(h, kind, handle, name) < 0) {
		slot_returned(h, kind, (uint32_t)slot);
		return 0;
	}
	if (h->parent[kind])
		h->parent[kind][slot] = parent;
	fill(t + slot, USED | *generation, handle);
	return name;
}

uint64_t axw_known(struct axw_session *s, unsigned kind, void *handle)
{
	struct axw_handles *h = s->handles;

	if (!handle || kind >= KINDS)
		return 0;
	pthread_mutex_lock(&h->lock);
	struct reverse *r = find(h, kind, handle);
	uint64_t name = r ? r->name : 0;
	pthread_mutex_unlock(&h->lock);
	return name;
}

uint64_t axw_name(struct axw_session *s, unsigned kind, void *handle)
{
	struct axw_handles *h = s->handles;

	if (!handle || kind >= KINDS)
		return 0;
	unsigned parent_kind = axw_parent_kind(kind);
	void *parent_handle = parent_kind ? axw_parent_of(kind, handle) : NULL; // asks the vendor: not under the lock
	pthread_mutex_lock(&h->lock);
	struct reverse *r = find(h, kind, handle), *up = parent_handle ? find(h, parent_kind, parent_handle) : NULL;
	uint64_t parent = up ? up->name : 0, name = r ? r->name : 0;
	// A function of another module than the one of that name: the old one's end has not come here yet.
	if (name && parent_kind && axr_name_from_worker(name) && h->parent[kind][axr_name_slot(name)] != parent)
		name = 0;
	if (!name)
		name = invent(h, kind, handle, parent);
	pthread_mutex_unlock(&h->lock);
	return name;
}

uint64_t axw_name_new(struct axw_session *s, unsigned kind, void *handle)
{
	uint64_t name = 0;

	if (!handle || kind >= KINDS)
		return 0;
	pthread_mutex_lock(&s->handles->lock);
	name = invent(s->handles, kind, handle, 0);
	pthread_mutex_unlock(&s->handles->lock);
	return name;
}

// Under the lock: what belonged to the object of this name has ended with it. What belongs to nobody we know of
// (the vendor did not say) may have: it keeps its name, but is given another one when it is asked for again.
static void end_children(struct axw_handles *h, unsigned child, uint64_t parent)
{
	struct slot *t = slots(h, child, 1);

	for (uint32_t i = 0; t && i < h->next[child]; i++) {
		uint32_t tag = atomic_load_explicit(&t[i].tag, memory_order_relaxed);
		uint64_t name = axr_name(child, 1, tag & ~USED, i);
		if (!tag || (h->parent[child][i] && h->parent[child][i] != parent))
			continue;
		if (h->parent[child][i]) {
			forget(h, child, t + i, name);
			slot_returned(h, child, i);
		} else {
			struct reverse *r = find(h, child, (void *)(uintptr_t)atomic_load_explicit(&t[i].handle, memory_order_relaxed));
			if (r && r->name == name)
				r->handle = NULL;
		}
	}
}

void axw_del(struct axw_session *s, unsigned kind, uint64_t name)
{
	struct axw_handles *h = s->handles;

	if (kind >= KINDS || name == 0 || !axr_name_is(name, kind))
		return;
	unsigned from_worker = axr_name_from_worker(name);
	pthread_mutex_lock(&h->lock);
	struct slot *t = slots(h, kind, from_worker);
	if (t)
		t += axr_name_slot(name);
	if (t && atomic_load_explicit(&t->tag, memory_order_relaxed) == (USED | axr_name_generation(name))) {
		forget(h, kind, t, name);
		if (from_worker)
			slot_returned(h, kind, axr_name_slot(name));
		for (unsigned child = 1; child < AXH_COUNT; child++)
			if (axw_parent_kind(child) == kind)
				end_children(h, child, name);
		// The functions of a library's kernels belong to a module that has no name here.
		if (kind == AXH_CUlibrary)
			end_children(h, AXH_CUfunction, name);
	}
	pthread_mutex_unlock(&h->lock);
}
