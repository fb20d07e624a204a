// SPDX-License-Identifier: Apache-2.0
//
// Calls the toy library through both generated halves, in one process: what a
// program passes has to arrive, and what the library says has to come back.
// Then frames that no client half would write.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "procaddress.h"
#include "toy_client.h"

void worker_open(void);
int worker_run(uint32_t call, const void *in, size_t in_size, const void *data, size_t data_size, void *out, size_t out_max,
	       size_t *out_size);
int worker_stray_touched(void);

static int failed, live_names, refused, sent;
static size_t truncate_data, truncate_out;

#define CHECK(what)                                                                                                    \
	do {                                                                                                           \
		if (!(what)) {                                                                                         \
			printf("line %d: %s\n", __LINE__, #what);                                                      \
			failed = 1;                                                                                    \
		}                                                                                                      \
	} while (0)

// Buffers of exactly the size asked for, so that the sanitizer sees a step too far.
toy_result axc_begin(struct axc_call *c, uint32_t call, size_t fixed, size_t data)
{
	*c = (struct axc_call){.number = call, .fixed = fixed, .bytes = data, .in = malloc(fixed ? fixed : 1), .data = malloc(data ? data : 1)};
	memset(c->in, 0xa5, fixed);
	memset(c->data, 0xa5, data);
	return TOY_OK;
}

static toy_result run(struct axc_call *c)
{
	char *out = malloc(4096);
	size_t n = 0;
	toy_result r = (toy_result)worker_run(c->number, c->in, c->fixed, c->data, c->bytes - truncate_data, out, 4096, &n);

	sent++;
	n = n > truncate_out ? n - truncate_out : n;
	c->out = realloc(out, n ? n : 1);
	c->out_size = n;
	free(c->in);
	free(c->data);
	return r;
}

toy_result axc_post(struct axc_call *c)
{
	toy_result r = run(c);
	axc_end(c);
	return r;
}

toy_result axc_wait(struct axc_call *c) { return run(c); }
void axc_end(struct axc_call *c) { free((void *)(uintptr_t)c->out); }

uint64_t axc_new(unsigned kind)
{
	static uint64_t last = 0x1000;
	(void)kind;
	live_names++;
	return ++last;
}

void axc_forget(unsigned kind, uint64_t name)
{
	(void)kind;
	(void)name;
	live_names--;
}

// The client knows the names it gave, and takes the worker's as they come.
int axc_check(unsigned kind, uint64_t name)
{
	(void)kind;
	return (name > 0x1000 && name < 0x1100) || name > 0x2000 ? 0 : -1;
}

static int closed;
toy_result axc_ready(void) { return closed ? TOY_FULL : TOY_OK; }

toy_result axc_refused(const char *symbol)
{
	refused += symbol[0] == 't';
	return TOY_UNSUPPORTED;
}

static void programs(void)
{
	toy_thing a = NULL, b = NULL, found = NULL;
	toy_number n = 0;

	CHECK(toyValues(200, -5, 1ull << 40, 1.5f, -2.25, TOY_LARGE, (toy_fn)0x1234, (void *)0xffff00001234) == TOY_OK);
	CHECK(toyMake(&a, 5) == TOY_OK && a);
	CHECK(toyMake(&b, 7) == TOY_OK && b && b != a);
	CHECK(toyMake(NULL, 7) == TOY_INVALID);
	toy_thing none = (toy_thing)0x77;
	CHECK(toyMake(&none, -1) == TOY_INVALID && none == (toy_thing)0x77 && live_names == 2);

	CHECK(toyFind(&found, &n, "stray") == TOY_OK && found && n);
	toy_thing again = NULL;
	CHECK(toyFind(&again, NULL, "stray") == TOY_OK && again == found);
	CHECK(toyFind(&again, NULL, "") == TOY_MISSING && again == found);
	CHECK(toyFind(&again, NULL, NULL) == TOY_INVALID);
	CHECK(toyTouch(a, n) == TOY_OK);
	CHECK(toyTouch(a, 12345) == TOY_MISSING);
	CHECK(toyTouch((toy_thing)0x9999, n) == TOY_NO_THING);
	int so_far = sent;
	CHECK(toyTouch((toy_thing)0x99, n) == TOY_NO_THING && toyTouch(a, 99) == TOY_MISSING && sent == so_far);
	closed = 1;
	CHECK(toyTouch((toy_thing)0x99, n) == TOY_FULL && sent == so_far);
	closed = 0;
	CHECK(toyTouch(NULL, n) == TOY_INVALID && worker_stray_touched() == 0);
	CHECK(toyTouch_pt(NULL, n) == TOY_OK && worker_stray_touched() == 100);
	CHECK(toyTouch_old(a, n) == TOY_OK);

	size_t count = 3;
	toy_thing things[3] = {a, a, a};
	int numbers[3] = {0};
	CHECK(toyAll(things, numbers, &count) == TOY_OK && count == 1);
	CHECK(things[0] == found && !things[1] && !things[2] && numbers[2] == 30);
	count = 3;
	CHECK(toyAll(NULL, NULL, &count) == TOY_OK && count == 1);
	CHECK(toyAll(things, NULL, NULL) == TOY_INVALID);

	const int v[3] = {1, -2, 30};
	long long total = 0;
	CHECK(toySum(v, 3, &total) == TOY_OK && total == 29);
	CHECK(toySum(NULL, 0, &total) == TOY_OK && total == 0);
	int before = sent;
	CHECK(toySum(NULL, 1, &total) == TOY_INVALID && toySum(v, -1, &total) == TOY_INVALID && sent == before);

	char back[3] = {0};
	CHECK(toyBytes("abcde", 3, 2, back) == TOY_OK && !memcmp(back, "cde", 3));
	CHECK(toyBytes(NULL, 3, 2, back) == TOY_OK && !memcmp(back, "---", 3));
	CHECK(toyBytes("", 0, 0, back) == TOY_INVALID);                   // 0 * 0 - 1
	CHECK(toyBytes("", 0xffffffff, 0xffffffff, back) == TOY_INVALID); // more than any frame holds

	const toy_thing some[3] = {a, NULL, b};
	int s = 0;
	CHECK(toyOwners(some, 3, &s) == TOY_OK && s == 5 + 1000 + 7);
	const toy_thing forged[2] = {a, (toy_thing)0x4141414141414141};
	CHECK(toyOwners(forged, 2, &s) == TOY_NO_THING);

	toy_place places[2] = {{.type = 1, .owner = b}, {.type = 0, .owner = (toy_thing)30}};
	toy_config config = {.n = 2, .places = places, .local = &config};
	CHECK(toyConfigure(&config, &s) == TOY_OK && s == 37);
	config.places = NULL;
	CHECK(toyConfigure(&config, &s) == TOY_INVALID);
	config.n = 0;
	CHECK(toyConfigure(&config, &s) == TOY_OK && s == 0);

	toy_place p = {0};
	CHECK(toyPlace(&p, places[0]) == TOY_OK && p.type == 1 && p.owner == found);
	CHECK(toyPlace(&p, places[1]) == TOY_OK && p.type == 0 && p.owner == (toy_thing)30);

	toy_block block = {.words = {42}};
	uint64_t large = 1ull << 50;
	CHECK(toyFill(&block, &large, TOY_LARGE) == TOY_OK && block.words[1] == 42 && block.words[2] == large);
	CHECK(toyFill(&block, &large, (toy_attr)9) == TOY_INVALID);

	int done = 0, left = 10;
	CHECK(toyHalf(&done, &left) == TOY_HALF && done == 3 && left == 7);
	CHECK(toyHalf(&done, NULL) == TOY_HALF);

	const char *text = NULL, *same = NULL, *empty = NULL;
	CHECK(toyNameOf(b, &text, &s) == TOY_OK && !strcmp(text, "seven") && s == 7);
	CHECK(toyNameOf(b, &same, NULL) == TOY_OK && same == text);
	CHECK(toyNameOf(a, &empty, NULL) == TOY_OK && !strcmp(empty, ""));
	CHECK(toyNameOf(NULL, &text, NULL) == TOY_INVALID && text == same);

	CHECK(toyGone(1) == TOY_UNSUPPORTED && toyGone_apart(1) == TOY_OK);
	CHECK(toyNever(1) == TOY_UNSUPPORTED && toyLater(NULL) == TOY_UNSUPPORTED && refused == 2);
	CHECK(axNull() == TOY_OK);

	CHECK(toyEnd(b) == TOY_OK && live_names == 1);
	CHECK(toyEnd(b) == TOY_NO_THING && live_names == 1);
	CHECK(toyEnd(a) == TOY_OK);

	CHECK(axg_entries == 3 && axg_entry[0].since == 500 && axg_entry[2].per_thread && axg_entry[2].fn == (void *)toyTouch_pt);
}

// A worker that answers too little is noticed, and nothing is read past its answer.
static void short_answers(void)
{
	size_t count = 3;
	toy_thing things[3] = {0};
	toy_place p = {0}, from = {0};
	toy_thing thing = NULL;
	const char *text = NULL;

	CHECK(toyMake(&thing, 7) == TOY_OK);

	for (truncate_out = 1; truncate_out <= 8; truncate_out++) {
		CHECK(toyAll(things, NULL, &count) == TOY_BROKEN);
		CHECK(toyPlace(&p, from) == TOY_BROKEN);
		CHECK(toyNameOf(thing, &text, NULL) == TOY_BROKEN);
	}
	truncate_out = 0;
}

// Frames whose lengths lie: every call with every length of fixed part and
// data, and with counts in it that the data does not hold.
static void hostile_frames(void)
{
	uint32_t seed = 1;
	for (uint32_t call = 1; call < AX_COUNT; call++)
		for (int round = 0; round < 400; round++) {
			size_t fixed = (size_t)(round % 2 ? axg_call_fixed[call] : round % 80), data = (size_t)(round * 7 % 200);
			size_t room = (size_t)(round % 3 ? 64 : round % 40), n = 0;
			uint8_t *in = malloc(fixed ? fixed : 1), *d = malloc(data ? data : 1), *out = malloc(room ? room : 1);
			for (size_t i = 0; i < fixed; i++)
				in[i] = (uint8_t)((seed = seed * 1664525 + 1013904223) >> 24 & (round & 4 ? 0xff : 0x03));
			for (size_t i = 0; i < data; i++)
				d[i] = (uint8_t)((seed = seed * 1664525 + 1013904223) >> 24 & (round & 8 ? 0xff : 0x01));
			worker_run(call, in, fixed, d, data, out, room, &n);
			CHECK(n <= room);
			free(in);
			free(d);
			free(out);
		}
}

int main(void)
{
	worker_open();
	programs();
	short_answers();
	hostile_frames();
	return failed;
}
