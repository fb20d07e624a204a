/* SPDX-License-Identifier: Apache-2.0
 *
 * Starting, the way into and out of every call, the registry of handles, and the names of errors.
 */
#include "driver.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct gpu gpu = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.table = PTHREAD_RWLOCK_INITIALIZER,
	.next_id = 1,
	.next_context_id = 1,
};

/* What goes to the log, and SOFTGPU_LOG=1 shows: why a module was refused, where a kernel faulted. */
void note(const char *format, ...)
{
	va_list list;
	char line[512];
	va_start(list, format);
	vsnprintf(line, sizeof line, format, list);
	va_end(list);
	log_add(line);
	if (gpu.log)
		fprintf(stderr, "%s\n", line);
}

/* The threads that do the work are not in a forked child, and the lock may be held by one of them: every call there
 * answers that the driver is not initialised, as the vendor's does. */
static void after_fork(void)
{
	__atomic_store_n(&gpu.forked, 1, __ATOMIC_RELAXED);
}

API CUresult cuInit(unsigned int flags)
{
	CUresult r = CUDA_SUCCESS;
	if (flags)
		return CUDA_ERROR_INVALID_VALUE;
	if (__atomic_load_n(&gpu.forked, __ATOMIC_RELAXED))
		return CUDA_ERROR_NOT_INITIALIZED;
	pthread_mutex_lock(&gpu.lock);
	if (!gpu.ready) {
		pthread_condattr_t attr;
		pthread_condattr_init(&attr);
		pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
		pthread_cond_init(&gpu.done, &attr);
		pthread_condattr_destroy(&attr);
		gpu.page = (size_t)sysconf(_SC_PAGESIZE);
		const char *log = getenv("SOFTGPU_LOG");
		gpu.log = log && *log && strcmp(log, "0");
		devices_setup();
		r = gpu.device_count ? windows_setup() : CUDA_ERROR_NO_DEVICE;
		for (int i = 0; !r && i < gpu.device_count; i++)
			r = pools_setup(&gpu.devices[i]);
		if (!r) {
			contexts_setup();
			pthread_atfork(NULL, NULL, after_fork);
			gpu.ready = 1;
		}
	}
	pthread_mutex_unlock(&gpu.lock);
	return r;
}

CUresult enter_any(void)
{
	if (__atomic_load_n(&gpu.forked, __ATOMIC_RELAXED))
		return CUDA_ERROR_NOT_INITIALIZED;
	pthread_mutex_lock(&gpu.lock);
	if (!gpu.ready)
		return leave(CUDA_ERROR_NOT_INITIALIZED);
	struct thread *t = thread_self();
	if (!t)
		return leave(CUDA_ERROR_OUT_OF_MEMORY);
	if (t->in_callback)
		return leave(CUDA_ERROR_NOT_PERMITTED);
	while (gpu.locked)
		pthread_cond_wait(&gpu.done, &gpu.lock);
	return CUDA_SUCCESS;
}

CUresult enter(struct context **ctx)
{
	CUresult r = enter_any();
	if (r)
		return r;
	*ctx = context_current();
	r = *ctx ? context_state(*ctx) : CUDA_ERROR_INVALID_CONTEXT;
	return r ? leave(r) : r;
}

CUresult leave(CUresult r)
{
	pthread_mutex_unlock(&gpu.lock);
	return r;
}

#define BUCKETS 1024
static struct object *buckets[BUCKETS];

static size_t bucket(const void *handle)
{
	return (size_t)(((uintptr_t)handle >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 40) % BUCKETS;
}

void object_add(struct object *o, enum kind kind, void (*release)(struct object *))
{
	size_t b = bucket(o);
	o->kind = kind;
	o->refs = 1;
	o->free = release;
	o->chain = buckets[b];
	buckets[b] = o;
}

void *object_find(enum kind kind, const void *handle)
{
	for (struct object *o = buckets[bucket(handle)]; o; o = o->chain)
		if (o == handle)
			return o->kind == kind ? o : NULL;
	return NULL;
}

void object_ref(struct object *o)
{
	o->refs++;
}

void object_unref(struct object *o)
{
	if (--o->refs == 0)
		o->free(o);
}

void object_retire(struct object *o)
{
	for (struct object **p = &buckets[bucket(o)]; *p; p = &(*p)->chain)
		if (*p == o) {
			*p = o->chain;
			object_unref(o);
			return;
		}
}

API CUresult cuDriverGetVersion(int *version)
{
	if (!version)
		return CUDA_ERROR_INVALID_VALUE;
	*version = 13000;
	return CUDA_SUCCESS;
}

static const struct { CUresult code; const char *name, *text; } errors[] = {
#define E(name, text) { name, #name, text },
	E(CUDA_SUCCESS, "no error")
	E(CUDA_ERROR_INVALID_VALUE, "an argument is not valid")
	E(CUDA_ERROR_OUT_OF_MEMORY, "out of memory")
	E(CUDA_ERROR_NOT_INITIALIZED, "cuInit has not been called in this process")
	E(CUDA_ERROR_DEINITIALIZED, "the driver is shutting down")
	E(CUDA_ERROR_DEVICE_UNAVAILABLE, "the device cannot be used now")
	E(CUDA_ERROR_NO_DEVICE, "there is no device")
	E(CUDA_ERROR_INVALID_DEVICE, "no device has this number")
	E(CUDA_ERROR_INVALID_IMAGE, "the module is in no known format")
	E(CUDA_ERROR_INVALID_CONTEXT, "no valid context is current")
	E(CUDA_ERROR_MAP_FAILED, "mapping failed")
	E(CUDA_ERROR_UNMAP_FAILED, "unmapping failed")
	E(CUDA_ERROR_NO_BINARY_FOR_GPU, "the module holds no code for this device: softgpu runs PTX")
	E(CUDA_ERROR_UNSUPPORTED_LIMIT, "the device has no such limit")
	E(CUDA_ERROR_CONTEXT_ALREADY_IN_USE, "the context is in use elsewhere")
	E(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, "these devices cannot reach each other's memory")
	E(CUDA_ERROR_INVALID_PTX, "the PTX cannot be compiled: see the error log buffer")
	E(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, "the PTX is of a newer version")
	E(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY, "execution affinity is not supported")
	E(CUDA_ERROR_FILE_NOT_FOUND, "no such file")
	E(CUDA_ERROR_OPERATING_SYSTEM, "a system call failed")
	E(CUDA_ERROR_INVALID_HANDLE, "the handle is not valid")
	E(CUDA_ERROR_ILLEGAL_STATE, "the object is in the wrong state")
	E(CUDA_ERROR_NOT_FOUND, "no such symbol")
	E(CUDA_ERROR_NOT_READY, "work is still going on")
	E(CUDA_ERROR_ILLEGAL_ADDRESS, "a kernel touched memory that is not its own")
	E(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "the launch needs more than the device has")
	E(CUDA_ERROR_LAUNCH_TIMEOUT, "a kernel ran for too long")
	E(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, "peer access is on already")
	E(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, "peer access is not on")
	E(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, "the primary context is active")
	E(CUDA_ERROR_CONTEXT_IS_DESTROYED, "the context has been destroyed")
	E(CUDA_ERROR_ASSERT, "an assertion failed in a kernel")
	E(CUDA_ERROR_TOO_MANY_PEERS, "too many peers")
	E(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "the host memory is registered already")
	E(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, "the host memory is not registered")
	E(CUDA_ERROR_HARDWARE_STACK_ERROR, "a kernel's call stack is broken or full")
	E(CUDA_ERROR_ILLEGAL_INSTRUCTION, "a kernel met an illegal instruction")
	E(CUDA_ERROR_MISALIGNED_ADDRESS, "a kernel used a misaligned address")
	E(CUDA_ERROR_LAUNCH_FAILED, "a kernel failed")
	E(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, "the cooperative grid does not fit on the device at once")
	E(CUDA_ERROR_NOT_PERMITTED, "not permitted here")
	E(CUDA_ERROR_NOT_SUPPORTED, "softgpu does not support this")
	E(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "not allowed while a stream is being captured")
	E(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "the capture was spoilt by an earlier call")
	E(CUDA_ERROR_STREAM_CAPTURE_MERGE, "two captures would become one")
	E(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, "the capture was not begun on this stream")
	E(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, "work of another stream in the capture was not waited for")
	E(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, "captured work would wait for work outside its graph")
	E(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, "the legacy stream would wait for a capture")
	E(CUDA_ERROR_CAPTURED_EVENT, "the event was last recorded in a capture")
	E(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, "the capture was begun by another thread")
	E(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, "the graph differs too much from the one that was instantiated")
	E(CUDA_ERROR_INVALID_CLUSTER_SIZE, "the cluster does not fit")
	E(CUDA_ERROR_FUNCTION_NOT_LOADED, "the function is not loaded")
	E(CUDA_ERROR_UNKNOWN, "unknown error")
#undef E
};

static size_t error_index(CUresult code)
{
	size_t i = 0;
	while (i < sizeof errors / sizeof *errors && errors[i].code != code)
		i++;
	return i;
}

API CUresult cuGetErrorName(CUresult code, const char **out)
{
	size_t i = error_index(code);
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	*out = i < sizeof errors / sizeof *errors ? errors[i].name : NULL;
	return *out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

API CUresult cuGetErrorString(CUresult code, const char **out)
{
	size_t i = error_index(code);
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	*out = i < sizeof errors / sizeof *errors ? errors[i].text : NULL;
	return *out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
