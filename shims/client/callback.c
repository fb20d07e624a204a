// SPDX-License-Identifier: Apache-2.0
//
// Host functions: the worker asks for them when the stream gets there, a
// thread of the client's runs them. It starts with the first one; a program
// that uses none has no thread it did not make.
#include <pthread.h>
#include <signal.h>

#include "call.h"
#include "callback.h"
#include "managed.h"
#include "session.h"
#include "wait.h"

static void run(struct axr_upcall *u)
{
	if (atomic_load_explicit(&axc_managed_variables, memory_order_relaxed))
		axc_managed_pull();
	if (u->kind == AXR_UP_CALL)
		((CUhostFn)(uintptr_t)u->a)((void *)(uintptr_t)u->b);
	else if (u->kind == AXR_UP_STREAM)
		((CUstreamCallback)(uintptr_t)u->a)((CUstream)(uintptr_t)u->c, (CUresult)u->d, (void *)(uintptr_t)u->b);
	axc_managed_before();
}

static void *serve(void *unused)
{
	struct axr_header *h = axc.header;
	uint32_t head = atomic_load(&h->upcall_head);

	(void)unused;
	while (atomic_load(&h->state) != AXR_ENDED) {
		struct axr_upcall *u = axr_upcall_at(axc.region, head);
		uint32_t tail = atomic_load_explicit(&h->upcall_tail, memory_order_acquire);
		if (tail == head) {
			atomic_store(&h->upcall_asleep, 1);
			axr_full_fence(); // pairs with the worker's, between upcall_tail and upcall_asleep
			if (atomic_load(&h->upcall_tail) == head && atomic_load(&h->state) != AXR_ENDED)
				axr_futex_wait(&h->upcall_tail, head, NULL);
			atomic_store(&h->upcall_asleep, 0);
			continue;
		}
		if (atomic_load_explicit(&u->state, memory_order_acquire) == 1)
			run(u);
		atomic_store_explicit(&u->state, 2, memory_order_release);
		axr_futex_wake(&u->state);
		atomic_store(&h->upcall_head, ++head);
	}
	return NULL;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int serving;

static void start(void)
{
	pthread_t thread;
	sigset_t all, before;
	// The program's signals are for the program's threads.
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	serving = !pthread_create(&thread, NULL, serve, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (serving)
		pthread_detach(thread);
}

bool axc_callbacks_start(void)
{
	pthread_once(&once, start);
	return serving;
}

AX_EXPORT CUresult cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void *userData)
{
	struct axc_call call;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!fn)
		return CUDA_ERROR_INVALID_VALUE;
	if (!axc_callbacks_start())
		return CUDA_ERROR_OUT_OF_MEMORY;
	if ((r = axc_begin(&call, AX_cuLaunchHostFunc, sizeof(struct ax_in_cuLaunchHostFunc), 0)))
		return r;
	*(struct ax_in_cuLaunchHostFunc *)call.in = (struct ax_in_cuLaunchHostFunc){.hStream = (uint64_t)(uintptr_t)hStream,
										     .fn = (uint64_t)(uintptr_t)fn,
										     .userData = (uint64_t)(uintptr_t)userData};
	return axc_post(&call);
}

AX_EXPORT CUresult cuStreamAddCallback(CUstream hStream, CUstreamCallback callback, void *userData, unsigned int flags)
{
	struct axc_call call;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!callback || flags)
		return CUDA_ERROR_INVALID_VALUE;
	if (!axc_callbacks_start())
		return CUDA_ERROR_OUT_OF_MEMORY;
	if ((r = axc_begin(&call, AX_cuStreamAddCallback, sizeof(struct ax_in_cuStreamAddCallback), 0)))
		return r;
	*(struct ax_in_cuStreamAddCallback *)call.in =
		(struct ax_in_cuStreamAddCallback){.hStream = (uint64_t)(uintptr_t)hStream,
						   .callback = (uint64_t)(uintptr_t)callback,
						   .userData = (uint64_t)(uintptr_t)userData,
						   .flags = flags};
	return axc_post(&call);
}
