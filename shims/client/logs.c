// SPDX-License-Identifier: Apache-2.0
//
// The driver's log. The worker's files are not the program's: one that the
// program names is written here.
//
// A message for callbacks is called out in the thread whose call brought it,
// before that call returns: a driver in this process would do the same. So a
// program whose host functions wait for its other threads is not held up.
#include "logs.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "call.h"

#define LOG_BYTES 25600 // all that the driver keeps
#define MESSAGE_BYTES 16384
#define CALLBACKS 64

static CUresult write_file(const char *path, const char *text, size_t size)
{
	size_t done = 0;
	while (size && !text[size - 1])
		size--; // text, and no NUL
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return CUDA_ERROR_INVALID_VALUE;
	while (done < size) {
		ssize_t n = write(fd, text + done, size - done);
		if (n < 0 && errno != EINTR)
			break;
		done += n > 0 ? (size_t)n : 0;
	}
	close(fd);
	return done == size ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM;
}

AX_EXPORT CUresult cuLogsDumpToFile(CUlogIterator *iterator, const char *pathToFile, unsigned int flags)
{
	size_t size = LOG_BYTES;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!pathToFile)
		return CUDA_ERROR_INVALID_VALUE;
	char *text = malloc(LOG_BYTES);
	if (!text)
		return CUDA_ERROR_OUT_OF_MEMORY;
	r = cuLogsDumpToMemory(iterator, text, &size, flags);
	if (!r && size > LOG_BYTES)
		r = CUDA_ERROR_UNKNOWN;
	if (!r)
		r = write_file(pathToFile, text, size);
	free(text);
	return r;
}

static struct {
	uint64_t name; // 0: free
	CUlogsCallback function;
	void *data;
} callbacks[CALLBACKS];
static _Atomic unsigned registered;
static _Thread_local bool busy; // with callbacks: what its own calls bring waits for its next round

// Held while functions run, so that none does after its end was told; recursive, so that one may tell that itself.
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

// The oldest message that nobody has taken. False if there is none.
static bool take(CUlogLevel *level, char *text, size_t *length)
{
	struct axc_call call;
	CUresult r = axc_begin(&call, AX_axLogTake, sizeof(struct ax_in_axLogTake), 0);
	if (r)
		return false;
	((struct ax_in_axLogTake *)call.in)->room = MESSAGE_BYTES;
	r = axc_wait(&call);
	const struct ax_out_axLogTake *out = call.out;
	bool have = !r && call.out_size >= sizeof *out && out->have && out->length <= MESSAGE_BYTES &&
		    call.out_size >= sizeof *out + out->length;
	if (have) {
		*level = (CUlogLevel)out->level;
		*length = out->length;
		memcpy(text, out + 1, out->length);
		text[out->length] = 0;
	}
	axc_end(&call);
	return have;
}

void axc_logs_news(void)
{
	char *text;
	CUlogLevel level;
	size_t length;
	if (!atomic_load_explicit(&registered, memory_order_relaxed) || busy || !(text = malloc(MESSAGE_BYTES + 1)))
		return;
	busy = true;
	pthread_mutex_lock(&lock);
	while (take(&level, text, &length))
		for (int i = 0; i < CALLBACKS; i++)
			if (callbacks[i].name)
				callbacks[i].function(callbacks[i].data, level, text, length);
	pthread_mutex_unlock(&lock);
	busy = false;
	free(text);
}

static CUresult listen(bool on)
{
	struct axc_call call;
	CUresult r = axc_begin(&call, AX_axLogListen, sizeof(struct ax_in_axLogListen), 0);
	if (r)
		return r;
	((struct ax_in_axLogListen *)call.in)->on = on;
	r = axc_wait(&call);
	axc_end(&call);
	return r;
}

AX_EXPORT CUresult cuLogsRegisterCallback(CUlogsCallback callbackFunc, void *userData, CUlogsCallbackHandle *callback_out)
{
	CUresult r = axc_ready();
	int i = 0;
	if (r)
		return r;
	if (!callbackFunc)
		return CUDA_ERROR_INVALID_VALUE;
	pthread_once(&once, make_lock);
	pthread_mutex_lock(&lock);
	while (i < CALLBACKS && callbacks[i].name)
		i++;
	uint64_t name = i < CALLBACKS ? axc_new(AXH_CUlogsCallbackHandle) : 0;
	r = !name ? CUDA_ERROR_OUT_OF_MEMORY : registered ? CUDA_SUCCESS : listen(true);
	if (!r) {
		callbacks[i].function = callbackFunc;
		callbacks[i].data = userData;
		callbacks[i].name = name;
		registered++;
		if (callback_out)
			*callback_out = (CUlogsCallbackHandle)(uintptr_t)name;
	} else if (name) {
		axc_forget(AXH_CUlogsCallbackHandle, name);
	}
	pthread_mutex_unlock(&lock);
	return r;
}

AX_EXPORT CUresult cuLogsUnregisterCallback(CUlogsCallbackHandle callback)
{
	CUresult r = axc_ready();
	int i = 0;
	if (r)
		return r;
	if (!callback)
		return CUDA_ERROR_INVALID_VALUE;
	pthread_once(&once, make_lock);
	pthread_mutex_lock(&lock);
	while (i < CALLBACKS && callbacks[i].name != (uint64_t)(uintptr_t)callback)
		i++;
	if (i == CALLBACKS) {
		r = CUDA_ERROR_INVALID_VALUE;
	} else {
		axc_forget(AXH_CUlogsCallbackHandle, callbacks[i].name);
		callbacks[i].name = 0;
		if (!--registered)
			r = listen(false);
	}
	pthread_mutex_unlock(&lock);
	return r;
}
