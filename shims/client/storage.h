// SPDX-License-Identifier: Apache-2.0
//
// Context-local storage, as table c693336e offers it. put: 201 without a
// context. get: 400 if there is nothing under the key. The destructor runs
// when the context is reset or destroyed.
#ifndef AXON_STORAGE_H
#define AXON_STORAGE_H

#include "cuda_api.h"

typedef void (*axc_destructor)(CUcontext ctx, void *key, void *value);

CUresult axc_storage_put(CUcontext ctx, void *key, void *value, axc_destructor destroy);
CUresult axc_storage_delete(CUcontext ctx, void *key);
CUresult axc_storage_get(void **value, CUcontext ctx, void *key);

#endif
