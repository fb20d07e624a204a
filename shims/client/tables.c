// SPDX-License-Identifier: Apache-2.0
//
// cuGetExportTable: the function tables that cudart, cuBLAS, cuDNN and NVRTC
// fetch by UUID. Which slots are called, and what they do, was measured
// (driver 580.159.04); all of it is answered here. A slot that nothing was
// seen to call says so once and returns CUDA_ERROR_NOT_SUPPORTED: a null
// pointer would be a jump to nowhere in somebody's program.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "call.h"
#include "context.h"
#include "device.h"
#include "integrity.h"
#include "session.h"
#include "storage.h"
#include "stats.h"

// Slot 0 of most tables is their size in bytes.
union slot {
	size_t size;
	void (*function)(void);
};

#define SLOT(f) {.function = (void (*)(void))(f)}

static CUresult success(void) { return CUDA_SUCCESS; }

// One function a slot, so that the log can say which one somebody wanted.
#define SLOT_NAMED(n) \
	static CUresult slot_##n(void) { return axc_refused("slot " #n " of a hidden table"); }
#define TEN(f, t) f(t##0) f(t##1) f(t##2) f(t##3) f(t##4) f(t##5) f(t##6) f(t##7) f(t##8) f(t##9)
#define HUNDRED(f) TEN(f, ) TEN(f, 1) TEN(f, 2) TEN(f, 3) TEN(f, 4) TEN(f, 5) TEN(f, 6) TEN(f, 7) TEN(f, 8) TEN(f, 9)
HUNDRED(SLOT_NAMED)

#define SLOT_OF(n) (void (*)(void)) slot_##n,
static void (*const unknown_slots[100])(void) = {HUNDRED(SLOT_OF)};

// 6bd5fb6c: cudart's own door.
static CUresult primary_context(CUcontext *out, CUdevice dev)
{
	struct axc_context *c;
	CUresult r = axc_context_primary(dev, &c);
	if (!r)
		*out = (CUcontext)(uintptr_t)c->name;
	return r;
}

static CUresult load_wrapped(CUmodule *out, const void *image)
{
	return cuModuleLoadFatBinary(out, image);
}

static CUresult load_wrapped_6(CUmodule *out, const void *image, void *a, void *b, unsigned c)
{
	(void)a, (void)b, (void)c;
	return cuModuleLoadFatBinary(out, image);
}

static CUresult load_wrapped_8(const void *image, CUmodule *out, void *a, void *b, unsigned c)
{
	(void)a, (void)b, (void)c;
	return cuModuleLoadFatBinary(out, image);
}

static union slot cudart[13] = {
	{.size = sizeof cudart},
	SLOT(load_wrapped),
	SLOT(primary_context),
	SLOT(slot_3),
	SLOT(slot_4),
	SLOT(slot_5),
	SLOT(load_wrapped_6),
	SLOT(success),
	SLOT(load_wrapped_8),
	SLOT(slot_9),
	SLOT(slot_10),
	SLOT(slot_11),
	SLOT(success),
};

// 42d85a81: the current context (cublasLt).
static CUresult current_context(CUcontext *out)
{
	struct axc_context *c = axc_context_current();
	if (out)
		*out = (CUcontext)(uintptr_t)(c ? c->name : 0);
	return CUDA_SUCCESS;
}

static union slot current[3] = {{.size = sizeof current}, SLOT(success), SLOT(current_context)};

// a094798c: words in which a tool would say that it is attached. None is.
static uint64_t words[0x400], more_words[0xe];

static void tool_words(void **buffer, size_t *n)
{
	*buffer = words;
	*n = 0x400;
}

static void more_tool_words(void **buffer, size_t *n)
{
	*buffer = more_words;
	*n = 0xe;
}

static union slot tool_hooks[7] = {
	{.size = sizeof tool_hooks}, SLOT(success), SLOT(tool_words),      SLOT(success),
	SLOT(success),               SLOT(success), SLOT(more_tool_words),
};

// c693336e: no size word.
static union slot storage[4] = {SLOT(axc_storage_put), SLOT(axc_storage_delete), SLOT(axc_storage_get), {.size = 0}};

// 21318c60: of its slots one is called, for the context's id.
static CUresult context_id(CUcontext ctx, uint64_t *id)
{
	unsigned long long value;
	CUresult r = cuCtxGetId(ctx, &value);
	if (!r)
		*id = value;
	return r;
}

static union slot context_tools[93];

// 263e8860
static CUresult context_check(CUcontext ctx, uint32_t *out, void **other)
{
	(void)ctx, (void)other; // written, it breaks cublasCreate
	*out = 0;
	return CUDA_SUCCESS;
}

static union slot context_checks[15];

// f8cff951: asked first, before cuInit.
static union slot first_asked[3] = {{.size = sizeof first_asked}, SLOT(success), SLOT(success)};

// 1734dc26: cublasLt crashes without the table and does with refused slots.
static union slot cublaslt[17];

// 6e163fbe: what tools ask of modules. cuFFT finds its kernels with slot 7: a
// call for each function of a module, with its handle. Returns 1 as the
// vendor's does. (Slot and order of arguments: lupine's cuda_client.cpp; that
// the handles alone will do was measured.)
typedef void (*module_callback)(void *opaque, void *function, uint64_t owner);

static CUresult module_functions(CUcontext ctx, CUmodule module, module_callback callback, void *opaque)
{
	unsigned count = 0;
	(void)ctx;
	CUresult r = cuModuleGetFunctionCount(&count, module);
	CUfunction *f = r || !count ? NULL : calloc(count, sizeof *f);
	if (!f)
		return r ? r : count ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_NOT_FOUND;
	r = cuModuleEnumerateFunctions(f, count, module);
	for (unsigned i = 0; !r && callback && i < count; i++)
		callback(opaque, f[i], (uint64_t)(uintptr_t)module);
	free(f);
	return r ? r : (CUresult)1;
}

static union slot module_tools[99];

// d4082055: the integrity check.
static CUresult integrity(uint32_t version, uint64_t unix_seconds, uint64_t out[2]);

static union slot integrity_table[3] = {{.size = sizeof integrity_table}, SLOT(integrity), SLOT(success)};

static uint8_t *put(uint8_t *at, uint64_t value, size_t bytes)
{
	memcpy(at, &value, bytes); // little-endian, as the machines are
	return at + bytes;
}

static CUresult integrity(uint32_t version, uint64_t unix_seconds, uint64_t out[2])
{
	if (version % 10 < 2) {
		out[0] = version % 10 == 0 ? 0x3341181C03CB675Cull : 0x1841181C03CB675Cull;
		out[1] = 0x8ED383AA1F4CD1E8ull;
		return CUDA_SUCCESS;
	}
	uint8_t message[48 + 28 * AXON_DEVICES], digest[16], *p = message;
	p = put(p, (uint64_t)axc_driver_version(), 4);
	p = put(p, version, 4);
	p = put(p, (uint64_t)getpid(), 4);
	p = put(p, (uint64_t)(uintptr_t)pthread_self(), 4);
	p = put(p, (uintptr_t)cudart, 8);
	p = put(p, (uintptr_t)integrity_table, 8);
	p = put(p, (uintptr_t)integrity_table[1].function, 8);
	p = put(p, unix_seconds, 8);
	for (int i = 0; !axc_ready() && axc_device(i); i++) {
		const struct axon_device *d = axc_device(i);
		memcpy(p, d->uuid, 16);
		p += 16;
		p = put(p, (uint32_t)d->attribute[CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID], 4);
		p = put(p, (uint32_t)d->attribute[CU_DEVICE_ATTRIBUTE_PCI_BUS_ID], 4);
		p = put(p, (uint32_t)d->attribute[CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID], 4);
	}
	axc_integrity_hmac(message, (size_t)(p - message), digest);
	memcpy(out, digest, sizeof digest);
	return CUDA_SUCCESS;
}

static const struct {
	uint8_t uuid[16];
	const union slot *table;
} tables[] = {
	{{0x6b, 0xd5, 0xfb, 0x6c, 0x5b, 0xf4, 0xe7, 0x4a, 0x89, 0x87, 0xd9, 0x39, 0x12, 0xfd, 0x9d, 0xf9}, cudart},
	{{0x42, 0xd8, 0x5a, 0x81, 0x23, 0xf6, 0xcb, 0x47, 0x82, 0x98, 0xf6, 0xe7, 0x8a, 0x3a, 0xec, 0xdc}, current},
	{{0xa0, 0x94, 0x79, 0x8c, 0x2e, 0x74, 0x2e, 0x74, 0x93, 0xf2, 0x08, 0x00, 0x20, 0x0c, 0x0a, 0x66}, tool_hooks},
	{{0xc6, 0x93, 0x33, 0x6e, 0x11, 0x21, 0xdf, 0x11, 0xa8, 0xc3, 0x68, 0xf3, 0x55, 0xd8, 0x95, 0x93}, storage},
	{{0x21, 0x31, 0x8c, 0x60, 0x97, 0x14, 0x32, 0x48, 0x8c, 0xa6, 0x41, 0xff, 0x73, 0x24, 0xc8, 0xf2}, context_tools},
	{{0x26, 0x3e, 0x88, 0x60, 0x7c, 0xd2, 0x61, 0x43, 0x92, 0xf6, 0xbb, 0xd5, 0x00, 0x6d, 0xfa, 0x7e}, context_checks},
	{{0xf8, 0xcf, 0xf9, 0x51, 0x21, 0x46, 0x8b, 0x4e, 0xb9, 0xe2, 0xfb, 0x46, 0x9e, 0x7c, 0x0d, 0xd9}, first_asked},
	{{0xd4, 0x08, 0x20, 0x55, 0xbd, 0xe6, 0x70, 0x4b, 0x8d, 0x34, 0xba, 0x12, 0x3c, 0x66, 0xe1, 0xf2}, integrity_table},
	{{0x6e, 0x16, 0x3f, 0xbe, 0xb9, 0x58, 0x44, 0x4d, 0x83, 0x5c, 0xe1, 0x82, 0xaf, 0xf1, 0x99, 0x1e}, module_tools},
	{{0x17, 0x34, 0xdc, 0x26, 0x80, 0x0d, 0x47, 0x45, 0x87, 0x26, 0xc0, 0xf1, 0xe7, 0xdd, 0x8b, 0xca}, cublaslt},
};

static void fill(union slot *table, size_t slots)
{
	table[0].size = slots * sizeof *table;
	for (size_t i = 1; i < slots; i++)
		table[i].function = unknown_slots[i];
}

static void fill_all(void)
{
	fill(context_tools, sizeof context_tools / sizeof *context_tools);
	context_tools[4].function = (void (*)(void))context_id;
	fill(context_checks, sizeof context_checks / sizeof *context_checks);
	context_checks[2].function = (void (*)(void))context_check;
	context_checks[3].function = (void (*)(void))success;
	fill(cublaslt, sizeof cublaslt / sizeof *cublaslt);
	fill(module_tools, sizeof module_tools / sizeof *module_tools);
	module_tools[7].function = (void (*)(void))module_functions;
}

AX_EXPORT CUresult cuGetExportTable(const void **ppExportTable, const CUuuid *pExportTableId)
{
	AXC_HERE();
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (!ppExportTable || !pExportTableId)
		return CUDA_ERROR_INVALID_VALUE;
	pthread_once(&once, fill_all);
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		if (!memcmp(pExportTableId, tables[i].uuid, sizeof tables[i].uuid)) {
			*ppExportTable = tables[i].table;
			return CUDA_SUCCESS;
		}
	*ppExportTable = NULL;
	const uint8_t *id = (const uint8_t *)pExportTableId;
	axc_debug("hidden table %02x%02x%02x%02x-%02x%02x is not there", id[0], id[1], id[2], id[3], id[4], id[5]);
	return CUDA_ERROR_INVALID_VALUE;
}
