// SPDX-License-Identifier: Apache-2.0
//
// MD2 and the HMAC over it that cudart's integrity check wants.
#ifndef AXON_INTEGRITY_H
#define AXON_INTEGRITY_H

#include <stddef.h>
#include <stdint.h>

struct axc_md2 {
	uint8_t state[48], checksum[16], pending[16];
	size_t used;
};

void axc_md2_start(struct axc_md2 *m);
void axc_md2_add(struct axc_md2 *m, const void *data, size_t n);
void axc_md2_finish(struct axc_md2 *m, uint8_t digest[16]);
void axc_integrity_hmac(const void *message, size_t n, uint8_t digest[16]);

#endif
