// SPDX-License-Identifier: Apache-2.0
//
// Module images: how long one is, and getting it across.
#ifndef AXON_IMAGE_H
#define AXON_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda_api.h"

// Finds the image behind what a program passes (a wrapper, a fat binary, a
// cubin, PTX text) and its length in bytes. False if it is none of these.
bool axc_image_of(const void *image, const void **bytes, size_t *length);
// Sends it; the worker keeps it under *number until axc_image_drop.
CUresult axc_image_send(const void *bytes, size_t length, uint64_t *number);
void axc_image_drop(uint64_t number);
// Reads a whole file that a program named: the client opens it, never the
// worker. The result is NUL-terminated and the caller's to free.
CUresult axc_image_read(const char *path, void **bytes, size_t *length);

#endif
