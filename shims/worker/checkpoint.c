// SPDX-License-Identifier: Apache-2.0
//
// cuCheckpointProcess* on this process, which has the driver's half of the
// client's. axond orders it (checkpoint_order.h). No lane does it: while the
// process is locked the vendor holds up every other call, whatever thread it
// comes from, and a lane behind such a call would never get to the unlock. So
// each order has a thread that does nothing else; axond sends two at once at
// most, one that acts and one that asks for the state.
#include "checkpoint.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cuda_api.h"
#include "order.h"
#include "start.h"
#include "wait.h"

#define SLICE_NS 100000000u // between two looks whether somebody else's lock has come about
#define ORDERS_MAX 4 // an axond that was restarted does not know of its predecessor's

static struct axw_session *session;
static _Atomic int running;

static struct {
	CUresult (*state)(int, CUprocessState *);
	CUresult (*lock)(int, CUcheckpointLockArgs *);
	CUresult (*checkpoint)(int, CUcheckpointCheckpointArgs *);
	CUresult (*restore)(int, CUcheckpointRestoreArgs *);
	CUresult (*unlock)(int, CUcheckpointUnlockArgs *);
} vendor;

void axw_checkpoint_start(struct axw_session *s)
{
	session = s;
	*(void **)&vendor.state = axw_vendor_symbol("cuCheckpointProcessGetState");
	*(void **)&vendor.lock = axw_vendor_symbol("cuCheckpointProcessLock");
	*(void **)&vendor.checkpoint = axw_vendor_symbol("cuCheckpointProcessCheckpoint");
	*(void **)&vendor.restore = axw_vendor_symbol("cuCheckpointProcessRestore");
	*(void **)&vendor.unlock = axw_vendor_symbol("cuCheckpointProcessUnlock");
}

static int running_still(void)
{
	CUprocessState state = CU_PROCESS_STATE_RUNNING;
	return !vendor.state || vendor.state(getpid(), &state) != CUDA_SUCCESS || state == CU_PROCESS_STATE_RUNNING;
}

// What had been posted when the order came has been called, as far as its client knows: the vendor must have it before
// it is locked. The time that takes is the lock's.
static CUresult lock(uint32_t patience_ms)
{
	uint64_t start = axr_now_ns(), end = patience_ms ? start + patience_ms * 1000000ull : UINT64_MAX;
	uint64_t ticket = axw_order_now(session);

	// Of a process that is locked nothing gets further: then the vendor is asked at once, and says what is wrong.
	while (running_still()) {
		uint64_t slice = axr_now_ns() + SLICE_NS;
		if (axw_order_posted(session, ticket, slice < end ? slice : end))
			break;
		if (axr_now_ns() >= end)
			return CUDA_ERROR_NOT_READY;
	}
	if (patience_ms) {
		uint64_t took = (axr_now_ns() - start) / 1000000;
		patience_ms = took < patience_ms ? patience_ms - (uint32_t)took : 1; // 0 is for ever
	}
	CUcheckpointLockArgs args = { .timeoutMs = patience_ms };
	return vendor.lock(getpid(), &args);
}

static CUresult do_it(uint32_t what, uint32_t *value)
{
	CUprocessState state = CU_PROCESS_STATE_RUNNING;
	CUresult r = CUDA_ERROR_NOT_SUPPORTED; // an older driver

	switch (what) {
	case AXON_CHECKPOINT_STATE:
		if (vendor.state)
			r = vendor.state(getpid(), &state);
		*value = (uint32_t)state;
		return r;
	case AXON_CHECKPOINT_LOCK:
		return vendor.lock ? lock(*value) : r;
	case AXON_CHECKPOINT_CHECKPOINT:
		return vendor.checkpoint ? vendor.checkpoint(getpid(), &(CUcheckpointCheckpointArgs){ 0 }) : r;
	case AXON_CHECKPOINT_RESTORE:
		return vendor.restore ? vendor.restore(getpid(), &(CUcheckpointRestoreArgs){ 0 }) : r;
	case AXON_CHECKPOINT_UNLOCK:
		return vendor.unlock ? vendor.unlock(getpid(), &(CUcheckpointUnlockArgs){ 0 }) : r;
	}
	return CUDA_ERROR_INVALID_VALUE;
}

static void answer(struct axon_checkpoint_order m, CUresult r)
{
	m.what = (uint32_t)r;
	while (send(session->control, &m, sizeof m, MSG_NOSIGNAL) < 0 && errno == EINTR)
		;
}

static void *carry_out(void *arg)
{
	struct axon_checkpoint_order m = *(struct axon_checkpoint_order *)arg;

	free(arg);
	CUresult r = do_it(m.what, &m.value);
	atomic_fetch_sub(&running, 1);
	answer(m, r);
	return NULL;
}

void axw_checkpoint_order(const struct axon_checkpoint_order *order)
{
	pthread_attr_t attr;
	pthread_t thread;

	if (atomic_fetch_add(&running, 1) >= ORDERS_MAX) {
		atomic_fetch_sub(&running, 1);
		answer(*order, CUDA_ERROR_NOT_READY);
		return;
	}
	struct axon_checkpoint_order *mine = malloc(sizeof *mine);
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	if (mine)
		*mine = *order;
	if (!mine || pthread_create(&thread, &attr, carry_out, mine)) {
		free(mine);
		atomic_fetch_sub(&running, 1);
		answer(*order, CUDA_ERROR_OUT_OF_MEMORY);
	}
	pthread_attr_destroy(&attr);
}
