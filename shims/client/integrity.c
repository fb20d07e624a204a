// SPDX-License-Identifier: Apache-2.0
//
// The integrity check that cudart makes at start-up (table d4082055, slot 1):
// HMAC (RFC 2104) over MD2 (RFC 1319) with a key that is no secret. It has to
// be computed here: the message holds this process's id, thread and addresses.
// Measured against driver 580.159.04 for versions 11042, 12042, 13000..13004.
#include "integrity.h"

#include <string.h>

// MD2's S-box: the permutation of 0..255 that RFC 1319 derives from the digits of pi.
static const uint8_t sbox[256] = {
	41, 46, 67, 201, 162, 216, 124, 1, 61, 54, 84, 161, 236, 240, 6, 19,
	98, 167, 5, 243, 192, 199, 115, 140, 152, 147, 43, 217, 188, 76, 130, 202,
	30, 155, 87, 60, 253, 212, 224, 22, 103, 66, 111, 24, 138, 23, 229, 18,
	190, 78, 196, 214, 218, 158, 222, 73, 160, 251, 245, 142, 187, 47, 238, 122,
	169, 104, 121, 145, 21, 178, 7, 63, 148, 194, 16, 137, 11, 34, 95, 33,
	128, 127, 93, 154, 90, 144, 50, 39, 53, 62, 204, 231, 191, 247, 151, 3,
	255, 25, 48, 179, 72, 165, 181, 209, 215, 94, 146, 42, 172, 86, 170, 198,
	79, 184, 56, 210, 150, 164, 125, 182, 118, 252, 107, 226, 156, 116, 4, 241,
	69, 157, 112, 89, 100, 113, 135, 32, 134, 91, 207, 101, 230, 45, 168, 2,
	27, 96, 37, 173, 174, 176, 185, 246, 28, 70, 97, 105, 52, 64, 126, 15,
	85, 71, 163, 35, 221, 81, 175, 58, 195, 92, 249, 206, 186, 197, 234, 38,
	44, 83, 13, 110, 133, 40, 132, 9, 211, 223, 205, 244, 65, 129, 77, 82,
	106, 220, 55, 200, 108, 193, 171, 250, 36, 225, 123, 8, 12, 189, 177, 74,
	120, 136, 149, 139, 227, 99, 232, 109, 233, 203, 213, 254, 59, 0, 29, 57,
	242, 239, 183, 14, 102, 88, 208, 228, 166, 119, 114, 248, 235, 117, 75, 10,
	49, 68, 80, 180, 143, 237, 31, 26, 219, 153, 141, 51, 159, 17, 131, 20,
};

void axc_md2_start(struct axc_md2 *m)
{
	memset(m, 0, sizeof *m);
}

static void block(struct axc_md2 *m, const uint8_t *b)
{
	uint8_t last = m->checksum[15];
	for (int i = 0; i < 16; i++)
		last = m->checksum[i] ^= sbox[b[i] ^ last];
	for (int i = 0; i < 16; i++) {
		m->state[16 + i] = b[i];
		m->state[32 + i] = b[i] ^ m->state[i];
	}
	unsigned t = 0;
	for (unsigned round = 0; round < 18; round++) {
		for (int i = 0; i < 48; i++)
			t = m->state[i] ^= sbox[t];
		t = (t + round) & 0xff;
	}
}

void axc_md2_add(struct axc_md2 *m, const void *data, size_t n)
{
	const uint8_t *p = data;
	while (n--) {
		m->pending[m->used++] = *p++;
		if (m->used == 16) {
			block(m, m->pending);
			m->used = 0;
		}
	}
}

void axc_md2_finish(struct axc_md2 *m, uint8_t digest[16])
{
	uint8_t pad[16], checksum[16];
	size_t n = 16 - m->used;
	memset(pad, (int)n, n);
	axc_md2_add(m, pad, n);
	memcpy(checksum, m->checksum, 16); // its own addition would change it
	axc_md2_add(m, checksum, 16);
	memcpy(digest, m->state, 16);
}

void axc_integrity_hmac(const void *message, size_t n, uint8_t digest[16])
{
	static const uint8_t key[16] = {0x14, 0x6A, 0xDD, 0xAE, 0x53, 0xA9, 0xA7, 0x52,
					0xAA, 0x08, 0x41, 0x36, 0x0B, 0xF5, 0x5A, 0x9F};
	struct axc_md2 m;
	uint8_t pad[16];

	for (int i = 0; i < 16; i++)
		pad[i] = key[i] ^ 0x36;
	axc_md2_start(&m);
	axc_md2_add(&m, pad, 16);
	axc_md2_add(&m, message, n);
	axc_md2_finish(&m, digest);
	for (int i = 0; i < 16; i++)
		pad[i] = key[i] ^ 0x5c;
	axc_md2_start(&m);
	axc_md2_add(&m, pad, 16);
	axc_md2_add(&m, digest, 16);
	axc_md2_finish(&m, digest);
}
