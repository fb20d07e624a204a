/* SPDX-License-Identifier: Apache-2.0
 *
 * The devices and what they say about themselves: compute capability 7.5, eight multiprocessors, as much memory as
 * SOFTGPU_MEMORY says (bytes, default 1 GiB), SOFTGPU_DEVICES of them (default 1). With SOFTGPU_UNIFIED=1 they say that their
 * memory is the machine's, as a GB10 does.
 */
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NAME "axon softgpu"
#define CLOCK_KHZ 1000000

static unsigned long long number(const char *name, unsigned long long otherwise, unsigned long long low,
				 unsigned long long high)
{
	const char *s = getenv(name);
	char *end;
	if (!s || !*s)
		return otherwise;
	unsigned long long n = strtoull(s, &end, 0);
	if (*end || n < low || n > high) {
		fprintf(stderr, "softgpu: %s=%s: wanted a number from %llu to %llu; using %llu\n", name, s, low, high,
			otherwise);
		return otherwise;
	}
	return n;
}

/* Stable from run to run, different for each unit. */
static void uuid_of(int unit, unsigned char bytes[16])
{
	static const unsigned char base[16] = "axon\x73\x6f\x46\x74\x8a\x47\x70\x75\x00\x00\x00\x00";
	memcpy(bytes, base, sizeof base);
	bytes[15] = (unsigned char)unit;
}

/* The unit that one word of CUDA_VISIBLE_DEVICES means: its number, or GPU- and the beginning of its UUID. -1: none. */
static int unit_of(const char *word, size_t length, int count)
{
	char *end;
	if (length > 4 && !strncmp(word, "GPU-", 4)) {
		for (int i = 0; i < count; i++) {
			unsigned char b[16];
			char text[48];
			uuid_of(i, b);
			snprintf(text, sizeof text, "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0], b[1],
				 b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
			if (length <= strlen(text) && !strncasecmp(word, text, length))
				return i;
		}
		return -1;
	}
	long n = strtol(word, &end, 10);
	return length && end == word + length && n >= 0 && n < count ? (int)n : -1;
}

/* As the vendor's library reads it: in the order named, up to the first that is none. One named twice: none at all. */
static int visible(int *units, int count)
{
	const char *s = getenv("CUDA_VISIBLE_DEVICES");
	int n = 0;
	if (!s) {
		for (; n < count; n++)
			units[n] = n;
		return n;
	}
	for (;;) {
		size_t length = strcspn(s, ",");
		int unit = n < MAX_DEVICES ? unit_of(s, length, count) : -1;
		if (unit < 0)
			return n;
		for (int i = 0; i < n; i++)
			if (units[i] == unit)
				return 0;
		units[n++] = unit;
		if (!s[length])
			return n;
		s += length + 1;
	}
}

void devices_setup(void)
{
	gpu.device_count = (int)number("SOFTGPU_DEVICES", 1, 0, MAX_DEVICES);
	size_t total = (size_t)number("SOFTGPU_MEMORY", (unsigned long long)1 << 30, 1 << 20, (unsigned long long)1 << 38);
	int units[MAX_DEVICES], count = visible(units, gpu.device_count);
	gpu.device_count = count;
	for (int i = 0; i < count; i++) {
		gpu.devices[i].ordinal = i;
		gpu.devices[i].unit = units[i];
		gpu.devices[i].total = total;
	}
}

CUresult device_find(CUdevice dev, struct device **d)
{
	if (dev < 0 || dev >= gpu.device_count)
		return CUDA_ERROR_INVALID_DEVICE;
	*d = &gpu.devices[dev];
	return CUDA_SUCCESS;
}

API CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
	struct device *d;
	CUresult r = enter_any();
	if (r)
		return r;
	if (!device)
		return leave(CUDA_ERROR_INVALID_VALUE);
	r = device_find(ordinal, &d);
	if (!r)
		*device = ordinal;
	return leave(r);
}

API CUresult cuDeviceGetCount(int *count)
{
	CUresult r = enter_any();
	if (r)
		return r;
	if (!count)
		return leave(CUDA_ERROR_INVALID_VALUE);
	*count = gpu.device_count;
	return leave(CUDA_SUCCESS);
}

API CUresult cuDeviceGetName(char *name, int len, CUdevice dev)
{
	struct device *d;
	CUresult r = enter_any();
	if (r)
		return r;
	r = device_find(dev, &d);
	if (!r && (!name || len <= 0))
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		snprintf(name, (size_t)len, "%s", NAME);
	return leave(r);
}

static CUresult uuid(CUuuid *out, CUdevice dev)
{
	struct device *d;
	CUresult r = enter_any();
	if (r)
		return r;
	r = device_find(dev, &d);
	if (!r && !out)
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		uuid_of(d->unit, (unsigned char *)out->bytes);
	return leave(r);
}

API CUresult cuDeviceGetUuid(CUuuid *out, CUdevice dev) { return uuid(out, dev); }
API CUresult cuDeviceGetUuid_v2(CUuuid *out, CUdevice dev) { return uuid(out, dev); }

API CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice dev)
{
	struct device *d;
	CUresult r = enter_any();
	if (r)
		return r;
	r = device_find(dev, &d);
	if (!r && !bytes)
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		*bytes = d->total;
	return leave(r);
}

API CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice dev)
{
	struct device *d;
	CUresult r = enter_any();
	if (r)
		return r;
	r = device_find(dev, &d);
	if (!r && (!major || !minor))
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r) {
		*major = 7;
		*minor = 5;
	}
	return leave(r);
}

/* What is not listed is 0: the device has no textures, no clusters, no interop. */
int device_attribute(const struct device *d, CUdevice_attribute attribute, int *value)
{
	if ((int)attribute < 1 || (int)attribute >= (int)CU_DEVICE_ATTRIBUTE_MAX)
		return -1;
	switch ((int)attribute) {
	case CU_DEVICE_ATTRIBUTE_INTEGRATED: *value = (int)number("SOFTGPU_UNIFIED", 0, 0, 1); break;
	case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = THREADS_PER_BLOCK; break;
	case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X: *value = 1024; break;
	case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y: *value = 1024; break;
	case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z: *value = 64; break;
	case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X: *value = 0x7fffffff; break;
	case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y: *value = 65535; break;
	case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z: *value = 65535; break;
	case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK: *value = SHARED_PER_BLOCK; break;
	case CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY: *value = 65536; break;
	case CU_DEVICE_ATTRIBUTE_WARP_SIZE: *value = WARP; break;
	case CU_DEVICE_ATTRIBUTE_MAX_PITCH: *value = 0x7fffffff; break;
	case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK: *value = REGISTERS_PER_SM; break;
	case CU_DEVICE_ATTRIBUTE_CLOCK_RATE: *value = CLOCK_KHZ; break;
	case CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT: *value = 512; break;
	case CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS:
	case CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS:
	case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS:
	case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS: *value = 2048; break;
	case CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH:
	case CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH:
	case CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT:
	case CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH:
	case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH:
	case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH:
	case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT:
	case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH:
	case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT:
	case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH:
	case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT:
	case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH: *value = 32768; break;
	case CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT:
	case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT: *value = 65536; break;
	case CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH:
	case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH:
	case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH:
	case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH: *value = 131072; break;
	case CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH:
	case CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT:
	case CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH:
	case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH:
	case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT:
	case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH: *value = 16384; break;
	case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH: *value = 1 << 28; break;
	case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT: *value = 65000; break;
	case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH: *value = 2097120; break;
	case CU_DEVICE_ATTRIBUTE_GPU_OVERLAP: *value = 1; break;
	case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: *value = SM_COUNT; break;
	case CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY: *value = 1; break;
	case CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT: *value = 512; break;
	case CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS: *value = 1; break;
	case CU_DEVICE_ATTRIBUTE_PCI_BUS_ID: *value = 0xf0; break;
	case CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID: *value = d->unit; break;
	case CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID: *value = 0; break;
	case CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE: *value = CLOCK_KHZ; break;
	case CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH: *value = 64; break;
	case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE: *value = 1 << 20; break;
	case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR: *value = THREADS_PER_SM; break;
	case CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT: *value = 2; break;
	case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING: *value = 1; break;
	case CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT: *value = 32; break;
	case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *value = 7; break;
	case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: *value = 5; break;
	case CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED: *value = 1; break;
	case CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED: *value = 1; break;
	case CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED: *value = 1; break;
	case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR: *value = SHARED_PER_SM; break;
	case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR: *value = REGISTERS_PER_SM; break;
	case CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY:
	case CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS: *value = 1; break;
	case CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID: *value = d->unit; break;
	case CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED: *value = 1; break;
	case CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO: *value = 1; break;
	case CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED: *value = 1; break;
	case CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM: *value = 1; break;
	case CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS: *value = 1; break;
	case CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR: *value = 1; break;
	case CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH: *value = 1; break;
	case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: *value = SHARED_OPTIN; break;
	case CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED: *value = 1; break;
	case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED: *value = 1; break;
	case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED: *value = 1; break;
	case CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR: *value = BLOCKS_PER_SM; break;
	case CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED: *value = 1; break;
	case CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED: *value = 1; break;
	case CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS: *value = 0; break;
	case CU_DEVICE_ATTRIBUTE_NUMA_ID: *value = -1; break;
	case CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID: *value = 0; break;
	case CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT: *value = 1; break;
	default: *value = 0; break;
	}
	return 0;
}

API CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice dev)
{
	struct device *d;
	CUresult r = enter_any();
	if (r)
		return r;
	r = device_find(dev, &d);
	if (!r && (!value || device_attribute(d, attribute, value)))
		r = CUDA_ERROR_INVALID_VALUE;
	return leave(r);
}

API CUresult cuDeviceGetProperties(CUdevprop *p, CUdevice dev)
{
	struct device *d;
	CUresult r = enter_any();
	if (r)
		return r;
	r = device_find(dev, &d);
	if (!r && !p)
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r) {
		*p = (CUdevprop){
			.maxThreadsPerBlock = THREADS_PER_BLOCK,
			.maxThreadsDim = { 1024, 1024, 64 },
			.maxGridSize = { 0x7fffffff, 65535, 65535 },
			.sharedMemPerBlock = SHARED_PER_BLOCK,
			.totalConstantMemory = 65536,
			.SIMDWidth = WARP,
			.memPitch = 0x7fffffff,
			.regsPerBlock = REGISTERS_PER_SM,
			.clockRate = CLOCK_KHZ,
			.textureAlign = 512,
		};
	}
	return leave(r);
}

API CUresult cuDeviceGetPCIBusId(char *out, int len, CUdevice dev)
{
	struct device *d;
	CUresult r = enter_any();
	if (r)
		return r;
	r = device_find(dev, &d);
	if (!r && (!out || len <= 0))
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		snprintf(out, (size_t)len, "0000:F0:%02X.0", (unsigned)d->unit);
	return leave(r);
}

API CUresult cuDeviceGetByPCIBusId(CUdevice *dev, const char *id)
{
	unsigned domain = 0, bus, slot, function = 0;
	CUresult r = enter_any();
	if (r)
		return r;
	if (!dev || !id)
		return leave(CUDA_ERROR_INVALID_VALUE);
	if (sscanf(id, "%x:%x:%x.%x", &domain, &bus, &slot, &function) < 3) {
		domain = 0;
		if (sscanf(id, "%x:%x.%x", &bus, &slot, &function) < 2)
			return leave(CUDA_ERROR_INVALID_VALUE);
	}
	if (domain || bus != 0xf0 || slot >= (unsigned)gpu.device_count || function)
		return leave(CUDA_ERROR_INVALID_DEVICE);
	*dev = (CUdevice)slot;
	return leave(CUDA_SUCCESS);
}

API CUresult cuDeviceGetExecAffinitySupport(int *value, CUexecAffinityType type, CUdevice dev)
{
	struct device *d;
	CUresult r = enter_any();
	if (r)
		return r;
	r = device_find(dev, &d);
	if (!r && (!value || type != CU_EXEC_AFFINITY_TYPE_SM_COUNT))
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		*value = 0;
	return leave(r);
}

API CUresult cuDeviceCanAccessPeer(int *can, CUdevice dev, CUdevice peer)
{
	struct device *a, *b;
	CUresult r = enter_any();
	if (r)
		return r;
	r = device_find(dev, &a);
	if (!r)
		r = device_find(peer, &b);
	if (!r && !can)
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		*can = a != b;
	return leave(r);
}

API CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute, CUdevice from, CUdevice to)
{
	struct device *a, *b;
	CUresult r = enter_any();
	if (r)
		return r;
	r = device_find(from, &a);
	if (!r)
		r = device_find(to, &b);
	if (!r && a == b)
		r = CUDA_ERROR_INVALID_DEVICE;
	if (!r && !value)
		r = CUDA_ERROR_INVALID_VALUE;
	if (r)
		return leave(r);
	switch ((int)attribute) {
	case CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK: *value = 0; break;
	case CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED: *value = 1; break;
	case CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED: *value = 1; break;
	case CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED: *value = 0; break;
	default: r = CUDA_ERROR_INVALID_VALUE; break;
	}
	return leave(r);
}
