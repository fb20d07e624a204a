// SPDX-License-Identifier: Apache-2.0
//
// Checks a region's header before anything in it is used.
#include "region.h"

int axr_check(const struct axr_header *h, uint64_t file_size, const char **why)
{
	if (h->magic != AXR_MAGIC)
		*why = "this is not a region: the magic is wrong";
	else if (h->version != AXR_VERSION)
		*why = "the region is of another protocol version";
	else if (h->lanes == 0 || h->lanes > AXR_LANES_MAX)
		*why = "the number of lanes is out of bounds";
	else if (h->size != file_size)
		*why = "the region's size is not its file's";
	else if (h->heap_offset != AXR_LANES_OFFSET + (uint64_t)h->lanes * AXR_LANE_SIZE)
		*why = "the heap does not follow the lanes";
	else if (h->heap_size > file_size || h->heap_offset > file_size - h->heap_size ||
		 h->heap_offset + h->heap_size != file_size)
		*why = "the heap does not end with the file";
	else if (h->heap_base % 0x10000 || h->heap_size % 0x10000 || h->heap_base + h->heap_size < h->heap_base ||
		 h->heap_base + h->heap_size > 1ull << 47 || h->heap_base < 0x10000)
		*why = "the heap's address is out of bounds";
	else if (h->device_base + h->device_size < h->device_base || h->device_base + h->device_size > 1ull << 47)
		*why = "the device window is out of bounds";
	else
		return 0;
	return -1;
}
