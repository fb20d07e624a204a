// SPDX-License-Identifier: Apache-2.0
//
// What an object ends with: see parent.c.
#ifndef AXON_WORKER_PARENT_H
#define AXON_WORKER_PARENT_H

// The kind of object that objects of this kind belong to, 0 for none.
unsigned axw_parent_kind(unsigned kind);
// The handle of the object that this one belongs to; NULL when the vendor does not say.
void *axw_parent_of(unsigned kind, void *handle);

#endif
