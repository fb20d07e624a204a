// SPDX-License-Identifier: Apache-2.0
//
// The producer's side of the upcall ring, and the calls that are nothing else.
#include "upcall.h"

#include <stdlib.h>
#include <string.h>

#include "cuda_worker.h"
#include "wait.h"

void axw_upcall(struct axw_session *s, uint32_t kind, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	uint32_t state;

	pthread_mutex_lock(&s->upcall_lock);
	struct axr_upcall *u = axr_upcall_at(s->region, s->upcall_tail);
	// As many are under way as there are entries: this one's last user must be done first.
	while ((state = atomic_load_explicit(&u->state, memory_order_acquire)) != 0)
		axr_futex_wait(&u->state, state, NULL);
	u->kind = kind;
	u->a = a, u->b = b, u->c = c, u->d = d;
	atomic_store_explicit(&u->state, 1, memory_order_release);
	atomic_store_explicit(&s->header->upcall_tail, ++s->upcall_tail, memory_order_release);
	axr_full_fence(); // pairs with the client's, between upcall_asleep and its look at the tail
	if (atomic_load_explicit(&s->header->upcall_asleep, memory_order_relaxed))
		axr_futex_wake(&s->header->upcall_tail);
	pthread_mutex_unlock(&s->upcall_lock);

	// The client may take as long as it likes: a program's host function does.
	while (atomic_load_explicit(&u->state, memory_order_acquire) == 1)
		axr_futex_wait(&u->state, 1, NULL);
	atomic_store_explicit(&u->state, 0, memory_order_release);
	axr_futex_wake(&u->state);
}

// What a host function on a stream carries; freed when it has run. One in a graph runs at each launch and
// stays as long as the session: nothing tells when the last graph that holds it is gone. So there is one of a
// kind for each pair of function and argument, however many graphs they are put into.
struct queued {
	struct axw_session *s;
	uint32_t kind;
	int again;
	uint64_t a, b, c;
	struct queued *next; // kept: in its chain
};

#define CHAINS 256u
static struct queued *kept[CHAINS];
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;

static void trampoline(void *arg)
{
	struct queued *q = arg;
	axw_upcall(q->s, q->kind, q->a, q->b, 0, 0);
	if (!q->again)
		free(q);
}

static void stream_trampoline(CUstream stream, CUresult status, void *arg)
{
	struct queued *q = arg;
	(void)stream;
	axw_upcall(q->s, q->kind, q->a, q->b, q->c, (uint64_t)status);
	free(q);
}

static struct queued *queued(struct axw_session *s, uint32_t kind, uint64_t a, uint64_t b, uint64_t c)
{
	struct queued *q = malloc(sizeof *q);
	if (q)
		*q = (struct queued){ .s = s, .kind = kind, .a = a, .b = b, .c = c };
	return q;
}

static struct queued *keep(struct axw_session *s, uint32_t kind, uint64_t a, uint64_t b)
{
	struct queued **chain = &kept[(a * 31 + b) * 0x9e3779b97f4a7c15ull >> 56], *q;

	_Static_assert(CHAINS == 1u << (64 - 56), "the hash's top bits");
	pthread_mutex_lock(&kept_lock);
	for (q = *chain; q && (q->s != s || q->kind != kind || q->a != a || q->b != b); q = q->next)
		;
	if (!q && (q = queued(s, kind, a, b, 0))) {
		q->again = 1;
		q->next = *chain;
		*chain = q;
	}
	pthread_mutex_unlock(&kept_lock);
	return q;
}

int axw_upcall_kept(struct axw_session *s, uint64_t function, uint64_t argument, CUhostFn *fn, void **data)
{
	*fn = trampoline;
	*data = keep(s, AXR_UP_CALL, function, argument);
	return *data ? 0 : -1;
}

int axw_upcall_of(CUhostFn fn, const void *data, uint64_t *function, uint64_t *argument)
{
	const struct queued *q = data;

	if (fn != trampoline || !q || q->kind != AXR_UP_CALL)
		return -1;
	*function = q->a;
	*argument = q->b;
	return 0;
}

CUresult axw_upcall_queued(struct axw_session *s, CUstream stream, uint32_t kind, uint64_t a, uint64_t b)
{
	CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;

	if (!axg_vendor.cuLaunchHostFunc)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	int again = !axg_vendor.cuStreamIsCapturing || axg_vendor.cuStreamIsCapturing(stream, &capture) != CUDA_SUCCESS ||
		    capture != CU_STREAM_CAPTURE_STATUS_NONE;
	struct queued *q = again ? keep(s, kind, a, b) : queued(s, kind, a, b, 0);
	if (!q)
		return axw_own(CUDA_ERROR_OUT_OF_MEMORY);
	CUresult r = axg_vendor.cuLaunchHostFunc(stream, trampoline, q);
	if (r != CUDA_SUCCESS && !again)
		free(q);
	return r;
}

CUresult axw_cuLaunchHostFunc(struct axw_call *w)
{
	struct ax_in_cuLaunchHostFunc in;
	CUstream stream;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	if (!in.fn)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	if (axg_get_CUstream(w->s, in.hStream, &stream) != CUDA_SUCCESS)
		return axw_own(CUDA_ERROR_INVALID_HANDLE);
	return axw_upcall_queued(w->s, stream, AXR_UP_CALL, in.fn, in.userData);
}

CUresult axw_cuStreamAddCallback(struct axw_call *w)
{
	struct ax_in_cuStreamAddCallback in;
	CUstream stream;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	if (!in.callback || in.flags)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	if (!axg_vendor.cuStreamAddCallback)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	if (axg_get_CUstream(w->s, in.hStream, &stream) != CUDA_SUCCESS)
		return axw_own(CUDA_ERROR_INVALID_HANDLE);
	struct queued *q = queued(w->s, AXR_UP_STREAM, in.callback, in.userData, in.hStream);
	if (!q)
		return axw_own(CUDA_ERROR_OUT_OF_MEMORY);
	CUresult r = axg_vendor.cuStreamAddCallback(stream, stream_trampoline, q, 0);
	if (r != CUDA_SUCCESS)
		free(q);
	return r;
}
