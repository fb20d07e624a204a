// SPDX-License-Identifier: Apache-2.0
//
// The CUDA snapshot: what the worker learned at start-up, at
// AXR_SNAPSHOT_OFFSET of the region, so that a client's questions about
// devices cost no round trip. Written before the state becomes READY.
#ifndef AXON_SNAPSHOT_H
#define AXON_SNAPSHOT_H

#include <stdint.h>

#define AXON_DEVICES 32
#define AXON_ATTRIBUTES 200 // CU_DEVICE_ATTRIBUTE_MAX is below, with room

struct axon_device {
	char name[256];
	uint8_t uuid[16];
	uint8_t uuid_v2[16];
	char pci_bus_id[32];
	uint64_t total_memory; // bytes
	uint8_t luid[8];
	uint32_t luid_mask;
	int32_t luid_result;
	int32_t priority_least, priority_greatest; // streams, from a context if one could be had, else 0 and -5
	int32_t attribute[AXON_ATTRIBUTES];        // by CUdevice_attribute
	int32_t attribute_result[AXON_ATTRIBUTES]; // CUresult of asking for it
};

struct axon_snapshot {
	int32_t init_result; // of cuInit
	int32_t driver_version;
	int32_t device_count;
	int32_t module_loading_mode; // CUmoduleLoadingMode
	struct axon_device device[AXON_DEVICES];
};

_Static_assert(sizeof(struct axon_snapshot) <= 0xf0000, "snapshot fits its place");

#endif
