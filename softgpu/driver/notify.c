/* SPDX-License-Identifier: Apache-2.0
 *
 * Notifications: a device tells when more of its memory is used than its budget, seven eighths of it. A thread that is
 * made with the first registration calls the program's functions, so that none is called from within another call.
 */
#include "driver.h"

#include <stdlib.h>

struct notification {
	struct notification *next;
	struct device *device;
	CUasyncCallback function;
	void *data;
	uint64_t told;                         /* of the device's news, how many it was told */
};

static pthread_cond_t news = PTHREAD_COND_INITIALIZER;        /* all under gpu.lock */
static pthread_cond_t idle = PTHREAD_COND_INITIALIZER;
static struct notification *all, *current;                    /* whose function runs */
static pthread_t teller;
static int telling;

static uint64_t budget(const struct device *d) { return d->total - d->total / 8; }

/* The device has just been given n bytes more. */
void notify_charged(struct device *d, size_t n)
{
	if (d->used <= budget(d) || d->used - n > budget(d))
		return;
	d->news++;
	pthread_cond_signal(&news);
}

static struct notification *pending(void)
{
	for (struct notification *n = all; n; n = n->next)
		if (n->told != n->device->news)
			return n;
	return NULL;
}

static void *tell(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&gpu.lock);
	for (;;) {
		struct notification *n = pending();
		if (!n) {
			pthread_cond_wait(&news, &gpu.lock);
			continue;
		}
		n->told = n->device->news;
		CUasyncNotificationInfo info = { .type = CU_ASYNC_NOTIFICATION_TYPE_OVER_BUDGET };
		info.info.overBudget.bytesOverBudget = n->device->used > budget(n->device) ? n->device->used - budget(n->device) : 0;
		current = n;
		pthread_mutex_unlock(&gpu.lock);
		n->function(&info, n->data, (CUasyncCallbackHandle)n);
		pthread_mutex_lock(&gpu.lock);
		current = NULL;
		pthread_cond_broadcast(&idle);
	}
	return NULL;
}

API CUresult cuDeviceRegisterAsyncNotification(CUdevice dev, CUasyncCallback function, void *data, CUasyncCallbackHandle *out)
{
	struct device *d;
	CUresult r = enter_any();
	if (r)
		return r;
	r = device_find(dev, &d);
	if (!r && (!function || !out))
		r = CUDA_ERROR_INVALID_VALUE;
	if (r)
		return leave(r);
	struct notification *n = malloc(sizeof *n);
	if (n && !telling) {
		telling = !pthread_create(&teller, NULL, tell, NULL);
		if (telling)
			pthread_detach(teller);
	}
	if (!n || !telling) {
		free(n);
		return leave(CUDA_ERROR_OUT_OF_MEMORY);
	}
	*n = (struct notification){ all, d, function, data, d->news };
	all = n;
	*out = (CUasyncCallbackHandle)n;
	return leave(CUDA_SUCCESS);
}

API CUresult cuDeviceUnregisterAsyncNotification(CUdevice dev, CUasyncCallbackHandle handle)
{
	struct device *d;
	CUresult r = enter_any();
	if (r)
		return r;
	r = device_find(dev, &d);
	struct notification **p = &all, *n;
	while (!r && *p && ((CUasyncCallbackHandle)*p != handle || (*p)->device != d))
		p = &(*p)->next;
	if (r || !*p)
		return leave(r ? r : CUDA_ERROR_INVALID_VALUE);
	n = *p;
	*p = n->next;
	while (current == n && !pthread_equal(teller, pthread_self()))
		pthread_cond_wait(&idle, &gpu.lock);
	free(n);
	return leave(CUDA_SUCCESS);
}
