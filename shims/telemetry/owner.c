// SPDX-License-Identifier: Apache-2.0
//
// Owners, which are clients' connections, and the vendor's objects that they
// have made. An object is one call's alone while that runs: nobody frees a set
// that another thread waits on. What an owner leaves behind is freed when its
// last call has run.
#include <pthread.h>
#include <stdlib.h>
#include <sys/random.h>

#include "telemetry.h"

#define OBJECTS_MAX 1024u // an owner's: a program has a few

struct axt_object {
	struct axt_object *next;
	uint64_t name;
	void *handle;
	unsigned kind, refs; // of the owner, and of calls
	bool ended;          // the vendor has freed it
	pthread_mutex_t use;
};

struct axt_owner {
	struct axt_owner *next;
	struct axt_object *objects;
	uint32_t number;
	unsigned requests, count;
	bool gone;
};

// Owners, and objects but for their use. There are as many owners as programs that read NVML now.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct axt_owner *owners;
static uint64_t last_name;

// Under the lock.
static struct axt_owner **find(uint32_t number)
{
	struct axt_owner **at = &owners;

	while (*at && (*at)->number != number)
		at = &(*at)->next;
	return at;
}

// Under the lock. An owner that is nobody's any more ends. Returns the objects to release then.
static struct axt_object *settle(struct axt_owner *o)
{
	struct axt_object *left = NULL;

	if (o->gone) {
		left = o->objects;
		o->objects = NULL;
		o->count = 0;
	}
	if (!o->requests && !o->objects) {
		*find(o->number) = o->next;
		free(o);
	}
	return left;
}

static void drop(struct axt_object *o)
{
	pthread_mutex_lock(&lock);
	bool last = !--o->refs;
	pthread_mutex_unlock(&lock);
	if (!last)
		return;
	if (!o->ended)
		axt_free_object(o->kind, o->handle);
	pthread_mutex_destroy(&o->use);
	free(o);
}

static void drop_all(struct axt_object *o)
{
	while (o) {
		struct axt_object *next = o->next;
		drop(o);
		o = next;
	}
}

struct axt_owner *axt_owner_get(uint32_t number)
{
	pthread_mutex_lock(&lock);
	struct axt_owner *o = *find(number);
	if (!o && (o = calloc(1, sizeof *o))) {
		o->number = number;
		o->next = owners;
		owners = o;
	}
	if (o)
		o->requests++;
	pthread_mutex_unlock(&lock);
	return o;
}

void axt_owner_put(struct axt_owner *o)
{
	pthread_mutex_lock(&lock);
	o->requests--;
	struct axt_object *left = settle(o);
	pthread_mutex_unlock(&lock);
	drop_all(left);
}

void axt_owner_forget(uint32_t number)
{
	struct axt_object *left = NULL;

	pthread_mutex_lock(&lock);
	struct axt_owner *o = *find(number);
	if (o) {
		o->gone = true;
		left = settle(o);
	}
	pthread_mutex_unlock(&lock);
	drop_all(left);
}

bool axt_owner_gone(const struct axt_owner *o)
{
	pthread_mutex_lock(&lock);
	bool gone = o->gone;
	pthread_mutex_unlock(&lock);
	return gone;
}

struct axt_object *axt_object_hold(struct axt_owner *o, unsigned kind, uint64_t name, void **handle)
{
	pthread_mutex_lock(&lock);
	struct axt_object *x = o->objects;
	while (x && (x->name != name || x->kind != kind))
		x = x->next;
	if (x)
		x->refs++;
	pthread_mutex_unlock(&lock);
	if (!x)
		return NULL;
	pthread_mutex_lock(&x->use);
	if (x->ended) { // while we waited for it
		axt_object_release(x);
		return NULL;
	}
	*handle = x->handle;
	return x;
}

void axt_object_release(struct axt_object *object)
{
	pthread_mutex_unlock(&object->use);
	drop(object);
}

// The names of one worker are not those of the one before it, which a client may still have.
static uint64_t first_name(void)
{
	uint64_t n = 0;

	if (getrandom(&n, sizeof n, 0) != sizeof n)
		n = (uint64_t)(uintptr_t)&n;
	return (n & 0x7fffffffff) << 16;
}

uint64_t axt_object_add(struct axt_owner *o, unsigned kind, void *handle)
{
	struct axt_object *x = calloc(1, sizeof *x);
	uint64_t name = 0;

	pthread_mutex_lock(&lock);
	if (x && !o->gone && o->count < OBJECTS_MAX) {
		if (!last_name)
			last_name = first_name();
		name = ++last_name;
		*x = (struct axt_object){ .next = o->objects, .name = name, .handle = handle, .kind = kind, .refs = 1 };
		pthread_mutex_init(&x->use, NULL);
		o->objects = x;
		o->count++;
	}
	pthread_mutex_unlock(&lock);
	if (!name) {
		free(x);
		axt_free_object(kind, handle);
	}
	return name;
}

uint64_t axt_object_known(struct axt_owner *o, unsigned kind, const void *handle)
{
	uint64_t name = 0;

	pthread_mutex_lock(&lock);
	for (struct axt_object *x = o->objects; x && !name; x = x->next)
		if (x->handle == handle && x->kind == kind)
			name = x->name;
	pthread_mutex_unlock(&lock);
	return name;
}

void axt_object_end(struct axt_owner *o, struct axt_object *object)
{
	bool listed = false;

	pthread_mutex_lock(&lock);
	object->ended = true;
	for (struct axt_object **at = &o->objects; *at && !listed; at = listed ? at : &(*at)->next)
		if (*at == object) {
			*at = object->next;
			o->count--;
			listed = true;
		}
	pthread_mutex_unlock(&lock);
	if (listed)
		drop(object); // not the last reference: the caller holds it
}
