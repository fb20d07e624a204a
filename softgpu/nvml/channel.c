/* SPDX-License-Identifier: Apache-2.0
 *
 * In the place of the shim's connection to axond.
 */
#include "channel.h"

#include <stdlib.h>
#include <string.h>

#include "nvml.h"

nvmlReturn_t axn_exchange(uint8_t *request, size_t bytes, int again, uint8_t **answer)
{
	struct axn_head h;
	const uint8_t *in = request + sizeof h;
	size_t out_bytes = 0;

	(void)again;
	memcpy(&h, request, sizeof h);
	*answer = NULL;
	int replays = replay_open();
	if (replays < 0)
		return NVML_ERROR_DRIVER_NOT_LOADED;
	uint8_t *packet = malloc(AXN_PACKET_MAX);
	if (!packet)
		return NVML_ERROR_MEMORY;
	nvmlReturn_t r = (replays ? replay_call : plain_call)(h.call, in, bytes - sizeof h, packet + sizeof h,
							      AXN_PACKET_MAX - sizeof h, &out_bytes);
	h.call = (uint32_t)r;
	h.len = (uint32_t)out_bytes;
	memcpy(packet, &h, sizeof h);
	*answer = packet;
	return NVML_SUCCESS;
}

void axn_hang_up(void) {}
