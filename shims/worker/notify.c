// SPDX-License-Identifier: Apache-2.0
//
// Notifications of a device. The vendor calls from a thread of its own, at any
// time; the client is asked as for a stream's callback (api/cuda/device.api).
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_worker.h"
#include "session.h"
#include "upcall.h"

#define MOST 1024u // a session's at a time

// Found by its name: the vendor may be calling when one has just ended.
struct notified {
	struct notified *next;
	struct axw_session *s;
	uint64_t name, function, argument;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct notified *all;
static unsigned count;

static void tell(CUasyncNotificationInfo *info, void *data, CUasyncCallbackHandle handle)
{
	struct notified found = { 0 };

	(void)handle;
	pthread_mutex_lock(&lock);
	for (struct notified *n = all; n; n = n->next)
		if (n->name == (uint64_t)(uintptr_t)data)
			found = *n;
	pthread_mutex_unlock(&lock);
	// Of other kinds nobody knows what there is to say.
	if (found.name && info && info->type == CU_ASYNC_NOTIFICATION_TYPE_OVER_BUDGET)
		axw_upcall(found.s, AXR_UP_STREAM, found.function, found.argument, info->info.overBudget.bytesOverBudget,
			   (uint64_t)info->type);
}

static void forget(uint64_t name)
{
	pthread_mutex_lock(&lock);
	for (struct notified **p = &all; *p; p = &(*p)->next)
		if ((*p)->name == name) {
			struct notified *n = *p;
			*p = n->next;
			count--;
			free(n);
			break;
		}
	pthread_mutex_unlock(&lock);
}

CUresult axw_cuDeviceRegisterAsyncNotification(struct axw_call *w)
{
	struct ax_in_cuDeviceRegisterAsyncNotification in;
	CUasyncCallbackHandle handle = NULL;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	if (!in.callbackFunc || !in.callback)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	if (!axg_vendor.cuDeviceRegisterAsyncNotification || !axg_vendor.cuDeviceUnregisterAsyncNotification)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	struct notified *n = malloc(sizeof *n);
	if (!n)
		return axw_own(CUDA_ERROR_OUT_OF_MEMORY);
	*n = (struct notified){ .s = w->s, .name = in.callback, .function = in.callbackFunc, .argument = in.userData };
	pthread_mutex_lock(&lock);
	int room = count < MOST;
	for (const struct notified *o = all; o; o = o->next)
		room = room && o->name != n->name;
	if (room) {
		n->next = all;
		all = n;
		count++;
	}
	pthread_mutex_unlock(&lock);
	if (!room) {
		free(n);
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	}
	CUresult r = axg_vendor.cuDeviceRegisterAsyncNotification(in.device, tell, (void *)(uintptr_t)in.callback, &handle);
	if (r == CUDA_SUCCESS && axw_put(w->s, AXH_CUasyncCallbackHandle, in.callback, handle) < 0) {
		axg_vendor.cuDeviceUnregisterAsyncNotification(in.device, handle);
		r = axw_own(CUDA_ERROR_INVALID_VALUE);
	}
	if (r != CUDA_SUCCESS)
		forget(in.callback);
	return r;
}

CUresult axw_cuDeviceUnregisterAsyncNotification(struct axw_call *w)
{
	struct ax_in_cuDeviceUnregisterAsyncNotification in;
	CUasyncCallbackHandle handle;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	if (!axg_vendor.cuDeviceUnregisterAsyncNotification)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	if (axg_get_CUasyncCallbackHandle(w->s, in.callback, &handle) != CUDA_SUCCESS)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	CUresult r = axg_vendor.cuDeviceUnregisterAsyncNotification(in.device, handle);
	if (r == CUDA_SUCCESS) {
		forget(in.callback);
		axw_del(w->s, AXH_CUasyncCallbackHandle, in.callback);
	}
	return r;
}
