// SPDX-License-Identifier: Apache-2.0
//
// nvmlInit and nvmlShutdown: counted, as the vendor counts them. The first one
// connects, the last one hangs up. Nothing happens in a constructor.
#include <pthread.h>
#include <stdatomic.h>

#include "call.h"
#include "channel.h"

static atomic_uint started;
static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;

// Another thread of a parent's may have been starting.
static void in_child(void) { starting = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; }
static void watch_forks(void) { pthread_atfork(NULL, NULL, in_child); }

nvmlReturn_t axc_ready(void) { return started ? NVML_SUCCESS : NVML_ERROR_UNINITIALIZED; }

// Asks the vendor's library something that it can always answer: if it cannot, that is what its nvmlInit said.
static nvmlReturn_t probe(void)
{
	struct axc_call c;
	nvmlReturn_t r = axc_begin(&c, AX_nvmlDeviceGetCount_v2, 0, 0);

	if (r)
		return r;
	r = axc_wait(&c);
	axc_end(&c);
	return r == NVML_ERROR_NOT_SUPPORTED || r == NVML_ERROR_FUNCTION_NOT_FOUND ? NVML_SUCCESS : r;
}

AX_EXPORT nvmlReturn_t nvmlInitWithFlags(unsigned int flags)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	nvmlReturn_t r = NVML_SUCCESS;

	(void)flags; // whether a machine without a GPU is an error, and which ones to attach to: the worker has them attached
	pthread_once(&once, watch_forks);
	pthread_mutex_lock(&starting);
	if (!started)
		r = probe();
	if (!r)
		started++;
	pthread_mutex_unlock(&starting);
	return r;
}

AX_EXPORT nvmlReturn_t nvmlInit_v2(void) { return nvmlInitWithFlags(0); }
AX_EXPORT nvmlReturn_t nvmlInit(void) { return nvmlInitWithFlags(0); }

AX_EXPORT nvmlReturn_t nvmlShutdown(void)
{
	nvmlReturn_t r = NVML_ERROR_UNINITIALIZED;

	pthread_mutex_lock(&starting);
	if (started) {
		r = NVML_SUCCESS;
		if (!--started)
			axn_hang_up();
	}
	pthread_mutex_unlock(&starting);
	return r;
}
