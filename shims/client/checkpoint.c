// SPDX-License-Identifier: Apache-2.0
//
// cuCheckpointProcess*: the state of another process's driver, or of this
// one's. axond is asked, over a connection of its own, and has the worker of the
// process do it. No lane is used, nor a session needed: those of a process that
// is locked stand still, and who locks another may have none.
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "call.h"
#include "checkpoint_order.h"
#include "hello.h"
#include "session.h"

static ssize_t receive(int fd, void *to, size_t room)
{
	ssize_t n;
	while ((n = recv(fd, to, room, 0)) < 0 && errno == EINTR)
		;
	return n;
}

static ssize_t say(int fd, const void *what, size_t bytes)
{
	ssize_t n;
	while ((n = send(fd, what, bytes, MSG_NOSIGNAL)) < 0 && errno == EINTR)
		;
	return n;
}

#define ANEW_MAX 5 // connections, if axond hangs up: it is being started anew
#define ANEW_NS 200000000

// *gone: it was hung up on before there was an answer.
static CUresult hello(int fd, bool *gone)
{
	struct axon_hello m = {.magic = AXR_MAGIC, .version = AXR_VERSION, .library = AXON_CHECKPOINT};
	struct {
		struct axon_answer head;
		char text[4096];
	} a;

	memcpy(m.fingerprint, axg_fingerprint, sizeof m.fingerprint);
	*gone = say(fd, &m, sizeof m) != (ssize_t)sizeof m;
	ssize_t n = *gone ? 0 : receive(fd, &a, sizeof a);
	*gone = n <= 0;
	if (n < (ssize_t)sizeof a.head || a.head.magic != AXR_MAGIC) {
		axc_debug("axond, or what is between, has no checkpoints of processes; update it");
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	if (a.head.status == AXON_OK)
		return CUDA_SUCCESS;
	axc_debug("axond refuses: %.*s", (int)(n - (ssize_t)sizeof a.head), a.text);
	switch (a.head.status) {
	case AXON_NOT_ADMITTED:
		return CUDA_ERROR_NOT_PERMITTED;
	case AXON_BUSY:
		return CUDA_ERROR_NOT_READY;
	default: // one of before there were checkpoints, too
		return CUDA_ERROR_NOT_SUPPORTED;
	}
}

static CUresult ask(const char *symbol, uint32_t what, int pid, uint32_t value, uint32_t *out)
{
	struct axon_checkpoint_ask m = {.what = what, .pid = pid, .value = value};
	struct axon_checkpoint_answer a;

	if (pid <= 0)
		return CUDA_ERROR_INVALID_VALUE;
	if (axc_state() == AXC_OPEN && axc.mirrored) // axond is on another machine, where this one's pids say nothing
		return axc_refused(symbol);
	CUresult r;
	bool gone;
	int fd;
	for (unsigned tries = 1;; tries++) {
		if ((fd = axc_session_dial()) < 0)
			return CUDA_ERROR_OPERATING_SYSTEM;
		r = hello(fd, &gone);
		if (!gone || tries == ANEW_MAX)
			break;
		close(fd);
		nanosleep(&(struct timespec){.tv_nsec = ANEW_NS}, NULL);
	}
	if (!r) {
		r = CUDA_ERROR_OPERATING_SYSTEM;
		if (say(fd, &m, sizeof m) == (ssize_t)sizeof m && receive(fd, &a, sizeof a) == (ssize_t)sizeof a) {
			r = (CUresult)a.result;
			if (out)
				*out = a.value;
		} else {
			axc_debug("%s: axond hung up before it answered; ask for the state", symbol);
		}
	}
	close(fd);
	return r;
}

// What is reserved must be zero.
static bool zero(const void *p, size_t n)
{
	const char *c = p;
	while (n && !*c)
		c++, n--;
	return !n;
}

AX_EXPORT CUresult cuCheckpointProcessGetRestoreThreadId(int pid, int *tid)
{
	uint32_t value = 0;
	if (!tid)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult r = ask(__func__, AXON_CHECKPOINT_THREAD, pid, 0, &value);
	if (!r)
		*tid = (int)value;
	return r;
}

AX_EXPORT CUresult cuCheckpointProcessGetState(int pid, CUprocessState *state)
{
	uint32_t value = 0;
	if (!state)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult r = ask(__func__, AXON_CHECKPOINT_STATE, pid, 0, &value);
	if (!r)
		*state = (CUprocessState)value;
	return r;
}

AX_EXPORT CUresult cuCheckpointProcessLock(int pid, CUcheckpointLockArgs *args)
{
	if (args && (args->reserved0 || !zero(args->reserved1, sizeof args->reserved1)))
		return CUDA_ERROR_INVALID_VALUE;
	return ask(__func__, AXON_CHECKPOINT_LOCK, pid, args ? args->timeoutMs : 0, NULL);
}

AX_EXPORT CUresult cuCheckpointProcessCheckpoint(int pid, CUcheckpointCheckpointArgs *args)
{
	if (args && !zero(args, sizeof *args))
		return CUDA_ERROR_INVALID_VALUE;
	return ask(__func__, AXON_CHECKPOINT_CHECKPOINT, pid, 0, NULL);
}

AX_EXPORT CUresult cuCheckpointProcessRestore(int pid, CUcheckpointRestoreArgs *args)
{
	if (args && args->gpuPairsCount) {
		axc_debug("cuCheckpointProcessRestore: a process cannot be moved to another GPU (gpuPairs)");
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	if (args && !zero(args, sizeof *args))
		return CUDA_ERROR_INVALID_VALUE;
	return ask(__func__, AXON_CHECKPOINT_RESTORE, pid, 0, NULL);
}

AX_EXPORT CUresult cuCheckpointProcessUnlock(int pid, CUcheckpointUnlockArgs *args)
{
	if (args && !zero(args, sizeof *args))
		return CUDA_ERROR_INVALID_VALUE;
	return ask(__func__, AXON_CHECKPOINT_UNLOCK, pid, 0, NULL);
}
