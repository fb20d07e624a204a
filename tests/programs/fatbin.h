// SPDX-License-Identifier: Apache-2.0
//
// Fat binaries of any size: a little PTX, and machine code for a device that
// nobody has, which a library passes over.
#ifndef AXON_TEST_FATBIN_H
#define AXON_TEST_FATBIN_H

#include <stdint.h>
#include <string.h>

struct fatbin_head {
	uint32_t magic;
	uint16_t version, header;
	uint64_t size; // of all entries
};

struct fatbin_entry {
	uint16_t kind, version;
	uint32_t header;
	uint64_t size;
	uint32_t compressed, options;
	uint16_t minor, major;
	uint32_t arch, name_offset, name_size;
	uint64_t flags, zero, plain;
};

static inline size_t fatbin_text_room(const char *ptx) { return (strlen(ptx) + 8) & ~(size_t)7; }

// Bytes of a fat binary with `code` bytes of machine code.
static inline size_t fatbin_size(const char *ptx, size_t code)
{
	return sizeof(struct fatbin_head) + 2 * sizeof(struct fatbin_entry) + fatbin_text_room(ptx) + code;
}

static inline void fatbin_write(uint8_t *at, const char *ptx, size_t code)
{
	size_t text = fatbin_text_room(ptx);
	struct fatbin_head head = {.magic = 0xba55ed50u, .version = 1, .header = sizeof head, .size = fatbin_size(ptx, code) - sizeof head};
	struct fatbin_entry one = {.kind = 1, .version = 0x101, .header = sizeof one, .size = text, .major = 7, .arch = 52, .flags = 0x11};
	struct fatbin_entry two = {.kind = 2, .version = 0x101, .header = sizeof two, .size = code, .minor = 7, .major = 1, .arch = 20, .flags = 0x11};
	memcpy(at, &head, sizeof head), at += sizeof head;
	memcpy(at, &one, sizeof one), at += sizeof one;
	memset(at, 0, text);
	memcpy(at, ptx, strlen(ptx)), at += text;
	memcpy(at, &two, sizeof two), at += sizeof two;
	memset(at, 0x5a, code);
}

#endif
