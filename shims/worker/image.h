// SPDX-License-Identifier: Apache-2.0
//
// Images that the client has sent, by the numbers it gave them.
#ifndef AXON_WORKER_IMAGE_H
#define AXON_WORKER_IMAGE_H

#include "session.h"

// A whole image, held until axw_image_release: NULL if there is none of that number or parts are missing.
// Behind its last byte there are at least 64 zero bytes, so that text ends and a header can be looked at.
struct axw_image;
struct axw_image *axw_image_hold(struct axw_session *s, uint64_t number, const void **bytes, size_t *size);
void axw_image_release(struct axw_session *s, struct axw_image *image);

// Whether an image states no length that goes past its own bytes, and holds no pointer. 1 or 0.
int axw_image_fits(const void *bytes, size_t size);

#endif
