// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a module's image, the way they take in a worker on the software
// GPU: the worker's look at the lengths, then fat binaries, LZ4 and zstd. And
// any bytes as a region's header.
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "driver.h"
#include "image.h"
#include "region.h"

// trace.c's: it needs a session.
void axw_own_note(CUresult result, const char *where, int line)
{
	(void)result, (void)where, (void)line;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const char *why = NULL;
	_Alignas(struct axr_header) uint8_t header[sizeof(struct axr_header)] = {0};
	memcpy(header, bytes, size < sizeof header ? size : sizeof header);
	const struct axr_header *h = (const struct axr_header *)header;
	if (!axr_check(h, h->size, &why) && (h->heap_offset + h->heap_size != h->size || h->lanes > AXR_LANES_MAX))
		abort(); // accepted what would be out of the file
	if (!size)
		return 0;

	enum { MARGIN = 64 }; // zeros that the worker keeps behind an image
	char log[256];
	uint8_t *image = calloc(1, size + MARGIN);
	struct image found;
	if (!image)
		return 0;
	memcpy(image, bytes, size);
	if (axw_image_fits(image, size) && image_open(image, &found, log, sizeof log) == CUDA_SUCCESS) {
		if (strlen(found.text) != found.length)
			abort();
		free(found.text);
	}
	free(image);
	return 0;
}
