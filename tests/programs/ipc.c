// SPDX-License-Identifier: Apache-2.0
//
// Two programs that share device memory and events (CUDA IPC): each case is a
// process that forks another one before either has a driver.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/socket.h>
#include <time.h>

#include "check.h"
#include "kernels.h"

static const char ptx[] = PTX_HEAD PTX_PUT PTX_ADD;

enum { BYTES = 3 << 20, WORDS = BYTES / 4 };

// What the two tell each other; both ends time out rather than hang.
struct pair {
	int to[2], from[2]; // parent to child and back
	pid_t child;
};

static void tell(int fd, const void *p, size_t n)
{
	TRUE(write(fd, p, n) == (ssize_t)n);
}

static void hear(int fd, void *p, size_t n)
{
	struct pollfd f = {.fd = fd, .events = POLLIN};
	TRUE(poll(&f, 1, 60000) == 1);
	if (read(fd, p, n) != (ssize_t)n)
		FAIL("the other process is gone");
}

static void say(int fd) { tell(fd, "!", 1); }
static void heard(int fd)
{
	char c;
	hear(fd, &c, 1);
}

static struct pair two(void (*other)(const struct pair *))
{
	struct pair p;
	TRUE(!pipe(p.to) && !pipe(p.from));
	p.child = fork();
	TRUE(p.child >= 0);
	if (!p.child) {
		close(p.to[1]);
		close(p.from[0]);
		start();
		other(&p);
		exit(0);
	}
	close(p.to[0]);
	close(p.from[1]);
	start();
	return p;
}

static void ended_well(const struct pair *p)
{
	int status;
	TRUE(waitpid(p->child, &status, 0) == p->child);
	EQUAL(0, status);
}

static void add(CUmodule m, CUdeviceptr p, unsigned v, CUstream s)
{
	void *arguments[] = {&p, &v};
	OK(cuLaunchKernel(function(m, "add"), 1, 1, 1, 1, 1, 1, 0, s, arguments, NULL));
}

static void opens_and_changes(const struct pair *p)
{
	CUipcMemHandle h;
	CUdeviceptr q, base;
	size_t size;
	static unsigned words[WORDS];
	hear(p->to[0], &h, sizeof h);
	OK(cuIpcOpenMemHandle(&q, h, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
	OK(cuMemGetAddressRange(&base, &size, q));
	EQUAL(q, base);
	EQUAL(BYTES, size);
	OK(cuMemcpyDtoH(words, q, BYTES));
	for (int i = 0; i < WORDS; i++)
		EQUAL(0x11111111, words[i]);
	OK(cuMemsetD32(q, 0x22222222, WORDS / 2));
	add(load(ptx), q + BYTES - 4, 5, NULL);
	OK(cuCtxSynchronize());
	TRUE(cuMemFree(q) != CUDA_SUCCESS); // it is the other's
	OK(cuIpcCloseMemHandle(q));
	TRUE(cuIpcCloseMemHandle(q) != CUDA_SUCCESS);
	say(p->from[1]);
	heard(p->to[0]);
}

static void memory_of_another_process_is_the_same_memory(void)
{
	struct pair p = two(opens_and_changes);
	CUipcMemHandle h;
	CUdeviceptr q;
	static unsigned words[WORDS];
	OK(cuMemAlloc(&q, BYTES));
	OK(cuMemsetD32(q, 0x11111111, WORDS));
	OK(cuCtxSynchronize());
	OK(cuIpcGetMemHandle(&h, q));
	tell(p.to[1], &h, sizeof h);
	heard(p.from[0]);
	OK(cuMemcpyDtoH(words, q, BYTES));
	for (int i = 0; i < WORDS; i++)
		EQUAL(i < WORDS / 2 ? 0x22222222 : i < WORDS - 1 ? 0x11111111 : 0x11111116, words[i]);
	say(p.to[1]);
	ended_well(&p);
	OK(cuMemFree(q));
}

static void leaves(const struct pair *p)
{
	CUipcMemHandle h;
	CUdeviceptr q;
	OK(cuMemAlloc(&q, BYTES));
	OK(cuMemsetD32(q, 7, WORDS));
	OK(cuCtxSynchronize());
	OK(cuIpcGetMemHandle(&h, q));
	tell(p->from[1], &h, sizeof h);
	heard(p->to[0]);
}

static void opening_what_has_ended_is_refused(void)
{
	struct pair p = two(leaves);
	CUipcMemHandle h;
	CUdeviceptr q;
	hear(p.from[0], &h, sizeof h);
	say(p.to[1]);
	ended_well(&p);
	// The process is gone; its worker goes soon after.
	for (int i = 0; i < 200 && cuIpcOpenMemHandle(&q, h, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) == CUDA_SUCCESS; i++) {
		struct timespec moment = {.tv_nsec = 50000000};
		OK(cuIpcCloseMemHandle(q));
		nanosleep(&moment, NULL);
	}
	TRUE(cuIpcOpenMemHandle(&q, h, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) != CUDA_SUCCESS);
}

static void handles_that_are_none_are_refused(void)
{
	start();
	CUipcMemHandle m;
	CUipcEventHandle e;
	CUdeviceptr q;
	CUevent event;
	memset(&m, 0x5a, sizeof m);
	memset(&e, 0x5a, sizeof e);
	TRUE(cuIpcOpenMemHandle(&q, m, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) != CUDA_SUCCESS);
	TRUE(cuIpcOpenEventHandle(&event, e) != CUDA_SUCCESS);
	TRUE(cuIpcGetMemHandle(&m, 0x1000) != CUDA_SUCCESS);
	OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
	TRUE(cuIpcGetEventHandle(&e, event) != CUDA_SUCCESS); // not made for that
	OK(cuMemAlloc(&q, 64));
	TRUE(cuIpcCloseMemHandle(q) != CUDA_SUCCESS); // not opened
	OK(cuMemFree(q));
}

// The parent records an event behind a change; the child's stream waits for it, then changes more.
static void waits_for_the_event(const struct pair *p)
{
	struct { CUipcMemHandle memory; CUipcEventHandle ready, done; } h;
	CUdeviceptr q;
	CUevent ready, done;
	CUstream s;
	CUmodule m = load(ptx);
	hear(p->to[0], &h, sizeof h);
	OK(cuIpcOpenMemHandle(&q, h.memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
	OK(cuIpcOpenEventHandle(&ready, h.ready));
	OK(cuIpcOpenEventHandle(&done, h.done));
	OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
	OK(cuStreamWaitEvent(s, ready, 0));
	add(m, q, 1, s);
	OK(cuEventRecord(done, s));
	say(p->from[1]);
	OK(cuEventSynchronize(done));
	heard(p->to[0]);
	OK(cuEventDestroy(ready));
	OK(cuEventDestroy(done));
	OK(cuIpcCloseMemHandle(q));
}

static void a_stream_waits_for_another_processes_event(void)
{
	struct pair p = two(waits_for_the_event);
	struct { CUipcMemHandle memory; CUipcEventHandle ready, done; } h;
	CUdeviceptr q;
	CUevent ready, done;
	CUmodule m = load(ptx);
	unsigned v = 0;
	OK(cuMemAlloc(&q, 4));
	OK(cuMemsetD32(q, 0, 1));
	OK(cuEventCreate(&ready, CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS));
	OK(cuEventCreate(&done, CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS));
	OK(cuIpcGetMemHandle(&h.memory, q));
	OK(cuIpcGetEventHandle(&h.ready, ready));
	OK(cuIpcGetEventHandle(&h.done, done));
	add(m, q, 40, NULL);
	OK(cuEventRecord(ready, NULL));
	tell(p.to[1], &h, sizeof h);
	heard(p.from[0]); // the child has recorded `done`
	OK(cuEventSynchronize(done));
	OK(cuEventQuery(done));
	OK(cuMemcpyDtoH(&v, q, 4));
	EQUAL(41, v);
	say(p.to[1]);
	ended_well(&p);
}

static void send_descriptor(int socket, int fd)
{
	char byte = 0;
	union { struct cmsghdr head; char space[CMSG_SPACE(sizeof(int))]; } control = {0};
	struct iovec io = {&byte, 1};
	struct msghdr m = {.msg_iov = &io, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space};
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &fd, sizeof fd);
	TRUE(sendmsg(socket, &m, 0) == 1);
}

static int receive_descriptor(int socket)
{
	char byte;
	int fd;
	union { struct cmsghdr head; char space[CMSG_SPACE(sizeof(int))]; } control;
	struct iovec io = {&byte, 1};
	struct msghdr m = {.msg_iov = &io, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space};
	TRUE(recvmsg(socket, &m, 0) == 1 && CMSG_FIRSTHDR(&m));
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof fd);
	return fd;
}

// A mapping of an allocation that may be shared.
static CUdeviceptr mapped(CUmemGenericAllocationHandle h, size_t size)
{
	CUdeviceptr p;
	CUmemAccessDesc access = {.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device},
				  .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
	OK(cuMemAddressReserve(&p, size, 0, 0, 0));
	OK(cuMemMap(p, size, 0, h, 0));
	OK(cuMemSetAccess(p, size, &access, 1));
	return p;
}

static CUmemAllocationProp shareable(void)
{
	CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
				    .requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
				    .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device}};
	return prop;
}

static int passage[2]; // a socket between the two

static void imports_and_changes(const struct pair *p)
{
	CUmemGenericAllocationHandle h;
	uint64_t size;
	unsigned v;
	hear(p->to[0], &size, sizeof size);
	int fd = receive_descriptor(passage[1]);
	OK(cuMemImportFromShareableHandle(&h, (void *)(intptr_t)fd, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
	close(fd);
	CUdeviceptr q = mapped(h, size);
	OK(cuMemcpyDtoH(&v, q + size - 4, 4));
	EQUAL(0x33333333, v);
	OK(cuMemsetD32(q, 0x44444444, size / 8));
	OK(cuCtxSynchronize());
	OK(cuMemUnmap(q, size));
	OK(cuMemRelease(h));
	OK(cuCtxSynchronize());
	say(p->from[1]);
}

static void an_allocation_crosses_as_a_descriptor(void)
{
	TRUE(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, passage));
	struct pair p = two(imports_and_changes);
	CUmemGenericAllocationHandle h;
	CUmemAllocationProp prop = shareable();
	size_t granularity;
	unsigned v;
	int fd = -1;
	OK(cuMemGetAllocationGranularity(&granularity, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
	uint64_t size = granularity * 2;
	OK(cuMemCreate(&h, size, &prop, 0));
	CUdeviceptr q = mapped(h, size);
	OK(cuMemsetD32(q, 0x33333333, size / 4));
	OK(cuCtxSynchronize());
	CUresult r = cuMemExportToShareableHandle(&fd, h, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
	if (r == CUDA_ERROR_NOT_SUPPORTED) {
		kill(p.child, SIGKILL);
		SKIP("no descriptors here");
	}
	OK(r);
	TRUE(fd >= 0);
	tell(p.to[1], &size, sizeof size);
	send_descriptor(passage[0], fd);
	close(fd);
	heard(p.from[0]);
	ended_well(&p);
	OK(cuMemcpyDtoH(&v, q, 4));
	EQUAL(0x44444444, v);
	OK(cuMemcpyDtoH(&v, q + size - 4, 4));
	EQUAL(0x33333333, v);
}

static void descriptors_of_other_things_are_refused(void)
{
	CUmemGenericAllocationHandle h;
	int fd;
	start();
	int null = open("/dev/null", O_RDWR);
	TRUE(null >= 0);
	TRUE(cuMemImportFromShareableHandle(&h, (void *)(intptr_t)null, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) != CUDA_SUCCESS);
	close(null);
	TRUE(cuMemImportFromShareableHandle(&h, (void *)(intptr_t)null, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) != CUDA_SUCCESS);
	CUmemAllocationProp prop = shareable();
	size_t size;
	OK(cuMemGetAllocationGranularity(&size, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
	prop.requestedHandleTypes = CU_MEM_HANDLE_TYPE_NONE;
	OK(cuMemCreate(&h, size, &prop, 0));
	TRUE(cuMemExportToShareableHandle(&fd, h, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0) != CUDA_SUCCESS); // not asked for
	// The session goes on.
	CUdeviceptr p;
	OK(cuMemAlloc(&p, 64));
}

static const struct test_case cases[] = {
	CASE(an_allocation_crosses_as_a_descriptor),
	CASE(descriptors_of_other_things_are_refused),
	CASE(memory_of_another_process_is_the_same_memory),
	CASE(opening_what_has_ended_is_refused),
	CASE(handles_that_are_none_are_refused),
	CASE(a_stream_waits_for_another_processes_event),
};

int main(int argc, char **argv)
{
	return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
