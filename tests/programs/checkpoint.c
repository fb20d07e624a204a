// SPDX-License-Identifier: Apache-2.0
//
// Checkpoints of processes: what one process does to another by its pid, and to
// itself. `checkpoint do ACTION PID` does one thing and says what came of it.
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

#include "gate.h"

#define SIZE (64u << 20)

static CUprocessState state_of(pid_t pid)
{
	CUprocessState s = (CUprocessState)-1;
	OK(cuCheckpointProcessGetState(pid, &s));
	return s;
}

static CUresult lock(pid_t pid, unsigned ms)
{
	CUcheckpointLockArgs a = {.timeoutMs = ms};
	return cuCheckpointProcessLock(pid, &a);
}

static CUresult checkpoint(pid_t pid) { return cuCheckpointProcessCheckpoint(pid, &(CUcheckpointCheckpointArgs){0}); }
static CUresult restore(pid_t pid) { return cuCheckpointProcessRestore(pid, &(CUcheckpointRestoreArgs){0}); }
static CUresult unlock(pid_t pid) { return cuCheckpointProcessUnlock(pid, &(CUcheckpointUnlockArgs){0}); }

static bool has_thread(pid_t pid, int tid)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/task/%d", pid, tid);
	return !access(path, F_OK);
}

// All of it, in its order.
static void there_and_back(pid_t pid)
{
	int tid = 0;
	OK(cuCheckpointProcessGetRestoreThreadId(pid, &tid));
	TRUE(has_thread(pid, tid));
	EQUAL(CU_PROCESS_STATE_RUNNING, state_of(pid));
	OK(lock(pid, 10000));
	EQUAL(CU_PROCESS_STATE_LOCKED, state_of(pid));
	OK(checkpoint(pid));
	EQUAL(CU_PROCESS_STATE_CHECKPOINTED, state_of(pid));
	OK(restore(pid));
	EQUAL(CU_PROCESS_STATE_LOCKED, state_of(pid));
	OK(unlock(pid));
	EQUAL(CU_PROCESS_STATE_RUNNING, state_of(pid));
}

// What a process has, and whether it has it still.
static struct {
	CUdeviceptr memory;
	unsigned *pinned;
	CUstream stream;
	CUevent event;
	CUfunction add;
	unsigned sum;
} have;

static void get_things(void)
{
	start();
	OK(cuMemAlloc(&have.memory, SIZE));
	OK(cuMemsetD32(have.memory, 0xabcd1234, SIZE / 4));
	OK(cuMemHostAlloc((void **)&have.pinned, 4096, CU_MEMHOSTALLOC_DEVICEMAP));
	have.stream = stream_of_its_own();
	OK(cuEventCreate(&have.event, CU_EVENT_DEFAULT));
	have.add = function(load(PTX_HEAD PTX_ADD), "add");
	have.pinned[0] = 0, have.pinned[1] = 77;
	OK(cuCtxSynchronize());
}

static void use_things(void)
{
	unsigned first = 0, last = 0, one = 1;
	CUdeviceptr at;
	OK(cuMemHostGetDevicePointer(&at, have.pinned, 0));
	void *arguments[] = {&at, &one};
	OK(cuLaunchKernel(have.add, 2, 1, 1, 32, 1, 1, 0, have.stream, arguments, NULL));
	OK(cuEventRecord(have.event, have.stream));
	OK(cuEventSynchronize(have.event));
	have.sum += 64;
	EQUAL(have.sum, have.pinned[0]);
	EQUAL(77, have.pinned[1]);
	OK(cuMemcpyDtoH(&first, have.memory, 4));
	OK(cuMemcpyDtoH(&last, have.memory + SIZE - 4, 4));
	EQUAL(0xabcd1234u, first);
	EQUAL(0xabcd1234u, last);
}

static void the_process_itself(void)
{
	get_things();
	use_things();
	for (int i = 0; i < 2; i++) {
		there_and_back(getpid());
		use_things();
	}
}

static void what_was_launched_before_is_done(void)
{
	CUdeviceptr at;
	unsigned v = 4711;
	get_things();
	CUfunction put = function(load(PTX_HEAD PTX_PUT), "put");
	OK(cuMemHostGetDevicePointer(&at, have.pinned + 2, 0));
	void *arguments[] = {&at, &v};
	for (int i = 0; i < 200; i++)
		OK(cuLaunchKernel(put, 1, 1, 1, 1, 1, 1, 0, have.stream, arguments, NULL));
	OK(lock(getpid(), 10000));
	OK(checkpoint(getpid()));
	EQUAL(4711, *(volatile unsigned *)(have.pinned + 2));
	OK(restore(getpid()));
	OK(unlock(getpid()));
	use_things();
}

// Another process with things, which uses them whenever it is told.
struct other {
	pid_t pid;
	int in, out;
};

static bool hears(int fd, int ms)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	return poll(&p, 1, ms) > 0;
}

static void await(struct other *o)
{
	char c = 0;
	if (!hears(o->out, 60000) || read(o->out, &c, 1) != 1 || c != 'k')
		FAIL("the other process does not answer");
}

static void tell(struct other *o)
{
	if (write(o->in, "g", 1) != 1)
		FAIL("the other process has ended");
}

static struct other start_other(void)
{
	int down[2], up[2];
	if (pipe(down) || pipe(up))
		FAIL("no pipe");
	fflush(stdout);
	pid_t pid = fork();
	if (!pid) {
		char c;
		alarm(120);
		close(down[1]), close(up[0]);
		get_things();
		do {
			use_things();
			if (write(up[1], "k", 1) != 1)
				_exit(1);
		} while (read(down[0], &c, 1) == 1);
		_exit(0);
	}
	close(down[0]), close(up[1]);
	struct other o = {pid, down[1], up[0]};
	await(&o);
	return o;
}

static void end_other(struct other *o)
{
	int status = -1;
	close(o->in);
	waitpid(o->pid, &status, 0);
	EQUAL(0, status);
}

static void another_process(void)
{
	struct other o = start_other();
	there_and_back(o.pid);
	tell(&o);
	await(&o);
	end_other(&o);
}

static void two_with_sessions(void)
{
	struct other o = start_other();
	get_things();
	there_and_back(o.pid);
	use_things();
	there_and_back(getpid());
	use_things();
	tell(&o);
	await(&o);
	end_other(&o);
}

// As long as it is locked: its calls stand still, and go on then.
static void calls_wait_for_the_unlock(void)
{
	struct other o = start_other();
	OK(lock(o.pid, 10000));
	tell(&o);
	TRUE(!hears(o.out, 300));
	TRUE(cuCheckpointProcessLock(o.pid, NULL) != CUDA_SUCCESS); // at once: nothing that was called since gets further
	OK(checkpoint(o.pid));
	TRUE(!hears(o.out, 100));
	OK(restore(o.pid));
	TRUE(!hears(o.out, 100));
	OK(unlock(o.pid));
	await(&o);
	end_other(&o);
}

static void a_locked_process_can_be_ended(void)
{
	int status = 0;
	struct other o = start_other();
	OK(lock(o.pid, 10000));
	OK(checkpoint(o.pid));
	kill(o.pid, SIGKILL);
	waitpid(o.pid, &status, 0);
	TRUE(WIFSIGNALED(status));
	struct other p = start_other();
	there_and_back(p.pid);
	end_other(&p);
}

static void what_is_out_of_order_changes_nothing(void)
{
	pid_t me = getpid();
	get_things();
	TRUE(checkpoint(me) != CUDA_SUCCESS);
	TRUE(restore(me) != CUDA_SUCCESS);
	TRUE(unlock(me) != CUDA_SUCCESS);
	EQUAL(CU_PROCESS_STATE_RUNNING, state_of(me));
	use_things();
	OK(lock(me, 10000));
	TRUE(lock(me, 1000) != CUDA_SUCCESS);
	TRUE(restore(me) != CUDA_SUCCESS);
	EQUAL(CU_PROCESS_STATE_LOCKED, state_of(me));
	OK(checkpoint(me));
	TRUE(checkpoint(me) != CUDA_SUCCESS);
	TRUE(unlock(me) != CUDA_SUCCESS);
	EQUAL(CU_PROCESS_STATE_CHECKPOINTED, state_of(me));
	OK(restore(me));
	OK(unlock(me));
	use_things();
}

static void a_lock_gives_up_after_its_time(void)
{
	pid_t me = getpid();
	get_things();
	struct gate g = close_gate(load(PTX_HEAD PTX_GATE), have.stream);
	TRUE(lock(me, 200) != CUDA_SUCCESS);
	EQUAL(CU_PROCESS_STATE_RUNNING, state_of(me));
	open_gate(&g);
	OK(cuStreamSynchronize(have.stream));
	use_things();
	there_and_back(me);
	use_things();
}

static void processes_without_a_device(void)
{
	CUprocessState s;
	int tid;
	get_things();
	fflush(stdout);
	pid_t pid = fork();
	if (!pid) {
		pause();
		_exit(0);
	}
	TRUE(cuCheckpointProcessGetState(pid, &s) != CUDA_SUCCESS);
	TRUE(cuCheckpointProcessGetRestoreThreadId(pid, &tid) != CUDA_SUCCESS);
	TRUE(lock(pid, 1000) != CUDA_SUCCESS);
	TRUE(cuCheckpointProcessGetState(-1, &s) != CUDA_SUCCESS);
	TRUE(cuCheckpointProcessGetState(0x3ffffff, &s) != CUDA_SUCCESS);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	use_things();
}

static int act(const char *what, pid_t pid)
{
	CUprocessState s = (CUprocessState)-1;
	int tid = 0;
	CUresult r = !strcmp(what, "state")	 ? cuCheckpointProcessGetState(pid, &s)
		     : !strcmp(what, "lock")	 ? lock(pid, 10000)
		     : !strcmp(what, "briefly")	 ? lock(pid, 300)
		     : !strcmp(what, "forever")	 ? cuCheckpointProcessLock(pid, NULL)
		     : !strcmp(what, "checkpoint") ? cuCheckpointProcessCheckpoint(pid, NULL)
		     : !strcmp(what, "restore")	 ? cuCheckpointProcessRestore(pid, NULL)
		     : !strcmp(what, "unlock")	 ? cuCheckpointProcessUnlock(pid, NULL)
		     : !strcmp(what, "move")	 ? cuCheckpointProcessRestore(pid, &(CUcheckpointRestoreArgs){.gpuPairs = &(CUcheckpointGpuPair){{{0}}, {{0}}}, .gpuPairsCount = 1})
						 : cuCheckpointProcessGetRestoreThreadId(pid, &tid);
	printf("%s %d state %d thread %s\n", what, r, (int)s, !tid ? "none" : tid == pid ? "first" : "other");
	return 0;
}

static const struct test_case cases[] = {
	CASE(the_process_itself),
	CASE(what_was_launched_before_is_done),
	CASE(what_is_out_of_order_changes_nothing),
	CASE(a_lock_gives_up_after_its_time),
	CASE(another_process),
	CASE(two_with_sessions),
	CASE(calls_wait_for_the_unlock),
	CASE(a_locked_process_can_be_ended),
	CASE(processes_without_a_device),
};

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "do"))
		return act(argv[2], atoi(argv[3]));
	return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
