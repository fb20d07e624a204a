/* SPDX-License-Identifier: Apache-2.0
 *
 * What the plain GPU is. The name, the UUID, the place on the bus and the clocks are those of ../../driver/device.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "plain.h"

#define NAME "axon softgpu"
#define DEVICES_MAX 16 /* MAX_DEVICES of ../../driver/driver.h */
#define BUS 0xf0
#define CLOCK_MHZ 1000

int plain_count(void)
{
	const char *s = getenv("SOFTGPU_DEVICES");
	char *end;
	long n = s && *s ? strtol(s, &end, 0) : 1;

	return s && *s && (*end || n < 0 || n > DEVICES_MAX) ? 1 : (int)n;
}

int plain_index(nvmlDevice_t device)
{
	uintptr_t n = (uintptr_t)device;
	return n >= 1 && n <= (uintptr_t)plain_count() ? (int)n - 1 : -1;
}

static nvmlDevice_t handle(unsigned index) { return (nvmlDevice_t)(uintptr_t)(index + 1); }

static nvmlReturn_t plain_nvmlDeviceGetCount_v2(unsigned *count)
{
	*count = (unsigned)plain_count();
	return NVML_SUCCESS;
}

static nvmlReturn_t plain_nvmlDeviceGetHandleByIndex_v2(unsigned index, nvmlDevice_t *device)
{
	if (index >= (unsigned)plain_count())
		return NVML_ERROR_INVALID_ARGUMENT;
	*device = handle(index);
	return NVML_SUCCESS;
}

static void uuid_of(unsigned index, char text[41])
{
	snprintf(text, 41, "GPU-61786f6e-736f-4674-8a47-7075000000%02x", index & 0xff);
}

static nvmlReturn_t plain_nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device)
{
	char text[41];

	for (unsigned i = 0; i < (unsigned)plain_count(); i++) {
		uuid_of(i, text);
		if (!strcasecmp(uuid, text)) {
			*device = handle(i);
			return NVML_SUCCESS;
		}
	}
	return NVML_ERROR_NOT_FOUND;
}

static nvmlReturn_t plain_nvmlDeviceGetHandleByPciBusId_v2(const char *id, nvmlDevice_t *device)
{
	unsigned domain = 0, bus, unit;

	if (sscanf(id, "%x:%x:%x.0", &domain, &bus, &unit) != 3) {
		domain = 0;
		if (sscanf(id, "%x:%x.0", &bus, &unit) != 2)
			return NVML_ERROR_INVALID_ARGUMENT;
	}
	if (domain || bus != BUS || unit >= (unsigned)plain_count())
		return NVML_ERROR_NOT_FOUND;
	*device = handle(unit);
	return NVML_SUCCESS;
}

static nvmlReturn_t plain_nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned length)
{
	(void)device;
	return plain_text(name, length, NAME);
}

static nvmlReturn_t plain_nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid, unsigned length)
{
	char text[41];

	uuid_of((unsigned)plain_index(device), text);
	return plain_text(uuid, length, text);
}

static nvmlReturn_t plain_nvmlDeviceGetIndex(nvmlDevice_t device, unsigned *index)
{
	*index = (unsigned)plain_index(device);
	return NVML_SUCCESS;
}

static nvmlReturn_t plain_nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t *pci)
{
	unsigned unit = (unsigned)plain_index(device);

	memset(pci, 0, sizeof *pci);
	pci->bus = BUS;
	pci->device = unit;
	snprintf(pci->busIdLegacy, sizeof pci->busIdLegacy, "0000:%02X:%02X.0", BUS, unit);
	snprintf(pci->busId, sizeof pci->busId, "00000000:%02X:%02X.0", BUS, unit);
	return NVML_SUCCESS;
}

static nvmlReturn_t plain_nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned *clock)
{
	(void)device;
	if (type != NVML_CLOCK_GRAPHICS && type != NVML_CLOCK_SM && type != NVML_CLOCK_MEM)
		return NVML_ERROR_NOT_SUPPORTED;
	*clock = CLOCK_MHZ;
	return NVML_SUCCESS;
}
#define plain_nvmlDeviceGetMaxClockInfo plain_nvmlDeviceGetClockInfo
#define plain_nvmlDeviceGetCount plain_nvmlDeviceGetCount_v2
#define plain_nvmlDeviceGetHandleByIndex plain_nvmlDeviceGetHandleByIndex_v2
#define plain_nvmlDeviceGetHandleByPciBusId plain_nvmlDeviceGetHandleByPciBusId_v2

static nvmlReturn_t plain_nvmlDeviceGetFieldValues(nvmlDevice_t device, int count, nvmlFieldValue_t *values)
{
	(void)device;
	for (int i = 0; i < count; i++)
		values[i].nvmlReturn = NVML_ERROR_NOT_SUPPORTED;
	return NVML_SUCCESS;
}

const struct plain_function plain_device[] = {
	PLAIN(nvmlDeviceGetCount_v2), PLAIN(nvmlDeviceGetCount), PLAIN(nvmlDeviceGetHandleByIndex_v2),
	PLAIN(nvmlDeviceGetHandleByIndex), PLAIN(nvmlDeviceGetHandleByUUID), PLAIN(nvmlDeviceGetHandleByPciBusId_v2),
	PLAIN(nvmlDeviceGetHandleByPciBusId), PLAIN(nvmlDeviceGetName), PLAIN(nvmlDeviceGetUUID), PLAIN(nvmlDeviceGetIndex),
	PLAIN(nvmlDeviceGetPciInfo_v3), PLAIN(nvmlDeviceGetClockInfo), PLAIN(nvmlDeviceGetMaxClockInfo),
	PLAIN(nvmlDeviceGetFieldValues), { NULL, NULL },
};
