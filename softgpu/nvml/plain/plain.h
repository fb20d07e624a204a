/* SPDX-License-Identifier: Apache-2.0
 *
 * The plain GPU: as many as SOFTGPU_DEVICES says, with the name, the UUID and the memory that softgpu's libcuda gives
 * them. What a processor that plays a GPU has not (temperature, power, fans) is not supported, and not 0.
 */
#ifndef AXON_SOFTGPU_NVML_PLAIN_H
#define AXON_SOFTGPU_NVML_PLAIN_H

#include "nvml_worker.h"

/* Functions of the library that are answered. The table's end has no name. */
struct plain_function {
	const char *name;
	void (*function)(void);
};
#define PLAIN(name) { #name, (void (*)(void))plain_##name }

extern const struct plain_function plain_system[], plain_device[], plain_memory[], plain_lists[], plain_events[], plain_attributes[];

/* device.c: how many, and which one a handle means; -1 for none. */
int plain_count(void);
int plain_index(nvmlDevice_t device);
/* events.c: whether a set of events lives. */
int plain_set(uint64_t handle);
/* SOFTGPU_UNIFIED: its memory is the machine's. */
int plain_unified(void);

/* Copies a text into the caller's room. */
nvmlReturn_t plain_text(char *to, unsigned length, const char *text);

#endif
