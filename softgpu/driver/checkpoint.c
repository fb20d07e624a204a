/* SPDX-License-Identifier: Apache-2.0
 *
 * cuCheckpointProcess*, of this process alone: the states and who waits for whom. Memory stays where it is, as it is the
 * host's anyway.
 */
#include "driver.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

static CUprocessState state = CU_PROCESS_STATE_RUNNING;

static void count(struct context *c, void *busy)
{
	*(size_t *)busy += c->outstanding;
}

static int contexts_busy(void)
{
	size_t busy = 0;
	contexts_each(count, &busy);
	return busy != 0;
}

/* The driver may be locked, so not enter_any. */
static CUresult enter_locked(int pid)
{
	if (pid != getpid())
		return CUDA_ERROR_NOT_SUPPORTED;
	pthread_mutex_lock(&gpu.lock);
	return gpu.ready && !__atomic_load_n(&gpu.forked, __ATOMIC_RELAXED) ? CUDA_SUCCESS : leave(CUDA_ERROR_NOT_INITIALIZED);
}

API CUresult cuCheckpointProcessGetRestoreThreadId(int pid, int *tid)
{
	CUresult r = tid ? enter_locked(pid) : CUDA_ERROR_INVALID_VALUE;
	if (r)
		return r;
	*tid = pid;
	return leave(CUDA_SUCCESS);
}

API CUresult cuCheckpointProcessGetState(int pid, CUprocessState *out)
{
	CUresult r = out ? enter_locked(pid) : CUDA_ERROR_INVALID_VALUE;
	if (r)
		return r;
	*out = state;
	return leave(CUDA_SUCCESS);
}

API CUresult cuCheckpointProcessLock(int pid, CUcheckpointLockArgs *args)
{
	struct timespec end;
	int late = 0;
	CUresult r = enter_locked(pid);
	if (r)
		return r;
	if (gpu.locked)
		return leave(CUDA_ERROR_ILLEGAL_STATE);
	unsigned ms = args ? args->timeoutMs : 0;
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += ms / 1000;
	end.tv_nsec += (long)(ms % 1000) * 1000000;
	if (end.tv_nsec >= 1000000000)
		end.tv_sec++, end.tv_nsec -= 1000000000;
	gpu.locked = 1;
	gpu.draining++;
	while (contexts_busy() && !late) {
		if (ms)
			late = pthread_cond_timedwait(&gpu.done, &gpu.lock, &end) == ETIMEDOUT;
		else
			pthread_cond_wait(&gpu.done, &gpu.lock);
	}
	gpu.draining--;
	if (contexts_busy()) {
		gpu.locked = 0;
		pthread_cond_broadcast(&gpu.done);
		return leave(CUDA_ERROR_NOT_READY);
	}
	state = CU_PROCESS_STATE_LOCKED;
	return leave(CUDA_SUCCESS);
}

static CUresult go(int pid, CUprocessState from, CUprocessState to)
{
	CUresult r = enter_locked(pid);
	if (r)
		return r;
	if (state != from)
		return leave(CUDA_ERROR_ILLEGAL_STATE);
	state = to;
	if (to == CU_PROCESS_STATE_RUNNING) {
		gpu.locked = 0;
		pthread_cond_broadcast(&gpu.done);
	}
	return leave(CUDA_SUCCESS);
}

API CUresult cuCheckpointProcessCheckpoint(int pid, CUcheckpointCheckpointArgs *args)
{
	(void)args;
	return go(pid, CU_PROCESS_STATE_LOCKED, CU_PROCESS_STATE_CHECKPOINTED);
}

API CUresult cuCheckpointProcessRestore(int pid, CUcheckpointRestoreArgs *args)
{
	if (args && args->gpuPairsCount)
		return CUDA_ERROR_NOT_SUPPORTED;
	return go(pid, CU_PROCESS_STATE_CHECKPOINTED, CU_PROCESS_STATE_LOCKED);
}

API CUresult cuCheckpointProcessUnlock(int pid, CUcheckpointUnlockArgs *args)
{
	(void)args;
	return go(pid, CU_PROCESS_STATE_LOCKED, CU_PROCESS_STATE_RUNNING);
}
