/* SPDX-License-Identifier: Apache-2.0
 *
 * Decompresses zstd frames (RFC 8878), which compilers put module images in. Whole frames only, from memory to memory,
 * without dictionaries; checksums are passed over. The input may be anything: every read and write is bounded.
 */
#include "zstd.h"

#include <string.h>

#define MAGIC 0xfd2fb528u
#define BLOCK_MOST ((size_t)128 << 10)
#define LOG_MOST 9
#define HUFFMAN_BITS 11

/* Bits from the front, as in table descriptions. */
struct forward { const uint8_t *p; size_t bytes, at; };

/* Bits from the back: `left` of them remain, and what lies before the first is read as zeros. */
struct backward { const uint8_t *p; int64_t left; };

struct fse { int log; uint8_t symbol[1 << LOG_MOST], bits[1 << LOG_MOST]; uint16_t base[1 << LOG_MOST]; };

struct huffman { int bits; uint8_t symbol[1 << HUFFMAN_BITS], length[1 << HUFFMAN_BITS]; };

struct frame {
	uint8_t *out;
	size_t at, room;
	uint8_t literals[128 << 10];
	size_t literal_count;
	struct huffman tree;
	struct fse ll, of, ml;
	int has_tree, has_ll, has_of, has_ml;
	uint64_t recent[3];
};

static int top_bit(uint32_t n)
{
	return 31 - __builtin_clz(n);
}

static int take(struct forward *f, int n, uint32_t *value)
{
	if (f->at + (size_t)n > 8 * f->bytes)
		return -1;
	*value = 0;
	for (int i = 0; i < n; i++, f->at++)
		*value |= (uint32_t)(f->p[f->at / 8] >> f->at % 8 & 1) << i;
	return 0;
}

/* The last byte's highest bit says where the bits end. */
static int open_backward(struct backward *b, const uint8_t *p, size_t n)
{
	if (!n || !p[n - 1])
		return -1;
	b->p = p;
	b->left = (int64_t)(8 * (n - 1)) + top_bit(p[n - 1]);
	return 0;
}

static uint32_t pull(struct backward *b, int n)
{
	uint64_t value = 0;
	b->left -= n;
	int64_t from = b->left, to = b->left + n;
	for (int64_t at = from < 0 ? 0 : from; at < to;) {
		int64_t step = 8 - at % 8;
		if (step > to - at)
			step = to - at;
		value |= (uint64_t)(b->p[at / 8] >> at % 8 & ((1u << step) - 1)) << (at - from);
		at += step;
	}
	return (uint32_t)value;
}

static int build(struct fse *t, const int16_t *counts, int symbols, int log)
{
	int size = 1 << log, high = size, at = 0, step = (size >> 1) + (size >> 3) + 3;
	uint16_t next[256];
	t->log = log;
	for (int s = 0; s < symbols; s++) {
		next[s] = counts[s] < 0 ? 1 : (uint16_t)counts[s];
		if (counts[s] < 0)
			t->symbol[--high] = (uint8_t)s;
	}
	for (int s = 0; s < symbols; s++)
		for (int i = 0; i < counts[s]; i++) {
			t->symbol[at] = (uint8_t)s;
			do
				at = (at + step) & (size - 1);
			while (at >= high);
		}
	if (at)
		return -1;
	for (int i = 0; i < size; i++) {
		uint16_t state = next[t->symbol[i]]++;
		t->bits[i] = (uint8_t)(log - top_bit(state));
		t->base[i] = (uint16_t)((state << t->bits[i]) - size);
	}
	return 0;
}

/* A table's description. Returns how many bytes it took, or -1. */
static long read_table(struct fse *t, const uint8_t *p, size_t n, int symbols_most, int log_most)
{
	struct forward f = { p, n, 0 };
	int16_t counts[256];
	uint32_t v;
	int symbols = 0;
	if (take(&f, 4, &v) || (int)v + 5 > log_most)
		return -1;
	int log = (int)v + 5, left = 1 << log;
	while (left > 0) {
		/* A value below `shorter` takes one bit less. */
		int bits = top_bit((uint32_t)left + 1) + 1;
		uint32_t half = (1u << (bits - 1)) - 1, shorter = (1u << bits) - 2 - (uint32_t)left;
		if (symbols == symbols_most || take(&f, bits - 1, &v))
			return -1;
		if (v >= shorter) {
			uint32_t more;
			if (take(&f, 1, &more))
				return -1;
			v |= more << (bits - 1);
			if (v > half)
				v -= shorter;
		}
		int count = (int)v - 1;
		left -= count < 0 ? 1 : count;
		counts[symbols++] = (int16_t)count;
		for (uint32_t zeros = count ? 0 : 3; zeros == 3;) {
			if (take(&f, 2, &zeros) || symbols + (int)zeros > symbols_most)
				return -1;
			for (uint32_t i = 0; i < zeros; i++)
				counts[symbols++] = 0;
		}
	}
	if (left || build(t, counts, symbols, log))
		return -1;
	return (long)((f.at + 7) / 8);
}

/* A Huffman tree: weights, of which the last is what is missing to a full tree. Returns the bytes it took, or -1. */
static long read_tree(struct huffman *h, const uint8_t *p, size_t n)
{
	uint8_t weights[256];
	int count = 0;
	size_t used;
	if (!n)
		return -1;
	if (p[0] >= 128) {
		count = p[0] - 127;
		used = 1 + (size_t)(count + 1) / 2;
		if (used > n)
			return -1;
		for (int i = 0; i < count; i++)
			weights[i] = i % 2 ? p[1 + i / 2] & 15 : p[1 + i / 2] >> 4;
	} else {
		struct fse t;
		struct backward b;
		used = 1 + (size_t)p[0];
		long table = used > n ? -1 : read_table(&t, p + 1, used - 1, 256, 6);
		if (table < 0 || open_backward(&b, p + 1 + table, used - 1 - (size_t)table))
			return -1;
		uint32_t state[2] = { pull(&b, t.log), pull(&b, t.log) };
		if (b.left < 0)
			return -1;
		for (int which = 0;; which ^= 1) {
			uint32_t s = state[which];
			if (count > 253)
				return -1;
			weights[count++] = t.symbol[s];
			state[which] = t.base[s] + pull(&b, t.bits[s]);
			if (b.left < 0) {
				weights[count++] = t.symbol[state[which ^ 1]];
				break;
			}
		}
	}
	uint32_t sum = 0;
	for (int i = 0; i < count; i++) {
		if (weights[i] > HUFFMAN_BITS)
			return -1;
		sum += weights[i] ? 1u << (weights[i] - 1) : 0;
	}
	if (!sum)
		return -1;
	int bits = top_bit(sum) + 1;
	uint32_t missing = (1u << bits) - sum;
	if (bits > HUFFMAN_BITS || missing & (missing - 1))
		return -1;
	weights[count++] = (uint8_t)(top_bit(missing) + 1);
	h->bits = bits;
	uint32_t at = 0;
	for (int w = 1; w <= bits; w++)
		for (int s = 0; s < count; s++)
			if (weights[s] == w) {
				memset(h->symbol + at, s, (size_t)1 << (w - 1));
				memset(h->length + at, bits + 1 - w, (size_t)1 << (w - 1));
				at += 1u << (w - 1);
			}
	return at == 1u << bits ? (long)used : -1;
}

static int read_stream(const struct huffman *h, const uint8_t *p, size_t n, uint8_t *out, size_t count)
{
	struct backward b;
	if (open_backward(&b, p, n))
		return -1;
	for (size_t i = 0; i < count; i++) {
		uint32_t code = pull(&b, h->bits);
		out[i] = h->symbol[code];
		b.left += h->bits - h->length[code];
		if (b.left < 0)
			return -1;
	}
	return b.left ? -1 : 0;
}

/* The literals of a block. Returns the bytes they took, or -1. */
static long read_literals(struct frame *f, const uint8_t *p, size_t n)
{
	if (!n)
		return -1;
	int type = p[0] & 3, form = p[0] >> 2 & 3;
	uint64_t head = 0;
	for (size_t i = 0; i < 5 && i < n; i++)
		head |= (uint64_t)p[i] << 8 * i;
	if (type < 2) {
		size_t header = form == 1 ? 2 : form == 3 ? 3 : 1;
		size_t count = (size_t)(form == 1 ? head >> 4 & 0xfff : form == 3 ? head >> 4 & 0xfffff : head >> 3 & 0x1f);
		size_t body = type ? 1 : count;
		if (header > n || body > n - header || count > sizeof f->literals)
			return -1;
		if (type)
			memset(f->literals, p[header], count);
		else
			memcpy(f->literals, p + header, count);
		f->literal_count = count;
		return (long)(header + body);
	}
	int width = form < 2 ? 10 : form == 2 ? 14 : 18;
	size_t header = form < 2 ? 3 : form == 2 ? 4 : 5, mask = ((size_t)1 << width) - 1;
	size_t count = (size_t)(head >> 4) & mask, size = (size_t)(head >> (4 + width)) & mask, total;
	if (header > n || size > n - header || count > sizeof f->literals)
		return -1;
	total = header + size;
	p += header;
	if (type == 2) {
		long tree = read_tree(&f->tree, p, size);
		if (tree < 0)
			return -1;
		f->has_tree = 1;
		p += tree;
		size -= (size_t)tree;
	}
	if (!f->has_tree)
		return -1;
	f->literal_count = count;
	if (!form)
		return read_stream(&f->tree, p, size, f->literals, count) ? -1 : (long)total;
	/* Four streams, the first three with their sizes in front. */
	size_t part = (count + 3) / 4, done = 0, at = 6;
	if (size < 6 || 3 * part > count)
		return -1;
	for (int i = 0; i < 4; i++) {
		size_t bytes = i < 3 ? (size_t)(p[2 * i] | p[2 * i + 1] << 8) : size - at, symbols = i < 3 ? part : count - done;
		if (bytes > size - at || read_stream(&f->tree, p + at, bytes, f->literals + done, symbols))
			return -1;
		at += bytes;
		done += symbols;
	}
	return (long)total;
}

/* Lengths and distances by their codes: a base, and bits to add. */
static const uint32_t ll_base[36] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 28, 32, 40, 48, 64,
				      128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536 };
static const uint8_t ll_bits[36] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12,
				     13, 14, 15, 16 };
static const uint32_t ml_base[53] = { 3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19,  20,
				      21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 37, 39,  41,
				      43, 47, 51, 59, 67, 83, 99, 131, 259, 515, 1027, 2051, 4099, 8195, 16387, 32771, 65539 };
static const uint8_t ml_bits[53] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
				     0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
static const int16_t ll_usual[36] = { 4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1,
				      -1, -1, -1, -1 };
static const int16_t ml_usual[53] = { 1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
				      1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1 };
static const int16_t of_usual[29] = { 1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1 };

struct code { const int16_t *usual; int usual_symbols, usual_log, symbols, log; };

/* One of the three tables of a block, by the way that its header names. Returns the bytes it took, or -1. */
static long read_codes(struct fse *t, int *has, int way, const struct code *c, const uint8_t *p, size_t n)
{
	long used = 0;
	switch (way) {
	case 0:
		if (build(t, c->usual, c->usual_symbols, c->usual_log))
			return -1;
		break;
	case 1:
		if (!n || p[0] >= c->symbols)
			return -1;
		t->log = 0;
		t->symbol[0] = p[0];
		t->bits[0] = 0;
		t->base[0] = 0;
		used = 1;
		break;
	case 2:
		used = read_table(t, p, n, c->symbols, c->log);
		if (used < 0)
			return -1;
		break;
	default:
		return *has ? 0 : -1;
	}
	*has = 1;
	return used;
}

static int emit(struct frame *f, const uint8_t *literals, size_t count)
{
	if (count > f->room - f->at)
		return -1;
	memcpy(f->out + f->at, literals, count);
	f->at += count;
	return 0;
}

/* A distance of 1 to 3 means a recent one; after no literals, one place further on. */
static uint64_t distance(struct frame *f, uint64_t value, uint32_t literals)
{
	uint64_t *r = f->recent, d;
	if (value > 3) {
		d = value - 3;
	} else {
		int which = (int)value - 1 + !literals;
		if (!which)
			return r[0];
		d = which < 3 ? r[which] : r[0] - 1;
		if (which == 1) {
			r[1] = r[0];
			r[0] = d;
			return d;
		}
	}
	r[2] = r[1];
	r[1] = r[0];
	r[0] = d;
	return d;
}

static int block(struct frame *f, const uint8_t *p, size_t n)
{
	static const struct code ll = { ll_usual, 36, 6, 36, 9 }, of = { of_usual, 29, 5, 32, 8 }, ml = { ml_usual, 53, 6, 53, 9 };
	long used = read_literals(f, p, n);
	size_t at = 0, count;
	struct backward b;
	if (used < 0)
		return -1;
	p += used;
	n -= (size_t)used;
	if (!n)
		return -1;
	count = *p++;
	n--;
	if (!count)
		return n ? -1 : emit(f, f->literals, f->literal_count);
	if (count > 127) {
		size_t more = count == 255 ? 2 : 1;
		if (n < more)
			return -1;
		count = count == 255 ? p[0] + ((size_t)p[1] << 8) + 0x7f00 : ((count - 128) << 8) + p[0];
		p += more;
		n -= more;
	}
	if (!n || *p & 3)
		return -1;
	int ways = *p++;
	n--;
	struct { struct fse *table; int *has, way; const struct code *code; } tables[3] = {
		{ &f->ll, &f->has_ll, ways >> 6, &ll }, { &f->of, &f->has_of, ways >> 4 & 3, &of }, { &f->ml, &f->has_ml, ways >> 2 & 3, &ml },
	};
	for (int i = 0; i < 3; i++) {
		used = read_codes(tables[i].table, tables[i].has, tables[i].way, tables[i].code, p, n);
		if (used < 0)
			return -1;
		p += used;
		n -= (size_t)used;
	}
	if (open_backward(&b, p, n))
		return -1;
	uint32_t l = pull(&b, f->ll.log), o = pull(&b, f->of.log), m = pull(&b, f->ml.log);
	for (size_t i = 0; i < count; i++) {
		int of_code = f->of.symbol[o], ml_code = f->ml.symbol[m], ll_code = f->ll.symbol[l];
		if (b.left < 0 || of_code > 31)
			return -1;
		uint64_t value = (UINT64_C(1) << of_code) + pull(&b, of_code);
		uint32_t match = ml_base[ml_code] + pull(&b, ml_bits[ml_code]);
		uint32_t literals = ll_base[ll_code] + pull(&b, ll_bits[ll_code]);
		if (b.left < 0 || literals > f->literal_count - at || emit(f, f->literals + at, literals))
			return -1;
		at += literals;
		uint64_t back = distance(f, value, literals);
		if (!back || back > f->at || match > f->room - f->at)
			return -1;
		for (uint32_t k = 0; k < match; k++, f->at++)
			f->out[f->at] = f->out[f->at - back];
		if (i + 1 < count) {
			l = f->ll.base[l] + pull(&b, f->ll.bits[l]);
			m = f->ml.base[m] + pull(&b, f->ml.bits[m]);
			o = f->of.base[o] + pull(&b, f->of.bits[o]);
		}
	}
	return b.left ? -1 : emit(f, f->literals + at, f->literal_count - at);
}

long zstd_decompress(const uint8_t *in, size_t n, uint8_t *out, size_t room, void *scratch)
{
	struct frame *f = scratch;
	uint32_t magic;
	size_t at = 5;
	if (n < 6)
		return -1;
	magic = (uint32_t)in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16 | (uint32_t)in[3] << 24;
	int head = in[4], single = head >> 5 & 1;
	if (magic != MAGIC || head & 0x0b)     /* reserved bit, or a dictionary */
		return -1;
	at += !single + (size_t[]){ single ? 1 : 0, 2, 4, 8 }[head >> 6];
	f->out = out;
	f->at = 0;
	f->room = room;
	f->has_tree = f->has_ll = f->has_of = f->has_ml = 0;
	f->recent[0] = 1;
	f->recent[1] = 4;
	f->recent[2] = 8;
	for (int last = 0; !last;) {
		if (at > n || n - at < 3)
			return -1;
		uint32_t h = (uint32_t)in[at] | (uint32_t)in[at + 1] << 8 | (uint32_t)in[at + 2] << 16;
		size_t size = h >> 3, stored = (h >> 1 & 3) == 1 ? 1 : size;
		last = h & 1;
		at += 3;
		if (stored > n - at || size > BLOCK_MOST)
			return -1;
		switch (h >> 1 & 3) {
		case 0:
			if (emit(f, in + at, size))
				return -1;
			break;
		case 1:
			if (size > f->room - f->at)
				return -1;
			memset(out + f->at, in[at], size);
			f->at += size;
			break;
		case 2:
			if (block(f, in + at, size))
				return -1;
			break;
		default:
			return -1;
		}
		at += stored;
	}
	return (long)f->at;
}

size_t zstd_scratch(void)
{
	return sizeof(struct frame);
}
