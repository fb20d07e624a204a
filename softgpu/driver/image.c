/* SPDX-License-Identifier: Apache-2.0
 *
 * Module images: finds the PTX text in whatever a program hands over. That is text itself, a fat binary (a header, then
 * entries of PTX and machine code for several devices, each stored plainly or compressed), or the small wrapper around
 * one that compilers put into programs. Machine code cannot be run here.
 *
 * Where an image says lengths of its own, nothing is read past them; the image's own length nobody tells us.
 */
#include "driver.h"
#include "zstd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WRAPPER_MAGIC 0x466243b1u
#define FATBIN_MAGIC 0xba55ed50u
#define KIND_PTX 1
#define FLAG_LZ4 0x2000u
#define FLAG_ZSTD 0x8000u
#define TEXT_MOST ((size_t)256 << 20)

struct wrapper { uint32_t magic, version; const void *data; const void *more; };
struct fatbin { uint32_t magic; uint16_t version, header; uint64_t size; };
struct entry {
	uint16_t kind, version;
	uint32_t header;
	uint64_t size;
	uint32_t compressed, options;
	uint16_t minor, major;
	uint32_t arch, name_offset, name_size;
	uint64_t flags, zero, plain;
};
_Static_assert(sizeof(struct fatbin) == 16 && sizeof(struct entry) == 64, "as the compilers lay them out");

/* An LZ4 block of `n` bytes. The number of bytes written, or -1: it is damaged or longer than `room`. */
static long lz4(const uint8_t *in, size_t n, uint8_t *out, size_t room)
{
	size_t i = 0, o = 0;
	while (i < n) {
		unsigned token = in[i++];
		size_t literals = token >> 4, match = token & 15, distance;
		if (literals == 15) {
			uint8_t more;
			do {
				if (i == n)
					return -1;
				more = in[i++];
				literals += more;
			} while (more == 255);
		}
		if (literals > n - i || literals > room - o)
			return -1;
		memcpy(out + o, in + i, literals);
		i += literals;
		o += literals;
		if (i == n)
			return (long)o;
		if (n - i < 2)
			return -1;
		distance = in[i] | (size_t)in[i + 1] << 8;
		i += 2;
		if (match == 15) {
			uint8_t more;
			do {
				if (i == n)
					return -1;
				more = in[i++];
				match += more;
			} while (more == 255);
		}
		match += 4;
		if (!distance || distance > o || match > room - o)
			return -1;
		for (; match; match--, o++)
			out[o] = out[o - distance];
	}
	return (long)o;
}

static CUresult take(const struct entry *e, const uint8_t *body, struct image *image, char *log, size_t log_size)
{
	int packed = (e->flags & (FLAG_LZ4 | FLAG_ZSTD)) != 0;
	size_t plain = packed ? e->plain : e->size, stored = e->compressed ? e->compressed : e->size;
	long n = -1;
	if (plain <= TEXT_MOST && stored <= e->size && (image->text = malloc(plain + 1))) {
		if (e->flags & FLAG_ZSTD) {
			void *scratch = malloc(zstd_scratch());
			if (scratch)
				n = zstd_decompress(body, stored, (uint8_t *)image->text, plain, scratch);
			free(scratch);
		} else if (e->flags & FLAG_LZ4) {
			n = lz4(body, stored, (uint8_t *)image->text, plain);
		} else {
			memcpy(image->text, body, plain);
			n = (long)plain;
		}
	}
	if (n < 0) {
		free(image->text);
		image->text = NULL;
		snprintf(log, log_size, "softgpu: the PTX in the fat binary is damaged: build the program anew");
		return CUDA_ERROR_INVALID_IMAGE;
	}
	image->text[n] = 0;
	image->length = strlen(image->text);
	return CUDA_SUCCESS;
}

/* PTX of any architecture will do; the lowest one asks for the fewest instructions. */
static CUresult open_fatbin(const uint8_t *at, struct image *image, char *log, size_t log_size)
{
	struct fatbin head;
	struct entry e, best;
	const uint8_t *body = NULL;
	memcpy(&head, at, sizeof head);
	if (head.header < sizeof head || head.size > TEXT_MOST * 16) {
		snprintf(log, log_size, "softgpu: the fat binary's header is damaged");
		return CUDA_ERROR_INVALID_IMAGE;
	}
	const uint8_t *p = at + head.header;
	for (uint64_t left = head.size; left >= sizeof e;) {
		memcpy(&e, p, sizeof e);
		if (e.header < sizeof e || e.header > left || e.size > left - e.header)
			break;
		if (e.kind == KIND_PTX && (!body || e.arch < best.arch)) {
			best = e;
			body = p + e.header;
		}
		p += e.header + e.size;
		left -= e.header + e.size;
	}
	if (!body) {
		snprintf(log, log_size,
			 "softgpu: the module holds machine code only; build it with PTX (nvcc -gencode arch=compute_75,code=compute_75)");
		return CUDA_ERROR_NO_BINARY_FOR_GPU;
	}
	return take(&best, body, image, log, log_size);
}

CUresult image_open(const void *data, struct image *image, char *log, size_t log_size)
{
	uint32_t magic;
	*image = (struct image){ 0 };
	if (!data)
		return CUDA_ERROR_INVALID_VALUE;
	const char *text = data;
	/* A byte at a time, as a text may be shorter than a magic number. */
	if (text[0] && text[1] && text[2] && (unsigned char)text[3]) {
		memcpy(&magic, data, sizeof magic);
		if (magic == WRAPPER_MAGIC) {
			struct wrapper w;
			memcpy(&w, data, sizeof w);
			if (!w.data)
				return CUDA_ERROR_INVALID_IMAGE;
			memcpy(&magic, w.data, sizeof magic);
			if (magic != FATBIN_MAGIC)
				return CUDA_ERROR_INVALID_IMAGE;
			return open_fatbin(w.data, image, log, log_size);
		}
		if (magic == FATBIN_MAGIC)
			return open_fatbin(data, image, log, log_size);
		if (!memcmp(text, "\x7f" "ELF", 4)) {
			snprintf(log, log_size, "softgpu: the module is machine code; softgpu runs PTX");
			return CUDA_ERROR_NO_BINARY_FOR_GPU;
		}
	}
	for (const unsigned char *p = data;; p++) {
		if (*p == '.' || *p == '/')    /* a directive, or a comment before it */
			break;
		if (*p != ' ' && *p != '\t' && *p != '\r' && *p != '\n') {
			snprintf(log, log_size, "softgpu: the module is neither PTX text nor a fat binary");
			return CUDA_ERROR_INVALID_IMAGE;
		}
	}
	image->length = strnlen(text, TEXT_MOST);
	if (image->length == TEXT_MOST || !(image->text = malloc(image->length + 1)))
		return CUDA_ERROR_INVALID_IMAGE;
	memcpy(image->text, text, image->length);
	image->text[image->length] = 0;
	return CUDA_SUCCESS;
}

/* A whole file, with zeros after it so that text ends and a short header stays inside. */
CUresult image_read(const char *path, void **data, size_t *size)
{
	FILE *f = fopen(path, "re");
	size_t n = 0, room = 1 << 16;
	char *p = NULL;
	if (!f)
		return CUDA_ERROR_FILE_NOT_FOUND;
	for (;;) {
		char *q = room > TEXT_MOST * 2 ? NULL : realloc(p, room + 64);
		if (!q)
			break;
		p = q;
		n += fread(p + n, 1, room - n, f);
		if (n < room) {
			int bad = ferror(f);
			fclose(f);
			memset(p + n, 0, 64);
			*data = p;
			*size = n;
			if (bad || !n) {
				free(p);
				return bad ? CUDA_ERROR_OPERATING_SYSTEM : CUDA_ERROR_INVALID_IMAGE;
			}
			return CUDA_SUCCESS;
		}
		room *= 2;
	}
	free(p);
	fclose(f);
	return CUDA_ERROR_OUT_OF_MEMORY;
}
