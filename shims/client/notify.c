// SPDX-License-Identifier: Apache-2.0
//
// Notifications of a device, which the program's function hears of in the thread
// that runs its host functions. What the worker asks for is heard() below, as a
// stream's callback: what there is to say goes in the places of the stream and
// the status.
#include <pthread.h>
#include <stdlib.h>

#include "call.h"
#include "callback.h"

struct asked {
	CUasyncCallback function;
	void *argument;
};

// Held while a function runs, so that it does not after its end was told; recursive, so that it may tell that itself.
static pthread_mutex_t lock;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_lock(void)
{
	pthread_mutexattr_t a;
	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&lock, &a);
	pthread_mutexattr_destroy(&a);
}

static void heard(CUstream bytes, CUresult type, void *name)
{
	CUasyncNotificationInfo info = {.type = (CUasyncNotificationType)type,
					.info.overBudget.bytesOverBudget = (unsigned long long)(uintptr_t)bytes};
	pthread_once(&once, make_lock);
	pthread_mutex_lock(&lock);
	void **record = axc_record(AXH_CUasyncCallbackHandle, (uint64_t)(uintptr_t)name);
	if (record && *record) {
		struct asked a = *(struct asked *)*record;
		a.function(&info, a.argument, (CUasyncCallbackHandle)name);
	}
	pthread_mutex_unlock(&lock);
}

// Under the lock.
static void forget(uint64_t name)
{
	void **record = axc_record(AXH_CUasyncCallbackHandle, name);
	if (record) {
		free(*record);
		*record = NULL;
	}
	axc_forget(AXH_CUasyncCallbackHandle, name);
}

AX_EXPORT CUresult cuDeviceRegisterAsyncNotification(CUdevice device, CUasyncCallback callbackFunc, void *userData,
						     CUasyncCallbackHandle *callback)
{
	struct axc_call call;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!callbackFunc || !callback)
		return CUDA_ERROR_INVALID_VALUE;
	if (!axc_callbacks_start())
		return CUDA_ERROR_OUT_OF_MEMORY;
	pthread_once(&once, make_lock);
	struct asked *a = malloc(sizeof *a);
	uint64_t name = a ? axc_new(AXH_CUasyncCallbackHandle) : 0;
	if (!name) {
		free(a);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	*a = (struct asked){callbackFunc, userData};
	pthread_mutex_lock(&lock);
	*axc_record(AXH_CUasyncCallbackHandle, name) = a;
	pthread_mutex_unlock(&lock);
	*callback = (CUasyncCallbackHandle)(uintptr_t)name; // it may be heard of before this call is answered
	r = axc_begin(&call, AX_cuDeviceRegisterAsyncNotification, sizeof(struct ax_in_cuDeviceRegisterAsyncNotification), 0);
	if (!r) {
		*(struct ax_in_cuDeviceRegisterAsyncNotification *)call.in = (struct ax_in_cuDeviceRegisterAsyncNotification){
			.device = device, .callbackFunc = (uint64_t)(uintptr_t)heard, .userData = name, .callback = name};
		r = axc_wait(&call);
		axc_end(&call);
	}
	if (r) {
		pthread_mutex_lock(&lock);
		forget(name);
		pthread_mutex_unlock(&lock);
		*callback = NULL;
	}
	return r;
}

AX_EXPORT CUresult cuDeviceUnregisterAsyncNotification(CUdevice device, CUasyncCallbackHandle callback)
{
	struct axc_call call;
	uint64_t name = (uint64_t)(uintptr_t)callback;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (axc_check(AXH_CUasyncCallbackHandle, name))
		return CUDA_ERROR_INVALID_VALUE;
	r = axc_begin(&call, AX_cuDeviceUnregisterAsyncNotification, sizeof(struct ax_in_cuDeviceUnregisterAsyncNotification), 0);
	if (r)
		return r;
	*(struct ax_in_cuDeviceUnregisterAsyncNotification *)call.in =
		(struct ax_in_cuDeviceUnregisterAsyncNotification){.device = device, .callback = name};
	r = axc_wait(&call);
	axc_end(&call);
	if (r)
		return r;
	pthread_once(&once, make_lock);
	pthread_mutex_lock(&lock);
	forget(name);
	pthread_mutex_unlock(&lock);
	return CUDA_SUCCESS;
}
