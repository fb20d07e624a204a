// SPDX-License-Identifier: Apache-2.0
//
// Where a module's or a library's variables are. Managed ones among them are
// the program's to read and write, too (managed.c).
#include <stddef.h>
#include <string.h>

#include "call.h"
#include "managed.h"
#include "memory.h"
#include "session.h"

// cuModuleGetGlobal and its like: the owner's handle, a name, and as answer an address and a size.
static CUresult find(uint32_t number, uint64_t owner, const char *name, bool want, CUdeviceptr *at, size_t *size)
{
	struct axc_call call;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!name)
		return CUDA_ERROR_INVALID_VALUE;
	size_t length = strlen(name);
	if (length > UINT32_MAX)
		return CUDA_ERROR_NOT_FOUND;
	// The three have the same arguments in the same places.
	_Static_assert(sizeof(struct ax_in_cuModuleGetGlobal_v2) == sizeof(struct ax_in_cuLibraryGetGlobal) &&
			       sizeof(struct ax_in_cuLibraryGetManaged) == sizeof(struct ax_in_cuLibraryGetGlobal) &&
			       offsetof(struct ax_in_cuModuleGetGlobal_v2, hmod) == offsetof(struct ax_in_cuLibraryGetGlobal, library) &&
			       sizeof(struct ax_out_cuModuleGetGlobal_v2) == sizeof(struct ax_out_cuLibraryGetGlobal) &&
			       sizeof(struct ax_out_cuLibraryGetManaged) == sizeof(struct ax_out_cuLibraryGetGlobal),
		       "module.api, library.api");
	if ((r = axc_begin(&call, number, sizeof(struct ax_in_cuLibraryGetGlobal), (length + 7) & ~(size_t)7)))
		return r;
	*(struct ax_in_cuLibraryGetGlobal *)call.in = (struct ax_in_cuLibraryGetGlobal){
		.has_dptr = want, .has_bytes = want, .library = owner, .len_name = (uint32_t)length};
	memcpy(call.data, name, length);
	r = axc_wait(&call);
	if (!r && !want) {
		axc_end(&call);
		return CUDA_SUCCESS;
	}
	if (!r && call.out_size >= sizeof(struct ax_out_cuLibraryGetGlobal)) {
		const struct ax_out_cuLibraryGetGlobal *out = call.out;
		*at = out->dptr;
		*size = out->bytes;
	} else if (!r) {
		r = CUDA_ERROR_UNKNOWN;
	}
	axc_end(&call);
	return r;
}

static CUresult global(uint32_t number, uint64_t owner, const char *name, CUdeviceptr *dptr, size_t *bytes)
{
	CUdeviceptr at = 0;
	size_t size = 0;
	int managed = number == AX_cuLibraryGetManaged;
	CUresult r = find(number, owner, name, dptr || bytes, &at, &size);

	if (r)
		return r;
	// The vendor puts them where there is room, outside the window too.
	if (at && size && !axc_reserve(at, size))
		return CUDA_ERROR_OUT_OF_MEMORY;
	if (!managed && at && cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, at))
		managed = 0;
	if (managed && at && size && (r = axc_managed_meet(owner, number == AX_cuModuleGetGlobal_v2, at, size))) {
		axc_debug("%s: no room for the managed variable %s", axg_call_name[number], name);
		return r;
	}
	if (dptr)
		*dptr = at;
	if (bytes)
		*bytes = size;
	return CUDA_SUCCESS;
}

AX_EXPORT CUresult cuModuleGetGlobal_v2(CUdeviceptr *dptr, size_t *bytes, CUmodule hmod, const char *name)
{
	return global(AX_cuModuleGetGlobal_v2, (uint64_t)(uintptr_t)hmod, name, dptr, bytes);
}

AX_EXPORT CUresult cuLibraryGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUlibrary library, const char *name)
{
	return global(AX_cuLibraryGetGlobal, (uint64_t)(uintptr_t)library, name, dptr, bytes);
}

AX_EXPORT CUresult cuLibraryGetManaged(CUdeviceptr *dptr, size_t *bytes, CUlibrary library, const char *name)
{
	return global(AX_cuLibraryGetManaged, (uint64_t)(uintptr_t)library, name, dptr, bytes);
}

static CUresult unload(uint32_t number, unsigned kind, uint64_t owner)
{
	struct axc_call call;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (axc_check(kind, owner))
		return CUDA_ERROR_INVALID_HANDLE;
	axc_managed_part(owner);
	_Static_assert(sizeof(struct ax_in_cuModuleUnload) == sizeof(struct ax_in_cuLibraryUnload), "module.api, library.api");
	if ((r = axc_begin(&call, number, sizeof(struct ax_in_cuModuleUnload), 0)))
		return r;
	((struct ax_in_cuModuleUnload *)call.in)->hmod = owner;
	if (!(r = axc_post(&call)))
		axc_forget(kind, owner);
	return r;
}

AX_EXPORT CUresult cuModuleUnload(CUmodule hmod)
{
	return unload(AX_cuModuleUnload, AXH_CUmodule, (uint64_t)(uintptr_t)hmod);
}

AX_EXPORT CUresult cuLibraryUnload(CUlibrary library)
{
	return unload(AX_cuLibraryUnload, AXH_CUlibrary, (uint64_t)(uintptr_t)library);
}
