// SPDX-License-Identifier: Apache-2.0
//
// The toy library itself, the worker's handle table, and the door through
// which main.c hands frames over.
#include "toy_worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct toy_thing_st {
	int value;
	int touched;
};

// Handles: the name is 0x1000 or 0x2000 (made up here) more than the slot.
#define SLOTS 64
static struct {
	unsigned kind;
	uint64_t name;
	void *handle;
} slots[SLOTS];

int axw_get(struct axw_session *s, unsigned kind, uint64_t name, void **handle)
{
	(void)s;
	for (int i = 0; i < SLOTS; i++)
		if (slots[i].name == name && slots[i].kind == kind && name) {
			*handle = slots[i].handle;
			return 0;
		}
	return -1;
}

int axw_put(struct axw_session *s, unsigned kind, uint64_t name, void *handle)
{
	void *had;
	if (!name || !axw_get(s, kind, name, &had))
		return -1;
	for (int i = 0; i < SLOTS; i++)
		if (!slots[i].name) {
			slots[i].kind = kind;
			slots[i].name = name;
			slots[i].handle = handle;
			return 0;
		}
	return -1;
}

void axw_del(struct axw_session *s, unsigned kind, uint64_t name)
{
	(void)s;
	for (int i = 0; i < SLOTS; i++)
		if (slots[i].name == name && slots[i].kind == kind)
			memset(&slots[i], 0, sizeof slots[i]);
}

uint64_t axw_name(struct axw_session *s, unsigned kind, void *handle)
{
	static uint64_t last = 0x2000;
	for (int i = 0; i < SLOTS; i++)
		if (slots[i].handle == handle && slots[i].kind == kind)
			return slots[i].name;
	return axw_put(s, kind, ++last, handle) ? 0 : last;
}

// The library.
static int callback_was_followed;
static struct toy_thing_st stray = {.value = 77};

static toy_result values(unsigned char a, int b, unsigned long long c, float d, double e, toy_attr f, toy_fn g, void *h)
{
	return a == 200 && b == -5 && c == 1ull << 40 && d == 1.5f && e == -2.25 && f == TOY_LARGE &&
			       (uintptr_t)g == 0x1234 && (uintptr_t)h == 0xffff00001234
		       ? TOY_OK
		       : TOY_INVALID;
}

static toy_result make(toy_thing *t, int value)
{
	if (value < 0)
		return TOY_INVALID;
	*t = calloc(1, sizeof **t);
	(*t)->value = value;
	return TOY_OK;
}

static toy_result end(toy_thing t)
{
	free(t);
	return TOY_OK;
}

static toy_result touch(toy_thing t, toy_number n)
{
	if (t == (toy_thing)2) {
		stray.touched += 100;
		return TOY_OK;
	}
	if (!t)
		return TOY_INVALID;
	t->touched += n == 0xabcd;
	return TOY_OK;
}

static toy_result find(toy_thing *t, toy_number *n, const char *name)
{
	if (strcmp(name, "stray"))
		return TOY_MISSING;
	*t = &stray;
	if (n)
		*n = 0xabcd;
	return TOY_OK;
}

static toy_result all(toy_thing *things, int *all_values, size_t *count)
{
	for (size_t i = 0; i < *count; i++) {
		if (things)
			things[i] = i == 0 ? &stray : NULL;
		if (all_values)
			all_values[i] = (int)(i + 1) * 10;
	}
	*count = 1;
	return TOY_OK;
}

static toy_result sum(const int *v, int n, long long *out)
{
	*out = 0;
	for (int i = 0; i < n; i++)
		*out += v[i];
	return TOY_OK;
}

static toy_result bytes(const void *b, unsigned int n, unsigned int m, char *back)
{
	if (!b)
		memset(back, '-', n);
	else
		memcpy(back, (const char *)b + (n * m - 1 - n), n);
	return TOY_OK;
}

static toy_result owners(const toy_thing *t, size_t n, int *out)
{
	*out = 0;
	for (size_t i = 0; i < n; i++)
		*out += t[i] ? t[i]->value : 1000;
	return TOY_OK;
}

static toy_result configure(const toy_config *c, int *out)
{
	if (c->local)
		return TOY_INVALID;
	*out = 0;
	for (unsigned i = 0; i < c->n; i++)
		*out += c->places[i].type == 1 ? c->places[i].owner->value : (int)(uintptr_t)c->places[i].owner;
	return TOY_OK;
}

static toy_result place(toy_place *p, toy_place from)
{
	*p = from;
	if (from.type == 1)
		p->owner = &stray;
	return TOY_OK;
}

static toy_result fill(toy_block *b, const void *value, toy_attr a)
{
	if ((uintptr_t)b % 128)
		return TOY_INVALID;
	b->words[1] = b->words[0];
	memcpy(&b->words[2], value, a == TOY_SMALL ? 4 : 8);
	return TOY_OK;
}

static toy_result half(int *done, int *left)
{
	*done = 3;
	if (left)
		*left -= 3;
	return TOY_HALF;
}

static toy_result name_of(toy_thing t, const char **name, int *value)
{
	if (!t)
		return TOY_INVALID;
	*name = t->value == 7 ? "seven" : "";
	if (value)
		*value = t->value;
	return TOY_OK;
}

static toy_result gone(int a)
{
	return a == 1 ? TOY_OK : TOY_INVALID;
}

void worker_open(void)
{
	axg_vendor = (struct axg_vendor){.toyValues = values, .toyMake = make, .toyEnd = end, .toyTouch = touch, .toyFind = find, .toyAll = all,
		.toySum = sum, .toyBytes = bytes, .toyOwners = owners, .toyConfigure = configure, .toyPlace = place, .toyFill = fill,
		.toyHalf = half, .toyNameOf = name_of, .toyGone_apart = gone}; // no toyGone: an older library
}

int worker_run(uint32_t call, const void *in, size_t in_size, const void *data, size_t data_size, void *out, size_t out_max, size_t *out_size)
{
	struct axw_call w = {.in = in, .in_size = in_size, .data = data, .data_size = data_size, .out = out, .out_max = out_max};
	toy_result r = axg_dispatch[call](&w);

	*out_size = w.out_size;
	return (int)r;
}

int worker_stray_touched(void) { return stray.touched + callback_was_followed; }
