// SPDX-License-Identifier: Apache-2.0
//
// The linker. The vendor's writes its logs and its options' answers whenever it
// likes until the link ends, so they are kept here, and each call's answer has
// all of them as they are by then. The name of a link stands for what is kept,
// not for the vendor's handle; a link ends when the last call that uses it does.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "load.h"
#include "cuda_worker.h"

#define OPTIONS_MAX 256u
#define NAME_MAX_BYTES 4096u
#define WRAPPER_MAGIC 0x466243b1u // a fat binary's wrapper: it has a pointer in it

struct link {
	unsigned held; // under the lock: by its name, and by calls
	CUlinkState state;
	uint32_t options, info_size, error_size;
	CUjit_option names[OPTIONS_MAX];
	void *values[OPTIONS_MAX];
	char *info, *error;
	// What came out. The vendor's, until the end.
	const uint8_t *image;
	size_t image_size;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static size_t padded(size_t n) { return (n + 7) & ~(size_t)7; }

static struct link *hold(struct axw_session *s, uint64_t name)
{
	void *l = NULL;
	pthread_mutex_lock(&lock);
	if (!name || axw_get(s, AXH_CUlinkState, name, &l) < 0)
		l = NULL;
	else
		((struct link *)l)->held++;
	pthread_mutex_unlock(&lock);
	return l;
}

static CUresult let_go(struct link *l)
{
	CUresult r = CUDA_SUCCESS;
	pthread_mutex_lock(&lock);
	unsigned held = --l->held;
	pthread_mutex_unlock(&lock);
	if (held)
		return r;
	if (l->state && axg_vendor.cuLinkDestroy)
		r = axg_vendor.cuLinkDestroy(l->state);
	free(l->info);
	free(l->error);
	free(l);
	return r;
}

// The answer's arrays: what the linker has written so far, behind `fixed` bytes.
static CUresult tell(struct axw_call *w, const struct link *l, size_t fixed)
{
	size_t values = l->options * sizeof(uint64_t);
	size_t size = fixed + values + padded(l->info_size) + padded(l->error_size);

	if (size > w->out_max)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memset(w->out, 0, size);
	uint8_t *p = (uint8_t *)w->out + fixed;
	for (uint32_t i = 0; i < l->options; i++) {
		uint64_t value = (uint64_t)(uintptr_t)l->values[i];
		if (l->names[i] == CU_JIT_INFO_LOG_BUFFER || l->names[i] == CU_JIT_ERROR_LOG_BUFFER)
			value = 0; // ours
		memcpy(p + i * sizeof value, &value, sizeof value);
	}
	p += values;
	if (l->info_size)
		memcpy(p, l->info, l->info_size);
	p += padded(l->info_size);
	if (l->error_size)
		memcpy(p, l->error, l->error_size);
	w->out_size = size;
	return CUDA_SUCCESS;
}

// Whether the client says of the link what it said when it made it: that decides the answer's layout.
static int same(const struct link *l, uint32_t options, uint32_t info, uint32_t error)
{
	return l->options == options && l->info_size == info && l->error_size == error;
}

static CUresult read_option(const uint8_t *names, const uint8_t *values, uint32_t i, CUjit_option *name, void **value)
{
	uint32_t n;
	uint64_t v;
	memcpy(&n, names + i * sizeof n, sizeof n);
	memcpy(&v, values + i * sizeof v, sizeof v);
	*name = (CUjit_option)n;
	*value = (void *)(uintptr_t)v;
	return axw_jit_option_is_number(n) ? CUDA_SUCCESS : axw_own(CUDA_ERROR_NOT_SUPPORTED);
}

CUresult axw_axLinkCreate(struct axw_call *w)
{
	struct ax_in_axLinkCreate in;
	struct ax_out_axLinkCreate out = { 0 };
	CUresult r = CUDA_SUCCESS;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	size_t names = padded(in.numOptions * sizeof(uint32_t));
	if (in.numOptions > OPTIONS_MAX || in.infoSize > w->out_max || in.errorSize > w->out_max ||
	    w->data_size < names + in.numOptions * sizeof(uint64_t))
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	if (!axg_vendor.cuLinkCreate_v2)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	struct link *l = calloc(1, sizeof *l);
	if (!l || (in.infoSize && !(l->info = calloc(1, in.infoSize))) || (in.errorSize && !(l->error = calloc(1, in.errorSize)))) {
		if (l)
			free(l->info);
		free(l);
		return axw_own(CUDA_ERROR_OUT_OF_MEMORY);
	}
	l->held = 1;
	l->options = in.numOptions;
	l->info_size = in.infoSize;
	l->error_size = in.errorSize;
	for (uint32_t i = 0; i < in.numOptions && r == CUDA_SUCCESS; i++) {
		r = read_option(w->data, w->data + names, i, &l->names[i], &l->values[i]);
		switch (l->names[i]) {
		case CU_JIT_INFO_LOG_BUFFER:
			l->values[i] = l->info;
			r = CUDA_SUCCESS;
			break;
		case CU_JIT_ERROR_LOG_BUFFER:
			l->values[i] = l->error;
			r = CUDA_SUCCESS;
			break;
		case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
			l->values[i] = (void *)(uintptr_t)in.infoSize;
			break;
		case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
			l->values[i] = (void *)(uintptr_t)in.errorSize;
			break;
		default:
			break;
		}
	}
	if (r == CUDA_SUCCESS)
		r = axg_vendor.cuLinkCreate_v2(l->options, l->options ? l->names : NULL, l->options ? l->values : NULL, &l->state);
	CUresult told = tell(w, l, sizeof out);
	if (r == CUDA_SUCCESS)
		r = told;
	if (r == CUDA_SUCCESS && !(out.state = axw_name_new(w->s, AXH_CUlinkState, l)))
		r = axw_own(CUDA_ERROR_OUT_OF_MEMORY);
	if (r != CUDA_SUCCESS)
		let_go(l);
	if (told == CUDA_SUCCESS)
		memcpy(w->out, &out, sizeof out);
	return r;
}

static CUresult add(struct axw_call *w, const struct ax_in_axLinkAdd *in, struct link *l)
{
	CUjit_option names[OPTIONS_MAX];
	void *values[OPTIONS_MAX];
	char name[NAME_MAX_BYTES + 1];
	const void *bytes;
	size_t size, at = padded(in->numOptions * sizeof(uint32_t)), name_at = at + in->numOptions * sizeof(uint64_t);
	uint32_t magic;

	if (!same(l, in->linkOptions, in->infoSize, in->errorSize) || in->numOptions > OPTIONS_MAX ||
	    in->nameBytes > NAME_MAX_BYTES || w->data_size < name_at + in->nameBytes)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	if (!axg_vendor.cuLinkAddData_v2)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	for (uint32_t i = 0; i < in->numOptions; i++) {
		CUresult r = read_option(w->data, w->data + at, i, &names[i], &values[i]);
		if (r != CUDA_SUCCESS)
			return r;
	}
	memcpy(name, w->data + name_at, in->nameBytes);
	name[in->nameBytes] = 0;
	struct axw_image *image = axw_image_hold(w->s, in->image, &bytes, &size);
	if (!image)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&magic, bytes, sizeof magic); // there are bytes behind the last one
	CUresult r = magic == WRAPPER_MAGIC
			     ? axw_own(CUDA_ERROR_INVALID_IMAGE)
			     : axg_vendor.cuLinkAddData_v2(l->state, (CUjitInputType)in->type, (void *)(uintptr_t)bytes, size,
							   in->nameBytes ? name : NULL, in->numOptions,
							   in->numOptions ? names : NULL, in->numOptions ? values : NULL);
	axw_image_release(w->s, image);
	return r;
}

CUresult axw_axLinkAdd(struct axw_call *w)
{
	struct ax_in_axLinkAdd in;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	struct link *l = hold(w->s, in.state);
	if (!l)
		return axw_own(CUDA_ERROR_INVALID_HANDLE);
	CUresult r = add(w, &in, l), told = tell(w, l, 0);
	let_go(l);
	return r == CUDA_SUCCESS ? told : r;
}

CUresult axw_axLinkComplete(struct axw_call *w)
{
	struct ax_in_axLinkComplete in;
	struct ax_out_axLinkComplete out = { 0 };
	CUresult r, told = CUDA_SUCCESS;
	void *image = NULL;
	size_t size = 0;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	if (!axg_vendor.cuLinkComplete)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	struct link *l = hold(w->s, in.state);
	if (!l)
		return axw_own(CUDA_ERROR_INVALID_HANDLE);
	if (same(l, in.linkOptions, in.infoSize, in.errorSize)) {
		r = axg_vendor.cuLinkComplete(l->state, &image, &size);
		if (r == CUDA_SUCCESS) {
			l->image = image;
			l->image_size = out.size = size;
		}
		told = tell(w, l, sizeof out);
		if (told == CUDA_SUCCESS)
			memcpy(w->out, &out, sizeof out);
	} else {
		r = axw_own(CUDA_ERROR_INVALID_VALUE);
	}
	let_go(l);
	return r == CUDA_SUCCESS ? told : r;
}

CUresult axw_axLinkPart(struct axw_call *w)
{
	struct ax_in_axLinkPart in;
	CUresult r = axw_own(CUDA_ERROR_INVALID_VALUE); // unless the part is there

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	struct link *l = hold(w->s, in.state);
	if (!l)
		return axw_own(CUDA_ERROR_INVALID_HANDLE);
	if (in.n <= w->out_max && in.offset <= l->image_size && in.n <= l->image_size - in.offset) {
		if (in.n)
			memcpy(w->out, l->image + in.offset, in.n);
		w->out_size = in.n;
		r = CUDA_SUCCESS;
	}
	let_go(l);
	return r;
}

CUresult axw_axLinkDestroy(struct axw_call *w)
{
	struct ax_in_axLinkDestroy in;
	void *l = NULL;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	pthread_mutex_lock(&lock); // no call holds it between the two
	int found = in.state && axw_get(w->s, AXH_CUlinkState, in.state, &l) == 0;
	if (found)
		axw_del(w->s, AXH_CUlinkState, in.state);
	pthread_mutex_unlock(&lock);
	return found ? let_go(l) : axw_own(CUDA_ERROR_INVALID_HANDLE);
}
